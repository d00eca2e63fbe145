"""Clean reports: one row per item and reporter, and the way back to the user's kind of frame."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeAlias

import narwhals.stable.v2 as nw
import polars as pl

from bribeproof.errors import DataError, ParameterError
from bribeproof.frames.native import Categories, OpenedFrame, collect
from bribeproof.frames.out_of_core import LargeTable
from bribeproof.frames.schema import ITEM, REPORTER, ROW, VALUE, Columns, ReportSchema

Problem: TypeAlias = Callable[[str, str, str], str]
"""Says what is wrong with a report, given its item, its reporter and its value as text."""

Aggregation: TypeAlias = "Callable[[Reports], nw.LazyFrame[Any]]"
"""Turns reports into one row per item."""


def locate_error(source: OpenedFrame, rows: nw.LazyFrame[Any], problem: Problem) -> DataError:
    """Return the error for the first of some rows, with the place where it stands.

    Parameters
    ----------
    source
        The frame that the rows came from.
    rows
        Bad reports in long form, at least one.
    problem
        What to say.
    """
    order = (ROW,) if source.has_order else (ITEM, REPORTER, VALUE)
    found = collect(rows.sort(*order).head(1)).row(0, named=True)
    said = problem(*(repr(found[name]) for name in (ITEM, REPORTER, VALUE)))
    return DataError(f"{source.locate(found[ROW])}: {said}" if source.has_order else said)


@dataclass(frozen=True, slots=True)
class Reports:
    """Clean reports in long form.

    Attributes
    ----------
    parts
        Columns ``ITEM``, ``REPORTER``, ``VALUE`` (null = missing) and, where the source has an order, ``ROW``;
        at most one row with a value per item and reporter. In one part, or where they do not fit in memory in
        several, each with all reports on its items.
    panel
        N, the number of distinct reporters, incl. those whose reports are all missing.
    source
        The frame they came from.
    columns
        The columns of the frame that hold them.
    schema
        The options that the frame was read with.
    boolean
        Whether the reports were true/false; their values are then 1 and 0.
    values
        The different labels; None of scores, and where they are not known.
    """

    parts: Sequence[nw.LazyFrame[Any]]
    panel: int
    source: OpenedFrame
    columns: Columns
    schema: ReportSchema
    boolean: bool = False
    values: pl.Series | None = None

    @property
    def rows(self) -> nw.LazyFrame[Any]:
        """The rows of all parts."""
        return self.parts[0] if len(self.parts) == 1 else nw.concat(list(self.parts))

    def locate_error(self, rows: nw.LazyFrame[Any], problem: Problem) -> DataError:
        """Return the error for the first of some rows, with the place where it stands."""
        return locate_error(self.source, rows, problem)

    @property
    def order(self) -> str:
        """The column that puts items in order: by first appearance where rows have an order, else by id."""
        return ROW if self.source.has_order else ITEM

    @property
    def first_row(self) -> dict[str, nw.Expr]:
        """The aggregation that keeps the position of an item's first row."""
        return {ROW: nw.col(ROW).min()} if self.source.has_order else {}

    @property
    def declared(self) -> Categories | None:
        """The declared categories of the reports, where their column has any."""
        found = [self.source.categories.get(name) for name in self.columns.judges or (self.columns.value,)]
        return found[0] if found[0] is not None and all(one == found[0] for one in found) else None

    def with_rows(self, rows: nw.LazyFrame[Any]) -> "Reports":
        """Return the same reports with other rows."""
        return replace(self, parts=[rows])

    @property
    def in_memory(self) -> bool:
        """Whether the rows are in memory already."""
        return self.source.eager

    def materialised(self, items: nw.LazyFrame[Any]) -> nw.LazyFrame[Any]:
        """Put items in order early, while they are small, where the rows are in memory; leave them lazy elsewhere."""
        return nw.from_native(collect(items.sort(self.order)).lazy()) if self.in_memory else items

    def finish(self, answer: Aggregation, columns: Sequence[str], *, categorical: Sequence[str] = ()) -> Any:
        """Answer for every item, in order, with the item column's own name, as the user's kind of frame.

        Parameters
        ----------
        answer
            Turns reports into one row per item; `materialised` ones where the rows are in memory.
        columns
            The columns to return, in order, after the item.
        categorical
            Those among them that hold labels, and so get declared categories back.
        """
        name = self.columns.item
        if name in columns:
            raise ParameterError(f"the item column is named {name!r} like a column of the result: rename it")
        restored = {} if self.declared is None else dict.fromkeys(categorical, self.declared)
        if name in self.source.categories:
            restored[name] = self.source.categories[name]
        named: list[Any] = [nw.col(ITEM).alias(name), *columns]
        if self.source.large is not None:
            result = self._one_by_one(lambda part: answer(part).select(ROW, *named), self.source.large)
        else:
            result = (answer(self) if self.in_memory else answer(self).sort(self.order)).select(named)
        return self.source.to_native(result, restored)

    def to_native(self, table: pl.DataFrame, roles: Mapping[str, str]) -> Any:
        """Return a table of results as the kind of frame that the reports came in; as polars if they came from a file.

        Parameters
        ----------
        table
            The results.
        roles
            The columns of the table that hold items, reporters or labels (``ITEM``, ``REPORTER``, ``VALUE``): these get
            their declared categories back.
        """
        if self.source.large is not None:
            return table
        declared = {
            ITEM: self.source.categories.get(self.columns.item),
            REPORTER: self.source.categories.get(self.columns.reporter),
            VALUE: self.declared,
        }
        restored = {name: kept for name, role in roles.items() if (kept := declared[role]) is not None}
        return self.source.to_native(nw.from_native(table.lazy()), restored)

    def _one_by_one(self, answer: Aggregation, large: LargeTable) -> nw.LazyFrame[Any]:
        """Answer part after part, and put all answers in order."""
        answers = large.answers()
        source = replace(self.source, eager=True)
        for index, rows in enumerate(self.parts):
            part = collect(rows)
            if not part.is_empty():
                reports = replace(self, parts=[nw.from_native(part.lazy())], source=source)
                answers.add(collect(answer(reports)))
            large.report("Aggregating", (index + 1) / len(self.parts))
        return nw.from_native(answers.finish())
