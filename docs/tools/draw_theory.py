"""Draw the pictures of the concept pages in docs/theory: one for each page, which answers the question of its caption.

Run it in the checkout after a change of a picture: ``python docs/tools/draw_theory.py``. It writes docs/images/theory.
"""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from theory_numbers import (
    CORRELATIONS,
    EXPERT,
    LABELS,
    SIZES,
    SPREADS,
    TEN,
    bribed_weight,
    disguise,
    guaranteed_errors,
    leads,
    losses,
    robust_pairs,
    turned,
    weighed_errors,
)  # fmt: skip

import bribeproof as bp
from bribeproof import plots
from bribeproof.plots import palette
from bribeproof.plots.palette import BLACK, BLUE, BRIBED, CHANGEABLE, GREY, LIGHT, LIMIT, REFERENCE

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

ROOT = Path(__file__).resolve().parents[2]
PICTURES = ROOT / "docs" / "images" / "theory"
WIDTH, TEXT = 5.0, 12.5
"""Width in inches and size of text in points: on a phone, 328 pixels wide, letters are 11 pixels high."""
HONEST_YES: Mapping[str, Any] = {"facecolor": BLUE, "edgecolor": BLUE, "linewidth": 0.8}
HONEST_NO: Mapping[str, Any] = {"facecolor": LIGHT, "edgecolor": GREY, "linewidth": 0.8}


# The effective expert: two truths that look the same.


def draw_disguise(figure: "Figure") -> None:
    """Draw the reports of a panel as rows of boxes, below what is seen of them."""
    axes = _bare(figure)
    n, k = TEN.n, TEN.k
    for row, sight in enumerate(disguise(TEN, EXPERT)):
        y = row + 1.6 * (row // 2)
        negative = n - sight.seen - (k - sight.bribed)
        kinds = [HONEST_YES] * sight.truthful + [BRIBED] * k + [HONEST_NO] * negative
        for place, kind in enumerate(kinds):
            axes.add_patch(_box(place + _GAP * (place >= sight.seen), y, kind))
        axes.text(-0.3, y, "positive" if sight.positive else "negative", ha="right", va="center")
        rate = ("tpr′", "fpr′")[row] + " = " if row < 2 else ""
        axes.text(n + 4.2, y, f"{rate}{100 * sight.share:.0f} %", ha="right", va="center")
        if row % 2 == 0:
            axes.text(0, y - 1, f"{sight.seen} say positive, {n - sight.seen} negative", fontweight="bold", va="center")
    axes.text(-0.3, -1, "truth", ha="right", va="center", color=GREY)
    axes.text(n + 4.2, -1, "how often", ha="right", va="center", color=GREY)
    looks = (
        (HONEST_YES, "honest, says positive"),
        (HONEST_NO, "honest, says negative"),
        (BRIBED, "bribed, says the opposite of the truth"),
    )
    for row, (look, said) in enumerate(looks):
        axes.add_patch(_box(0, 6.1 + row, look))
        axes.text(1.2, 6.1 + row, said, va="center")
    axes.set_xlim(-3.2, n + 4.3)
    axes.set_ylim(8.6, -1.5)


def _box(x: float, y: float, look: Any) -> Any:
    """Return a square of one reporter."""
    from matplotlib.patches import Rectangle

    return Rectangle((x + 0.05, y - 0.4), 0.86, 0.8, **look)


_GAP = 0.35  # between positive and negative reports


# Pairs: what more reporters bring.


def draw_pairs(figure: "Figure") -> None:
    """Draw the guarantee against the size of the panel, at several correlations."""
    axes = figure.add_subplot()
    look = palette.RULES["pairwise"]
    for correlation in CORRELATIONS:
        found = losses(correlation)
        axes.plot(SIZES, found, color=look.colour, marker=look.marker, markersize=5, linewidth=1.6, clip_on=False)
        axes.annotate(
            f"{correlation:g}", (SIZES[-1], found[-1]), (10, 0), textcoords="offset points", va="center",
            color=look.colour, fontweight="bold",
        )  # fmt: skip
    blind = bp.theory.prior_alone(bp.Expert(0.5, 0.7, 0.3), "squared")
    axes.axhline(blind, **REFERENCE)
    axes.text(SIZES[0], blind + 0.004, "without any report", color=GREY, va="bottom")
    axes.set_title("correlation", loc="right", color=look.colour, pad=-2, x=1.1)
    axes.set_xscale("log", base=2)
    axes.set_xticks(SIZES, [str(size) for size in SIZES])
    axes.minorticks_off()
    axes.set_ylim(0, 0.275)
    axes.set_xlabel("reporters, one in ten of them bribed")
    axes.set_ylabel("expected loss, at most")


# What a guarantee means: how much is left of it.


def draw_worth(figure: "Figure") -> None:
    """Draw the errors that a panel guarantees against k, below those of the prior alone."""
    axes = figure.add_subplot()
    found, blind = guaranteed_errors()
    bars = axes.bar(range(len(found)), found, width=0.7)
    for bar, errors in zip(bars, found, strict=True):
        bar.set(**(HONEST_YES if errors < blind else HONEST_NO))
        axes.text(bar.get_x() + 0.35, errors + 1, f"{errors:.3g}", ha="center")
    axes.axhline(blind, **REFERENCE)
    axes.text(-0.4, blind + 1, "without any report", color=GREY)
    axes.set_ylim(0, 58)
    axes.set_xlabel("bribed, of nine reporters")
    axes.set_title("Errors in 100 items, at most", loc="left")


# Certified accuracy: how far ahead the truth is.


def draw_certified(figure: "Figure") -> None:
    """Draw how often the truth leads by so many verdicts, and what is right whatever k say."""
    axes = figure.add_subplot()
    lead, count = np.unique(leads(), return_counts=True)
    for chosen, look in ((lead > 0, HONEST_YES), (lead <= 0, HONEST_NO)):
        axes.bar(lead[chosen], count[chosen], width=0.8, **look)
    top = float(count.max())
    for k, robust in robust_pairs():
        start, height = 2 * k + 0.5, top * (1.12 + 0.13 * k)
        axes.plot([start, start], [0, height], **LIMIT)
        arrow = {"arrowstyle": "-|>", "color": BLACK, "shrinkA": 0, "shrinkB": 0}
        axes.annotate("", (lead[-1] + 0.5, height), (start, height), arrowprops=arrow)
        said = ("right", "right, whatever one says", "right, whatever two say")[k]
        axes.text(start - 0.25, height, f"{said}: {robust}", ha="right", va="center")
    axes.set_xticks(lead)
    axes.set_xlabel("votes for the truth minus votes against it")
    axes.set_yticks(range(0, 101, 25))
    axes.set_ylabel("pairs of answers")


# One list: what each person can turn.

_TURNS: Mapping[str, Any] = {**CHANGEABLE, "markersize": 13}
_TURNS_NOT: Mapping[str, Any] = {"color": LIGHT, "markeredgecolor": GREY, "marker": "o", "markersize": 8}


def draw_one_list(figure: "Figure") -> None:
    """Draw who can turn which decision, and how many each person can turn."""
    axes = _bare(figure)
    can, people = turned(), LABELS.columns[1:]
    photos, last = len(can), len(people) + 0.6
    same, others = palette.ONE_LIST["color"], CHANGEABLE["color"]
    axes.add_patch(_frame(-0.5, same, photos))
    axes.add_patch(_frame(last - 0.5, others, photos))
    for column, name in enumerate(people):
        axes.text(column, -0.9, name, ha="center", va="center")
        axes.text(column, photos, str(can[:, column].sum()), ha="center", va="center", fontweight="bold", color=same)
    axes.text(last, -1.05, "another\non each", ha="center", va="center")
    axes.text(last, photos, str(can.any(axis=1).sum()), ha="center", va="center", fontweight="bold", color=others)
    for row in range(photos):
        axes.text(-0.75, row, f"photo {row + 1}", ha="right", va="center")
        for column, turns in zip([*range(len(people)), last], [*can[row], can[row].any()], strict=True):
            look = _TURNS if turns else _TURNS_NOT
            axes.plot(column, row, linestyle="", **look)
    axes.text(-0.75, photos, "turned", ha="right", va="center", fontweight="bold")
    axes.plot(-0.4, photos + 1, linestyle="", **_TURNS)
    axes.text(0, photos + 1, "could turn the photo from cat to dog", va="center")
    axes.set_xlim(-2.6, last + 0.9)
    axes.set_ylim(photos + 1.4, -1.6)


def _frame(x: float, colour: str, rows: int) -> Any:
    """Return the frame around a column."""
    from matplotlib.patches import Rectangle

    return Rectangle((x, -0.5), 1, rows + 0.9, facecolor="none", edgecolor=colour, linewidth=1.8)


# Weights: what the bribed can weigh, and what that costs.


def draw_weights(figure: "Figure") -> None:
    """Draw the largest weight of the bribed, and the guarantee, against the weight spread."""
    upper, lower = figure.subplots(2, sharex=True)
    share = 100 * bribed_weight(TEN)
    upper.fill_between(SPREADS, share, **BRIBED)
    upper.axhline(50, **LIMIT)
    upper.text(0.01, 51.5, "half of the weight", color=palette.RED, va="bottom")
    upper.set_ylim(0, 68)
    upper.set_title("Weight of two bribed reporters, at most, in %", loc="left")
    lower.plot(SPREADS, weighed_errors(TEN), color=palette.SAFE["color"], linewidth=2)
    lower.axhline(50, **REFERENCE)
    lower.text(0.01, 51.5, "without any report", color=GREY, va="bottom")
    lower.set_ylim(0, 68)
    lower.set_title("Errors in 100 items, at most", loc="left")
    lower.set_xlabel("weight spread")
    lower.set_xlim(0, 0.9)
    for axes in (upper, lower):
        axes.set_yticks([0, 25, 50])


# Worst cases: how a majority is beaten.


def draw_worst_case(figure: "Figure") -> None:
    """Draw the worst case of the majority of ten reporters, of whom two are bribed."""
    axes = figure.add_subplot()
    plots.worst_case(bp.theory.worst_case(bp.rules.majority(TEN), TEN, EXPERT, "absolute"), ax=axes)
    if legend := axes.get_legend():
        legend.remove()  # below all, in one column
        texts = [text.get_text() for text in legend.get_texts()]
        figure.legend(list(filter(None, legend.legend_handles)), texts, loc="outside lower center", fontsize=TEXT)


def _bare(figure: "Figure") -> "Axes":
    """Return axes without lines and ticks."""
    axes = figure.add_subplot()
    axes.set_axis_off()
    return axes


PICTURES_OF: dict[str, tuple[Callable[["Figure"], None], float]] = {
    "disguise": (draw_disguise, 4.2),
    "pairs": (draw_pairs, 3.9),
    "worth": (draw_worth, 3.6),
    "lead": (draw_certified, 3.9),
    "one-list": (draw_one_list, 4.4),
    "weights": (draw_weights, 4.4),
    "majority": (draw_worst_case, 5.0),
}


def main(folder: Path = PICTURES) -> None:
    """Draw every picture."""
    import matplotlib

    for name, (draw, height) in PICTURES_OF.items():

        def sized(figure: "Figure", draw: Callable[["Figure"], None] = draw) -> None:
            with matplotlib.rc_context({"font.size": TEXT}):
                draw(figure)
            for axes in figure.axes:
                axes.tick_params(labelsize=TEXT)

        plots.write_figure(sized, folder / f"{name}.svg", (WIDTH, height))


if __name__ == "__main__":
    main()
