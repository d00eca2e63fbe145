"""Pages show code as code."""

import re
from pathlib import Path

import pytest

from tests.paths import ROOT

PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_lines_for_python_stand_in_a_block_of_code(page: Path) -> None:
    prose = re.sub(r"^( *)```.*?^\1```$", "", page.read_text(encoding="utf-8"), flags=re.M | re.S)
    assert re.findall(r"^>>>.*", prose, re.M) == []
