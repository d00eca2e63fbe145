"""What follows the aggregation of each item: factors, deductions, and one total of the rounds or runs of an entry."""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from typing import Any, NamedTuple

import polars as pl

from bribeproof._text import count, list_names
from bribeproof._warnings import note
from bribeproof.aggregation.totals import combine_parts
from bribeproof.errors import DataError, ParameterError
from bribeproof.frames.native import collect, column_names, open_frame
from bribeproof.frames.out_of_core import LargeTable
from bribeproof.frames.reading.criteria import JOINER
from bribeproof.frames.reading.reading import Reading
from bribeproof.frames.reading.stated import Stated
from bribeproof.frames.schema import ROW
from bribeproof.frames.values import text
from bribeproof.frames.values.number_format import read_number


class PartsOfEntries(NamedTuple):
    """The entry and the factor of each item, and what is subtracted from each entry, by names as text."""

    entries: dict[str, str]
    factors: dict[str, Fraction]
    minus: dict[str, Fraction]


@dataclass(frozen=True, slots=True)
class TotalRule:
    """How the scores of items become the result.

    Attributes
    ----------
    total
        ``"sum of round"`` or ``"best of run"``, where the word is one of several columns that name the items; None if
        each item keeps its own result.
    factor
        Numbers and columns by which the score of each item is multiplied.
    minus
        The column of what is subtracted from the result; empty cells are 0. None for nothing.
    """

    total: str | None = None
    factor: tuple[str, ...] = ()
    minus: str | None = None

    @classmethod
    def of(cls, stated: Stated) -> "TotalRule":
        """Return the rule that a reading states."""
        return cls(stated.total, stated.factor, stated.minus)

    def __bool__(self) -> bool:
        """Return whether anything follows the aggregation."""
        return self.total is not None or bool(self.factor) or self.minus is not None

    def bribed_on_each(self, items: Sequence[str], part: str) -> str:
        """Return on what the bribed reporters may be others, if without a total they may be on each `part`."""
        chosen = self.part(items)
        return part if chosen is None else part.replace("item", chosen[1])

    def part(self, items: Sequence[str]) -> tuple[str, str] | None:
        """Return how parts are combined, sum or best, and the column of the parts; None if they are not.

        Examples
        --------
        >>> TotalRule("best of runs").part(["rider", "run"])
        ('best', 'run')
        """
        if self.total is None:
            return None
        found = re.fullmatch(r"\s*(sum|best)\s+of\s+(.+?)\s*", self.total, re.IGNORECASE)
        column = next(
            (name for name in items if found and found[2].casefold() in (name.casefold(), f"{name.casefold()}s")), None
        )
        if found is None or column is None or len(items) < 2:
            named = f"the items are named by {list_names(items)}" if items else "no column names the items"
            raise ParameterError(
                f"total={self.total!r}: write 'sum of' or 'best of' and one of several columns that name the items, as "
                f"in item=['diver', 'round'], total='sum of round' (--item diver,round --total 'sum of round'); {named}"
            )
        return found[1].lower(), column

    def how(self, items: Sequence[str], better: str) -> str:
        """Return how parts are combined: ``"sum"``, or for the best of them ``"max"`` or ``"min"``."""
        chosen = self.part(items)
        return "sum" if chosen is None or chosen[0] == "sum" else "max" if better == "high" else "min"

    def apply(self, scores: pl.DataFrame, frame: Any, reading: Reading, *, better: str, decimals: int | None) -> Any:
        """Return the results of items or of their totals.

        Parameters
        ----------
        scores
            One row per item, as `aggregate_scores` returns it.
        frame, reading
            The table in the form that its reading names.
        better
            Which score is the best, ``"high"`` or ``"low"``.
        decimals
            How many decimals products and totals are rounded to, half up.

        Raises
        ------
        DataError
            If a factor is missing, negative or not the same in all rows of an item, or likewise a deduction.
        """
        note(self.describe(reading.items))
        chosen = self.part(reading.items)
        groups, products, less = self.read_parts(frame, reading)
        group = ", ".join(name for name in reading.items if chosen and name != chosen[1]) or scores.columns[0]
        keys = [clean_name(key) for key in scores.to_series()]
        parts = scores.drop("dropped_low", "dropped_high", strict=False)
        parts = parts.with_columns(pl.Series(_GROUP, [groups[key] for key in keys], dtype=pl.String))
        result = combine_parts(
            parts,
            _GROUP,
            [products[key] for key in keys],
            how=self.how(reading.items, better),
            minus=less,
            decimals=decimals,
        )
        if chosen is None:
            dropped = [name for name in ("dropped_low", "dropped_high") if name in scores.columns]
            kept = scores.select(scores.columns[0], *dropped).get_columns()
            return result.with_columns(kept).select(scores.columns)
        if chosen[0] == "sum":
            _note_fewer(parts[_GROUP].to_list(), chosen[1])
        return result.rename({_GROUP: group})

    def read_parts(self, frame: Any, reading: Reading) -> PartsOfEntries:
        """Return of which entry each item is a part, and the factors and deductions in a table.

        Parameters
        ----------
        frame, reading
            The table in the form that its reading names.

        Raises
        ------
        DataError
            If a factor is missing, negative or not the same in all rows of an item, or likewise a deduction.
        """
        chosen = self.part(reading.items)
        outer = [name for name in reading.items if chosen is None or name != chosen[1]]
        item = reading.columns.item
        factors = [name for name in self.factor if name in column_names(frame)]
        fixed = Fraction(1)
        for name in self.factor:
            fixed *= Fraction(name) if name not in factors else 1
        if fixed < 0:
            raise ParameterError(f"factor={list(self.factor)!r}: factors are at least 0")
        minus = [self.minus] if self.minus is not None else []
        table = _columns_of(frame, list(dict.fromkeys([item, *(outer if chosen else []), *factors, *minus])))
        groups: dict[str, str] = {}
        products: dict[str, Fraction] = {}
        less: dict[str, Fraction] = {}
        for row in table.unique(maintain_order=True).iter_rows(named=True):
            key = clean_name(row[item])
            groups[key] = JOINER.join(clean_name(row[name]) for name in outer) if chosen else key
            product = fixed
            for name in factors:
                product *= _number(row[name], name, key)
            if product < 0:
                raise DataError(f"a factor of item {key!r} is below 0: factors are at least 0")
            _same(products, key, product, "factor", list_names(factors))
            if minus:
                blank = row[minus[0]] is None or not str(row[minus[0]]).strip()
                amount = Fraction(0) if blank else _number(row[minus[0]], minus[0], key)
                _same(less, groups[key], amount, "deduction", repr(minus[0]))
        return PartsOfEntries(groups, products, less)

    def describe(self, items: Sequence[str]) -> str:
        """Return in a sentence what is done after each item is aggregated.

        Examples
        --------
        >>> TotalRule("sum of dives", ("difficulty", "3")).describe(["diver", "dive"])
        "each score times 'difficulty' and 3; then the sum of every 'dive' of one 'diver'"
        """
        steps = []
        if self.factor:
            shown = [name if read_number(name) is not None else repr(name) for name in self.factor]
            steps.append(f"each score times {' and '.join(shown)}")
        if chosen := self.part(items):
            outer = " and ".join(repr(name) for name in items if name != chosen[1])
            steps.append(f"then the {chosen[0]} of every {chosen[1]!r} of one {outer}")
        if self.minus is not None:
            steps.append(f"minus {self.minus!r}")
        return "; ".join(steps)


_GROUP = "_group"


def _columns_of(frame: Any, names: list[str]) -> pl.DataFrame:
    """Return some columns of a frame of any kind in memory."""
    if isinstance(frame, LargeTable):
        raise DataError(f"{frame.source}: it is larger than memory, and factors and totals are computed in memory only")
    return collect(open_frame(frame, names).frame).drop(ROW, strict=False).select(names)


def clean_name(value: object) -> str:
    """Return a name as it stands in the result, as text."""
    return str(text.clean_value(str(value)))


def _number(cell: object, column: str, item: str) -> Fraction:
    """Return the number in a cell, exactly."""
    written = str(cell).strip()
    mark = "," if "," in written and not re.fullmatch(r"\d{1,3},\d{3}", written) else "."
    if cell is None or read_number(written, mark) is None:
        raise DataError(f"column {column!r} has no number for item {item!r}: {cell!r}")
    return Fraction(Decimal(written.replace(",", ".")))


def _same(known: dict[str, Fraction], name: str, number: Fraction, what: str, columns: str) -> None:
    """Keep the number of an item, or raise an error if it has another one already."""
    if known.setdefault(name, number) != number:
        raise DataError(
            f"{name!r} has two {what}s, {float(known[name]):g} and {float(number):g} (column {columns}): "
            f"make it the same in all its rows"
        )


def _note_fewer(groups: list[str], part: str) -> None:
    """Note totals of fewer parts than others have."""
    sizes = Counter(groups)
    most = max(sizes.values(), default=0)
    fewer = [name for name, size in sizes.items() if size < most]
    if fewer:
        first = f"first {fewer[0]!r} with {sizes[fewer[0]]:,}"
        note(
            f"{count(len(fewer), 'total')} of fewer than {most:,} of {part!r}: {first}; nothing is added for the others"
        )
