"""Warnings: they name the line that called the library, or are recorded for a caller that shows them itself."""

import subprocess
import sys
import threading
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import bribeproof as bp
from bribeproof._warnings import record_warnings, warn

VOTES = pl.DataFrame(
    {"task": ["t1"] * 4 + ["t2"] * 3, "worker": list("abca") + list("abc"), "label": [1, 1, 0, 1, 0, 0, 1]}
)
"""Reporter a repeats a vote, which is worth a warning."""
GOLD = {"t1": 1, "t2": 0}
CALLS: dict[str, Callable[[Any], Any]] = {
    "aggregate_scores": lambda votes: bp.aggregate_scores(votes, 1, score="label"),
    "aggregate_votes": lambda votes: bp.aggregate_votes(votes, 1),
    "aggregate_labels": lambda votes: bp.aggregate_labels(votes, 1),
    "share": lambda votes: bp.aggregate_votes(votes.unique(), share=0.1),
    "weigh": lambda votes: bp.weigh(votes, 1),
    "audit": lambda votes: bp.audit(votes, 1, kind="labels"),
    "sweep": lambda votes: bp.sweep(votes, [0, 1]),
    "calibrate": lambda votes: bp.calibrate(votes, GOLD, 1),
    "certify": lambda votes: bp.certify(votes, GOLD, 1),
    "worst_bribe": lambda votes: bp.worst_bribe(votes, 1),
    "attack": lambda votes: bp.attack(votes, GOLD, [0, 1], draws=2),
}


@pytest.mark.parametrize("call", CALLS.values(), ids=CALLS)
def test_a_warning_names_the_callers_line(call: Callable[[Any], Any]) -> None:
    with pytest.warns(bp.BribeproofWarning) as caught:
        call(VOTES)
    assert [(one.filename, one.lineno) for one in caught] == [(__file__, call.__code__.co_firstlineno)]


def test_a_warning_about_a_table_from_a_file_names_the_callers_line(tmp_path: Path) -> None:
    path = tmp_path / "votes.csv"
    VOTES.write_csv(path)
    with pytest.warns(bp.BribeproofWarning, match="1 repeat collapsed") as caught, bp.scan_table(path) as table:
        bp.aggregate_votes(table, 1)
    assert {one.filename for one in caught} == {__file__}
    with pytest.warns(bp.BribeproofWarning, match="1 repeat collapsed") as caught:
        bp.aggregate_votes(bp.read_table(path), 1)
    assert {one.filename for one in caught} == {__file__}


def test_a_script_is_named_too_and_warned_once_per_line(tmp_path: Path) -> None:
    script = tmp_path / "script.py"
    script.write_text(
        "import polars as pl\nimport bribeproof as bp\n"
        "votes = pl.DataFrame({'task': ['t'] * 4, 'worker': list('abca'), 'label': [1, 1, 0, 1]})\n"
        "for _ in range(3):\n    bp.aggregate_votes(votes, 1)\n"
    )
    done = subprocess.run([sys.executable, str(script)], capture_output=True, text=True, check=True)
    assert done.stderr.count("BribeproofWarning") == 1
    assert f"{script}:5: BribeproofWarning: 1 repeat collapsed" in done.stderr


def test_the_command_shows_a_warning_as_a_note_without_a_place(tmp_path: Path) -> None:
    path = tmp_path / "votes.csv"
    VOTES.write_csv(path)
    command = [sys.executable, "-m", "bribeproof", "aggregate", str(path), "--k", "1"]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    shown = done.stdout + done.stderr
    assert shown.count("1 repeat collapsed: same item and reporter, same report") == 1
    assert "Warning" not in shown
    assert ".py" not in shown
    assert "sys:" not in shown


def test_recorded_warnings_are_not_emitted() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with record_warnings() as outer:
            warn("first")
            with record_warnings() as inner:
                warn("second")
                warn("second")
            warn("third")
            warn("first")
    assert (outer, inner) == (["first", "third"], ["second"])
    with pytest.warns(bp.BribeproofWarning, match="fourth"):
        warn("fourth")


def test_another_threads_warnings_are_not_recorded() -> None:
    thread = threading.Thread(target=warn, args=("elsewhere",))
    with record_warnings() as messages:
        with pytest.warns(bp.BribeproofWarning, match="elsewhere"):
            _run(thread)
        assert messages == []


def _run(thread: threading.Thread) -> None:
    thread.start()
    thread.join()
