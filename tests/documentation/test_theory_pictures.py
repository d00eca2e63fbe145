"""The pictures of the concept pages are those of today's code, can be read on a phone, and stand in a page."""

import re
from pathlib import Path

import numpy as np
import pytest

from tests.paths import ROOT
from tests.test_examples import load

THEORY, PICTURES = ROOT / "docs" / "theory", sorted((ROOT / "docs" / "images" / "theory").glob("*.svg"))
PHONE, SMALLEST = 328, 11
"""Width of a page's text on a phone, and height of the smallest letters, in pixels."""


@pytest.mark.parametrize("path", PICTURES, ids=lambda path: path.stem)
def test_a_picture_is_small_and_its_letters_are_not(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    width = re.search(r'viewBox="0 0 ([\d.]+) ', text)
    assert width is not None
    sizes = [float(size) for size in re.findall(r"font(?:-size)?: (?:\w+ )*([\d.]+)px", text)]
    assert len(sizes) > 5
    assert min(sizes) * PHONE / float(width[1]) >= SMALLEST
    assert len(text) < 60_000


@pytest.mark.parametrize("path", PICTURES, ids=lambda path: path.stem)
def test_a_picture_stands_in_a_page_with_a_text_in_its_place_and_a_caption_that_asks(path: Path) -> None:
    pages = [page.read_text(encoding="utf-8") for page in THEORY.glob("*.md")]
    found = [
        part
        for page in pages
        for part in re.findall(rf"^!\[(.{{80,}})\]\(\.\./images/theory/{path.name}\)\n\n\*(\S[^*]+\?)", page, re.M)
    ]
    assert len(found) == 1


@pytest.mark.slow
def test_the_pictures_are_drawn_from_todays_results(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    script = load(ROOT / "docs" / "tools" / "draw_theory.py")
    script.main(tmp_path)
    assert [path.name for path in sorted(tmp_path.iterdir())] == [path.name for path in PICTURES]
    assert [path.name for path in PICTURES if path.read_bytes() != (tmp_path / path.name).read_bytes()] == []


def test_both_truths_look_the_same_and_the_rates_of_honest_reporters_are_the_stated_ones() -> None:
    pytest.importorskip("matplotlib")
    script = load(ROOT / "docs" / "tools" / "theory_numbers.py")
    panel, expert = script.TEN, script.EXPERT
    cases = script.disguise(panel, expert)
    for truth, rate in ((True, expert.tpr), (False, expert.fpr)):
        ours = [case for case in cases if case.positive is truth]
        assert sum(case.share for case in ours) == pytest.approx(1)
        assert sum(case.share * case.truthful for case in ours) == pytest.approx(panel.truthful * rate)
    assert [case.seen for case in cases] == [8, 8, 2, 2]
    assert np.array_equal(script.turned().sum(axis=0), [3] * 5)
