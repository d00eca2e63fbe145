"""Print the result of ``bribeproof panel``."""

from collections.abc import Iterator, Sequence
from itertools import groupby, pairwise
from typing import Any

from rich.table import Table
from rich.text import Text

from bribeproof._text import CONDITION, count, format_number, round_up
from bribeproof._worth import describe_decisions, describe_worth, describe_worthless, format_share
from bribeproof.cli.output.tables import cell, console, print_table, rounded, rows_worth_showing

_MAX_ROWS = 20
"""Approximate number of values in the table of a rule."""
_OF_RULE = {"forecast": "probability of positive that the rule states for so many positive votes"}
_BY_K = {
    "k": "how many may be bribed",
    "tpr′, fpr′": "rates of the effective expert",
    "low, high": "the smallest and the largest forecast",
    "loss ≤": "expected loss, whatever the bribed do",
    "per 100 ≤": "errors, or costs, per 100 items, whatever the bribed do",
    "of prior": "its share of what the prior alone guarantees",
    "regret ≤": "expected loss beyond that of somebody who sees the honest reports alone, and how errors go together",
    "exact": "whether it is the least possible",
}


def show_panel(summary: dict[str, Any]) -> None:
    """Print the effective expert, the optimal rule, its guarantee, and the guarantees for other k."""
    out = console()
    facts = Table.grid(padding=(0, 2))
    for name, value in _facts(summary):
        facts.add_row(Text(name, style="bold"), Text(value))
    out.print(facts)
    out.print()
    print_table(out, _rule_table(summary["values"]), _OF_RULE)
    out.print()
    print_table(out, _by_k(summary), _BY_K)


def _by_k(summary: dict[str, Any]) -> Table:
    """Lay out what is guaranteed for each number of bribed reporters, up to the first for which that is nothing."""
    paired, counted = summary["effective_expert"] is None, summary["worth"]["per_100"] is not None
    table = Table(box=None, pad_edge=False, header_style="bold")
    effective = () if paired else ("tpr′", "fpr′")
    bound = "per 100 ≤" if counted else "loss ≤"
    for name in ("k", *effective, "low", "high", bound, "of prior", *(() if paired else ("regret ≤", "exact"))):
        table.add_column(name, justify="right")
    for row in _worth_showing(summary):
        expert, guarantee, worth = row["effective_expert"], row["guarantee"], row["worth"]
        numbers = [] if paired else [expert["tpr"], expert["fpr"]]
        numbers += [row["low"], row["high"]]
        loss = round_up(worth["per_100"]["guaranteed"]) if counted else round_up(guarantee["expected_loss"], 4)
        share = "" if worth["share"] is None else format_share(worth["share"])
        rest = [] if paired else [Text(round_up(guarantee["regret"], 4)), cell(guarantee["exact"])]
        table.add_row(str(row["k"]), *map(rounded, numbers), loss, share, *rest)
    return table


def _worth_showing(summary: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the rows of the sweep, and of the own k, that are worth showing."""
    rows = sorted([*summary["sweep"], summary], key=lambda row: row["k"])
    rows = [row for previous, row in pairwise([{"k": None}, *rows]) if row["k"] != previous["k"]]
    return rows_worth_showing(rows, [row["worth"]["worthless"] for row in rows], summary["k"])


def _facts(summary: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """Yield what is known of a panel, its rule and its guarantee: names and sentences."""
    guarantee, n, k = summary["guarantee"], summary["n"], summary["k"]
    yield "Panel", f"{count(n, 'reporter')}, of whom {k:,} may be bribed; loss: {summary['loss']}"
    yield (
        "Guarantee",
        (f"expected loss {describe_worth(summary['worth'])}, whatever the bribed do, {CONDITION}"),
    )
    if decisions := describe_decisions(summary["worth"]):
        yield "", decisions
    if summary["explanation"] is not None:
        yield "Worth", describe_worthless(summary["explanation"])
    point = summary["breakdown_point"]
    yield "Breakdown point", f"{'' if point is None else f'{point:.4g}: '}{_breakdown(summary)}"
    yield "Rule", _rule(summary)
    yield "Expert", _expert(summary["expert"])
    if summary["effective_expert"] is None:
        worth = f"{summary['effective_reporters']:.4g}"
        yield (
            "Correlation",
            f"at most {_correlation(summary['expert'])}: honest errors average out like those of {worth}",
        )
    else:
        effective = _rounded_expert(summary["effective_expert"])
        yield "Effective expert", f"{effective}: the honest reporter that the panel is worth"
    if summary["effective_expert"] is None:
        yield "Basis", f"{guarantee['basis']}, for exactly these rates: no rule has a smaller largest expected loss"
    else:
        yield "Regret", f"{_regret(guarantee)}; basis: {guarantee['basis']}"


def _breakdown(summary: dict[str, Any]) -> str:
    """Return from how many bribed reporters on a guarantee is worth nothing."""
    point = summary["breakdown_point"]
    if point == 0 or (point is None and summary["sweep"][0]["worth"]["worthless"]):
        return "the reports are worth nothing even if nobody is bribed"
    n, most = summary["n"], summary["max_adversaries"]
    return f"with {most + 1:,} of {n:,} bribed, or more, the reports are worth nothing"


def _correlation(expert: dict[str, Any]) -> str:
    """Return a correlation, or that of either state, as text."""
    given = expert["correlation"]
    if not isinstance(given, (tuple, list)):
        return format_number(given)
    return f"{format_number(given[0])} if the truth is positive and {format_number(given[1])} if it is negative"


def _rule_table(values: Sequence[float]) -> Table:
    """Lay out the forecasts by positive votes; equal ones share a row, and many are thinned out evenly."""
    table = Table(box=None, pad_edge=False, header_style="bold")
    table.add_column("positive votes", justify="right")
    table.add_column("forecast")
    lines = []
    for value, group in groupby(enumerate(values), key=lambda pair: pair[1]):
        votes = [number for number, _ in group]
        lines.append((str(votes[0]) if len(votes) == 1 else f"{votes[0]} to {votes[-1]}", f"{value:.4g}"))
    step = -(-len(lines) // _MAX_ROWS)
    for line in [*lines[:-1:step], lines[-1]]:
        table.add_row(*line)
    return table


def _expert(expert: dict[str, float]) -> str:
    """Return the prior and the rates of an expert as they were given."""
    return ", ".join(f"{name} {format_number(expert[name])}" for name in ("prior", "tpr", "fpr"))


def _rounded_expert(expert: dict[str, float]) -> str:
    """Return the prior and the rates of an expert that was computed."""
    return ", ".join(f"{name} {expert[name]:.4g}" for name in ("prior", "tpr", "fpr"))


def _rule(summary: dict[str, Any]) -> str:
    """Return a phrase that describes the optimal rule."""
    n, k, low, high = summary["n"], summary["k"], summary["low"], summary["high"]
    if len(set(summary["values"])) == 1:
        return f"always {low:.4g}: the reports cannot improve on the prior"
    if summary["counts"] != [k, n - k]:
        return f"{low:.4g} with no positive vote, {high:.4g} with {n:,}, between them as below"
    votes = count(k, "positive vote")
    return f"{low:.4g} up to {votes}, {high:.4g} from {n - k:,} on, linear between"


def _regret(guarantee: dict[str, Any]) -> str:
    """Return the regret, and whether it is exact or an upper bound."""
    return f"{guarantee['regret']:.4g}, exact" if guarantee["exact"] else f"at most {round_up(guarantee['regret'], 4)}"
