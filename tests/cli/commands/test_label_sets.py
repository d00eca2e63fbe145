"""Every command on reports of several labels: the same as on the votes or labels that they amount to."""

import csv
import json
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.cli.command import call, document

LABELS = ("ant", "bee", "cat")


@pytest.fixture
def files(tmp_path: Path) -> Path:
    """Write random sets of labels with the truth, and the votes on one label and the whole sets as ordinary tables."""
    draw = np.random.default_rng(4)
    sets, votes, whole = [], [], []
    for item in range(24):
        truth = [label for label in LABELS if draw.random() < 0.5] or ["ant"]
        for who in "pqrstu":
            said = [label for label in LABELS if (label in truth) != (draw.random() < 0.15)] or ["bee"]
            cell = ";".join(said[place] for place in draw.permutation(len(said)))
            sets.append([f"t{item}", who, cell, "; ".join(reversed(truth))])
            votes.append([f"t{item}", who, int("cat" in said), int("cat" in truth)])
            whole.append([f"t{item}", who, ";".join(said), ";".join(truth)])
    for name, rows in (("sets", sets), ("votes", votes), ("whole", whole)):
        _write(tmp_path / f"{name}.csv", [["task", "worker", "label", "gold"], *rows])
        truths = [list(pair) for pair in dict.fromkeys((row[0], row[3]) for row in rows)]
        _write(tmp_path / f"{name}_truth.csv", [["task", "truth"], *truths])
    return tmp_path


def _write(path: Path, rows: list[list[Any]]) -> None:
    with path.open("w", newline="", encoding="utf-8") as file:
        csv.writer(file).writerows(rows)


def comparable(found: dict[str, Any]) -> str:
    """Return a document without its notes, and without labels in the names of items."""
    text = json.dumps({name: value for name, value in found.items() if name not in ("notes", "read_as")})
    text = text.replace("task, label", "task").replace(" \\u00b7 cat", "")
    return re.sub(r'"decision": "([01])"', r'"decision": \1', text)  # a file holds votes as text


COMMANDS = {
    "aggregate": ["--k", "1"],
    "sweep": ["--gold", "gold"],
    "audit": ["--gold", "gold"],
    "calibrate": ["--k", "1", "--gold", "gold"],
    "weigh": ["--k", "1", "--gold", "gold"],
    "attack": ["--gold", "gold", "--seeds", "3"],
}


@pytest.mark.slow
@pytest.mark.parametrize("name", COMMANDS)
def test_votes_on_one_label_are_votes(files: Path, name: str) -> None:
    options = COMMANDS[name]
    found = document(name, files / "sets.csv", *options, "--label-sets", "each", "--labels", "cat")
    kind = [] if name == "calibrate" else ["--kind", "votes"]
    right = document(name, files / "votes.csv", *options, *kind)
    if name == "aggregate":
        assert found["summary"].pop("sets")["items"] == 24
        assert found["summary"].pop("bribed_on_each") == "item and label"
        assert found["summary"].pop("same_reporters", None) is None  # not searched where one item is several decisions
        assert right["summary"].pop("same_reporters")["changed"] > 0
    assert comparable(found) == comparable(right)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["aggregate", "audit", "weigh", "attack"])
def test_whole_sets_are_labels(files: Path, name: str) -> None:
    found = document(name, files / "sets.csv", *COMMANDS[name], "--label-sets", "whole")
    assert comparable(found) == comparable(document(name, files / "whole.csv", *COMMANDS[name]))


@pytest.mark.slow
@pytest.mark.parametrize(("name", "sets"), [("weigh", "whole"), ("weigh", "each"), ("calibrate", "each")])
def test_a_file_of_the_truth_may_hold_sets(files: Path, name: str, sets: str) -> None:
    plain = "whole" if sets == "whole" else "votes"
    options = ["--label-sets", sets, *["--labels", "cat"] * (sets == "each")]
    found = document(name, files / "sets.csv", "--k", 1, "--truth", files / "sets_truth.csv", *options)
    right = document(name, files / f"{plain}.csv", "--k", 1, "--truth", files / f"{plain}_truth.csv")
    assert comparable(found) == comparable(right)


def test_statements_about_independent_items_take_one_label_at_a_time(files: Path) -> None:
    each = [files / "sets.csv", "--label-sets", "each"]
    for name in ("audit", "calibrate", "sweep"):
        assert "name one label at a time" in call(name, *each, "--gold", "gold").refused()
    assert "name them (--labels A,B)" in call("weigh", *each, "--k", 1, "--truth", files / "sets_truth.csv").refused()
    assert "Which is meant?\n  1. the labels of a report are one set" in call("sweep", files / "sets.csv").refused()


def test_a_saved_reading_is_repeated(files: Path, tmp_path: Path) -> None:
    saved = tmp_path / "r.toml"
    read = call("read", files / "sets.csv", "--label-sets", "each", "--labels", "cat,ant", "--save-reading", saved)
    assert read.status == 0
    assert "each label is voted on by itself: 'cat', 'ant'" in read.err
    assert 'labels = ["cat", "ant"]' in saved.read_text(encoding="utf-8")
    found = document("aggregate", files / "sets.csv", "--k", 1, "--reading", saved)
    assert [row["task, label"] for row in found["items"][:2]] == ["t0 · cat", "t0 · ant"]
    assert "48 items" in call("aggregate", files / "sets.csv", "--k", 1, "--reading", saved).out
