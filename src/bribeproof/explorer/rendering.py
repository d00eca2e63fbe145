"""Pages and fragments of pages, rendered on this side."""

from functools import cache
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from starlette.requests import Request
from starlette.responses import HTMLResponse

FRAGMENT = "X-Fragment"
"""A request with this header gets only what stands in the page's `<div id="result">`."""


@cache
def environment() -> Environment:
    """Return the templates: everything that is put in is escaped, and a name that is missing is an error."""
    return Environment(
        loader=PackageLoader("bribeproof.explorer"), autoescape=True, undefined=StrictUndefined, trim_blocks=True,
        lstrip_blocks=True,
    )  # fmt: skip


def page(request: Request, name: str, *, status: int = 200, **context: Any) -> HTMLResponse:
    """Render a room, or only its result.

    Parameters
    ----------
    request
        What is answered; with the header `X-Fragment` by the fragment alone.
    name
        The room: ``panel`` is the template ``panel.html``, and ``_panel.html`` what stands in its result.
    status
        Status of the answer.
    context
        What the templates name.
    """
    template = f"_{name}.html" if FRAGMENT in request.headers else f"{name}.html"
    text = environment().get_template(template).render(room=name, **context)
    return HTMLResponse(text, status)
