"""The endpoint on certificates: what the library bounds, and what it refuses."""

from typing import Any

import polars as pl
import pytest
from starlette.testclient import TestClient

import bribeproof as bp
from bribeproof.certification.result import describe_certification
from tests.explorer.api.api_client import LABELS, ask, refused

TRUTH = [{"photo": str(i), "answer": "xyz"[i % 3]} for i in range(6)]
COLUMNS: dict[str, Any] = {"item": "photo", "reporter": "annotator", "label": "answer"}


@pytest.mark.parametrize(
    "options",
    [
        {"k": 2},
        {},
        {"k": 1, "rule": "isotonic", "classes": ["x", "y"], "seed": 3},
        {"k": 1, "group": {"a": "A", "b": "A"}, "silence": False},
        {"budget": "3/2", "price": dict.fromkeys("abcdefg", 1), "confidence": 0.8},
    ],
    ids=["k", "every k", "isotonic", "groups", "prices"],
)
def test_it_is_what_the_library_bounds(client: TestClient, options: dict[str, Any]) -> None:
    rows = [row for row in LABELS if "classes" not in options or row["answer"] != "z"]
    truth = [row for row in TRUTH if "classes" not in options or row["answer"] != "z"]
    found = ask(client, "certify", {"rows": rows, "truth": truth, **options})
    table = pl.DataFrame(rows).cast(pl.String)
    expected = describe_certification(bp.certify(table, pl.DataFrame(truth), **COLUMNS, **options))
    assert {name: found[name] for name in expected} == expected


def test_the_truth_may_be_a_column_of_the_rows(client: TestClient) -> None:
    known = {row["photo"]: row["answer"] for row in TRUTH}
    rows = [{**row, "right": known[str(row["photo"])]} for row in LABELS]
    found = ask(client, "certify", {"rows": rows, "gold": "right", "k": 1})
    assert found["by_k"] == ask(client, "certify", {"rows": LABELS, "truth": TRUTH, "k": 1})["by_k"]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"truth": TRUTH, "share": 0.2}, "share has no effect here: give k"),
        ({"truth": TRUTH, "positive": 1}, "positive has no effect here"),
        ({"truth": TRUTH, "k": 1, "silence": False}, "silence=false has no effect here: it needs group or price"),
        ({"k": 1}, "the truth of some items is needed: give truth"),
        ({"truth": [{"photo": "no", "answer": "x"}], "k": 1}, "no"),
    ],
)
def test_what_is_refused(client: TestClient, options: dict[str, Any], message: str) -> None:
    assert message in refused(client, "certify", json={"rows": LABELS, **options})
