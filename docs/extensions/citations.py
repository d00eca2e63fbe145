"""Docstrings cite pages, as in "docs/theory.md §12, Theorem 12.7"; the API reference links what they cite."""

import re
from pathlib import Path
from typing import Any

from sphinx.application import Sphinx

DOCS = Path(__file__).resolve().parents[1]
_PAGE = re.compile(r"(?<![`/\w])docs/((?:\w+/)*\w+)\.md(?: (§\d+))?")
_STATEMENT = re.compile(r"(?<![`\w])(Theorem|Lemma|Proposition|Corollary) ([A-Z]|\d+\.\d+)\b(?![`>])")
_SECTION = re.compile(r"^# (\d+)\. ", re.M)


def anchors() -> dict[str, str]:
    """Return the page of the theory that holds each anchor and each section, by ``theorem-a`` and ``§2``."""
    found: dict[str, str] = {}
    for path in sorted((DOCS / "theory" / "proofs").glob("*.md")):
        text = path.read_text(encoding="utf-8")
        page = f"/theory/proofs/{path.stem}"
        found |= dict.fromkeys(re.findall(r'<a id="([\w-]+)"></a>', text), page)
        found |= {f"§{number}": page for number in _SECTION.findall(text)}
    return found


def linked(line: str, where: dict[str, str]) -> str:
    """Return a line of a docstring whose citations are links."""

    def page(found: re.Match[str]) -> str:
        name, section = found.groups()
        target = where.get(section or "", f"/{name}")
        return f":doc:`{found[0].removeprefix('docs/')} <{target}>`" if (DOCS / f"{name}.md").exists() else found[0]

    def statement(found: re.Match[str]) -> str:
        anchor = f"{found[1]}-{found[2]}".lower().replace(".", "-")
        return f":ref:`{found[0]} <{anchor}>`" if anchor in where else found[0]

    return _STATEMENT.sub(statement, _PAGE.sub(page, line))


def setup(app: Sphinx) -> dict[str, Any]:
    """Register the change of each docstring."""
    where = anchors()

    def change(_: Sphinx, __: str, ___: str, ____: object, _____: object, lines: list[str]) -> None:
        lines[:] = [linked(line, where) for line in lines]

    app.setup_extension("sphinx.ext.autodoc")
    app.connect("autodoc-process-docstring", change, priority=400)  # before numpydoc
    return {"parallel_read_safe": True, "parallel_write_safe": True}
