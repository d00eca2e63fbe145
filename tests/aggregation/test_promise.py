"""What guarantees of votes are worth: against Bayes risks computed here, in sentences, JSON and a notebook."""

import json
from fractions import Fraction
from typing import Any

import polars as pl
import pytest

import bribeproof as bp
from bribeproof.theory import Loss, cost

PRICED = cost(false_positive=5, false_negative=1)


def crowd(sizes: dict[str, int], yes: str = "1", no: str = "0") -> pl.DataFrame:
    """Items with so many reports each, of which all but one say yes."""
    rows = [(item, f"w{j}", yes if j else no) for item, m in sizes.items() for j in range(m)]
    return pl.DataFrame(rows, schema=["task", "worker", "label"], orient="row")


def absolute(m: int, k: int, prior: Fraction, tpr: Fraction, fpr: Fraction, fp: int = 1, fn: int = 1) -> Fraction:
    """The least expected cost of somebody who hears the effective expert of m reporters, k of them bribed."""
    high, low = ((m - k) * tpr - k) / (m - 2 * k), (m - k) * fpr / (m - 2 * k)
    yes, no = (prior * high, (1 - prior) * low), (prior * (1 - high), (1 - prior) * (1 - low))
    return min(fn * yes[0], fp * yes[1]) + min(fn * no[0], fp * no[1])


@pytest.mark.parametrize(("loss", "fp", "fn"), [("absolute", 1, 1), (PRICED, 5, 1)])
def test_the_average_is_that_of_the_effective_experts_of_the_items(loss: str | Loss, fp: int, fn: int) -> None:
    prior, tpr, fpr = Fraction(1, 2), Fraction(9, 10), Fraction(1, 20)
    expert = bp.Expert(float(prior), float(tpr), float(fpr))
    found = bp.aggregate(crowd({"a": 5, "b": 5, "c": 9, "d": 2}), 1, kind="votes", expert=expert, loss=loss)
    guarantee = found.facts()["guarantee"]
    expected = sum(absolute(m, 1, prior, tpr, fpr, fp, fn) for m in (5, 5, 9)) / 3
    alone = min(fn * prior, fp * (1 - prior))
    assert guarantee["count"] == 3
    assert guarantee["mean"] == pytest.approx(float(expected))
    assert guarantee["worth"]["share"] == pytest.approx(float(expected / alone))
    unit = "errors" if loss == "absolute" else "cost"
    per_100 = {"unit": unit, "guaranteed": float(100 * expected), "prior_alone": float(100 * alone)}
    assert guarantee["worth"]["per_100"] == pytest.approx(per_100)
    assert guarantee["explanation"] is None
    assert json.loads(json.dumps(guarantee)) == guarantee
    counted = "errors per 100 items" if unit == "errors" else "a cost of"
    assert counted in found.summary()
    assert "of the 50 that the prior alone guarantees" in found.summary()
    assert "decided by chance with its forecast" in found.summary()


def test_what_is_worth_nothing_says_why_and_what_would_change_it() -> None:
    weak = bp.Expert(0.5, 0.7, 0.3)
    found = bp.aggregate(crowd({"a": 9, "b": 9}), 4, kind="votes", expert=weak)
    explanation = found.facts()["guarantee"]["explanation"]
    changes = {one["change"]: one for one in explanation["remedies"]}
    better = bp.aggregate(crowd({"a": 9, "b": 9}), changes["smaller k"]["to"], kind="votes", expert=weak)
    assert changes["smaller k"]["share"] == pytest.approx(better.facts()["guarantee"]["worth"]["share"])
    assert "It is worth nothing: so many bribed reporters can make both truths look alike" in found.summary()
    assert "worth nothing" not in better.summary()


@pytest.mark.slow
def test_a_notebook_says_it_too() -> None:
    found = bp.aggregate(crowd({"a": 9, "b": 9}), 4, kind="votes", expert=bp.Expert(0.5, 0.7, 0.3))
    assert "It is worth nothing" in found._repr_html_()


def test_items_without_a_guarantee_are_no_part_of_it() -> None:
    found = bp.aggregate(crowd({"a": 2, "b": 1}), 1, kind="votes", expert=bp.Expert(0.5, 0.9, 0.1))
    assert "No item has a guarantee." in found.summary()
    assert "worth" not in found.facts()["guarantee"]


@pytest.mark.parametrize(
    ("yes", "no", "positive", "said"),
    [
        ("ja", "nein", "ja", "ja counts as positive, nein as negative."),
        ("ja", "nein", "nein", "nein counts as positive, ja as negative."),
        ("1", "0", "0", "0 counts as positive, 1 as negative."),
        ("1", "0", "1", None),
    ],
)
def test_a_class_that_is_chosen_as_positive_is_named(yes: str, no: str, positive: str, said: str | None) -> None:
    options: dict[str, Any] = {"kind": "votes", "positive": positive, "expert": bp.Expert(0.5, 0.9, 0.1)}
    summary = bp.aggregate(crowd({"a": 5}, yes, no), 1, **options).summary()
    assert (said in summary) if said else ("counts as positive" not in summary)


def test_without_rates_nothing_is_promised() -> None:
    found = bp.aggregate(crowd({"a": 5}), 1, kind="votes")
    assert found.promise is None
    assert "guarantee" not in found.facts()
