"""The table of losses: each rule with honest reporters, and under the attack."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from bribeproof.attacks.result import AttackCurves
from bribeproof.explorer.attack.narration import rules_at

_LABELS: Mapping[str, str] = {
    "squared_loss": "Squared loss", "absolute_loss": "Absolute loss", "accuracy": "Right decisions",
    "changed": "Changed decisions",
}  # fmt: skip
MEASURES: Mapping[str, Mapping[str, str]] = {
    "votes": _LABELS,
    "labels": _LABELS,
    "scores": {"squared_loss": "Squared distance", "absolute_loss": "Distance", "changed": "Changed places"},
}
"""Measures for each kind of reports, and their labels."""
_SHARES = frozenset({"accuracy", "changed"})
_SAME = 1e-12


@dataclass(frozen=True, slots=True)
class LossRow:
    """One rule: its name, its cells, and whether its squared loss under the attack is the smallest."""

    rule: str
    cells: tuple[str, ...]
    least: bool


@dataclass(frozen=True, slots=True)
class LossTable:
    """The rows, and two levels of headings: the measure, and the number of bribes for each of its cells."""

    headings: tuple[tuple[str, tuple[str, ...]], ...]
    rows: tuple[LossRow, ...]


def loss_table(result: AttackCurves, kind: str, adversaries: int) -> LossTable:
    """Return the losses of each rule.

    Parameters
    ----------
    result
        The curves; one of their points is the number of bribes.
    kind
        ``"votes"``, ``"labels"`` or ``"scores"``.
    adversaries
        The number of bribes.
    """
    honest, now = rules_at(result, 0), rules_at(result, adversaries)
    shown = [name for name in MEASURES[kind] if name != "absolute_loss" or kind == "scores"]
    both = ("honest", f"{adversaries:,} bribed") if adversaries else ("honest",)
    headings = tuple((MEASURES[kind][name], both if name != "changed" else both[-1:]) for name in shown)
    least = min(row["squared_loss"] for row in now)
    rows = []
    for before, after in zip(honest, now, strict=True):
        pairs = [(name, ([before, after] if adversaries else [before])) for name in shown]
        cells = [_cell(name, row) for name, pair in pairs for row in (pair if name != "changed" else pair[-1:])]
        rows.append(LossRow(after["rule"], tuple(cells), after["squared_loss"] <= least + _SAME))
    return LossTable(headings, tuple(rows))


def _cell(name: str, row: Mapping[str, Any]) -> str:
    """Return one number as text."""
    value = row[name]
    return f"{value:.1%}" if name in _SHARES else f"{value:.4f}"
