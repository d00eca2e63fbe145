"""Write the tables and pictures of the attack study.

Run: ``python benchmarks/attack_report.py runs.csv [--docs FOLDER]`` with the file that ``attack_study.py`` wrote. It
writes docs/evidence/crowds/cells.csv (one row per crowd, attack and method), docs/evidence/crowds/tables.md (a table
per crowd), a picture per crowd beside it, all runs as docs/evidence/crowds/runs.parquet, and the two tables of
docs/evidence/crowds.md. Without a file
it only draws the pictures again, from docs/evidence/crowds/cells.csv. The same runs give the same bytes.
"""

import argparse
from collections.abc import Collection, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import polars as pl

from attack_study import COLUMNS
from bribeproof.plots import write_figure
from bribeproof.plots.palette import PALE, line_styles, rule_name
from crowd_methods import METHODS
from crowd_sets import CROWDS, DATA, STRATEGIES, known_prior_loss, natural

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

UNBRIBED = ("natural", "none")
ATTACKS = ("planted", *STRATEGIES)
SPOKEN = {"natural": "as it is", "none": "as it is, without the gold items", "planted": "comes with the data"}
SHARES = (0.15, 0.3, 0.45)
LEVELS = ((0.0, 0.1), (0.1, 0.25), (0.25, 0.6))
"""About a third each of the shares that come with the data."""
APART = ("plurality", "MajorityVote", "GLAD", "MACE", "KOS")
"""Not in the summary: the first two are the shares or their top, the last takes two classes only, two are slow."""
LEVEL = 0.00055
"""Losses, of four digits, that are less apart are level: by 0.0005 at most."""
PAIRS = "weighed under pairs, k = 0"
"""The rule that is compared with the best of the others."""
OURS = (PAIRS, "weighed under pairs, k = 1", "calibrated, k = 1", "GLAD", "MACE")
"""Not among the others: rules of its kind, and methods with one draw."""
DRAWN = {
    PAIRS: 1.8, "weighed with gold, k = 0": 1.8, "weighed, k = 0": 1.8, "shares": 1.8, "DawidSkene": 0.8, "GLAD": 0.8,
    "MACE": 0.8, "ZeroBasedSkill": 0.8, "MMSR": 0.8, "KOS": 0.8,
}  # fmt: skip
"""The methods that are drawn, and how wide: ours first, and strongest."""
WIDTH, ROW, ACROSS = 7.5, 1.9, 3
"""Width of a picture in inches, which a page of 800 pixels shows in full size; height and number of panels of a row."""


def cells(runs: pl.DataFrame) -> pl.DataFrame:
    """Average the runs of each crowd, attack and method; the set bird is bluebird with adversaries."""
    keys = ["crowd", "strategy", "share", "method"]
    measures = ("accuracy", "squared")
    averaged = (
        runs.drop_nulls("squared")
        .with_columns(pl.col("crowd").replace("bird", "bluebird"))
        .sort(*keys, "draw")
        .group_by(keys, maintain_order=True)
        .agg(
            pl.len().alias("draws"),
            *(pl.col(name).mean().round(4) for name in measures),
            *(pl.col(name).std().round(4).alias(f"{name}_sd") for name in measures),
            pl.col("seconds").median().round(4),
        )
    )
    strategy, method = _place("strategy", (*UNBRIBED, *ATTACKS)), _place("method", tuple(METHODS))
    return averaged.sort("crowd", strategy, "strategy", "share", method, "method")


def table(found: pl.DataFrame) -> list[str]:
    """Return the table of one crowd: attacks by methods, accuracy / squared loss, the least loss in bold."""
    methods = _ordered(found["method"], METHODS)
    lines = _head("bribed", "share", *methods)
    for (strategy, share), rows in found.group_by("strategy", "share", maintain_order=True):
        lines.append(_line(SPOKEN.get(str(strategy), str(strategy)), f"{share:.0%}", *_pairs(rows, methods)))
    spent = dict(found.group_by("method").agg(pl.col("seconds").median()).iter_rows())
    return [*lines, _line("time of a run, of shares'", "", *(f"{spent[one] / spent['shares']:.1f}" for one in methods))]


def draws(found: pl.DataFrame) -> str:
    """Say how many draws there are of each attack, and which methods have fewer than the others."""
    bribed = found.filter(pl.col("strategy").is_in(STRATEGIES))
    if bribed.is_empty():
        return ""
    counts = dict(bribed.group_by("method", maintain_order=True).agg(pl.col("draws").max()).iter_rows())
    most = max(counts.values())
    fewer = [
        f"{', '.join(name for name in _ordered(counts, METHODS) if counts[name] == count)}: {count}"
        for count in sorted(set(counts.values()) - {most})
    ]
    return "; ".join([f"Draws of each attack: {most}", *fewer]) + "."


def most_often_best(found: pl.DataFrame) -> list[str]:
    """Say which methods have the least loss most often with bribed workers, as the tables mark it."""
    bribed = found.filter(~pl.col("strategy").is_in(UNBRIBED))
    if bribed.is_empty():
        return []
    row = ["crowd", "strategy", "share"]
    distance = pl.col("squared") - pl.col("squared").min().over(row)
    least = bribed.filter(distance < LEVEL)["method"].value_counts(sort=True)
    (first, times), *others = least.sort("count", "method", descending=[True, False]).rows()
    also = "".join(f"; “{name}” in {often}" for name, often in others[:2])
    return [
        f"In {times} of {bribed.select(row).n_unique()} rows with bribed workers “{first}”",
        f"has the least squared loss, or is level with it{also}.",
    ]


def tables(found: pl.DataFrame) -> str:
    """Return the page with a table for each crowd."""
    lines = [
        "# Real crowds under attack: all numbers",
        "",
        "This page shows how accurate each method is on each real crowd, as it is and with bribed workers.",
        *most_often_best(found),
        "",
        "Each cell: accuracy / squared loss (half of the sum over classes), means over draws; in bold the least loss",
        "of a row and all within 0.0005 of it; – where a method cannot take the crowd or was not run. Meaning:",
        "[crowds](../crowds.md), standard deviations are in [cells.csv](cells.csv).",
    ]
    for name in _ordered(found["crowd"], CROWDS):
        here = found.filter(crowd=name)
        picture = f"![Squared loss over the share of bribed workers, {name}]({name}.svg)"
        paragraphs = [f"## {name}", _numbers(name), picture, "\n".join(table(here)), draws(here)]
        lines += [part for text in paragraphs if text for part in ("", text)]
    return "\n".join(lines) + "\n"


def as_they_are(found: pl.DataFrame) -> list[str]:
    """Return the table of the crowds without adversaries."""
    here = found.filter(strategy="natural")
    methods = _ordered(here["method"], METHODS)
    crowds = _ordered(here["crowd"], CROWDS)
    return [*_head("crowd", *methods), *(_line(name, *_pairs(here.filter(crowd=name), methods)) for name in crowds)]


def summary(found: pl.DataFrame) -> list[str]:
    """Return the table of means over the crowds that all methods of a row were run on."""
    known = found.filter(~pl.col("method").is_in(APART))
    methods = _ordered(known["method"], METHODS)
    groups = [("as it is", pl.col("strategy") == "none")]
    for one in STRATEGIES:
        groups += [(f"{one} {share:.0%}", (pl.col("strategy") == one) & (pl.col("share") == share)) for share in SHARES]
    for low, high in LEVELS:
        chosen = (pl.col("strategy") == "planted") & (pl.col("share") > low) & (pl.col("share") <= high)
        groups.append((f"{SPOKEN['planted']}, {low:.0%} to {high:.0%}", chosen))
    lines = _head("bribed", "crowds", *methods)
    for said, chosen in groups:
        means = pl.col("accuracy", "squared").mean()
        rows = known.filter(chosen).group_by("crowd", "method", maintain_order=True).agg(means)
        rows = rows.filter(pl.len().over("crowd") == rows["method"].n_unique())
        if not rows.is_empty():
            averaged = rows.group_by("method", maintain_order=True).agg(means)
            lines.append(_line(said, str(rows["crowd"].n_unique()), *_pairs(averaged, methods)))
    return [
        *lines,
        "",
        "Mean accuracy / mean squared loss over the crowds that all methods of a row were run on, so many as “crowds”",
        "says. KOS takes two classes only, GLAD and MACE are slow: they, the plurality and MajorityVote are in",
        "[all numbers](crowds/tables.md).",
    ]


def goals(runs: pl.DataFrame) -> list[str]:
    """Return how the rule of weights under pairs compares with the best of the others, and with knowing nothing.

    Each attack is compared on the draws that both were run on.
    """
    keys = ["crowd", "strategy", "share"]
    bribed = runs.filter(pl.col("strategy").is_in(("none", *STRATEGIES))).with_columns(pl.col("share").round(4))
    ours = bribed.filter(method=PAIRS).select(*keys, "draw", ours="squared")
    others = bribed.filter(~pl.col("method").is_in(OURS)).drop_nulls("squared").join(ours, on=[*keys, "draw"])
    means = others.group_by(*keys, "method").agg(pl.col("squared", "ours").mean(), pl.len())
    means = means.filter(pl.col("len") == pl.col("len").max().over(keys))  # fewer draws are no fair comparison
    rows = means.sort("squared").group_by(keys, maintain_order=True).first()
    up_to = ("up to 15 %: attacks", "least loss or within .01", "largest distance, from")
    lines = _head("crowd", *up_to, "beyond: attacks", "no more than the prior alone", "largest excess")
    for name in _ordered(rows["crowd"], CROWDS):
        here, alone = rows.filter(crowd=name), known_prior_loss(name)
        few = here.filter(pl.col("share") <= SHARES[0]).with_columns(gap=pl.col("ours") - pl.col("squared"))
        many = here.filter(pl.col("share") > SHARES[0], pl.col("strategy") != "sleeper")
        worst, excess = few.sort("gap").row(-1, named=True), many["ours"] - alone
        share = f" {worst['share']:.0%}" * (worst["share"] > 0)
        lines.append(_line(
            name, str(few.height), str(int((few["gap"] <= 0.01).sum())),
            f"{worst['gap']:.3f}, {worst['method']} ({SPOKEN.get(worst['strategy'], worst['strategy'])}{share})",
            str(many.height), str(int((excess <= 0.005).sum())),
            "–" if many.is_empty() else f"{float(excess.to_numpy().max()):.3f}",
        ))  # fmt: skip
    return lines


def draw(found: pl.DataFrame, figure: "Figure") -> None:
    """Draw the squared loss over the share of bribed workers, one panel for each attack."""
    attacks = _attacks(found)
    axes = figure.subplots(_rows(found), ACROSS, sharey=True, squeeze=False)
    start = found.filter(strategy="none")
    for panel in axes.flat[len(attacks) :]:
        panel.set_axis_off()
    for place, (attack, panel) in enumerate(zip(attacks, axes.flat, strict=False)):
        here = found.filter(strategy=attack)
        _panel(panel, here if attack == "planted" else pl.concat([start, here]))
        panel.set_title(SPOKEN.get(attack, attack))
        if attack != "planted":
            panel.set_xticks([0, *(round(100 * share) for share in SHARES)])
        if place % ACROSS == 0:
            panel.set_ylabel("Squared loss")
        if place + ACROSS >= len(attacks):
            panel.set_xlabel("Bribed workers (%)")
    axes[0, 0].set_ylim(0, 1)  # in each picture, so that crowds can be compared
    handles = {
        label: handle for panel in axes.flat for handle, label in zip(*panel.get_legend_handles_labels(), strict=True)
    }
    shown = [rule_name(name) for name in DRAWN if rule_name(name) in handles]
    figure.legend([handles[name] for name in shown], shown, loc="outside lower center", ncols=4)


def draw_crowds(found: pl.DataFrame, folder: Path) -> None:
    """Draw the picture of each crowd."""
    for name in _ordered(found["crowd"], CROWDS):
        here = found.filter(crowd=name)
        write_figure(partial(draw, here), folder / f"{name}.svg", (WIDTH, 0.8 + ROW * _rows(here)))


def _attacks(found: pl.DataFrame) -> list[str]:
    """Return the attacks of a crowd."""
    return [one for one in ATTACKS if one in found["strategy"].to_list()]


def _rows(found: pl.DataFrame) -> int:
    """Return the number of rows of panels."""
    return -(-len(_attacks(found)) // ACROSS)


def _panel(panel: "Axes", rows: pl.DataFrame) -> None:
    """Draw one line per method, ours last and so on top; marks on the edge are drawn whole."""
    for (name, width), style in reversed(list(zip(DRAWN.items(), line_styles(DRAWN), strict=True))):
        line = rows.filter(method=name).sort("share")
        if line.height > 1:
            shares, losses = 100 * line["share"].to_numpy(), line["squared"].to_numpy()
            hollow = style | {"fillstyle": "full", "markerfacecolor": "white"}
            (drawn,) = panel.plot(shares, losses, linewidth=width, markersize=3 + width, **hollow)
            drawn.set(clip_on=False, label=rule_name(name), zorder=3)
    panel.set_xlim(0, None)
    panel.grid(axis="y", color=PALE, linewidth=0.5)
    panel.set_axisbelow(True)


def _pairs(rows: pl.DataFrame, methods: Sequence[str]) -> list[str]:
    """Write accuracy / squared loss of each method, the least loss in bold, and a dash where there is none."""
    known = {name: (accuracy, round(loss, 4)) for name, accuracy, loss in rows["method", "accuracy", "squared"].rows()}
    least = min(loss for _, loss in known.values())
    written = {name: f"{accuracy:.3f} / {loss:.3f}" for name, (accuracy, loss) in known.items()}
    best = {name for name, (_, loss) in known.items() if loss - least < LEVEL}
    return [f"**{written[name]}**" if name in best else written.get(name, "–") for name in methods]


def _head(*names: str) -> list[str]:
    """Return the first two lines of a table."""
    return [_line(*names), "|" + "---|" * len(names)]


def _line(*entries: str) -> str:
    """Return a line of a table."""
    return "| " + " | ".join(entries) + " |"


def _numbers(name: str) -> str:
    """Say how large a crowd is; nothing where the data are not there."""
    if not DATA.exists():
        return ""
    crowd = natural(name)
    items, workers = crowd.votes["task"].n_unique(), crowd.votes["worker"].n_unique()
    known, votes, classes = len(crowd.truth), crowd.votes.height, len(crowd.classes)
    return f"{items:,} items ({known:,} with a known truth), {workers:,} workers, {votes:,} votes, {classes} classes."


def _ordered(present: Collection[str], order: Collection[str]) -> list[str]:
    """Sort names in a known order; those that it lacks follow by the alphabet."""
    names = set(present)
    return [*(one for one in order if one in names), *sorted(names - set(order))]


def _place(column: str, order: Sequence[str]) -> pl.Expr:
    """Return the place of each name in a known order; those that it lacks are last."""
    places = {name: place for place, name in enumerate(order)}
    return pl.col(column).replace_strict(places, default=len(places), return_dtype=pl.Int64)


def between(page: str, name: str, lines: Sequence[str]) -> str:
    """Put lines between two markers of a page; a page that lacks one of them stays as it is."""
    before, begin, rest = page.partition(f"<!-- {name}:begin -->")
    _, end, after = rest.partition(f"<!-- {name}:end -->")
    return before + "\n".join([begin, *lines, end]) + after if begin and end else page


def main() -> None:
    """Write everything."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("runs", type=Path, nargs="?", help="CSV file that attack_study.py wrote; none: only pictures")
    parser.add_argument("--docs", type=Path, default=Path(__file__).resolve().parents[1] / "docs" / "evidence")
    options = parser.parse_args()
    folder: Path = options.docs / "crowds"
    folder.mkdir(exist_ok=True, parents=True)
    if options.runs is None:
        draw_crowds(pl.read_csv(folder / "cells.csv"), folder)
        return
    floats = dict.fromkeys(("share", "accuracy", "squared", "seconds"), pl.Float64)
    runs = pl.read_csv(options.runs, schema_overrides=floats).unique(COLUMNS[:5], keep="first")
    digits = pl.col("accuracy", "squared", "seconds").round(4).cast(pl.Float32)
    runs.sort("method", *COLUMNS[:4]).with_columns(digits).write_parquet(folder / "runs.parquet", compression_level=19)
    found = cells(runs)
    found.write_csv(folder / "cells.csv")
    (folder / "tables.md").write_text(tables(found), encoding="utf-8")
    draw_crowds(found, folder)
    page: Path = options.docs / "crowds.md"
    if page.exists():
        text = between(page.read_text(encoding="utf-8"), "natural", as_they_are(found))
        text = between(text, "summary", summary(found))
        if DATA.exists():
            text = between(text, "goals", goals(runs))
        page.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
