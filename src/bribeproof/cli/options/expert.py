"""Options for gold labels and for the rates of an honest reporter."""

import shlex
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from cyclopts import Parameter

from bribeproof.cli.options.converters import Rate, parse_correlation
from bribeproof.cli.options.groups import VALUE
from bribeproof.errors import ParameterError

if TYPE_CHECKING:
    from bribeproof.cli.options.input import OpenInput
    from bribeproof.frames.reading.reading import Reading
    from bribeproof.frames.reading.vocabulary import Role
    from bribeproof.theory import Expert


@Parameter(name="*", group=VALUE)
@dataclass(frozen=True, slots=True)
class GoldOptions:
    """Options for the items with a known truth."""

    truth: Path | None = None
    """A file of items and their truth; not needed if the reports have a column with the truth (--gold)."""
    gold: str | None = None
    """The column of the truth (default: the one named like the column of the reports, or the only other one)."""

    @property
    def given(self) -> bool:
        """Whether the truth of some items is given."""
        return self.truth is not None or self.gold is not None

    @property
    def column(self) -> "dict[str, Role]":
        """The column of the truth among the reports, and its role; empty if there is none."""
        return {self.gold: "gold"} if self.gold is not None and self.truth is None else {}

    def required(self, data: "OpenInput") -> "GoldOptions":
        """Return these options, or those of the truth that the export of a labelling tool holds itself.

        Raises
        ------
        ParameterError
            If the truth of no item is known.
        """
        if self.given:
            return self
        from bribeproof.frames.reading.known_truth import truth_of_export

        gold = truth_of_export(data.original, data.recognised.columns.value)
        if gold is None:
            likely = data.recognised.gold
            such = f", such as --gold {shlex.quote(likely[0])}" if likely else ""
            raise ParameterError(
                f"the truth of some items is needed: give --truth FILE, or --gold with the column of the truth{such}"
            )
        data.note(f"the truth is that of the export, in {gold!r}")
        return GoldOptions(gold=gold)

    def read(self, reading: "Reading", value: str) -> tuple[object, str | None]:
        """Return the truth, as the library takes it, and its column if it is in a file of its own.

        Parameters
        ----------
        reading
            How the reports are read.
        value
            The column of the reports.
        """
        from bribeproof.frames.reading.known_truth import known_truth
        from bribeproof.frames.reading.reading import before_votes

        if self.truth is None:
            return self.gold, None
        item = before_votes(reading).columns.item
        return known_truth(self.truth, self.gold, item, value, reading=reading, named="--gold")


@Parameter(name="*", group=VALUE)
@dataclass(frozen=True, slots=True)
class ExpertOptions:
    """Options for the rates of an honest reporter."""

    prior: Rate | None = None
    """Probability that the truth is positive; with --tpr and --fpr adds a guarantee."""
    tpr: Rate | None = None
    """Probability that an honest voter votes positive if the truth is positive."""
    fpr: Rate | None = None
    """Probability that an honest voter votes positive if the truth is negative."""
    correlation: str | None = None
    """How far the errors of two honest voters go together at most: 0 (pairwise independent) to 1 (any way, the
    default); one number, or one if the truth is positive and one if it is negative: .1,.05."""

    @property
    def expert(self) -> "Expert | None":
        """The expert that the three options describe; None without them.

        Raises
        ------
        ParameterError
            If only some are given, or one is outside its range.
        """
        given = (self.prior, self.tpr, self.fpr, self.correlation)
        if all(one is None for one in given):
            return None
        if self.prior is None or self.tpr is None or self.fpr is None:
            raise ParameterError(
                "--prior, --tpr and --fpr describe one honest voter: give all three, or none; --correlation needs them"
            )
        from bribeproof.theory import Expert

        correlation = 1.0 if self.correlation is None else parse_correlation(self.correlation)
        return Expert(self.prior, self.tpr, self.fpr, correlation)
