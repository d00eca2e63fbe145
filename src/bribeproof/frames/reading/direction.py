"""Ask whether the lowest or the highest score is the best, where scores may be ranks, times or penalties."""

import narwhals.stable.v2 as nw

from bribeproof._text import list_names
from bribeproof.frames.native import collect
from bribeproof.frames.reading.vocabulary import LOWEST_FIRST
from bribeproof.frames.reading.words import words_of
from bribeproof.frames.reports import Reports
from bribeproof.frames.schema import ITEM, REPORTER, VALUE
from bribeproof.questions import Choice, QuestionError

_CHOICES = (
    Choice("the lowest is the best, as of ranks, times and penalties", {"better": "low"}),
    Choice("the highest is the best", {"better": "high"}),
)
_RANKINGS = " (of judges' rankings, bribeproof rank says how many bribes change the winner)"
_FEWEST = 3
"""Fewer items than this are put in order by many scores that are no ranks."""


def ask_direction(reports: Reports) -> None:
    """Raise a question if scores may be ranks, times or penalties, by the names of their columns or by their values.

    Parameters
    ----------
    reports
        Validated scores.

    Raises
    ------
    QuestionError
        If the column of the scores, or that of each reporter, is called like ranks, times or penalties; or if each of
        several reporters gives the numbers 1 to n once, n being the number of items, at least 3.
    """
    named = reports.columns.judges or (reports.columns.value,)
    if all(not LOWEST_FIRST.isdisjoint(words_of(name)) for name in named):
        raise QuestionError(f"scores in {list_names(named)} may be ranks, times or penalties{_RANKINGS}", _CHOICES)
    if places := _ranked(reports):
        numbers = f"the numbers 1 to {places:,} once"
        raise QuestionError(f"each of {reports.panel:,} reporters gives {numbers}{_RANKINGS}", _CHOICES)


def _ranked(reports: Reports) -> int:
    """Return the number of items if each of several reporters gives each of the numbers from 1 to it once, else 0."""
    rows, value, panel = reports.rows, nw.col(VALUE), reports.panel
    if panel < 2 or reports.offset:
        return 0
    low, high, number = collect(rows.select(low=value.min(), high=value.max(), number=value.count())).row(0)
    if low != 1 or not high >= _FEWEST or number != high * panel:
        return 0
    places = int(high)
    values = collect(rows.select(VALUE).unique())[VALUE].drop_nulls()
    if sorted(values.to_list()) != list(range(1, places + 1)):
        return 0
    pairs = collect(rows.filter(~value.is_null()).select(REPORTER, VALUE).unique().select(nw.len()))["len"][0]
    items = collect(rows.select(ITEM).unique().select(nw.len()))["len"][0]
    return places if (pairs, items) == (number, places) else 0
