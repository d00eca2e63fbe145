"""Reporters who are bribed together: what results about them have in common."""

from abc import ABC, abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass, fields, replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Self

from bribeproof._notebook import ROWS, render_html
from bribeproof._text import count, format_amount, name_in_list, with_and
from bribeproof.frames.native import to_polars
from bribeproof.frames.schema import ITEM, REPORTER

if TYPE_CHECKING:
    from bribeproof.bribery.question import Question
    from bribeproof.frames.reports import Reports

NAMED = 10
"""The most names that a sentence lists."""
_TABLES, _EVIDENCE = ("reporters", "items"), ("found", "_question")


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class BribedReporters(ABC):
    """Reporters who are bribed together on all items, and what they could change.

    Attributes
    ----------
    reporters : frame of the kind that came in
        One row per bribed reporter, the one who could change most alone first: ``reporter``; ``price``, where they have
        prices; ``reports``, how many they gave; ``changes_alone``, how many decided items they could change alone;
        ``with_those_above``, how many together with the reporters in the rows above. With groups one row per bribed
        group: ``group``, and how many ``reporters`` are in it.
    items : frame of the kind that came in
        One row per item that they could change together: the item; its ``decision``; ``margin``, how many reports it
        is ahead, or how much weight.
    cost
        What the bribe costs; without prices, how many reporters or groups it buys.
    priced
        Whether reporters or groups have prices.
    grouped
        Whether a bribe buys groups.
    changed
        How many decided items they could change.
    lower
        The value of these items; without values, their number.
    valued
        Whether items have different values.
    decided
        How many items have one label with more reports than any other, or more weight.
    n_reporters
        How many reporters there are.
    """

    reporters: Any
    items: Any
    cost: Fraction
    priced: bool
    grouped: bool
    changed: int
    lower: float
    valued: bool
    decided: int
    n_reporters: int
    _question: "Question"

    @property
    def names(self) -> list[str]:
        """The names of the bribed reporters or groups."""
        return [str(name) for name in to_polars(self.reporters)["group" if self.grouped else "reporter"].to_list()]

    def in_kind_of(self, reports: "Reports") -> Self:
        """Return the same with tables of the kind of frame that the reports came in."""
        who = {} if self.grouped else {"reporter": REPORTER}
        return replace(
            self,
            reporters=reports.to_native(self.reporters, who),
            items=reports.to_native(self.items, {self._question.column: ITEM}),
        )

    def differences(self, other: "BribedReporters") -> tuple[str, ...]:
        """Return the names of the attributes in which two results differ, whatever kind of frame their tables are."""
        names = [field.name for field in fields(self) if field.name not in _EVIDENCE]
        return tuple(name for name in names if _plain(self, name) != _plain(other, name))

    def summary(self) -> str:
        """Return who could change how much, and how far that is proven, one sentence a line."""
        return "\n".join(self._describe())

    @abstractmethod
    def _describe(self) -> Iterator[str]:
        """Yield the sentences."""

    @abstractmethod
    def facts(self) -> dict[str, Any]:
        """Return all but the tables as plain data of JSON types."""

    @property
    def _noun(self) -> str:
        """What a bribe buys."""
        return "group" if self.grouped else "reporter"

    def _no_so_many(self, number: int) -> str:
        """Return the phrase for no bribed reporters or groups of a number."""
        return f"no one {self._noun}" if number == 1 else f"no {number:,} {self._noun}s"

    @property
    def _bribed(self) -> str:
        """The condition that these are bribed."""
        names = [name_in_list(name) for name in self.names]
        if self.grouped:
            sizes = to_polars(self.reporters)["reporters"].to_list()
            names = [f"{name} ({count(size, 'reporter')})" for name, size in zip(names, sizes, strict=True)]
        return f"If {with_and(names, NAMED) if names else 'nobody'} had been bribed"

    @property
    def _changed(self) -> str:
        """How much could have been changed, as a clause."""
        worth = f", worth {format_amount(self.lower)}" if self.valued else ""
        return f"{self.changed:,} of {count(self.decided, 'decided item')} could have been changed{worth}"

    def _repr_html_(self) -> str:
        """Return the summary, the bribed reporters and what each could change for a notebook."""
        reporters = to_polars(self.reporters)
        return render_html(
            self.summary(),
            reporters,
            lambda plots, axes: plots.bribe(self, most=ROWS, ax=axes),
            bars=reporters.height,
        )


def _plain(result: BribedReporters, name: str) -> object:
    """Return an attribute of a result, a table as its columns and rows."""
    value = getattr(result, name)
    if name not in _TABLES:
        return value
    table = to_polars(value)
    return table.columns, table.rows()
