"""``bribeproof panel``: show the optimal rule of a panel and its guarantee."""

import json as jsonlib
import sys

from bribeproof.cli.options.common import Json, PanelSize, Picture, PlainK
from bribeproof.cli.options.converters import Rate, parse_correlation
from bribeproof.cli.options.loss import LossOptions
from bribeproof.cli.output.plots import check_picture, write_picture
from bribeproof.errors import ParameterError

_SQUARED = LossOptions()
_MAX_REPORTERS = 1_000_000
"""Largest panel; the rule has one value for each number of positive votes."""


def panel(
    *,
    n: PanelSize,
    k: PlainK = 0,
    prior: Rate,
    tpr: Rate,
    fpr: Rate,
    correlation: str = "1",
    priced: LossOptions = _SQUARED,
    plot: Picture = None,
    json: Json = False,
) -> None:
    """Show the optimal rule of a panel, its guarantee and breakdown point.

    Parameters
    ----------
    n
        Number of reporters.
    k
        Number of reporters who may be bribed.
    prior
        Probability that the truth is positive.
    tpr
        Probability that an honest reporter votes positive if the truth is positive.
    fpr
        Probability that an honest reporter votes positive if the truth is negative.
    correlation
        How far the errors of two honest reporters go together at most: 1 (any way, the default) to 0 (pairwise
        independent); one number, or one if the truth is positive and one if it is negative: .1,.05.
    plot
        Draw the rule: .png, .svg or .pdf.
    json
        Print as JSON.
    """
    from bribeproof.theory import Expert, Panel
    from bribeproof.theory.minimax.panel_summary import describe_panel

    expert, price = Expert(prior, tpr, fpr, parse_correlation(correlation)), priced.chosen
    if n > _MAX_REPORTERS:
        raise ParameterError(f"--n {n}: at most {_MAX_REPORTERS:,} are possible; a larger panel gives the same numbers")
    if plot is not None:
        check_picture(plot)
    summary = describe_panel(n, k, expert, price)
    if plot is not None:
        from bribeproof.cli.commands.plot import draw_rule
        from bribeproof.cli.output.tables import show_notes

        show_notes([write_picture(lambda: draw_rule(Panel(n, k), expert, price), plot, "the rule")])
    if json:
        sys.stdout.write(jsonlib.dumps(summary, indent=2, allow_nan=False) + "\n")
        return
    from bribeproof.cli.output.panel import show_panel

    show_panel(summary)
