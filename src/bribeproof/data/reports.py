"""From a user's frame to clean reports: one row per item and reporter, missing told apart from everything else."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

import narwhals.stable.v2 as nw

from bribeproof.data import text
from bribeproof.data.columns import ITEM, REPORTER, ROW, VALUE, Columns
from bribeproof.data.frames import Categories, Source, collect, column_names, open_frame, wide_to_long
from bribeproof.data.identity import one_report_each
from bribeproof.data.numbers import find_notation
from bribeproof.errors import DataError, ParameterError

Kind = Literal["score", "vote", "label"]

_WHOLE = r"^[+-]?\d+(\.0*)?$"

_LARGEST_LISTING = 100_000
"""Up to so many distinct names, near-duplicates are looked for."""


@dataclass(frozen=True, slots=True)
class Where:
    """Says where a bad report stands."""

    source: Source
    kind: Kind

    def example(self, rows: nw.LazyFrame[Any], problem: str) -> DataError:
        """Return the error for the first of the rows; the problem may name its item, reporter and value."""
        order = ROW if self.source.has_order else ITEM
        found: Mapping[str, Any] = collect(rows.sort(order).head(1)).row(0, named=True)
        said = problem.format(
            item=repr(found[ITEM]), reporter=repr(found[REPORTER]), value=repr(found[VALUE]), kind=self.kind
        )
        return DataError(f"{self.source.locate(found[ROW])}: {said}" if self.source.has_order else said)


@dataclass(frozen=True, slots=True)
class Reports:
    """Clean reports in long form.

    Attributes
    ----------
    rows
        Columns ``ITEM``, ``REPORTER``, ``VALUE`` (null = missing) and, where the source has an order, ``ROW``;
        at most one row with a value per item and reporter.
    panel
        N, the number of distinct reporters, incl. those whose reports are all missing.
    source
        The frame they came from.
    columns
        Where they stood in it.
    where
        Says where a report stood, for errors.
    boolean
        Whether the reports were true/false; their values are then 1 and 0.
    """

    rows: nw.LazyFrame[Any]
    panel: int
    source: Source
    columns: Columns
    where: Where
    boolean: bool = False

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
        return replace(self, rows=rows)

    def finish(self, result: nw.LazyFrame[Any], columns: Sequence[str], *, categorical: Sequence[str] = ()) -> Any:
        """Put items in order, give the item column its name back and return the user's kind of frame.

        Parameters
        ----------
        result
            One row per item.
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
        return self.source.leave(result.sort(self.order).select(nw.col(ITEM).alias(name), *columns), restored)


def gather(
    native: Any,
    kind: Kind,
    *,
    item: object,
    reporter: object,
    value: object,
    judges: Sequence[object] | None,
    missing: Sequence[object],
    repeats: str,
    decimal_mark: str | None = None,
) -> Reports:
    """Read a frame into clean reports.

    Parameters
    ----------
    native
        A data frame of any kind, or a table read from a file.
    kind
        What is reported; scores are read as numbers.
    item, reporter, value, judges
        The columns (`Columns.find`).
    missing
        Values that stand for a missing report.
    repeats
        What to do when a reporter gives an item two different reports: error, first, last or drop.
    decimal_mark
        How scores in text write decimals; None to find out.

    Raises
    ------
    DataError
        If something cannot be read, or nothing is there to aggregate; the message says where.
    """
    columns = Columns.find(column_names(native), item=item, reporter=reporter, value=value, judges=judges)
    source = open_frame(native, columns.used)
    long = _long_form(source, columns)
    schema = long.collect_schema()
    long = text.clean(long, [name for name in (ITEM, REPORTER, VALUE) if schema[name] == nw.String])
    tokens = [missing] if isinstance(missing, str) else list(missing)
    if schema[VALUE] == nw.String:
        listed = [str(text.tidy(token)) for token in tokens]
        long = long.with_columns(nw.when(~nw.col(VALUE).is_in(listed)).then(nw.col(VALUE)).alias(VALUE))
    if source.eager:
        long = nw.from_native(collect(long).lazy())
    where = Where(source, kind)
    boolean = schema[VALUE] == nw.Boolean
    if kind == "score":
        long = _scores(long, where, decimal_mark)
    long = _without(long, tokens)
    panel = _check_complete(long, where, columns)
    if kind != "score":
        long = _whole_labels(long)
    if boolean:
        long = long.with_columns(nw.col(VALUE).cast(nw.Int64))
    _warn_lookalikes(long, kind)
    rows = one_report_each(long, repeats, has_order=source.has_order, example=where.example)
    return Reports(rows, panel, source, columns, where, boolean)


def _long_form(source: Source, columns: Columns) -> nw.LazyFrame[Any]:
    """Bring long or wide form to the columns ITEM, REPORTER and VALUE; NaN and all-null columns as null."""
    frame = source.frame
    place = [ROW] if source.has_order else []
    schema = frame.collect_schema()
    reports = columns.judges or (columns.value,)
    kept = _common_type({name: schema[name] for name in reports})
    frame = frame.with_columns(nw.col(name).cast(kept) for name in reports)
    if columns.judges:
        frame = frame.rename({columns.item: ITEM})
        frame = wide_to_long(frame, [*place, ITEM], columns.judges, REPORTER, VALUE)
    else:
        frame = frame.select(
            *place,
            nw.col(columns.item).alias(ITEM),
            nw.col(columns.reporter).alias(REPORTER),
            nw.col(columns.value).alias(VALUE),
        )
    types = frame.collect_schema()
    return frame.with_columns(_nan_as_null(name, types[name]) for name in (ITEM, REPORTER, VALUE))


def _nan_as_null(name: str, dtype: Any) -> nw.Expr:
    """Read NaN as missing; a column without any value is a column of text."""
    column = nw.col(name)
    if dtype.is_float():
        column = nw.when(~column.is_nan()).then(column)
    return (column.cast(nw.String) if dtype == nw.Unknown else column).alias(name)


def _common_type(types: Mapping[str, Any]) -> Any:
    """Return the one type that reports are read as: text, true/false, whole numbers or floats."""
    kinds: dict[str, str] = {}
    for name, dtype in types.items():
        if dtype == nw.String:
            kinds[name] = "text"
        elif dtype == nw.Boolean:
            kinds[name] = "true/false"
        elif dtype.is_numeric():
            kinds[name] = "numbers"
        elif dtype != nw.Unknown:
            raise DataError(f"column {name!r} holds {dtype}: reports are text, numbers or true/false")
    found = sorted(set(kinds.values()))
    if len(found) > 1:
        listed = ", ".join(f"{name!r} {kind}" for name, kind in kinds.items())
        raise DataError(f"columns of different types would split one class in two ({listed}): give them one type")
    if not found or found == ["text"]:
        return nw.String
    if found == ["true/false"]:
        return nw.Boolean
    whole = all(dtype.is_integer() for name, dtype in types.items() if name in kinds)
    return nw.Int64 if whole else nw.Float64


def _scores(long: nw.LazyFrame[Any], where: Where, decimal_mark: str | None) -> nw.LazyFrame[Any]:
    """Read scores as finite floats, or say which one is none."""
    value = nw.col(VALUE)
    kept = long.collect_schema()[VALUE]
    if kept == nw.Boolean:
        raise DataError("scores are numbers, but this column holds true/false: aggregate_votes takes those")
    if kept == nw.String:
        notation = find_notation(long, VALUE, decimal_mark)
        bad = long.filter(~value.is_null() & ~notation.valid(value))
        if _count(bad):
            raise where.example(
                bad,
                "score {value} of reporter {reporter} on item {item} is not a number"
                + (" with % like the others" if notation.percent else f" (decimal mark {notation.decimal_mark!r})")
                + "; correct it, or list it as missing",
            )
        long = long.with_columns(notation.parse(value).alias(VALUE))
    else:
        long = long.with_columns(value.cast(nw.Float64))
    infinite = long.filter(~value.is_null() & ~value.is_finite())
    if _count(infinite):
        raise where.example(
            infinite,
            "score {value} of reporter {reporter} on item {item} is infinite; correct it, or leave it out",
        )
    return long


def _without(long: nw.LazyFrame[Any], tokens: Sequence[object]) -> nw.LazyFrame[Any]:
    """Read listed numbers as missing where reports are numbers."""
    if not long.collect_schema()[VALUE].is_numeric():
        return long
    numbers = []
    for token in tokens:
        try:
            numbers.append(float(str(token)))
        except ValueError:
            continue
    return (
        long.with_columns(nw.when(~nw.col(VALUE).is_in(numbers)).then(nw.col(VALUE)).alias(VALUE)) if numbers else long
    )


def _check_complete(long: nw.LazyFrame[Any], where: Where, columns: Columns) -> int:
    """Check that every report has an item and a reporter; return the number of distinct reporters."""
    counts = collect(
        long.select(
            nw.col(ITEM).is_null().cast(nw.Int64).alias("item"),
            nw.col(REPORTER).is_null().cast(nw.Int64).alias("reporter"),
            REPORTER,
        ).select(
            rows=nw.len(),
            item=nw.col("item").sum(),
            reporter=nw.col("reporter").sum(),
            panel=nw.col(REPORTER).n_unique(),
        )
    ).row(0, named=True)
    if not counts["rows"]:
        raise DataError("there is nothing to aggregate: the table has a header but no rows")
    for name, column, label in (("item", ITEM, columns.item), ("reporter", REPORTER, columns.reporter)):
        if counts[name]:
            raise where.example(
                long.filter(nw.col(column).is_null()),
                f"the {name} is missing (column {label!r} is empty); fill it in, or take the row out",
            )
    return int(counts["panel"])


def _whole_labels(long: nw.LazyFrame[Any]) -> nw.LazyFrame[Any]:
    """Give labels that became 1.0 and 2.0, because some are missing, their whole numbers back."""
    value = nw.col(VALUE)
    dtype = long.collect_schema()[VALUE]
    present = long.filter(~value.is_null())
    if dtype.is_float():
        broken = present.filter((value != value.round()) | (value.abs() >= 2.0**53))
        return long if _count(broken) else long.with_columns(value.cast(nw.Int64))
    if dtype == nw.String and not _count(present.filter(~value.str.contains(_WHOLE))):
        return long.with_columns(value.str.replace_all(r"\.0*$", ""))
    return long


def _warn_lookalikes(long: nw.LazyFrame[Any], kind: Kind) -> None:
    """Warn about names that look like one another or like a code for missing."""
    schema = long.collect_schema()
    for column, what in ((REPORTER, "reporters"), (ITEM, "items"), (VALUE, "labels")):
        if schema[column] != nw.String or (column == VALUE and kind == "score"):
            continue
        listing = collect(long.select(column).unique().head(_LARGEST_LISTING + 1))[column].drop_nulls().to_list()
        if len(listing) <= _LARGEST_LISTING:
            text.warn_near_duplicates(what, listing)
        if column == VALUE:
            text.warn_missing_codes(listing)


def _count(frame: nw.LazyFrame[Any]) -> int:
    """Return the number of rows."""
    return int(collect(frame.select(nw.len()))["len"][0])
