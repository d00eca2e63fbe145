"""The table of losses: each rule with honest reporters, and under the attack."""

import math
from collections.abc import Mapping
from dataclasses import dataclass

from bribeproof.attacks.result import AttackCurves
from bribeproof.explorer.attack.narration import rules_at

_LABELS: Mapping[str, str] = {
    "squared_loss": "Squared loss", "absolute_loss": "Absolute loss", "accuracy": "Right decisions",
    "changed": "Changed decisions",
}  # fmt: skip
MEASURES: Mapping[str, Mapping[str, str]] = {
    "votes": _LABELS,
    "labels": _LABELS,
    "scores": {"absolute_loss": "Mean distance", "squared_loss": "Squared distance", "changed": "Changed places"},
}
"""Measures for each kind of reports, and their labels; the first one is the usual one."""
SHARES = frozenset({"accuracy", "changed"})
"""Measures that are shares."""
_SAME = 1e-12


@dataclass(frozen=True, slots=True)
class LossRow:
    """One rule: its name, its cells, and whether none is better under the attack."""

    rule: str
    cells: tuple[str, ...]
    best: bool


@dataclass(frozen=True, slots=True)
class LossTable:
    """The rows, and two levels of headings: the measure, and the number of bribes for each of its cells."""

    headings: tuple[tuple[str, tuple[str, ...]], ...]
    rows: tuple[LossRow, ...]


def loss_table(result: AttackCurves, kind: str, adversaries: int, measure: str) -> LossTable:
    """Return the losses of each rule, the best one first.

    Parameters
    ----------
    result
        The curves; one of their points is the number of bribes.
    kind
        ``"votes"``, ``"labels"`` or ``"scores"``.
    adversaries
        The number of bribes.
    measure
        The measure that rules are ordered by.
    """
    pairs = list(zip(rules_at(result, 0), rules_at(result, adversaries), strict=True))
    pairs.sort(key=lambda pair: cost(measure, pair[1][measure]))
    left_out = "squared_loss" if measure == "absolute_loss" else "absolute_loss"
    shown = [name for name in MEASURES[kind] if name != left_out]
    both = ("honest", f"{adversaries:,} bribed") if adversaries else ("honest",)
    headings = tuple((MEASURES[kind][name], both if name != "changed" else both[-1:]) for name in shown)
    best, rows = pairs[0][1][measure], []
    for before, after in pairs:
        values = [(name, row) for name in shown for row in ((before, after) if adversaries else (before,))]
        cells = [format_value(name, row[name]) for name, row in values if name != "changed" or row is values[-1][1]]
        is_best = best is not None and after[measure] is not None and abs(after[measure] - best) <= _SAME
        rows.append(LossRow(after["rule"], tuple(cells), is_best))
    return LossTable(headings, tuple(rows))


def cost(measure: str, value: float | None) -> float:
    """Return a value of a measure as a number that is the lower the better; infinite for none.

    Examples
    --------
    >>> cost("squared_loss", 0.1), cost("accuracy", 0.9), cost("accuracy", None)
    (0.1, -0.9, inf)
    """
    if value is None:
        return math.inf
    return -value if measure == "accuracy" else value


def format_value(measure: str, value: float | None) -> str:
    """Return one number as text: a share in per cent, a loss with three decimals.

    Examples
    --------
    >>> format_value("changed", 0.3083), format_value("absolute_loss", 0.69038), format_value("accuracy", None)
    ('30.8%', '0.690', 'none')
    """
    if value is None:
        return "none"
    return f"{value:.1%}" if measure in SHARES else f"{value:.3f}"
