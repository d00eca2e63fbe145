"""Attack a crowd and measure each rule; results are cached, so that a slider only selects from them."""

from functools import lru_cache

from bribeproof._warnings import record_warnings
from bribeproof.attacks.attacked_crowd import AttackedCrowd
from bribeproof.attacks.result import AttackCurves
from bribeproof.attacks.study import prepare_attack
from bribeproof.explorer.attack.crowd import Crowd, UploadedCrowd, load_crowd
from bribeproof.explorer.attack.query import AttackQuery, SimulatedCrowd

_EACH = 7
"""Up to this number of bribes, the curve has a point for each."""
_STEPS = 5
"""For more bribes, the curve has this many steps, and the number chosen by the user."""


def curves(
    source: SimulatedCrowd | UploadedCrowd, attack: AttackQuery, adversaries: int, *, whole: bool = True
) -> AttackCurves:
    """Measure each rule from no bribe to half of the reporters, and for the number chosen by the user.

    Parameters
    ----------
    source
        The crowd.
    attack
        The strategy of the bribed, and the k that the rules assume.
    adversaries
        The number of bribed reporters.
    whole
        Otherwise measure each rule for that number only, and without bribes.

    Raises
    ------
    BribeproofError
        If the crowd cannot be read or attacked.
    """
    with record_warnings():
        return _attacked(source, attack).measure(all_counts(source, adversaries) if whole else sorted({0, adversaries}))


def is_quick(source: SimulatedCrowd | UploadedCrowd, attack: AttackQuery, adversaries: int) -> bool:
    """Return whether the whole curves take hardly longer than the two points without which nothing can be shown."""
    others = {*all_counts(source, adversaries)} - {0, adversaries}
    with record_warnings():
        return _attacked(source, attack).is_quick(others)


def all_counts(source: SimulatedCrowd | UploadedCrowd, adversaries: int) -> list[int]:
    """Return the numbers of bribes of the whole curves."""
    return sorted({*bribe_counts(len(load_crowd(source).reporters)), adversaries})


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


@lru_cache(maxsize=16)
def _attacked(source: SimulatedCrowd | UploadedCrowd, attack: AttackQuery) -> AttackedCrowd:
    """Read a crowd that is attacked; it keeps what it has measured."""
    crowd = load_crowd(source)
    return prepare_attack(
        crowd.table, strategy=attack.strategy, ks=[attack.k], draws=attack.draws,
        expert=attack.expert if crowd.kind == "votes" else None, copy=copied_reporter(crowd, attack),
        weighed=includes_weights(crowd, attack),
        gold_items=list(crowd.gold) if attack.strategy == "sleeper" else None,
        **crowd.known, **crowd.options,
    )  # fmt: skip
