"""``bribeproof calibrate`` and ``sweep``: what they say is what the library found, and mistakes end in one line."""

import csv
import json
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import bribeproof as bp
from bribeproof._text import round_up
from tests.cli.command import call


@pytest.fixture
def files(tmp_path: Path) -> tuple[Path, Path]:
    """Votes of five reporters of two vendors on sixty items, and the truth of forty."""
    rows = [(f"t{i}", f"w{j}", "AB"[j > 2], (i % 2) ^ int((i + j) % 7 == 0)) for i in range(60) for j in range(5)]
    votes, truth = tmp_path / "votes.csv", tmp_path / "truth.csv"
    pl.DataFrame(rows, schema=["task", "worker", "vendor", "label"], orient="row").write_csv(votes)
    pl.DataFrame([(f"t{i}", i % 2) for i in range(40)], schema=["task", "label"], orient="row").write_csv(truth)
    return votes, truth


def test_what_is_printed_is_what_was_found(files: tuple[Path, Path], tmp_path: Path) -> None:
    votes, truth = files
    target = tmp_path / "rates.csv"
    done = call("calibrate", votes, "--truth", truth, "--k", 1, "-o", target)
    assert done.status == 0, done
    found = bp.calibrate(bp.read_table(votes), bp.read_table(truth), k=1)
    assert "40 gold items, 20 positive and 20 negative; 5 reporters." in done.out
    bound = found.guarantee("squared").expected_loss
    assert f"squared loss on the 60 items with 5 reports is, on average, at most {round_up(bound, 4)}, " in done.out
    assert f"at least {found.expert.tpr:.1%} of positive" in done.out
    assert "whatever 1 of your 5 reporters do" in done.out
    with target.open() as file:
        rates = list(csv.DictReader(file))
    assert [float(row["tpr"]) for row in rates] == found.reporters["tpr"].to_list()


def test_everything_as_data(files: tuple[Path, Path]) -> None:
    votes, truth = files
    document = json.loads(call("calibrate", votes, "--truth", truth, "--k", 2, "--confidence", "0.9", "--json").out)
    found = bp.calibrate(bp.read_table(votes), bp.read_table(truth), k=2, confidence=0.9)
    assert [row["k"] for row in document["by_k"]] == [0, 1, 2]
    assert document["by_k"][2]["expected_loss"] == document["expected_loss"]
    assert document["expected_loss"]["log"] == found.guarantee("log").expected_loss
    assert [row["items"] for row in document["more_gold"]] == [40, 80, 160, 400]
    assert document["more_gold"][3]["tpr"] == found.with_gold(10).expert.tpr
    assert len(document["reporters"]) == 5


def test_groups_and_a_known_prior(files: tuple[Path, Path]) -> None:
    votes, truth = files
    arguments = ("calibrate", votes, "--truth", truth, "--reporter", "worker", "--value", "label", "--json")
    document = json.loads(call(*arguments, "--group", "vendor", "--bribed-groups", 0, "--prior", "0.4,0.6").out)
    assert (document["k"], document["prior"]) == (0, [0.4, 0.6])
    assert "n must exceed 2k" in call(*arguments, "--group", "vendor", "--bribed-groups", 1).refused()


def test_whoever_has_no_group_is_one_alone() -> None:
    arguments = ("calibrate", "examples/moderation.csv", "--gold", "truth", "--loss", "squared", "--json")
    found = json.loads(call(*arguments, "--group", "agency", "--bribed-groups", 1).out)
    assert found["k"] == 3  # those of North; the five who belong to no agency are not one group


def test_the_truth_in_a_column_of_the_votes(files: tuple[Path, Path], tmp_path: Path) -> None:
    votes, truth = files
    both = tmp_path / "both.csv"
    pl.read_csv(votes).drop("vendor").join(
        pl.read_csv(truth).rename({"label": "gold"}), on="task", how="left"
    ).write_csv(both)
    columns = ("--item", "task", "--reporter", "worker", "--value", "label")
    beside = call("calibrate", both, "--gold", "gold", "--k", 1, *columns)
    assert beside.status == 0, beside
    assert beside.out == call("calibrate", votes, "--truth", truth, "--k", 1, *columns).out


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        ((), "--truth FILE"),
        (("--truth", "TRUTH"), "how many reporters may be bribed"),
        (("--truth", "nowhere.csv", "--k", 1), "there is no such file"),
        (("--truth", "TRUTH", "--k", 1, "--prior", "high"), "give a probability"),
        (("--truth", "TRUTH", "--k", 1, "--gold", "answer"), "there is no column 'answer'"),
        (("--truth", "TRUTH", "--group", "shop", "--bribed-groups", 1), "--group shop"),
        (("--truth", "TRUTH", "--k", 1, "--confidence", 1), "not between 0 and 1"),
    ],
)
def test_mistakes_end_in_one_line(files: tuple[Path, Path], options: tuple[object, ...], reason: str) -> None:
    votes, truth = files
    given = [truth if option == "TRUTH" else option for option in options]
    columns = ("--reporter", "worker", "--value", "label")
    assert reason in call("calibrate", votes, *given, *columns).refused()


def test_sweep_says_where_answers_change(files: tuple[Path, Path], tmp_path: Path) -> None:
    votes, _ = files
    target = tmp_path / "all.parquet"
    columns = ("--reporter", "worker", "--value", "label")
    done = call("sweep", votes, *columns, "--prior", 0.5, "--tpr", 0.9, "--fpr", 0.1, "-o", target)
    assert done.status == 0, done
    swept = bp.sweep(bp.read_table(votes), expert=bp.Expert(0.5, 0.9, 0.1))
    assert pl.read_parquet(target).height == swept.answers.height == 60 * swept.by_k.height
    assert "loss ≤  of prior" in done.out
    assert "Changed or lost first at k = 3: t0, t1" in done.out
    document = json.loads(call("sweep", votes, *columns, "--json", "--most-k", 1).out)
    assert document["summary"] == swept.by_k.drop("expected_loss", "of_prior").head(2).to_dicts()
    assert "--loss" in call("sweep", votes, *columns, "--loss", "log").refused()


def test_sweep_with_gold_items_is_worth_what_the_calibration_says(files: tuple[Path, Path], tmp_path: Path) -> None:
    votes, truth = files
    columns = ("--reporter", "worker", "--value", "label")
    document = json.loads(call("sweep", votes, *columns, "--truth", truth, "--confidence", 0.9, "--json").out)
    learned = bp.calibrate(bp.read_table(votes), bp.read_table(truth), 0, confidence=0.9)
    assert document["summary"] == bp.sweep(bp.read_table(votes), expert=learned).by_k.to_dicts()
    both = ("--truth", truth, "--prior", 0.5, "--tpr", 0.9, "--fpr", 0.1)
    assert "give one of them" in call("sweep", votes, *columns, *both).refused()
    assert "--confidence has no effect here" in call("sweep", votes, *columns, "--confidence", 0.9).refused()
    sheet = tmp_path / "sheet.csv"
    sheet.write_text("entry,j1,j2,j3\nE1,1,6.5,7\n")
    assert "these are scores" in call("sweep", sheet, "--truth", truth).refused()
    sheet.write_text("task,worker,label\nt1,a,x\nt1,b,y\n")
    assert "these are labels: if there are two classes" in call("sweep", sheet, "--truth", truth).refused()


def test_sweep_of_scores(tmp_path: Path) -> None:
    sheet = tmp_path / "sheet.csv"
    sheet.write_text("entry,j1,j2,j3,j4,j5\nE1,1,6.5,7,7,10\nE2,2,6,6.5,9,9\n")
    done = call("sweep", sheet)
    assert done.status == 0, done
    assert "Changed or lost first at k = 2: E1, E2" in done.out


def test_aggregate_with_gold_items_is_worth_what_the_calibration_says(files: tuple[Path, Path]) -> None:
    votes, truth = files
    found = bp.calibrate(bp.read_table(votes), bp.read_table(truth), k=1)
    done = call("aggregate", votes, "--k", 1, "--truth", truth, "--json")
    assert done.status == 0, done
    document = json.loads(done.out)
    guarantee = document["summary"]["guarantee"]
    assert guarantee["mean"] == found.guarantee("squared").expected_loss
    assert guarantee["confidence"] == 0.95
    assert "the gold items, and who answers them, are like the others" in guarantee["condition"]
    rule = found.aggregator("squared")
    assert {round(row["forecast"], 9) for row in document["items"]} <= {
        round(value, 9) for value in rule.values.tolist()
    }
    direct = bp.aggregate_votes(bp.read_table(votes), k=1, expert=found.with_k(0), positive=1)
    assert direct["forecast"].to_list() == [row["forecast"] for row in document["items"]]
    shared = call("aggregate", votes, "--share", 0.2, "--truth", truth, "--confidence", 0.8)
    assert "with 80 % confidence" in shared.out


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (("--prior", 0.5, "--tpr", 0.8, "--fpr", 0.1), "give one of them"),
        (("--kind", "labels"), "apply to votes"),
        (("--confidence", 1), "confidence"),
    ],
)
def test_gold_items_for_aggregate_that_do_not_fit(
    files: tuple[Path, Path], arguments: tuple[Any, ...], reason: str
) -> None:
    votes, truth = files
    done = call("aggregate", votes, "--k", 1, "--truth", truth, *arguments)
    assert done.status == 2
    assert reason in done.err
    alone = call("aggregate", votes, "--k", 1, "--confidence", 0.9)
    assert "it needs --truth or --gold" in alone.err


def test_the_positive_vote_of_a_sweep_is_that_of_its_calibration(tmp_path: Path) -> None:
    rows = [(f"t{i}", f"w{j}", ("no", "yes")[i % 2]) for i in range(30) for j in range(5)]
    votes, truth = tmp_path / "votes.csv", tmp_path / "truth.csv"
    pl.DataFrame(rows, schema=["task", "worker", "label"], orient="row").write_csv(votes)
    pl.DataFrame(
        [(f"t{i}", ("no", "yes")[i % 2]) for i in range(30)], schema=["task", "label"], orient="row"
    ).write_csv(truth)
    done = call("sweep", votes, "--kind", "votes", "--positive", "yes", "--truth", truth)
    assert done.status == 0, done
