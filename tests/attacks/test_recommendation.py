"""The sentence on which rule to use, from losses by hand."""

import polars as pl
import pytest

from bribeproof.attacks.recommendation import GoldFit, Promise, recommend
from bribeproof.theory import Worth, get_loss

FIT = GoldFit(60, cross_fitted=True)


def curves(losses: dict[str, list[float | None]]) -> pl.DataFrame:
    """Return the squared loss of each rule for 0, 1, … bribed."""
    rows = [(count, rule, loss) for rule, found in losses.items() for count, loss in enumerate(found)]
    return pl.DataFrame(rows, schema=["adversaries", "rule", "squared_loss"], orient="row")


def promise(adversaries: int, promised: float, realised: float = 0.1, covered: float = 1.0) -> Promise:
    """Return what the calibrated rule promises."""
    worth = Worth(promised, 0.25, get_loss("squared"))
    return Promise("calibrated rule", adversaries, adversaries, worth, covered, realised)


@pytest.mark.parametrize(
    ("losses", "said"),
    [
        (
            {"calibrated rule": [0.1, 0.2], "mean": [0.2, 0.4], "majority": [0.3, 0.35]},
            "use the calibrated rule: its squared loss with 0 or 1 bribed is 0.1500 on average and 0.2000 at worst, "
            "0.1500 and 0.2000 less than that of the mean, the next best.",
        ),
        (
            {"calibrated rule": [0.1, 0.2], "mean": [0.0, 0.25], "majority": [0.3, 0.3]},
            "use the mean: its squared loss with 0 or 1 bribed is 0.1250 on average and 0.2500 at worst, 0.0250 less "
            "and 0.0500 more than that of the calibrated rule.",
        ),
        (
            {"mean": [0.1, 0.2], "calibrated rule": [0.11, 0.192], "majority": [0.3, 0.3]},
            "use the calibrated rule or the mean, which lose about the same: their squared loss with 0 or 1 bribed is "
            "0.1510 and 0.1500 on average, and 0.1920 and 0.2000 at worst.",
        ),
        (
            {"calibrated rule": [0.3], "mean": [0.2], "median": [0.1]},
            "use the median: its squared loss with 0 bribed is 0.1000, 0.2000 less than that of the calibrated rule.",
        ),
        (
            {"mean": [4.0, 5.0, 6.0], "trimmed mean": [1.0, 1.0, 4.0], "trimmed mean, 2k": [0.0, 0.0, 0.0]},
            "use the trimmed mean: its squared loss with 0 to 2 bribed is 2.0000 on average and 4.0000 at worst, "
            "3.0000 and 2.0000 less than that of the mean, the next best.",
        ),
        (
            {"shares": [0.2, 0.2], "k-ignorance shares, k = 1": [0.1, 0.3], "k-ignorance shares, k = 2": [0.1, 0.1]},
            "use the k-ignorance shares, k = 2: its squared loss with 0 or 1 bribed is 0.1000 on average and 0.1000 at "
            "worst, 0.1000 and 0.1000 less than that of the shares, the next best.",
        ),
    ],
)
def test_the_advice(losses: dict[str, list[float | None]], said: str) -> None:
    assert recommend(curves(losses), (), None) == f"Under this attack, {said}"


def test_rules_without_a_loss_are_not_compared() -> None:
    assert recommend(curves({"mean": [None], "median": [None]}), (), None).startswith("No rule can be compared")


@pytest.mark.parametrize(
    ("promises", "said"),
    [
        ([], ""),
        (
            [promise(0, 0.25), promise(1, 0.26)],
            "; the promise of the calibrated rule is worth nothing with 30 gold items",
        ),
        (
            [promise(0, 0.1), promise(1, 0.20001, 0.12)],
            "; with 1 bribed the calibrated rule promises at most 0.201 with 95 % confidence and loses 0.1200",
        ),
        (
            [promise(0, 0.1, covered=0.5), promise(1, 0.25)],
            "; with 0 bribed the calibrated rule promises at most 0.1 on the 50.0% of items with more than 0 reports "
            "with 95 % confidence and loses 0.1000, and with more its promise is worth nothing with 30 gold items",
        ),
    ],
)
def test_the_promise_stands_beside_what_was_lost(promises: list[Promise], said: str) -> None:
    losses: dict[str, list[float | None]] = {"calibrated rule": [0.1, 0.2], "mean": [0.2, 0.4]}
    advice = recommend(curves(losses), (), FIT).removesuffix(".")
    assert recommend(curves(losses), promises, FIT) == f"{advice}{said}."


def test_how_the_rule_is_fitted_is_said() -> None:
    assert "each half of the 60 items with a known truth is answered by the rule fitted to" in FIT.summary()
    told = GoldFit(20, cross_fitted=False, draws=1).summary()
    assert told.startswith("The calibrated rule is fitted in the first draw to the reports on 20 gold items, bribed ")
    assert "in the first 2 draws" in FIT.summary()
    assert (FIT.per_rule, GoldFit(20, cross_fitted=False).per_rule) == (30, 20)
