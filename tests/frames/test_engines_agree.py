"""Names that differ in case, columns of one name, categories with blanks: one answer or one refusal on every engine."""

from pathlib import Path
from typing import Any

import duckdb
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import bribeproof as bp
from bribeproof._warnings import record_warnings
from tests.frames.inputs import EACH_KIND, FRAMES, QUICK, give, long, rows

CASES = long(("t", "a", "A"), ("t", "b", "a"), ("t", "c", "a"), ("t", "d", "b"), ("t", "e", "B"))


def shares(result: Any) -> list[float]:
    """The shares of the only item, in class order."""
    (row,) = rows(result)
    return [value for name, value in row.items() if name.startswith("share_")]


@pytest.mark.parametrize("kind", EACH_KIND)
def test_labels_that_differ_in_case_are_different_labels(kind: str, tmp_path: Path) -> None:
    with record_warnings() as messages:
        result = bp.aggregate_labels(give(kind, CASES, tmp_path), 0)
    (row,) = rows(result)
    assert (row["decision"], row["estimate"], row["flips_needed"]) == ("a", 0.4, 1)
    assert shares(result) == [0.2, 0.2, 0.4, 0.2]
    assert any("renamed: 'share_a_2' for 'share_a', 'share_b_2'" in message for message in messages) == (
        kind == "duckdb"
    )


def test_a_number_that_is_taken_is_not_given_to_a_second_column() -> None:
    votes = long(*(("t", str(place), label) for place, label in enumerate(["A", "a", "A_2", "a_3", "a"])))
    with record_warnings():
        (row,) = rows(bp.aggregate_labels(FRAMES["duckdb"](votes), 0))
    assert {name: value for name, value in row.items() if name.startswith("share_")} == {
        "share_A": 0.2, "share_A_2": 0.2, "share_a_4": 0.4, "share_a_3": 0.2,
    }  # fmt: skip


@pytest.mark.parametrize("kind", QUICK)
@pytest.mark.parametrize("name", ["M", "Status", "Estimate", "k", "n", "Share_A", "DECISION", "flips_Needed"])
def test_an_item_column_named_like_a_result_is_refused(kind: str, name: str, tmp_path: Path) -> None:
    votes = give(kind, {name if column == "task" else column: cells for column, cells in CASES.items()}, tmp_path)
    with (
        record_warnings(),
        pytest.raises(bp.ParameterError, match=f"the item column is named '{name}' like a column of the result"),
    ):
        bp.aggregate_labels(votes, 0, item=name)
    if kind == "duckdb" and name in ("M", "Share_A"):
        with (
            record_warnings(),
            pytest.raises(bp.ParameterError, match=f"is named '{name}' like a column of the result"),
        ):
            bp.weigh(votes, 1, item=name)


def _relation(query: str) -> Any:
    return duckdb.connect().sql(query)


ONE = "SELECT 't' AS task, 'w' AS worker, 'x' AS label"
SAME_NAMES: dict[str, Any] = {
    "pandas": lambda: pd.DataFrame([["t", "w", "x", "y"]], columns=["task", "worker", "label", "label"]),
    "pyarrow": lambda: pa.table([["t"], ["w"], ["x"], ["y"]], names=["task", "worker", "label", "label"]),
    "duckdb": lambda: _relation(f"{ONE}, 'y' AS label"),
}


@pytest.mark.parametrize("frame", SAME_NAMES.values(), ids=SAME_NAMES)
def test_two_columns_of_one_name_are_refused(frame: Any) -> None:
    for call in (bp.aggregate, bp.aggregate_labels):
        with pytest.raises(bp.DataError, match="two columns are named 'label': give every column its own name"):
            call(frame(), k=0)


def test_duckdb_refuses_columns_that_it_cannot_tell_apart() -> None:
    one = _relation(ONE).set_alias("one")
    joined = one.join(one.project("task").set_alias("other"), "one.task = other.task")
    with pytest.raises(bp.DataError, match="two columns are named 'task': give"):
        bp.aggregate_labels(joined, 0)
    with pytest.raises(bp.DataError, match="'label' and 'Label', which this engine does not tell apart"):
        bp.aggregate_labels(_relation(f"{ONE}, 'y' AS Label"), 0)


BLANKS = (["cat", " cat", "cat ", "dog", "  ", "NA"], ["cat", " cat", "cat ", "dog", "  ", "NA", "emu"])
NUMBERS = (["1", "1.0", " 1", "0", "", "NA"], ["0", "1", "1.0", " 1", "", "NA", "2"])
CATEGORICAL: dict[str, Any] = {
    "pandas": lambda cells, names: pd.Categorical(cells, categories=names),
    "Enum": lambda cells, names: pl.Series(cells, dtype=pl.Enum(names)),
    "Categorical": lambda cells, _: pl.Series(cells, dtype=pl.Categorical),
    "Arrow": lambda cells, names: pa.DictionaryArray.from_arrays(
        pa.array([names.index(cell) for cell in cells], pa.int8()), pa.array(names)
    ),
    "duckdb": None,
}


def categorical(kind: str, cells: list[str], names: list[str]) -> Any:
    """A table of three columns, of which one has declared categories."""
    columns: dict[str, Any] = {"task": ["t"] * len(cells), "worker": list("abcdefgh"[: len(cells)]), "label": cells}
    if kind == "duckdb":
        enum = ", ".join(f"'{name}'" for name in names)
        return duckdb.from_arrow(pa.table(columns)).project(f"task, worker, label::ENUM({enum}) AS label")
    columns["label"] = CATEGORICAL[kind](cells, names)
    return {"pandas": pd.DataFrame, "Arrow": pa.table}.get(kind, pl.DataFrame)(columns)


@pytest.mark.parametrize("kind", CATEGORICAL)
@pytest.mark.parametrize(("cells", "names", "winner"), [(*BLANKS, "cat"), (*NUMBERS, "1")], ids=["blanks", "numbers"])
def test_categories_are_read_as_text_is(kind: str, cells: list[str], names: list[str], winner: str) -> None:
    (row,) = rows(bp.aggregate_labels(categorical(kind, cells, names), 0, missing=("NA",)))
    assert (row["m"], row["decision"], row["estimate"]) == (4, winner, 0.75)
    text = pl.DataFrame({"task": ["t"] * len(cells), "worker": list("abcdef"), "label": cells})
    (plain,) = rows(bp.aggregate_labels(text, 0, missing=("NA",)))
    declared = {} if kind == "Categorical" else {f"share_{names[-1]}": 0.0}
    assert {name: value for name, value in row.items() if name.startswith("share")} == {
        name: value for name, value in plain.items() if name.startswith("share")
    } | declared


@pytest.mark.parametrize("kind", CATEGORICAL)
def test_items_are_categories_too(kind: str) -> None:
    cells, names = ["cat", " cat", "dog "], ["cat", " cat", "dog ", "emu"]
    found = rows(bp.aggregate_labels(categorical(kind, cells, names), 0, item="label", label="task"))
    assert [(row["label"], row["m"]) for row in found] == [("cat", 2), ("dog", 1)]


def test_dictionaries_of_numbers_are_numbers() -> None:
    votes = pa.table({"task": pa.array([1, 1, 0]).dictionary_encode(), "worker": list("aba"), "label": list("xyx")})
    assert [row["task"] for row in rows(bp.aggregate_labels(votes, 0))] == [1, 0]
    votes = votes.rename_columns(["label", "worker", "task"]).slice(1)
    assert [row["decision"] for row in rows(bp.aggregate_labels(votes, 0))] == [1, 0]


NUMBER_ENGINES = ("polars", "pandas-object", "duckdb", "pyspark", "csv", "json")
"""The others read text by the same engines."""
NO_NUMBERS = ("1_000", "1 00", "0x10", "inf", "nan", "12e", "\u0663", "1e\u0663")
WRITTEN: dict[str, float | str] = {
    "1e3": 1000, "+5": 5, "5.": 5, ".5": 0.5, "1,5": 1.5, "\u00a0 7": 7, "-0": 0, "1 000": 1000, "\uff11\uff12": 12,
    "1e400": "is infinite",
    **dict.fromkeys(NO_NUMBERS, "is not a number"),
}  # fmt: skip


@pytest.mark.parametrize("kind", [kind for kind in EACH_KIND if kind.values[0] in NUMBER_ENGINES])
def test_what_is_a_number(kind: str, tmp_path: Path) -> None:
    for written, value in WRITTEN.items():
        scores = give(kind, long(("t", "a", written), ("t", "b", "2"), ("t", "c", "3")), tmp_path)
        if isinstance(value, str):
            with pytest.raises(bp.DataError, match=f"score .* of reporter '?a'? on item '?t'? {value}"):
                bp.aggregate_scores(scores, 0, score="label")
        else:
            (row,) = rows(bp.aggregate_scores(scores, 0, score="label"))
            assert row["estimate"] == pytest.approx((value + 5) / 3, rel=1e-15), written


@pytest.mark.parametrize("written", ["%5%", "5%%", "\u0665%", "5"])
@pytest.mark.parametrize("kind", ["polars", "duckdb"])
def test_what_is_a_percentage(kind: str, written: str, tmp_path: Path) -> None:
    def scores(first: str) -> Any:
        return give(kind, long(("t", "a", first), ("t", "b", "20%"), ("t", "c", "30 %")), tmp_path)

    assert rows(bp.aggregate_scores(scores("10%"), 0, score="label"))[0]["estimate"] == 20
    with pytest.raises(bp.DataError, match=f"score '{written}' of reporter 'a' on item 't' is not a number with %"):
        bp.aggregate_scores(scores(written), 0, score="label")
