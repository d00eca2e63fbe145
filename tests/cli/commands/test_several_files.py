"""Several files, workbooks and header lines on the command line."""

from pathlib import Path

import polars as pl
import pytest

from tests.cli.command import call, put

FIRST = "Day 1\ntask,worker,label\nt1,a,1\nt1,b,1\n\n* c was absent\n"
SECOND = "label,task,worker\n0,t1,c\n1,t2,a\n"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Give the current folder, with two files that belong together."""
    monkeypatch.chdir(tmp_path)
    Path("a.csv").write_text(FIRST)
    Path("b.csv").write_text(SECOND)
    return tmp_path


@pytest.mark.usefixtures("folder")
def test_several_files_are_one_table() -> None:
    done = call("aggregate", "a.csv", "b.csv", "--k", 1, "--kind", "votes", "-o", "result.csv")
    assert done.status == 0
    assert "note: a.csv: skipped line 1 above the header: 'Day 1'" in done.err
    assert "note: a.csv: skipped line 6, a note below the data: '* c was absent'" in done.err
    assert pl.read_csv("result.csv")["m"].to_list() == [3, 1]
    for order in (("a.csv", "b.csv"), ("b.csv", "a.csv")):
        refused = call("aggregate", *order, "--k", 1, "-o", "b.csv").refused()
        assert "-o b.csv: this is the input file" in refused
    Path("c.csv").write_text("task,worker,vote\nt1,a,1\n")
    assert "c.csv lacks the column 'label' of a.csv" in call("aggregate", "a.csv", "c.csv", "--k", 1).refused()


@pytest.mark.usefixtures("folder")
def test_workbooks_in_and_out() -> None:
    pytest.importorskip("python_calamine")
    xlsxwriter = pytest.importorskip("xlsxwriter")
    book = xlsxwriter.Workbook("marks.xlsx")
    for name in ("Day 1", "Day 2"):
        sheet = book.add_worksheet(name)
        sheet.write_row(0, 0, ["entry", "Anna", "Boris", "Chen"])
        sheet.write_row(1, 0, ["E1", 7, 8, 9 if name == "Day 1" else 1])
    book.close()
    refused = call("aggregate", "marks.xlsx", "--k", 1).refused()
    assert "2 sheets hold data. Which is meant?" in refused
    assert "--sheet 'Day 1'\n" in refused
    for sheet_, estimate in (("Day 2", "7"), (1, "8")):
        options = ("--kind", "scores", "--sheet", sheet_, "-o", "result.xlsx")
        assert call("aggregate", "marks.xlsx", "--k", 1, *options).status == 0
        done = call(
            "aggregate",
            "result.xlsx",
            "--k",
            0,
            "--kind",
            "scores",
            "--item",
            "entry",
            "--judges",
            "estimate",
            "--json",
        )
        assert done.status == 0
        assert f'"estimate": {estimate}.0' in done.out
    assert "--sheet does not apply to csv" in call("aggregate", "a.csv", "--k", 1, "--sheet", 1).refused()
    assert "--encoding does not apply to xlsx" in call("aggregate", "marks.xlsx", "--k", 1, "--encoding", "x").refused()
    assert "its ending must be" in call("aggregate", "a.csv", "--k", 1, "-o", "result.xls").refused()


@pytest.mark.usefixtures("folder")
def test_a_header_line_is_named() -> None:
    done = call("aggregate", "a.csv", "--k", 0, "--kind", "votes", "--header-line", 2, "--json")
    assert done.status == 0
    assert "--header-line does not apply to json" in call("aggregate", "a.json", "--k", 0, "--header-line", 2).refused()


_HEADER = "task,worker,label,truth\n"
_ROWS = [f"t{task},w{worker},{(task * worker) % 2},{task % 2}\n" for task in range(12) for worker in range(5)]


@pytest.mark.parametrize(
    "words",
    ["aggregate --k 1", "sweep", "read", "audit", "weigh --k 1", "commit", "calibrate --gold truth --k 1",
     "attack --gold truth --k 1"],
)  # fmt: skip
def test_two_halves_are_the_whole(words: str, tmp_path: Path) -> None:
    whole = put(tmp_path / "whole.csv", _HEADER + "".join(_ROWS))
    halves = [
        put(tmp_path / f"half{part}.csv", _HEADER + "".join(_ROWS[part * 30 : part * 30 + 30])) for part in (0, 1)
    ]
    command, *options = words.split()
    options += [] if "--gold" in options or command == "read" else ["--kind", "votes"]
    together = call(command, *halves, *options, "--json")
    alone = call(command, whole, *options, "--json")
    assert (alone.status, alone.err) == (0, "")
    assert together.out.replace(str(halves[0]), str(whole)) == alone.out
    out = call(command, *halves, *options, "-o", halves[1]) if command not in ("read", "commit") else None
    assert out is None or "input file" in out.refused()
