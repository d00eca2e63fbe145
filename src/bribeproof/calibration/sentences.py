"""Say what a calibration found, in sentences."""

from collections.abc import Iterator, Mapping
from itertools import takewhile
from typing import Any

from bribeproof._text import count, format_name, round_up
from bribeproof._worth import (
    describe_decisions,
    describe_positive,
    describe_worth,
    describe_worthless,
    format_share,
    name_loss,
)


def summarise_calibration(facts: Mapping[str, Any]) -> str:
    """Return the size of the panel, its bounds, and what they guarantee for which items, one sentence a line.

    Parameters
    ----------
    facts
        What `describe_calibration` returns.
    """
    return "\n".join(_describe(facts))


def _describe(facts: Mapping[str, Any]) -> Iterator[str]:
    """Yield the sentences."""
    gold, sure = facts["gold"], f"With {100 * facts['confidence']:.6g} % confidence"
    nobody = f" ({gold['unanswered']:,} of them answered by nobody)" if gold["unanswered"] else ""
    yield (
        f"{count(gold['negative'] + gold['positive'], 'gold item')}, {gold['positive']:,} positive and "
        f"{gold['negative']:,} negative{nobody}; {count(facts['n'], 'reporter')}."
    )
    if sides := describe_positive(facts["positive"], facts["negative"]):
        yield sides
    low, high = facts["prior"]
    yield (
        f"{sure}, truthful reports are positive on at least {facts['tpr']:.1%} of positive and at most "
        f"{facts['fpr']:.1%} of negative items on average; {low:.1%} to {high:.1%} of items are positive."
    )
    if facts["errors"] is not None:
        yield from _describe_pairs(facts)
    else:
        yield (
            f"The gold items are not answered like the others: reporter {format_name(facts['uneven'])} has far more or "
            f"far fewer answers to them than chance explains. So those who report most may be the worst, and any two "
            f"may always err together."
        )
    if gold["unsure"]:
        yield (
            f"Bribed reporters may have chosen {count(gold['unsure'], 'gold item')}, with which at most "
            f"{facts['k']:,} have a row: the share of positive items allows for that. Give the truth as a table of its "
            f"own, or the prior, for closer bounds."
        )
    yield from _describe_guarantee(facts, sure)


def _describe_pairs(facts: Mapping[str, Any]) -> Iterator[str]:
    """Yield how far errors go together, and what that makes of the reports on an item."""
    parts = []
    for name in ("positive", "negative"):
        one = facts["errors"][name]
        observed, (low, high) = one["observed"]["correlation"], one["correlation"]
        seen = "unknown" if observed is None else f"{round(observed, 2) + 0.0:.2f}"
        parts.append(f"{seen} on {name} items ({low:.2f} to {high:.2f})")
    some = facts["effective_reporters"]
    seen = "" if some["observed"] is None else f"like {some['observed']:.1f} independent ones, "
    least = f"at least like {some['least']:.1f}{' independent ones' * (not seen)}"
    yield (
        f"Correlation of two truthful reporters' errors: {' and '.join(parts)}. {count(some['reports'], 'report')} on "
        f"an item average errors out {seen}{least}."
    )


def _describe_guarantee(facts: Mapping[str, Any], sure: str) -> Iterator[str]:
    """Yield what is guaranteed, what it is worth, and what more gold items would make of it."""
    items, k = sum(row["items"] for row in facts["items"]), facts["k"]
    if not facts["certified"]:
        yield f"No guarantee: none of the {count(items, 'item')} has more than {2 * k:,} reports."
        return
    certified = [row["reports"] for row in facts["items"] if row["reports"] > 2 * k and row["items"]]
    least, most = min(certified), max(certified)
    sizes = f"{least:,}" if least == most else f"{least:,} to {most:,}"
    others = items - facts["certified"]
    rest = f" The other {count(others, 'item')} {'has' if others == 1 else 'have'} no guarantee." * (others > 0)
    (first, *more), worth = facts["expected_loss"], facts["worth"]
    also = "".join(f"; {name_loss(name)} at most {round_up(facts['expected_loss'][name], 4)}" for name in more)
    condition = facts["condition"].removeprefix("on average over the certified items, ")
    yield (
        f"{sure}, whatever {k:,} of your {facts['n']:,} reporters do, the best rule's expected {name_loss(first)} on "
        f"the {count(facts['certified'], 'item')} with {sizes} report{'s' * (most > 1)} is, on average, "
        f"{describe_worth(worth)}{also}; {condition}.{rest}"
    )
    if decisions := describe_decisions(worth):
        yield decisions
    if worth["worthless"]:
        yield describe_worthless(facts["explanation"])
    elif facts["limit"] is not None:
        yield _describe_more_gold(facts, first)
    borne = [row["k"] for row in takewhile(lambda row: not row["worthless"], facts["by_k"])]
    if borne:
        most = borne[-1]
        last = facts["by_k"][-1]["k"]
        more = " or more" * (most == last and 2 * (last + 1) < facts["n"])
        worth = f"with up to {count(most, 'bribed reporter')}{more}" if most else "only if nobody is bribed"
        yield f"The guarantee is worth something {worth}: see the table by k."


def _describe_more_gold(facts: Mapping[str, Any], loss: str) -> str:
    """Return what more gold items with the same shares of right answers would make of the guarantee."""
    rows = [(f"{row['items']:,} gold items", row["of_prior"][loss]) for row in facts["more_gold"][1:]]
    shares = ", ".join(f"{format_share(share)} with {name}" for name, share in rows if share is not None)
    limit = facts["limit"]["of_prior"][loss]
    end = "" if limit is None else f", {format_share(limit)} in the limit"
    return f"More gold items, answered as these are, would most likely bring it to {shares}{end}."
