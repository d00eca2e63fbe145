"""Columns that the results of all kinds of reports have: sizes, how many reports are trimmed, and status."""

from typing import Any

import narwhals.stable.v2 as nw

from bribeproof.frames.adversary_count import AdversaryCount
from bribeproof.frames.asked import asked_of, set_aside_of
from bribeproof.frames.native import collect
from bribeproof.frames.native.backends import stands_for
from bribeproof.frames.reports import Reports
from bribeproof.frames.schema import ReportSchema

OK = "ok"
NOT_CERTIFIED = "not certified"
NO_REPORTS = "no reports"
NO_CLASS_LEFT = "no class left"

N, M, K = "n", "m", "k"
ASKED_COUNT, SET_ASIDE_COUNT = "asked", "set_aside"
DESIGN, TRIM, KEPT, SPAN = "_design", "_trim", "_kept", "_span"
PANEL = "_panel"
"""The number of the pair of DESIGN and K among those that occur."""
GROUPS, BUDGET = "groups", "budget"
"""How many groups can be bribed, or how much money can be spent, where groups are bribed together."""


def sizes(schema: ReportSchema) -> list[str]:
    """Return the names of the columns of sizes that a result has."""
    stated = [ASKED_COUNT] * (schema.asked is not None) + [SET_ASIDE_COUNT] * schema.sets_aside
    return [N, M, *stated, K]


def with_sizes(items: nw.LazyFrame[Any], reports: Reports, heads: AdversaryCount) -> nw.LazyFrame[Any]:
    """Add n, k and, where they are stated, the reporters asked and set aside; and how many reports are trimmed.

    Reporters who are set aside are bribed, and so are, where honest ones answer, those who were asked and are silent:
    at most k less so many of the reports that are left are bribed (docs/theory.md §15).

    Parameters
    ----------
    items
        Items, or rows of items, with their number of reports M and the columns of `asked.per_item`.
    reports
        The reports.
    heads
        The number of bribed reporters.

    Returns
    -------
    The same with N, K, DESIGN: the reporters that the item was given to, else those who report or are set aside;
    TRIM: how many reports are trimmed on either side; KEPT: how many are left between, 0 if the item is not certified;
    and SPAN: how many reports the end of the range of results is an average of.
    """
    asked, aside = asked_of(reports.schema), set_aside_of(reports.schema)
    m, k, design, trim = (nw.col(name) for name in (M, K, DESIGN, TRIM))
    items = items.with_columns(
        nw.lit(reports.panel, nw.Int64).alias(N),
        aside.alias(SET_ASIDE_COUNT),
        (m + aside if asked is None else asked).alias(DESIGN),
    )
    items = items.with_columns(design.alias(ASKED_COUNT), heads.expression(design).cast(nw.Int64).alias(K))
    known = design - m
    left = k - known
    enough = (left >= 0) & (m > left * 2) & (m > 0)
    if asked is not None:
        enough = enough & (design > k * 2)
        # With more than 2k reports the rule is the one for a table without a design.
        left = nw.when(m > k * 2).then(k).otherwise(left)
    items = items.with_columns(left.alias(TRIM), enough.alias("_enough"))
    kept, span = m - trim * 2, design - k * 2
    items = items.with_columns(
        nw.when(nw.col("_enough")).then(kept).otherwise(nw.lit(0)).cast(nw.Int64).alias(KEPT),
        nw.when(span > 1).then(span).otherwise(nw.lit(1)).cast(nw.Int64).alias(SPAN),
    )
    return items.drop("_enough")


def with_panels(items: nw.LazyFrame[Any]) -> tuple[nw.LazyFrame[Any], list[tuple[int, int]]]:
    """Add PANEL to the result of `with_sizes`, and return what each number stands for: a DESIGN and a K."""
    pairs = sorted((int(d), int(k)) for d, k in collect(items.select(DESIGN, K).unique()).rows())
    step = 1 + max((k for _, k in pairs), default=0)
    keys = [d * step + k for d, k in pairs]
    key = (nw.col(DESIGN) * step + nw.col(K)).cast(nw.Int64)
    number = stands_for(key, {key: place for place, key in enumerate(keys)}, nw.Int64)
    return items.with_columns(number.alias(PANEL)), pairs


def certified() -> nw.Expr:
    """Return which items have so many reports that k bribed reporters do not determine the result."""
    return nw.col(KEPT) > 0


def status() -> nw.Expr:
    """Return the status of each item from its number of reports and k."""
    return (
        nw.when(nw.col(M) == 0)
        .then(nw.lit(NO_REPORTS))
        .otherwise(nw.when(certified()).then(nw.lit(OK)).otherwise(nw.lit(NOT_CERTIFIED)))
    )


def flips(margin: nw.Expr, *, favoured: bool) -> nw.Expr:
    """Return how many reports must be rewritten so that the winner no longer wins.

    A margin of d votes needs ceil(d / 2) rewrites if a tie is no win, and floor(d / 2) + 1 if the tie rule favours the
    winner.
    """
    return margin // 2 + 1 if favoured else (margin + 1) // 2


def additions(margin: nw.Expr, *, favoured: bool) -> nw.Expr:
    """Return how many reports must be added so that the winner no longer wins: one more if the tie rule favours it."""
    return margin + 1 if favoured else margin
