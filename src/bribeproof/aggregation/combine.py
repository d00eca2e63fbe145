"""Aggregate validated reports: the part of `aggregate_votes` and its siblings that follows validation."""

from collections.abc import Callable, Mapping
from typing import Any

import narwhals.stable.v2 as nw

from bribeproof._warnings import warn
from bribeproof.aggregation.contradictions import describe_contradictions
from bribeproof.aggregation.exact_sums import find_sums
from bribeproof.aggregation.kernels import counts, labels, labels_sparse, scores, scores_eager, scores_lazy, votes
from bribeproof.aggregation.kernels.bribes_needed import BRIBES_NEEDED, PRICE_NEEDED, with_bribes_needed
from bribeproof.aggregation.kernels.cost_decisions import decision_threshold, follow_forecasts
from bribeproof.aggregation.kernels.status import BUDGET, DESIGN, GROUPS, K, M, sizes, with_panels, with_sizes
from bribeproof.calibration.result import Calibration, expert_for
from bribeproof.errors import ParameterError, ParameterTypeError
from bribeproof.frames.adversary_count import AdversaryCount
from bribeproof.frames.asked import per_item
from bribeproof.frames.bribed_groups import GivenBribes
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
    bribes: GivenBribes | None = None,
    decimals: int | None = None,
) -> Any:
    """Compute what `aggregate_scores` returns, from validated reports."""
    reports, heads = find_adversaries(reports, k, share=share, share_of=share_of, bribes=bribes)
    sums = find_sums(reports.rows, reports.panel, decimals)
    numbers = ["estimate", "range_low", "range_high"]
    columns = [*numbers, "dropped_low", "dropped_high", "status"]

    def answer(part: Reports) -> nw.LazyFrame[Any]:
        reduce = scores_eager.reduce if part.in_memory else scores_lazy.reduce
        items = scores.finish(reduce(heads.placed(part), heads, sums), sums, decimals)
        items = items.with_columns(nw.col(*numbers) + float(reports.offset)) if reports.offset else items
        return _with_buyable(items, heads)

    return reports.finish(answer, [*_sizes(reports, heads), *columns])


def combine_votes(
    reports: Reports,
    k: int | None = None,
    *,
    expert: Expert | ExpertInterval | Calibration | None = None,
    loss: str | Loss = "squared",
    share: object = None,
    share_of: str = "panel",
    bribes: GivenBribes | None = None,
    ties: str = "none",
    seed: int | None = None,
) -> Any:
    """Compute what `aggregate_votes` returns, from validated reports."""
    _check_ties(ties, seed)
    check_optional_expert(expert, Expert, ExpertInterval, Calibration, correlated=True)
    reports, heads = find_adversaries(reports, k, share=share, share_of=share_of, bribes=bribes)
    known = None if expert is None else expert_for(expert, k if heads.groups is None else heads.groups.in_all)
    sides, yes = binary_classes(reports)
    columns = ["positive", "estimate", "decision", "tie", "flips_needed", *_needed(heads), "additions_needed"]
    if known is not None:
        columns += ["forecast", "guarantee"]

    def answer(part: Reports) -> nw.LazyFrame[Any]:
        part = heads.placed(part)
        items = part.materialised(counts.tally(part, sides, heads))
        halves = part.schema.asked is not None
        result = votes.decide(items, sides, positive=yes, halves=halves, ties=ties, seed=seed)
        if known is not None:
            result, panels = with_panels(result)
            rules = _rules(panels, known, loss)
            result = votes.forecast(result, rules)
            if type(get_loss(loss)) is CostWeighted:
                thresholds = {one: least for one in rules if (least := decision_threshold(rules[one])) is not None}
                result = follow_forecasts(result, thresholds, positive=yes)
        if heads.groups is not None:
            result = with_bribes_needed(result, part, heads.groups, sides, None)
        result = _with_buyable(result, heads)
        return result.with_columns(_decoded(part, sides, "decision"))

    return reports.finish(answer, [*_sizes(reports, heads), *columns, "status"], categorical=["decision"])


def combine_labels(
    reports: Reports,
    k: int | None = None,
    *,
    share: object = None,
    share_of: str = "panel",
    bribes: GivenBribes | None = None,
    ties: str = "none",
    seed: int | None = None,
) -> Any:
    """Compute what `aggregate_labels` returns, from validated reports."""
    _check_ties(ties, seed)
    reports, heads = find_adversaries(reports, k, share=share, share_of=share_of, bribes=bribes)
    classes = find_classes(reports)
    named = [f"share_{name}" for name in classes.shown()] if len(classes.labels) <= MOST_SHARES else []
    shares = {f"_share{place}": name for place, name in enumerate(distinct_names(reports.rows, named))}
    if len(classes.labels) > MOST_SHARES:
        warn(f"{len(classes.labels):,} classes are too many for a column of shares each: those are left out")
    drawn = [] if seed is None else ["draw"]
    columns = ["decision", "estimate", "tie", "flips_needed", *_needed(heads), "additions_needed", *drawn, "status"]

    def answer(part: Reports) -> nw.LazyFrame[Any]:
        part = heads.placed(part)
        if len(classes.labels) <= counts.FEW:
            items = part.materialised(counts.tally(part, classes, heads))
            result = labels.decide(items, classes, shares=[*shares], ties=ties, seed=seed)
        else:
            tally = labels_sparse.tally(_encoded(part, classes), heads)
            items = labels_sparse.decide(
                tally, classes, part.schema, shares=[*shares], ties=ties, seed=seed, order=part.first_row
            )
            result = part.materialised(items)
        if heads.groups is not None:
            result = with_bribes_needed(result, part, heads.groups, classes, ties)
        result = _with_buyable(result, heads)
        return result.with_columns(*(_decoded(part, classes, name) for name in ("decision", *drawn)))

    columns = [*_sizes(reports, heads), *columns]
    return reports.finish(answer, columns, renamed=shares, categorical=["decision", *drawn])


def find_adversaries(
    reports: Reports, k: int | None, *, share: object, share_of: str, bribes: GivenBribes | None
) -> tuple[Reports, AdversaryCount]:
    """Return how many reporters may be bribed, and the reports, in memory where one bribe buys a group."""
    if bribes is None:
        return reports, AdversaryCount.resolve(k, share, share_of, reports.panel)
    reports = reports.collected()
    return reports, AdversaryCount(None, groups=bribes.read(reports, k, share))


def warn_contradictions(
    reports: Reports, k: int | None, *, share: object, share_of: str, bribes: GivenBribes | None = None
) -> None:
    """Warn about items on which more than k reporters are silent or set aside, which contradicts what was stated."""
    schema = reports.schema
    if schema.asked is None and not schema.sets_aside:
        return
    reports, heads = find_adversaries(reports, k, share=share, share_of=share_of, bribes=bribes)
    first, number = None, 0
    for part in reports.parts:
        placed = heads.placed(reports.with_rows(part))
        rows = placed.rows
        kept = {M: (~nw.col(VALUE).is_null()).cast(nw.Int64).sum(), **per_item(placed.schema)}
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


def _sizes(reports: Reports, heads: AdversaryCount) -> list[str]:
    """Return the names of the columns of sizes, with that of how much can be bought."""
    *first, last = sizes(reports.schema)
    return [*first, *_buyable(heads), last]


def _buyable(heads: AdversaryCount) -> list[str]:
    """Return the name of the column of how much can be bought; none where reporters are bribed one by one."""
    return [] if heads.groups is None else [GROUPS if heads.groups.counted is not None else BUDGET]


def _needed(heads: AdversaryCount) -> list[str]:
    """Return the name of the column of the fewest or cheapest bribes, if groups are bribed together."""
    return [] if heads.groups is None else [BRIBES_NEEDED if heads.groups.counted is not None else PRICE_NEEDED]


def _with_buyable(items: nw.LazyFrame[Any], heads: AdversaryCount) -> nw.LazyFrame[Any]:
    """Add how many groups can be bribed, or the budget, where groups are bribed together."""
    if heads.groups is None:
        return items
    counted, budget = heads.groups.counted, heads.groups.named.bribes.budget
    much = nw.lit(float(budget), nw.Float64) if counted is None else nw.lit(counted, nw.Int64)
    return items.with_columns(much.alias(*_buyable(heads)))


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
    panels: list[tuple[int, int]], expert: Expert | ExpertInterval, loss: str | Loss
) -> dict[int, PiecewiseLinear]:
    """Return the optimal rule with a guarantee for each panel, a size and a number of bribed ones, by its place."""
    rules = {place: least_loss_rule(Panel(n, k), expert, loss) for place, (n, k) in enumerate(panels) if n > 2 * k}
    return {place: rule for place, rule in rules.items() if rule.guarantee is not None}
