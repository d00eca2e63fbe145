"""Crowds whose answers are exported, the reports that are read again, and projects of Label Studio."""

import json
import random
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import bribeproof as bp
from bribeproof.io.read import Table


def crowd_of(seed: int, items: int = 6, people: int = 5) -> dict[tuple[str, str], str | None]:
    """Draw the answers of a crowd, some of which are missing."""
    draw = random.Random(seed)  # noqa: S311
    pairs = [(str(item), f"w{who}") for item in range(1, items + 1) for who in range(1, people + 1)]
    return {pair: draw.choice(["good", "good", "bad", "bad", None]) for pair in pairs}


def reports_of(table: Table) -> dict[tuple[str, str], str | None]:
    """Return the reports of a table, as its reading names them."""
    columns = bp.recognise(table).columns
    rows = table.frame.select(columns.item, columns.reporter, columns.value).rows()
    reports = {(item, who): answer for item, who, answer in rows}
    assert len(reports) == len(rows)
    return reports


def save(folder: Path, tasks: object) -> Path:
    """Write tasks of Label Studio."""
    path = folder / "project.json"
    path.write_text(json.dumps(tasks))
    return path


def result(kind: str, value: Mapping[str, object], name: str = "q") -> dict[str, Any]:
    """Return a result of Label Studio."""
    return {"id": "x", "type": kind, "from_name": name, "to_name": "text", "value": value}
