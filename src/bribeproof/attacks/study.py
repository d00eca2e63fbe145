"""Measure the loss of each rule as more and more reporters are bribed, on reports with a known truth."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from functools import partial
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np

from bribeproof._validation import check_better, random_generator, validate_k
from bribeproof.arrays.api import trimmed_mean
from bribeproof.attacks.attacked_crowd import AttackedCrowd
from bribeproof.attacks.calibrated_rule import CalibratedRule
from bribeproof.attacks.corrupt import aim, default_value
from bribeproof.attacks.from_frame import read_matrix
from bribeproof.attacks.label_rules import AssumedK, LabelCurves
from bribeproof.attacks.result import AttackCurves
from bribeproof.attacks.score_rules import ScoreCurves
from bribeproof.attacks.strategies import ABSENT
from bribeproof.attacks.weighted_rule import WeightedRule
from bribeproof.errors import ColumnError, DataError, NotVotesError, ParameterError, ParameterTypeError
from bribeproof.frames.adversary_count import count_of
from bribeproof.frames.reading.direction import ask_direction
from bribeproof.frames.reading.open_reports import no_truth, open_reports
from bribeproof.frames.reading.reading import Reading
from bribeproof.frames.schema import ReportSchema
from bribeproof.io.read import read_table
from bribeproof.theory import Expert, ExpertInterval


def attack(
    frame: Any,
    truth: object = None,
    counts: Iterable[int] | None = None,
    *,
    strategy: str = "opposite",
    shares: Iterable[object] | None = None,
    kind: str | None = None,
    ks: Iterable[int] | None = None,
    draws: int = 20,
    seed: int | np.random.Generator = 0,
    expert: Expert | ExpertInterval | None = None,
    weighed: bool = False,
    gold_items: Iterable[object] | str | PathLike[str] | None = None,
    copy: object = None,
    answer_all: bool = False,
    item: object = None,
    reporter: object = None,
    value: object = None,
    judges: Sequence[object] | None = None,
    truth_column: object = None,
    positive: object = 1,
    classes: Sequence[object] | None = None,
    scale: Sequence[float] | None = None,
    better: str | None = None,
    decimal_mark: str | None = None,
    missing: Sequence[object] = (),
    repeats: str | None = None,
    order: object = None,
    reading: Reading | str | PathLike[str] | None = None,
    **options: Any,
) -> AttackCurves:
    """Measure the loss of each rule as more and more reporters of a real crowd are bribed.

    Parameters
    ----------
    frame
        Votes, labels or scores: the path of a file, or a frame of any kind, as in `aggregate`.
    truth
        The truth, as for `calibrate`: a file, a frame, a mapping from items to labels or scores, or the name of a
        column of ``frame``. It may be None for scores: the mean of the honest scores then replaces it.
    counts
        Numbers of adversaries; by default 0, 1 and 2.
    strategy
        The strategy of the adversaries, as in `corrupt`.
    shares
        Instead of counts: shares in [0, 1] of the reporters, each rounded down to a count; equal counts are merged.
    kind
        ``"votes"``, ``"labels"`` or ``"scores"``; None to recognise it. Of a frame whose columns are named, or are the
        usual ones, None means votes if there are two classes, one of them `positive`, else labels.
    ks
        The numbers k that rules assume; by default the number of adversaries, half of it (rounded down) and twice it.
    draws
        How many times the adversaries are drawn, at least 1.
    seed
        Seed of the first draw, the next ones follow: draw i is that of `corrupt` with ``seed + i``. Or a numpy
        generator, which is spawned for each draw.
    expert
        For votes: the rates of a truthful reporter. Adds the worst-case rule, optimal for them under the squared loss,
        which is the target of ``strategy="worst"``.
    weighed
        For votes and labels: whether to add the rule of `weigh`. It takes longer, since weights are learned in every
        draw, from the gold items too if there are any.
    gold_items
        The gold items, which the calibrated rule is fitted to; needed for ``"sleeper"``. The loss is measured on the
        other items too. A list, or the path of a file with the column of the items.
    copy, answer_all
        As in `corrupt`.
    item, reporter, value
        Long form: the columns of the items, of the reporters, and of the reports; None to recognise them, as
        `aggregate` does. A frame with the columns ``task``, ``worker`` and ``label``, of scores ``score``, is taken as
        it is.
    judges
        Wide form: the columns that hold one reporter's reports each, by name or by pattern; None to recognise them.
    positive, classes, scale, missing, repeats, order
        As in `corrupt` and `aggregate_votes`.
    better
        Of scores, as in `aggregate`: where the lowest is the best, so are the places that ``changed`` counts.
    decimal_mark
        Of scores: as in `aggregate_scores`.
    truth_column
        The column of the truth in a file or a frame of its own; by default ``value``, or the only one beside the items.
    reading
        How the table is read, as in `aggregate`.
    **options
        The other options of `aggregate` that say how a table is read: ``turned``, ``not_items``, ``label_sets``,
        ``label_separator``, ``no_label``, ``labels``, ``sep``, ``encoding``, ``format``, ``header_line``, ``sheet``.

    Returns
    -------
    AttackCurves
        Losses, accuracy and changed decisions of each rule, and which to use. Votes: the calibrated rule, mean,
        majority, trimmed mean, random dictator and, with an expert, the worst-case rule. Labels: the calibrated rule
        (of two classes), shares, plurality, k-ignorance shares and random dictator. Scores: mean, median and trimmed
        mean, with losses in units of the score.

    Raises
    ------
    FileError
        If a file cannot be read.
    DataError
        If reports or truths cannot be read, two readings are plausible, or no item has a known truth.
    ParameterError
        If a parameter is outside its range, or the strategy does not apply to this kind of report.

    Notes
    -----
    docs/theory.md §2 and §8; for two classes the k-ignorance shares are the k-trimmed mean. For m classes the squared
    loss is half the sum over classes of (forecast - truth)², and the absolute loss 1 - forecast of the true class: for
    votes these are (y - ω)² and abs(y - ω). The forecast for an item with 2k reports or fewer is 1/m, and the estimate
    of 2k scores or fewer is their median. Of equal forecasts each counts as right in proportion. The losses, accuracy
    and changes of the random dictator are expectations; its draw for an item is the same before and after the attack.

    The calibrated rule is fitted, in the first 2 draws, to the attacked reports on gold items, never to the truth of
    the items that it answers. Without `gold_items`, the items with a known truth are cut into halves at random, and
    each half is answered by the rule that is fitted to the other one; so are gold items themselves. It is the rule with
    the least largest loss within bounds of the truthful reporters' errors and joint errors that hold at even odds
    (docs/theory.md §6 and §12); for an item with 2k reports or fewer, that of nobody's reports.

    Examples
    --------
    >>> import polars as pl
    >>> rows = [(f"t{i}", w, i % 2) for i in range(20) for w in "abcde"]
    >>> votes = pl.DataFrame(rows, schema=["task", "worker", "label"], orient="row")
    >>> result = attack(votes, {f"t{i}": i % 2 for i in range(20)}, counts=[0, 2], draws=3)
    >>> attacked = result.curves.filter(pl.col("adversaries") == 2)
    >>> dict(attacked.head(3).select("rule", pl.col("absolute_loss").round(3)).iter_rows())
    {'calibrated rule': 0.5, 'mean': 0.4, 'majority': 0.0}
    """
    given = {
        "kind": kind, "item": item, "reporter": reporter, "value": value, "judges": judges, "missing": missing,
        "repeats": repeats, "order": order, "scale": scale, "better": better, "decimal_mark": decimal_mark,
    }  # fmt: skip
    is_vote = expert is not None or positive != 1
    with open_reports(
        frame, given, options, reading, values=(default_value(kind or "votes"),), truth=truth,
        truth_column=truth_column, implied="votes" if is_vote else None,
    ) as opened:  # fmt: skip
        stated = opened.stated
        prepare = partial(
            prepare_attack, opened.table, opened.truth, strategy=strategy, ks=ks, draws=draws, seed=seed, expert=expert,
            weighed=weighed, gold_items=_read_items(gold_items, opened.columns["item"]), copy=copy,
            answer_all=answer_all, truth_column=opened.truth_column, scale=stated.scale or scale,
            better=stated.better or better, decimal_mark=stated.decimal_mark or decimal_mark, positive=positive,
            classes=classes, **opened.columns,
        )  # fmt: skip
        try:
            attacked = prepare(kind=kind or opened.kind or "votes")
        except NotVotesError:
            if kind is not None or opened.kind is not None or is_vote:
                raise
            attacked = prepare(kind="labels")
    curves = attacked.measure(_adversary_counts(counts, shares, len(attacked.named.reporters)))
    return replace(curves, curves=opened.returned(curves.curves), notes=opened.notes)


def _read_items(items: Iterable[object] | str | PathLike[str] | None, column: object) -> Iterable[object] | None:
    """Return the gold items, which may be listed in a file."""
    if not isinstance(items, str | PathLike):
        return items
    frame = read_table(Path(items)).frame
    if column not in frame.columns:
        raise ColumnError(f"{items}: there is no column {column!r} with the gold items")
    return frame[str(column)].drop_nulls().unique(maintain_order=True).to_list()


def prepare_attack(
    frame: Any,
    truth: object,
    *,
    strategy: str,
    kind: str,
    ks: Iterable[int] | None,
    draws: int,
    seed: int | np.random.Generator = 0,
    expert: Expert | ExpertInterval | None = None,
    weighed: bool = False,
    gold_items: Iterable[object] | None = None,
    copy: object = None,
    answer_all: bool = False,
    truth_column: object = None,
    scale: Sequence[float] | None = None,
    better: str | None = None,
    **columns: Any,
) -> AttackedCrowd:
    """Read a crowd that is attacked; the parameters are those of `attack`, of which `columns` go to `ReportSchema`."""
    if expert is not None and kind != "votes":
        raise ParameterError(f"expert describes a voter: it does not apply to {kind}")
    if weighed and kind == "scores":
        raise ParameterError("weighed=True (--weighed) is for votes and labels, and these are scores")
    if truth is None and kind in ("votes", "labels"):
        raise no_truth()
    if strategy == "sleeper" and gold_items is None:
        raise ParameterError("strategy='sleeper' needs gold_items=[...], the items on which the bribed are honest")
    for name, given in (("better", better), ("decimal_mark", columns.get("decimal_mark"))):
        if given is not None and kind != "scores":
            raise ParameterError(f"{name} does not apply to {kind}; leave it out, or kind='scores'")
    check_better("high" if better is None else better)
    generators, assumed, schema = _generators(draws, seed), _assumed(ks), ReportSchema(**columns)
    named = read_matrix(frame, kind, schema, truth=truth, gold_items=gold_items, truth_column=truth_column, scale=scale)
    if kind == "scores" and better is None:
        ask_direction(named.source)
    matrix = named.matrix
    curves: LabelCurves | ScoreCurves
    if kind == "scores":
        # The mean of the honest scores replaces the truth for measuring only: adversaries do not know it.
        measured = matrix if truth is not None else replace(matrix, truth=trimmed_mean(matrix.reports, 0))
        has_truth = ~np.isnan(measured.truth)
        curves = ScoreCurves.of(measured, assumed, lowest_first=better == "low")
    else:
        has_truth = matrix.truth != ABSENT
        weighted = WeightedRule.of(matrix, gold=gold_items is not None) if weighed else None
        calibrated = CalibratedRule.of(matrix, gold=gold_items is not None)
        curves = LabelCurves.of(kind, matrix, assumed, expert, weighted, calibrated)
    if not has_truth.any():
        raise DataError("no item has a report and a known truth: the ids of the items have to be the same")
    return AttackedCrowd(
        named,
        strategy,
        curves,
        generators,
        seed=seed if isinstance(seed, int) else None,
        n_known=0 if truth is None else int(has_truth.sum()),
        copied=None if copy is None else named.column(copy),
        target=aim(expert, None, "squared"),
        answer_all=answer_all,
    )


def _generators(draws: object, seed: int | np.random.Generator) -> list[Callable[[], np.random.Generator]]:
    """Return for each draw what makes its source of randomness, the same one for each number of adversaries."""
    if isinstance(draws, bool) or not isinstance(draws, int):
        raise ParameterTypeError(f"draws={draws!r}: give how many draws, at least 1")
    if draws < 1:
        raise ParameterError(f"draws={draws!r}: give how many draws, at least 1")
    if isinstance(seed, np.random.Generator):
        sequences = seed.bit_generator.seed_seq.spawn(draws)  # type: ignore[attr-defined]
        return [partial(np.random.default_rng, sequence) for sequence in sequences]
    random_generator(seed)
    return [partial(random_generator, seed + draw) for draw in range(draws)]


def _adversary_counts(counts: Iterable[int] | None, shares: Iterable[object] | None, panel: int) -> list[int]:
    """Return the numbers of adversaries, from counts or shares."""
    if shares is None:
        return _check_counts("counts", (0, 1, 2) if counts is None else counts)
    if counts is not None:
        raise ParameterError("counts and shares both say how many are bribed: give one of them")
    if isinstance(shares, str) or not isinstance(shares, Iterable):
        raise ParameterTypeError(f"shares={shares!r}: give a list of shares such as [0, 0.1, 0.2]")
    values = list(dict.fromkeys(count_of(share, panel) for share in shares))
    if not values:
        raise ParameterError("shares=[]: give a list of shares such as [0, 0.1, 0.2]")
    return values


def _assumed(ks: Iterable[int] | None) -> list[AssumedK]:
    """Return the k that protected rules assume, with the suffixes of their names."""
    if ks is not None:
        return [(f", k = {k}", partial(_always, k)) for k in _check_counts("ks", ks)]
    return [("", lambda count: count), (", k/2", lambda count: count // 2), (", 2k", lambda count: 2 * count)]


def _check_counts(name: str, counts: object) -> list[int]:
    """Return a list of head counts, or raise an error."""
    allowed = "give a list of head counts such as [0, 1, 2], each once"
    if isinstance(counts, str) or not isinstance(counts, Iterable):
        raise ParameterTypeError(f"{name}={counts!r}: {allowed}")
    values = [validate_k(count) for count in counts]
    if not values or len(set(values)) < len(values):
        raise ParameterError(f"{name}={counts!r}: {allowed}")
    return values


def _always(k: int, _: int) -> int:
    """Return the same k for any number of adversaries."""
    return k
