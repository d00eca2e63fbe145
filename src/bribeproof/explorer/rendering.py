"""Render templates to pages, and to fragments of pages."""

from functools import cache
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from starlette.requests import Request
from starlette.responses import HTMLResponse

from bribeproof._text import CONDITION

FRAGMENT = "X-Fragment"
"""A request with this header gets only the content of the page's `<div id="result">`."""


@cache
def environment() -> Environment:
    """Return the template environment: values are escaped, and an undefined name is an error."""
    templates = Environment(
        loader=PackageLoader("bribeproof.explorer"), autoescape=True, undefined=StrictUndefined, trim_blocks=True,
        lstrip_blocks=True,
    )  # fmt: skip
    templates.globals["condition"] = CONDITION
    return templates


def page(request: Request, name: str, *, status: int = 200, **context: Any) -> HTMLResponse:
    """Render a page, or only its result.

    Parameters
    ----------
    request
        The request; with the header `X-Fragment` only the fragment is rendered.
    name
        The page: ``panel`` has the template ``panel.html`` and the fragment ``_panel.html``.
    status
        HTTP status.
    context
        Variables of the template.
    """
    return HTMLResponse(render(name, fragment=FRAGMENT in request.headers, **context), status)


def render(name: str, *, fragment: bool, **context: Any) -> str:
    """Return the text of a page, or only of its result; the arguments are those of `page`."""
    template = f"_{name}.html" if fragment else f"{name}.html"
    return environment().get_template(template).render(page_name=name, **context)
