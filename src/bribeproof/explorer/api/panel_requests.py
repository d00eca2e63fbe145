"""Requests of the JSON API on panels: their fields, with types and ranges."""

from typing import Annotated, Literal

from pydantic import Field

from bribeproof.explorer.api.fields import LossFields, OneOf, Probability, example
from bribeproof.theory import Expert, Panel

MAX_REPORTERS = 100_000
"""An answer lists a forecast for each number of positive votes."""
Rule = Annotated[
    Literal["optimal", "trimmed_mean", "mean", "median", "majority"]
    | Annotated[list[Probability], Field(max_length=MAX_REPORTERS + 1)],
    OneOf("optimal, trimmed_mean, mean, median, majority, or a list of n + 1 numbers from 0 to 1"),
]
_VOTER = {"prior": 0.5, "tpr": 0.8, "fpr": 0.1}


class DesignRequest(LossFields):
    """A panel and one truthful reporter."""

    n: int = Field(ge=1, le=MAX_REPORTERS, description="Number of reporters, more than 2k.")
    k: int = Field(0, ge=0, le=MAX_REPORTERS, description="Number of reporters who may be bribed.")
    prior: Probability = Field(description="Probability of a positive truth.")
    tpr: Probability = Field(
        description="Probability that a truthful reporter votes positive if the truth is positive."
    )
    fpr: Probability = Field(
        description="Probability that a truthful reporter votes positive if the truth is negative."
    )

    @property
    def panel(self) -> Panel:
        """Numbers of reporters and adversaries."""
        return Panel(self.n, self.k)

    @property
    def expert(self) -> Expert:
        """Prior and rates of a truthful reporter."""
        return Expert(self.prior, self.tpr, self.fpr)


class PanelRequest(DesignRequest):
    """A panel, and how far the errors of its truthful reporters go together."""

    model_config = example(n=10, k=2, **_VOTER)

    correlation: Probability | Annotated[list[Probability], Field(min_length=2, max_length=2)] = Field(
        1.0,
        description="Bound of the correlation of honest errors, from 0 (pairwise independent) to 1 (any): one number, "
        "or one if the truth is positive and one if it is negative.",
    )

    @property
    def expert(self) -> Expert:
        """Prior and rates of a truthful reporter, and the correlation of errors."""
        given = self.correlation
        return Expert(self.prior, self.tpr, self.fpr, (given[0], given[1]) if isinstance(given, list) else given)


class WorstCaseRequest(DesignRequest):
    """A rule and the panel it is applied to."""

    model_config = example(n=4, k=1, rule=[0, 0.25, 0.5, 0.75, 1], **_VOTER)

    rule: Rule = Field("optimal", description="Name of a rule, or its forecasts for 0, 1, …, n positive votes.")


class MinimaxRequest(DesignRequest):
    """A panel, and the tolerance of its minimax rule."""

    model_config = example(n=10, k=0, loss="log", **_VOTER)

    tol: float = Field(1e-9, gt=0, le=1, description="Largest gap between the two bounds.")
