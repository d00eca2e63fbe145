"""A frame that another library has read from an export of a labelling tool is read as its file is."""

import csv
import json
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import bribeproof as bp
from bribeproof.frames.native import to_polars
from tests.io.labelling.crowds import crowd_of
from tests.io.labelling.exports import WRITTEN

pd = pytest.importorskip("pandas")
duckdb = pytest.importorskip("duckdb")
OWN_FILES = ("doccano", "cvat")  # a file for each annotator, which says who it is by its name, or which is XML
NAMED: dict[str, Any] = {"item": "HITId", "reporter": "WorkerId"}


def by_pandas(path: Path) -> Any:
    """Read a file as its users do."""
    if path.suffix in (".csv", ".tsv"):
        return pd.read_csv(path, sep="\t" if path.suffix == ".tsv" else ",")
    return pd.read_json(path, lines=path.suffix == ".jsonl")


def by_polars(path: Path) -> pl.DataFrame:
    """Read a file as its users do."""
    if path.suffix in (".csv", ".tsv"):
        return pl.read_csv(path, separator="\t" if path.suffix == ".tsv" else ",")
    return pl.read_ndjson(path) if path.suffix == ".jsonl" else pl.read_json(path)


@pytest.mark.parametrize("form", [form for form in WRITTEN if form not in OWN_FILES])
@pytest.mark.parametrize("library", [by_pandas, by_polars])
def test_a_frame_is_read_as_its_file(tmp_path: Path, form: str, library: Any) -> None:
    [path] = WRITTEN[form].save(tmp_path, crowd_of(3))
    expected = bp.aggregate(path, k=1)
    frame = library(path)
    answer = bp.aggregate(frame, k=1)
    assert type(answer.items) is type(frame)
    found = pl.from_pandas(answer.items, nan_to_null=True) if library is by_pandas else answer.items
    columns = expected.items.columns
    assert found.columns == columns
    shown = [[str(one) for one in row] for row in found.sort(columns[0]).rows()]
    assert shown == [[str(one) for one in row] for row in expected.items.sort(columns[0]).rows()]
    assert answer.notes[0].split(";")[:2] == expected.notes[0].split(";")[:2]


def batch(tmp_path: Path) -> tuple[Path, pl.DataFrame]:
    """Return a batch of Mechanical Turk with rejected assignments, and its frame with one column of votes."""
    [path] = WRITTEN["mturk"].save(tmp_path, crowd_of(3))
    return path, pl.read_csv(path).with_columns((pl.col("Answer.mood.label") == "good").cast(int).alias("vote"))


def m_of(items: pl.DataFrame) -> list[int]:
    return items.sort("HITId")["m"].to_list()


def test_functions_with_named_columns_leave_rejected_assignments_out(tmp_path: Path) -> None:
    path, frame = batch(tmp_path)
    with path.open(encoding="utf-8") as lines:
        rows = list(csv.DictReader(lines))
    kept = [
        sum(row["HITId"] == item and row["AssignmentStatus"] == "Approved" for row in rows)
        for item in sorted({row["HITId"] for row in rows})
    ]
    labels = bp.aggregate_labels(frame, k=1, **NAMED, label="Answer.mood.label")
    assert m_of(labels) == kept
    assert labels["n"].to_list() == [5] * 6
    assert m_of(bp.aggregate_votes(frame.lazy(), k=1, **NAMED, vote="vote").collect()) == kept
    assert m_of(bp.aggregate(frame.lazy(), k=1, **NAMED, value="Answer.mood.label").items.collect()) == kept
    bare = frame.filter(pl.col("AssignmentStatus") == "Approved").select("HITId", "WorkerId", "vote")
    truth = pl.DataFrame({"HITId": [1, 2, 3], "vote": [1, 0, 1]})
    certified = bp.certify(frame, truth, 1, **NAMED, label="vote")
    assert certified.by_k.equals(bp.certify(bare, truth, 1, **NAMED, label="vote").by_k)


def test_a_frame_outside_memory_is_not_guessed(tmp_path: Path) -> None:
    _, frame = batch(tmp_path)
    for outside in (frame.lazy(), duckdb.from_arrow(frame.to_arrow())):
        with pytest.raises(bp.DataError, match=r"export of Amazon Mechanical Turk.*collect it"):
            bp.aggregate(outside, k=1)
    relation = duckdb.from_arrow(frame.to_arrow())
    named = bp.aggregate(relation, k=1, **NAMED, value="Answer.mood.label")
    assert m_of(named.items.pl()) == m_of(bp.aggregate(frame, k=1, value="Answer.mood.label").items)


def test_a_frame_of_one_annotators_file_does_not_say_who_it_is(tmp_path: Path) -> None:
    path = WRITTEN["doccano"].save(tmp_path, crowd_of(3))[0]
    with pytest.raises(bp.FileError, match="does not say who labelled"):
        bp.aggregate(by_polars(path), k=1)


def test_places_are_those_of_the_frame() -> None:
    votes = {"HITId": [1, 1], "WorkerId": ["a", "a"], "AssignmentStatus": ["Approved"] * 2, "Answer.x": ["u", "v"]}
    with pytest.raises(bp.DataError, match=r"row \(counting from 0\) 0"):
        bp.aggregate(pl.DataFrame(votes), k=1)


def test_a_reviewed_batch(tmp_path: Path) -> None:
    path, _ = batch(tmp_path)
    frame = pd.read_csv(path).assign(AssignmentStatus="Submitted", Reject=None, Approve="x")
    frame.loc[0, "Reject"] = "no reason"
    assert "1 rejected" in bp.aggregate(frame, k=1).notes[0]
    items = pl.from_pandas(bp.aggregate_labels(frame, k=1, **NAMED, label="Answer.mood.label"))
    assert items.sort("HITId")["m"].to_list() == [4, 5, 5, 5, 5, 5]


def test_objects_in_lists_of_pandas_are_json() -> None:
    frame = pd.DataFrame({"x": [[{"a": True}], ["b"]]})
    assert json.loads(to_polars(frame)["x"][0][0]) == {"a": True}
