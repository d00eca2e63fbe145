"""docs/reference/cli has a page for each command, made from the program."""

import re
import runpy

from tests.paths import ROOT

TOOL = ROOT / "docs" / "tools" / "write_cli.py"


def test_the_pages_are_what_the_program_says() -> None:
    pages = runpy.run_path(str(TOOL))["pages"]()
    folder = ROOT / "docs" / "reference" / "cli"
    shown = {page.stem: page.read_text(encoding="utf-8") for page in folder.glob("*.md")}
    index = shown.pop("index")
    assert shown == pages, "run docs/tools/write_cli.py"
    assert set(re.findall(r"\((\w+)\.md\) \|", index)) == set(pages)
    assert set(index.rpartition(":maxdepth: 1")[2].split()) - {"```"} == set(pages)
