"""Gold items in, guarantees out: counts against counting by hand, every kind of input, groups, and what is refused."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import hypergeom

import bribeproof as bp
from bribeproof.calibration import result
from bribeproof.calibration.calibrate import largest_groups
from bribeproof.calibration.gold_answers import _rarer_tail
from bribeproof.calibration.report import describe_calibration
from bribeproof.calibration.result import Calibration
from bribeproof.calibration.sentences import summarise_calibration
from bribeproof.theory.inference.gold import Gold
from bribeproof.theory.minimax.optimal import least_loss_rule
from tests.budgets import examples
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
    together = np.zeros((2, gold.reporters + 1), int)
    for item in np.unique(gold.item):
        together[int(gold.state[item]), int(gold.right[gold.item == item].sum())] += 1
    return gold.answered.tolist(), gold.correct.tolist(), together.tolist()


BY_HAND = ([[1, 1, 1], [2, 2, 1]], [[1, 0, 1], [2, 1, 0]], [[0, 0, 1, 0], [0, 1, 1, 0]])


@pytest.fixture(scope="module")
def counted() -> tuple[Calibration, str]:
    """The calibration by the votes as a frame of polars, and its summary."""
    found = bp.calibrate(pl.DataFrame(VOTES), TRUTH, k=1)
    return found, found.summary()


@pytest.mark.parametrize("kind", EACH_KIND)
def test_every_kind_of_table_is_counted_alike(kind: str, counted: tuple[Calibration, str], tmp_path: Path) -> None:
    found = bp.calibrate(give(kind, VOTES, tmp_path), TRUTH, k=1)
    expected, summary = counted
    assert expected.reporters["reporter"].to_list() == ["a", "b", "c"]
    check_frames(kind, [found.reporters], [expected.reporters])
    assert (repr(found), found.summary()) == (repr(expected), summary)
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
    found = bp.calibrate(votes, truth, k=4, positive=positive)
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
        (pl.DataFrame({"task": ["t1"], "one": [1], "other": [1]}), {}, "which column holds the truth"),
        (pl.DataFrame({"task": ["t1", "t1"], "label": [1, 0]}), {}, "has 2 truths"),
        (3, {}, "expected a data frame"),
    ],
)
def test_what_cannot_be_learned_from(truth: Any, options: dict[str, Any], reason: str) -> None:
    with pytest.raises(bp.BribeproofError, match=reason):
        bp.calibrate(pl.DataFrame(VOTES), truth, **({"k": 0} | options)).guarantee()


@settings(max_examples=examples(0.5))
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


def frame_of(rows: list[tuple[Any, ...]]) -> pl.DataFrame:
    return pl.DataFrame(rows, schema=["task", "worker", "label"], orient="row")


def posing_crowd(items: int, gold: int, seed: int) -> tuple[pl.DataFrame, Any]:
    """Three of ten honest reporters on each item, who err together; two bribed on all, perfect on gold, liars later."""
    rng = np.random.default_rng(seed)
    truth, wrong = rng.integers(0, 2, items), rng.random(items) < 0.1
    rows = [
        (item, f"h{one}", int(truth[item] ^ wrong[item]))
        for item in range(items)
        for one in rng.choice(10, 3, replace=False)
    ]
    rows += [(item, f"b{one}", int(truth[item] ^ (item >= gold))) for item in range(items) for one in "12"]
    return frame_of(rows), truth


def test_the_guarantee_is_for_the_items_there_are() -> None:
    """The panel of twelve would promise .15 where items of five reports, two of them bribed, lose .206."""
    votes, truth = posing_crowd(3000, 2000, 0)
    found = bp.calibrate(votes, dict(enumerate(truth[:2000].tolist())), k=2)
    promised = found.guarantee("squared")
    assert (promised.certified, promised.items, promised.reports) == (3000, 3000, (5, 5))
    later = bp.aggregate_votes(votes.filter(pl.col("task") >= 2000), k=2, expert=found.expert).sort("task")
    assert np.square(later["forecast"].to_numpy() - truth[2000:]).mean() <= promised.expected_loss
    assert set(later["guarantee"]) == {promised.expected_loss}
    assert found.guarantee("squared", reports=12).expected_loss < promised.expected_loss
    assert found.aggregator("squared", reports=5).guarantee.expected_loss == promised.expected_loss  # type: ignore[union-attr]
    assert "expected squared loss on the 3,000 items with 5 reports is, on average, at most" in found.summary()
    assert "provided that neither who answers an item" in found.summary()
    assert "and that the gold items, and who answers them, are like the others." in found.summary()
    with pytest.raises(bp.ParameterError, match="more than 2k = 6 reports"):
        found.with_k(3).guarantee()
    assert "No guarantee: none of the 3,000 items" in found.with_k(3).summary()
    assert list(found.guarantees(range(12))) == [0, 1, 2]
    for reports in (4, 13):
        with pytest.raises(bp.ParameterError):
            found.guarantee(reports=reports)


def test_items_that_nobody_answered_do_not_make_gold_items_unlike_the_others() -> None:
    """Of 1,000 rows 900 were blank: reporters who answered all others, gold or not, seemed to prefer the gold items."""
    rows = [{"task": i} | dict.fromkeys("abcde", i % 2 if i < 100 else None) for i in range(1000)]
    found = bp.calibrate(pl.DataFrame(rows), {i: i % 2 for i in range(50)}, k=1, judges=list("abcde"))
    assert found.uneven is None
    assert found.expert.tpr > 0.8


def test_the_condition_speaks_of_numbers_of_reports_that_differ_and_of_reporters_who_prefer_gold_items() -> None:
    """One weak reporter answers all, the strong few: with three reports .2 is guaranteed, and .3 lost."""
    of_sizes = "that truthful reports err as often on items with few reports as on items with many"
    like_others = "who answers them, are like the others"
    truth = {i: i % 2 for i in range(100)}
    rows = [(i, name, i % 2) for i in range(200) for name in "abcdefg"]
    same = bp.calibrate(frame_of(rows), truth, k=1)
    mixed = bp.calibrate(frame_of([row for row in rows if row[0] % 4 or row[1] < "f"]), truth, k=1)
    uneven = bp.calibrate(frame_of([row for row in rows if row[0] < 100 or row[1] < "g"]), truth, k=1)
    assert [of_sizes in one.condition for one in (same, mixed, uneven)] == [False, True, True]
    assert [like_others in one.condition for one in (same, mixed, uneven)] == [True, True, False]
    assert uneven.uneven == "g"
    assert all(f"; {one.condition}." in one.summary() for one in (same, mixed, uneven))


def test_how_unlikely_a_number_of_gold_answers_is_against_scipy() -> None:
    rng = np.random.default_rng(0)
    for _ in range(200):
        items = int(rng.choice([5, 60, 5000]))
        known, made = (int(rng.integers(1, items + 1)) for _ in range(2))
        answers = int(rng.integers(max(0, made + known - items), min(made, known) + 1))
        drawn = hypergeom(items, made, known)
        expected = min(drawn.cdf(answers), drawn.sf(answers - 1))
        assert _rarer_tail(items, known, made, answers) == pytest.approx(expected, rel=1e-8, abs=1e-300)


def test_a_prior_that_is_given_stays_however_many_gold_items_there_are() -> None:
    """One positive gold item promised a loss of 0 in the limit though half of the items were said to be negative."""
    votes = frame_of([(i, name, int(i < 2)) for i in range(4) for name in "abc"])
    facts = describe_calibration(bp.calibrate(votes, {0: 1}, k=1, prior=0.5))
    assert facts["limit"]["prior"] == [0.5, 0.5]
    assert facts["limit"]["expected_loss"]["squared"] == pytest.approx(0.25)
    assert facts["effective_reporters"]["observed"] is None
    said = summarise_calibration(facts)
    assert said.startswith("1 gold item, 1 positive and 0 negative; 3 reporters.")
    assert "3 reports on an item average errors out at least like 1.0 independent ones." in said


def test_what_a_smaller_k_would_do_is_what_the_table_by_k_says() -> None:
    """The bounds were those for the larger k: 99 % where the table had 96 %."""
    rng = np.random.default_rng(0)
    rows = [(i, f"w{j}", int(i % 2 ^ (rng.random() < 0.3))) for i in range(200) for j in range(9)]
    facts = describe_calibration(bp.calibrate(frame_of(rows), {i: i % 2 for i in range(200)}, k=4))
    (change,) = [one for one in facts["explanation"]["remedies"] if one["change"] == "smaller k"]
    assert change["share"] == facts["by_k"][int(change["to"])]["of_prior"]["squared"]
    facts["by_k"][1]["worthless"] = True
    assert "worth something only if nobody is bribed: see" in summarise_calibration(facts)


def test_each_rule_is_computed_once_for_all_tables_and_pictures(monkeypatch: pytest.MonkeyPatch) -> None:
    """A rule that is asked for twice, in another table or for a picture, is the same one, bit for bit."""
    rows = [(i, f"w{j}", int((i % 2 == 1) ^ (i % 7 == j))) for i in range(80) for j in range(5 + i % 4)]
    found = bp.calibrate(
        pl.DataFrame(rows, ["task", "worker", "label"], orient="row"), {i: i % 2 for i in range(80)}, k=1
    )
    alone = {k: replace(found, panel=bp.Panel(8, k), _rules={}).guarantee() for k in range(4)}
    solved = []

    def solve(*given: Any) -> Any:
        solved.append(given)
        return least_loss_rule(*given)

    monkeypatch.setattr(result, "least_loss_rule", solve)
    describe_calibration(found, ["squared", result.LOSSES[1]])
    assert {k: one.expected_loss for k, one in found.guarantees(range(4)).items()} == {
        k: one.expected_loss for k, one in alone.items()
    }
    assert len(solved) == len(set(solved)) > 0


def test_the_prior_is_that_of_the_truth_table_whatever_the_bribed_answer() -> None:
    """The bribed reporter answers the positive gold items alone, rightly: the counted ones are 70 % positive."""
    missed = beside_missed = 0
    for seed in range(5):
        rng = np.random.default_rng(seed)
        truth = rng.integers(0, 2, 400)
        rows = [
            (int(item), f"h{one}", int(truth[item])) for one in range(4) for item in rng.choice(400, 30, replace=False)
        ]
        rows += [(int(item), "bribed", 1) for item in np.flatnonzero(truth)]
        votes = frame_of(rows)
        found = bp.calibrate(votes, dict(enumerate(truth.tolist())), k=1)
        assert sum(found.gold.items) == 400
        low, high = found.expert.prior
        missed += not low <= 0.5 <= high
        beside = bp.calibrate(votes.with_columns(truth=pl.Series(truth[votes["task"]])), "truth", k=1)
        low, high = beside.expert.prior
        beside_missed += not low <= 0.5 <= high
        assert "Bribed reporters may have chosen" in beside.summary()
    # The prior has a fifth of the risk of 5 %: chance alone misses 2 of 5 once in a thousand times.
    assert max(missed, beside_missed) <= 1


def test_gold_items_without_votes_count_for_the_prior() -> None:
    long = pl.DataFrame(
        {"task": ["a", "a", "b", "b", "c", "c"], "worker": ["x", "y"] * 3, "label": [1, 1, 0, 0, None, None]}
    ).with_columns(truth=pl.Series([1, 1, 0, 0, 1, 1]))
    found = bp.calibrate(long, "truth", k=0)
    assert found.gold.items == (1, 2)
    assert found.gold.unanswered == 1
    assert found.gold.unsure(0) == (0, 0)
    assert found.gold.unsure(1) == (0, 0)
    wide = pl.DataFrame({"task": ["a", "b", "c"], "x": [1, 0, None], "y": [1, 0, None], "truth": [1, 0, 1]})
    assert bp.calibrate(wide, "truth", k=0, judges=["x", "y"]).gold.items == (1, 2)
    assert "1 of them answered by nobody" in found.summary()


def test_those_who_report_most_may_be_the_worst() -> None:
    """Nine are always right and answer gold items alone; three answer everything and err together on 40 %."""
    rng = np.random.default_rng(5)
    truth, wrong = rng.integers(0, 2, 3000), rng.random(3000) < 0.4
    rows = [(item, f"good{one}", int(truth[item])) for item in range(1000) for one in range(9)]
    rows += [(item, f"busy{one}", int(truth[item] ^ wrong[item])) for item in range(3000) for one in range(3)]
    found = bp.calibrate(frame_of(rows), dict(enumerate(truth[:1000].tolist())), k=0, prior=0.5)
    # 9,000 of the 18,000 reports are by those who err on 40 %: .8 right on average, though .9 over reporters.
    assert found.expert.tpr < 0.8
    assert found.gold.expert_interval(found.panel, 0.95, found.prior).tpr > 0.8
