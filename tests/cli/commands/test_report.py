"""``bribeproof report``: it writes what the library reports, and refuses before any work what it cannot do."""

from pathlib import Path

import pytest

import bribeproof as bp
from tests.cli.command import call, put
from tests.paths import ROOT

EXAMPLES = ROOT / "examples"


def test_the_answer_is_printed_and_the_page_written(tmp_path: Path) -> None:
    done = call("report", EXAMPLES / "judges.csv", "-k", 1, "-o", tmp_path / "r.html")
    assert done.status == 0
    assert done.out.strip() == bp.report(EXAMPLES / "judges.csv", 1).summary()
    assert done.err.splitlines()[-1] == f"note: wrote the report to {tmp_path / 'r.html'}"
    page = (tmp_path / "r.html").read_text()
    assert all(line in page for line in done.out.splitlines())


def test_several_files_are_one_table(tmp_path: Path) -> None:
    text = (EXAMPLES / "votes.csv").read_text().splitlines(keepends=True)
    first, second = tmp_path / "1.csv", tmp_path / "2.csv"
    first.write_text("".join(text[:10]))
    second.write_text("".join([text[0], *text[10:]]))
    done = call("report", first, second, "-o", tmp_path / "r.html")
    assert done.out == call("report", EXAMPLES / "votes.csv", "-o", tmp_path / "r.html").out
    whole = bp.report(bp.read_table([first, second])).summary()
    assert done.out.strip() == whole


def test_prices_of_bribes_come_from_a_file(tmp_path: Path) -> None:
    price = put(tmp_path / "price.csv", "reporter,price\nann,3\nben,2\ncho,2\ndev,1\neva,1\n")
    done = call("report", EXAMPLES / "votes.csv", "--price", price, "--budget", 2, "-o", tmp_path / "r.html")
    assert done.status == 0, done
    assert "reporters bribed for at most 2" in done.out
    page = (tmp_path / "r.html").read_text()
    assert "--price price.csv" in page
    assert "price=dict(bp.read_table('price.csv').frame.iter_rows())" in page
    assert str(tmp_path) not in page  # folders are nobody else's business


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ((), "say where the report goes: -o report.html"),
        (("-o", "r.pdf"), "saved as .html"),
        (("-o", "nowhere/r.html"), "there is no folder nowhere"),
        (("-o", "r.html", "-k", 3), "--k 3: 7 reporters are needed"),
        (("-o", "r.html", "--cost-per-report", -1), "--cost-per-report -1: give a number at least 0"),
        (("-o", "r.html", "--time-limit", 0), "--time-limit 0"),
        (("-o", "r.html", "--k", 1, "--price", "p", "--budget", 1), "--k counts bribes"),
        (("-o", "r.html", "--budget", 1), "give both, or neither"),
        (("-o", "r.html", "--round", 1), "--round does not apply to votes"),
    ],
)
def test_what_cannot_be_done_is_refused(
    words: tuple[object, ...], message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert message in call("report", EXAMPLES / "votes.csv", *words).refused()
    assert not list(tmp_path.iterdir())


def test_a_truth_of_scores_and_the_input_as_output_are_refused(tmp_path: Path) -> None:
    scores, target = EXAMPLES / "judges.csv", tmp_path / "r.html"
    assert "these are scores" in call("report", scores, "--truth", EXAMPLES / "votes.csv", "-o", target).refused()
    page = put(tmp_path / "in.html", "task,worker,label\nt,a,1\nt,b,1\nt,c,1\n")
    assert "this is the input file" in call("report", page, "--format", "csv", "-o", page).refused()
