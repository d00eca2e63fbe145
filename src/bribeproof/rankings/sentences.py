"""What a rule is called, and what a change of a contest takes, in words."""

from bribeproof._text import count, format_number
from bribeproof.rankings.bribe import Bribe
from bribeproof.rankings.rules import Rule

_POINTS = 6
"""The most points that are shown."""
_WORDS = {
    "winner": (
        "The first place is shared",
        "one of those who share it",
        "a tie at the first place",
        "another winner",
    ),
    "podium": (
        "Ties put more than three entries on the podium",
        "one of the possible threes",
        "a tie of third and fourth",
        "another podium",
    ),
    "order": (
        "Places on the podium are shared",
        "one of its possible orders",
        "a tie that touches the podium",
        "another podium or order on it",
    ),
}
"""What is so already, what can then be ruled out, what a tie is, and what a change is."""


def describe_rule(rule: Rule) -> str:
    """Return the name of a rule in a sentence.

    Examples
    --------
    >>> describe_rule(Rule("trimmed_mean", 2))
    'the mean of places without the 2 best and the 2 worst'
    """
    if rule.name == "trimmed_mean":
        ends = {0: "", 1: " without the best and the worst"}
        return f"the mean of places{ends.get(rule.k, f' without the {rule.k} best and the {rule.k} worst')}"
    if rule.name == "points":
        shown = ", ".join(f"{float(points):g}" for points in rule.points[:_POINTS])
        return f"points ({shown}{', …' * (len(rule.points) > _POINTS)})"
    return {"median": "the median place", "borda": "Borda points", "copeland": "pairwise majorities (Copeland)"}[
        rule.name
    ]


def describe_change(shared: Bribe, other: Bribe, unit: str) -> str:
    """Return what a tie and a change take, as a sentence.

    Parameters
    ----------
    shared, other
        The bribes for the tie and for the change.
    unit
        What a bribe buys: ``"judge"`` or ``"group"``.
    """
    already, possible, tie, new = _WORDS[other.change]
    verb, nobody = "costs" if other.priced else "takes", f"not even all {unit}s together"
    if shared.is_so_already:
        if other.upper is None:
            return f"{already}; {nobody} could rule out {possible}."
        return f"{already}; to rule out {possible} {verb} {_number(other, unit)}."
    if other.upper is None:
        if shared.upper is None:
            return f"{_sentence(nobody)} could bring about {new}, or {tie}."
        return f"{_sentence(tie)} {verb} {_number(shared, unit)}; {nobody} could bring about {new}."
    if (shared.lower, shared.upper) == (other.lower, other.upper):
        less = "less does" if other.priced else "fewer do"
        proven = other.exact and other.upper > (0 if other.priced else 1)
        return f"{_sentence(new)} {verb} {_number(other, unit)}{f', and {less} not bring about {tie}' * proven}."
    return f"{_sentence(tie)} {verb} {_number(shared, unit)}, {new} {_number(other, unit)}."


def _sentence(words: str) -> str:
    """Return words with a capital."""
    return words[0].upper() + words[1:]


def _number(bribe: Bribe, unit: str) -> str:
    """Return the least number of bribes, or the least amount of money, or bounds of it."""
    if bribe.priced:
        low, high = (format_number(float(one or 0)) for one in (bribe.lower, bribe.upper))
        return high if bribe.exact else f"at least {low} and at most {high}"
    most = count(int(bribe.upper or 0), f"bribed {unit}")
    return most if bribe.exact else f"at least {bribe.lower:,} and at most {most}"
