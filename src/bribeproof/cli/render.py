"""Results as text for people: a table, and a summary of what is safe and what is not."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import polars as pl
from rich.console import Console
from rich.control import strip_control_codes
from rich.table import Table
from rich.text import Text

from bribeproof.data.arrays import rank_ranges

_PODIUM_ITEMS = 1000
"""A ranking of more items than this is not what a score sheet is about."""


def console() -> Console:
    """Return the console for standard output; piped output is not squeezed into 80 columns."""
    found = Console()
    return found if found.is_terminal else Console(width=200)


def plain(value: object, decimals: int | None = None) -> Text:
    """Return a cell as text: markup and control codes in it are only characters."""
    if value is None:
        return Text("")
    if isinstance(value, bool):
        return Text("yes" if value else "")
    if isinstance(value, float):
        return Text(f"{value:.{decimals}f}" if decimals is not None else f"{value:.6g}")
    return Text(" ".join(strip_control_codes(str(value)).split()))


def show_result(
    result: pl.DataFrame,
    kind: str,
    notes: Sequence[str],
    *,
    share: str | None,
    decimals: int | None,
    rows: int,
    output: Path | None,
) -> None:
    """Print a result: notes on standard error; the first items and the summary on standard output.

    Parameters
    ----------
    result
        What the table functions return.
    kind
        ``"scores"``, ``"votes"`` or ``"labels"``.
    notes
        What was guessed, and what the library warned about.
    share
        The share that k came from, as it was written.
    decimals
        How many decimals numbers have; None for six significant digits.
    rows
        The most items to print.
    output
        Where all items were written.
    """
    errors = Console(stderr=True)
    for note in notes:
        errors.print(Text(f"note: {strip_control_codes(note)}", style="dim"), soft_wrap=True)
    out = console()
    table = Table(box=None, pad_edge=False, header_style="bold")
    for name, dtype in zip(result.columns, result.dtypes, strict=True):
        table.add_column(plain(name), justify="right" if dtype.is_numeric() else "left", overflow="fold")
    for row in result.head(rows).iter_rows():
        table.add_row(*(plain(value, decimals) for value in row))
    out.print(table)
    if result.height > rows:
        where = f"all are in {output}" if output else "write all with -o FILE, or print more with --rows"
        out.print(Text(f"… and {result.height - rows:,} more items; {where}"))
    out.print()
    for line in summary(result, kind, share=share, decimals=decimals):
        out.print(plain(line), soft_wrap=True)


def summary(result: pl.DataFrame, kind: str, *, share: str | None = None, decimals: int | None = None) -> list[str]:
    """Return the lines that say what a result is worth."""
    item, ks = result.columns[0], result["k"].unique().sort().to_list()
    shown = f"k = {ks[0]}" if len(ks) == 1 else f"k = {ks[0]} to {ks[-1]}"
    if share is not None:
        shown += f" (share {share})"
    counted = dict(result["status"].value_counts().iter_rows())
    parts = [f"{counted.pop('ok', 0):,} ok", *(f"{counted[status]:,} {status}" for status in sorted(counted))]
    lines = [f"{result.height:,} items, {result['n'][0]:,} reporters, {shown}: {', '.join(parts)}."]
    if ks == [0]:
        lines.append("k = 0 tolerates 0 bribed reporters: there is no protection.")
    sound = result.filter(pl.col("status") == "ok")
    if kind == "scores":
        lines += _movable(sound, item, decimals) + _podium(result, item)
    else:
        ties = int(result["tie"].sum())
        lines.append(f"{ties:,} ties.")
        lines += _fragile(sound.filter(~pl.col("tie")), item)
    return lines


def _fragile(sound: pl.DataFrame, item: str) -> list[str]:
    """Name the decisions that the fewest flips would change."""
    if sound.is_empty():
        return []
    least = int(sound["flips_needed"].min())  # type: ignore[arg-type]
    weakest = sound.filter(pl.col("flips_needed") == least)[item].to_list()
    return [f"Most fragile, {least} flip{'s' * (least != 1)} needed: {_some(weakest)}."]


def _movable(sound: pl.DataFrame, item: str, decimals: int | None) -> list[str]:
    """Name the scores that bribes could have moved furthest."""
    width = pl.col("range_high") - pl.col("range_low")
    widest = sound.sort(width, descending=True, maintain_order=True).head(3)
    if widest.is_empty() or not widest["k"].max():
        return []
    said = [
        f"{name} ({plain(low, decimals)} to {plain(high, decimals)})"
        for name, low, high in widest.select(item, "range_low", "range_high").iter_rows()
    ]
    return [f"Most movable by k bribed reporters: {', '.join(said)}."]


def _podium(result: pl.DataFrame, item: str) -> list[str]:
    """Say whether the first three places are safe."""
    if not 2 <= result.height <= _PODIUM_ITEMS:
        return []
    names = result[item].to_list()
    ranking = rank_ranges(
        *(result[name].fill_null(float("nan")).to_numpy() for name in ("estimate", "range_low", "range_high"))
    )
    said = []
    for place in sorted(range(len(names)), key=lambda i: (ranking.rank[i] or len(names) + 1, i))[:3]:
        rank, best, worst = (int(ranks[place]) for ranks in (ranking.rank, ranking.best_rank, ranking.worst_rank))
        if rank:
            said.append(f"{rank}. {names[place]} ({'safe' if best == worst else f'could be {best} to {worst}'})")
    return [f"Podium: {', '.join(said)}."] if said else []


def _some(names: Sequence[Any]) -> str:
    """List a few of many."""
    more = f" and {len(names) - 5:,} more" if len(names) > 5 else ""
    return ", ".join(str(name) for name in names[:5]) + more


def show_panel(found: dict[str, Any]) -> None:
    """Print what ``bribeproof panel`` found: the effective expert, the rule, its guarantee, and a sweep over k."""
    out = console()
    expert, effective, guarantee = found["expert"], found["effective_expert"], found["guarantee"]
    n, k = found["n"], found["k"]
    lines = [
        f"Panel of {n}, of whom {k} may be bribed; {found['loss']} loss.",
        f"Expert:            {_expert(expert)}",
        f"Effective expert:  {_expert(effective)}, what is left of one reporter",
        f"Rule:              {_rule(found)}",
        f"Guarantee:         expected loss at most {guarantee['expected_loss']:.6g}, whatever the bribed do",
        f"                   regret {_regret(guarantee)}  ({guarantee['basis']})",
        f"Breakdown point:   {found['breakdown_point']:.6g}; {found['max_adversaries']} of {n} bribed are tolerated",
    ]
    for line in lines:
        out.print(Text(line), soft_wrap=True)
    out.print()
    out.print(
        Text("positive votes   " + "  ".join(f"{x:>6}" for x in range(min(n, _SHOWN_VALUES) + 1))),
        soft_wrap=True,
    )
    shown = found["values"][: _SHOWN_VALUES + 1]
    more = " …" if n > _SHOWN_VALUES else ""
    out.print(Text("forecast         " + "  ".join(f"{value:.4f}" for value in shown) + more), soft_wrap=True)
    out.print()
    table = Table(box=None, pad_edge=False, header_style="bold")
    for name in ("k", "tpr left", "fpr left", "low", "high", "expected loss ≤", "regret ≤", "exact"):
        table.add_column(name, justify="right")
    for row in found["sweep"][:_SHOWN_VALUES]:
        left, bound = row["effective_expert"], row["guarantee"]
        numbers = [left["tpr"], left["fpr"], row["low"], row["high"], bound["expected_loss"], bound["regret"]]
        table.add_row(str(row["k"]), *(plain(number) for number in numbers), plain(bound["exact"]))
    out.print(table)


_SHOWN_VALUES = 20


def _expert(expert: dict[str, float]) -> str:
    """Write an expert as numbers."""
    return f"prior {expert['prior']:.6g}, tpr {expert['tpr']:.6g}, fpr {expert['fpr']:.6g}"


def _rule(found: dict[str, Any]) -> str:
    """Say in words what the optimal rule does."""
    n, k, low, high = found["n"], found["k"], found["low"], found["high"]
    if low == high:
        return f"always {low:.6g}: the reports cannot improve on the prior"
    return f"{low:.6g} up to {k} positive votes, {high:.6g} from {n - k} on, linear between"


def _regret(guarantee: dict[str, Any]) -> str:
    """Say whether the regret is known exactly or only bounded."""
    return f"{guarantee['regret']:.9g}, exact" if guarantee["exact"] else f"at most {guarantee['regret']:.9g}"
