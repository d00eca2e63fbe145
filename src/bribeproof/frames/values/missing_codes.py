"""Take the values that the user lists as missing for missing reports, and say how many reports each of them took."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

import narwhals.stable.v2 as nw
import polars as pl

from bribeproof._text import count, shorten
from bribeproof._warnings import note, warn
from bribeproof.frames.native import collect
from bribeproof.frames.schema import VALUE
from bribeproof.frames.values import text
from bribeproof.frames.values.float_limit import float_holds

_NUMBER = r"^[+-]?(([0-9]+(\.[0-9]*)?|\.[0-9]+)([eE][+-]?[0-9]{1,3})?|inf)$"
_NAMED = 20
"""The most values that a note names."""


@dataclass(frozen=True, slots=True)
class MissingCodes:
    """Values that stand for a missing report, each as clean text.

    Attributes
    ----------
    texts
        The values, as they would stand in a column of text.

    Examples
    --------
    >>> MissingCodes.of(("absent", -1)).among(pl.Series(["-1.0", "1", "absent"]))
    ['absent', '-1.0']
    >>> MissingCodes.of("-1").among(pl.Series(["-1.0", "-1", "cat"]))
    ['-1']
    """

    texts: tuple[str, ...]

    @classmethod
    def of(cls, missing: object) -> "MissingCodes":
        """Return the codes of a parameter ``missing``: one value or several; None and NaN are missing anyway."""
        listed = list(missing) if isinstance(missing, Iterable) and not isinstance(missing, str) else [missing]
        cleaned = (str(text.clean_value(str(code))) for code in listed if not _is_null(code))
        return cls(tuple(dict.fromkeys(cleaned)))

    @property
    def numbers(self) -> dict[Decimal, str]:
        """The codes that are numbers."""
        return {number: code for code in self.texts if (number := _number(code)) is not None}

    def among(self, values: pl.Series) -> list[Any]:
        """Return those of the different values of a column that are codes.

        Numbers are compared as numbers, also in text where everything else is a number: -1.0 and ``"-1"`` are one.
        """
        if values.dtype == pl.String:
            exact = [value for value in values.drop_nulls().to_list() if value in self.texts]
            others = values.filter(~values.is_in(exact)).drop_nulls()
            if not others.str.contains(_NUMBER).all():
                return exact
            return exact + [value for value in others.to_list() if _number(value) in self.numbers]
        if values.dtype == pl.Boolean:
            codes = {code.casefold() for code in self.texts}
            return [value for value in values.drop_nulls().to_list() if str(value).casefold() in codes]
        return [value for value in values.drop_nulls().to_list() if _number(str(value)) in self.numbers]

    def of_type(self, dtype: Any) -> list[Any]:
        """Return the codes that can be values of a column: of text, of whole numbers or of floats."""
        if dtype == nw.String:
            return list(self.texts)
        if dtype.is_integer():
            return [int(number) for number in self.numbers if -(2**63) <= number < 2**63 and number == int(number)]
        return [float(number) for number in self.numbers if float_holds(str(number))]

    def list_number(self, number: str) -> bool:
        """Return whether a number, as text, is a code."""
        return _number(number) in self.numbers

    def take(self, rows: nw.LazyFrame[Any], listed: Sequence[Any]) -> tuple[nw.LazyFrame[Any], dict[str, int]]:
        """Return reports with null for some values, and how many reports had each of them."""
        if not listed:
            return rows, {}
        value = nw.col(VALUE)
        counts = collect(rows.filter(value.is_in(listed)).group_by(VALUE).agg(nw.len().alias("_reports")))
        taken = rows.with_columns(nw.when(~value.is_in(listed)).then(value).alias(VALUE))
        return taken, {str(code): int(reports) for code, reports in counts.iter_rows()}

    def report(self, taken: dict[str, int]) -> None:
        """Note how many reports each value took and which codes no report has; warn if that is all of them."""
        if taken:
            ranked = sorted(taken.items(), key=lambda one: (-one[1], one[0]))
            named = ", ".join(f"{shorten(value)} ({count(reports, 'report')})" for value, reports in ranked[:_NAMED])
            more = f" and {len(ranked) - _NAMED:,} more" * (len(ranked) > _NAMED)
            as_numbers = "" if set(taken) <= set(self.texts) else "; numbers are compared as numbers"
            note(f"taken as missing: {named}{more}{as_numbers}")
        found = {value.casefold() for value in taken} | {_number(value) for value in taken} - {None}
        unused = [code for code in self.texts if not {code.casefold(), _number(code)} & found]
        if unused:
            named = ", ".join(map(shorten, unused[:_NAMED]))
            (note if taken else warn)(f"no report is {named}: listed as missing, and not found")


def _is_null(code: object) -> bool:
    """Return whether a value is missing in every table."""
    return code is None or type(code).__name__ in ("NAType", "NaTType") or (isinstance(code, float) and code != code)


def _number(value: str) -> Decimal | None:
    """Return a plain number or infinity, None for any other text."""
    return Decimal(value) if re.match(_NUMBER, value) else None
