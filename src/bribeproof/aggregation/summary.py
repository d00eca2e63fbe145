"""What a result is worth, as plain data: how many answers are certified, tied, fragile or movable."""

from typing import Any

import polars as pl

from bribeproof.arrays.api import SafeRanking, rank_ranges

_PODIUM_ITEMS = 1000
"""A ranking of more items than this is not what a score sheet is about."""
_NAMED = 5
"""The most items that a summary names."""


def summarise(result: pl.LazyFrame, kind: str, *, share: str | None = None, share_of: str = "panel") -> dict[str, Any]:
    """Return what stands out in a result.

    Parameters
    ----------
    result
        What the table functions return.
    kind
        ``"scores"``, ``"votes"`` or ``"labels"``.
    share, share_of
        Where k came from, as the user wrote it.

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
    found = counts.collect().row(0, named=True)
    status = result.group_by("status").agg(pl.len()).collect()
    facts = {
        "items": found["items"],
        "reporters": found["reporters"],
        "k": {"least": found["least"], "most": found["most"]},
        "share": share,
        "share_of": None if share is None else share_of,
        "unprotected": found["unprotected"],
        "status": dict(sorted(status.iter_rows())),
    }
    sound = result.filter(pl.col("status") == "ok")
    return facts | (_scores(result, sound, found["items"]) if kind == "scores" else _decisions(result, sound))


def _scores(result: pl.LazyFrame, sound: pl.LazyFrame, items: int) -> dict[str, Any]:
    """Name the scores that bribes could have moved furthest, and the first three places."""
    item, low, high = pl.first(), pl.col("range_low"), pl.col("range_high")
    widest = sound.filter(high > low).with_row_index("_place").sort(low - high, "_place").head(3).drop("_place")
    movable = [
        {"item": name, "range_low": least, "range_high": most}
        for name, least, most in widest.select(item, low, high).collect().iter_rows()
    ]
    return {"most_movable": movable, "podium": _podium(result.collect()) if 2 <= items <= _PODIUM_ITEMS else []}


def rank_result(result: pl.DataFrame) -> SafeRanking:
    """Rank the items of a sheet of scores, with the places that each could have taken."""
    known = (result[name].fill_null(float("nan")).to_numpy() for name in ("estimate", "range_low", "range_high"))
    return rank_ranges(*known)


def _podium(result: pl.DataFrame) -> list[dict[str, Any]]:
    """Say which places the first three could have taken."""
    ranking = rank_result(result)
    ranked = zip(result.to_series(), ranking.rank, ranking.best_rank, ranking.worst_rank, strict=True)
    places = [
        {"item": name, "rank": int(rank), "best_rank": int(best), "worst_rank": int(worst)}
        for name, rank, best, worst in ranked
        if 1 <= rank <= 3
    ]
    return sorted(places, key=lambda place: place["rank"])[:_NAMED]


def _decisions(result: pl.LazyFrame, sound: pl.LazyFrame) -> dict[str, Any]:
    """Count ties and the decisions that k bribes could have changed, and name the most fragile."""
    tie, flips, k = pl.col("tie"), pl.col("flips_needed"), pl.col("k")
    certain = pl.col("status") == "ok"
    counts = result.select(
        ties=tie.sum(),
        decisions=certain.sum(),
        changeable=(certain & (k > 0) & (flips <= k)).sum(),
        fewest=flips.filter(certain & ~tie).min().fill_null(0),
    )
    found = counts.collect().row(0, named=True)
    fragile = sound.filter(~tie & (flips == found["fewest"])).select(pl.first())
    named = fragile.head(_NAMED).collect().to_series().to_list()
    count = int(fragile.select(pl.len()).collect().item())
    return {
        "ties": found["ties"],
        "decisions": found["decisions"],
        "changeable": found["changeable"],
        "most_fragile": {"flips_needed": found["fewest"], "count": count, "items": named} if named else None,
    }
