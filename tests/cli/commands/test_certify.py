"""``bribeproof certify``: what it says is what the library found, and mistakes end in one line."""

import json
from pathlib import Path

import polars as pl
import pytest

import bribeproof as bp
from tests.cli.command import call


@pytest.fixture
def files(tmp_path: Path) -> tuple[Path, Path]:
    """Labels of seven reporters on sixty items, and the truth of forty."""
    rows = [(f"t{i}", f"w{j}", "cat" if (i + j) % 7 < 5 else "dog") for i in range(60) for j in range(7)]
    labels, truth = tmp_path / "labels.csv", tmp_path / "truth.csv"
    pl.DataFrame(rows, schema=["task", "worker", "label"], orient="row").write_csv(labels)
    gold = [(f"t{i}", "cat" if i % 10 else "dog") for i in range(40)]
    pl.DataFrame(gold, schema=["task", "label"], orient="row").write_csv(truth)
    return labels, truth


@pytest.mark.parametrize("options", [(), ("--k", 1), ("--rule", "isotonic", "--k", 1, "--seed", 3)])
def test_what_is_printed_is_what_was_found(
    files: tuple[Path, Path], tmp_path: Path, options: tuple[object, ...]
) -> None:
    labels, truth = files
    target = tmp_path / "by_k.csv"
    done = call("certify", labels, "--truth", truth, *options, "-o", target)
    assert done.status == 0, done
    given = dict(zip([str(name).strip("-") for name in options[::2]], options[1::2], strict=True))
    found = bp.certify(bp.read_table(labels), bp.read_table(truth), **given)  # type: ignore[arg-type]
    assert done.out.startswith(found.summary())
    assert pl.read_csv(target)["robust"].to_list() == found.by_k["robust"].to_list()
    document = json.loads(call("certify", labels, "--truth", truth, *options, "--json").out)
    assert document["by_k"] == found.by_k.to_dicts()
    assert document["condition"] == found.condition


def test_weights_from_a_file_and_the_truth_in_a_column(files: tuple[Path, Path], tmp_path: Path) -> None:
    labels, truth = files
    weights = tmp_path / "weights.csv"
    given = {f"w{j}": 1 + j for j in range(7)}
    pl.DataFrame({"reporter": list(given), "weight": list(given.values())}).write_csv(weights)
    both = tmp_path / "both.csv"
    pl.read_csv(labels).join(pl.read_csv(truth).rename({"label": "gold"}), on="task", how="left").write_csv(both)
    columns = ("--item", "task", "--reporter", "worker", "--value", "label")
    document = json.loads(call("certify", both, "--gold", "gold", *columns, "--weights", weights, "--json").out)
    found = bp.certify(bp.read_table(labels), bp.read_table(truth), weights=given)
    assert document["by_k"] == found.by_k.to_dicts()


def test_the_same_reporters_have_a_table_of_their_own(files: tuple[Path, Path]) -> None:
    labels, truth = files
    given = ("certify", labels, "--truth", truth, "--k", 2)
    found = bp.certify(bp.read_table(labels), bp.read_table(truth), k=2)
    table = call(*given).out.split("If the same k reporters are bribed on all items:\n")[1].splitlines()
    assert table[0].split("  ")[-1].strip() == "worst list"
    assert table[3].startswith("turned ≤: right answers on gold items that they can turn wrong; of gold: ")
    for line, one in zip(table[1:3], found.lists[1:], strict=True):
        assert line.split()[:2] == [str(one.k), str(one.most)]
        assert line.rstrip().endswith(", ".join(one.reporters))
    document = json.loads(call(*given, "--time-limit", 60, "--json").out)["one_list"]["by_k"]
    assert [one["reporters"] for one in document] == [list(one.reporters) for one in found.lists]
    refused = call(*given, "--rule", "isotonic", "--time-limit", 5).refused()
    assert "time_limit is for rule='plurality'" in refused


def test_a_picture(files: tuple[Path, Path], tmp_path: Path) -> None:
    labels, truth = files
    done = call("certify", labels, "--truth", truth, "--plot", tmp_path / "curve.svg")
    assert "drew certified accuracy against k" in done.err
    assert "<svg" in (tmp_path / "curve.svg").read_text()


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        ((), "--truth FILE"),
        (("--truth", "TRUTH", "--k", 8), "--k 8: there are 7 reporters"),
        (("--truth", "TRUTH", "--rule", "isotonic"), "k is needed for this rule"),
        (("--truth", "TRUTH", "--seed", 1), "--seed has no effect here: it needs --rule isotonic"),
        (("--truth", "TRUTH", "--confidence", 1), "not between 0 and 1"),
        (("--truth", "TRUTH", "--weights", "nowhere.csv"), "there is no such file"),
    ],
)
def test_mistakes_end_in_one_line(files: tuple[Path, Path], options: tuple[object, ...], reason: str) -> None:
    labels, truth = files
    given = [truth if option == "TRUTH" else option for option in options]
    assert reason in call("certify", labels, *given).refused()
