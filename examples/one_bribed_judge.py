"""Draw what one bribed judge of seven changes: the plain mean, and the trimmed mean that was made for it.

Run it in the checkout: ``python examples/one_bribed_judge.py docs/images/one-bribed-judge.svg``. It writes both halves
beside it as well, in letters that can be read on a phone: ``one-bribed-judge-mean.svg`` and ``-trimmed.svg``.
"""

import sys
from pathlib import Path

import numpy as np
import polars as pl
from matplotlib import rc_context
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from numpy.typing import NDArray

import bribeproof as bp

SHEET = Path(__file__).with_name("judges.csv")
BRIBED, FAVOURITE = "judge_5", "Borealis"
COLOURS = {"Ember": "#0072B2", FAVOURITE: "#D55E00"}
OTHERS = "#767676"


def read_marks() -> tuple[list[str], NDArray[np.float64], NDArray[np.float64]]:
    """Return the names of the entries, the marks as they are, and those with the lies of the bribed judge."""
    sheet = bp.read_table(SHEET).frame
    names, judges = sheet["entry"].to_list(), [name for name in sheet.columns if name != "entry"]
    marks = sheet.select(judges).cast(pl.Float64).to_numpy()
    lies = marks.copy()
    lies[:, judges.index(BRIBED)] = [10.0 if name == FAVOURITE else 0.0 for name in names]
    return names, marks, lies


def draw(
    ax: Axes, title: str, names: list[str], before: NDArray[np.float64], after: NDArray[np.float64], size: float = 9
) -> None:
    """Draw the score of every entry before and after the bribe, in letters of a size."""
    for name, first, second in zip(names, before, after, strict=True):
        colour = COLOURS.get(name, OTHERS)
        ax.plot([0, 1], [first, second], "o-", color=colour, lw=2.4 if name in COLOURS else 1.2, ms=5, clip_on=False)
    # Labels of scores that lie close together are moved apart.
    for side, scores in ((0, before), (1, after)):
        height = -np.inf
        for place in np.argsort(scores):
            height = max(scores[place], height + 0.33 * size / 9)
            label = f"{names[place]}  {scores[place]:.2f}" if side == 0 else f"{scores[place]:.2f}  {names[place]}"
            ax.annotate(
                label, (side, height), (-8 if side == 0 else 8, 0), textcoords="offset points", va="center",
                ha="right" if side == 0 else "left", fontsize=size, color=COLOURS.get(names[place], "#444444"),
                fontweight="bold" if scores[place] == scores.max() else "normal",
            )  # fmt: skip
    ax.set_title(title, fontsize=size + 2, pad=14)
    ax.set_xticks([0, 1], ["honest marks", "one judge bribed"], fontsize=size)
    ax.set_xlim(-0.05, 1.05)
    ax.set_ylim(4.3, 9.6)
    ax.yaxis.set_visible(False)
    ax.spines[:].set_visible(False)
    ax.tick_params(length=0)


def main(path: str) -> None:
    """Write the picture."""
    names, marks, lies = read_marks()
    plain = ("Plain mean: the bribe buys the gold", names, np.nanmean(marks, axis=1), np.nanmean(lies, axis=1))
    trimmed = ("Trimmed mean, k = 1: Ember still wins", names, bp.trimmed_mean(marks, 1), bp.trimmed_mean(lies, 1))
    figure = Figure(figsize=(8.6, 3.9))
    left, right = figure.subplots(1, 2, gridspec_kw={"wspace": 1.1})
    figure.subplots_adjust(left=0.13, right=0.87, top=0.86, bottom=0.09)
    draw(left, *plain)
    draw(right, *trimmed)
    # The same bytes each time; text stays text in the halves.
    with rc_context({"svg.hashsalt": "bribeproof"}):
        figure.savefig(path, metadata={"Date": None} if path.endswith(".svg") else None, facecolor="white")
    for half, (title, _, before, after) in (("mean", plain), ("trimmed", trimmed)):
        figure = Figure(figsize=(4.6, 3.9))
        figure.subplots_adjust(left=0.3, right=0.7, top=0.86, bottom=0.09)
        draw(figure.subplots(), title, names, before, after, size=11.5)
        with rc_context({"svg.hashsalt": "bribeproof", "svg.fonttype": "none"}):
            file = Path(path)
            figure.savefig(
                file.with_stem(f"{file.stem}-{half}"),
                metadata={"Date": None} if path.endswith(".svg") else None, facecolor="white",
            )  # fmt: skip


if __name__ == "__main__":
    main(sys.argv[1])
