"""The worst case of a rule, told from its witness."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from bribeproof.explorer.panel.narration import SAME, number, percent
from bribeproof.theory import Scenario, WorstCase

_NEVER = 1e-9
"""What is less probable than this is not told."""


@dataclass(frozen=True, slots=True)
class WorstCaseFact:
    """One thing that happens in the worst case, as numbers to show."""

    truth: str
    probability: str
    truthful: str
    bribed: str
    seen: str
    forecast: str
    loss: str


def cases(found: WorstCase) -> list[WorstCaseFact]:
    """Return what happens in the worst case, one thing a row."""
    panel, rows = found.panel, []
    for truth, state, prior, scenario in _states(found):
        for weight, truthful, bribed in _parts(scenario):
            seen = truthful + bribed
            forecast = found.rule(seen)
            rows.append(
                WorstCaseFact(
                    truth=truth,
                    probability=percent(prior * weight),
                    truthful=f"{truthful:,} of {panel.truthful:,}",
                    bribed=f"{bribed:,} of {panel.k:,}" if panel.k else "none",
                    seen=f"{seen:,} of {panel.n:,}",
                    forecast=percent(forecast),
                    loss=number(found.loss.value(forecast, state)),
                )
            )
    return rows


def explained(found: WorstCase) -> list[str]:
    """Explain the worst case by what it is made of."""
    sentences = [_scenario(found, truth, prior, scenario) for truth, _, prior, scenario in _states(found)]
    costs = f"That costs {number(found.expected_loss)} on average"
    knows = "somebody who knew how the truthful votes hang together, and saw them alone,"
    if found.regret <= SAME:
        sentences.append(f"{costs}, and {knows} would do no better: the regret is 0.")
    else:
        sentences.append(
            f"{costs}; {knows} would lose {number(_rounded(found.benchmark))}. The difference, "
            f"{number(found.regret)}, is the regret."
        )
    if found.largest_loss - found.expected_loss > SAME:
        sentences.append(f"The largest expected loss, {number(found.largest_loss)}, comes about in another case.")
    return sentences


def _states(found: WorstCase) -> Iterator[tuple[str, int, float, Scenario]]:
    """Yield the truths that can be: name, state, probability, what happens."""
    prior = found.expert.prior
    for truth, state, share, scenario in (
        ("positive", 1, prior, found.given_1),
        ("negative", 0, 1 - prior, found.given_0),
    ):
        if share > _NEVER:
            yield truth, state, share, scenario


def _parts(scenario: Scenario) -> list[tuple[float, int, int]]:
    """Return what can happen: probability, truthful and bribed positive votes."""
    parts = zip(scenario.weights, scenario.truthful, scenario.adversaries, strict=True)
    return [part for part in parts if part[0] > _NEVER]


def _scenario(found: WorstCase, truth: str, prior: float, scenario: Scenario) -> str:
    """Say what happens given one truth."""
    panel, parts = found.panel, _parts(scenario)
    (weight, count, _), *rest = parts
    alone = panel.truthful == 1
    said = f"If the truth is {truth} ({percent(prior)}), " + (
        f"the one truthful reporter says {_word(count)}"
        if alone
        else f"{_some(count, panel.truthful)} of the {panel.truthful:,} truthful say positive"
    )
    for other, more, _ in rest:
        end = _word(more) if alone else _some(more, panel.truthful)
        said += f" with probability {percent(weight)}, and {end} with {percent(other)}"
    if panel.k:
        said += f"; {_bribed(panel.k, [bribed for _, _, bribed in parts])}"
    seen = [truthful + bribed for _, truthful, bribed in parts]
    forecasts = list(dict.fromkeys(percent(found.rule(count)) for count in seen))
    sees = " or ".join(f"{count:,}" for count in dict.fromkeys(seen))
    return f"{said}. The rule sees {sees} positive of {panel.n:,} and forecasts {' or '.join(forecasts)}."


def _bribed(k: int, positive: Sequence[int]) -> str:
    """Say what the bribed do."""
    who, verb = ("the bribed one", "says") if k == 1 else (f"the {k:,} bribed", "say")
    if len(set(positive)) == 1:
        (count,) = set(positive)
        if count in (0, k):
            return f"{who} {verb} {'positive' if count else 'negative'}"
        return f"{count:,} of {who} {'says' if count == 1 else 'say'} positive"
    if k == 1:
        return f"{who} says {_word(positive[0])} in the first case and {_word(positive[1])} in the second"
    first, second = (_some(count, k) for count in positive)
    return f"{first} of {who} say positive in the first case, {second} in the second"


def _some(count: int, k: int) -> str:
    """Write how many of several."""
    return "none" if count == 0 else "all" if count == k else f"{count:,}"


def _word(count: int) -> str:
    """Write one reporter's vote."""
    return "positive" if count else "negative"


def _rounded(value: float) -> float:
    """Return a number without the rounding of what is 0."""
    return 0.0 if abs(value) <= SAME else value
