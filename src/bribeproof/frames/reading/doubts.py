"""Doubts about the columns of reporters that their values raise: they lead to a question, and decide nothing."""

from collections.abc import Sequence

import numpy as np
import polars as pl
from numpy.typing import NDArray

from bribeproof.frames.reading.kinds import NUMBER, as_numbers

_LONG_TEXT = 40
"""Reports of more letters than this, on average, are texts."""
_LABELS = r"""[^;|,#/+&•\n\t；、，¦\[\]{}"']+"""
_FEWEST = 3
"""The fewest columns that can raise a doubt by how they are related."""
_COUNTED = 5
"""The fewest rows whose numbers 1, 2, 3, … raise a doubt."""


def column_types(text: pl.DataFrame, names: Sequence[str]) -> dict[str, str]:
    """Return for each column whether most of its cells are numbers or words; ``""`` if all are empty."""
    if not names:
        return {}
    shares = text.select(pl.col(list(names)).str.contains(NUMBER).mean()).row(0, named=True)
    return {name: "" if share is None else "numbers" if share >= 0.5 else "words" for name, share in shares.items()}


def alike(text: pl.DataFrame, names: Sequence[str], panel: Sequence[str]) -> list[str]:
    """Return the columns that could be those of further members of a panel, who may have said nothing."""
    existing = set(text.columns)
    names = [name for name in names if name in existing]
    if not names or not panel:
        return []
    types = column_types(text, [*names, *panel])
    theirs = {types[other] for other in panel} - {""}
    return [name for name in names if not types[name] or not theirs or types[name] in theirs]


def doubtful(text: pl.DataFrame, panel: Sequence[str], *, sets: bool = False) -> tuple[str, list[str]] | None:
    """Return why some columns of a panel may hold no reports, and which ones; None without a doubt.

    Parameters
    ----------
    text
        The table as text.
    panel
        The columns whose names do not say what they hold, in the order of the table.
    sets
        Whether cells are known to hold several labels.
    """
    types = column_types(text, panel)
    numbers, words = ([name for name in panel if types[name] == kind] for kind in ("numbers", "words"))
    if numbers and words:
        return "words beside columns of numbers", words
    if words:
        return _doubtful_words(text, words, sets=sets)
    return _doubtful_numbers(text, numbers) if len(numbers) > 1 else None


def _doubtful_words(text: pl.DataFrame, words: list[str], *, sets: bool) -> tuple[str, list[str]] | None:
    """Return the columns of texts, or of words that no other column contains."""
    texts = [name for name in words if (text[name].str.len_chars().mean() or 0) > _LONG_TEXT]  # type: ignore[operator]
    if texts and len(texts) < len(words) and not sets:
        return "long texts", texts
    if len(words) < _FEWEST:
        return None
    said = {name: (_labels(text[name]) if sets else text[name]).drop_nulls().unique() for name in words}
    holders = pl.concat([cells.alias("") for cells in said.values()]).value_counts(name="columns")
    shared = holders.filter(pl.col("columns") > 1)[""].implode()
    alone = [name for name in words if not said[name].is_in(shared).any()]
    return ("words that no other column contains", alone) if 0 < len(alone) < len(words) else None


def _labels(cells: pl.Series) -> pl.Series:
    """Return about the labels in cells that hold several, whatever separates them."""
    return cells.str.extract_all(_LABELS).explode().str.strip_chars()


def _doubtful_numbers(text: pl.DataFrame, numbers: list[str]) -> tuple[str, list[str]] | None:
    """Return the column of numbers that count the rows, are of another size, or summarise the others."""
    cells = as_numbers(text, numbers)
    height, width = cells.shape
    if height >= _COUNTED:
        counting = (cells == np.arange(1, height + 1)[:, None]).all(axis=0)
        if counting.any() and not counting.all():
            return "the numbers of the rows", _where(numbers, counting)
    if width >= _FEWEST:
        low, high = _extremes(cells)
        second, first = np.sort(high)[-2:]
        others_high = np.where(high == first, second, first)
        larger = (low > 4 * np.abs(others_high)) & (low > 10)
        if larger.any() and not larger.all():
            return "numbers much larger than the others'", _where(numbers, larger)
        if finer := _finer(text, numbers):
            return "more decimals than the others", finer
        if kind := _last_summarises(cells):
            return f"the {kind} of the others in each row", numbers[-1:]
    return None


def _finer(text: pl.DataFrame, numbers: Sequence[str]) -> list[str]:
    """Return the column of which most cells have more decimals than any cell of the others, and at least two."""
    written = pl.all().str.extract(r"[.,](\d*[1-9])").str.len_chars().fill_null(0)
    decimals = text.select(numbers).select(pl.when(pl.all().is_not_null()).then(written)).to_numpy().astype(np.float64)
    _, most = _extremes(decimals)
    finest = int(most.argmax())
    others = max(1, np.delete(most, finest).max())
    cells = decimals[~np.isnan(decimals[:, finest]), finest]
    return [numbers[finest]] if others == 1 and 2 * (cells > others).sum() > len(cells) else []


def _last_summarises(cells: NDArray[np.float64]) -> str | None:
    """Return whether the last column is the mean or the sum of the others in each row, and these do not all agree."""
    own, others = cells[:, -1], cells[:, :-1]
    used = ~np.isnan(own) & ~np.isnan(others).all(axis=1)
    own, others = own[used], others[used]
    if len(np.unique(own)) < 2 or (np.nanmax(others, axis=1) == np.nanmin(others, axis=1)).any():
        return None
    summaries = [("mean", np.nanmean(others, axis=1)), ("sum", np.nansum(others, axis=1))]
    if others.shape[1] > _FEWEST and not np.isnan(others).any():
        summaries += [
            ("trimmed mean", np.sort(others, axis=1)[:, 1:-1].mean(axis=1)),
            ("median", np.median(others, axis=1)),
        ]
    for kind, summary in summaries:
        if (np.abs(own - summary) < 0.0051).all():
            return kind
    return None


def _where(names: list[str], which: NDArray[np.bool_]) -> list[str]:
    """Return the names for which a flag is set."""
    return [name for name, one in zip(names, which.tolist(), strict=True) if one]


def _extremes(cells: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the least and the largest number of each column; 0 for a column without one."""
    known = ~np.isnan(cells)
    low = np.where(known, cells, np.inf).min(axis=0)
    high = np.where(known, cells, -np.inf).max(axis=0)
    return np.where(np.isfinite(low), low, 0.0), np.where(np.isfinite(high), high, 0.0)
