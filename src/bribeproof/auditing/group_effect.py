"""Test whether a reporter treats a group, such as the own nation, otherwise than the other reporters treat it."""

from dataclasses import dataclass

import numpy as np
from scipy.special import stdtr

from bribeproof._typing import BoolArray, FloatArray, IntArray
from bribeproof.auditing.deviation_tests import holm

_FEWEST = 2
"""The fewest other reporters to compare with."""
_ABSENT = -1
_NOTHING = 1e-12
"""Sums of squares and effects up to this are rounding errors."""


def group_effect(
    item: IntArray, reporter: IntArray, value: FloatArray, usual: FloatArray, inside: BoolArray, panel: int
) -> dict[str, FloatArray]:
    """Compare what each reporter adds to a group with what the others add to the same items.

    Parameters
    ----------
    item, reporter, value
        The reports, at most one per item and reporter: the score, or 1 where a label deviates from the others, else 0.
    usual
        Per report: what the others report on the item, on the scale of `value`.
    inside
        Per report: whether its item is in the group of its reporter.
    panel
        The number of reporters.

    Returns
    -------
    dict
        Per reporter: ``same_effect``, the excess of reports inside over the others' on the same items, less the excess
        on the other items; ``same_p_value`` of no effect, two-sided; ``same_p_adjusted``, adjusted for all tested
        reporters (Holm). NaN where fewer than two others reported on items of both kinds.

    Notes
    -----
    Difference in differences. For each reporter, the reports inside and those elsewhere are two parallel straight lines
    in what is usual on the item, for some use more of the scale, and some find hard items harder; the distance of the
    lines is compared with the same distance, over the same items, for each reporter to whose group they do not belong.
    Its variance is that of the reporter's own lines, with unequal variances in the two parts (B. L. Welch, 1947), plus
    that between the others: reporters differ by more than chance, and this is no favour. Degrees of freedom by F. E.
    Satterthwaite, 1946. If fewer than two others have reports on items outside both groups, the others' reports on
    their own groups serve as well; then it is left open which side favours its own.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> item, reporter = np.indices((60, 6)).reshape(2, -1)
    >>> inside = item % 6 == reporter
    >>> quality = rng.normal(7, 1, 60)
    >>> score = quality[item] + rng.normal(0, 0.2, 360) + 1.0 * (inside & (reporter == 2))
    >>> found = group_effect(item, reporter, score, quality[item], inside, 6)
    >>> found["same_effect"].round(1).tolist(), np.flatnonzero(found["same_p_adjusted"] <= 0.05).tolist()
    ([0.1, 0.1, 1.1, 0.1, -0.0, -0.0], [2])
    """
    effect, p_value = np.full(panel, np.nan), np.full(panel, np.nan)
    for who in np.intersect1d(reporter[inside], reporter[~inside]):
        own = reporter == who
        part = np.full(int(item.max()) + 1, _ABSENT)
        part[item[own]] = inside[own]
        part_of = part[item]
        asked = part_of != _ABSENT
        for strange in (~inside, ~inside | (part_of == 0)):
            used = asked & (own | strange)
            lines = _fit_lines(reporter[used], value[used], usual[used], part_of[used], panel)
            others = np.flatnonzero(lines.both & (np.arange(panel) != who))
            if lines.both[who] and len(others) >= _FEWEST:
                effect[who], p_value[who] = lines.compare(int(who), others)
                break
    adjusted, tested = np.full(panel, np.nan), ~np.isnan(p_value)
    adjusted[tested] = holm(p_value[tested])
    return {"same_effect": effect, "same_p_value": p_value, "same_p_adjusted": adjusted}


@dataclass(frozen=True, slots=True)
class _Lines:
    """Two parallel straight lines for each reporter: elsewhere, and inside a group.

    Attributes
    ----------
    both
        Per reporter: whether there are reports in both parts.
    distance
        Per reporter: how far the line inside lies above the other.
    size, variance
        Per reporter and part: the number of reports, and the variance of their residuals.
    slope_variance
        Per reporter: the variance of the distance that is due to the slope.
    """

    both: BoolArray
    distance: FloatArray
    size: IntArray
    variance: FloatArray
    slope_variance: FloatArray

    def compare(self, who: int, others: IntArray) -> tuple[float, float]:
        """Return the distance of a reporter beyond the mean of others, and the p-value of none."""
        differences, size = self.distance[others], self.size[who]
        effect = self.distance[who] - differences.mean()
        between = differences.var(ddof=1) * (1 + 1 / len(others))
        variances = np.array([*(self.variance[who] / size), self.slope_variance[who], between])
        freedom = np.maximum(np.array([*(size - 1), size.sum() - 3, len(others) - 1]), 1)
        total = variances.sum()
        if total <= 0:
            return float(effect), float(abs(effect) <= _NOTHING)
        degrees = total**2 / (variances**2 / freedom).sum()
        return float(effect), float(2 * stdtr(degrees, -abs(effect) / np.sqrt(total)))


def _fit_lines(reporter: IntArray, value: FloatArray, usual: FloatArray, part: IntArray, panel: int) -> _Lines:
    """Fit the lines by least squares."""
    cell = 2 * reporter + part
    size = np.bincount(cell, minlength=2 * panel)

    def means(values: FloatArray) -> FloatArray:
        return np.asarray(np.bincount(cell, values, 2 * panel) / np.maximum(size, 1))

    value_mean, usual_mean = means(value), means(usual)
    value, usual = value - value_mean[cell], usual - usual_mean[cell]
    spread = np.bincount(reporter, usual**2, panel)
    spread[spread <= _NOTHING] = np.inf
    slope = np.bincount(reporter, value * usual, panel) / spread
    rest = (value - slope[reporter] * usual) ** 2
    size_of, apart = size.reshape(-1, 2), np.diff(usual_mean.reshape(-1, 2), axis=1)[:, 0]
    pooled = np.bincount(reporter, rest, panel) / np.maximum(size_of.sum(axis=1) - 3, 1)
    own = np.bincount(cell, rest, 2 * panel) / np.maximum(size - 1, 1)
    return _Lines(
        np.asarray((size_of > 0).all(axis=1)),
        np.diff(value_mean.reshape(-1, 2), axis=1)[:, 0] - slope * apart,
        size_of,
        np.maximum(own.reshape(-1, 2), pooled[:, None]),
        pooled * apart**2 / spread,
    )
