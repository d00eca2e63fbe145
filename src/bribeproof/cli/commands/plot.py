"""``bribeproof plot``: draw the rules, the guarantee and the worst case of a panel."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

from cyclopts import Parameter

from bribeproof.cli.documented import DocumentedApp
from bribeproof.cli.options.common import PanelSize, PlainK
from bribeproof.cli.options.converters import Rate, parse_correlation
from bribeproof.cli.options.loss import LossOptions
from bribeproof.cli.output.plots import check_picture, write_picture
from bribeproof.errors import ParameterError

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from bribeproof.theory import Aggregator, Expert, Loss, Panel

_MAX_REPORTERS = 100_000
"""Largest panel; pictures of larger ones look the same."""
_POINTS = 50
"""Approximate number of points on a curve."""

_PAIRED_POINTS = 16
"""The same with a bound of the correlation: each takes up to a second."""

_SQUARED = LossOptions()

plot = DocumentedApp(
    name="plot",
    help="Draw the rules, the guarantee or the worst case of a panel.",
)


@Parameter(name="*")
@dataclass(frozen=True, slots=True, kw_only=True)
class PanelOptions:
    """Options for a panel, one of its honest reporters, and the loss."""

    n: PanelSize
    """Number of reporters."""
    k: PlainK = 0
    """Number of reporters who may be bribed."""
    prior: Rate
    """Probability that the truth is positive."""
    tpr: Rate
    """Probability that an honest reporter votes positive if the truth is positive."""
    fpr: Rate
    """Probability that an honest reporter votes positive if the truth is negative."""
    correlation: str = "1"
    """How far the errors of two honest reporters go together at most: 1 (any way, the default) to 0 (pairwise
    independent); one number, or one if the truth is positive and one if it is negative: .1,.05."""
    priced: LossOptions = _SQUARED

    @property
    def panel(self) -> "Panel":
        """Numbers of reporters and adversaries."""
        from bribeproof.theory import Panel

        if self.n > _MAX_REPORTERS:
            raise ParameterError(
                f"--n {self.n}: at most {_MAX_REPORTERS:,} are possible; a larger panel looks the same"
            )
        return Panel(self.n, self.k)

    @property
    def expert(self) -> "Expert":
        """Prior and rates of an honest reporter, and how far errors go together."""
        from bribeproof.theory import Expert

        return Expert(self.prior, self.tpr, self.fpr, parse_correlation(self.correlation))


Target = Annotated[Path, Parameter(name=["--output", "-o"])]


@plot.command(sort_key=1)
def rule(*, design: PanelOptions, output: Target) -> None:
    """Draw the optimal rule beside the trimmed mean, the majority and the mean.

    Parameters
    ----------
    output
        The file to draw into: .png, .svg or .pdf.
    """
    _draw(lambda: draw_rule(design.panel, design.expert, design.priced.chosen), output, "the rule")


@plot.command(sort_key=2)
def guarantee(*, design: PanelOptions, output: Target, against: Literal["k", "n"] = "k") -> None:
    """Draw the guarantee against the number of bribes or of reporters.

    Parameters
    ----------
    output
        The file to draw into: .png, .svg or .pdf.
    against
        k: number of bribes, up to half of the panel; n: number of reporters, up to three times the panel.
    """
    _draw(lambda: _draw_guarantee(design, against), output, "the guarantee")


@plot.command(name="worst-case", sort_key=3)
def worst_case(
    *, design: PanelOptions, output: Target, rule: Literal["optimal", "trimmed-mean", "majority", "mean"] = "optimal"
) -> None:
    """Draw the worst case of a rule: the votes and the forecasts.

    Parameters
    ----------
    output
        The file to draw into: .png, .svg or .pdf.
    rule
        The rule.
    """
    _draw(lambda: _draw_worst_case(design, rule), output, "the worst case")


def draw_rule(panel: "Panel", expert: "Expert", loss: "str | Loss") -> "Axes":
    """Draw the optimal rule beside the usual rules."""
    from bribeproof import plots

    return plots.rule(_rules(panel, expert, loss), panel=panel)


def _draw(draw: Callable[[], "Axes"], output: Path, what: str) -> None:
    """Draw into a file, and print a note."""
    from bribeproof.cli.output.tables import show_notes

    check_picture(output, option="-o")
    show_notes([write_picture(draw, output, what)])


def _rules(panel: "Panel", expert: "Expert", loss: "str | Loss") -> "dict[str, Aggregator]":
    """Return the rules by their names."""
    from bribeproof.rules import majority, mean, trimmed_mean
    from bribeproof.theory import optimal_aggregator

    return {
        "optimal": optimal_aggregator(panel, expert, loss),
        "trimmed mean": trimmed_mean(panel),
        "majority": majority(panel),
        "mean": mean(panel),
    }


def _draw_guarantee(design: PanelOptions, against: Literal["k", "n"]) -> "Axes":
    """Draw the guarantee of panels with other k or n."""
    from bribeproof import plots
    from bribeproof.theory import Panel, breakdown_point, get_loss
    from bribeproof.theory.minimax.optimal import least_loss_rule

    panel, expert, loss = design.panel, design.expert, get_loss(design.priced.chosen)
    first, last = (0, (panel.n - 1) // 2) if against == "k" else (2 * panel.k + 1, 3 * panel.n)
    step = 1 + (last - first) // (_POINTS if expert.may_err_together else _PAIRED_POINTS)
    points = sorted({*range(first, last + 1, step), getattr(panel, against)})
    panels = [Panel(panel.n, point) if against == "k" else Panel(point, panel.k) for point in points]
    breakdown: float | None = None
    if loss.strictly_proper or expert.may_err_together:  # otherwise it is no share of the reporters
        share = breakdown_point(expert, loss)
        if against == "k":
            breakdown = share * panel.n
        elif panel.k and share and panel.k / share <= last:
            breakdown = panel.k / share
    return plots.guarantee(
        points, [least_loss_rule(one, expert, loss).guarantee for one in panels], against=against,
        breakdown=breakdown, blind=loss.bayes_risk(expert.prior), marked=getattr(panel, against),
    )  # fmt: skip


def _draw_worst_case(design: PanelOptions, name: str) -> "Axes":
    """Draw the worst case of a rule."""
    from bribeproof import plots
    from bribeproof.theory import worst_case as find

    panel, expert, loss = design.panel, design.expert, design.priced.chosen
    if not expert.may_err_together:
        raise ParameterError(
            f"--correlation {design.correlation}: the picture of the worst case is for errors that go together in any "
            "way; leave it out, or draw the rule or the guarantee"
        )
    chosen = _rules(panel, expert, loss)[name.replace("-", " ")]
    return plots.worst_case(find(chosen, panel, expert, loss))
