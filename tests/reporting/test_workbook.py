"""The workbook: a sheet for each table, and text that is never a formula."""

import re
import zipfile
from pathlib import Path

import polars as pl
import pytest

from tests.paths import ROOT
from tests.reporting.helpers import made

pytest.importorskip("xlsxwriter")
calamine = pytest.importorskip("python_calamine")


def test_each_table_has_a_sheet_with_all_rows(tmp_path: Path) -> None:
    report = made(ROOT / "examples" / "labels.csv", 1)
    report.save(tmp_path / "r.xlsx")
    book = calamine.CalamineWorkbook.from_path(tmp_path / "r.xlsx")
    assert book.sheet_names == ["Report", *(one.name for one in report.tables)]
    for one in report.tables:
        rows = book.get_sheet_by_name(one.name).to_python()
        assert [heading.strip() for heading in rows[0]] == [column.heading for column in one.columns]
        assert len(rows) - 1 == one.frame.height
    words = "\n".join(row[1] for row in book.get_sheet_by_name("Report").to_python())
    assert all(line in words for line in report.summary().splitlines())


def test_cells_that_look_like_formulas_stay_text(tmp_path: Path) -> None:
    evil = ["=1+1", "+2", "-3", "@SUM(A1)", "=cmd|'/C calc'!A0", "\t=1"]
    rows = [(task, worker, evil[place % 2]) for place, task in enumerate(evil) for worker in evil]
    frame = pl.DataFrame(rows, schema=["task", "worker", "label"], orient="row")
    made(frame, 1, kind="labels", title="=1+1").save(tmp_path / "r.xlsx")
    with zipfile.ZipFile(tmp_path / "r.xlsx") as book:
        sheets = [book.read(name).decode() for name in book.namelist() if re.match(r"xl/worksheets/sheet", name)]
    assert len(sheets) > 3
    assert not any("<f>" in sheet or "<f " in sheet for sheet in sheets)
