"""What happened, in words a juror understands."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import polars as pl

from bribeproof.attacks.result import AttackCurves
from bribeproof.explorer.attack.crowd import GOLD_EVERY, Crowd
from bribeproof.explorer.attack.query import AttackQuery
from bribeproof.explorer.attack.study import copied


@dataclass(frozen=True, slots=True)
class StrategyText:
    """What a strategy does.

    Attributes
    ----------
    name
        What it is called in a list.
    act
        What the bribed do, after "bribed to".
    labels, scores
        One sentence that explains it, for votes and labels and for scores; None where it means nothing.
    """

    name: str
    act: str
    labels: str
    scores: str | None


LIES: Mapping[str, StrategyText] = {
    "opposite": StrategyText(
        "Say the opposite",
        "say the opposite",
        "They say what the fewest honest reporters say, and never what most of them say.",
        "They give the end of the scale that is far from the honest mean.",
    ),
    "random": StrategyText(
        "Answer at random",
        "answer at random",
        "Each of them says anything, on their own.",
        "Each of them gives anything on the scale, on their own.",
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
        "They say what one reporter says, who then counts many times.",
        "They give what one reporter gives, who then counts many times.",
    ),
    "collude": StrategyText(
        "Agree on a wrong answer",
        "agree on a wrong answer",
        "They know the truth, and all say the wrong answer that has the most honest friends.",
        "They all give the end of the scale that is far from the truth, or from the honest mean where nobody knows it.",
    ),
    "close": StrategyText(
        "Lie only where it turns the decision",
        "lie only where it turns the decision",
        "They are honest, but where all of them together make the runner-up win they say the runner-up.",
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
        "do the optimal rule the most harm",
        "They know the truth and all honest reports, and say what hurts the optimal rule most.",
        None,
    ),
}
"""The strategies, in the order of the library."""
_NOTHING = 1e-9
"""A distance below this comes from rounding."""
_SCORE_ACTS: Mapping[str, str] = {
    "opposite": "score the opposite way",
    "random": "score at random",
    "high": "give everybody the highest score",
    "low": "give everybody the lowest score",
    "collude": "agree on a score far from the truth",
}


def strategies(kind: str) -> dict[str, StrategyText]:
    """Return the strategies that mean something for a kind of reports."""
    return {name: lie for name, lie in LIES.items() if kind != "scores" or lie.scores is not None}


def explained(scheme: AttackQuery, crowd: Crowd) -> str:
    """Return one sentence on what the bribed do."""
    lie = LIES[scheme.strategy]
    said = lie.labels if crowd.kind != "scores" else lie.scores or lie.labels
    name = copied(crowd, scheme)
    said = said if name is None else said.replace("one reporter", f"reporter {name}", 1)
    return said + (" Distances are from the mean of the honest scores." if crowd.truth is None else "")


def headline(found: AttackCurves, crowd: Crowd, scheme: AttackQuery, adversaries: int) -> tuple[str, str]:
    """Return what happened: the decision that most people would make, and then the losses."""
    honest, now = at(found, 0), at(found, adversaries)
    opening = "With nobody bribed"
    if adversaries:
        opening = f"With {adversaries:,} of {found.n_reporters:,} bribed to {_act(scheme, crowd)}"
    tell = _scored if crowd.kind == "scores" else _decided
    first, second = tell(honest if adversaries else None, now, scheme.k)
    return f"{opening}, {first}.", f"{second}."


def at(found: AttackCurves, adversaries: int) -> list[dict[str, Any]]:
    """Return the rows of the table for one number of bribes, one for each rule, in the library's order."""
    rows: list[dict[str, Any]] = found.curves.filter(pl.col("adversaries") == adversaries).to_dicts()
    return rows


def percent(share: float) -> str:
    """Return a share as people say it.

    Examples
    --------
    >>> percent(0.214), percent(0.0249), percent(0.06), percent(1.0)
    ('21%', '2.5%', '6%', '100%')
    """
    return f"{100 * share:.2g}%" if share < 0.1 else f"{share:.0%}"


def _act(scheme: AttackQuery, crowd: Crowd) -> str:
    """Return what the bribed are paid for."""
    name = copied(crowd, scheme)
    if name is not None:
        return f"copy reporter {name}"
    act = LIES[scheme.strategy].act
    return _SCORE_ACTS.get(scheme.strategy, act) if crowd.kind == "scores" else act


def _decided(honest: list[dict[str, Any]] | None, now: list[dict[str, Any]], k: int) -> tuple[str, str]:
    """Tell how often the most frequent answer is wrong, and what the forecasts lose."""
    plain, most, protected = now[:3]
    first = f"the {most['rule']} is wrong on {percent(1 - most['accuracy'])} of the items"
    second = f"Squared loss: plain {plain['rule']} {plain['squared_loss']:.3f}"
    if honest is not None:
        first += f", instead of {percent(1 - honest[1]['accuracy'])} when all are honest"
        second += f" ({honest[0]['squared_loss']:.3f} when all are honest)"
    of_k = "trimmed mean" if plain["rule"] == "mean" else "ignorance shares"
    second += f", {k}-{of_k} {protected['squared_loss']:.3f}"
    for row in now[3:]:
        if row["rule"].startswith("optimal"):
            second += f", optimal rule for {k} bribes {row['squared_loss']:.3f}"
    return first, second


def _scored(honest: list[dict[str, Any]] | None, now: list[dict[str, Any]], k: int) -> tuple[str, str]:
    """Tell how far off the estimates are, and how many places of the ranking change."""
    plain, median, protected = now
    first = f"the plain mean is off by {plain['absolute_loss']:.3g} on average"
    if honest is not None and honest[0]["absolute_loss"] > _NOTHING:
        first += f", instead of {honest[0]['absolute_loss']:.3g} when all are honest"
    first += f"; the median by {median['absolute_loss']:.3g}, the {k}-trimmed mean by {protected['absolute_loss']:.3g}"
    second = f"Places in the ranking that change: plain mean {percent(plain['changed'])}"
    return first, f"{second}, median {percent(median['changed'])}, {k}-trimmed mean {percent(protected['changed'])}"


def caption(found: AttackCurves, scheme: AttackQuery, adversaries: int) -> str:
    """Say what the picture shows."""
    draws = f"{scheme.draws} draws of who is bribed" if scheme.draws > 1 else "one draw of who is bribed"
    said = f"Means over {draws}; bars are one standard deviation. The broad line marks {adversaries:,} bribed"
    reach = int(found.curves["adversaries"].to_numpy().max())
    return said + (f", the dotted one the {scheme.k:,} that the rules expect." if scheme.k <= reach else ".")


def cautions(found: AttackCurves, scheme: AttackQuery, adversaries: int, kind: str) -> list[str]:
    """Say what a reader might take for more than it is."""
    said = []
    certified = min(row["certified"] for row in at(found, adversaries))
    if certified < 1:
        which = "No item has" if certified == 0 else f"Only {percent(certified)} of the items have"
        said.append(
            f"{which} more than {2 * scheme.k:,} reports, twice as many as the bribes that the rules expect. Elsewhere "
            + ("the median stands in." if kind == "scores" else "those rules have nothing to say.")
        )
    if 2 * adversaries >= found.n_reporters:
        said.append("Half of the reporters or more are bribed: no rule can stand that in general.")
    return said


def why(found: AttackCurves, adversaries: int) -> str | None:
    """Explain why the optimal rule does not lose least, where it does not."""
    losses = {row["rule"]: row["squared_loss"] for row in at(found, adversaries)}
    optimal = next((loss for rule, loss in losses.items() if rule.startswith("optimal")), None)
    if optimal is None or optimal <= min(losses.values()) + _NOTHING:
        return None
    return (
        "Another rule loses less here than the optimal one: that one guards against every attack on every crowd, also "
        "on crowds whose honest reporters err together, and not against this attack alone."
    )
