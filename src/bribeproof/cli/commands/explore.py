"""``bribeproof explore``: serve the web pages on this machine."""

import sys
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from bribeproof._optional import require
from bribeproof.cli.options.converters import Flag, Whole
from bribeproof.errors import FileError, ParameterError

_MIN_LENGTH = 8
"""Shortest token, in letters."""


def explore(
    file: Path | None = None,
    /,
    *,
    host: str | None = None,
    port: Whole = 8765,
    token: Annotated[str | None, Parameter(env_var="BRIBEPROOF_TOKEN")] = None,
    browser: Annotated[Flag, Parameter(negative="--no-browser")] = True,
) -> None:
    """Open all of this as a local web page, with a JSON API.

    Three pages: design a panel, open a file of reports, and simulate attacks. Ctrl-C stops the server.

    Parameters
    ----------
    file
        A file of votes, labels or scores to open first.
    host
        Address to listen on, so that other machines can connect; they need the token (default: only this machine).
    port
        Port to listen on; 0 chooses a free port.
    token
        With --host: secret that every request must carry (default: random, and printed).
    browser
        Open the page in the browser.
    """
    if file is not None and not file.is_file():
        raise FileError(f"{file}: there is no such file")
    if token is not None and len(token) < _MIN_LENGTH:
        raise ParameterError(
            f"--token has {len(token)} letters: choose at least {_MIN_LENGTH} that are hard to guess, or leave it out"
        )
    require("the explorer", "fastapi", "jinja2", "matplotlib", "python_multipart", "uvicorn")
    from bribeproof.explorer.serving.server import serve
    from bribeproof.explorer.settings import Settings

    try:
        serve(Settings(file=file, token=token), host, port, browser=browser, announce=_announce)
    except KeyboardInterrupt:
        return


def _announce(address: str) -> None:
    """Print the address of the page."""
    sys.stdout.write(f"bribeproof is at {address} (Ctrl-C stops it)\n")
    sys.stdout.flush()
