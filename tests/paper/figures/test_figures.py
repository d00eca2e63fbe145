"""The figures: their numbers against worked ones, and the files."""

import math
import sys
from itertools import combinations, pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any
from xml.etree import ElementTree

import matplotlib
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from matplotlib.figure import Figure

from bribeproof.errors import FileError, MissingPackageError, ParameterError
from bribeproof.paper.figures import drawing as figures
from bribeproof.paper.figures.curves import EXPERT, EXPERTS, SizeCurve, aggregator_curves, share_curves, size_curve
from bribeproof.theory import Expert
from tests.budgets import examples
from tests.paths import SHARED

if TYPE_CHECKING:
    from matplotlib.axes import Axes

PAPER = SHARED / "paper" / "robust-aggregation-with-adversarial-experts.tex"
SIGNATURES = {"png": b"\x89PNG\r\n\x1a\n", "svg": b"<?xml", "pdf": b"%PDF-"}
LABELS = {
    "optimal-aggregators": ("Number of H reports", "Forecast of state 1 (probability)"),
    "regret-by-size": ("Number of reporters n", "Least worst regret (squared loss)"),
    "regret-by-share": ("Share of adversaries k/n", "Worst regret (squared loss)"),
}


@pytest.fixture(scope="module")
def sizes() -> list[SizeCurve]:
    return [size_curve(expert, (3, 5, 10, 20, 40, 80, 160)) for expert in EXPERTS]


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Only a few points on the curves over n."""
    monkeypatch.setattr(figures, "size_curve", lambda expert: size_curve(expert, (2, 20, 100)))


def texts(path: Path) -> set[str | None]:
    """Texts of a picture that this project wrote."""
    return {element.text for element in ElementTree.parse(path).iter("{http://www.w3.org/2000/svg}text")}  # noqa: S314


def test_the_regrets_of_the_five_rules_are_the_worked_ones() -> None:
    curves = aggregator_curves()
    regrets = {(curve.panel.k, curve.loss, curve.rule.name): curve.regret for curve in curves}
    error = 0.5 * 0.2 + 0.5 * 0.1
    assert regrets == pytest.approx(
        {
            (0, "absolute", "mean"): error,
            (2, "absolute", "trimmed mean"): error * 0.8 / 0.6,
            (0, "squared", "optimal"): 0.106659,
            (0, "squared", "as printed"): 0.107276,
            (2, "squared", "optimal"): 0.15837104,
        },
        abs=5e-7,
    )
    assert regrets[2, "squared", "optimal"] == pytest.approx(0.15837104072, abs=1e-11)


def test_four_rules_are_those_that_the_paper_draws() -> None:
    if not PAPER.exists():
        pytest.skip("the source of the paper is not beside the project")
    figure = PAPER.read_text(encoding="utf-8").partition("title={Optimal Aggregator}")[2].partition("fig:func1")[0]
    tables = [part.partition("};")[0].split() for part in figure.split("table {%")[1:]]
    drawn = [np.array(table, dtype=float).reshape(11, 2)[:, 1] for table in tables]
    mean, trimmed, optimal, printed, bribed = (curve.rule.values for curve in aggregator_curves())
    for ours, theirs in zip((mean, trimmed, bribed, printed), drawn, strict=True):
        np.testing.assert_allclose(ours, theirs, atol=1e-12)
    assert 0.003 < np.abs(optimal - printed).max() < 0.005


def test_without_adversaries_the_regret_rises_to_the_risk_of_one_reporter(sizes: list[SizeCurve]) -> None:
    for curve in sizes:
        assert all(low < high for low, high in pairwise(curve.regrets))
        assert curve.regrets[-1] < curve.limit
        scaled = [n * (curve.limit - regret) for n, regret in zip(curve.counts, curve.regrets, strict=True)]
        assert max(scaled[2:]) < min(0.25, 1.3 * min(scaled[2:]))


def test_the_limit_is_a_sum_over_the_two_reports(sizes: list[SizeCurve]) -> None:
    for curve in sizes:
        a, b = curve.expert.tpr, curve.expert.fpr
        assert curve.limit == pytest.approx(0.5 * a * b / (a + b) + 0.5 * (1 - a) * (1 - b) / (2 - a - b), abs=1e-15)


def test_sizes_are_regular_from_where_both_means_lie_inside(sizes: list[SizeCurve]) -> None:
    first = {curve.expert: curve.counts[curve.regular.index(True)] for curve in sizes}
    assert [first[expert] for expert in EXPERTS] == [3, 5, 10, 10]
    assert all(list(curve.regular) == sorted(curve.regular) for curve in sizes)


def test_a_panel_of_one_is_worth_nothing_to_regret() -> None:
    """With a single reporter the benchmark sees no more than the rule."""
    assert size_curve(EXPERT, (1,)).regrets == pytest.approx((0.0,), abs=1e-9)


@pytest.mark.parametrize("n", [0, -3, 2.5, "5"])
def test_size_of_no_panel(n: Any) -> None:
    with pytest.raises(ParameterError, match="Panel n"):
        size_curve(EXPERT, (n,))
    with pytest.raises(ParameterError, match="Panel n"):
        share_curves(n)


def test_shares_against_the_closed_forms() -> None:
    found = share_curves()
    optimal, trimmed, mean, majority = found.curves
    assert [curve.name for curve in found.curves] == ["optimal", "trimmed mean", "mean", "majority"]
    assert found.shares == tuple(k / 20 for k in range(10))
    assert found.breakdown == pytest.approx(0.7 / 1.7)
    assert found.prior_risk == 0.25
    for k in range(1, 10):
        a, b = ((20 - k) * 0.8 - k) / (20 - 2 * k), (20 - k) * 0.1 / (20 - 2 * k)
        effective = 0.5 * a * b / (a + b) + 0.5 * (1 - a) * (1 - b) / (2 - a - b) if a > b else 0.25
        assert optimal.regrets[k] == pytest.approx(effective, abs=2e-9)
        if 20 * found.breakdown > k:
            assert trimmed.regrets[k] == pytest.approx(0.15 * (20 - k) / (20 - 2 * k), abs=1e-12)
    assert (optimal.tolerated, trimmed.tolerated, mean.tolerated, majority.tolerated) == (8, 5, 7, None)


@settings(max_examples=examples(0.25))
@given(n=st.integers(1, 9), rates=st.tuples(st.integers(1, 19), st.integers(1, 19)), prior=st.integers(1, 9))
def test_no_rule_beats_the_optimal_one(n: int, rates: tuple[int, int], prior: int) -> None:
    found = share_curves(n, Expert(prior / 10, max(rates) / 20, min(rates) / 20))
    best = found.curves[0]
    assert len(found.shares) == len(best.regrets) == (n + 1) // 2
    for curve in found.curves:
        assert all(own >= least - 2e-9 for own, least in zip(curve.regrets, best.regrets, strict=True))
        below = [regret < found.prior_risk - 1e-9 for regret in curve.regrets]
        if curve.tolerated is None:
            assert not below[0]
        else:
            assert all(below[: curve.tolerated + 1])
            assert curve.tolerated + 1 == len(below) or not below[curve.tolerated + 1]


def test_the_drawn_lines_are_the_numbers() -> None:
    axes = Figure().add_subplot()
    curves = aggregator_curves()
    figures.draw_aggregators(axes, curves)
    for line, curve in zip(axes.lines, curves, strict=True):
        np.testing.assert_array_equal(line.get_xdata(), range(11))
        np.testing.assert_array_equal(line.get_ydata(), curve.rule.values)
        assert str(line.get_label()).endswith(f"{curve.regret:.6f}")
    assert len({(line.get_marker(), line.get_fillstyle()) for line in axes.lines}) == 5


def test_irregular_sizes_are_hollow_and_limits_dashed(sizes: list[SizeCurve]) -> None:
    axes = Figure().add_subplot()
    figures.draw_sizes(axes, sizes)
    lines = [(line, *np.asarray(line.get_data(), dtype=float)) for line in axes.lines]
    hollow = [list(x) for line, x, _ in lines if line.get_markerfacecolor() == "white" and x.size]
    assert hollow == [[3], [3, 5], [3, 5]]
    assert [y[0] for line, _, y in lines if line.get_linestyle() == "--" and y.size] == [c.limit for c in sizes]


@pytest.mark.parametrize("name", LABELS)
@pytest.mark.usefixtures("quick")
def test_every_figure_is_drawn_in_every_format(name: str, tmp_path: Path) -> None:
    for ending, signature in SIGNATURES.items():
        path = tmp_path / f"{name}.{ending}"
        figures.draw_figure(name, path)
        assert path.read_bytes().startswith(signature)
        assert path.stat().st_size > 5000
    assert {*LABELS[name]} <= texts(tmp_path / f"{name}.svg")
    assert len(list(tmp_path.iterdir())) == len(SIGNATURES)


def test_every_figure_is_tested() -> None:
    assert set(LABELS) == set(figures.FIGURES)


@pytest.mark.parametrize("ending", SIGNATURES)
def test_the_same_figure_gives_the_same_bytes(ending: str, tmp_path: Path) -> None:
    once, again = tmp_path / f"once.{ending}", tmp_path / f"again.{ending.upper()}"
    figures.draw_figure("optimal-aggregators", once)
    figures.draw_figure("optimal-aggregators", again)
    assert once.read_bytes() == again.read_bytes()


@pytest.mark.parametrize("name", LABELS)
@pytest.mark.usefixtures("quick")
def test_no_text_is_cut_off_or_overlaps(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """All texts lie within the picture, apart from one another, and are at least 7 points high."""
    drawn: list[Axes] = []

    def remembered(axes: "Axes") -> None:
        drawing(axes)
        drawn.append(axes)

    drawing = figures.FIGURES[name]
    monkeypatch.setattr(figures, "FIGURES", {name: remembered})
    figures.draw_figure(name, tmp_path / "figure.svg")
    (axes,) = drawn
    figure, legend = axes.get_figure(root=True), axes.get_legend()
    assert figure is not None
    assert legend is not None
    figure.draw_without_rendering()
    written = [axes.title, axes.xaxis.label, axes.yaxis.label, legend.get_title(), *legend.get_texts()]
    for axis in (axes.xaxis, axes.yaxis):
        low, high = axis.get_view_interval()
        written += [tick.label1 for tick in axis.get_major_ticks() if low <= tick.get_loc() <= high]
    boxes = [text.get_window_extent() for text in written]
    width, height = figure.bbox.max
    assert min(min(box.min) for box in boxes) >= 0
    assert max(box.x1 for box in boxes) <= width
    assert max(box.y1 for box in boxes) <= height
    assert not any(one.overlaps(other) for one, other in combinations(boxes, 2))
    assert min(float(text.get_fontsize()) for text in written) >= 7


def test_pyplot_and_its_state_are_left_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = matplotlib.rcParams.copy()
    monkeypatch.setitem(sys.modules, "matplotlib.pyplot", None)
    figures.draw_figure("optimal-aggregators", tmp_path / "figure.png")
    monkeypatch.undo()
    assert matplotlib.rcParams.copy() == before


def test_the_reader_s_settings_do_not_show(tmp_path: Path) -> None:
    figures.draw_figure("optimal-aggregators", tmp_path / "plain.svg")
    with matplotlib.rc_context({"font.size": 30, "axes.facecolor": "black", "svg.fonttype": "path"}):
        figures.draw_figure("optimal-aggregators", tmp_path / "loud.svg")
    assert (tmp_path / "plain.svg").read_bytes() == (tmp_path / "loud.svg").read_bytes()


def test_a_file_is_replaced(tmp_path: Path) -> None:
    target = tmp_path / "figure.svg"
    target.write_text("old")
    figures.draw_figure("optimal-aggregators", target)
    assert "Number of H reports" in texts(target)
    assert list(tmp_path.iterdir()) == [target]


def test_unknown_name_lists_all(tmp_path: Path) -> None:
    with pytest.raises(ParameterError, match="no figure 'regret'; give one of optimal-aggregators, regret-by-size"):
        figures.draw_figure("regret", tmp_path / "figure.svg")


@pytest.mark.parametrize("name", ["figure.jpg", "figure", "svg", "figure.svg.gz"])
def test_unknown_ending(name: str, tmp_path: Path) -> None:
    with pytest.raises(FileError, match=r"the ending '.*' is unknown; use one of \.png, \.svg, \.pdf"):
        figures.draw_figure("regret-by-share", tmp_path / name)
    assert not list(tmp_path.iterdir())


def test_missing_folder(tmp_path: Path) -> None:
    with pytest.raises(FileError, match=r"there is no folder .*nowhere"):
        figures.draw_figure("regret-by-share", tmp_path / "nowhere" / "figure.svg")


def test_a_file_that_cannot_be_written_leaves_nothing(tmp_path: Path) -> None:
    target = tmp_path / "figure.svg"
    target.mkdir()
    with pytest.raises(FileError, match=r"figure\.svg: cannot be written \(.+\); nothing was changed"):
        figures.draw_figure("optimal-aggregators", target)
    assert list(tmp_path.iterdir()) == [target]
    assert not list(target.iterdir())


def test_without_matplotlib(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(MissingPackageError, match=r"matplotlib.*pip install 'matplotlib>=3\.10'") as raised:
        figures.draw_figure("regret-by-share", tmp_path / "figure.svg")
    assert "\n" not in str(raised.value)
    assert not list(tmp_path.iterdir())


def test_the_numbers_do_not_need_matplotlib(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    assert math.isfinite(aggregator_curves()[0].regret)
