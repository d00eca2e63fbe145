"""``bribeproof panel``: what a panel is worth, before anybody has voted."""

import json as jsonlib
import sys
from pathlib import Path

from bribeproof.cli.options.converters import Flag, Whole, parse_loss
from bribeproof.cli.output.plots import check_picture, write_picture
from bribeproof.errors import ParameterError

_MOST = 1_000_000
"""A rule has a value for each number of positive votes; a panel of more is described as well by its shares."""


def panel(
    *,
    n: Whole,
    k: Whole = 0,
    prior: float,
    tpr: float,
    fpr: float,
    loss: str = "squared",
    plot: Path | None = None,
    json: Flag = False,
) -> None:
    """Show the optimal rule of a panel, its guarantee, and how many bribes it survives.

    Parameters
    ----------
    n
        How many reporters sit on the panel.
    k
        How many of them may be bribed.
    prior
        Probability of a positive truth.
    tpr
        How often a truthful reporter says positive when it is.
    fpr
        How often a truthful reporter says positive when it is not.
    loss
        absolute, squared, log, or cost:FP,FN with the costs of the two kinds of error.
    plot
        Draw the rule: .png, .svg or .pdf.
    json
        Print as JSON.
    """
    from bribeproof.theory import Expert, Panel
    from bribeproof.theory.minimax.panel_summary import describe_panel

    expert, price = Expert(prior, tpr, fpr), parse_loss(loss)
    if n > _MOST:
        raise ParameterError(f"--n {n}: at most {_MOST:,}; a larger panel differs from it by nothing that shows")
    if plot is not None:
        check_picture(plot)
    found = describe_panel(n, k, expert, price)
    if plot is not None:
        from bribeproof.cli.commands.plot import draw_rule
        from bribeproof.cli.output.tables import show_notes

        show_notes([write_picture(lambda: draw_rule(Panel(n, k), expert, price), plot, "the rule")])
    if json:
        sys.stdout.write(jsonlib.dumps(found, indent=2, allow_nan=False) + "\n")
        return
    from bribeproof.cli.output.tables import show_panel

    show_panel(found)
