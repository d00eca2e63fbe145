"""Explain a panel in sentences without formulas."""

from collections.abc import Sequence
from dataclasses import dataclass

from bribeproof._text import CONDITION, round_up
from bribeproof._worth import describe_decisions, describe_worth
from bribeproof.explorer.panel.evaluation import Change, PanelEvaluation, is_sparse
from bribeproof.theory import Worth

_NUMBERS = (
    "no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
)  # fmt: skip
_TINY, _RARE = 1e-7, 1e-4
"""Smaller losses are written "almost 0", smaller shares "under" this; a share as near to 1 likewise."""
SAME = 1e-9
"""Numbers that differ by less are treated as equal: the tolerance of the solver."""
_SAME_PAIRED = 1e-7
"""The same with a bound of the correlation."""
_MANY = 100
"""So many independent reporters and more are given as a whole number."""


@dataclass(frozen=True, slots=True)
class SummaryRow:
    """A changed panel as text; `better` is None if the loss stays the same."""

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
    who = "One reporter" if panel.n == 1 else f"{spelled(panel.n).capitalize()} reporters"
    are = "is" if panel.n == 1 else "are"
    bribed = f"{spelled(panel.k)} of them bribed" if panel.k else "not bribed" if panel.n == 1 else "none bribed"
    rates = f"positive in {percent(left.tpr)} of the positive and in {percent(left.fpr)} of the negative cases"
    if not expert.informative:
        return [
            "Reporters whose hit rate equals their false-alarm rate carry no information. "
            f"The rule forecasts the prior, and its expected loss is {number(evaluation.blind)}."
        ]
    if evaluation.design.paired:
        subject = "Unbribed, they" if panel.k else "They"
        honest = f" {subject} average errors out like {_independent(evaluation)}." if panel.n > 1 else ""
        return [f"{who}, {bribed}.{honest}", *_unchanged(evaluation), *_promise(evaluation)]
    if not left.informative:
        worth = "nothing, so the rule forecasts the prior"
    elif panel.k:
        instead = f" (instead of {percent(expert.tpr)} and {percent(expert.fpr)})"
        worth = f"one honest reporter who says {rates}{instead}"
    else:
        worth = f"one honest reporter who says {rates}"
        worth += "" if panel.n == 1 else "; no more is certain, since all may vote alike"
    sentences = [f"{who}, {bribed}, {are} worth {worth}."]
    return [*sentences, *_unchanged(evaluation), *_promise(evaluation)]


def together(evaluation: PanelEvaluation) -> str:
    """Return a sentence on how far honest errors average out."""
    n = evaluation.design.panel.n
    if n == 1:
        return "One judge's errors do not average out."
    return f"{n:,} judges average errors out like {_independent(evaluation)}."


def _independent(evaluation: PanelEvaluation) -> str:
    """Return how many independent reporters average errors out as much, as a phrase."""
    return "one" if evaluation.reporters == 1 else f"{reporters(evaluation)} independent ones"


def reporters(evaluation: PanelEvaluation) -> str:
    """Return the number of independent reporters whose errors average out as much."""
    return f"{evaluation.reporters:,.{1 if evaluation.reporters < _MANY else 0}f}"


def caveat(evaluation: PanelEvaluation) -> str | None:
    """Return what the numbers with a bound of the correlation need, and what is not known there; None without one."""
    if not evaluation.design.paired:
        return None
    return (
        "With a correlation below 1 the guarantee holds for exactly these rates: reporters who err less often, but "
        "then all at once, can be worse. The regret, and the one honest reporter that a panel is worth, are known only "
        "for errors that may go together in any way, so they are not shown."
    )


def breakdown(evaluation: PanelEvaluation) -> str:
    """Return the caption of the guarantee against the number of bribes."""
    n, most = evaluation.design.panel.n, evaluation.most
    if evaluation.hopeless:
        caption = "Even if nobody is bribed, the prior alone is as good."
    elif evaluation.breakdown is None:
        caption = f"With more than {most:,} of {n:,} bribed, the prior alone is as good."
    else:
        caption = "From the breakdown point on, the prior alone is as good."
    return f"{caption} Computed at the marked numbers alone." if is_sparse(evaluation.design) else caption


def borne(evaluation: PanelEvaluation) -> str:
    """Return how many bribed reporters a panel bears."""
    if evaluation.hopeless:
        return "worth nothing even if nobody is bribed"
    return f"up to {evaluation.most:,} of {evaluation.design.panel.n:,} bribed"


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


def per_100(worth: Worth) -> tuple[str, str] | None:
    """Return the errors or costs per 100 items, guaranteed and by the prior alone; None for other losses."""
    if worth.per_100 is None:
        return None
    text = "{} errors per 100 items" if worth.unit == "errors" else "a cost of {} per 100 items"
    first, second = (text.format(round_up(value)) for value in worth.per_100)
    return first, second


def summary_rows(evaluation: PanelEvaluation, steps: Sequence[Change]) -> list[SummaryRow]:
    """Return the table of what one reporter or one bribe more or less changes."""
    own, rows = evaluation.guarantee, []
    tolerance = _SAME_PAIRED if evaluation.design.paired else SAME
    for step in steps:
        panel = f"{step.n:,} with {step.k:,} bribed"
        if step.guarantee is None:
            rows.append(SummaryRow(panel, "none", "no truthful majority", "none", better=None))
            continue
        change = step.guarantee.expected_loss - own.expected_loss
        same = abs(change) <= tolerance
        rows.append(
            SummaryRow(
                panel, f"{step.guarantee.expected_loss:.6f}",
                "no change" if same else f"{change:+.6f}".replace("-", "−"),
                f"{step.guarantee.regret:.6f}", better=None if same else change < 0,
            )
        )  # fmt: skip
    return rows


def trade_off(evaluation: PanelEvaluation, steps: Sequence[Change]) -> str | None:
    """Return why a bribe seems to lower the guaranteed expected loss; None if it does not."""
    if evaluation.design.paired:
        return None
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


def _unchanged(evaluation: PanelEvaluation) -> list[str]:
    """Return a sentence where reports that carry information change no decision."""
    if not (evaluation.effective.informative and _constant(evaluation)):
        return []
    return ["With this prior and this loss the reports change no decision: the rule forecasts the prior."]


def _promise(evaluation: PanelEvaluation) -> list[str]:
    """Return the guarantee beside what the prior alone guarantees."""
    loss, design, facts = evaluation.guarantee.expected_loss, evaluation.design, evaluation.worth.facts()
    doings = ["whatever the bribed do"] if design.panel.k else []
    if design.paired:
        doings.append(f"if honest errors correlate by at most {design.expert.correlation:g}")
    elif not design.panel.k:
        doings.append("however the reports are correlated")
    promise = [f"The expected loss is {describe_worth(facts)}, {', '.join(doings)}, {CONDITION}."]
    if evaluation.unbounded.expected_loss - loss > _SAME_PAIRED:
        any_way = f"{evaluation.unbounded.expected_loss:.6g}"
        promise.append(f"If honest errors may go together in any way, it is at most {any_way}.")
    if decisions := describe_decisions(facts):
        promise.append(decisions)
    if loss > evaluation.blind + SAME and not design.paired:
        promise.append("The rule may lose more than without reports: it minimises the regret.")
    return [_unbroken(" ".join(promise))]


def _unbroken(text: str) -> str:
    """Keep each number on one line with its percent sign."""
    return text.replace(" %", "\N{NO-BREAK SPACE}%")


def spelled(count: int) -> str:
    """Return a small number as a word, a larger one in digits."""
    return _NUMBERS[count] if count < len(_NUMBERS) else f"{count:,}"


def _counted(count: int, name: str) -> str:
    """Return a count with its noun."""
    return f"{count:,} {name}" if count == 1 else f"{count:,} {name}s"
