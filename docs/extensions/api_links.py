"""Pages of the Python API: types as people write them, and names in docstrings that lead to their pages."""

import re
from typing import Any

from docutils.nodes import Element, TextElement
from numpydoc.xref import DEFAULT_LINKS
from sphinx.addnodes import pending_xref
from sphinx.application import Sphinx
from sphinx.config import Config
from sphinx.environment import BuildEnvironment

from extensions.api_names import PAGES, short_names

_SHORTER = (
    (r"<factory>", "..."),
    (r"\S*_Buffer \| \S*_SupportsArray\[.*?\| \S*_NestedSequence\[complex \| bytes \| str\]", "ArrayLike"),
    (r"~?(?:numpy\.)?ndarray\[tuple\[[^]]*\], ~?(?:numpy\.)?dtype\[~?(?:numpy\.)?([\w.]+)\]\]", r"NDArray[\1]"),
)
"""Types and defaults as Python writes them, and as people do."""


def _configure(app: Sphinx, config: Config) -> None:
    """Find the names that the pages document, for stubs and for links."""
    names = app.api_names = short_names()  # type: ignore[attr-defined]
    config.autosummary_generate = sorted(str(page.relative_to(app.srcdir)) for page in PAGES.glob("*.md"))
    links_elsewhere = {word: word for word in DEFAULT_LINKS}
    config.numpydoc_xref_aliases = links_elsewhere | {short: name for short, name in names.items() if "." not in short}


def _resolve(app: Sphinx, env: BuildEnvironment, node: pending_xref, text: TextElement) -> Element | None:
    """Link a bare name in a docstring, such as ``Panel`` or ``Panel.n``, to the page that documents it."""
    if node.get("refdomain") != "py":
        return None
    names, target = app.api_names, node["reftarget"]  # type: ignore[attr-defined]
    owner, _, member = target.rpartition(".")
    name = names.get(target) or (f"{names[owner]}.{member}" if owner in names else "")
    domain = env.domains.python_domain
    return domain.resolve_xref(env, node["refdoc"], app.builder, "obj", name, node, text) if name else None


def _shorten_types(*event: Any) -> tuple[str | None, str | None]:
    """Write the types in a signature as people do."""
    texts: list[str | None] = list(event[-2:])
    for pattern, name in _SHORTER:
        texts = [text and re.sub(pattern, name, text) for text in texts]
    return texts[0], texts[1]


def setup(app: Sphinx) -> dict[str, bool]:
    """Register the pages, the links and the types."""
    app.setup_extension("sphinx.ext.autodoc")
    app.connect("config-inited", _configure, priority=100)
    app.connect("missing-reference", _resolve)
    app.connect("autodoc-process-signature", _shorten_types)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
