"""The JSON API refuses in one sentence that says where, what arrived and what is allowed."""

import json
from typing import Any

import polars as pl
import pytest
from hypothesis import event, given
from hypothesis import strategies as st
from starlette.testclient import TestClient

import bribeproof as bp
from bribeproof.explorer.app import create_app
from bribeproof.explorer.settings import Settings
from tests.explorer.api.api_client import COMMAS, LABELS, SCORES, TRUTH, VOTER, VOTES, parsed, refused


def test_the_errors_of_the_library_come_as_they_are(client: TestClient) -> None:
    with pytest.raises(bp.ParameterError) as even:
        bp.Panel(4, 2)
    for path in ("panel", "worst-case", "minimax"):
        assert refused(client, path, json={"n": 4, "k": 2, **VOTER}) == str(even.value)
    with pytest.raises(bp.ParameterError) as crossed:
        bp.Expert(0.5, 0.1, 0.2)
    assert refused(client, "panel", json={"n": 4, "prior": 0.5, "tpr": 0.1, "fpr": 0.2}) == str(crossed.value)
    with pytest.raises(bp.ParameterError) as short:
        bp.theory.worst_case([0.0, 1.0], bp.Panel(4, 1), bp.Expert(**VOTER))
    assert refused(client, "worst-case", json={"n": 4, "k": 1, "rule": [0, 1], **VOTER}) == str(short.value)
    with pytest.raises(bp.ParameterError) as unsaid:
        bp.aggregate_votes(pl.DataFrame(VOTES))
    assert refused(client, "aggregate", json={"rows": VOTES}) == str(unsaid.value)


def test_a_file_is_named_as_its_owner_names_it(client: TestClient) -> None:
    def said(name: str, content: bytes) -> str:
        return refused(client, "aggregate/file", files={"file": (name, content)}, data={"k": "1"})

    ragged = b"task,worker,label\nt1,a\n"
    assert said("votes.csv", ragged).startswith("votes.csv, line 2: 2 fields where the header has 3")
    assert said("../../etc/votes.csv", ragged).startswith("../../etc/votes.csv, line 2")
    assert said("x" * 300 + ".csv", ragged).startswith("'xxx")
    assert said("notes", b"task").startswith("notes: the ending '' is unknown")
    assert said("empty.csv", b"").startswith("empty.csv: the file is empty")
    conflict = b"task,worker,label\nt1,a,1\nt1,a,0\nt1,b,0\n"
    assert said("votes.csv", conflict).startswith("line 2: reporter 'a' reports on item 't1' more than once")


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"n": "3"}, 'n: "3" arrived; give a whole number'),
        ({"n": True}, "n: true arrived; give a whole number"),
        ({"n": 3.0}, "n: 3.0 arrived; give a whole number"),
        ({"n": None}, "n: null arrived; give a whole number"),
        ({"n": 0}, "n: 0 arrived; give a number of at least 1"),
        ({"n": 10**9}, "n: 1000000000 arrived; give a number of at most 100,000"),
        ({"n": [1] * 1000}, f"n: {'[' + '1, ' * 18}1,... arrived; give a whole number"),
        ({"prior": -0.5}, "prior: -0.5 arrived; give a number of at least 0"),
        ({"prior": "0.5"}, 'prior: "0.5" arrived; give a number'),
        ({"loss": "hinge"}, "loss: \"hinge\" arrived; give 'squared', 'absolute', 'log' or 'cost'"),
        (
            {"loss": "cost", "false_positive": 0, "false_negative": 1},
            "false_positive: 0 arrived; give a number above 0",
        ),
        (
            {"rule": [0, 2, 0, 0]},
            "rule: [0, 2, 0, 0] arrived; give optimal, trimmed_mean, mean, median, majority, or a ",
        ),
        ({"tpr ": 1}, "tpr  is not a field of this request; GET /api lists the fields"),
        ({"a\nb": 1}, r"'a\nb' is not a field of this request; GET /api lists the fields"),
        ({"loss": "cost"}, "false_positive and false_negative are the prices of loss='cost': give all three, or none"),
        (
            {"false_positive": 1},
            "false_positive and false_negative are the prices of loss='cost': give all three, or n",
        ),
    ],
)
def test_a_wrong_field_is_told_in_one_sentence(client: TestClient, fields: dict[str, Any], said: str) -> None:
    assert refused(client, "worst-case", json={"n": 3, **VOTER, **fields}).startswith(said)


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"k": 1, "rows": [{"a": [1]}]}, "rows[0].a: [1] arrived; give text, a number, true, false or null"),
        ({"k": 1, "rows": [{"a": 1}, 7]}, "rows[1]: 7 arrived; give an object"),
        ({"k": 1, "rows": "/etc/passwd"}, 'rows: "/etc/passwd" arrived; give a list'),
        ({"k": 1, "rows": []}, "rows: there are no records in it"),
        ({"k": 1, "share": 0.2}, "say how many reporters may be bribed: either k"),
        ({"k": 1, "share_of": "item"}, "share_of='item' has no effect here: it needs share"),
        ({"k": 1, "loss": "log"}, "loss has no effect here: it needs prior, tpr and fpr"),
        ({"k": 1, "seed": 4}, "seed has no effect here: it needs ties='random'"),
        ({"k": 1, "prior": 0.5}, "prior, tpr and fpr describe one truthful voter: give all three, or none"),
        ({"k": 1, "decimals": 2}, "decimals does not apply to votes"),
        ({"k": 1, "decimals": 13}, "decimals: 13 arrived; give a number of at most 12"),
        ({"k": 1, "judges": ["j1"]}, "there is no column 'j1'"),
        ({"k": 1, "item": ""}, 'item: "" arrived; give the name of a column, or a list of names'),
        ({"k": 10**12}, "k: 1000000000000 arrived; give a number of at most 2,147,483,648"),
        ({"k": 1, "seed": 2**53}, "seed: 9007199254740992 arrived; give a number of at most 9,007,199,254,740,991"),
    ],
)
def test_a_wrong_aggregation_is_told_in_one_sentence(client: TestClient, fields: dict[str, Any], said: str) -> None:
    assert refused(client, "aggregate", json={"rows": VOTES, **fields}).startswith(said)


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"", "the request is missing"),
        (b"{", "the request: not valid JSON"),
        (b"[1]", "the request: [1] arrived; give an object"),
        (b"\xff{}", "the request: not UTF-8 text"),
        (b"[" * 100_000, "the request: nested too deeply"),
        (b'{"n": 3, "n": 5}', "the request: the key 'n' appears twice in an object, keep one"),
        (b'{"rows": [{"j1": 1, "j1": 2}]}', "the request: the key 'j1' appears twice in an object, keep one"),
        (b'{"prior": NaN}', "the request: NaN is not JSON"),
        (b'{"prior": -Infinity}', "the request: -Infinity is not JSON"),
        (b'{"n": 3, "prior": 1e999, "tpr": 1, "fpr": 0}', "prior: Infinity arrived; give a finite number"),
        (b'{"n": ' + b"9" * 5000 + b"}", "the request: Exceeds the limit"),
        (
            b'{"\\ud800": 1, "n": 1, "prior": 1, "tpr": 1, "fpr": 1}',
            r'the request: "\ud800" arrived; give text without',
        ),
        (b'{"loss": "\\ud800", "n": 1, "prior": 1, "tpr": 1, "fpr": 1}', r'loss: "\ud800" arrived; give '),
    ],
)
def test_only_json_is_taken(client: TestClient, content: bytes, said: str) -> None:
    sent = {"content": content, "headers": {"Content-Type": "application/json"}}
    assert refused(client, "panel", **sent).startswith(said)


def test_only_what_is_marked_as_json_is_taken(client: TestClient) -> None:
    content = json.dumps({"n": 3, **VOTER})
    for kind in ("text/plain", "application/x-www-form-urlencoded", ""):
        said = refused(client, "panel", content=content, headers={"Content-Type": kind})
        assert said == "the request is not marked as JSON: send it with the header Content-Type: application/json"


@pytest.mark.parametrize(
    ("sent", "said"),
    [
        ({"data": {"k": "1"}}, "file is missing"),
        ({"json": {"k": 1}}, "file is missing"),
        ({"data": {"k": "1", "file": "/etc/passwd"}}, 'file: "/etc/passwd" arrived; give a file'),
        ({"files": {"file": ("v.csv", b"a")}, "data": {"k": "one"}}, 'k: "one" arrived; give a whole number'),
        ({"files": {"file": ("v.csv", b"a")}, "data": {"rows": "[]"}}, "rows is not a field of this request"),
        ({"files": {"file": ("v.csv", b"a")}, "data": {"k": "1_0"}}, 'k: "1_0" arrived; give a whole number'),
        ({"files": {"file": ("v.csv", b"a")}, "data": {"k": ["1", "0"]}}, "k arrived 2 times; give it once"),
        ({"files": {"file": ("v.csv", b"a")}, "data": {"prior": "0_1"}}, 'prior: "0_1" arrived; give a number'),
        ({"files": {"file": ("v.csv", b"a")}, "data": {"prior": "nan"}}, 'prior: "nan" arrived; give a number'),
        ({"content": b"x", "headers": {"Content-Type": "multipart/form-data"}}, "the request: Missing boundary"),
        ({"content": b"x", "headers": {"Content-Type": "multipart/form-data; boundary=b"}}, "the request: Invalid"),
    ],
)
def test_a_wrong_form_is_told_in_one_sentence(client: TestClient, sent: dict[str, Any], said: str) -> None:
    assert refused(client, "aggregate/file", **sent).startswith(said)


names = st.sampled_from(["task", "worker", "label", "j1", "j2", " j1", "score", "", "_row", "=1+1", "x" * 10_000, "n"])
plain = st.none() | st.booleans() | st.integers(-3, 3) | st.sampled_from(["t1", "a", "0", "7,5", "85%", 2.5])
wild = plain | st.text() | st.integers(-(10**400), 10**400) | st.floats(allow_nan=False, allow_infinity=False)
nested = st.lists(wild, max_size=2) | st.dictionaries(st.text(), wild, max_size=2)


@st.composite
def hostile_rows(draw: st.DrawFn) -> list[dict[str, Any]]:
    """A sound table in which some cells are other ones, or there where no column is."""
    table: list[dict[str, Any]] = draw(st.sampled_from([VOTES, LABELS, SCORES, COMMAS, []]))
    rows = [dict(row) for row in table]
    rows += draw(st.lists(st.dictionaries(names, plain, max_size=4), max_size=2))
    for row in draw(st.lists(st.sampled_from(rows), max_size=3)) if rows else ():
        row[draw(names | st.sampled_from(sorted(row) or ["task"]))] = draw(st.one_of(plain, plain, wild, nested))
    return rows


@given(
    hostile_rows(),
    st.fixed_dictionaries(
        {"k": st.integers(0, 3)},
        optional={
            "kind": st.sampled_from(["scores", "votes", "labels"]),
            "item": names,
            "judges": st.lists(names, max_size=3),
            "missing": st.lists(wild, max_size=2),
            "positive": wild,
            "classes": st.lists(wild, max_size=3),
            "ties": st.sampled_from(["first", "random"]),
            "seed": st.integers(0, 5),
        },
    )
    | st.just({"k": 1}),
)
def test_hostile_rows_are_answered_or_refused(
    client: TestClient, rows: list[dict[str, Any]], fields: dict[str, Any]
) -> None:
    for path, more in (("aggregate", {}), ("calibrate", {"truth": TRUTH})):
        used = (
            fields if path == "aggregate" else {name: fields[name] for name in fields.keys() - {"kind", "ties", "seed"}}
        )
        answered = client.post(f"/api/{path}", json={"rows": rows, **used, **more})
        found = parsed(answered.content)
        assert answered.status_code in (200, 422), answered.text
        event(f"{path}: {answered.status_code}")
        if answered.status_code == 422:
            assert list(found) == ["error"]
            assert len(found["error"].splitlines()) == 1


def test_an_answer_has_its_limit(client: TestClient) -> None:
    rows = [{"task": i, "worker": "w", "label": i % 990} for i in range(2100)]
    said = refused(client, "aggregate", json={"rows": rows, "k": 0, "kind": "labels"})
    assert said.startswith("the answer has 2,100 items of 1000 columns, more than 2,000,000 cells: send fewer items")


def test_what_takes_too_long_is_stopped() -> None:
    with TestClient(create_app(Settings(seconds=0.01)), base_url="http://localhost") as client:
        answered = client.post("/api/panel", json={"n": 3, **VOTER})
    assert answered.status_code == 503
    assert answered.json()["error"].startswith("this took longer than 0.01 s; send less data")


def test_bodies_have_a_limit() -> None:
    with TestClient(create_app(Settings(body_bytes=1000, upload_bytes=2000)), base_url="http://localhost") as client:
        assert client.post("/api/aggregate", json={"rows": VOTES, "k": 1}).status_code == 413
        content = b"task,worker,label\n" + b"t,a,1\n" * 200
        sent = client.post("/api/aggregate/file", files={"file": ("v.csv", content)}, data={"k": "0"})
        assert sent.status_code == 200, sent.text
        sent = client.post("/api/aggregate/file", files={"file": ("v.csv", content * 2)}, data={"k": "0"})
        assert sent.status_code == 413
        assert "error" in sent.json()
