"""Explain a panel in sentences without formulas."""

from collections.abc import Sequence
from dataclasses import dataclass

from bribeproof._text import CONDITION
from bribeproof.explorer.panel.evaluation import Change, PanelEvaluation

_NUMBERS = (
    "no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
)  # fmt: skip
_TINY, _RARE = 1e-7, 1e-4
"""Smaller losses are written "almost 0", smaller shares "under" this; a share as near to 1 likewise."""
SAME = 1e-9
"""Numbers that differ by less are treated as equal: the tolerance of the solver."""


@dataclass(frozen=True, slots=True)
class SummaryRow:
    """One change of a panel as text; `better` is None if the loss stays the same."""

    what: str
    panel: str
    loss: str
    difference: str
    regret: str
    better: bool | None


def number(value: float) -> str:
    """Format a number with four significant digits.

    Examples
    --------
    >>> number(0.15837104), number(0.0), number(float("inf"))
    ('0.1584', '0', 'infinite')
    """
    if 0 < value < _TINY:
        return "almost 0"
    return "infinite" if value == float("inf") else f"{value:.4g}"


def percent(share: float) -> str:
    r"""Format a share as a percentage.

    Examples
    --------
    >>> [percent(share).replace("\N{NO-BREAK SPACE}", " ") for share in (11 / 15, 0.5, 1e-4)]
    ['73.3 %', '50 %', '0.01 %']
    """
    if 0 < share < _RARE:
        return f"under {percent(_RARE)}"
    if 1 - _RARE < share < 1:
        return f"over {100 * (1 - _RARE):g}\N{NO-BREAK SPACE}%"
    return f"{100 * share:.3g}\N{NO-BREAK SPACE}%"


def verdict(evaluation: PanelEvaluation) -> list[str]:
    """Return a few sentences on the guarantee of the panel."""
    panel, expert, left = evaluation.design.panel, evaluation.design.expert, evaluation.effective
    who = "One reporter" if panel.n == 1 else f"{_spelled(panel.n).capitalize()} reporters"
    are = "is" if panel.n == 1 else "are"
    bribed = f"{_spelled(panel.k)} of them bribed" if panel.k else "not bribed" if panel.n == 1 else "none bribed"
    rates = f"positive in {percent(left.tpr)} of the positive and in {percent(left.fpr)} of the negative cases"
    if not expert.informative:
        return [
            "Reporters whose hit rate equals their false-alarm rate carry no information. "
            f"The rule forecasts the prior, and its expected loss is {number(evaluation.blind)}."
        ]
    if not left.informative:
        worth = "nothing: the bribed can make either truth look like the other, so the rule forecasts the prior"
    elif panel.k:
        instead = f" (instead of {percent(expert.tpr)} and {percent(expert.fpr)})"
        worth = f"one honest reporter who says {rates}{instead}"
    else:
        worth = f"one honest reporter who says {rates}"
        worth += "" if panel.n == 1 else "; no more is certain, since all may vote alike"
    sentences = [f"{who}, {bribed}, {are} worth {worth}."]
    if left.informative and _constant(evaluation):
        sentences.append("With this prior and this loss the reports change no decision: the rule forecasts the prior.")
    return [*sentences, _promise(evaluation)]


def rule(evaluation: PanelEvaluation) -> str:
    """Return a sentence that describes the optimal rule."""
    panel, counts, forecasts = (
        evaluation.design.panel,
        evaluation.rule.counts.tolist(),
        evaluation.rule.forecasts.tolist(),
    )
    if _constant(evaluation):
        return f"Always forecast {percent(forecasts[0])}, whatever the reports say."
    if counts == [panel.k, panel.n - panel.k]:
        votes = f"up to {_counted(panel.k, 'positive vote')}" if panel.k else "with no positive vote"
        end = f"from {panel.n - panel.k:,} on" if panel.k else f"with {panel.n:,}"
        return f"Forecast {percent(forecasts[0])} {votes}, {percent(forecasts[1])} {end}, on a straight line between."
    ends = evaluation.rule([0, panel.n]).tolist()
    return (
        f"Forecast {percent(ends[0])} with no positive vote and {percent(ends[1])} with {panel.n:,}; between as drawn."
    )


def summary_rows(evaluation: PanelEvaluation, steps: Sequence[Change]) -> list[SummaryRow]:
    """Return the table of what one reporter or one bribe more or less changes."""
    own = evaluation.guarantee
    rows = []
    for step in steps:
        panel = f"{step.n:,} with {step.k:,} bribed"
        if step.guarantee is None:
            rows.append(SummaryRow(step.what, panel, "none", "no truthful majority", "none", better=None))
            continue
        change = step.guarantee.expected_loss - own.expected_loss
        same = abs(change) <= SAME
        rows.append(
            SummaryRow(
                step.what, panel, f"{step.guarantee.expected_loss:.6f}",
                "no change" if same else f"{change:+.6f}".replace("-", "−"),
                f"{step.guarantee.regret:.6f}", better=None if same else change < 0,
            )
        )  # fmt: skip
    return rows


def trade_off(evaluation: PanelEvaluation, steps: Sequence[Change]) -> str | None:
    """Return why a bribe seems to lower the guaranteed expected loss; None if it does not."""
    panel, own = evaluation.design.panel, evaluation.guarantee.expected_loss
    for step in steps:
        if step.n == panel.n and step.guarantee is not None:
            change = step.guarantee.expected_loss - own
            if abs(change) > SAME and (change > 0) != (step.k > panel.k):
                return (
                    "A bribe seems to help here. The rule minimises the regret, not the loss: with fewer bribes it "
                    "accepts a larger loss to come closer to the best forecast from the truthful reports."
                )
    return None


def _constant(evaluation: PanelEvaluation) -> bool:
    """Return whether the rule ignores the reports."""
    return len(set(evaluation.rule.forecasts.tolist())) == 1


def _promise(evaluation: PanelEvaluation) -> str:
    """Return the guarantee, compared with the loss without reports."""
    loss, blind = evaluation.guarantee.expected_loss, evaluation.blind
    whatever = "whatever the bribed do" if evaluation.design.panel.k else "however the reports are correlated"
    promise = f"The expected loss is at most {number(loss)}, {whatever}, {CONDITION}."
    promise += f" Without any reports it would be {number(blind)}."
    if loss > blind + SAME:
        promise += " The rule may lose more than without reports: it minimises the regret."
    return promise


def _spelled(count: int) -> str:
    """Return a small number as a word."""
    return _NUMBERS[count] if count < len(_NUMBERS) else f"{count:,}"


def _counted(count: int, name: str) -> str:
    """Return a count with its noun."""
    return f"{count:,} {name}" if count == 1 else f"{count:,} {name}s"
