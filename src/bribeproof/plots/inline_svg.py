"""Convert an SVG file of matplotlib into an element for an HTML page with several pictures."""

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
"""Verdana, which is as wide, stands in for a missing DejaVu Sans."""


def to_inline_svg(file: str, *, name: str, title: str) -> str:
    """Convert an SVG file of matplotlib into an ``<svg>`` element for an HTML page.

    Styles become attributes, which a strict content security policy allows, and ids get a prefix. The element takes
    the width of its container; coordinates keep two decimals.

    Parameters
    ----------
    file : str
        The content of an SVG file that matplotlib wrote.
    name : str
        Prefix of all ids; letters, digits and hyphens, a letter first.
    title : str
        Description of the picture for screen readers.

    Returns
    -------
    str
        The element.

    Raises
    ------
    ParameterError
        The name has another form.
    """
    if not _NAME.fullmatch(name):
        raise ParameterError(
            f"name={name!r} is not a valid prefix of ids: give letters, digits and hyphens, a letter first"
        )
    body = file[file.index('<g id="figure_1"') : file.rindex("</svg>")]
    body = _TAG.sub(lambda tag: _attributes(tag[0], name), body)
    body = re.sub(r"\s*\n\s*", " ", body).replace("> <", "><").strip()
    view = _VIEW.search(file)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="picture" role="img" aria-label="{escape(shown(title, 1000))}" '
        f'viewBox="{view[1] if view else ""}" width="100%" font-family="{_FONTS}" stroke-linejoin="round" '
        f'stroke-linecap="butt">{body}</svg>'
    )


def _attributes(tag: str, name: str) -> str:
    """Rewrite a tag, with attributes in place of its style and prefixed ids."""
    tag = _UNTURNED.sub("", _GROUP.sub("<g", tag))
    tag = _STYLE.sub(lambda style: _presentation(style[1]), tag)
    tag = _FINER.sub(r"\1", tag)
    return _ID.sub(lambda start: f"{start[0]}{name}-", tag).replace("xlink:href", "href")


def _presentation(style: str) -> str:
    """Return the declarations of a style as attributes, without the font, which the whole picture has."""
    pairs = (declaration.split(":", 1) for declaration in style.split(";") if ":" in declaration)
    return " ".join(f'{key.strip()}="{value.strip()}"' for key, value in pairs if key.strip() != "font-family")
