"""Draw the figures of the paper on axes, and write them to files."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from bribeproof.errors import FileError, ParameterError
from bribeproof.paper.figures.curves import (
    EXPERTS,
    RuleCurve,
    ShareCurves,
    SizeCurve,
    aggregator_curves,
    share_curves,
    size_curve,
)
from bribeproof.plots import write_figure
from bribeproof.plots.palette import GREY, line_styles
from bribeproof.theory import Expert

if TYPE_CHECKING:
    from matplotlib.axes import Axes

# The width of a column in a paper, in inches; the legend is below the axes.
_SIZE = (3.4, 3.6)


def draw_figure(name: str, path: Path) -> None:
    """Draw a figure of the paper and write it to a file.

    Parameters
    ----------
    name : str
        One of `FIGURES`.
    path : Path
        The file, ending in .png, .svg or .pdf. It is replaced completely or not at all, and the same figure gives
        the same bytes.

    Raises
    ------
    ParameterError
        An unknown figure.
    FileError
        Another ending, or a file that cannot be written.
    MissingPackageError
        matplotlib is not installed.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder, "rules.svg")
    ...     draw_figure("optimal-aggregators", path)
    ...     path.read_text().count("Forecast of state 1")
    1
    """
    if name not in FIGURES:
        raise ParameterError(f"there is no figure {name!r}; give one of {', '.join(FIGURES)}")
    path = Path(path)
    if not path.parent.is_dir():
        raise FileError(f"{path}: there is no folder {path.parent}; make it first")
    write_figure(lambda figure: FIGURES[name](figure.add_subplot()), path, _SIZE)


def draw_aggregators(axes: "Axes", curves: Sequence[RuleCurve]) -> None:
    """Plot rules against the number of H reports.

    Parameters
    ----------
    axes : matplotlib.axes.Axes
        Axes to draw on.
    curves : sequence of RuleCurve
        The five curves of `aggregator_curves`, in their order.
    """
    for curve, style in zip(curves, line_styles([curve.rule.name for curve in curves]), strict=True):
        axes.plot(
            range(curve.rule.n + 1),
            curve.rule.values,
            **style,
            label=f"k = {curve.panel.k}, {curve.loss}, {curve.rule.name}: {curve.regret:.6f}",
        )
    n = curves[0].panel.n
    axes.set_xticks(range(n + 1))
    axes.set_title(_parameters(n, curves[0].expert))
    axes.set_xlabel("Number of H reports")
    axes.set_ylabel("Forecast of state 1 (probability)")
    _legend(axes, "Adversaries, loss, rule: worst regret")


def draw_sizes(axes: "Axes", curves: Sequence[SizeCurve]) -> None:
    """Plot the least worst regret against the size of the panel.

    Parameters
    ----------
    axes : matplotlib.axes.Axes
        Axes to draw on.
    curves : sequence of SizeCurve
        One to four curves. Markers of irregular sizes are hollow, limits are dashed.
    """
    for curve, style in zip(curves, line_styles([str(curve.expert) for curve in curves]), strict=True):
        colour, marker = style["color"], style["marker"]
        expert = curve.expert
        axes.axhline(curve.limit, color=colour, linestyle="--", linewidth=0.8)
        axes.plot(
            curve.counts,
            curve.regrets,
            color=colour,
            marker=marker,
            label=f"μ = {expert.prior:g}, a = {expert.tpr:g}, b = {expert.fpr:g}: c = {curve.limit:.6f}",
        )
        irregular = [point for point, regular in enumerate(curve.regular) if not regular]
        axes.plot(
            [curve.counts[point] for point in irregular],
            [curve.regrets[point] for point in irregular],
            color=colour,
            linestyle="",
            marker=marker,
            markerfacecolor="white",
        )
    axes.plot([], [], color=GREY, linestyle="--", linewidth=0.8, label="limit c: risk of one reporter")
    axes.plot(
        [],
        [],
        color=GREY,
        linestyle="",
        marker="o",
        markerfacecolor="white",
        label="irregular: n·b < 1 or n·a > n − 1",
    )
    axes.set_xscale("log")
    ticks = (2, 5, 10, 20, 50, 100)
    axes.set_xticks(ticks, list(map(str, ticks)))
    axes.minorticks_off()
    axes.set_ylim(bottom=0)
    axes.set_title("No adversaries")
    axes.set_xlabel("Number of reporters n")
    axes.set_ylabel("Least worst regret (squared loss)")
    _legend(axes, "Expert: limit c of the regret")


def draw_shares(axes: "Axes", shares: ShareCurves) -> None:
    """Plot the worst regret of rules against the share of adversaries.

    Parameters
    ----------
    axes : matplotlib.axes.Axes
        Axes to draw on.
    shares : ShareCurves
        Curves of at most four rules.
    """
    for curve, style in zip(shares.curves, line_styles([curve.name for curve in shares.curves]), strict=True):
        beats = "never" if curve.tolerated is None else f"to k = {curve.tolerated}"
        axes.plot(shares.shares, curve.regrets, label=f"{curve.name}: {beats}", **style)
    axes.axhline(shares.prior_risk, color=GREY, linestyle="--", linewidth=0.8, label="prior alone")
    axes.axvline(
        shares.breakdown, color=GREY, linestyle=":", linewidth=1.2, label=f"breakdown point {shares.breakdown:.4f}"
    )
    axes.set_title(_parameters(shares.n, shares.expert))
    axes.set_xlim(-0.015, 0.5)
    axes.set_ylim(0, 2 * shares.prior_risk)
    axes.set_xlabel("Share of adversaries k/n")
    axes.set_ylabel("Worst regret (squared loss)")
    _legend(axes, "Rule: beats the prior alone")


FIGURES: Mapping[str, Callable[["Axes"], None]] = {
    "optimal-aggregators": lambda axes: draw_aggregators(axes, aggregator_curves()),
    "regret-by-size": lambda axes: draw_sizes(axes, [size_curve(expert) for expert in EXPERTS]),
    "regret-by-share": lambda axes: draw_shares(axes, share_curves()),
}
"""Figures by name: functions that draw on the given axes."""


def _parameters(n: int, expert: Expert) -> str:
    """Return the parameters of a figure as its title."""
    return f"n = {n}, μ = {expert.prior:g}, a = {expert.tpr:g}, b = {expert.fpr:g}"


def _legend(axes: "Axes", title: str) -> None:
    """Add a legend below the axes."""
    axes.legend(title=title, loc="upper center", bbox_to_anchor=(0.5, -0.2), alignment="left")
