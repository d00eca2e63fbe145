"""Decide votes by a forecast that is itself a decision: of the absolute loss and of costs."""

from collections.abc import Mapping
from typing import Any

import narwhals.stable.v2 as nw
import numpy as np

from bribeproof.aggregation.kernels.status import DESIGN, PANEL, M, certified
from bribeproof.aggregation.kernels.votes import POSITIVE
from bribeproof.frames.native.backends import stands_for
from bribeproof.theory import PiecewiseLinear

_DECIMALS = 9
"""Forecasts that differ by less may differ by rounding."""


def decision_threshold(rule: PiecewiseLinear) -> int | None:
    """Return from how many positive votes on a rule finds positive more probable; None where the plurality is as good.

    A forecast of 1/2 is as good for either side, and there the plurality decides.

    Parameters
    ----------
    rule
        A nondecreasing rule for n votes.

    Returns
    -------
    int or None
        From 0 (always positive) to n + 1 (never).

    Examples
    --------
    >>> from bribeproof.rules import trimmed_mean
    >>> from bribeproof.theory import Expert, Panel, closed_form, cost
    >>> decision_threshold(trimmed_mean(Panel(5, 1))) is None
    True
    >>> decision_threshold(closed_form(Panel(5, 1), Expert(0.5, 0.7, 0.3), cost(false_positive=5, false_negative=1)))
    6
    """
    forecasts, votes = np.asarray(rule.values), np.arange(rule.n + 1)
    plurality, side = np.sign(2 * votes - rule.n), np.sign((forecasts - 0.5).round(_DECIMALS))
    if ((side == 0) | (side == plurality)).all():
        return None
    positive = (side > 0) | ((side == 0) & (plurality > 0))
    return int(positive.argmax()) if positive.any() else rule.n + 1


def follow_forecasts(items: nw.LazyFrame[Any], thresholds: Mapping[int, int], *, positive: int) -> nw.LazyFrame[Any]:
    """Replace the decisions on items whose forecast may find another side more probable than the plurality does.

    Parameters
    ----------
    items
        The result of `votes.decide`, with its decisions as class indices, and with the column PANEL.
    thresholds
        For each number in it, from how many positive votes on it is decided for positive, half of the silent ones
        counted as such. Items with other numbers are left alone.
    positive
        The index of the positive class.
    """
    if not thresholds:
        return items
    votes, m, design = (nw.col(name) for name in (POSITIVE, M, DESIGN))
    least = stands_for(nw.col(PANEL), thresholds, nw.Int64)
    priced = certified() & ~least.is_null()
    seen = votes + (design - m) // 2
    yes = seen >= least
    to_no = nw.when((least > 0) & (seen - least < votes)).then(seen - least + 1)
    to_yes = nw.when((least <= design) & (least - seen <= m - votes)).then(least - seen)
    chosen = {
        "decision": nw.when(yes).then(nw.lit(positive, nw.Int64)).otherwise(nw.lit(1 - positive, nw.Int64)),
        "tie": nw.lit(value=False),
        "flips_needed": nw.when(yes).then(to_no).otherwise(to_yes).cast(nw.Int64),
        "additions_needed": nw.lit(None, nw.Int64),
    }
    return items.with_columns(
        **{name: nw.when(priced).then(value).otherwise(nw.col(name)) for name, value in chosen.items()}
    )
