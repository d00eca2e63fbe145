"""The macros say in SQL what the functions for data frames say, to the last bit, and refuse what those refuse."""

import tempfile
from pathlib import Path
from typing import Any

import duckdb
import polars as pl
import pytest
from polars.testing import assert_frame_equal

import bribeproof as bp
import bribeproof.integrations.polars
from bribeproof.integrations.duckdb import macros
from tests.cli.command import call
from tests.integrations.lists import ITEM, LIST, as_rows, awkward_marks, random_labels, random_marks
from tests.integrations.page import check_page

COLUMN = pl.col(LIST)


@pytest.fixture(scope="module")
def database() -> duckdb.DuckDBPyConnection:
    """A database with the macros."""
    connection = duckdb.connect(config={"threads": 2})
    connection.execute(macros())
    return connection


def ask(database: duckdb.DuckDBPyConnection, query: str, reports: pl.DataFrame) -> pl.DataFrame:
    """Return the answer to a query of a table of reports; by a file, so that pyarrow is not needed."""
    with tempfile.TemporaryDirectory() as folder:
        reports.write_parquet(path := Path(folder, "reports.parquet"))
        database.execute(f"CREATE OR REPLACE TABLE reports AS FROM '{path}'")
    answer = database.sql(query)
    return pl.DataFrame(answer.fetchall(), schema=answer.columns, orient="row", infer_schema_length=None)


def value(database: duckdb.DuckDBPyConnection, expression: str) -> Any:
    """Return the value of an expression."""
    return database.sql(f"SELECT {expression}").fetchall()[0][0]


SCORES = f"SELECT {ITEM}, unnest(bp_scores(list({LIST}), $k)) FROM reports GROUP BY {ITEM} ORDER BY {ITEM}"
LABELS = f"SELECT {ITEM}, unnest(bp_labels(list({LIST}), $k)) FROM reports GROUP BY {ITEM} ORDER BY {ITEM}"


def check_scores(database: duckdb.DuckDBPyConnection, lists: pl.DataFrame, k: int) -> None:
    rows = as_rows(lists)
    found = ask(database, SCORES.replace("$k", str(k)), rows)
    expected = bp.aggregate_scores(rows, k=k, item=ITEM, reporter="reporter", score=LIST)
    assert_frame_equal(found, expected.select(found.columns).sort(ITEM), check_exact=True)


@pytest.mark.parametrize("decimals", [1, 12, None])
@pytest.mark.parametrize("k", [0, 1, 2])
def test_scores_are_those_of_aggregate_scores(
    database: duckdb.DuckDBPyConnection, decimals: int | None, k: int
) -> None:
    check_scores(database, random_marks(1000, 3, decimals), k)


@pytest.mark.slow
@pytest.mark.parametrize("decimals", [2, None])
def test_a_hundred_thousand_groups_are_those_of_aggregate_scores(
    database: duckdb.DuckDBPyConnection, decimals: int | None
) -> None:
    check_scores(database, random_marks(100_000, 4, decimals), 1)


def test_marks_of_all_magnitudes_are_added_alike(database: duckdb.DuckDBPyConnection) -> None:
    check_scores(database, random_marks(1000, 5, None, magnitudes=200), 1)


@pytest.mark.parametrize("k", [0, 1, 2])
def test_awkward_marks_are_added_as_polars_does(database: duckdb.DuckDBPyConnection, k: int) -> None:
    lists = awkward_marks(3000, 12)
    found = ask(database, SCORES.replace("$k", str(k)), as_rows(lists))
    expected = lists.select(ITEM, COLUMN.bp.scores(k=k)).unnest(LIST)  # type: ignore[attr-defined]
    assert_frame_equal(found, expected, check_exact=True)


@pytest.mark.parametrize(
    "items", [pytest.param(1000, id="some"), pytest.param(100_000, id="many", marks=pytest.mark.slow)]
)
@pytest.mark.parametrize("k", [0, 1, 2])
def test_labels_are_those_of_aggregate_labels(database: duckdb.DuckDBPyConnection, k: int, items: int) -> None:
    rows = as_rows(random_labels(items, 6))
    found = ask(database, LABELS.replace("$k", str(k)), rows)
    expected = bp.aggregate_labels(rows, k=k, item=ITEM, reporter="reporter", label=LIST)
    assert_frame_equal(found, expected.select(found.columns).sort(ITEM), check_exact=True)


@pytest.mark.parametrize("k", [0, 1, 2])
def test_shares_are_those_of_aggregate_votes(database: duckdb.DuckDBPyConnection, k: int) -> None:
    rows = as_rows(random_labels(1000, 7))
    query = f"bp_votes(list({LIST}), 'a') AS positive, bp_trimmed_share(list({LIST}), 'a', {k}) AS estimate"
    found = ask(database, f"SELECT {ITEM}, {query} FROM reports GROUP BY {ITEM} ORDER BY {ITEM}", rows)
    rows = rows.with_columns(pl.col(LIST) == "a")
    expected = bp.aggregate_votes(rows, k=k, item=ITEM, reporter="reporter", vote=LIST, positive=True)
    assert_frame_equal(found, expected.select(found.columns).sort(ITEM), check_exact=True)


def test_each_macro_is_a_column_of_its_struct(database: duckdb.DuckDBPyConnection) -> None:
    marks, labels = "[5, 6, 9.5, 9.5, NULL]", "['a', 'b', 'a', 'a']"
    whole = value(database, f"bp_scores({marks}, 1)")
    assert whole == {"m": 4, "k": 1, "estimate": 7.75, "range_low": 5.5, "range_high": 9.5, "status": "ok"}
    names = {"trimmed_mean": "estimate", "lowest": "range_low", "highest": "range_high", "status": "status"}
    assert {name: value(database, f"bp_{name}({marks}, 1)") for name in names} == {
        name: whole[column] for name, column in names.items()
    }
    assert value(database, f"bp_decision({labels}, 1)") == "a"
    assert value(database, f"bp_flips_needed({labels}, 1)") == 1


NOTHING = {"estimate": None, "range_low": None, "range_high": None}


@pytest.mark.parametrize(
    ("marks", "m", "status"),
    [
        ("NULL", 0, "no reports"),
        ("[]", 0, "no reports"),
        ("NULL::DOUBLE[]", 0, "no reports"),
        ("[NULL]", 0, "no reports"),
        ("['nan'::DOUBLE, NULL]", 0, "no reports"),
        ("[1, 2, 'nan'::DOUBLE]", 2, "not certified"),
        ("[1, 2, NULL]", 2, "not certified"),
    ],
)
def test_lists_of_too_few_marks_have_no_numbers(
    database: duckdb.DuckDBPyConnection, marks: str, m: int, status: str
) -> None:
    assert value(database, f"bp_scores({marks}, 1)") == {"m": m, "k": 1, **NOTHING, "status": status}
    assert value(database, f"bp_status({marks}, 1)") == status


def test_lists_of_too_few_labels_have_no_decision(database: duckdb.DuckDBPyConnection) -> None:
    for labels, status in (
        ("NULL", "no reports"),
        ("[]", "no reports"),
        ("['a', 'a']", "not certified"),
        ("['a', 'b', 'c']", "no class left"),
    ):
        found = value(database, f"bp_labels({labels}, 1)")
        assert (found["decision"], found["flips_needed"], found["status"]) == (None, None, status)
        assert value(database, f"bp_trimmed_share({labels}, 'a', 2)") is None


@pytest.mark.parametrize("macro", ["bp_trimmed_mean([1, 2, 3], {})", "bp_labels(['a'], {})", "bp_status(NULL, {})"])
@pytest.mark.parametrize("k", ["-1", "NULL", "1.5", "0.5::FLOAT"])
def test_k_is_a_head_count(database: duckdb.DuckDBPyConnection, macro: str, k: str) -> None:
    with pytest.raises(duckdb.Error, match="is no head count: use 0, 1, 2"):
        value(database, macro.format(k))


def test_k_may_be_larger_than_every_list_and_a_column(database: duckdb.DuckDBPyConnection) -> None:
    assert value(database, "bp_trimmed_mean([1, 2, 3], 1000000)") is None
    found = database.sql("SELECT bp_trimmed_mean(m, k) FROM (VALUES ([1, 2, 9], 1), ([3, 2, 1], 0)) t(m, k)")
    assert found.fetchall() == [(2,), (2,)]


@pytest.mark.parametrize(
    ("marks", "problem"),
    [
        ("[1, 2, 'inf'::DOUBLE]", "a mark is infinite"),
        ("['-inf'::FLOAT, 2, 3]", "a mark is infinite"),
        ("[9007199254740993, 1, 2]", "mark 9007199254740993 is beyond 2\\^53"),
        ("[9007199254740993, 1, 2]::DECIMAL(38, 0)[]", "mark 9007199254740993 is beyond 2\\^53"),
        ("[-9007199254740993, 1, 2]::BIGNUM[]", "mark -9007199254740993 is beyond 2\\^53"),
        ("['seven', '8', '9']", "Could not convert string 'seven'"),
    ],
)
def test_what_is_no_finite_number_is_refused(database: duckdb.DuckDBPyConnection, marks: str, problem: str) -> None:
    with pytest.raises(duckdb.Error, match=problem):
        value(database, f"bp_trimmed_mean({marks}, 1)")


def test_numbers_of_every_type_are_marks(database: duckdb.DuckDBPyConnection) -> None:
    for kind in ("TINYINT", "UBIGINT", "HUGEINT", "FLOAT", "DECIMAL(9, 3)", "VARCHAR"):
        assert value(database, f"bp_trimmed_mean([7, 1, 2]::{kind}[], 1)") == 2
    for kind in ("DOUBLE", "BOOLEAN", "DATE", "VARCHAR"):
        text = "'2026-01-02'" if kind == "DATE" else "'1'"
        assert value(database, f"bp_decision([{text}, NULL, {text}]::{kind}[], 0) = {text}::{kind}")
    assert value(database, "bp_labels(['nan', 'nan', 'b'], 0)")["decision"] == "nan"


def test_columns_may_be_called_like_the_names_in_the_macros(database: duckdb.DuckDBPyConnection) -> None:
    names = ("k", "m", "grid", "sorted", "counts", "label", "marks", "reports", "names", "leaders")
    for name in names:
        query = f"SELECT bp_trimmed_mean({name}, 1) AS mean, bp_votes({name}, x) AS votes FROM (VALUES ([1, 2, 9], 2)) "
        assert database.sql(f"{query} t({name}, x)").fetchall() == [(2, 1)]


def test_windows_and_groups(database: duckdb.DuckDBPyConnection) -> None:
    marks = pl.DataFrame({"entry": ["e"] * 3, "mark": [0.3, 0.1, 0.2]})
    mean = "bp_trimmed_mean(list(mark) OVER (PARTITION BY entry), 1)"
    assert ask(database, f"SELECT {mean} AS mean FROM reports", marks)["mean"].to_list() == [0.2] * 3


def test_the_command_prints_them() -> None:
    printed = call("sql", "duckdb")
    assert (printed.status, printed.out, printed.err) == (0, macros(), "")
    wrapped = call("sql", "dbt").out
    assert wrapped == "{% macro bribeproof() %}\n" + macros() + "{% endmacro %}\n"
    assert "{" not in macros()


def test_the_page() -> None:
    check_page("duckdb")
