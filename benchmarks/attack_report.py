"""The runs of the attack study as tables and pictures.

Run: ``python benchmarks/attack_report.py runs.csv [--docs docs]`` with the file that ``attack_study.py`` wrote. It
writes docs/crowds/cells.csv (one row per crowd, attack and method), docs/crowds/tables.md (a table per crowd), a
picture per crowd beside it, and the summary in docs/crowds.md.
"""

import argparse
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import polars as pl

from bribeproof.plots import write_figure
from crowd_methods import METHODS
from crowd_sets import CROWDS, STRATEGIES, natural

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

ATTACKS = ("natural", "none", "planted", *STRATEGIES)
SPOKEN = {"natural": "as it is", "none": "as it is, without the gold items", "planted": "comes with the data"}
BEGIN, END = "<!-- summary:begin -->", "<!-- summary:end -->"
KEYS = ["crowd", "strategy", "share", "method"]
LINES: dict[str, tuple[str, str, str, float]] = {
    "shares": ("#000000", "-", "o", 1.8),
    "weighed, k = 0": ("#0b3c7d", "-", "s", 1.8),
    "weighed with gold, k = 0": ("#0b3c7d", "--", "D", 1.8),
    "DawidSkene": ("#a31621", "-", "^", 0.9),
    "GLAD": ("#a31621", ":", "v", 0.9),
    "MACE": ("#b8860b", "-.", "x", 0.9),
    "ZeroBasedSkill": ("#b8860b", "--", "P", 0.9),
    "MMSR": ("#7f7f7f", "-", "<", 0.9),
    "KOS": ("#7f7f7f", "--", ">", 0.9),
}
"""Colour, dash, mark and width of the methods that are drawn: ours first, and strongest."""


def cells(runs: pl.DataFrame) -> pl.DataFrame:
    """Average the runs of each crowd, attack and method."""
    known = runs.with_columns(pl.col("crowd").replace("bird", "bluebird"))
    measures = ("accuracy", "squared")
    averaged = (
        known.drop_nulls("squared")
        .group_by(KEYS)
        .agg(
            pl.len().alias("draws"),
            *(pl.col(name).mean().round(4) for name in measures),
            *(pl.col(name).std().round(4).alias(f"{name}_sd") for name in measures),
            pl.col("seconds").median().round(3),
        )
    )
    places = [("strategy", ATTACKS), ("method", tuple(METHODS))]
    order = [pl.col(name).replace_strict({one: i for i, one in enumerate(names)}) for name, names in places]
    return averaged.sort("crowd", order[0], "share", order[1])


def table(found: pl.DataFrame) -> list[str]:
    """Return the lines of a table: attacks by methods, accuracy / squared loss, the least loss in bold."""
    methods = [name for name in METHODS if name in found["method"].to_list()]
    lines = ["| bribed | share | " + " | ".join(methods) + " |", "|---|---|" + "---|" * len(methods)]
    for (strategy, share), rows in found.group_by("strategy", "share", maintain_order=True):
        known = {row["method"]: row for row in rows.to_dicts()}
        least = min(row["squared"] for row in known.values())
        written = [_cell(known.get(name), least) for name in methods]
        lines.append(f"| {SPOKEN.get(str(strategy), strategy)} | {share:.0%} | " + " | ".join(written) + " |")
    spent = dict(found.group_by("method").agg(pl.col("seconds").median()).iter_rows())
    lines.append(
        "| time of a run, of shares' | | " + " | ".join(f"{spent[one] / spent['shares']:.1f}" for one in methods) + " |"
    )
    return lines


def _cell(row: dict[str, float] | None, least: float) -> str:
    """Write one number pair."""
    if row is None:
        return "–"
    said = f"{row['accuracy']:.3f} / {row['squared']:.3f}"
    return f"**{said}**" if row["squared"] <= least + 0.0005 else said


def draws(found: pl.DataFrame) -> str:
    """Say how many draws there are of what."""
    bribed = found.filter(~pl.col("strategy").is_in(["natural", "none", "planted"]))
    counts: dict[str, list[str]] = {}
    for (method,), rows in bribed.group_by("method", maintain_order=True):
        low, high = rows["draws"].min(), rows["draws"].max()
        counts.setdefault(str(low) if low == high else f"{low!s} to {high!s}", []).append(str(method))
    return (
        "Draws of the bribed: " + "; ".join(f"{count} of {', '.join(names)}" for count, names in counts.items()) + "."
    )


def tables(found: pl.DataFrame) -> str:
    """Return the page with a table for each crowd."""
    lines = [
        "# Real crowds under attack: all numbers",
        "",
        "Accuracy / squared loss (half of the sum over classes), the least loss of a row in bold. What it means is",
        "told in [crowds](../crowds.md), standard deviations are in [cells.csv](cells.csv). Written by",
        "`benchmarks/attack_report.py`.",
    ]
    for name in [one for one in CROWDS if one in found["crowd"].to_list()]:
        here, crowd = found.filter(crowd=name), natural(name)
        votes = crowd.votes
        lines += [
            "",
            f"## {name}",
            "",
            f"{votes['task'].n_unique():,} items ({len(crowd.truth):,} with a known truth), "
            f"{votes['worker'].n_unique():,} workers, {votes.height:,} votes, {len(crowd.classes)} classes. "
            f"{draws(here)}",
            "",
            f"![Squared loss over the share of bribed workers, {name}]({name}.svg)",
            "",
            *table(here),
        ]
    return "\n".join(lines) + "\n"


def summary(found: pl.DataFrame) -> list[str]:
    """Return a table of means over crowds: only crowds and methods that have every attack."""
    shown = [name for name in METHODS if name not in ("KOS", "plurality", "MajorityVote")]
    groups = [("as it is", pl.col("strategy") == "none")]
    groups += [
        (f"{one} {share:.0%}", (pl.col("strategy") == one) & (pl.col("share") == share))
        for one in STRATEGIES
        for share in (0.15, 0.3, 0.45)
    ]
    bounds = [(0.0, 0.1), (0.1, 0.25), (0.25, 0.6)]
    groups += [
        (
            f"comes with the data, {low:.0%} to {high:.0%}",
            (pl.col("strategy") == "planted") & (pl.col("share") > low) & (pl.col("share") <= high),
        )
        for low, high in bounds
    ]
    lines = ["| bribed | crowds | " + " | ".join(shown) + " |", "|---|---|" + "---|" * len(shown)]
    for said, chosen in groups:
        here = found.filter(chosen & pl.col("method").is_in(shown))
        if here.is_empty():
            continue
        by_crowd = here.group_by("crowd", "method").agg(pl.col("squared").mean())
        counts = by_crowd.group_by("method").len()
        whole = by_crowd.filter(pl.col("method") == "shares")["crowd"].to_list()
        means = dict(by_crowd.group_by("method").agg(pl.col("squared").mean()).iter_rows())
        complete = {name for name, count in counts.iter_rows() if count == len(whole)}
        least = min(means[name] for name in complete)
        written = [
            "–"
            if name not in complete
            else f"**{means[name]:.3f}**"
            if means[name] <= least + 0.0005
            else f"{means[name]:.3f}"
            for name in shown
        ]
        lines.append(f"| {said} | {len(whole)} | " + " | ".join(written) + " |")
    return lines


def draw(found: pl.DataFrame, figure: "Figure") -> None:
    """Draw the squared loss over the share of bribed workers, one panel for each attack."""
    attacks = [one for one in ("planted", *STRATEGIES) if one in found["strategy"].to_list()]
    columns = (len(attacks) + 1) // 2
    axes = figure.subplots(2, columns, sharey=True, squeeze=False)
    start = found.filter(strategy="none", share=0.0)
    highest = 1.05 * max(found.filter(pl.col("method").is_in(list(LINES)))["squared"])
    for place, panel in enumerate(axes.flat):
        if place >= len(attacks):
            panel.set_axis_off()
            continue
        here = found.filter(strategy=attacks[place])
        _panel(panel, here if attacks[place] == "planted" else pl.concat([start, here]))
        panel.set_title(SPOKEN.get(attacks[place], attacks[place]))
        panel.set_ylim(0, highest)
        panel.set_xlim(0, None)
        if place % columns == 0:
            panel.set_ylabel("Squared loss")
        if place + columns >= len(attacks):
            panel.set_xlabel("Bribed workers (%)")
    handles = {
        label: handle for panel in axes.flat for handle, label in zip(*panel.get_legend_handles_labels(), strict=True)
    }
    shown = [_short(name) for name in LINES if _short(name) in handles]
    figure.legend([handles[name] for name in shown], shown, loc="outside lower center", ncols=len(shown))


def _panel(panel: "Axes", rows: pl.DataFrame) -> None:
    """Draw one line per method."""
    for name, (colour, dash, mark, width) in reversed(LINES.items()):
        line = rows.filter(method=name).sort("share")
        if line.height > 1:
            panel.plot(
                (100 * line["share"]).to_list(), line["squared"].to_list(), color=colour, linestyle=dash, marker=mark,
                linewidth=width, markerfacecolor="none", markersize=3.5, label=_short(name),
            )  # fmt: skip


def _short(name: str) -> str:
    """Return what a method is called in a picture."""
    return name.removesuffix(", k = 0")


def _between(page: str, lines: Sequence[str]) -> str:
    """Put lines between the markers of a page."""
    before, rest = page.split(BEGIN)
    return before + "\n".join([BEGIN, *lines, END]) + rest.split(END)[1]


def main() -> None:
    """Write everything."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("runs", type=Path)
    parser.add_argument("--docs", type=Path, default=Path(__file__).resolve().parents[1] / "docs")
    options = parser.parse_args()
    folder: Path = options.docs / "crowds"
    folder.mkdir(exist_ok=True, parents=True)
    floats = dict.fromkeys(("share", "accuracy", "squared", "seconds"), pl.Float64)
    found = cells(pl.read_csv(options.runs, schema_overrides=floats))
    found.write_csv(folder / "cells.csv")
    (folder / "tables.md").write_text(tables(found), encoding="utf-8")
    for name in found["crowd"].unique(maintain_order=True).to_list():
        write_figure(partial(draw, found.filter(crowd=name)), folder / f"{name}.svg", (10.0, 4.8), extra="plots")
    page: Path = options.docs / "crowds.md"
    if page.exists() and BEGIN in (text := page.read_text(encoding="utf-8")):
        page.write_text(_between(text, summary(found)), encoding="utf-8")


if __name__ == "__main__":
    main()
