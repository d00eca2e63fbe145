"""Workbooks on the page: read as the command reads them, with the sheet and the header line as fields."""

from pathlib import Path

import pytest

from bribeproof.errors import BribeproofError
from bribeproof.explorer.data.query import DataQuery
from bribeproof.explorer.data.snippets import command
from bribeproof.explorer.tables.reading import read_upload
from bribeproof.io.write import write_table


def test_an_uploaded_workbook_is_read_with_the_fields_of_the_form(tmp_path: Path) -> None:
    pl = pytest.importorskip("polars")
    pytest.importorskip("python_calamine")
    pytest.importorskip("xlsxwriter")
    path = tmp_path / "0123456789.xlsx"
    write_table(pl.DataFrame({"Cup": ["entry", "E1"], "Day 1": ["Anna", "7"]}), path)
    query = DataQuery.read({"sheet": "key", "worksheet": "1", "header_line": "2"})
    table = read_upload(path, "marks.xlsx", **query.read_options)
    assert table.frame.rows(named=True) == [{"entry": "E1", "Anna": "7"}]
    assert command("marks.xlsx", query, 1).startswith("bribeproof aggregate marks.xlsx --k 1 --header-line 2 --sheet 1")
    with pytest.raises(BribeproofError, match=r"^sheet='3': marks\.xlsx has no such sheet"):
        read_upload(path, "marks.xlsx", sheet="3")
