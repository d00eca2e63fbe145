"""Recognise the kind of reports (scores, votes or labels) by their values and the names of their columns."""

from collections.abc import Sequence
from typing import Literal

import narwhals.stable.v2 as nw
import numpy as np
import polars as pl
from polars import selectors as cs

from bribeproof._typing import FloatArray
from bribeproof._warnings import record_notes
from bribeproof.frames.reading.vocabulary import LABELLERS, LABELS, SCORERS, SCORES
from bribeproof.frames.values.missing_codes import MissingCodes
from bribeproof.frames.values.missing_words import is_missing_word
from bribeproof.frames.values.notation_choice import is_written_number
from bribeproof.frames.values.number_format import find_notation
from bribeproof.frames.values.text import WHITE_SPACE
from bribeproof.questions import Choice, QuestionError

Kind = Literal["scores", "votes", "labels"]
KINDS: tuple[Kind, ...] = ("scores", "votes", "labels")
NUMBER = r"^[+-]?([0-9]+([.,][0-9]*)?|[.,][0-9]+)([eE][+-]?[0-9]+)?\s*%?$"
_WHOLE = r"^[+-]?[0-9]+([.,]0*)?$"
_THOUSANDS = r"^[+-]?[1-9][0-9]{0,2}MARK[0-9]{3}\s*%?$"
SINGLE_VALUES = ~(cs.nested() | cs.binary() | cs.object())
"""The columns whose cells are single values, which can be read as text."""
_LOOKED_AT = 1000
"""The most reports that are no plain numbers that are looked at."""
DECIMAL_COMMA = "decimal mark ','"
"""How a decimal comma is told."""
_PLACES = 3
"""So many numbers from 1 on may be places."""
_MANY = 10
"""Whole numbers of more distinct values than this are scores."""


def kind_of(kind: str | None, cells: pl.Series, words: set[str]) -> Kind:
    """Return the kind of reports.

    Parameters
    ----------
    kind
        The kind, if it is known.
    cells
        The different reports, as text.
    words
        The words that the names of their columns have in common.

    Raises
    ------
    QuestionError
        If two kinds are plausible.
    """
    for known in KINDS:
        if kind == known:
            return known
    named = _either(words, SCORES, LABELS)
    hinted = named or _either(words, SCORERS, LABELLERS)
    numbers = cells.filter(cells.str.contains(NUMBER))
    if cells.is_empty():
        return hinted or "labels"
    others = cells.filter(~cells.is_in(numbers.implode())).sort().head(_LOOKED_AT).to_list()
    absent = sum(map(is_missing_word, others))
    if numbers.is_empty() or len(numbers) * 2 < len(cells) - absent:
        if named == "labels" or 2 * sum(map(is_written_number, others)) < len(others):
            if named == "scores" and 2 * sum(any(letter.isdigit() for letter in text) for text in others) > len(others):
                raise _question(cells, "labels")
            return "labels"
        if hinted == "scores":
            return "scores"
        raise _question(cells, "labels")
    if not numbers.str.contains(_WHOLE).all():
        return "scores"
    binary = set(cells.str.replace(r"[.,]0*$", "")) <= {"0", "1"}
    if binary and hinted != "scores":
        return "votes"
    if hinted and not (binary and named is None):
        return hinted
    if len(numbers) == len(cells) > _MANY:
        return "scores"
    raise _question(cells, "votes" if binary else "labels")


def _question(cells: pl.Series, other: Kind) -> QuestionError:
    """Return the question whether reports are scores or of another kind."""
    shown = ", ".join(sorted(cells)[:6])
    choices = [Choice("numbers to average", {"kind": "scores"}), Choice("classes to count", {"kind": other})]
    places = set(cells) == set(map(str, range(1, len(cells) + 1)))
    rankings = " (or places of judges' rankings: use bribeproof rank)" if places and len(cells) >= _PLACES else ""
    return QuestionError(f"reports such as {shown} may be scores or {other}{rankings}", choices)


def implied_kind(kind: Kind | None, classes: Sequence[object] | None, *, is_vote: bool = False) -> Kind | None:
    """Return the kind that options imply where it is not given; None if they imply none.

    Parameters
    ----------
    kind
        The kind, if it is given.
    classes
        The declared classes: 0 and 1 are those of votes, all others those of labels.
    is_vote
        Whether an option is given that only votes have.

    Examples
    --------
    >>> implied_kind(None, [0, 1]), implied_kind(None, ["no", "yes"]), implied_kind("scores", ["no", "yes"])
    ('votes', 'labels', 'scores')
    """
    if kind is not None or not (is_vote or classes):
        return kind
    return "votes" if is_vote or [str(one) for one in classes or ()] == ["0", "1"] else "labels"


def notation(kind: Kind, cells: pl.Series) -> tuple[str, ...]:
    """Return how all scores are written, if they are not plain numbers; nothing where they are written differently.

    Examples
    --------
    >>> notation("scores", pl.Series(["7,5", "8"])), notation("scores", pl.Series(["1 250,5"]))
    (("decimal mark ','",), ("decimal mark ','",))
    >>> notation("scores", pl.Series(["7,5", "8.5", "9,5"]))
    ()
    """
    if kind != "scores":
        return ()
    plain = cells.str.contains(NUMBER)
    numbers, others = cells.filter(plain), cells.filter(~plain).sort().head(_LOOKED_AT)
    percent = numbers.str.ends_with("%").sum()
    points, commas = (
        (
            numbers.str.contains(sign, literal=True) & ~numbers.str.contains(_THOUSANDS.replace("MARK", f"[{sign}]"))
        ).sum()
        for sign in ".,"
    )
    if others.len() and not points:
        with record_notes():  # the parser makes them
            whole = pl.concat([numbers, others]).alias("cell").to_frame().lazy()
            commas = find_notation(nw.from_native(whole), "cell", None).decimal_mark == ","
    found = {DECIMAL_COMMA: commas and not points, "percentages, 85% as 85": 0 < percent == len(numbers)}
    return tuple(text for text, is_so in found.items() if is_so)


def as_text(frame: pl.DataFrame) -> pl.DataFrame:
    """Return the columns of single values as trimmed text, with null for empty cells."""
    plain = frame.select(SINGLE_VALUES)
    plain = plain.with_columns(cs.float().fill_nan(None))
    return plain.select(pl.all().cast(pl.String, strict=False).str.strip_chars(WHITE_SPACE).replace("", None))


def as_numbers(text: pl.DataFrame, names: Sequence[str]) -> FloatArray:
    """Return columns of text as numbers, NaN where a cell is none."""
    plain = pl.col(list(names)).str.strip_chars(" %").str.replace(",", ".", literal=True)
    return text.select(plain.cast(pl.Float64, strict=False)).to_numpy().astype(np.float64)


def different_reports(frame: pl.DataFrame, names: Sequence[str], missing: Sequence[str]) -> pl.Series:
    """Return the different reports in some columns as text."""
    of_type: dict[pl.DataType, list[pl.Series]] = {}
    for column in frame.select(pl.col(names).unique().implode()):
        cells = column.item()
        of_type.setdefault(cells.dtype, []).append(cells.alias(""))
    columns = [as_text(pl.concat(alike).unique().to_frame()) for alike in of_type.values()]
    texts = [text.to_series() for text in columns if text.width]
    reports = pl.concat(texts).unique().drop_nulls() if texts else pl.Series(dtype=pl.String)
    return reports.filter(~reports.is_in(MissingCodes.of(missing).among(reports)))


def _either(words: set[str], scores: frozenset[str], labels: frozenset[str]) -> Kind | None:
    """Return which of two vocabularies contains the words; None if neither or both do."""
    if words.isdisjoint(scores) == words.isdisjoint(labels):
        return None
    return "scores" if words.isdisjoint(labels) else "labels"
