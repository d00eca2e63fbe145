"""Combine the scores of parts, such as criteria, dives or runs, to one score per item, with the range of each."""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

import polars as pl

_NUMBERS = ("estimate", "range_low", "range_high")
_LARGEST_DENOMINATOR = 10**6


def combine_parts(
    parts: pl.DataFrame,
    group: str,
    factors: Sequence[Fraction],
    *,
    how: str = "sum",
    minus: Mapping[Any, Fraction] | None = None,
    decimals: int | None = None,
) -> pl.DataFrame:
    """Combine the scores of parts to one score per group.

    Parameters
    ----------
    parts
        One row per part, as `aggregate_scores` returns them, and the column of the group.
    group
        The column of the group.
    factors
        What the scores of each part are multiplied by: numbers of at least 0.
    how
        ``"sum"``, ``"max"`` or ``"min"`` of the parts; for the last two, parts without any report do not count.
    minus
        What is subtracted from the total of each group.
    decimals
        How many decimals the products and the totals are rounded to, half up; None for no rounding.

    Returns
    -------
    polars.DataFrame
        One row per group, in order of first appearance: the group; ``n`` and ``k``, the largest of its parts; ``m``,
        the least; the largest of ``asked``, ``set_aside``, ``groups`` and ``budget``; ``estimate``, ``range_low`` and
        ``range_high``; ``status``: ``ok`` if all parts that count are, else ``not certified``; ``no reports`` if no
        part has any.

    Notes
    -----
    The range is the sum (the maximum, the minimum) of the ranges of the parts. If the k bribed reporters may be others
    on each part, it is exact: the parts have no report in common, so that each can be moved to the end of its range
    alone. If they are the same k people on all parts, they cannot leave it either, but perhaps not reach its ends.

    Examples
    --------
    >>> dives = pl.DataFrame({"diver": ["A", "A"], "n": 5, "m": 5, "k": 1, "estimate": [8.0, 7.5],
    ...     "range_low": [7.5, 7.0], "range_high": [8.5, 7.5], "status": "ok"})
    >>> combine_parts(dives, "diver", [Fraction(3), Fraction(2)]).row(0)
    ('A', 5, 5, 1, 39.0, 36.5, 40.5, 'ok')
    """
    sizes = [
        pl.col(name).max() for name in ("n", "asked", "set_aside", "groups", "budget", "k") if name in parts.columns
    ]
    order = [name for name in ("n", "m", "asked", "set_aside", "groups", "budget", "k") if name in parts.columns]
    head = parts.group_by(group, maintain_order=True).agg(pl.col("m").min(), *sizes).select(group, *order)
    members: dict[Any, list[tuple[dict[str, Any], Fraction]]] = {}
    for row, factor in zip(parts.iter_rows(named=True), factors, strict=True):
        members.setdefault(row[group], []).append((row, factor))
    less = minus or {}
    answers = [_combine(rows, how, less.get(name, Fraction(0)), decimals) for name, rows in members.items()]
    answer = pl.DataFrame(
        answers, orient="row", schema={**dict.fromkeys(_NUMBERS, pl.Float64), "status": pl.String}
    )  # fmt: skip
    return pl.concat([head, answer], how="horizontal")


def _combine(
    rows: list[tuple[dict[str, Any], Fraction]], how: str, minus: Fraction, decimals: int | None
) -> tuple[Any, ...]:
    """Return the three numbers of a group, and its status."""
    statuses = {row["status"] for row, _ in rows}
    counted = [(row, factor) for row, factor in rows if how == "sum" or row["status"] != "no reports"]
    if statuses == {"no reports"}:
        return (None, None, None, "no reports")
    if any(row["status"] != "ok" for row, _ in counted):
        return (None, None, None, "not certified")
    gather: Any = {"sum": sum, "max": max, "min": min}[how]
    totals = (
        gather(round_half_up(exact(row[name]) * factor, decimals) for row, factor in counted) for name in _NUMBERS
    )
    return (*(float(round_half_up(total - minus, decimals)) for total in totals), "ok")


def exact(number: float) -> Fraction:
    """Return the simplest fraction that a float stands for: 8.1 is 81/10, and 1 / 3 is 1/3.

    Examples
    --------
    >>> exact(8.1), exact(22 / 3)
    (Fraction(81, 10), Fraction(22, 3))
    """
    simple = Fraction(number).limit_denominator(_LARGEST_DENOMINATOR)
    return simple if float(simple) == number else Fraction(number)


def round_half_up(number: Fraction, decimals: int | None) -> Fraction:
    """Return a number rounded half up, away from zero; None leaves it as it is.

    Examples
    --------
    >>> round_half_up(Fraction("7.125"), 2), round_half_up(Fraction("-0.5"), 0)
    (Fraction(713, 100), Fraction(-1, 1))
    """
    if decimals is None:
        return number
    steps = int(abs(number) * 10**decimals + Fraction(1, 2))
    return Fraction(steps if number >= 0 else -steps, 10**decimals)
