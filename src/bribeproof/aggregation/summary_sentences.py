"""Sentences on an aggregated table, from the facts of `summarise`."""

from collections.abc import Iterator, Mapping
from typing import Any

from bribeproof._text import count, format_name, format_number, list_statuses, name_in_list, round_up
from bribeproof.aggregation.bribe_sentences import bribed_ones, describe_bribed, needed_for
from bribeproof.aggregation.contest_facts import describe_podiums
from bribeproof.aggregation.contradictions import describe_contradictions
from bribeproof.aggregation.decided_sets import describe_sets
from bribeproof.aggregation.promise import describe_promise
from bribeproof.aggregation.same_reporters import describe_same
from bribeproof.frames.bribe_unit import nouns


def describe(facts: dict[str, Any], decimals: int | None = None) -> Iterator[str]:
    """Yield the facts of `summarise` as sentences; scores with so many decimals, or six significant digits."""
    most, bribes = facts["k"]["most"], facts.get("bribes")
    k = describe_bribed(facts)
    if facts["share"] is not None:
        k += f" (a share of {format_name(facts['share'])}{' of each item' * (facts['share_of'] == 'item')})"
    status = list_statuses(facts["status"])
    yield f"{count(facts['items'], 'item')}, {count(facts['reporters'], 'reporter')}, {k}: {status}."
    if sets := facts.get("sets"):
        yield from describe_sets(sets, protected=most > 0)
    if most == 0 and bribes is not None:
        yield f"No {nouns(bribes.get('of', 'group'))[0]} on these items can be bribed: there is no protection."
    elif most == 0:
        yield "k = 0 tolerates 0 bribed reporters: there is no protection."
    elif facts["unprotected"] and bribes is None:
        yield f"k = 0 on {count(facts['unprotected'], 'item')}: there is no protection."
    if contradictions := facts.get("contradictions"):
        yield f"{describe_contradictions(contradictions['count'], contradictions['first'])}."
    if guarantee := facts.get("guarantee"):
        yield from describe_promise(guarantee) if "worth" in guarantee else [describe_guarantee(guarantee)]
    if drawn := facts.get("draw"):
        yield _about_draw(drawn)
    if "decisions" in facts:
        yield from _about_decisions(facts)
    else:
        yield from _about_scores(facts, decimals)


def describe_guarantee(guarantee: Mapping[str, Any]) -> str:
    """Return the least and the largest guarantee of some items as a sentence, with the condition under which it holds.

    Examples
    --------
    >>> describe_guarantee({"count": 2, "least": 0.1156, "most": 0.16, "condition": "on average"})
    'Guarantee for 2 items: expected loss at most 0.1156 to 0.16, by the reports on them, on average.'
    """
    if not guarantee["count"]:
        return "No item has a guarantee."
    least, most = (round_up(guarantee[end], 4) for end in ("least", "most"))
    bound = most if least == most else f"{least} to {most}, by the reports on them"
    return (
        f"Guarantee for {count(guarantee['count'], 'item')}: expected loss at most {bound}, {guarantee['condition']}."
    )


def _about_draw(drawn: Mapping[str, Any]) -> str:
    """Return the seed of the random draws as a sentence, and where it comes from."""
    if drawn["beacon"] is None:
        return (
            f"Random draws with seed {drawn['seed']}: with three or more classes their guarantee needs a seed that "
            f"nobody knew before the reports were in."
        )
    return (
        f"Random draws with seed {drawn['seed']}, from beacon {format_name(drawn['beacon'])} and commitment "
        f"{drawn['commitment']}."
    )


def _about_decisions(facts: dict[str, Any]) -> Iterator[str]:
    """Yield what bribed reporters could do to the decisions."""
    yield f"{count(facts['ties'], 'tie')}."
    if facts["k"]["most"] and facts["decisions"]:
        decisions = count(facts["decisions"], "decision")
        yield f"{facts['changeable']:,} of {decisions} could have been changed by {bribed_ones(facts)}."
    if same := facts.get("same_reporters"):
        yield from describe_same(same, facts["ties"])
    if (silent := facts["changeable_by_silent"]) and (facts["k"]["most"] or "bribes" not in facts):
        yield f"On {count(silent, 'item')} reporters who said nothing could have overturned the decision."
    if fragile := facts["most_fragile"]:
        named = ", ".join(map(name_in_list, fragile["items"]))
        rest = fragile["count"] - len(fragile["items"])
        more = f" and {rest:,} more" * bool(rest)
        yield f"Most fragile, {needed_for(fragile)}: {named}{more}."


def _about_scores(facts: dict[str, Any], decimals: int | None) -> Iterator[str]:
    """Yield what bribed reporters could do to scores and places."""
    moved = []
    for one in facts["most_movable"]:
        low, high = (format_number(one[end], decimals) for end in ("range_low", "range_high"))
        moved.append(f"{name_in_list(one['item'])} ({low} to {high})")
    if moved:
        yield f"Most movable by {bribed_ones(facts)}: {', '.join(moved)}."
    yield from describe_podiums(facts)
