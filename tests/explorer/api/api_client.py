"""What tests ask the JSON API, and how."""

import json
from typing import Any

from starlette.testclient import TestClient

VOTER = {"prior": 0.5, "tpr": 0.8, "fpr": 0.1}
COST = {"loss": "cost", "false_positive": 1, "false_negative": 5}
VOTES: list[dict[str, Any]] = [
    {"task": f"t{i}", "worker": f"w{j}", "label": int(i * j % 3 > 0)} for i in range(6) for j in range(7)
]
LABELS: list[dict[str, Any]] = [
    {"photo": i, "annotator": "abcdefg"[j], "answer": "xyz"[i * j % 3]} for i in range(6) for j in range(7)
]
SCORES = [{"entry": "E1", "j1": 5, "j2": 6.5, "j3": 9.25, "j4": 9.5}, {"entry": "E2", "j1": 1, "j2": None, "j3": 2.25}]
COMMAS = [{"entry": "E1", "j1": 5, "j2": "6,5", "j3": "9,25"}, {"entry": "E2", "j1": "absent", "j2": "85", "j3": "2,5"}]
TRUTH = [{"task": f"t{i}", "truth": i % 2} for i in range(5)]


def ask(client: TestClient, path: str, body: object) -> dict[str, Any]:
    """Ask for an answer; only valid JSON will do."""
    answered = client.post(f"/api/{path}", json=body)
    assert answered.status_code == 200, answered.text
    return parsed(answered.content)


def refused(client: TestClient, path: str, **sent: Any) -> str:
    """Ask for what there is not, and return the one sentence that says why."""
    answered = client.post(f"/api/{path}", **sent)
    assert (answered.status_code, answered.headers["content-type"]) == (422, "application/json"), answered.text
    [(name, said)] = answered.json().items()
    assert (name, isinstance(said, str), len(said.splitlines())) == ("error", True, 1)
    return str(said)


def parsed(content: bytes) -> dict[str, Any]:
    """Read an answer; only valid JSON will do."""
    found: dict[str, Any] = json.loads(content, parse_constant=_refuse)
    return found


def _refuse(constant: str) -> None:
    raise AssertionError(f"{constant} is not JSON")
