"""From a user's frame to clean reports: missing told apart from everything else, and nothing dropped in silence."""

from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from typing import Any

import narwhals.stable.v2 as nw

from bribeproof.data import text
from bribeproof.data.columns import ITEM, REPORTER, ROW, VALUE, Columns
from bribeproof.data.frames import Source, collect, column_names, open_frame, wide_to_long
from bribeproof.data.identity import one_report_each
from bribeproof.data.notation import find_notation
from bribeproof.data.reports import Reports, blame
from bribeproof.errors import DataError

_WHOLE = r"^[+-]?\d+(\.0*)?$"

_LARGEST_LISTING = 100_000
"""Up to so many distinct names, near-duplicates are looked for."""


def gather(
    native: Any,
    *,
    scores: bool,
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
    scores
        Whether reports are real numbers, and not votes or labels.
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
    long = _long_form(source, columns, scores=scores)
    types = long.collect_schema()
    long = text.clean(long, [name for name in (ITEM, REPORTER, VALUE) if types[name] == nw.String])
    tokens = list(missing) if isinstance(missing, Iterable) and not isinstance(missing, str) else [missing]
    if types[VALUE] == nw.String:
        long = _without(long, [str(text.tidy(token)) for token in tokens])
    if source.eager:
        # Cleaned once, and not again for every look at the rows.
        long = nw.from_native(collect(long).lazy())
    if scores:
        long = _as_scores(long, source, decimal_mark)
    if types[VALUE].is_numeric() or scores:
        long = _without(long, _numbers(tokens))
    if scores:
        _check_finite(long, source)
    panel = _check_complete(long, source, columns)
    if not scores:
        long = _as_labels(long)
    _warn_lookalikes(long, [REPORTER, ITEM] if scores else [REPORTER, ITEM, VALUE])
    rows = one_report_each(long, repeats, has_order=source.has_order, blame=partial(blame, source))
    return Reports(rows, panel, source, columns, boolean=types[VALUE] == nw.Boolean)


def _long_form(source: Source, columns: Columns, *, scores: bool) -> nw.LazyFrame[Any]:
    """Bring long or wide form to the columns ITEM, REPORTER and VALUE; NaN and all-null columns as null."""
    frame = source.frame
    place = [ROW] if source.has_order else []
    schema = frame.collect_schema()
    reports = columns.judges or (columns.value,)
    kept = _common_type({name: schema[name] for name in reports}, scores=scores)
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
    for name, label in ((ITEM, columns.item), (REPORTER, columns.reporter)):
        if types[name].is_nested():
            raise DataError(f"column {label!r} holds {types[name]}: ids are text or numbers")
    return frame.with_columns(_nan_as_null(name, types[name]) for name in (ITEM, REPORTER, VALUE))


def _nan_as_null(name: str, dtype: Any) -> nw.Expr:
    """Read NaN as missing; a column without any value is a column of text."""
    column = nw.col(name)
    if dtype.is_float():
        column = nw.when(~column.is_nan()).then(column)
    return (column.cast(nw.String) if dtype == nw.Unknown else column).alias(name)


def _common_type(types: Mapping[str, Any], *, scores: bool) -> Any:
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
    if found == ["true/false"]:
        if scores:
            raise DataError("scores are numbers, but these are true/false: aggregate_votes takes those")
        return nw.Boolean
    if found != ["numbers"]:
        return nw.String
    reported = [types[name] for name in kinds]
    if scores or not all(dtype.is_integer() for dtype in reported):
        return nw.Float64
    too_large = any(dtype in (nw.UInt64, nw.Int128, nw.UInt128) for dtype in reported)
    return nw.String if too_large else nw.Int64


def _as_scores(long: nw.LazyFrame[Any], source: Source, decimal_mark: str | None) -> nw.LazyFrame[Any]:
    """Read scores as floats, or say which one is no number."""
    value = nw.col(VALUE)
    if long.collect_schema()[VALUE] == nw.String:
        notation = find_notation(long, VALUE, decimal_mark)
        bad = long.filter(~value.is_null() & ~notation.valid(value))
        if _count(bad):
            raise blame(
                source,
                bad,
                lambda item, reporter, said: (
                    f"score {said} of reporter {reporter} on item {item} is not a number {notation.describe()}; "
                    f"correct it, or list it as missing (--missing)"
                ),
            )
        long = long.with_columns(notation.parse(value).alias(VALUE))
    return long


def _check_finite(long: nw.LazyFrame[Any], source: Source) -> None:
    """Refuse an infinite score: no mean with it says anything."""
    value = nw.col(VALUE)
    infinite = long.filter(~value.is_null() & ~value.is_finite())
    if _count(infinite):
        raise blame(
            source,
            infinite,
            lambda item, reporter, said: (
                f"score {said} of reporter {reporter} on item {item} is infinite; correct it, or list it as missing"
            ),
        )


def _without(long: nw.LazyFrame[Any], tokens: Sequence[object]) -> nw.LazyFrame[Any]:
    """Read listed values as missing."""
    value = nw.col(VALUE)
    return long.with_columns(nw.when(~value.is_in(tokens)).then(value).alias(VALUE)) if tokens else long


def _numbers(tokens: Sequence[object]) -> list[float]:
    """Return the listed values that are numbers."""
    numbers = []
    for token in tokens:
        try:
            numbers.append(float(str(token)))
        except ValueError:
            continue
    return numbers


def _check_complete(long: nw.LazyFrame[Any], source: Source, columns: Columns) -> int:
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
            problem = f"the {name} is missing (column {label!r} is empty); fill it in, or take the row out"
            raise blame(source, long.filter(nw.col(column).is_null()), lambda *_, said=problem: said)
    return int(counts["panel"])


def _as_labels(long: nw.LazyFrame[Any]) -> nw.LazyFrame[Any]:
    """Read true/false as 1 and 0, and give labels that became 1.0 and 2.0 their whole numbers back."""
    value = nw.col(VALUE)
    dtype = long.collect_schema()[VALUE]
    if dtype == nw.Boolean:
        return long.with_columns(value.cast(nw.Int64))
    present = long.filter(~value.is_null())
    if not _count(present):
        return long.with_columns(value.cast(nw.String))
    if dtype.is_float():
        broken = present.filter((value != value.round()) | (value.abs() >= 2.0**53))
        return long if _count(broken) else long.with_columns(value.cast(nw.Int64))
    if dtype == nw.String and not _count(present.filter(~value.str.contains(_WHOLE))):
        return long.with_columns(value.str.replace_all(r"\.0*$", ""))
    return long


def _warn_lookalikes(long: nw.LazyFrame[Any], columns: Sequence[str]) -> None:
    """Warn about names that look like one another, and about labels that look like a code for missing."""
    types = long.collect_schema()
    for column in columns:
        if types[column] != nw.String:
            continue
        names = collect(long.select(column).unique().head(_LARGEST_LISTING + 1))[column].drop_nulls().to_list()
        if len(names) <= _LARGEST_LISTING:
            text.warn_near_duplicates({REPORTER: "reporters", ITEM: "items", VALUE: "labels"}[column], names)
        if column == VALUE:
            text.warn_missing_codes(names)


def _count(frame: nw.LazyFrame[Any]) -> int:
    """Return the number of rows."""
    return int(collect(frame.select(nw.len()))["len"][0])
