"""Validate the reports of a data frame: every report is read, read as missing, or named in an error."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial, reduce
from itertools import chain
from operator import add
from typing import Any

import narwhals.stable.v2 as nw
import polars as pl

from bribeproof.errors import DataError
from bribeproof.frames.asked import check_asked, parse_asked
from bribeproof.frames.duplicates import resolve_duplicates
from bribeproof.frames.input_notes import note_cleaned, note_merged, note_silent
from bribeproof.frames.lost_reports import open_counted
from bribeproof.frames.native import Categories, OpenedFrame, collect, column_names, wide_to_long
from bribeproof.frames.out_of_core.spill import split
from bribeproof.frames.profile import LONGEST_LISTING, ReportProfile
from bribeproof.frames.report_types import as_type, check_flat, common_type, label_parser, warn_large_floats
from bribeproof.frames.reports import Reports, locate_error
from bribeproof.frames.schema import ASKED, CLEANED, ITEM, ORDER, REPORTER, ROW, SET_ASIDE, VALUE, Columns, ReportSchema
from bribeproof.frames.set_aside import mark, outside_classes, warn_set_aside
from bribeproof.frames.values import text
from bribeproof.frames.values.boolean_words import spelling_parser
from bribeproof.frames.values.label_lists import warn_reordered
from bribeproof.frames.values.label_variants import warn_marks, warn_slips
from bribeproof.frames.values.lookalikes import surely_apart, warn_lookalikes
from bribeproof.frames.values.missing_codes import MissingCodes
from bribeproof.frames.values.missing_words import warn_missing_words
from bribeproof.frames.values.scale import check_on_scale
from bribeproof.frames.values.score_parsing import parse_scores


def validate_reports(frame: Any, schema: ReportSchema, *, scores: bool, shifts: bool = False) -> Reports:
    """Read and validate the reports of a data frame.

    Parameters
    ----------
    frame
        A data frame of any supported kind, or a table read from a file.
    schema
        Its columns, missing values, duplicates and classes.
    scores
        Whether reports are real numbers, and not votes or labels.
    shifts
        Whether an offset may be subtracted from whole numbers beyond 2^53, which `Reports.offset` then holds.

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
    source = open_counted(frame, columns.used, columns.judges or (columns.value,))
    cleaned = {name: declared.cleaned(text.clean_value) for name, declared in source.categories.items()}
    source = replace(source, categories=cleaned)
    codes = MissingCodes.of(schema.missing)
    stored = source.frame.collect_schema()
    check_flat(stored, source)
    types = {name: stored[name] for name in columns.judges or (columns.value,)}
    numbers = any(dtype.is_numeric() for dtype in types.values()) and nw.String not in types.values()
    kept = common_type(types, source, scores=scores)

    def normalise(frame: nw.LazyFrame[Any]) -> nw.LazyFrame[Any]:
        long = _long_form(frame, columns, types, kept)
        found = long.collect_schema()
        texts = [name for name in (ITEM, REPORTER, VALUE) if found[name] == nw.String]
        return text.clean(long, texts, in_memory=source.eager or source.large is not None)

    long, count, profiles = source.normalised(normalise, partial(ReportProfile.of, scores=scores))
    profile = reduce(add, profiles)
    long = long.drop(CLEANED, strict=False)
    note_cleaned(profile.cleaned)
    locate = partial(locate_error, source)
    if schema.sets_aside:
        long = long.with_columns(nw.lit(0, nw.Int64).alias(SET_ASIDE))
    boolean, offset = long.collect_schema()[VALUE] == nw.Boolean, 0
    if scores:
        long, taken, offset = parse_scores(long, source, schema, codes, numbers=numbers, shifts=shifts)
        locate = partial(locate_error, source, offset=offset)
    _check_complete(profile, long, source, columns)
    long = check_on_scale(long, source, schema) if scores else long
    values = None
    if profile.values is not None:
        listed = codes.among(profile.values)
        long, taken = codes.take(long, listed)
        labels = profile.values.filter(~profile.values.is_in(listed))
        if schema.sets_aside and schema.classes is not None:
            strange = outside_classes(labels, schema.classes)
            long = mark(long, nw.col(VALUE).is_in(strange)) if strange else long
            labels = labels.filter(~labels.is_in(strange))
        categories = [source.categories[name].names for name in types if name in source.categories]
        parse = spelling_parser(labels, chain(*categories), schema.classes) or label_parser(labels, numbers=numbers)
        read = collect(parse(nw.from_native(labels.to_frame(VALUE).lazy())))[VALUE]
        note_merged(labels, read)
        source = replace(source, categories={**source.categories, **_declared(source, columns, codes, parse)})
        long, values = parse(long), read.unique()
    codes.report(taken)
    if profile.no_value or taken or schema.sets_aside:
        note_silent(long)
    _warn_lookalikes(profile, values, long)
    if schema.may_be_sets and values is not None and values.dtype == pl.String:
        warn_reordered(values)
    warn_large_floats(long, {ITEM: "items", REPORTER: "reporters"} | ({} if scores else {VALUE: "labels"}))
    if columns.asked:
        long = parse_asked(long, locate)
    parts = split(long, count)
    resolved = resolve_duplicates(parts, schema, has_order=source.has_order, locate_error=locate)
    check_asked(resolved, schema, locate)
    if schema.sets_aside:
        warn_set_aside(resolved)
    values = values if resolved is parts else None
    if columns.order:
        resolved = [rows.drop(ORDER, strict=False) for rows in resolved]
    return Reports(resolved, profile.panel, source, columns, schema, boolean=boolean, values=values, offset=offset)


def _long_form(frame: nw.LazyFrame[Any], columns: Columns, types: Mapping[str, Any], kept: Any) -> nw.LazyFrame[Any]:
    """Convert long or wide form to the columns ITEM, REPORTER and VALUE, with null for missing values.

    The columns of reports have the given types, and are read as another one.
    """
    schema = frame.collect_schema()
    order = [ROW] if ROW in schema else []
    for name, kept_as in ((columns.asked, ASKED), (columns.order, ORDER)):
        if name:
            frame = frame.rename({name: kept_as})
            order.append(kept_as)
    frame = frame.with_columns(*casts) if (casts := as_type(types, kept)) else frame
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
    found = frame.collect_schema()
    return frame.with_columns(_nan_as_null(name, found[name]) for name in (ITEM, REPORTER, VALUE))


def _nan_as_null(name: str, dtype: Any) -> nw.Expr:
    """Return an expression with null for NaN; a column without any value becomes text."""
    column = nw.col(name)
    if dtype.is_float():
        column = nw.when(~column.is_nan()).then(column)
    return (column.cast(nw.String) if dtype == nw.Unknown else column).alias(name)


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
    if _repeats_header(profile, columns) and long.collect_schema()[VALUE] == nw.String:
        value = nw.col(REPORTER) if columns.judges else nw.lit(columns.value)
        again = long.filter(nw.col(ITEM) == columns.item, nw.col(VALUE) == value)
        again = again if columns.judges else again.filter(nw.col(REPORTER) == columns.reporter)
        if collect(again.head(1)).height:
            raise locate_error(source, again, lambda *_: "the row repeats the names of the columns; remove it")


def _repeats_header(profile: ReportProfile, columns: Columns) -> bool:
    """Return whether an item, and in long form a reporter, is called like its column."""
    pairs = [(profile.items, columns.item), *([] if columns.judges else [(profile.reporters, columns.reporter)])]
    return all(names is not None and names.dtype == pl.String and names.eq(name).any() for names, name in pairs)


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


def _warn_lookalikes(profile: ReportProfile, labels: pl.Series | None, long: nw.LazyFrame[Any]) -> None:
    """Warn about names that look alike, and about labels that look like codes for missing values or misspellings."""
    for what, names in (("reporters", profile.reporters), ("items", profile.items), ("labels", labels)):
        listed = names is not None and names.dtype == pl.String and len(names) <= LONGEST_LISTING
        if names is not None and listed and not surely_apart(names):
            warn_lookalikes(what, names.to_list())
    if labels is not None and labels.dtype == pl.String:
        found = labels.drop_nulls().to_list()
        warn_missing_words(found)
        warn_marks(found)
        warn_slips(found, lambda close: _counted(long, close))


def _counted(long: nw.LazyFrame[Any], labels: Sequence[str]) -> dict[str, int]:
    """Return how many reports have each of some labels."""
    few = long.filter(nw.col(VALUE).is_in(labels)).group_by(VALUE).agg(nw.len().alias("_reports"))
    return dict(collect(few).select(VALUE, "_reports").iter_rows())
