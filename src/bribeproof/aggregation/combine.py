"""Aggregate validated reports: the part of `aggregate_votes` and its siblings that follows validation."""

from collections.abc import Callable, Mapping
from typing import Any

import narwhals.stable.v2 as nw

from bribeproof._warnings import warn
from bribeproof.aggregation.contradictions import describe_contradictions
from bribeproof.aggregation.exact_sums import find_sums
from bribeproof.aggregation.kernels import counts, labels, labels_sparse, scores, scores_eager, scores_lazy, votes
from bribeproof.aggregation.kernels.cost_decisions import decision_threshold, follow_forecasts
from bribeproof.aggregation.kernels.status import DESIGN, K, M, sizes, with_sizes
from bribeproof.calibration.result import Calibration, expert_for
from bribeproof.errors import ParameterError, ParameterTypeError
from bribeproof.frames.adversary_count import AdversaryCount
from bribeproof.frames.asked import per_item
from bribeproof.frames.label_classes import Classes, binary_classes, find_classes
from bribeproof.frames.native import collect
from bribeproof.frames.native.backends import distinct_names
from bribeproof.frames.reports import Reports
from bribeproof.frames.schema import ITEM, VALUE, ReportSchema
from bribeproof.theory import CostWeighted, Expert, ExpertInterval, Loss, Panel, PiecewiseLinear, get_loss
from bribeproof.theory.minimax.optimal import least_loss_rule
from bribeproof.theory.model.experts import check_expert

TIE_RULES = ("none", "first", "last", "random")
MOST_SHARES = 1000
"""With more classes than this, labels get no column of shares per class."""
VALUE_PARAMETERS: Mapping[str, str] = {"scores": "score", "votes": "vote", "labels": "label"}
"""The parameter that names the column of the reports, for each kind of report."""
_SCHEMA_PARAMETERS = (
    "item", "reporter", "judges", "missing", "repeats", "order", "decimal_mark", "positive", "classes", "asked",
    "faulty", "scale",
)  # fmt: skip


def combine_scores(
    reports: Reports,
    k: int | None = None,
    *,
    share: object = None,
    share_of: str = "panel",
    decimals: int | None = None,
) -> Any:
    """Compute what `aggregate_scores` returns, from validated reports."""
    heads = AdversaryCount.resolve(k, share, share_of, reports.panel)
    sums = find_sums(reports.rows, reports.panel, decimals)
    numbers = ["estimate", "range_low", "range_high"]
    columns = [*numbers, "dropped_low", "dropped_high", "status"]

    def answer(part: Reports) -> nw.LazyFrame[Any]:
        reduce = scores_eager.reduce if part.in_memory else scores_lazy.reduce
        items = scores.finish(reduce(part, heads, sums), sums, decimals)
        return items.with_columns(nw.col(*numbers) + float(reports.offset)) if reports.offset else items

    return reports.finish(answer, [*sizes(reports.schema), *columns])


def combine_votes(
    reports: Reports,
    k: int | None = None,
    *,
    expert: Expert | ExpertInterval | Calibration | None = None,
    loss: str | Loss = "squared",
    share: object = None,
    share_of: str = "panel",
    ties: str = "none",
    seed: int | None = None,
) -> Any:
    """Compute what `aggregate_votes` returns, from validated reports."""
    _check_ties(ties, seed)
    check_optional_expert(expert, Expert, ExpertInterval, Calibration, correlated=True)
    known = None if expert is None else expert_for(expert, k)
    heads = AdversaryCount.resolve(k, share, share_of, reports.panel)
    sides, yes = binary_classes(reports)
    columns = ["positive", "estimate", "decision", "tie", "flips_needed", "additions_needed"]
    if known is not None:
        columns += ["forecast", "guarantee"]

    def answer(part: Reports) -> nw.LazyFrame[Any]:
        items = part.materialised(counts.tally(part, sides, heads))
        halves = part.schema.asked is not None
        result = votes.decide(items, sides, positive=yes, halves=halves, ties=ties, seed=seed)
        if known is not None:
            designs = [int(d) for d in collect(items.select(DESIGN).unique())[DESIGN].to_list()]
            rules = _rules(designs, heads, known, loss)
            result = votes.forecast(result, rules)
            if type(get_loss(loss)) is CostWeighted:
                thresholds = {size: least for size in rules if (least := decision_threshold(rules[size])) is not None}
                result = follow_forecasts(result, thresholds, positive=yes)
        return result.with_columns(_decoded(part, sides, "decision"))

    return reports.finish(answer, [*sizes(reports.schema), *columns, "status"], categorical=["decision"])


def combine_labels(
    reports: Reports,
    k: int | None = None,
    *,
    share: object = None,
    share_of: str = "panel",
    ties: str = "none",
    seed: int | None = None,
) -> Any:
    """Compute what `aggregate_labels` returns, from validated reports."""
    _check_ties(ties, seed)
    heads = AdversaryCount.resolve(k, share, share_of, reports.panel)
    classes = find_classes(reports)
    shares = [f"share_{name}" for name in classes.shown()] if len(classes.labels) <= MOST_SHARES else []
    shares = distinct_names(reports.rows, shares)
    if len(classes.labels) > MOST_SHARES:
        warn(f"{len(classes.labels):,} classes are too many for a column of shares each: those are left out")
    drawn = [] if seed is None else ["draw"]
    columns = ["decision", "estimate", "tie", "flips_needed", "additions_needed", *drawn, "status", *shares]

    def answer(part: Reports) -> nw.LazyFrame[Any]:
        if len(classes.labels) <= counts.FEW:
            items = part.materialised(counts.tally(part, classes, heads))
            result = labels.decide(items, classes, shares=shares, ties=ties, seed=seed)
        else:
            tally = labels_sparse.tally(_encoded(part, classes), heads)
            items = labels_sparse.decide(
                tally, classes, part.schema, shares=shares, ties=ties, seed=seed, order=part.first_row
            )
            result = part.materialised(items)
        return result.with_columns(*(_decoded(part, classes, name) for name in ("decision", *drawn)))

    return reports.finish(answer, [*sizes(reports.schema), *columns], categorical=["decision", *drawn])


def warn_contradictions(reports: Reports, k: int | None, *, share: object, share_of: str) -> None:
    """Warn about items on which more than k reporters are silent or set aside, which contradicts what was stated."""
    schema = reports.schema
    if schema.asked is None and not schema.sets_aside:
        return
    heads = AdversaryCount.resolve(k, share, share_of, reports.panel)
    first, number = None, 0
    for rows in reports.parts:
        kept = {M: (~nw.col(VALUE).is_null()).cast(nw.Int64).sum(), **per_item(schema)}
        items = with_sizes(rows.group_by(ITEM).agg(**kept), reports, heads)
        bad = collect(items.filter(nw.col(DESIGN) - nw.col(M) > nw.col(K)).select(ITEM, M, DESIGN, K).sort(ITEM))
        first, number = first or (bad.row(0) if len(bad) else None), number + len(bad)
    if first is not None:
        warn(describe_contradictions(number, first))


COMBINE: Mapping[str, Callable[..., Any]] = {
    "scores": combine_scores,
    "votes": combine_votes,
    "labels": combine_labels,
}
"""The function that aggregates validated reports, for each kind of report."""


def split_options(kind: str, options: Mapping[str, Any]) -> tuple[ReportSchema, dict[str, Any]]:
    """Split the keyword arguments of an aggregate function into a schema and the arguments of its `COMBINE` twin.

    Parameters
    ----------
    kind : {"scores", "votes", "labels"}
        Which aggregate function.
    options
        Its keyword arguments.

    Examples
    --------
    >>> schema, rest = split_options("votes", {"vote": "answer", "positive": "yes", "ties": "first"})
    >>> schema.value, schema.positive, rest
    ('answer', 'yes', {'ties': 'first'})
    """
    value = VALUE_PARAMETERS[kind]
    reading = {name: option for name, option in options.items() if name in _SCHEMA_PARAMETERS}
    rest = {name: option for name, option in options.items() if name not in (*_SCHEMA_PARAMETERS, value)}
    default = "score" if kind == "scores" else "label"
    return ReportSchema(value=options.get(value, default), **({"faulty": "error"} | reading)), rest


def check_optional_expert(expert: object, *allowed: type, correlated: bool = False) -> None:
    """Raise an error unless an expert is None or of an allowed type, and, if asked, without a bound of correlations.

    Examples
    --------
    >>> check_optional_expert(Expert(prior=0.5, tpr=0.9, fpr=0.1), Expert, ExpertInterval)
    """
    if expert is not None and not isinstance(expert, allowed):
        raise ParameterTypeError(f"expert={expert!r} is no Expert; give Expert(prior=..., tpr=..., fpr=...)")
    if isinstance(expert, Expert) and not correlated:
        check_expert(expert)


def _check_ties(ties: str, seed: int | None) -> None:
    """Raise an error unless the tie rule exists and, if it is random, has a seed."""
    if seed is not None and (isinstance(seed, bool) or not isinstance(seed, int)):
        raise ParameterTypeError(f"seed={seed!r}: a seed is a whole number, such as 7")
    if ties not in TIE_RULES:
        raise ParameterError(f"ties={ties!r}: use one of {', '.join(TIE_RULES)}")
    if ties == "random" and seed is None:
        raise ParameterError("ties='random' needs a seed, such as seed=7, so that anyone can repeat the draw")


def _encoded(reports: Reports, classes: Classes) -> Reports:
    """Return the reports with class indices instead of labels."""
    return reports.with_rows(reports.rows.with_columns(classes.encode(nw.col(VALUE)).alias(VALUE)))


def _decoded(reports: Reports, classes: Classes, name: str) -> nw.Expr:
    """Return a column of class indices as labels."""
    dtype = reports.rows.collect_schema()[VALUE]
    return classes.decode(nw.col(name), dtype).alias(name)


def _rules(
    designs: list[int], heads: AdversaryCount, expert: Expert | ExpertInterval, loss: str | Loss
) -> dict[int, PiecewiseLinear]:
    """Return the optimal rule with a guarantee for each size of the panel."""
    panels = [Panel(d, k) for d in designs if d > 2 * (k := heads.for_item(d))]
    rules = {panel.n: least_loss_rule(panel, expert, loss) for panel in panels}
    return {size: rule for size, rule in rules.items() if rule.guarantee is not None}
