"""Types of the fields of requests, and the fields that several requests have."""

from dataclasses import dataclass
from types import UnionType
from typing import Annotated, Any, Literal, TypeAlias, Union, cast, get_args, get_origin

from pydantic import BaseModel, ConfigDict, Field, GetCoreSchemaHandler
from pydantic_core import CoreSchema

from bribeproof.errors import ParameterError
from bribeproof.theory import Loss, cost, get_loss


@dataclass(frozen=True, slots=True)
class OneOf:
    """Replace the errors of a union of types by one sentence on what is allowed."""

    allowed: str

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        """Return the schema of the union with an error message of its own."""
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
MAX_ROWS = 1_000_000
"""An answer has to fit in memory several times."""
Rows = Annotated[list[Row], Field(fail_fast=True, max_length=MAX_ROWS)]
Share = Annotated[float | str, OneOf('a share from 0 to below 0.5, such as 0.2 or "1/5"')]
Asked = Annotated[
    Annotated[int, Field(ge=1, le=2**31)] | Text, OneOf("a whole number of at least 1, or the name of a column")
]
Names = Annotated[Text | Annotated[list[Text], Field(min_length=1)], OneOf("the name of a column, or a list of names")]
Statement = Annotated[
    Text | Annotated[dict[Text, Text | int | float], Field(min_length=1)],
    OneOf("the name of a column, or an object with a text or a number for each name"),
]
Numbers = Annotated[
    Text | Annotated[dict[Text, float], Field(min_length=1)],
    OneOf("the name of a column, or an object with a number for each name"),
]
Amount = Annotated[int | float | Text, OneOf('a number of at least 0, or text such as "1/3"')]
Factor = Annotated[Text | int | float, OneOf("a number, or the name of a column")]
Weights = Annotated[
    dict[Text, Annotated[Text | int | float, OneOf('a number above 0, or text such as "1/3"')]] | list[Text],
    OneOf('an object such as {"tech": 2}, or a list such as ["tech=2"]'),
]


def example(**fields: Any) -> ConfigDict:
    """Return a model configuration with an example request."""
    return ConfigDict(json_schema_extra={"examples": [fields]})


class Fields(BaseModel):
    """Base class of requests: unknown fields and values of another type are errors."""

    model_config = ConfigDict(extra="forbid", strict=True, allow_inf_nan=False)


class LossFields(Fields):
    """The loss function of the forecast."""

    loss: Literal["squared", "absolute", "log", "cost"] = Field(
        "squared", description="Loss function that the forecast minimises."
    )
    false_positive: float | None = Field(None, gt=0, description='With loss "cost": price of a false positive.')
    false_negative: float | None = Field(None, gt=0, description='With loss "cost": price of a false negative.')

    @property
    def chosen_loss(self) -> Loss:
        """The loss function, with its prices."""
        positive, negative = self.false_positive, self.false_negative
        if self.loss == "cost" and positive is not None and negative is not None:
            return cost(false_positive=positive, false_negative=negative)
        if self.loss == "cost" or positive is not None or negative is not None:
            raise ParameterError(
                "false_positive and false_negative are the prices of loss='cost': give all three, or none"
            )
        return get_loss(self.loss)


def plain_types(annotation: object) -> frozenset[object]:
    """Return the plain types in a union, however it is annotated.

    Examples
    --------
    >>> plain_types(Annotated[int, Field(ge=0)] | list[str]) == {int, list}
    True
    """
    if hasattr(annotation, "__metadata__"):
        return plain_types(get_args(annotation)[0])
    if get_origin(annotation) in (Union, UnionType):
        return frozenset().union(*map(plain_types, get_args(annotation)))
    return frozenset({get_origin(annotation) or annotation})
