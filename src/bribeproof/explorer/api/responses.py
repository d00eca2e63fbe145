"""What the JSON API answers: the types that its schema promises."""

import json
from collections.abc import Mapping
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field, JsonValue

from bribeproof.explorer.api.requests import CellValue
from bribeproof.theory.model.guarantees import Basis


class Response(BaseModel):
    """Part of an answer: no field is ever missing, and none is there that is not listed."""

    model_config = ConfigDict(extra="forbid", allow_inf_nan=False)


class ErrorResponse(Response):
    """Why there is no answer."""

    error: str = Field(description="What arrived, what is allowed and what to do, in one line.")


class ExpertAnswer(Response):
    """One truthful reporter, or what adversaries leave of him."""

    prior: float
    tpr: float
    fpr: float


class GuaranteeAnswer(Response):
    """What a rule is proven to achieve."""

    expected_loss: float = Field(description="The expected loss never exceeds this.")
    regret: float = Field(description="The worst regret against whoever sees the truthful reports alone.")
    exact: bool = Field(description="Whether no rule has a smaller worst regret.")
    basis: Basis = Field(description="What the numbers rest on.")


class RuleAnswer(Response):
    """The optimal rule for one number of adversaries."""

    k: int
    effective_expert: ExpertAnswer
    low: float = Field(description="Forecast where nobody votes positive.")
    high: float = Field(description="Forecast where all vote positive.")
    guarantee: GuaranteeAnswer | None


class PanelAnswer(RuleAnswer):
    """What a panel is worth."""

    n: int
    expert: ExpertAnswer
    loss: str
    counts: list[int] = Field(description="Numbers of positive votes where the rule bends.")
    values: list[float] = Field(description="Forecasts for 0, 1, …, n positive votes.")
    breakdown_point: float = Field(description="From this share of adversaries on the panel is worth nothing.")
    max_adversaries: int = Field(description="So many adversaries it survives.")
    sweep: list[RuleAnswer] = Field(description="The same for other numbers of adversaries.")


class ScenarioAnswer(Response):
    """What happens given one state."""

    truthful: list[int] = Field(description="The possible numbers of positive truthful votes.")
    weights: list[float] = Field(description="Their probabilities.")
    adversaries: list[int] = Field(description="How many adversaries vote positive at each.")


class WorstCaseAnswer(Response):
    """The worst case of a rule, with a witness."""

    n: int
    k: int
    expert: ExpertAnswer
    loss: str
    rule: str = Field(description="Name of the rule.")
    values: list[float] = Field(description="Its forecasts for 0, 1, …, n positive votes.")
    regret: float | None = Field(description="Largest regret; null where it is infinite.")
    expected_loss: float | None = Field(description="Expected loss there; null where it is infinite.")
    benchmark: float = Field(description="Loss there of a forecast from the truthful votes alone.")
    largest_loss: float | None = Field(description="Largest expected loss of all; null where it is infinite.")
    unbounded: bool = Field(description="Whether a loss is infinite.")
    given_1: ScenarioAnswer = Field(description="The witness: what happens given a positive truth.")
    given_0: ScenarioAnswer = Field(description="The witness: what happens given a negative truth.")


class PartAnswer(Response):
    """One part of Nature's mixture."""

    weight: float
    given_1: ScenarioAnswer
    given_0: ScenarioAnswer


class MinimaxAnswer(Response):
    """The rule with the least worst regret, and what proves it."""

    n: int
    k: int
    expert: ExpertAnswer
    loss: str
    tol: float
    lower: float = Field(description="No rule has a smaller worst regret: the mixture proves it.")
    upper: float = Field(description="Worst regret of this rule.")
    gap: float = Field(description="Distance of the two bounds.")
    converged: bool = Field(description="Whether the gap is at most tol.")
    iterations: int
    largest_loss: float = Field(description="Largest expected loss of this rule.")
    counts: list[int] = Field(description="Numbers of positive votes where the rule bends.")
    values: list[float] = Field(description="Its forecasts for 0, 1, …, n positive votes.")
    mixture: list[PartAnswer] = Field(description="Structures and strategies, drawn with these weights.")


class AggregateAnswer(Response):
    """One answer for each item."""

    kind: Literal["scores", "votes", "labels"]
    read_as: str = Field(description="What was recognised.")
    notes: list[str] = Field(description="What was guessed, and what stands out.")
    summary: dict[str, JsonValue] = Field(description="How many answers are certified, tied, fragile or movable.")
    items: list[dict[str, CellValue]] = Field(description="One object for each item, in order of first appearance.")


class LossesAnswer(Response):
    """The expected loss that is never exceeded, by the loss."""

    squared: float
    absolute: float
    log: float


class WorthAnswer(Response):
    """Bounds of a truthful reporter's prior and rates, and what follows."""

    prior: list[float] = Field(min_length=2, max_length=2, description="Lowest and highest.")
    tpr: float = Field(description="At least this.")
    fpr: float = Field(description="At most this.")
    expected_loss: LossesAnswer


class WorthByK(WorthAnswer):
    """The same for another number of adversaries."""

    k: int


class WorthByGold(WorthAnswer):
    """The same for more items with a known truth."""

    items: int


class GoldAnswer(Response):
    """Items with a known truth."""

    negative: int
    positive: int


class CalibrateAnswer(WorthAnswer):
    """What a panel is worth by the items with a known truth."""

    notes: list[str] = Field(description="What was guessed, and what stands out.")
    n: int
    k: int
    confidence: float
    gold: GoldAnswer
    by_k: list[WorthByK]
    more_gold: list[WorthByGold]
    reporters: list[dict[str, CellValue]] = Field(description="Each reporter's rates with bounds, null if unknown.")


def to_json(document: Mapping[str, object]) -> bytes:
    """Write an answer; what JSON has no form for becomes text.

    Examples
    --------
    >>> to_json({"regret": 0.25, "rule": "majority"})
    b'{"regret": 0.25, "rule": "majority"}'
    """
    return json.dumps(document, allow_nan=False, default=str).encode()
