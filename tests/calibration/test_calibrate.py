"""Gold items in, guarantees out: counts against counting by hand, every kind of input, groups, and what is refused."""

from pathlib import Path
from typing import Any

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import bribeproof as bp
from bribeproof.calibration.calibrate import largest_groups
from bribeproof.theory.inference.gold import Gold
from tests.frames.inputs import EACH_KIND, FRAMES, check_frames, give
from tests.paths import SHARED

CROWD = SHARED / "data" / "crowd"

VOTES: dict[str, list[Any]] = {
    "task": ["t1"] * 3 + ["t2"] * 3 + ["t3"] * 2 + ["t4"] * 3,
    "worker": ["a", "b", "c", "a", "b", "c", "a", "b", "a", "b", "c"],
    "label": ["1", "1", "0", "0", "1", "0", "1", "0", "1", "1", None],
}
TRUTH = {"t1": 1, "t2": 0, "t3": 1}


def counts(gold: Gold) -> tuple[Any, ...]:
    return gold.answered.tolist(), gold.correct.tolist(), gold.items_by_correct.tolist()


BY_HAND = ([[1, 1, 1], [2, 2, 1]], [[1, 0, 1], [2, 1, 0]], [[0, 0, 1, 0], [0, 1, 1, 0]])


@pytest.mark.parametrize("kind", EACH_KIND)
def test_every_kind_of_table_is_counted_alike(kind: str, tmp_path: Path) -> None:
    found = bp.calibrate(give(kind, VOTES, tmp_path), TRUTH, k=1)
    expected = bp.calibrate(pl.DataFrame(VOTES), TRUTH, k=1)
    assert expected.reporters["reporter"].to_list() == ["a", "b", "c"]
    check_frames(kind, [found.reporters], [expected.reporters])
    assert (repr(found), found.summary()) == (repr(expected), expected.summary())
    assert counts(found.gold) == BY_HAND
    assert found.panel == bp.Panel(3, 1)


def test_a_file_larger_than_memory(tmp_path: Path) -> None:
    path = tmp_path / "votes.csv"
    pl.DataFrame(VOTES).write_csv(path)
    with bp.scan_table(path, in_memory=8) as votes:
        assert counts(bp.calibrate(votes, TRUTH, k=1).gold) == BY_HAND


@pytest.mark.parametrize("kind", ["polars", "polars-lazy", "pandas", "pyarrow", "duckdb"])
def test_every_kind_of_truth(kind: str) -> None:
    frame = pl.DataFrame(VOTES)
    columns = {"task": ["t9", *TRUTH], "answer": ["1", *map(str, TRUTH.values())]}
    found = bp.calibrate(frame, FRAMES[kind](columns), k=1, truth_column="answer")
    assert counts(found.gold) == BY_HAND
    renamed = {"task": columns["task"], "label": columns["answer"]}
    assert counts(bp.calibrate(frame, FRAMES[kind](renamed), k=1).gold) == BY_HAND
    beside = frame.with_columns(truth=pl.col("task").replace_strict(TRUTH, default=None))
    assert counts(bp.calibrate(beside, "truth", k=1).gold) == BY_HAND


def test_wide_form_and_the_order_of_rows() -> None:
    wide = {
        "task": ["t4", "t2", "t3", "t1"],
        "b": ["1", "1", "0", "1"],
        "a": ["1", "0", "1", "1"],
        "c": [None, "0", None, "0"],
    }
    assert counts(bp.calibrate(pl.DataFrame(wide), TRUTH, k=0, judges=["b", "a", "c"]).gold) == BY_HAND
    assert counts(bp.calibrate(pl.DataFrame(VOTES).reverse(), TRUTH, k=0).gold) == BY_HAND


def test_rates_of_reporters_and_what_is_unknown() -> None:
    """Case S30: who was never asked about a class is unknown there, and nobody is perfect after three answers."""
    gold = {"task": ["t1", "t2", "t3"] + ["t4"] * 2, "worker": ["w1"] * 4 + ["w2"], "label": ["A", "A", "A", "B", "B"]}
    found = bp.calibrate(pl.DataFrame(gold), dict.fromkeys(["t1", "t2", "t3"], "A"), k=0, positive="A")
    w1, w2 = found.reporters.rows(named=True)
    assert (w1["gold_1"], w1["positive_1"], w1["tpr"], w1["tpr_high"]) == (3, 3, 1.0, 1.0)
    assert w1["tpr_low"] == pytest.approx(0.025 ** (1 / 3))
    assert (w1["fpr"], w1["fpr_low"], w1["fpr_high"]) == (None, None, None)
    assert (w2["tpr"], w2["tpr_high"], w2["gold_1"]) == (None, None, 0)
    rule = found.aggregator("log")
    assert ((rule.values > 0) & (rule.values < 1)).all()
    assert found.expert.fpr == 1


def test_a_class_against_all_others() -> None:
    labels = pl.DataFrame({"task": ["t1", "t1", "t2", "t2"], "worker": ["a", "b"] * 2, "label": ["x", "y", "z", "z"]})
    found = bp.calibrate(labels, {"t1": "x", "t2": "y"}, k=0, positive="x")
    assert counts(found.gold) == ([[1, 1], [1, 1]], [[1, 1], [1, 0]], [[0, 0, 1], [0, 1, 0]])


@pytest.mark.skipif(not CROWD.exists(), reason="the data pack is not beside the project")
def test_real_votes_counted_by_pandas() -> None:
    import pandas as pd

    votes, truth = (pd.read_csv(CROWD / f"rte{ending}.csv", dtype=str) for ending in ("", "_truth"))
    positive = sorted(votes["label"].unique())[1]
    found = bp.calibrate(votes, truth, k=5, positive=positive)
    joined = votes.merge(truth, on="task", suffixes=("", "_true"))
    right = joined["label"] == joined["label_true"]
    state = joined["label_true"] == positive
    by_hand = right[state].groupby(joined["worker"]).sum().reindex(list(found.reporters["reporter"]), fill_value=0)
    assert found.gold.correct[1].tolist() == by_hand.tolist()
    assert found.gold.answered.sum() == len(joined)
    assert sum(found.gold.items) == len(truth)
    assert found.guarantee("squared").expected_loss <= 0.25


def test_groups_count_as_their_members() -> None:
    frame = pl.DataFrame(VOTES)
    vendors = {"a": "v1", "b": "v2", "c": "v2"}
    assert bp.calibrate(frame, TRUTH, groups=dict.fromkeys("abc", "x") | {"a": "y"}, bribed_groups=0).panel.k == 0
    with pytest.raises(bp.ParameterError, match="n must exceed 2k"):
        bp.calibrate(frame, TRUTH, groups=vendors, bribed_groups=1)
    assert largest_groups(vendors.values(), 1) == 2
    for wrong in ({"groups": vendors}, {"bribed_groups": 1}, {"groups": vendors, "bribed_groups": 1, "k": 1}):
        with pytest.raises(bp.ParameterError):
            bp.calibrate(frame, TRUTH, **wrong)
    with pytest.raises(bp.ParameterError, match="no group for reporter 'c'"):
        bp.calibrate(frame, TRUTH, groups={"a": 1, "b": 2}, bribed_groups=1)


@pytest.mark.parametrize(
    ("truth", "options", "reason"),
    [
        ({"t7": 1}, {}, "none of the 1 items with a known truth has a vote"),
        ({}, {}, "nothing to aggregate"),
        ({"t1": 7}, {}, "is 7, which is none of the votes"),
        (TRUTH, {"confidence": 1.0}, "not between 0 and 1"),
        (TRUTH, {"prior": 1.5}, "not a probability"),
        (TRUTH, {"prior": (0.5, 0.4)}, "give a probability, or the lowest and the highest"),
        (TRUTH, {"positive": "yes"}, "'yes' is none"),
        (TRUTH, {"k": 2}, "n must exceed 2k"),
        (TRUTH, {"k": -1}, "cannot be negative"),
        ("nowhere", {}, "there is no column 'nowhere'"),
        (pl.DataFrame({"task": ["t1"], "other": [1]}), {}, "there is no column 'label'"),
        (pl.DataFrame({"task": ["t1", "t1"], "label": [1, 0]}), {}, "more than once"),
        (3, {}, "expected a data frame"),
    ],
)
def test_what_cannot_be_learned_from(truth: Any, options: dict[str, Any], reason: str) -> None:
    with pytest.raises(bp.BribeproofError, match=reason):
        bp.calibrate(pl.DataFrame(VOTES), truth, **({"k": 0} | options)).guarantee()


@given(st.integers(1, 5), st.integers(1, 12), st.randoms(use_true_random=False))
def test_the_panel_that_aggregates_is_the_one_that_was_calibrated(n: int, items: int, random: Any) -> None:
    rows = [(f"t{i}", f"w{j}", random.choice([0, 1, None])) for i in range(items) for j in range(n)]
    frame = pl.DataFrame(rows, schema=["task", "worker", "label"], orient="row", infer_schema_length=None)
    truth = {f"t{i}": random.choice([0, 1]) for i in range(items)}
    if frame["label"].null_count() == frame.height:
        return
    found = bp.calibrate(frame, truth, k=0, classes=[0, 1])
    forecast = bp.aggregate_votes(frame, k=0, classes=[0, 1], expert=found.expert)
    assert found.panel.n == n == forecast["n"][0]
    assert found.gold.answered.sum() == len(rows) - frame["label"].null_count()
