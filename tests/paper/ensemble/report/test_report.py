"""What is said and drawn of the ensemble experiment, on tables that were made for it."""

import re
import sys
from collections.abc import Callable, Mapping
from dataclasses import replace
from itertools import combinations
from pathlib import Path
from typing import TYPE_CHECKING, Any
from xml.etree import ElementTree

import numpy as np
import polars as pl
import pytest
from matplotlib.container import ErrorbarContainer
from matplotlib.figure import Figure

from bribeproof.errors import FileError, MissingPackageError, ParameterError
from bribeproof.paper.ensemble.experiment.run import Experiment, run_experiment
from bribeproof.paper.ensemble.report import figures
from bribeproof.paper.ensemble.report.observations import Observation, observe
from bribeproof.plots import write_figure
from bribeproof.theory import Expert

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Line = tuple[str, str, str]
"""A strategy, a rule and a measure."""
Lines = Mapping[Line, Callable[[int], float]]

COUNTS = (0, 5, 10, 15)
OPTIMAL, TRIMMED, DICTATOR = "optimal (squared)", "trimmed mean", "trimmed random dictator"
PAIRWISE = "pairwise (squared)"
SIGNATURES = {"png": b"\x89PNG\r\n\x1a\n", "svg": b"<?xml", "pdf": b"%PDF-"}

# Numbers with which everything that the paper says is so.
AS_PRINTED: Lines = {
    ("extreme", OPTIMAL, "squared_loss"): lambda k: 0.050 + 0.0001 * k,
    ("extreme", "majority", "squared_loss"): lambda k: 0.055 + 0.0001 * k,
    ("extreme", "mean", "squared_loss"): lambda k: 0.050 + 0.01 * k,
    ("random", OPTIMAL, "squared_loss"): lambda _: 0.030,
    ("random", "majority", "squared_loss"): lambda k: 0.034 + 0.0001 * (k % 2),
    ("random", "mean", "squared_loss"): lambda k: 0.025 + 0.0003 * k,
    ("extreme", TRIMMED, "absolute_loss"): lambda _: 0.10,
    ("extreme", "majority", "absolute_loss"): lambda _: 0.105,
    ("extreme", DICTATOR, "accuracy"): lambda k: 0.90 - 0.0006 * k,
    ("extreme", "majority", "accuracy"): lambda k: 0.905 - 0.0006 * k,
    ("extreme", "random dictator", "accuracy"): lambda k: 0.90 - 0.01 * k,
}


@pytest.fixture(scope="module")
def real() -> Experiment:
    rng = np.random.default_rng(4)
    truth = rng.random(200) < 0.4
    votes = rng.random((20, 200)) < np.where(truth, 0.75, 0.2)
    return run_experiment(votes, truth, truth, Expert(0.4, 0.75, 0.2), counts=COUNTS, groups=4)


def edited(experiment: Experiment, lines: Lines) -> Experiment:
    """Put numbers into a table; rules that guard against a wrong number of adversaries get absurd ones."""
    rows = experiment.table.to_dicts()
    for row in rows:
        guess = row["assumed_k"] not in (None, row["adversaries"])
        for (strategy, rule, measure), value in lines.items():
            if (row["strategy"], row["rule"]) == (strategy, rule):
                row[measure] = -7.0 if guess else value(row["adversaries"])
    return replace(
        experiment, table=pl.DataFrame(rows, schema=experiment.table.schema).sample(fraction=1, shuffle=True, seed=1)
    )


def found(experiment: Experiment, lines: Lines) -> dict[str, Observation]:
    return {one.name: one for one in observe(edited(experiment, {**AS_PRINTED, **lines}))}


def test_all_is_so_where_it_is_as_the_paper_says(real: Experiment) -> None:
    seen = found(real, {})
    assert len(seen) == 10
    assert [name for name, one in seen.items() if not one.holds] == []
    assert len({one.statement for one in seen.values()}) == 10
    evidence = {name: one.evidence for name, one in seen.items()}
    assert evidence["best against the extreme"] == "at 4 of 4 numbers"
    assert evidence["the majority is close"].startswith("0.0050 apart at most")
    assert evidence["random is milder"].startswith("in 9 of 9 cases")
    assert evidence["averaging wins among few"] == "averaging loses less at 5 to 15 adversaries"
    assert evidence["random selection degrades"] == "accuracy 0.900 to 0.750; trimmed, 0.900 to 0.891"


@pytest.mark.parametrize(
    ("name", "lines", "evidence"),
    [
        (
            "best against the extreme",
            {("extreme", "majority", "squared_loss"): lambda k: 0.049 if k in (5, 10) else 0.06},
            "at 2 of 4 numbers; beaten by the majority at 5 to 10",
        ),
        (
            "best against the extreme",
            {("extreme", "mean", "squared_loss"): lambda k: 0.2 if k == 15 else 0.046},
            "at 1 of 4 numbers; beaten by the mean at 0 to 10",
        ),
        (
            "the majority is close",
            {("extreme", "majority", "squared_loss"): lambda k: 0.07 if k == 10 else 0.055},
            "0.0190 apart at most, at 10 adversaries; within 0.01 at 0 to 5, 15",
        ),
        (
            "the majority stays right",
            {("extreme", name, "accuracy"): lambda k: 0.905 - 0.02 * (k == 10) for name in ("majority", DICTATOR)},
            "falls by 0.0200 at most, at 10 adversaries; by no more than 0.01 at 0 to 5, 15",
        ),
        ("averaging is sensitive", {("extreme", "mean", "squared_loss"): lambda _: 0.0516}, "at 0 to 15"),
        ("averaging is sensitive", {("extreme", "mean", "squared_loss"): lambda _: 0.2}, "at none"),
        (
            "random is milder",
            {("random", "mean", "squared_loss"): lambda k: 0.25 if k == 15 else 0.025},
            "in 8 of 9 cases",
        ),
        (
            "the majority is unmoved",
            {("random", "majority", "squared_loss"): lambda k: 0.034 - 0.03 * (k == 10)},
            "moves by 0.0300 at most",
        ),
        (
            "averaging wins among few",
            {("random", "mean", "squared_loss"): lambda k: 0.031 if k == 5 else 0.029},
            "averaging loses less at 10 to 15 adversaries",
        ),
        (
            "close under the absolute loss",
            {("extreme", TRIMMED, "absolute_loss"): lambda k: 0.12 if k == 15 else 0.1},
            "0.0150 apart at most, at 15 adversaries; within 0.01 at 0 to 10",
        ),
        (
            "selection with trimming is like the majority",
            {("extreme", DICTATOR, "accuracy"): lambda _: 0.8},
            "0.1050 apart at most, at 0 adversaries; within 0.01 at none",
        ),
        (
            "random selection degrades",
            {("extreme", "random dictator", "accuracy"): lambda k: 0.9 - 0.01 * min(k, 10)},
            "accuracy 0.900 to 0.800",
        ),
    ],
)
def test_each_is_refuted_by_its_numbers_alone(real: Experiment, name: str, lines: Lines, evidence: str) -> None:
    seen = found(real, lines)
    assert [one.name for one in seen.values() if not one.holds] == [name]
    assert evidence in seen[name].evidence


def test_rounding_beats_nobody(real: Experiment) -> None:
    seen = found(real, {("extreme", "majority", "squared_loss"): lambda k: 0.05 + 0.0001 * k - 1e-16})
    assert seen["best against the extreme"].holds


def test_ranges_are_of_the_numbers_there_are(real: Experiment) -> None:
    rng = np.random.default_rng(0)
    truth = np.arange(40) % 2 == 0
    votes = rng.random((9, 40)) < np.where(truth, 0.8, 0.2)
    sparse = run_experiment(votes, truth, truth, real.expert, counts=[0, 1, 2, 8], groups=2)
    seen = found(sparse, {("extreme", "majority", "squared_loss"): lambda k: 0.045 + 0.01 * (k == 1)})
    assert seen["best against the extreme"].evidence.endswith("beaten by the majority at 0, 2 to 8")


def test_what_is_observed_of_a_real_run_is_in_its_table(real: Experiment) -> None:
    rows = real.table.filter(strategy="extreme").rows(named=True)
    mean, majority = ({r["adversaries"]: r for r in rows if r["rule"] == rule} for rule in ("mean", "majority"))
    optimal = {r["adversaries"]: r for r in rows if r["rule"] == OPTIMAL and r["assumed_k"] == r["adversaries"]}
    seen = {one.name: one for one in observe(real)}
    best = all(
        optimal[k]["squared_regret"] <= min(mean[k]["squared_regret"], majority[k]["squared_regret"]) for k in COUNTS
    )
    assert seen["best against the extreme"].holds == best
    apart = max(abs(majority[k]["squared_loss"] - optimal[k]["squared_loss"]) for k in COUNTS)
    assert seen["the majority is close"].evidence.startswith(f"{apart:.4f} apart")


def test_nothing_is_observed_where_nobody_is_bribed() -> None:
    truth = np.array([True, False])
    honest = run_experiment(np.array([[True, False]]), truth, truth, Expert(0.5, 0.8, 0.2), counts=[0])
    with pytest.raises(ParameterError, match="no adversaries; run it with some"):
        observe(honest)


# Figures.


def axes_of(experiment: Experiment, name: str, path: Path, monkeypatch: pytest.MonkeyPatch) -> "Axes":
    """Draw into a file, and return the axes, in the style of the file."""
    drawn: list[Axes] = []
    write = write_figure

    def remembered(draw: Callable[["Figure"], object], *given: Any) -> None:
        def both(figure: "Figure") -> None:
            draw(figure)
            drawn.extend(figure.get_axes())

        write(both, *given)

    monkeypatch.setattr(figures, "write_figure", remembered)
    figures.draw_figure(experiment, name, path)
    (axes,) = drawn
    return axes


def test_the_figures_are_those_of_the_paper() -> None:
    assert tuple(figures.FIGURES) == (
        "squared-extreme", "squared-random", "absolute-extreme", "absolute-random", "accuracy"
    )  # fmt: skip


@pytest.mark.parametrize("name", figures.FIGURES)
def test_the_drawn_lines_are_the_table(
    name: str, real: Experiment, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    axes = axes_of(real, name, tmp_path / "figure.svg", monkeypatch)
    loss, _, strategy = name.partition("-")
    measure, spread = (f"{loss}_regret", f"{loss}_loss_sd") if strategy else ("accuracy", "accuracy_sd")
    assert axes.get_title() == f"Strategy: {strategy or 'extreme'}"
    bars = [each for each in axes.containers if isinstance(each, ErrorbarContainer)]
    assert len(bars) == (5 if strategy else 3)
    for bar in bars:
        rows = [
            row
            for row in real.table.rows(named=True)
            if (row["strategy"], row["rule"]) == (strategy or "extreme", bar.get_label())
            and row["assumed_k"] in (None, row["adversaries"])
        ]
        line, _, (spans,) = bar.lines
        np.testing.assert_array_equal(np.asarray(line.get_data()), [COUNTS, [row[measure] for row in rows]])
        heights = [segment[1, 1] - segment[0, 1] for segment in spans.get_segments()]
        np.testing.assert_allclose(heights, [2 * (row[spread] or 0) for row in rows], atol=1e-12)
        assert (max(heights) > 0) == (strategy == "random")
    level = real.benchmark_accuracy if name == "accuracy" else 0
    assert [list(line.get_ydata()) for line in axes.lines if len(line.get_xdata()) == 2] == [[level, level]]  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "name",
    [pytest.param(name, marks=pytest.mark.slow if name.startswith("absolute") else []) for name in figures.FIGURES],
)
def test_every_figure_is_drawn_in_every_format(name: str, real: Experiment, tmp_path: Path) -> None:
    for ending, signature in SIGNATURES.items():
        path = tmp_path / f"figure.{ending}"
        figures.draw_figure(real, name, path)
        assert path.read_bytes().startswith(signature)
        assert path.stat().st_size > 5000
    assert len(list(tmp_path.iterdir())) == len(SIGNATURES)
    svg = ElementTree.parse(tmp_path / "figure.svg").iter("{http://www.w3.org/2000/svg}text")  # noqa: S314
    rules = {"majority", "mean", OPTIMAL, PAIRWISE, TRIMMED}
    if name == "accuracy":
        rules = {"majority", DICTATOR, "random dictator", "trained on everything"}
    assert rules | {"Adversaries added to 20 models"} <= {text.text for text in svg}


@pytest.mark.parametrize("ending", SIGNATURES)
def test_the_same_figure_gives_the_same_bytes(ending: str, real: Experiment, tmp_path: Path) -> None:
    once, again = tmp_path / f"once.{ending}", tmp_path / f"again.{ending.upper()}"
    figures.draw_figure(real, "squared-random", once)
    figures.draw_figure(real, "squared-random", again)
    assert once.read_bytes() == again.read_bytes()


@pytest.mark.parametrize("name", figures.FIGURES)
def test_no_text_is_cut_off_or_overlaps(
    name: str, real: Experiment, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    axes = axes_of(real, name, tmp_path / "figure.svg", monkeypatch)
    figure = axes.figure
    assert isinstance(figure, Figure)
    figure.draw_without_rendering()
    (legend,) = figure.legends
    written = [axes.title, axes.xaxis.label, axes.yaxis.label, *legend.get_texts()]
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
    assert axes.get_window_extent().width > 0.75 * width


def test_rules_differ_in_more_than_colour(real: Experiment, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    axes = axes_of(real, "squared-extreme", tmp_path / "figure.svg", monkeypatch)
    lines = [bar.lines[0] for bar in axes.containers if isinstance(bar, ErrorbarContainer)]
    assert len(lines) == len({line.get_marker() for line in lines}) == 5
    assert len({str(line._unscaled_dash_pattern) for line in lines}) == 5  # type: ignore[attr-defined]


def test_unknown_name_lists_all(real: Experiment, tmp_path: Path) -> None:
    listed = re.escape(", ".join(figures.FIGURES))
    with pytest.raises(ParameterError, match=f"no figure 'squared'; give one of {listed}"):
        figures.draw_figure(real, "squared", tmp_path / "figure.svg")


@pytest.mark.parametrize("name", ["figure.jpg", "figure", "svg", "figure.svg.gz"])
def test_unknown_ending(name: str, real: Experiment, tmp_path: Path) -> None:
    with pytest.raises(FileError, match=r"the ending '.*' is unknown; use one of \.png, \.svg, \.pdf"):
        figures.draw_figure(real, "accuracy", tmp_path / name)
    assert not list(tmp_path.iterdir())


def test_a_file_that_cannot_be_written_leaves_nothing(real: Experiment, tmp_path: Path) -> None:
    (tmp_path / "folder.svg").mkdir()
    for path in (tmp_path / "folder.svg", tmp_path / "nowhere" / "figure.svg"):
        with pytest.raises(FileError, match=r"cannot be written \(.+\); nothing was changed"):
            figures.draw_figure(real, "accuracy", path)
    assert [path.name for path in tmp_path.rglob("*")] == ["folder.svg"]


def test_without_matplotlib(real: Experiment, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(MissingPackageError, match=r"matplotlib.*pip install 'matplotlib>=3\.10'"):
        figures.draw_figure(real, "accuracy", tmp_path / "figure.svg")
    assert not list(tmp_path.iterdir())
