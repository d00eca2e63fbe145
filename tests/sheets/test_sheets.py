"""Every sheet of this folder is read rightly, asked about, or refused: from its file, by the command, in frames."""

from collections.abc import Callable
from contextlib import nullcontext
from typing import Any

import polars as pl
import pytest

import bribeproof as bp
from bribeproof.frames.reading.reading import Reading
from bribeproof.io.read import read_table
from bribeproof.questions import QuestionError
from tests.cli.command import call, document
from tests.sheets.corpus import Sheet, sheets

SHEETS = sheets()


def typed(frame: pl.DataFrame) -> pl.DataFrame:
    """Return a frame of text with numbers in the columns that hold only plain ones, as other readers return it."""
    plain = [
        name
        for name, dtype in frame.schema.items()
        if dtype == pl.String and frame[name].str.contains(r"^-?(0|[1-9]\d{0,14})(\.\d+)?$").all()
    ]
    return frame.with_columns(
        pl.col(name).cast(pl.Float64 if frame[name].str.contains(".", literal=True).any() else pl.Int64)
        for name in plain
        if frame[name].count()
    )


def to_pandas(frame: pl.DataFrame) -> Any:
    """Return a frame as pandas has it; skip where it is not installed."""
    return pytest.importorskip("pandas").DataFrame(frame.to_dict(as_series=False))


FORMS: dict[str, Callable[[Any], Any]] = {
    "file": lambda table: table,
    "polars text": lambda table: table.frame,
    "polars": lambda table: typed(table.frame),
    "pandas text": lambda table: to_pandas(table.frame),
    "pandas": lambda table: to_pandas(typed(table.frame)),
}


def framed(sheet: Sheet, form: str) -> Any:
    """Return the cells of a sheet as a frame."""
    return FORMS[form](read_table(sheet.path, **sheet.file_options))


def check_reading(sheet: Sheet, reading: Reading) -> None:
    """Check who reports, and that every other column and row is said to be what it is."""
    assert reading.kind == sheet.kind
    assert {other.name: other.role for other in reading.others} == dict(sheet.left_out)
    assert sorted(reading.left_out_rows) == sorted(sheet.rows_left_out)
    if reading.columns.judges:
        assert list(reading.columns.judges) == list(sheet.reporters)
        assert all(repr(name) in reading.describe() for name in (*sheet.reporters, *sheet.left_out))


def check_rows(sheet: Sheet, rows: list[dict[str, Any]]) -> None:
    """Check the number of reports of each item, and its decision or estimate."""
    result = "estimate" if sheet.kind == "scores" else "decision"
    found = {str(next(iter(row.values()))): (row["m"], row[result]) for row in rows}
    right = sheet.right()
    assert found.keys() == right.keys()
    for item, (reports, value) in right.items():
        m, combined = found[item]
        assert m == reports, item
        if isinstance(value, float):
            assert combined == pytest.approx(value, rel=1e-15), item
        else:
            assert value is combined is None or str(value).casefold() == str(combined).casefold().removesuffix(".0"), (
                item
            )


@pytest.mark.parametrize(
    "form", [form if form == "file" else pytest.param(form, marks=pytest.mark.slow) for form in FORMS]
)
@pytest.mark.parametrize("name", SHEETS)
def test_a_sheet_is_read_rightly_or_asked_about(name: str, form: str) -> None:
    sheet = SHEETS[name]
    options = dict(sheet.options)
    if sheet.refused:
        with pytest.raises(bp.BribeproofError, match=sheet.refused):
            bp.aggregate(framed(sheet, form), k=1, **options)
        return
    frame = framed(sheet, form)
    if sheet.question is not None:
        with pytest.raises(QuestionError, match=sheet.question) as asked:
            bp.recognise(frame, **options)
        options |= asked.value.choices[sheet.answer - 1].options
    check_reading(sheet, bp.recognise(frame, **options))
    if sheet.better:
        with pytest.raises(QuestionError, match="the lowest is the best"):
            bp.aggregate(frame, k=sheet.k, **options)
        options["better"] = sheet.better
    with pytest.warns(bp.BribeproofWarning, match=sheet.warning) if sheet.warning else nullcontext():
        found = bp.aggregate(frame, k=sheet.k, **options)
    check_rows(
        sheet, pl.DataFrame(dict(found.items)).to_dicts() if form.startswith("pandas") else found.items.to_dicts()
    )


@pytest.mark.slow
@pytest.mark.parametrize("name", SHEETS)
def test_the_command_says_the_same(name: str) -> None:
    sheet = SHEETS[name]
    arguments = ["aggregate", sheet.path, "--k", sheet.k, *sheet.flags]
    if sheet.refused:
        assert sheet.refused in call(*arguments).refused()
        return
    if sheet.question is not None:
        said = call(*arguments).refused()
        assert sheet.question in said
        with pytest.raises(QuestionError) as asked:
            bp.recognise(sheet.path, **sheet.options)
        arguments += asked.value.choices[sheet.answer - 1].flags
    if sheet.better:
        assert "the lowest is the best" in call(*arguments).refused()
        arguments += ["--better", sheet.better]
    check_rows(sheet, document(*arguments)["items"])
