"""The reports of a table whose reading is known, and how they are combined for some k."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from bribeproof._validation import check_better
from bribeproof.aggregation.combine import COMBINE, VALUE_PARAMETERS, split_options
from bribeproof.aggregation.criteria import combine_criteria
from bribeproof.aggregation.decided_sets import LABELS_OF_ITEMS
from bribeproof.aggregation.total_rule import TotalRule
from bribeproof.errors import ParameterError
from bribeproof.frames.commitment import Draw, resolve_draw
from bribeproof.frames.native import to_polars
from bribeproof.frames.reading.direction import ask_direction
from bribeproof.frames.reading.kinds import Kind
from bribeproof.frames.reading.label_sets import ordinary_options
from bribeproof.frames.reading.reading import Reading
from bribeproof.frames.reports import Reports
from bribeproof.frames.schema import ReportSchema
from bribeproof.frames.validation import validate_reports

_ONLY_FOR: Mapping[str, tuple[Kind, ...]] = {
    "decimals": ("scores",),
    "decimal_mark": ("scores",),
    "better": ("scores",),
    "scale": ("scores",),
    "classes": ("votes", "labels"),
    "ties": ("votes", "labels"),
    "seed": ("votes", "labels"),
    "beacon": ("votes", "labels"),
    "positive": ("votes",),
    "expert": ("votes",),
    "loss": ("votes",),
}
"""The options that apply to some kinds of reports only."""


@dataclass(frozen=True, slots=True, eq=False)
class RecognisedReports:
    """The validated reports of a table, and how they are combined.

    Attributes
    ----------
    frame
        The table in the form that its reading names.
    reading
        How it is read.
    reports
        Its reports.
    better
        Which score is the best, ``"high"`` or ``"low"``.
    options
        The options of `COMBINE`, without k.
    draw
        The draw, if there is one.
    """

    frame: Any
    reading: Reading
    reports: Reports
    better: str
    options: Mapping[str, Any]
    draw: Draw | None

    @classmethod
    def of(cls, frame: Any, reading: Reading, options: Mapping[str, Any]) -> "RecognisedReports":
        """Validate the reports of a table in the form that its reading names.

        Parameters
        ----------
        frame, reading
            The table and how it is read.
        options
            The options of `aggregate` that a reading does not hold, and the missing values as they were given; None
            where nothing is given.

        Raises
        ------
        ParameterError
            If an option does not apply to this kind of reports.
        QuestionError
            If scores may be ranks, times or penalties, and it is not stated which is the best.
        """
        options = {**stated_options(reading), **options}
        if name := inapplicable_option(reading.kind, options):
            raise ParameterError(f"{name} does not apply to {reading.kind}; leave it out, or give another kind")
        if TotalRule.of(reading.stated) and reading.kind != "scores":
            raise ParameterError(f"total, factor and minus compute with scores, and these are {reading.kind}")
        check_better(better := options.get("better") or "high")
        schema, rest = recognised_options(reading, options)
        reports = validate_recognised(frame, reading, schema)
        if reading.kind == "scores" and options.get("better") is None:
            ask_direction(reports)
        rest, draw = resolve_draw(reports, rest)
        return cls(frame, reading, reports, better, rest, draw)

    @property
    def rule(self) -> TotalRule:
        """What follows the aggregation of each item."""
        return TotalRule.of(self.reading.stated)

    @property
    def bribed_on_each(self) -> str:
        """On what the bribed reporters may be others."""
        criteria, sets = self.reading.criteria, self.reading.label_sets
        part = "item and criterion" if criteria and criteria.how == "each" else "item"
        part = LABELS_OF_ITEMS if sets and sets.how == "each" else part
        return self.rule.bribed_on_each(self.reading.items, part) if self.rule else part

    def combine(self, k: int | None, reports: Reports | None = None, **more: Any) -> Any:
        """Return the answers for k, in a frame of the kind that came in; `reports` replace those of the table."""
        reports = self.reports if reports is None else reports
        options = {**self.options, **more}
        return combine_recognised(reports, self.frame, self.reading, k, rule=self.rule, better=self.better, **options)


def validate_recognised(frame: Any, recognised: Reading, schema: ReportSchema) -> Reports:
    """Return the validated reports of a frame in the form that its reading names."""
    if recognised.criteria and isinstance(schema.asked, str):
        raise ParameterError("asked: with several criteria state a count of reporters, such as asked=5, and no column")
    # Of several criteria, people are counted when their reports are together.
    counted = replace(schema, asked=None) if recognised.criteria else schema
    shifts = recognised.criteria is None
    reports = validate_reports(frame, counted, scores=recognised.kind == "scores", shifts=shifts)
    return replace(reports, schema=schema)


def combine_recognised(
    reports: Reports,
    frame: Any,
    recognised: Reading,
    k: int | None,
    *,
    rule: TotalRule | None = None,
    better: str = "high",
    **options: Any,
) -> Any:
    """Return the results of items, or of the totals of their parts, as a frame of the kind that came in.

    Parameters
    ----------
    reports
        What `validate_recognised` returns.
    frame, recognised
        The frame, and how it is read.
    k
        How many reporters may be bribed.
    rule
        What follows the aggregation of each item.
    better
        Which score is the best, ``"high"`` or ``"low"``.
    **options
        Those of `COMBINE`.
    """
    if recognised.criteria:
        items = combine_criteria(reports, recognised.criteria, k, **options)
    else:
        items = COMBINE[recognised.kind](reports, k, **options)
    if not rule:
        return items
    table = rule.apply(to_polars(items), frame, recognised, better=better, decimals=options.get("decimals"))
    return reports.to_native(table, {})


def stated_options(reading: Reading) -> dict[str, Any]:
    """Return the options of `aggregate` that a reading holds beside its columns."""
    stated = reading.stated
    return {
        "missing": reading.missing, "repeats": stated.repeats or "error", "order": reading.columns.order or None,
        "decimal_mark": stated.decimal_mark, "scale": stated.scale, "better": stated.better,
    }  # fmt: skip


def recognised_options(recognised: Reading, options: Mapping[str, Any]) -> tuple[ReportSchema, dict[str, Any]]:
    """Return the schema of a recognised frame and the options of `COMBINE`, without those that are not given.

    The order of scores is none of them: it decides places, which a result does not hold. Where ``faulty`` is None,
    errors do not offer it.
    """
    where, options = recognised.columns, ordinary_options(recognised.label_sets, options)
    columns = {"item": where.item, "reporter": where.reporter, "judges": where.judges or None}
    columns[VALUE_PARAMETERS[recognised.kind]] = where.value
    given = {
        name: option
        for name, option in options.items()
        if (option is not None or name == "faulty")
        and name != "better"
        and recognised.kind in _ONLY_FOR.get(name, (recognised.kind,))
    }
    schema, rest = split_options(recognised.kind, columns | given)
    if recognised.label_sets and recognised.label_sets.how == "none":
        schema = replace(schema, may_be_sets=False)
    return schema, rest


def inapplicable_option(kind: str, options: Mapping[str, Any]) -> str | None:
    """Return the first option that is given and does not apply to this kind of reports; None if all apply.

    Examples
    --------
    >>> inapplicable_option("labels", {"ties": "first", "decimals": 2})
    'decimals'
    """
    given = (
        name
        for name, option in options.items()
        if not (option is None or (isinstance(option, str) and option == "none"))
    )
    return next((name for name in given if kind not in _ONLY_FOR.get(name, (kind,))), None)
