"""``bribeproof mcp``: serve four tools to an assistant on standard input and output."""

import signal

from bribeproof._optional import require
from bribeproof.cli.options.converters import Number
from bribeproof.cli.surroundings import ending_signals
from bribeproof.errors import ParameterError

_LONGEST = 600


def mcp(*, seconds: Number = 20.0) -> None:
    """Serve these functions as tools to an assistant (MCP).

    The assistant's program starts this command, talks to it on standard input and output, and ends it by closing its
    input. The tools are aggregate, certify, bribe and design_panel. Data is in the call: none reads or writes a file.

    Parameters
    ----------
    seconds
        Seconds that a call may take, at most 600.
    """
    if not 0 < seconds <= _LONGEST:
        raise ParameterError(f"--seconds {seconds:g}: give a number above 0, at most {_LONGEST}")
    require("the MCP server", "mcp", "fastapi", "jinja2", "matplotlib")
    from bribeproof.explorer.settings import Settings
    from bribeproof.integrations.mcp import serve

    for number in (signal.SIGINT, *ending_signals()):
        signal.signal(number, signal.SIG_DFL)  # a thread waits for the next line, and Python would wait for it
    serve(Settings(seconds=seconds))
