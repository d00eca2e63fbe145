"""Bound how often answers are right whatever k bribed reporters do, by attacking every gold item."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import partial
from os import PathLike
from typing import Any, Literal

import numpy as np
import polars as pl

from bribeproof._validation import random_generator, validate_k
from bribeproof.certification.callable_rule import Rule, RuleSearch
from bribeproof.certification.checks import check_rule, check_time_limit, read_weights
from bribeproof.certification.constant_answer import ConstantAnswer
from bribeproof.certification.gold_bribes import GoldBribes
from bribeproof.certification.gold_reporters import BestReporter, Together
from bribeproof.certification.gold_reports import GoldReports, gold_reports
from bribeproof.certification.group_cases import plurality_of_groups
from bribeproof.certification.monotone_rule import fit_monotone_rule, worst_of_monotone
from bribeproof.certification.one_list import UNASKED, OneList, find_lists
from bribeproof.certification.result import Certification
from bribeproof.certification.worst_cases import WorstCase, plurality, weighted
from bribeproof.errors import DataError, ParameterError
from bribeproof.frames.bribe_unit import nouns
from bribeproof.frames.bribed_groups import column_roles
from bribeproof.frames.reading.open_reports import open_reports
from bribeproof.frames.reading.reading import Reading
from bribeproof.frames.schema import ReportSchema
from bribeproof.frames.swept_bribes import SweptBribes
from bribeproof.frames.validation import validate_reports
from bribeproof.theory.inference.confidence import least_probability, mean_lower_bound, risk_of

_PLURALITY = "plurality, of which a tie is wrong"
_LOSSES = {"absolute": 1, "squared": 2}


def certify(
    frame: Any,
    truth: object = None,
    k: int | None = None,
    *,
    rule: Literal["plurality", "isotonic"] | Rule = "plurality",
    weights: Mapping[Any, float] | None = None,
    group: object = None,
    price: object = None,
    budget: object = None,
    of_counts: bool = False,
    silence: bool = True,
    confidence: float = 0.95,
    time_limit: float | None = None,
    seed: int | np.random.Generator = 0,
    item: object = None,
    reporter: object = None,
    label: object = None,
    judges: Sequence[object] | None = None,
    truth_column: object = None,
    classes: Sequence[object] | None = None,
    missing: Sequence[object] = (),
    repeats: str | None = None,
    order: object = None,
    reading: Reading | str | PathLike[str] | None = None,
    **options: Any,
) -> Certification:
    """Bound how often answers are right whatever k bribed reporters do, by attacking every gold item.

    Nothing is assumed of honest reporters: neither how good they are nor that they err independently.

    Parameters
    ----------
    frame
        The path of a file, or a frame of any kind, as in `aggregate`.
    truth
        The truth of the gold items: the path of a file or a frame of any kind with the columns `item` and
        `truth_column`, a mapping from items to labels, or the name of a column of `frame`, empty where the truth is not
        known. All items of a file, a frame of its own or a mapping count; those without a report are answered wrongly.
        It may be left out where `frame` is the export of a labelling tool that holds the truth.
    k
        The largest number of bribed reporters, or of groups; by default all for which something is certified.
    rule
        The rule that answers. ``"plurality"``: the label with the most reports, or with the most weight if `weights`
        are given. ``"isotonic"``: for two classes, the nondecreasing function of the lead of one with the least squared
        loss under attack by `k`, fitted to half of the gold items and certified on the others. Or a function of the
        reports on an item, a mapping from reporters to labels, that returns a label, a mapping from labels to
        probabilities, or None for no answer; it must not depend on chance. Every sheet that k bribed reporters can make
        of a gold item is tried; where these are too many the certificate is refused.
    weights
        The weight of each reporter, fixed before anybody looked at the gold items.
    group, price
        What one bribe buys together, and what it costs, as in `aggregate_labels`; not for a function `rule`.
    budget
        With prices, instead of k: how much is spent on bribes, one amount or several in ascending order.
    of_counts
        Whether a function `rule` takes a mapping from labels to their numbers of reports instead.
    silence
        For a function `rule`, and for groups: whether bribed reporters may also withhold reports, and add some to items
        on which they have none. If not, who reports on an item is taken as given. Other rules always bear it.
    confidence
        The least probability that the bounds hold, in (0, 1).
    time_limit
        For the plurality: seconds to search for the worst list of reporters, for each k. What was found until then
        comes with a proven bound. By default all searches together end after a few seconds; larger k than were
        settled by then are bounded item by item alone.
    seed
        For ``"isotonic"``: draws the gold items that the rule is fitted to.
    item, reporter, label
        Long form: the columns of the items, of the reporters, and of the labels; None to recognise them, as `aggregate`
        does. A frame with the columns ``task``, ``worker`` and ``label`` is taken as it is.
    judges
        Wide form: the columns that hold one reporter's labels each, by name or by pattern; None to recognise them.
    truth_column
        The column of the truth in a file or a frame of its own; by default `label`, or the only one beside the items.
    classes
        All classes, if some were not reported.
    missing
        Values that stand for no report, beside empty cells, NaN and null.
    repeats, order
        As in `aggregate_labels`.
    reading
        How the table is read, as in `aggregate`.
    **options
        The other options of `aggregate` that say how a table is read: ``turned``, ``not_items``, ``label_sets``,
        ``label_separator``, ``no_label``, ``labels``, ``sep``, ``encoding``, ``format``, ``header_line``, ``sheet``.

    Returns
    -------
    Certification
        For each k the number of gold items whose answer is right and stays right whichever k of its reports are
        rewritten, its share with an exact lower bound, and the losses under attack with upper bounds; and, for the
        plurality without weights, how many right answers the same k reporters can turn, bribed on all items.

    Raises
    ------
    FileError
        If a file cannot be read.
    DataError
        If no gold item has a report, a truth is none of the classes, the reports cannot be read, or two readings are
        plausible.
    ParameterError
        If a parameter is outside its range, the truth is not known, or a function `rule` has too many sheets to try.
    ColumnError
        If a column does not exist.

    Notes
    -----
    docs/theory.md §13: Proposition 13.1 for the bounds, Proposition 13.2 for all k at once, Proposition 13.3 for
    silence; Proposition 14.2 for the same reporters on all items.

    Examples
    --------
    >>> rows = [(i, w, "cat" if i % 5 or w == "a" else "dog") for i in range(100) for w in "abcdefg"]
    >>> labels = pl.DataFrame(rows, schema=["task", "worker", "label"], orient="row")
    >>> result = certify(labels, dict.fromkeys(range(100), "cat"), k=4)
    >>> result.by_k["robust"].to_list(), round(result.by_k["accuracy_low"][3], 3)
    ([80, 80, 80, 80, 0], 0.723)

    Three or four reports on each item: any two of an item turn it, but no two reporters are on all items.

    >>> fewer = labels.filter((pl.col("task") + pl.col("worker").rank("dense")) % 2 == 0)
    >>> result = certify(fewer, dict.fromkeys(range(100), "cat"), k=2)
    >>> result.by_k["robust"].to_list(), result.by_k["list_turned"].to_list(), result.lists[2].reporters
    ([80, 80, 0], [0, 0, 40], ('a', 'c'))
    """
    risk_of(confidence)
    most = None if k is None else validate_k(k)
    given = {
        "item": item, "reporter": reporter, "value": label, "judges": judges, "missing": missing, "repeats": repeats,
        "order": order,
    }  # fmt: skip
    with open_reports(
        frame, given, options, reading, named="label", implied="labels", truth=truth, truth_column=truth_column,
        needs_truth=True, other=column_roles(group, price),
    ) as opened:  # fmt: skip
        opened.refuse_scores("certified")
        opened.refuse_dependent("the bounds of a certificate")
        schema = ReportSchema(**opened.columns, classes=classes)
        reports = validate_reports(opened.table, schema, scores=False)
        swept = SweptBribes.of(opened.table, reports.columns.reporter, group, price)
        unit = swept.unit
        budgets = None if budget is None and price is None else swept.numbers(k, budget)
        asked = most if budgets is None else budgets[-1]
        check_rule(rule, asked, weights, of_counts=of_counts, silence=silence, grouped=unit.counted)
        check_time_limit(time_limit, rule, weights)
        generator = random_generator(seed)
        gold = gold_reports(reports, opened.truths(reports.columns.item))
        bribes = None
        if swept.given is not None:
            bribes = GoldBribes.of(gold, swept.groups(reports.collected()), silence=silence)
    out_of = len(gold.reporters if bribes is None else bribes.names)
    if most is not None and most > out_of:
        raise ParameterError(f"k={most}: there are {out_of:,} {nouns(unit.of)[1]}, give at most so many")
    numbers = range((out_of if most is None else most) + 1) if budgets is None else sorted({Fraction(0), *budgets})
    fitted: tuple[int, int | None] | None = None
    lists: tuple[OneList, ...] = ()
    if rule == "isotonic":
        gold, cases, fitted = _fit_and_attack(gold, numbers, generator, seed, bribes)
    elif weights is not None:
        values = read_weights(weights, gold.reporters)
        worst = weighted(gold, values) if bribes is None else plurality_of_groups(gold, bribes, values)
        cases = _attack(worst, numbers, every=asked is not None)
    elif isinstance(rule, str):
        search = partial(find_lists, gold, time_limit=time_limit, bribes=bribes, unit=unit)
        worst = plurality(gold) if bribes is None else plurality_of_groups(gold, bribes)
        cases, lists = _attack_plurality(worst, numbers, search, every=asked is not None)
    else:
        cases = RuleSearch(rule, gold, of_counts=of_counts, silence=silence).worst_cases(most or 0)
    constant = ConstantAnswer.of(gold)
    together = {one.k: one.bounds(confidence) for one in lists}
    rows = [
        {unit.column: unit.cell(number)} | _row(case, confidence, constant) | together.get(number, {})
        for number, case in zip(numbers, cases, strict=False)
    ]
    columns = {unit.column: pl.Float64 if unit.priced else pl.Int64} | _SCHEMA
    return Certification(
        opened.returned(reports.to_native(pl.DataFrame(rows, schema=columns), {})),
        lists,
        _describe_rule(rule, weights),
        confidence,
        len(gold.truth),
        int((gold.sizes == 0).sum()),
        len(gold.reporters),
        asked,
        silence,
        fitted,
        BestReporter.of(gold, confidence),
        Together.of(gold),
        constant,
        unit,
        out_of,
        opened.notes,
    )


_SCHEMA = {
    "gold": pl.Int64, "robust": pl.Int64, "accuracy": pl.Float64, "accuracy_low": pl.Float64,
    "per_100": pl.Float64, "of_prior": pl.Float64,
    "absolute": pl.Float64, "absolute_high": pl.Float64, "squared": pl.Float64, "squared_high": pl.Float64,
    "list_turned": pl.Int64, "list_accuracy": pl.Float64, "list_low": pl.Float64, "list_low_chosen": pl.Float64,
}  # fmt: skip


def _describe_rule(rule: object, weights: object) -> str:
    """Return the rule in words."""
    if rule == "isotonic":
        return "the nondecreasing forecast of the lead with the least squared loss under attack"
    if weights is not None:
        return "plurality by given weights, of which a tie is wrong"
    return _PLURALITY if isinstance(rule, str) else f"the function {getattr(rule, '__name__', type(rule).__name__)}"


def _attack(
    worst: Callable[[Any], WorstCase], numbers: Iterable[int | Fraction], *, every: bool, least: int | Fraction = 0
) -> list[WorstCase]:
    """Return the worst case for each number; unless all are asked for, up to `least`, and while items are robust."""
    cases = []
    for number in numbers:
        case = worst(number)
        if not every and number > least and not case.robust.any():
            break
        cases.append(case)
    return cases


def _attack_plurality(
    worst: Callable[[Any], WorstCase],
    numbers: Sequence[int | Fraction],
    search: Callable[[Sequence[int | Fraction]], Iterator[OneList]],
    *,
    every: bool,
) -> tuple[list[WorstCase], tuple[OneList, ...]]:
    """Return the worst cases of the plurality and the worst lists; unless all are asked for, while one leaves some."""
    few = numbers[: UNASKED + 1]
    lists = [*search(few)]
    cases = _attack(worst, numbers, every=every, least=max(one.k for one in lists if one.left or not one.k))
    if len(lists) == len(few):
        lists += search(numbers[len(few) : len(cases)])
    return cases, tuple(one for one in lists if one.k in numbers[: len(cases)])


def _fit_and_attack(
    gold: GoldReports,
    numbers: Sequence[int | Fraction],
    generator: np.random.Generator,
    seed: Any,
    bribes: GoldBribes | None = None,
) -> tuple[GoldReports, list[WorstCase], tuple[int, int | None]]:
    """Return the gold items that the rule is not fitted to, the worst cases of the rule on them, and how it was."""
    if len(gold.truth) < 2:
        raise DataError("rule='isotonic' needs two gold items or more: one half fits the rule, the other certifies it")
    mixed = generator.permutation(len(gold.truth))
    half = len(mixed) // 2
    rule = fit_monotone_rule(gold.take(np.sort(mixed[:half])), numbers[-1], bribes)
    rest = gold.take(np.sort(mixed[half:]))
    return (
        rest,
        [worst_of_monotone(rest, rule, number, bribes) for number in numbers],
        (half, None if isinstance(seed, np.random.Generator) else int(seed)),
    )


def _row(case: WorstCase, confidence: float, constant: ConstantAnswer) -> dict[str, Any]:
    """Return what the row of one k says."""
    items, robust = len(case.robust), int(case.robust.sum())
    row: dict[str, Any] = {"gold": items, "robust": robust, "accuracy": robust / items}
    low = row["accuracy_low"] = least_probability(robust, items, confidence)
    row |= {"per_100": 100 * (1 - low), "of_prior": constant.share(low)}
    for name, power in _LOSSES.items():
        row[name] = row[f"{name}_high"] = None
        if case.share is not None:
            losses, counts = np.unique((1 - case.share) ** power, return_counts=True)
            row[name] = float(losses @ counts) / items
            row[f"{name}_high"] = 1 - mean_lower_bound(counts, 1 - losses, risk_of(confidence))
    return row
