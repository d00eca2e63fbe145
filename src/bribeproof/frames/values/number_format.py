"""Read a text column of scores: plain numbers on its own engine, numbers that people write otherwise one by one."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import narwhals.stable.v2 as nw
import polars as pl

from bribeproof._warnings import note
from bribeproof.errors import ParameterError
from bribeproof.frames.native import collect
from bribeproof.frames.native.backends import look_up
from bribeproof.frames.values.notation_choice import Choice, PlainCells, choose, read_grouped

# The engines do not agree on what \d is: some take the digits of every script, and convert only those from 0 to 9.
_DOT = r"^[+-]?([0-9]+(\.[0-9]*)?|\.[0-9]+)([eE][+-]?[0-9]+)?$"
_COMMA = r"^[+-]?([0-9]+(,[0-9]*)?|,[0-9]+)([eE][+-]?[0-9]+)?$"
_GROUPED = r"^[+-]?[1-9][0-9]{0,2}MARK[0-9]{3}$"
"""A number whose mark may be a thousands mark."""
_OTHERS, _WEIGHT = "_others", "_weight"
_PERSON = 10**9
"""The weight of a person, which is divided among the cells that he wrote."""


@dataclass(frozen=True, slots=True)
class Notation:
    """The way in which a text column writes numbers.

    Attributes
    ----------
    decimal_mark
        The decimal mark.
    percent
        Whether all numbers end with %; a percentage keeps its number: 85% is 85.
    whole
        The number of which all scores are fractions: 10 for 8/10, which is 8; empty if they are none.
    respelled
        The cells that are no plain numbers, each with its number in digits and a decimal point.
    refused
        Cells that are no numbers in this notation, each with the reason, which may be empty.
    questions
        Those of them that may be two numbers, if most cells are like that.
    """

    decimal_mark: str
    percent: bool
    whole: str = ""
    respelled: Mapping[str, str] = field(default_factory=dict)
    refused: Mapping[str, str] = field(default_factory=dict)
    questions: tuple[str, ...] = ()

    def explain(self, cell: str) -> str:
        """Return what is wrong with a cell that is no number in this notation."""
        if reason := self.refused.get(cell):
            return reason
        if self.percent:
            return "is not a number with % like the others"
        if self.whole and cell not in self.refused:
            return f"is no fraction of {self.whole} like the others: write all alike"
        return f"is not a number (decimal mark {self.decimal_mark!r})"

    def valid(self, text: nw.Expr) -> nw.Expr:
        """Return an expression of whether cells are plain numbers in this notation."""
        shape = _DOT if self.decimal_mark == "." else _COMMA
        return text.str.contains(shape.replace("$", " *%$") if self.percent else shape)

    def read(self, frame: nw.LazyFrame[Any], value: str, name: str) -> nw.LazyFrame[Any]:
        """Add a column of the numbers of a text column as digits and a decimal point; null where a cell is none."""
        text = nw.col(value)
        if not self.respelled:
            return frame.with_columns(self._plain(text).alias(name))
        table = pl.DataFrame({value: list(self.respelled), _OTHERS: list(self.respelled.values())})
        read = self._plain(text).otherwise(nw.col(_OTHERS))
        return look_up(frame, value, table, _OTHERS).with_columns(read.alias(name)).drop(_OTHERS)

    def parse(self, text: nw.Expr) -> nw.Expr:
        """Return an expression of plain numbers as floats; null where a cell is none."""
        number: nw.Expr = self._plain(text).cast(nw.Float64)
        return number

    def _plain(self, text: nw.Expr) -> Any:
        """Return an expression of plain numbers with a decimal point, which can be continued by ``otherwise``."""
        body = text.str.strip_chars(" %") if self.percent else text
        if self.decimal_mark == ",":
            body = body.str.replace_all(",", ".", literal=True)
        return nw.when(self.valid(text) & nw.lit(not self.whole)).then(body)


def read_number(text: str, decimal_mark: str = ".") -> float | None:
    """Return the number that clean text writes in the notation of a column of scores; None for any other text.

    Examples
    --------
    >>> read_number("1e3"), read_number("1,5", decimal_mark=","), read_number("1_000"), read_number("nan")
    (1000.0, 1.5, None, None)
    """
    shape = _DOT if decimal_mark == "." else _COMMA
    return float(text.replace(decimal_mark, ".")) if re.fullmatch(shape, text) else None


def find_notation(
    frame: nw.LazyFrame[Any], value: str, decimal_mark: str | None, *, voter: str | None = None
) -> Notation:
    """Find out how a text column writes numbers.

    Parameters
    ----------
    frame
        The cells, as text.
    value
        Their column.
    decimal_mark
        The decimal mark, if it is known.
    voter
        The column of who wrote them, if most of these people decide, and not most cells, so that a few bribed ones
        cannot choose how the numbers of the others are read.

    Raises
    ------
    ParameterError
        If ``decimal_mark`` is neither ``"."`` nor ``","``.
    """
    if decimal_mark not in (None, ".", ","):
        raise ParameterError(f"decimal_mark={decimal_mark!r}: use '.' or ','")
    cell = nw.col(value)
    frame = frame.filter(~cell.is_null())
    one = nw.lit(1, nw.Int64)
    if voter is not None:
        frame = frame.filter(~nw.col(voter).is_null())  # a missing one is an error of its own
        one = (_PERSON / nw.col(voter).count().over(voter)).floor().cast(nw.Int64)
    frame = frame.select(value, one.alias(_WEIGHT))
    most = "scores" if voter is None else "reporters"
    bare, percent = cell.str.strip_chars(" %"), cell.str.ends_with("%")
    found = _totals(frame, total=~cell.is_null(), plain=bare.str.contains(_DOT), percent=percent)
    if found["plain"] == found["total"] and decimal_mark != ",":
        plain = PlainCells(found["total"], found["percent"])
        choice = choose(plain, {}, {}, decimal_mark)
        _note_mixed(choice, plain, most, stated=decimal_mark is not None)
        return _notation(choice)
    dot, comma = bare.str.contains(_DOT), bare.str.contains(_COMMA)
    plain = PlainCells(
        **_totals(
            frame.filter(dot | comma),
            total=dot | comma,
            percent=percent,
            dots=~comma,
            commas=~dot,
            grouped_dots=bare.str.contains(_GROUPED.replace("MARK", r"\.")),
            grouped_commas=bare.str.contains(_GROUPED.replace("MARK", ",")),
        )
    )
    choice = choose(plain, *_counts(frame.filter(~dot & ~comma), value), decimal_mark)
    _note_mixed(choice, plain, most, stated=decimal_mark is not None)
    if plain.grouped_commas if choice.decimal_mark == "." else plain.grouped_dots:
        other = "," if choice.decimal_mark == "." else r"\."
        cells, _ = _counts(frame.filter(bare.str.contains(_GROUPED.replace("MARK", other))), value)
        read_grouped(choice, cells)
    return _notation(choice)


def _notation(choice: Choice) -> Notation:
    """Return the notation that is chosen, and note how numbers that are not plain ones are read."""
    for sentence in choice.notes():
        note(sentence)
    whole = choice.unit.strip("%")
    return Notation(choice.decimal_mark, choice.unit == "%", whole, choice.respelled, choice.refused, choice.questions)


def _note_mixed(choice: Choice, plain: PlainCells, most: str, *, stated: bool) -> None:
    """Note which of two ways of writing numbers is the right one, where both occur."""
    if not stated and plain.dots > plain.grouped_dots and plain.commas > plain.grouped_commas:
        note(f"decimal mark {choice.decimal_mark!r}, as most {most} have it")
    if 0 < plain.percent < plain.total:
        right = "percentages, 85% as 85" if choice.unit == "%" else "numbers without %"
        note(f"{right}, as most {most} have them")


def _totals(frame: nw.LazyFrame[Any], **conditions: nw.Expr) -> dict[str, int]:
    """Return the weight of the rows in which each condition holds."""
    held = {name: condition.cast(nw.Int64) * nw.col(_WEIGHT) for name, condition in conditions.items()}
    sums = frame.select(**held).select(nw.col(name).sum() for name in conditions)
    return {name: int(weight or 0) for name, weight in collect(sums).row(0, named=True).items()}


def _counts(frame: nw.LazyFrame[Any], value: str) -> tuple[dict[str, int], dict[str, int]]:
    """Return the different values of a column: how many rows have each, and their weight."""
    counts = collect(frame.group_by(value).agg(nw.len().alias("_rows"), nw.col(_WEIGHT).sum())).sort(value)
    cells = counts[value].to_list()
    return dict(zip(cells, counts["_rows"].to_list(), strict=True)), dict(
        zip(cells, map(int, counts[_WEIGHT].to_list()), strict=True)
    )
