"""Costs of errors as options: the same loss as ``--loss cost:FP,FN`` in every command, and what is refused."""

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cli.command import call, put

VOTES = "task,worker,label\n" + "".join(f"t{i},w{j},{(i + j * i) % 2}\n" for i in range(4) for j in range(5))
EXPERT = ("--prior", 0.5, "--tpr", 0.9, "--fpr", 0.05)
COMMANDS: dict[str, Callable[[Path], tuple[object, ...]]] = {
    "panel": lambda _: ("panel", "--n", 9, "--k", 1, *EXPERT),
    "aggregate": lambda votes: ("aggregate", votes, "--k", 1, *EXPERT),
    "sweep": lambda votes: ("sweep", votes, *EXPERT),
    "weigh": lambda votes: ("weigh", votes, "--k", 1, *EXPERT),
}
each_command = pytest.mark.parametrize(
    "command",
    [
        pytest.param(command, marks=() if name == "panel" else pytest.mark.slow, id=name)
        for name, command in COMMANDS.items()
    ],
)


@pytest.fixture
def votes(tmp_path: Path) -> Path:
    return put(tmp_path / "votes.csv", VOTES)


@each_command
def test_two_costs_are_the_loss_that_names_them(votes: Path, command: Callable[[Path], tuple[object, ...]]) -> None:
    base = command(votes)
    priced = call(*base, "--cost-false-positive", 5, "--cost-false-negative", 2, "--json")
    named = call(*base, "--loss", "cost:5,2", "--json")
    assert (priced.status, priced.out) == (0, named.out)
    assert priced.out != call(*base, "--json").out


@each_command
def test_the_other_cost_is_1(votes: Path, command: Callable[[Path], tuple[object, ...]]) -> None:
    base = command(votes)
    for option, loss in (("--cost-false-positive", "cost:3,1"), ("--cost-false-negative", "cost:1,3")):
        assert call(*base, option, 3, "--json").out == call(*base, "--loss", loss, "--json").out


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (("--loss", "absolute", "--cost-false-positive", 5), "leave out --loss"),
        (("--loss", "squared", "--cost-false-negative", 5), "leave out --loss"),
        (("--loss", "cost:5,1", "--cost-false-positive", 5, "--cost-false-negative", 1), "leave out --loss"),
        (("--cost-false-positive", 0), "--cost-false-positive 0"),
        (("--cost-false-negative=-1",), "--cost-false-negative -1"),
        (("--cost-false-negative", "1e13"), "at most 1e+12"),
        (("--cost-false-positive", "inf"), "is not a number"),
        (("--cost-false-positive", "five"), "is not a number"),
        (("--loss", "cost:1e308,1e308"), "at most 1e+12"),
        (("--loss", "cost:1,2,3"), "with two numbers"),
    ],
)
@each_command
def test_what_is_no_pair_of_costs_is_refused(
    votes: Path, command: Callable[[Path], tuple[object, ...]], options: tuple[object, ...], words: str
) -> None:
    assert words in call(*command(votes), *options).refused()


@pytest.mark.parametrize("command", ["aggregate", pytest.param("weigh", marks=pytest.mark.slow)])
def test_costs_need_the_rates_of_a_voter(votes: Path, command: str) -> None:
    refused = call(command, votes, "--k", 1, "--cost-false-negative", 5).refused()
    assert "--cost-false-negative has no effect here: it needs" in refused
    assert "--prior, --tpr and --fpr" in refused
    assert "--cost-false-positive has no effect" in call("sweep", votes, "--cost-false-positive", 5).refused()


@pytest.mark.slow
def test_plots_take_them_too(tmp_path: Path) -> None:
    base = ("plot", "guarantee", "--n", 9, "--k", 2, *EXPERT)
    pictures = []
    for name, options in (("one", ("--cost-false-positive", 5)), ("other", ("--loss", "cost:5,1"))):
        assert call(*base, *options, "-o", tmp_path / f"{name}.svg").status == 0
        pictures.append((tmp_path / f"{name}.svg").read_bytes())
    assert pictures[0] == pictures[1]
    assert "leave out --loss" in call(*base, "--loss", "log", "--cost-false-positive", 5, "-o", "x.svg").refused()
