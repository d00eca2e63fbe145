"""Tell whether a table holds judges' rankings."""

import re
from collections.abc import Sized
from typing import Any, Literal

import numpy as np

from bribeproof._typing import FloatArray
from bribeproof.errors import BribeproofError
from bribeproof.frames.native import column_names
from bribeproof.frames.reading.place_columns import places_in
from bribeproof.frames.reading.words import words_of
from bribeproof.questions import Choice, QuestionError
from bribeproof.rankings.columns import PLACE_WORDS
from bribeproof.rankings.read_contests import RankingOptions, read_contests

RANKINGS = "rankings"
"""The kind of reports that are judges' rankings."""
_CHOICE = Choice("places of judges' rankings, 1 the best", {"kind": RANKINGS})
_HINT = re.compile(r" \([^()]*judges' rankings[^()]*\)")
"""That another command ranks, in a question that offers it now."""
_MOST_ROWS = 100_000
"""Larger tables are rankings only if that is said."""


def asked_of_rankings(frame: Any, asked: QuestionError, options: RankingOptions) -> QuestionError | None:
    """Return what is to be asked about a table that raised a question; None if it can only hold judges' rankings.

    A row for each judge and entry and a column that is called like places, where most judges give each place once and
    not all give the same, can only be rankings. Judges' columns in which most give each place once may be, and so may
    places that are shared, or stand in a column with a longer name.

    Parameters
    ----------
    frame
        The table.
    asked
        The question that it raised when it was read as scores, votes or labels.
    options
        How it is read as rankings.

    Examples
    --------
    >>> import polars as pl
    >>> asked = QuestionError("of numbers", [Choice("scores", {"kind": "scores"})])
    >>> wide = pl.DataFrame({"entry": ["A", "B"], "J1": [1, 2], "J2": [2, 1]})
    >>> [one.meaning for one in asked_of_rankings(wide, asked, RankingOptions()).choices]
    ["places of judges' rankings, 1 the best", 'scores']
    >>> long = wide.unpivot(index="entry", variable_name="judge", value_name="place")
    >>> asked_of_rankings(long, asked, RankingOptions()) is None
    True
    """
    found = _likeness(frame, options)
    if found == "surely":
        return None
    if found == "not":
        return asked
    question = _HINT.sub("", asked.question)
    return QuestionError(question, [_CHOICE, *asked.choices], asked.rows)


def _likeness(frame: Any, options: RankingOptions) -> Literal["surely", "perhaps", "not"]:
    """Return whether a table holds rankings."""
    if isinstance(rows := getattr(frame, "frame", frame), Sized) and len(rows) > _MOST_ROWS:
        return "not"
    try:
        rankings = read_contests(frame, options)
    except BribeproofError:
        return "perhaps" if places_in(column_names(frame)) else "not"
    judges = [row for contest in rankings.contests for row in contest.places]
    strict = 2 * sum(map(_is_strict, judges)) > len(judges)
    if not rankings.columns.place:
        return "perhaps" if strict else "not"
    is_called_so = PLACE_WORDS.issuperset(words_of(rankings.columns.place))
    if all(_are_alike(contest.places) for contest in rankings.contests):  # it may say something of the entries
        return "perhaps" if is_called_so else "not"
    return "surely" if strict and is_called_so else "perhaps"


def _are_alike(places: FloatArray) -> bool:
    """Return whether all judges give the same places."""
    return bool(((places == places[0]) | (np.isnan(places) & np.isnan(places[0]))).all())


def _is_strict(places: FloatArray) -> bool:
    """Return whether a judge gives each place once."""
    given = places[~np.isnan(places)]
    return len(np.unique(given)) == len(given)
