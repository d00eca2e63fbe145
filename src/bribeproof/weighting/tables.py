"""The reports as arrays that are weighted, and the tables of the result."""

from collections.abc import Collection
from typing import Any

import narwhals.stable.v2 as nw
import numpy as np
import polars as pl

from bribeproof._typing import IntArray
from bribeproof.aggregation.kernels.status import BUDGET, GROUPS, OK
from bribeproof.errors import DataError
from bribeproof.frames.label_classes import Classes
from bribeproof.frames.native.backends import distinct_names
from bribeproof.frames.reports import Reports, check_item_name
from bribeproof.frames.schema import ITEM, REPORTER, VALUE
from bribeproof.weighting.bribed_weight import BribedWeight
from bribeproof.weighting.designs import Designs
from bribeproof.weighting.learn import Ballots, LearnedWeights

_FIRST = "_first"
ALWAYS = ("n", "m", "asked", "set_aside", GROUPS, BUDGET, "k", "heaviest", "tie", "status")
"""The columns that items have whatever their status."""
_MOST_CELLS = 2**28


def read_ballots(
    reports: Reports, rows: pl.DataFrame, classes: Classes, names: list[Any]
) -> tuple[pl.DataFrame, Ballots]:
    """Return the sorted items with the order of their first rows, and the reports that are not missing as arrays."""
    first_rows = rows.group_by(ITEM).agg(pl.col(reports.order).min().alias(_FIRST)).sort(ITEM)
    items, rows = first_rows[ITEM], rows.drop_nulls(VALUE)
    if len(items) * len(classes.labels) > _MOST_CELLS:
        raise DataError(
            f"{len(items):,} items by {len(classes.labels):,} classes do not fit in memory: take fewer items"
        )
    item, reporter, label = (
        rows[name].replace_strict(values, range(len(values)), return_dtype=pl.Int64).to_numpy()
        for name, values in ((ITEM, items.to_list()), (REPORTER, names), (VALUE, list(classes.labels)))
    )
    order = np.lexsort((reporter, item))
    return first_rows, Ballots(item[order], reporter[order], label[order], len(items), len(names), len(classes.labels))


def tabulate_items(
    reports: Reports,
    first_rows: pl.DataFrame,
    sizes: IntArray,
    designs: Designs,
    bribes: BribedWeight,
    columns: dict[str, Any],
    classes: Classes,
    always: Collection[str],
) -> pl.DataFrame:
    """Return one row per item, in order of first appearance; most numbers only for items whose status is ok."""
    name, dtype = reports.columns.item, reports.rows.collect_schema()[VALUE]
    shares, status = columns.pop("shares"), columns.pop("status")
    columns = {"n": np.full(len(sizes), reports.panel), "m": sizes, **designs.stated} | (
        bribes.columns | {"k": bribes.reports} | columns
    )
    columns |= {"status": status}
    labelled = distinct_names(reports.rows, [f"share_{label}" for label in classes.shown()])
    columns |= {share: shares[:, index] for index, share in enumerate(labelled)}
    check_item_name(name, columns)
    table = pl.DataFrame({name: first_rows[ITEM], **columns}).with_columns(pl.col(pl.Float64).fill_nan(None))
    table = table.with_columns(pl.col("flips_needed").cast(pl.Int64))
    table = nw.from_native(table).with_columns(classes.decode(nw.col("decision"), dtype).alias("decision")).to_native()
    numbers = [column for column in columns if column not in always]
    table = table.with_columns(pl.when(pl.col("status") == OK).then(pl.col(column)).alias(column) for column in numbers)
    return table[first_rows[_FIRST].arg_sort()]


def tabulate_reporters(names: list[Any], ballots: Ballots, learned: LearnedWeights) -> pl.DataFrame:
    """Return one row per reporter, the heaviest first."""
    table = pl.DataFrame(
        {"reporter": names, "reports": np.bincount(ballots.reporter, minlength=len(names))}
        | {name: getattr(learned, name) for name in ("compared", "agreement", "gold", "right")}
        | {"weight": learned.weights}
    ).with_columns(pl.col(pl.Float64).fill_nan(None))
    return table.sort("weight", descending=True, maintain_order=True)
