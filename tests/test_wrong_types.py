"""An argument of a wrong type is a TypeError, and a ParameterError too, in every public function."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

import bribeproof as bp

VOTES = pl.DataFrame({"task": ["t"] * 3, "worker": list("abc"), "label": [1, 1, 0]})
SCORES = VOTES.rename({"label": "score"})
PLACES = pl.DataFrame({"entry": ["t", "u"], "j1": [1, 2], "j2": [1, 2], "j3": [2, 1]})
CALLS: dict[str, Callable[..., Any]] = {
    "aggregate": lambda **options: bp.aggregate(VOTES, **({"k": 1} | options)),
    "scores": lambda **options: bp.aggregate_scores(SCORES, **({"k": 1} | options)),
    "votes": lambda **options: bp.aggregate_votes(VOTES, **({"k": 1} | options)),
    "labels": lambda **options: bp.aggregate_labels(VOTES, **({"k": 1} | options)),
    "weigh": lambda **options: bp.weigh(VOTES, **({"k": 1} | options)),
    "audit": lambda **options: bp.audit(VOTES, kind="labels", **options),
    "sweep": lambda **options: bp.sweep(VOTES, **options),
    "calibrate": lambda **options: bp.calibrate(VOTES, {"t": 1}, **({"k": 1} | options)),
    "certify": lambda **options: bp.certify(VOTES, {"t": 1}, **({"k": 1} | options)),
    "worst_bribe": lambda **options: bp.worst_bribe(VOTES, **({"k": 1} | options)),
    "rank": lambda **options: bp.rank(PLACES, **options),
    "compare_rules": lambda **options: bp.compare_rules(PLACES, **options),
    "attack": lambda **options: bp.attack(VOTES, {"t": 1}, **options),
    "corrupt": lambda **options: bp.corrupt(VOTES, **({"k": 1} | options)),
    "trimmed_mean": lambda **options: bp.trimmed_mean([1, 2, 3], **options),
    "manipulation_range": lambda **options: bp.manipulation_range([1, 2, 3], **options),
    "safe_ranking": lambda **options: bp.safe_ranking([[1, 2, 3]], **options),
}
WRONG: tuple[tuple[str, dict[str, Any]], ...] = (
    *((name, {"k": k}) for name in CALLS if name not in ("sweep", "attack") for k in ("1", 1.5, True, float("nan"))),
    ("scores", {"decimals": "2"}),
    ("scores", {"decimals": True}),
    ("labels", {"seed": 1.5}),
    ("votes", {"expert": 0.5}),
    ("aggregate", {"expert": 0.5}),
    ("weigh", {"expert": 0.5}),
    ("weigh", {"weights": [1]}),
    ("weigh", {"weight_spread": "x"}),
    ("audit", {"confidence": "x"}),
    ("audit", {"same": "x"}),
    ("sweep", {"ks": 3}),
    ("sweep", {"ks": ["a"]}),
    ("sweep", {"expert": 0.5}),
    ("calibrate", {"confidence": "x"}),
    ("calibrate", {"prior": "x"}),
    ("calibrate", {"k": None, "groups": [1], "bribed_groups": 1}),
    ("certify", {"confidence": "x"}),
    ("certify", {"rule": 3}),
    ("certify", {"weights": [1]}),
    ("certify", {"seed": "x"}),
    ("worst_bribe", {"k": "x"}),
    ("worst_bribe", {"values": [1]}),
    ("worst_bribe", {"time_limit": "x"}),
    ("rank", {"rule": 3}),
    ("rank", {"rule": "points", "points": 3}),
    ("rank", {"time_limit": "x"}),
    ("rank", {"entry": 1}),
    ("rank", {"judges": "j1"}),
    ("rank", {"contest": 3}),
    ("rank", {"group": 3}),
    ("rank", {"missing": "x"}),
    ("compare_rules", {"rules": "borda"}),
    ("attack", {"counts": 2}),
    ("attack", {"counts": [0.5]}),
    ("attack", {"shares": 0.1}),
    ("attack", {"draws": 1.5}),
    ("attack", {"seed": "x"}),
    ("attack", {"expert": 0.5}),
    ("scores", {"judges": "score"}),
    ("aggregate", {"judges": "label*"}),
    ("corrupt", {"seed": 1.5}),
    ("corrupt", {"strategy": "worst", "rule": 3}),
)


@pytest.mark.parametrize(("name", "options"), WRONG, ids=lambda value: str(value))
def test_a_wrong_type_is_a_type_error(name: str, options: dict[str, Any]) -> None:
    with pytest.raises(TypeError) as caught:
        CALLS[name](**options)
    assert isinstance(caught.value, bp.ParameterError)


ODD: tuple[Any, ...] = (None, "votes.csv", [{"task": "t"}], {"task": ["t"]}, VOTES["task"], VOTES.to_pandas)


@pytest.mark.parametrize("frame", ODD, ids=["none", "path", "rows", "columns", "series", "pandas"])
def test_only_polars_frames_are_written(frame: Any, tmp_path: Path) -> None:
    pytest.importorskip("pandas")
    frame = frame() if callable(frame) else frame
    with pytest.raises(bp.ParameterTypeError, match=r"^frame is [\w.]+, not a polars DataFrame or LazyFrame; give one"):
        bp.write_table(frame, tmp_path / "votes.csv")
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("path", [None, 5, b"votes.csv", [5]])
def test_a_path_is_text_or_a_path(path: Any) -> None:
    calls = (lambda: bp.read_table(path), lambda: bp.scan_table(path).__enter__(), lambda: bp.write_table(VOTES, path))
    for call in calls:
        with pytest.raises(bp.ParameterTypeError, match=r"^path = .* is not a str or a PathLike"):
            call()


@pytest.mark.parametrize("dtype", [pl.Int64, pl.Int32, pl.Float64, pl.String])
def test_a_number_that_stands_for_no_report_is_missing_whatever_its_type(dtype: Any) -> None:
    votes = pl.DataFrame({"task": ["t"] * 4, "worker": list("abcd"), "label": [1, 1, 0, 9]})
    found = bp.aggregate_votes(votes.with_columns(pl.col("label").cast(dtype)), 0, missing=[9, "x", 0.5])
    assert found.select("m", "positive").row(0) == (3, 2)


PANEL, EXPERT, TUPLE = bp.Panel(7, 2), bp.Expert(0.5, 0.8, 0.1), (0.5, 0.8, 0.1)
INTERVAL = bp.ExpertInterval
THEORY: dict[str, Callable[[], Any]] = {
    "trimmed mean": lambda: bp.rules.trimmed_mean((7, 2)),  # type: ignore[arg-type]
    "mean": lambda: bp.rules.mean((7, 2)),  # type: ignore[arg-type]
    "median": lambda: bp.rules.median((7, 2)),  # type: ignore[arg-type]
    "majority": lambda: bp.rules.majority((7, 2)),  # type: ignore[arg-type]
    "constant": lambda: bp.rules.constant((7, 2), 0.5),  # type: ignore[arg-type]
    "clipped linear": lambda: bp.rules.clipped_linear((7, 2), 0.1, 0.9),  # type: ignore[arg-type]
    "random dictator": lambda: bp.rules.random_dictator((7, 2)),  # type: ignore[arg-type]
    "closed form, panel": lambda: bp.rules.closed_form((7, 2), EXPERT),  # type: ignore[arg-type]
    "closed form, expert": lambda: bp.rules.closed_form(PANEL, TUPLE),  # type: ignore[arg-type]
    "optimal, panel": lambda: bp.rules.optimal_aggregator((7, 2), EXPERT),  # type: ignore[arg-type]
    "optimal, expert": lambda: bp.rules.optimal_aggregator(PANEL, TUPLE),  # type: ignore[arg-type]
    "minimax": lambda: bp.theory.minimax((7, 2), EXPERT),  # type: ignore[arg-type]
    "worst case, panel": lambda: bp.theory.worst_case([0.5] * 8, (7, 2), EXPERT),  # type: ignore[call-overload]
    "worst case, expert": lambda: bp.theory.worst_case([0.5] * 8, PANEL, TUPLE),  # type: ignore[call-overload]
    "breakdown point": lambda: bp.theory.breakdown_point(TUPLE),  # type: ignore[arg-type]
    "most adversaries": lambda: bp.theory.max_adversaries(7, TUPLE),  # type: ignore[arg-type]
    "expert's risk": lambda: bp.theory.expert_risk(TUPLE),  # type: ignore[arg-type]
    "error inflation": lambda: bp.theory.error_inflation((7, 2)),  # type: ignore[arg-type]
    "wrong k": lambda: bp.theory.misspecified_k_guarantee(PANEL, TUPLE, 1),  # type: ignore[arg-type]
    "dictator": lambda: bp.theory.dictator_guarantee(PANEL, EXPERT),  # type: ignore[arg-type]
    "reporters": lambda: INTERVAL.from_reporters((3, 1), (0.5, 0.5), [1.0] * 3, [0.0] * 3),  # type: ignore[arg-type]
    "means": lambda: INTERVAL.from_panel_means((3, 1), (0.5, 0.5), 0.9, 0.1),  # type: ignore[arg-type]
}


@pytest.mark.parametrize("call", THEORY.values(), ids=THEORY.keys())
def test_a_panel_or_expert_of_a_wrong_type_is_a_type_error(call: Callable[[], Any]) -> None:
    with pytest.raises(bp.ParameterTypeError, match=r"^(panel|expert) = \(?.*; give \w+\("):
        call()


HIDDEN = np.ma.array([0, 1, 1], mask=[False, True, False])
MASKED: dict[str, Callable[[], Any]] = {
    "counts": lambda: bp.rules.trimmed_mean(bp.Panel(3, 1))(HIDDEN),
    "rows of counts": lambda: bp.theory.dictator_shares([HIDDEN, HIDDEN], 0),
    "forecasts": lambda: bp.theory.worst_case(
        np.ma.array([0, 0.5, 1, 1], mask=[False, True, False, False]), bp.Panel(3, 1), EXPERT
    ),
    "k": lambda: bp.trimmed_mean([1, 2, 3], k=np.ma.array(1, mask=True)),  # type: ignore[arg-type]
}


@pytest.mark.parametrize("call", MASKED.values(), ids=MASKED.keys())
def test_what_is_under_a_mask_is_not_read(call: Callable[[], Any]) -> None:
    with pytest.raises(bp.ParameterError, match=r"masked values; leave them out|is a head count"):
        call()
