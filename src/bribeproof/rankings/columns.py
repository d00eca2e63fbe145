"""Which columns of a table of rankings hold what: by their names, or as named; in doubt a question."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import polars as pl

from bribeproof._text import count, list_names, shorten
from bribeproof.errors import ColumnError, DataError, ParameterError, ParameterTypeError
from bribeproof.frames.reading.from_frame import match_columns
from bribeproof.frames.reading.kinds import SINGLE_VALUES
from bribeproof.frames.reading.words import role_of, words_of
from bribeproof.questions import Choice, QuestionError
from bribeproof.rankings.cells import NO_PLACE, PLACE


def _words(text: str) -> frozenset[str]:
    """Return the words of a text."""
    return frozenset(text.split())


PLACE_WORDS = _words("""
    rank ranks ranking place places placement placing position ordinal rang platz platzierung classement puesto posicion
    posto posizione lugar colocacao plaats miejsce место 順位 名次 排名 순위
""")
"""Words of which one at least is in the name of a column of places."""
_CONTESTS = _words("""
    contest competition event election wettbewerb concours concurso concorso wedstrijd конкурс
""")
_OFFERED = 3
"""The most columns that a question offers."""


@dataclass(frozen=True, slots=True)
class RankingColumns:
    """The columns of a table of rankings.

    Attributes
    ----------
    entry
        The column of the entries; empty if each has a column.
    judges
        Wide form: the columns of places, one for each judge, or for each entry in a turned table; empty in long form.
    judge, place
        Long form: the columns of the judges and of their places; `judge` also in a turned table; empty in wide form.
    contest
        The columns that together name the contest; empty if there is only one.
    group
        The column of the groups; empty without groups.
    price
        The column of prices; empty without.
    left_out
        Columns of words whose names do not say what they hold, and that are no judge's.
    """

    entry: str
    judges: tuple[str, ...] = ()
    judge: str = ""
    place: str = ""
    contest: tuple[str, ...] = ()
    group: str = ""
    price: str = ""
    left_out: tuple[str, ...] = ()

    @property
    def used(self) -> list[str]:
        """All columns, each once."""
        of_rows = (*self.contest, self.group, self.price, self.judge, self.entry)
        return list(dict.fromkeys(filter(None, (*of_rows, *self.judges, self.place))))

    def describe(self) -> str:
        """Return how the table is read, in words."""
        of = f", contests in {list_names(self.contest)}" if self.contest else ""
        of += f", groups in {self.group!r}" if self.group else ""
        of += f", prices in {self.price!r}" if self.price else ""
        of += f"; left out: {list_names(self.left_out)}" if self.left_out else ""
        if self.judges and self.judge:
            return f"a row for each judge in {self.judge!r}, entries: {list_names(self.judges)}{of}"
        if self.judges:
            who = f"{count(len(self.judges), 'judge')}{' of each group' * bool(self.group)}: {list_names(self.judges)}"
            return f"wide form: entries in {self.entry!r}, {who}{of}"
        return f"long form: entries in {self.entry!r}, judges in {self.judge!r}, places in {self.place!r}{of}"


def find_columns(
    frame: pl.DataFrame,
    *,
    entry: object = None,
    judges: Sequence[str] | None = None,
    judge: object = None,
    place: object = None,
    contest: object = None,
    group: object = None,
    price: object = None,
    turned: bool = False,
) -> RankingColumns:
    """Find the columns of a table of rankings that are not named.

    A table without a column of places or of entries, and with one whose name is that of judges, has a row for each
    judge and a column for each entry: it is turned.

    Raises
    ------
    ColumnError
        If a named column does not exist.
    QuestionError
        If several columns may hold the entries, or a judge's places.

    Examples
    --------
    >>> find_columns(pl.DataFrame({"skater": ["A", "B"], "J1": [1, 2], "J2": [2, 1], "total": [3, 3]})).judges
    ('J1', 'J2')
    >>> find_columns(pl.DataFrame({"judge": ["x"], "entry": ["A"], "rank": [1]})).place
    'rank'
    >>> print(find_columns(pl.DataFrame({"judge": ["x", "y"], "Ann": [1, 2], "Bo": [2, 1]})).describe())
    a row for each judge in 'judge', entries: 'Ann', 'Bo'
    """
    given: dict[str, Any] = {"entry": entry, "judge": judge, "place": place, "group": group, "price": price}
    contests = _contest_columns(contest)
    _check_exist(frame, given, contests)
    if judges is not None and (place is not None or (judge is not None and not turned)):
        raise ParameterError(
            "judges names the columns of wide form, judge and place those of long form: give one of both"
        )
    if turned and (entry is not None or place is not None):
        raise ParameterError("a turned table has a column for each entry, and none of all entries or places")
    panel = match_columns(judges, frame.columns) if judges is not None else []
    for name in panel:
        _check_exist(frame, {"judges": name}, ())
    taken = {*filter(None, given.values()), *contests, *panel}
    free = [name for name in frame.select(SINGLE_VALUES).columns if name not in taken]
    if contest is None:
        contests = tuple([name for name in free if set(words_of(name)) & _CONTESTS][:1])
        free = [name for name in free if name not in contests]
    found = RankingColumns(
        given["entry"] or "", tuple(panel), contest=contests, group=given["group"] or "", price=given["price"] or ""
    )
    if turned:
        return _turned(frame, replace(found, judge=given["judge"] or ""), free)
    if panel:
        return found if found.entry else replace(found, entry=_find_entry(frame, free))
    judge_column = given["judge"] or _first(free, "reporter")
    place_column = given["place"] or next((name for name in free if set(words_of(name)) & PLACE_WORDS), None)
    if judge_column and place_column:
        rest = [name for name in free if name not in (judge_column, place_column)]
        return replace(found, entry=found.entry or _find_entry(frame, rest), judge=judge_column, place=place_column)
    if given["place"]:
        raise ColumnError("long form needs a column of the judges, too: name it (judge)")
    if given["judge"] or (judge_column and not found.entry and not _names_entries_or_judges(free)):
        return _turned(frame, replace(found, judge=judge_column or ""), free)
    if judge_column and not _holds_places(frame, judge_column):
        rest = [name for name in free if name != judge_column]
        raise ColumnError(
            f"judges are in {judge_column!r}, and no column is called like places: name theirs (place), of "
            f"{list_names(rest)}; scores and labels are for aggregate"
        )
    found = replace(found, entry=found.entry or _find_entry(frame, free))
    others = [name for name in free if name != found.entry]
    panel = _find_panel(frame, others)
    unknown = [name for name in others if role_of(name).role == "unknown"]
    return replace(found, judges=tuple(panel), left_out=tuple(name for name in unknown if name not in panel))


def _names_entries_or_judges(names: Sequence[str]) -> bool:
    """Return whether a column is named as that of the entries or of one judge."""
    return any(role_of(name).role in ("item", "one reporter") for name in names)


def _turned(frame: pl.DataFrame, found: RankingColumns, free: Sequence[str]) -> RankingColumns:
    """Return the columns of a table with a row for each judge and a column of places for each entry."""
    judge = found.judge or _first(free, "reporter")
    if not judge:
        others = [name for name in free if name not in found.judges and not _holds_places(frame, name)]
        if len(others) != 1:
            raise ColumnError("a turned table needs a column of the judges: name it (judge)")
        judge = others[0]
    likely = [name for name in free if name != judge and role_of(name).role in ("unknown", "item")]
    entries = found.judges or tuple(_with_places(frame, likely, "an entry"))
    if not entries:
        raise DataError(f"no columns hold the places of entries beside the judges in {judge!r}: name them (judges)")
    return replace(found, judge=judge, judges=entries)


def _contest_columns(contest: object) -> tuple[str, ...]:
    """Return the columns of the contest as a tuple."""
    if contest is None or isinstance(contest, str):
        return (contest,) if contest else ()
    if isinstance(contest, Sequence) and all(isinstance(one, str) for one in contest):
        return tuple(contest)
    raise ParameterTypeError(f"contest={contest!r}: give the name of a column, or a list of names")


def _check_exist(frame: pl.DataFrame, given: Mapping[str, Any], contests: Sequence[str]) -> None:
    """Raise an error if a named column does not exist."""
    for option, name in [*given.items(), *(("contest", one) for one in contests)]:
        if name is not None and not isinstance(name, str):
            raise ParameterTypeError(f"{option}={name!r}: give the name of a column")
        if name is not None and name not in frame.columns:
            raise ColumnError(f"there is no column {name!r} ({option}); columns are {list_names(frame.columns)}")


def _first(names: Sequence[str], role: str) -> str | None:
    """Return the first column that has a role by its name."""
    return next((name for name in names if (found := role_of(name)).role == role and found.sure), None)


def _find_entry(frame: pl.DataFrame, names: Sequence[str]) -> str:
    """Return the column of the entries: the one that is named so, or the only one that may be."""
    by_name = _first(names, "item") or _first(names, "number")
    if by_name is not None:
        return by_name
    others = [name for name in names if not _holds_places(frame, name)]
    likely = [name for name in others if role_of(name).role == "unknown"] or others
    if len(likely) == 1:
        return likely[0]
    if not likely:
        raise ColumnError(
            f"no column holds the names of the entries: name it (entry); columns are {list_names(frame.columns)}"
        )
    choices = [Choice(f"{name!r} names the entries", {"entry": name}) for name in likely[:_OFFERED]]
    raise QuestionError(f"the entries may be in {list_names(likely)}", choices)


def _holds_places(frame: pl.DataFrame, name: str) -> bool:
    """Return whether all cells of a column may be places, and at least one is."""
    places, words = _places_and_words(frame, name)
    return bool(places) and not words


def _places_and_words(frame: pl.DataFrame, name: str) -> tuple[list[str], list[str]]:
    """Return the cells of a column that are places, and those that are neither that nor a usual word for none."""
    cells = frame[name].cast(pl.String).str.strip_chars().drop_nulls()
    is_place = cells.str.contains(PLACE.pattern)
    words = [word for word in cells.filter(~is_place) if word and word.casefold() not in NO_PLACE]
    return cells.filter(is_place).to_list(), words


def _with_places(frame: pl.DataFrame, names: Sequence[str], what: str) -> list[str]:
    """Return the columns that hold places; one strange word among them throws nobody out.

    Raises
    ------
    QuestionError
        If a column holds few places, or the same word throughout, as of a judge who abstained.
    """
    held = {name: _places_and_words(frame, name) for name in names}
    sure = [name for name, (places, words) in held.items() if len(places) > len(words)]
    doubtful = [
        name for name, (places, words) in held.items()
        if name not in sure and words and (places or (len(words) > 1 and len(set(words)) == 1))
    ]  # fmt: skip
    if sure and doubtful:
        word = held[doubtful[0]][1][0]
        raise QuestionError(
            f"{list_names(doubtful)} may be {what} or not: the column holds {shorten(word)}",
            [
                Choice(f"with {list_names(doubtful)}", {"judges": [name for name in names if name in sure + doubtful]}),
                Choice(f"without {list_names(doubtful)}", {"judges": sure}),
            ],
        )
    return sure


def _find_panel(frame: pl.DataFrame, free: Sequence[str]) -> list[str]:
    """Return the columns of the judges: those that are named so, else those of unknown names that hold places."""
    roles = {name: role_of(name).role for name in free}
    named = [name for name in free if roles[name] in ("one reporter", "reporter")]
    unknown = _with_places(frame, [name for name in free if roles[name] == "unknown"], "a judge")
    if named and unknown:
        choices = [
            Choice("places of judges, too", {"judges": [*named, *unknown]}),
            Choice("no places of judges", {"judges": named}),
        ]
        raise QuestionError(f"beside {list_names(named)}, places may be in {list_names(unknown)}", choices)
    if not named and not unknown:
        raise DataError(
            "no columns hold places: name the judges' columns (judges), or those of judges and of places (judge, place)"
        )
    return named or unknown
