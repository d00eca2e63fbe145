"""Summarise an aggregated table: how many answers are certified, tied, fragile or movable."""

from collections.abc import Sequence
from typing import Any

import polars as pl

from bribeproof._text import proviso
from bribeproof.aggregation.bribe_sentences import bribe_facts
from bribeproof.aggregation.contest_facts import NAMED
from bribeproof.aggregation.kernels.bribes_needed import BRIBES_NEEDED, PRICE_NEEDED
from bribeproof.aggregation.kernels.status import BUDGET, GROUPS
from bribeproof.aggregation.promise import given_to
from bribeproof.arrays.ranking import SafeRanking, rank_ranges

_PODIUM_ITEMS = 1000
"""The first three places are named for rankings of up to so many items."""


def summarise(
    result: pl.LazyFrame,
    kind: str,
    *,
    wide: bool = False,
    share: str | None = None,
    share_of: str = "panel",
    better: str = "high",
) -> dict[str, Any]:
    """Return the main facts of a result, as plain data.

    Parameters
    ----------
    result
        What `aggregate_scores`, `aggregate_votes` or `aggregate_labels` returns.
    kind
        ``"scores"``, ``"votes"`` or ``"labels"``.
    wide
        Whether the table has a column for each reporter.
    share, share_of
        The share that k was given as, and of what; None where k was a count.
    better
        Of scores: whether the highest or the lowest is the best.

    Examples
    --------
    >>> from bribeproof import aggregate_labels
    >>> votes = pl.LazyFrame({"task": ["t"] * 3, "worker": ["a", "b", "c"], "label": ["x", "x", "y"]})
    >>> facts = summarise(aggregate_labels(votes, k=1), "labels")
    >>> facts["decisions"], facts["changeable"], facts["most_fragile"]
    (1, 1, {'flips_needed': 1, 'count': 1, 'items': ['t']})
    """
    k = pl.col("k")
    counts = result.select(
        items=pl.len(), reporters=pl.col("n").max(), least=k.min(), most=k.max(), unprotected=(k == 0).sum()
    )
    totals = counts.collect().row(0, named=True)
    status = result.group_by("status").agg(pl.len()).collect()
    facts = {
        "items": totals["items"],
        "reporters": totals["reporters"],
        "k": {"least": totals["least"], "most": totals["most"]},
        "share": share,
        "share_of": None if share is None else share_of,
        "unprotected": totals["unprotected"],
        "status": dict(sorted(status.iter_rows())),
    }
    facts |= bribe_facts(result) | _design(result, result.collect_schema().names()[1:])
    sound = result.filter(pl.col("status") == "ok")
    if kind == "scores":
        return facts | {"better": better} | _scores(result, sound, totals["items"], better)
    return facts | _decisions(result, sound, wide=wide)


def _design(result: pl.LazyFrame, columns: list[str]) -> dict[str, Any]:
    """Return the largest guarantee, what was stated about the reporters of an item, and where this cannot hold."""
    facts: dict[str, Any] = {}
    if "asked" in columns or "set_aside" in columns:
        asked = pl.col("asked") if "asked" in columns else pl.col("m") + pl.col("set_aside")
        unlikely = result.filter(asked - pl.col("m") > pl.col("k"))
        bad = unlikely.select(pl.first(), "m", asked.alias("asked"), "k").collect()
        facts["asked"] = "asked" in columns
        aside = result.select(pl.col("set_aside").sum()).collect().item() if "set_aside" in columns else 0
        facts["set_aside"] = int(aside)
        facts["contradictions"] = {"count": bad.height, "first": list(bad.row(0))} if bad.height else None
    if "guarantee" in columns:
        bound = pl.col("guarantee")
        totals = result.select(count=bound.count(), least=bound.min(), most=bound.max()).collect()
        facts["guarantee"] = totals.row(0, named=True)
        facts["guarantee"]["condition"] = f"on average over these items, {proviso(columns)}"
    return facts


def _scores(result: pl.LazyFrame, sound: pl.LazyFrame, items: int, better: str) -> dict[str, Any]:
    """Return the scores that bribes could have moved furthest, and the first three places."""
    item, low, high = pl.first(), pl.col("range_low"), pl.col("range_high")
    widest = sound.filter(high > low).with_row_index("_place").sort(low - high, "_place").head(3).drop("_place")
    movable = [
        {"item": name, "range_low": least, "range_high": most}
        for name, least, most in widest.select(item, low, high).collect().iter_rows()
    ]
    podium = _podium(result.collect(), better) if 2 <= items <= _PODIUM_ITEMS else []
    return {"most_movable": movable, "podium": podium}


def largest_certifiable(result: pl.DataFrame) -> int:
    """Return the largest k for which some item may be certified; silence may need it to be larger than another one."""
    columns = result.columns[1:]
    reports = pl.col("m") + pl.col("set_aside") * 2 if "set_aside" in columns else pl.col("m")
    most = result.select((pl.col("asked") if "asked" in columns else reports).max()).item()
    return max(0, (int(most or 0) - 1) // 2)


def changeable(columns: Sequence[str]) -> pl.Expr:
    """Return which certified decisions k bribed reporters could have changed.

    A bribed reporter takes two votes from a lead by rewriting a report, and one by adding a report. Those who are set
    aside, or are silent although honest ones answer, are bribed, and can only add one. Where a decision follows its
    forecast (no additions are known then), half of the silent count as positive: speaking, they move the positive votes
    by the other half. Where a bribe buys a group, the groups or the money needed are compared with what there is.

    Parameters
    ----------
    columns
        The columns of a result for votes or labels.

    Examples
    --------
    >>> lead = pl.DataFrame({"status": "ok", "k": 1, "m": 2, "asked": [2, 3], "additions_needed": 2})
    >>> lead.select(changeable(lead.columns)).to_series().to_list()
    [True, False]
    """
    absent = given_to(columns[1:]) - pl.col("m")
    votes = pl.col("k") * 2 - absent
    changed = pl.col("additions_needed") <= votes
    if "forecast" in columns:
        half = pl.when(pl.col("forecast") >= 0.5).then(absent // 2).otherwise((absent + 1) // 2)
        moved = pl.col("flips_needed") <= pl.col("k") - absent + half
        changed = pl.when(pl.col("additions_needed").is_null()).then(moved.fill_null(value=False)).otherwise(changed)
    for needed, much in ((BRIBES_NEEDED, GROUPS), (PRICE_NEEDED, BUDGET)):
        if needed in columns:
            # Nobody knows to which groups silent ones belong: there the number of bribed reporters is what is known.
            exact = (pl.col(needed) <= pl.col(much)).fill_null(value=False)
            changed = pl.when(absent == 0).then(exact).otherwise(changed)
    return (pl.col("status") == "ok") & (pl.col("k") > 0) & changed


def rank_result(result: pl.DataFrame, better: str) -> SafeRanking:
    """Rank the items of a result for scores, with the places that each could have taken; `better` is high or low."""
    columns = (result[name].fill_null(float("nan")).to_numpy() for name in ("estimate", "range_low", "range_high"))
    return rank_ranges(*columns, better=better)


def _podium(result: pl.DataFrame, better: str) -> list[dict[str, Any]]:
    """Return the places that the first three items could have taken."""
    ranking = rank_result(result, better)
    ranked = zip(result.to_series(), ranking.rank, ranking.best_rank, ranking.worst_rank, strict=True)
    places = [
        {"item": name, "rank": int(rank), "best_rank": int(best), "worst_rank": int(worst)}
        for name, rank, best, worst in ranked
        if 1 <= rank <= 3
    ]
    return sorted(places, key=lambda place: place["rank"])[:NAMED]


def _decisions(result: pl.LazyFrame, sound: pl.LazyFrame, *, wide: bool) -> dict[str, Any]:
    """Return the numbers of ties and of decisions that k bribes could have changed, and the most fragile items."""
    columns = result.collect_schema().names()
    needed = next((name for name in (BRIBES_NEEDED, PRICE_NEEDED) if name in columns), "flips_needed")
    tie, flips = pl.col("tie"), pl.col(needed)
    certain = pl.col("status") == "ok"
    by_silent = _silent_change(result, sound, wide=wide)
    counts = result.select(
        ties=tie.sum(),
        items=pl.len(),
        decisions=certain.sum(),
        changeable=changeable(columns).sum(),
        safe=safe_decisions(result, wide=wide).sum(),
        fewest=flips.filter(certain & ~tie).min().fill_null(0),
    )
    totals = counts.collect().row(0, named=True)
    fragile = sound.filter(~tie & (flips == totals["fewest"])).select(pl.first())
    named = fragile.head(NAMED).collect().to_series().to_list()
    number = int(fragile.select(pl.len()).collect().item())
    return {
        "ties": totals["ties"],
        "decisions": totals["decisions"],
        "changeable": totals["changeable"],
        "unsafe": totals["items"] - totals["safe"],
        "changeable_by_silent": None
        if by_silent is None
        else sound.filter(by_silent).select(pl.len()).collect().item(),
        "most_fragile": {needed: totals["fewest"], "count": number, "items": named} if named else None,
    }


def safe_decisions(result: pl.LazyFrame, *, wide: bool) -> pl.Expr:
    """Return which decisions are certified, and safe from those who can be bribed.

    Parameters
    ----------
    result
        A result for votes or labels.
    wide
        Whether the table has a column for each reporter.
    """
    grouped = bool(bribe_facts(result))
    # where k is 0 though somebody can be bribed, nobody who can be bribed reported on the item
    protected = pl.lit(value=True) if grouped else pl.col("k") > 0
    changed = changeable(result.collect_schema().names()).fill_null(value=False)
    if (
        grouped
        and (by_silent := _silent_change(result, result.filter(pl.col("status") == "ok"), wide=wide)) is not None
    ):
        # a bribed group may also speak where it was silent, which the bribes needed to rewrite reports do not count
        changed |= by_silent
    return (pl.col("status") == "ok") & protected & ~changed


def _silent_change(result: pl.LazyFrame, sound: pl.LazyFrame, *, wide: bool) -> pl.Expr | None:
    """Return which decisions the reporters who said nothing could have changed by reporting.

    Returns
    -------
    None if nothing says that they could have reported: nobody states how many were asked, the table has one row per
    report, and fewer than half of all pairs of an item and a reporter have one. None also where decisions follow their
    forecasts: what further reports would change is not known.
    """
    columns = result.collect_schema().names()[1:]
    if sound.select(pl.col("additions_needed").is_null().any()).collect().item():
        return None
    silent = pl.col("asked" if "asked" in columns else "n") - pl.col("m")
    if "set_aside" in columns:
        silent -= pl.col("set_aside")
    if not (wide or "asked" in columns):
        filled = result.select(pl.col("m").sum() * 2 >= pl.col("n").cast(pl.Int64).sum()).collect().item()
        if not filled:
            return None
    return ~pl.col("tie") & (silent >= pl.col("additions_needed"))
