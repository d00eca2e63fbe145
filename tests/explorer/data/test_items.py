"""Items on the page: which changed, which are shown, and in which order."""

from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from starlette.testclient import TestClient

import bribeproof as bp
from bribeproof.errors import ParameterError
from bribeproof.explorer.data.analysis import analyse, analyse_without_protection
from bribeproof.explorer.tables.aggregated import aggregate_table
from bribeproof.io.read import Table
from tests.budgets import examples
from tests.explorer.data.sample_files import LABELS, SCORES, VOTES, hand_over, read, wide_scores


@pytest.mark.slow
def test_changes_are_those_of_a_sweep(client: TestClient) -> None:
    for content, kind, columns in (
        (SCORES, "scores", {"item": "entry", "judges": [f"j{judge}" for judge in range(1, 6)]}),
        (VOTES, "votes", {"item": "task", "reporter": "worker", "vote": "vote"}),
        (LABELS, "labels", {"item": "task", "reporter": "worker", "label": "label"}),
    ):
        frame = pl.read_csv(content)
        for k in (1, 2):
            found = bp.sweep(frame, [0, k], kind=kind, **columns)
            items = found.items.filter(pl.col("changes_at") == k).to_series().cast(pl.String).sort().to_list()
            page = read(client, f"{hand_over(client, content)}&k={k}&show=changed")
            shown = page.column("answers", page.tables["answers"][0][0]) if items else []
            assert sorted(shown) == items
            if items:
                assert sorted(page.column("changes", page.tables["changes"][0][0])) == items
            else:
                assert "changes" not in page.tables


def test_rounded_scores_that_change_are_changes() -> None:
    table = Table(pl.DataFrame({"e": ["A", "B"], "j1": [9.0, 1], "j2": [9.1, 2], "j3": [9.5, 3]}), "s")
    for options, changed in (({}, [False, False]), ({"decimals": 1}, [True, False]), ({"decimals": 0}, [False, False])):
        first = analyse_without_protection(table, {"kind": "scores", "item": "e"} | options)
        assert analyse(first, 1, rounded="decimals" in options).items["changed"].to_list() == changed


@settings(max_examples=examples(0.25))
@given(sheet=wide_scores(), k=st.integers(0, 4), decimals=st.sampled_from([None, 0, 2]))
def test_a_later_k_gives_what_the_first_one_would(tmp_path: Path, sheet: bytes, k: int, decimals: int | None) -> None:
    (tmp_path / "s.csv").write_bytes(sheet)
    table = bp.read_table(tmp_path / "s.csv")
    options: dict[str, Any] = {"kind": "scores", "item": "entry", "judges": ["judge_*"]}
    options |= {} if decimals is None else {"decimals": decimals}
    first = analyse_without_protection(table, options)
    if first.most_k is not None and k > first.most_k:
        with pytest.raises(ParameterError, match="honest majority"):
            analyse(first, k, rounded=True)
        return
    assert analyse(first, k, rounded=True).result.equals(aggregate_table(table, k=k, **options).items)


def test_every_item_is_on_one_page_the_most_fragile_first(client: TestClient) -> None:
    rng = np.random.default_rng(3)
    votes = "".join(f"t{item},w{voter},{rng.integers(2)}\n" for item in range(120) for voter in range(7))
    address = hand_over(client, f"task,worker,vote\n{votes}".encode())
    seen, flips = [], []
    for number, size in ((1, 50), (2, 50), (3, 20), (4, 20)):
        page = read(client, f"{address}&page={number}")
        assert len(page.column("answers", "task")) == size
        if number < 4:
            seen += page.column("answers", "task")
            flips += [int(needed) for needed in page.column("answers", "Flips needed")]
    assert sorted(seen) == sorted(f"t{item}" for item in range(120))
    assert flips == sorted(flips)
    page = read(client, f"{address}&page=2&k=1")
    assert any("page=3" in link and "k=1" in link for link in page.links)


@pytest.mark.parametrize(
    ("query", "items"),
    [
        ("", ["t3", "t2", "t4", "t1", "t5", "t0", "t6"]),
        ("show=ties", ["t3"]),
        ("show=changeable&k=1", ["t3", "t2", "t4"]),
        ("show=changeable&k=0", []),
        ("show=uncertified&k=2", []),
        ("find=T5", ["t5"]),
        ("find=%20t5%20", ["t5"]),
        ("find=t[5]", []),
    ],
)
def test_items_are_chosen_by_status_and_by_text(client: TestClient, query: str, items: list[str]) -> None:
    page = read(client, f"{hand_over(client, VOTES)}&{query}")
    assert (page.column("answers", "task") if items else []) == items
    if not items:
        assert "No items match" in page.texts["note"][0]


def test_items_with_too_few_reports_are_not_certified(client: TestClient) -> None:
    page = read(client, f"{hand_over(client, VOTES + b't7,w0,1')}&k=2&show=uncertified")
    assert page.column("answers", "task") == ["t7"]
