"""What the guarantees of aggregated items are worth on average, as plain data and as sentences."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import polars as pl

from bribeproof._text import count, proviso, round_up
from bribeproof._worth import describe_decisions, describe_positive, describe_worth, describe_worthless, name_loss
from bribeproof.aggregation.kernels.status import BUDGET, GROUPS
from bribeproof.calibration.result import Calibration, expert_for
from bribeproof.frames.label_classes import binary_classes
from bribeproof.frames.reports import Reports
from bribeproof.theory import Expert, ExpertInterval, Loss, get_loss, worth_of
from bribeproof.theory.minimax.remedies import explain_worthless


@dataclass(frozen=True, slots=True)
class Promise:
    """What the guarantees of a result rest on.

    Attributes
    ----------
    expert
        The rates of a truthful reporter.
    loss
        The loss of the forecast.
    sides
        The positive class and the negative one, as text.
    confidence
        The confidence of a calibration; None where the rates are given.
    """

    expert: Expert | ExpertInterval
    loss: Loss | str
    sides: tuple[str, str]
    confidence: float | None = None

    @classmethod
    def of(
        cls,
        reports: Reports,
        expert: Expert | ExpertInterval | Calibration,
        k: int | None,
        loss: Loss | str | None,
    ) -> "Promise":
        """Return what the guarantees of votes rest on; without a loss it is the squared one."""
        confidence = expert.confidence if isinstance(expert, Calibration) else None
        known = "squared" if loss is None else loss
        return cls(expert_for(expert, k), known, positive_and_negative(reports), confidence)

    def facts(self, items: pl.LazyFrame) -> dict[str, Any]:
        """Return the guarantee on average over the items that have one, and what it is worth; nothing if none has.

        Parameters
        ----------
        items
            The result for votes.
        """
        columns = items.collect_schema().names()[1:]
        bound = pl.col("guarantee")
        some = items.filter(bound.is_not_null())
        totals = some.select(least=bound.min(), most=bound.max(), mean=bound.mean()).collect().row(0, named=True)
        if totals["mean"] is None:
            return {}
        mean = totals["most"] if totals["least"] == totals["most"] else totals["mean"]
        worth, loss = worth_of(mean, self.expert, self.loss), get_loss(self.loss)
        explanation = None
        if worth.worthless and not {GROUPS, BUDGET} & {*columns}:
            groups = some.group_by(given_to(columns).alias("given"), "k").len().collect().rows()
            ks = {k for _, k, _ in groups}
            if len(ks) == 1:
                sizes = {int(given): number for given, _, number in groups}
                explanation = explain_worthless(sizes, int(ks.pop()), self.expert, loss).facts()
        measured = self.confidence is not None
        return {
            "confidence": self.confidence,
            "condition": f"on average over these items, {proviso(columns, gold=measured, sizes=measured)}",
            "mean": mean,
            "loss": loss.name,
            "worth": worth.facts(),
            "explanation": explanation,
            "positive": self.sides[0],
            "negative": self.sides[1],
        }


def positive_and_negative(reports: Reports) -> tuple[str, str]:
    """Return the names of the two classes of votes; that of a class that nobody reported may be empty."""
    classes, positive = binary_classes(reports)
    names = classes.shown()
    return names[positive], names[1 - positive]


def given_to(columns: Sequence[str]) -> pl.Expr:
    """Return how many reporters an item was given to; without a statement, those who report or are set aside."""
    if "asked" in columns:
        return pl.col("asked").cast(pl.Int64)
    m = pl.col("m").cast(pl.Int64)
    return m + pl.col("set_aside").cast(pl.Int64) if "set_aside" in columns else m


def describe_promise(guarantee: Mapping[str, Any]) -> Iterator[str]:
    """Yield what some items are guaranteed, beside what the prior alone guarantees, as sentences.

    Parameters
    ----------
    guarantee
        What `summarise` returns of guarantees, with `Promise.facts`.

    Examples
    --------
    >>> worth = worth_of(0.15, 0.5).facts()
    >>> facts = {"count": 2, "least": 0.14, "most": 0.16, "loss": "squared", "worth": worth, "explanation": None}
    >>> facts |= {"condition": "on average", "positive": "yes", "negative": "no", "confidence": None}
    >>> for sentence in describe_promise(facts):
    ...     print(sentence)
    Guarantee for 2 items: expected squared loss at most 0.15, 60 % of the 0.25 that the prior alone guarantees (0.14 to
    0.16, by the reports on them), whatever the bribed report, on average.
    yes counts as positive, no as negative.
    """
    least, most = (round_up(guarantee[end], 4) for end in ("least", "most"))
    spread = "" if least == most else f" ({least} to {most}, by the reports on them)"
    worth, confidence = guarantee["worth"], guarantee["confidence"]
    sure = "" if confidence is None else f", with {100 * confidence:.6g} % confidence"
    yield (
        f"Guarantee for {count(guarantee['count'], 'item')}{sure}: expected {name_loss(guarantee['loss'])} "
        f"{describe_worth(worth)}{spread}, whatever the bribed report, {guarantee['condition']}."
    )
    if decisions := describe_decisions(worth, decided=True):
        yield decisions
    if worth["worthless"]:
        yield describe_worthless(guarantee["explanation"])
    if sides := describe_positive(guarantee["positive"], [guarantee["negative"]]):
        yield sides
