"""What the JSON API is asked: the fields of its requests, their types and ranges."""

from dataclasses import dataclass
from typing import Annotated, Any, Literal, TypeAlias, cast

from pydantic import BaseModel, ConfigDict, Field, GetCoreSchemaHandler
from pydantic_core import CoreSchema

from bribeproof.errors import ParameterError
from bribeproof.theory import Expert, Loss, Panel, cost, get_loss

MOST_REPORTERS = 100_000
"""A rule is listed with its forecast for each number of positive votes."""
_MOST_HEADS = 2**31
_LARGEST_SEED = 2**53 - 1
"""JSON numbers are exact up to here in every language."""


@dataclass(frozen=True, slots=True)
class OneOf:
    """Says in one sentence what is allowed where a value may be of several types."""

    allowed: str

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        """Return the check of the types with an error of its own."""
        schema: dict[str, Any] = dict(handler(source))
        if schema["type"] == "nullable":
            schema["schema"] = self._refusing(schema["schema"])
        return cast("CoreSchema", schema if schema["type"] == "nullable" else self._refusing(schema))

    def _refusing(self, schema: dict[str, Any]) -> dict[str, Any]:
        return {**schema, "custom_error_type": "one_of", "custom_error_message": self.allowed}


Text = Annotated[str, Field(min_length=1)]
Probability = Annotated[float, Field(ge=0, le=1)]
Value = Annotated[str | bool | int | float, OneOf("text, a number, true or false")]
CellValue = Annotated[str | bool | int | float | None, OneOf("text, a number, true, false or null")]
Row: TypeAlias = dict[str, CellValue]
Rows = Annotated[list[Row], Field(fail_fast=True)]
Share = Annotated[float | str, OneOf('a share from 0 to below 0.5, such as 0.2 or "1/5"')]
Rule = Annotated[
    Literal["optimal", "trimmed_mean", "mean", "median", "majority"]
    | Annotated[list[Probability], Field(max_length=MOST_REPORTERS + 1)],
    OneOf("optimal, trimmed_mean, mean, median, majority, or a list of n + 1 numbers from 0 to 1"),
]
Prior = Annotated[
    Probability | Annotated[list[Probability], Field(min_length=2, max_length=2)],
    OneOf("a number from 0 to 1, or a list of the lowest and the highest"),
]


_VOTER = {"prior": 0.5, "tpr": 0.8, "fpr": 0.1}
_VOTES = [
    {"task": task, "worker": who, "label": int((task, who) != ("t2", "c"))} for task in ("t1", "t2") for who in "abc"
]
_TRUTH = [{"task": "t1", "label": 1}, {"task": "t2", "label": 0}]


def _example(**fields: Any) -> ConfigDict:
    """Show a request that is answered."""
    return ConfigDict(json_schema_extra={"examples": [fields]})


class Fields(BaseModel):
    """Fields of a request: a name that is unknown is an error, and so is a value of another type."""

    model_config = ConfigDict(extra="forbid", strict=True, allow_inf_nan=False)


class LossFields(Fields):
    """The loss that the forecast minimises."""

    loss: Literal["squared", "absolute", "log", "cost"] = Field("squared", description="Loss of the forecast.")
    false_positive: float | None = Field(None, gt=0, description='With "cost": price of a false positive.')
    false_negative: float | None = Field(None, gt=0, description='With "cost": price of a false negative.')

    @property
    def chosen_loss(self) -> Loss:
        """The loss, with its prices where it has some."""
        positive, negative = self.false_positive, self.false_negative
        if self.loss == "cost" and positive is not None and negative is not None:
            return cost(false_positive=positive, false_negative=negative)
        if self.loss == "cost" or positive is not None or negative is not None:
            raise ParameterError(
                "false_positive and false_negative are the prices of loss='cost': give all three, or none"
            )
        return get_loss(self.loss)


class PanelRequest(LossFields):
    """A panel and one truthful reporter."""

    model_config = _example(n=10, k=2, **_VOTER)

    n: int = Field(ge=1, le=MOST_REPORTERS, description="Number of reporters, more than 2k.")
    k: int = Field(0, ge=0, le=MOST_REPORTERS, description="How many of them may be bribed.")
    prior: Probability = Field(description="Probability of a positive truth.")
    tpr: Probability = Field(description="How often a truthful reporter says positive when it is.")
    fpr: Probability = Field(description="How often a truthful reporter says positive when it is not.")

    @property
    def seats(self) -> Panel:
        """The panel."""
        return Panel(self.n, self.k)

    @property
    def expert(self) -> Expert:
        """The truthful reporter."""
        return Expert(self.prior, self.tpr, self.fpr)


class WorstCaseRequest(PanelRequest):
    """A rule and the panel that it is for."""

    model_config = _example(n=4, k=1, rule=[0, 0.25, 0.5, 0.75, 1], **_VOTER)

    rule: Rule = Field("optimal", description="Name of a rule, or its forecasts for 0, 1, …, n positive votes.")


class MinimaxRequest(PanelRequest):
    """A panel whose best rule is wanted."""

    model_config = _example(n=10, k=0, loss="log", **_VOTER)

    tol: float = Field(1e-9, gt=0, le=1, description="Largest distance of the two bounds.")


class TableFields(Fields):
    """Which columns hold what, and how many reporters may be bribed; what is not said is recognised."""

    k: int | None = Field(None, ge=0, le=_MOST_HEADS, description="How many reporters may be bribed: a head count.")
    share: Share | None = Field(None, description="Instead of k: a share below 0.5, turned into a count.")
    item: Text | None = Field(None, description="Column of the items.")
    reporter: Text | None = Field(None, description="Column of the reporters, in long form.")
    value: Text | None = Field(None, description="Column of the reports, in long form.")
    judges: list[Text] | None = Field(None, description="Columns of the reporters, in wide form.")
    missing: list[Value] = Field([], description="Values that stand for no report, beside null and empty text.")
    repeats: Literal["error", "first", "last", "drop"] = Field(
        "error", description="If a reporter reports twice on an item, differently."
    )
    positive: Value | None = Field(None, description="The vote that counts as 1; by default 1.")
    classes: list[Value] | None = Field(None, description="All classes in order; of votes the negative one first.")


class AggregateFields(LossFields, TableFields):
    """How reports are combined."""

    kind: Literal["scores", "votes", "labels"] | None = Field(None, description="What the reports are.")
    share_of: Literal["panel", "item"] = Field("panel", description="A share of all reporters, or of each item's.")
    ties: Literal["none", "first", "last", "random"] = Field("none", description="Who wins a tie, in class order.")
    seed: int | None = Field(None, ge=0, le=_LARGEST_SEED, description="Draws the random dictator, or random ties.")
    prior: Probability | None = Field(None, description="Of votes: probability of a positive truth.")
    tpr: Probability | None = Field(None, description="Of votes: how often a truthful voter says positive when it is.")
    fpr: Probability | None = Field(None, description="Of votes: how often he says positive when it is not.")
    decimals: int | None = Field(None, ge=0, le=12, description="Round scores half up to so many decimals.")
    decimal_mark: Literal[".", ","] | None = Field(None, description="Decimal mark of scores that are text.")

    @property
    def voter(self) -> Expert | None:
        """The truthful voter, if one is described."""
        if self.prior is None and self.tpr is None and self.fpr is None:
            return None
        if self.prior is None or self.tpr is None or self.fpr is None:
            raise ParameterError("prior, tpr and fpr describe a voter together: give all three, or none")
        return Expert(self.prior, self.tpr, self.fpr)


class AggregateRequest(AggregateFields):
    """A table of reports, and how they are combined."""

    model_config = _example(rows=_VOTES, k=1)

    rows: Rows = Field(description="One object for each row of the table, by column.")


class FileFields(AggregateFields):
    """How a file is read, and its reports are combined; every field is text."""

    model_config = ConfigDict(strict=False)

    sep: Text | None = Field(None, description="Delimiter of CSV: one character, or tab.")
    encoding: Text | None = Field(None, description="Encoding of the file, such as cp1252.")
    format: Literal["csv", "tsv", "parquet", "ndjson", "json"] | None = Field(
        None, description="Format of the file, where its ending does not say it."
    )


class CalibrateRequest(TableFields):
    """A table of votes, and the truth of some of its items."""

    model_config = _example(rows=_VOTES, truth=_TRUTH, k=1)

    rows: Rows = Field(description="One object for each row of the table, by column.")
    truth: Rows | None = Field(None, description="Rows with an item and its truth.")
    gold: Text | None = Field(None, description="Column of the truth, among those of truth, else of rows.")
    groups: dict[str, Value] | None = Field(None, description="Instead of k: the group of each reporter.")
    bribed_groups: int | None = Field(None, ge=0, le=_MOST_HEADS, description="How many groups may be bribed.")
    confidence: float = Field(0.95, gt=0, lt=1, description="How sure what is said has to be.")
    prior: Prior | None = Field(None, description="Probability of a positive truth, or its lowest and highest value.")
