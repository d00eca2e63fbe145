"""Requests of the JSON API on reports: their fields, with types and ranges."""

from typing import Annotated, Literal

from pydantic import ConfigDict, Field, ValidationInfo, field_validator
from pydantic_core import PydanticKnownError

from bribeproof._text import parse_number, parse_whole
from bribeproof.errors import ParameterError
from bribeproof.explorer.api.fields import (
    Amount,
    Asked,
    Factor,
    Fields,
    LossFields,
    Names,
    Numbers,
    OneOf,
    Probability,
    Rows,
    Share,
    Statement,
    Text,
    Value,
    Weights,
    example,
    plain_types,
)
from bribeproof.theory import Expert

_MAX_COUNT = 2**31
_LARGEST_SEED = 2**53 - 1
"""Largest integer that JSON numbers hold exactly in every language."""
Prior = Annotated[
    Probability | Annotated[list[Probability], Field(min_length=2, max_length=2)],
    OneOf("a number from 0 to 1, or a list of the lowest and the highest"),
]

_VOTES = [
    {"task": task, "worker": who, "label": int((task, who) != ("t2", "c"))} for task in ("t1", "t2") for who in "abc"
]
_TRUTH = [{"task": "t1", "label": 1}, {"task": "t2", "label": 0}]


class TableFields(Fields):
    """The columns of a table, and how many reporters may be bribed; columns that are not named are inferred."""

    k: int | None = Field(None, ge=0, le=_MAX_COUNT, description="Number of reporters who may be bribed, or of groups.")
    share: Share | None = Field(
        None, description="Instead of k: share of the reporters, below 0.5, rounded down to a number."
    )
    item: Names | None = Field(None, description="Column of the items, or several that name them together.")
    reporter: Text | None = Field(None, description="Column of the reporters, in long form.")
    value: Text | None = Field(None, description="Column of the reports, in long form.")
    judges: list[Text] | None = Field(None, description="Columns of the reporters, in wide form.")
    turned: bool | None = Field(
        None, description="Whether there is a row for each reporter and a column for each item; recognised by default."
    )
    not_items: list[Text] | None = Field(
        None, description='Wide form: names of rows that are no items, such as averages; "none" if all are.'
    )
    missing: list[Value] = Field([], description="Values that mean a missing report, besides null and empty text.")
    repeats: Literal["error", "first", "last", "drop"] = Field(
        "error", description="What to do if a reporter gives different reports on the same item."
    )
    order: Text | None = Field(
        None, description="Column of the time or number by which a report is the first or the last; by default its row."
    )
    positive: Value | None = Field(None, description="The vote that counts as 1; by default 1.")
    classes: list[Value] | None = Field(None, description="All classes in order; of votes the negative one first.")


class ReadingFields(TableFields):
    """How the reports of a table are read."""

    kind: Literal["scores", "votes", "labels"] | None = Field(
        None, description="Kind of the reports; inferred by default."
    )
    decimals: int | None = Field(None, ge=0, le=12, description="Round scores half up to this number of decimals.")
    decimal_mark: Literal[".", ","] | None = Field(None, description="Decimal mark of scores that are text.")
    scale: list[float] | None = Field(
        None,
        min_length=2,
        max_length=2,
        description="The lowest and the highest possible score: any other score is an error, or faulty.",
    )
    better: Literal["high", "low"] | None = Field(
        None, description="Which score is the best: high by default; low of ranks, times and penalties."
    )
    criteria: Literal["judge first", "judge-first", "each"] | None = Field(
        None,
        description="Of scores, where each reporter gives one for each criterion: combine each reporter's first, or "
        "aggregate each criterion first.",
    )
    criterion_weights: Weights | None = Field(
        None, description="Weights of the criteria, whose weighted sum is taken; by default their mean."
    )
    criterion: Text | None = Field(
        None,
        description="Column of the criteria, or those of their scores, taste,look, in long form; in wide form columns "
        "are called J1_tech.",
    )
    label_sets: Literal["whole", "each", "none"] | None = Field(
        None,
        description="Of labels, where a report may hold several: count sets as a whole, vote on each label, or take "
        "each report as one label; asked if reports seem to hold several.",
    )
    label_separator: Text | None = Field(
        None, description='What separates the labels of a report, such as ";"; "list" for lists in brackets.'
    )
    no_label: list[Text] = Field([], description="Texts that stand for a report of no label.")
    labels: list[Text] = Field([], description='With label_sets "each": the labels that are voted on; all by default.')
    total: Text | None = Field(
        None, description='Of scores: "sum of round" or "best of run", where several columns name the items.'
    )
    factor: list[Factor] = Field([], description="Numbers and columns that the score of each item is multiplied by.")
    minus: Text | None = Field(None, description="Column of what is subtracted from the result; empty cells are 0.")

    group: Statement | None = Field(
        None,
        description="What one bribe buys together, such as a nation, which k then counts: a column, or an object from "
        "reporters to groups.",
    )
    price: Statement | None = Field(
        None,
        description="What a group costs, or a reporter without group: a column, or an object from names to prices.",
    )
    budget: Amount | None = Field(None, description="Instead of k: the most that is spent, with price.")


class AggregateFields(LossFields, ReadingFields):
    """Options of an aggregation."""

    asked: Asked | None = Field(
        None,
        description="Statement that each item was given to so many reporters, and that honest ones answer whatever "
        "they are given: a number, or the name of a column. Not stated by default.",
    )
    faulty: Literal["error", "set aside"] = Field(
        "error",
        description="What to do with reports that no honest reporter sends: two different ones on the same item, text "
        "that is no number, a score off the scale, a vote or label outside classes. Who sends a report that is set "
        "aside counts as bribed.",
    )
    share_of: Literal["panel", "item"] = Field(
        "panel", description="Whether share refers to all reporters, or to the reports on each item."
    )
    ties: Literal["none", "first", "last", "random"] = Field(
        "none", description="Which class wins a tie, in the order of the classes."
    )
    seed: int | None = Field(
        None,
        ge=0,
        le=_LARGEST_SEED,
        description="Seed of the random dictator (labels) and of random ties. With three or more classes nobody may "
        "know it before the reports are in.",
    )
    beacon: Text | None = Field(
        None,
        description="Instead of a seed: a public value that came after the reports; the summary tells the seed.",
    )
    prior: Probability | None = Field(None, description="For votes: probability of a positive truth.")
    tpr: Probability | None = Field(
        None, description="For votes: probability that a truthful voter votes positive if the truth is positive."
    )
    fpr: Probability | None = Field(
        None, description="For votes: probability that a truthful voter votes positive if the truth is negative."
    )

    @property
    def expert(self) -> Expert | None:
        """The expert that prior, tpr and fpr describe; None without them."""
        if self.prior is None and self.tpr is None and self.fpr is None:
            return None
        if self.prior is None or self.tpr is None or self.fpr is None:
            raise ParameterError("prior, tpr and fpr describe one truthful voter: give all three, or none")
        return Expert(self.prior, self.tpr, self.fpr)


class AggregateRequest(AggregateFields):
    """A table of reports, and how to aggregate it."""

    model_config = example(rows=_VOTES, k=1)

    rows: Rows = Field(description="The rows of the table, each an object with the columns as keys.")


class BribeRequest(ReadingFields):
    """A table of reports, and how much can be bribed."""

    model_config = example(rows=_VOTES, k=1)

    rows: Rows = Field(description="The rows of the table, each an object with the columns as keys.")
    values: Numbers | None = Field(
        None, description="Votes and labels: what each item counts, a column or an object from items to numbers; 1."
    )
    weights: Numbers | None = Field(
        None, description="Votes and labels: what each reporter's reports count, a column or an object; by default 1."
    )
    time_limit: float | None = Field(
        None, gt=0, le=15, description="Seconds to search, 5 by default; both bounds hold then."
    )
    trim: int | None = Field(
        None,
        ge=0,
        le=_MAX_COUNT,
        description="Scores: how many of the lowest and of the highest marks the rule drops; by default k.",
    )


class FileFields(AggregateFields):
    """How to read a file and aggregate its reports; every field is text."""

    model_config = ConfigDict(strict=False)

    @field_validator("*", mode="before")
    @classmethod
    def _typed_number(cls, value: object, info: ValidationInfo) -> object:
        """Convert the text of a number; pydantic would read 1_0 as 10."""
        types = plain_types(cls.model_fields[str(info.field_name)].annotation)
        if not isinstance(value, str) or str in types or not types & {int, float}:
            return value
        try:
            return parse_whole(value) if int in types else parse_number(value)
        except ValueError:
            raise PydanticKnownError("int_parsing" if int in types else "float_parsing") from None

    @field_validator("scale", mode="before")
    @classmethod
    def _typed_ends(cls, value: object) -> object:
        """Convert the texts of two numbers."""
        if not isinstance(value, list):
            return value
        try:
            return [parse_number(end) if isinstance(end, str) else end for end in value]
        except ValueError:
            raise PydanticKnownError("float_parsing") from None

    criterion_weights: list[Text] | None = Field(
        None, description="Weights of the criteria, such as tech=2; by default their mean is taken."
    )
    group: Text | None = Field(None, description="Column of what one bribe buys together, which k then counts.")
    price: Text | None = Field(None, description="Column of what a group costs, or a reporter without group.")
    sep: Text | None = Field(None, description="Delimiter of CSV: one character, or tab.")
    encoding: Text | None = Field(None, description="Encoding of the file, such as cp1252.")
    format: Literal["csv", "tsv", "parquet", "ndjson", "json", "xlsx", "xls", "ods"] | None = Field(
        None, description="Format of the file, if it differs from the ending of its name."
    )
    header_line: Text | None = Field(None, description="Line of the header, or 1-2, two lines that are one header.")
    sheet: Text | None = Field(None, description="Sheet of a workbook: its name, or its number from 1.")


class GoldFields(TableFields):
    """A table of reports, and the truth of some of its items."""

    rows: Rows = Field(description="The rows of the table, each an object with the columns as keys.")
    truth: Rows | None = Field(None, description="Rows with an item and its truth, each an object.")
    gold: Text | None = Field(None, description="Column of the truth, in truth if given, else in rows.")
    confidence: float = Field(0.95, gt=0, lt=1, description="Confidence level of all statements.")


class CertifyRequest(GoldFields):
    """A table of votes or labels, the truth of some of its items, and how many may be bribed."""

    model_config = example(rows=_VOTES, truth=_TRUTH, k=1)

    rule: Literal["plurality", "isotonic"] = Field(
        "plurality",
        description="plurality: most reports. isotonic: for two classes, a forecast that is fitted to half of the gold "
        "items under attack and certified on the others.",
    )
    group: Statement | None = Field(
        None, description="What one bribe buys together, which k then counts: a column, or an object from reporters."
    )
    price: Statement | None = Field(
        None,
        description="What a group costs, or a reporter without group: a column, or an object from names to prices.",
    )
    budget: Amount | None = Field(None, description="Instead of k: the most that is spent, with price.")
    silence: bool = Field(
        default=True, description="With groups or prices: whether the bribed may also withhold reports, and add some."
    )
    time_limit: float | None = Field(
        None, gt=0, le=15, description="Seconds to search what the same k reporters could do, for each k."
    )
    seed: int = Field(
        0, ge=0, le=_LARGEST_SEED, description="For isotonic: draws the half of the gold items that it is fitted to."
    )


class CalibrateRequest(GoldFields):
    """A table of votes, and the truth of some of its items."""

    model_config = example(rows=_VOTES, truth=_TRUTH, k=1)

    groups: dict[str, Value] | None = Field(None, description="Instead of k: the group of each reporter.")
    bribed_groups: int | None = Field(
        None, ge=0, le=_MAX_COUNT, description="Number of groups that may be bribed as a whole."
    )
    prior: Prior | None = Field(None, description="Probability of a positive truth, or its lowest and highest value.")
