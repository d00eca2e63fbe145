"""What a design is worth, in words that need no mathematics."""

from collections.abc import Sequence
from dataclasses import dataclass

from bribeproof.explorer.panel.evaluation import Change, PanelEvaluation

_NUMBERS = (
    "no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
)  # fmt: skip
_TINY, _RARE = 1e-7, 1e-4
"""Losses and shares that are told apart from 0 only in words; a share as near to 1 likewise."""
SAME = 1e-9
"""Numbers that differ by less are the same: so exact is the solver."""


@dataclass(frozen=True, slots=True)
class SummaryRow:
    """One change of a panel, as numbers to show; the change is better, worse or neither."""

    what: str
    panel: str
    loss: str
    difference: str
    regret: str
    better: bool | None


def number(value: float) -> str:
    """Write a number with four digits that count, as people write it.

    Examples
    --------
    >>> number(0.15837104), number(0.0), number(float("inf"))
    ('0.1584', '0', 'infinite')
    """
    if 0 < value < _TINY:
        return "almost 0"
    return "infinite" if value == float("inf") else f"{value:.4g}"


def percent(share: float) -> str:
    r"""Write a share in per cent.

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


def verdict(found: PanelEvaluation) -> list[str]:
    """Say in a few sentences what the panel is worth."""
    panel, expert, left = found.design.panel, found.design.expert, found.effective
    who = "One reporter" if panel.n == 1 else f"{_spelled(panel.n).capitalize()} reporters"
    are = "is" if panel.n == 1 else "are"
    bribed = f"{_spelled(panel.k)} of them bribed" if panel.k else "not bribed" if panel.n == 1 else "none bribed"
    rates = f"positive in {percent(left.tpr)} of the positive and in {percent(left.fpr)} of the negative cases"
    if not expert.informative:
        return [
            "A reporter who says positive as often when it is not as when it is knows nothing, and neither do many. "
            f"The rule keeps to the prior, and its expected loss is {number(found.blind)}."
        ]
    if not left.informative:
        worth = "nothing: the bribed can make either truth look like the other, and the rule keeps to the prior"
    elif panel.k:
        instead = f" (instead of {percent(expert.tpr)} and {percent(expert.fpr)})"
        worth = f"one honest reporter who says {rates}{instead}"
    else:
        worth = f"one honest reporter who says {rates}"
        worth += "" if panel.n == 1 else "; more is not certain, since all may say the same"
    sentences = [f"{who}, {bribed}, {are} worth {worth}."]
    if left.informative and _constant(found):
        sentences.append("With this prior and this loss that changes no decision: the best is to keep to the prior.")
    return [*sentences, _promise(found)]


def rule(found: PanelEvaluation) -> str:
    """Say what the optimal rule does."""
    panel, counts, forecasts = found.design.panel, found.rule.counts.tolist(), found.rule.forecasts.tolist()
    if _constant(found):
        return f"Always forecast {percent(forecasts[0])}, whatever the reports say."
    if counts == [panel.k, panel.n - panel.k]:
        votes = f"up to {_counted(panel.k, 'positive vote')}" if panel.k else "with no positive vote"
        end = f"from {panel.n - panel.k:,} on" if panel.k else f"with {panel.n:,}"
        return f"Forecast {percent(forecasts[0])} {votes}, {percent(forecasts[1])} {end}, on a straight line between."
    ends = found.rule([0, panel.n]).tolist()
    return (
        f"Forecast {percent(ends[0])} with no positive vote and {percent(ends[1])} with {panel.n:,}; between as drawn."
    )


def table(found: PanelEvaluation, steps: Sequence[Change]) -> list[SummaryRow]:
    """Return what one person more or less changes."""
    own = found.guarantee
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


def trade_off(found: PanelEvaluation, steps: Sequence[Change]) -> str | None:
    """Explain, where it happens, how a bribe can seem to lower the expected loss that is guaranteed."""
    panel, own = found.design.panel, found.guarantee.expected_loss
    for step in steps:
        if step.n == panel.n and step.guarantee is not None:
            change = step.guarantee.expected_loss - own
            if abs(change) > SAME and (change > 0) != (step.k > panel.k):
                return (
                    "A bribe seems to help here. The rule has the least regret, not the least loss: without bribes it "
                    "gives up some loss in the worst case to come nearer to what could have been known."
                )
    return None


def _constant(found: PanelEvaluation) -> bool:
    """Whether the rule forecasts the same whatever the reports say."""
    return len(set(found.rule.forecasts.tolist())) == 1


def _promise(found: PanelEvaluation) -> str:
    """Say what is guaranteed, beside what there is without any reports."""
    loss, blind = found.guarantee.expected_loss, found.blind
    whatever = "whatever the bribed do" if found.design.panel.k else "however the reports hang together"
    promise = (
        f"The expected loss is at most {number(loss)}, {whatever}; without any reports it would be {number(blind)}."
    )
    if loss > blind + SAME:
        promise += " The rule can end up worse than without reports, and accepts that to have the least regret."
    return promise


def _spelled(count: int) -> str:
    """Write a small number as a word."""
    return _NUMBERS[count] if count < len(_NUMBERS) else f"{count:,}"


def _counted(count: int, name: str) -> str:
    """Write a number of things."""
    return f"{count:,} {name}" if count == 1 else f"{count:,} {name}s"
