"""What the guarantee of weighted answers is worth, against Bayes risks that are computed here."""

import json
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import bribeproof as bp
from bribeproof.theory import Loss, cost
from tests.cli.command import call, document, put


def crowd(m: int = 9, items: int = 4, labels: tuple[str, ...] = ("0", "1")) -> pl.DataFrame:
    """Items with m reports each, most of which agree."""
    rows = [(f"t{i}", f"w{j}", labels[(i + (i + j) % 4 // 3) % len(labels)]) for i in range(items) for j in range(m)]
    return pl.DataFrame(rows, schema=["task", "worker", "label"], orient="row")


def absolute(m: int, k: int, spread: float, miss: float, alarm: float, prior: float, fp: float, fn: float) -> float:
    """The least expected cost of somebody who hears a reporter with inflated error rates."""
    factor = (m - k) / ((m - 2 * k) * (1 - spread))
    miss, alarm = min(1, factor * miss), min(1, factor * alarm)
    if miss + alarm >= 1:
        return min(fn * prior, fp * (1 - prior))
    after_yes = min(fn * prior * (1 - miss), fp * (1 - prior) * alarm)
    return after_yes + min(fn * prior * miss, fp * (1 - prior) * (1 - alarm))


@pytest.mark.parametrize(
    ("loss", "fp", "fn", "unit"),
    [("absolute", 1, 1, "errors"), (cost(false_positive=5, false_negative=2), 5, 2, "cost")],
)
def test_it_is_a_share_of_what_the_prior_alone_guarantees(loss: str | Loss, fp: float, fn: float, unit: str) -> None:
    found = bp.weigh(crowd(), 1, weight_spread=0.25, expert=bp.Expert(0.4, 0.95, 0.02), loss=loss)
    expected, alone = absolute(9, 1, 0.25, 0.05, 0.02, 0.4, fp, fn), min(fn * 0.4, fp * 0.6)
    assert found.promise is not None
    assert found.promise.worth.unit == unit
    assert found.promise.worth.per_100 == pytest.approx((100 * expected, 100 * alone))
    assert f"of the {100 * alone:g} that the prior alone guarantees" in found.summary()
    assert "decided by chance with its forecast" in found.summary()


def test_weights_that_differ_too_much_are_named_and_less_spread_is_a_remedy() -> None:
    expert = bp.Expert(0.5, 0.8, 0.2)
    found = bp.weigh(crowd(), 2, weight_spread=0.5, expert=expert, loss="absolute")
    assert found.promise is not None
    explanation = found.promise.facts()["explanation"]
    assert explanation["reason"].startswith("with weights that may differ so much")
    changes = {one["change"]: one for one in explanation["remedies"]}
    less = bp.weigh(crowd(), 2, weight_spread=changes["smaller weight spread"]["to"], expert=expert, loss="absolute")
    assert less.promise is not None
    assert changes["smaller weight spread"]["share"] == pytest.approx(less.promise.worth.share)
    fewer = bp.weigh(crowd(), int(changes["smaller k"]["to"]), weight_spread=0.5, expert=expert, loss="absolute")
    assert fewer.promise is not None
    assert changes["smaller k"]["share"] == pytest.approx(fewer.promise.worth.share)
    factor = changes["more reports"]["to"]
    more = bp.weigh(crowd(9 * factor), 2, weight_spread=0.5, expert=expert, loss="absolute")
    assert more.promise is not None
    assert changes["more reports"]["share"] == pytest.approx(more.promise.worth.share)
    assert "It is worth nothing: with weights that may differ so much" in found.summary()


@pytest.mark.parametrize(
    ("expert", "k", "loss", "reason"),
    [
        (bp.Expert(0.5, 0.6, 0.4), 3, "squared", "so many bribed reporters"),
        (bp.Expert(0.5, 0.5, 0.5), 0, "squared", "honest reports may depend"),
        (bp.Expert(0.02, 0.8, 0.1), 0, "absolute", "in the worst case nothing"),
        (bp.Expert(0.0, 0.8, 0.1), 0, "squared", "the prior alone is certain"),
    ],
)
def test_the_reason(expert: bp.Expert, k: int, loss: str, reason: str) -> None:
    found = bp.weigh(crowd(), k, expert=expert, loss=loss)
    assert f"It is worth nothing: {reason}" in found.summary()


def test_several_classes_are_told_in_errors_whatever_the_loss() -> None:
    found = bp.weigh(
        crowd(labels=("a", "b", "c")), 1, weight_spread=0, expert=bp.MultiExpert((0.5, 0.25, 0.25), (0.9,) * 3)
    )
    assert found.promise is not None
    assert found.promise.sides is None
    wrong = 0.1 * 8 / 7
    assert found.promise.worth.per_100 == pytest.approx((100 * wrong, 50))
    assert "expected absolute loss at most" in found.summary()
    assert "decided by chance with its shares of the classes" in found.summary()


def test_given_weights_without_a_limit_say_no_more_than_that_it_is_worth_nothing() -> None:
    weights = {f"w{j}": 1.0 for j in range(9)}
    found = bp.weigh(crowd(), 4, weights=weights, expert=bp.Expert(0.5, 0.7, 0.3))
    assert found.promise is not None
    assert found.promise.explanation is None
    assert "It is worth nothing: the prior alone guarantees as much." in found.summary()


def test_without_rates_or_reports_enough_there_is_none() -> None:
    assert bp.weigh(crowd(), 1).promise is None
    none = bp.weigh(crowd(2), 1, expert=bp.Expert(0.5, 0.9, 0.1))
    assert none.promise is None
    assert "No item has a guarantee." in none.summary()


def test_the_command_tells_it_in_words_and_json(tmp_path: Path) -> None:
    votes = put(tmp_path / "votes.csv", crowd(labels=("nein", "ja")).write_csv())
    options: tuple[Any, ...] = (
        "--k", 1, "--positive", "ja", "--prior", 0.4, "--tpr", 0.95, "--fpr", 0.02, "--cost-false-positive", 5,
    )  # fmt: skip
    shown = call("weigh", votes, *options).out
    assert "ja counts as positive, nein as negative." in shown
    assert "a cost of" in shown
    found = document("weigh", votes, *options)
    assert json.loads(json.dumps(found)) == found
    assert found["worth"]["per_100"]["unit"] == "cost"
    assert (found["positive"], found["negative"], found["explanation"]) == ("ja", "nein", None)
