"""What the guarantees of a sweep are worth for each k, and up to which k they are worth anything."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import polars as pl

from bribeproof._worth import describe_decisions, describe_positive, describe_worth, describe_worthless, name_loss
from bribeproof.aggregation.promise import given_to, positive_and_negative
from bribeproof.calibration.result import Calibration, expert_for
from bribeproof.frames.bribe_unit import BribeUnit
from bribeproof.frames.reports import Reports
from bribeproof.theory import Expert, ExpertInterval, Loss, Worth, get_loss, items_guarantee, worth_of
from bribeproof.theory.minimax.remedies import Change, Explanation, Remedy, explain_worthless

_MORE_GOLD = 10
_REPORTERS = BribeUnit()


@dataclass(frozen=True, slots=True)
class SweepPromises:
    """The guarantees of a sweep, beside what the prior alone guarantees.

    Attributes
    ----------
    worth
        For each k what the guarantee on average over the certified items is worth; None where no item is certified.
    explanation
        Of the smallest k whose guarantee is worth nothing: why, and what would change that; None where there is none.
    sides
        The positive class and the negative one, as text.
    confidence
        The confidence of the guarantees; None unless the rates come from a calibration.
    unit
        Of what k is the number.
    """

    worth: Mapping[int, Worth | None]
    explanation: Explanation | None
    sides: tuple[str, str]
    confidence: float | None
    unit: BribeUnit = _REPORTERS

    @classmethod
    def of(
        cls,
        reports: Reports,
        rows: Sequence[Mapping[str, Any]],
        answers: Sequence[pl.DataFrame],
        expert: Expert | ExpertInterval | Calibration,
        loss: Loss | str,
        unit: BribeUnit,
        in_all: Sequence[int],
    ) -> "SweepPromises":
        """Return what the guarantees of a sweep are worth.

        Parameters
        ----------
        reports, expert, loss
            The votes, the rates of a truthful reporter, and the loss of the forecasts.
        rows, answers
            The counts and the answers for each k.
        unit
            Of what k is the number.
        in_all
            How many reporters of the table are bribed at most, for each k.
        """
        worth = {
            row[unit.column]: None
            if row["expected_loss"] is None
            else worth_of(row["expected_loss"], expert_for(expert, bribed), loss)
            for row, bribed in zip(rows, in_all, strict=True)
        }
        explanation = None
        # Where a bribe buys a group, items of one size differ in how many are bribed: no remedy is computed.
        for one, found in () if unit.counted else zip(answers, worth.values(), strict=True):
            if found is not None and found.worthless:
                explanation = _explain(one, expert, loss, {k: known for k, known in worth.items() if known is not None})
                break
        confidence = expert.confidence if isinstance(expert, Calibration) else None
        return cls(worth, explanation, positive_and_negative(reports), confidence, unit)

    @property
    def most_adversaries(self) -> int | None:
        """The largest k up to which every guarantee is worth something; None if that of the smallest is not."""
        most = None
        for k, worth in self.worth.items():
            if worth is None or worth.worthless:
                break
            most = k
        return most

    def beside(self, rows: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
        """Return the rows with the share of what the prior alone guarantees, and the errors or costs per 100 items."""
        counted = any(worth is not None and worth.unit for worth in self.worth.values())
        together = []
        for row, worth in zip(rows, self.worth.values(), strict=True):
            more = {"of_prior": None if worth is None else worth.share}
            if counted:
                more["per_100"] = worth.per_100[0] if worth is not None and worth.per_100 is not None else None
            together.append({**row, **more})
        return together

    def facts(self) -> dict[str, Any]:
        """Return all but what the table by k holds as plain data of JSON types."""
        return {
            "confidence": self.confidence,
            "most_adversaries": self.most_adversaries,
            "worth": [{self.unit.column: k, **worth.facts()} for k, worth in self.worth.items() if worth is not None],
            "explanation": None if self.explanation is None else self.explanation.facts(),
            "positive": self.sides[0],
            "negative": self.sides[1],
        }

    def describe(self) -> Iterator[str]:
        """Yield how many may be bribed before the guarantee is worth nothing, as sentences."""
        most, ks = self.most_adversaries, list(self.worth)
        sure = "" if self.confidence is None else f", with {100 * self.confidence:.6g} % confidence,"
        if most is not None and (last := self.worth[most]) is not None:
            facts = last.facts()
            yield (
                f"The guarantee is worth something up to {self.unit.phrase(most)}, where{sure} the expected "
                f"{name_loss(last.loss.name)} is {describe_worth(facts)}, whatever the bribed report."
            )
            if decisions := describe_decisions(facts):
                yield decisions
        following = next((k for k in ks if most is None or k > most), None)
        if following is not None and self.worth[following] is not None:
            explanation = None if self.explanation is None else self.explanation.facts()
            yield describe_worthless(
                explanation, f"With {self.unit.phrase(following)} {'it' if most is not None else 'the guarantee'} is"
            )
        elif following is not None:
            yield f"With {self.unit.phrase(following)} no item is certified."
        if sides := describe_positive(self.sides[0], [self.sides[1]]):
            yield sides


def _explain(
    answers: pl.DataFrame,
    expert: Expert | ExpertInterval | Calibration,
    loss: Loss | str,
    known: Mapping[int, Worth],
) -> Explanation:
    """Return why the guarantee of some answers is worth nothing, and what would change that."""
    k, loss = int(answers["k"][0]), get_loss(loss)
    certified = answers.filter(pl.col("status") == "ok").select(given_to(answers.columns[1:]).alias("given"))
    sizes = {int(m): int(number) for m, number in certified["given"].value_counts().iter_rows()}
    more = []
    if isinstance(expert, Calibration) and expert.panel.n > 2 * k:
        later = expert.with_k(k).with_gold(_MORE_GOLD).expert
        if (found := items_guarantee(sizes, k, later, loss)) is not None:
            more.append(Remedy(Change.GOLD, _MORE_GOLD, worth_of(found.expected_loss, later, loss)))
    return explain_worthless(sizes, k, expert_for(expert, k), loss, smaller=known, more=more)
