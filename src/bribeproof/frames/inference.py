"""Recognise what a table holds (scores, votes or labels, in long or wide form) by its column names and values."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
import polars as pl
from numpy.typing import NDArray
from polars import selectors as cs

from bribeproof._text import count, list_names, shorten
from bribeproof.errors import ColumnError, DataError, ParameterError
from bribeproof.frames.column_words import (
    ITEM_WORDS,
    LABEL_WORDS,
    LABELLER_WORDS,
    REPORT_WORDS,
    REPORTER_WORDS,
    SCORE_WORDS,
    SCORER_WORDS,
    SUMMARY_WORDS,
    columns_named,
    numbered_groups,
    only_column_named,
    words_of,
)
from bribeproof.frames.missing_codes import MissingCodes
from bribeproof.frames.notation_choice import is_written_number
from bribeproof.frames.schema import Columns, ReportSchema
from bribeproof.frames.text import WHITE_SPACE

Kind = Literal["scores", "votes", "labels"]
KINDS: tuple[Kind, ...] = ("scores", "votes", "labels")

_NUMBER = r"^[+-]?([0-9]+([.,][0-9]*)?|[.,][0-9]+)([eE][+-]?[0-9]+)?\s*%?$"
_WHOLE = r"^[+-]?[0-9]+([.,]0*)?$"
_MANY = 10
"""Whole numbers of more distinct values than this are scores."""
_LOOKED_AT = 1000
"""The most reports that are no plain numbers that are looked at."""
_MOST_SUMMARIES = 8
"""A sheet has few columns that summarise the others."""
_ROUNDING = 0.0051
"""The largest distance of a summary from the value that it rounds."""


@dataclass(frozen=True, slots=True)
class Recognised:
    """The recognised kind and columns of a table.

    Attributes
    ----------
    kind
        ``"scores"``, ``"votes"`` or ``"labels"``.
    columns
        The columns of the items, the reporters and the reports.
    left_out
        Columns that are not used.
    notation
        Notation of scores that are not plain numbers, such as decimal commas.
    """

    kind: Kind
    columns: Columns
    left_out: tuple[str, ...] = ()
    notation: tuple[str, ...] = ()

    def describe(self) -> str:
        """Return in one line how the table is read.

        Examples
        --------
        >>> Recognised("scores", Columns("entry", judges=("j1", "j2")), ("average",)).describe()
        "scores, wide form: items in 'entry', 2 reporters: 'j1', 'j2'; left out: 'average'"
        """
        where = self.columns
        if where.judges:
            names = [repr(name) for name in where.judges]
            shown = ", ".join(names if len(names) <= 4 else [*names[:2], "…", names[-1]])
            text = f"{self.kind}, wide form: items in {where.item!r}, {count(len(names), 'reporter')}: {shown}"
        else:
            text = (
                f"{self.kind}, long form: items in {where.item!r}, "
                f"reporters in {where.reporter!r}, reports in {where.value!r}"
            )
        if where.asked:
            text += f"; reporters asked in {where.asked!r}"
        text += "".join(f"; {one}" for one in self.notation)
        if self.left_out:
            text += f"; left out: {list_names(self.left_out)}"
        return text


def recognise(
    frame: pl.DataFrame,
    *,
    kind: str | None = None,
    item: str | None = None,
    reporter: str | None = None,
    value: str | None = None,
    judges: Sequence[str] | None = None,
    missing: Sequence[str] = (),
    asked: str | None = None,
) -> Recognised:
    """Recognise what a table holds, as far as the user has not named it.

    Parameters
    ----------
    frame
        The table; cells may be text.
    kind
        ``"scores"``, ``"votes"`` or ``"labels"``, if known.
    item, reporter, value, judges
        Columns, if known.
    missing
        Texts that stand for no report.
    asked
        The column of how many reporters each item was given to, if there is one.

    Raises
    ------
    ColumnError
        If a column that was named does not exist.
    ParameterError
        If columns of both forms are named.
    DataError
        If several readings are plausible; the message names the option that decides.

    Examples
    --------
    >>> recognise(pl.DataFrame({"task": ["a"], "worker": ["w"], "label": ["cat"]})).kind
    'labels'
    """
    if kind is not None and kind not in KINDS:
        raise ParameterError(f"kind={kind!r}: use one of {', '.join(KINDS)}")
    existing = set(frame.columns)
    for name in (item, reporter, value, asked, *(judges or ())):
        if name is not None and name not in existing:
            raise ColumnError(f"there is no column {shorten(name)}; the columns are: {list_names(frame.columns)}")
    if asked is not None:
        if asked in (item, reporter, value, *(judges or ())):
            raise ParameterError(f"asked={asked!r} is the column of the items, the reporters or their reports")
        found = recognise(
            frame.drop(asked), kind=kind, item=item, reporter=reporter, value=value, judges=judges, missing=missing
        )
        return replace(found, columns=replace(found.columns, asked=asked))
    if judges is not None:
        if reporter or value:
            raise ParameterError(
                "--judges names the columns of a wide table, --reporter and --value those of a long one: use either"
            )
        return _wide(frame, kind, item, judges, missing)
    names = [name for name in frame.columns if name != item]
    who = [reporter] if reporter else columns_named(names, REPORTER_WORDS)
    what = [value] if value else columns_named(names, REPORT_WORDS)
    if len(who) == len(what) == 1:
        return _long(frame, kind, item, who[0], what[0], missing)
    if reporter or value or ((who or what) and not numbered_groups(names)):
        part, option = ("reporters", "--reporter") if len(who) != 1 else ("reports", "--value")
        raise DataError(
            f"which column holds the {part}? Name it ({option} NAME), or, where every reporter has a column, "
            f"name those (--judges A,B,C); the columns are: {list_names(frame.columns)}"
        )
    return _wide(frame, kind, item, None, missing)


def _long(
    frame: pl.DataFrame, kind: str | None, item: str | None, reporter: str, value: str, missing: Sequence[str]
) -> Recognised:
    """Recognise a table with one report per row."""
    others = [name for name in frame.columns if name not in (reporter, value)]
    item = item or only_column_named(others, ITEM_WORDS) or (others[0] if len(others) == 1 else None)
    if item is None:
        listed = list_names(others) or "none"
        raise DataError(f"which column holds the items? Name it (--item NAME); the others are: {listed}")
    columns = Columns.find(frame.columns, ReportSchema(item, reporter, value))
    cells = _distinct(frame, [columns.value], missing)
    kind = _kind(kind, cells, set(words_of(columns.value)))
    return Recognised(kind, columns, tuple(name for name in others if name != item), _notation(kind, cells))


def _wide(
    frame: pl.DataFrame,
    kind: str | None,
    item: str | None,
    judges: Sequence[str] | None,
    missing: Sequence[str],
) -> Recognised:
    """Recognise a table with one column per reporter."""
    names = frame.columns
    if judges is None:
        judges = _judges(_text(frame), item or only_column_named(names, ITEM_WORDS), kind)
        if not judges:
            raise DataError(
                f"no columns of reports among {list_names(names)}: name them "
                f"(--judges A,B,C), or those of a long table (--item, --reporter, --value)"
            )
    reporters = set(judges)
    others = [name for name in names if name not in reporters]
    item = item or only_column_named(others, ITEM_WORDS) or (others[0] if others else None)
    if item is None:
        raise DataError("every column holds reports, and none says which item a row is about: name it (--item NAME)")
    columns = Columns.find(names, ReportSchema(item, judges=judges))
    common = set.intersection(*(set(words_of(name)) for name in columns.judges))
    cells = _distinct(frame, columns.judges, missing)
    kind = _kind(kind, cells, common)
    left_out = tuple(name for name in others if name != columns.item)
    return Recognised(kind, columns, left_out, _notation(kind, cells))


def _notation(kind: Kind, cells: pl.Series) -> tuple[str, ...]:
    """Return how scores are written, if they are not plain numbers."""
    if kind != "scores":
        return ()
    signs = {",": "decimal mark ','", "%": "percentages, 85% as 85"}
    return tuple(text for sign, text in signs.items() if cells.str.contains(sign, literal=True).any())


def _kind(kind: str | None, cells: pl.Series, words: set[str]) -> Kind:
    """Return the kind of reports, by their values and by the words in the names of their columns."""
    for known in KINDS:
        if kind == known:
            return known
    named = _either(words, SCORE_WORDS, LABEL_WORDS)
    hinted = named or _either(words, SCORER_WORDS, LABELLER_WORDS)
    numbers = cells.filter(cells.str.contains(_NUMBER))
    if cells.is_empty():
        return hinted or "labels"
    if hinted == "scores" and 2 * len(numbers) < len(cells):
        others = cells.filter(~cells.is_in(numbers)).sort().head(_LOOKED_AT).to_list()
        if 2 * sum(map(is_written_number, others)) >= len(others):
            return "scores"
    if len(numbers) * 2 < len(cells):
        return "labels"
    if not numbers.str.contains(_WHOLE).all():
        return "scores"
    binary = set(cells.str.replace(r"[.,]0*$", "")) <= {"0", "1"}
    if binary and hinted != "scores":
        return "votes"
    if hinted and not (binary and named is None):
        return hinted
    if len(numbers) == len(cells) > _MANY:
        return "scores"
    shown = ", ".join(sorted(cells)[:6])
    other = "votes" if binary else "labels"
    raise DataError(f"reports such as {shown} may be scores or {other}: name the kind (--kind scores, --kind {other})")


def _either(words: set[str], scores: frozenset[str], labels: frozenset[str]) -> Kind | None:
    """Return which of two vocabularies contains the words; None if neither or both do."""
    if words.isdisjoint(scores) == words.isdisjoint(labels):
        return None
    return "scores" if words.isdisjoint(labels) else "labels"


def _judges(text: pl.DataFrame, item: str | None, kind: str | None) -> list[str]:
    """Return the columns that look like reporters: numbered ones (j1, j2, …), else those with reports."""
    names = [name for name in text.columns if name != item]
    shares = text.select(pl.col(names).str.contains(_NUMBER).mean()).row(0, named=True) if names else {}
    numeric = {name: share for name, share in shares.items() if share is not None and share >= 0.5}

    def likely(group: list[str]) -> tuple[bool, int, int]:
        known = not (SCORER_WORDS | LABELLER_WORDS | REPORTER_WORDS).isdisjoint(words_of(group[0]))
        return known, sum(name in numeric for name in group), len(group)

    if groups := numbered_groups(names):
        return max(groups, key=likely)
    rest = names if item else names[1:]
    allowed = set(rest)
    chosen = [name for name in numeric if name in allowed and (ITEM_WORDS | SUMMARY_WORDS).isdisjoint(words_of(name))]
    chosen = _without_summaries(chosen, text)
    if chosen or kind == "scores":
        return chosen
    answered = [name for name in rest if text[name].count()]
    return answered if len(answered) > 1 else []


def _without_summaries(names: list[str], text: pl.DataFrame) -> list[str]:
    """Remove columns that are the mean or the sum of the others; if each of them is, none is a summary."""
    numbers = text.select(
        pl.col(names).str.strip_chars(" %").str.replace(",", ".", literal=True).cast(pl.Float64, strict=False)
    ).to_numpy()
    kept = np.arange(len(names))
    for _ in range(_MOST_SUMMARIES):
        summaries = _are_summaries(numbers[:, kept]) if len(kept) > 2 else np.zeros(0, np.bool_)
        if summaries.all() or not summaries.any():
            break
        kept = np.delete(kept, summaries.argmax())
    return [names[position] for position in kept]


def _are_summaries(numbers: NDArray[np.float64]) -> NDArray[np.bool_]:
    """Return which columns are, in every row, the mean or the sum of the others; NaN stands for no number.

    The sums over the columns before and after each one make the time proportional to the number of cells.
    """
    known = ~np.isnan(numbers)
    counts, sums = (_sums_of_others(cells) for cells in (known.astype(np.float64), np.where(known, numbers, 0.0)))
    comparable = known & (counts > 0)
    summaries: NDArray[np.bool_] = np.zeros(numbers.shape[1], np.bool_)
    for summary in (sums / np.maximum(counts, 1), sums):
        with np.errstate(invalid="ignore"):
            equal = (np.abs(numbers - summary) < _ROUNDING) | ~comparable
        summaries |= equal.all(axis=0)
    return summaries & comparable.any(axis=0)


def _sums_of_others(cells: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return for each cell the sum of the other cells in its row."""
    sums = np.zeros_like(cells)
    np.cumsum(cells[:, :-1], axis=1, out=sums[:, 1:])
    sums[:, :-1] += np.cumsum(cells[:, :0:-1], axis=1)[:, ::-1]
    return sums


def _text(frame: pl.DataFrame) -> pl.DataFrame:
    """Return the columns of single values as trimmed text, with null for empty cells."""
    plain = frame.select(~(cs.nested() | cs.binary() | cs.object()))
    plain = plain.with_columns(cs.float().fill_nan(None))
    return plain.select(pl.all().cast(pl.String, strict=False).str.strip_chars(WHITE_SPACE).replace("", None))


def _distinct(frame: pl.DataFrame, names: Sequence[str], missing: Sequence[str]) -> pl.Series:
    """Return the different reports in some columns as text."""
    of_type: dict[pl.DataType, list[pl.Series]] = {}
    for column in frame.select(pl.col(names).unique().implode()):
        cells = column.item()
        of_type.setdefault(cells.dtype, []).append(cells.alias(""))
    columns = [_text(pl.concat(alike).unique().to_frame()) for alike in of_type.values()]
    texts = [text.to_series() for text in columns if text.width]
    reports = pl.concat(texts).unique().drop_nulls() if texts else pl.Series(dtype=pl.String)
    return reports.filter(~reports.is_in(MissingCodes.of(missing).among(reports)))
