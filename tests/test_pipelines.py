"""What pipelines run: the action for GitHub, the hook that compares with the last commit, that of pre-commit."""

import os
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import polars as pl
import pytest

from tests.paths import ROOT

ACTION = ROOT / ".github" / "actions" / "bribeproof"
HOOK = ROOT / "examples" / "certified_accuracy.py"
CERTIFY = "certify examples/screening.csv --gold truth --k 1"


def run_action(tmp_path: Path, *commands: str) -> tuple[int, str, str, str]:
    """Run the script of the action; return its status, its log, the summary of the job, and its outputs."""
    files = {name: tmp_path / name for name in ("GITHUB_STEP_SUMMARY", "GITHUB_OUTPUT")}
    environment = {**os.environ, **{name: str(file) for name, file in files.items()}, "COMMANDS": "\n".join(commands)}
    done = subprocess.run(
        [sys.executable, ACTION / "run.py"], cwd=ROOT, env=environment, capture_output=True, text=True, check=False
    )
    assert done.stderr == ""
    summary, outputs = (file.read_text(encoding="utf-8") if file.exists() else "" for file in files.values())
    return done.returncode, done.stdout, summary, outputs


def annotations(log: str) -> list[str]:
    """Return the errors that a log shows beside the changes."""
    return [line.removeprefix("::error title=bribeproof::") for line in log.splitlines() if line.startswith("::error")]


def test_an_answer_that_misses_its_threshold_fails_the_step(tmp_path: Path) -> None:
    status, log, summary, outputs = run_action(
        tmp_path, f"{CERTIFY} --fail-below 90%", "", f"{CERTIFY} --fail-below 99%"
    )
    assert (status, outputs) == (3, "status=3\n")
    [error] = annotations(log)
    assert "--fail-below 0.99: with 95 %25 confidence a share of 0.923" in error
    assert error.endswith(f"(bribeproof {CERTIFY} --fail-below 99%25)")
    assert summary.count("    $ bribeproof certify") == 2
    assert all(line.startswith("    ") for line in summary.splitlines() if line)


@pytest.mark.slow
def test_answers_that_meet_their_thresholds_pass(tmp_path: Path) -> None:
    status, log, _, outputs = run_action(tmp_path, f"{CERTIFY} --fail-below 90%")
    assert (status, outputs, annotations(log)) == (0, "status=0\n", [])


@pytest.mark.slow
@pytest.mark.parametrize(
    ("commands", "why"),
    [
        ((f"{CERTIFY} --fail-below 99%", "aggregate 'no such file.csv' --k 1"), "no such file.csv"),
        (("aggregate 'votes.csv --k 1",), "No closing quotation: quote words as in a shell"),
        ((" ", ""), "commands is empty"),
        (("aggregate $(touch made) --k 1",), "$(touch"),
    ],
)
def test_errors_fail_the_step_with_their_own_status(tmp_path: Path, commands: tuple[str, ...], why: str) -> None:
    status, log, _, outputs = run_action(tmp_path, *commands)
    assert (status, outputs) == (2, "status=2\n")
    assert why in annotations(log)[-1]
    assert not (ROOT / "made").exists()


@pytest.mark.slow
def test_names_in_a_table_give_no_commands_to_the_workflow(tmp_path: Path) -> None:
    names = ["::error::bought", "::set-output name=status::0", "```", "# heading"]
    rows = [(name, who, vote) for name in names for who, vote in (("a", "x"), ("b", "x"), ("c", "y"))]
    pl.DataFrame(rows, schema=["task", "worker", "label"], orient="row").write_csv(tmp_path / "labels.csv")
    status, log, summary, _ = run_action(tmp_path, f"aggregate '{tmp_path / 'labels.csv'}' --k 1 --json")
    assert status == 0
    start, stop = re.search(r"^::stop-commands::(\w{32})$", log, re.M), "::endgroup::"
    assert start is not None
    within = log[start.end() : log.index(f"\n::{start[1]}::\n{stop}")]
    assert all(name.removeprefix("::") in within for name in names)
    assert "::" not in log.replace(within, "").replace(log[: start.end()], "").replace(f"::{start[1]}::", "").replace(
        stop, ""
    )
    assert all(line.startswith("    ") for line in summary.splitlines() if line)


@pytest.mark.slow
def test_the_steps_of_the_action_run_in_a_shell(tmp_path: Path) -> None:
    yaml = pytest.importorskip("ruamel.yaml").YAML(typ="safe")
    action = yaml.load(ACTION / "action.yml")
    steps = {step.get("id"): step for step in action["runs"]["steps"]}
    assert set(steps["run"]["env"]) == {"COMMANDS"}
    python = tmp_path / "bribeproof" / "bin" / "python"
    python.parent.mkdir(parents=True)
    python.write_text(f'#!/bin/sh\nexec "{sys.executable}" "$@"\n')
    python.chmod(0o755)
    environment = {**os.environ, "RUNNER_TEMP": str(tmp_path), "GITHUB_ACTION_PATH": str(ACTION)}
    environment |= {"COMMANDS": f"{CERTIFY} --fail-below 99%", "GITHUB_OUTPUT": str(tmp_path / "outputs")}
    done = subprocess.run(
        ["bash", "-e", "-c", steps["run"]["run"]], cwd=ROOT, env=environment, capture_output=True, check=False
    )
    assert done.returncode == 3
    assert (tmp_path / "outputs").read_text() == "status=3\n"
    install = next(step["run"] for step in action["runs"]["steps"] if "Install" in step.get("name", ""))
    where = re.search(r'"\$GITHUB_ACTION_PATH/([./]+)\$', install)
    assert where is not None
    assert (ACTION / where[1]).resolve() == ROOT


@pytest.fixture
def labels(tmp_path: Path) -> Path:
    """Return a file of labels that is committed in a repository of its own."""
    file = Path(shutil.copy(ROOT / "examples" / "screening.csv", tmp_path / "labels.csv"))
    git(tmp_path, "init", "--quiet")
    git(tmp_path, "add", "labels.csv")
    git(tmp_path, "-c", "user.name=a", "-c", "user.email=a@example.org", "commit", "--quiet", "--message", "labels")
    return file


def git(folder: Path, *words: str) -> None:
    """Run git without the settings of this machine."""
    environment = {**os.environ, "GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_SYSTEM": os.devnull}
    subprocess.run(["git", "-C", folder, *words], env=environment, check=True)


def run_hook(*words: object) -> tuple[int, str]:
    """Run the hook; return its status and what it says."""
    done = subprocess.run([sys.executable, HOOK, *map(str, words)], capture_output=True, text=True, check=False)
    assert done.stderr == ""
    return done.returncode, done.stdout


def doubtful(labels: Path) -> pl.DataFrame:
    """Return the labels with two items on which all but one reporter are wrong."""
    wrong = pl.col("item").is_in(["scan-01", "scan-02"]) & (pl.col("reporter") != "ana")
    return pl.read_csv(labels).with_columns(vote=pl.when(wrong).then(1 - pl.col("vote")).otherwise("vote"))


def test_a_commit_is_refused_when_the_certified_accuracy_falls(labels: Path) -> None:
    doubtful(labels).write_csv(labels)
    status, said = run_hook(labels, "--gold", "truth", "--k", 1)
    assert status == 3
    assert said.endswith("0.9233 in the last commit: it has fallen\n")


@pytest.mark.slow
def test_a_commit_that_keeps_or_raises_the_certified_accuracy_passes(labels: Path) -> None:
    asked = (labels, "--gold", "truth", "--k", 1)
    assert run_hook(*asked) == (0, f"{labels}: certified accuracy 0.9233, 0.9233 in the last commit\n")
    pl.read_csv(labels).with_columns(vote="truth").write_csv(labels)
    assert run_hook(*asked) == (0, f"{labels}: certified accuracy 0.9512, 0.9233 in the last commit\n")


@pytest.mark.slow
def test_a_new_file_has_no_bar_and_a_broken_one_is_an_error(labels: Path) -> None:
    new = labels.with_name("new.csv")
    shutil.copy(labels, new)
    assert run_hook(new, "--gold", "truth", "-k", 1) == (
        0,
        f"{new}: certified accuracy 0.9233, nothing to compare with\n",
    )
    new.write_text("item,reporter\n")
    status, said = run_hook(new, "--gold", "truth", "--k", 1)
    assert (status, said.startswith(f"{new}: bribeproof: ")) == (2, True)
    assert run_hook(new, "--gold", "truth")[0] == run_hook("--k", 1)[0] == 2


def test_the_hook_of_pre_commit_is_the_command() -> None:
    yaml = pytest.importorskip("ruamel.yaml").YAML(typ="safe")
    [hook] = yaml.load(ROOT / ".pre-commit-hooks.yaml")
    scripts = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["scripts"]
    assert hook["entry"] in scripts
    assert (hook["language"], hook["pass_filenames"]) == ("python", False)
    assert [bool(re.search(hook["files"], name)) for name in ("labels.csv", "labels.csv.bak")] == [True, False]
