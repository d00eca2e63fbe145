"""``bribeproof paper``: what it prints, writes and refuses."""

import json
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest

from bribeproof.paper import check_claims, find_claims
from bribeproof.paper.errata import render_errata
from tests.cli.command import call

QUICK = ("paper", "check", "--claim", "hard-loss,distance", "--cases", 3)


def test_table_and_counter_examples() -> None:
    done = call(*QUICK)
    assert (done.status, done.err) == (0, "")
    rows = [line.split() for line in done.out.splitlines()]
    assert ["hard-loss", "false", "4", "1", "under", "1e-06"] in rows
    assert ["distance", "holds", "3", "under", "1e-06"] in rows
    assert done.out.count("decision = 0, state = 0: printed loss 1") == 1


def test_nothing_is_said_of_counter_examples_where_there_are_none() -> None:
    assert "Counter-examples" not in call("paper", "check", "--claim", "distance", "--cases", 1).out


def findings(*arguments: object) -> list[dict[str, Any]]:
    """Run the command with --json and return what it printed."""
    done = call(*arguments, "--json")
    assert (done.status, done.err) == (0, ""), done
    found: list[dict[str, Any]] = json.loads(done.out)
    return found


def test_json() -> None:
    first, second = findings(*QUICK)
    assert (first["claim"], first["verdict"], first["cases"], first["paper_worst"]) == ("hard-loss", "false", 4, 1.0)
    assert first["counter_example"] == {
        "instance": {"decision": 0, "state": 0},
        "numbers": {"printed loss": 1.0, "absolute and squared loss": 0.0},
        "deviation": 1.0,
    }
    assert (second["claim"], second["verdict"], second["counter_example"]) == ("distance", "holds", None)
    assert second["correction"] is None


def test_the_seed_is_heard() -> None:
    def instance(seed: int) -> object:
        (found,) = findings("paper", "check", "--claim", "distance-as-printed", "--cases", 5, "--seed", seed)
        return found["paper_worst"], found["cases"]

    assert instance(1) == instance(1)
    assert len({instance(seed) for seed in range(6)}) > 1


@pytest.mark.parametrize("option", ["--errata", "-o"])
def test_the_page_is_that_of_the_same_run(tmp_path: Path, option: str) -> None:
    page = tmp_path / "errata.md"
    assert call(*QUICK, option, page, "--seed", 4).status == 0
    expected = render_errata(check_claims(find_claims(["hard-loss", "distance"]), 3, 4), 3, 4)
    assert page.read_text(encoding="utf-8") == expected
    assert [file.name for file in tmp_path.iterdir()] == ["errata.md"]


def test_a_page_that_cannot_be_written_leaves_nothing(tmp_path: Path) -> None:
    assert "cannot be written" in call(*QUICK, "-o", tmp_path).refused()
    assert list(tmp_path.iterdir()) == []
    assert "no folder" in call(*QUICK, "-o", tmp_path / "none" / "errata.md").refused()


def test_an_unknown_claim_lists_the_claims() -> None:
    message = call("paper", "check", "--claim", "hard-los").refused()
    assert "'hard-los'" in message
    assert "hard-loss" in message
    assert "trimmed-mean" in message


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("--cases", 0), "cases = 0"),
        (("--cases", 1.5), "1.5"),
        (("--seed", -1), "seed = -1"),
        (("--claims", "x"), "--claims"),
    ],
)
def test_refusals(arguments: tuple[object, ...], words: str) -> None:
    assert words in call("paper", "check", "--claim", "distance", *arguments).refused()


def test_a_figure_is_drawn_by_name(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib", reason="figures need matplotlib")
    figures = pytest.importorskip("bribeproof.paper.figures.drawing")
    seen: list[tuple[str, Path]] = []
    with patch.object(figures, "draw_figure", lambda name, path: seen.append((name, path))):
        assert call("paper", "figure", "regret-by-size", "-o", tmp_path / "rules.svg").status == 0
    assert seen == [("regret-by-size", tmp_path / "rules.svg")]
