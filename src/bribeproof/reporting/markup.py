"""Build HTML from elements, so that all text is escaped by the serialiser of the standard library."""

import re
from xml.etree import ElementTree as ET

from bribeproof._text import printable

Node = ET.Element | str
_SVG_NAMESPACE = re.compile(r'\sxmlns(:\w+)?="[^"]*"')


def element(tag: str, *children: Node, **attributes: str) -> ET.Element:
    """Return an element; attributes are written as in Python: ``class_`` and ``aria_label``.

    Examples
    --------
    >>> html(element("p", "a < b ", element("bdi", "<script>"), class_="lead"))
    '<p class="lead">a &lt; b <bdi>&lt;script&gt;</bdi></p>'
    """
    names = {name.rstrip("_").replace("_", "-"): value for name, value in attributes.items()}
    made = ET.Element(tag, names)
    for child in children:
        append(made, child)
    return made


def append(parent: ET.Element, child: Node) -> None:
    """Add an element or text at the end of an element."""
    if not isinstance(child, str):
        parent.append(child)
    elif len(parent):
        parent[-1].tail = (parent[-1].tail or "") + child
    else:
        parent.text = (parent.text or "") + child


def name(value: object, longest: int = 80) -> ET.Element:
    """Return a name from a file as an element that keeps its direction of writing to itself."""
    text = printable(str(value))
    return element("bdi", text if len(text) <= longest else f"{text[: longest - 1]}…")


def picture(svg: str) -> ET.Element:
    """Return the element of a picture that `bribeproof.plots.svg` has drawn."""
    return ET.fromstring(_SVG_NAMESPACE.sub("", svg))  # noqa: S314  the library has drawn it


def html(root: ET.Element) -> str:
    """Return an element as HTML."""
    return ET.tostring(root, encoding="unicode", method="html")
