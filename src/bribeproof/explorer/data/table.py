"""What is shown of an outcome: some of its items, the most fragile first, as text."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import polars as pl

from bribeproof.errors import ParameterError
from bribeproof.explorer.data.analysis import Analysis
from bribeproof.explorer.data.query import SHOWN
from bribeproof.frames.text import clean_value
from bribeproof.plots.names import shown

PAGE = 50
"""So many items are shown at a time."""
LONGEST = 60
"""Names are cut to so many letters."""
_FEW_CLASSES = 6
"""The shares of more classes are only in the files."""


@dataclass(frozen=True, slots=True)
class TableCell:
    """A cell of a table.

    Attributes
    ----------
    text
        What it says.
    kind
        ``"text"``, ``"number"``, or how good the news is: ``"good"`` or ``"bad"``.
    """

    text: str
    kind: str = "number"


@dataclass(frozen=True, slots=True)
class View:
    """Some items.

    Attributes
    ----------
    headings
        The names of the columns, and whether they hold text.
    rows
        The cells of each item, and whether k bribes could have changed it.
    places
        The rows of the result that they are.
    first, total
        The number of the first one, from 1, and how many there are on all pages.
    page, pages
        The number of this page, from 1, and how many there are.
    """

    headings: Sequence[TableCell]
    rows: Sequence[tuple[Sequence[TableCell], bool]]
    places: Sequence[int]
    first: int
    total: int
    page: int
    pages: int


@dataclass(frozen=True, slots=True)
class Changes:
    """Items whose answers are others than with k = 0.

    Attributes
    ----------
    headings, rows
        As in `View`.
    total
        How many there are in all.
    """

    headings: Sequence[TableCell]
    rows: Sequence[Sequence[TableCell]]
    total: int


def view(outcome: Analysis, *, show: str = "", find: str = "", page: int = 1, size: int = PAGE) -> View:
    """Choose items and write them as text.

    Parameters
    ----------
    outcome
        The answers.
    show
        One of `SHOWN`.
    find
        Text that the names of the items have to hold, in capitals or not.
    page, size
        Which page, and how many items there are on one. After the last page comes the last one.

    Raises
    ------
    ParameterError
        If there is no such choice.
    """
    if show not in SHOWN:
        raise ParameterError(f"show={show!r}: use one of {', '.join(filter(None, SHOWN))}")
    about = outcome.about.with_row_index("row")
    if find:
        about = about.filter(
            pl.col("item").str.to_lowercase().str.contains(str(clean_value(find)).lower(), literal=True)
        )
    places = about.join(_chosen(outcome, show), on="row", how="semi").sort("order", "row")["row"]
    pages = max(1, -(-len(places) // size))
    page = min(page, pages)
    start = (page - 1) * size
    here = places.slice(start, size).to_list()
    headings, rows = _scores(outcome, here) if outcome.scores else _decisions(outcome, here)
    flags = outcome.about["changeable"]
    marked = [(row, flags[place]) for row, place in zip(rows, here, strict=True)]
    return View(headings, marked, here, start + 1, len(places), page, pages)


def changes(outcome: Analysis, most: int) -> Changes:
    """Return the items whose answers are others than with k = 0, at most so many of them."""
    about = outcome.about.with_row_index("row").filter("changed")
    if outcome.scores:
        about = about.sort("place_before")
    here = about["row"].head(most).to_list()
    answer = outcome.result["estimate" if outcome.scores else "decision"]
    before = outcome.about["before"]
    names = _names(outcome, here)
    now = f"k = {outcome.k:,}"
    if outcome.ranking is None:
        states = outcome.result["status"]
        cells = [
            [name, text(before[row]), text(answer[row]) if states[row] == "ok" else TableCell(states[row], "bad")]
            for name, row in zip(names, here, strict=True)
        ]
        headings = [TableCell(names_heading(outcome), "text"), TableCell("k = 0", "text"), TableCell(now, "text")]
        return Changes(headings, cells, about.height)
    digits = decimals(answer)
    places, places_before = outcome.ranking.rank, outcome.about["place_before"]
    cells = [
        [
            name,
            TableCell(str(places_before[row])),
            TableCell(str(places[row]) if places[row] else "not certified"),
            number(before[row], digits),
            number(answer[row], digits),
        ]
        for name, row in zip(names, here, strict=True)
    ]
    headings = [TableCell(f"Place, {k}") for k in ("k = 0", now)] + [TableCell(f"Score, {k}") for k in ("k = 0", now)]
    return Changes([TableCell(names_heading(outcome), "text"), *headings], cells, about.height)


def bribed(k: int) -> str:
    """Name k bribed reporters."""
    return "one bribed reporter" if k == 1 else f"{k:,} bribed reporters"


def names_heading(outcome: Analysis) -> str:
    """Return the name of the column of items."""
    return shown(outcome.result.columns[0], LONGEST)


def text(value: object) -> TableCell:
    """Write a name or a label."""
    return TableCell("" if value is None else shown(value, LONGEST), "text")


def number(value: float | None, digits: int) -> TableCell:
    """Write a number with so many decimals; nothing where there is none."""
    return TableCell("" if value is None or math.isnan(value) else f"{value:,.{digits}f}")


def decimals(values: pl.Series) -> int:
    """Return how many decimals show five digits of the largest number.

    Examples
    --------
    >>> decimals(pl.Series([91.25, 7.5])), decimals(pl.Series([0.125]))
    (3, 5)
    """
    largest = values.abs().max()
    if not isinstance(largest, float) or not 0 < largest < math.inf:
        return 3
    return min(12, max(0, 4 - math.floor(math.log10(largest))))


def _chosen(outcome: Analysis, show: str) -> pl.DataFrame:
    """Return the rows of the items of a choice."""
    about, result = outcome.about, outcome.result
    if show in ("changeable", "changed"):
        chosen = about[show]
    elif show == "uncertified":
        chosen = result["status"] != "ok"
    elif show == "ties":
        chosen = _ties(outcome)
    else:
        return pl.DataFrame({"row": np.arange(about.height, dtype=np.uint32)})
    return pl.DataFrame({"row": np.flatnonzero(chosen.fill_null(value=False).to_numpy()).astype(np.uint32)})


def _ties(outcome: Analysis) -> pl.Series:
    """Say which decisions are ties, or which places are shared."""
    if outcome.ranking is None:
        return outcome.result["tie"]
    rank = pl.Series(outcome.ranking.rank)
    return rank.is_duplicated() & (rank > 0)


def _scores(outcome: Analysis, here: Sequence[int]) -> tuple[list[TableCell], list[list[TableCell]]]:
    """Write scores and places."""
    ranking, result = outcome.ranking, outcome.result
    if ranking is None:
        return [], []
    digits = decimals(result["estimate"])
    protected = outcome.k > 0
    counted = result["m"].n_unique() > 1
    headings = [TableCell(names_heading(outcome), "text"), TableCell("Verdict", "text"), TableCell("Place")]
    headings += (
        [TableCell("Possible places")] * protected + [TableCell("Score")] + [TableCell("Possible scores")] * protected
    )
    headings += [TableCell("Dropped low", "text"), TableCell("Dropped high", "text")] * protected
    headings += [TableCell("Marks")] * counted
    rows = []
    for name, row in zip(_names(outcome, here), here, strict=True):
        certified = result["status"][row] == "ok"
        best, worst = (f"{int(end[row]):,}" for end in (ranking.best_rank, ranking.worst_rank))
        places = TableCell("" if not certified else best if best == worst else f"{best} to {worst}")
        ends = [number(result[name][row], digits).text for name in ("range_low", "range_high")]
        cells = [name, _verdict(outcome, row), TableCell(f"{ranking.rank[row]:,}" if certified else "")]
        cells += [places] * protected + [number(result["estimate"][row], digits)]
        cells += [TableCell(" to ".join(ends) if certified else "")] * protected
        cells += [text(result[name][row]) for name in ("dropped_low", "dropped_high")] * protected
        rows.append(cells + [_count(result["m"][row])] * counted)
    return headings, rows


def _decisions(outcome: Analysis, here: Sequence[int]) -> tuple[list[TableCell], list[list[TableCell]]]:
    """Write decisions and how few reports turn them."""
    result = outcome.result
    votes = "positive" in result.columns[1:]
    shares = [name for name in result.columns[1:] if name.startswith("share_")]
    shares = shares if len(shares) <= _FEW_CLASSES else []
    headings = [TableCell(names_heading(outcome), "text"), TableCell("Verdict", "text"), TableCell("Decision", "text")]
    headings.append(TableCell("Flips needed"))
    headings += [TableCell("Positive")] * votes + [
        TableCell("Reports"),
        TableCell("Share positive" if votes else "Share"),
    ]
    headings += [TableCell(f"Share of {shown(name.removeprefix('share_'), 24)}") for name in shares]
    rows = []
    for name, row in zip(_names(outcome, here), here, strict=True):
        cells = [name, _verdict(outcome, row), text(result["decision"][row])]
        cells += [_count(result[column][row]) for column in ["flips_needed", *["positive"] * votes, "m"]]
        cells += [number(result[column][row], 3) for column in ["estimate", *shares]]
        rows.append(cells)
    return headings, rows


def _verdict(outcome: Analysis, row: int) -> TableCell:
    """Say how safe an answer is."""
    status = outcome.result["status"][row]
    if status != "ok":
        return TableCell(status, "bad")
    if not outcome.scores and outcome.result["tie"][row]:
        return TableCell("tie", "bad")
    if outcome.k == 0:
        return TableCell("no protection", "text")
    return TableCell("not safe", "bad") if outcome.about["changeable"][row] else TableCell("safe", "good")


def _names(outcome: Analysis, here: Sequence[int]) -> list[TableCell]:
    """Write the names of items."""
    return [text(outcome.about["item"][row]) for row in here]


def _count(value: int | None) -> TableCell:
    """Write a count."""
    return TableCell("" if value is None else f"{value:,}")
