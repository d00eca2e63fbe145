"""Pictures of results: one function each, which draws on given axes or those of a new figure and returns them.

A new figure is not known to pyplot: show it as ``plots.rule(...).figure``, or write it with `write`.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from bribeproof.plots.canvas import ENDINGS, svg, write, write_figure, write_picture
from bribeproof.plots.marks import height

if TYPE_CHECKING:
    from bribeproof.plots.attack_plot import attack
    from bribeproof.plots.cost_plot import cost
    from bribeproof.plots.guarantee_plot import guarantee
    from bribeproof.plots.items_plot import items
    from bribeproof.plots.ranking_plot import ranking
    from bribeproof.plots.reporters_plot import reporters
    from bribeproof.plots.rule_plot import rule
    from bribeproof.plots.sweep_plot import sweep
    from bribeproof.plots.worst_case_plot import worst_case

_HOMES = {
    "attack": "attack_plot",
    "cost": "cost_plot",
    "guarantee": "guarantee_plot",
    "items": "items_plot",
    "ranking": "ranking_plot",
    "reporters": "reporters_plot",
    "rule": "rule_plot",
    "sweep": "sweep_plot",
    "worst_case": "worst_case_plot",
}
"""Where the picture of a name lives."""


def __getattr__(name: str) -> Any:
    """Load the module of a picture, on its first use."""
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    """List the public names, loaded or not."""
    return sorted(__all__)


__all__ = [
    "ENDINGS",
    "attack",
    "cost",
    "guarantee",
    "height",
    "items",
    "ranking",
    "reporters",
    "rule",
    "svg",
    "sweep",
    "worst_case",
    "write",
    "write_figure",
    "write_picture",
]
