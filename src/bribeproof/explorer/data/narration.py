"""Describe the answers to a file in plain sentences."""

import polars as pl

from bribeproof._text import count, with_and
from bribeproof.aggregation.contradictions import describe_contradictions
from bribeproof.aggregation.decided_sets import describe_sets
from bribeproof.explorer.data.analysis import Analysis
from bribeproof.explorer.data.query import DataQuery
from bribeproof.plots.names import shown

_MAX_LENGTH = 40
"""Longest name in a sentence."""
_NO_REPORTS = "This file holds no reports."


def winner(analysis: Analysis) -> str:
    """Return a sentence on who is first, and whether that is safe; empty without places."""
    ranking = analysis.ranking
    if ranking is None or not ranking.rank.any():
        return ""
    first = [shown(name, _MAX_LENGTH) for name in analysis.items.filter(pl.Series(ranking.rank) == 1)["item"]]
    lead = f"{first[0]} is first" if len(first) == 1 else f"{with_and(first, 3)} share the first place"
    if analysis.k == 0:
        return f"{lead}."
    one, several = analysis.bribed_nouns
    who = f"{one} is" if analysis.k == 1 else f"{analysis.k:,} {several} are"
    each = analysis.bribed_on_each
    return f"{lead}, whichever {who} bribed on each {each}." if ranking.safe_top(1) else f"{lead}, but not safely."


def headline(analysis: Analysis) -> str:
    """Return a sentence on how many answers are fragile."""
    certified = analysis.facts["status"].get("ok", 0)
    what = "place" if analysis.scores else "decision"
    if analysis.k == 0:
        return (
            "With k = 0 there is no protection: one bribed reporter may decide any close call."
            if certified
            else _NO_REPORTS
        )
    if certified == 0:
        return f"No {what} is certified: each could have been decided by {analysis.bribed}."
    changeable = int(analysis.items["changeable"].sum())
    which = f"{changeable:,} of {count(certified, what)}" if changeable else f"No certified {what}"
    return f"{which} could have been changed by {analysis.bribed}."


def stated(analysis: Analysis, query: DataQuery) -> list[str]:
    """Return what the user has stated, where reports contradict it, and what those who said nothing could have done."""
    sentences = []
    if query.asked:
        sentences.append(
            f"By your statement (asked: {shown(query.asked, _MAX_LENGTH)}) honest reporters answer whatever they are "
            "given, so that who is silent counts as bribed."
        )
    if analysis.scores and analysis.answers.better == "low":
        sentences.append("By your statement the lowest score is the best: the first place is that of the lowest score.")
    if analysis.has_parts and analysis.k:
        sentences.append(
            f"Ranges and places are for bribed reporters who may be others on each {analysis.bribed_on_each}: the same "
            f"ones on all of them cannot move a score further, but perhaps not as far."
        )
    if sets := analysis.facts.get("sets"):
        sentences += describe_sets(sets, protected=analysis.k > 0)
    if silent := analysis.facts.get("changeable_by_silent"):
        sentences.append(f"On {count(silent, 'item')} reporters who said nothing could have overturned the decision.")
    if contradictions := analysis.facts.get("contradictions"):
        sentences.append(f"{describe_contradictions(contradictions['count'], contradictions['first'])}.")
    return sentences


def key_numbers(analysis: Analysis) -> list[tuple[str, str]]:
    """Return the key numbers: pairs of label and value."""
    summary = analysis.facts
    certified = summary["status"].get("ok", 0)
    numbers = [
        ("items", f"{summary['items']:,}"),
        ("judges" if analysis.scores else "reporters", f"{summary['reporters']:,}"),
    ]
    if analysis.k:
        changeable = int(analysis.items["changeable"].sum())
        numbers.append(("places not safe" if analysis.scores else "not safe", f"{changeable:,} of {certified:,}"))
    if not analysis.scores:
        numbers.append(("ties", f"{summary['ties']:,}"))
    return [*numbers, ("not certified", f"{summary['items'] - certified:,}")]


def what_changes(analysis: Analysis, total: int) -> str:
    """Return a sentence on the answers that differ from those with k = 0, and how many scores differ."""
    if analysis.scores:
        what = "place or rounded score" if analysis.rounded else "place"
        lost = bool((analysis.result["status"] != "ok").any())
        sentence = (
            f"{count(total, 'item')} {'have' if total > 1 else 'has'} a different {what} than without protection"
            f"{', or none' * lost}."
            if total
            else f"Every {what} is the same as without protection."
        )
        differ = int((analysis.result["estimate"] != analysis.items["before"]).sum())
        certified = analysis.facts["status"].get("ok", 0)
        return f"{sentence} {differ:,} of {count(certified, 'score')} {'differs' if differ == 1 else 'differ'}."
    if total == 0:
        return "A decision is the most frequent report, for any k; every decision is still certified."
    return (
        f"A decision is the most frequent report, for any k. With this k {total:,} of them "
        f"{'are' if total > 1 else 'is'} no longer certified: there are too few reports."
    )
