"""Answers of the JSON API: the types in its OpenAPI schema."""

import json
from collections.abc import Mapping
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field, JsonValue

from bribeproof._text import CONDITION
from bribeproof.explorer.api.fields import CellValue
from bribeproof.theory.minimax.remedies import Change, Reason
from bribeproof.theory.model.guarantees import Basis


class Response(BaseModel):
    """Base class of answers: all fields are present, and there are no others."""

    model_config = ConfigDict(extra="forbid", allow_inf_nan=False)


class ErrorResponse(Response):
    """An error message."""

    error: str = Field(description="What arrived, what is allowed and what to do, in one line.")


class ExpertAnswer(Response):
    """Prior and rates of a truthful reporter, or of the effective expert."""

    prior: float
    tpr: float
    fpr: float
    correlation: float | list[float] = Field(
        description="Bound of the correlation of honest errors, one number or one given each state; 1 assumes nothing."
    )


class GuaranteeAnswer(Response):
    """Proven bounds on the loss and the regret of a rule, on average over all items."""

    expected_loss: float = Field(description=f"Upper bound of the expected loss, {CONDITION}.")
    regret: float = Field(description="Upper bound of the regret against a forecast from the truthful reports alone.")
    exact: bool = Field(description="Whether the regret is the smallest possible.")
    basis: Basis = Field(description="How the bounds were derived.")


class Per100(Response):
    """A guarantee per 100 items, each decided by chance with its forecast."""

    unit: Literal["errors", "cost"]
    guaranteed: float
    prior_alone: float


class GuaranteeWorth(Response):
    """A guarantee beside what the prior alone guarantees."""

    expected_loss: float
    prior_alone: float = Field(description="What the prior alone guarantees.")
    share: float | None = Field(description="The guarantee as a share of that; null where it is 0.")
    worthless: bool = Field(description="Whether the prior alone guarantees as much, but for 0.05 % of it.")
    per_100: Per100 | None = Field(
        description="Both per 100 items; null for losses that count neither errors nor costs."
    )


class RemedyAnswer(Response):
    """A change after which a guarantee is worth something."""

    change: Change
    to: float = Field(description="The new k or correlation, or how many times as many reports or gold items.")
    share: float = Field(description="The guarantee then, as a share of what the prior alone guarantees.")


class ExplanationAnswer(Response):
    """Why a guarantee is worth nothing, and what would change that."""

    reason: Reason
    remedies: list[RemedyAnswer]


class RuleAnswer(Response):
    """The optimal rule for one number of adversaries."""

    k: int
    effective_expert: ExpertAnswer | None = Field(description="Null with a bound of the correlation.")
    low: float = Field(description="Forecast if nobody votes positive.")
    high: float = Field(description="Forecast if everybody votes positive.")
    guarantee: GuaranteeAnswer | None
    worth: GuaranteeWorth | None


class PanelAnswer(RuleAnswer):
    """The optimal rule of a panel and its guarantee."""

    n: int
    expert: ExpertAnswer
    loss: str
    explanation: ExplanationAnswer | None = Field(description="Where the guarantee is worth nothing: why.")
    counts: list[int] = Field(description="Numbers of positive votes at the breakpoints of the piecewise linear rule.")
    values: list[float] = Field(description="Forecasts for 0, 1, …, n positive votes.")
    breakdown_point: float | None = Field(
        description="Share of adversaries from which on the prior alone is as good; null where it depends on n."
    )
    max_adversaries: int = Field(
        description="Largest number of adversaries with which the panel beats the prior alone; 0 also where none does."
    )
    effective_reporters: float = Field(description="Number of independent reporters whose errors average out as much.")
    without_reports: float = Field(description="Expected loss of the prior alone.")
    condition: str = Field(description="What the expected losses are an average over, and when they hold.")
    sweep: list[RuleAnswer] = Field(description="The optimal rules for other numbers of adversaries.")


class ScenarioAnswer(Response):
    """A distribution of votes given one state."""

    truthful: list[int] = Field(description="The possible numbers of positive truthful votes.")
    weights: list[float] = Field(description="Their probabilities.")
    adversaries: list[int] = Field(description="Number of adversaries who vote positive in each case.")


class WorstCaseAnswer(Response):
    """The worst case of a rule, with a witness that proves it."""

    n: int
    k: int
    expert: ExpertAnswer
    loss: str
    rule: str = Field(description="Name of the rule.")
    values: list[float] = Field(description="Its forecasts for 0, 1, …, n positive votes.")
    regret: float | None = Field(description="Largest regret; null if infinite.")
    expected_loss: float | None = Field(description="Expected loss in this case; null if infinite.")
    benchmark: float = Field(description="Loss in this case of the best forecast from the truthful votes alone.")
    largest_loss: float | None = Field(description=f"Largest expected loss, {CONDITION}; null if infinite.")
    unbounded: bool = Field(description="Whether a loss is infinite.")
    given_1: ScenarioAnswer = Field(description="The witness: votes given a positive truth.")
    given_0: ScenarioAnswer = Field(description="The witness: votes given a negative truth.")


class PartAnswer(Response):
    """One component of the worst-case mixture."""

    weight: float
    given_1: ScenarioAnswer
    given_0: ScenarioAnswer


class MinimaxAnswer(Response):
    """The minimax rule, with lower and upper bounds on the least worst regret."""

    n: int
    k: int
    expert: ExpertAnswer
    loss: str
    tol: float
    lower: float = Field(description="Lower bound on the worst regret of every rule, proven by the mixture.")
    upper: float = Field(description="Worst regret of this rule.")
    gap: float = Field(description="Gap between the two bounds.")
    converged: bool = Field(description="Whether the gap is at most tol.")
    iterations: int
    largest_loss: float = Field(description=f"Largest expected loss of this rule, {CONDITION}.")
    counts: list[int] = Field(description="Numbers of positive votes at the breakpoints of the piecewise linear rule.")
    values: list[float] = Field(description="Its forecasts for 0, 1, …, n positive votes.")
    mixture: list[PartAnswer] = Field(description="Information structures and strategies, with their probabilities.")


class AggregateAnswer(Response):
    """The answers, one for each item."""

    kind: Literal["scores", "votes", "labels"]
    read_as: str = Field(description="The kind of reports and the columns that were recognised.")
    notes: list[str] = Field(description="What was inferred, and warnings.")
    summary: dict[str, JsonValue] = Field(
        description="Numbers of certified, tied and fragile answers, and the most fragile items."
    )
    items: list[dict[str, CellValue]] = Field(
        description="One object for each item, in order of first appearance; its guarantee, if any, bounds the "
        f"expected loss {CONDITION}."
    )


class BribeAnswer(Response):
    """What the same bribed reporters could have changed, and how far that is proven."""

    kind: Literal["scores", "votes", "labels"]
    read_as: str = Field(description="The kind of reports and the columns that were recognised.")
    notes: list[str] = Field(description="What was inferred, and warnings.")
    sentences: list[str] = Field(description="What was found, in words.")
    summary: dict[str, JsonValue] = Field(
        description="Numbers; among them, of votes and labels, lower and upper: what these could have changed, and a "
        "proven bound for any others; of scores, winner_safe and podium_safe: null where it is not known."
    )
    bribed: list[dict[str, CellValue]] = Field(
        description="Who is bribed, one object each; none where nobody can do anything."
    )
    items: list[dict[str, CellValue]] = Field(
        description="Of votes and labels, the items whose decision they could have changed; of scores, the entries, "
        "with the best and the worst place that the same judges, and others on each item, could have caused."
    )


class CertifyAnswer(Response):
    """How often answers are right whatever k bribed reporters do, bounded by items with a known truth."""

    read_as: str = Field(description="The kind of reports and the columns that were recognised.")
    notes: list[str] = Field(description="What was inferred, and warnings.")
    summary: str = Field(description="What is certified, one sentence a line.")
    rule: str = Field(description="The rule, in words.")
    confidence: float = Field(description="The least probability that each column of bounds holds.")
    gold: int = Field(description="Number of items with a known truth that certify.")
    unanswered: int = Field(description="How many of them have no report, which counts as wrong.")
    reporters: int
    by_k: list[dict[str, CellValue]] = Field(
        description="For each k, or budget: robust, how many gold items are answered rightly whatever they do, and "
        "bounds on all items, such as accuracy_low and per_100."
    )
    condition: str = Field(description="What the bounds are an average over, and when they hold.")
    one_list: dict[str, JsonValue] = Field(description="The same reporters bribed on all items: by_k, and condition.")
    fitted: dict[str, JsonValue] | None = Field(description="The gold items that an isotonic rule was fitted to.")
    best_reporter: dict[str, CellValue] = Field(description="The best single reporter.")
    errors_together: dict[str, CellValue] | None = Field(description="How far errors go together; null if unknown.")
    constant_answer: dict[str, CellValue] = Field(description="The commonest truth as the answer to every item.")
    most_adversaries: CellValue = Field(description="Largest k that leaves more than the constant answer, or null.")


def to_json(document: Mapping[str, object]) -> bytes:
    """Serialise an answer to JSON; other types are written as text.

    Examples
    --------
    >>> to_json({"regret": 0.25, "rule": "majority"})
    b'{"regret": 0.25, "rule": "majority"}'
    """
    return json.dumps(document, allow_nan=False, default=str).encode()
