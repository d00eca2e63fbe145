"""Describe the worst case of a rule, from its witness."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from bribeproof.explorer.panel.largest_loss import LargestLoss
from bribeproof.explorer.panel.narration import SAME, number, percent
from bribeproof.theory import Scenario, WorstCase

_NEVER = 1e-9
"""Events with a smaller probability are left out."""


@dataclass(frozen=True, slots=True)
class WorstCaseFact:
    """One event of the worst case as text."""

    truth: str
    probability: str
    truthful: str
    bribed: str
    seen: str
    forecast: str
    loss: str


def describe_cases(worst: WorstCase | LargestLoss) -> list[WorstCaseFact]:
    """Return the events of the worst case, one for each row of the table."""
    panel, rows = worst.panel, []
    for truth, state, prior, scenario in _states(worst):
        for weight, truthful, bribed in _parts(scenario):
            seen = truthful + bribed
            forecast = worst.rule(seen)
            rows.append(
                WorstCaseFact(
                    truth=truth,
                    probability=percent(prior * weight),
                    truthful=f"{truthful:,} of {panel.truthful:,}",
                    bribed=f"{bribed:,} of {panel.k:,}" if panel.k else "none",
                    seen=f"{seen:,} of {panel.n:,}",
                    forecast=percent(forecast),
                    loss=number(worst.loss.value(forecast, state)),
                )
            )
    return rows


def explain(worst: WorstCase | LargestLoss) -> list[str]:
    """Return sentences that explain the worst case."""
    sentences = [_scenario(worst, truth, prior, scenario) for truth, _, prior, scenario in _states(worst)]
    costs = f"The expected loss is {number(worst.expected_loss)}"
    if isinstance(worst, LargestLoss):
        return [*sentences, f"{costs}: no honest errors within the bound, and no bribes, make this rule lose more."]
    benchmark = "a forecaster who knows how the truthful votes are correlated, and sees only them,"
    if worst.regret <= SAME:
        sentences.append(f"{costs}, and {benchmark} would lose as much: the regret is 0.")
    else:
        sentences.append(
            f"{costs}; {benchmark} would lose {number(_rounded(worst.benchmark))}. The difference, "
            f"{number(worst.regret)}, is the regret."
        )
    if worst.largest_loss - worst.expected_loss > SAME:
        sentences.append(f"The largest expected loss, {number(worst.largest_loss)}, occurs in another case.")
    return sentences


def _states(worst: WorstCase | LargestLoss) -> Iterator[tuple[str, int, float, Scenario]]:
    """Yield the possible truths: name, state, probability and scenario."""
    prior = worst.expert.prior
    for truth, state, share, scenario in (
        ("positive", 1, prior, worst.given_1),
        ("negative", 0, 1 - prior, worst.given_0),
    ):
        if share > _NEVER:
            yield truth, state, share, scenario


def _parts(scenario: Scenario) -> list[tuple[float, int, int]]:
    """Return the possible events: probability, truthful and bribed positive votes."""
    parts = zip(scenario.weights, scenario.truthful, scenario.adversaries, strict=True)
    return [part for part in parts if part[0] > _NEVER]


def _scenario(worst: WorstCase | LargestLoss, truth: str, prior: float, scenario: Scenario) -> str:
    """Return a sentence on what happens given one truth."""
    panel, parts = worst.panel, _parts(scenario)
    (weight, count, _), *rest = parts
    alone = panel.truthful == 1
    text = f"If the truth is {truth} ({percent(prior)}), " + (
        f"the one truthful reporter votes {_word(count)}"
        if alone
        else f"{_some(count, panel.truthful)} of the {panel.truthful:,} truthful vote positive"
    )
    if rest:
        text += f" with probability {percent(weight)}"
    for place, (other, more, _) in enumerate(rest, 1):
        end = _word(more) if alone else _some(more, panel.truthful)
        text += f"{', and' if place == len(rest) else ','} {end} with {percent(other)}"
    if panel.k:
        text += f"; {_bribed(panel.k, [bribed for _, _, bribed in parts])}"
    seen = [truthful + bribed for _, truthful, bribed in parts]
    forecasts = list(dict.fromkeys(percent(worst.rule(count)) for count in seen))
    sees = " or ".join(f"{count:,}" for count in dict.fromkeys(seen))
    return f"{text}. The rule sees {sees} positive of {panel.n:,} and forecasts {' or '.join(forecasts)}."


def _bribed(k: int, positive: Sequence[int]) -> str:
    """Return a clause on how the bribed vote."""
    who, verb = ("the bribed one", "votes") if k == 1 else (f"the {k:,} bribed", "vote")
    if len(set(positive)) == 1:
        (count,) = set(positive)
        if count in (0, k):
            return f"{who} {verb} {'positive' if count else 'negative'}"
        return f"{count:,} of {who} {'votes' if count == 1 else 'vote'} positive"
    if k == 1:
        return f"{who} votes {_word(positive[0])} in the first case and {_word(positive[1])} in the second"
    first, second = (_some(count, k) for count in positive)
    return f"{first} of {who} vote positive in the first case, {second} in the second"


def _some(count: int, k: int) -> str:
    """Return a count as a word: none, all, or the number."""
    return "none" if count == 0 else "all" if count == k else f"{count:,}"


def _word(count: int) -> str:
    """Return one reporter's vote as a word."""
    return "positive" if count else "negative"


def _rounded(value: float) -> float:
    """Return a number; 0 if only rounding separates it from 0."""
    return 0.0 if abs(value) <= SAME else value
