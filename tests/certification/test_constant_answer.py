"""Certified answers beside one constant answer: errors per 100 items, shares, and up to which k they are worth it."""

import polars as pl
import pytest
from scipy.stats import beta

import bribeproof as bp
from bribeproof.certification.result import describe_certification


def sheets(
    wrong: list[int], names: tuple[str, str] = ("CAT", "dog"), n: int = 7
) -> tuple[pl.DataFrame, dict[str, str]]:
    """Items of which so many of n reporters err; the truth of every third one is the second class."""
    truth = {f"t{i}": names[i % 3 == 0] for i in range(len(wrong))}
    rows = [
        (item, f"w{j}", true if j >= wrong[i] else names[true == names[0]])
        for i, (item, true) in enumerate(truth.items())
        for j in range(n)
    ]
    return pl.DataFrame(rows, schema=["task", "worker", "label"], orient="row"), truth


def test_errors_and_their_share_of_those_of_the_commonest_truth() -> None:
    labels, truth = sheets([0, 1, 2] * 10)
    found = bp.certify(labels, truth)
    assert (found.constant.answer, found.constant.right, found.constant.gold) == ("CAT", 20, 30)
    for row in found.by_k.iter_rows(named=True):
        low = beta.ppf(0.05, row["robust"], 31 - row["robust"]) if row["robust"] else 0.0
        assert row["per_100"] == pytest.approx(100 * (1 - low))
        assert row["of_prior"] == pytest.approx((1 - low) / (10 / 30))
    assert "errors per 100, 28.6 % of the 33.33 that always answering CAT makes on gold items." in found.summary()


def test_how_many_can_be_bribed_before_it_is_worth_nothing() -> None:
    labels, truth = sheets([0, 0, 0, 1, 2] * 12)
    found = bp.certify(labels, truth)
    lows = found.by_k["accuracy_low"].to_list()
    most = max(k for k, low in enumerate(lows) if low > 40 / 60)
    assert found.most_adversaries == most
    assert (
        f"Up to k = {most} more answers are certified to be right than always answering CAT gets right"
        in found.summary()
    )
    told = describe_certification(found)
    assert (told["most_adversaries"], told["constant_answer"]) == (most, {"answer": "CAT", "right": 40})


def test_more_gold_is_named_only_where_it_could_help() -> None:
    labels, truth = sheets([0, 0, 0, 4] * 6)  # 18 of 24 are right, 16 would be by the commonest truth
    found = bp.certify(labels, truth, k=0)
    assert found.most_adversaries is None
    assert (
        "Even if nobody is bribed no more answers are certified to be right than always answering CAT"
        in found.summary()
    )
    low = beta.ppf(0.05, 180, 61)
    assert f"10 times as many, robust as often, would certify {int(1000 * low) / 10} of 100." in found.summary()
    worse, truth = sheets([4, 0, 0, 4] * 6)
    assert "more gold items could change that" not in bp.certify(worse, truth, k=0).summary()


def test_where_all_truths_are_the_same_nothing_beats_that_answer() -> None:
    labels, _ = sheets([0] * 30)
    found = bp.certify(labels.filter(pl.col("label") == "CAT"), {f"t{i}": "CAT" for i in range(30) if i % 3})
    assert found.by_k["of_prior"].null_count() == found.by_k.height
    assert found.most_adversaries is None
    assert "Always answering CAT is right on all gold items: no answers are certified" in found.summary()


def test_truths_that_nobody_reported_are_no_answer_that_can_be_given() -> None:
    labels, truth = sheets([0, 0, 0] * 3)
    both = pl.concat([labels, pl.DataFrame({"task": ["x"], "worker": ["w0"], "label": ["cow"]})])
    found = bp.certify(both, truth | {f"u{i}": "emu" for i in range(20)})
    assert (found.constant.answer, found.constant.right, found.constant.gold) == ("CAT", 6, 29)


def test_half_of_the_gold_certifies_a_fitted_rule_and_the_constant_answer_is_counted_there() -> None:
    labels, truth = sheets([0, 1, 2] * 10)
    found = bp.certify(labels, truth, k=1, rule="isotonic", seed=3)
    assert found.constant.gold == found.gold == 15
