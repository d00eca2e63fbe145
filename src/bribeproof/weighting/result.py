"""The result of weighted aggregation."""

from dataclasses import dataclass
from typing import Any

import polars as pl

from bribeproof._notebook import ROWS, render_html
from bribeproof._text import count, format_name, list_statuses, proviso, round_up
from bribeproof._worth import describe_decisions, describe_positive, describe_worth, describe_worthless, name_loss
from bribeproof.aggregation.bribe_sentences import bribe_facts, describe_bribed
from bribeproof.aggregation.kernels.status import BUDGET, GROUPS
from bribeproof.frames.bribe_unit import BribeUnit
from bribeproof.frames.native import to_polars
from bribeproof.weighting.measured import MeasuredWeights
from bribeproof.weighting.promise import WeightedPromise

_REPORTERS = BribeUnit()


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class WeightedAnswers:
    """Labels combined with a weight for each reporter.

    Attributes
    ----------
    items : frame of the kind that came in
        One row per item, in order of first appearance (by item where rows have no order): the item; ``n`` reporters in
        all; ``m`` reports on the item; where they are stated ``asked`` and ``set_aside``, the reporters who were asked
        and who are set aside; with groups ``groups``, how many can be bribed, or ``budget``; ``k``, how many reporters
        of the item that is at most; ``heaviest``, the share of the weight that the bribed among those who report (k,
        less those who are silent though asked, or set aside) hold at most; ``decision``, the label with the most
        weight, or with the absolute loss or costs the side that every forecast on the item is on, if there is one;
        ``estimate``, its share after ``heaviest`` is taken from the weight of every label; ``tie``; ``flips_needed``,
        the fewest reports on this item to rewrite so that the winner no longer wins, null if nothing changes it; with
        an expert of two classes ``forecast``, the probability of positive; with any expert ``guarantee``; ``status`` as
        in `aggregate_labels`; and per class ``share_<class>``, as ``estimate``.
    reporters : frame of the kind that came in
        One row per reporter, the heaviest first: ``reporter``; ``reports``, how many; ``compared``, how many of them
        with others; ``agreement``, the average share of the others' weight that agrees, or on gold items the truth;
        ``gold``, the number of gold items answered; ``right``, the share of right answers to them; ``weight``, of which
        the largest is 1.
    k
        How many reporters may be bribed, or groups; None with a budget.
    weight_spread
        How far weights may differ; None if they were given without a limit.
    loss
        The name of the loss that the forecast minimises. ``guarantee`` bounds it; with a `MultiExpert`, the absolute
        loss.
    confidence
        The confidence of ``guarantee``; None unless it rests on gold items.
    promise
        What the guarantee is worth on average; None without an expert, or without an item that has a guarantee.
    measured
        What gold items say of given weights; None without both.
    n_items, n_reporters
        The numbers of items and of reporters.
    unit
        Of what k is the number: of reporters, or of groups; or whether there is a budget.
    notes
        How the table was read, one sentence each.
    """

    items: Any
    reporters: Any
    k: int | None
    weight_spread: float | None
    loss: str
    confidence: float | None
    promise: WeightedPromise | None
    measured: MeasuredWeights | None
    n_items: int
    n_reporters: int
    unit: BribeUnit = _REPORTERS
    notes: tuple[str, ...] = ()

    def summary(self) -> str:
        """Return how many items are certified and, with an expert, what is guaranteed; one sentence a line."""
        items = to_polars(self.items)
        return "\n".join([describe_items(self, items), *describe_guarantee(self, items)])

    def bribe_facts(self) -> dict[str, Any]:
        """Return how much can be bribed as plain data: nothing for reporters, else the groups or the budget."""
        return _facts(self, to_polars(self.items)) if self.unit.counted else {}

    def __repr__(self) -> str:
        """Return the class and its main numbers on one line."""
        number = f"budget={to_polars(self.items)[BUDGET][0]}" if self.unit.priced else f"k={self.k}"
        return (
            f"{type(self).__name__}({number}, weight_spread={self.weight_spread}, n_items={self.n_items}, "
            f"n_reporters={self.n_reporters})"
        )

    def _repr_html_(self) -> str:
        """Return the summary, the most fragile items and their picture for a notebook."""
        items = to_polars(self.items)
        return render_html(
            self.summary(),
            most_fragile(items),
            lambda plots, axes: plots.items(items, item=items.columns[0], most=ROWS, ax=axes),
            bars=self.n_items,
        )


def most_fragile(items: pl.DataFrame) -> pl.DataFrame:
    """Return the items with a decision, those that the fewest flips change first, and the columns to show of them."""
    shown = ("m", "decision", "estimate", "flips_needed", "forecast", "guarantee")
    names = [items.columns[0], *(name for name in shown if name in items.columns)]
    return items.drop_nulls("flips_needed").sort("flips_needed", maintain_order=True).select(names)


def describe_items(result: WeightedAnswers, items: pl.DataFrame) -> str:
    """Return how many items have each status, as a sentence."""
    spread = result.weight_spread
    limit = "no limit to weights" if spread is None else f"weight spread {spread:.6g}"
    statuses = list_statuses(dict(sorted(items["status"].value_counts().iter_rows())))
    bribed = describe_bribed(_facts(result, items)) if result.unit.counted else result.unit.phrase(result.k or 0)
    return (
        f"{count(result.n_items, 'item')}, {count(result.n_reporters, 'reporter')}, {bribed}, {limit}: "
        f"{statuses}; {count(int(items['tie'].sum()), 'tie')}."
    )


def describe_guarantee(result: WeightedAnswers, items: pl.DataFrame) -> list[str]:
    """Return what is guaranteed, and for which weights, as a sentence; nothing without an expert."""
    if "guarantee" not in items.columns:
        return []
    bounds = items["guarantee"].drop_nulls().to_list()
    if not bounds or result.promise is None:
        return [_describe_none(result.measured)]
    promise, low, high = result.promise, min(bounds), max(bounds)
    spread = f" ({round_up(low, 4)} to {round_up(high, 4)}, by the reports on them)" * (low != high)
    sure = "" if result.confidence is None else f", with {100 * result.confidence:.6g} % confidence"
    others = items.height - len(bounds)
    rest = f" The other {count(others, 'item')} {'has' if others == 1 else 'have'} no guarantee." * (others > 0)
    # What is measured on gold items is an average over items with any numbers of bribed ones.
    columns = [name for name in items.columns[1:] if result.measured is None or name not in (GROUPS, BUDGET)]
    condition = proviso(columns, gold=result.confidence is not None)
    facts = promise.worth.facts()
    sentences = [
        f"Guarantee{sure}: expected {name_loss(promise.worth.loss.name)} {describe_worth(facts)}, on average over "
        f"{count(len(bounds), 'item')}{spread}, with {_describe_bribes(result, items)} report, "
        f"{condition}; {_describe_basis(result)}.{rest}",
        describe_decisions(facts, decided=result.measured is None)
        if promise.sides
        else describe_decisions(facts, "shares of the classes"),
        describe_worthless(promise.facts()["explanation"]) if promise.worth.worthless else None,
        describe_positive(promise.sides[0], promise.sides[1:]) if promise.sides else None,
    ]
    return [sentence for sentence in sentences if sentence is not None]


def _facts(result: WeightedAnswers, items: pl.DataFrame) -> dict[str, Any]:
    """Return how many reporters and groups can be bribed, as plain data."""
    facts = bribe_facts(items.lazy())
    facts["bribes"]["of"] = result.unit.of
    return facts | {"k": {"least": items["k"].min(), "most": items["k"].max()}}


def _describe_bribes(result: WeightedAnswers, items: pl.DataFrame) -> str:
    """Return who is bribed under a guarantee, up to the verb."""
    if not result.unit.counted:
        return f"k = {result.k:,} bribed, whatever they"
    if result.unit.priced:
        return f"{result.unit.phrase(items[BUDGET][0])} spent on bribes, whatever the bribed"
    return f"{result.unit.phrase(result.k or 0)} bribed, whatever they"


def _describe_basis(result: WeightedAnswers) -> str:
    """Return for which weights the guarantee holds."""
    if (measured := result.measured) is not None:
        gold = count(sum(measured.gold), "gold item")
        who = "the heaviest reporter holds" if result.k == 1 else f"the {result.k or 0:,} heaviest reporters hold"
        who = "those who can be bribed hold" if result.unit.counted else who
        held = f", on which {who} at most {round_up(100 * measured.heaviest)} % of it" * (measured.heaviest > 0)
        return (
            f"how much weight errs was measured on {gold}{held}, as on the items that the guarantee speaks for; it "
            f"holds for weights that were given without regard to any report on either"
        )
    if result.weight_spread is None:
        return "it holds for weights that were known before anybody reported"
    return f"it holds for any weights within the weight spread of {result.weight_spread:.6g}, whoever bought them"


def _describe_none(measured: MeasuredWeights | None) -> str:
    """Return why no item has a guarantee, as far as that is known."""
    if measured is None or measured.uneven is None:
        return "No item has a guarantee."
    return (
        f"No item has a guarantee: reporter {format_name(measured.uneven)} answers so many more or fewer of the gold "
        f"items than of the others that these do not tell how much weight errs elsewhere."
    )
