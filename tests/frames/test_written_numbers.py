"""Scores as people write them are read where that is certain, said in a note, and refused with the reason otherwise."""

from datetime import date
from fractions import Fraction
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import bribeproof as bp
from bribeproof._warnings import record_warnings
from bribeproof.frames.values.written_numbers import describe_date, parse
from tests.cli.command import call
from tests.frames.inputs import SOME_KINDS, check, give, rows

LONG: dict[str, Any] = {"item": "entry", "reporter": "judge", "score": "score"}


def _each(*kinds: str) -> list[Any]:
    """Kinds of tables, of which the first is tested by default, and the others where there is time."""
    return [kinds[0], *(pytest.param(kind, marks=pytest.mark.slow) for kind in kinds[1:])]


def _table(*scores: str) -> dict[str, list[Any]]:
    return {"entry": ["q"] * len(scores), "judge": [f"j{i}" for i in range(len(scores))], "score": list(scores)}


def _read(*scores: str, **options: Any) -> tuple[float | None, list[str]]:
    """The mean of some scores, and what was said."""
    with record_warnings() as messages:
        (row,) = rows(bp.aggregate_scores(pl.DataFrame(_table(*scores)), 0, **LONG, **options))
    return row["estimate"], messages


def _refusal(*scores: str, **options: Any) -> str:
    with pytest.raises(bp.DataError) as caught:
        bp.aggregate_scores(pl.DataFrame(_table(*scores)), 0, **LONG, **options)
    return str(caught.value)


FRACTIONS = {
    "entry": ["q1"] * 5 + ["q2"] * 5,
    "judge": list("abcde") * 2,
    "score": ["8/10", "7/10", "2/10", "2/10", "9/10", "6/10", "7/10", "6.5/10", "9/10", "6/10"],
}
OF_TEN = [
    {"entry": "q1", "estimate": 17 / 3, "range_low": 11 / 3, "range_high": 8.0},
    {"entry": "q2", "estimate": 6.5, "range_low": 37 / 6, "range_high": 7.5},
]


@pytest.mark.parametrize("kind", SOME_KINDS)
def test_fractions_of_ten_on_every_engine(kind: str, tmp_path: Path) -> None:
    result = bp.aggregate(give(kind, FRACTIONS, tmp_path), k=1)
    check(result.items, OF_TEN)
    assert "read as numbers: fractions of 10, such as '2/10' as 2 (10 reports)" in result.notes


def test_fractions_in_chunks_and_on_the_command_line(tmp_path: Path) -> None:
    path = tmp_path / "scores.csv"
    pl.DataFrame(FRACTIONS).write_csv(path)
    with bp.scan_table(path, in_memory=8, size=40) as table:
        check(bp.aggregate_scores(table, 1, **LONG).collect(), OF_TEN)
    found = call("aggregate", path, "--k", 1)
    assert "fractions of 10, such as '2/10' as 2 (10 reports)" in found.err
    assert "5.667" in found.out


def test_wide_form_is_read_alike() -> None:
    wide = pl.DataFrame({"entry": ["q1", "q2"], "a": ["7½", "1 250,5"], "b": ["7,5", "−2"], "c": ["６", "8"]})
    check(
        bp.aggregate_scores(wide, 0, item="entry", judges=["a", "b", "c"]),
        [{"entry": "q1", "estimate": 7.0}, {"entry": "q2", "estimate": 1256.5 / 3}],
    )


@pytest.mark.parametrize("kind", _each("polars", "duckdb", "pandas", "pyarrow", "csv"))
@pytest.mark.parametrize(
    ("scores", "mean", "said"),
    [
        (("6: accept weakly", "8: accept", "6: accept weakly", "4"), 6.0, "labels after the number"),
        (("6 - accept weakly", "8 (accept)"), 7.0, "labels after the number"),
        (("10: Top 5% of papers, accept", "8: Top 50% of papers"), 9.0, "labels after the number"),
        (("7½", "8"), 7.75, "vulgar fractions"),
        (("7 ¼", "-½"), 3.375, "vulgar fractions"),
        (("7 1/2", "8"), 7.75, "vulgar fractions"),
        (("1 250,5", "7,5"), 629.0, "thousands separators"),
        (("1\u202f250", "750"), 1000.0, "thousands separators"),
        (("1'250.5", "2\u2019250.5"), 1750.5, "thousands separators"),
        (("1,250.5", "1,250", "3.5"), 2504 / 3, "thousands separators"),
        (("1.250,5", "1.250.000", "1.250"), 1252500.5 / 3, "thousands separators"),
        (("1,250,000", "0"), 625000.0, "thousands separators"),
        (("\u22125", "\u20133", "2"), -2.0, "dashes as minus signs"),
        (("\uff17\uff0e\uff15", "8"), 7.75, "full-width characters"),
        (("7\u200b", "\u200e8"), 7.5, "invisible characters"),
        (("8 out of 10", "6,5 / 10"), 7.25, "fractions of 10"),
        (("85\u00a0%", "90%"), 87.5, None),
        (("0,125", "0,250"), 0.1875, None),
        (("85 %", "90%"), 87.5, None),
    ],
)
def test_what_is_certain_is_read_and_said(
    kind: str, scores: tuple[str, ...], mean: float, said: str | None, tmp_path: Path
) -> None:
    with record_warnings() as messages:
        check(bp.aggregate_scores(give(kind, _table(*scores), tmp_path), 0, **LONG), [{"estimate": mean}])
    notes = [message for message in messages if message.startswith("read as numbers")]
    assert [note.split(": ")[1].split(",")[0] for note in notes] == [said] * bool(said)


@pytest.mark.parametrize(
    ("scores", "named", "reason"),
    [
        (("1,250", "3"), "'1,250'", "may be 1.250 or 1250: give decimal_mark=',' (--decimal ,)"),
        (("1,250", "7.5"), "'1,250'", "may be 1.250 or 1250"),
        (("7,5", "1.250", "8,5"), "'1.250'", "may be 1250 or 1.250"),
        (("8/10", "7/10", "4/5"), "'4/5'", "one of the fractions of 5, but others are fractions of 10"),
        (("8/10", "7/10", "4"), "'4'", "is no fraction of 10 like the others"),
        (("8", "7", "4/5"), "'4/5'", "one of the fractions of 5, but others are plain numbers"),
        (("8/10", "12/10"), "'12/10'", "is not between 0 and the whole, 10"),
        (("6: accept", "6: accept", "6: reject"), "'6: reject'", "in more cells 6 is 'accept'"),
        (("6: accept", "6: accept", "7: accept"), "'7: accept'", "in more cells that is 6"),
        (("5", "05-May"), "'05-May'", "a spreadsheet may have turned 5/5 or 5.5"),
        (("5", "2024-05-06"), "'2024-05-06'", "turned 5/6, 6/5, 5.6 or 6.5"),
        (("5", "06.05.2024 00:00"), "'06.05.2024 00:00'", "is a date"),
        (("5", "3. Mai"), "'3. Mai'", "is a date"),
        (("5", "Aug-10"), "'Aug-10'", "turned 8/10, 10/8"),
        (("5", "6:30"), "'6:30'", "is a time"),
        (("5", "1 25"), "'1 25'", "is not a number"),
        (("5", "1,25,0"), "'1,25,0'", "is not a number"),
        (("5", "7 - 9"), "'7 - 9'", "is not a number"),
        (("5", "8/0"), "'8/0'", "is not a number"),
        (("5.5", "6.5", "7,5"), "'7,5'", "is not a number (decimal mark '.')"),
        (("1.250,5", "1.250"), "'1.250,5'", "give decimal_mark=',' (--decimal ,) if it is 1250.5"),
    ],
)
def test_what_is_not_certain_is_refused_with_the_cell(scores: tuple[str, ...], named: str, reason: str) -> None:
    message = _refusal(*scores)
    assert f"score {named} of reporter" in message
    assert reason in message


@pytest.mark.parametrize("kind", _each("polars", "pandas", "pandas-object", "pyarrow", "duckdb", "parquet"))
def test_a_column_of_dates_is_refused_as_such(kind: str, tmp_path: Path) -> None:
    table = _table("", "") | {"score": [date(2024, 5, 6), date(2024, 7, 8)]}
    with pytest.raises(bp.DataError, match=r"column 'score' holds .* a spreadsheet may have turned scores such as 5/6"):
        bp.aggregate_scores(give(kind, table, tmp_path), 0, **LONG)


def test_the_decimal_mark_decides() -> None:
    assert _read("1,250", "3", decimal_mark=",")[0] == 2.125
    assert _read("1,250", "3", decimal_mark=".")[0] == 626.5
    assert _read("1.250", "3", decimal_mark=",")[0] == 626.5
    assert _read("1.250", "3")[0] == 2.125
    assert "decimal mark ','" in _refusal("7.5", "3", decimal_mark=",")


@pytest.mark.parametrize("bribed", ["3/7", "5%", "1,250,000", "1.250,5", "05-May", "6: x"])
@pytest.mark.parametrize("honest", [("8/10", "7/10", "9/10"), ("7.250", "8.125", "9.375"), ("80%", "70%", "90%")])
def test_one_cell_does_not_change_how_the_others_are_read(honest: tuple[str, ...], bribed: str) -> None:
    with record_warnings():
        (row,) = rows(bp.aggregate_scores(pl.DataFrame(_table(*honest, bribed)), 1, **LONG, faulty="set aside"))
    plain = [float(score.strip("%").removesuffix("/10")) for score in honest]
    if row["set_aside"]:
        assert (row["set_aside"], row["estimate"]) == (1, pytest.approx(sum(plain) / 3))


def test_what_most_people_write_is_a_question_and_no_fault() -> None:
    assert "may be 1.250 or 1250" in _refusal("1,250", "1,500", "3", faulty="set aside")


@given(st.text(max_size=40))
@settings(max_examples=500, deadline=None)
def test_any_text_is_read_or_refused(text: str) -> None:
    number = parse(text)
    describe_date(text)
    for mark in ".,":
        plain = None if number is None else number.plain(mark)
        assert plain is None or Fraction(plain) is not None


NUMBERS = st.sampled_from(list("0123456789.,-+ /%½'\u2212\uff17\u202feE:a(")).flatmap(
    lambda first: st.text(alphabet="0123456789.,-+ /%½'\u2212\uff17\u202feE:a()", max_size=8).map(
        lambda rest: first + rest
    )
)


@given(st.lists(NUMBERS, min_size=1, max_size=4))
@settings(max_examples=30, deadline=None)
def test_any_column_is_read_or_refused(scores: list[str]) -> None:
    try:
        _read(*scores)
    except bp.DataError as error:
        assert "score " in str(error)


PARTS = {
    "": Fraction(0), "¼": Fraction(1, 4), "½": Fraction(1, 2), "¾": Fraction(3, 4), "⅓": Fraction(1, 3),
    "⅔": Fraction(2, 3), "⅕": Fraction(1, 5), "⅙": Fraction(1, 6), "⅛": Fraction(1, 8), "⅞": Fraction(7, 8),
}  # fmt: skip


@given(
    st.integers(-(10**6), 10**9),
    st.sampled_from(list(PARTS)),
    st.sampled_from(["-", "\u2212", "\u2013", "\uff0d"]),
)
@settings(max_examples=200, deadline=None)
def test_the_value_is_that_of_the_fraction(whole: int, part: str, minus: str) -> None:
    exact = (abs(whole) + PARTS[part]) * (-1 if whole < 0 else 1)
    written = parse(f"{minus * (whole < 0)}{abs(whole)}{part}")
    assert written is not None
    assert float(written.plain(".") or "") == float(exact)


@given(
    st.fractions(0, 10**7, max_denominator=1000), st.sampled_from([" ", "\u00a0", "\u202f", "'", "\u2019", ",", "."])
)
@settings(max_examples=200, deadline=None)
def test_thousands_are_read_exactly(value: Fraction, separator: str) -> None:
    mark = "," if separator == "." else "."
    cents = round(value * 100)
    text = f"{cents // 100:,}".replace(",", separator) + f"{mark}{cents % 100:02d}"
    written = parse(text)
    assert written is not None
    assert Fraction(written.plain(mark) or "") == Fraction(cents, 100)


def test_scores_without_a_name_that_says_so_are_a_question() -> None:
    sheet = pl.DataFrame({"entry": ["E1", "E2"], "Anna": ["8/10", "7/10"], "Boris": ["9/10", "6/10"]})
    with pytest.raises(bp.DataError, match=r"may be scores or labels: use kind=.scores."):
        bp.aggregate(sheet, k=0)
    check(bp.aggregate(sheet, k=0, kind="scores").items, [{"estimate": 8.5}, {"estimate": 6.5}])


@pytest.mark.parametrize(
    ("scores", "said"),
    [
        (("7,5", "8"), "decimal mark ','"),
        (("1,250.5", "1,250"), None),
        (("10: top 5%, accept", "8: good"), None),
        (("85 %", "90%"), "percentages"),
    ],
)
def test_what_is_said_of_the_notation_is_true(scores: tuple[str, ...], said: str | None) -> None:
    first = bp.aggregate(pl.DataFrame(_table(*scores)), k=0).notes[0]
    assert [word for word in ("decimal mark ','", "percentages") if word in first] == [said] * bool(said)
