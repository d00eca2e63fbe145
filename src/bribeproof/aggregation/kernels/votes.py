"""Decide binary votes: the k-trimmed share, the decision and how many reports take the win away."""

import math
from collections.abc import Callable, Mapping
from typing import Any

import narwhals.stable.v2 as nw

from bribeproof.aggregation.kernels.counts import columns
from bribeproof.aggregation.kernels.plurality import LEADERS, WINNER, margin_of, reports_needed, with_winner
from bribeproof.aggregation.kernels.status import DESIGN, PANEL, TRIM, K, M, certified, status
from bribeproof.frames.label_classes import Classes
from bribeproof.frames.native.backends import stands_for
from bribeproof.theory import Basis, PiecewiseLinear

POSITIVE = "positive"


def decide(
    items: nw.LazyFrame[Any], sides: Classes, *, positive: int, halves: bool, ties: str, seed: int | None
) -> nw.LazyFrame[Any]:
    """Add the estimate, the decision (as a class index), the tie flag, flips and additions needed and the status.

    Parameters
    ----------
    items
        Items with their `counts` of the two classes.
    sides
        The two classes.
    positive
        The index of the positive one.
    halves
        Whether the user has stated how many reporters were asked.
    ties, seed
        The tie rule.
    """
    counts = columns(sides)
    items = with_winner(items, counts, ties, seed)
    yes, m, k, trim, design = (nw.col(name) for name in (counts[positive], M, K, TRIM, DESIGN))
    if halves:
        # Where there are too few reports to trim k, those who were asked and are silent count as half votes each.
        few = m <= k * 2
        above = nw.when(few).then(yes * 2 + design - m - k * 2).otherwise((yes - k) * 2)
        whole = nw.when(few).then((design - k * 2) * 2).otherwise((m - k * 2) * 2)
    else:
        above, whole = yes - trim, m - trim * 2
    spread = above.cast(nw.Float64) / whole.cast(nw.Float64)
    share = nw.when(above <= 0).then(nw.lit(0.0)).otherwise(nw.when(above >= whole).then(nw.lit(1.0)).otherwise(spread))
    needed = reports_needed(margin_of(counts), ties, sides)
    return items.with_columns(
        yes.alias(POSITIVE),
        (nw.col(LEADERS) > 1).alias("tie"),
        nw.when(certified()).then(share).alias("estimate"),
        nw.when(certified()).then(nw.col(WINNER)).alias("decision"),
        *(nw.when(certified()).then(number).alias(name) for name, number in needed.items()),
        status=status(),
    )


def forecast(counts: nw.LazyFrame[Any], rules: Mapping[int, PiecewiseLinear]) -> nw.LazyFrame[Any]:
    """Add the optimal forecast and its guarantee.

    Parameters
    ----------
    counts
        The result of `decide`, with the column PANEL.
    rules
        The rule for each number in it, all with a guarantee. Those of Theorem A are linear in the estimate. Others
        depend on the number of positive votes; half of the silent count as such.
    """
    panels = list(rules)
    if not panels:
        return counts.with_columns(forecast=nw.lit(None, nw.Float64), guarantee=nw.lit(None, nw.Float64))

    def per_panel(value: Callable[[PiecewiseLinear], float]) -> nw.Expr:
        of_panel = stands_for(nw.col(PANEL), {panel: value(rule) for panel, rule in rules.items()}, nw.Float64)
        return nw.when(certified()).then(of_panel)

    low, high = per_panel(lambda rule: rule(0)), per_panel(lambda rule: rule(rule.n))
    forecast = low + (high - low) * nw.col("estimate")
    if any(rule.guarantee and rule.guarantee.basis == Basis.PAIRS for rule in rules.values()):
        step = max(rule.n for rule in rules.values()) + 1
        table = {panel * step + x: value for panel in panels for x, value in enumerate(rules[panel].values.tolist())}
        seen = nw.col(POSITIVE) + (nw.col(DESIGN) - nw.col(M)) // 2
        place = (nw.col(PANEL) * step + seen).cast(nw.Int64)
        forecast = nw.when(certified()).then(stands_for(place, table, nw.Float64))
    bound = per_panel(lambda rule: rule.guarantee.expected_loss if rule.guarantee else math.nan)
    return counts.with_columns(forecast=forecast, guarantee=bound)
