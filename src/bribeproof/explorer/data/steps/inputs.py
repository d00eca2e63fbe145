"""What every step starts from: the reports as they are read, k, the truth, and what to paste that reads them again."""

from collections.abc import Collection
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from bribeproof._text import split_lists
from bribeproof.errors import ParameterError
from bribeproof.explorer.data.analysis import Analysis
from bribeproof.explorer.data.query import READ_FIELDS, DataQuery
from bribeproof.explorer.data.snippets import arguments, given_options
from bribeproof.explorer.data.truth import Truth
from bribeproof.frames.reading.label_sets import ordinary_options
from bribeproof.frames.reading.prepare import is_ordinary
from bribeproof.frames.reading.reading import Reading
from bribeproof.io.read import Table
from bribeproof.reporting.shell import file_word


@dataclass(frozen=True)
class Inputs:
    """What a step is computed from.

    Attributes
    ----------
    analysis
        The answers to the file.
    file
        The name of the file.
    query
        How the file is read.
    truth
        The truth of some items; None if there is none.
    """

    analysis: Analysis
    file: str
    query: DataQuery
    truth: Truth | None = field(default=None)

    @property
    def k(self) -> int:
        """How many may be bribed."""
        return self.analysis.k

    @property
    def reading(self) -> Reading:
        """How the file is read."""
        return self.analysis.answers.recognised

    @property
    def table(self) -> Table:
        """The reports in the form that their reading names."""
        return self.analysis.recompute.table

    @cached_property
    def columns(self) -> dict[str, Any]:
        """The arguments of a function of the library that say where the reports are, without their own column."""
        where = self.reading.columns
        return {
            "item": where.item, "reporter": where.reporter, "judges": list(where.judges) or None,
            "repeats": self.query.repeats or "error", "order": where.order or None,
            **ordinary_options(self.reading.label_sets, {"missing": self.query.missing_tokens}),
        }  # fmt: skip

    @property
    def value(self) -> str:
        """The column of the reports, as labels."""
        return self.reading.columns.value or "label"

    @property
    def classes(self) -> list[str] | None:
        """All classes, if they are stated."""
        return list(split_lists([self.query.classes])) or None

    def known_truth(self) -> Truth:
        """Return the truth.

        Raises
        ------
        ParameterError
            If there is none.
        """
        if self.truth is None:
            raise ParameterError("the truth of some items is needed: choose its column above the rows, or add a file")
        return self.truth

    def refuse_groups(self, what: str) -> None:
        """Raise an error if a bribe buys a group: k would count something else."""
        if self.query.group:
            raise ParameterError(
                f"{what} counts reporters, and here a bribe buys all of {self.query.group!r}: leave “A bribe buys” "
                f"empty for it"
            )

    def command(self, name: str, fields: Collection[str], *, truth: bool = False) -> str:
        """Return the command that computes the same, with those options that it has."""
        words = ["bribeproof", name, file_word(self.file), f"--k {self.k}"]
        known = [] if self.truth is None or not truth else self.truth.options
        return " ".join([*words, *known, *given_options(self.query, set(READ_FIELDS) & set(fields))])

    def python(self, function: str, options: dict[str, Any], *, truth: bool = False) -> str:
        """Return Python code that computes the same; empty if the table is brought into another form first."""
        if not is_ordinary(self.reading):
            return ""
        read = {name: value for name, value in self.query.read_options.items() if value}
        lines = ["import bribeproof as bp", "", f"table = bp.read_table({arguments([repr(self.file)], read)})"]
        given = {name: value for name, value in options.items() if value not in (None, (), [], "", "error")}
        if truth and self.truth is not None:
            lines.append(f"truth = {self.truth.python}")
            given |= {"truth": _Name("truth")}
            given |= {"truth_column": self.truth.column} if self.truth.column else {}
        return "\n".join([*lines, f"result = bp.{function}({arguments(['table'], given)})", "print(result.summary())"])


class _Name(str):
    """A name in Python code, written without quotes."""

    __slots__ = ()

    def __repr__(self) -> str:
        return str(self)
