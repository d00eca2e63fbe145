"""Write each tutorial as a notebook for Jupyter and for marimo; the page, a MyST notebook, is the source.

Run: ``python docs/tools/make_notebooks.py``, with the extra ``site``. ``--check`` writes nothing, and ends with
status 1 if a notebook is not what its page says.
"""

import argparse
import re
import subprocess
import symtable
import sys
import tempfile
from pathlib import Path

import jupytext
import nbformat

FOLDER = Path(__file__).resolve().parents[1] / "tutorials"
_ROLE = re.compile(r"\{(\w+)\}`([^`<]+?)(?: <([^`>]*)>)?`")
_LINK = re.compile(r"\]\(((?!https?:)[^()\s]+)\.md(#[^()\s]*)?\)")


def tutorials() -> list[Path]:
    """Return the pages that are notebooks."""
    return sorted(path for path in FOLDER.glob("*.md") if path.read_text(encoding="utf-8").startswith("---\njupytext"))


def as_markdown(text: str) -> str:
    """Return text of a page without what only the site knows: roles are their words, links to pages are words."""
    text = _ROLE.sub(lambda found: f"`{found[2]}`" if found[1] == "download" else found[2], text)
    return re.sub(r"\[([^\]]*)" + _LINK.pattern, r"*\1*", text)


def to_jupyter(page: Path) -> str:
    """Return a page as a notebook of Jupyter, without outputs; the same page gives the same bytes."""
    notebook = jupytext.read(page)
    for number, cell in enumerate(notebook.cells):
        cell["id"] = f"cell-{number}"
        cell.metadata = nbformat.NotebookNode()
        if cell.cell_type == "markdown":
            cell.source = as_markdown(cell.source)
    notebook.metadata = nbformat.from_dict({"kernelspec": notebook.metadata["kernelspec"]})
    notebook.nbformat, notebook.nbformat_minor = 4, 5
    return str(nbformat.writes(notebook, indent=1)) + "\n"


def to_marimo(jupyter: str) -> str:
    """Return a notebook of Jupyter as one of marimo."""
    with tempfile.TemporaryDirectory() as folder:
        source, target = Path(folder, "notebook.ipynb"), Path(folder, "notebook.py")
        source.write_text(jupyter, encoding="utf-8")
        command = [sys.executable, "-m", "marimo", "--quiet", "convert", str(source), "--output", str(target)]
        subprocess.run(command, check=True, capture_output=True)
        text = target.read_text(encoding="utf-8")
    return re.sub(r'__generated_with = "[^"]*"', '__generated_with = "marimo"', text)


def names_set_twice(page: str, jupyter: str) -> list[str]:
    """Return the names that two cells set: marimo allows one, and readers lose sight of the others."""
    seen: set[str] = set()
    twice: list[str] = []
    for cell in nbformat.reads(jupyter, as_version=4).cells:
        if cell.cell_type != "code":
            continue
        names = symtable.symtable(cell.source, page, "exec").get_symbols()
        stored = {name.get_name() for name in names if name.is_assigned() and not name.is_imported()}
        twice += sorted(seen & stored)
        seen |= stored
    return twice


def main() -> int:
    """Write the notebooks, or compare them with what would be written."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true", help="write nothing; status 1 if a notebook is stale")
    check = parser.parse_args().check
    stale: list[str] = []
    for page in tutorials():
        jupyter = to_jupyter(page)
        if twice := names_set_twice(page.name, jupyter):
            print(f"{page.name}: set in two cells: {', '.join(twice)}")
            return 1
        marimo = FOLDER / f"{page.stem}_marimo.py"
        for path, text in ((page.with_suffix(".ipynb"), jupyter), (marimo, to_marimo(jupyter))):
            if not path.exists() or path.read_text(encoding="utf-8") != text:
                stale.append(path.name)
                if not check:
                    path.write_text(text, encoding="utf-8")
    if check and stale:
        print(f"stale: {', '.join(stale)}; run python docs/tools/make_notebooks.py")
    return 1 if check and stale else 0


if __name__ == "__main__":
    sys.exit(main())
