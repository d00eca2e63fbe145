"""The table of the room: what each rule loses where all are honest, and now."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from bribeproof.attacks.result import AttackCurves
from bribeproof.explorer.attack.narration import at

_LABELS: Mapping[str, str] = {
    "squared_loss": "Squared loss", "absolute_loss": "Absolute loss", "accuracy": "Right decisions",
    "changed": "Changed decisions",
}  # fmt: skip
MEASURES: Mapping[str, Mapping[str, str]] = {
    "votes": _LABELS,
    "labels": _LABELS,
    "scores": {"squared_loss": "Squared distance", "absolute_loss": "Distance", "changed": "Changed places"},
}
"""What can be measured for each kind of reports, and what it is called."""
_SHARES = frozenset({"accuracy", "changed"})
_SAME = 1e-12


@dataclass(frozen=True, slots=True)
class LossRow:
    """A rule: its name, its cells in the order of the columns, and whether its squared loss is the least now."""

    rule: str
    cells: tuple[str, ...]
    least: bool


@dataclass(frozen=True, slots=True)
class LossTable:
    """Rows, and the headings above their cells: what is measured, and in which of its cells for how many bribes."""

    headings: tuple[tuple[str, tuple[str, ...]], ...]
    rows: tuple[LossRow, ...]


def table(found: AttackCurves, kind: str, adversaries: int) -> LossTable:
    """Return what each rule loses.

    Parameters
    ----------
    found
        The curves, one point of which is the number of bribes.
    kind
        ``"votes"``, ``"labels"`` or ``"scores"``.
    adversaries
        The number of bribes.
    """
    honest, now = at(found, 0), at(found, adversaries)
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
    """Return one number."""
    value = row[name]
    return f"{value:.1%}" if name in _SHARES else f"{value:.4f}"
