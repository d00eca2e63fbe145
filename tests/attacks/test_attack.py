"""What rules lose under attack: the curves are those of the table functions on corrupted frames."""

from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_array_equal

import bribeproof as bp
from bribeproof.attacks.corrupt import corrupt
from bribeproof.attacks.result import AttackCurves
from bribeproof.attacks.study import attack
from bribeproof.frames.adversary_count import count_of
from tests.attacks.sheets import EXPERT, NAN, VOTES, crowd, long_of
from tests.frames.inputs import EACH_KIND, check_frames, give


@pytest.mark.parametrize(
    ("kind", "strategy"),
    [
        ("votes", "close"),
        ("votes", "worst"),
        pytest.param("votes", "sleeper", marks=pytest.mark.slow),
        ("labels", "collude"),
        pytest.param("labels", "random", marks=pytest.mark.slow),
    ],
)
def test_curves_are_what_the_table_functions_say_of_corrupted_frames(kind: str, strategy: str) -> None:
    frame, truth = crowd(kind)
    counts, seeds = [0, 3], [2, 3]
    expert = EXPERT if kind == "votes" else None
    gold = [f"t{i:02}" for i in range(15)]
    found = attack(
        frame,
        truth,
        counts,
        strategy=strategy,
        kind=kind,
        draws=2,
        seed=2,
        expert=expert,
        gold_items=gold,
        weighed=True,
    )
    assert (found.n_reporters, found.n_items, found.n_known) == (9, 40, 30)
    options: dict[str, Any] = {"strategy": strategy, "kind": kind, "truth": truth, "expert": expert, "gold_items": gold}
    lied = {(count, seed): corrupt(frame, count, seed=seed, **options) for count in counts for seed in seeds}
    answered = {
        (one, k): aggregated(frame if one is None else lied[one], kind, k)
        for k in found.curves["k"].unique()
        for one in (None, *lied)
    }
    classes = frame["label"].n_unique()
    known = {task: truth[task] for task in gold}
    weighed = {
        (one, k): list(
            bp.weigh(frame if one is None else lied[one], k, truth=known, classes=range(classes)).items.to_dicts()
        )
        for one, k in answered
    }
    for row in found.curves.iter_rows(named=True):
        name = row["rule"].split(",")[0]
        if name in ("majority", "plurality", "calibrated rule"):  # tests/attacks/test_calibrated_rule.py on the last
            continue
        runs = []
        for one in ((row["adversaries"], seed) for seed in seeds):
            now, before = (
                forecasts(weighed[case, row["k"]], "labels", name, classes)
                if name == "weighed"
                else forecasts(answered[case, row["k"]], kind, name, classes)
                for case in (one, None)
            )
            runs.append(measures(now, before, truth, name))
        for index, measure in enumerate(("squared_loss", "absolute_loss", "accuracy", "changed")):
            values = np.array([run[index] for run in runs])
            assert row[measure] == pytest.approx(values.mean(), abs=1e-9), (row, measure)
            assert row[f"{measure}_sd"] == pytest.approx(values.std(ddof=1), abs=1e-7)
        certified = (frame["task"].value_counts()["count"] > 2 * row["k"]).mean()
        assert row["certified"] == pytest.approx(certified)


def aggregated(frame: pl.DataFrame, kind: str, k: int) -> list[dict[str, Any]]:
    """What the public table functions say."""
    result = bp.aggregate_votes(frame, k, expert=EXPERT) if kind == "votes" else bp.aggregate_labels(frame, k)
    return list(result.iter_rows(named=True))


def forecasts(rows: list[dict[str, Any]], kind: str, rule: str, classes: int) -> dict[str, list[float]]:
    """The forecast of each class for each item; all alike where there is none."""
    if kind == "votes":
        ones = {row["task"]: row["forecast" if rule == "worst-case rule" else "estimate"] for row in rows}
        return {task: [0.5, 0.5] if one is None else [1 - one, one] for task, one in ones.items()}
    shares = {row["task"]: [row[f"share_{c}"] for c in range(classes)] for row in rows}
    return {task: [1 / classes] * classes if None in known else known for task, known in shares.items()}


def measures(now: dict[str, Any], before: dict[str, Any], truth: dict[str, int], rule: str) -> tuple[float, ...]:
    """Losses, accuracy and changed decisions, item by item."""
    wrong = [1 - now[task][state] for task, state in truth.items()]
    if rule == "random dictator":
        # The draw follows one ticket per item: it changes with the probability that moved.
        moved = [sum(abs(a - b) for a, b in zip(now[task], before[task], strict=True)) / 2 for task in now]
        return float(np.mean(wrong)), float(np.mean(wrong)), 1 - float(np.mean(wrong)), float(np.mean(moved))
    squared = [sum((p - (c == state)) ** 2 for c, p in enumerate(now[task])) / 2 for task, state in truth.items()]
    best = {task: {c for c, p in enumerate(shares) if p > max(shares) - 1e-12} for task, shares in now.items()}
    old = {task: {c for c, p in enumerate(shares) if p > max(shares) - 1e-12} for task, shares in before.items()}
    right = [(state in best[task]) / len(best[task]) for task, state in truth.items()]
    changed = [best[task] != old[task] and not (len(best[task]) > 1 and len(old[task]) > 1) for task in now]
    return float(np.mean(squared)), float(np.mean(wrong)), float(np.mean(right)), float(np.mean(changed))


@pytest.fixture(scope="module")
def expected() -> AttackCurves:
    """The curves of the votes as a frame of polars."""
    return attack(*crowd("votes"), [2], strategy="random", draws=2)


@pytest.mark.parametrize("kind", EACH_KIND)
def test_every_kind_of_frame_is_attacked_alike(kind: str, expected: AttackCurves, tmp_path: Path) -> None:
    frame, truth = crowd("votes")
    found = attack(give(kind, frame.to_dict(as_series=False), tmp_path), truth, [2], strategy="random", draws=2)
    check_frames(kind, [found.curves], [expected.curves])
    assert (repr(found), found.summary()) == (repr(expected), expected.summary())


def test_ties_up_to_rounding_are_ties() -> None:
    """Four voters and an expert who is as good on both sides: two against two leaves the optimal rule at 1/2."""
    frame = pl.DataFrame(long_of([[1, 1, 0, 0], [1, 1, 1, 0]]))
    for tpr in (0.6, 0.7, 0.8, 0.9):
        found = attack(frame, {"t00": 1}, counts=[0], ks=[0, 1], draws=1, expert=bp.Expert(0.5, tpr, 1 - tpr)).curves
        assert found.filter(pl.col("rule").str.starts_with("worst-case rule"))["accuracy"].to_list() == [0.5, 0.5]


def test_majority_and_given_ks() -> None:
    frame = pl.DataFrame(long_of([[1, 1, 1, 0, 0], [0, 0, 0, 0, 1], [1, 1, 0, 0, NAN]]))
    found = attack(frame, {"t00": 1, "t01": 0, "t02": 1}, [0, 5], strategy="low", ks=[1, 2], draws=1)
    assert found.curves["rule"].unique(maintain_order=True).to_list() == [
        "calibrated rule, k = 1", "calibrated rule, k = 2", "mean", "majority", "trimmed mean, k = 1",
        "trimmed mean, k = 2", "random dictator, k = 1", "random dictator, k = 2",
    ]  # fmt: skip
    majority = found.curves.filter(pl.col("rule") == "majority")
    assert majority["absolute_loss"].to_list() == pytest.approx([1 / 6, 2 / 3])
    assert majority["accuracy"].to_list() == pytest.approx([5 / 6, 1 / 3])
    assert majority["changed"].to_list() == pytest.approx([0, 2 / 3])
    assert majority["accuracy_sd"].to_list() == [None, None]
    assert found.curves.filter(pl.col("k") == 2)["certified"].to_list() == pytest.approx([2 / 3] * 6)


def test_the_trimmed_mean_bears_what_it_was_made_for() -> None:
    """Nine voters who all know the truth, k of them bribed: dropping k of each side leaves the truth alone."""
    truth = {f"t{i:02}": i % 2 for i in range(30)}
    frame = pl.DataFrame(long_of([[i % 2] * 9 for i in range(30)]))
    found = attack(frame, truth, counts=[0, 2, 4], draws=4).curves
    assumed = {rule: rows["k"].to_list() for (rule,), rows in found.group_by("rule")}
    assert (assumed["trimmed mean"], assumed["mean"]) == ([0, 2, 4], [0, 0, 0])
    assert (assumed["random dictator, k/2"], assumed["trimmed mean, 2k"]) == ([0, 1, 2], [0, 4, 8])
    assert found.filter(pl.col("rule") == "trimmed mean")["squared_loss"].to_list() == [0, 0, 0]
    means = found.filter(pl.col("rule") == "mean")["squared_loss"].to_list()
    assert means == pytest.approx([0, (2 / 9) ** 2, (4 / 9) ** 2])


def test_weights_see_through_colluders_with_gold_items_alone() -> None:
    """Seven voters of whom four collude outnumber the honest; ten gold items tell who is who."""
    truth = {f"t{i:02}": (i * i // 3) % 2 for i in range(60)}
    frame = pl.DataFrame(long_of([[state] * 7 for state in truth.values()]))
    blind, knowing = (
        attack(frame, truth, [0, 4], strategy="collude", ks=[0], draws=2, gold_items=gold, weighed=True).curves.filter(
            pl.col("rule") == "weighed, k = 0"
        )
        for gold in (None, list(truth)[:10])
    )
    assert blind["accuracy"].to_list() == [1, 0]
    assert blind["changed"].to_list() == [0, 1]
    assert knowing["accuracy"].to_list() == [1, 1]
    assert knowing["certified"].to_list() == [1, 1]


@pytest.mark.parametrize("strategy", ["worst", "opposite", "sleeper"])
def test_which_vote_counts_as_one_does_not_matter(strategy: str) -> None:
    """The same votes told the other way round: the optimal rule forecasts, and is hurt, as much."""
    frame, truth = crowd("votes")
    ones, zeros = (
        attack(
            frame,
            truth,
            [0, 2],
            strategy=strategy,
            draws=3,
            gold_items=["t00", "t33"],
            expert=expert,
            positive=positive,
        )
        for positive, expert in ((1, bp.Expert(0.3, 0.8, 0.1)), (0, bp.Expert(0.7, 0.9, 0.2)))
    )
    pl.testing.assert_frame_equal(ones.curves, zeros.curves, abs_tol=1e-12)


@pytest.mark.parametrize(
    ("truth", "options", "reason"),
    [
        ({"t9": 1}, {}, "no item has a report and a known truth"),
        ({"t00": 1}, {"kind": "marks"}, "use one of votes, labels, scores"),
        ({"t00": 1}, {"kind": "scores", "expert": EXPERT}, "does not apply to scores"),
        ({"t00": 1}, {"kind": "scores", "weighed": True}, "is for votes and labels"),
        (None, {}, "the truth of some items is needed"),
        ({"t00": 1}, {"counts": [1], "shares": [0.1]}, "give one of them"),
        ({"t00": 1}, {"shares": [1.5]}, "use a number in [0, 1]"),
        ({"t00": 1}, {"shares": ["half"]}, "use a number in [0, 1]"),
        ({"t00": 1}, {"shares": 0.5}, "give a list of shares"),
        ({"t00": 1}, {"shares": []}, "give a list of shares"),
        ({"t00": 1}, {"shares": ["1e-400000000"]}, "use a number in [0, 1]"),
        ({"t00": 1}, {"shares": ["1/0"]}, "use a number in [0, 1]"),
        ({"t00": 1}, {"kind": "labels", "expert": EXPERT}, "does not apply to labels"),
        ({"t00": 1}, {"counts": []}, "list of head counts"),
        ({"t00": 1}, {"counts": 2}, "list of head counts"),
        ({"t00": 1}, {"ks": "12"}, "list of head counts"),
        ({"t00": 1}, {"draws": 1.5}, "how many draws"),
        ({"t00": 1}, {"counts": [1, 1]}, "each once"),
        ({"t00": 1}, {"counts": [4]}, "only 3 reporters"),
        ({"t00": 1}, {"counts": [-1]}, "cannot be negative"),
        ({"t00": 1}, {"draws": 0}, "how many draws"),
        ({"t00": 1}, {"seed": -1}, "a seed is a whole number"),
        ({"t00": 1}, {"ks": [0.5]}, "head count"),
        ({"t00": 1}, {"strategy": "worst"}, "needs the rule to hurt"),
        ({"t00": 1}, {"strategy": "sleeper"}, "needs gold_items"),
        ({"t00": 1}, {"copy": "w7", "strategy": "copy"}, "no reporter 'w7'"),
    ],
)
def test_what_cannot_be_attacked(truth: Any, options: dict[str, Any], reason: str) -> None:
    with pytest.raises(bp.BribeproofError) as caught:
        attack(VOTES, truth, **options)
    assert reason in str(caught.value)


def test_shares_are_counts_of_heads() -> None:
    rows = [(f"t{i}", f"w{j}", (i + j) % 2) for i in range(8) for j in range(10)]
    frame = pl.DataFrame(rows, schema=["task", "worker", "label"], orient="row")
    truth = {f"t{i}": i % 2 for i in range(8)}
    by_share = attack(frame, truth, shares=[0, "0.29", "1/2"], draws=3)
    assert by_share.curves.equals(attack(frame, truth, counts=[0, 2, 5], draws=3).curves)
    assert attack(frame, truth, shares=[0, 0.01, 0.1], draws=3).curves["adversaries"].unique().to_list() == [0, 1]
    assert corrupt(frame, share=0.29, seed=5).equals(corrupt(frame, 2, seed=5))
    assert corrupt(frame, share=1, seed=5).equals(corrupt(frame, adversaries=[f"w{j}" for j in range(10)]))
    assert corrupt(frame, share=0).equals(frame)
    for options in ({}, {"k": 1, "share": 0.1}, {"share": 0.1, "adversaries": ["w1"]}, {"share": -0.1}):
        with pytest.raises(bp.ParameterError):
            corrupt(frame, **options)


@given(st.floats() | st.text(max_size=8) | st.decimals() | st.fractions() | st.none(), st.integers(0, 1000))
def test_any_share_is_a_head_count_or_refused(share: Any, reporters: int) -> None:
    try:
        count = count_of(share, reporters)
    except bp.ParameterError:
        return
    exact = Fraction(str(share))
    assert 0 <= exact <= 1
    assert count <= exact * reporters < count + 1


def test_a_masked_truth_is_unknown() -> None:
    """What was under the mask was taken for the truth."""
    votes = np.random.default_rng(3).integers(0, 2, (30, 5))
    truth = np.where(np.arange(30) % 3, votes[:, 0].astype(float), np.nan)
    hidden = np.ma.array(np.nan_to_num(truth, nan=1.0), mask=np.isnan(truth))
    lies = [corrupt(votes, 1, kind="votes", truth=one, strategy="collude", seed=4) for one in (truth, hidden)]
    assert_array_equal(*lies)
