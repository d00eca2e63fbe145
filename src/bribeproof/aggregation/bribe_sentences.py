"""Say of a result how much can be bribed: reporters, groups of them, or what a budget buys."""

from collections.abc import Mapping
from typing import Any

import polars as pl

from bribeproof._text import bribed_reporters, count, format_amount
from bribeproof.aggregation.kernels.bribes_needed import BRIBES_NEEDED, PRICE_NEEDED
from bribeproof.aggregation.kernels.status import ASKED_COUNT, BUDGET, GROUPS, K, M
from bribeproof.frames.bribe_unit import nouns


def bribe_facts(result: pl.LazyFrame) -> dict[str, Any]:
    """Return how many groups can be bribed, or the budget, of how many on an item; nothing for reporters.

    These are an item's reports, or where it is ``asked``, stated how many were asked, these reporters.

    Parameters
    ----------
    result
        What an aggregate function returns.

    Examples
    --------
    >>> bribe_facts(pl.LazyFrame({"task": ["t", "u"], "m": [5, 5], "groups": [1, 1], "k": [2, 3]}))
    {'bribes': {'groups': 1, 'budget': None, 'reports': 5, 'asked': False}}
    """
    columns = result.collect_schema().names()[1:]
    kept = [name for name in (GROUPS, BUDGET) if name in columns]
    if not kept:
        return {}
    asked = ASKED_COUNT in columns
    size = pl.col(ASKED_COUNT if asked else M).filter(pl.col(K) > 0)
    numbers = result.select(pl.col(*kept).max(), least=size.min(), most=size.max()).collect().row(0, named=True)
    same = numbers["least"] == numbers["most"]
    return {
        "bribes": {
            "groups": numbers.get(GROUPS), "budget": numbers.get(BUDGET),
            "reports": numbers["most"] if same else None, "asked": asked,
        }
    }  # fmt: skip


def describe_bribed(facts: Mapping[str, Any]) -> str:
    """Return how many may be bribed as a phrase, from the facts of a summary.

    Examples
    --------
    >>> describe_bribed({"k": {"least": 0, "most": 2}})
    'k = 0 to 2'
    >>> bribes = {"of": "vendor", "groups": 2, "budget": None, "reports": 12}
    >>> describe_bribed({"k": {"least": 5, "most": 7}, "bribes": bribes})
    'k = 2 groups (vendor), at most 7 of the 12 reports on an item'
    >>> describe_bribed({"k": {"least": 5, "most": 7}, "bribes": bribes | {"asked": True}})
    'k = 2 groups (vendor), at most 7 of the 12 reporters asked about an item'
    """
    least, most = facts["k"]["least"], facts["k"]["most"]
    if (bribes := facts.get("bribes")) is None:
        return f"k = {least}" if least == most else f"k = {least} to {most}"
    of = "" if bribes["reports"] is None else f" of the {bribes['reports']:,}"
    noun, on = ("reporter", "asked about") if bribes.get("asked") else ("report", "on")
    reports = f"at most {most:,}{of} {noun}{'s' * (most != 1 or bool(of))} {on} an item"
    one, several = nouns(bribes.get("of", "group"))
    number = bribes["groups"]
    if number is None:
        return f"a budget of {format_amount(bribes['budget'])} for {several}, {reports}"
    return f"k = {number:,} {one if number == 1 else several}, {reports}"


def bribed_ones(facts: Mapping[str, Any]) -> str:
    """Return the phrase for those who could have changed a result, who need not be the same on all items.

    Where groups or prices are given, members who have no report on an item are left out: they might add some there. Of
    those who were asked, the silent ones count.

    Examples
    --------
    >>> bribed_ones({"k": {"least": 2, "most": 2}})
    'some 2 bribed reporters, perhaps others on each item'
    >>> bribed_ones({"k": {"least": 2, "most": 2}, "bribes": {"of": "nation", "groups": None, "budget": 7.5}})
    'bribes of groups (nation) for at most 7.5, perhaps of others on each item, by rewriting reports'
    """
    part, bribes = facts.get("bribed_on_each", "item"), facts.get("bribes")
    least, most = facts["k"]["least"], facts["k"]["most"]
    if bribes is None:
        return bribed_reporters(most if least == most else None, part)
    one, several = nouns(bribes.get("of", "group"))
    how = "" if bribes.get("asked") else ", by rewriting reports"
    if bribes["groups"] is not None:
        return f"{bribed_reporters(bribes['groups'], part, one, several)}{how}"
    much = format_amount(bribes["budget"])
    return f"bribes of {several} for at most {much}, perhaps of others on each {part}{how}"


def whoever_is_bribed(facts: Mapping[str, Any], *, same: bool = False) -> str:
    """Return the condition that places hold whoever is bribed, the same on all parts or perhaps others on each.

    Examples
    --------
    >>> whoever_is_bribed({"k": {"least": 1, "most": 1}})
    'whichever one judge is bribed on each item'
    >>> whoever_is_bribed({"k": {"least": 2, "most": 2}}, same=True)
    'whichever 2 judges are bribed, the same on every item'
    """
    part, bribes = facts.get("bribed_on_each", "item"), facts.get("bribes")
    where = f", the same on every {part}" if same else f" on each {part}"
    least, most = facts["k"]["least"], facts["k"]["most"]
    one, several = ("judge", "judges") if bribes is None else nouns(bribes.get("of", "group"))
    number = (most if least == most else None) if bribes is None else bribes["groups"]
    if bribes is not None and number is None:
        return f"whichever {several} are bribed for at most {format_amount(bribes['budget'])}{where}"
    who = f"k {several} are" if number is None else f"one {one} is" if number == 1 else f"{number:,} {several} are"
    return f"whichever {who} bribed{where}"


def if_others(facts: Mapping[str, Any]) -> str:
    """Return the condition that others may be bribed on each part.

    Examples
    --------
    >>> if_others({"k": {"least": 1, "most": 1}})
    'if it may be another judge on each item'
    """
    part, bribes = facts.get("bribed_on_each", "item"), facts.get("bribes")
    one, several = ("judge", "judges") if bribes is None else nouns(bribes.get("of", "group"))
    single = facts["k"]["most"] == 1 if bribes is None else bribes["groups"] == 1
    return f"if it may be another {one} on each {part}" if single else f"if they may be other {several} on each {part}"


def needed_for(fragile: Mapping[str, Any]) -> str:
    """Return what changes the most fragile decisions as a phrase: flips, bribes of groups, or money.

    Examples
    --------
    >>> needed_for({"flips_needed": 1}), needed_for({"bribes_needed": 2}), needed_for({"price_needed": 1.5})
    ('1 flip needed', '2 bribes needed', 'at a price of 1.5')
    """
    for name, noun in (("flips_needed", "flip"), (BRIBES_NEEDED, "bribe")):
        if name in fragile:
            return f"{count(fragile[name], noun)} needed"
    return f"at a price of {format_amount(fragile[PRICE_NEEDED])}"
