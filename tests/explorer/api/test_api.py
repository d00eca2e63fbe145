"""The JSON API: the numbers of the library to the last bit."""

import json
import re
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from starlette.testclient import TestClient

import bribeproof as bp
from bribeproof.cli import app as command
from bribeproof.explorer.api.panel_requests import MAX_REPORTERS
from tests.explorer.api.api_client import COMMAS, COST, LABELS, SCORES, TRUTH, VOTER, VOTES, ask
from tests.paths import ROOT


def printed(capsys: pytest.CaptureFixture[str], *arguments: object) -> dict[str, Any]:
    """Run the command with --json, and return what it prints."""
    command([*map(str, arguments), "--json"], exit_on_error=False, print_error=False)
    found: dict[str, Any] = json.loads(capsys.readouterr().out)
    return found


def options(fields: dict[str, Any]) -> list[str]:
    """Write fields of a request as options of the command."""
    fields = dict(fields)
    if fields.get("loss") == "cost":
        fields["loss"] = f"cost:{fields.pop('false_positive')},{fields.pop('false_negative')}"
    names = {"decimals": "round", "decimal_mark": "decimal", "share_of": "share-of"}
    texts = {name: ",".join(map(str, value)) if isinstance(value, list) else value for name, value in fields.items()}
    return [f"--{names.get(name, name)}={value}" for name, value in texts.items()]


@pytest.mark.parametrize("loss", [{}, {"loss": "log"}, {"loss": "absolute"}, COST])
@pytest.mark.parametrize(
    "seats", [{"n": 10, "k": 2}, *(pytest.param(one, marks=pytest.mark.slow) for one in ({"n": 9, "k": 3}, {"n": 41}))]
)
def test_a_panel_is_what_the_command_shows(
    client: TestClient, capsys: pytest.CaptureFixture[str], seats: dict[str, Any], loss: dict[str, Any]
) -> None:
    fields = seats | VOTER | loss
    assert ask(client, "panel", fields) == printed(capsys, "panel", *options(fields))


def test_a_large_panel_is_answered(client: TestClient) -> None:
    found = ask(client, "panel", {"n": MAX_REPORTERS, "k": 10_000, **VOTER})
    assert len(found["values"]) == MAX_REPORTERS + 1
    assert found["low"] == pytest.approx(0.2 * 0.9 / (0.2 * 0.9 + 0.9 * 0.9 - 0.1 * 0.1), abs=0.1)


@given(st.integers(1, 12), st.data(), st.sampled_from(["squared", "absolute", "cost"]))
def test_a_worst_case_is_that_of_the_library(client: TestClient, n: int, data: st.DataObject, loss: str) -> None:
    k = data.draw(st.integers(0, (n - 1) // 2))
    fpr, tpr = sorted(data.draw(st.tuples(st.floats(0, 1), st.floats(0, 1))))
    prior = data.draw(st.floats(0, 1))
    values = data.draw(st.lists(st.floats(0, 1), min_size=n + 1, max_size=n + 1))
    fields = {"n": n, "k": k, "prior": prior, "tpr": tpr, "fpr": fpr, "rule": values}
    found = ask(client, "worst-case", fields | (COST if loss == "cost" else {"loss": loss}))
    expected = bp.theory.worst_case(
        np.array(values),
        bp.Panel(n, k),
        bp.Expert(prior, tpr, fpr),
        bp.theory.cost(false_positive=1, false_negative=5) if loss == "cost" else loss,
    )
    assert found["values"] == values
    assert (found["regret"], found["expected_loss"]) == (expected.regret, expected.expected_loss)
    assert (found["benchmark"], found["largest_loss"]) == (expected.benchmark, expected.largest_loss)
    for state in ("given_1", "given_0"):
        scenario = {name: list(numbers) for name, numbers in asdict(getattr(expected, state)).items()}
        assert found[state] == scenario
    assert found["unbounded"] is False


@pytest.mark.parametrize(
    ("rule", "of"),
    [
        ("trimmed_mean", bp.rules.trimmed_mean),
        ("mean", bp.rules.mean),
        ("median", bp.rules.median),
        ("majority", bp.rules.majority),
        ("optimal", lambda panel: bp.rules.optimal_aggregator(panel, bp.Expert(**VOTER), "absolute")),
    ],
)
def test_rules_have_names(client: TestClient, rule: str, of: Any) -> None:
    found = ask(client, "worst-case", {"n": 7, "k": 2, "loss": "absolute", "rule": rule, **VOTER})
    expected = bp.theory.worst_case(of(bp.Panel(7, 2)), bp.Panel(7, 2), bp.Expert(**VOTER), "absolute")
    assert (found["regret"], found["values"]) == (expected.regret, expected.rule.values.tolist())


def test_an_infinite_loss_is_no_number_but_said(client: TestClient) -> None:
    found = ask(client, "worst-case", {"n": 4, "k": 1, "loss": "log", "rule": "majority", **VOTER})
    assert [found[name] for name in ("regret", "expected_loss", "largest_loss")] == [None] * 3
    assert found["unbounded"] is True
    assert (
        bp.theory.worst_case(bp.rules.majority(bp.Panel(4, 1)), bp.Panel(4, 1), bp.Expert(**VOTER), "log").regret
        == np.inf
    )


@pytest.mark.parametrize("seats", [{"n": 10}, {"n": 9, "k": 3}, {"n": 12, "k": 2}])
def test_the_mixture_alone_proves_the_lower_bound(client: TestClient, seats: dict[str, int]) -> None:
    """No rule can do better against the mixture than the Bayes act at each count that it sees."""
    found = ask(client, "minimax", {**seats, **VOTER})
    seen, benchmark = np.zeros((2, found["n"] + 1)), 0.0
    for part in found["mixture"]:
        truthful = np.zeros((2, found["n"] + 1))
        for state, prior in ((1, 0.5), (0, 0.5)):
            given = part[f"given_{state}"]
            for count, weight, lies in zip(given["truthful"], given["weights"], given["adversaries"], strict=True):
                assert 0 <= lies <= found["k"]
                truthful[state, count] += prior * weight
                seen[state, count + lies] += part["weight"] * prior * weight
        benchmark += part["weight"] * squared_risk(truthful)
    assert sum(part["weight"] for part in found["mixture"]) == pytest.approx(1, abs=1e-12)
    assert squared_risk(seen) - benchmark == pytest.approx(found["lower"], abs=1e-12)
    assert found["lower"] <= found["upper"] <= found["lower"] + found["tol"]
    upper = bp.theory.worst_case(found["values"], bp.Panel(found["n"], found["k"]), bp.Expert(**VOTER)).regret
    assert upper == pytest.approx(found["upper"], abs=1e-12)
    expected = bp.theory.minimax(bp.Panel(found["n"], found["k"]), bp.Expert(**VOTER))
    assert (found["lower"], found["upper"]) == (expected.lower, expected.upper)
    assert found["values"] == expected.aggregator.values.tolist()


def squared_risk(masses: np.ndarray[Any, np.dtype[np.float64]]) -> float:
    """Squared loss of the Bayes act where these are the joint masses of the two states."""
    both = masses.sum(axis=0)
    return float((masses[0] * masses[1])[both > 0] @ (1 / both[both > 0]))


AGGREGATIONS = [
    (VOTES, {"k": 1}),
    (VOTES, {"k": 2, **VOTER, "loss": "log"}),
    (VOTES, {"k": 1, **VOTER, **COST}),
    (VOTES, {"share": "1/5", "share_of": "item", "positive": "1", "ties": "random", "seed": 7}),
    (VOTES, {"k": 1, "kind": "labels", "classes": ["1", "0", "2"], "seed": 3}),
    (LABELS, {"k": 1, "item": "photo", "reporter": "annotator", "value": "answer"}),
    (LABELS, {"share": "0.2", "missing": ["z"], "repeats": "first", "ties": "last"}),
    (SCORES, {"k": 1, "decimals": 1}),
    (SCORES, {"k": 1, "kind": "scores", "better": "low", "scale": [0, 10]}),
    (COMMAS, {"k": 1, "judges": ["j*"], "kind": "scores", "decimal_mark": ",", "missing": ["absent"]}),
]


@pytest.mark.parametrize(("rows", "fields"), AGGREGATIONS)
def test_rows_are_answered_as_the_command_answers_a_file(
    client: TestClient,
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
    rows: list[dict[str, Any]],
    fields: dict[str, Any],
) -> None:
    file = tmp_path / "rows.json"
    file.write_text(json.dumps(rows), encoding="utf-8")
    expected = printed(capsys, "aggregate", file, *options(fields))
    assert ask(client, "aggregate", {"rows": rows, **fields}) == expected
    with file.open("rb") as upload:
        sent = client.post("/api/aggregate/file", files={"file": ("rows.json", upload)}, data=fields)
    assert (sent.status_code, sent.json()) == (200, expected)


def test_values_may_be_of_the_types_that_rows_have(client: TestClient) -> None:
    rows = [{"task": "t", "worker": who, "label": who in "ab"} for who in "abcde"]
    text = ask(client, "aggregate", {"rows": rows, "k": 1, "positive": "true", "classes": ["false", "true"]})
    assert ask(client, "aggregate", {"rows": rows, "k": 1, "positive": True, "classes": [False, True]}) == text
    assert (text["items"][0]["positive"], text["items"][0]["decision"]) == (2, "false")
    share = {"rows": VOTES, "share": 0.29}
    assert ask(client, "aggregate", share)["items"] == ask(client, "aggregate", share | {"share": "0.29"})["items"]


@pytest.mark.parametrize("ending", ["csv", "tsv", "parquet", "ndjson", "json"])
def test_a_file_is_answered_as_the_command_answers_it(
    client: TestClient, capsys: pytest.CaptureFixture[str], tmp_path: Path, ending: str
) -> None:
    file = tmp_path / f"votes.{ending}"
    bp.write_table(pl.DataFrame(VOTES), file)
    sent = client.post("/api/aggregate/file", files={"file": (file.name, file.read_bytes())}, data={"k": "1", **VOTER})
    assert sent.json() == printed(capsys, "aggregate", file, "--k", 1, *options(VOTER))
    renamed = client.post(
        "/api/aggregate/file", files={"file": ("x", file.read_bytes())}, data={"k": 1, "format": ending}
    )
    assert renamed.json()["items"] == printed(capsys, "aggregate", file, "--k", 1)["items"]


def test_types_that_json_does_not_have_become_text(client: TestClient, tmp_path: Path) -> None:
    days = pl.date_range(pl.date(2024, 1, 1), pl.date(2024, 1, 3), eager=True)
    file = tmp_path / "days.parquet"
    bp.write_table(
        pl.DataFrame({"task": days, "j1": [1.0, 2.0, 3.0], "j2": [2.0, 2.0, None], "j3": [3.0, 2.5, 1.0]}), file
    )
    sent = client.post("/api/aggregate/file", files={"file": (file.name, file.read_bytes())}, data={"k": "1"})
    assert [row["task"] for row in sent.json()["items"]] == ["2024-01-01", "2024-01-02", "2024-01-03"]
    assert sent.json()["items"][2]["estimate"] is None


def test_a_calibration_is_that_of_the_command(
    client: TestClient, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    files = {"rows": tmp_path / "rows.json", "truth": tmp_path / "truth.json"}
    files["rows"].write_text(json.dumps(VOTES), encoding="utf-8")
    files["truth"].write_text(json.dumps(TRUTH), encoding="utf-8")
    for fields, arguments in (
        ({"k": 1}, ["--k=1"]),
        ({"share": 0.3, "confidence": 0.8, "prior": [0.2, 0.4]}, ["--share=0.3", "--confidence=.8", "--prior=0.2,0.4"]),
        ({"k": 2, "positive": 0, "gold": "truth", "prior": 0.5}, ["--k=2", "--positive=0", "--prior=0.5"]),
    ):
        expected = printed(capsys, "calibrate", files["rows"], "--truth", files["truth"], *arguments)
        assert ask(client, "calibrate", {"rows": VOTES, "truth": TRUTH, **fields}) == expected


@pytest.mark.slow
def test_the_truth_may_be_a_column_and_groups_be_bribed(client: TestClient) -> None:
    known = {row["task"]: row["truth"] for row in TRUTH}
    rows = [{**row, "gold": known.get(row["task"])} for row in VOTES]
    by_column = ask(client, "calibrate", {"rows": rows, "gold": "gold", "k": 2})
    by_rows = ask(client, "calibrate", {"rows": VOTES, "truth": TRUTH, "k": 2})
    assert by_column["reporters"] == by_rows["reporters"]
    groups = {f"w{j}": "AABBCDE"[j] for j in range(7)}
    in_groups = ask(client, "calibrate", {"rows": VOTES, "truth": TRUTH, "groups": groups, "bribed_groups": 1})
    assert {**in_groups, "notes": []} == {**by_rows, "notes": []}


def test_people_find_every_field_on_a_page(client: TestClient) -> None:
    shown = client.get("/api")
    assert (shown.status_code, shown.headers["content-type"]) == (200, "text/html; charset=utf-8")
    schema = client.get("/api/openapi.json").json()
    assert sorted(schema["paths"]) == [
        "/api/aggregate", "/api/aggregate/file", "/api/bribe", "/api/calibrate", "/api/certify", "/api/minimax",
        "/api/panel", "/api/worst-case",
    ]  # fmt: skip
    for path in schema["paths"]:
        assert f"<code>POST {path}</code>" in shown.text
    for name in ("bribed_groups", "false_positive", "decimal_mark", "given_1", "breakdown_point"):
        assert f"<code>{name}</code>" in shown.text
    assert not re.search(r"""(?:src|href|action)=["']?(?:https?:)?//""", shown.text)


EXAMPLE = re.compile(
    r"/api/(?P<path>\S+) -H [^-]*-Type: application/json' -d '(?P<sent>.*?)'\n```.*?```json\n(?P<shown>.*?)```", re.S
)


def test_the_examples_of_the_documentation(client: TestClient) -> None:
    text = (ROOT / "docs" / "reference" / "json_api.md").read_text(encoding="utf-8")
    examples = list(EXAMPLE.finditer(text))
    assert [example["path"] for example in examples] == [
        "aggregate",
        "bribe",
        "certify",
        "panel",
        "worst-case",
        "minimax",
        "calibrate",
    ]
    for example in examples:
        found, shown = ask(client, example["path"], json.loads(example["sent"])), json.loads(example["shown"])
        assert {name: found[name] for name in shown} == shown
    assert "file=@examples/judges.csv -F k=1" in text
    upload = {"file": ("judges.csv", (ROOT / "examples" / "judges.csv").read_bytes())}
    assert client.post("/api/aggregate/file", files=upload, data={"k": "1"}).json()["kind"] == "scores"


def test_the_pages_of_fastapi_are_off(client: TestClient) -> None:
    assert [client.get(path).status_code for path in ("/docs", "/redoc", "/openapi.json")] == [404] * 3
