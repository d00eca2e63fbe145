"""Pictures of results: one function each, which draws on given axes or those of a new figure and returns them.

A new figure is not known to pyplot: show it as ``plots.rule(...).figure``, or write it with `write`.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from bribeproof.plots.canvas import ENDINGS, svg, write, write_figure, write_picture
from bribeproof.plots.marks import height

if TYPE_CHECKING:
    from bribeproof.plots.attacks import attack
    from bribeproof.plots.costs import cost
    from bribeproof.plots.deviations import reporters
    from bribeproof.plots.fragility import items
    from bribeproof.plots.guarantees import guarantee
    from bribeproof.plots.rankings import ranking
    from bribeproof.plots.rules import rule
    from bribeproof.plots.sweeps import sweep
    from bribeproof.plots.worst_cases import worst_case

_HOMES = {
    "attack": "attacks",
    "cost": "costs",
    "guarantee": "guarantees",
    "items": "fragility",
    "ranking": "rankings",
    "reporters": "deviations",
    "rule": "rules",
    "sweep": "sweeps",
    "worst_case": "worst_cases",
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
