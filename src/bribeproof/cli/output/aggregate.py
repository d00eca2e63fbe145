"""Print the result of ``bribeproof aggregate``."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rich.console import Console
from rich.table import Table
from rich.text import Text

from bribeproof._text import count, format_bound, format_name, round_up
from bribeproof.cli.output.tables import (
    cell,
    console,
    decimals_for,
    explain_headings,
    fits,
    print_sentences,
    rounded,
    show_notes,
)

if TYPE_CHECKING:
    import polars as pl

_RANGE = ("range_low", "range_high")
_SHARE = "share_"
"""How the columns of classes begin."""
_MEANINGS = {
    "n": "reporters in the whole table",
    "m": "reports on the item",
    "asked": "reporters it was given to",
    "set aside": "reports that no honest reporter sends",
    "groups": "how many groups can be bribed",
    "budget": "what can be spent on bribes",
    "k": "how many of its reporters may be bribed",
    "positive": "positive votes",
    "estimate": "",
    "decision": "label with the most votes",
    "tie": "several share the most votes",
    "flips needed": "fewest reports to rewrite so that it no longer wins alone",
    "bribes needed": "fewest groups to bribe for that",
    "price needed": "least money for that",
    "additions needed": "fewest further reports for that",
    "forecast": "probability of positive",
    "guarantee": "its expected loss is at most that, whatever the bribed report",
    "draw": "class that the random dictator follows",
    "share …": "share of a class, once k reports of every class are ignored",
    "range low, range high": "what k bribed reporters could have made of it",
    "dropped low, dropped high": "whose scores do not count",
    "status": "ok, or why no answer is certified",
}
"""What columns hold."""
_ESTIMATES = {
    "range_low": "mean without the k lowest and the k highest scores",
    "positive": "mean of the votes as 0 and 1 without the k lowest and the k highest",
    "decision": "its share, once k reports of every class are ignored",
}
"""What the estimate is, by a column that only one kind of reports has; the first that is there tells the kind."""
_MOST_VOTES = ("squared", "log")
"""Losses with which the decision is the label with the most votes."""


def show_result(
    result: "pl.LazyFrame",
    facts: dict[str, Any],
    notes: Sequence[str],
    *,
    decimals: int | None,
    rows: int,
    output: Path | None,
) -> None:
    """Print a result: notes on standard error; the summary and the first items on standard output.

    Parameters
    ----------
    result
        The result of a table function.
    facts
        The facts of its summary.
    notes
        What was inferred, and warnings.
    decimals
        Number of decimals; None for those that scores have, up to three, and four digits of shares and guarantees.
    rows
        Largest number of items to print; 0 prints only the summary.
    output
        File that all items were written to.
    """
    from bribeproof.aggregation.summary_sentences import describe

    show_notes(notes)
    out = console()
    print_sentences(out, "\n".join(describe(facts, decimals)))
    if not rows:
        return
    out.print()
    where = f"all are in {format_name(output)}" if output else "write all with -o FILE"
    columns = _print_items(out, result.head(rows).collect(), decimals, where)
    if facts["items"] > rows:
        more = "" if output else ", or print more with --rows"
        out.print(Text(f"… and {count(facts['items'] - rows, 'more item')}; {where}{more}"))
    _explain(out, columns, facts)


def _explain(out: Console, columns: Sequence[str], facts: dict[str, Any]) -> None:
    """Print what the columns hold."""
    known = dict(_MEANINGS)
    estimate = next((meaning for column, meaning in _ESTIMATES.items() if column in columns), "")
    if facts.get("guarantee", {}).get("loss", "squared") not in _MOST_VOTES:
        known["decision"] = "more probable side by the forecast"
    if "bribed_on_each" in facts and "range_low" in columns:
        estimate = "result of parts, each without its k lowest and k highest scores"
    shown = ["share …" if name.startswith(_SHARE) else _heading(name) for name in columns]
    explain_headings(out, shown, known | {"estimate": estimate})


def _print_items(out: Console, shown: "pl.DataFrame", decimals: int | None, where: str) -> list[str]:
    """Print the first items, and return the columns that are shown.

    If there is no room, what the summary says, the shares, and what few need are left out.
    """
    shares = [name for name in shown.columns[1:] if name.startswith(_SHARE)]
    less = shown.drop(*shares, *(name for name in ("n", "k") if shown[name].n_unique() == 1))
    least = less.drop("additions_needed", strict=False)
    for columns, gap, short in ((shown, 2, False), (shown, 2, True), (less, 1, True), (least, 1, True)):
        table = _table(columns, decimals, gap=gap, short=short)
        if fits(out, table):
            break
    out.print(table)
    left_out = ["additions needed"] if columns.width < less.width else []
    if shares and columns.width <= less.width:
        left_out.append(f"the shares of {count(len(shares), 'class', 'classes')}")
    if left_out:
        out.print(Text(f"… and {' and '.join(left_out)}; {where}"))
    return columns.columns[1:]


def _table(items: "pl.DataFrame", decimals: int | None, *, gap: int, short: bool) -> Table:
    """Lay out items, with their names in the first column; short headings have one word on each line."""
    table = Table(box=None, pad_edge=False, header_style="bold", padding=(0, gap, 0, 0))
    of_votes = "flips_needed" in items.columns[1:]
    if decimals is None and not of_votes:
        decimals = decimals_for(*(items[name].to_list() for name in ("estimate", *_RANGE)))
    for position, (name, dtype) in enumerate(items.schema.items()):
        heading = cell(name) if position == 0 else Text(_heading(name, "\n" if short else " "))
        fixed = position > 0 and (dtype.is_numeric() or name == "tie")
        table.add_column(heading, justify="right" if dtype.is_numeric() else "left", no_wrap=fixed, overflow="fold")
    for row in items.iter_rows():
        table.add_row(*(_cell(name, value, decimals, of_votes) for name, value in zip(items.columns, row, strict=True)))
    return table


def _heading(name: str, gap: str = " ") -> str:
    """Return the heading of a column, with a gap between its words; the names of classes stand as they are."""
    return format_name(name) if name.startswith(_SHARE) else name.replace("_", gap)


def _cell(name: str, value: object, decimals: int | None, of_votes: bool) -> Text:  # noqa: FBT001
    """Return a cell; bounds are rounded up, and scores keep their digits."""
    if isinstance(value, float):
        if name == "guarantee":
            return Text(round_up(value, 4))
        if name in _RANGE and decimals is not None:
            return Text(format_bound(value, decimals, upper=name == _RANGE[1]))
    return rounded(value) if of_votes and decimals is None else cell(value, decimals)
