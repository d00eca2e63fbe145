"""What certified answers are worth: beside one constant answer, which needs no reports."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from bribeproof._text import format_name, lower_of_100, round_up
from bribeproof._worth import format_share
from bribeproof.certification.gold_reports import GoldReports
from bribeproof.frames.bribe_unit import BribeUnit
from bribeproof.frames.label_classes import UNKNOWN
from bribeproof.theory.inference.confidence import least_probability

_MORE_GOLD = 10

Row = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class ConstantAnswer:
    """The commonest truth of the gold items, as the answer to every item: what those do who hear no reports.

    Attributes
    ----------
    answer
        The class, as text.
    right
        How many gold items it is right on.
    gold
        The number of gold items.
    """

    answer: str
    right: int
    gold: int

    @classmethod
    def of(cls, gold: GoldReports) -> "ConstantAnswer":
        """Return the commonest truth among the classes, the first of several."""
        counts = np.bincount(gold.truth[gold.truth != UNKNOWN], minlength=len(gold.classes.labels))
        best = int(counts.argmax())
        return cls(gold.classes.shown()[best], int(counts[best]), len(gold.truth))

    @property
    def errors_per_100(self) -> float:
        """How many of 100 gold items it is wrong on."""
        return 100 * (self.gold - self.right) / self.gold

    def share(self, accuracy_low: float) -> float | None:
        """Return the certified share of errors relative to the share of this answer; None where that makes none."""
        return 100 * (1 - accuracy_low) / self.errors_per_100 if self.right < self.gold else None

    def beaten(self, row: Row) -> bool:
        """Return whether more answers are certified to be right than this answer gets right on gold items."""
        return bool(row["accuracy_low"] * self.gold > self.right)

    def most_adversaries(self, rows: Sequence[Row], column: str = "k") -> Any:
        """Return the largest k up to which the certified answers beat this one; None if not even the first do."""
        most = None
        for row in rows:
            if not self.beaten(row):
                break
            most = row[column]
        return most

    def errors(self, row: Row) -> str:
        """Return the certified number of errors per 100 items, beside that of this answer."""
        text = f"at most {round_up(100 * (1 - row['accuracy_low']))} errors per 100"
        share = self.share(row["accuracy_low"])
        if share is None:
            return text
        made = f"{self.errors_per_100:.4g} that always answering {format_name(self.answer)} makes"
        return f"{text}, {format_share(share)} of the {made} on gold items"

    def describe(self, rows: Sequence[Row], confidence: float, unit: BribeUnit) -> Iterator[str]:
        """Yield up to which k the certified answers beat this one, and what more gold items would do beyond."""
        always, gets = f"always answering {format_name(self.answer)}", f"{self.right:,} of {self.gold:,} gold items"
        most = self.most_adversaries(rows, unit.column)
        if self.right == self.gold:
            yield f"A{always[1:]} is right on all gold items: no answers are certified to be right more often."
            return
        if most is None:
            yield f"Even if {unit.nothing} no more answers are certified to be right than {always} gets right ({gets})."
        else:
            number = f"{unit.phrase(most)}{',' * unit.counted}"
            yield f"Up to {number} more answers are certified to be right than {always} gets right ({gets})."
        failed = next((row for row in rows if not self.beaten(row)), None)
        if failed is not None and failed["robust"] > self.right:
            low = least_probability(_MORE_GOLD * failed["robust"], _MORE_GOLD * failed["gold"], confidence)
            number = f"{unit.phrase(failed[unit.column])}{',' * unit.counted}"
            yield (
                f"With {number} more gold items could change that: {_MORE_GOLD} times as many, robust as "
                f"often, would certify {lower_of_100(low)} of 100."
            )
