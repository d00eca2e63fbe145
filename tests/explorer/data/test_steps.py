"""The steps after the answers: their numbers are those that the command prints, for the page's k and reading."""

import html
import re
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import polars as pl
import pytest
from starlette.testclient import TestClient

from bribeproof._text import format_bound
from bribeproof.explorer.data.steps.catalogue import STEPS
from tests.cli.command import document
from tests.explorer.data.sample_files import SCORES, VOTES, Read, hand_over, read
from tests.explorer.pasted import run_commands, run_python
from tests.paths import ROOT

POSTS = (ROOT / "examples" / "moderation.csv").read_bytes()
TRUTH = b"task,vote\n" + b"".join(f"t{task},{int(task > 3)}\n".encode() for task in range(7))

SHORT = 100
"""The most letters of a verdict: three lines of a telephone, or little more."""


def step(client: TestClient, name: str, address: str, **fields: object) -> Read:
    """Return the content of a step of the page at an address."""
    response = client.get(f"{address.replace('/data?', f'/data/step/{name}?')}&{urlencode(fields)}")
    assert response.status_code == 200, response.text
    page = Read(response.text)
    assert all(len(one) <= SHORT for one in page.texts.get("verdict", ()))
    return page


def printed(folder: Path, content: bytes, command: str, *options: object) -> dict[str, Any]:
    """Return what a command prints as JSON."""
    (folder / "sheet.csv").write_bytes(content)
    facts: dict[str, Any] = document(command, folder / "sheet.csv", *options)
    return facts


def say_it_in_full(lines: list[str], short: str) -> bool:
    """Return whether one of the lines has all the numbers of a short sentence."""
    return any(set(re.findall(r"\d+(?:\.\d+)?", short)) <= set(re.findall(r"\d+(?:\.\d+)?", line)) for line in lines)


@pytest.mark.parametrize("k", [pytest.param(0, marks=pytest.mark.slow), 2])
def test_certified_answers_are_those_of_the_command(client: TestClient, tmp_path: Path, k: int) -> None:
    page = step(client, "certify", hand_over(client, POSTS), k=k, gold="truth")
    facts = printed(tmp_path, POSTS, "certify", "--gold", "truth", "--k", k)
    assert say_it_in_full(facts["summary"].splitlines(), page.texts["verdict"][0])
    assert set(page.texts["p"]) >= set(facts["summary"].splitlines())
    assert page.tables["certify-1"][1:] == [
        [
            str(row["k"]),
            f"{row['robust']} of {row['gold']}",
            format_bound(row["accuracy_low"], 3, upper=False),
            cells[-1],
        ]
        for row, cells in zip(facts["by_k"], page.tables["certify-1"][1:], strict=True)
    ]
    listed = {str(one["k"]): one["reporters"] for one in facts["one_list"]["by_k"] if one["k"]}
    assert {row[0]: row[-1].split(", ") for row in page.tables.get("certify-2", [])[1:]} == {
        k: names or [""] for k, names in listed.items()
    }


def with_truth(votes: bytes) -> bytes:
    """Return votes with a column of the truth."""
    head, *rows = votes.decode().splitlines()
    told = [f"{row},{int(int(row[1]) > 3)}" for row in rows]
    return "\n".join([f"{head},truth", *told]).encode() + b"\n"


@pytest.mark.parametrize(
    "content", [with_truth(VOTES), pytest.param(POSTS, marks=pytest.mark.slow)], ids=["few", "many"]
)
def test_a_calibration_is_that_of_the_command(client: TestClient, tmp_path: Path, content: bytes) -> None:
    page = step(client, "calibrate", hand_over(client, content), k=1, gold="truth")
    facts = printed(tmp_path, content, "calibrate", "--gold", "truth", "--k", 1, "--loss", "squared")
    bound = format_bound(facts["expected_loss"]["squared"], 3, upper=True)
    assert facts["worthless"] or bound in page.texts["verdict"][0]
    assert ("no more than the prior alone" in page.texts["verdict"][0]) == facts["worthless"]
    assert [row[0:5:4] for row in page.tables["calibrate-1"][1:]] == [
        [
            str(row["k"]),
            ""
            if row["expected_loss"]["squared"] is None
            else format_bound(row["expected_loss"]["squared"], 3, upper=True),
        ]
        for row in facts["by_k"]
    ]


@pytest.mark.parametrize(
    "fields", [pytest.param({}, marks=pytest.mark.slow), {"gold": "truth"}], ids=["alone", "truth"]
)
def test_weights_are_those_of_the_command(client: TestClient, tmp_path: Path, fields: dict[str, str]) -> None:
    content = POSTS if fields else POSTS.replace(b"truth", b"remark")
    page = step(client, "weigh", hand_over(client, content), k=2, **fields)
    facts = printed(tmp_path, content, "weigh", *[f"--{name}={value}" for name, value in fields.items()], "--k", 2)
    assert [(row[0], row[-1]) for row in page.tables["weigh-1"][1:]] == [
        (row["reporter"], f"{row['weight']:.3g}") for row in facts["reporters"]
    ]
    moved = sum((row["flips_needed"] or 9) <= 2 for row in facts["answers"])
    assert f"With these weights {moved} could have been changed by some 2 bribed" in page.html


@pytest.mark.parametrize(("content", "fields"), [(POSTS, {"gold": "truth"}), (SCORES, {})], ids=["votes", "scores"])
def test_an_audit_is_that_of_the_command(
    client: TestClient, tmp_path: Path, content: bytes, fields: dict[str, str]
) -> None:
    page = step(client, "audit", hand_over(client, content), k=1, **fields)
    facts = printed(tmp_path, content, "audit", *[f"--{name}={value}" for name, value in fields.items()], "--k", 1)
    assert facts["summary"][0].startswith(page.texts["verdict"][0].rstrip("."))
    assert set(facts["summary"]) <= {*page.texts["p"]}
    assert page.column("audit-1", "Reporter") == [row["reporter"] for row in facts["reporters"]]
    assert page.column("audit-1", "Deviates") == [f"{row['rate']:.3g}" for row in facts["reporters"]]


@pytest.mark.parametrize(
    ("name", "fields"),
    [
        ("certify", {"k": "1", "gold": "truth"}),
        pytest.param("calibrate", {"k": "1", "gold": "truth"}, marks=pytest.mark.slow),
        ("weigh", {"k": "1", "gold": "truth", "repeats": "first"}),
        pytest.param("audit", {"k": "2", "gold": "truth"}, marks=pytest.mark.slow),
    ],
)
def test_what_is_to_repeat_gives_the_same(
    client: TestClient, tmp_path: Path, name: str, fields: dict[str, str]
) -> None:
    page = step(client, name, hand_over(client, POSTS, "posts.csv"), **fields)
    (tmp_path / "posts.csv").write_bytes(POSTS)
    command = page.texts[f"{name}-command"][0]
    assert f"--k {fields['k']}" in command
    printed_by_command = run_commands(f"{command} --json", tmp_path)
    _, printed_by_python = run_python(page.texts[f"{name}-python"][0], tmp_path)
    assert printed_by_command
    if name in ("certify", "audit"):
        assert say_it_in_full(printed_by_python.splitlines(), page.texts["verdict"][0])


def test_the_truth_may_be_a_file_beside_the_data(client: TestClient, tmp_path: Path) -> None:
    address = hand_over(client, VOTES)
    assert "This takes the truth of some items" in read(client, f"{address}&step=certify").html
    beside = client.post(address, files={"file": ("truth.csv", TRUTH)}, follow_redirects=False).headers["location"]
    assert beside.startswith(f"{address.partition('&')[0]}&truth=")
    assert "Truth: truth.csv" in read(client, beside).html
    page = step(client, "certify", beside, k=1)
    (tmp_path / "truth.csv").write_bytes(TRUTH)
    facts = printed(tmp_path, VOTES, "certify", "--truth", tmp_path / "truth.csv", "--k", 1)
    assert say_it_in_full(facts["summary"].splitlines(), page.texts["verdict"][0])
    assert "--truth truth.csv" in page.texts["certify-command"][0]
    report = client.get(f"{beside.replace('/data?', '/data/report.html?')}&k=1").text
    assert "--truth truth.csv" in report
    (tmp_path / "sheet.csv").write_bytes(VOTES)
    _, out = run_python(page.texts["certify-python"][0], tmp_path)
    assert say_it_in_full(out.splitlines(), page.texts["verdict"][0])


@pytest.mark.parametrize(
    ("truth", "fields", "said"),
    [
        (b"item,vote\nt1,1\n", {}, "has no column 'task', which names the items"),
        (b"task,a,b\nt1,1,1\n", {}, "which column holds the truth? Name it: “Column of the truth”, one of a, b"),
        (b"task,vote\nt1,maybe\n", {}, "“Classes”"),
        (b"", {}, "truth.csv"),
        (None, {"gold": "vote"}, "“Column of the truth”"),
        (None, {"gold": "nothing"}, "there is no column 'nothing'"),
    ],
)
def test_a_truth_that_cannot_be_used_is_refused_in_the_step(
    client: TestClient, truth: bytes | None, fields: dict[str, str], said: str
) -> None:
    address = hand_over(client, VOTES)
    if truth is not None:
        sent = client.post(address, files={"file": ("truth.csv", truth)}, follow_redirects=False)
        address = sent.headers["location"]
    page = step(client, "certify", address, k=1, **fields)
    assert said in page.texts["error"][0]
    assert "--" not in page.texts["error"][0]


def test_each_kind_has_its_steps_and_each_answers_for_the_k_of_the_page(client: TestClient) -> None:
    for content, names in ((SCORES, {"same", "audit"}), (VOTES, {one.name for one in STEPS})):
        for k in (1, 2):
            text = client.get(f"{hand_over(client, content)}&k={k}").text
            parts = [html.unescape(part.split('"')[0]) for part in text.split('data-part="')[1:]]
            assert all(f"&k={k}" in part for part in parts)
            assert {one.name for one in STEPS if f'data-step="{one.name}"' in text} == names
    page = read(client, f"{hand_over(client, VOTES)}&k=2&step=weigh")
    assert "by some 2 bribed reporters" in page.html
    assert client.get("/data/step/nothing?sheet=judges").status_code == 422


def test_a_group_counts_where_it_can_and_is_refused_where_it_cannot(client: TestClient, tmp_path: Path) -> None:
    address = hand_over(client, POSTS)
    page = step(client, "certify", address, k=1, gold="truth", group="agency")
    facts = printed(tmp_path, POSTS, "certify", "--gold", "truth", "--k", 1, "--group", "agency")
    assert say_it_in_full(facts["summary"].splitlines(), page.texts["verdict"][0])
    for name in ("audit", "calibrate"):
        refused = step(client, name, address, k=1, gold="truth", group="agency").texts["error"][0]
        assert "counts reporters" in refused
        assert "“A bribe buys”" in refused


def test_an_audit_that_compares_nothing_is_refused(client: TestClient) -> None:
    refused = step(client, "audit", "/data?sheet=judges", k=3)
    assert refused.texts["error"] == [
        "“Bribed reporters, k” 3: a report is compared with 7 others, and here are 6; give 2 or less"
    ]
    verdict = step(client, "same", "/data?sheet=judges", k=3).texts["verdict"][0]
    assert verdict.startswith("The same 3 judges on every item could have")


def test_the_row_of_the_k_that_is_asked_for_is_shown(client: TestClient) -> None:
    rows = [f"t{task},w{who},{task % 2},{task % 2}" for task in range(4) for who in range(33)]
    content = "\n".join(["task,worker,vote,truth", *rows]).encode()
    page = step(client, "certify", hand_over(client, content), k=15)
    assert page.column("certify-1", "k") == [*map(str, range(11)), "15"]


def test_unanswered_classes_are_named_in_the_words_of_the_page(client: TestClient) -> None:
    wide = pl.DataFrame({"pair": ["p1", "p2", "p3"], "a": ["A", "B", "A"], "b": ["A", "A", "B"], "c": ["A", "B", "B"]})
    content = wide.with_columns(truth=pl.Series(["A", "B", "A"])).write_csv().encode()
    page = step(client, "calibrate", hand_over(client, content), k=1)
    assert page.texts["error"] == ["“Positive vote”: 1 is none of the votes (A, B): name the vote that counts as 1"]
