"""The marks of a contest, those that were dropped struck through."""

import polars as pl

from bribeproof.aggregation.kernels.scores import HIGH, LOW, split_names
from bribeproof.aggregation.recognised import combine_recognised
from bribeproof.aggregation.summary import rank_result
from bribeproof.frames.native import collect, to_polars
from bribeproof.frames.schema import ITEM, REPORTER, VALUE
from bribeproof.reporting.document import Column, DataTable, Section, sentences
from bribeproof.reporting.material import Material

_MOST_JUDGES = 20
_MOST_ROWS = 500


def marks(material: Material) -> list[Section]:
    """Return the marks of all judges; nothing for large tables, many judges and several criteria."""
    read, reports = material.read, material.read.reports
    if read.reading.criteria is not None or reports.source.large is not None:
        return []
    result = material.items
    if read.rule:
        result = to_polars(
            combine_recognised(
                reports, read.frame, read.reading, material.question.k, better=read.better, **read.options
            )
        )
    if result.height > _MOST_ROWS:
        return []
    if not read.rule:  # of totals, the parts stand as in the file
        ranking = rank_result(result, material.answer.better)
        result = result.with_columns(pl.Series("_rank", ranking.rank)).sort(
            pl.when(pl.col("_rank") > 0).then("_rank"), nulls_last=True, maintain_order=True
        )
    given = collect(reports.rows.select(ITEM, REPORTER, VALUE)).drop_nulls(VALUE)
    given = given.with_columns(pl.col(ITEM, REPORTER).cast(pl.String), pl.col(VALUE) + reports.offset)
    judges = list(reports.columns.judges) or sorted(given[REPORTER].unique())
    if not 1 <= len(judges) <= _MOST_JUDGES or given.is_empty():
        return []
    item = result.columns[0]
    wide = given.pivot(on=REPORTER, index=ITEM, values=VALUE)
    names = result.select(pl.col(item).cast(pl.String).alias(ITEM), "estimate")
    table = names.join(wide, on=ITEM, how="left", maintain_order="left")
    table = table.select(
        ITEM, *(name if name in table.columns else pl.lit(None).alias(name) for name in judges), "estimate"
    )
    columns = (
        Column("Entry"),
        *(Column(str(name)) for name in judges),
        Column("Score", decimals=material.answer.decimals),
    )
    about = "Marks as they were read; those that are dropped from the score are struck through."
    if read.rule:
        about += " The score is that before factors, deductions and totals."
    struck = _struck(result, list(judges))
    listed = DataTable("Marks", "Marks of all judges", table, columns, most=40, struck=struck)
    return [Section("marks", "The marks", (*sentences([about]), listed))]


def _struck(result: pl.DataFrame, judges: list[str]) -> frozenset[tuple[int, int]]:
    """Return the cells of marks that were dropped."""
    place = {name: number for number, name in enumerate(judges, start=1)}
    cells = set()
    for column in (LOW, HIGH):
        for row, joined in enumerate(result[column] if column in result.columns else ()):
            cells |= {(row, place[name]) for name in split_names(joined or "", place) or ()}
    return frozenset(cells)
