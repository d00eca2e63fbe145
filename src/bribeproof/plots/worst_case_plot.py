"""Plot the worst case of a rule: the votes of the panel in each state, and the forecasts."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

from bribeproof.plots.canvas import drawing
from bribeproof.plots.marks import add_legend, draw_bars, set_integer_ticks
from bribeproof.plots.names import set_literal, shown
from bribeproof.plots.palette import BLACK, BLUE, BRIBED, LIGHT
from bribeproof.theory.model.experts import Expert
from bribeproof.theory.model.panel import Panel
from bribeproof.theory.rules.aggregators import Aggregator
from bribeproof.theory.worst_case.result import WorstCase
from bribeproof.theory.worst_case.scenario import Scenario

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_SIZE = (4.8, 3.0)
_BAR = 0.62
"""Height of a bar, where rows are 1 apart."""
_HEADING = -0.75
"""Position of the heading of a state, relative to its first row."""
_ARROW_FROM = 0.02
"""Bars of bribed reporters narrower than this share of the axes get no arrow."""
_ALMOST = 0.9995
"""Probabilities from here on would round to 100 %."""


class Cases(Protocol):
    """How the votes fall in a case that a rule is judged by: a `WorstCase`, or another one with these attributes."""

    @property
    def expected_loss(self) -> float:
        """Expected loss of the rule."""

    @property
    def given_1(self) -> Scenario:
        """Votes given state 1."""

    @property
    def given_0(self) -> Scenario:
        """Votes given state 0."""

    @property
    def rule(self) -> Aggregator:
        """The rule."""

    @property
    def panel(self) -> Panel:
        """Reporters and adversaries."""

    @property
    def expert(self) -> Expert:
        """One truthful reporter."""


@dataclass(frozen=True, slots=True)
class _Row:
    """One row of the picture: a number of truthful positive votes, its probability, and the bribed positive votes."""

    position: float
    weight: float
    truthful: int
    bribed: int


def worst_case(worst: Cases, *, ax: "Axes | None" = None) -> "Axes":
    """Plot the worst case of a rule: how all reporters vote in each state, and what the rule forecasts.

    A bar shows the votes of the panel in one case: positive votes of truthful reporters, then the bribed reporters,
    then negative votes of truthful reporters. On its left is the probability of the case given the state. The diamond
    marks the number of positive votes, which is all that the rule sees; its forecast is on the right.

    Parameters
    ----------
    worst : WorstCase
        The result of `bribeproof.theory.worst_case`, or anything with its cases; the regret is shown if it has one.
    ax : Axes, optional
        Axes to draw on; those of a new figure by default.

    Returns
    -------
    Axes
        The axes with the picture.

    Raises
    ------
    MissingPackageError
        matplotlib is not installed.

    Notes
    -----
    docs/theory.md §1 and §7.

    Examples
    --------
    >>> from bribeproof.rules import trimmed_mean
    >>> from bribeproof.theory import Expert, Panel
    >>> from bribeproof.theory import worst_case as solve
    >>> panel = Panel(n=4, k=1)
    >>> axes = worst_case(solve(trimmed_mean(panel), panel, Expert(0.5, 0.75, 0.25), "absolute"))
    >>> [label.get_text() for label in axes.get_yticklabels()]
    ['37.5 %', '62.5 %', '62.5 %', '37.5 %']
    """
    panel, expert = worst.panel, worst.expert
    ones = list(_rows(worst.given_1, 1.0))
    zeros = list(_rows(worst.given_0, 2.0 + len(ones)))
    rows = [*ones, *zeros]
    with drawing(ax, _SIZE) as axes:
        positions = [row.position for row in rows]
        seen = [row.truthful + row.bribed for row in rows]
        entries: list[tuple[Any, str]] = []
        for vote, colour, spans in (
            ("positive", BLUE, [(0, row.truthful) for row in rows]),
            ("negative", LIGHT, [(row.truthful + panel.k, panel.n) for row in rows]),
        ):
            bars = _bars(axes, positions, spans, facecolor=colour, edgecolor="white")
            entries.append((bars, f"truthful: {vote}"))
        if panel.k:
            spans = [(row.truthful, row.truthful + panel.k) for row in rows]
            bars = _bars(axes, positions, spans, **BRIBED)
            entries.append((bars, "bribed: they push the count"))
        for row, count in zip(rows, seen, strict=True):
            _arrow(axes, row.position, row.truthful, count, panel.n)
            _arrow(axes, row.position, row.truthful + panel.k, count, panel.n)
        (diamond,) = axes.plot(
            seen, positions, linestyle="", marker="D", color=BLACK, markersize=6, markeredgecolor="white", clip_on=False
        )
        entries.append((diamond, "what the rule sees"))
        size = axes.xaxis.label.get_fontsize()
        for state, prior, first in (("positive", expert.prior, ones), ("negative", 1 - expert.prior, zeros)):
            heading = f"If the truth is {state} ({_percent(prior)})"
            axes.text(0, first[0].position + _HEADING, heading, va="center", fontsize=size)
        axes.set_yticks(positions, [_percent(row.weight) for row in rows])
        axes.tick_params(axis="y", length=0, pad=6)
        set_integer_ticks(axes.xaxis)
        axes.set_xlim(0, panel.n)
        axes.set_ylim(positions[-1] + 0.6, positions[0] - 1.1)
        axes.spines["left"].set_visible(False)
        _forecasts(axes, positions, [worst.rule(count) for count in seen])
        axes.set_xlabel(f"Positive votes (of {panel.n:,})")
        title = f"{shown(worst.rule.name)}: expected loss {worst.expected_loss:.4g}"
        title += f", regret {worst.regret:.4g}" if isinstance(worst, WorstCase) else ""
        set_literal([axes.set_title(title, loc="left")])
        add_legend(axes, entries)
    return axes


def _rows(scenario: Scenario, first: float) -> Iterator[_Row]:
    """Yield the rows of the cases of a state, from the given position on."""
    cases = zip(scenario.weights, scenario.truthful, scenario.adversaries, strict=True)
    for offset, (weight, truthful, bribed) in enumerate(cases):
        yield _Row(first + offset, weight, truthful, bribed)


def _bars(axes: "Axes", positions: Sequence[float], spans: Sequence[tuple[int, int]], **style: Any) -> Any:
    """Draw the bars of one part of the panel."""
    return draw_bars(axes, positions, *zip(*spans, strict=True), height=_BAR, linewidth=0.8, **style)


def _arrow(axes: "Axes", position: float, start: int, end: int, n: int) -> None:
    """Draw an arrow in the direction in which the bribed reporters move the count, where there is room."""
    if abs(end - start) > _ARROW_FROM * n:
        style = {"arrowstyle": "-|>", "color": BLACK, "linewidth": 1.2, "shrinkA": 1, "shrinkB": 4}
        axes.annotate("", xy=(end, position), xytext=(start, position), arrowprops=style)


def _forecasts(axes: "Axes", positions: list[float], forecasts: list[float]) -> None:
    """Write the forecast of the rule in each row on the right."""
    across = axes.get_yaxis_transform()
    size = axes.xaxis.label.get_fontsize()
    axes.text(1.04, positions[0] + _HEADING, "forecast", transform=across, va="center", fontsize=size)
    for position, forecast in zip(positions, forecasts, strict=True):
        axes.text(1.04, position, f"{forecast:.3g}", transform=across, va="center", fontsize=size, fontweight="bold")


def _percent(share: float) -> str:
    """Return a probability as text, which is 100 % only if it is certain."""
    if _ALMOST <= share < 1:
        return "> 99.9 %"
    return f"{100 * share:.3g} %"
