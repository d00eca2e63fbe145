"""Independent reporters are not accused, and shared errors are found: panels drawn here, with fixed seeds."""

from collections.abc import Callable
from typing import Any

import numpy as np
import polars as pl
import pytest
from scipy import stats

import bribeproof as bp
from bribeproof.auditing.result import Audit

Votes = np.ndarray[Any, Any]
Draw = Callable[[np.random.Generator], tuple[Votes, Votes]]
"""Draws the truth of the items, and one row of labels per item, one column per reporter."""


def long(reports: Votes, value: str = "label", **columns: Votes) -> pl.DataFrame:
    item, reporter = np.indices(reports.shape).reshape(2, -1)
    more = {name: np.broadcast_to(values, reports.shape).ravel() for name, values in columns.items()}
    return pl.DataFrame({"task": item, "worker": reporter, value: reports.ravel(), **more})


def skilled(*groups: tuple[int, float, float], items: int = 300, tempting: float = 0.0) -> Draw:
    """Groups of reporters: how many, and their rates on plain and on tempting items."""

    def draw(rng: np.random.Generator) -> tuple[Votes, Votes]:
        truth, hard = rng.integers(0, 2, items), rng.random((items, 1)) < tempting
        plain, lured = (np.repeat([group[at] for group in groups], [group[0] for group in groups]) for at in (1, 2))
        right = rng.random((items, len(plain))) < np.where(hard, lured, plain)
        return truth, np.where(right, truth[:, None], 1 - truth[:, None])

    return draw


def five_classes(rng: np.random.Generator) -> tuple[Votes, Votes]:
    """Draw two precise judges of twelve."""
    truth = rng.integers(0, 5, 300)
    right = rng.random((300, 12)) < np.array([0.97] * 2 + [0.6] * 10)
    return truth, np.where(right, truth[:, None], (truth[:, None] + rng.integers(1, 5, right.shape)) % 5)


HONEST: dict[str, Draw] = {
    "two experts at .99 among eight at .55": skilled((2, 0.99, 0.99), (8, 0.55, 0.55)),
    "two of thirty, tempting items": skilled((2, 0.97, 0.9), (28, 0.85, 0.4), tempting=0.2),
    "two precise judges of twelve": five_classes,
    "two novices of ten, tempting items": skilled((8, 0.97, 0.9), (2, 0.9, 0.3), tempting=0.3),
    "three groups": skilled((3, 0.98, 0.95), (4, 0.9, 0.6), (5, 0.8, 0.3), tempting=0.3),
    "few items": skilled((2, 0.97, 0.95), (8, 0.9, 0.3), items=30, tempting=0.3),
}


def compatible(found: int, panels: int, level: float = 0.05) -> bool:
    """Whether so many panels with a false finding, or more, are not too unlikely (1 %) at the level."""
    return bool(stats.binom.sf(found - 1, panels, level) > 0.01)


def audited(name: str, panels: int, **options: Any) -> list[Audit]:
    """Audit panels of a world; with gold items unless the reporters are assumed to be equally skilled."""
    results = []
    for seed in range(panels):
        truth, votes = HONEST[name](np.random.default_rng([seed, len(name)]))
        gold: dict[str, Any] = {} if options else {"truth": dict(enumerate(truth.tolist()))}
        results.append(bp.audit(long(votes), 1, kind="labels", **gold, **options))
    return results


def errors_found(name: str, panels: int) -> int:
    return sum(bool(result.pairs["unexplained"].any()) for result in audited(name, panels))


@pytest.mark.parametrize("name", list(HONEST)[:3])
def test_independent_reporters_share_no_unexplained_errors(name: str) -> None:
    assert compatible(errors_found(name, 6), 6)


@pytest.mark.slow
@pytest.mark.parametrize("name", HONEST)
def test_independent_reporters_share_no_unexplained_errors_in_many_panels(name: str) -> None:
    assert compatible(errors_found(name, 60), 60)


@pytest.mark.parametrize("name", list(HONEST)[:3])
def test_without_gold_a_pair_is_listed_with_counts_and_no_probability(name: str) -> None:
    _, votes = HONEST[name](np.random.default_rng(0))
    result = bp.audit(long(votes), 1, kind="labels")
    assert result.pairs.columns == ["first", "second", "common", "same", "different", "same_minority", "expected"]
    about_pairs = result.summary().splitlines()[3:]
    assert "%" not in " ".join(about_pairs)
    assert "not a finding" in about_pairs[0]
    assert "nearly always right" in about_pairs[1]


def test_equal_skill_is_an_assumption_that_is_printed() -> None:
    """Two experts fail the test of equal skill: the sentence says what was assumed."""
    (result,) = audited("two experts at .99 among eight at .55", 1, equal_skill=True)
    assert result.pairs.row(0, named=True)["p_adjusted"] < 0.05
    assert "\nAssuming that all reporters are equally skilled" in result.summary()


def test_pairs_of_equal_skill_are_not_found() -> None:
    found = 0
    for seed in range(12):
        rng = np.random.default_rng(seed)
        easy, truth = rng.uniform(0.4, 1, (120, 1)), rng.integers(0, 2, (120, 1))
        votes = np.where(rng.random((120, 8)) < easy, truth, 1 - truth)
        pairs = bp.audit(long(votes), 1, kind="labels", equal_skill=True).pairs
        found += bool((pairs["p_adjusted"] <= 0.05).any())
    assert compatible(found, 12)


def with_copies(seed: int, people: int, copying: int, items: int = 200) -> tuple[Votes, Votes]:
    """Reporters who are right with probability .8, of whom the first few give one answer."""
    rng = np.random.default_rng([seed, people])
    truth = rng.integers(0, 2, items)
    votes = np.where(rng.random((items, people)) < 0.8, truth[:, None], 1 - truth[:, None])
    for who in range(1, copying):
        votes[:, who] = np.where(rng.random(items) < 0.95, votes[:, 0], votes[:, who])
    return truth, votes


@pytest.mark.parametrize(("people", "copying"), [(9, 2), (9, 4), (5, 2), (20, 2)])
def test_shared_errors_are_found_on_gold_items_and_under_equal_skill(people: int, copying: int) -> None:
    planted = {(i, j) for i in range(copying) for j in range(i + 1, copying)}
    false = 0
    for seed in range(3):
        truth, votes = with_copies(seed, people, copying)
        gold = bp.audit(long(votes), 1, kind="labels", truth=dict(enumerate(truth.tolist()))).pairs
        equal = bp.audit(long(votes), 1, kind="labels", equal_skill=True).pairs
        for found in (gold.filter("unexplained"), equal.filter(pl.col("p_adjusted") <= 0.05)):
            named = set(found.select("first", "second").iter_rows())
            assert named & planted
            false += bool(named - planted)
    assert compatible(false, 6)


def test_shared_errors_as_counted_by_hand() -> None:
    truth, votes = with_copies(1, 5, 2, items=60)
    gold = {item: int(label) for item, label in enumerate(truth) if item % 3 == 0}
    result = bp.audit(long(votes), 1, kind="labels", truth=gold)
    assert result.gold_items == 20
    wrong = (votes != truth[:, None])[::3]
    for first, second, common, own, other, shared, *_ in result.pairs.iter_rows():
        both = wrong[:, first] & wrong[:, second] & (votes[::3, first] == votes[::3, second])
        assert (common, own, other, shared) == (20, wrong[:, first].sum(), wrong[:, second].sum(), both.sum())
    errors = dict(result.reporters.select("reporter", "gold_errors").iter_rows())
    assert errors == {who: wrong[:, who].sum() for who in range(5)}


def test_names_and_order_do_not_matter_to_shared_errors() -> None:
    truth, votes = with_copies(2, 7, 2)
    gold = dict(enumerate(truth.tolist()))
    wanted = bp.audit(long(votes), 1, kind="labels", truth=gold).pairs
    turned = bp.audit(long(1 - votes), 1, kind="labels", truth={item: 1 - label for item, label in gold.items()}).pairs
    assert turned.rows() == pytest.approx(wanted.rows())
    backwards = bp.audit(long(votes[:, ::-1]), 1, kind="labels", truth=gold).pairs
    pairs = {(6 - second, 6 - first): p for first, second, p in backwards[:5, ["first", "second", "p_adjusted"]].rows()}
    assert pairs[0, 1] == pytest.approx(wanted["p_adjusted"][0], rel=1e-3)


# --- groups


def honest_nations(seed: int, kind: str) -> pl.DataFrame:
    """The entries of one nation are harder, or weaker; judges use the scale differently."""
    rng = np.random.default_rng([seed, len(kind)])
    nation, home = rng.integers(0, 2, (120, 1)), np.arange(8) % 2
    if kind == "labels":
        truth = rng.integers(0, 2, (120, 1))
        reports = np.where(rng.random((120, 8)) < np.where(nation == 0, 0.65, 0.92), truth, 1 - truth)
    else:
        quality = np.where(nation == 0, 6, 8) + rng.normal(0, 0.5, (120, 1))
        reports = np.round(7 + (quality - 7) * rng.uniform(0.75, 1.25, 8) + rng.normal(0, 0.4, (120, 8)), 1)
    return long(reports, kind[:-1], home=home, nation=nation)


@pytest.mark.parametrize("kind", ["labels", "scores"])
def test_harder_or_weaker_groups_are_no_favour(kind: str) -> None:
    found = 0
    for seed in range(10):
        result = bp.audit(honest_nations(seed, kind), 1, kind=kind, same=("home", "nation"))
        found += bool((result.reporters["same_p_adjusted"] <= 0.05).any())
    assert compatible(found, 10)


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["labels", "scores"])
def test_harder_or_weaker_groups_are_no_favour_in_many_panels(kind: str) -> None:
    found = 0
    for seed in range(100, 160):
        result = bp.audit(honest_nations(seed, kind), 1, kind=kind, same=("home", "nation"))
        found += bool((result.reporters["same_p_adjusted"] <= 0.05).any())
    assert compatible(found, 60)


# --- input


def test_truth_is_for_labels_and_needs_no_assumption() -> None:
    truth, votes = with_copies(0, 5, 2)
    gold = dict(enumerate(truth.tolist()))
    with pytest.raises(bp.ParameterError, match="equal_skill=True is for pairs without truth"):
        bp.audit(long(votes), 1, kind="labels", truth=gold, equal_skill=True)
    with pytest.raises(bp.ParameterError, match="labels only"):
        bp.audit(long(votes.astype(float), "score"), 1, kind="scores", truth=gold)
    with pytest.raises(bp.DataError, match="none of the"):
        bp.audit(long(votes), 1, kind="labels", truth={-1: 0})
