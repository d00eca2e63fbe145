"""The expressions say what the functions for data frames say, to the last bit, and nothing else changes them."""

import math
from decimal import Decimal
from fractions import Fraction
from typing import Any, Literal

import polars as pl
import pytest
from polars.testing import assert_frame_equal

import bribeproof as bp
import bribeproof.integrations.polars
from tests.integrations.lists import ITEM, LIST, as_rows, awkward_marks, random_labels, random_marks
from tests.integrations.page import check_page

SCORES = ["estimate", "range_low", "range_high"]
COLUMN = pl.col(LIST)
ENGINES: tuple[Literal["in-memory", "streaming"], ...] = ("in-memory", "streaming")


def expressions(expression: pl.Expr) -> Any:
    """Return the namespace."""
    return expression.bp  # type: ignore[attr-defined]


@pytest.mark.parametrize("decimals", [1, 12, None])
@pytest.mark.parametrize("k", [0, 1, 2])
def test_scores_are_those_of_aggregate_scores(decimals: int | None, k: int) -> None:
    lists = random_marks(2000, 3, decimals)
    found = lists.select(ITEM, expressions(COLUMN).scores(k=k)).unnest(LIST)
    expected = bp.aggregate_scores(as_rows(lists), k=k, item=ITEM, reporter="reporter", score=LIST)
    assert_frame_equal(found, expected.select(found.columns).sort(ITEM), check_exact=True)


def test_marks_of_all_magnitudes_are_added_alike() -> None:
    lists = random_marks(2000, 4, None, magnitudes=200)
    found = lists.select(ITEM, expressions(COLUMN).scores(k=1)).unnest(LIST)
    expected = bp.aggregate_scores(as_rows(lists), k=1, item=ITEM, reporter="reporter", score=LIST)
    assert_frame_equal(found, expected.select(found.columns).sort(ITEM), check_exact=True)


def test_a_mean_of_marks_is_the_float_nearest_to_the_true_mean() -> None:
    lists = random_marks(500, 5, 2)
    found = lists.select(mean=expressions(COLUMN).trimmed_mean(k=1))["mean"].to_list()
    for marks, mean in zip(lists[LIST].to_list(), found, strict=True):
        kept = sorted(Fraction(repr(mark)) for mark in marks if mark is not None)[1:-1]
        assert mean == (float(sum(kept, Fraction()) / len(kept)) if kept else None)


@pytest.mark.parametrize("k", [0, 1, 2])
def test_labels_are_those_of_aggregate_labels(k: int) -> None:
    lists = random_labels(2000, 6)
    found = lists.select(ITEM, expressions(COLUMN).labels(k=k)).unnest(LIST)
    expected = bp.aggregate_labels(as_rows(lists), k=k, item=ITEM, reporter="reporter", label=LIST)
    assert_frame_equal(found, expected.select(found.columns).sort(ITEM), check_exact=True)
    single = lists.select(
        decision=expressions(COLUMN).decision(k=k), flips_needed=expressions(COLUMN).flips_needed(k=k)
    )
    assert_frame_equal(single, found.select("decision", "flips_needed"))


@pytest.mark.parametrize("k", [0, 1, 2])
def test_shares_are_those_of_aggregate_votes(k: int) -> None:
    lists = random_labels(2000, 7)
    found = lists.select(
        ITEM, positive=expressions(COLUMN).votes("a"), estimate=expressions(COLUMN).trimmed_share("a", k=k)
    )
    rows = as_rows(lists).with_columns(COLUMN == "a")
    expected = bp.aggregate_votes(rows, k=k, item=ITEM, reporter="reporter", vote=LIST, positive=True)
    expected = expected.select(ITEM, "positive", "estimate").sort(ITEM)
    assert_frame_equal(found, expected, check_exact=True, check_dtypes=False)


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("decimals", [1, None])
def test_lists_groups_and_windows_give_the_same_on_every_engine(
    engine: Literal["in-memory", "streaming"], decimals: int | None
) -> None:
    lists = random_marks(3000, 8, decimals)
    rows = as_rows(lists).lazy()
    whole = lists.select(ITEM, expressions(COLUMN).trimmed_mean(k=1).alias("mean"))
    grouped = expressions(COLUMN.implode()).trimmed_mean(k=1).alias("mean")
    for query in (
        lists.lazy().select(ITEM, expressions(COLUMN).trimmed_mean(k=1).alias("mean")),
        rows.group_by(ITEM).agg(grouped),
        rows.select(ITEM, grouped.over(ITEM)).unique(),
    ):
        assert_frame_equal(query.sort(ITEM).collect(engine=engine), whole, check_exact=True)


def test_a_list_counts_alone_whatever_stands_beside_it() -> None:
    lists = random_marks(8, 9, 2).vstack(random_marks(8, 10, None))
    whole = lists.select(expressions(COLUMN).scores(k=1))[LIST].to_list()
    alone = [lists[place].select(expressions(COLUMN).scores(k=1))[LIST][0] for place in range(lists.height)]
    assert whole == alone


def test_awkward_marks_are_added_as_in_a_table_of_their_own() -> None:
    lists = awkward_marks(25, 11)
    found = lists.select(ITEM, expressions(COLUMN).scores(k=1)).unnest(LIST)
    for place in range(lists.height):
        alone = bp.aggregate_scores(as_rows(lists[place]), k=1, item=ITEM, reporter="reporter", score=LIST)
        assert found.row(place) == alone.select(found.columns).row(0)


def test_columns_of_one_judge_each_become_lists() -> None:
    sheet = pl.DataFrame({"ann": [5.0, None], "ben": [6.0, 7.0], "cem": [9.5, 8.0], "dot": [9.5, 7.5]})
    means = sheet.select(mean=expressions(pl.concat_list(pl.all())).trimmed_mean(k=1))
    assert means["mean"].to_list() == [7.75, 7.5]


def test_silent_reporters_do_not_lower_k() -> None:
    marks = pl.DataFrame({LIST: [[5.0, 6.0, 9.5], [5.0, 9.5, None], [None, None, 9.5], [None], [], None]})
    found = marks.select(expressions(COLUMN).scores(k=1)).unnest(LIST)
    assert found["m"].to_list() == [3, 2, 1, 0, 0, 0]
    assert found["k"].to_list() == [1] * 6
    assert found["estimate"].to_list() == [6.0, *[None] * 5]
    assert found["status"].to_list() == ["ok", *["not certified"] * 2, *["no reports"] * 3]


def test_a_tie_is_told_as_a_tie() -> None:
    labels = pl.DataFrame({LIST: [["no", "yes"], ["yes", "no"], ["yes", "no", "yes"]]})
    found = labels.select(expressions(COLUMN).labels(k=0)).unnest(LIST)
    assert found["decision"].to_list() == [None, None, "yes"]
    assert found["tie"].to_list() == [True, True, False]
    assert found["flips_needed"].to_list() == [0, 0, 1]


@pytest.mark.parametrize(
    "dtype", [pl.Boolean, pl.Int8, pl.Float32, pl.Decimal(5, 2), pl.Enum(["0", "1"]), pl.Categorical, pl.Date]
)
def test_labels_of_every_type_come_back_as_they_are(dtype: pl.DataType) -> None:
    values = ["0", "1"] if dtype in (pl.Enum, pl.Categorical) else [0, 1]
    one = pl.Series(values, strict=False).cast(dtype)
    labels = pl.DataFrame({LIST: [one.gather([0, 1, 1])], "other": [one.gather([0, 0, 1])]})
    found = labels.select(expressions(COLUMN).decision(k=1), other=expressions(pl.col("other")).decision(k=1))
    assert found.row(0) == (one[1], one[0])


@pytest.mark.parametrize("integer", [pl.Int64, pl.UInt64])
def test_what_is_no_finite_number_is_refused(integer: pl.DataType) -> None:
    def refused(values: list[Any], dtype: Any) -> str:
        frame = pl.DataFrame({LIST: [values]}, schema={LIST: pl.List(dtype)})
        with pytest.raises(bp.DataError) as caught:
            frame.select(expressions(COLUMN).trimmed_mean(k=0))
        return str(caught.value).partition("\n")[0]

    assert refused([1.0, math.inf], pl.Float64).startswith("score inf in 'reports', [1.0, inf], is infinite")
    assert "beyond 2**53" in refused([1, 2**53 + 1], integer)
    assert "beyond 2**53" in refused([Decimal(1), Decimal(2**53 + 1)], pl.Decimal(38, 0))
    assert "String" in refused(["9.5"], pl.String)
    frame = pl.DataFrame({LIST: [[1.0, math.nan, 3.0]]})
    assert frame.select(expressions(COLUMN).scores(k=0)).unnest(LIST)["m"].item() == 2


def test_columns_without_lists_are_refused_with_the_way_out() -> None:
    marks = pl.DataFrame({"item": [1, 1], "mark": [5.0, 6.0]})
    with pytest.raises(bp.DataError, match=r"pl.col\('mark'\).implode\(\).bp"):
        marks.group_by("item").agg(expressions(pl.col("mark")).trimmed_mean(k=1))
    with pytest.raises(bp.DataError, match=r"pl.col\('mark'\).arr.to_list\(\).bp"):
        marks.select(expressions(pl.col("mark").reshape((1, 2))).trimmed_mean(k=0))


@pytest.mark.parametrize(("k", "problem"), [(-1, "negative"), (1.5, "head count"), (None, "how many")])
def test_k_is_checked_at_once(k: Any, problem: str) -> None:
    with pytest.raises(bp.ParameterError, match=problem):
        expressions(COLUMN).trimmed_mean(k=k)


def test_a_frame_without_rows_keeps_its_types() -> None:
    empty = pl.DataFrame({LIST: []}, schema={LIST: pl.List(pl.Float64)})
    found = empty.select(expressions(COLUMN).scores(k=1), labels=expressions(COLUMN).labels(k=1))
    assert empty.select(expressions(COLUMN).trimmed_share(1.0, k=1)).height == 0
    assert found.height == 0
    assert (
        found.schema
        == empty.lazy().select(expressions(COLUMN).scores(k=1), labels=expressions(COLUMN).labels(k=1)).collect_schema()
    )


def test_the_page() -> None:
    check_page("polars")
