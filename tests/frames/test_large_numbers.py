"""Whole numbers beyond 2^53: every form of a table keeps them apart, or refuses them in the same words."""

import re
from collections.abc import Callable, Sequence
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import bribeproof as bp
from bribeproof._warnings import record_notes, record_warnings
from bribeproof.attacks.from_frame import read_matrix
from bribeproof.frames.gold_labels import read_truths
from bribeproof.frames.out_of_core import scan_table
from bribeproof.frames.schema import ReportSchema
from bribeproof.frames.values.float_limit import LIMIT, MAY_BE_LARGE, float_holds
from tests.frames.inputs import EACH_KIND, FRAMES, UNORDERED, give, rows

DECIMAL = pl.Decimal(38, 2)
FAR = [1000000000000000003, 1000000000000000001, 1000000000000000002]
"""Three scores that are one float."""
NEAR = [9007199254740993, 9007199254740992, 9007199254740993]
"""Two labels that are one float."""
HELD = [2**60 + 256, 2**60 - 256, 2**60]
"""Scores that are floats."""


def _table(values: Any) -> dict[str, Any]:
    return {"task": ["t"] * len(values), "worker": [f"o{i + 1}" for i in range(len(values))], "score": values}


def _decimals(values: Sequence[int]) -> list[Decimal]:
    return [Decimal(value) for value in values]


def _duckdb(values: Sequence[int], kind: str) -> Any:
    import duckdb

    cells = ", ".join(f"('t', 'o{i + 1}', CAST('{value}' AS {kind}))" for i, value in enumerate(values))
    return duckdb.connect().sql(f"SELECT * FROM (VALUES {cells}) AS t(task, worker, score)")


TYPED: dict[str, Callable[[Sequence[int]], Any]] = {
    "polars-uint64": lambda values: pl.DataFrame(_table(pl.Series(values, dtype=pl.UInt64))),
    "polars-int128": lambda values: pl.LazyFrame(_table(pl.Series(values, dtype=pl.Int128))),
    "polars-decimal": lambda values: pl.DataFrame(_table(pl.Series(_decimals(values), dtype=DECIMAL))),
    "polars-text": lambda values: pl.DataFrame(_table([f"{value}.0" for value in values])),
    "polars-exponent": lambda values: pl.DataFrame(_table([f"{Decimal(value):.20e}" for value in values])),
    "polars-object": lambda values: pl.DataFrame(_table(pl.Series(values, dtype=pl.Object))),
    "pandas-uint64": lambda values: pd.DataFrame(_table(pd.array(values, dtype="uint64"))),
    "pandas-decimal": lambda values: pd.DataFrame(_table(_decimals(values))),
    "pandas-mixed": lambda values: pd.DataFrame(_table([Decimal(values[0]), *values[1:]]), dtype=object),
    "pandas-category": lambda values: pd.DataFrame(_table(pd.Series(values).astype("category"))),
    "pyarrow-decimal": lambda values: pa.table(_table(pa.array(_decimals(values), pa.decimal128(38, 2)))),
    "pyarrow-decimal256": lambda values: pa.table(_table(pa.array(_decimals(values), pa.decimal256(60, 2)))),
    "duckdb-ubigint": lambda values: _duckdb(values, "UBIGINT"),
    "duckdb-hugeint": lambda values: _duckdb(values, "HUGEINT"),
    "duckdb-decimal": lambda values: _duckdb(values, "DECIMAL(38, 2)"),
}
FORMS = [*EACH_KIND, *TYPED]
SOME_FORMS = [*EACH_KIND, "polars-decimal", "pandas-decimal", "pandas-mixed", "duckdb-decimal"]
"""Those that go different ways when no number is refused."""


def make(form: str, values: Sequence[int], folder: Path) -> Any:
    """One item with a number of each reporter."""
    return TYPED[form](values) if form in TYPED else give(form, _table(values), folder)


@pytest.mark.parametrize("form", FORMS)
def test_scores_that_a_float_does_not_hold_are_compared_exactly(form: str, tmp_path: Path) -> None:
    with record_warnings() as said, record_notes() as noted:
        (row,) = rows(bp.aggregate_scores(make(form, FAR, tmp_path), 1))
    assert (row["dropped_low"], row["dropped_high"]) == ("o2", "o1")
    assert row["estimate"] == row["range_low"] == row["range_high"] == float(FAR[2])
    assert any("less 1,000,000,000,000,000,000 each" in one for one in (*said, *noted))


@pytest.mark.parametrize("form", SOME_FORMS)
def test_scores_that_floats_do_not_hold_and_no_offset_brings_near_are_refused(form: str, tmp_path: Path) -> None:
    with pytest.raises(bp.DataError) as refusal:
        bp.aggregate_scores(make(form, [*FAR[:2], 5], tmp_path), 1)
    place = "" if form.partition("-")[0] in UNORDERED else r"[a-z]+ \d.*: "
    refusal.match(
        rf"^{place}score 1[0-9.e+]+ of reporter 'o\d' on item 't' is beyond 2\*\*53 = 9007199254740992, and would "
        rf"be rounded to 1e\+18: subtract a common offset from all scores, or list it as missing"
    )


@pytest.mark.parametrize("form", SOME_FORMS)
def test_large_scores_that_a_float_holds_are_computed(form: str, tmp_path: Path) -> None:
    (row,) = rows(bp.aggregate_scores(make(form, HELD, tmp_path), 1))
    assert (row["estimate"], row["dropped_low"], row["dropped_high"]) == (float(2**60), "o2", "o1")


@pytest.mark.parametrize("form", [form for form in FORMS if form != "polars-exponent"])
def test_labels_that_are_one_float_stay_apart(form: str, tmp_path: Path) -> None:
    (row,) = rows(bp.aggregate_labels(make(form, NEAR, tmp_path), 0, label="score"))
    assert (str(row["decision"]), row["estimate"], row["flips_needed"]) == ("9007199254740993", 2 / 3, 1)


@pytest.mark.parametrize("kind", EACH_KIND)
def test_conflicting_repeats_that_are_one_float_are_not_the_same(kind: str, tmp_path: Path) -> None:
    repeats = give(kind, {"task": ["t", "t"], "worker": ["w", "w"], "score": NEAR[:2]}, tmp_path)
    with pytest.raises(bp.DataError, match=r"more than once, and not the same \(first 900719925474099[23]\)"):
        bp.aggregate_scores(repeats, 0)
    with pytest.raises(bp.DataError, match="more than once, and not the same"):
        bp.aggregate_labels(repeats, 0, label="score")


@pytest.mark.parametrize("kind", ["csv", "parquet"])
def test_a_file_in_chunks_is_read_like_the_others(kind: str, tmp_path: Path) -> None:
    for values in (FAR, NEAR, HELD):
        give(kind, _table(values), tmp_path)
        with scan_table(tmp_path / f"table.{kind}", in_memory=8, size=20) as table:
            if values is NEAR:
                (row,) = rows(bp.aggregate_labels(table, 0, label="score"))
                assert (str(row["decision"]), row["estimate"]) == ("9007199254740993", 2 / 3)
            elif values is HELD:
                (row,) = rows(bp.aggregate_scores(table, 1))
                assert (row["estimate"], row["dropped_low"], row["dropped_high"]) == (float(2**60), "o2", "o1")
            else:
                (row,) = rows(bp.aggregate_scores(table, 1))
                assert (row["estimate"], row["dropped_low"], row["dropped_high"]) == (1e18, "o2", "o1")


def test_labels_of_a_file_in_chunks_are_one_class_where_they_are_one_number(tmp_path: Path) -> None:
    path = tmp_path / "votes.csv"
    votes = "".join(f"t,o{i},{1 if i < 50 else '1.0'}\n" for i in range(99))
    path.write_text(f"task,worker,label\n{votes}")
    with scan_table(path, in_memory=8, size=20) as table, record_warnings() as messages:
        (row,) = rows(bp.aggregate_votes(table, 0))
    assert (row["m"], row["estimate"], messages) == (99, 1.0, ["spellings of one label: '1', '1.0'"])


WIDE: dict[str, list[Any]] = {"task": ["a", "b"], "o1": [FAR[0], 1], "o2": [5.0, None], "o3": [7, 8]}
"""The large score is in a column of whole numbers, another column holds floats."""
EACH_WIDE = ["polars-lazy", "pandas", pytest.param("duckdb", marks=pytest.mark.slow), "parquet", "csv"]


@pytest.mark.parametrize("kind", EACH_WIDE)
def test_columns_of_whole_numbers_and_of_floats(kind: str, tmp_path: Path) -> None:
    def table() -> Any:
        return give(kind, WIDE, tmp_path)

    with pytest.raises(bp.DataError, match=r"score 1000000000000000003 of reporter 'o1' on item 'a' is beyond 2\*\*53"):
        bp.aggregate_scores(table(), 0, judges=["o1", "o2", "o3"])
    with record_warnings():
        aside = rows(bp.aggregate_scores(table(), 1, judges=["o1", "o2", "o3"], faulty="set aside"))[0]
        taken = rows(bp.aggregate_scores(table(), 0, judges=["o1", "o2", "o3"], missing=[FAR[0]]))[0]
        labels = rows(bp.aggregate_labels(table(), 0, judges=["o1", "o2", "o3"]))[0]
    assert (aside["set_aside"], aside["m"], aside["range_high"]) == (1, 2, 7.0)
    assert (taken["m"], taken["estimate"]) == (2, 6.0)
    assert labels["share_1000000000000000003"] == 1 / 3


@pytest.mark.parametrize(
    ("values", "missing", "left"),
    [
        ([2**63 - 1, 5, 7], [2**63 - 1], 2),
        ([-(2**63), 5, 7], [-(2**63)], 2),
        ([2**64 - 1, 5, 7], [2**64 - 1], 2),
        ([f"{2**53 + 1}.0", "5", "7"], [2**53 + 1], 2),
        ([2**53, 5, 7], [2**53 + 1], 3),
        ([float(2**53), 5.0, 7.0], [2**53 + 1], 3),
    ],
)
def test_missing_codes_beyond_the_limit_are_compared_exactly(values: list[Any], missing: list[int], left: int) -> None:
    with record_warnings():
        (row,) = rows(bp.aggregate_scores(pl.DataFrame(_table(values)), 0, missing=missing))
    assert row["m"] == left


def test_small_decimals_are_ordinary_scores_and_labels() -> None:
    marks = [Decimal("0.1"), Decimal("2.50"), Decimal("3")]
    for kind in ("polars", "pandas", "duckdb"):
        table = FRAMES[kind](_table(marks))
        (scores,) = rows(bp.aggregate_scores(table, 1))
        (labels,) = rows(bp.aggregate_labels(table, 0, label="score"))
        assert (scores["estimate"], scores["range_low"], scores["range_high"]) == (2.5, 0.1, 3.0)
        assert [labels[f"share_{label}"] for label in ("0.1", "2.5", "3.0")] == [1 / 3] * 3


def test_decimal_labels_of_many_digits_stay_apart() -> None:
    labels = [Decimal("0.12345678901234567890"), *[Decimal("0.12345678901234567891")] * 2]
    for kind in ("polars", "pandas", "pyarrow"):
        (row,) = rows(bp.aggregate_labels(FRAMES[kind](_table(labels)), 0, label="score"))
        assert (row["decision"], row["estimate"]) == ("0.12345678901234567891", 2 / 3)


def test_a_float_is_read_however_it_is_printed() -> None:
    draw = np.random.default_rng(5)
    for number in (draw.uniform(1, 10, 2000) * 10.0 ** draw.integers(14, 300, 2000)).tolist():
        for printed in (repr(number), f"{number:.16e}", f"{number:.18e}", f"{number:.25E}", f"{number:.0f}"):
            assert float_holds(printed) or "e" not in printed.lower()
        assert float_holds(f"{int(number)}.00")


def test_a_whole_number_is_read_if_a_float_is_that_number() -> None:
    draw = np.random.default_rng(6)
    for bits in draw.integers(50, 71, 2000).tolist():
        number = (-1) ** (bits % 2) * (int.from_bytes(draw.bytes(9), "little") >> (72 - bits))
        exact = abs(number) <= 2**53 or Fraction(float(number)) == number
        scientific = f"{Decimal(number):.30e}"
        shifted = [f"{Decimal(number).scaleb(-places)}e{places}" for places in range(20)]
        assert abs(number) <= LIMIT or all(
            re.search(MAY_BE_LARGE, text) for text in (str(number), scientific, *shifted)
        )
        assert [float_holds(text) for text in (str(number), f"{number}.0", f"00{abs(number)}")] == [exact] * 3
        assert float_holds(scientific) == exact


def test_classes_are_never_rounded() -> None:
    table = pl.DataFrame(_table(NEAR))
    for classes in ((NEAR[1], NEAR[0]), (float(NEAR[1]), NEAR[0]), ("9007199254740992", "9007199254740993")):
        (row,) = rows(bp.aggregate_labels(table, 0, label="score", classes=classes))
        assert (row["decision"], row["estimate"]) == (NEAR[0], 2 / 3)
    floats = pl.DataFrame(_table([1.0, 1.5]))
    for other, classes, kind in ((table, (1.5, 1), NEAR[1]), (floats, (1.5, NEAR[0]), "1.0")):
        with pytest.raises(bp.ParameterError, match=f"is of another type than the labels, such as [{kind}]"):
            bp.aggregate_labels(other, 0, label="score", classes=classes)


def test_class_order_is_by_value_where_two_classes_are_one_float() -> None:
    texts = ["10000000000000000000000", "9999999999999999999999"]
    (row,) = rows(bp.aggregate_labels(pl.DataFrame(_table(texts)), 0, label="score", ties="first"))
    assert row["decision"] == texts[1]


@pytest.mark.parametrize(
    ("truth", "expected"),
    [
        ({"t1": 2**53 + 1, "t2": 1.5}, ["9007199254740993", "1.5"]),
        ({"t1": 2**63, "t2": -1}, ["9223372036854775808", "-1"]),
        ({"t1": Decimal(2**53 + 1), "t2": Decimal(1)}, [2**53 + 1, 1]),
        ({"t1": 1.0, "t2": 2}, [1, 2]),
        ({"t1": True, "t2": False}, [1, 0]),
        ({"t1": 1, "t2": "cat"}, ["1", "cat"]),
    ],
)
def test_truths_are_never_rounded(truth: dict[str, Any], expected: list[Any]) -> None:
    assert read_truths(truth, None, "task", "label")["_value"].to_list() == expected


def test_items_of_truths_are_never_rounded() -> None:
    truths = read_truths({2**53 + 1: "c", 1.5: "d", 2**53: "e"}, None, "task", "label")
    assert truths.rows() == [("9007199254740993", "c"), ("1.5", "d"), ("9007199254740992", "e")]


def test_a_true_score_that_a_float_does_not_hold_is_refused() -> None:
    scores = pl.DataFrame({"task": ["t"] * 3, "worker": ["a", "b", "c"], "score": [1, 2, 3]})
    with pytest.raises(bp.DataError, match=r"the truth of item 't' is 9007199254740993, which is beyond 2\*\*53"):
        read_matrix(scores, "scores", ReportSchema(value="score"), truth={"t": 2**53 + 1}, gold_items=None)


@pytest.mark.parametrize("asked", [2**64 - 1, 2**40])
def test_a_count_of_reporters_beyond_all_bounds_is_refused(asked: int) -> None:
    votes = {"task": ["t"], "worker": ["a"], "label": [1], "given": pl.Series([asked], dtype=pl.UInt64)}
    with pytest.raises(bp.DataError, match=f"asked is '{asked}' for item 't'"):
        bp.aggregate_votes(pl.DataFrame(votes), 0, asked="given")


def test_ids_beyond_the_limit_stay_apart() -> None:
    large = [2**53, 2**53 + 1, 2**64, 2**64 + 1]
    for dtype in (pl.Int128, pl.Decimal(38, 0), pl.Object):
        ids = pl.Series(large if dtype != pl.Decimal(38, 0) else _decimals(large), dtype=dtype)
        frame = pl.DataFrame({"task": ids, "worker": ids, "label": ["a", "b", "a", "b"]})
        for table in (frame, frame.lazy()) if dtype != pl.Object else (frame, frame.to_pandas()):
            with record_warnings() as messages:
                found = rows(bp.aggregate_labels(table, 0))
            assert [(str(row["task"]), row["n"], row["m"], row["decision"]) for row in found] == [
                (str(number), 4, 1, label) for number, label in zip(large, "abab", strict=True)
            ]
            assert messages == []


def test_ids_and_labels_that_are_large_floats_are_warned_about() -> None:
    frame = pl.DataFrame({"task": [1e18, 1e18], "worker": [2.0**53, 2.0], "label": [1.0, 2.0**60]})
    with record_warnings() as messages:
        bp.aggregate_labels(frame, 0)
    assert [message.partition(", where")[0] for message in messages] == [
        f"{what} are floats, and some are beyond 2**53 = 9007199254740992, such as {number}"
        for what, number in (
            ("items", "1e+18"),
            ("reporters", "9007199254740992.0"),
            ("labels", "1.152921504606847e+18"),
        )
    ]


def test_large_scores_of_several_items(tmp_path: Path) -> None:
    """Each estimate, range and dropped reporter is that of whole numbers, rounded once."""
    draw = np.random.default_rng(3)
    for start in (10**18, -(10**18), 2**53 - 3, 5 * 10**15):
        values = [[start + int(draw.integers(0, 10**6)) for _ in range(5)] for _ in range(4)]
        sheet = pl.DataFrame({"entry": list("abcd"), **{f"j{j}": [row[j] for row in values] for j in range(5)}})
        result = bp.aggregate(sheet, 1).items
        for row, scores in zip(result.iter_rows(named=True), values, strict=True):
            ordered = sorted(scores)
            ends = [Fraction(sum(ordered[low : low + 3]), 3) for low in range(3)]
            found = [row["range_low"], row["estimate"], row["range_high"]]
            assert found == pytest.approx([float(one) for one in ends], rel=2**-52, abs=0)
            assert scores[int(row["dropped_low"][1])] == ordered[0]
            assert scores[int(row["dropped_high"][1])] == ordered[-1]
        sheet.write_csv(tmp_path / "sheet.csv")
        assert bp.aggregate(tmp_path / "sheet.csv", 1).items["estimate"].to_list() == result["estimate"].to_list()
        swept = bp.sweep(sheet, kind="scores", item="entry", judges=[f"j{j}" for j in range(5)])
        assert swept.items is not None
    with pytest.raises(bp.DataError, match="beyond"):
        bp.aggregate(pl.DataFrame({"entry": ["a"], "j1": [FAR[0]], "j2": [FAR[1]]}), 0, scale=(0, 2e18))
