"""By how much one entry is ahead of another, as a function of who is bribed: a sum of clipped linear forms."""

from dataclasses import dataclass

import numpy as np

from bribeproof._typing import BoolArray, IntArray
from bribeproof.rankings.contest import Contest
from bribeproof.rankings.rules import Rule

_UNBOUNDED = 2**62


@dataclass(frozen=True, slots=True)
class ClippedSum:
    """The function ``constant + Σ weight · clip(base + gains @ bribed, low, high)`` of the bribed groups.

    Attributes
    ----------
    constant
        The constant.
    weight, base, low, high : arrays of shape (forms,)
        Weights above 0, the values without a bribe, and the limits.
    gains : array of shape (forms, groups)
        What a form gains if a group is bribed, at least 0.
    """

    constant: int
    weight: IntArray
    base: IntArray
    gains: IntArray
    low: IntArray
    high: IntArray

    def at(self, totals: IntArray) -> IntArray:
        """Return the values of the function, where the gains of the bribed are given, of shape (..., forms)."""
        return np.asarray(self.constant + np.clip(self.base + totals, self.low, self.high) @ self.weight)

    def of(self, bribed: BoolArray) -> IntArray:
        """Return the values of the function for rows of groups that are bribed or not."""
        return self.at(bribed.astype(np.int64) @ self.gains.T)


def lead(contest: Contest, rule: Rule, gainer: int, loser: int) -> ClippedSum:
    """Return the lead of one entry over another if the bribed put the one first and the other last, in whole units.

    Notes
    -----
    docs/theory.md, Proposition 14.7: no other rankings of the bribed give a higher lead.
    """
    if rule.name == "copeland":
        forms = _pairwise(contest, gainer, loser)
    elif rule.name in ("borda", "points"):
        forms = _points(contest, rule, gainer, loser)
    else:
        forms = _middle_places(contest, rule, gainer, loser)
    of_groups = np.zeros((len(contest.groups), len(forms.gains)), dtype=np.int64)
    np.add.at(of_groups, contest.group_of, forms.gains.T)
    return ClippedSum(forms.constant, forms.weight, forms.base, of_groups.T.copy(), forms.low, forms.high)


def _points(contest: Contest, rule: Rule, gainer: int, loser: int) -> ClippedSum:
    """Return the lead by sums of points, which is linear."""
    table, ranks = rule.points_table(contest), ~np.isnan(contest.places)
    up = np.where(ranks[:, gainer], table.first - table.points[:, gainer], 0)
    down = np.where(ranks[:, loser], table.points[:, loser] - table.last, 0)
    base = table.points[:, gainer].sum() - table.points[:, loser].sum()
    one = np.ones(1, dtype=np.int64)
    return ClippedSum(0, one, base[None], (up + down)[None], -_UNBOUNDED * one, _UNBOUNDED * one)


def _pairwise(contest: Contest, gainer: int, loser: int) -> ClippedSum:
    """Return the lead by pairwise majorities, in half wins: a form for each pair with one of the two entries."""
    places = contest.places
    others = [entry for entry in range(len(contest.entries)) if entry not in (gainer, loser)]
    ahead = np.array([gainer] * (len(others) + 1) + others)
    behind = np.array([loser, *others] + [loser] * len(others))
    both = ~np.isnan(places[:, ahead]) & ~np.isnan(places[:, behind])
    votes = np.where(both, np.sign(places[:, behind] - places[:, ahead]), 0).astype(np.int64).T
    weight = np.ones(len(ahead), dtype=np.int64)
    weight[0] = 2  # it counts for the gainer and against the loser
    limit = np.ones(len(ahead), dtype=np.int64)
    return ClippedSum(0, weight, votes.sum(axis=1), np.where(both.T, 1 - votes, 0), -limit, limit)


def _middle_places(contest: Contest, rule: Rule, gainer: int, loser: int) -> ClippedSum:
    """Return the lead by trimmed means of places, in units that make it whole.

    The sum of the middle places of the gainer is the largest place times their number, less one for each place below it
    and each middle place that is not above: a clipped count. That of the loser is the other way round.
    """
    doubled = np.rint(2 * np.nan_to_num(contest.places)).astype(np.int64)
    ranks = ~np.isnan(contest.places)
    parts = []
    for entry, last in ((gainer, False), (loser, True)):
        who = ranks[:, entry]
        now, end = doubled[:, entry], 2 * contest.ranked if last else np.full(len(who), 2)
        cuts = np.unique(np.concatenate([now[who], end[who]]))
        at, width = cuts[:-1, None], np.diff(cuts)
        before, after = (now > at, end > at) if last else (now <= at, end <= at)
        dropped = rule.trimmed(int(who.sum()))
        kept = int(who.sum()) - 2 * dropped
        gains = ((after & ~before) & who).astype(np.int64)
        constant = int(cuts[0]) * kept if last else -int(cuts[-1]) * kept
        parts.append((constant, width, (before & who).sum(axis=1) - dropped, gains, kept))
    (above, up, up_base, up_gains, up_kept), (below, down, down_base, down_gains, down_kept) = parts
    return ClippedSum(
        above * down_kept + below * up_kept,
        np.concatenate([up * down_kept, down * up_kept]),
        np.concatenate([up_base, down_base]),
        np.concatenate([up_gains, down_gains]),
        np.zeros(len(up) + len(down), dtype=np.int64),
        np.concatenate([np.full(len(up), up_kept), np.full(len(down), down_kept)]),
    )
