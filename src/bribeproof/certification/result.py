"""The result of a certification."""

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from bribeproof._notebook import render_html
from bribeproof._text import count, format_name, lower_of_100
from bribeproof.certification.constant_answer import ConstantAnswer
from bribeproof.certification.gold_reporters import BestReporter, Together
from bribeproof.certification.one_list import ONE_LIST_CONDITION, OneList
from bribeproof.frames.bribe_unit import BribeUnit, nouns
from bribeproof.frames.native import to_polars

CONDITION = (
    "on average over items like the gold ones, which must have been drawn independently and as the others are; whoever "
    "is bribed, on gold items too, and whatever they {ways}"
)
"""What the bounds are about, and when they hold."""
_WAYS = ("report, withhold or add", "report; who reports on an item is taken as given")
_IN_TABLE = ", if nobody else is a member of the groups, or can be bribed, than those with reports in the table"
"""Whom bribed groups are made of: k reporters do the most by rewriting, whoever else might report."""


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Certification:
    """How often answers are right whatever k bribed reporters do, bounded by gold items.

    Attributes
    ----------
    by_k : frame of the kind that came in
        One row per k: ``k``, with prices ``budget``; ``gold``, the number of gold items that certify; ``robust``, how
        many of them are answered rightly whatever k bribed reporters do; ``accuracy``, their share, and
        ``accuracy_low``, its exact lower bound; ``per_100``, the errors per 100 items that this leaves, and
        ``of_prior``, their share of those of the constant answer on gold items, null if it makes none;
        ``absolute`` and ``squared``, the mean over gold items of the largest loss that k bribed reporters can
        cause, with upper bounds ``_high``, null for a rule without forecasts. The losses are 1 − p and (1 −
        p)², where p is the forecast of the true class: its share of the reports, where the rule decides by
        votes. (Of groups with prices that may add reports, they are bounds as well.) For the same k reporters
        on all items, null where that was not searched: ``list_turned``, how many right answers they can turn
        wrong at most; ``list_accuracy``, the share of gold items that stays right; ``list_low``, its exact
        lower bound for reporters who were bribed before the gold items were drawn, or after their reports were
        given; ``list_low_chosen``, for reporters who were chosen in view of the gold items and lied there too.
    lists : tuple of OneList
        For each k that was searched the worst list of reporters.
    rule
        The rule, in words.
    confidence
        The least probability that the column ``accuracy_low`` holds, and each of the columns ``_high``, ``list_low``
        and ``list_low_chosen`` by itself.
    gold
        The number of gold items that certify.
    unanswered
        How many of them have no report; their answer counts as wrong.
    reporters
        The number of reporters.
    asked_k
        The largest k, or budget as an exact fraction, that was asked for; None for all that certify something.
    silence
        Whether bribed reporters may also withhold reports, and add some where they have none.
    fitted
        The number of other gold items that the rule was fitted to, and the seed of the split, None if a
        generator was given; None for other rules.
    best
        The best single reporter.
    together
        How far errors go together; None where no two reports can be compared, all are right or all
        wrong, or errors cancel out.
    constant
        The commonest truth as the answer to every gold item, which needs no reports.
    unit
        Of what k is the number: of reporters, or of groups; or whether there is a budget.
    out_of
        The number of reporters, or of groups.
    notes
        How the table was read, one sentence each.
    """

    by_k: Any
    lists: tuple[OneList, ...]
    rule: str
    confidence: float
    gold: int
    unanswered: int
    reporters: int
    asked_k: int | Fraction | None
    silence: bool
    fitted: tuple[int, int | None] | None
    best: BestReporter
    together: Together | None
    constant: ConstantAnswer
    unit: BribeUnit
    out_of: int
    notes: tuple[str, ...] = ()

    @property
    def most_adversaries(self) -> Any:
        """The largest k up to which more answers are certified than the constant one gets right on gold items.

        How many can be bribed before the answers are worth nothing; None if even the first row is worth nothing.
        """
        return self.constant.most_adversaries(to_polars(self.by_k).rows(named=True), self.unit.column)

    @property
    def condition(self) -> str:
        """What the bounds are an average over, and when they hold."""
        if not self.silence:
            return CONDITION.format(ways=_WAYS[1])
        return CONDITION.format(ways=f"{_WAYS[0]}{_IN_TABLE * self.unit.counted}")

    @property
    def headline(self) -> str:
        """What is certified with the k or budget that was asked for; without one, with the last that leaves half."""
        return self._certified(self._headline(to_polars(self.by_k).rows(named=True)))

    def summary(self) -> str:
        """Return what is certified, one sentence a line."""
        return "\n".join(self._describe())

    def _describe(self) -> Iterator[str]:
        """Yield the sentences of the summary."""
        rows, number = to_polars(self.by_k).rows(named=True), self.unit.column
        missing = f", {self.unanswered:,} of them without a report, which counts as wrong" * (self.unanswered > 0)
        yield f"{count(self.gold, 'gold item')}{missing}; {self._panel}; {self.rule}."
        if self.fitted is not None:
            seed = "" if self.fitted[1] is None else f" (seed {self.fitted[1]})"
            yield (
                f"The rule was fitted to {count(self.fitted[0], 'other gold item')}, drawn at random{seed}, against "
                f"{self.unit.phrase(rows[-1][number])}."
            )
        yield self._certified(rows[0])
        chosen = self._headline(rows)
        if chosen[number] > 0:
            yield self._certified(chosen)
        yield from self.constant.describe(rows, self.confidence, self.unit)
        yield from self._same_reporters(rows)
        of = "what they cost" if self.unit.priced else "their number"
        yield (
            f"The bounds are {self.condition}. In each column all rows hold at once: whoever is bribed, the row of "
            f"{of} and all rows below it are true."
        )
        worthless = next((row[number] for row in rows if row["accuracy_low"] == 0), None)
        if worthless is None and self.asked_k is None:
            worthless = rows[-1][number] + 1
        if worthless is not None:
            each = " item by item" * bool(self.lists)
            much = self.unit.phrase(worthless)
            above = f"With {much} or more" if self.unit.priced else f"From {much} on"
            yield f"{above} nothing is certified{each}: {self._why(rows[0])}."
        if self.best.right > rows[0]["robust"]:
            yield (
                f"The best single reporter, {format_name(self.best.name)}, is right on {self.best.right:,} of "
                f"{self.gold:,}, more often than this rule (at least {lower_of_100(self.best.accuracy_low)} of 100, "
                f"with the same confidence and although chosen by these items); if this reporter is bribed, nothing is "
                f"certified of them."
            )
        if self.together is not None and self.together.correlation > 0:
            yield (
                f"Errors go together: correlation {self.together.correlation:.3f} on gold items, so that "
                f"{count(self.together.reports, 'report')} on an item vary like {self.together.effective:.2f} "
                f"independent ones (an estimate)."
            )

    def _headline(self, rows: list[dict[str, Any]]) -> dict[str, Any]:
        """Return the row of the k that was asked for, else the last one in which half of the answers are certified."""
        if self.asked_k is not None:
            return rows[-1]
        half = [row for row in rows if row["accuracy_low"] >= 0.5]
        return half[-1] if half else rows[0]

    def _same_reporters(self, rows: list[dict[str, Any]]) -> Iterator[str]:
        """Yield what the same reporters can do, for the k asked for, else the last that leaves half of the answers."""
        searched = [one for one in self.lists if one.k > 0 and one.right]
        if searched:
            low = {row[self.unit.column]: row["list_low"] for row in rows}
            known = self.asked_k is not None
            half = [one for one in searched if known or low[self.unit.cell(one.k)] >= 0.5]
            yield from (half[-1] if half else searched[0]).describe(self.confidence)
        left_out = [row[self.unit.column] for row in rows if row["list_low"] is None]
        if left_out and self.lists:
            yield (
                f"What {self.unit.same(left_out[0], '')} could turn is searched if a time limit in seconds is given "
                f"(time_limit=60, --time-limit 60)."
            )
        elif left_out:
            several = nouns(self.unit.of)[1]
            yield f"What the same {several} could turn on all items is said for the plurality without weights alone."

    def _certified(self, row: dict[str, Any]) -> str:
        """Return what the row of one k says."""
        k, counted = row[self.unit.column], f"{row['robust']:,} of {row['gold']:,} gold items"
        who = self.unit.any_of(k, self.out_of) if k else self.unit.nothing
        if row["accuracy_low"] == 0:
            return f"No answer is certified to be right if {who} ({counted})."
        even = f"even if {who}" if k else f"if {who}"
        return (
            f"With {100 * self.confidence:.6g} % confidence at least {lower_of_100(row['accuracy_low'])} of 100 "
            f"answers are right {even} ({counted}): {self.constant.errors(row)}."
        )

    @property
    def _panel(self) -> str:
        """The reporters, and in how many groups they are."""
        groups = f" in {count(self.out_of, *nouns(self.unit.of))}" * (self.unit.of != "reporter")
        return f"{count(self.reporters, 'reporter')}{groups}"

    def _why(self, first: dict[str, Any]) -> str:
        """Return why nothing is certified for larger k, and what would change it."""
        if first["robust"] == 0:
            return "no gold item is answered rightly"
        return "no gold item is answered rightly with so much to spare; more reports on each item could change that"

    def __repr__(self) -> str:
        """Return the class and its main numbers on one line."""
        first = to_polars(self.by_k).row(0, named=True)
        return (
            f"{type(self).__name__}(gold={self.gold}, robust={first['robust']}, ks={to_polars(self.by_k).height}, "
            f"confidence={self.confidence})"
        )

    def _repr_html_(self) -> str:
        """Return the summary, the table and the curve for a notebook."""
        return render_html(
            self.summary(), to_polars(self.by_k), lambda plots, axes: plots.certified_accuracy(self, ax=axes)
        )


def describe_certification(result: Certification) -> dict[str, Any]:
    """Return a certification as plain data of JSON types."""
    who = "reporters" if result.unit.of == "reporter" else "groups"
    return {
        "rule": result.rule,
        "confidence": result.confidence,
        "gold": result.gold,
        "unanswered": result.unanswered,
        "reporters": result.reporters,
        "by_k": to_polars(result.by_k).to_dicts(),
        "condition": result.condition,
        "one_list": {
            "condition": ONE_LIST_CONDITION,
            "by_k": [
                {result.unit.column: result.unit.cell(one.k), who: [str(name) for name in one.reporters],
                 "turned": one.turned, "turned_high": one.most, "exact": one.exact}
                for one in result.lists
            ],
        },
        "fitted": None if result.fitted is None else {"items": result.fitted[0], "seed": result.fitted[1]},
        "best_reporter": {
            "name": str(result.best.name), "right": result.best.right, "accuracy_low": result.best.accuracy_low,
        },
        "errors_together": None if result.together is None else {
            "correlation": result.together.correlation, "reports": result.together.reports,
            "effective": result.together.effective,
        },
        "constant_answer": {"answer": result.constant.answer, "right": result.constant.right},
        "most_adversaries": result.most_adversaries,
        "summary": result.summary(),
    }  # fmt: skip
