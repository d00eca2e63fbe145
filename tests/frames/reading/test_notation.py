"""What is said about how scores are written is true, whoever wrote them, and said once."""

import warnings
from typing import Any

import polars as pl
import pytest

import bribeproof as bp

COMMA, PERCENT = "decimal mark ','", "percentages, 85% as 85"


def wide(*rows: tuple[str, str, str]) -> pl.DataFrame:
    return pl.DataFrame(
        [(f"E{at}", *row) for at, row in enumerate(rows)], schema=["entry", "J1", "J2", "J3"], orient="row"
    )


def said(frame: Any, **options: Any) -> tuple[Any, str]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", bp.BribeproofWarning)
        found = bp.aggregate(frame, k=0, kind="scores", better="high", judges=["J1", "J2", "J3"], **options)
    return found, "; ".join(found.notes)


@pytest.mark.parametrize("lazy", [False, True])
@pytest.mark.parametrize(
    ("frame", "options", "notes", "first"),
    [
        (wide(("7,5", "8", "8,5")), {}, {COMMA: 1, PERCENT: 0}, 8.0),
        (wide(("1 250,5", "1 300", "1 100")), {}, {COMMA: 1, "thousands": 1}, 3650.5 / 3),
        (wide(("7,500", "8,000", "8,500")), {"decimal_mark": "."}, {COMMA: 0, "thousands": 1}, 8000.0),
        (wide(("7,500", "8,000", "8,500")), {"decimal_mark": ","}, {COMMA: 1, "thousands": 0}, 8.0),
        (wide(("85%", "80 %", "75%")), {}, {COMMA: 0, PERCENT: 1}, 80.0),
        (wide(("85,5 %", "80,5 %", "74%")), {}, {COMMA: 1, PERCENT: 1}, 80.0),
        (wide(("7.5", "8", "8.5")).cast({"J1": pl.Float64, "J2": pl.Float64, "J3": pl.Float64}), {"decimal_mark": ","},
         {COMMA: 0}, 8.0),
        # Five rows of one spelling outweigh three different ones of the other.
        (wide(*[("7,5", "7,5", "7,5")] * 5, ("1.5", "2.5", "3.5")), {"faulty": "set aside"}, {COMMA: 1}, 7.5),
        (wide(*[("7.5", "7.5", "7.5")] * 5, ("1,5", "2,5", "3,5"), ("4,5", "5,5", "6,5")), {"faulty": "set aside"},
         {COMMA: 0, "decimal mark '.'": 1}, 7.5),
        (wide(("85", "80", "75%")), {"faulty": "set aside"}, {PERCENT: 0, "numbers without %": 1}, None),
        (wide(("85%", "80%", "75")), {"faulty": "set aside"}, {PERCENT: 1, "numbers without %": 0}, None),
    ],
)  # fmt: skip
def test_what_is_said_about_numbers_is_true(
    frame: pl.DataFrame, options: dict[str, Any], notes: dict[str, int], first: float | None, *, lazy: bool
) -> None:
    found, text = said(frame.lazy() if lazy else frame, **options)
    assert {words: text.count(words) for words in notes} == notes, text
    items = found.items.collect() if lazy else found.items
    assert items["estimate"][0] == pytest.approx(first)
