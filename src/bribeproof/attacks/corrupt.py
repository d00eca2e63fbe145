"""Simulate bribed reporters in an array or data frame."""

from collections.abc import Callable, Iterable, Sequence
from typing import Any

import narwhals.stable.v2 as nw
import numpy as np

from bribeproof._typing import IntArray
from bribeproof._validation import random_generator, validate_k
from bribeproof.aggregation.combine import check_optional_expert
from bribeproof.attacks.from_array import column_finder, matrix_from_array, rewrite_array
from bribeproof.attacks.from_frame import NamedReportMatrix, read_matrix
from bribeproof.attacks.report_matrix import check_kind
from bribeproof.attacks.rewrite import rewrite_frame
from bribeproof.attacks.strategies import Target
from bribeproof.errors import ParameterError, ParameterTypeError
from bribeproof.frames.adversary_count import count_of
from bribeproof.frames.out_of_core import LargeTable
from bribeproof.frames.schema import ReportSchema
from bribeproof.io.read import Table
from bribeproof.theory import Aggregator, Expert, ExpertInterval, Loss, Panel, closed_form, get_loss

Rule = Callable[[Panel], Aggregator]


def corrupt(
    reports: Any,
    k: int | None = None,
    *,
    adversaries: Iterable[object] | None = None,
    share: object = None,
    strategy: str = "opposite",
    kind: str = "votes",
    truth: object = None,
    gold_items: Iterable[object] | None = None,
    copy: object = None,
    expert: Expert | ExpertInterval | None = None,
    rule: Rule | None = None,
    loss: str | Loss = "squared",
    positive: object = 1,
    classes: Sequence[object] | None = None,
    scale: Sequence[float] | None = None,
    answer_all: bool = False,
    item: object = "task",
    reporter: object = "worker",
    value: object = None,
    missing: Sequence[object] = (),
    seed: int | np.random.Generator = 0,
) -> Any:
    """Replace the reports of some reporters by those that they would give if they were bribed.

    Parameters
    ----------
    reports
        An array, items by reporters: votes 0 and 1 or scores, NaN where missing, or labels of any numbers. Or a
        data frame in memory in long form: pandas, polars or pyarrow, or a table from `read_table`.
    k
        How many reporters are bribed; they are drawn with the seed from the sorted names. With the same seed, those of
        a smaller k are among them.
    adversaries
        Instead of k: the bribed reporters, by name, or by column of an array.
    share
        Instead of k: a share in [0, 1] of the reporters, turned into a count by exact arithmetic, rounded down.
    strategy
        - ``"opposite"``: the label with the fewest honest reports, never the one with the most; the end of the scale
          far from the honest mean.
        - ``"random"``: independent random reports.
        - ``"high"``, ``"low"``: the last or first class, the highest or lowest score.
        - ``"copy"``: the reports of the reporter ``copy``.
        - ``"collude"``: the wrong label with the most honest reports; the end of the scale far from the truth.
        - ``"close"``: honest, except where all of them together can make the runner-up win.
        - ``"sleeper"``: honest on gold items, ``"opposite"`` elsewhere.
        - ``"worst"``: the number of positive votes that maximises the loss of a rule, given the truth and the honest
          reports.
    kind
        ``"votes"``, ``"labels"`` or ``"scores"``.
    truth
        The truth, which adversaries know: as for `calibrate`; for an array, one label or score per item, NaN if
        unknown. The honest plurality or mean replaces it where it is unknown.
    gold_items
        For ``"sleeper"``: the gold items, by name, or by row of an array; by default those with a known truth.
    copy
        For ``"copy"``: the reporter to copy, who is never an adversary.
    expert
        For ``"worst"``: aim at the worst-case rule for this expert, with k the number of adversaries.
    rule
        For ``"worst"``: aim at another rule, a function of the panel such as ``bribeproof.rules.majority``.
    loss
        For ``"worst"``: the loss to maximise.
    positive
        The vote that counts as 1.
    classes
        All classes in class order; by default those that were reported, sorted.
    scale
        The lowest and the highest possible score; by default those that were given.
    answer_all
        Whether adversaries answer every item, not only those that they answered honestly. A frame gets a row for
        each new report.
    item, reporter, value
        The columns of a frame; ``value`` is ``"label"`` or ``"score"`` by default.
    missing
        Values of a frame that stand for no report.
    seed
        Seed of the draws of adversaries and of random reports: an int, or a numpy Generator.

    Returns
    -------
    array or frame of the same kind
        Honest reports are unchanged. An array of scores is float64, and so is the column of scores of a frame.

    Raises
    ------
    DataError
        If reports or truths cannot be read, a reporter reports twice on an item, or an adversary would report a label
        that no row of the frame has.
    ParameterError
        If a parameter is outside its range, or the strategy does not apply to this kind of report.

    Notes
    -----
    docs/theory.md §1: adversaries know the truth and all honest reports, and collude. Equal classes: the first counts.

    Examples
    --------
    >>> corrupt([[1, 1, 0, 1], [0, 0, 0, 1]], adversaries=[3])
    array([[1, 1, 0, 0],
           [0, 0, 0, 1]])
    >>> corrupt([[5.0, 6.0, 5.5], [9.0, 8.0, np.nan]], adversaries=[1], kind="scores", scale=(0, 10))
    array([[5. , 0. , 5.5],
           [9. , 0. , nan]])
    """
    check_kind(kind)
    if [k, adversaries, share].count(None) != 2:
        raise ParameterError("say who is bribed: k, how many, or share, which part, or adversaries, their names")
    named: NamedReportMatrix | None = None
    find_column: Callable[[Any], int]
    if isinstance(reports, Table):
        reports = reports.frame
    opened = nw.from_native(reports, pass_through=True)
    if isinstance(opened, nw.LazyFrame) or isinstance(reports, LargeTable):
        raise ParameterError("only a frame in memory can be changed row by row: bring this one into memory first")
    if isinstance(opened, nw.DataFrame):
        value = value or default_value(kind)
        schema = ReportSchema(item, reporter, value, missing=missing, positive=positive, classes=classes)
        named = read_matrix(reports, kind, schema, truth=truth, gold_items=gold_items, scale=scale)
        matrix, find_column = named.matrix, named.column
    else:
        matrix, labels, array = matrix_from_array(
            reports, kind, truth=truth, gold_items=gold_items, positive=positive, classes=classes, scale=scale
        )
        find_column = column_finder(matrix)
    copied = None if copy is None else find_column(copy)
    rng = random_generator(seed)
    if adversaries is not None:
        columns = np.array(sorted({find_column(name) for name in adversaries}), np.int64)
    else:
        panel = matrix.reports.shape[1]
        columns = draw(panel, count_of(share, panel) if k is None else k, rng, copied)
    if copied in columns:
        raise ParameterError(f"copy={copy!r}: the reporter that is copied cannot be an adversary too")
    target = aim(expert, rule, loss)
    lies = matrix.lies(columns, strategy, rng, copied=copied, target=target, answer_all=answer_all)
    if named is not None:
        return rewrite_frame(reports, named, columns, lies, (str(item), str(reporter), str(value)))
    return rewrite_array(array, columns, lies, labels)


def default_value(kind: str) -> str:
    """Return the default name of the column of the reports."""
    return "score" if kind == "scores" else "label"


def draw(reporters: int, k: int, rng: np.random.Generator, copied: int | None = None) -> IntArray:
    """Draw k of the reporters, never the copied one; those of a smaller k are among them.

    Examples
    --------
    >>> draw(5, 2, np.random.default_rng(1)).tolist() == draw(5, 4, np.random.default_rng(1))[:2].tolist()
    True
    """
    k = validate_k(k)
    order = rng.permutation(reporters)
    order = order[order != copied] if copied is not None else order
    if k > len(order):
        raise ParameterError(f"k={k}: there are only {len(order)} reporters that could be bribed")
    return order[:k]


def aim(expert: Expert | ExpertInterval | None, rule: Rule | None, loss: str | Loss) -> Target | None:
    """Return the target of the worst-case strategy; None if neither an expert nor a rule is given."""
    if expert is not None and rule is not None:
        raise ParameterError("expert and rule both name a rule to hurt: give one of them")
    target_loss = get_loss(loss)
    check_optional_expert(expert, Expert, ExpertInterval)
    if rule is not None and not callable(rule):
        raise ParameterTypeError(f"rule={rule!r}: give a function of the panel, such as bribeproof.rules.majority")
    if rule is not None:
        return Target(rule, target_loss)
    return None if expert is None else Target(lambda panel: closed_form(panel, expert, target_loss), target_loss)
