"""A number of bribed reporters that leaves no honest majority of the panel is refused by every command."""

from pathlib import Path

import pytest

from tests.cli.command import call, column, put
from tests.paths import ROOT

EXAMPLES = ROOT / "examples"
GOLD = (EXAMPLES / "screening.csv", "--gold", "truth")
PANEL = ("--n", 7, "--prior", 0.5, "--tpr", 0.8, "--fpr", 0.1)


@pytest.mark.parametrize(
    ("command", "arguments", "option", "most"),
    [
        ("aggregate", (EXAMPLES / "votes.csv",), "--k", 2),
        ("aggregate", (EXAMPLES / "judges.csv",), "--k", 3),
        ("aggregate", (EXAMPLES / "labels.csv",), "--k", 2),
        ("weigh", (EXAMPLES / "labels.csv",), "--k", 2),
        ("sweep", (EXAMPLES / "votes.csv",), "--most-k", 2),
        ("audit", (EXAMPLES / "judges.csv",), "--k", 2),
        ("audit", (EXAMPLES / "labels.csv",), "--k", 4),
        ("calibrate", GOLD, "--k", 2),
        ("certify", GOLD, "--k", 6),
        ("bribe", (EXAMPLES / "votes.csv",), "--k", 5),
        ("attack", (*GOLD, "--seeds", 2), "--k", 2),
        ("panel", PANEL, "--k", 3),
        ("rank", (EXAMPLES / "places.csv",), "--k", 3),
    ],
)
def test_the_largest_k_works_and_the_next_one_is_refused(
    command: str, arguments: tuple[object, ...], option: str, most: int
) -> None:
    assert call(command, *arguments, option, most).status == 0
    message = call(command, *arguments, option, most + 1).refused()
    assert str(most + 1) in message
    assert "give" in message or "is the most" in message


def test_a_number_that_nobody_could_go_through_is_refused_at_once() -> None:
    assert "give --most-k 2 or less" in call("sweep", EXAMPLES / "votes.csv", "--most-k", 10**9).refused()


def test_an_item_with_fewer_reports_than_the_others_is_not_certified(tmp_path: Path) -> None:
    rows = [f"t1,{name},x" for name in "abcde"] + [f"t2,{name},x" for name in "ab"]
    path = put(tmp_path / "labels.csv", "\n".join(["task,worker,label", *rows, ""]))
    assert column(path, "status", "-k", 2) == ["ok", "not certified"]
    assert "here are 5: give --k 2 or less" in call("aggregate", path, "-k", 3).refused()
