"""The answer of the JSON API to a calibration: its fields, with types and ranges."""

from pydantic import Field

from bribeproof._text import PROVISO
from bribeproof.explorer.api.fields import CellValue
from bribeproof.explorer.api.responses import ExplanationAnswer, GuaranteeWorth, Response


class LossesAnswer(Response):
    """Upper bounds of the expected loss for three losses, on average over all items; null if none is certified."""

    squared: float | None
    absolute: float | None
    log: float | None


class ByTruth(Response):
    """A number for each truth."""

    negative: float
    positive: float


class ObservedErrors(Response):
    """What is observed on items of one truth, bribed reporters included."""

    error: float = Field(description="Share of reports that are wrong.")
    joint: float = Field(description="Share of pairs of reports that are both wrong.")
    correlation: float | None = Field(description="How far errors go together; null where there are none.")


class ErrorsAnswer(Response):
    """What is known of the errors of truthful reporters on items of one truth."""

    observed: ObservedErrors
    error: list[float] = Field(min_length=2, max_length=2, description="Lower and upper bound.")
    joint: list[float] = Field(min_length=2, max_length=2, description="Lower and upper bound.")
    correlation: list[float] = Field(min_length=2, max_length=2, description="Lower and upper bound.")


class ErrorsByTruth(Response):
    """What is known of errors, for each truth."""

    negative: ErrorsAnswer
    positive: ErrorsAnswer


class EffectiveAnswer(Response):
    """How many reporters with independent errors average errors out like the reports on an item."""

    reports: int = Field(description="Reports on an item.")
    observed: float | None = Field(description="Null where no errors are observed, or nothing but errors.")
    least: float = Field(description="Lower bound.")


class WorthAnswer(Response):
    """Bounds on a truthful reporter's prior and rates, and the resulting guarantees."""

    prior: list[float] = Field(min_length=2, max_length=2, description="Lower and upper bound.")
    tpr: float = Field(description="Lower bound.")
    fpr: float = Field(description="Upper bound.")
    certified: int = Field(description="Number of items with more than 2k reports; the others have no guarantee.")
    expected_loss: LossesAnswer = Field(description=f"On average over the certified items, {PROVISO}.")
    correlation: ByTruth = Field(description="Upper bound of the correlation of two truthful reporters' errors.")
    of_prior: LossesAnswer = Field(description="The guarantee as a share of what the prior alone guarantees.")
    worthless: bool = Field(description="Whether the prior alone guarantees as much of the squared loss.")


class WorthByReports(Response):
    """The guarantee of the squared loss for items with so many reports."""

    reports: list[int] = Field(min_length=2, max_length=2, description="The fewest and the most of these items.")
    items: int
    expected_loss: float | None
    of_prior: float | None = Field(description="As a share of what the prior alone guarantees.")


class WorthByK(WorthAnswer):
    """The bounds for another number of adversaries."""

    k: int


class WorthByGold(WorthAnswer):
    """The bounds that more gold items would give."""

    items: int


class GoldAnswer(Response):
    """Numbers of gold items by their truth."""

    negative: int
    positive: int
    unanswered: int = Field(description="How many of them nobody answered.")
    unsure: int = Field(description="How many of them bribed reporters alone may have chosen.")


class SizeAnswer(Response):
    """How many items have how many reports."""

    reports: int
    items: int


class CalibrateAnswer(WorthAnswer):
    """What the gold items say about a panel."""

    notes: list[str] = Field(description="What was inferred, and warnings.")
    n: int
    k: int
    confidence: float
    positive: str = Field(description="The class that counts as positive.")
    negative: list[str] = Field(description="The other classes.")
    gold: GoldAnswer
    items: list[SizeAnswer]
    uneven: str | None = Field(description="The reporter by whom gold items are seen not to be answered like others.")
    errors: ErrorsByTruth | None = Field(description="What is known of errors; null where joint errors are not used.")
    effective_reporters: EffectiveAnswer | None
    worth: GuaranteeWorth | None = Field(description="What the squared loss is worth; null if nothing is certified.")
    explanation: ExplanationAnswer | None = Field(description="Why it is worth nothing, where it is.")
    condition: str = Field(description="What the guarantees are an average over, and when they hold.")
    by_reports: list[WorthByReports]
    by_k: list[WorthByK]
    more_gold: list[WorthByGold]
    limit: WorthAnswer | None = Field(description="The bounds that any number of gold items would most likely give.")
    reporters: list[dict[str, CellValue]] = Field(
        description="Each reporter's rates with confidence bounds, null if unknown."
    )
