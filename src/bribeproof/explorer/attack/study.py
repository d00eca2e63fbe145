"""What bribes do to each rule of a crowd: computed once, so that a slider only picks from it."""

from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache

import polars as pl

from bribeproof._warnings import record_warnings
from bribeproof.attacks.result import AttackCurves
from bribeproof.attacks.study import attack
from bribeproof.explorer.attack.crowd import Crowd, UploadedCrowd, crowd
from bribeproof.explorer.attack.query import AttackQuery, SimulatedCrowd

_EACH = 7
"""Up to so many bribes there is a point for each."""
_STEPS = 5
"""Beyond, so many steps show the curve, with the point of the reader's choice, and do not keep the reader waiting."""


def curves(source: SimulatedCrowd | UploadedCrowd, scheme: AttackQuery, adversaries: int) -> AttackCurves:
    """Measure each rule on a crowd, from no bribe to half of the reporters, and for the number of the reader's choice.

    Parameters
    ----------
    source
        The crowd.
    scheme
        What the bribed do, and what rules expect.
    adversaries
        How many are bribed.

    Raises
    ------
    BribeproofError
        If that cannot be measured.
    """
    grid = points(len(crowd(source).reporters))
    found = _measured(source, scheme, grid)
    if adversaries in grid:
        return found
    table = pl.concat([found.curves, _measured(source, scheme, (adversaries,)).curves])
    return replace(found, curves=table.sort("adversaries", maintain_order=True))


def points(reporters: int) -> tuple[int, ...]:
    """Return the numbers of bribes at which a curve is computed, from none to half of the reporters.

    Examples
    --------
    >>> points(7), points(100)
    ((0, 1, 2, 3), (0, 10, 20, 30, 40, 50))
    """
    most = max(reporters // 2, 1 if reporters > 1 else 0)
    steps = most if most <= _EACH else _STEPS
    return tuple(round(most * step / max(steps, 1)) for step in range(steps + 1))


def copied(whole: Crowd, scheme: AttackQuery) -> str | None:
    """Return the reporter that is copied, the first where none is named; None under another strategy."""
    if scheme.strategy != "copy":
        return None
    return scheme.copy or whole.reporters[0]


def weighs(whole: Crowd, scheme: AttackQuery) -> bool:
    """Say whether the rule with learned weights is attacked: it is for votes and labels."""
    return scheme.weighed and whole.kind != "scores"


@lru_cache(maxsize=256)
def _measured(source: SimulatedCrowd | UploadedCrowd, scheme: AttackQuery, counts: Sequence[int]) -> AttackCurves:
    """Measure some numbers of bribes."""
    whole = crowd(source)
    with record_warnings():
        return attack(
            whole.table, whole.truth, counts, strategy=scheme.strategy, ks=[scheme.k], draws=scheme.draws,
            expert=scheme.expert if whole.kind == "votes" else None, copy=copied(whole, scheme),
            weighed=weighs(whole, scheme), gold_items=list(whole.gold) if scheme.strategy == "sleeper" else None,
            **whole.options,
        )  # fmt: skip
