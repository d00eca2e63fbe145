"""Aggregate votes, labels or scores in a data frame of any kind, robustly against k bribed reporters."""

from collections.abc import Sequence
from typing import Any

from bribeproof.aggregation.combine import combine_labels, combine_scores, combine_votes, warn_contradictions
from bribeproof.calibration.result import Calibration
from bribeproof.frames.bribed_groups import GivenBribes
from bribeproof.frames.commitment import resolve_draw
from bribeproof.frames.schema import ReportSchema
from bribeproof.frames.validation import validate_reports
from bribeproof.theory import Expert, ExpertInterval, Loss


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
    group: object = None,
    price: object = None,
    budget: object = None,
    missing: Sequence[object] = (),
    repeats: str = "error",
    order: object = None,
    asked: int | str | None = None,
    faulty: str = "error",
    decimals: int | None = None,
    decimal_mark: str | None = None,
    scale: Sequence[float] | None = None,
) -> Any:
    """Combine scores into one per item by the k-trimmed mean, when k reporters may be bribed.

    The k lowest and the k highest scores of each item are dropped, and the others averaged.

    Parameters
    ----------
    frame
        pandas, polars (eager or lazy), pyarrow, duckdb or PySpark frame, or a table from `read_table` or `scan_table`.
    k
        How many reporters may be bribed: a head count, at least 0.
    item, reporter, score
        Long form: the columns of the items, of the reporters, and of the scores.
    judges
        Wide form: the columns that hold one reporter's scores each; then only ``item`` is used beside them.
    share
        Instead of k: a share in [0, 0.5) of the reporters, turned into a count by exact arithmetic, rounded down.
    share_of
        ``"panel"``: of all distinct reporters. ``"item"``: of the reports on each item.
    group
        What one bribe buys together, such as a vendor or a nation: a column, or a mapping from reporters; those
        without a group are by themselves. k then counts groups. The reports are brought into memory.
    price, budget
        What each group, or reporter where there are no groups, costs: a column, or a mapping from names; and, instead
        of k, the most that is spent.
    missing
        Values that stand for no score, such as ``("absent", 0.0)``, beside empty cells, NaN and null.
    repeats
        If a reporter scores an item twice, differently: ``"error"``, or keep the ``"first"`` or ``"last"``, or
        ``"drop"`` both. Exact repeats collapse with a warning.
    order
        With ``repeats="first"`` or ``"last"``: the column that says which report is, such as the time of an edit, in
        numbers or ISO dates and times; None for the order of rows.
    asked
        Your statement that each item was given to so many reporters, and that honest ones answer whatever they are
        given: a count, or the name of a column, constant within an item. Silent reporters then count as bribed, and
        items with m ≤ 2k are certified where ``asked`` exceeds 2k. Do not give it if an honest reporter may be absent.
        Members of groups who never report count too: a mapping of groups names them; where a column gives the groups,
        as many as are missing on an item at most may all be of bribed ones.
    faulty
        ``"error"``, or ``"set aside"`` for reports that no honest reporter sends, by your statement: two different
        ones on the same item, text that is no number, a score that is infinite or off the scale. Their senders count as
        bribed on that item.
    decimals
        Round results half up (away from zero) to so many decimals, 0 to 12, in exact decimal arithmetic.
    decimal_mark
        ``"."`` or ``","`` for scores in text; None to detect it.
    scale
        The lowest and the highest possible score, such as ``(0, 10)``: any other score is an error, or set aside.

    Returns
    -------
    frame of the same kind
        One row per item, in order of first appearance (by item where rows have no order): the item; ``n`` reporters
        in all; ``m`` reports on the item; where they are stated ``asked`` and ``set_aside``, the reporters who were
        asked and who are set aside; ``k``; ``estimate``, the k-trimmed mean; ``range_low`` and ``range_high``, the
        results that k bribed reporters could have caused, by their reports, silence or faulty reports;
        ``dropped_low`` and ``dropped_high``, whose scores were dropped (equal scores by name); ``status``: ``ok``,
        ``not certified`` (too few reports, m ≤ 2k unless stated otherwise: no numbers), ``no reports``.

    Raises
    ------
    DataError
        If a score is no finite number or off the scale, an id is missing, repeats conflict, an item has more reports
        than were asked for, or nothing is there; it says where.
    ParameterError
        If a parameter is outside its range.
    ColumnError
        If a column does not exist.

    Notes
    -----
    docs/theory.md §10 and §15. Scores are added as whole numbers: the same bits on every engine and in every order.

    Examples
    --------
    >>> import polars as pl
    >>> sheet = pl.DataFrame({"entry": ["E1"], "j1": [5.0], "j2": [6.0], "j3": [9.5], "j4": [9.5]})
    >>> row = aggregate_scores(sheet, k=1, item="entry", judges=["j1", "j2", "j3", "j4"]).row(0, named=True)
    >>> row["estimate"], row["range_low"], row["range_high"], row["dropped_low"], row["dropped_high"]
    (7.75, 5.5, 9.5, 'j1', 'j4')
    """
    schema = ReportSchema(
        item,
        reporter,
        score,
        judges,
        missing,
        repeats,
        decimal_mark,
        asked=asked,
        scale=scale,
        faulty=faulty,
        order=order,
    )
    reports = validate_reports(frame, schema, scores=True, shifts=True)
    bribes = GivenBribes.of(frame, reports.columns.reporter, group, price, budget)
    warn_contradictions(reports, k, share=share, share_of=share_of, bribes=bribes)
    return combine_scores(reports, k, share=share, share_of=share_of, bribes=bribes, decimals=decimals)


def aggregate_votes(
    frame: Any,
    k: int | None = None,
    *,
    expert: Expert | ExpertInterval | Calibration | None = None,
    loss: str | Loss = "squared",
    item: object = "task",
    reporter: object = "worker",
    vote: object = "label",
    judges: Sequence[object] | None = None,
    positive: object = 1,
    classes: Sequence[object] | None = None,
    share: object = None,
    share_of: str = "panel",
    group: object = None,
    price: object = None,
    budget: object = None,
    missing: Sequence[object] = (),
    repeats: str = "error",
    order: object = None,
    asked: int | str | None = None,
    faulty: str = "error",
    ties: str = "none",
    seed: int | None = None,
    beacon: str | None = None,
) -> Any:
    """Combine binary votes into one decision and one probability per item, when k reporters may be bribed.

    Parameters
    ----------
    frame, k, item, reporter, judges, share, share_of, group, price, budget, missing, repeats, order, asked
        As in `aggregate_scores`.
    expert
        The prior and the true- and false-positive rate of one truthful reporter, or the result of `calibrate`: adds
        the optimal forecast and its guarantee. A calibration counts with k bribed reporters, or its own for a share.
    loss
        The loss that the forecast minimises: ``"squared"``, ``"absolute"``, ``"log"`` or a `Loss`.
    vote
        Long form: the column of the votes.
    positive
        The vote that counts as 1.
    classes
        The two votes that are allowed, in class order; needed where one of them was never cast, and to set others
        aside.
    faulty
        ``"error"``, or ``"set aside"`` as in `aggregate_scores`, for repeats that differ and votes outside ``classes``.
    ties
        ``"none"`` leaves a tied decision empty; ``"first"`` or ``"last"`` in class order; ``"random"`` by ``seed``.
    seed
        For ``ties="random"``: each item's draw depends on the seed and the item's id alone. Bribed reporters who know
        the seed know who wins a tie.
    beacon
        Instead of a seed: a public value that nobody knew before the reports were in. The seed is a hash of it and of
        the `commitment` to the reports.

    Returns
    -------
    frame of the same kind
        One row per item: the item; ``n``, ``m``, ``k`` and the like as in `aggregate_scores`; ``positive``, the number
        of positive votes; ``estimate``, the k-trimmed share of positive votes; ``decision``, as the votes came in;
        ``tie``; ``flips_needed``, the fewest reports to rewrite so that the winner no longer wins (silent and faulty
        reporters change no more by speaking); ``additions_needed``, the fewest further reports that would do the
        same; with an expert ``forecast``, the probability of positive, and ``guarantee``, the expected loss that it
        never exceeds; ``status`` as in `aggregate_scores`. With the absolute loss and costs the decision is the side
        that the forecast finds more probable, which may differ from the plurality and loses at most twice as much; then
        ``additions_needed`` is null, and so is ``flips_needed`` if nothing changes the decision.

    Raises
    ------
    DataError
        If votes are not of two kinds, or as in `aggregate_scores`.
    ParameterError
        If a parameter is outside its range.
    ColumnError
        If a column does not exist.

    Notes
    -----
    docs/theory.md, Theorem A, §10 and §15. The guarantee bounds the expected loss on average over all items, provided
    that neither who answers an item nor how many do depends on its truth or difficulty, or on the others' skill or
    reports. With ``asked`` = d it is that of d reporters, whatever bribed ones say or leave out, if d depends neither
    on the item nor on their skill, and honest ones answer.

    Examples
    --------
    >>> import polars as pl
    >>> votes = pl.DataFrame({"task": ["t"] * 5, "worker": list("abcde"), "label": [1, 1, 1, 1, 0]})
    >>> row = aggregate_votes(votes, k=1, expert=Expert(0.5, 0.8, 0.1)).row(0, named=True)
    >>> row["decision"], row["flips_needed"], row["estimate"], round(row["forecast"], 4), round(row["guarantee"], 4)
    (1, 2, 1.0, 0.8462, 0.1584)
    """
    schema = ReportSchema(
        item,
        reporter,
        vote,
        judges,
        missing,
        repeats,
        positive=positive,
        classes=classes,
        asked=asked,
        faulty=faulty,
        order=order,
    )
    reports = validate_reports(frame, schema, scores=False)
    bribes = GivenBribes.of(frame, reports.columns.reporter, group, price, budget)
    warn_contradictions(reports, k, share=share, share_of=share_of, bribes=bribes)
    draws, _ = resolve_draw(reports, {"seed": seed, "beacon": beacon})
    return combine_votes(
        reports, k, expert=expert, loss=loss, share=share, share_of=share_of, bribes=bribes, ties=ties, **draws
    )


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
    group: object = None,
    price: object = None,
    budget: object = None,
    missing: Sequence[object] = (),
    repeats: str = "error",
    order: object = None,
    asked: int | str | None = None,
    faulty: str = "error",
    ties: str = "none",
    seed: int | None = None,
    beacon: str | None = None,
) -> Any:
    """Combine labels of any number of classes into one per item, when k reporters may be bribed.

    Parameters
    ----------
    frame, k, item, reporter, judges, share, share_of, group, price, budget, missing, repeats, order, asked
        As in `aggregate_scores`.
    label
        Long form: the column of the labels.
    classes
        All classes in class order, including those that nobody reported. By default the categories of a categorical
        column, else all labels that occur, sorted.
    faulty
        As in `aggregate_votes`.
    ties
        ``"none"`` leaves a tied decision empty; ``"first"`` or ``"last"`` in class order; ``"random"`` by ``seed``.
    seed
        Adds the draw of the k-ignorance random dictator; each item's depends on the seed and the item's id alone. With
        three or more classes nobody may know the seed before the reports are in: bribed reporters who know it can
        break the guarantee (docs/theory.md §15). With two classes a known seed does no harm.
    beacon
        As in `aggregate_votes`: the draw whose seed comes after the reports.

    Returns
    -------
    frame of the same kind
        One row per item: the item; ``n``, ``m``, ``k`` and the like; ``decision``, the label with the most votes, as it
        came in; ``estimate``, its share as below; ``tie``; ``flips_needed`` and ``additions_needed`` as in
        `aggregate_votes`; with a seed ``draw``; ``status`` as in `aggregate_scores` or ``no class left`` (no class has
        more than k reports: no numbers); and per class in class order ``share_<class>``, its share after k reports of
        each class are ignored (up to 1000 classes; fewer than k where ``asked`` or ``faulty`` says that some bribed
        ones are not among the reports).

    Raises
    ------
    DataError
        If a label is none of the declared classes, or as in `aggregate_scores`.
    ParameterError
        If a parameter is outside its range.
    ColumnError
        If a column does not exist.

    Notes
    -----
    docs/theory.md §8 and §15. The share of a class is the probability that the random dictator follows it.

    Examples
    --------
    >>> import polars as pl
    >>> votes = pl.DataFrame({"task": ["t"] * 6, "worker": list("abcdef"), "label": list("AAAABB")})
    >>> row = aggregate_labels(votes, k=1).row(0, named=True)
    >>> row["decision"], row["flips_needed"], row["additions_needed"], row["share_A"], row["share_B"]
    ('A', 1, 2, 0.75, 0.25)
    """
    schema = ReportSchema(
        item, reporter, label, judges, missing, repeats, classes=classes, asked=asked, faulty=faulty, order=order
    )
    reports = validate_reports(frame, schema, scores=False)
    bribes = GivenBribes.of(frame, reports.columns.reporter, group, price, budget)
    warn_contradictions(reports, k, share=share, share_of=share_of, bribes=bribes)
    draws, _ = resolve_draw(reports, {"seed": seed, "beacon": beacon})
    return combine_labels(reports, k, share=share, share_of=share_of, bribes=bribes, ties=ties, **draws)
