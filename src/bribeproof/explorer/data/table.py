"""Tables of items as text: by place, the most fragile items first, or in the order of the file."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import polars as pl

from bribeproof.errors import ParameterError
from bribeproof.explorer.data.analysis import Analysis
from bribeproof.explorer.data.cells import MAX_NAME_LENGTH, TableCell, decimals, number, text
from bribeproof.explorer.data.query import ITEM_FILTERS, LABEL_ORDERS, SCORE_ORDERS
from bribeproof.frames.values.text import clean_value
from bribeproof.plots.names import shown

PAGE_SIZE = 50
"""Number of items on one page."""
_NEEDED = {"bribes_needed": "Bribes needed", "flips_needed": "Flips needed", "additions_needed": "Additions needed"}
"""What changes a decision: bribes where they buy groups, reports that are rewritten, and reports that are added."""
_MAX_CLASSES = 6
"""With more classes, their shares are in the downloads only."""


@dataclass(frozen=True, slots=True)
class ItemPage:
    """One page of the table of items.

    Attributes
    ----------
    headings
        The headings of the columns; `kind` says whether a column holds text.
    rows
        The cells of each item, and whether k bribed reporters could have changed its answer.
    row_numbers
        The row numbers of these items in the result.
    order
        In which order they are, as a heading.
    first, total
        The position of the first item, counted from 1, and the number of items on all pages.
    page, pages
        The number of this page, counted from 1, and the number of pages.
    """

    headings: Sequence[TableCell]
    rows: Sequence[tuple[Sequence[TableCell], bool]]
    row_numbers: Sequence[int]
    order: str
    first: int
    total: int
    page: int
    pages: int


@dataclass(frozen=True, slots=True)
class ChangedItems:
    """Items whose answers differ from those with k = 0.

    Attributes
    ----------
    headings, rows
        As in `ItemPage`, without the flag.
    total
        The number of such items; `rows` may hold only the first of them.
    """

    headings: Sequence[TableCell]
    rows: Sequence[Sequence[TableCell]]
    total: int


_HEADINGS = {
    "place": "Items by place, the first one first", "order": "Items, the most fragile first",
    "row": "Items in the order of the file",
}  # fmt: skip
"""Headings of the table of items, by the column that it is sorted by."""


def select_items(
    analysis: Analysis, *, show: str = "", find: str = "", sort: str = "", page: int = 1, size: int = PAGE_SIZE
) -> ItemPage:
    """Return one page of items as text.

    Parameters
    ----------
    analysis
        The answers and how fragile they are.
    show
        A key of `ITEM_FILTERS`.
    find
        Keep the items whose names contain this text; case is ignored.
    sort
        A key of `SCORE_ORDERS`, or of `LABEL_ORDERS`.
    page, size
        Page number, counted from 1, and items per page. A number beyond the last page gives the last page.

    Raises
    ------
    ParameterError
        If `show` or `sort` is unknown.
    """
    if show not in ITEM_FILTERS:
        raise ParameterError(f"show={show!r}: use one of {', '.join(filter(None, ITEM_FILTERS))}")
    items = analysis.items.with_row_index("row")
    if find:
        items = items.filter(
            pl.col("item").str.to_lowercase().str.contains(str(clean_value(find)).lower(), literal=True)
        )
    by = _sorted_by(analysis, sort)
    places = items.join(_chosen(analysis, show), on="row", how="semi").sort(by, "row")["row"]
    pages = max(1, -(-len(places) // size))
    page = min(page, pages)
    start = (page - 1) * size
    row_numbers = places.slice(start, size).to_list()
    headings, rows = _scores(analysis, row_numbers) if analysis.scores else _decisions(analysis, row_numbers)
    flags = analysis.items["changeable"]
    marked = [(row, flags[place]) for row, place in zip(rows, row_numbers, strict=True)]
    return ItemPage(headings, marked, row_numbers, _HEADINGS[by], start + 1, len(places), page, pages)


def _sorted_by(analysis: Analysis, sort: str) -> str:
    """Return the column by which the items are sorted: their place by default, or, without places, how fragile."""
    orders = SCORE_ORDERS if analysis.scores else LABEL_ORDERS
    if sort not in orders:
        raise ParameterError(f"sort={sort!r}: use one of {', '.join(filter(None, orders))}, or leave it empty")
    return {"file": "row", "fragile": "order"}.get(sort, "place" if analysis.scores else "order")


def changed_items(analysis: Analysis, most: int) -> ChangedItems:
    """Return the items whose answers differ from those with k = 0, at most `most` of them."""
    items = analysis.items.with_row_index("row").filter("changed")
    if analysis.scores:
        items = items.sort("place_before")
    row_numbers = items["row"].head(most).to_list()
    answer = analysis.result["estimate" if analysis.scores else "decision"]
    before = analysis.items["before"]
    names = _names(analysis, row_numbers)
    now = f"k = {analysis.k:,}"
    if analysis.ranking is None:
        states = analysis.result["status"]
        cells = [
            [name, text(before[row]), text(answer[row]) if states[row] == "ok" else TableCell(states[row], "bad")]
            for name, row in zip(names, row_numbers, strict=True)
        ]
        headings = [TableCell(names_heading(analysis), "text"), TableCell("k = 0", "text"), TableCell(now, "text")]
        return ChangedItems(headings, cells, items.height)
    digits = decimals(answer)
    places, places_before = analysis.ranking.rank, analysis.items["place_before"]
    cells = [
        [
            name,
            TableCell(str(places_before[row])),
            TableCell(str(places[row]) if places[row] else "not certified"),
            number(before[row], digits),
            number(answer[row], digits),
        ]
        for name, row in zip(names, row_numbers, strict=True)
    ]
    headings = [TableCell(f"Place, {k}") for k in ("k = 0", now)] + [TableCell(f"Score, {k}") for k in ("k = 0", now)]
    return ChangedItems([TableCell(names_heading(analysis), "text"), *headings], cells, items.height)


def names_heading(analysis: Analysis) -> str:
    """Return the heading of the column of items."""
    return shown(analysis.result.columns[0], MAX_NAME_LENGTH)


def _chosen(analysis: Analysis, show: str) -> pl.DataFrame:
    """Return the row numbers of the items that a filter keeps."""
    items, result = analysis.items, analysis.result
    if show in ("changeable", "changed"):
        chosen = items[show]
    elif show == "uncertified":
        chosen = result["status"] != "ok"
    elif show == "ties":
        chosen = _ties(analysis)
    else:
        return pl.DataFrame({"row": np.arange(items.height, dtype=np.uint32)})
    return pl.DataFrame({"row": np.flatnonzero(chosen.fill_null(value=False).to_numpy()).astype(np.uint32)})


def _ties(analysis: Analysis) -> pl.Series:
    """Return which decisions are ties, or which places are shared."""
    if analysis.ranking is None:
        return analysis.result["tie"]
    rank = pl.Series(analysis.ranking.rank)
    return rank.is_duplicated() & (rank > 0)


def _scores(analysis: Analysis, row_numbers: Sequence[int]) -> tuple[list[TableCell], list[list[TableCell]]]:
    """Return the table of scores and places: headings and rows."""
    ranking, result = analysis.ranking, analysis.result
    if ranking is None:
        return [], []
    digits = decimals(result["estimate"])
    protected = analysis.k > 0
    counted = result["m"].n_unique() > 1
    headings = [TableCell(names_heading(analysis), "text"), TableCell("Verdict", "text"), TableCell("Place")]
    headings += (
        [TableCell("Possible places")] * protected + [TableCell("Score")] + [TableCell("Possible scores")] * protected
    )
    ends = {"dropped_low": "Dropped low", "dropped_high": "Dropped high"}
    dropped = [name for name in ends if protected and name in result.columns]
    headings += [TableCell(ends[name], "text") for name in dropped]
    headings += [TableCell("Fewest marks" if analysis.has_parts else "Marks")] * counted
    rows = []
    for name, row in zip(_names(analysis, row_numbers), row_numbers, strict=True):
        certified = result["status"][row] == "ok"
        best, worst = (f"{int(end[row]):,}" for end in (ranking.best_rank, ranking.worst_rank))
        places = TableCell("" if not certified else best if best == worst else f"{best} to {worst}")
        span = [number(result[name][row], digits).text for name in ("range_low", "range_high")]
        cells = [name, _verdict(analysis, row), TableCell(f"{ranking.rank[row]:,}" if certified else "")]
        cells += [places] * protected + [number(result["estimate"][row], digits)]
        cells += [TableCell(" to ".join(span) if certified else "")] * protected
        cells += [text(result[name][row]) for name in dropped]
        rows.append(cells + [_count(result["m"][row])] * counted + _stated(result, row))
    return headings + _stated_headings(result), rows


def _decisions(analysis: Analysis, row_numbers: Sequence[int]) -> tuple[list[TableCell], list[list[TableCell]]]:
    """Return the table of decisions and the flips they need: headings and rows."""
    result = analysis.result
    votes = "positive" in result.columns[1:]
    shares = [name for name in result.columns[1:] if name.startswith("share_")]
    shares = shares if len(shares) <= _MAX_CLASSES else []
    headings = [TableCell(names_heading(analysis), "text"), TableCell("Verdict", "text"), TableCell("Decision", "text")]
    needed = {name: heading for name, heading in _NEEDED.items() if name in result.columns[1:]}
    headings += map(TableCell, needed.values())
    headings += [TableCell("Positive")] * votes + [
        TableCell("Reports"),
        TableCell("Share positive" if votes else "Share"),
    ]
    headings += [TableCell(f"Share of {shown(name.removeprefix('share_'), 24)}") for name in shares]
    rows = []
    for name, row in zip(_names(analysis, row_numbers), row_numbers, strict=True):
        cells = [name, _verdict(analysis, row), text(result["decision"][row])]
        cells += [_count(result[column][row]) for column in [*needed, *["positive"] * votes, "m"]]
        cells += [number(result[column][row], 3) for column in ["estimate", *shares]]
        rows.append(cells + _stated(result, row))
    return headings + _stated_headings(result), rows


def _stated_headings(result: pl.DataFrame) -> list[TableCell]:
    """Return the headings of the reporters who were asked or are set aside, where these are stated."""
    names = {"asked": "Asked", "set_aside": "Set aside"}
    return [TableCell(heading) for name, heading in names.items() if name in result.columns[1:]]


def _stated(result: pl.DataFrame, row: int) -> list[TableCell]:
    """Return how many reporters of an item were asked or are set aside, where these are stated."""
    return [_count(result[name][row]) for name in ("asked", "set_aside") if name in result.columns[1:]]


def _verdict(analysis: Analysis, row: int) -> TableCell:
    """Return the verdict on the answer to one item."""
    status = analysis.result["status"][row]
    if status != "ok":
        return TableCell(status, "bad")
    if not analysis.scores and analysis.result["tie"][row]:
        return TableCell("tie", "bad")
    if analysis.k == 0:
        return TableCell("no protection", "text")
    return TableCell("not safe", "bad") if analysis.items["changeable"][row] else TableCell("safe", "good")


def _names(analysis: Analysis, row_numbers: Sequence[int]) -> list[TableCell]:
    """Return cells with the names of items."""
    return [text(analysis.items["item"][row]) for row in row_numbers]


def _count(value: int | None) -> TableCell:
    """Return a cell with a count."""
    return TableCell("" if value is None else f"{value:,}")
