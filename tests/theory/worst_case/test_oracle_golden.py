"""The brute-force oracle and the closed forms against regrets that another program computed."""

import json
from typing import Any

import numpy as np
import pytest

from bribeproof.rules import constant, majority, mean, trimmed_mean
from bribeproof.theory import Expert, Panel, closed_form
from tests.paths import FIXTURES
from tests.theory.worst_case_oracle import minimax_regret, worst_case

GOLDEN = FIXTURES / "golden" / "regret.json"


@pytest.fixture(scope="module")
def cases() -> list[dict[str, Any]]:
    loaded: list[dict[str, Any]] = json.loads(GOLDEN.read_text())
    assert len(loaded) > 30
    return loaded


def test_oracle_gives_the_worst_regrets(cases: list[dict[str, Any]]) -> None:
    for case in cases:
        panel = Panel(case["n"], case["k"])
        rules = {
            "mean": mean(panel).values,
            "majority": majority(panel).values,
            "trimmed_mean": trimmed_mean(panel).values,
            "constant_half": constant(panel, 0.5).values,
            "unanimity": np.append(np.zeros(panel.n), 1.0),
        }
        assert set(rules) == set(case["worst_regret"])
        for name, regret in case["worst_regret"].items():
            found = worst_case(rules[name], panel.k, case["prior"], case["tpr"], case["fpr"], case["loss"])
            assert found.regret == pytest.approx(regret, abs=1e-6), (name, case)


def test_closed_form_is_exact_where_it_says_so(cases: list[dict[str, Any]]) -> None:
    exact = 0
    for case in cases:
        expert = Expert(case["prior"], case["tpr"], case["fpr"])
        guarantee = closed_form(Panel(case["n"], case["k"]), expert, case["loss"]).guarantee
        assert guarantee is not None
        assert guarantee.regret >= case["minimax_regret"] - 1e-6
        if guarantee.exact:
            exact += 1
            assert guarantee.regret == pytest.approx(case["minimax_regret"], abs=1e-6), case
    assert exact > 10


def test_linear_program_gives_the_minimax_regrets(cases: list[dict[str, Any]]) -> None:
    for case in cases:
        if case["loss"] == "absolute" and case["n"] <= 7:
            found = minimax_regret(case["n"], case["k"], case["prior"], case["tpr"], case["fpr"], "absolute")
            assert found == pytest.approx(case["minimax_regret"], abs=1e-6), case
