"""Rules and changes of a contest by trying every ranking of every list of bribed judges, without the package."""

import itertools
from collections.abc import Iterator, Sequence
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

Places = NDArray[np.float64]


def weak_orders(entries: int) -> list[tuple[int, ...]]:
    """Every ranking of so many entries, ties allowed, as numbers from 1 without gaps."""
    maps = itertools.product(range(entries), repeat=entries)
    return sorted({tuple(sorted(set(one)).index(rank) + 1 for rank in one) for one in maps})


def merits(ballots: Places, rule: str, k: int = 1, points: Sequence[float] = ()) -> Places:
    """How good each entry is, of a batch of shape (..., judges, entries); nan where a judge does not rank an entry."""
    mine, theirs = ballots[..., :, None], ballots[..., None, :]
    ahead, level = (theirs < mine).sum(axis=-1), (theirs == mine).sum(axis=-1)
    behind = (theirs > mine).sum(axis=-1)
    ranked = ~np.isnan(ballots)
    if rule == "borda":
        return np.asarray((behind + (level - 1) / 2 * ranked).sum(axis=-2))
    if rule == "copeland":
        margin = ((mine < theirs).sum(axis=-3) - (mine > theirs).sum(axis=-3)).astype(float)
        return np.asarray(np.sign(margin).sum(axis=-1))
    if rule == "points":
        worth = [*points, *[0.0] * ballots.shape[-1]]
        share = np.zeros(ballots.shape)
        for start, size in itertools.product(range(ballots.shape[-1]), range(1, ballots.shape[-1] + 1)):
            share[(ahead == start) & (level == size) & ranked] = sum(worth[start : start + size]) / size
        return np.asarray(share.sum(axis=-2))
    place = np.where(ranked, ahead + (level + 1) / 2, np.nan)
    if rule == "median":
        return -np.nanmedian(place, axis=-2)
    counts = ranked.reshape(-1, *ballots.shape[-2:])[0].sum(axis=0)
    means = [
        np.sort(place[..., entry], axis=-1)[..., k : count - k].mean(axis=-1) for entry, count in enumerate(counts)
    ]
    return -np.stack(means, axis=-1)


def rewritten(ballots: Places, bribed: Sequence[int]) -> Places:
    """Every set of ballots in which some judges rank what they ranked in any way."""
    choices = []
    for judge in bribed:
        mine = np.flatnonzero(~np.isnan(ballots[judge]))
        rows = np.full((len(orders := weak_orders(len(mine))), ballots.shape[1]), np.nan)
        rows[:, mine] = orders
        choices.append(rows)
    picks = np.array(list(itertools.product(*(range(len(rows)) for rows in choices))), dtype=int)
    batch = np.repeat(ballots[None], len(picks), axis=0)
    for column, (judge, rows) in enumerate(zip(bribed, choices, strict=True)):
        batch[:, judge] = rows[picks[:, column]]
    return batch


def outcomes(entries: int, first: int, *, ordered: bool) -> Iterator[tuple[int, ...]]:
    """Every set, or order, of the first few."""
    yield from (itertools.permutations if ordered else itertools.combinations)(range(entries), first)


def lead_of(score: Places, few: tuple[int, ...], *, ordered: bool) -> Places:
    """By how much some entries are the first few: above 0 surely, 0 after a draw, below 0 not at all."""
    few_scores = score[..., list(few)]
    rest = [entry for entry in range(score.shape[-1]) if entry not in few]
    lead = few_scores.min(axis=-1) - score[..., rest].max(axis=-1, initial=-np.inf)
    if ordered and len(few) > 1:
        lead = np.minimum(lead, (few_scores[..., :-1] - few_scores[..., 1:]).min(axis=-1))
    return np.where(np.abs(lead) < 1e-9, 0, lead)


def fewest(
    ballots: Places,
    rule: str,
    first: int,
    *,
    ahead: bool,
    ordered: bool = False,
    groups: Sequence[Sequence[int]] | None = None,
    k: int = 1,
    points: Sequence[float] = (),
) -> int | None:
    """The fewest judges, or groups, who could change the first few; None if all cannot."""
    now = merits(ballots, rule, k, points)
    few = list(outcomes(ballots.shape[1], first, ordered=ordered))
    possible = [one for one in few if lead_of(now, one, ordered=ordered) >= 0]
    units = [[judge] for judge in range(len(ballots))] if groups is None else groups
    for number in range(len(units) + 1):
        for bribed in itertools.combinations(units, number):
            batch = merits(rewritten(ballots, [judge for unit in bribed for judge in unit]), rule, k, points)
            for one in possible:
                lead = lead_of(batch, one, ordered=ordered)
                if ((lead < 0) if ahead else (lead <= 0)).any() or (not ahead and len(possible) > 1):
                    return number
    return None


def cheapest(
    ballots: Places,
    rule: str,
    first: int,
    groups: Sequence[Sequence[int]],
    prices: Sequence[Fraction],
    *,
    ahead: bool,
    ordered: bool = False,
    k: int = 1,
    points: Sequence[float] = (),
) -> Fraction | None:
    """The least money for groups who could change the first few; None if all cannot."""
    few = list(outcomes(ballots.shape[1], first, ordered=ordered))
    now = merits(ballots, rule, k, points)
    possible = [one for one in few if lead_of(now, one, ordered=ordered) >= 0]
    best = None if ahead or len(possible) == 1 else Fraction(0)
    for bought in itertools.chain(*(itertools.combinations(range(len(groups)), n) for n in range(len(groups) + 1))):
        cost = sum((prices[group] for group in bought), Fraction(0))
        if best is None or cost < best:
            batch = merits(rewritten(ballots, [judge for group in bought for judge in groups[group]]), rule, k, points)
            leads = [lead_of(batch, one, ordered=ordered) for one in possible]
            if any(((lead < 0) if ahead else (lead <= 0)).any() for lead in leads):
                best = cost
    return best
