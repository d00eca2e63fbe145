"""Votes, labels and scores in any data frame: one row per item out, in the kind of frame that came in."""

import warnings
from collections.abc import Sequence
from typing import Any

import narwhals.stable.v2 as nw

from bribeproof.aggregation.exact_sums import find_sums
from bribeproof.aggregation.kernels import counts, labels, scores, votes
from bribeproof.aggregation.kernels import labels_sparse as many_labels
from bribeproof.aggregation.kernels import scores_eager as sorted_scores
from bribeproof.aggregation.kernels import scores_lazy as ranked_scores
from bribeproof.aggregation.kernels.status import K, M, N
from bribeproof.errors import BribeproofWarning, ParameterError
from bribeproof.frames.adversary_count import AdversaryCount
from bribeproof.frames.backends import check_names
from bribeproof.frames.label_classes import Classes, find_classes, two_sides
from bribeproof.frames.native import collect
from bribeproof.frames.reports import Reports
from bribeproof.frames.schema import VALUE
from bribeproof.frames.validation import validate_reports
from bribeproof.theory import Expert, ExpertInterval, Loss, Panel, closed_form

TIE_RULES = ("none", "first", "last", "random")
MOST_SHARES = 1000
"""With more classes than this, labels get no column of shares per class."""


def aggregate_scores(
    frame: Any,
    k: int | None = None,
    *,
    item: object = "task",
    reporter: object = "worker",
    score: object = "score",
    judges: Sequence[object] | None = None,
    share: object = None,
    share_of: str = "panel",
    missing: Sequence[object] = (),
    repeats: str = "error",
    decimals: int | None = None,
    decimal_mark: str | None = None,
) -> Any:
    """Combine judges' scores into one score per item, though k of the judges may be bribed.

    The k lowest and the k highest scores of each item are dropped and the rest averaged.

    Parameters
    ----------
    frame
        pandas, polars (eager or lazy), pyarrow, duckdb or PySpark frame, or a table from `read_table` or `scan_table`.
    k
        How many reporters may be bribed: a head count, at least 0.
    item, reporter, score
        Long form: the columns of the items, of who reports, and of the scores.
    judges
        Wide form: the columns that hold one reporter's scores each; then only ``item`` is used beside them.
    share
        Instead of k: a share in [0, 0.5) of the reporters, turned into a count by exact arithmetic, rounded down.
    share_of
        ``"panel"``: of all distinct reporters. ``"item"``: of the reports on each item.
    missing
        Values that stand for no score, such as ``("absent", 0.0)``, beside empty cells, NaN and null.
    repeats
        If a reporter scores an item twice, differently: ``"error"``, or keep the ``"first"`` or ``"last"`` by row
        order, or ``"drop"`` both. Exact repeats collapse with a warning.
    decimals
        Round results half up (away from zero) to so many decimals, 0 to 12, in exact decimal arithmetic.
    decimal_mark
        ``"."`` or ``","`` for scores in text; None to find out.

    Returns
    -------
    frame of the same kind
        One row per item, in order of first appearance (by item where rows have no order): the item; ``n`` reporters
        in all; ``m`` reports on the item; ``k``; ``estimate``, the k-trimmed mean; ``range_low`` and ``range_high``,
        the results that k bribed reporters could have caused; ``dropped_low`` and ``dropped_high``, whose scores were
        dropped (equal scores by name); ``status``: ``ok``, ``not certified`` (m ≤ 2k: no numbers), ``no reports``.

    Raises
    ------
    DataError
        If a score is no finite number, an id is missing, repeats conflict or nothing is there; it says where.
    ParameterError
        If a parameter is outside its range or a column is not there.

    Notes
    -----
    theory.md §10. Scores are added as whole numbers: the same bits on every engine and in every order.

    Examples
    --------
    >>> import polars as pl
    >>> sheet = pl.DataFrame({"entry": ["E1"], "j1": [5.0], "j2": [6.0], "j3": [9.5], "j4": [9.5]})
    >>> row = aggregate_scores(sheet, k=1, item="entry", judges=["j1", "j2", "j3", "j4"]).row(0, named=True)
    >>> row["estimate"], row["range_low"], row["range_high"], row["dropped_low"], row["dropped_high"]
    (7.75, 5.5, 9.5, 'j1', 'j4')
    """
    reports = validate_reports(
        frame, scores=True, item=item, reporter=reporter, value=score, judges=judges,
        missing=missing, repeats=repeats, decimal_mark=decimal_mark,
    )  # fmt: skip
    heads = AdversaryCount.resolve(k, share, share_of, reports.panel)
    sums = find_sums(reports.rows, reports.panel, decimals)
    columns = ["estimate", "range_low", "range_high", "dropped_low", "dropped_high", "status"]

    def answer(part: Reports) -> nw.LazyFrame[Any]:
        reduce = sorted_scores.reduce if part.in_memory else ranked_scores.reduce
        return scores.finish(reduce(part, heads, sums), sums, decimals)

    return reports.finish(answer, [N, M, K, *columns])


def aggregate_votes(
    frame: Any,
    k: int | None = None,
    *,
    expert: Expert | ExpertInterval | None = None,
    loss: str | Loss = "squared",
    item: object = "task",
    reporter: object = "worker",
    vote: object = "label",
    judges: Sequence[object] | None = None,
    positive: object = 1,
    classes: Sequence[object] | None = None,
    share: object = None,
    share_of: str = "panel",
    missing: Sequence[object] = (),
    repeats: str = "error",
    ties: str = "none",
    seed: int | None = None,
) -> Any:
    """Combine binary votes into one decision and one probability per item, though k of the voters may be bribed.

    Parameters
    ----------
    frame, k, item, reporter, judges, share, share_of, missing, repeats
        As in `aggregate_scores`.
    expert
        What one truthful voter knows (prior, true- and false-positive rate): adds the optimal forecast and its
        guarantee.
    loss
        The loss that the forecast minimises: ``"squared"``, ``"absolute"``, ``"log"`` or a `Loss`.
    vote
        Long form: the column of the votes.
    positive
        The vote that counts as 1.
    classes
        The two votes that are allowed, in class order; needed where one of them was never cast.
    ties
        ``"none"`` leaves a tied decision empty; ``"first"`` or ``"last"`` in class order; ``"random"`` by ``seed``.
    seed
        For ``ties="random"``: each item's draw depends on the seed and the item's id alone.

    Returns
    -------
    frame of the same kind
        One row per item: the item; ``n``, ``m``, ``k``; ``positive``, the number of positive votes; ``estimate``, the
        k-trimmed share of positive votes; ``decision``, as the votes came in; ``tie``; ``flips_needed``, the fewest
        reports to rewrite so that the winner no longer wins; with an expert ``forecast``, the probability of
        positive, and ``guarantee``, the expected loss that it never exceeds; ``status`` as in `aggregate_scores`.

    Raises
    ------
    DataError
        If votes are not of two kinds, or as in `aggregate_scores`.
    ParameterError
        If a parameter is outside its range or a column is not there.

    Notes
    -----
    theory.md §2 (Theorem A) and §10.

    Examples
    --------
    >>> import polars as pl
    >>> votes = pl.DataFrame({"task": ["t"] * 5, "worker": list("abcde"), "label": [1, 1, 1, 1, 0]})
    >>> row = aggregate_votes(votes, k=1, expert=Expert(0.5, 0.8, 0.1)).row(0, named=True)
    >>> row["decision"], row["flips_needed"], row["estimate"], round(row["forecast"], 4), round(row["guarantee"], 4)
    (1, 2, 1.0, 0.8462, 0.1584)
    """
    _check_ties(ties, seed)
    reports = validate_reports(
        frame,
        scores=False,
        item=item,
        reporter=reporter,
        value=vote,
        judges=judges,
        missing=missing,
        repeats=repeats,
    )
    heads = AdversaryCount.resolve(k, share, share_of, reports.panel)
    sides, yes = two_sides(reports, positive, classes)
    columns = ["positive", "estimate", "decision", "tie", "flips_needed"]
    if expert is not None:
        columns += ["forecast", "guarantee"]

    def answer(part: Reports) -> nw.LazyFrame[Any]:
        items = part.materialised(counts.tally(part, sides, heads))
        result = votes.decide(items, sides, positive=yes, ties=ties, seed=seed)
        if expert is not None:
            sizes = [int(m) for m in collect(items.select(M).unique())[M].to_list()]
            result = votes.forecast(result, _rules(sizes, heads, expert, loss))
        return result.with_columns(_decoded(part, sides, "decision"))

    return reports.finish(answer, [N, M, K, *columns, "status"], categorical=["decision"])


def aggregate_labels(
    frame: Any,
    k: int | None = None,
    *,
    item: object = "task",
    reporter: object = "worker",
    label: object = "label",
    judges: Sequence[object] | None = None,
    classes: Sequence[object] | None = None,
    share: object = None,
    share_of: str = "panel",
    missing: Sequence[object] = (),
    repeats: str = "error",
    ties: str = "none",
    seed: int | None = None,
) -> Any:
    """Combine labels of any number of classes into one per item, though k of the labellers may be bribed.

    Parameters
    ----------
    frame, k, item, reporter, judges, share, share_of, missing, repeats
        As in `aggregate_scores`.
    label
        Long form: the column of the labels.
    classes
        All classes in class order, incl. those that nobody voted for. By default the categories of a categorical
        column, else all labels that occur, sorted.
    ties
        ``"none"`` leaves a tied decision empty; ``"first"`` or ``"last"`` in class order; ``"random"`` by ``seed``.
    seed
        Adds the draw of the k-ignorance random dictator; each item's depends on the seed and the item's id alone.

    Returns
    -------
    frame of the same kind
        One row per item: the item; ``n``, ``m``, ``k``; ``decision``, the label with the most votes, as it came in;
        ``estimate``, its truncated share; ``tie``; ``flips_needed``; with a seed ``draw``; ``status`` as in
        `aggregate_scores` or ``no class left`` (no class has more than k reports: no numbers); and per class in
        class order ``share_<class>``, its share after k reports of each class are ignored (up to 1000 classes).

    Raises
    ------
    DataError
        If a label is none of the declared classes, or as in `aggregate_scores`.
    ParameterError
        If a parameter is outside its range or a column is not there.

    Notes
    -----
    theory.md §8. The share of a class is the probability that the random dictator follows it.

    Examples
    --------
    >>> import polars as pl
    >>> votes = pl.DataFrame({"task": ["t"] * 6, "worker": list("abcdef"), "label": list("AAAABB")})
    >>> row = aggregate_labels(votes, k=1).row(0, named=True)
    >>> row["decision"], row["flips_needed"], row["share_A"], row["share_B"]
    ('A', 1, 0.75, 0.25)
    """
    _check_ties(ties, seed)
    reports = validate_reports(
        frame,
        scores=False,
        item=item,
        reporter=reporter,
        value=label,
        judges=judges,
        missing=missing,
        repeats=repeats,
    )
    heads = AdversaryCount.resolve(k, share, share_of, reports.panel)
    known = find_classes(reports, classes)
    shares = [f"share_{name}" for name in known.shown()] if len(known.labels) <= MOST_SHARES else []
    check_names(reports.rows, shares)
    if len(known.labels) > MOST_SHARES:
        warnings.warn(
            f"{len(known.labels):,} classes are too many for a column of shares each: those are left out",
            BribeproofWarning,
            stacklevel=2,
        )
    drawn = [] if seed is None else ["draw"]
    columns = ["decision", "estimate", "tie", "flips_needed", *drawn, "status", *shares]

    def answer(part: Reports) -> nw.LazyFrame[Any]:
        if len(known.labels) <= counts.FEW:
            items = part.materialised(counts.tally(part, known, heads))
            result = labels.decide(items, known, shares=shares, ties=ties, seed=seed)
        else:
            tally = many_labels.tally(_encoded(part, known), heads)
            items = many_labels.decide(tally, known, shares=shares, ties=ties, seed=seed, order=part.first_row)
            result = part.materialised(items)
        return result.with_columns(*(_decoded(part, known, name) for name in ("decision", *drawn)))

    return reports.finish(answer, [N, M, K, *columns], categorical=["decision", *drawn])


def _check_ties(ties: str, seed: int | None) -> None:
    """Check the tie rule, and that whatever is random can be drawn again."""
    if seed is not None and (isinstance(seed, bool) or not isinstance(seed, int)):
        raise ParameterError(f"seed={seed!r}: a seed is a whole number, such as 7")
    if ties not in TIE_RULES:
        raise ParameterError(f"ties={ties!r}: use one of {', '.join(TIE_RULES)}")
    if ties == "random" and seed is None:
        raise ParameterError("ties='random' needs a seed, such as seed=7, so that anyone can repeat the draw")


def _encoded(reports: Reports, classes: Classes) -> Reports:
    """Replace labels by their places in class order."""
    return reports.with_rows(reports.rows.with_columns(classes.encode(nw.col(VALUE)).alias(VALUE)))


def _decoded(reports: Reports, classes: Classes, name: str) -> nw.Expr:
    """Replace places in class order by their labels."""
    dtype = reports.rows.collect_schema()[VALUE]
    return classes.decode(nw.col(name), dtype).alias(name)


def _rules(
    sizes: list[int], heads: AdversaryCount, expert: Expert | ExpertInterval, loss: str | Loss
) -> dict[int, tuple[float, float, float]]:
    """Return the ends of the rule with the least worst-case loss, and that loss, for each number of reports."""
    rules = {}
    for m in sizes:
        k = heads.for_item(m)
        if m > 2 * k:
            rule = closed_form(Panel(m, k), expert, loss)
            if rule.guarantee is not None:
                rules[m] = (float(rule(0)), float(rule(m)), rule.guarantee.expected_loss)
    return rules
