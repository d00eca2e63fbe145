"""Who sends a request: the page itself, a program, a link on another web page, or another web page on its own."""

from typing import Literal, TypeAlias
from urllib.parse import urlsplit

from starlette.datastructures import Headers

Requester: TypeAlias = Literal["own", "link", "foreign"]
"""``own``: the page, its user or a program. ``link``: another page on which somebody follows a link or which opens a
window. ``foreign``: another page that loads a picture, a script or a frame, or sends data."""


def requester(headers: Headers, *, safe: bool, has_token: bool) -> Requester:
    """Return who sends a request.

    Browsers since 2023 say it in Sec-Fetch-Site, -Mode and -Dest, which no script can change. Where these are missing,
    Origin or Referer names the other page. A browser that names none is told from a program by its User-Agent; it must
    not be told where a token is needed, because browsers send no Sec-Fetch headers to other machines without HTTPS.

    Parameters
    ----------
    headers
        The headers of the request.
    safe
        Whether the method only asks: GET, HEAD or OPTIONS. Browsers send an Origin with any other method.
    has_token
        Whether every request must carry a token.

    Examples
    --------
    >>> picture = {"sec-fetch-site": "cross-site", "sec-fetch-mode": "no-cors", "sec-fetch-dest": "image"}
    >>> requester(Headers(picture), safe=True, has_token=False)
    'foreign'
    """
    site = headers.get("sec-fetch-site")
    if site in {"same-origin", "none"}:
        return "own"
    if site is not None:
        is_link = headers.get("sec-fetch-mode") == "navigate" and headers.get("sec-fetch-dest") == "document"
        return "link" if is_link else "foreign"
    source = headers.get("origin") or headers.get("referer")
    if source is not None:
        if _host_and_port(source) == headers.get("host", "").lower():
            return "own"
    elif has_token or not safe or not _is_browser(headers.get("user-agent", "")):
        return "own"
    return "link" if "text/html" in headers.get("accept", "") else "foreign"


def _host_and_port(address: str) -> str | None:
    """Return the host and port of an HTTP address in lower case; None for any other text."""
    try:
        parts = urlsplit(address)
    except ValueError:
        return None
    return parts.netloc.lower() if parts.scheme in {"http", "https"} else None


def _is_browser(agent: str) -> bool:
    """Return whether a User-Agent is that of a browser; PowerShell also calls itself Mozilla."""
    return agent.startswith("Mozilla/") and "PowerShell" not in agent
