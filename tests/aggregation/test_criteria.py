"""Several criteria of each reporter: one score each first, or each criterion first."""

import itertools
from decimal import ROUND_HALF_UP, Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pytest

import bribeproof as bp
from bribeproof.errors import DataError, ParameterError
from bribeproof.frames.native import to_polars
from bribeproof.frames.reading.saved import to_toml
from bribeproof.questions import QuestionError

JUDGES, WEIGHTS = ("J1", "J2", "J3", "J4", "J5"), {"tech": Fraction(2), "art": Fraction(1, 2)}


def marks(seed: int, entries: int = 6) -> list[tuple[str, str, str, Decimal]]:
    """Return random marks in quarter steps: entry, judge, criterion, mark."""
    draw = np.random.default_rng(seed)
    cells = itertools.product([f"E{i}" for i in range(entries)], JUDGES, WEIGHTS)
    return [(*cell, Decimal(int(draw.integers(0, 41))) / 4) for cell in cells]


def wide(rows: list[tuple[str, str, str, Decimal]]) -> pl.DataFrame:
    """Lay marks out with a column for each judge and criterion."""
    sheet: dict[str, dict[str, Any]] = {}
    for entry, judge, criterion, mark in rows:
        sheet.setdefault(entry, {"entry": entry})[f"{judge}_{criterion}"] = float(mark)
    return pl.DataFrame(list(sheet.values()))


def long(rows: list[tuple[str, str, str, Decimal]]) -> pl.DataFrame:
    """Lay marks out with a row for each."""
    table = pl.DataFrame(rows, schema=["entry", "judge", "criterion", "score"], orient="row")
    return table.with_columns(pl.col("score").cast(pl.Float64)).sample(fraction=1, shuffle=True, seed=1)


def trimmed(values: list[Fraction]) -> Fraction:
    """Return the mean without the lowest and the highest."""
    inner = sorted(values)[1:-1]
    return sum(inner, Fraction(0)) / len(inner)


def expected(rows: list[tuple[str, str, str, Decimal]], how: str) -> dict[str, float]:
    """Return the score of each entry in exact arithmetic."""
    result = {}
    for entry in dict.fromkeys(row[0] for row in rows):
        of = {(judge, criterion): Fraction(mark) for one, judge, criterion, mark in rows if one == entry}
        if how == "judge first":
            total = trimmed([sum((w * of[judge, c] for c, w in WEIGHTS.items()), Fraction(0)) for judge in JUDGES])
        else:
            total = sum((w * trimmed([of[judge, c] for judge in JUDGES]) for c, w in WEIGHTS.items()), Fraction(0))
        result[entry] = float(total)
    return result


@pytest.mark.parametrize("how", ["judge first", "each"])
@pytest.mark.parametrize("seed", range(5))
def test_both_forms_give_the_exact_score(how: str, seed: int, tmp_path: Path) -> None:
    rows, options = marks(seed), {"k": 1, "criteria": how, "criterion_weights": WEIGHTS}
    want = expected(rows, how)
    found = bp.aggregate(wide(rows), **options)  # type: ignore[arg-type]
    assert dict(zip(found.items["entry"], found.items["estimate"], strict=True)) == pytest.approx(want, rel=1e-15)
    assert (found.items["n"] == len(JUDGES)).all()
    turned = bp.aggregate(long(rows), criterion="criterion", **options).items  # type: ignore[arg-type]
    assert turned.sort("entry").equals(found.items.sort("entry"))
    wide(rows).write_csv(tmp_path / "sheet.csv")
    assert bp.aggregate(tmp_path / "sheet.csv", **options).items.equals(found.items)  # type: ignore[arg-type]
    pandas = bp.aggregate(wide(rows).to_pandas(), **options).items  # type: ignore[arg-type]
    assert isinstance(pandas, pd.DataFrame)
    assert pandas["estimate"].tolist() == found.items["estimate"].to_list()


def rated(rows: list[tuple[str, str, str, Decimal]]) -> pl.DataFrame:
    """Lay marks out with a row for each entry and judge, and a column for each criterion."""
    return long(rows).pivot("criterion", index=["entry", "judge"], values="score").sort("entry", "judge")


@pytest.mark.parametrize("how", ["judge first", "each"])
def test_a_column_for_each_criterion_and_a_row_for_each_judge(how: str, tmp_path: Path) -> None:
    rows, options = marks(7), {"k": 1, "criteria": how, "criterion_weights": WEIGHTS}
    want = bp.aggregate(wide(rows), **options).items.sort("entry")  # type: ignore[arg-type]
    sheet = rated(rows).with_columns(criterion=pl.lit("x"), score=pl.lit(1.0))  # the names of new columns are taken
    named: dict[str, Any] = options | {"criterion": ["tech", "art"]}
    sheet.write_csv(tmp_path / "sheet.csv")
    for frame in (sheet, sheet.lazy(), sheet.to_pandas(), sheet.to_arrow(), tmp_path / "sheet.csv"):
        found = bp.aggregate(frame, **named)
        assert to_polars(found.items).sort("entry").equals(want)
        assert found.recognised.values == ("tech", "art")
    by_text = bp.aggregate(tmp_path / "sheet.csv", **options | {"criterion": "tech,art"})  # type: ignore[arg-type]
    assert by_text.items.sort("entry").equals(want)
    reading = bp.recognise(sheet, criteria=how, criterion_weights=WEIGHTS, criterion=["tech", "art"])
    assert bp.aggregate(sheet, k=1, reading=reading).items.sort("entry").equals(want)
    (tmp_path / "r.toml").write_text(to_toml(reading))
    assert bp.aggregate(sheet, k=1, reading=tmp_path / "r.toml").items.sort("entry").equals(want)


def test_columns_of_criteria_are_asked_about_and_a_missing_one_is_a_missing_judge() -> None:
    sheet = rated(marks(8)).rename({"art": "body"})
    with pytest.raises(QuestionError, match="several of whom are about one item") as error:
        bp.aggregate(sheet, k=1)
    assert error.value.choices[1].options == {
        "criteria": "judge first", "reporter": "judge", "criterion": ["tech", "body"],
    }  # fmt: skip
    for choice in error.value.choices[:3]:
        options: dict[str, Any] = dict(choice.options)
        assert bp.aggregate(sheet, k=1, **options).items.height == 6
    gap = sheet.with_columns(body=pl.when(pl.col("judge") == "J1").then(None).otherwise("body"))
    options = {"criterion": ["tech", "body"], "reporter": "judge"}
    assert bp.aggregate(gap, k=1, criteria="judge first", **options).items["m"].to_list() == [4] * 6
    with pytest.raises(ParameterError, match="leave value out"):
        bp.aggregate(sheet, k=1, criteria="each", value="tech", **options)
    with pytest.raises(ParameterError, match="criterion_weights has"):
        bp.aggregate(sheet, k=1, criteria="each", criterion_weights={"tech": 1}, **options)


def test_scores_of_judges_are_exact_before_they_are_rounded() -> None:
    # (8.1 + 8.2) / 2 is 8.15, which the sum of floats misses: 8.149999999999999.
    sheet = pl.DataFrame({"entry": ["A"], **{f"J{i}_{c}": [x] for i in range(3) for c, x in (("a", 8.1), ("b", 8.2))}})
    found = bp.aggregate(sheet, k=1, criteria="judge first", decimals=1)
    assert found.items["estimate"].to_list() == [8.2]
    assert found.items["dropped_low"].to_list() == ["J0"]
    assert Decimal("8.15").quantize(Decimal("0.1"), ROUND_HALF_UP) == Decimal("8.2")


@pytest.mark.parametrize("how", ["judge first", "each"])
def test_no_bribed_person_leaves_the_range_and_some_reach_it_if_judges_are_combined_first(how: str) -> None:
    honest, told = marks(7, entries=4), []
    lies = list(itertools.product((Decimal(-1000), Decimal(1000), Decimal(5)), repeat=2))
    for liar, (number, lie) in itertools.product(JUDGES, enumerate(lies)):
        says = dict(zip(WEIGHTS, lie, strict=True))
        told += [(f"{e} {liar} {number}", j, c, says[c] if j == liar else mark) for e, j, c, mark in honest]
    options: dict[str, Any] = {"k": 1, "criteria": how, "criterion_weights": WEIGHTS}
    found = bp.aggregate(wide(told), **options).items
    for row in bp.aggregate(wide(honest), **options).items.iter_rows(named=True):
        results = found.filter(pl.col("entry").str.starts_with(f"{row['entry']} "))["estimate"].to_list()
        assert len(results) == len(JUDGES) * len(lies)
        assert row["range_low"] <= min(results) <= max(results) <= row["range_high"]
        if how == "judge first":
            assert [min(results), max(results)] == [row["range_low"], row["range_high"]]


def test_one_person_may_not_reach_the_ends_of_all_criteria_but_another_in_each_does() -> None:
    marks_of = {"a": (5, 6, 7), "b": (7, 5, 6), "c": (6, 7, 5)}
    cells = {f"J{i + 1}_{c}": [given[i]] for c, given in marks_of.items() for i in range(3)}
    sheet = pl.DataFrame({"entry": ["A"], **cells})

    def score(*changed: str) -> dict[str, Any]:
        lies = sheet.with_columns(pl.lit(0).alias(name) for name in changed)
        found = bp.aggregate(lies, k=1, criteria="each", criterion_weights=dict.fromkeys(marks_of, 1))
        return dict(found.items.row(0, named=True))

    assert (score()["range_low"], score()["estimate"], score()["range_high"]) == (15, 18, 21)
    assert score("J3_a", "J1_b", "J2_c")["estimate"] == 15
    people = ([f"{judge}_{c}" for c in some] for judge in ("J1", "J2", "J3") for some in ("abc", "ab", "ac", "bc"))
    assert min(score(*one)["estimate"] for one in people) == 16


def test_who_misses_a_criterion_is_missing_if_judges_are_combined_first() -> None:
    rows = marks(1, entries=2)
    some = [row for row in rows if row[:3] != ("E0", "J2", "art")]
    found = bp.aggregate(wide(some), k=1, criteria="judge first")
    assert found.items["m"].to_list() == [4, 5]
    assert any("reporter 'J2' on item 'E0'" in note for note in found.notes)
    without = [row for row in rows if row[:2] != ("E0", "J2")]
    assert bp.aggregate(wide(without), k=1, criteria="judge first").items.equals(found.items)
    assert bp.aggregate(wide(some), k=1, criteria="each").items["m"].to_list() == [4, 5]


def test_a_saved_reading_repeats_criteria() -> None:
    rows, weights = marks(2), ["tech=2", "art=1/2"]
    reading = bp.recognise(wide(rows), criteria="each", criterion_weights=weights)
    assert reading.describe().endswith(
        "2 criteria, each aggregated first, then combined, with the weights tech=2, art=1/2"
    )
    again = bp.aggregate(wide(rows), k=1, reading=reading)
    assert again.items.equals(bp.aggregate(wide(rows), k=1, criteria="each", criterion_weights=weights).items)


def test_the_parts_of_a_name_may_stand_in_either_order() -> None:
    rows = marks(4)
    sheet = wide(rows)
    other = sheet.rename({name: " ".join(reversed(name.split("_"))) for name in sheet.columns[1:]})
    first, second = (bp.aggregate(frame, k=1, criteria="judge first").items for frame in (sheet, other))
    assert first.equals(second)


def test_people_without_a_number_are_told_from_criteria_by_the_weights() -> None:
    sheet = pl.DataFrame(
        {"dish": ["D"], "Taste Anna": [7.5], "Look Anna": [8], "Taste Boris": [6], "Look Boris": [5.5]}
    )
    with pytest.raises(QuestionError) as asked:
        bp.aggregate(sheet, k=0)
    assert [choice.options.get("criteria") for choice in asked.value.choices[:2]] == ["judge first", "each"]
    assert asked.value.choices[0].flags[:2] == ("--criteria", "judge-first")
    with pytest.raises(QuestionError) as asked:
        bp.aggregate(sheet, k=0, criteria="each")
    weights = asked.value.choices[0].options["criterion_weights"]
    assert bp.aggregate(sheet, k=0, criteria="each", criterion_weights=weights).items["estimate"].to_list() == [6.75]  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"criteria": "both"}, ParameterError, "use one of 'judge first', 'each'"),
        ({"criteria": "each", "criterion_weights": {"tech": 0, "art": 1}}, ParameterError, "number above 0"),
        ({"criteria": "each", "criterion_weights": ["tech=1"]}, ParameterError, "the criteria are 'tech', 'art'"),
        ({"criteria": "each", "judges": ["J1_tech", "J1_art", "J2_tech"]}, DataError, "one for each reporter and"),
        ({"criteria": "each", "kind": "labels"}, ParameterError, "these are labels"),
        ({"criterion_weights": {"tech": 1}}, QuestionError, "several criteria"),
    ],
)
def test_what_does_not_fit_is_refused(options: dict[str, Any], error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        bp.aggregate(wide(marks(1)), k=1, **options)


@pytest.mark.parametrize("how", ["judge first", "each"])
def test_asked_counts_people(how: str) -> None:
    silent = wide([row for row in marks(1) if row[1] in ("J1", "J2", "J3")])
    assert bp.aggregate(silent, k=2, criteria=how).items["status"].unique().to_list() == ["not certified"]
    found = bp.aggregate(silent, k=2, criteria=how, asked=5).items
    assert found.select("n", "m", "asked", "status").unique().rows() == [(3, 3, 5, "ok")]
    with pytest.raises(DataError, match="has 3 reports, and was given to 2 reporters"):
        bp.aggregate(silent, k=0, criteria=how, asked=2)


@pytest.mark.parametrize("how", ["judge first", "each"])
def test_lazy_engines_agree(how: str) -> None:
    table = long(marks(6))
    options: dict[str, Any] = {"k": 1, "criteria": how, "criterion": "criterion", "criterion_weights": WEIGHTS}
    want = bp.aggregate(table, **options).items.sort("entry")
    for frame in (table.lazy(), duckdb.from_arrow(table.to_arrow()), table.to_arrow()):
        found = bp.aggregate(frame, **options).items
        assert to_polars(found).sort("entry").equals(want)
    sheet = duckdb.from_arrow(wide(marks(6)).to_arrow())
    del options["criterion"]
    assert to_polars(bp.aggregate(sheet, **options).items).sort("entry").equals(want)
