"""Attack a crowd and measure each rule; results are cached, so that a slider only selects from them."""

from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache

import polars as pl

from bribeproof._warnings import record_warnings
from bribeproof.attacks.result import AttackCurves
from bribeproof.attacks.study import attack as run_attack
from bribeproof.explorer.attack.crowd import Crowd, UploadedCrowd, load_crowd
from bribeproof.explorer.attack.query import AttackQuery, SimulatedCrowd

_EACH = 7
"""Up to this number of bribes, the curve has a point for each."""
_STEPS = 5
"""For more bribes, the curve has this many steps, and the number chosen by the user."""


def curves(source: SimulatedCrowd | UploadedCrowd, attack: AttackQuery, adversaries: int) -> AttackCurves:
    """Measure each rule from no bribe to half of the reporters, and for the number chosen by the user.

    Parameters
    ----------
    source
        The crowd.
    attack
        The strategy of the bribed, and the k that the rules assume.
    adversaries
        The number of bribed reporters.

    Raises
    ------
    BribeproofError
        If the crowd cannot be read or attacked.
    """
    grid = bribe_counts(len(load_crowd(source).reporters))
    result = _measure(source, attack, grid)
    if adversaries in grid:
        return result
    table = pl.concat([result.curves, _measure(source, attack, (adversaries,)).curves])
    return replace(result, curves=table.sort("adversaries", maintain_order=True))


def bribe_counts(reporters: int) -> tuple[int, ...]:
    """Return the numbers of bribes at which a curve is computed, from 0 to half of the reporters.

    Examples
    --------
    >>> bribe_counts(7), bribe_counts(100)
    ((0, 1, 2, 3), (0, 10, 20, 30, 40, 50))
    """
    most = max(reporters // 2, 1 if reporters > 1 else 0)
    steps = most if most <= _EACH else _STEPS
    return tuple(round(most * step / max(steps, 1)) for step in range(steps + 1))


def copied_reporter(crowd: Crowd, attack: AttackQuery) -> str | None:
    """Return the copied reporter, by default the first one; None under another strategy."""
    if attack.strategy != "copy":
        return None
    return attack.copy or crowd.reporters[0]


def includes_weights(crowd: Crowd, attack: AttackQuery) -> bool:
    """Return whether the rule with learned weights is attacked; it needs votes or labels."""
    return attack.weighed and crowd.kind != "scores"


@lru_cache(maxsize=256)
def _measure(source: SimulatedCrowd | UploadedCrowd, attack: AttackQuery, counts: Sequence[int]) -> AttackCurves:
    """Measure each rule for some numbers of bribes."""
    crowd = load_crowd(source)
    with record_warnings():
        return run_attack(
            crowd.table, counts=counts, strategy=attack.strategy, ks=[attack.k], draws=attack.draws,
            expert=attack.expert if crowd.kind == "votes" else None, copy=copied_reporter(crowd, attack),
            weighed=includes_weights(crowd, attack),
            gold_items=list(crowd.gold) if attack.strategy == "sleeper" else None,
            **crowd.known, **crowd.options,
        )  # fmt: skip
