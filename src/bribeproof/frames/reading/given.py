"""What the user has said about how a table is read."""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

from bribeproof.errors import ParameterError
from bribeproof.frames.reading.criteria import How
from bribeproof.frames.reading.label_sets import LabelSets
from bribeproof.questions import Choice, QuestionError


@dataclass(frozen=True, slots=True)
class Given:
    """What the user has named; None where nothing is."""

    kind: str | None
    items: tuple[str, ...]
    reporter: str | None
    value: str | None
    judges: tuple[str, ...] | None
    missing: tuple[str, ...]
    turned: bool | None
    not_items: tuple[str, ...] | None
    criteria: How | None
    criterion_weights: Mapping[str, Fraction]
    criterion: tuple[str, ...]
    label_sets: LabelSets | None = None

    @property
    def has_sets(self) -> bool:
        """Whether reports are said to hold several labels."""
        return self.label_sets is not None and self.label_sets.how != "none"

    @property
    def known_kind(self) -> str | None:
        """The kind of reports, if what is said implies it."""
        if self.criteria:
            return "scores"
        return "labels" if self.kind is None and self.has_sets else self.kind

    def check_criteria(self) -> None:
        """Raise an error if an option of several criteria lacks another one, or does not go with the rest."""
        if self.criteria is None and (self.criterion_weights or self.criterion):
            raise QuestionError(
                "there are several criteria",
                [Choice("each reporter's are combined first", {"criteria": "judge first"}),
                 Choice("each criterion is aggregated first", {"criteria": "each"})],
            )  # fmt: skip
        if self.criteria and self.kind not in (None, "scores"):
            raise ParameterError(f"criteria={self.criteria!r} combines scores, and these are {self.kind}")
        if self.criteria and self.turned:
            raise ParameterError("a turned table has one column per item: it cannot hold several criteria")

    def check_label_sets(self) -> None:
        """Raise an error if reports of several labels do not go with the kind or with criteria."""
        if self.label_sets and self.has_sets and (self.criteria or self.kind == "scores"):
            raise ParameterError(f"label_sets={self.label_sets.how!r} reads labels, and these are scores")
