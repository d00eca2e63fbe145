"""Compare the reports for which two columns agree, such as the nations of judge and skater, with the others."""

from dataclasses import replace
from typing import Any

import numpy as np
import polars as pl

from bribeproof._typing import BoolArray, FloatArray
from bribeproof.auditing.group_effect import group_effect
from bribeproof.auditing.reporter_stats import IndexedReports, ReporterStats, share
from bribeproof.errors import ParameterError, ParameterTypeError
from bribeproof.frames.native import collect
from bribeproof.frames.reading.vocabulary import Role
from bribeproof.frames.schema import ITEM, REPORTER, VALUE, ReportSchema
from bribeproof.frames.validation import validate_reports


def roles_of(same: object) -> dict[str, Role]:
    """Return the columns that are compared, and their role: they hold no reports, and name no items."""
    return {} if same is None or isinstance(same, str) else dict.fromkeys(map(str, same), "group")  # type: ignore[call-overload]


def columns_agree(rows: pl.DataFrame, frame: Any, same: tuple[object, object], schema: ReportSchema) -> FloatArray:
    """Return for each report whether two columns agree: 1 or 0, NaN if one of them is empty."""
    if schema.judges is not None:
        raise ParameterError("same names two columns of the long form, one row per report: leave judges out")
    if isinstance(same, str) or len(same) != 2:
        raise ParameterTypeError(f"same={same!r}: name two columns, such as ('judge_nation', 'skater_nation')")
    for index, column in enumerate(same):
        read = validate_reports(frame, replace(schema, value=column), scores=False)
        part = pl.concat([collect(one.select(ITEM, REPORTER, VALUE)) for one in read.parts]).drop_nulls(VALUE)
        part = part.select(ITEM, REPORTER, pl.col(VALUE).cast(pl.String).alias(f"_same_{index}"))
        rows = rows.join(part, on=[ITEM, REPORTER], how="left", maintain_order="left")
    return rows.select((pl.col("_same_0") == pl.col("_same_1")).cast(pl.Float64)).to_series().to_numpy()


def effect_of_group(
    indexed: IndexedReports, stats: ReporterStats, used: BoolArray, inside: BoolArray
) -> dict[str, Any]:
    """Return the columns that compare the reports inside a group with the reporter's other reports."""
    parts = used & inside, used & ~inside
    means = [share(indexed.total(np.where(part, stats.distance, 0.0)), indexed.count(part)) for part in parts]
    tested = group_effect(
        indexed.item[used], indexed.reporter[used], stats.value[used], stats.usual[used], inside[used], indexed.panel
    )
    return {"same": indexed.count(parts[0]), "same_deviation": means[0], "rest_deviation": means[1], **tested}
