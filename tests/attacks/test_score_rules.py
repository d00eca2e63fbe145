"""What rules lose on scores: every curve by hand, and places that differ by rounding alone."""

from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bribeproof.attacks.corrupt import corrupt
from bribeproof.attacks.score_rules import _ranks
from bribeproof.attacks.study import attack
from tests.budgets import examples


def by_hand(scores: list[float], rule: str, k: int) -> float:
    """The estimate of one item, written out."""
    ordered = sorted(scores)
    if rule.startswith("trimmed") and len(ordered) > 2 * k:
        kept = ordered[k : len(ordered) - k]
        return sum(kept) / len(kept)
    middle = [ordered[(len(ordered) - 1) // 2], ordered[len(ordered) // 2]]
    return sum(ordered) / len(ordered) if rule == "mean" else sum(middle) / 2


@settings(max_examples=examples(0.25))
@given(data=st.data())
@pytest.mark.parametrize("with_truth", [True, False])
def test_score_curves_by_hand(with_truth: bool, data: st.DataObject) -> None:
    """Every number of a small sheet in plain Python, from the frames that `corrupt` gives."""
    marks = st.sampled_from([0.0, 2.5, 4.0, 5.5, 7.0, 10.0])
    rows = [("t0", f"w{place}", data.draw(marks)) for place in range(5)]
    for task in range(1, data.draw(st.integers(2, 4))):
        rows += [(f"t{task}", f"w{place}", data.draw(marks)) for place in range(5) if data.draw(st.booleans())]
        rows.append((f"t{task}", "w5", data.draw(marks)))
    frame = pl.DataFrame(rows, schema=["task", "worker", "score"], orient="row")
    items = frame["task"].unique().sort().to_list()
    truth = {item: data.draw(marks) for item in items} if with_truth else None
    found = attack(frame, truth, [0, 1, 2], strategy="low", kind="scores", draws=1, seed=3, scale=(0, 10))
    assert found.n_known == (len(items) if with_truth else 0)

    def sheet(of: pl.DataFrame) -> dict[str, list[float]]:
        return {item: of.filter(task=item)["score"].to_list() for item in items}

    honest = sheet(frame)
    aim = truth or {item: sum(scores) / len(scores) for item, scores in honest.items()}
    for row in found.curves.iter_rows(named=True):
        options: dict[str, Any] = {"kind": "scores", "strategy": "low", "scale": (0, 10), "seed": 3}
        bribed = sheet(corrupt(frame, row["adversaries"], **options))
        now, before = (
            {item: by_hand(scores, row["rule"], row["k"]) for item, scores in of.items()} for of in (bribed, honest)
        )
        errors = [now[item] - aim[item] for item in items]
        places = [[sum(other > one + 1e-9 for other in of.values()) for one in of.values()] for of in (now, before)]
        assert row["squared_loss"] == pytest.approx(sum(error**2 for error in errors) / len(items))
        assert row["absolute_loss"] == pytest.approx(sum(map(abs, errors)) / len(items))
        assert row["changed"] == pytest.approx(sum(map(int.__ne__, *places)) / len(items))
        assert row["certified"] == pytest.approx(sum(len(one) > 2 * row["k"] for one in bribed.values()) / len(items))
        assert row["accuracy"] is None


def test_what_stands_in_for_the_truth_is_unknown_to_liars() -> None:
    """All scores have the mean 4, those of the honest 6: without a truth, colluders go to the end far from theirs."""
    scores = {"a": 6.0, "b": 6.0, "c": 0.0}
    rows = [("t", name, score) for name, score in scores.items()]
    frame = pl.DataFrame(rows, schema=["task", "worker", "score"], orient="row")
    seed = next(
        seed
        for seed in range(100)
        if corrupt(frame, 1, kind="scores", strategy="high", scale=(0, 10), seed=seed)["score"].to_list() == [6, 6, 10]
    )
    found = attack(frame, None, [1], strategy="collude", kind="scores", draws=1, seed=seed, scale=(0, 10))
    assert found.curves.filter(rule="mean")["squared_loss"].item() == 0
    told = attack(frame, {"t": 4}, [1], strategy="collude", kind="scores", draws=1, seed=seed, scale=(0, 10))
    assert told.curves.filter(rule="mean")["squared_loss"].item() == pytest.approx((22 / 3 - 4) ** 2)


def test_places_that_differ_by_rounding_alone_are_equal() -> None:
    """Means of .1 and .7 and of .4 and .4: equal marks, not the same bits."""
    rows = [("t0", "a", 0.1), ("t0", "b", 0.7), ("t1", "a", 0.4), ("t1", "b", 0.4), ("t2", "a", 0.9), ("t2", "c", 0.2)]
    frame = pl.DataFrame(rows, schema=["task", "worker", "score"], orient="row")
    sheet = frame.pivot("worker", index="task", values="score").select("a", "b", "c").to_numpy()
    assert _ranks(np.nanmean(sheet, axis=1)).tolist() == [2, 2, 1]
    assert _ranks(np.array([np.nan, 3.0])).tolist() == [0, 1]
    assert _ranks(np.zeros(2)).tolist() == [1, 1]
