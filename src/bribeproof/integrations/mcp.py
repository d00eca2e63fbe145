"""MCP: four tools with which an assistant aggregates reports, certifies answers, asks whom to bribe and designs panels.

Requests and answers are those of the JSON API, and so are limits and errors. All data is in the call: no tool reads or
writes a file. Each call runs in a process of its own, which is ended when it takes too much time or memory.
"""

import json
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from functools import partial
from typing import Any

import anyio
from mcp.server import Server, ServerRequestContext
from mcp.server.stdio import stdio_server
from mcp.shared.exceptions import MCPError
from mcp.types import (
    INVALID_PARAMS,
    CallToolRequestParams,
    CallToolResult,
    ListToolsResult,
    PaginatedRequestParams,
    TextContent,
    Tool,
    ToolAnnotations,
)
from pydantic import BaseModel

from bribeproof import __version__
from bribeproof.errors import BribeproofError, ParameterError
from bribeproof.explorer.api import bribe_endpoint, certify_endpoint, panel_endpoints, table_endpoints
from bribeproof.explorer.api.json_body import answer
from bribeproof.explorer.api.panel_requests import PanelRequest
from bribeproof.explorer.api.responses import AggregateAnswer, BribeAnswer, CertifyAnswer, PanelAnswer
from bribeproof.explorer.api.table_requests import AggregateRequest, BribeRequest, CertifyRequest
from bribeproof.explorer.settings import Settings
from bribeproof.explorer.workers.pool import UnavailableError, Workers

__all__ = ["make_server", "serve"]

INSTRUCTIONS = (
    "Combine votes, labels and scores of n reporters, of whom k may be bribed or wrong in any way, and say what the "
    "answer is worth. k is what somebody states, never what the data says: ask for it. A missing report is left out or "
    "null; it lowers neither n nor k. Quote sentences, summaries and conditions as they are."
)
MAX_ANSWER_BYTES = 1 << 20
"""Longest answer: more than an assistant can read."""
_ADVICE = "send less data, or use the command bribeproof or Python"
_FIELDS = "the input schema of this tool lists its fields"


@dataclass(frozen=True, slots=True)
class _Kind:
    """A tool: a request and an answer of the JSON API, and what is between them."""

    title: str
    description: str
    request: type[BaseModel]
    answer: type[BaseModel]
    task: Callable[[Any], bytes]

    def describe(self, name: str) -> Tool:
        """Return the tool as clients list it."""
        return Tool(
            name=name,
            title=self.title,
            description=self.description,
            input_schema=self.request.model_json_schema(),
            output_schema=self.answer.model_json_schema(),
            annotations=ToolAnnotations(read_only_hint=True, open_world_hint=False),
        )


TOOLS = {
    "aggregate": _Kind(
        "Aggregate reports",
        "Combine the votes, labels or scores in `rows` into one answer per item when up to k reporters may be bribed: "
        "the answer, the range or the number of flips that k reporters could have caused, and whether it is certified.",
        AggregateRequest,
        AggregateAnswer,
        table_endpoints.aggregate,
    ),
    "certify": _Kind(
        "Certify answers",
        "From items whose truth is known, bound how often the most reported label is right whatever k bribed reporters "
        "do. Nothing is assumed of honest reporters.",
        CertifyRequest,
        CertifyAnswer,
        certify_endpoint.certify,
    ),
    "bribe": _Kind(
        "Find whom to bribe",
        "Find the k reporters who, bribed on all items, could have changed most decisions, or the places of a contest "
        "that the same k judges could have caused; with lower and upper bounds.",
        BribeRequest,
        BribeAnswer,
        bribe_endpoint.bribe,
    ),
    "design_panel": _Kind(
        "Design a panel",
        "Before anybody has voted: the best rule for n reporters of whom k may be bribed, given how reliable an honest "
        "one is, what it guarantees, and how many bribed ones the panel bears.",
        PanelRequest,
        PanelAnswer,
        panel_endpoints.panel,
    ),
}


def make_server(settings: Settings | None = None) -> Server[Workers]:
    """Return a server with the four tools, to be run on any transport of the SDK.

    Parameters
    ----------
    settings
        The limits of a call: ``body_bytes``, ``seconds`` and ``memory_bytes``; by default those of the JSON API.
    """
    limits = settings or Settings()

    @asynccontextmanager
    async def lifespan(_: Server[Workers]) -> AsyncIterator[Workers]:
        yield Workers(limits.seconds, limits.memory_bytes, _ADVICE)

    return Server(
        "bribeproof",
        title="Bribeproof",
        version=__version__,
        instructions=INSTRUCTIONS,
        lifespan=lifespan,
        on_list_tools=_list_tools,
        on_call_tool=partial(_call_tool, limits.body_bytes),
    )


def serve(settings: Settings | None = None) -> None:
    """Serve the tools on standard input and output until the client closes its end.

    Parameters
    ----------
    settings
        As in `make_server`.
    """

    async def run() -> None:
        server = make_server(settings)
        async with stdio_server() as (incoming, outgoing):
            await server.run(incoming, outgoing, server.create_initialization_options())

    anyio.run(run)


async def _list_tools(_: ServerRequestContext[Workers], __: PaginatedRequestParams | None) -> ListToolsResult:
    """List the tools."""
    return ListToolsResult(tools=[kind.describe(name) for name, kind in TOOLS.items()])


async def _call_tool(
    max_bytes: int, context: ServerRequestContext[Workers], call: CallToolRequestParams
) -> CallToolResult:
    """Answer a call; what is wrong with it is an answer too, so that the assistant can mend it."""
    kind = TOOLS.get(call.name)
    if kind is None:
        raise MCPError(INVALID_PARAMS, f"there is no tool {call.name!r}; call one of {', '.join(TOOLS)}")
    try:
        body = json.dumps(call.arguments or {}).encode()
        if len(body) > max_bytes:
            raise ParameterError(f"the call has {len(body):,} bytes, more than {max_bytes:,}; {_ADVICE}")
        found = await context.lifespan_context.run(answer, kind.task, kind.request, body, _FIELDS)
        if len(found) > MAX_ANSWER_BYTES:
            raise ParameterError(f"the answer has {len(found):,} bytes, more than {MAX_ANSWER_BYTES:,}; {_ADVICE}")
    except (BribeproofError, UnavailableError) as error:
        return CallToolResult(content=[TextContent(text=str(error))], is_error=True)
    return CallToolResult(content=[TextContent(text=found.decode())], structured_content=json.loads(found))
