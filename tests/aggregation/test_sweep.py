"""Several k at once: the answers of the table functions, where they change, and what they are worth."""

import functools
import os
import threading
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import bribeproof as bp
from bribeproof.aggregation.sweep_result import Sweep
from tests.frames.inputs import EACH_KIND, UNORDERED, check_frames, give

AGGREGATES: dict[str, Any] = {"scores": bp.aggregate_scores, "votes": bp.aggregate_votes, "labels": bp.aggregate_labels}


def reports(kind: str, seed: int, items: int = 6, panel: int = 7) -> dict[str, list[Any]]:
    rng = np.random.default_rng(seed)
    every: dict[str, list[Any]] = {"scores": [1.0, 2.5, 4.0, 8.0], "votes": [0, 1], "labels": ["x", "y", "z"]}
    values = every[kind]
    rows = [
        (f"t{i}", f"w{j}", values[rng.integers(len(values))])
        for i in range(items)
        for j in range(panel)
        if rng.random() < 0.8
    ]
    name = "score" if kind == "scores" else "label"
    return {column: [row[place] for row in rows] for place, column in enumerate(("task", "worker", name))}


@pytest.mark.slow
@given(st.sampled_from(list(AGGREGATES)), st.integers(0, 10_000))
def test_it_is_the_table_function_for_each_k(kind: str, seed: int) -> None:
    columns = reports(kind, seed)
    frame = pl.DataFrame(columns)
    options: dict[str, Any] = {"classes": [0, 1]} if kind == "votes" else {}
    swept = bp.sweep(frame, kind=kind, **options)
    single = {k: AGGREGATES[kind](frame, k=k, **options) for k in swept.by_k["k"].to_list()}
    assert list(single) == list(range(len(single)))
    assert swept.answers.equals(pl.concat(single.values()))
    last = max(single)
    assert not (single[last]["status"] == "ok").any()
    assert (single[last - 1]["status"] == "ok").any()
    for item, first in swept.items.iter_rows():
        lost = [k for k, answers in single.items() if answers.filter(task=item)["status"][0] != "ok"]
        differs = [k for k in single if answer(kind, single[k], item) != answer(kind, single[0], item)]
        assert first == min(lost + differs, default=None)
    assert swept.by_k["certified"].to_list() == [int((one["status"] == "ok").sum()) for one in single.values()]


def answer(kind: str, answers: pl.DataFrame, item: str) -> object:
    row = answers.filter(task=item)
    if kind != "scores":
        return row["decision"][0]
    own = row["estimate"][0]
    return None if own is None else 1 + sum(other > own for other in answers["estimate"].drop_nulls())


def test_worked_values() -> None:
    votes = pl.DataFrame({"task": ["t"] * 7, "worker": list("abcdefg"), "label": [1] * 5 + [0] * 2})
    swept = bp.sweep(votes, expert=bp.Expert(0.5, 0.8, 0.1), ks=[0, 1, 2, 3, 4])
    assert swept.by_k.select("k", "certified", "ties", "changeable", "changed").rows() == [
        (0, 1, 0, 0, 0),
        (1, 1, 0, 0, 0),
        (2, 1, 0, 1, 0),
        (3, 1, 0, 1, 0),
        (4, 0, 0, 0, 1),
    ]
    bounds = swept.by_k["expected_loss"].to_list()
    assert bounds[:4] == sorted(bounds[:4])
    assert bounds[4] is None
    rule = bp.rules.closed_form(bp.Panel(7, 2), bp.Expert(0.5, 0.8, 0.1), "squared")
    assert rule.guarantee is not None
    assert bounds[2] == rule.guarantee.expected_loss


def test_a_calibration_gives_the_guarantees() -> None:
    rows = [(f"t{i}", w, i % 2) for i in range(60) for w in "abcde"]
    votes = pl.DataFrame(rows, schema=["task", "worker", "label"], orient="row")
    learned = bp.calibrate(votes, {f"t{i}": i % 2 for i in range(60)}, k=0)
    swept = bp.sweep(votes, expert=learned, loss="absolute", ks=[0, 2])
    expected = [learned.with_k(k).guarantee("absolute").expected_loss for k in (0, 2)]
    assert swept.by_k["expected_loss"].to_list() == expected


def written(reported: str) -> dict[str, list[str]]:
    return {name: list(map(str, values)) for name, values in reports(reported, 3).items()}


@functools.cache
def swept_polars(reported: str) -> tuple[Sweep, str]:
    """The sweep of reports as a frame of polars, and its summary."""
    found = bp.sweep(pl.DataFrame(written(reported)), kind=reported)
    return found, found.summary()


@pytest.mark.parametrize("reported", list(AGGREGATES))
@pytest.mark.parametrize("kind", EACH_KIND)
def test_every_kind_of_frame(kind: str, reported: str, tmp_path: Path) -> None:
    found = bp.sweep(give(kind, written(reported), tmp_path), kind=reported)
    expected, summary = swept_polars(reported)
    if kind in UNORDERED:
        answers = expected.answers.sort("k", "task")
        expected = replace(expected, items=expected.items.sort("task"), answers=answers)
    tables = [(one.by_k, one.items, one.answers) for one in (found, expected)]
    check_frames(kind, *tables)
    assert (repr(found), found.summary()) == (repr(expected), summary)


COLUMNS = {"item": "t", "reporter": "w"}
AS_ASKED: dict[str, tuple[dict[str, list[Any]], dict[str, Any]]] = {
    "scores": (
        {"t": ["x", "y"], "j1": ["5,5", "6"], "j2": ["5", "7,5"], "j3": ["0", "-"], "j4": ["9", "2"]},
        {"item": "t", "judges": ["j1", "j2", "j3", "j4"], "missing": ["-"], "decimal_mark": ",", "decimals": 1},
    ),
    "votes": (
        {"t": ["t"] * 6, "w": list("abcdea"), "says": ["y", "y", "n", "?", "y", "n"]},
        {**COLUMNS, "vote": "says", "positive": "y", "missing": ["?"], "repeats": "last"},
    ),
    "labels": (
        {"t": ["t"] * 5, "w": list("abccd"), "says": ["y", "y", "n", "x", "y"]},
        {**COLUMNS, "label": "says", "repeats": "first", "classes": list("nxyz"), "seed": 7},
    ),
}


@pytest.mark.parametrize("kind", AS_ASKED)
@pytest.mark.filterwarnings("ignore::bribeproof.BribeproofWarning")
def test_every_option_of_the_table_functions(kind: str) -> None:
    columns, options = AS_ASKED[kind]
    frame = pl.DataFrame(columns)
    swept = bp.sweep(frame, kind=kind, **options)
    single = [AGGREGATES[kind](frame, k=k, **options) for k in swept.by_k["k"].to_list()]
    assert len(single) > 1
    assert swept.answers.equals(pl.concat(single))


def test_what_is_no_option() -> None:
    with pytest.raises(TypeError, match="decimals"):
        bp.sweep(pl.DataFrame(reports("votes", 1)), decimals=2)


def test_a_warning_is_given_once() -> None:
    votes = pl.DataFrame({"task": ["t"] * 4, "worker": ["Ann", "ann", "ben", "ben"], "label": [1, 1, 0, 0]})
    with pytest.warns(bp.BribeproofWarning) as caught:
        bp.sweep(votes, classes=[0, 1])
    said = [str(one.message) for one in caught]
    assert len(said) == len(set(said)) == 2


def test_a_table_larger_than_memory_and_one_that_comes_once(tmp_path: Path) -> None:
    frame = pl.DataFrame(reports("votes", 5, items=200))
    path, pipe = tmp_path / "votes.csv", tmp_path / "pipe"
    frame.write_csv(path)
    os.mkfifo(pipe)
    expected = bp.sweep(frame, ks=[0, 2], classes=[0, 1])
    writer = threading.Thread(target=lambda: pipe.write_bytes(path.read_bytes()))
    writer.start()
    for source in (path, pipe):
        with bp.scan_table(source, in_memory=1, size=4096, format="csv") as table:
            found = bp.sweep(table, ks=[0, 2], classes=["0", "1"])
        assert found.by_k.equals(expected.by_k)
        assert found.items.equals(expected.items)
    writer.join()


@pytest.mark.parametrize(
    ("kind", "ks"), [("marks", None), ("votes", []), ("votes", [2, 1]), ("votes", [-1]), ("votes", [0.5])]
)
def test_what_cannot_be_swept(kind: str, ks: Any) -> None:
    with pytest.raises(bp.ParameterError):
        bp.sweep(pl.DataFrame(reports("votes", 1)), ks, kind=kind)


def sparse_crowd(items: int, honest: int, bribed: int, each: int, errors: float, seed: int) -> tuple[pl.DataFrame, Any]:
    """A few of many honest reporters on each item, who err together there; all the bribed lie on all items."""
    rng = np.random.default_rng(seed)
    truth, wrong = rng.integers(0, 2, items), rng.random(items) < errors
    rows = [
        (item, f"h{one:02d}", int(truth[item] ^ wrong[item]))
        for item in range(items)
        for one in rng.choice(honest, each, replace=False)
    ]
    rows += [(item, f"b{one}", int(1 - truth[item])) for item in range(items) for one in range(bribed)]
    return pl.DataFrame(rows, schema=["task", "worker", "label"], orient="row"), truth


def test_the_guarantee_is_for_the_reports_that_items_have() -> None:
    """Five reports an item, two of them bribed: the panel of 40 would promise .1665, and the loss is .25."""
    votes, truth = sparse_crowd(2000, 38, 2, 3, 0.2, 0)
    swept = bp.sweep(votes, expert=bp.Expert(0.5, 0.8, 0.2))
    assert swept.by_k["certified"].to_list() == [2000, 2000, 2000, 0]
    assert swept.by_k["expected_loss"].to_list()[3] is None
    # Theorem A for (5, k): errors .2·(5 − k)/(5 − 2k), at most .5, and their squared Bayes risk e·(1 − e).
    errors = [0.2, 0.2 * 4 / 3, 0.5]
    assert swept.by_k["expected_loss"].to_list()[:3] == pytest.approx([error * (1 - error) for error in errors])
    forecasts = swept.answers.filter(k=2).sort("task")["forecast"].to_numpy()
    assert np.square(forecasts - truth).mean() <= swept.by_k["expected_loss"][2]
    assert "the items that are certified for that k, provided that neither who answers" in swept.summary()


def test_items_of_several_sizes_are_averaged_and_the_uncertified_left_out() -> None:
    sizes = {"a": 3, "b": 5, "c": 5, "d": 2}
    rows = [(item, f"w{one}", one % 2) for item, size in sizes.items() for one in range(size)]
    votes = pl.DataFrame(rows, schema=["task", "worker", "label"], orient="row")
    swept = bp.sweep(votes, ks=[1], expert=bp.Expert(0.5, 0.9, 0.1))
    risks = [error * (1 - error) for error in (0.1 * 2 / 1, 0.1 * 4 / 3, 0.1 * 4 / 3)]
    assert swept.by_k.select("certified", "expected_loss").row(0) == (3, pytest.approx(sum(risks) / 3))


@pytest.mark.parametrize("kind", ["labels", "scores"])
def test_an_expert_says_nothing_of_labels_and_scores(kind: str) -> None:
    with pytest.raises(bp.ParameterError, match="voter with two classes"):
        bp.sweep(pl.DataFrame(reports(kind, 1)), kind=kind, expert=bp.Expert(0.5, 0.9, 0.1))


def test_a_design_covers_silence_from_the_first_k_that_allows_for_it() -> None:
    """Three were asked, and one was silent on most items: uncertified at k = 0, .16 by the panel (3, 1) at k = 1."""
    rows = [(item, who, 1) for item in range(20) for who in ("h1", "h2", *(["bribed"] if item < 5 else []))]
    votes = pl.DataFrame(rows, schema=["task", "worker", "label"], orient="row")
    swept = bp.sweep(votes, expert=bp.Expert(0.5, 0.9, 0.1), asked=3, classes=[0, 1])
    assert swept.by_k.select("k", "certified").rows() == [(0, 5), (1, 20), (2, 0)]
    assert swept.by_k["expected_loss"][1] == pytest.approx(0.16)
    assert "given to as many reporters as stated" in swept.summary()
