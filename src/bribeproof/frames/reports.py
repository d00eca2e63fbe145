"""Validated reports with one row per item and reporter, which are aggregated into the user's kind of frame."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeAlias

import narwhals.stable.v2 as nw
import polars as pl

from bribeproof.errors import DataError, ParameterError
from bribeproof.frames.native import Categories, OpenedFrame, collect
from bribeproof.frames.out_of_core import LargeTable
from bribeproof.frames.schema import ITEM, REPORTER, ROW, VALUE, Columns, ReportSchema

Problem: TypeAlias = Callable[[str, str, str], str]
"""Function of an item, a reporter and a report, all as text, that returns what is wrong with the report."""

Aggregation: TypeAlias = "Callable[[Reports], nw.LazyFrame[Any]]"
"""Function of reports that returns one row per item."""


def locate_error(source: OpenedFrame, rows: nw.LazyFrame[Any], problem: Problem, offset: int = 0) -> DataError:
    """Return the error for the first of some invalid rows, with its place in the frame or file.

    Parameters
    ----------
    source
        The frame that the rows came from.
    rows
        Invalid reports in long form, at least one.
    problem
        Function that returns what is wrong.
    offset
        What was subtracted from the scores.
    """
    order = (ROW,) if source.has_order else (ITEM, REPORTER, VALUE)
    first = collect(rows.sort(*order).head(1)).row(0, named=True)
    first |= {VALUE: int(first[VALUE]) + offset} if offset and first[VALUE] is not None else {}
    message = problem(*(repr(first[name]) for name in (ITEM, REPORTER, VALUE)))
    return DataError(f"{source.locate(first[ROW])}: {message}" if source.has_order else message)


def check_item_name(name: str, columns: Iterable[str]) -> None:
    """Raise an error if the item column is named like a column of the result, in capital or small letters.

    Some engines do not tell names apart by case, and every engine gives the same answer or the same refusal.
    """
    alike = [column for column in columns if column.casefold() == name.casefold()]
    if alike:
        raise ParameterError(f"the item column is named {name!r} like a column of the result, {alike[0]}: rename it")


@dataclass(frozen=True, slots=True)
class Reports:
    """Validated reports in long form.

    Attributes
    ----------
    parts
        Columns ``ITEM``, ``REPORTER``, ``VALUE`` (null = missing) and, where the source has an order, ``ROW``;
        at most one row with a value per item and reporter. Reports that do not fit in memory are in several parts,
        each with all reports on its items; others in one.
    panel
        N, the number of distinct reporters, incl. those whose reports are all missing.
    source
        The frame that they were read from.
    columns
        The columns of the frame that hold them.
    schema
        The options that the frame was read with.
    boolean
        Whether the reports were true/false, which are stored as 1 and 0.
    values
        The different labels; None for scores, and if they are not known.
    offset
        What was subtracted from scores that floats do not hold; 0 for others.
    """

    parts: Sequence[nw.LazyFrame[Any]]
    panel: int
    source: OpenedFrame
    columns: Columns
    schema: ReportSchema
    boolean: bool = False
    values: pl.Series | None = None
    offset: int = 0

    @property
    def rows(self) -> nw.LazyFrame[Any]:
        """The rows of all parts."""
        return self.parts[0] if len(self.parts) == 1 else nw.concat(list(self.parts))

    def locate_error(self, rows: nw.LazyFrame[Any], problem: Problem) -> DataError:
        """Return the error for the first of some invalid rows, with its place in the frame or file."""
        return locate_error(self.source, rows, problem, self.offset)

    @property
    def order(self) -> str:
        """The column that items are sorted by: the row number if rows have an order, else the item."""
        return ROW if self.source.has_order else ITEM

    @property
    def first_row(self) -> dict[str, nw.Expr]:
        """The aggregation that keeps the number of an item's first row, if rows have an order."""
        return {ROW: nw.col(ROW).min()} if self.source.has_order else {}

    @property
    def declared(self) -> Categories | None:
        """The declared categories of the reports, if all their columns have the same ones."""
        declared = [self.source.categories.get(name) for name in self.columns.judges or (self.columns.value,)]
        return declared[0] if declared[0] is not None and all(one == declared[0] for one in declared) else None

    def with_rows(self, rows: nw.LazyFrame[Any]) -> "Reports":
        """Return the same reports with other rows."""
        return replace(self, parts=[rows])

    def without_statements(self) -> "Reports":
        """Return the same reports, nobody being counted as bribed for silence or for reports that are set aside."""
        return replace(self, schema=replace(self.schema, asked=None, faulty="error"))

    def collected(self) -> "Reports":
        """Return the same reports with their rows in memory, but for those of a file that does not fit there."""
        if self.in_memory or self.source.large is not None:
            return self
        rows = collect(self.rows)
        if ROW not in rows.columns:
            rows = rows.sort(ITEM, REPORTER).with_row_index(ROW).with_columns(pl.col(ROW).cast(pl.Int64))
        return replace(self, parts=[nw.from_native(rows.lazy())], source=replace(self.source, eager=True))

    @property
    def in_memory(self) -> bool:
        """Whether the rows are in memory already."""
        return self.source.eager

    def materialised(self, items: nw.LazyFrame[Any]) -> nw.LazyFrame[Any]:
        """Compute and sort items if the rows are in memory, while the items are small; else leave them lazy."""
        return nw.from_native(collect(items.sort(self.order)).lazy()) if self.in_memory else items

    def finish(
        self,
        answer: Aggregation,
        columns: Sequence[str],
        *,
        renamed: Mapping[str, str] | None = None,
        categorical: Sequence[str] = (),
    ) -> Any:
        """Aggregate every item, and return the user's kind of frame, sorted, with the user's name of the item column.

        Parameters
        ----------
        answer
            Function of reports that returns one row per item; `materialised` if the rows are in memory.
        columns
            The columns to return after the item.
        renamed
            Further columns, and the names under which they are returned: some engines cannot compute with any name.
        categorical
            The columns that hold labels, and so have the declared categories of the reports.
        """
        name = self.columns.item
        renamed = renamed or {}
        check_item_name(name, [*columns, *renamed.values()])
        restored = {} if self.declared is None else dict.fromkeys(categorical, self.declared)
        if name in self.source.categories:
            restored[name] = self.source.categories[name]
        named: list[Any] = [nw.col(ITEM).alias(name), *columns]
        named += [nw.col(column).alias(new) for column, new in renamed.items()]
        if self.source.large is not None:
            result = self._aggregate_parts(lambda part: answer(part).select(ROW, *named), self.source.large)
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

    def _aggregate_parts(self, answer: Aggregation, large: LargeTable) -> nw.LazyFrame[Any]:
        """Aggregate one part after the other, and sort all answers."""
        answers = large.answers()
        source = replace(self.source, eager=True)
        for index, rows in enumerate(self.parts):
            part = collect(rows)
            if not part.is_empty():
                reports = replace(self, parts=[nw.from_native(part.lazy())], source=source)
                answers.add(collect(answer(reports)))
            large.report("Aggregating", (index + 1) / len(self.parts))
        return nw.from_native(answers.finish())
