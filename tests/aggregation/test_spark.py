"""Spark on two threads: the collected cases, stacked into one table for each kernel, since a job costs it seconds.

Cases with options of their own are run alone; a cluster is in test_spark_cluster.py.
"""

from collections.abc import Iterable, Sequence
from typing import Any

import polars as pl
import pytest

import bribeproof as bp
from tests.aggregation.test_cases_labels import LABELS
from tests.aggregation.test_cases_scores import SCORES
from tests.aggregation.test_cases_votes import VOTES
from tests.frames.inputs import FRAMES, Columns, Row, check, expecting, lengthen, rows, widen
from tests.frames.spark_session import spark

pytestmark = [pytest.mark.spark, pytest.mark.filterwarnings("ignore::bribeproof.BribeproofWarning")]
AGGREGATES: dict[str, Any] = {"labels": bp.aggregate_labels, "votes": bp.aggregate_votes, "scores": bp.aggregate_scores}

OWN = {
    "m", "k", "positive", "estimate", "decision", "tie", "flips_needed", "additions_needed", "status",
    "range_low", "range_high", "dropped_low", "dropped_high",
}  # fmt: skip
"""Columns of an answer that depend on the reports of the item alone."""
Case = tuple[str, Columns, Sequence[Row]]
"""Name, reports and expected rows."""


def cases(parameters: Iterable[Any], k: int, *others: str) -> list[Case]:
    """The collected cases with this k and no other options than those named."""
    found = []
    for case in parameters:
        reports, call, _, expected = case.values
        if call.get("k") == k and not call.keys() - {"k", *others}:
            found.append((case.id, binary(reports, call["positive"]) if "positive" in call else reports, expected))
    assert len(found) > 2
    return found


def alone() -> list[Any]:
    """The collected cases that `cases` cannot stack: with options of their own, another k, or scores that are text."""
    collected: dict[str, list[Any]] = {"labels": LABELS, "votes": VOTES, "scores": SCORES}
    return [
        pytest.param(name, *case.values, id=f"{name} {case.id}")
        for name, parameters in collected.items()
        for case in parameters
        if case.values[1].get("k") not in (0, 1)
        or case.values[1].keys() - {"k", "positive"}
        or (name == "scores" and _holds_text(case.values[0]))
    ]


def _holds_text(marks: Columns) -> bool:
    return any(isinstance(cell, str) for judge in list(marks)[1:] for cell in marks[judge])


def binary(reports: Columns, positive: str) -> Columns:
    """Votes whose positive label is "yes" and whose other is "no"."""
    item, reporter, label = reports.values()
    return {
        "task": item,
        "worker": reporter,
        "label": [None if one is None else "yes" if str(one).strip() == positive else "no" for one in label],
    }


def stack(chosen: Iterable[Case]) -> tuple[Columns, list[Row]]:
    """One long table of the reports of all cases, each item named with its case, and what each item's row must hold."""
    table: dict[str, list[Any]] = {}
    wanted: list[Row] = []
    for name, reports, expected in chosen:
        for column, cells in zip(("task", "worker", "value"), reports.values(), strict=True):
            named = column == "task"
            table.setdefault(column, []).extend(f"{name}: {cell}" if named else cell for cell in cells)
        for row in expected:
            item = next(iter(row.values()))
            wanted.append({"task": f"{name}: {item}"} | {key: row[key] for key in row.keys() & OWN})
    return table, wanted


def same(aggregate: Any, table: Columns, **options: Any) -> dict[Any, Row]:
    """The answer of Spark by item, which must have the bits of polars'."""
    found = {row["task"]: row for row in rows(aggregate(FRAMES["pyspark"](table), **options))}
    assert found == {row["task"]: row for row in rows(aggregate(pl.DataFrame(dict(table)), **options))}
    return found


def check_items(found: dict[Any, Row], wanted: Iterable[Row]) -> None:
    """Each item's row holds what is expected of it."""
    for row in wanted:
        answer = found[row["task"]]
        for column, value in row.items():
            exact = value is None or isinstance(value, str | bool)
            assert answer[column] == (value if exact else pytest.approx(value, rel=1e-12)), (row["task"], column)


@pytest.mark.slow
@pytest.mark.parametrize(("name", "reports", "call", "warning", "expected"), alone())
def test_a_case_that_is_not_stacked(
    name: str, reports: Columns, call: dict[str, Any], warning: str | None, expected: list[Row]
) -> None:
    table = lengthen(reports, "score") if name == "scores" else reports
    with expecting(warning):
        check(AGGREGATES[name](FRAMES["pyspark"](table), **call, item=next(iter(table))), expected)


@pytest.mark.parametrize("wide", [False, True], ids=["long", "wide"])
def test_labels(*, wide: bool) -> None:
    table, wanted = stack((name, texts(reports), rows) for name, reports, rows in cases(LABELS, 0))
    options: dict[str, Any] = {"reporter": "worker", "label": "value"}
    if wide:
        table = widen(without_repeats(table))
        options = {"judges": list(table)[1:]}
    check_items(same(bp.aggregate_labels, table, k=0, **options), wanted)


def test_draws_of_labels() -> None:
    table, _ = stack((name, texts(reports), rows) for name, reports, rows in cases(LABELS, 1))
    found = same(bp.aggregate_labels, table, k=1, reporter="worker", label="value", ties="random", seed=3)
    assert any(row["tie"] and row["draw"] == row["decision"] for row in found.values())


def texts(reports: Columns) -> Columns:
    """The reports with labels as text."""
    *names, label = reports
    return {name: reports[name] for name in names} | {
        label: [None if cell is None else str(cell) for cell in reports[label]]
    }


def without_repeats(table: Columns) -> Columns:
    """The table with the first report of each reporter on each item."""
    frame = pl.DataFrame(dict(table)).unique(["task", "worker"], keep="first", maintain_order=True)
    assert frame.height == len(table["task"])
    return frame.to_dict(as_series=False)


@pytest.mark.parametrize("k", [0, 1])
def test_votes(k: int) -> None:
    chosen = [case for case in cases(VOTES, k, "positive") if case[0] != "S08"]
    table, wanted = stack(chosen)
    for row in wanted:
        row.pop("decision", None)  # it is yes or no here, and compared with polars' alone
    options: dict[str, Any] = {"vote": "value", "positive": "yes"}
    check_items(same(bp.aggregate_votes, table, k=k, **options), wanted)


def test_votes_with_an_expert_and_draws() -> None:
    table, _ = stack(case for case in cases(VOTES, 1, "positive"))
    expert = bp.Expert(prior=0.5, tpr=0.8, fpr=0.1)
    found = same(
        bp.aggregate_votes, table, k=1, vote="value", positive="yes", expert=expert, ties="random", seed=3
    )  # fmt: skip
    assert any(row["tie"] and row["decision"] for row in found.values())
    assert all(row["forecast"] is None or 0 <= row["forecast"] <= 1 for row in found.values())


@pytest.mark.parametrize("k", [0, 1])
def test_scores(k: int) -> None:
    numeric = [
        (name, lengthen(marks, "score"), rows) for name, marks, rows in cases(SCORES, k) if not _holds_text(marks)
    ]
    table, wanted = stack(numeric)
    check_items(same(bp.aggregate_scores, table, k=k, score="value"), wanted)


def test_a_wide_sheet_of_scores_as_text() -> None:
    sheet: Columns = {
        "task": ["E1", "E2", "E3"],
        "j1": ["7,25", "absent", " 1"],
        "j2": ["7,5", "8,125", "2"],
        "j3": ["9", None, "4"],
    }
    options: dict[str, Any] = {"judges": ["j1", "j2", "j3"], "missing": ("absent",), "decimal_mark": ",", "decimals": 1}
    found = same(bp.aggregate_scores, sheet, k=1, **options)
    assert [(found[item]["m"], found[item]["estimate"]) for item in sheet["task"]] == [(3, 7.5), (1, None), (3, 2.0)]


def test_refusals_name_the_place() -> None:
    conflict: Columns = {"task": ["t1"] * 3, "worker": ["w1", "w2", "w1"], "label": ["x", "y", "y"]}
    with pytest.raises(bp.DataError, match=r"(?s)(?=.*t1)(?=.*w1)"):
        rows(bp.aggregate_labels(FRAMES["pyspark"](conflict), k=0))
    marks: Columns = {"task": ["E1"] * 3, "worker": ["a", "b", "c"], "score": ["1", "2", "five"]}
    with pytest.raises(bp.DataError, match=r"(?s)(?=.*E1)(?=.*\bc\b)(?=.*five)"):
        rows(bp.aggregate_scores(FRAMES["pyspark"](marks), k=1))


def test_spark_that_knows_no_case_gets_distinct_names_and_refuses_two_columns_of_one() -> None:
    frame = FRAMES["pyspark"]({"task": ["t"] * 3, "worker": ["a", "b", "c"], "label": ["Yes", "yes", "yes"]})
    twice = frame.withColumnRenamed("label", "WORKER")
    spark().conf.set("spark.sql.caseSensitive", "false")
    try:
        with pytest.warns(bp.BribeproofWarning, match="renamed: 'share_yes_2' for 'share_yes'"):
            result = bp.aggregate_labels(frame, k=0)
        (row,) = rows(result)
        with pytest.raises(bp.DataError, match="two columns are named 'worker' and 'WORKER', which this engine"):
            bp.aggregate_labels(twice, k=0, label="WORKER")
    finally:
        spark().conf.set("spark.sql.caseSensitive", "true")
    assert (row["share_Yes"], row["share_yes_2"], row["estimate"]) == pytest.approx((1 / 3, 2 / 3, 2 / 3))
    with pytest.raises(bp.DataError, match="two columns are named 'task': give"):
        bp.aggregate_labels(frame.toDF("task", "task", "label"), k=0)


def test_spark_stays_lazy_and_runs_no_python() -> None:
    frame = FRAMES["pyspark"]({"task": ["t1"] * 2, "worker": ["a", "b"], "label": ["lo", "hi"]})
    result = bp.aggregate_labels(frame, k=0, seed=1)
    assert isinstance(result, type(frame))
    plan = str(result._jdf.queryExecution().executedPlan().toString())
    assert "Exchange hashpartitioning(_item" in plan
    assert not any(name in plan for name in ("EvalPython", "InPandas", "InArrow", "PythonUDF"))


@pytest.mark.slow
@pytest.mark.parametrize("classes", [4, 40])
def test_labels_may_hold_what_spark_takes_for_fields_and_quotes(classes: int) -> None:
    words = ["toxic", "a.b", "a`b", "I'm sorry, but I cannot.", *(f"l.{at}" for at in range(classes - 4))]
    reports = [(f"t{at // 5}", f"w{at % 5}", words[at * at % classes]) for at in range(120)]
    frame = pl.DataFrame(reports, schema=["task", "worker", "label"], orient="row")
    given = spark().createDataFrame(frame.to_arrow())
    here, there = (rows(bp.aggregate_labels(one, k=1)) for one in (frame, given))
    assert there == sorted(here, key=lambda row: str(row["task"]))
    assert rows(bp.sweep(given, [1], kind="labels").by_k) == rows(bp.sweep(frame, [1], kind="labels").by_k)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["meta.user", "work`er"])
def test_a_column_with_which_spark_cannot_compute_is_to_be_renamed(name: str) -> None:
    frame = pl.DataFrame({"task": ["t", "t", "t"], name: ["a", "b", "c"], "label": ["x", "y", "x"]})
    given = spark().createDataFrame(frame.to_arrow())
    with pytest.raises(
        bp.ColumnError, match=r"frame\.withColumnRenamed\('(meta\.user|work`er)', '(meta_user|work_er)'\)"
    ):
        bp.aggregate_labels(given, k=1, reporter=name)
    renamed = given.withColumnRenamed(name, "worker")
    assert rows(bp.aggregate_labels(renamed, k=1))[0]["decision"] == "x"
