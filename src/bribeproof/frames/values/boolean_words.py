"""Read labels that are true or false in any spelling as two classes: True, TRUE and true are one."""

from collections.abc import Callable, Iterable, Sequence
from typing import Any

import narwhals.stable.v2 as nw
import polars as pl

from bribeproof.frames.native.backends import stands_for
from bribeproof.frames.schema import VALUE

_PAIRS = (
    ({"false", "f"}, {"true", "t"}),
    ({"no", "n"}, {"yes", "y"}),
    ({"nein", "n"}, {"ja", "j"}),
    ({"non", "n"}, {"oui", "o"}),
    ({"no", "n"}, {"s\u00ed", "si", "s"}),
    ({"falsch", "f"}, {"wahr", "w"}),
    ({"faux", "f"}, {"vrai", "v"}),
)
"""Pairs of the words for false and for true, in small letters."""
_STYLES: tuple[Callable[[str], str], ...] = (str.lower, str.title, str.upper)


def boolean_pair(labels: Iterable[object]) -> dict[str, bool]:
    """Return what words mean, in small letters, if all labels are words of one pair; else nothing.

    Both meanings have to occur: a word alone may stand for something else.

    Examples
    --------
    >>> boolean_pair(["Yes", "NO"]) == {"no": False, "n": False, "yes": True, "y": True}
    True
    >>> boolean_pair(["yes", "no", "maybe"]), boolean_pair(["T", "t"])
    ({}, {})
    """
    words = {label.casefold() if isinstance(label, str) else "" for label in labels}
    for false, true in _PAIRS:
        if words <= false | true and words & false and words & true:
            return dict.fromkeys(false, False) | dict.fromkeys(true, True)
    return {}


def merge_spellings(labels: Sequence[str], declared: Sequence[object] | None) -> dict[str, str]:
    """Return how each of some labels is spelled, if they are true and false in several spellings.

    Parameters
    ----------
    labels
        The different labels.
    declared
        The classes that the user declared, whose spelling is kept; None if there are none.

    Returns
    -------
    dict
        The spelling of each label; empty if all labels are kept: there are others, or no spelling is to be merged.

    Examples
    --------
    >>> merge_spellings(["True", "TRUE", "true", "False"], None)
    {'True': 'True', 'TRUE': 'True', 'true': 'True', 'False': 'False'}
    >>> merge_spellings(["yes", "Yes", "no"], ["No", "Yes"])
    {'yes': 'Yes', 'Yes': 'Yes', 'no': 'No'}
    >>> merge_spellings(["yes", "Yes", "unsure"], None), merge_spellings(["Yes", "no"], None)
    ({}, {})
    """
    wanted = [str(label) for label in declared or ()]
    means = boolean_pair([*labels, *wanted])
    if not means:
        return {}
    chosen = {means[label.casefold()]: label for label in wanted}
    if len(chosen) < len(wanted):  # the user tells these spellings apart
        return {}
    spellings = {
        meaning: [label for label in labels if means[label.casefold()] is meaning] for meaning in (False, True)
    }
    for meaning, kept in _best(spellings).items():
        chosen.setdefault(meaning, kept)
    merged = {label: chosen[means[label.casefold()]] for label in labels}
    return {} if all(label == kept for label, kept in merged.items()) else merged


def spelling_parser(
    labels: pl.Series, categories: Iterable[str], declared: Sequence[object] | None
) -> Callable[[nw.LazyFrame[Any]], nw.LazyFrame[Any]] | None:
    """Return a function that gives labels which are true and false one spelling each; None if nothing is to be done.

    Parameters
    ----------
    labels
        The different labels.
    categories
        Further labels that their column declares.
    declared
        The classes that the user declared.
    """
    if labels.dtype != pl.String:
        return None
    merged = merge_spellings(list(dict.fromkeys([*labels, *categories])), declared)
    if not merged:
        return None
    spelled = stands_for(nw.col(VALUE), merged, nw.String)
    return lambda rows: rows.with_columns(spelled.alias(VALUE))


def _best(spellings: dict[bool, list[str]]) -> dict[bool, str]:
    """Return one spelling of false and of true: words rather than letters, alike in small and capital letters."""
    found = {
        meaning: sorted(words, key=lambda word: (-len(word), word)) for meaning, words in spellings.items() if words
    }

    def in_style(style: Callable[[str], str]) -> dict[bool, str]:
        of_style = {meaning: [word for word in words if word == style(word)] for meaning, words in found.items()}
        return {meaning: words[0] for meaning, words in of_style.items() if words}

    best = max(map(in_style, _STYLES), key=len)
    return {meaning: words[0] for meaning, words in found.items()} | best
