"""Pairwise preferences asked in both orders: a judge whose answer changes with the order has no verdict."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import narwhals.stable.v2 as nw
import polars as pl
import polars.selectors as cs

from bribeproof._text import count, format_name, shorten
from bribeproof.errors import ColumnError, DataError, ParameterError
from bribeproof.frames.native import collect, column_names, open_frame, to_polars
from bribeproof.frames.values.text import clean_value
from bribeproof.jury.seats import Answers, by_judge, is_missing

_ITEM, _JUDGE, _FIRST, _SECOND, _SAID = "_item", "_judge", "_first", "_second", "_said"
_LISTED = 5
"""The summary names at most so many judges who are least consistent."""


@dataclass(frozen=True, slots=True, eq=False)
class Preferences:
    """What judges prefer whichever of two candidates they see first.

    Attributes
    ----------
    verdicts : frame of the kind that came in
        One row per item and judge, under the names of their columns: the preferred candidate, null where the judge was
        not asked in both orders, gave no answer in one of them, or did not always give the same one. Such a judge
        counts in n, and k does not shrink.
    judges : frame of the kind that came in
        One row per judge, the least consistent first: ``judge``; ``items``; ``both``, how many of them were answered in
        both orders; ``consistent``, on how many of these all answers are the same; ``consistency``, their share;
        ``first``, the share of answers that prefer the candidate shown first, which is half for a judge to whom the
        order is nothing, if every pair is asked in both orders and none is a tie.
    """

    verdicts: Any
    judges: Any

    def summary(self) -> str:
        """Return how consistent the judges are, one sentence a line."""
        return "\n".join(self._describe())

    def _describe(self) -> Iterator[str]:
        """Yield the sentences of the summary."""
        table = to_polars(self.judges)
        both, same, items = (int(table[name].sum()) for name in ("both", "consistent", "items"))
        yield (
            f"{count(table.height, 'judge')}: {same:,} of {both:,} verdicts asked in both orders are the same in both; "
            f"the other {items - same:,} of {items:,} verdicts are missing, and their judges still count."
        )
        for row in table.head(_LISTED).iter_rows(named=True):
            if row["both"]:
                yield (
                    f"{format_name(row['judge'])}: {row['consistent']:,} of {row['both']:,} the same; "
                    f"{100 * row['first']:.1f} % of the answers prefer what is shown first."
                )


def consistent(one_order: Answers, other_order: Answers) -> dict[Any, Any]:
    """Return the answer of each judge who gives the same one in both orders, None for any other, for `decide`.

    Parameters
    ----------
    one_order, other_order
        What each judge prefers when one candidate is shown first, and when the other is: mappings from judges to
        candidates, or lists in the order of the judges. Answers name candidates, not places.

    Raises
    ------
    DataError
        If there are no judges, or lists of different lengths.
    ParameterTypeError
        If an argument is neither a mapping nor a list.

    Examples
    --------
    >>> consistent({"gpt": "A", "claude": "A", "llama": "B"}, {"gpt": "A", "claude": "B", "phi": "B"})
    {'gpt': 'A', 'claude': None, 'llama': None, 'phi': None}
    """
    one, other = by_judge(one_order), by_judge(other_order)
    if len(one) != len(other) and isinstance(one_order, Sequence) and isinstance(other_order, Sequence):
        raise DataError(f"{len(one)} answers in one order and {len(other)} in the other: give None for a missing one")
    answers = {
        judge: (one.get(judge), other.get(judge)) for judge in [*one, *(judge for judge in other if judge not in one)]
    }
    return {judge: None if is_missing(said) or said != also else said for judge, (said, also) in answers.items()}


def both_orders(
    frame: Any,
    *,
    item: str = "task",
    reporter: str = "worker",
    label: str = "label",
    first: str = "first",
    second: str | None = None,
    places: tuple[Any, Any] | None = None,
) -> Preferences:
    """Return one verdict per item and judge from preferences that were asked in both orders.

    Parameters
    ----------
    frame
        pandas, polars (eager or lazy), pyarrow, duckdb or PySpark frame, or a table from `bribeproof.read_table`: one
        row per answer, null where the judge failed.
    item, reporter, label
        The columns of the items, of the judges, and of the preferred candidates. Any other label, such as ``tie``, is
        an answer as well.
    first
        The column of the candidate that was shown first.
    second
        With `places`: the column of the candidate that was shown second.
    places
        If labels name places: the label of what is shown first and of what is shown second, such as ``("A", "B")``.

    Returns
    -------
    Preferences
        The verdicts, for `examine`, `choose` and `bribeproof.aggregate_labels`, and how consistent each judge is.

    Raises
    ------
    DataError
        If the frame is empty, or an item, a judge or a candidate is missing.
    ColumnError
        If a column does not exist.
    ParameterError
        If only one of `second` and `places` is given.

    Examples
    --------
    >>> rows = [("q1", "gpt", "X", "X"), ("q1", "gpt", "Y", "X"), ("q1", "phi", "X", "X"), ("q1", "phi", "Y", "Y")]
    >>> asked = pl.DataFrame(rows, schema=["task", "worker", "first", "label"], orient="row")
    >>> both_orders(asked).verdicts.rows()
    [('q1', 'gpt', 'X'), ('q1', 'phi', None)]
    """
    if (second is None) != (places is None):
        raise ParameterError("labels that name places need both: places=('A', 'B') and second, the column shown second")
    columns = {_ITEM: item, _JUDGE: reporter, _FIRST: first, _SAID: label}
    columns |= {} if second is None else {_SECOND: second}
    present = column_names(frame)
    absent = [name for name in columns.values() if name not in present]
    if absent:
        raise ColumnError(f"there is no column {absent[0]!r}; there are {', '.join(map(repr, present))}")
    source = open_frame(frame, [*columns.values()])
    rows = collect(source.frame).select(pl.col(name).alias(inner) for inner, name in columns.items())
    rows = rows.with_columns(pl.col(pl.String).str.strip_chars().replace("", None), cs.float().fill_nan(None))
    _check_rows(rows, columns)
    if places is not None:
        rows = rows.with_columns(_candidate(*places).alias(_SAID))
    said = pl.col(_SAID)
    pairs = rows.group_by(_ITEM, _JUDGE, maintain_order=True).agg(
        both=pl.col(_FIRST).filter(said.is_not_null()).n_unique() > 1,
        same=said.drop_nulls().n_unique() == 1,
        answer=said.drop_nulls().first(),
    )
    if not source.has_order:
        pairs = pairs.sort(_ITEM, _JUDGE)
    verdict = pl.when(pl.col("both") & pl.col("same")).then(pl.col("answer"))
    verdicts = pairs.select(pl.col(_ITEM).alias(item), pl.col(_JUDGE).alias(reporter), verdict.alias(label))
    tables = (verdicts, _judges_table(pairs, rows))
    return Preferences(*(source.to_native(nw.from_native(table.lazy()), {}) for table in tables))


def _candidate(first: object, second: object) -> pl.Expr:
    """Return the candidate that stands where the label says; any other label as it is."""
    said = pl.col(_SAID).cast(pl.String)
    return (
        pl.when(said == str(clean_value(first)))
        .then(pl.col(_FIRST))
        .when(said == str(clean_value(second)))
        .then(pl.col(_SECOND))
        .otherwise(pl.col(_SAID))
    )


def _check_rows(rows: pl.DataFrame, columns: Mapping[str, str]) -> None:
    """Raise an error if there are no rows, or an item, a judge or a candidate is missing."""
    if rows.is_empty():
        raise DataError("the table has no rows: give one for each answer of a judge")
    for inner, name in columns.items():
        missing = rows[inner].is_null()
        if inner != _SAID and missing.any():
            raise DataError(f"row {missing.arg_max()} (counting from 0) has nothing in {shorten(name)}: fill it in")


def _judges_table(pairs: pl.DataFrame, rows: pl.DataFrame) -> pl.DataFrame:
    """Return how consistent each judge is."""
    table = pairs.group_by(_JUDGE, maintain_order=True).agg(
        items=pl.len().cast(pl.Int64),
        both=pl.col("both").sum().cast(pl.Int64),
        consistent=(pl.col("both") & pl.col("same")).sum().cast(pl.Int64),
    )
    prefers = pl.col(_SAID).cast(pl.String) == pl.col(_FIRST).cast(pl.String)
    shown = rows.group_by(_JUDGE).agg(first=prefers.mean())
    table = table.join(shown, on=_JUDGE, how="left").rename({_JUDGE: "judge"})
    table = table.with_columns(consistency=pl.when(pl.col("both") > 0).then(pl.col("consistent") / pl.col("both")))
    table = table.sort("consistency", "judge", nulls_last=True)
    return table.select("judge", "items", "both", "consistent", "consistency", "first")
