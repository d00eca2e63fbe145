"""Weights with `asked` and `faulty`: exact worst cases over lies, silence and weights against the guarantee."""

from itertools import product
from typing import Any

import polars as pl
import pytest

import bribeproof as bp
from bribeproof.errors import ParameterError
from bribeproof.weighting.weigh import weigh

EXPERT = bp.Expert(0.4, 0.85, 0.25)


def _tables(k: int, most: int) -> tuple[pl.DataFrame, dict[str, float], dict[tuple[int, int, int, int], str]]:
    """Return items on which wrong truthful reporters and lying ones have all the weight, for each silence and truth."""
    rows, weights, items = [], {}, {}
    for given, silent, truth in product(range(2 * k + 1, most + 1), range(k + 1), (0, 1)):
        for wrong in range(given - k + 1):
            name = f"{given} {silent} {truth} {wrong}"
            items[given, silent, truth, wrong] = name
            for place in range(given - silent):
                errs = place < wrong + k - silent
                rows.append((name, f"{name} {place}", truth ^ errs, given))
                weights[f"{name} {place}"] = float(errs)
            if wrong + k - silent == 0:
                weights |= {f"{name} {place}": 1.0 for place in range(given)}
    return pl.DataFrame(rows, schema=["task", "worker", "label", "given"], orient="row"), weights, items


def _largest_mean(losses: list[float], mean: float) -> float:
    """Return the largest expectation of losses[J] over the distributions of J = 0, 1, ... with a mean."""
    worst = max(loss for wrong, loss in enumerate(losses) if wrong == mean) if mean in range(len(losses)) else -1.0
    for low, high in product(range(len(losses)), repeat=2):
        if low < mean < high:
            share = (mean - low) / (high - low)
            worst = max(worst, losses[low] * (1 - share) + losses[high] * share)
    return worst


@pytest.mark.parametrize("k", [1, 2, 3])
@pytest.mark.parametrize("weight_spread", [0.0, 0.5, 0.9])
def test_worst_lies_silence_and_weights_stay_within_the_guarantee(k: int, weight_spread: float) -> None:
    table, weights, items = _tables(k, 8)
    found = weigh(
        table, k, weight_spread=weight_spread, weights=weights, expert=EXPERT, asked="given", classes=[0, 1]
    ).items
    assert set(found["status"]) == {"ok"}
    by_item = {row["task"]: row for row in found.iter_rows(named=True)}
    for given in range(2 * k + 1, 9):
        worst, promised = 0.0, {by_item[name]["guarantee"] for key, name in items.items() if key[0] == given}
        assert len(promised) == 1
        for truth, share, rate in ((1, EXPERT.prior, 1 - EXPERT.tpr), (0, 1 - EXPERT.prior, EXPERT.fpr)):
            losses = [
                max((by_item[items[given, silent, truth, wrong]]["forecast"] - truth) ** 2 for silent in range(k + 1))
                for wrong in range(given - k + 1)
            ]
            worst += share * _largest_mean(losses, rate * (given - k))
        assert worst <= promised.pop() + 1e-12


def test_without_silence_asked_changes_nothing() -> None:
    rows = [(t, w, int(w in "abd"[: 1 + t % 3])) for t in range(9) for w in "abcde"]
    table = pl.DataFrame(rows, schema=["task", "worker", "label"], orient="row")
    plain, asked = weigh(table, 1, expert=EXPERT), weigh(table, 1, expert=EXPERT, asked=5)
    assert plain.items.equals(asked.items.drop("asked"))
    assert "honest ones answer" in asked.summary()
    assert "honest ones answer" not in plain.summary()


def test_who_is_silent_or_set_aside_counts_as_bribed() -> None:
    rows = [(t, w, t % 2) for t in range(6) for w in "abcde" if (w, t) not in (("e", 0), ("d", 2), ("e", 2))]
    table = pl.DataFrame([*rows, (1, "e", 0)], schema=["task", "worker", "label"], orient="row")
    with pytest.warns(match="set aside|silent|asked"):
        found = weigh(table, 1, asked=5, faulty="set aside", expert=EXPERT).items
    assert found["m"].to_list() == [4, 4, 3, 5, 5, 5]
    assert found["set_aside"].to_list() == [0, 1, 0, 0, 0, 0]
    assert found["heaviest"].to_list()[:2] == [0.0, 0.0]
    assert found["status"].to_list() == ["ok", "ok", "not certified", "ok", "ok", "ok"]
    assert len(set(found["guarantee"].drop_nulls())) == 1


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"weights": {"a": 1, "b": 1, "c": 2}}, "weight_spread"),
        ({"expert": dict.fromkeys("abc", EXPERT)}, "one expert"),
    ],
)
@pytest.mark.parametrize("stated", [{"asked": 3}, {"faulty": "set aside"}])
def test_refused_where_silence_would_choose_weights_or_rates(
    options: dict[str, Any], message: str, stated: dict[str, Any]
) -> None:
    table = pl.DataFrame({"task": [1, 1, 1], "worker": list("abc"), "label": [0, 1, 1]})
    with pytest.raises(ParameterError, match=message):
        weigh(table, 1, **options, **stated)


def test_a_third_class_is_offered_to_be_set_aside_and_then_is() -> None:
    rows = [(t, w, "zebra" if (t, w) == (1, "e") else "ny"[t % 2]) for t in range(6) for w in "abcde"]
    table = pl.DataFrame(rows, schema=["task", "worker", "label"], orient="row")
    with pytest.raises(ParameterError, match="--faulty set-aside"):
        weigh(table, 1, expert=EXPERT, positive="y")
    with pytest.warns(match=r"set aside.*: e \(1\)"):
        found = weigh(table, 1, expert=EXPERT, positive="y", classes=["n", "y"], faulty="set aside")
    assert found.items["set_aside"].to_list() == [0, 1, 0, 0, 0, 0]
