"""The picture of the room."""

from typing import TYPE_CHECKING

from bribeproof import plots
from bribeproof.attacks.result import AttackCurves

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_SIZE = (4.9, 3.2)


def picture(found: AttackCurves, adversaries: int, expected: int, measure: str) -> str:
    """Draw what each rule loses against the number of bribes, with the reader's choice and what rules expect marked."""

    def draw(axes: "Axes") -> None:
        plots.attack(found, measure=measure, ax=axes)
        axes.set_title("", loc="left")
        most = found.curves["adversaries"].max()
        if isinstance(most, int) and expected <= most:
            axes.axvline(expected, color="#7f7f7f", linestyle=":", linewidth=1, zorder=0)
        axes.axvline(adversaries, color="#bbbbbb", linewidth=5, alpha=0.6, zorder=0)
        axes.annotate(
            f"{adversaries:,} bribed", (adversaries, 1), xycoords=axes.get_xaxis_transform(), xytext=(0, 3),
            textcoords="offset points", ha="center", va="bottom", fontsize=8,
        )  # fmt: skip

    title = f"What each rule loses against the number of bribed reporters, of whom there are {adversaries:,}"
    return plots.svg(draw, _SIZE, name="attack", title=title)
