"""An argument of a wrong type is a TypeError, and a ParameterError too, in every public function."""

from collections.abc import Callable
from typing import Any

import polars as pl
import pytest

import bribeproof as bp

VOTES = pl.DataFrame({"task": ["t"] * 3, "worker": list("abc"), "label": [1, 1, 0]})
SCORES = VOTES.rename({"label": "score"})
CALLS: dict[str, Callable[..., Any]] = {
    "aggregate": lambda **options: bp.aggregate(VOTES, **({"k": 1} | options)),
    "scores": lambda **options: bp.aggregate_scores(SCORES, **({"k": 1} | options)),
    "votes": lambda **options: bp.aggregate_votes(VOTES, **({"k": 1} | options)),
    "labels": lambda **options: bp.aggregate_labels(VOTES, **({"k": 1} | options)),
    "weigh": lambda **options: bp.weigh(VOTES, **({"k": 1} | options)),
    "audit": lambda **options: bp.audit(VOTES, kind="labels", **options),
    "sweep": lambda **options: bp.sweep(VOTES, **options),
    "calibrate": lambda **options: bp.calibrate(VOTES, {"t": 1}, **({"k": 1} | options)),
    "attack": lambda **options: bp.attack(VOTES, {"t": 1}, **options),
    "corrupt": lambda **options: bp.corrupt(VOTES, **({"k": 1} | options)),
    "trimmed_mean": lambda **options: bp.trimmed_mean([1, 2, 3], **options),
    "manipulation_range": lambda **options: bp.manipulation_range([1, 2, 3], **options),
    "safe_ranking": lambda **options: bp.safe_ranking([[1, 2, 3]], **options),
}
WRONG: tuple[tuple[str, dict[str, Any]], ...] = (
    *((name, {"k": k}) for name in CALLS if name not in ("sweep", "attack") for k in ("1", 1.0, True)),
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
    ("attack", {"counts": 2}),
    ("attack", {"counts": [0.5]}),
    ("attack", {"shares": 0.1}),
    ("attack", {"draws": 1.5}),
    ("attack", {"seed": "x"}),
    ("attack", {"expert": 0.5}),
    ("corrupt", {"seed": 1.5}),
    ("corrupt", {"strategy": "worst", "rule": 3}),
)


@pytest.mark.parametrize(("name", "options"), WRONG, ids=lambda value: str(value))
def test_a_wrong_type_is_a_type_error(name: str, options: dict[str, Any]) -> None:
    with pytest.raises(TypeError) as caught:
        CALLS[name](**options)
    assert isinstance(caught.value, bp.ParameterError)


@pytest.mark.parametrize("dtype", [pl.Int64, pl.Int32, pl.Float64, pl.String])
def test_a_number_that_stands_for_no_report_is_missing_whatever_its_type(dtype: Any) -> None:
    votes = pl.DataFrame({"task": ["t"] * 4, "worker": list("abcd"), "label": [1, 1, 0, 9]})
    found = bp.aggregate_votes(votes.with_columns(pl.col("label").cast(dtype)), 0, missing=[9, "x", 0.5])
    assert found.select("m", "positive").row(0) == (3, 2)
