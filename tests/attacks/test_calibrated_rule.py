"""The calibrated rule under attack: fitted to the attacked gold items, never to the truth that it is judged by."""

from typing import Any

import numpy as np
import polars as pl
import pytest

import bribeproof as bp
from bribeproof._typing import IntArray
from bribeproof.attacks.calibrated_rule import CalibratedRule
from bribeproof.attacks.corrupt import corrupt
from bribeproof.attacks.report_matrix import ReportMatrix
from bribeproof.attacks.strategies import ABSENT
from bribeproof.attacks.study import attack


def votes(items: int, reporters: int, right: float, seed: int = 0, missing: float = 0.0) -> ReportMatrix:
    """Return independent votes that are right so often."""
    rng = np.random.default_rng(seed)
    truth = rng.integers(2, size=items)
    reports = np.where(rng.random((items, reporters)) < right, truth[:, None], 1 - truth[:, None])
    reports[rng.random(reports.shape) < missing] = ABSENT
    return ReportMatrix(reports, truth, rng.random(items) < 0.5, 2)


def frame_of(matrix: ReportMatrix) -> tuple[pl.DataFrame, dict[str, int]]:
    """Return the votes in long form, and the truth of all items."""
    item, reporter = np.nonzero(matrix.reports != ABSENT)
    rows = {
        "task": [f"t{i:03}" for i in item],
        "worker": [f"w{j:02}" for j in reporter],
        "label": matrix.reports[item, reporter],
    }
    return pl.DataFrame(rows), {f"t{i:03}": int(state) for i, state in enumerate(matrix.truth)}


@pytest.mark.parametrize("k", [0, 1])
def test_it_is_the_rule_of_the_public_calibration_by_the_attacked_gold_items(k: int) -> None:
    matrix = votes(160, 9, 0.85, missing=0.1)
    frame, truth = frame_of(matrix)
    gold = {f"t{i:03}": truth[f"t{i:03}"] for i in np.flatnonzero(matrix.gold)}
    lied = corrupt(frame, k, strategy="opposite", seed=4)
    calibration = bp.calibrate(lied, gold, k, confidence=0.5)
    attacked = np.full(matrix.reports.shape, ABSENT)
    for task, worker, label in lied.iter_rows():
        attacked[int(task[1:]), int(worker[1:])] = label
    rule = CalibratedRule.of(matrix, gold=True)
    assert rule is not None
    found, certified = rule.forecast(attacked, k)
    sizes, ones = (attacked != ABSENT).sum(axis=1), (attacked == 1).sum(axis=1)
    assert certified.tolist() == (sizes > 2 * k).tolist()
    asked = ~matrix.gold & certified
    for size in np.unique(sizes[asked]).tolist():
        expected = calibration.aggregator("squared", reports=size).values
        items = asked & (sizes == size)
        assert found[items, 1] == pytest.approx(expected[ones[items]], abs=1e-6)
    assert float(np.ptp(found[asked])) > 0.3  # the votes are heard


@pytest.mark.parametrize("gold", [False, True])
def test_the_truth_of_an_item_never_moves_its_own_forecast_but_that_of_others(gold: bool) -> None:
    matrix = votes(40, 7, 0.9)

    def forecasts(truth: IntArray) -> Any:
        rule = CalibratedRule.of(ReportMatrix(matrix.reports, truth, matrix.gold, 2), gold=gold)
        assert rule is not None
        return rule.forecast(matrix.reports, 1)[0]

    before, moved = forecasts(matrix.truth), 0
    for item in range(0, 40, 5):
        now = forecasts(np.where(np.arange(40) == item, 1 - matrix.truth, matrix.truth))
        assert now[item].tolist() == before[item].tolist()
        moved += bool((now != before).any())
    assert moved >= (3 if gold else 7)
    if gold:
        swapped = forecasts(np.where(matrix.gold, matrix.truth, 1 - matrix.truth))
        assert swapped.tolist() == before.tolist()


def test_what_is_measured_does_not_depend_on_the_truth_that_it_is_measured_by() -> None:
    """Told the other truth of all items but the gold ones, forecasts are the same: absolute losses add up to 1."""
    matrix = votes(60, 7, 0.8)
    frame, truth = frame_of(matrix)
    gold = [name for name, chosen in zip(truth, matrix.gold, strict=True) if chosen]
    others = len(truth) - len(gold)
    told = [truth, {name: state if name in gold else 1 - state for name, state in truth.items()}]
    told.append({name: truth[name] for name in gold})
    losses = [
        attack(frame, known, [0, 1], gold_items=gold, draws=1).curves.filter(pl.col("rule") == "calibrated rule")
        for known in told
    ]
    right, wrong, alone = (rows["absolute_loss"].to_numpy() for rows in losses)
    assert len(truth) * (right + wrong) == pytest.approx(2 * len(gold) * alone + others)
    assert (right < 0.5).all()


@pytest.mark.parametrize("known", [0, 1, 2, 3])
def test_few_items_with_a_known_truth(known: int) -> None:
    matrix = votes(12, 5, 0.9)
    truth = np.where(np.arange(12) < known, 1, ABSENT)
    rule = CalibratedRule.of(ReportMatrix(matrix.reports, truth, np.ones(12, bool), 2), gold=True)
    assert (rule is None) == (known == 0)
    if rule is None:
        return
    for k in (0, 1, 3):
        found, _ = rule.forecast(matrix.reports, k)
        assert ((found > 0.05) & (found < 0.95)).all() or k == 0
        assert found.sum(axis=1) == pytest.approx(1)
    assert (rule.forecast(matrix.reports, 3)[0] == rule.forecast(matrix.reports, 3)[0][0]).all() or known > 1


def test_no_rule_for_more_than_two_classes() -> None:
    matrix = votes(9, 3, 0.9)
    assert CalibratedRule.of(ReportMatrix(matrix.reports, matrix.truth, matrix.gold, 3), gold=False) is None


def test_which_reporter_comes_first_does_not_matter() -> None:
    matrix = votes(50, 6, 0.85, missing=0.1)
    turned = ReportMatrix(matrix.reports[:, ::-1], matrix.truth, matrix.gold, 2)
    one, other = (CalibratedRule.of(given, gold=False) for given in (matrix, turned))
    assert one is not None
    assert other is not None
    for k in (0, 2):
        found = one.forecast(matrix.reports, k)[0]
        assert found == pytest.approx(other.forecast(turned.reports, k)[0], abs=1e-7)


@pytest.mark.parametrize("strategy", ["opposite", "collude", "sleeper"])
def test_promises_are_kept_and_are_those_of_calibrate(strategy: str) -> None:
    """200 gold items of a good panel: the loss stays below the promise, whether or not the bribed pose as honest."""
    matrix = votes(400, 11, 0.9, seed=1)
    frame, truth = frame_of(matrix)
    gold = [name for name, chosen in zip(truth, matrix.gold, strict=True) if chosen]
    found = attack(frame, truth, [0, 1], strategy=strategy, gold_items=gold, draws=1)
    assert found.fit is not None
    assert (found.fit.items, found.fit.cross_fitted) == (len(gold), False)
    assert [(one.adversaries, one.k, one.covered) for one in found.promises] == [(0, 0, 1), (1, 1, 1)]
    for promise in found.promises:
        assert promise.realised < promise.worth.expected_loss < promise.worth.prior_alone
    # No rule promises less at 95 % than the one that calibrate finds.
    best = bp.calibrate(frame, {name: truth[name] for name in gold}, 0).guarantee("squared").expected_loss
    assert best - 1e-7 < found.promises[0].worth.expected_loss < 1.5 * best


def test_a_promise_by_few_gold_items_is_worth_nothing_and_none_is_made_for_more_than_k() -> None:
    frame, truth = frame_of(votes(60, 7, 0.8))
    few = list(truth)[:8]
    found = attack(frame, truth, [0, 2], gold_items=few, draws=1)
    assert all(promise.worth.worthless for promise in found.promises)
    assert found.recommendation().endswith("; the promise of the calibrated rule is worth nothing with 8 gold items.")
    found = attack(frame, truth, [0, 2], ks=[1], draws=1)
    assert [promise.adversaries for promise in found.promises] == [0]
    assert attack(frame, truth, [4], draws=1).promises == ()  # no item has more than 8 reports


def test_where_honest_errors_go_together_it_is_the_one_to_use() -> None:
    """On a third of the items everybody is wrong: all other rules are sure of it, and gold items tell."""
    matrix = votes(240, 9, 1.0, seed=2)
    misled = np.random.default_rng(3).random(240) < 1 / 3
    reports = np.where(misled[:, None], 1 - matrix.reports, matrix.reports)
    frame, truth = frame_of(ReportMatrix(reports, matrix.truth, matrix.gold, 2))
    found = attack(frame, truth, [0, 1], draws=1)
    said = found.recommendation()
    assert said.startswith("Under this attack, use the calibrated rule: its squared loss with 0 or 1 bribed is 0.2")
    losses = {rule: rows["squared_loss"] for (rule,), rows in found.curves.group_by("rule")}
    calibrated, mean = losses["calibrated rule"], losses["mean"]
    assert calibrated.max() < 0.26
    least = f"{mean.mean() - calibrated.mean():.4f} and {mean.max() - calibrated.max():.4f} less than that of the mean"
    assert least in said
