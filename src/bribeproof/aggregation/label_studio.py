"""Write decisions back to Label Studio, as predictions of the tasks from which they come."""

import json
import math
from collections.abc import Iterator, Mapping, Sequence
from os import PathLike
from pathlib import Path
from typing import Any

from bribeproof._text import count, shorten
from bribeproof.aggregation.result import Aggregation
from bribeproof.errors import DataError, FileError, ParameterError
from bribeproof.frames.native import to_polars
from bribeproof.frames.reading.reading import Reading, has_sets
from bribeproof.io.labelling.export import SCORED
from bribeproof.io.labelling.label_studio import FORMS, ITEM, TOOL, answer_cell


def label_studio_predictions(
    aggregation: Aggregation,
    tasks: str | PathLike[str] | Sequence[Mapping[str, Any]],
    *,
    model_version: str | None = None,
) -> list[dict[str, Any]]:
    """Return the tasks of a Label Studio export with the decisions as predictions, as Label Studio imports them.

    Each prediction has the decision in the form of the annotations, and in its ``meta`` how many reports would have to
    be rewritten to change it, and its status. A task without a decision, such as a tie, has no prediction. Of labels
    and votes, ``score``, by which Label Studio sorts tasks, is the share of the decision once k reports of every class
    are ignored. Stars of a rating are rounded to whole ones, half up.

    Parameters
    ----------
    aggregation : Aggregation
        Result of `aggregate` on the JSON export of a Label Studio project.
    tasks : str or path or sequence of mappings
        The same export: its path, or its tasks.
    model_version : str, optional
        What the predictions are called; by default "bribeproof k=1", with the k of the aggregation.

    Returns
    -------
    list of dict
        The ``id`` and ``data`` of each task, and its ``predictions``: one or none.

    Raises
    ------
    FileError
        If the file cannot be read, or is no export of tasks.
    DataError
        If a decision is none of the answers in it.
    ParameterError
        If the aggregation is of other items than tasks.

    Examples
    --------
    >>> import json, tempfile
    >>> from bribeproof.aggregation.aggregate import aggregate
    >>> answer = {"type": "choices", "from_name": "mood", "to_name": "text", "value": {"choices": ["good"]}}
    >>> people = [{"id": who, "completed_by": who, "result": [answer]} for who in (1, 2, 3)]
    >>> tasks = [{"id": 7, "data": {"text": "Fine!"}, "annotations": people}]
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder, "project.json")
    ...     _ = path.write_text(json.dumps(tasks))
    ...     [task] = label_studio_predictions(aggregate(path, k=1), tasks)
    >>> task["predictions"][0]["result"][0]["value"], task["predictions"][0]["result"][0]["meta"]["flips_needed"]
    ({'choices': ['good']}, 2)
    """
    reading = aggregation.recognised
    asked = reading.columns.value
    if reading.columns.item != ITEM or reading.criteria is not None or not asked:
        raise ParameterError(
            f"predictions are for the tasks of {TOOL}, and the items here are in {reading.columns.item!r}: aggregate "
            f"one question of its JSON export, and several labels as sets (label_sets='whole', --label-sets whole)"
        )
    read = _read(tasks)
    results = [one for one in _results(read) if asked in (one["from_name"], f"{one['from_name']} (question)")]
    if not results:
        raise DataError(f"no task of the export has an answer to {asked!r}; give the file that was aggregated")
    shape = {name: results[0].get(name) for name in ("from_name", "to_name", "type")}
    values = _values(results, reading)
    version = model_version or f"bribeproof k={aggregation.k if aggregation.share is None else aggregation.share}"
    rows = {str(row[ITEM]): row for row in to_polars(aggregation.items).iter_rows(named=True)}
    written = []
    for task in read:
        row = rows.get(str(task["id"]), {})
        value = _value(row, str(shape["type"]), values)
        result = {"id": f"bribeproof-{task['id']}", **shape, "value": value, "meta": _meta(row)}
        prediction = {"model_version": version, **_score(row, aggregation), "result": [result]}
        predictions = [] if value is None else [prediction]
        written.append({"id": task["id"], "data": task.get("data", {}), "predictions": predictions})
    return written


def _read(tasks: str | PathLike[str] | Sequence[Mapping[str, Any]]) -> Sequence[Mapping[str, Any]]:
    """Return the tasks of an export."""
    found: object = tasks
    if isinstance(tasks, str | PathLike):
        try:
            found = json.loads(Path(tasks).read_bytes())
        except OSError as error:
            raise FileError(f"{tasks}: cannot be read ({error.strerror})") from None
        except (ValueError, RecursionError) as error:
            raise FileError(f"{tasks}: is no JSON export of {TOOL} ({error})") from None
    if not isinstance(found, list | tuple) or not all(isinstance(one, Mapping) and "id" in one for one in found):
        raise FileError(f"this is no JSON export of {TOOL}: a list of tasks, each with an id")
    return found


def _results(tasks: Sequence[Mapping[str, Any]]) -> Iterator[Mapping[str, Any]]:
    """Yield the answers of all annotations and predictions about whole tasks."""
    for task in tasks:
        for name in ("annotations", "completions", "predictions"):
            for annotation in task.get(name) or ():
                found = annotation.get("result") if isinstance(annotation, Mapping) else None
                yield from (one for one in found or () if _is_answer(one))


def _is_answer(result: object) -> bool:
    """Return whether a result has the form of an answer about a whole task."""
    if not isinstance(result, Mapping) or result.get("type") not in FORMS or not result.get("from_name"):
        return False
    value = result.get("value")
    return isinstance(value, Mapping) and FORMS[result["type"]][0] in value


def _values(results: Sequence[Mapping[str, Any]], reading: Reading) -> dict[str, object]:
    """Return the value of each answer by the label that it is read as; nothing for scores."""
    sets = reading.label_sets if has_sets(reading) else None
    values: dict[str, object] = {}
    for one in results:
        key, form = FORMS[one["type"]]
        cell = answer_cell(one["value"][key], form, repr(one["from_name"])) if form not in SCORED else None
        if cell is not None:
            values[cell if sets is None else sets.written(cell)] = one["value"]
    return values


def _value(row: Mapping[str, Any], kind: str, values: Mapping[str, object]) -> object:
    """Return the value of a result that says the decision on a task; None if there is none."""
    form = FORMS[kind][1]
    if form in SCORED:
        estimate = row.get("estimate")
        if estimate is None:
            return None
        return {FORMS[kind][0]: math.floor(estimate + 0.5) if form == "rating" else estimate}
    decision = row.get("decision")
    if decision is None:
        return None
    if str(decision) not in values:
        raise DataError(
            f"the decision {shorten(str(decision))} on task {row[ITEM]!r} is none of the answers in the export; give "
            f"the file that was aggregated"
        )
    return values[str(decision)]


def _score(row: Mapping[str, Any], aggregation: Aggregation) -> dict[str, float]:
    """Return the share of the decision, if there is one, as Label Studio sorts by it."""
    estimate = row.get("estimate")
    if aggregation.kind == "scores" or estimate is None or aggregation.promise is not None:
        return {}
    return {"score": max(estimate, 1 - estimate) if aggregation.kind == "votes" else estimate}


def _meta(row: Mapping[str, Any]) -> dict[str, Any]:
    """Return what an answer is worth: as a sentence, which Label Studio shows, and as numbers."""
    names = ("n", "m", "k", "status", "flips_needed", "estimate", "range_low", "range_high")
    facts = {name: row[name] for name in names if row.get(name) is not None}
    of = f"{count(row['m'], 'report')}, of which {row['k']} may be bribed" if "k" in facts else ""
    worth = f"{facts['flips_needed']} to rewrite for another decision" if "flips_needed" in facts else ""
    if "range_low" in facts:
        worth = f"the bribed could have made it {row['range_low']:g} to {row['range_high']:g}"
    return {"text": ["; ".join(filter(None, (of, worth, f"status: {facts.get('status')}")))], **facts}
