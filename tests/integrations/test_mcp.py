"""The MCP server: four tools with the answers of the library, the errors of the API, and no way to a file."""

import json
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from anyio.from_thread import BlockingPortal, start_blocking_portal
from jsonschema import Draft202012Validator
from mcp import Client, MCPError, StdioServerParameters
from mcp.types import CallToolResult

import bribeproof as bp
from bribeproof.certification.result import describe_certification
from bribeproof.explorer.api.responses import to_json
from bribeproof.explorer.settings import Settings
from bribeproof.integrations.mcp import TOOLS, make_server
from bribeproof.io.write import to_records
from bribeproof.theory import Expert, get_loss
from bribeproof.theory.minimax.panel_summary import describe_panel
from tests.integrations.page import check_page

SCORES: list[dict[str, Any]] = [
    {"entry": "E1", "anna": 5.0, "boris": 6.5, "chen": 9.25, "dora": 9.5},
    {"entry": "E2", "anna": 7.0, "boris": 7.5, "chen": 8.00, "dora": None},
    {"entry": "E3", "anna": None, "boris": 7.5, "chen": None, "dora": 3},
]
LABELS: list[dict[str, Any]] = [
    {"task": f"t{i}", "worker": who, "label": "cat" if i % 5 or who in "ab" else "dog"}
    for i in range(20)
    for who in "abcdefg"
]
TRUTH = [{"task": f"t{i}", "label": "cat"} for i in range(20)]
COMMAND = Path(sys.executable).with_name("bribeproof")
SECONDS = 120
"""After so long something hangs, however busy the machine is."""


@dataclass(frozen=True)
class Assistant:
    """A client of a server, and the event loop that both are in."""

    portal: BlockingPortal
    client: Client

    def call(self, tool: str, arguments: dict[str, Any] | None) -> CallToolResult:
        """Return the result of a call."""
        return self.portal.call(self.client.call_tool, tool, arguments)

    def answered(self, tool: str, **arguments: Any) -> dict[str, Any]:
        """Return the answer of a tool, which is the same as text and as data, and fits its schema."""
        result = self.call(tool, arguments)
        assert not result.is_error, result.content
        found: dict[str, Any] = result.structured_content
        assert json.loads(result.content[0].text) == found
        Draft202012Validator(TOOLS[tool].answer.model_json_schema()).validate(found)
        return found

    def refused(self, tool: str, arguments: dict[str, Any] | None) -> str:
        """Return the one line that says why a call is refused."""
        result = self.call(tool, arguments)
        assert result.is_error
        [content] = result.content
        text: str = content.text
        assert len(text.splitlines()) == 1
        return text


@contextmanager
def talking_to(server: Any) -> Iterator[Assistant]:
    """Give a client of a server."""
    with start_blocking_portal() as portal, portal.wrap_async_context_manager(Client(server)) as client:
        yield Assistant(portal, client)


@pytest.fixture(scope="module")
def assistant() -> Iterator[Assistant]:
    """Give a client of a server in this process."""
    with talking_to(make_server(Settings(seconds=SECONDS))) as given:
        yield given


def test_the_tools_are_listed_with_what_they_take_and_give(assistant: Assistant) -> None:
    listed = assistant.portal.call(assistant.client.list_tools).tools
    assert [tool.name for tool in listed] == ["aggregate", "certify", "bribe", "design_panel"]
    for tool in listed:
        Draft202012Validator.check_schema(tool.input_schema)
        Draft202012Validator.check_schema(tool.output_schema)
        assert all("description" in field for field in tool.input_schema["properties"].values())
        assert not {"file", "path", "output"} & tool.input_schema["properties"].keys()
        assert tool.annotations.read_only_hint
        for example in tool.input_schema["examples"]:
            assistant.answered(tool.name, **example)


def test_aggregate_is_that_of_the_library(assistant: Assistant) -> None:
    found = assistant.answered("aggregate", rows=SCORES, k=1)
    expected = bp.aggregate_scores(pl.DataFrame(SCORES), 1, item="entry", judges=["anna", "boris", "chen", "dora"])
    assert found["items"] == to_records(expected)
    assert [(item["n"], item["m"], item["k"]) for item in found["items"]] == [(4, 4, 1), (4, 3, 1), (4, 2, 1)]
    assert found["items"][2]["status"] == "not certified"


def test_the_order_of_the_panel_changes_nothing_and_a_tie_is_one(assistant: Assistant) -> None:
    rows = [row for row in LABELS if row["worker"] in "abcd"]
    backwards = assistant.answered("aggregate", rows=rows[::-1], k=1, kind="labels")["items"]
    key = "task"
    forwards = assistant.answered("aggregate", rows=rows, k=1, kind="labels")["items"]
    assert sorted(backwards, key=lambda item: item[key]) == sorted(forwards, key=lambda item: item[key])
    assert forwards[0]["decision"] is None


def test_certify_is_that_of_the_library(assistant: Assistant) -> None:
    found = assistant.answered("certify", rows=LABELS, truth=TRUTH, k=2)
    expected = describe_certification(bp.certify(pl.DataFrame(LABELS), pl.DataFrame(TRUTH), 2))
    assert {name: found[name] for name in expected} == json.loads(json.dumps(expected))


def test_bribe_is_that_of_the_library(assistant: Assistant) -> None:
    found = assistant.answered("bribe", rows=LABELS, k=2)
    expected = bp.worst_bribe(pl.DataFrame(LABELS), 2)
    assert found["sentences"] == expected.summary().splitlines()
    assert found["summary"]["lower"] <= found["summary"]["upper"]


def test_design_panel_is_that_of_the_library(assistant: Assistant) -> None:
    voter = {"prior": 0.5, "tpr": 0.8, "fpr": 0.1}
    found = assistant.answered("design_panel", n=10, k=2, **voter)
    assert found == json.loads(to_json(describe_panel(10, 2, Expert(**voter), get_loss("squared"))))


@pytest.mark.parametrize(
    ("tool", "arguments", "message"),
    [
        ("aggregate", {"k": 1}, "rows is missing; the input schema of this tool lists its fields"),
        ("aggregate", None, "rows is missing"),
        ("aggregate", {"rows": SCORES, "k": "1"}, 'k: "1" arrived; give a whole number'),
        ("aggregate", {"rows": SCORES, "k": 1, "file": "/etc/passwd"}, "file is not a field of this request"),
        ("aggregate", {"rows": "/etc/passwd", "k": 1}, 'rows: "/etc/passwd" arrived; give a list'),
        ("aggregate", {"rows": SCORES}, "k"),
        ("certify", {"rows": LABELS, "k": 1}, "the truth of some items is needed"),
        ("certify", {"rows": LABELS, "truth": TRUTH, "k": 1, "share": 0.1}, "share has no effect here"),
        ("bribe", {"rows": LABELS, "k": -1}, "k: -1 arrived; give a number of at least 0"),
        ("design_panel", {"n": 4, "k": 2, "prior": 0.5, "tpr": 0.8, "fpr": 0.1}, "k"),
        (
            "design_panel",
            {"n": 4, "prior": 1.5, "tpr": 0.8, "fpr": 0.1},
            "prior: 1.5 arrived; give a number of at most 1",
        ),
    ],
)
def test_errors_are_one_line_that_says_what_arrived(
    assistant: Assistant, tool: str, arguments: Any, message: str
) -> None:
    assert message in assistant.refused(tool, arguments)


def test_an_unknown_tool_is_an_error_of_the_protocol(assistant: Assistant) -> None:
    with pytest.raises(MCPError, match=r"no tool 'shell'; call one of aggregate, certify, bribe, design_panel"):
        assistant.call("shell", {})


def test_a_call_is_limited_in_size_and_time(assistant: Assistant) -> None:
    with talking_to(make_server(Settings(body_bytes=1000))) as short:
        assert "more than 1,000; send less data" in short.refused("aggregate", {"rows": LABELS, "k": 1})
    with talking_to(make_server(Settings(seconds=0.01))) as quick:
        assert "longer than 0.01 s; send less data" in quick.refused("bribe", {"rows": LABELS, "k": 3})
    many = [{"task": f"{'long' * 20}{i}", "worker": who, "label": i % 3} for i in range(6000) for who in "abc"]
    assert "more than 1,048,576; send less data" in assistant.refused("aggregate", {"rows": many, "k": 1})


def test_an_assistant_starts_the_command_and_talks_to_it(assistant: Assistant) -> None:
    with talking_to(StdioServerParameters(command=str(COMMAND), args=["mcp", "--seconds", str(SECONDS)])) as other:
        assert [tool.name for tool in other.portal.call(other.client.list_tools).tools] == list(TOOLS)
        assert "k: -1 arrived" in other.refused("aggregate", {"rows": SCORES, "k": -1})
        assert other.answered("aggregate", rows=SCORES, k=1) == assistant.answered("aggregate", rows=SCORES, k=1)


def test_it_ends_when_its_input_ends_or_it_is_interrupted() -> None:
    closed = subprocess.run([COMMAND, "mcp"], input="", capture_output=True, text=True, timeout=SECONDS, check=False)
    assert (closed.returncode, closed.stdout, closed.stderr) == (0, "", "")
    with subprocess.Popen([COMMAND, "mcp"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write('{"jsonrpc": "2.0", "id": 1, "method": "ping"}\n')
        process.stdin.flush()
        assert json.loads(process.stdout.readline())["id"] == 1
        process.send_signal(signal.SIGTERM)
        assert process.wait(timeout=SECONDS) in (128 + signal.SIGTERM, -signal.SIGTERM)


def test_seconds_are_checked() -> None:
    done = subprocess.run([COMMAND, "mcp", "--seconds", "0"], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (2, "bribeproof: --seconds 0: give a number above 0, at most 600\n")


def test_page() -> None:
    check_page("mcp")
