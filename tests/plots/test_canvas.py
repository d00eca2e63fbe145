"""What all pictures have in common: axes, style, threads, files and elements of a page."""

import re
import subprocess
import sys
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING, Any
from xml.etree import ElementTree

import matplotlib
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from bribeproof import plots
from bribeproof.errors import FileError, MissingPackageError, ParameterError
from bribeproof.plots.names import shown
from tests.budgets import examples
from tests.paths import ROOT
from tests.plots.sample_plots import EVERY, ORDINARY, SVG, Draw, blank, overlaps, texts_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from matplotlib.axes import Axes

SIZE = (4.2, 3.6)
SIGNATURES = {"png": b"\x89PNG\r\n\x1a\n", "svg": b"<?xml", "pdf": b"%PDF-"}
NAME = re.compile("[A-Za-z][A-Za-z0-9-]*")
LOUD: Any = {"font.size": 30, "axes.facecolor": "black", "svg.fonttype": "path", "axes.spines.top": True}


def element(draw: Draw, name: str = "one") -> str:
    """Draw a picture as an element."""
    return plots.svg(draw, SIZE, name=name, title=f"Picture {name}")


@pytest.fixture(scope="module")
def alone() -> dict[str, str]:
    """Return each ordinary picture as an element, drawn by one thread."""
    return {name: element(draw, name) for name, draw in ORDINARY.items()}


@pytest.mark.parametrize("name", ORDINARY)
def test_a_picture_is_drawn_on_the_axes_that_are_given(name: str) -> None:
    before, axes = matplotlib.rcParams.copy(), blank()
    face, size = axes.get_facecolor(), axes.xaxis.label.get_fontsize()
    assert ORDINARY[name](axes) is axes
    assert axes.figure is not None
    assert axes.figure.get_axes() == [axes]
    assert (axes.get_facecolor(), axes.xaxis.label.get_fontsize()) == (face, size)
    assert axes.spines["top"].get_visible()
    assert axes.has_data()
    assert matplotlib.rcParams.copy() == before


@pytest.mark.parametrize("name", EVERY)
def test_a_new_figure_has_the_style_of_the_library_and_nothing_on_top_of_other_things(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib.pyplot", None)
    before = matplotlib.rcParams.copy()
    axes = EVERY[name](None)
    assert not axes.spines["top"].get_visible()
    assert axes.xaxis.label.get_fontsize() == 8
    assert list(overlaps(axes)) == []
    monkeypatch.undo()
    assert matplotlib.rcParams.copy() == before


@pytest.mark.parametrize("name", sorted({*ORDINARY} - {"worst-case"}))
def test_a_narrow_element_has_nothing_on_top_of_other_things(name: str) -> None:
    drawn: list[Axes] = []
    plots.svg(lambda axes: drawn.append(ORDINARY[name](axes)), (3.4, plots.height(20)), name="n", title="narrow")
    assert list(overlaps(drawn[0])) == []


def test_the_settings_of_the_reader_do_not_show(alone: dict[str, str]) -> None:
    with matplotlib.rc_context(LOUD):
        assert element(ORDINARY["ranking"], "ranking") == alone["ranking"]
        axes = ORDINARY["rule"](None)
    assert axes.xaxis.label.get_fontsize() == 8
    assert not axes.spines["top"].get_visible()


def test_a_drawing_that_fails_leaves_the_settings_as_they_were() -> None:
    def fail(axes: "Axes") -> None:
        raise ZeroDivisionError(axes)

    before = matplotlib.rcParams.copy()
    with pytest.raises(ZeroDivisionError):
        plots.svg(fail, SIZE, name="x", title="x")
    assert matplotlib.rcParams.copy() == before
    assert element(ORDINARY["rule"]).startswith("<svg")


def test_elements_stand_together_in_a_page(alone: dict[str, str]) -> None:
    twice = alone | {"again": element(ORDINARY["rule"], "again")}
    ids: Counter[str] = Counter()
    for name, drawn in twice.items():
        root = ElementTree.fromstring(drawn)  # noqa: S314
        assert root.tag == f"{SVG}svg"
        assert (root.get("role"), root.get("aria-label")) == ("img", f"Picture {name}")
        assert "height" not in root.attrib
        assert root.get("width") == "100%"
        width, height = map(float, root.attrib["viewBox"].split()[2:])
        assert (width, height) == pytest.approx((72 * SIZE[0], 72 * SIZE[1]))
        own = [each.attrib["id"] for each in root.iter() if "id" in each.attrib]
        assert all(one.startswith(f"{name}-") for one in own)
        ids.update(own)
        used = re.findall(r'url\(#([^)]+)\)|href="#([^"]+)"', drawn)
        assert used
        assert {one or other for one, other in used} <= set(own)
        # A strict content security policy allows no styles, and nothing comes from elsewhere.
        assert not any("style" in each.attrib or each.tag.endswith(("style", "script")) for each in root.iter())
        assert re.findall(r"https?://[^\"]+", drawn) == ["http://www.w3.org/2000/svg"]
        assert not drawn.startswith("<?")
        assert "<!" not in drawn
    assert max(ids.values()) == 1


def test_the_same_picture_has_the_same_bytes_whatever_the_thread(alone: dict[str, str]) -> None:
    jobs = [*ORDINARY.items()] * 2
    with ThreadPoolExecutor(6) as threads:
        drawn = list(threads.map(lambda job: element(job[1], job[0]), jobs))
    assert [one == alone[name] for (name, _), one in zip(jobs, drawn, strict=True)] == [True] * len(jobs)


@pytest.mark.slow
def test_the_same_picture_has_the_same_bytes_in_another_process(alone: dict[str, str]) -> None:
    code = "from tests.plots.test_canvas import *; print(element(ORDINARY['ranking'], 'ranking'))"
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT,
        encoding="utf-8", env={"PYTHONHASHSEED": "7", "PYTHONIOENCODING": "utf-8"},
    )  # fmt: skip
    assert done.stdout == alone["ranking"] + "\n"


@given(st.text(st.characters(), max_size=30))
@example('"><script>alert(1)</script>')
@example("\ud800&\x00")
@settings(max_examples=examples(0.25))
def test_a_title_is_text(title: str) -> None:
    root = ElementTree.fromstring(plots.svg(lambda _: None, (1, 1), name="n", title=title))  # noqa: S314
    assert root.get("aria-label") == shown(title, 1000)
    assert not list(root.iter(f"{SVG}script"))


@given(st.text(max_size=5))
@example("a\n")
@example("1a")
@example("a b")
@settings(max_examples=examples(0.25))
def test_a_name_that_can_begin_no_id_is_refused(name: str) -> None:
    if NAME.fullmatch(name):
        assert f'id="{name}-' in plots.svg(lambda axes: axes.plot([0, 1]), (1, 1), name=name, title="")
    else:
        with pytest.raises(ParameterError, match="is not a valid prefix of ids") as caught:
            plots.svg(lambda axes: axes.plot([0, 1]), (1, 1), name=name, title="")
        assert len(str(caught.value).splitlines()) == 1


@pytest.mark.parametrize("name", [*ORDINARY, "svg", "write_figure"])
def test_without_matplotlib(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    helpers: dict[str, Callable[[None], object]] = {
        "svg": lambda _: plots.svg(lambda _: None, SIZE, name="x", title="x"),
        "write_figure": lambda _: plots.write_figure(lambda _: None, tmp_path / "x.svg", SIZE),
    }
    with pytest.raises(
        MissingPackageError, match=r"a plot needs matplotlib 3\.10 or newer \(pip install 'matplotlib>=3\.10'\)"
    ) as caught:
        (helpers | ORDINARY)[name](None)
    assert len(str(caught.value).splitlines()) == 1
    assert not list(tmp_path.iterdir())


def test_matplotlib_is_loaded_when_something_is_drawn() -> None:
    code = (
        "import sys, bribeproof; from bribeproof import plots; plots.rule, plots.items; "
        "print([m for m in ('matplotlib', 'fastapi') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"


def test_every_picture_is_known_and_tested() -> None:
    drawn = {re.sub("-(scores|votes|labels)", "", name).replace("-", "_") for name in ORDINARY}
    helpers = {"ENDINGS", "height", "svg", "write", "write_figure"}
    assert set(plots.__all__) == set(dir(plots)) == drawn | helpers
    with pytest.raises(AttributeError, match="attribute pie"):
        plots.pie  # type: ignore[attr-defined]  # noqa: B018


# Files.


@pytest.mark.parametrize("ending", SIGNATURES)
def test_axes_are_written_in_every_format_with_the_same_bytes(ending: str, tmp_path: Path) -> None:
    axes = ORDINARY["worst-case"](None)
    once, again = tmp_path / f"once.{ending}", tmp_path / f"again.{ending.upper()}"
    plots.write(axes, once)
    with matplotlib.rc_context(LOUD):
        plots.write(ORDINARY["worst-case"](None), str(again))
    assert once.read_bytes().startswith(SIGNATURES[ending])
    assert once.read_bytes() == again.read_bytes()
    if ending == "svg":
        assert "Positive votes (of 20)" in texts_of(once.read_text())


@pytest.mark.parametrize("ending", SIGNATURES)
def test_a_picture_that_fails_leaves_the_old_file(ending: str, tmp_path: Path) -> None:
    target = tmp_path / f"kept.{ending}"
    target.write_text("old")
    axes = ORDINARY["cost"](None)
    axes.set_title(r"$\nothing$")
    with pytest.raises(ValueError, match="nothing"):
        plots.write(axes, target)
    with pytest.raises(ZeroDivisionError):
        plots.write_figure(lambda _: 1 / 0, target, SIZE)
    assert target.read_text() == "old"
    assert list(tmp_path.iterdir()) == [target]


def test_axes_that_cannot_be_written_are_refused(tmp_path: Path) -> None:
    axes = ORDINARY["rule"](None)
    for path, said in (("x.gif", r"'\.gif' is unknown"), ("nowhere/x.svg", "cannot be written")):
        with pytest.raises(FileError, match=said):
            plots.write(axes, tmp_path / path)
    axes.remove()
    with pytest.raises(FileError, match="have no figure"):
        plots.write(axes, tmp_path / "x.svg")
    assert not list(tmp_path.iterdir())
