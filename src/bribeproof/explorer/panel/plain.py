"""Say what a panel is worth without symbols: how many of 100 answers are wrong, and what that costs."""

from collections.abc import Sequence
from dataclasses import dataclass

from bribeproof._text import CONDITION, round_up
from bribeproof._worth import describe_worthless, format_share
from bribeproof.explorer.panel.evaluation import Change, PanelEvaluation, explanation
from bribeproof.explorer.panel.money import money
from bribeproof.explorer.panel.narration import SAME, percent, spelled
from bribeproof.explorer.panel.narration import rule as describe_rule
from bribeproof.explorer.panel.query import PanelQuery
from bribeproof.theory import Loss, Worth


@dataclass(frozen=True, slots=True)
class Step:
    """A panel with one judge or one bribed more or less, in three digits.

    Attributes
    ----------
    what
        The change.
    panel
        The changed panel.
    bound, difference
        The bound, and how much it changes.
    better
        Whether it is lower; None if it stays the same.
    cost
        What 100 answers cost at most in all.
    """

    what: str
    panel: str
    bound: str
    difference: str
    better: bool | None
    cost: str


@dataclass(frozen=True, slots=True)
class Unit:
    """How the bound of a loss is written.

    Attributes
    ----------
    heading
        What is bounded, as a heading.
    axis
        The same with what it is counted in.
    factor
        What the expected loss is multiplied by.
    suffix
        What follows the number.
    """

    heading: str
    axis: str
    factor: float
    suffix: str

    def bound(self, expected_loss: float) -> str:
        """Return an upper bound in three digits, rounded up."""
        scaled = self.factor * expected_loss
        return "infinite" if scaled == float("inf") else round_up(scaled)

    def whole(self, expected_loss: float) -> str:
        """Return an upper bound with what it counts."""
        return self.bound(expected_loss) + self.suffix


def unit(loss: Loss) -> Unit:
    """Return how the bound of a loss is written: of 100 answers where it counts something.

    Examples
    --------
    >>> from bribeproof.theory import get_loss
    >>> unit(get_loss("absolute")).whole(0.15731), unit(get_loss("squared")).whole(0.15731)
    ('15.8 of 100', '0.158')
    """
    counts = Worth(0.0, 0.0, loss).unit
    if counts == "errors":
        return Unit("Wrong answers, at most", "Wrong of 100, at most", 100, " of 100")
    if counts == "cost":
        return Unit("Wrong answers cost at most", "Cost of wrong answers per 100, at most", 100, " per 100")
    heading = f"{loss.name.capitalize()} loss, at most"
    return Unit(heading, heading, 1, "")


def headline(evaluation: PanelEvaluation) -> str:
    """Return the guarantee as one sentence."""
    panel, loss = evaluation.design.panel, evaluation.guarantee.expected_loss
    if not evaluation.design.expert.informative:
        return "Judges who say yes as often when the truth is no tell nothing."
    bound = _bounded(evaluation, loss)
    if evaluation.worth.worthless:
        compared = "more than" if loss > evaluation.blind + SAME else "no better than"
        return f"{_who(panel.n, panel.k)}: at worst {bound}, {compared} without any judge."
    return f"{_who(panel.n, panel.k)}: at worst {bound}."


def comparisons(evaluation: PanelEvaluation) -> str:
    """Return a sentence on the same panel unbribed, or with one bribe, and on having no judges."""
    design, how = evaluation.design, unit(evaluation.design.loss)
    clauses = []
    if design.panel.k:
        clauses.append(f"if nobody can be bribed it is at most {how.bound(evaluation.unbribed.expected_loss)}")
    clauses.append(f"without any judge, answering by the share of yes alone, {how.bound(evaluation.blind)}")
    text = f"{'; '.join(clauses)}."
    return text[0].upper() + text[1:]


def together(evaluation: PanelEvaluation) -> str:
    """Return a sentence on what is assumed of honest errors."""
    design = evaluation.design
    if design.panel.n - design.panel.k == 1:
        return ""
    if not design.paired:
        return "This holds however far the errors of honest judges go together; if they do less, move the slider."
    any_way = unit(design.loss).bound(evaluation.unbounded.expected_loss)
    return (
        f"This holds if the errors of any two honest judges correlate by at most {design.expert.correlation:g}; if "
        f"they may go together in any way, it is at most {any_way}."
    )


def small_print(evaluation: PanelEvaluation) -> str:
    """Return what the bound is an average over, how answers are drawn, and when it holds."""
    drawn = ""
    if Worth(0.0, 0.0, evaluation.design.loss).unit is not None:
        twice = "errs at most twice as often" if _errors(evaluation) else "costs at most twice as much"
        drawn = f" Each answer is yes with the probability that the rule gives; always the likelier answer {twice}."
    return f"Bounds hold {CONDITION}.{drawn}"


def summary(evaluation: PanelEvaluation) -> str:
    """Return the bound and the cost in one line."""
    how, loss = unit(evaluation.design.loss), evaluation.guarantee.expected_loss
    total = f"all costs at most {round_up(money(evaluation.design).total)} per 100"
    if _errors(evaluation):
        return f"At worst {how.bound(loss)} of 100 wrong; {total}"
    return f"{how.heading} {how.whole(loss)}; {total}"


def rule(evaluation: PanelEvaluation) -> str:
    """Return how to decide."""
    panel, aggregator = evaluation.design.panel, evaluation.rule
    ends = (aggregator.counts.tolist(), aggregator.forecasts.tolist())
    if not _errors(evaluation) or ends != ([panel.k, panel.n - panel.k], [0.0, 1.0]):
        return f"{describe_rule(evaluation)} A positive vote is a yes."
    if not panel.k:
        return "Take the share of yes as the probability of yes."
    rest = panel.n - 2 * panel.k
    many = "" if panel.k == 1 else f" {spelled(panel.k)}"
    left = f"take the share of yes among the other {spelled(rest)} as the probability of yes"
    return (
        f"Sort the votes, leave out the{many} lowest and the{many} highest, and "
        f"{'follow the one that is left' if rest == 1 else left}: the {panel.k:,}-trimmed mean."
    )


def worthless(design: PanelQuery) -> str | None:
    """Return why the guarantee is worth nothing, and what would change that; None where it is worth something."""
    why = explanation(design)
    if why is None:
        return None
    text = describe_worthless(why.facts(), "The panel is").replace("reporter", "judge")
    return text.replace("the prior alone guarantees", "is guaranteed without judges")


def share(evaluation: PanelEvaluation) -> str | None:
    """Return the guarantee as a share of what is guaranteed without judges; None where that is 0."""
    worth = evaluation.worth
    if worth.share is None:
        return None
    return f"{format_share(worth.share)} of the {unit(worth.loss).bound(worth.prior_alone)} without judges"


def borne(evaluation: PanelEvaluation) -> tuple[str, str]:
    """Return how many bribed judges a panel bears, and from which share on it is worth nothing."""
    if evaluation.hopeless:
        return "none bribed", "worth nothing even if nobody is"
    most, n = f"{evaluation.most:,} of {evaluation.design.panel.n:,} bribed", evaluation.breakdown
    return most, "with more it is worth nothing" if n is None else f"worth nothing from {percent(n)} on"


def steps(evaluation: PanelEvaluation, changes: Sequence[Change]) -> list[Step]:
    """Return what one judge or one bribed more or less changes, as rows of a table."""
    design, how, own = evaluation.design, unit(evaluation.design.loss), evaluation.guarantee.expected_loss
    rows = []
    for change in changes:
        panel = f"{change.n:,} judges, {change.k:,} bribed"
        if change.guarantee is None:
            rows.append(Step(change.what, panel, "none", "no honest majority", None, "none"))
            continue
        loss = change.guarantee.expected_loss
        difference = how.factor * (loss - own)
        same = abs(loss - own) <= (1e-7 if design.paired else SAME)
        text = "no change" if same else f"{difference:+.3g}".replace("-", "−")
        changed = design.changed(change.n, change.k)
        rows.append(
            Step(
                change.what, panel, how.bound(loss), text, None if same else difference < 0,
                round_up(money(changed).total),
            )
        )  # fmt: skip
    return rows


def _who(n: int, k: int) -> str:
    """Return who judges, and how many of them are bribed."""
    if n == 1:
        return "One judge, not bribed"
    bribed = "none" if not k else spelled(k)
    return f"{spelled(n).capitalize()} judges, {bribed} of them bribed"


def _bounded(evaluation: PanelEvaluation, loss: float) -> str:
    """Return a bound as a clause."""
    how = unit(evaluation.design.loss)
    if _errors(evaluation):
        return f"{how.bound(loss)} of 100 answers are wrong on average"
    if how.factor > 1:
        return f"wrong answers cost {how.bound(loss)} per 100 answers on average"
    return f"the expected {evaluation.design.loss.name} loss of a forecast is {how.bound(loss)}"


def _errors(evaluation: PanelEvaluation) -> bool:
    """Return whether the loss counts wrong answers."""
    return Worth(0.0, 0.0, evaluation.design.loss).unit == "errors"
