"""Pages are plain Markdown, which also reads well outside the site; anchors in them become targets of MyST."""

import re
from typing import Any

from sphinx.application import Sphinx

_ANCHOR = re.compile(r'^(\* )?<a id="([\w-]+)"></a>\n?', re.M)


def to_targets(text: str) -> str:
    """Return a page whose anchors, ``<a id="x"></a>``, are targets, so that links to them are checked."""
    return _ANCHOR.sub(lambda found: f"{found[1]}({found[2]})=\n  " if found[1] else f"({found[2]})=\n", text)


def _read(_: Sphinx, __: str, source: list[str]) -> None:
    source[0] = to_targets(source[0])


def setup(app: Sphinx) -> dict[str, Any]:
    """Register the change of each source."""
    app.connect("source-read", _read)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
