"""The picture of the page "Attack it"."""

from typing import TYPE_CHECKING

from bribeproof import plots
from bribeproof.attacks.result import AttackCurves
from bribeproof.plots.palette import LIGHT, REFERENCE

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_SIZE = (4.2, 3.5)
"""Of the picture, in inches: small enough that its text can be read on a telephone."""


def picture(result: AttackCurves, adversaries: int, assumed: int, measure: str) -> str:
    """Draw the loss of each rule against the number of bribes; mark the chosen number and the assumed one."""

    def draw(axes: "Axes") -> None:
        plots.attack(result, measure=measure, ax=axes)
        axes.set_title("", loc="left")
        most = result.curves["adversaries"].max()
        if isinstance(most, int) and assumed <= most:
            axes.axvline(assumed, linewidth=1, zorder=0, **REFERENCE)
        axes.axvline(adversaries, color=LIGHT, linewidth=5, alpha=0.6, zorder=0)
        axes.annotate(
            f"{adversaries:,} bribed", (adversaries, 1), xycoords=axes.get_xaxis_transform(), xytext=(0, 3),
            textcoords="offset points", ha="center", va="bottom", fontsize=8,
        )  # fmt: skip

    title = f"Loss of each rule against the number of bribed reporters; {adversaries:,} are bribed"
    return plots.svg(draw, _SIZE, name="attack", title=title)
