"""Write a crowd as each labelling tool exports it, after the public descriptions of their formats."""

import csv
import io
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

Crowd: TypeAlias = Mapping[tuple[str, str], str | None]
"""The answer of each reporter to each item; None where the reporter skipped it, or the answer does not count."""
Files: TypeAlias = dict[str, str]
"""The text of each file by its name."""


@dataclass(frozen=True, slots=True)
class Written:
    """How a tool exports a crowd.

    Attributes
    ----------
    write
        Function of a crowd and its true answers that returns the files.
    skips
        Whether the export holds answers that were skipped or do not count.
    gold
        Whether it holds true answers.
    reporter
        What a reporter is called in the export.
    """

    write: Callable[[Crowd, Mapping[str, str]], Files]
    skips: bool = True
    gold: bool = False
    reporter: Callable[[str], str] = str

    def save(self, folder: Path, crowd: Crowd, gold: Mapping[str, str] | None = None) -> list[Path]:
        """Write the files and return their paths."""
        paths = []
        for name, text in self.write(crowd, gold or {}).items():
            paths.append(folder / name)
            paths[-1].write_text(text, encoding="utf-8")
        return paths


def _by_item(crowd: Crowd) -> dict[str, dict[str, str | None]]:
    """Return the answers of each item by reporter."""
    found: dict[str, dict[str, str | None]] = {}
    for (item, reporter), answer in crowd.items():
        found.setdefault(item, {})[reporter] = answer
    return found


def _lines(records: Sequence[object]) -> str:
    """Return records as NDJSON."""
    return "".join(json.dumps(one, ensure_ascii=False) + "\n" for one in records)


def _delimited(rows: Sequence[Mapping[str, object]], sep: str = ",") -> str:
    """Return rows as delimited text."""
    text = io.StringIO()
    writer = csv.DictWriter(text, list(rows[0]), delimiter=sep, lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return text.getvalue()


def choices(answer: str, name: str = "mood") -> dict[str, Any]:
    """Return a result of a choice as Label Studio has it."""
    return {"id": "r1", "type": "choices", "from_name": name, "to_name": "text", "value": {"choices": [answer]}}


def label_studio_tasks(crowd: Crowd, gold: Mapping[str, str], *, number_people: bool = False) -> list[dict[str, Any]]:
    """Return a crowd as tasks of Label Studio."""
    tasks = []
    for item, answers in _by_item(crowd).items():
        annotations: list[dict[str, Any]] = []
        for at, (who, answer) in enumerate(answers.items(), start=1):
            by: object = int(who[1:]) if number_people else {"id": int(who[1:]), "email": f"{who}@example.org"}
            result = [] if answer is None else [choices(answer)]
            stamps = {"created_at": "2024-05-01T10:00:00Z", "updated_at": f"2024-05-01T10:{at:02}:00Z"}
            one = {"id": int(item) * 100 + at, "completed_by": by, "result": result, **stamps, "lead_time": 3.5}
            annotations.append({**one, "was_cancelled": answer is None, "ground_truth": False})
        if item in gold:
            truth = {
                "id": int(item) * 100,
                "completed_by": {"id": 99, "email": "lead@example.org"},
                "ground_truth": True,
            }
            annotations.insert(0, {**truth, "was_cancelled": False, "result": [choices(gold[item])]})
        data = {"text": f"Sentence {item}", "rank": int(item), "parts": [{"at": 1}]}
        tasks.append({"id": int(item), "annotations": annotations, "data": data, "predictions": [], "drafts": []})
    return tasks


def _old_label_studio(crowd: Crowd, gold: Mapping[str, str]) -> Files:
    """Write tasks as versions before 1.0 did."""
    tasks = label_studio_tasks(crowd, gold, number_people=True)
    for task in tasks:
        task["completions"] = task.pop("annotations")
        for one in task["completions"]:
            one["skipped"] = one.pop("was_cancelled")
    return {"old.json": json.dumps(tasks)}


def _label_studio_rows(crowd: Crowd) -> list[dict[str, Any]]:
    """Return a crowd as the flat exports of Label Studio, with a rating beside the choice."""
    return [
        {"text": f"Sentence {item}", "id": int(item), "mood": answer, "annotator": f"{who}@example.org",
         "annotation_id": at, "created_at": "2024-05-01", "updated_at": "2024-05-01", "lead_time": 2.5}
        for at, ((item, who), answer) in enumerate(crowd.items(), start=1) if answer is not None
    ]  # fmt: skip


def _label_studio_csv(crowd: Crowd, gold: Mapping[str, str]) -> Files:
    del gold
    return {"project.csv": _delimited([dict(sorted(row.items())) for row in _label_studio_rows(crowd)])}


def _prodigy(crowd: Crowd, gold: Mapping[str, str]) -> Files:
    del gold
    options = [{"id": "good", "text": "It is good"}, {"id": "bad", "text": "It is bad"}]
    lines = []
    for at, ((item, who), answer) in enumerate(crowd.items()):
        shared = {"text": f"Sentence {item}", "_input_hash": -int(item), "_task_hash": int(item), "options": options}
        given = {"accept": [] if answer is None else [answer], "answer": "ignore" if answer is None else "accept"}
        by = {"_timestamp": 1700000000 + at, "_annotator_id": f"set-{who}", "_session_id": f"set-{who}"}
        lines.append({**shared, "_view_id": "choice", "config": {"choice_style": "single"}, **given, **by})
    return {"set.jsonl": _lines(lines)}


def _prodigy_votes(crowd: Crowd, gold: Mapping[str, str]) -> Files:
    del gold
    words = {"good": "accept", "bad": "reject", None: "ignore"}
    return {"votes.jsonl": _lines([
        {"text": f"Sentence {item}", "label": "GOOD", "_input_hash": 1, "_task_hash": int(item),
         "answer": words[answer], "_view_id": "classification", "_session_id": f"set-{who}"}
        for (item, who), answer in crowd.items()
    ])}  # fmt: skip


def _argilla_nested(crowd: Crowd, gold: Mapping[str, str]) -> Files:
    del gold
    return {"records.json": json.dumps([
        {"id": item, "fields": {"text": f"Sentence {item}"}, "metadata": {"lang": "en"},
         "suggestions": {"mood": {"value": "good", "score": 0.5, "agent": "m1"}},
         "responses": {"mood": [{"value": answer, "user_id": who} for who, answer in answers.items()]},
         "vectors": {}, "status": "completed", "_server_id": f"s{item}"} for item, answers in _by_item(crowd).items()
    ])}  # fmt: skip


def _argilla_flat(crowd: Crowd, gold: Mapping[str, str]) -> Files:
    del gold
    return {"records.jsonl": _lines([
        {"id": item, "status": "completed", "_server_id": f"s{item}", "text": f"Sentence {item}",
         "mood.responses": [answer or "good" for answer in answers.values()], "mood.responses.users": list(answers),
         "mood.responses.status": ["discarded" if answer is None else "submitted" for answer in answers.values()],
         "mood.suggestion": "good", "mood.suggestion.agent": "m1"} for item, answers in _by_item(crowd).items()
    ])}  # fmt: skip


def _argilla_one(crowd: Crowd, gold: Mapping[str, str]) -> Files:
    del gold
    records = []
    for item, answers in _by_item(crowd).items():
        responses = [
            {"user_id": who, "values": {"mood": {"value": answer}} if answer else {},
             "status": "submitted" if answer else "discarded"} for who, answer in answers.items()
        ]  # fmt: skip
        suggestions = [{"question_name": "mood", "value": "good", "type": "model", "score": 0.9, "agent": "m1"}]
        records.append({"fields": {"text": "x"}, "metadata": {}, "responses": responses, "suggestions": suggestions,
                        "vectors": {}, "external_id": item})  # fmt: skip
    return {"feedback.json": json.dumps(records)}


def _argilla_one_as_data(crowd: Crowd, gold: Mapping[str, str]) -> Files:
    del gold
    return {"feedback.jsonl": _lines([
        {"text": "x", "mood": [{"user_id": who, "value": answer, "status": "submitted" if answer else "discarded"}
                               for who, answer in answers.items()],
         "mood-suggestion": "good", "mood-suggestion-metadata": {"agent": "m1"}, "external_id": item, "metadata": "{}"}
        for item, answers in _by_item(crowd).items()
    ])}  # fmt: skip


def _doccano_files(crowd: Crowd, gold: Mapping[str, str]) -> Files:
    del gold
    people = dict.fromkeys(who for _, who in crowd)
    return {f"{who}.jsonl": _lines([
        {"id": int(item), "text": f"Sentence {item}", "label": [answer] if answer else [], "Comments": []}
        for (item, one), answer in crowd.items() if one == who
    ]) for who in people}  # fmt: skip


def _doccano_together(crowd: Crowd, gold: Mapping[str, str]) -> Files:
    del gold
    return {"project.jsonl": _lines([
        {"id": int(item), "text": f"Sentence {item}", "meta": {},
         "annotations": [{"label": answer, "user": int(who[1:])} for who, answer in answers.items() if answer]}
        for item, answers in _by_item(crowd).items()
    ])}  # fmt: skip


def _doccano_first(crowd: Crowd, gold: Mapping[str, str]) -> Files:
    del gold
    return {"project.jsonl": _lines([
        {"doc_id": int(item), "text": f"Sentence {item}", "labels": [answer] if answer else [], "username": who}
        for (item, who), answer in crowd.items()
    ])}  # fmt: skip


def _assignment(item: str, who: str, answer: str | None) -> dict[str, object]:
    """Return the columns of an assignment at Amazon Mechanical Turk."""
    return {"HITId": item, "HITTypeId": "T1", "Title": "Label a sentence", "Reward": "$0.05",
            "AssignmentId": f"A{item}{who}", "WorkerId": who, "AssignmentStatus": "Approved" if answer else "Rejected",
            "SubmitTime": "Tue May 07 10:00 PDT 2024", "Input.text": f"Sentence {item}"}  # fmt: skip


def _mturk(crowd: Crowd, gold: Mapping[str, str]) -> Files:
    del gold
    return {"batch.csv": _delimited([
        {**_assignment(item, who, answer), "Answer.mood.label": answer or "good", "Answer.comment": "fine",
         "Approve": "", "Reject": ""} for (item, who), answer in crowd.items()
    ])}  # fmt: skip


def _mturk_form(crowd: Crowd, gold: Mapping[str, str]) -> Files:
    del gold
    return {"batch.csv": _delimited([
        {**_assignment(item, who, answer),
         "Answer.taskAnswers": json.dumps([{"mood": {one: one == (answer or "good") for one in ("good", "bad")}}])}
        for (item, who), answer in crowd.items()
    ])}  # fmt: skip


def _mturk_boxes(crowd: Crowd, gold: Mapping[str, str]) -> Files:
    del gold
    return {"batch.csv": _delimited([
        {**_assignment(item, who, answer),
         **{f"Answer.mood.{one}": str(one == (answer or "good")).lower() for one in ("good", "bad")}}
        for (item, who), answer in crowd.items()
    ])}  # fmt: skip


def _toloka(crowd: Crowd, gold: Mapping[str, str]) -> Files:
    return {"assignments.tsv": _delimited([
        {"INPUT:text": f"Sentence {item}", "OUTPUT:mood": answer or "good", "GOLDEN:mood": gold.get(item, ""),
         "HINT:text": "", "ASSIGNMENT:link": "-", "ASSIGNMENT:task_id": item, "ASSIGNMENT:assignment_id": f"a{at}",
         "ASSIGNMENT:worker_id": who, "ASSIGNMENT:status": "APPROVED" if answer else "REJECTED",
         "ASSIGNMENT:started": "2024-05-01T10:00:00.000"} for at, ((item, who), answer) in enumerate(crowd.items())
    ], "\t")}  # fmt: skip


def _cvat(crowd: Crowd, gold: Mapping[str, str]) -> Files:
    del gold
    files = {}
    for number, who in enumerate(dict.fromkeys(who for _, who in crowd), start=11):
        job = f"<job><id>{number}</id><size>3</size><owner><username>lead</username></owner>"
        job += f"<assignee><username>{who}</username><email>{who}@example.org</email></assignee></job>"
        images = "".join(
            f'<image id="{at}" name="{item}" width="64" height="64">'
            + (f'<tag label="{answer}" source="manual"></tag>' if answer else "")
            + "</image>\n"
            for at, ((item, one), answer) in enumerate(crowd.items()) if one == who
        )  # fmt: skip
        head = f'<?xml version="1.0" encoding="utf-8"?>\n<annotations>\n<version>1.1</version><meta>{job}</meta>\n'
        files[f"job_{number}.xml"] = f"{head}{images}</annotations>\n"
    return files


def _address(who: str) -> str:
    return f"{who}@example.org"


WRITTEN: dict[str, Written] = {
    "label studio": Written(
        lambda crowd, gold: {"project.json": json.dumps(label_studio_tasks(crowd, gold))}, gold=True, reporter=_address
    ),
    "label studio, numbers": Written(
        lambda crowd, _: {"project.json": json.dumps(label_studio_tasks(crowd, {}, number_people=True), indent=1)},
        reporter=lambda who: who[1:],
    ),
    "label studio, completions": Written(_old_label_studio, reporter=lambda who: who[1:]),
    "label studio, csv": Written(_label_studio_csv, skips=False, reporter=_address),
    "label studio, min": Written(
        lambda crowd, _: {"min.json": json.dumps(_label_studio_rows(crowd))}, skips=False, reporter=_address
    ),
    "prodigy": Written(_prodigy, reporter=lambda who: f"set-{who}"),
    "prodigy, votes": Written(_prodigy_votes, reporter=lambda who: f"set-{who}"),
    "argilla": Written(_argilla_nested),
    "argilla, flat": Written(_argilla_flat),
    "argilla 1": Written(_argilla_one),
    "argilla 1, data set": Written(_argilla_one_as_data),
    "doccano": Written(_doccano_files),
    "doccano, numbers": Written(_doccano_together, skips=False, reporter=lambda who: who[1:]),
    "doccano, names": Written(_doccano_first),
    "mturk": Written(_mturk),
    "mturk, form": Written(_mturk_form),
    "mturk, boxes": Written(_mturk_boxes),
    "toloka": Written(_toloka, gold=True),
    "cvat": Written(_cvat),
}
"""How each tool exports a crowd, in several versions where they differ."""
