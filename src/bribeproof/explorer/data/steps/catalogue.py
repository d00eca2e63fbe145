"""All steps of the page "Your data" after the answers: what each is about, and whether it can be taken."""

from collections.abc import Callable
from dataclasses import dataclass

from bribeproof.errors import ParameterError
from bribeproof.explorer.data.analysis import Analysis
from bribeproof.explorer.data.query import DataQuery
from bribeproof.explorer.data.steps.audit import show_audit
from bribeproof.explorer.data.steps.calibrate import show_calibration
from bribeproof.explorer.data.steps.certify import show_certification
from bribeproof.explorer.data.steps.inputs import Inputs
from bribeproof.explorer.data.steps.result import StepResult
from bribeproof.explorer.data.steps.weigh import show_weights


@dataclass(frozen=True, slots=True)
class Step:
    """One step.

    Attributes
    ----------
    name
        Its name in addresses.
    title, question
        Its heading, and what it answers.
    show
        Function that computes it; None for the search for the same reporters, which the page keeps.
    scores
        Whether scores have it, too.
    truth
        Whether it needs the truth of some items.
    slow
        Whether it takes seconds, so that the others do not wait for it.
    """

    name: str
    title: str
    question: str
    show: Callable[[Inputs], StepResult] | None
    scores: bool = False
    truth: bool = False
    slow: bool = False


SAME = Step("same", "One list", "What could the same few have done to all items?", None, scores=True)
STEPS = (
    SAME,
    Step("certify", "Certify", "How many answers are right, whoever is bribed?", show_certification, truth=True),
    Step(
        "calibrate", "Calibrate", "How reliable is this panel, and what is that worth?", show_calibration, truth=True,
        slow=True,
    ),
    Step("weigh", "Weigh", "What if better reporters count for more?", show_weights),
    Step("audit", "Audit", "Who deviates from the others?", show_audit, scores=True),
)  # fmt: skip
"""The steps, in the order of the page."""

_OF_ITEMS = ("open", "step", "page", "find", "show", "sort")
"""Fields that say which items and steps are shown: the content of a step does not depend on them."""


@dataclass(frozen=True, slots=True)
class StepState:
    """A step on the page of a file.

    Attributes
    ----------
    step
        The step.
    open
        Whether it is open.
    obstacle
        Why it cannot be taken; empty if it can.
    part, address
        The address of its content, and of the page on which it is open.
    """

    step: Step
    open: bool
    obstacle: str
    part: str
    address: str


def step_states(analysis: Analysis, query: DataQuery, *, has_truth: bool) -> list[StepState]:
    """Return the steps that a file has."""
    opened = query.open_steps
    states = []
    for step in STEPS:
        if analysis.scores and not step.scores:
            continue
        obstacle = _obstacle(step, analysis, has_truth=has_truth)
        part = query.address(f"/data/step/{step.name}", k=analysis.k, **dict.fromkeys(_OF_ITEMS, ""))
        states.append(StepState(step, step.name in opened, obstacle, part, query.address(k=analysis.k, step=step.name)))
    return states


def find_step(name: str) -> Step:
    """Return a step by its name.

    Raises
    ------
    ParameterError
        If there is none of this name.
    """
    try:
        return next(step for step in STEPS if step.name == name)
    except StopIteration:
        raise ParameterError(
            f"there is no step {name!r}: use one of {', '.join(step.name for step in STEPS)}"
        ) from None


def _obstacle(step: Step, analysis: Analysis, *, has_truth: bool) -> str:
    """Return why a step cannot be taken."""
    if step is SAME and not analysis.k:
        return "With k = 0 nobody is bribed."
    if step.truth and not has_truth:
        return "This takes the truth of some items: choose its column above the rows, or add a file with it."
    if step is not SAME and analysis.answers.recognised.criteria:
        return "Each judge gives several scores on an item, and this takes one: name the columns of one criterion."
    return ""
