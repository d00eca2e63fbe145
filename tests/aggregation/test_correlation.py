"""Forecasts and guarantees with a bound of the correlation of errors: those of the rule for each number of reports."""

import functools
from pathlib import Path

import polars as pl
import pytest

import bribeproof as bp
from bribeproof.errors import ParameterError
from bribeproof.theory import Expert, PairwiseSolution, Panel, pairwise_minimax
from tests.cli.command import call, document
from tests.frames.inputs import EACH_KIND, give, rows

EXPERT = Expert(0.4, 0.8, 0.2, 0.1)
SIZES = {3: 2, 5: 4, 8: 3, 2: 1}
"""How many items have how many reports."""


def table() -> list[tuple[str, str, int]]:
    """Votes on items of several sizes, with every count of positive votes in turn."""
    made = []
    for size, items in SIZES.items():
        for number in range(items):
            positive = (number * 2) % (size + 1)
            made += [(f"t{size}-{number}", f"w{voter}", int(voter < positive)) for voter in range(size)]
    return made


@functools.cache
def solved(size: int) -> PairwiseSolution:
    """The optimal rule of a panel of this size with one adversary."""
    return pairwise_minimax(Panel(size, 1), EXPERT)


@pytest.mark.parametrize("kind", EACH_KIND)
def test_forecasts_are_those_of_the_rule_for_each_number_of_reports(kind: str, tmp_path: Path) -> None:
    task, worker, label = zip(*table(), strict=True)
    frame = give(kind, {"task": list(task), "worker": list(worker), "label": list(label)}, tmp_path)
    for row in rows(bp.aggregate_votes(frame, 1, expert=EXPERT)):
        if row["m"] <= 2:
            assert row["forecast"] is row["guarantee"] is None
            continue
        solution = solved(row["m"])
        assert row["forecast"] == pytest.approx(solution.aggregator(row["positive"]), abs=1e-12)
        assert row["guarantee"] == pytest.approx(solution.upper, abs=1e-12)


def test_the_guarantee_of_a_table_is_the_average_over_its_items() -> None:
    frame = pl.DataFrame(table(), schema=["task", "worker", "label"], orient="row")
    right = sum(pairwise_minimax(Panel(size, 1), EXPERT).upper * items for size, items in SIZES.items() if size > 2) / 9
    swept = bp.sweep(frame, expert=EXPERT)
    assert swept.by_k.filter(pl.col("k") == 1)["expected_loss"].item() == pytest.approx(right, abs=1e-9)


def test_silent_reporters_count_as_half_votes() -> None:
    votes = [("t", f"w{voter}", int(voter < 3)) for voter in range(5)]
    frame = pl.DataFrame(votes, schema=["task", "worker", "label"], orient="row")
    found = bp.aggregate_votes(frame, 1, expert=EXPERT, asked=6)
    rule = pairwise_minimax(Panel(6, 1), EXPERT)
    assert found["forecast"].item() == pytest.approx(rule.aggregator(3), abs=1e-12)
    assert found["guarantee"].item() == pytest.approx(rule.upper, abs=1e-12)


def test_lies_and_silence_never_cost_more_than_the_guarantee() -> None:
    """Of five who were asked, four are truthful and err in the worst law; the fifth lies or is silent, seeing all."""
    panel, loss = Panel(5, 1), []
    solution = pairwise_minimax(panel, EXPERT)
    laws = (solution.witness.given_1.errors, solution.witness.given_0.errors)
    for state, law in zip((1, 0), laws, strict=True):
        for errors, weight in zip(law.errors, law.weights, strict=True):
            honest = [1 - state] * int(errors) + [state] * (4 - int(errors))
            worst = 0.0
            for bribed in (0, 1, None):
                votes = [("t", f"w{voter}", vote) for voter, vote in enumerate([*honest, bribed])]
                frame = pl.DataFrame(votes, schema=["task", "worker", "label"], orient="row")
                found = bp.aggregate_votes(frame, 1, expert=EXPERT, asked=5, classes=(0, 1))
                worst = max(worst, (found["forecast"].item() - state) ** 2)
            loss.append((0.4 if state else 0.6) * weight * worst)
    assert sum(loss) <= solution.upper + 1e-9


def test_the_command_takes_it(tmp_path: Path) -> None:
    path = tmp_path / "votes.csv"
    pl.DataFrame(table(), schema=["task", "worker", "label"], orient="row").write_csv(path)
    rates = ("--prior", ".4", "--tpr", ".8", "--fpr", ".2")
    for words in (("aggregate", path, "--k", "1"), ("sweep", path)):
        plain, paired = (document(*words, *rates, *more) for more in ((), ("--correlation", ".1")))
        if words[0] == "aggregate":
            better = [one["guarantee"] < other["guarantee"] - 1e-6
                      for one, other in zip(paired["items"], plain["items"], strict=True) if one["m"] > 3]  # fmt: skip
            assert better == [True] * 7
        else:
            assert paired["summary"][1]["expected_loss"] < plain["summary"][1]["expected_loss"]
    assert "--correlation needs them" in call("aggregate", path, "--k", "1", "--correlation", ".1").refused()


def test_what_does_not_know_correlations_refuses_them() -> None:
    frame = pl.DataFrame(table(), schema=["task", "worker", "label"], orient="row")
    with pytest.raises(ParameterError, match="leave the correlation at 1"):
        bp.weigh(frame, 1, expert=EXPERT)
