"""Whatever tool exports a crowd, the same reports of the same people are read, without an option."""

import json
import random
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import bribeproof as bp
from bribeproof.frames.out_of_core import scan_table
from bribeproof.io.read import Table
from tests.io.labelling.crowds import crowd_of, reports_of, save
from tests.io.labelling.exports import WRITTEN, Crowd, label_studio_tasks

_VOTES = {"good": "1", "bad": "0"}


def expected(form: str, crowd: Crowd) -> dict[tuple[str, str], str | None]:
    """Return the reports that the export of a crowd holds."""
    written = WRITTEN[form]
    reports = {
        (item, written.reporter(who)): answer for (item, who), answer in crowd.items() if answer or written.skips
    }  # fmt: skip
    if form == "prodigy, votes":
        return {pair: None if answer is None else _VOTES[answer] for pair, answer in reports.items()}
    return reports


def read(paths: list[Path], **options: Any) -> Table:
    """Read one file or several."""
    return bp.read_table(paths[0] if len(paths) == 1 else paths, **options)


@pytest.mark.parametrize("form", WRITTEN)
def test_the_reports_are_those_of_the_crowd(tmp_path: Path, form: str) -> None:
    crowd = crowd_of(1)
    table = read(WRITTEN[form].save(tmp_path, crowd))
    assert reports_of(table) == expected(form, crowd)
    absent = sum(answer is None for answer in crowd.values())
    if WRITTEN[form].skips:
        told = [note for note in table.notes if "missing reports" in note]
        assert told
        assert sum(int(part) for note in told for part in _numbers_before(note, "missing reports")) == absent


def _numbers_before(note: str, end: str) -> list[str]:
    """Return the counts in the part of a note that ends so."""
    part = next(part for part in note.split("; ") if part.endswith(end))
    return [one.split()[0] for one in part.split(", ")]


@pytest.mark.parametrize("form", WRITTEN)
def test_it_is_aggregated_as_a_plain_table(tmp_path: Path, form: str) -> None:
    crowd = crowd_of(2)
    items = bp.aggregate(read(WRITTEN[form].save(tmp_path, crowd)), k=1).items
    plain = expected(form, crowd)
    rows = [(item, who, answer) for (item, who), answer in plain.items()]
    reference = bp.aggregate(pl.DataFrame(rows, ["task", "worker", "label"], orient="row"), k=1).items
    assert items.sort(items.columns[0]).rows() == reference.sort("task").rows()


@pytest.mark.parametrize("form", WRITTEN)
def test_one_file_is_read_by_its_path(tmp_path: Path, form: str) -> None:
    paths = WRITTEN[form].save(tmp_path, crowd_of(3))
    assert bp.recognise(str(paths[0])).form == "long"


@settings(max_examples=15)
@given(st.sampled_from([*WRITTEN]), st.integers(0, 1000))
def test_order_and_names_do_not_matter(tmp_path_factory: pytest.TempPathFactory, form: str, seed: int) -> None:
    crowd = crowd_of(seed, items=3, people=4)
    shuffled = list(crowd.items())
    random.Random(seed).shuffle(shuffled)  # noqa: S311
    renamed = {(str(int(item) + 40), f"w{int(who[1:]) + 7}"): answer for (item, who), answer in shuffled}
    folder = tmp_path_factory.mktemp("export")
    assert reports_of(read(WRITTEN[form].save(folder, dict(shuffled)))) == expected(form, crowd)
    assert reports_of(read(WRITTEN[form].save(folder, renamed))) == expected(form, renamed)


@settings(max_examples=6)
@given(st.sampled_from(["prodigy", "argilla, flat", "doccano, names", "mturk", "mturk, form", "toloka"]),
       st.integers(100, 3000))  # fmt: skip
def test_chunks_do_not_matter(tmp_path_factory: pytest.TempPathFactory, form: str, size: int) -> None:
    [path] = WRITTEN[form].save(tmp_path_factory.mktemp("export"), crowd_of(4))
    whole = bp.aggregate(bp.read_table(path), k=1).items
    with scan_table(path, in_memory=8, size=size) as table:
        found = bp.aggregate(table, k=1).items.collect()
        assert found.sort(found.columns[0]).rows() == whole.sort(whole.columns[0]).rows()
        assert table.notes == bp.read_table(path).notes


@pytest.mark.parametrize("form", [form for form, written in WRITTEN.items() if written.gold])
def test_gold_in_the_file_is_the_truth(tmp_path: Path, form: str) -> None:
    crowd, truth = crowd_of(5), {"1": "good", "2": "bad", "3": "good"}
    table = read(WRITTEN[form].save(tmp_path, crowd, truth))
    assert reports_of(table) == expected(form, crowd)  # who gave the truth reports nothing
    reading = bp.recognise(table)
    [gold] = reading.gold
    named: dict[str, Any] = {
        "item": reading.columns.item,
        "reporter": reading.columns.reporter,
        "label": reading.columns.value,
    }
    inside = bp.certify(table, gold, **named)
    assert inside.summary() == bp.certify(table, truth, **named).summary()
    assert inside.summary().startswith(f"{len(truth)} gold items")


# The other tools


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("p.jsonl", '{"_task_hash": 7, "answer": "accept", "accept": ["a"]}', r"line 1 \(task 7\): neither"),
        ("p.jsonl", '{"_task_hash": 7, "answer": "yes", "_session_id": "s"}', r"\(task 7\): the answer is 'yes'"),
        ("p.jsonl", '{"_task_hash": 7, "answer": "accept", "accept": "a", "_session_id": "s"}', "accept is 'a', not"),
        ("a.json", '[{"id": "r1", "fields": {}, "responses": {"q": [{"value": "a"}]}}]', r"\(id r1\): .* no user"),
        ("a.json", '[{"id": "r1", "fields": {}, "responses": {"q": ["a"]}}]', "a response to 'q' is 'a', not an"),
        (
            "a.jsonl",
            '{"id": "r1", "q.responses": ["a", "b"], "q.responses.users": ["u", "u"]}',
            r"\(id r1\): user u has two responses to 'q'",
        ),
        ("a.jsonl", '{"id": "r1", "q.responses": ["a", "b"], "q.responses.users": ["u"]}', "2 responses of 1 users"),
        ("all.jsonl", '{"id": 1, "text": "x", "label": ["a"], "Comments": []}', "does not say who labelled"),
        ("d.jsonl", '{"id": 1, "text": "x", "label": [[0, 2, "A"]], "Comments": []}', r"\(example 1\): .* parts"),
        ("d.jsonl", '{"id": 1, "text": "x", "annotations": [{"label": 2}]}', r"line 1 \(example 1\): .* no user"),
        ("c.xml", "<annotations><meta><task><id>1</id></task></meta></annotations>", "does not say who gave a label"),
        ("c.xml", "<annotations><meta><job><id>1</id></job></meta><image/></annotations>", "image 1: it has no name"),
        ("c.xml", "<annotations><meta>", "no valid XML"),
        ("c.xml", "<!DOCTYPE a><annotations/>", "document type is not read"),
        ("c.xml", "<html/>", "no export of CVAT"),
        ("m.csv", "HITId,WorkerId,AssignmentStatus,Answer.taskAnswers\nh,w,Approved,oops\n", "line 2: .* no JSON"),
    ],
)
def test_damage_of_others_is_located(tmp_path: Path, name: str, text: str, message: str) -> None:
    path = tmp_path / name
    path.write_text(text + "\n")
    with pytest.raises(bp.FileError, match=message):
        bp.read_table(path)


def test_a_choice_of_several_in_prodigy_is_a_set(tmp_path: Path) -> None:
    path = tmp_path / "p.jsonl"
    line = {"_task_hash": 1, "answer": "accept", "config": {"choice_style": "multiple"}}
    people = [
        {**line, "accept": labels, "_annotator_id": f"a{at}"} for at, labels in enumerate([["b", "a"], [], ["a"]])
    ]
    path.write_text("\n".join(map(json.dumps, people)))
    assert bp.read_table(path).frame["choice"].to_list() == ['["b", "a"]', "[]", '["a"]']
    each = bp.aggregate(path, k=0, label_sets="each").items
    assert each.select("task, label", "decision").rows() == [("1 · a", 1), ("1 · b", 0)]


def test_an_empty_answer_is_no_report(tmp_path: Path) -> None:
    """Questions that need no answer: the counts of the first note are those of the answers."""
    tasks = label_studio_tasks(crowd_of(4), {})
    filled = [one for task in tasks for one in task["annotations"] if one["result"]]
    filled[0]["result"][0]["value"]["choices"] = []
    filled[1]["result"] = []
    path = save(tmp_path, tasks)
    note = bp.read_table(path).notes[0]
    assert f"{len(filled) - 2} reports" in note
    assert "2 without an answer about a whole task" in note
    assert bp.aggregate(path, k=1).items["m"].sum() == len(filled) - 2


@pytest.mark.parametrize(("form", "column"), [("mturk, boxes", "Answer.mood.good"), ("toloka", "OUTPUT:mood")])
def test_an_empty_answer_of_a_batch_is_no_report(tmp_path: Path, form: str, column: str) -> None:
    [path] = WRITTEN[form].save(tmp_path, crowd_of(4))
    sep = "\t" if form == "toloka" else ","
    rows = pl.read_csv(path, separator=sep, infer_schema=False)
    status = next(name for name in rows.columns if name.lower().endswith("status"))
    first = rows[status].str.to_lowercase().index_of("approved")
    answers = [name for name in rows.columns if name.startswith(column[:7])]
    rows = rows.with_columns(pl.when(pl.int_range(pl.len()) != first).then(pl.col(answers)))
    rows.write_csv(path, separator=sep)
    counted = int(rows[status].str.to_lowercase().eq("approved").sum()) - 1
    note = bp.read_table(path).notes[0]
    assert f"{counted} reports" in note
    assert "1 without an answer" in note
    assert bp.aggregate(path, k=1).items["m"].sum() == counted


def test_ordinary_files_are_no_exports(tmp_path: Path) -> None:
    path = tmp_path / "votes.json"
    path.write_text('[{"id": "t1", "annotator": "a", "label": "x"}, {"id": "t1", "annotator": "b", "label": "x"}]')
    table = bp.read_table(path)
    assert table.export is None
    assert not table.notes


def test_a_job_of_nobody_and_shapes_in_cvat(tmp_path: Path) -> None:
    path = tmp_path / "job.xml"
    box = '<box label="car" xtl="1" ytl="2" xbr="3" ybr="4"/>'
    image = f'<image id="0" name="a.jpg"><tag label="day"/><tag label="dry"/>{box}</image>'
    path.write_text(f"<annotations><meta><job><id>7</id><assignee/></job></meta>{image}</annotations>")
    table = bp.read_table(path)
    assert table.frame.rows() == [("a.jpg", "job 7", '["day", "dry"]')]
    assert table.notes[0].endswith("1 shape: not read, as it is about no whole image")
    assert table.locate(0) == "image 1"


def test_boxes_that_are_neither_are_located(tmp_path: Path) -> None:
    path = tmp_path / "b.csv"
    rows = "".join(f"h{at},w,Approved,true,false\n" for at in range(40)) + "h,w,Approved,true,maybe\n"
    path.write_text("HITId,WorkerId,AssignmentStatus,Answer.q.a,Answer.q.b\n" + rows)
    assert bp.read_table(path).export is not None  # together they are two questions
    with (
        pytest.raises(bp.FileError, match=r"line 42: 'Answer\.q\.b' is 'maybe'"),
        scan_table(path, in_memory=8, size=200) as t,
    ):
        bp.aggregate(t, k=0)


@pytest.mark.parametrize(
    "text",
    [
        "id,data,annotations,text\n1,5,2,x\n2,6,3,y\n",
        "id,text,annotations\n1,a,cat\n2,b,dog\n",
        "id,fields,responses\n1,5,2\n2,6,3\n",
        "id,text,label\n1,a,cat\n2,b,dog\n",
        "id,label,text,Comments,ann,bob,eve\n1,x,a,ok,1,0,1\n2,y,b,ok,0,0,1\n",
        "id,text,label,annotator,Comments\n1,a,cat,ann,ok\n1,a,dog,bob,ok\n",
        "id,labels,username\n1,cat,ann\n1,dog,bob\n",
        "_task_hash,answer,worker\n1,yes,ann\n1,no,bob\n",
        "HITId,WorkerId,AssignmentStatus,label\n1,ann,Approved,cat\n1,bob,Approved,dog\n",
    ],
)
def test_columns_of_plain_cells_are_no_export(tmp_path: Path, text: str) -> None:
    path = tmp_path / "plain.csv"
    path.write_text(text)
    assert bp.read_table(path).export is None
