"""The endpoint on whom to bribe: what the library finds, for every kind of reports."""

from pathlib import Path
from typing import Any

import polars as pl
import pytest
from starlette.testclient import TestClient

import bribeproof as bp
from bribeproof.io.write import to_records
from tests.explorer.api.api_client import LABELS, VOTES, ask, refused

DIVES: list[dict[str, Any]] = [
    {"diver": diver, "dive": dive, "nation": "FR"[judge < 2], "judge": f"J{judge}", "score": mark}
    for diver, marks in (("X", (9, 9, 8, 8)), ("Y", (8, 8, 7.5, 7.5)), ("Z", (1, 2, 1, 2)))
    for dive in (1, 2)
    for judge, mark in enumerate(marks if dive == 1 else (6, 6, 6, 6))
]
DIVING: dict[str, Any] = {"kind": "scores", "item": ["diver", "dive"], "total": "sum of dive", "better": "high"}


@pytest.mark.parametrize("k", [0, 1, 2, 7])
@pytest.mark.parametrize(("rows", "label"), [(VOTES, "label"), (LABELS, "answer")], ids=["votes", "labels"])
def test_it_is_what_the_library_finds(client: TestClient, rows: list[dict[str, Any]], label: str, k: int) -> None:
    found = ask(client, "bribe", {"rows": rows, "k": k})
    table = pl.DataFrame(rows).cast(pl.String)
    item, reporter = table.columns[:2]
    expected = bp.worst_bribe(table, k, item=item, reporter=reporter, label=label)
    assert found["sentences"] == expected.summary().splitlines()
    assert found["bribed"] == to_records(expected.reporters)
    assert found["items"] == to_records(expected.items)
    facts = expected.facts()
    assert found["summary"] == {"names": facts.pop("reporters"), **facts}


def test_places_of_a_contest(client: TestClient, tmp_path: Path) -> None:
    found = ask(client, "bribe", {"rows": DIVES, "k": 1, **DIVING})
    pl.DataFrame(DIVES).write_csv(tmp_path / "dives.csv")
    expected: Any = bp.worst_bribe(tmp_path / "dives.csv", 1, **DIVING)
    assert found["items"] == expected.records()
    assert found["summary"] == expected.facts()
    assert found["summary"]["winner_safe"] is True
    assert found["bribed"] == []
    assert found["sentences"] == expected.summary().splitlines()
    trimmed = ask(client, "bribe", {"rows": DIVES, "k": 2, "trim": 1, **DIVING})
    assert trimmed["summary"]["winner_safe"] is False
    assert trimmed["bribed"]


def test_groups_prices_values_and_weights(client: TestClient) -> None:
    table = pl.DataFrame(VOTES).cast(pl.String)
    group = {"w0": "A", "w1": "A", "w2": "B"}
    price: dict[str, Any] = {f"w{one}": one + 1 for one in range(7)}
    for options in (
        {"k": 1, "group": group},
        {"budget": 5, "price": price},
        {"budget": "7/2", "price": price},
        {"k": 2, "values": {f"t{one}": one / 2 for one in range(6)}},
        {"k": 2, "weights": {f"w{one}": 1 + one / 4 for one in range(7)}},
    ):
        found = ask(client, "bribe", {"rows": VOTES, "time_limit": 10, **options})
        expected: Any = bp.worst_bribe(table, **options)
        assert (found["sentences"], found["items"]) == (expected.summary().splitlines(), to_records(expected.items))
    columns = [{**row, "of": group.get(row["worker"])} for row in VOTES]
    named = ask(client, "bribe", {"rows": columns, "k": 1, "group": "of"})
    assert named["bribed"] == ask(client, "bribe", {"rows": VOTES, "k": 1, "group": group})["bribed"]


def test_an_aggregation_takes_groups_and_prices(client: TestClient) -> None:
    price = {"N": 2, "S": 1}
    rows = [
        {**row, "of": "NS"[int(row["worker"][1]) % 2], "cost": price["NS"[int(row["worker"][1]) % 2]]} for row in VOTES
    ]
    table = pl.DataFrame(rows).cast(pl.String)
    columns: dict[str, Any] = {"reporter": "worker", "vote": "label"}
    asked: list[dict[str, Any]] = [{"k": 1, "group": "of"}, {"budget": 1, "group": "of", "price": price}]
    for options in asked:
        found = ask(client, "aggregate", {"rows": rows, "kind": "votes", "value": "label", **options})
        assert found["items"] == to_records(bp.aggregate_votes(table, **columns, **options))
    text = "\n".join([",".join(rows[0]), *(",".join(map(str, row.values())) for row in rows)])
    sent = {"kind": "votes", "value": "label", "budget": "1", "group": "of", "price": "cost"}
    answer = client.post("/api/aggregate/file", data=sent, files={"file": ("rows.csv", text)})
    assert answer.status_code == 200, answer.text
    assert answer.json()["items"] == found["items"]


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ({}, "either k, such as k=2, or a budget"),
        ({"k": 1, "share": 0.2}, "share has no effect here: give k"),
        ({"k": 1, "positive": 1}, "positive has no effect here"),
        ({"k": 1, "trim": 1}, "trim has no effect here: it needs scores"),
        ({"k": -1}, "k"),
        ({"k": 8}, "k=8: there are 7 reporters"),
        ({"k": 1, "time_limit": 60}, "time_limit"),
        ({"k": 1, "group": {}}, "group: {} arrived; give the name of a column, or an object"),
        ({"k": 1, "values": {"t0": "much"}}, "arrived; give the name of a column, or an object with a number"),
        ({"k": 1, "budget": 1}, "either k, such as k=2, or a budget"),
        ({"budget": -1, "price": {f"w{one}": 1 for one in range(7)}}, "budget"),
        ({"k": 1, "group": "nobody"}, "nobody"),
    ],
)
def test_what_is_refused(client: TestClient, asked: dict[str, Any], said: str) -> None:
    assert said in refused(client, "bribe", json={"rows": VOTES, **asked})


def test_a_contest_has_no_values(client: TestClient) -> None:
    assert "values has no effect here" in refused(
        client, "bribe", json={"rows": DIVES, "k": 1, "values": "dive", **DIVING}
    )
    assert "no entry has a total" in refused(client, "bribe", json={"rows": DIVES, "k": 4, **DIVING})
