"""Groups and prices: the same answer from every kind of frame and file, also from one that does not fit in memory."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

import bribeproof as bp
from bribeproof.frames.out_of_core import large_table, spill
from tests.frames.inputs import SOME_KINDS, give, rows

_RNG = np.random.default_rng(3)
_NATION = dict(zip("abcdefgh", ["N", "N", "O", "P", "P", "", "", "Q"], strict=True))
_TABLE: dict[str, list[Any]] = {name: [] for name in ("task", "worker", "nation", "fee", "label", "score")}
for _task in range(12):
    for _worker in _RNG.permutation(list(_NATION)):
        _row = (f"t{_task}", str(_worker), _NATION[str(_worker)], "1.5" if _NATION[str(_worker)] in "NP" else "1")
        for _name, _cell in zip(_TABLE, (*_row, "abc"[_RNG.integers(3)], float(_RNG.integers(20)) / 2), strict=True):
            _TABLE[_name].append(_cell)
_CALLS: dict[str, Callable[[Any], Any]] = {
    "labels": lambda frame: bp.aggregate_labels(frame, k=2, group="nation"),
    "labels, priced": lambda frame: bp.aggregate_labels(frame, group="nation", price="fee", budget="2.5"),
    "scores": lambda frame: bp.aggregate_scores(frame, k=1, group="nation", decimals=2),
    "votes": lambda frame: bp.aggregate(
        frame, k=1, group="nation", kind="votes", positive="a", classes=["rest", "a"], faulty="set aside",
        item="task", reporter="worker", value="label", expert=bp.Expert(0.5, 0.8, 0.2),
    ).items,
}  # fmt: skip


@pytest.mark.filterwarnings("ignore::bribeproof.BribeproofWarning")
@pytest.mark.parametrize("kind", SOME_KINDS)
def test_every_kind_of_table_gives_the_same_answer(kind: str, tmp_path: Path) -> None:
    frame = give(kind, _TABLE, tmp_path)
    for call in _CALLS.values():
        expected = sorted(rows(call(pl.DataFrame(_TABLE))), key=lambda row: row["task"])
        assert sorted(rows(call(frame)), key=lambda row: row["task"]) == expected


@pytest.mark.filterwarnings("ignore::bribeproof.BribeproofWarning")
def test_a_file_larger_than_memory_is_answered_like_a_frame(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(large_table, "_PART", 8)
    monkeypatch.setattr(spill, "_BUFFER", 16)
    path = tmp_path / "large.csv"
    pl.DataFrame(_TABLE).write_csv(path)
    for call in _CALLS.values():
        with bp.scan_table(path, in_memory=1, size=64) as large:
            assert rows(call(large)) == rows(call(pl.DataFrame(_TABLE)))
