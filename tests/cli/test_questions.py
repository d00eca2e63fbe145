"""Tests of the commands by which a question is answered: pasted, each leads on."""

import shlex
from pathlib import Path

import pytest

from tests.cli.command import Outcome, call


def _answers(outcome: Outcome) -> list[list[str]]:
    """Return the commands to paste, as arguments."""
    lines = [line.strip() for line in outcome.refused().splitlines()]
    return [shlex.split(line)[1:] for line in lines if line.startswith("bribeproof ")]


@pytest.mark.parametrize("given", [["--item", "title"], ["--item=title"]])
def test_an_answer_replaces_an_option_that_was_given_before(tmp_path: Path, given: list[str]) -> None:
    file = tmp_path / "batch.csv"
    rows = [f"h{hit},Look,w{worker},{label}" for hit, label in ((1, "cat"), (2, "dog")) for worker in range(3)]
    file.write_text("\n".join(["HITId,title,WorkerId,label", *rows]))
    first, last = _answers(call("aggregate", file, "--k", 1, *given))
    assert first == ["aggregate", str(file), "--k", "1", "--item", "title,HITId"]
    assert call(*first).status == call(*last).status == 0


def test_a_switch_is_not_given_twice(tmp_path: Path) -> None:
    file = tmp_path / "survey.csv"
    file.write_text("who,lark,moth,How was the venue?\nann,1.5,2.5,3\nben,2.5,2,3.5\ncem,2,2.5,1\n")
    answers = _answers(call("aggregate", file, "--k", 1, "--turned", "--reporter", "who"))
    assert len(answers) == 2
    assert [call(*answer).status for answer in answers] == [0, 0]
