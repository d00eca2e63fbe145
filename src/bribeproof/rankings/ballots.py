"""Read ballots, of which each names the first, the second and so on, as a row for each judge and entry."""

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass

import polars as pl

from bribeproof._text import list_names, shorten
from bribeproof.errors import DataError
from bribeproof.frames.reading.place_columns import places_in
from bribeproof.frames.reading.words import role_of
from bribeproof.frames.values.missing_words import is_missing_word, offer_missing

ENTRY, PLACE = "entry", "place"
"""The columns of entries and places that ballots are given."""
_BETWEEN = re.compile(r"[/;=&+]")
"""What may stand between two entries at one place."""


@dataclass(frozen=True, slots=True)
class Ballots:
    """Ballots as a row for each judge and entry.

    Attributes
    ----------
    rows
        The rows.
    judge
        The column of the judges.
    said
        How the table is read, in words.
    """

    rows: pl.DataFrame
    judge: str
    said: str


def unfold_ballots(table: pl.DataFrame, judge: str | None, missing: Collection[str]) -> Ballots | None:
    """Return the ballots in the rows of a table; None if its columns are not the places of ballots.

    Parameters
    ----------
    table
        The table.
    judge
        The column of the judges, if it is named.
    missing
        Texts that stand for no entry.

    Raises
    ------
    DataError
        If no column is named like one of judges, or a cell seems to stand for no entry.
    """
    places = places_in(table.columns)
    if not places or {ENTRY, PLACE} & {*table.columns}:
        return None
    cells = table.select(pl.col(list(places)).cast(pl.String, strict=False).str.strip_chars())
    if cells.select(pl.all().str.contains(r"^[0-9.,=T]*$").all()).row(0).count(True) == len(places):
        return None
    who = _column_of_judges(table, places, judge)
    absent = {*missing, ""}
    said = {text for name in places for text in cells[name].drop_nulls()} - absent
    if doubtful := sorted(filter(is_missing_word, said)):
        raise DataError(f"{list_names(doubtful)} on a ballot seems to be no entry: if so, {offer_missing(doubtful)}")
    kept = [name for name in table.columns if name not in places]
    long = table.with_columns(cells).unpivot(list(places), index=kept, variable_name=PLACE, value_name=ENTRY)
    long = long.filter(pl.col(ENTRY).is_in(list(said)))
    long = long.with_columns(pl.col(PLACE).replace_strict({name: str(place) for name, place in places.items()}))
    how = f"a ballot for each judge in {who!r}, places in {list_names(list(places))}"
    if shared := _shared(said):
        how += f"; cells such as {shorten(min(shared))} name entries at the same place"
        entries = [shared.get(cell, [cell]) for cell in long[ENTRY]]
        long = long.with_columns(pl.Series(ENTRY, entries, dtype=pl.List(pl.String))).explode(ENTRY)
    if empty := [name for name in table[who].drop_nulls().unique(maintain_order=True) if name not in {*long[who]}]:
        how += f"; left out: the empty ballot of {list_names(empty)}"
    return Ballots(long, who, how)


def _column_of_judges(table: pl.DataFrame, places: Collection[str], judge: str | None) -> str:
    """Return the column of the judges: the named one, the one that is called so, or the only one left."""
    if judge is not None:
        return judge
    others = [name for name in table.columns if name not in places]
    called = [name for name in others if role_of(name).role == "reporter"]
    likely = called or [name for name in others if role_of(name).role == "unknown"]
    if called or len(likely) == 1:
        return likely[0]
    raise DataError(
        f"columns such as {next(iter(places))!r} are the places of ballots: name the column of the judges "
        f"(--judge NAME), of {list_names(others)}"
    )


def _shared(cells: Collection[str]) -> dict[str, Sequence[str]]:
    """Return the cells that name several entries, each of which stands alone elsewhere, and these entries."""
    parts = {cell: [part.strip() for part in _BETWEEN.split(cell)] for cell in cells}
    return {cell: names for cell, names in parts.items() if len(names) > 1 and {*cells}.issuperset(names)}
