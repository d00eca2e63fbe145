"""Weights known beforehand: the promise, against linear programs over all that Nature and the bribed can do."""

import itertools
from typing import Any

import numpy as np
import polars as pl
import pytest
from scipy.optimize import linprog

import bribeproof as bp

PRIOR = 0.4
LOSS = {"absolute": lambda act, state: abs(act - state), "squared": lambda act, state: (act - state) ** 2}


def frame_of(rows: list[tuple[Any, ...]]) -> pl.DataFrame:
    return pl.DataFrame(rows, schema=["task", "worker", "label"], orient="row")


def games() -> list[Any]:
    """Weights, the sets of reporters that answer, k, mean or single error rates, and a loss; a fixed sample."""
    found = []
    for seed in range(12):
        rng = np.random.default_rng(seed)
        n, m, k = 6, (4, 5)[seed % 2], 1
        weights = rng.choice([0.5, 1, 1, 2, 3], n)
        sets = [sorted(rng.choice(n, m, replace=False).tolist()) for _ in range(3)]
        found.append((weights, sets, k, rng.uniform(0.02, 0.3, (2, n)), ("absolute", "squared")[seed // 2 % 2]))
    return found


def every_vote(sets: list[list[int]]) -> pl.DataFrame:
    """An item for each set and each way in which its reporters can vote."""
    return frame_of(
        [
            (f"{place}-{''.join(map(str, votes))}", f"w{who}", vote)
            for place, answering in enumerate(sets)
            for votes in itertools.product((0, 1), repeat=len(answering))
            for who, vote in zip(answering, votes, strict=True)
        ]
    )


def worst(
    items: dict[str, float], sets: list[list[int]], teams: Any, state: int, loss: str, limits: Any
) -> list[float]:
    """The largest mean loss on items of each set, with any of these teams bribed, item by item.

    The errors of the others are limited on average over the sets, or for each reporter.
    """
    columns: list[tuple[int, int, tuple[int, ...]]] = []
    values = []
    for place, answering in enumerate(sets):
        for bribed in teams(answering):
            truthful = [who for who in answering if who not in bribed]
            for wrong in itertools.chain.from_iterable(
                itertools.combinations(truthful, size) for size in range(len(truthful) + 1)
            ):
                votes = [1 - state if who in bribed or who in wrong else state for who in answering]
                act = items[f"{place}-{''.join(map(str, votes))}"]
                columns.append((place, len(columns), wrong))
                values.append(LOSS[loss](act, state))
    share = np.array([[float(place == own) for own, _, _ in columns] for place in range(len(sets))])
    if np.ndim(limits):
        a_ub = [
            [float(own == place and who in wrong) for own, _, wrong in columns]
            for place, answering in enumerate(sets)
            for who in answering
        ]
        b_ub = [limits[who] for answering in sets for who in answering]
    else:
        a_ub = [[float(len(wrong)) for _, _, wrong in columns]]
        b_ub = [limits * (len(sets[0]) - len(teams(sets[0])[0])) * len(sets)]
    found = linprog(-np.array(values), A_ub=a_ub, b_ub=b_ub, A_eq=share, b_eq=np.ones(len(sets)))
    assert found.success
    weighed = np.array(values) * found.x
    return [float(weighed[share[place] > 0].sum()) for place in range(len(sets))]


@pytest.mark.parametrize(("weights", "sets", "k", "errors", "loss"), games())
def test_mean_rates_are_enough_if_nature_puts_errors_where_they_weigh_most(
    weights: Any, sets: list[list[int]], k: int, errors: Any, loss: str
) -> None:
    table, of_each = every_vote(sets), {f"w{who}": float(weight) for who, weight in enumerate(weights)}
    rates = errors.mean(axis=1)
    expert = bp.Expert(PRIOR, 1 - rates[1], rates[0])
    result = bp.weigh(table, k, weights=of_each, expert=expert, loss=loss, classes=[0, 1]).items.drop_nulls("guarantee")
    certified = [place for place in range(len(sets)) if result["task"].str.starts_with(f"{place}-").any()]
    if not certified:
        return
    kept = [sets[place] for place in certified]
    names = {f"{new}-": f"{place}-" for new, place in enumerate(certified)}
    acts = dict(result.select("task", "forecast").iter_rows())
    items = {
        new + task.removeprefix(old): act
        for new, old in names.items()
        for task, act in acts.items()
        if task.startswith(old)
    }

    def anybody(answering: list[int]) -> list[tuple[int, ...]]:
        return list(itertools.combinations(answering, k))

    means = [np.mean(worst(items, kept, anybody, state, loss, float(rates[state]))) for state in (0, 1)]
    assert result["guarantee"].n_unique() == 1
    assert PRIOR * means[1] + (1 - PRIOR) * means[0] <= result["guarantee"][0] + 1e-9


@pytest.mark.parametrize(("weights", "sets", "k", "errors", "loss"), games())
def test_the_rates_of_each_reporter_bound_every_item(
    weights: Any, sets: list[list[int]], k: int, errors: Any, loss: str
) -> None:
    table, of_each = every_vote(sets), {f"w{who}": float(weight) for who, weight in enumerate(weights)}
    experts = {f"w{who}": bp.Expert(PRIOR, 1 - errors[1, who], errors[0, who]) for who in range(len(weights))}
    result = bp.weigh(table, k, weights=of_each, expert=experts, loss=loss, classes=[0, 1]).items.drop_nulls(
        "guarantee"
    )
    acts = dict(result.select("task", "forecast").iter_rows())
    for place in range(len(sets)):
        own = result.filter(pl.col("task").str.starts_with(f"{place}-"))
        if own.is_empty():
            continue
        items = {task.replace(f"{place}-", "0-", 1): act for task, act in acts.items() if task.startswith(f"{place}-")}
        for team in itertools.combinations(sets[place], k):
            losses = [
                worst(items, [sets[place]], lambda _, team=team: [team], state, loss, errors[state])[0]
                for state in (0, 1)
            ]
            assert PRIOR * losses[1] + (1 - PRIOR) * losses[0] <= own["guarantee"][0] + 1e-9


def heavy_crowd(items: int, gold: int) -> tuple[pl.DataFrame, Any, dict[str, float]]:
    """Three heavy reporters err together on 40 %; a light one is bribed: right on gold, a liar later."""
    rng = np.random.default_rng(0)
    truth, wrong = rng.integers(0, 2, items), rng.random(items) < 0.4
    votes = np.tile(truth[:, None], (1, 10))
    votes[:, :3] ^= wrong[:, None]
    votes[gold:, 9] = 1 - truth[gold:]
    rows = [(item, f"w{who}", int(votes[item, who])) for item in range(items) for who in range(10)]
    return frame_of(rows), truth, {f"w{who}": 0.2 if who < 3 else 0.4 / 7 for who in range(10)}


@pytest.mark.parametrize("loss", ["absolute", "squared"])
def test_heavy_reporters_who_err_together(loss: str) -> None:
    """The average error rate, as if it were everybody's, promised .18 (absolute) where .3 is lost."""
    votes, truth, weights = heavy_crowd(3000, 1500)
    found = bp.calibrate(votes, dict(enumerate(truth[:1500].tolist())), k=1, prior=0.5)
    single = {
        name: bp.Expert(0.5, 0.6, 0.4) if name in ("w0", "w1", "w2") else bp.Expert(0.5, 1, 0) for name in weights
    }
    promised = []
    for expert in (found.expert, bp.Expert(0.5, 1 - 1.2 / 9, 1.2 / 9), single, found):
        result = bp.weigh(votes, 1, weights=weights, expert=expert, loss=loss)
        later = result.items.filter(pl.col("task") >= 1500).sort("task")
        measured = [LOSS[loss](act, state) for act, state in zip(later["forecast"], truth[1500:], strict=True)]
        promised.append(later["guarantee"].max())
        assert np.mean(measured) <= promised[-1]
        assert ("with 95 % confidence" in result.summary()) == (expert is found)
        assert (
            "on average over 3,000 items, with k = 1 bribed, whatever they report, provided that neither who"
            in result.summary()
        )
    assert promised[2] < promised[1]
    assert promised[3] < promised[0]


def test_the_rates_of_each_reporter_within_a_weight_spread() -> None:
    """The worst k + 1 of four err at .1, .2 and .3: their mean .2 grows by 3/2 · 1/(1 − s)."""
    votes = frame_of([(0, f"w{who}", 1) for who in range(4)])
    experts = {f"w{who}": bp.Expert(0.5, 1 - who / 10, who / 10) for who in range(4)}
    found = bp.weigh(votes, 1, weight_spread=0.0, expert=experts, loss="absolute", classes=[0, 1]).items
    assert found["guarantee"][0] == pytest.approx(0.2 * 3 / 2)


@pytest.mark.parametrize(
    ("experts", "said"),
    [
        ({"a": bp.Expert(0.5, 0.9, 0.1)}, "no rates of reporter 'b'"),
        ({"a": bp.Expert(0.5, 0.9, 0.1), "b": bp.Expert(0.4, 0.9, 0.1)}, "different priors"),
        ({"a": bp.Expert(0.5, 0.9, 0.1), "b": 0.9}, "no Expert"),
    ],
)
def test_what_is_no_expert_for_each(experts: Any, said: str) -> None:
    with pytest.raises(bp.BribeproofError, match=said):
        bp.weigh(frame_of([(0, "a", 1), (0, "b", 0)]), 0, weights={"a": 1, "b": 2}, expert=experts)


def test_a_calibration_of_other_reporters() -> None:
    found = bp.calibrate(frame_of([(0, who, 1) for who in "abc"] + [(1, "a", 0)]), {0: 1, 1: 0}, k=1)
    with pytest.raises(bp.ParameterError, match="'d' is not in the calibration"):
        bp.weigh(
            frame_of([(0, who, 1) for who in "abd"]), 1, weights=dict.fromkeys("abd", 1), expert=found, classes=[0, 1]
        )
