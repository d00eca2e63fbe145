"""Draw the five figures of the experiment: regret and accuracy against the number of adversaries."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from bribeproof.errors import ParameterError
from bribeproof.paper.ensemble.experiment.rules import COMPARED
from bribeproof.paper.ensemble.experiment.run import Experiment
from bribeproof.plots import write_figure
from bribeproof.plots.palette import GREY, line_styles

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_SIZE = (3.4, 3.6)


@dataclass(frozen=True, slots=True)
class _Figure:
    """A figure: the strategy, the measure and the rules that it shows."""

    strategy: str
    measure: str
    label: str
    rules: tuple[str, ...]


_DECIDERS = ("majority", "trimmed random dictator", "random dictator")
_FIGURES: Mapping[str, _Figure] = {
    "squared-extreme": _Figure("extreme", "squared_regret", "Squared regret", COMPARED),
    "squared-random": _Figure("random", "squared_regret", "Squared regret", COMPARED),
    "absolute-extreme": _Figure("extreme", "absolute_regret", "Absolute regret", COMPARED),
    "absolute-random": _Figure("random", "absolute_regret", "Absolute regret", COMPARED),
    "accuracy": _Figure("extreme", "accuracy", "Accuracy", _DECIDERS),
}
FIGURES: Mapping[str, str] = {
    name: f"{figure.label} of {len(figure.rules)} rules against the number of adversaries, strategy {figure.strategy}"
    for name, figure in _FIGURES.items()
}
"""The names of the figures and what they show, as in the paper: regret under either loss and strategy, and accuracy."""


def draw_figure(experiment: Experiment, name: str, path: Path) -> None:
    """Draw a figure of the experiment and write it to a file.

    Parameters
    ----------
    experiment : Experiment
        The experiment.
    name : str
        One of `FIGURES`.
    path : Path
        The file, ending in .png, .svg or .pdf. It is written completely or not at all, and the same experiment gives
        the same bytes.

    Raises
    ------
    ParameterError
        An unknown figure.
    FileError
        Another ending, or a file that cannot be written.
    MissingPackageError
        matplotlib is not installed.
    """
    if name not in _FIGURES:
        raise ParameterError(f"there is no figure {name!r}; give one of {', '.join(FIGURES)}")
    write_figure(lambda figure: _draw(experiment, _FIGURES[name], figure.add_subplot()), path, _SIZE)


def _draw(experiment: Experiment, figure: _Figure, axes: "Axes") -> None:
    """Draw one line per rule, with error bars of one standard deviation over the groups of adversaries."""
    rows = experiment.informed(figure.strategy)
    spread = figure.measure.replace("regret", "loss") + "_sd"
    for name, style in zip(figure.rules, line_styles(figure.rules), strict=True):
        line = rows.filter(rule=name).sort("adversaries")
        axes.errorbar(
            line["adversaries"].to_list(), line[figure.measure].to_list(), yerr=line[spread].fill_null(0.0).to_list(),
            markevery=2, elinewidth=0.6, label=name, **style,
        )  # fmt: skip
    if figure.measure == "accuracy":
        axes.axhline(experiment.benchmark_accuracy, color=GREY, linewidth=0.8, label="trained on everything")
    else:
        axes.axhline(0.0, color=GREY, linewidth=0.8)
    axes.set_title(f"Strategy: {figure.strategy}")
    axes.set_xlabel(f"Adversaries added to {experiment.models} models")
    axes.set_ylabel(figure.label)
    axes.figure.legend(loc="outside lower center", ncols=2)
