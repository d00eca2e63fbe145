"""``bribeproof explore``: the local web page."""

import sys
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from bribeproof._optional import require
from bribeproof.cli.options.converters import Flag, Whole
from bribeproof.errors import FileError, ParameterError

_SHORTEST = 8
"""A token of fewer letters is soon guessed."""


def explore(
    file: Path | None = None,
    /,
    *,
    host: str | None = None,
    port: Whole = 8765,
    token: str | None = None,
    browser: Annotated[Flag, Parameter(negative="--no-browser")] = True,
) -> None:
    """Open a page in the browser: design a panel, look into a file of reports, attack it. It also serves a JSON API.

    Parameters
    ----------
    file
        A file of votes, labels or scores to begin with.
    host
        Listen on this address, so that other machines can ask; they need the token. Without it only this machine can.
    port
        Where to listen; 0 takes a port that is free.
    token
        What others have to know (default: drawn anew, and printed); for --host.
    browser
        Open the page in the browser.
    """
    if file is not None and not file.is_file():
        raise FileError(f"{file}: there is no such file; name one of votes, labels or scores, or none")
    if token is not None and len(token) < _SHORTEST:
        raise ParameterError(f"--token has {len(token)} letters: take {_SHORTEST} or more that nobody guesses, or none")
    require("the explorer", "fastapi", "jinja2", "matplotlib", "python_multipart", "uvicorn")
    from bribeproof.explorer.server import serve
    from bribeproof.explorer.settings import Settings

    try:
        serve(Settings(file=file, token=token), host, port, browser=browser, tell=_tell)
    except KeyboardInterrupt:
        return


def _tell(address: str) -> None:
    """Print where the page is."""
    sys.stdout.write(f"bribeproof is at {address} (Ctrl-C ends it)\n")
    sys.stdout.flush()
