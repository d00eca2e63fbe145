"""Parse scores as floats: every cell is read, is missing, or is named in an error that says what to do."""

import math
from ast import literal_eval
from collections.abc import Callable
from dataclasses import replace
from decimal import Decimal
from typing import Any, NamedTuple

import narwhals.stable.v2 as nw
import polars as pl

from bribeproof._warnings import note
from bribeproof.frames.native import OpenedFrame, collect
from bribeproof.frames.native.backends import look_up
from bribeproof.frames.reports import locate_error
from bribeproof.frames.schema import REPORTER, VALUE, ReportSchema
from bribeproof.frames.set_aside import OFFER, mark
from bribeproof.frames.values.float_limit import LIMIT, MAY_BE_LARGE, float_holds
from bribeproof.frames.values.missing_codes import MissingCodes
from bribeproof.frames.values.missing_words import offer_missing, words_to_offer
from bribeproof.frames.values.number_format import Notation, find_notation

_READ = "_read"


class ParsedScores(NamedTuple):
    """Scores as finite floats, with null for missing codes.

    Attributes
    ----------
    rows
        The reports.
    taken
        How many reports had each missing code.
    offset
        What was subtracted from all scores, where these are whole numbers that floats do not hold; else 0.
    """

    rows: nw.LazyFrame[Any]
    taken: dict[str, int]
    offset: int = 0


def parse_scores(
    long: nw.LazyFrame[Any],
    source: OpenedFrame,
    schema: ReportSchema,
    codes: MissingCodes,
    *,
    numbers: bool,
    shifts: bool = False,
) -> ParsedScores:
    """Parse scores.

    Parameters
    ----------
    long
        Reports in long form.
    source, schema
        The frame that they came from, and how it is read.
    codes
        The values that the user lists as missing.
    numbers
        Whether they are numbers of the frame, which may be kept as text.
    shifts
        Whether an offset may be subtracted from whole numbers beyond 2^53, so that they stay apart.

    Raises
    ------
    DataError
        If a score is no number, cannot be a float, or is infinite; the message says where.
    """
    value = nw.col(VALUE)
    dtype = long.collect_schema()[VALUE]
    long, taken = codes.take(long, codes.of_type(dtype))
    if dtype == nw.String and not numbers:
        long = _as_plain(long, source, schema)
    offset = 0
    if dtype != nw.Float64:
        long, more, offset = _as_floats(long, source, schema, codes, shifts=shifts and schema.scale is None)
        taken |= more
        long, floats = codes.take(long, codes.of_type(nw.Float64()))
        taken |= floats
    endless = ~value.is_null() & ~value.is_finite()
    finite = _refuse(long, endless, source, schema, lambda _: "is infinite; correct it, or list it as missing")
    return ParsedScores(finite, taken, offset)


def _as_plain(long: nw.LazyFrame[Any], source: OpenedFrame, schema: ReportSchema) -> nw.LazyFrame[Any]:
    """Return text scores as digits and a decimal point."""
    value = nw.col(VALUE)
    notation = find_notation(long, VALUE, schema.decimal_mark, voter=REPORTER if schema.sets_aside else None)
    long, read = notation.read(long, VALUE, _READ), nw.col(_READ)

    def explain(quoted: str) -> str:
        return _advise(notation, str(literal_eval(quoted)))

    if notation.questions:  # no reporter is to blame for them
        question = value.is_in(list(notation.questions))
        long = _refuse(long, question, source, replace(schema, faulty=None), explain)
    long = _refuse(long, ~value.is_null() & read.is_null(), source, schema, explain)
    return long.with_columns(nw.when(~value.is_null()).then(read).alias(VALUE)).drop(_READ)


def _advise(notation: Notation, cell: str) -> str:
    """Return what is wrong with a score, and what to do."""
    explained = notation.explain(cell)
    words = words_to_offer(notation.refused, cell)
    if words:
        what = "this means" if len(words) == 1 else "such words mean"
        return f"{explained}; correct it, or, if {what} that there is no score: {offer_missing(words)}"
    return explained if "--decimal" in explained else f"{explained}; correct it, or list it as missing (--missing)"


def _as_floats(
    long: nw.LazyFrame[Any], source: OpenedFrame, schema: ReportSchema, codes: MissingCodes, *, shifts: bool
) -> ParsedScores:
    """Convert numbers to floats; subtract an offset from those that would become another number, or raise an error."""
    value = nw.col(VALUE)
    parsed = value.cast(nw.Float64)
    text = long.collect_schema()[VALUE] == nw.String
    beyond = value.str.contains(MAY_BE_LARGE) if text else (value > LIMIT) | (value < -LIMIT)
    large = collect(long.filter(beyond).select(VALUE).unique())[VALUE].to_list()
    listed = [score for score in large if codes.list_number(str(score))]
    long, taken = codes.take(long, listed)
    rounded = [score for score in large if score not in listed and not float_holds(str(score))]
    if rounded and shifts and (shifted := _shifted(long, codes)) is not None:
        return ParsedScores(shifted.rows, taken | shifted.taken, shifted.offset)
    if rounded:
        long = _refuse(long, value.is_in(rounded), source, schema, _explain_rounding, quoted=False)
    return ParsedScores(long.with_columns(parsed.alias(VALUE)), taken)


def _shifted(long: nw.LazyFrame[Any], codes: MissingCodes) -> ParsedScores | None:
    """Return scores less an offset, each exactly; None if they are no whole numbers, or too far apart."""
    scores = collect(long.select(VALUE).unique())[VALUE].drop_nulls().to_list()
    listed = [score for score in scores if codes.list_number(str(score))]
    numbers = {str(score): Decimal(str(score)) for score in scores if score not in listed}
    if not numbers or any(not one.is_finite() or one != one.to_integral_value() for one in numbers.values()):
        return None
    least, most = int(min(numbers.values())), int(max(numbers.values()))
    offset = int(float(least))
    while offset > least:
        offset = int(math.nextafter(offset, -math.inf))
    if most - offset > LIMIT:
        return None
    long, taken = codes.take(long, listed)
    texts = list(numbers)
    table = pl.DataFrame({VALUE: texts, _READ: [float(int(numbers[text]) - offset) for text in texts]})
    rows = look_up(long.with_columns(nw.col(VALUE).cast(nw.String)), VALUE, table, _READ)
    note(
        f"scores are beyond 2**53 = {LIMIT}: they are compared and averaged exactly, less {offset:,} each; results are "
        f"rounded to floats, and those that become equal share a place"
    )
    return ParsedScores(rows.with_columns(nw.col(_READ).alias(VALUE)).drop(_READ), taken, offset)


def _explain_rounding(score: str) -> str:
    """Return what is wrong with a score that is no float."""
    return (
        f"is beyond 2**53 = {LIMIT}, and would be rounded to {float(literal_eval(score))!r}: subtract a common offset "
        f"from all scores, or list it as missing (--missing)"
    )


def _refuse(
    long: nw.LazyFrame[Any],
    bad: nw.Expr,
    source: OpenedFrame,
    schema: ReportSchema,
    explain: Callable[[str], str],
    *,
    quoted: bool = True,
) -> nw.LazyFrame[Any]:
    """Set scores aside, or raise an error for the first of them; `explain` says what is wrong with one, by its repr."""
    if schema.sets_aside:
        return mark(long, bad)
    found = long.filter(bad)
    if collect(found.select(nw.len()))["len"][0]:
        offer = OFFER * (schema.faulty is not None)
        raise locate_error(
            source,
            found,
            lambda item, reporter, score: (
                f"score {score if quoted else literal_eval(score)} of reporter {reporter} on item {item} "
                f"{explain(score)}{offer}"
            ),
        )
    return long
