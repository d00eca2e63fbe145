"""Write the reports of adversaries into the frame that the honest ones came from."""

from typing import Any

import narwhals.stable.v2 as nw
import numpy as np

from bribeproof._typing import FloatArray, IntArray
from bribeproof.arrays.blocks import ReportArray
from bribeproof.attacks.from_frame import NamedReportMatrix
from bribeproof.attacks.strategies import ABSENT
from bribeproof.errors import DataError


def rewrite_frame(
    frame: Any, named: NamedReportMatrix, columns: IntArray, reports: ReportArray, names: tuple[str, str, str]
) -> Any:
    """Return a frame in which adversaries report something else.

    Parameters
    ----------
    frame
        A frame in memory, in long form.
    named
        The matrix that was read from it.
    columns
        The columns of the adversaries in the matrix.
    reports
        What they report, items by adversaries.
    names
        The columns of the items, of the reporters and of the reports in the frame.

    Raises
    ------
    DataError
        If a reporter has several rows for one item, or a label stands in no row of the frame.
    """
    native = nw.from_native(frame, eager_only=True)
    _, reporter, value = names
    if np.count_nonzero(named.rows >= 0) != len(native):
        raise DataError("a reporter has several rows for one item: take the repeats out, then corrupt what is left")
    rows = named.rows[:, columns]
    present = ~np.isnan(reports) if not named.labels else reports != ABSENT
    old, new = present & (rows >= 0), present & (rows < 0)
    if named.labels:
        example = _example_rows(named, reports[present])
        source = np.arange(len(native))
        source[rows[old]] = example[reports[old]]
        series, added = native[value][source.tolist()], native[value][example[reports[new]].tolist()]
    else:
        scores = np.full(len(native), np.nan)
        held = named.rows >= 0
        scores[named.rows[held]] = named.matrix.reports[held]
        scores[rows[old]] = reports[old]
        series, added = (_float_column(value, numbers, native.implementation) for numbers in (scores, reports[new]))
    changed = native.with_columns(series.alias(value))
    if not new.any():
        return changed.to_native()
    item_index, adversary_index = np.nonzero(new)
    extra = native[named.rows.max(axis=1)[item_index].tolist()]
    reporters = native[reporter][named.rows.max(axis=0)[columns[adversary_index]].tolist()]
    empty = [
        nw.when(nw.lit(value=False)).then(nw.col(name)).alias(name) for name in native.columns if name not in names
    ]
    extra = extra.with_columns(reporters.alias(reporter), added.alias(value), *empty)
    return nw.concat([changed, extra.select(changed.columns)]).to_native()


def _example_rows(named: NamedReportMatrix, labels: IntArray) -> IntArray:
    """Return for each class a row of the frame that holds its label; 0 for classes that are not needed."""
    rows = np.zeros(len(named.labels), np.int64)
    for index in np.unique(labels).tolist():
        holding = named.rows[named.matrix.reports == index]
        if not holding.size:
            raise DataError(
                f"the adversaries report {named.labels[index]!r}, which no report of the frame holds: leave that "
                "class out of classes"
            )
        rows[index] = holding.min()
    return rows


def _float_column(name: str, numbers: FloatArray, backend: Any) -> nw.Series[Any]:
    """Return a column of floats, null where NaN."""
    values = [None if number != number else number for number in numbers.tolist()]
    return nw.new_series(name, values, nw.Float64, backend=backend)
