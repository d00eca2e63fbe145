"""Small tables that naive tools get wrong (S01 to S33): binary votes, on every kind of input.

S30 is about calibration; what holds without it (a forecast is never infinite or undefined) is here.
"""

from math import isfinite
from typing import Any

import pytest

import bribeproof as bp
from tests.aggregation.sample_tables import IDS, NO_ANSWER, S01, S04, S08, S10, S12, S13, TIE
from tests.frames.inputs import EACH_FORM, Columns, Give, check, expecting, long, panel, rows, widen

VOTES = [
    pytest.param(S01, {"k": 0, "positive": "pass"}, None, [
        {"task": "q1", "n": 3, "m": 2, "k": 0, "positive": 1, **TIE, "estimate": 0.5},
    ], id="S01"),
    pytest.param(S01, {"k": 1, "positive": "pass"}, None, [
        {"task": "q1", "n": 3, "m": 2, "k": 1, "positive": 1, **NO_ANSWER, "tie": True,
         "status": "not certified"},
    ], id="S01 one bribed"),
    pytest.param(S04, {"k": 0, "positive": "x"}, None, [
        {"task": "t1", "n": 2, "m": 2, "positive": 2, "decision": "x", "tie": False, "flips_needed": 1},
        {"task": "t2", "n": 2, "m": 0, **NO_ANSWER, "tie": False, "status": "no reports"},
    ], id="S04"),
    pytest.param(S08, {"k": 0}, None, [
        {"task": IDS[0], "n": 5, "m": 2, "positive": 2, "decision": "1", "estimate": 1.0, "flips_needed": 1},
        {"task": IDS[-1], "n": 5, "m": 3, "positive": 0, "decision": "0", "estimate": 0.0, "flips_needed": 2},
    ], id="S08"),
    pytest.param(S10, {"k": 0, "positive": "b"}, None, [{"task": "t1", **TIE, "estimate": 0.5}], id="S10"),
    pytest.param(S12, {"k": 1, "positive": "cat"}, None, [
        {"task": "t1", "n": 7, "m": 7, "positive": 4, "decision": "cat", "estimate": 0.6, "flips_needed": 1},
    ], id="S12"),
    pytest.param(S13, {"k": 1, "positive": "NA"}, "NA", [
        {"task": "t1", "n": 4, "m": 3, "positive": 2, "decision": "NA", "estimate": 1.0},
    ], id="S13"),
    *(
        pytest.param(panel("AAAABB"), {"k": k, "positive": "A"}, None, [
            {"task": "t1", "k": k, "positive": 4, "decision": "A", "flips_needed": 1, "estimate": share},
        ], id=f"S15 k={k}")
        for k, share in enumerate((2 / 3, 3 / 4, 1.0))
    ),
    pytest.param(panel("AAAABB"), {"k": 3, "positive": "A"}, None, [
        {"task": "t1", "m": 6, "positive": 4, **NO_ANSWER, "tie": False, "status": "not certified"},
    ], id="S15 k=3"),
    pytest.param(panel("AABB"), {"k": 1, "positive": "B"}, None, [
        {"task": "t1", **TIE, "estimate": 0.5},
    ], id="S16"),
    pytest.param(panel("abb"), {"k": 0, "positive": "a"}, None, [
        {"task": "t1", "positive": 1, "decision": "b", "tie": False, "estimate": 1 / 3, "flips_needed": 1},
    ], id="S21 b"),
]  # fmt: skip


@pytest.mark.parametrize(("read", "wide"), EACH_FORM, indirect=["read"])
@pytest.mark.parametrize(("reports", "call", "warning", "expected"), VOTES)
def test_votes(
    read: Give,
    wide: bool,
    reports: Columns,
    call: dict[str, Any],
    warning: str | None,
    expected: list[Any],
) -> None:
    table = widen(reports) if wide else reports
    judges = list(table)[1:] if wide else None
    with expecting(warning):
        check(bp.aggregate_votes(read(table), **call, judges=judges), expected)


@pytest.mark.parametrize("loss", ["absolute", "squared", "log"])
def test_s30_a_forecast_is_finite(read: Give, loss: str) -> None:
    votes: Columns = {
        "task": ["t4"] * 5 + ["t5"] * 5,
        "worker": list("abcde") * 2,
        "label": [1] * 5 + [0] * 5,
    }
    for fpr in (0.0, 0.1):
        expert = bp.Expert(prior=0.5, tpr=0.8, fpr=fpr)
        for row in rows(bp.aggregate_votes(read(votes), k=1, expert=expert, loss=loss)):
            assert 0 <= row["forecast"] <= 1
            assert isfinite(row["guarantee"])


def test_forecast_is_the_optimal_rule_of_the_panel(read: Give) -> None:
    """Worked values of theory.md §2: n=10, k=2, prior 1/2, rates .8 and .1, squared loss."""
    counts = {"t2": 2, "t5": 5, "t9": 9}
    votes = long(*((item, f"w{i}", int(i < x)) for item, x in counts.items() for i in range(10)))
    found = bp.aggregate_votes(read(votes), k=2, expert=bp.Expert(prior=0.5, tpr=0.8, fpr=0.1), loss="squared")
    low, high = 4 / 17, 11 / 13
    check(found, [
        {"task": "t2", "forecast": low, "estimate": 0.0, "decision": "0"},
        {"task": "t5", "forecast": (low + high) / 2, "estimate": 0.5, **TIE},
        {"task": "t9", "forecast": high, "estimate": 1.0, "decision": "1"},
    ])  # fmt: skip
    assert [row["guarantee"] for row in rows(found)] == pytest.approx([0.15837104072] * 3, abs=1e-10)


@pytest.mark.parametrize(
    "labels", [["yes", "no", "maybe"], ["yes", "no", "no"]], ids=["three", "positive is not there"]
)
def test_an_unknown_label_in_binary_mode_is_an_error(read: Give, labels: list[str]) -> None:
    positive = "yes" if "maybe" in labels else 1
    with pytest.raises(bp.BribeproofError, match=r"yes|no|maybe"):
        rows(
            bp.aggregate_votes(read(long(*(("t1", f"w{i}", v) for i, v in enumerate(labels)))), k=0, positive=positive)
        )
