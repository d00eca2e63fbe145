"""Choosing judges: the numbers of a real jury, enumeration, and worlds in which the truth is computed otherwise."""

import itertools
from typing import Any

import numpy as np
import polars as pl
import pytest
from scipy.stats import beta, binom

from bribeproof import certify, jury
from bribeproof.errors import DataError, ParameterError
from tests.paths import ROOT

MODELS = ROOT / "tests" / "fixtures" / "llm_judges" / "verdicts.csv"
"""350 pairs of answers, and which of them six language models prefer."""


def sheet(right: Any) -> pl.DataFrame:
    """Verdicts on items that are all to be told yes: True for yes, None for silence; judges in columns."""
    rows = [
        (item, f"j{judge}", None if one is None else "yes" if one else "no")
        for item, row in enumerate(right)
        for judge, one in enumerate(row)
    ]
    return pl.DataFrame(rows, schema={"task": pl.Int64, "worker": pl.String, "label": pl.String}, orient="row")


def truths(items: int) -> dict[int, str]:
    return dict.fromkeys(range(items), "yes")


def robust(right: Any, judges: Any, k: int) -> int:
    """On how many items these judges are right whichever k of their verdicts are turned."""
    return sum(sum(1 if row[j] else -1 for j in judges if row[j] is not None) > 2 * k for row in right)


@pytest.mark.parametrize("k", [0, 1])
@pytest.mark.parametrize("panel", [None, [0], [1, 3, 4]])
def test_the_path_is_that_of_plain_enumeration(k: int, panel: list[int] | None) -> None:
    rng = np.random.default_rng(k)
    said = rng.random((60, 5)) < [0.9, 0.8, 0.7, 0.6, 0.5]
    right = [[None if rng.random() < 0.1 else bool(one) for one in row] for row in said]
    choice = jury.choose(sheet(right), truths(60), k, panel=panel and [f"j{j}" for j in panel])
    start = tuple(panel or range(5))

    def key(judges: Any) -> list[int]:
        return [robust(right, judges, bribed) for bribed in range(k, -1, -1)]

    sizes = {len(start): start}
    for size in range(len(start) - 1, 0, -1):
        sizes[size] = max(itertools.combinations(sizes[size + 1], size), key=lambda one: (key(one), -one.index(one[0])))
    for size in range(len(start) + 1, 6):
        larger = [tuple(sorted({*sizes[size - 1], j})) for j in range(5) if j not in sizes[size - 1]]
        sizes[size] = max(larger, key=key)
    assert choice.path["robust"].to_list() == [robust(right, sizes[size], k) for size in range(5, 0, -1)]
    assert choice.robust == max(choice.path["robust"])
    assert choice.robust == robust(right, [int(name[1:]) for name in choice.judges], k)
    assert choice.panel_robust == robust(right, start, k)
    for row in choice.changes.iter_rows(named=True):
        changed = set(start) ^ {int(row["judge"][1:])}
        assert row["robust"] == robust(right, sorted(changed), k)
        assert row["change"] == ("drop" if len(changed) < len(start) else "add")
    low = float(beta.ppf(0.05 / 31, choice.robust, 60 - choice.robust + 1))
    assert choice.accuracy_low == pytest.approx(low, abs=1e-12)
    assert choice.crossfitted - choice.panel_robust == choice.gained - choice.lost


def test_families_are_bribed_together() -> None:
    rng = np.random.default_rng(5)
    right = (rng.random((80, 6)) < 0.8).tolist()
    verdicts = sheet(right)
    families = {"j0": "x", "j1": "x", "j2": "x", "j3": "y", "j4": "y"}
    choice = jury.choose(verdicts, truths(80), 1, families=families)
    left = verdicts.filter(pl.col("worker").is_in(choice.judges))
    expected = certify(left, truths(80), k=1, group={j: f for j, f in families.items() if j in choice.judges})
    assert choice.robust == expected.by_k["robust"][1]
    assert choice.unit == "family"
    assert choice.panel_robust == certify(verdicts, truths(80), k=1, group=families).by_k["robust"][1]


def test_the_order_of_rows_does_not_matter() -> None:
    right = (np.random.default_rng(2).random((50, 5)) < 0.7).tolist()
    verdicts = sheet(right)
    one, other = (jury.choose(frame, truths(50), 1) for frame in (verdicts, verdicts.sample(fraction=1, shuffle=True)))
    assert one.summary() == other.summary()
    assert one.path.equals(other.path)


def test_six_language_models() -> None:
    verdicts = pl.read_csv(MODELS)
    found = {k: jury.choose(verdicts, "truth", k, judges=verdicts.columns[1:-1]) for k in (0, 1, 2)}
    assert [one.panel_robust for one in found.values()] == [212, 167, 118]
    assert [one.robust for one in found.values()] == [241, 178, 122]
    assert [one.crossfitted for one in found.values()] == [238, 178, 122]
    assert found[0].judges == (
        "Skywork_Skywork-Reward-Gemma-2-27B", "internlm_internlm2-20b-reward", "o1-mini-2024-09-12",
    )  # fmt: skip


def majority_right(rates: Any, k: int) -> float:
    """The probability that more than half, by more than 2k, of independent judges are right: by convolution."""
    chances = np.ones(1)
    for rate in rates:
        chances = np.convolve(chances, [1 - rate, rate])
    counts = np.arange(len(rates) + 1)
    return float(chances[2 * counts - len(rates) > 2 * k].sum())


def simulate(worlds: int, k: int) -> tuple[np.ndarray[Any, Any], int, int]:
    """Choose among equal judges on 30 gold items: apparent, cross-fitted and true accuracy, and broken bounds."""
    rates, items = [0.6] * 7, 30
    rows, broken, naive = [], 0, 0
    for seed in range(worlds):
        right = np.random.default_rng(seed).random((items, 7)) < rates
        choice = jury.choose(sheet(right.tolist()), truths(items), k, folds=5, seed=seed)
        true = majority_right([rates[0]] * len(choice.judges), k)
        rows.append((choice.robust / items, choice.crossfitted / items, true))
        broken += choice.accuracy_low > true
        naive += beta.ppf(0.05, choice.robust, items - choice.robust + 1) > true
    return np.array(rows), broken, naive


@pytest.mark.slow
@pytest.mark.parametrize("k", [0, 1])
def test_choosing_breaks_no_bound_and_does_not_flatter(k: int) -> None:
    worlds = 400
    rows, broken, naive = simulate(worlds, k)
    apparent, crossfitted, true = rows.mean(axis=0)
    error = rows.std(axis=0).max() / worlds**0.5
    assert broken <= binom.ppf(0.999, worlds, 0.05)
    assert apparent > true + 4 * error
    assert abs(crossfitted - true) < 0.05
    assert crossfitted < apparent - 4 * error
    assert naive > broken  # what the number of juries pays for


def test_errors() -> None:
    verdicts = sheet([[True, False, None]] * 3)
    with pytest.raises(DataError, match="two or more"):
        jury.choose(verdicts, {0: "yes"}, 0)
    with pytest.raises(ParameterError, match="'zoe' is none of the judges"):
        jury.choose(verdicts, truths(3), 0, panel=["j0", "zoe"])
    with pytest.raises(ParameterError, match="k=4: there are 3 judges"):
        jury.choose(verdicts, truths(3), 4)
    with pytest.raises(ParameterError, match="folds"):
        jury.choose(verdicts, truths(3), 0, folds=1)
    with pytest.raises(ParameterError, match="weights is no parameter"):
        jury.choose(verdicts, truths(3), 0, weights={})
