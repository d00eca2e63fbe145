"""What votes on each label say about the decided set of labels of an item."""

from collections.abc import Iterator, Mapping

import polars as pl

from bribeproof._text import count
from bribeproof.frames.reading.criteria import JOINER

LABELS_OF_ITEMS = "item and label"
"""The parts of an item, of which each may have other bribed reporters."""


def count_safe_sets(result: pl.LazyFrame, changeable: pl.Expr) -> dict[str, int]:
    """Return the numbers of items, of labels, and of items without any label that could have been changed.

    Parameters
    ----------
    result
        What `aggregate_votes` returns for items that are named by an item and a label.
    changeable
        Which of its decisions could have been changed.

    Examples
    --------
    >>> votes = {"item": ["a · cat", "a · dog"], "status": "ok", "tie": False, "flips_needed": [2, 1]}
    >>> count_safe_sets(pl.LazyFrame(votes), pl.col("flips_needed") <= 1)
    {'items': 1, 'labels': 2, 'safe': 0}
    """
    safe = (pl.col("status") == "ok") & ~pl.col("tie") & ~changeable
    name = pl.first().cast(pl.String)
    label = name.str.split(JOINER).list.last()
    pairs = result.select(item=name.str.strip_suffix(JOINER + label), label=label, safe=safe)
    items = pairs.group_by("item").agg(pl.col("safe").all())
    counts = items.select(items=pl.len(), safe=pl.col("safe").sum()).collect().row(0, named=True)
    labels = pairs.select(pl.col("label").n_unique()).collect().item()
    return {"items": int(counts["items"]), "labels": int(labels), "safe": int(counts["safe"])}


def describe_sets(sets: Mapping[str, int], *, protected: bool) -> Iterator[str]:
    r"""Yield the numbers of `count_safe_sets` as sentences; of safe sets if some reporters may be bribed.

    Examples
    --------
    >>> print(*describe_sets({"items": 3, "labels": 2, "safe": 1}, protected=True), sep="\n")
    Each item here is one of 3 items with one of 2 labels.
    On 1 of these 3 items no label could have been changed: the decided set is safe as a whole.
    """
    items = count(sets["items"], "item")
    yield f"Each item here is one of {items} with one of {count(sets['labels'], 'label')}."
    if protected:
        unchanged = "no label could have been changed: the decided set is safe as a whole"
        yield f"On {sets['safe']:,} of these {items} {unchanged}."
