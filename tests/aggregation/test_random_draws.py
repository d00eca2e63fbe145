"""Random ties and drawn dictators: the right chances, and a draw that nobody can re-roll by moving rows."""

from collections import Counter
from typing import Any

import polars as pl
import pytest

import bribeproof as bp
from tests.frames.inputs import EACH_FRAME, FRAMES, Give, by_item, check, long, rows


def crowd(items: int, ballot: str) -> pl.DataFrame:
    names = [f"item {i}" for i in range(items)]
    return pl.DataFrame(
        {
            "task": [name for name in names for _ in ballot],
            "worker": [f"w{i}" for _ in names for i in range(len(ballot))],
            "label": list(ballot) * items,
        }
    )


@pytest.mark.parametrize(
    ("ballot", "k", "chances"),
    [
        ("abc", 0, {"a": 1 / 3, "b": 1 / 3, "c": 1 / 3}),
        ("aaabb", 1, {"a": 2 / 3, "b": 1 / 3}),
        ("aaab", 1, {"a": 1.0}),
    ],
)
def test_the_drawn_dictator_has_the_truncated_shares_as_chances(ballot: str, k: int, chances: dict[str, float]) -> None:
    items = 3000
    drawn: Counter[str] = Counter(bp.aggregate_labels(crowd(items, ballot), k=k, seed=11)["draw"].to_list())
    assert set(drawn) == set(chances)
    for name, chance in chances.items():
        assert abs(drawn[name] - items * chance) <= 4 * (items * chance * (1 - chance)) ** 0.5


@pytest.mark.parametrize("aggregate", [bp.aggregate_labels, bp.aggregate_votes])
def test_random_ties_fall_evenly(aggregate: Any) -> None:
    options = {"positive": "b"} if aggregate is bp.aggregate_votes else {}
    by_seed = [
        aggregate(crowd(2000, "ab"), k=0, ties="random", seed=seed, **options)["decision"].to_list() for seed in (1, 2)
    ]
    for decisions in by_seed:
        assert set(decisions) == {"a", "b"}
        assert abs(decisions.count("a") - 1000) <= 4 * 500**0.5
    same = sum(one == other for one, other in zip(*by_seed, strict=True))
    assert abs(same - 1000) <= 4 * 500**0.5


@pytest.mark.parametrize("kind", EACH_FRAME)
def test_a_draw_depends_on_the_seed_and_the_item_alone(kind: str) -> None:
    whole = crowd(40, "abba")
    part = whole.reverse().filter(pl.col("task").is_in([f"item {i}" for i in range(0, 40, 3)]))
    options: dict[str, Any] = {"k": 0, "seed": 3, "ties": "random"}
    full = by_item(rows(bp.aggregate_labels(whole, **options)))
    found = rows(bp.aggregate_labels(FRAMES[kind](part.to_dict(as_series=False)), **options))
    for row in found:
        assert (row["draw"], row["decision"]) == (full[row["task"]]["draw"], full[row["task"]]["decision"])
    assert len({row["draw"] for row in found}) == 2


def test_an_item_without_reports_has_nothing_to_draw_from(read: Give) -> None:
    reports = long(("t1", "w1", "a"), ("t2", "w1", None))
    check(bp.aggregate_labels(read(reports), k=0, ties="random", seed=5), [
        {"task": "t1", "decision": "a", "draw": "a"},
        {"task": "t2", "decision": None, "draw": None, "tie": False, "status": "no reports"},
    ])  # fmt: skip
