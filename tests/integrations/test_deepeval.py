"""The panel metric of DeepEval: a failed judge lowers neither n nor k, the order does not matter, and ties are ties."""

import asyncio
import itertools
import math
import os
from typing import Any

import numpy as np
import pytest

os.environ.setdefault("DEEPEVAL_TELEMETRY_OPT_OUT", "YES")
pytest.importorskip("deepeval")

from deepeval import evaluate
from deepeval.evaluate.configs import AsyncConfig, CacheConfig, DisplayConfig
from deepeval.metrics import BaseMetric, ExactMatchMetric
from deepeval.test_case import LLMTestCase

from bribeproof import ParameterError
from bribeproof.integrations.deepeval import JuryMetric
from tests.integrations.page import check_page


class Judge(BaseMetric):
    """A metric that gives one score, or fails; or gives the score that is written in the output."""

    def __init__(self, value: float | None = None, threshold: float = 0.5, *, reads: bool = False) -> None:
        self.value, self.threshold, self.reads = value, threshold, reads

    def measure(self, test_case: LLMTestCase, *args: Any, **kwargs: Any) -> float:
        value = float(test_case.actual_output or "nan") if self.reads else self.value
        if value is None:
            raise RuntimeError("the model did not answer")
        self.score = value
        self.success = value >= self.threshold
        return value

    async def a_measure(self, test_case: LLMTestCase, *args: Any, **kwargs: Any) -> float:
        await asyncio.sleep(0.001)
        return self.measure(test_case)

    @property
    def __name__(self) -> str:
        return "Judge"


CASE = LLMTestCase(input="question", actual_output="0.8")


def judges(*scores: float | None) -> list[Judge]:
    return [Judge(score) for score in scores]


def test_a_failed_judge_lowers_neither_n_nor_k() -> None:
    metric = JuryMetric(judges(0.9, 0.0, None), k=1)
    assert math.isnan(metric.measure(CASE))
    assert (metric.score, metric.success, metric.is_successful()) == (None, False, False)
    assert metric.error == "No answer: one bribed judge may hold 1 of 2, half or more."
    assert metric.score_breakdown["panel"] == {"n": 3, "m": 2, "k": 1, "of": "judges", "held": 1, "silent": [3]}
    assert metric.score_breakdown["errors"] == [None, None, "RuntimeError: the model did not answer"]


def test_a_judge_is_read_anew() -> None:
    class Silent(Judge):
        def measure(self, test_case: LLMTestCase, *args: Any, **kwargs: Any) -> float:
            return 0.0

    stale, broken = Silent(), Judge(0.1)
    stale.score, broken.error = 0.1, "of another case"
    metric = JuryMetric([*judges(0.9, 0.8, 0.7), stale], k=1)
    metric.measure(CASE)
    assert metric.score_breakdown["scores"] == [0.9, 0.8, 0.7, None]
    metric = JuryMetric([*judges(0.9, 0.8), broken], k=1)
    metric.measure(CASE)
    assert metric.score_breakdown["scores"] == [0.9, 0.8, 0.1]


def test_scores_may_be_of_numpy_and_who_cannot_say_if_it_passes_is_silent() -> None:
    class Unable(Judge):
        def is_successful(self) -> bool:
            raise RuntimeError("no threshold")

    metric = JuryMetric([*judges(0.9, 0.8), Judge(np.float32(0.5))], k=1)  # type: ignore[arg-type]
    assert metric.measure(CASE) == 0.8
    metric = JuryMetric([*judges(0.9, 0.8, 0.7), Unable(0.9)], k=1, votes=True)
    metric.measure(CASE)
    assert metric.score_breakdown["panel"]["silent"] == [4]


def test_the_order_of_the_judges_does_not_matter() -> None:
    scores = (0.9, 0.7, None, 0.2, 0.8)
    assert {JuryMetric(judges(*order), k=1).measure(CASE) for order in itertools.permutations(scores)} == {0.75}


def test_a_tie_is_a_tie() -> None:
    metric = JuryMetric(judges(0.9, 0.8, 0.1, 0.3), k=0, votes=True)
    assert math.isnan(metric.measure(CASE))
    assert metric.error == "A tie: there is no answer."
    assert not metric.is_successful()


def test_each_judge_votes_by_its_own_threshold() -> None:
    panel = [Judge(0.6, threshold=0.5), Judge(0.6, threshold=0.7), Judge(0.6, threshold=0.9)]
    metric = JuryMetric(panel, k=0, votes=True)
    assert metric.measure(CASE) == 0.0
    assert not metric.is_successful()


def test_settled_passes_only_what_k_judges_could_not_have_made_pass() -> None:
    metric = JuryMetric(judges(0.9, 0.8, 0.7, 0.0), k=1)
    assert metric.measure(CASE) == 0.75
    assert metric.is_successful()
    strict = JuryMetric(judges(0.9, 0.8, 0.7, 0.0), k=1, settled=True)
    strict.measure(CASE)
    assert not strict.is_successful()
    honest = JuryMetric(judges(0.9, 0.8, 0.7, 0.85), k=1, settled=True)
    honest.measure(CASE)
    assert honest.is_successful()


def test_a_family_is_bribed_as_a_whole() -> None:
    metric = JuryMetric(judges(0.9, 0.9, 0.2, 0.3, 0.1), k=1, families=["a", "a", "b", None, "c"])
    metric.measure(CASE)
    assert metric.score_breakdown["panel"]["held"] == 2
    assert metric.score == 0.3


def test_measured_at_once_is_measured_one_by_one() -> None:
    metric = JuryMetric(judges(0.9, 0.7, None, 0.2, 0.8), k=1)
    assert asyncio.run(metric.a_measure(CASE)) == metric.measure(CASE) == 0.75


def test_deepeval_runs_it_over_many_cases_at_once(monkeypatch: pytest.MonkeyPatch, tmp_path: Any) -> None:
    monkeypatch.chdir(tmp_path)
    panel: list[Any] = [Judge(reads=True), Judge(reads=True), Judge(0.0), ExactMatchMetric(), Judge(None)]
    cases = [LLMTestCase(input="q", actual_output=str(mark / 10), expected_output="0.9") for mark in range(10)]
    for at_once in (True, False):
        outcome = evaluate(
            cases, [JuryMetric(panel, k=1)], async_config=AsyncConfig(run_async=at_once),
            display_config=DisplayConfig(show_indicator=False, print_results=False),
            cache_config=CacheConfig(write_cache=False),
        )  # fmt: skip
        found = {one.input + one.actual_output: one.metrics_data[0] for one in outcome.test_results}
        # Judges give 0, the exact match, and twice the mark: without the lowest and the highest, half of mark and mark.
        for mark in range(10):
            scores = sorted([mark / 10, mark / 10, 0.0, float(mark == 9)])
            data = found[f"q{mark / 10}"]
            assert data.score == pytest.approx(sum(scores[1:3]) / 2)
            assert data.success == (data.score >= 0.5)
            assert data.name == "Jury of 5 (k = 1)"


def test_what_is_no_panel_is_an_error() -> None:
    with pytest.raises(ParameterError, match="metrics is empty"):
        JuryMetric([])
    with pytest.raises(ParameterError, match="families has 1 entries for 2 judges"):
        JuryMetric(judges(0.1, 0.2), families=["a"])
    with pytest.raises(ParameterError, match="k"):
        JuryMetric(judges(0.1), k=-1)


def test_the_page_runs() -> None:
    check_page("deepeval")
