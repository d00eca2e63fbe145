"""The worst case of a rule: the panel as the rule sees it, in each state."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from bribeproof.plots.canvas import drawing
from bribeproof.plots.marks import BLACK, BLUE, LIGHT, RED, bands, legend, whole_numbers
from bribeproof.plots.names import as_typed, shown
from bribeproof.theory.worst_case.result import WorstCase
from bribeproof.theory.worst_case.scenario import Scenario

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_SIZE = (4.8, 3.0)
_BAR = 0.62
"""Height of a bar in a row."""
_HEADING = -0.75
"""Where the heading of a state stands, from its first row."""
_ARROW_FROM = 0.02
"""Bribed parts narrower than this part of the axes have no arrow."""
_ALMOST = 0.9995
"""From here on three digits are 100 %."""


@dataclass(frozen=True, slots=True)
class _Row:
    """One panel that the rule may see."""

    place: float
    weight: float
    truthful: int
    bribed: int


def worst_case(found: WorstCase, *, ax: "Axes | None" = None) -> "Axes":
    """Draw the worst case of a rule: how everybody votes, and what the rule makes of it.

    A bar is the panel in one case of one state: its truthful positive votes, the positive votes of the bribed, their
    negative votes, the truthful negative votes. Its name is how likely the case is, given the state; the diamond stands
    at the number of positive votes, which is all that the rule sees, and on the right is what it forecasts.

    Parameters
    ----------
    found : WorstCase
        What `worst_case` of the theory found.
    ax : Axes, optional
        Where to draw; a new figure if left out.

    Returns
    -------
    Axes
        Where it is drawn.

    Raises
    ------
    MissingPackageError
        If matplotlib is not installed.

    Notes
    -----
    theory.md §1 and §7.

    Examples
    --------
    >>> from bribeproof.rules import trimmed_mean
    >>> from bribeproof.theory import Expert, Panel
    >>> from bribeproof.theory import worst_case as find
    >>> panel = Panel(n=4, k=1)
    >>> axes = worst_case(find(trimmed_mean(panel), panel, Expert(0.5, 0.75, 0.25), "absolute"))
    >>> [label.get_text() for label in axes.get_yticklabels()]
    ['37.5 %', '62.5 %', '62.5 %', '37.5 %']
    """
    panel, expert = found.panel, found.expert
    ones = list(_rows(found.given_1, 1.0))
    zeros = list(_rows(found.given_0, 2.0 + len(ones)))
    rows = [*ones, *zeros]
    with drawing(ax, _SIZE) as axes:
        places = [row.place for row in rows]
        seen = [row.truthful + row.bribed for row in rows]
        entries: list[tuple[Any, str]] = []
        for said, colour, spans in (
            ("positive", BLUE, [(0, row.truthful) for row in rows]),
            ("negative", LIGHT, [(row.truthful + panel.k, panel.n) for row in rows]),
        ):
            bars = _bars(axes, places, spans, facecolor=colour, edgecolor="white")
            entries.append((bars, f"truthful: {said}"))
        if panel.k:
            spans = [(row.truthful, row.truthful + panel.k) for row in rows]
            bars = _bars(axes, places, spans, facecolor="#f9dcc8", edgecolor=RED, hatch="////")
            entries.append((bars, "bribed: they push the count"))
        for row, count in zip(rows, seen, strict=True):
            _arrow(axes, row.place, row.truthful, count, panel.n)
            _arrow(axes, row.place, row.truthful + panel.k, count, panel.n)
        (diamond,) = axes.plot(
            seen, places, linestyle="", marker="D", color=BLACK, markersize=6, markeredgecolor="white", clip_on=False
        )
        entries.append((diamond, "what the rule sees"))
        size = axes.xaxis.label.get_fontsize()
        for state, prior, first in (("positive", expert.prior, ones), ("negative", 1 - expert.prior, zeros)):
            said = f"If the truth is {state} ({_percent(prior)})"
            axes.text(0, first[0].place + _HEADING, said, va="center", fontsize=size)
        axes.set_yticks(places, [_percent(row.weight) for row in rows])
        axes.tick_params(axis="y", length=0, pad=6)
        whole_numbers(axes.xaxis)
        axes.set_xlim(0, panel.n)
        axes.set_ylim(places[-1] + 0.6, places[0] - 1.1)
        axes.spines["left"].set_visible(False)
        _forecasts(axes, places, [found.rule(count) for count in seen])
        axes.set_xlabel(f"Positive votes (of {panel.n:,})")
        title = f"{shown(found.rule.name)}: expected loss {found.expected_loss:.4g}, regret {found.regret:.4g}"
        as_typed([axes.set_title(title, loc="left")])
        legend(axes, entries)
    return axes


def _rows(scenario: Scenario, first: float) -> Iterator[_Row]:
    """Yield the cases of a state, the one with more positive votes below."""
    cases = zip(scenario.weights, scenario.truthful, scenario.adversaries, strict=True)
    for place, (weight, truthful, bribed) in enumerate(cases):
        yield _Row(first + place, weight, truthful, bribed)


def _bars(axes: "Axes", places: Sequence[float], spans: Sequence[tuple[int, int]], **look: Any) -> Any:
    """Draw one part of the panel in each row."""
    return bands(axes, places, *zip(*spans, strict=True), height=_BAR, linewidth=0.8, **look)


def _arrow(axes: "Axes", place: float, start: int, end: int, n: int) -> None:
    """Show which way the bribed move the count, where there is room."""
    if abs(end - start) > _ARROW_FROM * n:
        style = {"arrowstyle": "-|>", "color": BLACK, "linewidth": 1.2, "shrinkA": 1, "shrinkB": 4}
        axes.annotate("", xy=(end, place), xytext=(start, place), arrowprops=style)


def _forecasts(axes: "Axes", places: list[float], forecasts: list[float]) -> None:
    """Write on the right what the rule forecasts in each row."""
    beside = axes.get_yaxis_transform()
    size = axes.xaxis.label.get_fontsize()
    axes.text(1.04, places[0] + _HEADING, "forecast", transform=beside, va="center", fontsize=size)
    for place, forecast in zip(places, forecasts, strict=True):
        axes.text(1.04, place, f"{forecast:.3g}", transform=beside, va="center", fontsize=size, fontweight="bold")


def _percent(share: float) -> str:
    """Write a probability; what is not certain does not look so."""
    if _ALMOST <= share < 1:
        return "> 99.9 %"
    return f"{100 * share:.3g} %"
