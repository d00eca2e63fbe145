"""Describe an attack and its outcome in plain sentences."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import polars as pl

from bribeproof._text import count
from bribeproof.attacks.label_rules import WORST_CASE
from bribeproof.attacks.recommendation import CALIBRATED
from bribeproof.attacks.result import AttackCurves
from bribeproof.explorer.attack.crowd import GOLD_EVERY, Crowd
from bribeproof.explorer.attack.query import AttackQuery
from bribeproof.explorer.attack.study import copied_reporter


@dataclass(frozen=True, slots=True)
class StrategyText:
    """The texts on one strategy.

    Attributes
    ----------
    label
        Name of the strategy in lists.
    action
        What the bribed do, as it follows "bribed to".
    labels, scores
        One sentence that explains it, for votes and labels and for scores; None if it does not apply.
    """

    label: str
    action: str
    labels: str
    scores: str | None


STRATEGY_TEXTS: Mapping[str, StrategyText] = {
    "opposite": StrategyText(
        "Say the opposite",
        "say the opposite",
        "They give the answer that the fewest honest reporters give, never the most frequent one.",
        "They give the end of the scale that is far from the honest mean.",
    ),
    "random": StrategyText(
        "Answer at random",
        "answer at random",
        "Each of them answers at random, independently.",
        "Each of them scores at random, independently.",
    ),
    "high": StrategyText(
        "Always the highest",
        "say the last class every time",
        "They say the last class every time: of votes 0 and 1, always 1.",
        "They give everybody the highest score.",
    ),
    "low": StrategyText(
        "Always the lowest",
        "say the first class every time",
        "They say the first class every time: of votes 0 and 1, always 0.",
        "They give everybody the lowest score.",
    ),
    "copy": StrategyText(
        "Copy one reporter",
        "copy one reporter",
        "They repeat the answers of one reporter, who then counts several times.",
        "They repeat the scores of one reporter, who then counts several times.",
    ),
    "collude": StrategyText(
        "Agree on a wrong answer",
        "agree on a wrong answer",
        "They know the truth, and all give the wrong answer that is most frequent among the honest.",
        "They all give the end of the scale far from the truth, or from the honest mean if the truth is unknown.",
    ),
    "close": StrategyText(
        "Lie only where it turns the decision",
        "lie only where it turns the decision",
        "They are honest, except on items where all of them together can make the runner-up win.",
        None,
    ),
    "sleeper": StrategyText(
        "Lie only where nobody checks",
        "lie only where nobody checks",
        f"They are honest on gold items, which are checked (here one item in {GOLD_EVERY}), and say the opposite "
        "elsewhere.",
        f"They are honest on gold items, which are checked (here one item in {GOLD_EVERY}), and far off elsewhere.",
    ),
    "worst": StrategyText(
        "Do the worst",
        "do the worst-case rule the most harm",
        "They know the truth and all honest reports, and maximise the loss of the worst-case rule.",
        None,
    ),
}
"""Texts on the strategies, in the order of the library."""
_ROUNDING = 1e-9
"""Smaller distances are rounding errors."""
_SCORE_ACTIONS: Mapping[str, str] = {
    "opposite": "score the opposite way",
    "random": "score at random",
    "high": "give everybody the highest score",
    "low": "give everybody the lowest score",
    "collude": "agree on a score far from the truth",
}


def texts_for(kind: str) -> dict[str, StrategyText]:
    """Return the texts on the strategies that apply to a kind of reports."""
    return {name: text for name, text in STRATEGY_TEXTS.items() if kind != "scores" or text.scores is not None}


def explain_strategy(attack: AttackQuery, crowd: Crowd) -> str:
    """Return a sentence on what the bribed do."""
    text = STRATEGY_TEXTS[attack.strategy]
    sentence = text.labels if crowd.kind != "scores" else text.scores or text.labels
    name = copied_reporter(crowd, attack)
    return sentence if name is None else sentence.replace("one reporter", f"reporter {name}", 1)


def measured_against(result: AttackCurves, crowd: Crowd) -> str:
    """Return against what the rules are measured, as it follows "measured against"."""
    if crowd.truth is None:
        return "the mean of the honest scores"
    known, of = f"{result.n_known:,}", count(result.n_items, "item")
    which = f"all {of}" if result.n_known == result.n_items else f"{known} of {of}"
    where = f" in {crowd.truth.file}" if crowd.truth.file else ""
    return f"the truth of {which}{where}"


def headline(result: AttackCurves, crowd: Crowd, attack: AttackQuery, adversaries: int) -> tuple[str, str, str]:
    """Return the errors of the usual rule in one sentence, those of all rules in more, and the first one in short."""
    honest, now = rules_at(result, 0), rules_at(result, adversaries)
    opening, action = "With nobody bribed", ""
    if adversaries:
        opening = f"With {adversaries:,} of {result.n_reporters:,} bribed"
        action = f"The bribed {_action(attack, crowd)}. "
    against = measured_against(result, crowd)
    before = honest if adversaries else None
    if crowd.kind == "scores":
        first, second = _score_outcome(before, now, attack.k, against)
    else:
        items = "the items" if result.n_known == result.n_items else "the items with a known truth"
        first, second = _decision_outcome(before, now, attack.k, items)
        second = f"Measured against {against}. {second}"
    return f"{opening}, {first}.", f"{action}{second}.", f"{first[0].upper()}{first[1:]}"


def rules_at(result: AttackCurves, adversaries: int) -> list[dict[str, Any]]:
    """Return the rows of the table for one number of bribes, one for each rule."""
    rows: list[dict[str, Any]] = result.curves.filter(pl.col("adversaries") == adversaries).to_dicts()
    return rows


def percent(share: float) -> str:
    """Format a share as a percentage.

    Examples
    --------
    >>> percent(0.214), percent(0.0249), percent(0.06), percent(1.0)
    ('21%', '2.5%', '6%', '100%')
    """
    return f"{100 * share:.2g}%" if share < 0.1 else f"{share:.0%}"


def _action(attack: AttackQuery, crowd: Crowd) -> str:
    """Return what the bribed do, as it follows "bribed to"."""
    name = copied_reporter(crowd, attack)
    if name is not None:
        return f"copy reporter {name}"
    action = STRATEGY_TEXTS[attack.strategy].action
    return _SCORE_ACTIONS.get(attack.strategy, action) if crowd.kind == "scores" else action


def _decision_outcome(
    honest: list[dict[str, Any]] | None, now: list[dict[str, Any]], k: int, items: str
) -> tuple[str, str]:
    """Return how often the most frequent answer is wrong on these items, and the losses of the forecasts."""
    plain, most, protected = _shared(now)
    first = f"the {most['rule']} is wrong on {percent(1 - most['accuracy'])} of {items}"
    second = f"Squared loss: plain {plain['rule']} {plain['squared_loss']:.3f}"
    if honest is not None:
        plain_honest, most_honest, _ = _shared(honest)
        first += f", instead of {percent(1 - most_honest['accuracy'])}"
        second += f" ({plain_honest['squared_loss']:.3f} when all are honest)"
    of_k = "trimmed mean" if plain["rule"] == "mean" else "ignorance shares"
    second += f", {k}-{of_k} {protected['squared_loss']:.3f}"
    for name in (CALIBRATED, WORST_CASE):
        for row in now:
            if row["rule"].startswith(name):
                second += f", {name} with k = {k} {row['squared_loss']:.3f}"
    return first, second


def _shared(rows: list[dict[str, Any]]) -> tuple[dict[str, Any], dict[str, Any], dict[str, Any]]:
    """Return the rows of the rules for all labels: the shares, the most frequent one, and the trimmed shares."""
    plain, most, protected = [row for row in rows if not row["rule"].startswith(CALIBRATED)][:3]
    return plain, most, protected


def _score_outcome(
    honest: list[dict[str, Any]] | None, now: list[dict[str, Any]], k: int, against: str
) -> tuple[str, str]:
    """Return how far off the estimates are, and in more detail with the places of the ranking that change."""
    plain, median, protected = now
    first = f"the plain mean is off by {plain['absolute_loss']:.3g}, "
    first += f"the {k}-trimmed mean by {protected['absolute_loss']:.3g}"
    second = f"Off by: mean distance from {against}; that of the median is {median['absolute_loss']:.3g}"
    if honest is not None and honest[0]["absolute_loss"] > _ROUNDING:
        second += f", that of the plain mean {honest[0]['absolute_loss']:.3g} when all are honest"
    second += f". Places in the ranking that change: plain mean {percent(plain['changed'])}"
    return first, f"{second}, median {percent(median['changed'])}, {k}-trimmed mean {percent(protected['changed'])}"


def caption(result: AttackCurves, attack: AttackQuery, adversaries: int) -> str:
    """Return the caption of the picture."""
    draws = f"{attack.draws} draws of who is bribed" if attack.draws > 1 else "one draw of who is bribed"
    if result.fit is not None and result.fit.draws < attack.draws:
        draws += f", of the calibrated rule over the first {result.fit.draws}"
    text = f"Means over {draws}; bars are one standard deviation. The wide line marks {adversaries:,} bribed"
    reach = int(result.curves["adversaries"].to_numpy().max())
    return text + (f", the dotted line the {attack.k:,} that the rules assume." if attack.k <= reach else ".")


def caveats(result: AttackCurves, attack: AttackQuery, adversaries: int, kind: str) -> list[str]:
    """Return sentences on the limits of what is shown."""
    sentences = []
    certified = min(row["certified"] for row in rules_at(result, adversaries))
    if certified < 1:
        few = "Not all" if percent(certified) == "100%" else f"Only {percent(certified)} of the"
        which = "No item has" if certified == 0 else f"{few} items have"
        sentences.append(
            f"{which} more than {2 * attack.k:,} reports, twice the number of bribes that the rules assume. "
            "On the other items " + ("the median is used." if kind == "scores" else "those rules ignore the reports.")
        )
    if 2 * adversaries >= result.n_reporters:
        sentences.append("Half of the reporters or more are bribed: no rule can withstand that in general.")
    return sentences
