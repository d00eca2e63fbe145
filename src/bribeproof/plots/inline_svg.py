"""From the SVG file that matplotlib writes to an element that can stand in a page beside others."""

import re
from html import escape

from bribeproof.errors import ParameterError
from bribeproof.plots.names import shown

_NAME = re.compile("[A-Za-z][A-Za-z0-9-]*")
_VIEW = re.compile(r'viewBox="([0-9. ]+)"')
_TAG = re.compile("<[a-zA-Z][^<>]*>")
_GROUP = re.compile('^<g id="[^"]*"')
_STYLE = re.compile('style="([^"]*)"')
_ID = re.compile(r'(\bid="|xlink:href="#|url\(#)')
_UNTURNED = re.compile(r' transform="rotate\(-0[^"]*\)"')
_FINER = re.compile(r"(\.[0-9]{2})[0-9]+")
_FONTS = "DejaVu Sans, Verdana, sans-serif"
"""The last two where a reader lacks the first: Verdana is as wide."""


def inline(written: str, *, name: str, title: str) -> str:
    """Return the picture of an SVG file as an element of a page.

    Styles become attributes, which a strict content security policy allows, and ids begin with the name. The size is
    that of the element that holds it; coordinates keep two decimals.

    Parameters
    ----------
    written : str
        An SVG file of matplotlib's.
    name : str
        Begins all ids; letters, digits and hyphens, a letter first.
    title : str
        What the picture shows.

    Returns
    -------
    str
        The element.

    Raises
    ------
    ParameterError
        If the name is of another form.
    """
    if not _NAME.fullmatch(name):
        raise ParameterError(f"name={name!r} can begin no id: give letters, digits and hyphens, a letter first")
    body = written[written.index('<g id="figure_1"') : written.rindex("</svg>")]
    body = _TAG.sub(lambda tag: _attributes(tag[0], name), body)
    body = re.sub(r"\s*\n\s*", " ", body).replace("> <", "><").strip()
    view = _VIEW.search(written)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="picture" role="img" aria-label="{escape(shown(title, 1000))}" '
        f'viewBox="{view[1] if view else ""}" width="100%" font-family="{_FONTS}" stroke-linejoin="round" '
        f'stroke-linecap="butt">{body}</svg>'
    )


def _attributes(tag: str, name: str) -> str:
    """Rewrite a tag: attributes for its style, ids of this picture alone."""
    tag = _UNTURNED.sub("", _GROUP.sub("<g", tag))
    tag = _STYLE.sub(lambda style: _presentation(style[1]), tag)
    tag = _FINER.sub(r"\1", tag)
    return _ID.sub(lambda start: f"{start[0]}{name}-", tag).replace("xlink:href", "href")


def _presentation(style: str) -> str:
    """Return what a style says as attributes; the font is that of the whole picture."""
    pairs = (declaration.split(":", 1) for declaration in style.split(";") if ":" in declaration)
    return " ".join(f'{key.strip()}="{value.strip()}"' for key, value in pairs if key.strip() != "font-family")
