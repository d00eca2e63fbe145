"""``bribeproof attack``: what it prints, writes and draws is what the library measured; mistakes end in one line."""

import json
import sys
from pathlib import Path
from typing import get_args
from unittest.mock import patch

import polars as pl
import pytest

import bribeproof as bp
from bribeproof.attacks.strategies import STRATEGIES
from bribeproof.attacks.study import attack
from bribeproof.cli.commands.attack import Strategy
from tests.cli.command import call
from tests.paths import ROOT

SHORT = ("--adversaries", "0,2", "--seeds", 3)


@pytest.fixture
def files(tmp_path: Path) -> tuple[Path, Path]:
    """Votes of five reporters on thirty items, and the truth of twenty."""
    rows = [(f"t{i}", f"w{j}", (i % 2) ^ int((i + j) % 7 == 0)) for i in range(30) for j in range(5)]
    votes, truth = tmp_path / "votes.csv", tmp_path / "truth.csv"
    pl.DataFrame(rows, schema=["task", "worker", "label"], orient="row").write_csv(votes)
    pl.DataFrame([(f"t{i}", i % 2) for i in range(20)], schema=["task", "answer"], orient="row").write_csv(truth)
    return votes, truth


def test_what_is_printed_and_written_is_what_was_measured(files: tuple[Path, Path], tmp_path: Path) -> None:
    votes, truth = files
    target = tmp_path / "curves.parquet"
    expert = ("--prior", 0.5, "--tpr", 0.8, "--fpr", 0.2)
    done = call("attack", votes, "--truth", truth, *SHORT, *expert, "--strategy", "worst", "-o", target)
    assert done.status == 0, done
    found = attack(
        bp.read_table(votes), bp.read_table(truth), [0, 2], strategy="worst", draws=3, truth_column="answer",
        expert=bp.Expert(0.5, 0.8, 0.2),
    )  # fmt: skip
    assert pl.read_parquet(target).equals(found.curves)
    assert "5 reporters, 30 items, 20 with a known truth; strategy: worst; 3 draws with seeds 0 to 2." in done.out
    lines = [line.split() for line in done.out.splitlines()]
    for row in found.curves.iter_rows(named=True):
        shown = [str(row["adversaries"]), *row["rule"].split(), str(row["k"]), f"{row['certified']:.1%}"]
        assert any(line[: len(shown)] == shown and f"{row['squared_loss']:.4f}" in line for line in lines), row
    assert f"wrote {found.curves.height} rows" in done.err


def test_the_command_knows_all_strategies() -> None:
    assert get_args(Strategy) == STRATEGIES


def test_everything_as_data(files: tuple[Path, Path]) -> None:
    votes, truth = files
    document = json.loads(call("attack", votes, "--truth", truth, *SHORT, "--k", "1", "--json").out)
    found = attack(bp.read_table(votes), bp.read_table(truth), counts=[0, 2], ks=[1], draws=3, truth_column="answer")
    assert document["curves"] == found.curves.to_dicts()
    assert (document["reporters"], document["items"], document["known"]) == (5, 30, 20)


def test_it_begins_with_the_rule_to_use_and_says_how_the_calibrated_rule_is_fitted(files: tuple[Path, Path]) -> None:
    votes, truth = files
    gold = votes.with_name("gold.csv")
    gold.write_text("task\n" + "".join(f"t{i}\n" for i in range(8)))
    told = []
    for options in ((), ("--gold-items", gold)):
        done = call("attack", votes, "--truth", truth, *SHORT, *options)
        found = attack(
            bp.read_table(votes), bp.read_table(truth), counts=[0, 2], draws=3, truth_column="answer",
            gold_items=[f"t{i}" for i in range(8)] if options else None,
        )  # fmt: skip
        assert found.fit is not None
        lines = done.out.splitlines()
        assert (lines[0], lines[2]) == (found.recommendation(), found.fit.summary())
        assert next(line for line in lines if line.strip().startswith("0 ")).split()[1:3] == ["calibrated", "rule"]
        document = json.loads(call("attack", votes, "--truth", truth, *SHORT, *options, "--json").out)
        assert document["recommendation"] == found.recommendation()
        told.append(document["calibrated"])
        assert told[-1]["promises"] == [promise.facts() for promise in found.promises]
    assert [(one["items"], one["cross_fitted"]) for one in told] == [(20, True), (8, False)]


def test_gold_items_that_nothing_is_fitted_to_are_refused(tmp_path: Path) -> None:
    votes, gold = tmp_path / "labels.csv", tmp_path / "gold.csv"
    votes.write_text("task,worker,label\nt1,a,x\nt1,b,y\nt2,a,z\nt2,b,z\n")
    gold.write_text("task,label\nt1,x\nt2,z\n")
    arguments = ("attack", votes, "--truth", gold, "--gold-items", gold, "--adversaries", 1)
    assert "--gold-items has no effect here" in call(*arguments).refused()
    done = call(*arguments, "--weighed")
    assert done.out.splitlines()[0].startswith("Under this attack, use the ")
    assert "calibrated" not in done.out


def test_wide_form_and_the_truth_in_a_column_of_the_votes(tmp_path: Path) -> None:
    sheet = tmp_path / "sheet.csv"
    sheet.write_text("task,a,b,c,true\nt1,yes,yes,no,yes\nt2,no,no,no,no\nt3,yes,no,yes,\n")
    arguments = ("--judges", "a,b,c", "--gold", "true", "--positive", "yes", "--kind", "votes", "--json", *SHORT)
    done = call("attack", sheet, *arguments)
    assert done.status == 0, done
    document = json.loads(done.out)
    assert document["known"] == 2
    mean = next(row for row in document["curves"] if row["rule"] == "mean")
    assert mean["squared_loss"] == pytest.approx(1 / 18)


def test_a_sheet_of_scores_needs_no_truth(tmp_path: Path) -> None:
    sheet = ROOT / "examples" / "judges.csv"
    target = tmp_path / "curves.parquet"
    done = call("attack", sheet, "--strategy", "low", "--shares", "0, 0.3", "--seeds", 4, "-o", target)
    assert done.status == 0, done
    assert "losses from the mean of the honest scores" in done.out
    assert "accuracy" not in done.out
    curves = bp.attack(
        bp.read_table(sheet), None, [0, 2], strategy="low", kind="scores", draws=4, item="entry",
        judges=[f"judge_{place}" for place in range(1, 8)],
    )  # fmt: skip
    assert pl.read_parquet(target).equals(curves.curves)


def test_the_rule_with_learned_weights_is_attacked_on_demand(files: tuple[Path, Path]) -> None:
    votes, truth = files
    gold = votes.with_name("gold.csv")
    gold.write_text("task\nt1\nt2\nt3\nt4\n")
    for with_gold in ((), ("--gold-items", gold)):
        done = call("attack", votes, "--truth", truth, *SHORT, "--weighed", *with_gold, "--json")
        found = attack(
            bp.read_table(votes), bp.read_table(truth), counts=[0, 2], draws=3, truth_column="answer", weighed=True,
            gold_items=["t1", "t2", "t3", "t4"] if with_gold else None,
        )  # fmt: skip
        assert json.loads(done.out)["curves"] == found.curves.to_dicts()
        assert {"weighed", "weighed, k/2", "weighed, 2k"} < set(found.curves["rule"])


def test_labels_and_a_copied_reporter(tmp_path: Path) -> None:
    votes, truth = tmp_path / "labels.csv", tmp_path / "truth.csv"
    votes.write_text("task,worker,label\nt1,a,x\nt1,b,x\nt1,c,y\nt2,a,z\nt2,b,y\nt2,c,z\n")
    truth.write_text("task,label\nt1,x\nt2,z\n")
    done = call("attack", votes, "--truth", truth, *SHORT, "--strategy", "copy", "--copy", "a", "--json")
    curves = json.loads(done.out)["curves"]
    assert {row["rule"] for row in curves} > {"shares", "plurality", "k-ignorance shares", "random dictator"}
    copied = next(row for row in curves if row["rule"] == "shares" and row["adversaries"] == 2)
    assert copied["squared_loss"] == 0


def test_sleepers_are_honest_on_the_gold_items_of_a_file(files: tuple[Path, Path]) -> None:
    votes, truth = files
    gold = votes.with_name("gold.csv")
    losses = []
    for known in (0, 10, 20):
        gold.write_text("task\n" + "".join(f"t{i}\n" for i in range(max(known, 1))))
        done = call("attack", votes, "--truth", truth, *SHORT, "--strategy", "sleeper", "--gold-items", gold, "--json")
        curves = json.loads(done.out)["curves"]
        losses.append([row["squared_loss"] for row in curves if row["rule"] == "mean"])
    assert losses[0][1] > losses[1][1] > losses[2][1] == pytest.approx(losses[2][0])
    gold.write_text("item\nt1\n")
    arguments = ("attack", votes, "--truth", truth, "--strategy", "sleeper", "--gold-items", gold)
    assert "there is no column 'task'" in call(*arguments).refused()


def test_the_picture(files: tuple[Path, Path], tmp_path: Path) -> None:
    votes, truth = files
    picture, again, raster = (tmp_path / name for name in ("a.svg", "b.svg", "a.png"))
    for target in (picture, again, raster):
        assert call("attack", votes, "--truth", truth, *SHORT, "--plot", target).status == 0
    assert picture.read_bytes() == again.read_bytes()
    assert raster.read_bytes().startswith(b"\x89PNG")
    drawn = picture.read_text()
    for text in ("calibrated rule", "majority", "trimmed mean", "Bribed reporters (of 5)", "Squared loss"):
        assert drawn.count(text) == 1
    assert "2k" not in drawn


def test_without_matplotlib_one_line_says_what_to_install(files: tuple[Path, Path], tmp_path: Path) -> None:
    votes, truth = files
    with patch.dict(sys.modules, {"matplotlib.style": None, "matplotlib": None}):
        done = call("attack", votes, "--truth", truth, *SHORT, "--plot", tmp_path / "a.svg")
    assert "pip install 'matplotlib>=3.10'" in done.refused()


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        ((), "the truth of some items is needed"),
        (("--truth", "truth.csv", "--adversaries", "1,x"), "--adversaries 1,x: give numbers of reporters"),
        (("--truth", "truth.csv", "--k", "-1"), "--k -1: give numbers of reporters"),
        (("--truth", "truth.csv", "--adversaries", "6"), "only 5 reporters"),
        (("--truth", "truth.csv", "--copy", "w1"), "--copy has no effect here"),
        (("--truth", "truth.csv", "--strategy", "copy"), "--copy REPORTER"),
        (("--truth", "truth.csv", "--strategy", "worst"), "needs --prior, --tpr and --fpr"),
        (("--truth", "truth.csv", "--strategy", "sleeper"), "needs --gold-items FILE"),
        (("--truth", "truth.csv", "--strategy", "bribe"), "strategy"),
        (("--truth", "truth.csv", "--prior", "0.5"), "give all three"),
        (("--truth", "truth.csv", "--plot", "a.gif"), "--plot a.gif"),
        (("--truth", "truth.csv", "--plot", "nowhere/a.png"), "there is no folder nowhere"),
        (("--truth", "truth.csv", "-o", "a.docx"), "-o a.docx"),
        (("--truth", "truth.csv", "--shares", "0.1", "--adversaries", "1"), "give one of them"),
        (("--truth", "truth.csv", "--shares", "2"), "use a number in [0, 1]"),
        (("--truth", "nowhere.csv"), "nowhere.csv"),
        (("--truth", "truth.csv", "--gold", "what"), "there is no column 'what'"),
    ],
)
def test_mistakes(
    files: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch, arguments: tuple[str, ...], reason: str
) -> None:
    votes, _ = files
    monkeypatch.chdir(votes.parent)
    assert reason in call("attack", votes, *arguments).refused()
    assert {path.name for path in votes.parent.iterdir()} == {"votes.csv", "truth.csv"}
