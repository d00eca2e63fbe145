"""What ``bribeproof aggregate`` writes and prints, for hostile names, narrow terminals and full disks too."""

import io
import json
import os
import re
import subprocess
import time
from contextlib import redirect_stderr
from pathlib import Path

import polars as pl
import pytest
from rich.console import Console

import bribeproof as bp
from bribeproof.cli.output import aggregate as render
from bribeproof.cli.output.progress import progress
from tests.cli.command import EXECUTABLE, SHEET, TABLES, VOTES, aggregate, call, put, start

EXPERT = ("--prior", 0.5, "--tpr", 0.8, "--fpr", 0.1)


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
def test_a_full_disk_is_one_line(tmp_path: Path) -> None:
    votes = put(tmp_path / "votes.csv", VOTES)
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


@pytest.mark.parametrize("ending", ["csv", "tsv", "parquet", "ndjson", "json"])
@pytest.mark.parametrize("kind", ["scores", "votes", "labels"])
def test_a_file_read_back_is_the_answer_of_the_library(tmp_path: Path, kind: str, ending: str) -> None:
    source = put(tmp_path / "source.csv", TABLES[{"scores": "sheet"}.get(kind, kind)])
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
    for shown in ("\\x1b[31mred\\x07", "\\x9b2J", "\\u202egnp.exe", "N" * 39 + "…" + "N" * 20, "a b"):
        assert any(line.startswith(shown) for line in lines), shown
    assert "[b]j1" in done.out
    message = call("aggregate", source, "--k", 1, "--item", "\x1b[2J").refused()
    assert message.rstrip("\n").isprintable()


UNWRITABLE = {
    "no folder": "nowhere/answer.csv",
    "a folder": "folder.csv",
    "an unknown ending": "answer.doc",
    "no ending": "answer",
    "the input": "votes.csv",
    "the input by another way": "folder.csv/../votes.csv",
}


@pytest.mark.parametrize("name", UNWRITABLE.values(), ids=UNWRITABLE)
def test_an_output_that_cannot_be_written_changes_nothing(tmp_path: Path, name: str) -> None:
    votes = put(tmp_path / "votes.csv", VOTES)
    (tmp_path / "folder.csv").mkdir()
    assert Path(name).name in call("aggregate", votes, "--k", 1, "-o", tmp_path / name).refused()
    assert votes.read_text() == VOTES
    assert sorted(path.name for path in tmp_path.rglob("*")) == ["folder.csv", "votes.csv"]


@pytest.mark.skipif(os.geteuid() == 0, reason="the superuser may write anywhere")
def test_a_read_only_folder(tmp_path: Path) -> None:
    votes = put(tmp_path / "votes.csv", VOTES)
    (locked := tmp_path / "locked").mkdir(mode=0o500)
    assert "answer.csv" in call("aggregate", votes, "--k", 1, "-o", locked / "answer.csv").refused()


def test_nothing_is_written_where_the_reports_are_refused(tmp_path: Path) -> None:
    source = put(tmp_path / "conflict.csv", "task,worker,label\nt,a,x\nt,a,y\n")
    target = put(tmp_path / "answer.csv", "old")
    call("aggregate", source, "--k", 1, "-o", target).refused()
    assert target.read_text() == "old"


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
        heading = " ".join(lines[lines.index("") :])
        words = ("decision", "estimate", "needed") if path.name != "sheet.csv" else ("estimate", "dropped", "range")
        assert width < 80 or all(word in heading for word in words)
        shares = any("and the shares of 8 classes; write all with -o FILE" in line for line in lines)
        assert shares == (path == many)


class Terminal(io.StringIO):
    """Standard error as a terminal."""

    def isatty(self) -> bool:
        return True


def wait_for(words: str, said: io.StringIO) -> None:
    """Wait until another thread has said something."""
    deadline = time.monotonic() + 60
    while words not in said.getvalue() and time.monotonic() < deadline:
        time.sleep(0.01)
    assert words in said.getvalue()


@pytest.mark.parametrize(("stream", "patience", "shown"), [(Terminal, 0.0, True), (Terminal, 600, False),
                                                           (io.StringIO, 0.0, False)])  # fmt: skip
def test_progress_is_shown_for_long_work_in_a_terminal(
    monkeypatch: pytest.MonkeyPatch, stream: type[io.StringIO], patience: float, shown: bool
) -> None:
    monkeypatch.setattr("bribeproof.cli.output.progress._DELAY", patience)
    monkeypatch.setenv("TERM", "xterm")
    said = stream()
    with redirect_stderr(said), progress("Reading [red]x[/red]"):
        wait_for("Reading" if shown else "", said)
    assert ("Reading [red]x[/red]" in said.getvalue()) == shown


def test_progress_shows_each_stage_how_far_it_is_and_the_time_left(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bribeproof.cli.output.progress._DELAY", 0.0)
    monkeypatch.setenv("TERM", "xterm")
    said = Terminal()
    with redirect_stderr(said), progress("Reading") as report:
        for stage, done, words in (
            ("Reading", 0.25, "25%"),
            ("Summing up", None, "Summing up"),
            ("Writing", 1.0, "100%"),
        ):
            report(stage, done)
            wait_for(words, said)
    assert "-:--:--" in said.getvalue()


def test_progress_in_a_log_is_a_line_now_and_then(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bribeproof.cli.output.progress._INTERVAL", 0.02)
    said = io.StringIO()
    with redirect_stderr(said), progress("Reading [red]x") as report:
        for stage, done, words in (("Reading [red]x", 0.25, ", 25%"), ("Writing", None, "Writing … ")):
            report(stage, done)
            wait_for(words, said)
    lines = said.getvalue()
    time.sleep(0.1)
    assert said.getvalue() == lines
    assert all(re.fullmatch(r"(Reading \[red\]x|Writing) … \d+ s(, 25%)?", line) for line in lines.splitlines())
    assert "\r" not in lines


# Whatever the file holds, an answer or one line.
