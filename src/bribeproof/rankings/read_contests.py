"""Read a table of rankings as contests."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import narwhals.stable.v2 as nw
import polars as pl

from bribeproof._text import count
from bribeproof.errors import ColumnError, DataError, ParameterError, ParameterTypeError
from bribeproof.frames.native import OpenedFrame, collect, column_names, open_frame
from bribeproof.frames.schema import ROW
from bribeproof.frames.statements import look_up
from bribeproof.rankings.ballots import ENTRY as BALLOT_ENTRY
from bribeproof.rankings.ballots import PLACE as BALLOT_PLACE
from bribeproof.rankings.ballots import unfold_ballots
from bribeproof.rankings.cells import is_plain, read_place
from bribeproof.rankings.columns import RankingColumns, find_columns
from bribeproof.rankings.contest import Contest
from bribeproof.rankings.prices import with_prices
from bribeproof.rankings.sheet import (
    CONTEST,
    ENTRY,
    GROUP,
    JUDGE,
    PLACE,
    PRICE,
    Sheet,
    check_gaps,
    check_unranked,
    two_prices,
)

UNRANKED = ("last", "not-asked")
"""What it can mean that a judge ranks only some entries."""


@dataclass(frozen=True, slots=True)
class RankingOptions:
    """How a table of rankings is read; see `rank`."""

    entry: object = None
    judges: Sequence[str] | None = None
    judge: object = None
    place: object = None
    contest: object = None
    group: object = None
    price: object = None
    combine: bool = False
    unranked: str | None = None
    turned: bool = False
    gaps: bool = False
    missing: Sequence[object] = ()

    def check(self) -> None:
        """Raise an error if an option is outside its range."""
        if self.unranked not in (None, *UNRANKED):
            raise ParameterError(f"unranked={self.unranked!r}: use one of {', '.join(UNRANKED)}")
        if isinstance(self.missing, str | bytes) or not isinstance(self.missing, Sequence):
            raise ParameterTypeError(f"missing={self.missing!r}: give a list of texts, such as ['absent']")
        if self.combine and not self.group:
            raise ParameterError("combine=True needs groups: name their column (group)")


@dataclass(frozen=True, slots=True)
class Rankings:
    """The contests of a table.

    Attributes
    ----------
    contests
        The contests, in the order of the table.
    columns
        The columns of the table.
    notes
        How the table was read, one sentence each.
    to_native
        Function that returns a table of results as the user's kind of frame.
    """

    contests: tuple[Contest, ...]
    columns: RankingColumns
    notes: tuple[str, ...]
    to_native: Callable[[pl.DataFrame], Any]


def read_contests(frame: Any, options: RankingOptions) -> Rankings:
    """Read the contests of a table.

    Raises
    ------
    DataError
        If a place cannot be read, or a judge gives an entry two places.
    QuestionError
        If judges rank only some entries and it is not said what that means, or most judges' places skip numbers.
    """
    options.check()
    opened = open_frame(frame, [name for name in column_names(frame) if name != ROW])
    if opened.large is not None:
        raise DataError("rankings are read in memory: open the file with read_table")
    table = collect(opened.frame)
    by_judge = options.group if isinstance(options.group, Mapping) else None
    by_name = look_up(None, "", options.price, "price") if isinstance(options.price, Mapping) else None
    named = {name: getattr(options, name) for name in ("entry", "judges", "judge", "place", "contest")}
    named |= {"group": None if by_judge else options.group, "price": None if by_name else options.price}
    ballots = None
    if not (options.turned or options.entry or options.judges or options.place):
        judge = options.judge if isinstance(options.judge, str) else None
        ballots = unfold_ballots(table, judge, [str(one) for one in options.missing])
    if ballots is not None:
        table = ballots.rows
        named |= {"judge": ballots.judge, "entry": BALLOT_ENTRY, "place": BALLOT_PLACE}
    columns = find_columns(table.drop(ROW, strict=False), **named, turned=options.turned)
    if columns.price and columns.judges and not (columns.judge or columns.group):
        raise ColumnError(
            f"price={columns.price!r}: every judge has a column of places, so that no column can say what each costs: "
            f"give a mapping from judges to prices (--price FILE, with two columns)"
        )
    notes = [f"read as rankings, {columns.describe() if ballots is None else ballots.said}"]
    rows = _parse(table, columns, opened, {str(one) for one in options.missing}, notes)
    sheets = [Sheet.of(str(name), part, by_judge) for (name,), part in rows.group_by(CONTEST, maintain_order=True)]
    sheets = [sheet.without_unplaced(notes) for sheet in sheets]
    check_gaps(sheets, notes, allowed=options.gaps, may_be_turned=bool(columns.judges) and not columns.judge)
    check_unranked(sheets, options.unranked, notes)
    contests = tuple(sheet.contest(last=options.unranked == "last", combine=options.combine) for sheet in sheets)
    if options.price is not None:
        stated = (by_name or sheet.stated_prices() for sheet in sheets)
        contests = tuple(map(with_prices, contests, stated))
    ties = sum(sheet.n_tied for sheet in sheets)
    if ties:
        total = sum(len(sheet.judges) for sheet in sheets)
        notes.append(
            f"{ties:,} of {count(total, 'ranking')} {'has' if ties == 1 else 'have'} entries at the same place, which "
            f"share the mean of the places that they take up"
        )
    return Rankings(
        contests, columns, tuple(dict.fromkeys(notes)),
        lambda result: opened.to_native(nw.from_native(result.lazy()), {}),
    )  # fmt: skip


def _parse(
    table: pl.DataFrame, columns: RankingColumns, opened: OpenedFrame, missing: set[str], notes: list[str]
) -> pl.DataFrame:
    """Return one row per judge, entry and contest, with the place as a number; repeated rows are left out."""
    if ROW not in table.columns:
        table = table.with_row_index(ROW)
    for name in columns.used:
        if table.schema[name].is_nested():
            raise DataError(f"column {name!r} holds lists or objects, no single values")
    text = table.select(pl.col(ROW), pl.col(columns.used).cast(pl.String).str.strip_chars())
    found: dict[tuple[str, str, str, str], tuple[float | None, int]] = {}
    prices: dict[tuple[str, str, str], str] = {}
    places: dict[str, float | None] = dict.fromkeys(missing)
    repeated = 0
    for row in text.iter_rows(named=True):
        at = row[ROW]
        name = ", ".join(_named(row, column, opened) for column in columns.contest)
        group = (row[columns.group] or "") if columns.group else ""
        row_entry = _named(row, columns.entry, opened) if columns.entry else ""
        row_judge = _named(row, columns.judge, opened) if columns.judge else ""
        for column in columns.judges or (columns.place,):
            judge, entry = row_judge or column, row_entry or column
            price = row[columns.price] if columns.price else None
            if price and prices.setdefault((name, group, judge), price) != price:
                raise two_prices(f"{opened.locate(at)}: judge {judge!r}", prices[name, group, judge], price)
            cell = row[column] or ""
            if cell not in places:
                places[cell] = read_place(cell, f"{opened.locate(at)}, judge {judge!r}, entry {entry!r}")
            place, key = places[cell], (name, group, judge, entry)
            if key in found:
                if found[key][0] != place:
                    lines = (opened.locate(found[key][1]), opened.locate(at))
                    raise _repeat(key, (found[key][0], place), lines, columns)
                repeated += 1
            found.setdefault(key, (place, at))
    marked = next((cell for cell, place in places.items() if place is not None and not is_plain(cell)), None)
    if not found:
        raise DataError("the table has no rows: there is nothing to rank")
    if repeated:
        notes.append(f"{count(repeated, 'repeated place')} of a judge for an entry, equal each time, counted once")
    if marked:
        notes.append(f"places such as {marked!r} are read as the number in them")
    rows = [(*key, prices.get(key[:3], ""), place) for key, (place, _) in found.items()]
    kept = (CONTEST, GROUP, JUDGE, ENTRY, PRICE)
    return pl.DataFrame(rows, schema={**dict.fromkeys(kept, pl.String), PLACE: pl.Float64}, orient="row")


def _named(row: Mapping[str, Any], column: str, opened: OpenedFrame) -> str:
    """Return a name in a row; an empty one is an error."""
    name = row[column]
    if not name:
        raise DataError(f"{opened.locate(row[ROW])}: column {column!r} is empty, and must name what the row is about")
    return str(name)


def _repeat(
    key: tuple[str, str, str, str],
    places: tuple[float | None, float | None],
    where: tuple[str, str],
    columns: RankingColumns,
) -> DataError:
    """Return the error on a judge who gives an entry two places."""
    first, second = ("none" if place is None else f"{place:g}" for place in places)
    remedy = "keep one of the rows"
    if not columns.contest:
        remedy += ", or name the column that tells contests apart (contest)"
    if not columns.group:
        remedy += ", or juries (group)"
    return DataError(
        f"{where[1]}: judge {key[2]!r} gives entry {key[3]!r} place {second}, and {first} at {where[0]}: {remedy}"
    )
