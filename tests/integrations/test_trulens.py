"""Juries of TruLens: a failed juror lowers neither n nor k, the order does not matter, and ties are ties."""

import itertools
import math
from typing import Any

import pytest

pytest.importorskip("trulens.feedback.jury")

from trulens.feedback.jury import Jury

from bribeproof import ParameterError
from bribeproof.integrations.trulens import BribeproofJury, bribeproof_trimmed, bribeproof_vote
from tests.integrations.page import check_page


class Juror:
    """A provider that gives one score, or fails."""

    def __init__(self, score: float | None, name: str = "juror") -> None:
        self.score, self.model_engine = score, name

    def relevance(self, prompt: str, response: str) -> float:
        if self.score is None:
            raise RuntimeError("the model did not answer")
        return self.score


def ask(jury: Jury) -> tuple[float, dict[str, Any]]:
    answered: tuple[float, dict[str, Any]] = jury(prompt="Is it hot?", response="Yes.")
    return answered


def panel(*scores: float | None) -> list[Juror]:
    return [Juror(score) for score in scores]


def test_a_failed_juror_does_not_shrink_what_is_cut() -> None:
    theirs, _ = ask(Jury(panel(0.9, 0.0, None), "relevance", "trimmed_mean"))
    assert theirs == pytest.approx(0.45)  # the mean: a bribed juror has taken half of it
    ours, told = ask(BribeproofJury(panel(0.9, 0.0, None), "relevance", k=1))
    assert math.isnan(ours)
    assert (told["bribeproof.n"], told["bribeproof.m"], told["bribeproof.k"]) == (3, 2, 1)
    assert told["bribeproof.status"] == "not certified"
    assert told["bribeproof.settled"] is False


@pytest.mark.parametrize("score", [math.nan, math.inf])
def test_a_score_that_is_not_finite_is_no_answer(score: float) -> None:
    ours, told = ask(BribeproofJury(panel(0.9, 0.8, 0.7, score), "relevance", k=1))
    assert (ours, told["bribeproof.n"], told["bribeproof.m"]) == (0.8, 4, 3)


def test_the_order_of_the_jurors_does_not_matter() -> None:
    scores = (0.9, 0.7, None, 0.2, 0.8)
    answers = {ask(BribeproofJury(panel(*order), "relevance", k=1))[0] for order in itertools.permutations(scores)}
    assert answers == {0.75}


def test_a_tie_is_a_tie() -> None:
    theirs, _ = ask(Jury(panel(0.9, 0.8, 0.1, 0.3), "relevance", "majority_vote"))
    assert theirs == pytest.approx(0.55)  # neither pass nor fail, but a number above the threshold
    ours, told = ask(BribeproofJury(panel(0.9, 0.8, 0.1, 0.3), "relevance", k=0, votes=True))
    assert math.isnan(ours)
    assert (told["bribeproof.status"], told["bribeproof.flips_needed"]) == ("ok", 0)
    assert "A tie: there is no answer." in told["reason"]


@pytest.mark.parametrize("bribed", [-5.0, 0.0, 0.5, 1.0])
def test_one_juror_of_five_stays_within_the_range(bribed: float) -> None:
    honest = [0.9, 0.7, 0.8, 0.6]
    _, told = ask(BribeproofJury(panel(*honest, 0.75), "relevance", k=1))
    moved, _ = ask(BribeproofJury(panel(*honest, bribed), "relevance", k=1))
    assert told["bribeproof.range_low"] <= moved <= told["bribeproof.range_high"]
    assert min(honest) <= moved <= max(honest)


def test_the_aggregations_go_into_a_jury_of_trulens() -> None:
    jurors = panel(0.8, 0.9, 0.7, 0.0, None)
    score, told = ask(Jury(jurors, "relevance", aggregation=bribeproof_trimmed(k=1, n=5)))
    assert score == pytest.approx(0.75)
    assert told["reason"].startswith("Aggregation: trimmed mean, k = 1 of 5")
    score, _ = ask(Jury(jurors, "relevance", aggregation=bribeproof_vote(k=1, n=5)))
    assert score == 1.0


def test_who_fails_without_an_error_counts_as_failed_too() -> None:
    score, told = ask(BribeproofJury(panel(0.8, 0.9, -1.0, None, 0.7), "relevance", k=1))
    assert (score, told["bribeproof.n"], told["bribeproof.m"]) == (0.8, 5, 3)


def test_a_wrong_size_is_an_error() -> None:
    with pytest.raises(ParameterError, match="n=2 and there are 3 scores"):
        bribeproof_vote(k=0, n=2)([0.1, 0.2, 0.3])
    with pytest.raises(ParameterError, match="n"):
        bribeproof_vote(k=0, n=0)
    with pytest.raises(ParameterError, match="k"):
        BribeproofJury(panel(1.0), "relevance", k=-1)


def test_no_juror_at_all_and_all_who_fail_are_the_errors_of_trulens() -> None:
    with pytest.raises(ValueError, match="non-empty"):
        BribeproofJury([], "relevance")
    with pytest.raises(RuntimeError, match="All 2 jurors failed"):
        ask(BribeproofJury(panel(None, None), "relevance"))


def test_the_page_runs() -> None:
    check_page("trulens")
