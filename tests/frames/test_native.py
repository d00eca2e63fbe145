"""The doors for data frames: what they let in, what they keep, and what they refuse."""

from typing import Any

import duckdb
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import bribeproof as bp
from tests.frames.inputs import FRAMES, rows

LEVELS = ["lo", "mid", "hi"]
VOTES = {"task": ["t1"] * 3 + ["t2"], "worker": ["a", "b", "c", "a"], "label": ["lo", "hi", "hi", "mid"]}


def test_a_named_pandas_index_is_the_item() -> None:
    long = pd.DataFrame(
        {"task": ["t1", "t1", "t1", "t2", "t2"], "worker": list("abcab"), "score": [1.0, 2.0, 9.0, 4.0, 5.0]}
    )
    wide = long.pivot_table(index="task", columns="worker", values="score")
    found = bp.aggregate_scores(wide, k=0, item="task", judges=["a", "b", "c"])
    assert found["task"].tolist() == ["t1", "t2"]
    assert found["estimate"].tolist() == [4.0, 4.5]


def test_an_ordered_categorical_comes_back_ordered() -> None:
    frame = pd.DataFrame(VOTES).assign(label=lambda f: pd.Categorical(f["label"], LEVELS, ordered=True))
    decision = bp.aggregate_labels(frame, k=0)["decision"]
    assert decision.dtype == pd.CategoricalDtype(LEVELS, ordered=True)
    assert decision.tolist() == ["hi", "mid"]


def test_an_enum_comes_back_as_the_same_enum() -> None:
    frame = pl.DataFrame(VOTES, schema_overrides={"label": pl.Enum(LEVELS)})
    for found in (bp.aggregate_labels(frame, k=0), bp.aggregate_labels(frame.lazy(), k=0).collect()):
        assert found.schema["decision"] == pl.Enum(LEVELS)
        assert [name for name in found.columns if name.startswith("share_")] == ["share_lo", "share_mid", "share_hi"]


def test_an_arrow_dictionary_comes_back_in_its_order() -> None:
    codes = pa.array([LEVELS.index(label) for label in VOTES["label"]], pa.int32())
    table = pa.table({**VOTES, "label": pa.DictionaryArray.from_arrays(codes, pa.array(LEVELS))})
    decision = bp.aggregate_labels(table, k=0)["decision"].combine_chunks()
    assert decision.dictionary.to_pylist() == LEVELS
    assert decision.to_pylist() == ["hi", "mid"]


def test_a_duckdb_enum_comes_back_as_the_same_enum() -> None:
    connection = duckdb.connect()
    connection.execute("CREATE TYPE level AS ENUM ('lo', 'mid', 'hi')")
    connection.register("votes", pa.table(VOTES))
    relation = connection.sql("SELECT task, worker, label::level AS label FROM votes")
    found = bp.aggregate_labels(relation, k=0)
    assert str(found.types[found.columns.index("decision")]) == "ENUM('lo', 'mid', 'hi')"
    assert found.select("decision").fetchall() == [("hi",), ("mid",)]


def test_a_categorical_item_keeps_its_categories() -> None:
    frame = pl.DataFrame(VOTES, schema_overrides={"task": pl.Enum(["t2", "t1"])})
    assert bp.aggregate_labels(frame, k=0).schema["task"] == pl.Enum(["t2", "t1"])


def test_wide_columns_of_numbers_and_of_nothing_are_numbers() -> None:
    frame = pl.DataFrame({"task": ["t1"], "a": [1], "b": [2.0], "c": pl.Series([None], dtype=pl.Null)})
    assert bp.aggregate_scores(frame, k=0, judges=["a", "b", "c"]).row(0)[1:5] == (3, 2, 0, 1.5)
    assert bp.aggregate_labels(frame, k=0, judges=["a", "b", "c"])["share_1"].to_list() == [0.5]


@pytest.mark.parametrize(
    ("label", "message"),
    [
        ([["a"], ["b"], ["c"], ["d"]], "holds lists"),
        ([b"a", b"b", b"c", b"d"], "holds Binary"),
    ],
)
def test_reports_that_are_no_single_values_are_refused(label: list[object], message: str) -> None:
    with pytest.raises(bp.DataError, match=message):
        bp.aggregate_labels(pl.DataFrame({**VOTES, "label": label}), k=0)


def test_ids_that_are_no_single_values_are_refused() -> None:
    with pytest.raises(bp.DataError, match="ids and reports are text"):
        bp.aggregate_labels(pl.DataFrame({**VOTES, "worker": [["a"], ["b"], ["c"], ["d"]]}), k=0)


def test_two_columns_of_one_name_are_refused() -> None:
    frame = pd.DataFrame([["t1", "a", "x", "y"]], columns=["task", "worker", "label", "label"])
    with pytest.raises(bp.DataError, match="two columns are named 'label'"):
        bp.aggregate_labels(frame, k=0)


def test_an_item_column_that_is_named_like_a_result_is_refused() -> None:
    frame = pl.DataFrame({"status": ["t1"], "worker": ["a"], "label": ["x"]})
    with pytest.raises(bp.ParameterError, match="named 'status' like a column of the result"):
        bp.aggregate_labels(frame, k=0, item="status")


def test_a_column_with_an_inner_name_is_refused() -> None:
    frame = pl.DataFrame({"_row": ["t1"], "worker": ["a"], "label": ["x"]})
    with pytest.raises(bp.ParameterError, match="'_row' has a name that the library uses internally"):
        bp.aggregate_labels(frame, k=0, item="_row")


def test_labels_beyond_64_bits_are_text() -> None:
    frame = pl.DataFrame({**VOTES, "label": pl.Series([2**64 - 1, 2**64 - 1, 1, 1], dtype=pl.UInt64)})
    assert bp.aggregate_labels(frame, k=0)["decision"].to_list() == [str(2**64 - 1), "1"]


def test_very_many_classes_get_no_column_each() -> None:
    frame = pl.DataFrame({"task": ["t1"] * 1001, "worker": range(1001), "label": range(1001)})
    with pytest.warns(bp.BribeproofWarning, match="1,001 classes are too many"):
        found = bp.aggregate_labels(frame, k=0)
    assert found.columns[-1] == "status"


@pytest.mark.parametrize("seed", [True, 1.5, "1"])
def test_a_seed_is_a_whole_number(seed: object) -> None:
    with pytest.raises(bp.ParameterError, match="a seed is a whole number"):
        bp.aggregate_labels(pl.DataFrame(VOTES), k=0, seed=seed)  # type: ignore[arg-type]


def test_lazy_frames_stay_lazy() -> None:
    lazy = pl.LazyFrame(VOTES)
    assert isinstance(bp.aggregate_labels(lazy, k=0), pl.LazyFrame)
    relation = duckdb.from_arrow(pa.table(VOTES))
    assert isinstance(bp.aggregate_labels(relation, k=0), duckdb.DuckDBPyRelation)


@pytest.mark.parametrize("nothing", [None, float("nan")])
@pytest.mark.parametrize("kind", ["polars", "pandas", "pyarrow", "duckdb"])
def test_a_table_in_which_nobody_reports(kind: str, nothing: float | None) -> None:
    columns: dict[str, list[Any]] = {"task": ["t1", "t2"], "worker": ["a", "b"], "label": [nothing, nothing]}
    frame = FRAMES[kind](columns)
    for result in (
        bp.aggregate_labels(frame, k=0, seed=1),
        bp.aggregate_labels(frame, k=0, classes=["u", "v"]),
        bp.aggregate_votes(frame, k=0, expert=bp.Expert(0.5, 0.8, 0.1)),
        bp.aggregate_scores(frame, k=0, score="label", decimals=1),
    ):
        assert [(row["m"], row["status"]) for row in rows(result)] == [(0, "no reports")] * 2


def test_a_class_of_another_type_than_the_labels_is_refused() -> None:
    frame = pl.DataFrame({"task": ["t1"], "worker": ["a"], "label": [1]})
    with pytest.raises(bp.ParameterError, match="class 'u' is of another type than the labels, such as 1"):
        bp.aggregate_labels(frame, k=0, classes=[1, "u"])


def test_classes_are_sorted_as_numbers_before_words() -> None:
    labels = ["nan", "10", "inf", "2", "1e3"]
    frame = pl.DataFrame({"task": ["t1"] * 5, "worker": list("abcde"), "label": labels})
    with pytest.warns(bp.BribeproofWarning, match="looks like a missing code"):
        found = bp.aggregate_labels(frame, k=0)
    assert found.columns[-5:] == ["share_2", "share_10", "share_1e3", "share_inf", "share_nan"]


def test_dates_are_ids_too() -> None:
    days = pl.Series(["2026-02-12"] * 2 + ["2026-02-13"]).str.to_date()
    frame = pl.DataFrame({"task": days, "worker": ["a", "b", "a"], "score": [1.0, 2.0, 5.0]})
    assert bp.aggregate_scores(frame, k=0)["task"].to_list() == days.unique(maintain_order=True).to_list()
    assert bp.aggregate_scores(frame.to_pandas(), k=0)["estimate"].tolist() == [1.5, 5.0]


def test_a_listed_number_is_missing_even_where_it_is_infinite() -> None:
    frame = pl.DataFrame({"task": ["t1"] * 4, "worker": list("abcd"), "score": [1.0, 3.0, 0.0, float("inf")]})
    assert bp.aggregate_scores(frame, k=0, missing=(0, float("inf"))).row(0)[1:5] == (4, 2, 0, 2.0)
    finite = frame.filter(pl.col("score").is_finite())
    assert bp.aggregate_scores(finite, k=0, missing=0).row(0)[1:5] == (3, 2, 0, 2.0)  # type: ignore[arg-type]


@pytest.mark.parametrize("kind", ["pandas", "pyarrow", "polars", "polars-lazy"])
def test_a_column_may_have_an_empty_name(kind: str) -> None:
    frame = FRAMES[kind]({"": ["t1", "t2"], "J1": [1.5, 2.0], "J2": [2.5, 3.0], "J3": [1.0, 2.0]})
    assert [row["estimate"] for row in rows(bp.aggregate(frame, k=1, item="").items)] == [1.5, 2.0]


@pytest.mark.parametrize("kind", ["pandas", "pyarrow", "polars", "polars-lazy", "duckdb"])
def test_a_row_that_repeats_the_names_of_the_columns_is_refused(kind: str) -> None:
    again = {name: [*cells, name] for name, cells in VOTES.items()}
    with pytest.raises(bp.errors.DataError, match="repeats the names of the columns"):
        bp.aggregate_labels(FRAMES[kind](again), k=0)
    wide = {"task": ["t1", "task"], "Ann": ["lo", "Ann"], "Ben": ["hi", "Ben"]}
    with pytest.raises(bp.errors.DataError, match="repeats the names of the columns"):
        bp.aggregate_labels(FRAMES[kind](wide), k=0, item="task", judges=["Ann", "Ben"])
