"""Columns of objects and lists in JSON, NDJSON, Parquet and frames: unused they do no harm, used they are refused."""

import json
from collections.abc import Callable
from datetime import date, datetime, time
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import bribeproof as bp
from bribeproof.io.chunks import Chunks
from bribeproof.io.read import concat_chunks, read_table
from tests.cli.command import call

LONG = [
    {"id": "t1", "user": user, "label": label, "metadata": {"of": [{"x": 1.5}], "at": place}, "history": [[place]]}
    for place, (user, label) in enumerate([("ole", "cat"), ("pia", "cat"), ("quinn", "dog")])
]
WIDE: list[dict[str, Any]] = [
    {"id": "t1", "ole": "cat", "pia": "cat", "quinn": "dog", "xyz": {"a": 1}},
    {"id": "t2", "ole": "dog", "pia": "cat", "quinn": "dog", "xyz": None},
]


def write(rows: list[dict[str, Any]], path: Path) -> Path:
    """Write rows in the format of the ending."""
    if path.suffix == ".parquet":
        pl.DataFrame(rows).write_parquet(path)
    else:
        path.write_text("\n".join(map(json.dumps, rows)) if path.suffix == ".ndjson" else json.dumps(rows))
    return path


def to_pandas(rows: list[dict[str, Any]]) -> Any:
    return pytest.importorskip("pandas").DataFrame(rows)


FORMS: dict[str, Callable[[list[dict[str, Any]], Path], Any]] = {
    "ndjson": lambda rows, folder: write(rows, folder / "f.ndjson"),
    "json": lambda rows, folder: write(rows, folder / "f.json"),
    "parquet": lambda rows, folder: write(rows, folder / "f.parquet"),
    "polars": lambda rows, _: pl.DataFrame(rows),
    "lazy": lambda rows, _: pl.LazyFrame(rows),
    "pandas": lambda rows, _: to_pandas(rows),
}
PLACES = {"ndjson": "line 1", "json": "record 1", "parquet": "row 1"}


def read(form: str, rows: list[dict[str, Any]], folder: Path) -> Any:
    """Return the rows in a form, files read."""
    frame = FORMS[form](rows, folder)
    return read_table(frame) if isinstance(frame, Path) else frame


def decisions(items: Any) -> list[object]:
    return list(items.collect()["decision"] if isinstance(items, pl.LazyFrame) else items["decision"])


@pytest.mark.parametrize("form", FORMS)
def test_an_unused_nested_column_does_no_harm(tmp_path: Path, form: str) -> None:
    long = bp.aggregate(read(form, LONG, tmp_path), k=0)
    assert decisions(long.items) == ["cat"]
    assert {other.name for other in long.recognised.others} == {"metadata", "history"}
    wide = bp.aggregate(read(form, WIDE, tmp_path), k=0)
    assert wide.recognised.columns.judges == ("ole", "pia", "quinn")
    assert decisions(wide.items) == ["cat", "dog"]
    named = bp.aggregate(read(form, LONG, tmp_path), k=0, item="id", reporter="user", value="label")
    assert decisions(named.items) == ["cat"]


@pytest.mark.parametrize("form", FORMS)
def test_a_used_one_is_refused_with_its_name_and_its_row(tmp_path: Path, form: str) -> None:
    place = PLACES.get(form, r"row 0 \(counting from 0\)")
    for role in ("value", "item", "reporter"):
        options: dict[str, Any] = {"item": "id", "reporter": "user", "value": "label", role: "metadata"}
        with pytest.raises(bp.DataError, match=rf"column 'metadata' holds objects \({place}: .*column of its own"):
            bp.aggregate(read(form, LONG, tmp_path), k=0, **options)


def test_the_command_says_the_same(tmp_path: Path) -> None:
    path = write(LONG, tmp_path / "f.ndjson")
    assert "t1" in call("aggregate", path, "--k", 0).out
    refused = call("aggregate", path, "--k", 0, "--item", "id", "--reporter", "user", "--value", "metadata").refused()
    assert "column 'metadata' holds objects (line 1:" in refused


def test_lists_of_single_values_are_the_text_of_their_json(tmp_path: Path) -> None:
    rows = [
        {"id": "t1", "user": "ole", "tags": ["cat", "dög", 1.50, True, None]},
        {"id": "t1", "user": "pia", "tags": []},
    ]
    for name in ("f.ndjson", "f.json"):
        path = tmp_path / name
        path.write_text("\n".join(map(json.dumps, rows)) if name == "f.ndjson" else json.dumps(rows))
        assert read_table(path).frame["tags"].to_list() == ['["cat","dög","1.5",true,null]', "[]"]


@pytest.mark.parametrize("size", [1, 30, 1000])
def test_an_object_in_a_later_chunk_makes_a_column_of_objects(tmp_path: Path, size: int) -> None:
    path = tmp_path / "f.ndjson"
    path.write_text('{"id": "t1", "m": "text"}\n{"id": "t2"}\n{"id": "t3", "m": {"a": 1}}\n{"id": "t4", "m": null}\n')
    frame = concat_chunks(Chunks(path, size=size))
    assert frame["m"].to_list() == [{"json": "text"}, None, {"json": '{"a":"1"}'}, None]


DATES = {
    "a date": (date(2024, 5, 6), "2024-05-06"),
    "a moment": (datetime(2024, 5, 6), "2024-05-06"),  # noqa: DTZ001
    "a time": (time(7, 30), "07:30:00"),
}


@pytest.mark.parametrize(("eaten", "shown"), DATES.values(), ids=DATES)
@pytest.mark.parametrize("form", ["pandas", "polars"])
def test_a_date_among_numbers_is_refused_with_its_row_and_the_options(form: str, eaten: object, shown: str) -> None:
    columns: dict[str, Any] = {"entry": ["Lark", "Moth"], "J1": [7, eaten], "J2": [8.5, 9.0], "J3": [7.0, 7.5]}
    frame = (
        pl.DataFrame({**columns, "J1": pl.Series(columns["J1"], dtype=pl.Object)})
        if form == "polars"
        else pytest.importorskip("pandas").DataFrame(columns)
    )
    with pytest.raises(bp.DataError, match=f"row 1 .*{shown}.*J1.*Moth.*--missing.*set-aside"):
        bp.aggregate(frame, k=1, kind="scores")
    with pytest.warns(bp.BribeproofWarning, match="1 answer of 1 reporter: J1"):
        aside = bp.aggregate(frame, k=1, kind="scores", faulty="set aside")
    assert next(iter(aside.items["estimate"])) == 7.0
