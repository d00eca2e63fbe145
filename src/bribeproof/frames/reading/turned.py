"""Read a table with a row for each reporter and a column for each item."""

from collections.abc import Mapping, Sequence

import polars as pl

from bribeproof._text import list_names
from bribeproof.errors import DataError, ParameterError
from bribeproof.frames.reading.columns import named, other_columns
from bribeproof.frames.reading.doubts import alike, column_types
from bribeproof.frames.reading.given import Given
from bribeproof.frames.reading.kinds import as_text, different_reports, kind_of, notation
from bribeproof.frames.reading.label_sets import find_sets
from bribeproof.frames.reading.place_columns import places_in
from bribeproof.frames.reading.reading import Reading
from bribeproof.frames.reading.vocabulary import AMBIGUOUS, SCORERS
from bribeproof.frames.reading.words import NamedRole, has_digit, is_sentence, role_of, words_of
from bribeproof.frames.schema import Columns
from bribeproof.questions import Choice, QuestionError

TURNED_ITEM, TURNED_VALUE = "item", "report"
"""The columns of items and reports of a table that was turned."""


def seems_turned(frame: pl.DataFrame, given: Given, roles: Mapping[str, NamedRole], who: str) -> bool:
    """Return whether a table with a column of reporters has a column for each item."""
    if given.turned is False or given.items:
        return False
    if "".join(words_of(who)) in AMBIGUOUS:
        raise QuestionError(
            f"{who!r} may hold the reporters or the items",
            [Choice("a row for each reporter", {"turned": True}), Choice("a row for each item", {"item": who})],
        )
    return len(_turned_items(frame, roles, who)) + len(_unsure_items(roles, who)) > 1 and not [
        name for name in named(roles, "item") if not has_digit(name)
    ]


def _turned_items(frame: pl.DataFrame, roles: Mapping[str, NamedRole], who: str) -> list[str]:
    """Return the columns that are named like items, in a table with a row for each reporter."""
    return [name for name in frame.columns if name != who and roles[name].role in ("unknown", "item", "one reporter")]


def _unsure_items(roles: Mapping[str, NamedRole], who: str) -> list[str]:
    """Return the columns with a word of another role in a longer name, such as *How do you rate the venue?*."""
    return [name for name, named in roles.items() if not named.sure and name != who and named.role != "one reporter"]


def _answered_in_words(text: pl.DataFrame, roles: Mapping[str, NamedRole], names: Sequence[str]) -> list[str]:
    """Return the questions of a survey that are answered in words: they are items, even where *week* stands in them.

    Numbers may be those of a year or an amount, which would be compared with ratings.
    """
    asked = [name for name in names if is_sentence(name) and roles[name].role != "note" and name in text.columns]
    return [name for name, kind in column_types(text, asked).items() if kind == "words"]


def read_turned(frame: pl.DataFrame, given: Given, who: Sequence[str]) -> Reading:
    """Read a table with a row for each reporter and a column for each item."""
    absent = [name for name in given.items if name not in frame.columns]
    if absent:
        raise ParameterError(
            f"item={absent[0]!r}: in a turned table each item has a column: name those (--item A,B,C), or leave it out"
        )
    names = [name for name in frame.columns if name not in given.items]
    if not names:
        raise DataError("no column is left that holds the reporters: name fewer columns of items (--item A,B,C)")
    reporter = who[0] if len(who) == 1 else names[0]
    roles = {name: role_of(name) for name in names}
    items = given.items or tuple(_turned_items(frame, roles, reporter))
    others = _unsure_items(roles, reporter) if items and not given.items else []
    text = as_text(frame)
    answered = _answered_in_words(text, roles, others)
    items = tuple(name for name in names if name in {*items, *answered}) if answered else items
    if unsure := alike(text, [name for name in others if name not in answered], items):
        together = [name for name in names if name in {*items, *unsure}]
        raise QuestionError(
            f"{list_names(unsure)} may be {'an item' if len(unsure) == 1 else 'items'} or not, by the name",
            [Choice("with it" if len(unsure) == 1 else "with them", {"turned": True, "item": together}),
             Choice("without it" if len(unsure) == 1 else "without them", {"turned": True, "item": list(items)})],
        )  # fmt: skip
    if not (given.turned or given.items) and (places := places_in(items)):
        raise QuestionError(
            f"columns such as {next(iter(places))!r} are the places of ballots, as bribeproof rank reads them",
            [Choice("each place is an item of its own, with a vote on each", {"turned": True, "item": list(items)})],
        )
    if not items:
        raise DataError(f"no columns of items among {list_names(frame.columns)}: name them (--item A,B,C)")
    cells = different_reports(frame, items, given.missing)
    kind = kind_of(given.known_kind, cells, set(words_of(reporter)) & SCORERS)
    columns = Columns(TURNED_ITEM, reporter, TURNED_VALUE)
    if reporter in (TURNED_ITEM, TURNED_VALUE):
        raise DataError(f"column {reporter!r} holds the reporters: rename it, such as to 'judge'")
    return Reading(
        kind,
        columns,
        other_columns(frame, roles, {reporter, *items}),
        notation(kind, cells),
        (TURNED_ITEM,),
        turned=items,
        label_sets=find_sets(given.label_sets, cells, kind),
    )
