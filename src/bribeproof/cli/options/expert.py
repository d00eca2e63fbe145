"""The options that say what is known beside the reports: the truth of some items, and how good a voter is."""

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from cyclopts import Parameter

from bribeproof.errors import ParameterError

if TYPE_CHECKING:
    from bribeproof.theory import Expert


@Parameter(name="*")
@dataclass(frozen=True, slots=True)
class GoldOptions:
    """The items with a known truth."""

    truth: Path | None = None
    """A file with items and their truth; leave it out where the reports have a column with it (--gold)."""
    gold: str | None = None
    """The column of the truth (default: named like that of the reports, or the only other one)."""

    @property
    def given(self) -> bool:
        """Whether any truth is known."""
        return self.truth is not None or self.gold is not None

    def read(self, item: str, value: str) -> tuple[object, str | None]:
        """Return the truths, as the library takes them, and their column in a frame of their own.

        Parameters
        ----------
        item, value
            The columns of the items and of the reports.
        """
        from bribeproof.frames.gold_labels import find_truth_column
        from bribeproof.io.read import read_table

        if self.truth is None:
            return self.gold, None
        known = read_table(self.truth)
        if self.gold is not None:
            return known, self.gold
        return known, find_truth_column(known.frame.columns, item, value, named="--gold")


@Parameter(name="*")
@dataclass(frozen=True, slots=True)
class ExpertOptions:
    """One truthful voter."""

    prior: float | None = None
    """Probability of a positive truth; with --tpr and --fpr adds a guarantee."""
    tpr: float | None = None
    """How often a truthful voter says positive when it is."""
    fpr: float | None = None
    """How often a truthful voter says positive when it is not."""

    @property
    def expert(self) -> "Expert | None":
        """The expert that the three describe together; None where none is given.

        Raises
        ------
        ParameterError
            If some are given and not all, or one is outside its range.
        """
        if self.prior is None and self.tpr is None and self.fpr is None:
            return None
        if self.prior is None or self.tpr is None or self.fpr is None:
            raise ParameterError("--prior, --tpr and --fpr describe a voter together: give all three, or none")
        from bribeproof.theory import Expert

        return Expert(self.prior, self.tpr, self.fpr)
