"""Write the tables and the picture of what rules promise and what they lose.

Run: ``python benchmarks/promise_report.py promises.csv [--docs FOLDER]`` with the file that ``promise_study.py`` wrote.
It writes docs/evidence/crowds/promises.parquet, docs/evidence/crowds/promises.md (each attack),
docs/evidence/crowds/promises.svg, and two tables
of docs/evidence/crowds.md. Without a file it only draws the picture again, from docs/evidence/crowds/promises.parquet.
"""

import argparse
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import polars as pl

from attack_report import SPOKEN, between
from bribeproof.plots import write_figure
from bribeproof.plots.palette import GREY, NAVY, RED
from crowd_sets import CROWDS, STRATEGIES, known_prior_loss

if TYPE_CHECKING:
    from matplotlib.figure import Figure

KEY = ["crowd", "strategy", "share", "draw", "gold", "rule", "k", "confidence"]
PAIRS = "weighed under pairs"
GOLD = {20: ("#4A8FCB", "^"), 50: ("#2F6FAE", "s"), 100: (NAVY, "D"), 0: (RED, "o")}
"""Colours and markers of the numbers of gold items; 0 stands for all."""
COLUMNS = 3
"""Panels in a row of the picture."""


def speaks() -> pl.Expr:
    """Return whether a promise is made for an attack: all but k of the bribed treat gold items as others."""
    return (pl.col("strategy") != "sleeper") | (pl.col("bribed") <= pl.col("k"))


def overview(runs: pl.DataFrame) -> list[str]:
    """Return the table of promises for the crowds as they are, one row per crowd and number of gold items."""
    lines = [
        "| crowd | prior alone | gold | calibrated: promise | loss | one more lies | weighed, k = 1: promise | "
        "at even odds | loss | one more lies | weighed, k = 0: promise | at even odds | loss |",
        "|" + "---|" * 13,
    ]
    here = runs.filter(strategy="none").group_by(KEY[:2] + KEY[4:]).agg(pl.col("promise", "loss", "worst").mean())
    for name in [one for one in CROWDS if one in here["crowd"]]:
        for gold in [one for one in GOLD if one in here.filter(crowd=name)["gold"]]:
            rows = {(r["rule"], r["k"], r["confidence"]): r for r in here.filter(crowd=name, gold=gold).to_dicts()}
            cells = [name, _three(known_prior_loss(name)), f"{gold}" if gold else "all"]
            for rule, k in (("calibrated", 1), (PAIRS, 1), (PAIRS, 0)):
                sure, even = rows.get((rule, k, 0.95), {}), rows.get((rule, k, 0.5), {})
                cells.append(_three(sure.get("promise")))
                cells += [_three(even.get("promise"))] if rule == PAIRS else []
                cells += [_three(sure.get("loss"))] + ([_three(sure.get("worst"))] if k else [])
            lines.append("| " + " | ".join(cells) + " |")
    return lines


def verdict(runs: pl.DataFrame) -> list[str]:
    """Return how many promises were kept, by rule, confidence and number of gold items, and how tight they are."""
    names = (
        "rule",
        "confidence",
        "gold",
        "promises",
        "kept",
        "of the prior alone's loss",
        "of that with one more liar",
    )
    lines = ["| " + " | ".join(names) + " |", "|" + "---|" * len(names)]
    made = runs.filter(speaks(), pl.col("promise").is_not_null(), pl.col("loss").is_not_null())
    priors = {name: known_prior_loss(name) for name in made["crowd"].unique().to_list()}
    made = made.with_columns(prior=pl.col("crowd").replace_strict(priors, return_dtype=pl.Float64))
    for rule, k in (("calibrated", 1), (PAIRS, 0), (PAIRS, 1)):
        for confidence in (0.95, 0.5):
            for gold in GOLD:
                rows = made.filter(rule=rule, k=k, confidence=confidence, gold=gold)
                if rows.is_empty():
                    continue
                held = rows.filter(kept()).height
                ratio = rows.filter(strategy="none").select((pl.col("promise") / pl.col("worst")).median()).item()
                share = rows.select((pl.col("promise") / pl.col("prior")).median()).item()
                lines.append(
                    f"| {rule}, k = {k} | {confidence:.0%} | {gold or 'all'} | {rows.height} | {held} | {share:.2f} | "
                    f"{'–' if ratio is None or not k else f'{ratio:.2f}'} |"
                )
    return lines


def kept() -> pl.Expr:
    """Return whether no more was lost than promised, but for rounding."""
    return pl.col("loss") <= pl.col("promise") + 1e-4


def kept_in_all(sure: pl.DataFrame) -> str:
    """Say how many promises were kept, of those that speak and of those in brackets."""
    made = sure.filter(pl.col("promise").is_not_null(), pl.col("loss").is_not_null())
    spoken, silent = made.filter(speaks()), made.filter(~speaks())
    return (
        f"{spoken.filter(kept()).height:,} of the {spoken.height:,} promises that speak were kept, and\n"
        f"{silent.filter(kept()).height:,} of the {silent.height:,} in brackets, which do not."
    )


def attacks(runs: pl.DataFrame) -> str:
    """Return the page with the promise and the loss of each attack."""
    sure = runs.filter(confidence=0.95)
    lines = [
        "# Promises under attack: all numbers",
        "",
        "This page shows what each rule promised on real crowds with bribed workers, and what it then lost.",
        kept_in_all(sure),
        "",
        "Each cell: what is promised with 95 % confidence / what is lost; how to read it is told in",
        "[crowds](../crowds.md). In brackets: more than k bribed tell gold items from others, and the promise does not",
        "speak. All: the losses are those on the gold items themselves, whose bounds made the rule.",
    ]
    for name in [one for one in CROWDS if one in sure["crowd"]]:
        here = sure.filter(crowd=name)
        columns = [
            (rule, k, gold)
            for rule, k in (("calibrated", 1), (PAIRS, 0), (PAIRS, 1))
            for gold in GOLD
            if not here.filter(rule=rule, k=k, gold=gold).is_empty()
        ]
        head = " | ".join(f"{rule}, k = {k}, {gold or 'all'}" for rule, k, gold in columns)
        lines += ["", f"## {name}", "", f"| bribed | share | {head} |", "|" + "---|" * (len(columns) + 2)]
        for strategy in ("none", *STRATEGIES):
            for share in sorted(here.filter(strategy=strategy)["share"].unique().to_list()):
                rows = here.filter(strategy=strategy, share=share).with_columns(speaks().alias("speaks"))
                found = {(r["rule"], r["k"], r["gold"]): r for r in rows.to_dicts()}
                spoken = SPOKEN.get(strategy, strategy) if strategy != "none" else "as it is"
                lines.append(
                    f"| {spoken} | {share:.0%} | " + " | ".join(_pair(found.get(one)) for one in columns) + " |"
                )
    return "\n".join(lines) + "\n"


def draw(runs: pl.DataFrame, figure: "Figure") -> None:
    """Draw what is lost over what is promised, one panel per crowd and one dot per attack."""
    made = runs.filter(pl.col("promise").is_not_null(), pl.col("loss").is_not_null(), confidence=0.95, k=1, rule=PAIRS)
    names = [one for one in CROWDS if one in made["crowd"]]
    axes = figure.subplots(-(-len(names) // COLUMNS), COLUMNS, squeeze=False)
    for panel in axes.flat[len(names) :]:
        panel.set_axis_off()
    for place, (name, panel) in enumerate(zip(names, axes.flat, strict=False)):
        here = made.filter(crowd=name).with_columns(speaks().alias("speaks"))
        top = 1.05 * float(here.select(pl.max_horizontal("promise", "loss").max()).item())
        panel.plot([0, top], [0, top], color=GREY, linewidth=0.8, label="loss = promise")
        for gold, (colour, marker) in GOLD.items():
            label = f"{gold} gold items" if gold else "all items are gold"
            for spoken, face in ((True, colour), (False, "white")):
                dots = here.filter(pl.col("gold") == gold, speaks=spoken)
                panel.scatter(
                    dots["promise"], dots["loss"], s=18, marker=marker, facecolors=face, edgecolors=colour,
                    linewidths=0.9, label=label if spoken else None, zorder=3,
                )  # fmt: skip
        panel.set(title=name, xlim=(0, top), ylim=(0, top))
        panel.locator_params(nbins=4)
        panel.set_ylabel("Loss" if place % COLUMNS == 0 else "")
        panel.set_xlabel("Promise" if place + COLUMNS >= len(names) else "")
    handles = {
        label: handle for panel in axes.flat for handle, label in zip(*panel.get_legend_handles_labels(), strict=True)
    }
    figure.legend(handles.values(), handles, loc="outside lower center", ncols=5)


def write_picture(runs: pl.DataFrame, folder: Path) -> None:
    """Write the picture, as wide as a page shows it in full size."""
    write_figure(partial(draw, runs), folder / "promises.svg", (7.5, 7.4))


def _three(value: float | None) -> str:
    return "–" if value is None else f"{value:.3f}"


def _pair(row: dict[str, object] | None) -> str:
    """Write promise / loss, in brackets where the promise does not speak."""
    if row is None or row["promise"] is None or row["loss"] is None:
        return "–"
    text = f"{row['promise']:.3f} / {row['loss']:.3f}"
    return text if row["speaks"] else f"({text})"


def write_page(page: Path, tables: Sequence[tuple[str, list[str]]]) -> None:
    """Put tables between the markers of a page."""
    text = page.read_text(encoding="utf-8")
    for name, lines in tables:
        text = between(text, name, lines)
    page.write_text(text, encoding="utf-8")


def main() -> None:
    """Write everything."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(
        "runs", type=Path, nargs="?", help="CSV file that promise_study.py wrote; none: only the picture"
    )
    parser.add_argument("--docs", type=Path, default=Path(__file__).resolve().parents[1] / "docs" / "evidence")
    options = parser.parse_args()
    numbers = dict.fromkeys(("share", "confidence", "promise", "loss", "worst"), pl.Float64)
    folder: Path = options.docs / "crowds"
    if options.runs is None:
        write_picture(pl.read_parquet(folder / "promises.parquet"), folder)
        return
    runs = pl.read_csv(options.runs, schema_overrides=numbers).unique(KEY, keep="first").sort(KEY)
    runs.write_parquet(folder / "promises.parquet", compression_level=19)
    (folder / "promises.md").write_text(attacks(runs), encoding="utf-8")
    write_picture(runs, folder)
    write_page(options.docs / "crowds.md", [("promises", overview(runs)), ("verdict", verdict(runs))])


if __name__ == "__main__":
    main()
