"""The JSON API reads what the library reads: criteria, totals, turned sheets and rows that are no items."""

from pathlib import Path
from typing import Any

import polars as pl
import pytest
from starlette.testclient import TestClient

import bribeproof as bp
from bribeproof._warnings import record_warnings
from bribeproof.io.write import to_records
from tests.explorer.api.api_client import ask, parsed
from tests.explorer.data.test_totals import CRITERIA, EDITS, LONG, RUNS

TURNED = b"judge,E1,E2,E3\nAnna,7.5,6,8\nBoris,8,6.5,7\nChen,7,5,9\n"
TOTALS = b"entry,J1,J2,J3\nAurora,8,7.5,9\nBorealis,6,7,9.5\nOdd one,14,2,18.5\n"
CASES: dict[str, tuple[bytes, dict[str, Any]]] = {
    "sum": (
        RUNS,
        {"item": ["rider", "run"], "factor": ["degree", 2], "total": "sum of runs", "minus": "fall", "decimals": 1},
    ),
    "factor": (RUNS, {"item": ["rider", "run"], "judges": ["j?"], "factor": ["degree"]}),
    "weights": (CRITERIA, {"criteria": "judge first", "criterion_weights": {"tech": 2, "art": "1/3"}}),
    "list of weights": (CRITERIA, {"criteria": "each", "criterion_weights": ["tech=2", "art=1"]}),
    "long criteria": (LONG, {"criteria": "judge-first", "criterion": "aspect"}),
    "edits in order": (EDITS, {"order": "when", "repeats": "last"}),
    "turned": (TURNED, {"turned": True, "kind": "scores"}),
    "not items": (TOTALS, {"not_items": ["Odd one"], "kind": "scores"}),
}


@pytest.mark.parametrize(
    "name",
    [name if name in ("sum", "weights", "turned") else pytest.param(name, marks=pytest.mark.slow) for name in CASES],
)
def test_rows_and_files_are_read_as_by_the_library(client: TestClient, tmp_path: Path, name: str) -> None:
    content, options = CASES[name]
    (tmp_path / "sheet.csv").write_bytes(content)
    with record_warnings() as warned:
        expected = bp.aggregate(tmp_path / "sheet.csv", k=1, **options)
    rows = pl.read_csv(content, infer_schema=False).to_dicts()
    found = ask(client, "aggregate", {"rows": rows, "k": 1, **options})
    assert found["items"] == to_records(expected.items)
    assert found["notes"] == [*expected.notes, *warned]
    assert found["summary"] == expected.facts()
    fields = {
        name: [str(one) for one in value] if isinstance(value, list) else value for name, value in options.items()
    }
    if isinstance(weights := fields.get("criterion_weights"), dict):
        fields["criterion_weights"] = [f"{name}={weight}" for name, weight in weights.items()]
    sent = client.post("/api/aggregate/file", data={"k": "1", **fields}, files={"file": ("sheet.csv", content)})
    assert sent.status_code == 200, sent.text
    assert parsed(sent.content)["items"] == found["items"]


@pytest.mark.slow
def test_calibration_reads_turned_sheets_and_leaves_out_rows(client: TestClient) -> None:
    turned = [
        {"voter": name, **{f"t{item}": (item + place) % 2 for item in range(6)}} for place, name in enumerate("abc")
    ]
    truth = [{"item": f"t{item}", "truth": item % 2} for item in range(6)]
    found = ask(client, "calibrate", {"rows": turned, "truth": truth, "k": 0, "turned": True})
    assert (found["n"], found["gold"]["negative"], found["gold"]["positive"]) == (3, 3, 3)
