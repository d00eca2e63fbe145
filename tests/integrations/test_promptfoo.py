"""promptfoo: a failed judge lowers neither n nor k, the order does not matter, ties are ties; with the real program."""

import itertools
import json
import math
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import bribeproof as bp
from bribeproof import DataError, FileError, ParameterError
from bribeproof.integrations.promptfoo import assertion, read_results, scoring_function
from tests.integrations.page import check_page
from tests.paths import ROOT

PROGRAM = ROOT / ".venvs" / "npm" / "node_modules" / "promptfoo" / "dist" / "src" / "main.js"
HOW_IT_FAILS = (
    {"reason": "Python code execution failed: Error running Python script: RuntimeError"},
    {"reason": "The grader said: Error", "metadata": {"graderError": True}},
    {"reason": "Custom function threw error: no"},
)

JUDGES = """
def good(output, context): return {"pass": True, "score": 0.9, "reason": "good"}
def fair(output, context): return {"pass": True, "score": 0.7, "reason": "fair"}
def bad(output, context): return {"pass": False, "score": 0.0, "reason": "bad"}
def fails(output, context): raise RuntimeError("the model did not answer")
"""
JURY = """
from bribeproof.integrations.promptfoo import assertion, scoring_function
mean, vote = scoring_function(k=1), scoring_function(k=1, votes=True)
panel = assertion({"length": lambda output, context: len(output) / 10, "a": lambda *_: 1.0, "b": lambda *_: 0.5})
"""


def part(score: float | None, name: str = "", **more: Any) -> dict[str, Any]:
    """Return the result of an assertion as promptfoo writes it; None is a judge who failed."""
    told = {"pass": False, "score": 0, **HOW_IT_FAILS[0]} if score is None else {"pass": score >= 0.5, "score": score}
    return {"reason": "", **told, "assertion": {"type": "llm-rubric"} | ({"metric": name} if name else {}), **more}


def combined(function: Callable[..., Any], *parts: dict[str, Any]) -> dict[str, Any]:
    result: dict[str, Any] = function({}, {"componentResults": list(parts)})
    return result


def test_a_failed_judge_is_silent_and_no_zero() -> None:
    for failed in HOW_IT_FAILS:
        result = combined(scoring_function(k=1), part(0.9), part(0.8), part(0.7), part(0.0) | failed)
        assert result["score"] == pytest.approx(0.8)
        told = result["metadata"]["bribeproof"]
        assert (told["panel"]["n"], told["panel"]["m"], told["panel"]["silent"]) == (4, 3, ["llm-rubric#4"])
    result = combined(scoring_function(k=1), part(0.9), part(0.8), part(None))
    assert not result["pass"]
    assert result["reason"].endswith("No answer: one bribed judge may hold 1 of 2, half or more.")


@pytest.mark.parametrize("votes", [False, True])
@pytest.mark.parametrize("said", ["yes", [1], math.inf, 10**400, {"pass": "yes", "score": "high"}, {"metadata": "?"}])
def test_a_judge_who_answers_nonsense_is_silent(said: Any, votes: bool) -> None:
    judges = {name: lambda *_, mark=mark: mark for name, mark in zip("abc", (0.9, 0.8, 0.7), strict=True)}
    result = assertion(judges | {"d": lambda *_: said}, k=1, votes=votes)("", {})
    assert (result["pass"], result["metadata"]["bribeproof"]["panel"]["silent"]) == (True, ["d"])


def test_two_assertions_of_one_judge_are_refused() -> None:
    with pytest.raises(ParameterError, match="names one twice"):
        scoring_function(k=1, judges=["a", "b", "a"])
    with pytest.raises(DataError, match="two assertions have the metric 'a'"):
        combined(scoring_function(k=0, judges=["a", "b"]), part(0.9, "a"), part(0.1, "a"), part(0.8, "b"))


def test_the_order_of_the_assertions_does_not_matter() -> None:
    parts = [part(0.9, "a"), part(0.7, "b"), part(None, "c"), part(0.2, "d"), part(0.8, "e")]
    for votes, answer in ((False, 0.75), (True, 1.0)):
        found = {
            combined(scoring_function(k=1, votes=votes), *order)["score"] for order in itertools.permutations(parts)
        }
        assert found == {answer}


def test_a_tie_fails_and_says_so() -> None:
    result = combined(scoring_function(k=0, votes=True), part(0.9), part(0.8), part(0.1), part(0.2))
    assert (result["pass"], result["score"]) == (False, 0.0)
    assert result["reason"].endswith("A tie: there is no answer.")


def test_a_named_judge_without_a_result_is_silent_and_other_assertions_must_pass() -> None:
    jury = scoring_function(k=0, judges=["a", "b", "c"])
    result = combined(jury, part(0.9, "a"), part(0.8, "b"), part(1.0, "format"))
    assert result["pass"]
    assert result["metadata"]["bribeproof"]["panel"]["silent"] == ["c"]
    result = combined(jury, part(0.9, "a"), part(0.8, "b"), part(0.0, "format"))
    assert not result["pass"]
    assert result["reason"].endswith("Failed: format.")


def test_settled_passes_only_what_k_judges_could_not_have_made_pass() -> None:
    parts = [part(mark) for mark in (0.9, 0.8, 0.7, 0.0)]
    assert combined(scoring_function(k=1), *parts)["pass"]
    result = combined(scoring_function(k=1, settled=True), *parts)
    assert not result["pass"]
    assert result["reason"].endswith("Failed: one bribed judge could have made it pass.")


def test_families_are_bribed_as_a_whole() -> None:
    parts = [part(mark, name) for name, mark in {"a": 0.9, "b": 0.9, "c": 0.2, "d": 0.3, "e": 0.1}.items()]
    result = combined(scoring_function(k=1, families={"a": "x", "b": "x"}), *parts)
    assert result["score"] == pytest.approx(0.3)
    assert result["metadata"]["bribeproof"]["panel"]["held"] == 2


def test_a_set_of_assertions_counts_by_its_parts() -> None:
    children = [part(0.9, "a"), part(0.1, "b")]
    whole = {"pass": True, "score": 0.5, "reason": "", "assertion": None, "componentResults": children}
    result = combined(scoring_function(k=0), whole, *children, part(0.8, "c"))
    assert result["score"] == pytest.approx(0.6)


def test_a_panel_in_python_asks_each_judge() -> None:
    def fails(output: str, context: Any) -> float:
        raise RuntimeError("no answer")

    def leaves(output: str, context: Any) -> float:
        sys.exit(1)

    judges: dict[str, Callable[..., Any]] = {
        "leaves": leaves,
        "mark": lambda output, context: float(output), "yes": lambda *_: True, "silent": lambda *_: None,
        "nan": lambda *_: float("nan"), "told": lambda *_: {"pass": False, "score": 0.2, "reason": "weak"},
        "fails": fails,
    }  # fmt: skip
    result = assertion(judges, k=1)("0.6", {})
    assert result["score"] == pytest.approx(0.6)
    assert result["metadata"]["bribeproof"]["panel"]["silent"] == ["leaves", "silent", "nan", "fails"]
    assert [one["assertion"]["metric"] for one in result["componentResults"]] == list(judges)
    json.dumps(result)
    with pytest.raises(ParameterError, match="judges is empty"):
        assertion({})
    with pytest.raises(ParameterError, match="k"):
        scoring_function(k=-1)


def test_what_is_no_file_of_results_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(FileError, match="cannot be read"):
        read_results(tmp_path / "missing.json")
    for text in ("", "[]", "{}", '{"results": {"results": [1]}}', '{"results": 3}', "\x00"):
        path = tmp_path / "results.json"
        path.write_text(text)
        with pytest.raises((FileError, DataError), match="results"):
            read_results(path)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Run the real program on two test cases and two prompts, and return its folder."""
    if not PROGRAM.exists():
        pytest.skip("promptfoo is not installed: ./check integrations promptfoo")
    folder = tmp_path_factory.mktemp("promptfoo")
    (folder / "judges.py").write_text(JUDGES)
    (folder / "jury.py").write_text(JURY)
    judges = [
        {"type": "python", "value": f"file://judges.py:{name}", "metric": f"judge-{name}"}
        for name in ("good", "fair", "bad", "fails")
    ]
    tests = [
        {"vars": {"q": "five!"}, "assert": judges, "assertScoringFunction": "file://jury.py:mean"},
        {"vars": {"q": "seven!!"}, "assert": judges, "assertScoringFunction": "file://jury.py:vote"},
        {"vars": {"q": "six!!!"}, "assert": [{"type": "python", "value": "file://jury.py:panel"}]},
    ]
    config = {"prompts": ["{{q}}", "{{q}}?"], "providers": ["echo"], "tests": tests}
    (folder / "config.json").write_text(json.dumps(config))
    settings = {
        "PROMPTFOO_DISABLE_TELEMETRY": "1", "PROMPTFOO_DISABLE_UPDATE": "1", "PROMPTFOO_DISABLE_REMOTE_GENERATION": "1",
        "PROMPTFOO_CONFIG_DIR": str(folder / "home"), "PROMPTFOO_PYTHON": sys.executable, "PYTHONWARNINGS": "ignore",
    }  # fmt: skip
    command = ["node", str(PROGRAM), "eval", "-c", "config.json", "--no-cache", "-o", "results.json", "-o", "r.jsonl"]
    done = subprocess.run(command, cwd=folder, env=os.environ | settings, capture_output=True, text=True, timeout=240)
    assert (folder / "results.json").exists(), done.stdout + done.stderr
    return folder


@pytest.mark.slow
def test_promptfoo_takes_the_result_of_the_panel(folder: Path) -> None:
    results = json.loads((folder / "results.json").read_text())["results"]["results"]
    found = {(one["testIdx"], one["promptIdx"]): one["gradingResult"] for one in results}
    assert len(found) == 6
    mean, vote, panel = found[0, 0], found[1, 0], found[2, 0]
    assert (mean["pass"], mean["score"]) == (True, 0.7)
    assert mean["metadata"]["bribeproof"]["panel"]["silent"] == ["judge-fails"]
    assert (vote["pass"], vote["score"]) == (True, 1.0)
    assert vote["metadata"]["bribeproof"]["flips_needed"] == 1
    assert (panel["pass"], panel["score"]) == (True, 0.6)


@pytest.mark.slow
def test_a_file_of_results_is_a_table_in_which_a_failed_judge_is_silent(folder: Path) -> None:
    frame = read_results(folder / "results.json").filter(test=1)
    assert frame.filter(output="1.1").select("judge", "passed", "score").rows() == [
        ("judge-good", True, 0.9), ("judge-fair", True, 0.7), ("judge-bad", False, 0.0), ("judge-fails", None, None),
        *frame.filter(output="1.1").select("judge", "passed", "score").rows()[4:],
    ]  # fmt: skip
    assert (
        read_results(folder / "r.jsonl")
        .sort("output", "judge")
        .equals(read_results(folder / "results.json").sort("output", "judge"))
    )
    judges = frame.filter(frame["judge"].str.starts_with("judge-"))
    answers = bp.aggregate_votes(judges, k=1, item="output", reporter="judge", vote="passed")
    assert answers.select("n", "m", "decision").rows() == [(4, 3, 1), (4, 3, 1)]


def test_the_page_runs() -> None:
    check_page("promptfoo")
