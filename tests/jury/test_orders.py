"""Preferences asked in both orders: a verdict is one that does not change with the order."""

from pathlib import Path
from typing import Any

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bribeproof import aggregate_labels, jury
from bribeproof.errors import ColumnError, DataError, ParameterError
from bribeproof.frames.native import to_polars
from tests.frames.inputs import EACH_FRAME, give

ROWS = [
    ("q1", "ann", "X", "X"), ("q1", "ann", "Y", "X"),
    ("q1", "bob", "X", "X"), ("q1", "bob", "Y", "Y"),
    ("q1", "cy", "X", "tie"), ("q1", "cy", "Y", "tie"),
    ("q2", "ann", "P", "P"),
    ("q2", "bob", "P", "Q"), ("q2", "bob", "Q", None),
    ("q2", "cy", "P", "Q"), ("q2", "cy", "Q", "Q"), ("q2", "cy", "Q", "P"),
]  # fmt: skip


def asked(rows: Any = ROWS) -> pl.DataFrame:
    return pl.DataFrame(rows, schema=["task", "worker", "first", "label"], orient="row")


def test_a_verdict_is_the_same_in_both_orders() -> None:
    found = jury.both_orders(asked())
    assert found.verdicts.rows() == [
        ("q1", "ann", "X"), ("q1", "bob", None), ("q1", "cy", "tie"),
        ("q2", "ann", None), ("q2", "bob", None), ("q2", "cy", None),
    ]  # fmt: skip
    table = {row["judge"]: row for row in found.judges.iter_rows(named=True)}
    assert [(one["items"], one["both"], one["consistent"]) for one in map(table.get, ("ann", "bob", "cy")) if one] == [
        (2, 1, 1), (2, 1, 0), (2, 2, 1),
    ]  # fmt: skip
    assert table["bob"]["first"] == pytest.approx(2 / 3)
    assert "2 of 4 verdicts asked in both orders are the same in both; the other 4 of 6" in found.summary()


def test_nan_is_no_answer() -> None:
    rows = [("q", "ann", 1.0, float("nan")), ("q", "ann", 2.0, float("nan"))]
    found = jury.both_orders(asked(rows))
    assert found.verdicts["label"].to_list() == [None]
    assert found.judges["both"].to_list() == [0]


def test_an_inconsistent_judge_counts_in_n() -> None:
    answers = aggregate_labels(jury.both_orders(asked()).verdicts, k=0)
    assert answers["n"].to_list() == [3, 3]
    assert answers["m"].to_list() == [2, 0]
    verdict = jury.decide(jury.consistent({"a": "X", "b": "X", "c": "Y"}, {"a": "X", "b": "Y", "c": "Y"}), k=0)
    assert (verdict.seats.n, verdict.seats.silent, verdict.tie) == (3, ("b",), True)


@pytest.mark.parametrize("kind", EACH_FRAME)
def test_every_engine_gives_its_own_kind(kind: str, tmp_path: Path) -> None:
    frame = give(kind, asked().to_dict(as_series=False), tmp_path)
    found = jury.both_orders(frame)
    assert type(found.verdicts) is type(frame)
    told = sorted(to_polars(found.verdicts).rows(), key=lambda row: row[:2])
    assert told == sorted(jury.both_orders(asked()).verdicts.rows(), key=lambda row: row[:2])


answers = st.sampled_from(["X", "Y", "tie", None])


@given(st.lists(st.tuples(answers, answers), min_size=1, max_size=5))
def test_the_table_and_one_item_agree(pairs: list[tuple[Any, Any]]) -> None:
    names = "abcde"[: len(pairs)]
    rows = [
        ("q", name, shown, said)
        for name, pair in zip(names, pairs, strict=True)
        for shown, said in zip("XY", pair, strict=True)
    ]
    table = pl.DataFrame(
        rows, schema={"task": pl.String, "worker": pl.String, "first": pl.String, "label": pl.String}, orient="row"
    )
    found = dict(jury.both_orders(table).verdicts.select("worker", "label").rows())
    one, other = (dict(zip(names, said, strict=True)) for said in zip(*pairs, strict=True))
    assert found == jury.consistent(one, other) == jury.consistent(other, one)
    assert list(found.values()) == jury_of_lists(pairs)


def jury_of_lists(pairs: list[tuple[Any, Any]]) -> list[Any]:
    return [*jury.consistent([one for one, _ in pairs], [other for _, other in pairs]).values()]


def test_places_are_turned_into_candidates() -> None:
    rows = [
        ("q1", "ann", "X", "Y", "A"),
        ("q1", "ann", "Y", "X", "B"),
        ("q1", "bob", "X", "Y", "A"),
        ("q1", "bob", "Y", "X", "A"),
    ]
    frame = pl.DataFrame(rows, schema=["task", "worker", "first", "second", "label"], orient="row")
    found = jury.both_orders(frame, second="second", places=("A", "B"))
    assert found.verdicts.rows() == [("q1", "ann", "X"), ("q1", "bob", None)]
    assert found.judges.select("judge", "first").rows() == [("bob", 1.0), ("ann", 0.5)]


def test_candidates_may_be_numbers_and_columns_have_any_name() -> None:
    rows = [(1, "ann", 10, 20, "A"), (1, "ann", 20, 10, "B"), (2, "ann", 10, 20, "A"), (2, "ann", 20, 10, "A")]
    frame = pl.DataFrame(rows, schema=["both", "same", "answer", "items", "first"], orient="row")
    names: dict[str, Any] = {"item": "both", "reporter": "same", "first": "answer", "second": "items", "label": "first"}
    found = jury.both_orders(frame, **names, places=("A", "B"))
    assert [(row[0], str(row[2])) for row in found.verdicts.rows()] == [(1, "10"), (2, "None")]


def test_errors() -> None:
    with pytest.raises(ParameterError, match="need both"):
        jury.both_orders(asked(), places=("A", "B"))
    with pytest.raises(ColumnError, match="no column 'shown'"):
        jury.both_orders(asked(), first="shown")
    with pytest.raises(DataError, match=r"row 1 \(counting from 0\) has nothing in 'first'"):
        jury.both_orders(asked([ROWS[0], ("q1", "ann", None, "X")]))
    with pytest.raises(DataError, match="no rows"):
        jury.both_orders(asked().clear())
    with pytest.raises(DataError, match="2 answers in one order and 1 in the other"):
        jury.consistent(["X", "Y"], ["X"])
