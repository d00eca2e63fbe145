"""What a result is worth, as plain data: how many answers are certified, tied, fragile or movable."""

from typing import Any

import polars as pl

from bribeproof.data.arrays import rank_ranges

_PODIUM_ITEMS = 1000
"""A ranking of more items than this is not what a score sheet is about."""
_NAMED = 5
"""The most items that a summary names."""


def summarise(result: pl.DataFrame, kind: str, *, share: str | None = None, share_of: str = "panel") -> dict[str, Any]:
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
    >>> votes = pl.DataFrame({"task": ["t"] * 3, "worker": ["a", "b", "c"], "label": ["x", "x", "y"]})
    >>> facts = summarise(aggregate_labels(votes, k=1), "labels")
    >>> facts["decisions"], facts["changeable"], facts["most_fragile"]
    (1, 1, {'flips_needed': 1, 'count': 1, 'items': ['t']})
    """
    sound = result.filter(pl.col("status") == "ok")
    facts = {
        "items": result.height,
        "reporters": int(result["n"][0]),
        "k": {"least": int(result["k"].min()), "most": int(result["k"].max())},  # type: ignore[arg-type]
        "share": share,
        "share_of": None if share is None else share_of,
        "unprotected": int((result["k"] == 0).sum()),
        "status": dict(sorted(result["status"].value_counts().iter_rows())),
    }
    return facts | (_scores(result, sound) if kind == "scores" else _decisions(result, sound))


def _scores(result: pl.DataFrame, sound: pl.DataFrame) -> dict[str, Any]:
    """Name the scores that bribes could have moved furthest, and the first three places."""
    item, low, high = result.columns[0], pl.col("range_low"), pl.col("range_high")
    widest = sound.filter(high > low).sort(high - low, descending=True, maintain_order=True).head(3)
    movable = [
        {"item": name, "range_low": least, "range_high": most}
        for name, least, most in widest.select(item, low, high).iter_rows()
    ]
    return {"most_movable": movable, "podium": _podium(result)}


def _podium(result: pl.DataFrame) -> list[dict[str, Any]]:
    """Rank the items and say which places the first three could have taken."""
    if not 2 <= result.height <= _PODIUM_ITEMS:
        return []
    ranking = rank_ranges(
        *(result[name].fill_null(float("nan")).to_numpy() for name in ("estimate", "range_low", "range_high"))
    )
    ranked = zip(result.to_series(), ranking.rank, ranking.best_rank, ranking.worst_rank, strict=True)
    places = [
        {"item": name, "rank": int(rank), "best_rank": int(best), "worst_rank": int(worst)}
        for name, rank, best, worst in ranked
        if 1 <= rank <= 3
    ]
    return sorted(places, key=lambda place: place["rank"])[:_NAMED]


def _decisions(result: pl.DataFrame, sound: pl.DataFrame) -> dict[str, Any]:
    """Count ties and the decisions that k bribes could have changed, and name the most fragile."""
    decided = sound.filter(~pl.col("tie"))
    fragile = decided.filter(pl.col("flips_needed") == pl.col("flips_needed").min())
    changeable = sound.filter((pl.col("k") > 0) & (pl.col("flips_needed") <= pl.col("k")))
    return {
        "ties": int(result["tie"].sum()),
        "decisions": sound.height,
        "changeable": changeable.height,
        "most_fragile": None
        if fragile.is_empty()
        else {
            "flips_needed": int(fragile["flips_needed"][0]),
            "count": fragile.height,
            "items": fragile.to_series().head(_NAMED).to_list(),
        },
    }
