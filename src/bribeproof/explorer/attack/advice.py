"""Recommend a rule by what was measured for the chosen number of bribed reporters, and by nothing else."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from bribeproof.attacks.recommendation import CALIBRATED
from bribeproof.attacks.result import AttackCurves
from bribeproof.explorer.attack.narration import rules_at
from bribeproof.explorer.attack.table import cost, format_value

_NEAR = 0.03
"""Values that differ by no more than this share of the larger one count as equal."""
_NOUNS: Mapping[str, str] = {
    "squared_loss": "squared loss", "absolute_loss": "absolute loss", "accuracy": "share of right decisions",
    "changed": "share of changed decisions",
}  # fmt: skip
_SCORE_NOUNS: Mapping[str, str] = {
    "squared_loss": "squared distance", "absolute_loss": "mean distance", "changed": "share of changed places",
}  # fmt: skip

_PLURAL = re.compile(r"loss|distance|share")


def recommend(result: AttackCurves, kind: str, adversaries: int, measure: str, against: str) -> str:
    """Return which rule to use against so many bribed, by one measure, beside the plain mean.

    Parameters
    ----------
    result
        The curves; one of their points is the number of bribes.
    kind
        ``"votes"``, ``"labels"`` or ``"scores"``.
    adversaries
        The number of bribed reporters.
    measure
        The measure that rules are compared by.
    against
        Against what they are measured.
    """
    rows = [row for row in rules_at(result, adversaries) if row[measure] is not None]
    if not rows:
        return "No rule can be compared: no item with a known truth has a report left."
    noun = (_SCORE_NOUNS if kind == "scores" else _NOUNS)[measure]
    ranked = sorted(rows, key=lambda row: (cost(measure, row[measure]), row["rule"]))
    best = [row for row in ranked if _near(row[measure], ranked[0][measure])]
    plain = next(row for row in rows if row["rule"] in ("mean", "shares"))
    who = f"with {adversaries:,} of {result.n_reporters:,} bribed like this" if adversaries else "with nobody bribed"
    values = list(dict.fromkeys(format_value(measure, row[measure]) for row in best))
    its, was = "its" if len(best) == 1 else "their", "was"
    if len(values) > 1:
        noun, was = _PLURAL.sub(lambda word: f"{word[0]}{'es' if word[0] == 'loss' else 's'}", noun), "were"
    measured = "measured" if measure == "changed" else f"measured against {against}"
    end = "highest" if measure == "accuracy" else "lowest"
    text = (
        f"Under this attack, use the {_names(best)}: {its} {noun} {was} {' and '.join(values)} {who}, the {end} of the "
        f"{len(rows)} rules {measured}{_draws(result, best)}."
    )
    return text if plain in best else f"{text} {_plain(result, plain, adversaries, measure)}"


def _plain(result: AttackCurves, plain: Mapping[str, Any], adversaries: int, measure: str) -> str:
    """Return a sentence on the plain mean, with bribes and without."""
    sentence = f"The plain {plain['rule']} had {format_value(measure, plain[measure])}"
    honest = next(row for row in rules_at(result, 0) if row["rule"] == plain["rule"])
    if not adversaries or measure == "changed" or honest[measure] is None:
        return f"{sentence}."
    return f"{sentence}, and {format_value(measure, honest[measure])} with nobody bribed."


def _names(rows: Sequence[Mapping[str, Any]]) -> str:
    """Return the names of rules, each with its k in brackets."""
    names = [f"{name} ({k})" if k else name for name, _, k in (row["rule"].partition(", ") for row in rows)]
    return names[0] if len(names) == 1 else f"{', the '.join(names[:-1])} or the {names[-1]}"


def _draws(result: AttackCurves, best: Sequence[Mapping[str, Any]]) -> str:
    """Return over how many draws the values are means, as a clause."""
    if result.draws == 1:
        return ""
    clause = f", on average over {result.draws} draws of who is bribed"
    fitted = result.fit is not None and any(row["rule"].startswith(CALIBRATED) for row in best)
    if fitted and result.fit is not None and result.fit.draws < result.draws:
        clause += f" (of the {CALIBRATED} over the first {result.fit.draws})"
    return clause


def _near(value: float, best: float) -> bool:
    """Return whether a value is about as good as the best one."""
    return abs(value - best) <= _NEAR * max(abs(value), abs(best))
