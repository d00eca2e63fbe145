"""Draw the packages of bribeproof as layers, from the import contract in pyproject.toml and the packages' docstrings.

Run it in the checkout after a change of either: ``python docs/tools/draw_architecture.py``. It writes
docs/images/architecture.svg.
"""

import ast
import tomllib
from html import escape
from pathlib import Path
from textwrap import wrap

ROOT = Path(__file__).resolve().parents[2]
PICTURE = ROOT / "docs" / "images" / "architecture.svg"
WIDTH, MARGIN, GAP, PAD, LINE = 960, 16, 12, 10, 15
COLOURS = {
    "people": "#dbe9f6",
    "answers": "#e3f1e1",
    "reading": "#fdf0d5",
    "mathematics": "#eee4f3",
    "ground": "#ececec",
}
PART = {
    "cli": "people",
    "explorer": "people",
    "reporting": "people",
    "paper": "people",
    "plots": "people",
    "learn": "people",
    "frames": "reading",
    "io": "reading",
    "theory": "mathematics",
    "rules": "mathematics",
}


def layers() -> list[list[str]]:
    """Return the packages of each layer, from top to bottom, as the import contract has them."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    (contract,) = (one for one in project["tool"]["importlinter"]["contracts"] if "containers" in one)
    rows = [row.replace(":", "|").split("|") for row in contract["layers"]]
    return [[name.strip() for name in row] for row in rows]


def job(package: str) -> str:
    """Return the first sentence of a package's docstring."""
    home = ROOT / "src" / "bribeproof" / package
    path = home / "__init__.py" if home.is_dir() else home.with_suffix(".py")
    text = ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))) or ""
    return text.split("\n\n")[0].replace("\n", " ")


def draw() -> str:
    """Return the picture as SVG."""
    boxes, y = [], MARGIN
    for row in layers():
        width = (WIDTH - 2 * MARGIN - GAP * (len(row) - 1)) / len(row)
        texts = [wrap(job(name), int((width - 2 * PAD) / 6.3)) for name in row]
        height = 2 * PAD + LINE * (1 + max(map(len, texts)))
        for place, (name, lines) in enumerate(zip(row, texts, strict=True)):
            x = MARGIN + place * (width + GAP)
            colour = COLOURS[PART.get(name, "ground" if name.startswith("_") or name == "errors" else "answers")]
            boxes.append(f'<rect x="{x:.0f}" y="{y}" width="{width:.0f}" height="{height}" rx="6" fill="{colour}"/>')
            boxes.append(f'<text x="{x + PAD:.0f}" y="{y + PAD + 11}" font-weight="bold">{escape(name)}</text>')
            boxes += [
                f'<text x="{x + PAD:.0f}" y="{y + PAD + 11 + LINE * (1 + index)}">{escape(line)}</text>'
                for index, line in enumerate(lines)
            ]
        y += height + GAP
    size = f'width="{WIDTH}" height="{y - GAP + MARGIN}" viewBox="0 0 {WIDTH} {y - GAP + MARGIN}"'
    style = 'font-family="DejaVu Sans, Verdana, sans-serif" font-size="11.5" fill="#222"'
    title = "<title>The packages of bribeproof: each imports only those below it</title>"
    background = '<rect width="100%" height="100%" fill="white"/>'
    body = "\n".join([title, background, *boxes])
    return f'<svg xmlns="http://www.w3.org/2000/svg" {size} role="img" {style}>\n{body}\n</svg>\n'


if __name__ == "__main__":
    PICTURE.write_text(draw(), encoding="utf-8")
