"""The figures: drawn on given axes, and written to a file whole or not at all."""

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
from bribeproof.theory import Expert

if TYPE_CHECKING:
    from matplotlib.axes import Axes

# One column of a paper, in inches; the legend stands below the axes.
_SIZE = (3.4, 3.6)
# Okabe and Ito's colours that stay apart for the colour-blind; a marker for each, for print in grey.
_BLUE, _RED, _GREEN, _BLACK = "#0072B2", "#D55E00", "#009E73", "#000000"
_LOOKS = ((_BLUE, "o"), (_RED, "s"), (_GREEN, "^"), (_BLACK, "D"))


def draw(name: str, path: Path) -> None:
    """Draw a figure of the paper into a file.

    Parameters
    ----------
    name : str
        One of `FIGURES`.
    path : Path
        The file, ending in .png, .svg or .pdf. One that exists is replaced; where something goes wrong it
        stays as it was. The same figure gives the same bytes.

    Raises
    ------
    ParameterError
        There is no figure of that name.
    FileError
        Another ending, or a file that cannot be written.
    MissingPackageError
        matplotlib is not installed.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder, "rules.svg")
    ...     draw("optimal-aggregators", path)
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
    """Draw rules over the number of H reports.

    Parameters
    ----------
    axes : matplotlib.axes.Axes
        Where to draw.
    curves : sequence of RuleCurve
        The five of `aggregator_curves`, in their order.
    """
    looks = ((_BLUE, "o", "--"), (_BLUE, "s", "-"), (_RED, "D", "--"), (_BLACK, "x", ":"), (_RED, "^", "-"))
    for curve, (colour, marker, line) in zip(curves, looks, strict=True):
        axes.plot(
            range(curve.rule.n + 1),
            curve.rule.values,
            color=colour,
            linestyle=line,
            marker=marker,
            markerfacecolor="none",
            label=f"k = {curve.panel.k}, {curve.loss}, {curve.rule.name}: {curve.regret:.6f}",
        )
    n = curves[0].panel.n
    axes.set_xticks(range(n + 1))
    axes.set_title(_parameters(n, curves[0].expert))
    axes.set_xlabel("Number of H reports")
    axes.set_ylabel("Forecast of state 1 (probability)")
    _legend(axes, "Adversaries, loss, rule: worst regret")


def draw_sizes(axes: "Axes", curves: Sequence[SizeCurve]) -> None:
    """Draw the least worst regret over the size of the panel.

    Parameters
    ----------
    axes : matplotlib.axes.Axes
        Where to draw.
    curves : sequence of SizeCurve
        One to four. Irregular sizes are hollow, limits dashed.
    """
    for curve, (colour, marker) in zip(curves, _LOOKS, strict=False):
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
    axes.plot([], [], color="grey", linestyle="--", linewidth=0.8, label="limit c: risk of one reporter")
    axes.plot(
        [],
        [],
        color="grey",
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


def draw_shares(axes: "Axes", found: ShareCurves) -> None:
    """Draw the worst regret of rules over the share of adversaries.

    Parameters
    ----------
    axes : matplotlib.axes.Axes
        Where to draw.
    found : ShareCurves
        At most four rules.
    """
    for curve, (colour, marker) in zip(found.curves, _LOOKS, strict=False):
        beats = "never" if curve.tolerated is None else f"to k = {curve.tolerated}"
        axes.plot(found.shares, curve.regrets, color=colour, marker=marker, label=f"{curve.name}: {beats}")
    axes.axhline(found.prior_risk, color="grey", linestyle="--", linewidth=0.8, label="prior alone")
    axes.axvline(
        found.breakdown, color="grey", linestyle=":", linewidth=1.2, label=f"breakdown point {found.breakdown:.4f}"
    )
    axes.set_title(_parameters(found.n, found.expert))
    axes.set_xlim(-0.015, 0.5)
    axes.set_ylim(0, 2 * found.prior_risk)
    axes.set_xlabel("Share of adversaries k/n")
    axes.set_ylabel("Worst regret (squared loss)")
    _legend(axes, "Rule: beats the prior alone")


FIGURES: Mapping[str, Callable[["Axes"], None]] = {
    "optimal-aggregators": lambda axes: draw_aggregators(axes, aggregator_curves()),
    "regret-by-size": lambda axes: draw_sizes(axes, [size_curve(expert) for expert in EXPERTS]),
    "regret-by-share": lambda axes: draw_shares(axes, share_curves()),
}
"""Each figure by its name; it is drawn on the axes that it is given."""


def _parameters(n: int, expert: Expert) -> str:
    """Write what a whole figure is about."""
    return f"n = {n}, μ = {expert.prior:g}, a = {expert.tpr:g}, b = {expert.fpr:g}"


def _legend(axes: "Axes", title: str) -> None:
    """Put the legend below the axes, where it hides nothing."""
    axes.legend(title=title, loc="upper center", bbox_to_anchor=(0.5, -0.2), alignment="left")
