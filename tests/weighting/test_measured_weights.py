"""Weights known beforehand, measured on gold items: coverage where worlds are chosen to break it, and bad input."""

from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from scipy.stats import binom

import bribeproof as bp
from bribeproof.theory import cost
from bribeproof.theory.inference.confidence import mean_lower_bound
from tests.cli.command import call, document, put

N, K = 9, 1
WEIGHTS = {f"w{who}": weight for who, weight in enumerate([4.0, 3, 3, 2, 2, 1, 1, 1, 1])}


def frame_of(votes: Any, given: Any = None) -> pl.DataFrame:
    items, reporters = np.nonzero(np.ones_like(votes) if given is None else given)
    rows = [(int(i), f"w{j}", int(votes[i, j])) for i, j in zip(items, reporters, strict=True)]
    return pl.DataFrame(rows, schema=["task", "worker", "label"], orient="row")


def heavy_pair(rng: np.random.Generator, items: int) -> tuple[Any, Any]:
    """The heaviest honest two err together on few items, with all others; an honest one errs alone on many."""
    truth = rng.integers(0, 2, items)
    wrong = np.zeros((items, N), bool)
    wrong[rng.random(items) < 0.06] = True
    wrong[:, 1:3] |= (rng.random(items) < 0.1)[:, None]
    wrong[:, 5] |= rng.random(items) < 0.5
    return truth, wrong


def rare_disaster(rng: np.random.Generator, items: int) -> tuple[Any, Any]:
    """Hardly anybody ever errs, but where it happens all do: few gold items show it."""
    truth = (rng.random(items) < 0.3).astype(int)
    return truth, np.repeat((rng.random(items) < 0.02)[:, None], N, axis=1)


def one_sided(rng: np.random.Generator, items: int) -> tuple[Any, Any]:
    """All errors are on positive items, which are few."""
    truth = (rng.random(items) < 0.15).astype(int)
    return truth, (rng.random((items, N)) < 0.35) & (truth[:, None] == 1)


WORLDS = {"heavy pair": heavy_pair, "rare disaster": rare_disaster, "one-sided": one_sided}


def expected_loss(rule: Any, world: str, draws: int = 40_000) -> float:
    """The mean loss on new items where the heaviest reporter does whatever is worst for the item."""
    truth, wrong = WORLDS[world](np.random.default_rng(99), draws)
    weights = np.array(list(WEIGHTS.values()))
    weights /= weights.sum()
    honest_ones = np.where(wrong[:, K:], 1 - truth[:, None], truth[:, None]) @ weights[K:]
    acts = np.stack([rule(honest_ones), rule(honest_ones + weights[:K].sum())])
    return float(((acts - truth) ** 2).max(axis=0).mean())


def test_the_guarantee_is_the_rule_of_bounds_that_are_computed_here() -> None:
    truth, wrong = heavy_pair(np.random.default_rng(4), 300)
    votes = np.where(wrong, 1 - truth[:, None], truth[:, None])
    gold = dict(enumerate(truth[:200].tolist()))
    found = bp.weigh(frame_of(votes), K, weights=WEIGHTS, truth=gold, confidence=0.9)
    assert found.measured is not None
    weights = np.array(list(WEIGHTS.values())) / sum(WEIGHTS.values())
    for place, state in enumerate((1, 0)):
        share = wrong[:200][truth[:200] == state] @ weights
        ones = np.ones(len(share), int)
        assert found.measured.weights[place] == pytest.approx(1 - mean_lower_bound(ones, 1 - share, 0.02))
        assert found.measured.squares[place] == pytest.approx(1 - mean_lower_bound(ones, 1 - share**2, 0.02))
        assert found.measured.gold[place] == len(share)
    assert found.measured.heaviest == pytest.approx(4 / 18)
    assert found.confidence == 0.9
    assert found.items["guarantee"].n_unique() == 1
    assert "measured on 200 gold items, on which the heaviest reporter holds at most 22.3 % of it" in found.summary()
    assert "with 90 % confidence" in found.summary()


@pytest.mark.slow
@pytest.mark.parametrize("world", WORLDS)
def test_it_fails_no_more_often_than_it_says(world: str) -> None:
    """At a confidence of 60 %; the heaviest reporter is right on all gold items and lies later."""
    confidence, tries, failures = 0.6, 25, 0
    for seed in range(tries):
        truth, wrong = WORLDS[world](np.random.default_rng(seed), 60)
        wrong[:, :K] = False
        votes = np.where(wrong, 1 - truth[:, None], truth[:, None])
        found = bp.weigh(
            frame_of(votes),
            K,
            weights=WEIGHTS,
            truth=dict(enumerate(truth.tolist())),
            confidence=confidence,
            classes=[0, 1],
        )
        assert found.measured is not None
        assert found.measured.rule is not None
        failures += expected_loss(found.measured.rule, world) > found.measured.rule.expected_loss
    assert failures <= binom.ppf(0.999, tries, 1 - confidence)


def test_bribed_reporters_cannot_lower_it_by_any_answers_to_gold_items() -> None:
    truth, wrong = heavy_pair(np.random.default_rng(1), 150)
    found = []
    for lie in (False, True):
        wrong[:, :K] = lie
        votes = np.where(wrong, 1 - truth[:, None], truth[:, None])
        result = bp.weigh(frame_of(votes), K, weights=WEIGHTS, truth=dict(enumerate(truth.tolist())))
        assert result.measured is not None
        found.append(result.measured)
    assert found[0].rule is not None
    honest = wrong[:, K:] @ (np.array(list(WEIGHTS.values()))[K:] / 18)
    for place, state in enumerate((1, 0)):
        mean = honest[truth == state].mean()
        assert mean <= found[0].weights[place] <= found[1].weights[place]


def test_items_where_few_hold_much_have_no_guarantee_and_do_not_count() -> None:
    rng = np.random.default_rng(0)
    truth = rng.integers(0, 2, 200)
    votes = np.repeat(truth[:, None], N, axis=1)
    given = np.ones((200, N), bool)
    given[:12, 1:6] = False
    votes[:12] = 1 - votes[:12]  # they would raise the bounds if they counted
    gold = dict(enumerate(truth.tolist()))
    some = bp.weigh(frame_of(votes, given), 1, weights=WEIGHTS, truth=gold)
    light = some.items.sort("task")
    assert light["guarantee"][:12].null_count() == light["forecast"][:12].null_count() == 12
    assert light["guarantee"][12:].null_count() == 0
    assert some.measured is not None
    assert sum(some.measured.gold) == 188
    assert "The other 12 items have no guarantee." in some.summary()


def test_one_class_against_the_others() -> None:
    rng = np.random.default_rng(2)
    truth = rng.integers(0, 3, 240)
    votes = np.where(rng.random((240, N)) < 0.1, (truth[:, None] + 1) % 3, truth[:, None])
    rows = pl.DataFrame(
        [(i, f"w{j}", "abc"[votes[i, j]]) for i in range(240) for j in range(N)],
        schema=["task", "worker", "label"], orient="row",
    )  # fmt: skip
    gold = {i: "abc"[label] for i, label in enumerate(truth.tolist())}
    found = bp.weigh(rows, 1, weights=WEIGHTS, truth=gold, positive="b")
    assert found.promise is not None
    assert found.promise.worth.share is not None
    assert found.promise.worth.share < 0.7
    assert "b counts as positive, the other 2 classes as negative." in found.summary()
    means = found.items.with_columns(b=pl.col("task").replace_strict(gold, return_dtype=pl.String) == "b")
    assert means.filter("b")["forecast"].mean() > 0.7 > 0.3 > means.filter(~pl.col("b"))["forecast"].mean()
    assert found.items["forecast"].null_count() == 0


def test_a_weight_spread_limits_them_and_is_measured_all_the_same() -> None:
    truth, wrong = heavy_pair(np.random.default_rng(5), 200)
    votes = frame_of(np.where(wrong, 1 - truth[:, None], truth[:, None]))
    gold = dict(enumerate(truth.tolist()))
    free, capped = (bp.weigh(votes, 1, weights=WEIGHTS, truth=gold, weight_spread=s).measured for s in (None, 0.2))
    assert free is not None
    assert capped is not None
    assert capped.heaviest == pytest.approx(1 / (9 - 0.2 * 7))
    assert capped.heaviest < free.heaviest


def test_gold_items_that_others_answer_tell_nothing() -> None:
    rng = np.random.default_rng(0)
    truth = rng.integers(0, 2, 300)
    votes, given = np.repeat(truth[:, None], N, axis=1), np.ones((300, N), bool)
    given[100:, 4] = False
    gold = dict(enumerate(truth[:100].tolist()))
    found = bp.weigh(frame_of(votes, given), 1, weights=WEIGHTS, truth=gold)
    assert found.promise is None
    assert "No item has a guarantee: reporter w4 answers so many more or fewer of the gold items" in found.summary()


@pytest.mark.parametrize(
    ("more", "said"),
    [
        ({"expert": bp.Expert(0.5, 0.9, 0.1)}, "give one"),
        ({"asked": 9}, "asked with weights and truth|asked with given weights"),
        ({"asked": 9, "weight_spread": 0.5}, "asked with weights and truth"),
        ({"faulty": "set aside", "weight_spread": 0.5, "classes": [0, 1]}, "faulty='set aside' with weights and truth"),
        ({"confidence": 1.5}, "confidence"),
        ({"truth": {"nobody": 1}}, "none of the 1 items with a known truth"),
        ({"truth": {0: 7}}, "none of the votes"),
        ({"weights": {"w0": 1}}, "no weight for reporter"),
    ],
)
def test_bad_input(more: dict[str, Any], said: str) -> None:
    votes = frame_of(np.tile([0, 1], (10, 5))[:, :N])
    options: dict[str, Any] = {"weights": WEIGHTS, "truth": {0: 1, 1: 0}} | more
    with pytest.raises(bp.BribeproofError, match=said):
        bp.weigh(votes, 1, **options)


def test_the_command(tmp_path: Path) -> None:
    truth, wrong = heavy_pair(np.random.default_rng(7), 120)
    votes = put(tmp_path / "v.csv", frame_of(np.where(wrong, 1 - truth[:, None], truth[:, None])).write_csv())
    gold = put(tmp_path / "g.csv", "task,label\n" + "".join(f"{i},{t}\n" for i, t in enumerate(truth[:80])))
    weights = put(tmp_path / "w.csv", "reporter,weight\n" + "".join(f"{n},{w}\n" for n, w in WEIGHTS.items()))
    options = ("--k", 1, "--weights", weights, "--truth", gold)
    shown = " ".join(call("weigh", votes, *options, "--confidence", 0.9).out.split())
    assert "Guarantee, with 90 % confidence: expected squared loss at most" in shown
    assert "measured on 80 gold items" in shown
    found = document("weigh", votes, *options, "--loss", "absolute")
    assert found["worth"]["per_100"]["unit"] == "errors"
    assert sum(found["measured"]["gold"].values()) == 80
    refused = call("weigh", votes, "--k", 1, "--truth", gold, "--confidence", 0.9)
    assert (refused.status, "--confidence has no effect here: it needs --weights and --truth" in refused.err) == (
        2,
        True,
    )


def noisy(items: int, error: float) -> tuple[pl.DataFrame, dict[int, int]]:
    rng = np.random.default_rng(11)
    truth = rng.integers(0, 2, items)
    votes = np.where(rng.random((items, N)) < error, 1 - truth[:, None], truth[:, None])
    return frame_of(votes), dict(enumerate(truth.tolist()))


@pytest.mark.parametrize(
    ("items", "error", "k", "weights", "reason"),
    [
        (20, 0.2, 0, WEIGHTS, "so few gold items"),
        (120, 0.25, 1, WEIGHTS | {"w0": 10.0}, "with weights that may differ so much"),
        pytest.param(300, 0.5, 0, WEIGHTS, "honest reports may depend on the truth", marks=pytest.mark.slow),
        pytest.param(300, 0.3, 4, dict.fromkeys(WEIGHTS, 1.0), "so many bribed", marks=pytest.mark.slow),
    ],
)
def test_what_is_worth_nothing_says_why(items: int, error: float, k: int, weights: Any, reason: str) -> None:
    votes, gold = noisy(items, error)
    found = bp.weigh(votes, k, weights=weights, truth=gold)
    assert f"It is worth nothing: {reason}" in found.summary()
    assert found.promise is not None
    assert found.promise.explanation is not None
    for remedy in found.promise.explanation.remedies:
        changed: dict[str, Any] = {"smaller k": {"k": remedy.to}, "smaller weight spread": {"weight_spread": remedy.to}}
        if remedy.change in changed:
            again = bp.weigh(votes, **({"k": k, "weights": weights, "truth": gold} | changed[remedy.change]))
            assert again.promise is not None
            assert again.promise.worth.share == pytest.approx(remedy.worth.share)


def test_costs_that_outweigh_all_reports_do_not_name_a_class_of_several() -> None:
    """Of two classes a decision follows the forecast; with three, "not b" is no class."""
    rng = np.random.default_rng(3)
    truth = rng.integers(0, 3, 60)
    rows = [(i, f"w{j}", "abc"[truth[i]]) for i in range(60) for j in range(N)]
    votes = pl.DataFrame(rows, schema=["task", "worker", "label"], orient="row")
    gold = {i: "abc"[label] for i, label in enumerate(truth.tolist())}
    dear = cost(false_positive=1000, false_negative=1)
    found = bp.weigh(votes, 1, weights=WEIGHTS, truth=gold, positive="b", loss=dear).items
    assert dict(found.select("task", "decision").iter_rows()) == gold
