"""Sentences on what a guarantee is worth, from the facts of `bribeproof.theory.rules.worth.Worth`."""

from collections.abc import Mapping, Sequence
from typing import Any

from bribeproof._text import format_name, format_number, round_up

_LEAST = 1e-4
"""Smaller shares than this are not told apart."""


def describe_worth(worth: Mapping[str, Any]) -> str:
    """Return a bound of an expected loss beside what the prior alone guarantees, to follow "expected loss".

    Parameters
    ----------
    worth
        The facts of `bribeproof.theory.rules.worth.Worth`.

    Examples
    --------
    >>> facts = {"expected_loss": 0.15, "prior_alone": 0.25, "share": 0.6, "worthless": False, "per_100": None}
    >>> describe_worth(facts)
    'at most 0.15, 60 % of the 0.25 that the prior alone guarantees'
    >>> describe_worth(facts | {"per_100": {"unit": "errors", "guaranteed": 15.0, "prior_alone": 25.0}})
    'at most 0.15, 15 errors per 100 items, 60 % of the 25 that the prior alone guarantees'
    >>> describe_worth(facts | {"per_100": {"unit": "cost", "guaranteed": 15.0, "prior_alone": 25.0}})
    'at most 0.15, a cost of 15 per 100 items, 60 % of the 25 that the prior alone guarantees'
    """
    bound = f"at most {round_up(worth['expected_loss'], 4)}"
    alone = format_number(worth["prior_alone"])
    if per_100 := worth["per_100"]:
        number, alone = round_up(per_100["guaranteed"]), format_number(per_100["prior_alone"])
        bound += f", {number} errors" if per_100["unit"] == "errors" else f", a cost of {number}"
        bound += " per 100 items"
    if worth["share"] is None:
        return f"{bound}; the prior alone guarantees 0"
    return f"{bound}, {format_share(worth['share'])} of the {alone} that the prior alone guarantees"


def name_loss(name: str) -> str:
    """Return the name of a loss with its noun; costs are named where they are counted.

    Examples
    --------
    >>> name_loss("squared"), name_loss("cost(false_positive=5, false_negative=1)")
    ('squared loss', 'loss')
    """
    return "loss" if name.startswith("cost(") else f"{name} loss"


def describe_positive(positive: str, negative: Sequence[str]) -> str | None:
    """Return which class counts as positive, and which as negative, as a sentence; None where their names say it.

    Examples
    --------
    >>> describe_positive("cat", ["ant", "bee", "dog"])
    'cat counts as positive, the other 3 classes as negative.'
    >>> describe_positive("no", ["yes"]), describe_positive("1", ["0"])
    ('no counts as positive, yes as negative.', None)
    """
    others = [name for name in negative if name]
    if (positive, others) in (("1", ["0"]), ("True", ["False"])):
        return None
    if len(others) > 1:
        rest = f", the other {len(others):,} classes as negative"
    else:
        rest = "".join(f", {format_name(name)} as negative" for name in others)
    return f"{format_name(positive)} counts as positive{rest}."


def describe_worthless(explanation: Mapping[str, Any] | None, start: str = "It is") -> str:
    """Return why a guarantee is worth nothing, and what would change that, as sentences; None where it is not known.

    Parameters
    ----------
    explanation
        The facts of `bribeproof.theory.minimax.remedies.Explanation`.
    start
        How the first sentence starts.

    Examples
    --------
    >>> remedies = [{"change": "smaller k", "to": 2, "share": 0.6}, {"change": "more reports", "to": 4, "share": 0.8}]
    >>> for clause in describe_worthless({"reason": "too many are bribed", "remedies": remedies}).split(", "):
    ...     print(clause)
    It is worth nothing: too many are bribed. It would be at most 60 % of what the prior alone guarantees with k = 2
    80 % with 4 times as many reports on each item.
    """
    if explanation is None:
        return f"{start} worth nothing: the prior alone guarantees as much."
    sentence = f"{start} worth nothing: {explanation['reason']}."
    changes = [_remedy(one) for one in explanation["remedies"]]
    if not changes:
        return sentence
    (share, change), *others = changes
    rest = "".join(f", {share} {change}" for share, change in others)
    return f"{sentence} It would be at most {share} of what the prior alone guarantees {change}{rest}."


def _remedy(remedy: Mapping[str, Any]) -> tuple[str, str]:
    """Return the share after a change, and the change, as text."""
    to = format_number(remedy["to"])
    changes = {
        "smaller k": f"with k = {to}" if remedy["to"] else "if nobody were bribed",
        "more reports": f"with {to} times as many reports on each item",
        "smaller weight spread": f"with a weight spread of {to}",
        "less correlated errors": f"if the errors of honest reporters went together by at most {to}",
        "more gold items": f"with {to} times as many gold items, were they answered as those that there are",
    }
    return format_share(remedy["share"]), changes[remedy["change"]]


def describe_decisions(worth: Mapping[str, Any], rule: str = "forecast", *, decided: bool = False) -> str | None:
    """Return how items are decided where errors or costs are counted, as a sentence; None where they are not.

    Parameters
    ----------
    worth
        The facts of `bribeproof.theory.rules.worth.Worth`.
    rule
        Where the decision is drawn from.
    decided
        Whether the result also has decisions without chance, for the more probable side.

    Examples
    --------
    >>> describe_decisions({"per_100": {"unit": "errors", "guaranteed": 15.0, "prior_alone": 25.0}})
    'Errors per 100 items are counted on average, where each item is decided by chance with its forecast.'
    """
    if not worth["per_100"]:
        return None
    unit = "Errors" if worth["per_100"]["unit"] == "errors" else "Costs"
    sentence = f"{unit} per 100 items are counted on average, where each item is decided by chance with its {rule}"
    return (
        f"{sentence}; the column decision takes the more probable side, at most at twice that."
        if decided
        else f"{sentence}."
    )


def format_share(share: float) -> str:
    """Return what share a bound is of what the prior alone guarantees, as a percentage that is rounded up.

    Examples
    --------
    >>> format_share(0.6), format_share(0.63348), format_share(0.9994), format_share(1.0), format_share(1e-12)
    ('60 %', '63.4 %', '99.94 %', '100 %', 'under 0.01 %')
    """
    if 0 < share < _LEAST:
        return f"under {100 * _LEAST:g} %"
    return f"{round_up(100 * share, 3 if share < 0.99 else 4)} %"
