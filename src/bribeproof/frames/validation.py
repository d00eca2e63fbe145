"""Validate the reports of a data frame: every report is read, read as missing, or named in an error."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial, reduce
from operator import add
from typing import Any

import narwhals.stable.v2 as nw
import polars as pl

from bribeproof.errors import DataError
from bribeproof.frames import text
from bribeproof.frames.asked import check_asked, parse_asked
from bribeproof.frames.duplicates import resolve_duplicates
from bribeproof.frames.input_notes import note_cleaned, note_merged, note_silent
from bribeproof.frames.lookalikes import warn_lookalikes
from bribeproof.frames.missing_codes import MissingCodes
from bribeproof.frames.native import Categories, OpenedFrame, collect, column_names, open_frame, wide_to_long
from bribeproof.frames.number_format import find_notation
from bribeproof.frames.out_of_core.spill import split
from bribeproof.frames.profile import LONGEST_LISTING, ReportProfile
from bribeproof.frames.reports import Reports, locate_error
from bribeproof.frames.schema import ASKED, CLEANED, ITEM, REPORTER, ROW, SET_ASIDE, VALUE, Columns, ReportSchema
from bribeproof.frames.set_aside import OFFER, mark, outside_classes, warn_set_aside

_WHOLE = r"^[+-]?[0-9]+(\.0*)?$"


def validate_reports(frame: Any, schema: ReportSchema, *, scores: bool) -> Reports:
    """Read and validate the reports of a data frame.

    Parameters
    ----------
    frame
        A data frame of any supported kind, or a table read from a file.
    schema
        Its columns, missing values, duplicates and classes.
    scores
        Whether reports are real numbers, and not votes or labels.

    Returns
    -------
    Reports
        One row per item and reporter.

    Raises
    ------
    ColumnError
        If a column does not exist.
    DataError
        If a report cannot be read, an id is missing, reports conflict or the frame is empty; the message says where.
    """
    columns = Columns.find(column_names(frame), schema)
    source = open_frame(frame, columns.used)
    kept = {name: declared.cleaned(text.clean_value) for name, declared in source.categories.items()}
    source = replace(source, categories=kept)
    codes = MissingCodes.of(schema.missing)

    def normalise(frame: nw.LazyFrame[Any]) -> nw.LazyFrame[Any]:
        long = _long_form(frame, columns, scores=scores)
        types = long.collect_schema()
        return text.clean(long, [name for name in (ITEM, REPORTER, VALUE) if types[name] == nw.String])

    long, count, profiles = source.normalised(normalise, partial(ReportProfile.of, scores=scores))
    profile = reduce(add, profiles)
    long = long.drop(CLEANED, strict=False)
    note_cleaned(profile.cleaned)
    locate = partial(locate_error, source)
    if schema.sets_aside:
        long = long.with_columns(nw.lit(0, nw.Int64).alias(SET_ASIDE))
    boolean = long.collect_schema()[VALUE] == nw.Boolean
    if scores:
        long, taken = _as_scores(long, source, schema, codes)
        long = _finite(long, source, schema)
    _check_complete(profile, long, source, columns)
    values = None
    if profile.values is not None:
        listed = codes.among(profile.values)
        long, taken = codes.take(long, listed)
        labels = profile.values.filter(~profile.values.is_in(listed))
        if schema.sets_aside and schema.classes is not None:
            strange = outside_classes(labels, schema.classes)
            long = mark(long, nw.col(VALUE).is_in(strange)) if strange else long
            labels = labels.filter(~labels.is_in(strange))
        parse = _label_parser(labels)
        read = collect(parse(nw.from_native(labels.to_frame(VALUE).lazy())))[VALUE]
        note_merged(labels, read)
        source = replace(source, categories={**source.categories, **_declared(source, columns, codes, parse)})
        long, values = parse(long), read.unique()
    codes.report(taken)
    if profile.no_value or taken or schema.sets_aside:
        note_silent(long)
    _warn_lookalikes(profile, values)
    if columns.asked:
        long = parse_asked(long, locate)
    parts = split(long, count)
    resolved = resolve_duplicates(parts, schema, has_order=source.has_order, locate_error=locate)
    check_asked(resolved, schema, locate)
    if schema.sets_aside:
        warn_set_aside(resolved)
    values = values if resolved is parts else None
    return Reports(resolved, profile.panel, source, columns, schema, boolean=boolean, values=values)


def _long_form(frame: nw.LazyFrame[Any], columns: Columns, *, scores: bool) -> nw.LazyFrame[Any]:
    """Convert long or wide form to the columns ITEM, REPORTER and VALUE, with null for missing values."""
    schema = frame.collect_schema()
    order = [ROW] if ROW in schema else []
    if columns.asked:
        frame = frame.rename({columns.asked: ASKED})
        order.append(ASKED)
    reports = columns.judges or (columns.value,)
    kept = _common_type({name: schema[name] for name in reports}, scores=scores)
    frame = frame.with_columns(nw.col(*reports).cast(kept))
    if columns.judges:
        frame = frame.rename({columns.item: ITEM})
        frame = wide_to_long(frame, [*order, ITEM], columns.judges, REPORTER, VALUE)
    else:
        frame = frame.select(
            *order,
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
    """Return an expression with null for NaN; a column without any value becomes text."""
    column = nw.col(name)
    if dtype.is_float():
        column = nw.when(~column.is_nan()).then(column)
    return (column.cast(nw.String) if dtype == nw.Unknown else column).alias(name)


def _common_type(types: Mapping[str, Any], *, scores: bool) -> Any:
    """Return the type as which reports are read: text, true/false, whole numbers or floats."""
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
    distinct = sorted(set(kinds.values()))
    if len(distinct) > 1:
        listed = ", ".join(f"{name!r} {kind}" for name, kind in kinds.items())
        raise DataError(f"columns of different types would split a class in two ({listed}): give them one type")
    if distinct == ["true/false"]:
        if scores:
            raise DataError("scores are numbers, but these are true/false: aggregate_votes takes those")
        return nw.Boolean
    if distinct != ["numbers"]:
        return nw.String
    reported = [types[name] for name in kinds]
    if scores or not all(dtype.is_integer() for dtype in reported):
        return nw.Float64
    too_large = any(dtype in (nw.UInt64, nw.Int128, nw.UInt128) for dtype in reported)
    return nw.String if too_large else nw.Int64


def _as_scores(
    long: nw.LazyFrame[Any], source: OpenedFrame, schema: ReportSchema, codes: MissingCodes
) -> tuple[nw.LazyFrame[Any], dict[str, int]]:
    """Parse scores as floats, with null for missing codes, and count the reports with each of those."""
    value = nw.col(VALUE)
    taken: dict[str, int] = {}
    if long.collect_schema()[VALUE] == nw.String:
        long, taken = codes.take(long, codes.of_type(nw.String))
        notation = find_notation(long, VALUE, schema.decimal_mark)
        invalid = ~value.is_null() & ~notation.valid(value)
        bad = long.filter(invalid)
        if schema.sets_aside:
            long = mark(long, invalid)
        elif _count(bad):
            raise locate_error(
                source,
                bad,
                lambda item, reporter, score: (
                    f"score {score} of reporter {reporter} on item {item} is not a number {notation.describe()}; "
                    f"correct it, or list it as missing (--missing){OFFER * (schema.faulty is not None)}"
                ),
            )
        long = long.with_columns(notation.parse(value).alias(VALUE))
    long, numbers = codes.take(long, codes.of_type(nw.Float64()))
    return long, taken | numbers


def _finite(long: nw.LazyFrame[Any], source: OpenedFrame, schema: ReportSchema) -> nw.LazyFrame[Any]:
    """Set infinite scores aside, or raise an error if there are any."""
    value = nw.col(VALUE)
    endless = ~value.is_null() & ~value.is_finite()
    if schema.sets_aside:
        return mark(long, endless)
    infinite = long.filter(endless)
    if _count(infinite):
        raise locate_error(
            source,
            infinite,
            lambda item, reporter, score: (
                f"score {score} of reporter {reporter} on item {item} is infinite; correct it, or list it as missing"
                f"{OFFER * (schema.faulty is not None)}"
            ),
        )
    return long


def _check_complete(profile: ReportProfile, long: nw.LazyFrame[Any], source: OpenedFrame, columns: Columns) -> None:
    """Raise an error if there are no reports, or one of them lacks its item or its reporter."""
    if not profile.rows:
        raise DataError("there is nothing to aggregate: the table has a header but no rows")
    for name, missing, column, label in (
        ("item", profile.no_item, ITEM, columns.item),
        ("reporter", profile.no_reporter, REPORTER, columns.reporter),
    ):
        if missing:
            problem = f"the {name} is missing (column {label!r} is empty); fill it in, or remove the row"
            raise locate_error(source, long.filter(nw.col(column).is_null()), lambda *_, problem=problem: problem)


def _label_parser(values: pl.Series) -> Callable[[nw.LazyFrame[Any]], nw.LazyFrame[Any]]:
    """Return a function that replaces true/false by 1 and 0, and labels such as 1.0 by whole numbers."""
    value = nw.col(VALUE)
    if values.dtype == pl.Boolean:
        value = value.cast(nw.Int64)
    elif values.is_empty():
        value = value.cast(nw.String)
    elif values.dtype.is_float() and ((values == values.round()) & (values.abs() < 2.0**53)).all():
        value = value.cast(nw.Int64)
    elif values.dtype == pl.String and values.str.contains(_WHOLE).all():
        value = value.str.replace_all(r"\.0*$", "")
    else:
        return lambda rows: rows
    return lambda rows: rows.with_columns(value.alias(VALUE))


def _declared(
    source: OpenedFrame,
    columns: Columns,
    codes: MissingCodes,
    parse: Callable[[nw.LazyFrame[Any]], nw.LazyFrame[Any]],
) -> dict[str, Categories]:
    """Return the declared categories of the columns of reports as the labels are read, without missing codes."""
    declared = {}
    for name in columns.judges or (columns.value,):
        if name in source.categories:
            names = pl.Series(VALUE, source.categories[name].names, dtype=pl.String)
            names = names.filter(~names.is_in(codes.among(names)))
            read = collect(parse(nw.from_native(names.to_frame().lazy())))[VALUE]
            declared[name] = replace(source.categories[name], names=tuple(read.unique(maintain_order=True).to_list()))
    return declared


def _warn_lookalikes(profile: ReportProfile, labels: pl.Series | None) -> None:
    """Warn about names that look alike, and about labels that look like codes for missing values."""
    for what, names in (("reporters", profile.reporters), ("items", profile.items), ("labels", labels)):
        if names is not None and names.dtype == pl.String and len(names) <= LONGEST_LISTING:
            warn_lookalikes(what, names.to_list())
    if labels is not None and labels.dtype == pl.String:
        text.warn_missing_codes(labels.to_list())


def _count(frame: nw.LazyFrame[Any]) -> int:
    """Return the number of rows."""
    return int(collect(frame.select(nw.len()))["len"][0])
