"""``bribeproof aggregate``: what it reads, prints, writes and refuses."""

import io
import json
import os
import subprocess
import time
from contextlib import redirect_stderr
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from command import EXECUTABLE, call, document, start
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from rich.console import Console

import bribeproof as bp
from bribeproof.cli import render
from bribeproof.cli.progress import progress

SHEET = "entry,j1,j2,j3,j4,j5\nE1,1,6.5,7,7,10\nE2,2,3.25,3.5,4,9\nE3,5,,,,6\n"
VOTES = """task,worker,label
t1,a,1\nt1,b,1\nt1,c,1\nt1,d,1\nt1,e,0
t2,a,1\nt2,b,1\nt2,c,0\nt2,d,0
t3,a,1\nt3,b,1\nt3,c,0
t4,a,1\nt4,b,
"""
LABELS = "task,worker,label\nt1,a,x\nt1,b,x\nt1,c,y\nt2,a,z\nt2,b,y\nt2,c,z\nt3,a,x\nt3,b,y\n"
EXPERT = ("--prior", 0.5, "--tpr", 0.8, "--fpr", 0.1)


@pytest.fixture
def sheet(tmp_path: Path) -> Path:
    return put(tmp_path / "sheet.csv", SHEET)


@pytest.fixture
def votes(tmp_path: Path) -> Path:
    return put(tmp_path / "votes.csv", VOTES)


@pytest.fixture
def labels(tmp_path: Path) -> Path:
    return put(tmp_path / "labels.csv", LABELS)


def put(path: Path, content: str) -> Path:
    """Write a file as it stands, line ends included."""
    path.write_bytes(content.encode())
    return path


def aggregate(path: Path, *arguments: object) -> dict[str, dict[str, Any]]:
    """The rows of the answer by item."""
    rows = document("aggregate", path, *arguments)["items"]
    return {next(iter(row.values())): row for row in rows}


def column(path: Path, name: str, *arguments: object) -> list[Any]:
    return [row[name] for row in aggregate(path, *arguments).values()]


# End to end: the installed command as a process.


def test_scores_as_a_user_sees_them(sheet: Path) -> None:
    done = start("aggregate", sheet, "--k", 1, "--round", 2)
    assert done.status == 0
    notes = "note: read as scores, wide form: items in 'entry', 5 reporters: 'j1', 'j2', …, 'j5'\n"
    assert done.err == notes
    assert [" ".join(line.split()) for line in done.out.splitlines()] == [
        "range range dropped dropped",
        "entry n m k estimate low high low high status",
        "E1 5 5 1 6.83 4.83 8.00 j1 j5 ok",
        "E2 5 5 1 3.58 2.92 5.50 j1 j5 ok",
        "E3 5 2 1 not certified",
        "",
        "3 items, 5 reporters, k = 1: 2 ok, 1 not certified.",
        "Most movable by 1 bribed reporter: E1 (4.83 to 8.00), E2 (2.92 to 5.50).",
        "Podium: 1. E1 (could be 1 to 3), 2. E2 (could be 1 to 3).",
    ]


def test_votes_as_a_user_sees_them(votes: Path) -> None:
    done = start("aggregate", votes, "--k", 1)
    assert (done.status, done.err.count("\n")) == (0, 1)
    assert "read as votes, long form: items in 'task', reporters in 'worker', reports in 'label'" in done.err
    assert done.out.splitlines()[-4:] == [
        "4 items, 5 reporters, k = 1: 3 ok, 1 not certified.",
        "1 tie.",
        "2 of 3 decisions could have been changed by 1 bribed reporter.",
        "Most fragile, 1 flip needed: t3.",
    ]


@pytest.mark.parametrize(
    ("arguments", "status", "words"),
    [
        ((), 0, "Usage: bribeproof COMMAND"),
        (("--help",), 0, "panel"),
        (("aggregate", "--help"), 0, "--share-of"),
        (("--version",), 0, bp.__version__),
        (("agregate", "x.csv"), 2, 'Did you mean "aggregate"?'),
        (("aggregate", "no such.csv", "--k", 1), 2, "no such.csv: there is no such file"),
    ],
)
def test_help_version_and_mistakes(arguments: tuple[object, ...], status: int, words: str) -> None:
    done = start(*arguments)
    assert done.status == status
    assert words in (done.err if status else done.out)
    assert (done.out if status else done.err) == ""
    assert not status or done.refused()


def test_standard_input() -> None:
    done = start("aggregate", "-", "--k", 1, "--json", stdin=VOTES)
    assert done.status == 0
    assert [row["decision"] for row in json.loads(done.out)["items"]] == ["1", None, "1", None]


def test_a_reader_that_goes_away_is_no_error(tmp_path: Path) -> None:
    rows = "\n".join(f"{item}{'x' * 50},{item}.5,7" for item in range(2_000))
    wide = put(tmp_path / "wide.csv", f"entry,j1,j2\n{rows}\n")
    for more in (["--rows", "1000"], ["--json"]):
        with subprocess.Popen(
            [EXECUTABLE, "aggregate", wide, "--k", "0", *more], stdout=subprocess.PIPE, stderr=subprocess.PIPE
        ) as process:
            assert process.stdout is not None
            assert process.stderr is not None
            process.stdout.readline()
            process.stdout.close()
            assert b"Traceback" not in (said := process.stderr.read()), said
            assert b"rror" not in said, said
        assert process.returncode == 0


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is always full")
def test_a_full_disk_is_one_line(votes: Path) -> None:
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            [EXECUTABLE, "aggregate", votes, "--k", "1"], stdout=full, stderr=subprocess.PIPE, text=True, check=False
        )
    assert done.returncode == 2
    assert done.stderr.splitlines()[-1].startswith("bribeproof: the answer could not be printed (")
    assert "Traceback" not in done.stderr


def test_output_that_cannot_hold_every_letter(tmp_path: Path) -> None:
    named = put(tmp_path / "named.csv", "entry,j1,j2\nŽofie,7.5,8\n")
    done = start("aggregate", named, "--k", 0, PYTHONIOENCODING="ascii")
    assert (done.status, "\\u017dofie" in done.out) == (0, True)
    done = start("aggregate", named, "--k", 0, "--json", PYTHONIOENCODING="ascii")
    assert json.loads(done.out)["items"][0]["entry"] == "Žofie"


# What is read, and how it is said.


def test_json_says_everything(votes: Path) -> None:
    found = document("aggregate", votes, "--k", 1)
    assert list(found) == ["kind", "read_as", "notes", "summary", "items"]
    assert found["kind"] == "votes"
    assert found["notes"] == [f"read as {found['read_as']}"]
    assert found["summary"] == {
        "items": 4, "reporters": 5, "k": {"least": 1, "most": 1}, "share": None, "share_of": None, "unprotected": 0,
        "status": {"ok": 3, "not certified": 1}, "ties": 1, "decisions": 3, "changeable": 2,
        "most_fragile": {"flips_needed": 1, "count": 1, "items": ["t3"]},
    }  # fmt: skip
    assert found["items"][3] == {
        "task": "t4", "n": 5, "m": 1, "k": 1, "positive": 1, "estimate": None, "decision": None, "tie": False,
        "flips_needed": None, "status": "not certified",
    }  # fmt: skip


def test_json_of_scores(sheet: Path) -> None:
    summary = document("aggregate", sheet, "--k", 1)["summary"]
    assert [one["item"] for one in summary["most_movable"]] == ["E1", "E2"]
    assert summary["podium"] == [
        {"item": "E1", "rank": 1, "best_rank": 1, "worst_rank": 3},
        {"item": "E2", "rank": 2, "best_rank": 1, "worst_rank": 3},
    ]


def test_json_of_dates_in_parquet(tmp_path: Path) -> None:
    frame = pl.DataFrame({"run": ["2026-02-01", "2026-02-03"], "j1": [1.5, float("nan")], "j2": [2, 3]})
    frame.with_columns(pl.col("run").str.to_date()).write_parquet(tmp_path / "days.parquet")
    assert column(tmp_path / "days.parquet", "estimate", "--k", 0) == [1.75, 3.0]


def test_the_same_table_in_every_format(tmp_path: Path) -> None:
    frame = pl.read_csv(io.StringIO(LABELS))
    frame.write_csv(tmp_path / "t.csv")
    frame.write_csv(tmp_path / "t.tsv", separator="\t")
    frame.write_parquet(tmp_path / "t.parquet")
    frame.write_ndjson(tmp_path / "t.ndjson")
    frame.write_json(tmp_path / "t.json")
    found = [document("aggregate", path, "--k", 0) for path in sorted(tmp_path.iterdir())]
    assert len(found) == 5
    assert all(one == found[0] for one in found)
    assert found[0]["kind"] == "labels"


def test_s23_semicolons_and_decimal_commas(tmp_path: Path) -> None:
    path = put(tmp_path / "s23.csv", "skater;j1;j2;j3\nS1;7,25;7,50;9,75\nS2;6,00;6,25;6,50\n")
    found = document("aggregate", path, "--k", 1)
    assert [row["estimate"] for row in found["items"]] == [7.5, 6.25]
    assert any("';'" in note for note in found["notes"])


def test_s26_average_and_entry_are_no_judges(tmp_path: Path) -> None:
    path = put(tmp_path / "s26.csv", "entry,j1,j2,j3,average\n101,7,8,9,8\n102,4,5,9,6\n")
    for judges in ((), ("--judges", "j1,j2,j3"), ("--judges", "j*"), ("--judges", "j1", "--judges", "j2,j3")):
        found = document("aggregate", path, "--k", 1, *judges)
        assert [(row["entry"], row["n"], row["estimate"]) for row in found["items"]] == [
            ("101", 3, 8.0), ("102", 3, 5.0),
        ]  # fmt: skip
        assert "left out: 'average'" in found["read_as"]


def test_s27_words_in_score_cells(tmp_path: Path) -> None:
    path = put(tmp_path / "s27.csv", "entry,j1,j2,j3\nE1,85%,90%,absent\nE2,80%,70%,75%\n")
    message = call("aggregate", path, "--k", 1).refused()
    assert all(word in message for word in ("E1", "j3", "absent"))
    found = document("aggregate", path, "--k", 1, "--missing", "absent")
    assert [(row["m"], row["estimate"], row["status"]) for row in found["items"]] == [
        (2, None, "not certified"), (3, 75.0, "ok"),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("content", "word"),
    [("", "empty"), ("task,worker,label\n", "no rows"), ("entry,worker\nE1,w1\n", "--value")],
    ids=["no bytes", "a header only", "no reports"],
)
def test_s31_nothing_to_aggregate(tmp_path: Path, content: str, word: str) -> None:
    assert word in call("aggregate", put(tmp_path / "s31.csv", content), "--k", 1).refused()


def test_s33_one_judge(tmp_path: Path) -> None:
    path = put(tmp_path / "s33.csv", "entry,j1\nE1,7\nE2,4\n")
    assert column(path, "estimate", "--k", 0) == [7.0, 4.0]
    assert column(path, "status", "--k", 1) == ["not certified"] * 2
    assert "1 reporter, k = 1: 0 ok, 2 not certified." in call("aggregate", path, "--k", 1).out


def test_a_share_is_resolved_printed_and_warned_about(tmp_path: Path) -> None:
    scores = ",".join(["6", "6.5", "6", "7", "6.5", "6", "6.5", "7", "10"])
    path = put(tmp_path / "s19.csv", f"entry,{','.join(f'j{i}' for i in range(9))}\nE1,{scores}\n")
    done = call("aggregate", path, "--share", "0.1")
    assert "note: a share of 0.1 of 9 reporters is k = 0: no protection" in done.err
    assert "1 item, 9 reporters, k = 0 (a share of 0.1): 1 ok.\nk = 0 tolerates 0 bribed" in done.out
    assert column(path, "estimate", "--share", "1/9") == [6.5]
    assert "k = 1 (a share of 1/9)" in call("aggregate", path, "--share", "1/9").out


def test_a_share_of_each_item(votes: Path) -> None:
    assert column(votes, "k", "--share", 0.25) == [1, 1, 1, 1]
    assert column(votes, "k", "--share", 0.25, "--share-of", "item") == [1, 1, 0, 0]
    done = call("aggregate", votes, "--share", 0.25, "--share-of", "item")
    assert "k = 0 to 1 (a share of 0.25 of each item): 4 ok.\nk = 0 on 2 items: there is no protection." in done.out
    assert "1 of 4 decisions could have been changed by their k bribed reporters." in done.out


def test_k_0_promises_nothing(sheet: Path) -> None:
    done = call("aggregate", sheet, "--k", 0)
    assert "k = 0 tolerates 0 bribed reporters: there is no protection." in done.out
    assert "Podium: 1. E1, 2. E3, 3. E2." in done.out
    assert "safe" not in done.out
    assert "movable" not in done.out


def test_singular_and_plural(tmp_path: Path) -> None:
    one = put(tmp_path / "one.csv", "task,worker,label\nt1,a,x\nt1,b,x\nt1,c,x\n")
    assert call("aggregate", one, "--k", 1).out.splitlines()[-4:] == [
        "1 item, 3 reporters, k = 1: 1 ok.",
        "0 ties.",
        "0 of 1 decision could have been changed by 1 bribed reporter.",
        "Most fragile, 2 flips needed: t1.",
    ]
    two = put(tmp_path / "two.csv", "task,worker,label\n" + "".join(f"{t},{w},{v}\n" for t in "AB" for w, v in
              zip("abcde", "xxxyy" if t == "A" else "xxyyz", strict=True)))  # fmt: skip
    assert call("aggregate", two, "--k", 2, "--rows", 0).out.splitlines() == [
        "2 items, 5 reporters, k = 2: 1 ok, 1 no class left.",
        "1 tie.",
        "1 of 1 decision could have been changed by 2 bribed reporters.",
        "Most fragile, 1 flip needed: A.",
    ]


# Every option has an effect, or is refused.

EFFECTS = {
    "--kind": ("j1,task,j2\n1,a,0\n1,b,1\n", ("--item", "task"), ("--kind", "votes"), ("--kind", "scores"), None),
    "--item": ("a,worker,b,label\nx,w,y,1\n", (), ("--item", "a"), ("--item", "b"), None),
    "--reporter": ("task,worker,user,label\nt,a,c,x\nt,a,d,x\n", ("--item", "task"), ("--reporter", "worker"),
                   ("--reporter", "user"), "m"),
    "--value": ("task,worker,label,vote\nt,a,x,y\n", (), ("--value", "label"), ("--value", "vote"), "decision"),
    "--judges": ("entry,j1,j2,j3\nE,1,2,6\n", (), (), ("--judges", "j2,j3"), "estimate"),
    "--judges in quotes": ('entry,"Lee, A","Lee, B",x\nE,1.5,2,6\n', (), (), ("--judges", '"Lee, A","Lee, B"'),
                           "estimate"),
    "--positive": ("task,worker,label\nt,a,yes\nt,b,no\nt,c,yes\n", (), ("--positive", "yes"), ("--positive", "no"),
                   "positive"),
    "--positive 0": (VOTES, (), (), ("--positive", 0), "positive"),
    "--classes": (LABELS, (), (), ("--classes", "z,y,x,w"), None),
    "--classes of votes": ("task,worker,label\nt,a,yes\nt,b,yes\n", ("--positive", "yes"), ("--classes", "no,yes"),
                           ("--classes", "yes,no", "--ties", "first"), None),
    "--missing": (VOTES, (), (), ("--missing", 0), "m"),
    "--missing two": (LABELS, (), ("--missing", "x"), ("--missing", "x,y"), "m"),
    "--repeats": ("task,worker,label\nt,a,x\nt,a,y\n", (), ("--repeats", "first"), ("--repeats", "last"), "decision"),
    "--repeats drop": ("task,worker,label\nt,a,x\nt,a,y\n", (), ("--repeats", "first"), ("--repeats", "drop"), "m"),
    "--ties": (VOTES, (), ("--ties", "first"), ("--ties", "last"), "decision"),
    "--seed": (LABELS, (), ("--seed", 0), ("--seed", 3), "draw"),
    "--prior": (VOTES, ("--tpr", 0.8, "--fpr", 0.1), ("--prior", 0.5), ("--prior", 0.2), "forecast"),
    "--tpr": (VOTES, ("--prior", 0.5, "--fpr", 0.1), ("--tpr", 0.8), ("--tpr", 0.7), "guarantee"),
    "--fpr": (VOTES, ("--prior", 0.5, "--tpr", 0.8), ("--fpr", 0.1), ("--fpr", 0.2), "guarantee"),
    "--loss": (VOTES, EXPERT, (), ("--loss", "absolute"), "forecast"),
    "--loss cost": (VOTES, EXPERT, ("--loss", "absolute"), ("--loss", "cost:1,5"), "forecast"),
    "--sep": ("entry|j1;j2|j3\nE|1;5|2\n", ("--kind", "labels"), ("--sep", "|"), ("--sep", ";"), None),
    "--decimal": ("entry;j1;j2\nE;1,250;2\n", ("--kind", "scores"), ("--decimal", ","), (), None),
    "--round": ("entry,j1,j2\nE,1.005,1.005\n", (), (), ("--round", 2), "estimate"),
}  # fmt: skip


@pytest.mark.parametrize(("content", "base", "one", "other", "changed"), EFFECTS.values(), ids=EFFECTS)
def test_an_option_changes_the_answer(
    tmp_path: Path, content: str, base: tuple[object, ...], one: tuple[object, ...], other: tuple[object, ...],
    changed: str | None,
) -> None:  # fmt: skip
    path = put(tmp_path / "table.csv", content)
    runs = [call("aggregate", path, "--k", 0, *base, *option, "--json") for option in (one, other)]
    if changed is None:
        assert runs[0].out != runs[1].out or runs[0].err != runs[1].err
        return
    values = [[row.get(changed) for row in json.loads(run.out)["items"]] for run in runs]
    assert values[0] != values[1]


def test_rounding_is_half_up_in_decimal_arithmetic(tmp_path: Path) -> None:
    path = put(tmp_path / "half.csv", "entry,j1,j2\nA,1.005,1.005\nB,2.675,2.675\nC,-0.125,-0.125\nD,0.30,0.35\n")
    assert column(path, "estimate", "--k", 0, "--round", 2) == [1.01, 2.68, -0.13, 0.33]
    assert "1.01" in call("aggregate", path, "--k", 0, "--round", 2).out


def test_encoding(tmp_path: Path) -> None:
    path = tmp_path / "cp1252.csv"
    path.write_bytes("task,worker,label\nt,José,é\n".encode("cp1252"))
    assert "--encoding cp1252" in call("aggregate", path, "--k", 0).refused()
    assert column(path, "decision", "--k", 0, "--encoding", "cp1252") == ["é"]


def test_rows(labels: Path) -> None:
    for rows in (0, 1, 2, 3, 50):
        lines = call("aggregate", labels, "--k", 0, "--rows", rows).out.splitlines()
        assert sum(line.startswith("t") and line[1].isdigit() for line in lines) == min(rows, 3)
        more = {1: "… and 2 more items; write all with -o FILE, or print more with --rows", 2: "… and 1 more item;"}
        assert any(line.startswith(more.get(rows, "3 items")) for line in lines)
        assert any("more item" in line for line in lines) == (rows in more)


IDLE = {
    "neither k nor share": ("votes", (), "--k 1, or --share 0.2"),
    "both k and share": ("votes", ("--k", 1, "--share", 0.2), "--k 1, or --share 0.2"),
    "k is negative": ("votes", ("--k", -1), "k=-1"),
    "k is no whole number": ("votes", ("--k", 1.5), "1.5"),
    "k is a word": ("votes", ("--k", "one"), "'one'"),
    "share is half": ("votes", ("--share", 0.5), "0.5"),
    "share in per cent": ("votes", ("--share", "10"), "10"),
    "share-of without share": ("votes", ("--k", 1, "--share-of", "item"), "--share"),
    "classes of scores": ("sheet", ("--k", 1, "--classes", "a,b"), "--classes"),
    "ties of scores": ("sheet", ("--k", 1, "--ties", "first"), "--ties"),
    "seed of scores": ("sheet", ("--k", 1, "--seed", 0), "--seed"),
    "seed of votes": ("votes", ("--k", 1, "--seed", 0), "--ties random"),
    "random ties without a seed": ("votes", ("--k", 1, "--ties", "random"), "seed"),
    "positive scores": ("sheet", ("--k", 1, "--kind", "scores", "--positive", 1), "--positive"),
    "an expert on scores": ("sheet", ("--k", 1, "--kind", "scores", *EXPERT), "--prior"),
    "an expert on labels": ("labels", ("--k", 1, "--kind", "labels", *EXPERT), "--prior"),
    "half an expert": ("votes", ("--k", 1, "--prior", 0.5), "--tpr"),
    "loss without an expert": ("votes", ("--k", 1, "--loss", "log"), "--prior"),
    "an unknown loss": ("votes", ("--k", 1, *EXPERT, "--loss", "hinge"), "hinge"),
    "round labels": ("labels", ("--k", 1, "--round", 2), "--round"),
    "round votes": ("votes", ("--k", 1, "--round", 0), "--round"),
    "round far": ("sheet", ("--k", 1, "--round", 13), "13"),
    "decimal mark of labels": ("labels", ("--k", 1, "--decimal", "."), "--decimal"),
    "judges of a long table": ("votes", ("--k", 1, "--judges", "label", "--reporter", "worker"), "--judges"),
    "reporter of a wide table": ("sheet", ("--k", 1, "--reporter", "j1"), "--value"),
    "value of a wide table": ("sheet", ("--k", 1, "--value", "j1"), "--reporter"),
    "no such item": ("sheet", ("--k", 1, "--item", "nobody"), "'nobody'"),
    "no such judge": ("sheet", ("--k", 1, "--judges", "j1,j9"), "'j9'"),
    "no judge": ("sheet", ("--k", 1, "--judges", ","), "at least one"),
    "fewer rows than none": ("sheet", ("--k", 1, "--rows", -1), "--rows -1"),
    "too many rows": ("sheet", ("--k", 1, "--rows", 1001), "-o FILE"),
    "rows of JSON": ("sheet", ("--k", 1, "--rows", 1, "--json"), "--json"),
    "an unknown kind": ("sheet", ("--k", 1, "--kind", "ranks"), "ranks"),
    "an unknown option": ("sheet", ("--k", 1, "--trim", 1), "--trim"),
    "a file too many": ("sheet", ("sheet.csv", "--k", 1), "sheet.csv"),
    "an unknown encoding": ("sheet", ("--k", 1, "--encoding", "klingon"), "klingon"),
    "a long delimiter": ("sheet", ("--k", 1, "--sep", "::"), "::"),
}  # fmt: skip


@pytest.mark.parametrize(("name", "arguments", "words"), IDLE.values(), ids=IDLE)
def test_an_option_that_would_change_nothing_is_refused(
    request: pytest.FixtureRequest, name: str, arguments: tuple[object, ...], words: str
) -> None:
    assert words in call("aggregate", request.getfixturevalue(name), *arguments).refused()


def test_no_file_and_no_delimiter_of_parquet(tmp_path: Path) -> None:
    assert "FILE" in call("aggregate").refused()
    assert "--foo" in call("aggregate", "--foo", "--k", 1).refused()
    pl.read_csv(io.StringIO(LABELS)).write_parquet(tmp_path / "t.parquet")
    for option in (("--sep", ";"), ("--encoding", "utf-8")):
        assert option[0] in call("aggregate", tmp_path / "t.parquet", "--k", 1, *option).refused()


# Files that are written.


@pytest.mark.parametrize("ending", ["csv", "tsv", "parquet", "ndjson", "json"])
@pytest.mark.parametrize("kind", ["scores", "votes", "labels"])
def test_a_file_read_back_is_the_answer_of_the_library(
    request: pytest.FixtureRequest, tmp_path: Path, kind: str, ending: str
) -> None:
    source = request.getfixturevalue({"scores": "sheet"}.get(kind, kind))
    target = tmp_path / f"answer.{ending}"
    done = call("aggregate", source, "--k", 1, "-o", target)
    assert (done.status, f"note: wrote {3 + (kind == 'votes')} items to {target}" in done.err) == (0, True)
    table = bp.read_table(source)
    want: pl.DataFrame
    if kind == "scores":
        want = bp.aggregate_scores(table, k=1, item="entry", judges=["j1", "j2", "j3", "j4", "j5"])
    else:
        want = bp.aggregate_votes(table, k=1) if kind == "votes" else bp.aggregate_labels(table, k=1)
    if ending == "parquet":
        assert pl.read_parquet(target).equals(want)
        return
    text = [[_text(value) for value in row] for row in want.iter_rows()]
    found = bp.read_table(target).frame
    assert found.columns == want.columns
    assert [[_text(value) for value in row] for row in found.iter_rows()] == text


def _text(value: object) -> object:
    """A cell as far as text formats keep it."""
    if isinstance(value, bool):
        return str(value).lower()
    try:
        return float(value)  # type: ignore[arg-type]
    except (TypeError, ValueError):
        return value


HOSTILE = ['=HYPERLINK("http://x.example","win")', "@SUM(A1)", "+1+1", "-2+3", "[red]bold[/red]"]


def test_formulas_are_neutralised_in_csv_and_nowhere_else(tmp_path: Path) -> None:
    rows = "".join('"{}",1,2\n'.format(name.replace('"', '""')) for name in HOSTILE)
    source = put(tmp_path / "hostile.csv", f"entry,j1,-j2\n{rows}")
    for ending in ("csv", "json"):
        target = tmp_path / f"answer.{ending}"
        assert call("aggregate", source, "--k", 0, "--judges", "j1,-j2", "-o", target).status == 0
        names = bp.read_table(target).frame["entry"].to_list()
        assert names == [f"'{name}" if ending == "csv" and name[0] in "=@+-" else name for name in HOSTILE]
    assert list(aggregate(source, "--k", 0, "--judges", "j1,-j2")) == HOSTILE


def test_hostile_names_are_printed_as_plain_text(tmp_path: Path) -> None:
    names = [*HOSTILE, "\x1b[31mred\x07", "\x9b2J", "\u202egnp.exe", "N" * 5000, "a\nb", "[link=http://x]y"]
    rows = "".join('"{}",1.5,2,3\n'.format(name.replace('"', '""')) for name in names)
    source = put(tmp_path / "hostile.csv", f"entry,[b]j1,\x1b]0;j2\x1b\\,j3\n{rows}")
    done = call("aggregate", source, "--k", 1, "--rows", 50)
    assert done.status == 0
    for text in (done.out, done.err):
        assert all(letter.isprintable() or letter == "\n" for letter in text)
    lines = done.out.splitlines()
    assert all(any(line.startswith(name) for line in lines) for name in [*HOSTILE, "[link=http://x]y"])
    for shown in ("\\x1b[31mred\\x07", "\\x9b2J", "\\u202egnp.exe", "N" * 59 + "…", "a b"):
        assert any(line.startswith(shown) for line in lines), shown
    assert "[b]j1" in done.out
    message = call("aggregate", source, "--k", 1, "--item", "\x1b[2J").refused()
    assert message.rstrip("\n").isprintable()


UNWRITABLE = {
    "no folder": "nowhere/answer.csv",
    "a folder": "folder.csv",
    "an unknown ending": "answer.xlsx",
    "no ending": "answer",
    "the input": "votes.csv",
    "the input by another way": "folder.csv/../votes.csv",
}


@pytest.mark.parametrize("name", UNWRITABLE.values(), ids=UNWRITABLE)
def test_an_output_that_cannot_be_written_changes_nothing(votes: Path, tmp_path: Path, name: str) -> None:
    (tmp_path / "folder.csv").mkdir()
    assert Path(name).name in call("aggregate", votes, "--k", 1, "-o", tmp_path / name).refused()
    assert votes.read_text() == VOTES
    assert sorted(path.name for path in tmp_path.rglob("*")) == ["folder.csv", "votes.csv"]


@pytest.mark.skipif(os.geteuid() == 0, reason="the superuser may write anywhere")
def test_a_read_only_folder(votes: Path, tmp_path: Path) -> None:
    (locked := tmp_path / "locked").mkdir(mode=0o500)
    assert "answer.csv" in call("aggregate", votes, "--k", 1, "-o", locked / "answer.csv").refused()


def test_nothing_is_written_where_the_reports_are_refused(tmp_path: Path) -> None:
    source = put(tmp_path / "conflict.csv", "task,worker,label\nt,a,x\nt,a,y\n")
    target = put(tmp_path / "answer.csv", "old")
    call("aggregate", source, "--k", 1, "-o", target).refused()
    assert target.read_text() == "old"


# How it looks.


@pytest.mark.parametrize("width", [60, 80, 120])
def test_a_table_fits_its_terminal(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, width: int) -> None:
    rows = "".join(f"t{t},w{w},class {'ABCDEFGHIJ'[t * w % 10]}\n" for t in range(3) for w in range(7))
    many = put(tmp_path / "many.csv", f"task,worker,label\n{rows}")
    files = {many: (), put(tmp_path / "votes.csv", VOTES): EXPERT, put(tmp_path / "sheet.csv", SHEET): ()}
    for path, options in files.items():
        screen = io.StringIO()
        monkeypatch.setattr(
            render,
            "console",
            lambda screen=screen: Console(file=screen, width=width, force_terminal=True, color_system=None),
        )
        assert call("aggregate", path, "--k", 1, *options).status == 0
        lines = screen.getvalue().splitlines()
        assert max(map(len, lines)) <= width
        heading = " ".join(lines[:3])
        words = ("decision", "estimate", "needed") if path.name != "sheet.csv" else ("estimate", "dropped", "range")
        assert width < 80 or all(word in heading for word in words)
        shares = any("and the shares of 8 classes; write all with -o FILE" in line for line in lines)
        assert shares == (path == many)


class Terminal(io.StringIO):
    """Standard error as a terminal."""

    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize(("stream", "patience", "shown"), [(Terminal, 0.0, True), (Terminal, 60, False),
                                                           (io.StringIO, 0.0, False)])  # fmt: skip
def test_progress_is_shown_for_long_work_in_a_terminal(
    monkeypatch: pytest.MonkeyPatch, stream: type[io.StringIO], patience: float, shown: bool
) -> None:
    monkeypatch.setattr("bribeproof.cli.progress._PATIENCE", patience)
    monkeypatch.setenv("TERM", "xterm")
    said = stream()
    with redirect_stderr(said), progress("Reading [red]x[/red]"):
        deadline = 100
        while shown and "Reading" not in said.getvalue() and deadline:
            deadline -= 1
            time.sleep(0.02)
    assert ("Reading [red]x[/red]" in said.getvalue()) == shown


# Whatever the file holds, an answer or one line.

CELLS = st.sampled_from(["", " ", "0", "1", "2", "7.5", "7,5", "85%", "1e9", "1e400", "-0", "nan", "inf", "NA", "cat",
                         "Cat", "[b]", "=1+1", "é", "\x1b[1m", "a;b", '"x"', '"', "\u00a0", "\x00", "٣"])  # fmt: skip
HEADER = st.sampled_from(
    ["task", "worker", "label", "score", "vote", "entry", "j1", "j2", "j3", "average", "x", "", '"']
)
OPTIONS = st.lists(
    st.sampled_from([("--k", "1"), ("--k", "0"), ("--share", "0.3"), ("--kind", "scores"), ("--kind", "votes"),
                     ("--kind", "labels"), ("--item", "task"), ("--value", "x"), ("--judges", "j*"),
                     ("--missing", "NA,0"), ("--repeats", "last"), ("--ties", "first"), ("--seed", "7"),
                     ("--positive", "cat"), ("--round", "1"), ("--decimal", ","), ("--sep", ";"), ("--json",),
                     ("--rows", "1"), EXPERT, ("--classes", "0,1,cat")]),
    max_size=4, unique_by=lambda option: option[0],
)  # fmt: skip


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None, max_examples=150)
@given(
    header=st.lists(HEADER, min_size=1, max_size=5),
    rows=st.lists(st.lists(CELLS, min_size=1, max_size=5), max_size=6),
    options=OPTIONS,
    end=st.sampled_from(["\n", "\r\n", "\r"]),
    sep=st.sampled_from([",", ",", ";", "\t"]),
    even=st.booleans(),
)
def test_any_file_gives_an_answer_or_one_line(
    tmp_path: Path, header: list[str], rows: list[list[str]], options: list[tuple[object, ...]], end: str, sep: str,
    even: bool,
) -> None:  # fmt: skip
    if even:
        rows = [(row * len(header))[: len(header)] for row in rows]
    path = put(tmp_path / "any.csv", end.join(sep.join(line) for line in [header, *rows]))
    done = call("aggregate", path, *(word for option in options for word in option))
    if done.status == 0:
        assert ("--json",) not in options or json.loads(done.out)["items"]
        assert done.out
    else:
        done.refused()


@pytest.mark.parametrize(
    ("name", "options", "said"),
    [
        ("crowd/bluebird.csv", ("--k", 3), "read as labels, long form"),
        ("halfpipe/clean.csv", ("--k", 1, "--round", 2), "'judge_2', …, 'judge_6'; left out: 'official'"),
        ("skating/judge_scores.csv", ("--k", 1, "--missing", "0.0"), "items in 'aspect_id', reporters in 'judge'"),
    ],
)  # fmt: skip
def test_real_files_are_recognised(name: str, options: tuple[object, ...], said: str) -> None:
    path = Path(__file__).resolve().parents[2] / ".." / "shared" / "data" / name
    if not path.exists():
        pytest.skip("the shared data are not beside the project")
    assert said in call("aggregate", path, *options).err
