"""Scores off the scale: each is named in an error, or set aside."""

from typing import Any

import narwhals.stable.v2 as nw

from bribeproof._text import count
from bribeproof._validation import scale_ends
from bribeproof.errors import DataError
from bribeproof.frames.native import OpenedFrame, collect
from bribeproof.frames.schema import ITEM, REPORTER, ROW, VALUE, ReportSchema
from bribeproof.frames.set_aside import OFFER, mark

_LISTED = 10
"""The most scores that an error lists."""


def check_on_scale(long: nw.LazyFrame[Any], source: OpenedFrame, schema: ReportSchema) -> nw.LazyFrame[Any]:
    """Set scores off the scale aside, or raise an error that lists the first of them.

    Parameters
    ----------
    long
        Scores in long form.
    source, schema
        The frame that they came from, and how it is read; without a scale the scores are returned as they are.

    Raises
    ------
    DataError
        If scores are lower or higher than the ends of the scale: who gave them, on which item, and where they stand.
    """
    if schema.scale is None:
        return long
    low, high = scale_ends(schema.scale)
    off = (nw.col(VALUE) < low) | (nw.col(VALUE) > high)
    if schema.sets_aside:
        return mark(long, off.fill_null(value=False))
    found = long.filter(off)
    if not (number := int(collect(found.select(nw.len()))["len"][0])):
        return long
    order = [*([ROW] if source.has_order else []), ITEM, REPORTER, VALUE]
    first = collect(found.select(order).sort(*order).head(_LISTED)).rows(named=True)
    listed = []
    for row in first:
        where = f"{source.locate(row[ROW])}: " if source.has_order else ""
        listed.append(f"{where}{_plain(row[VALUE])} of reporter {row[REPORTER]!r} on item {row[ITEM]!r}")
    more = f"; and {number - _LISTED:,} more" * (number > _LISTED)
    are, them = ("is", "it") if number == 1 else ("are", "them")
    raise DataError(
        f"{count(number, 'score')} {are} off the scale from {_plain(low)} to {_plain(high)}: "
        f"{'; '.join(listed)}{more}. Correct {them}, list {them} as missing (--missing), or give another scale "
        f"(--scale){OFFER * (schema.faulty is not None)}"
    )


def _plain(number: float) -> str:
    """Return a number with all its digits, and no decimals if it is whole."""
    return repr(number).removesuffix(".0")
