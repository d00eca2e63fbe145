"""Several files are one table, if they have the same columns."""

from pathlib import Path

import polars as pl
import pytest

import bribeproof as bp
from bribeproof.errors import FileError, ParameterError
from bribeproof.io.read import read_table


@pytest.fixture
def parts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Give a folder of files that belong together, or do not, which is the current one."""
    monkeypatch.chdir(tmp_path)
    Path("a.csv").write_text("task,worker,label\nt1,w1,1\nt1,w2,1\n")
    Path("b.csv").write_text("Day 2\nlabel;task;worker\n0;t1;w3\n\n1;t2;w1\n")
    Path("c.ndjson").write_text('{"worker": "w2", "label": 0, "task": "t2"}\n')
    Path("twin.csv").write_text("worker,label,task\nw1,1,t1\nw2,1,t1\n")
    Path("other.csv").write_text("task,worker,vote\nt1,w1,1\n")
    pl.DataFrame({"task": ["t3"], "worker": ["w1"], "label": [1]}).write_parquet("typed.parquet")
    return tmp_path


@pytest.mark.usefixtures("parts")
def test_the_rows_of_all_files_in_order() -> None:
    table = read_table(["a.csv", Path("b.csv"), "c.ndjson"])
    assert table.frame.columns == ["task", "worker", "label"]
    assert table.frame.rows() == [
        ("t1", "w1", "1"), ("t1", "w2", "1"), ("t1", "w3", "0"), ("t2", "w1", "1"), ("t2", "w2", "0"),
    ]  # fmt: skip
    assert [table.locate(row) for row in range(5)] == [
        "line 2 of a.csv", "line 3 of a.csv", "line 3 of b.csv", "line 5 of b.csv", "line 1 of c.ndjson",
    ]  # fmt: skip
    assert table.source == "3 files (a.csv to c.ndjson)"
    assert table.notes == ("b.csv: delimiter ';'", "b.csv: skipped line 1 above the header: 'Day 2'")
    assert read_table(["a.csv"]).locate(0) == "line 2"
    together = bp.aggregate_votes(table, k=0, item="task", reporter="worker", vote="label")
    assert together["positive"].to_list() == [2, 1]


@pytest.mark.usefixtures("parts")
def test_the_same_rows_twice_are_said() -> None:
    assert read_table(("a.csv", "a.csv")).notes == ("a.csv holds the same rows as a.csv",)
    assert "twin.csv holds the same rows as a.csv" in read_table(["a.csv", "c.ndjson", "twin.csv"]).notes


@pytest.mark.usefixtures("parts")
def test_other_columns_are_refused() -> None:
    with pytest.raises(
        FileError, match=r"^other\.csv lacks the column 'label' of a\.csv; files that are read together"
    ):
        read_table(["a.csv", "other.csv"])
    Path("more.csv").write_text("task,worker,label,when,why\nt1,w1,1,2,3\n")
    with pytest.raises(FileError, match=r"^a\.csv lacks the columns 'when', 'why' of more\.csv"):
        read_table(["a.csv", "more.csv"])
    with pytest.raises(FileError, match=r"column 'label' is String in a\.csv and Int64 in typed\.parquet"):
        read_table(["a.csv", "typed.parquet"])
    with pytest.raises(ParameterError, match="names no file"):
        read_table([])
    with pytest.raises(ParameterError, match="standard input"):
        read_table(["-", "a.csv", "-"])
