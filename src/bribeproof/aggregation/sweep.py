"""How to choose k: what every number of bribed reporters would do to the answers and to what they are worth."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any

import narwhals.stable.v2 as nw
import polars as pl

from bribeproof.aggregation.combine import COMBINE, split_options
from bribeproof.calibration.calibrate import Calibration
from bribeproof.errors import ParameterError
from bribeproof.frames.adversary_count import validate_k
from bribeproof.frames.validation import validate_reports
from bribeproof.theory import Expert, ExpertInterval, Loss, Panel, closed_form


@dataclass(frozen=True, slots=True, eq=False)
class Sweep:
    """The answers for several k.

    Attributes
    ----------
    answers
        What the table function returns for each k, one below the other.
    changes
        One row per item: ``changes_at``, the first k at which its answer is another one than for the smallest k, or
        is no longer certified; null where it stays. Of scores the answer is the place in the ranking, 1 the highest.
    summary
        One row per k: how many items are certified, how many are ties and how many of the decisions k bribed reporters
        could have changed (votes and labels), how many answers are others than for the smallest k, and with an
        expert ``expected_loss``, which that of the best rule never exceeds.
    """

    answers: pl.DataFrame
    changes: pl.DataFrame
    summary: pl.DataFrame


def sweep(
    frame: Any,
    ks: Iterable[int] | None = None,
    *,
    kind: str = "votes",
    known: Expert | ExpertInterval | Calibration | None = None,
    loss: Loss | str = "squared",
    **options: Any,
) -> Sweep:
    """Aggregate for several k, to see how much protection costs and where answers change.

    Parameters
    ----------
    frame
        What the table functions take.
    ks
        The numbers of bribed reporters, ascending; by default 0, 1, … as long as an item is certified.
    kind
        ``"votes"``, ``"labels"`` or ``"scores"``.
    known
        What is known of a truthful reporter, or a calibration, for the guarantee of each k.
    loss
        Loss of the forecast in the guarantee.
    options
        As for the table function, without ``k``.

    Returns
    -------
    Sweep
        Answers, changes and a summary.

    Raises
    ------
    DataError
        If the reports cannot be read.
    ParameterError
        If a parameter is outside its range or ``ks`` do not ascend.

    Notes
    -----
    theory.md §2, §6 and §8.

    Examples
    --------
    >>> votes = pl.DataFrame({"task": ["t"] * 5, "worker": list("abcde"), "label": [1, 1, 1, 0, 0]})
    >>> found = sweep(votes, known=Expert(0.5, 0.9, 0.1))
    >>> found.changes.row(0)
    ('t', 3)
    >>> found.summary.select("k", "certified", "changeable", pl.col("expected_loss").round(4)).rows()
    [(0, 1, 0, 0.09), (1, 1, 1, 0.1156), (2, 1, 1, 0.21), (3, 0, 0, None)]
    """
    if kind not in COMBINE:
        raise ParameterError(f"kind={kind!r}: use one of {', '.join(COMBINE)}")
    schema, rest = split_options(kind, options)
    aggregate = partial(COMBINE[kind], validate_reports(frame, schema, scores=kind == "scores"), **rest)
    found = [answer.with_columns(_answer(kind).alias("_answer")) for answer in _answers(aggregate, ks)]
    first = found[0].select(pl.col("_answer").alias("_first"))
    compared = [
        pl.concat([answers, first], how="horizontal").with_columns(
            _changed=(pl.col("status") != "ok") | ~pl.col("_answer").eq_missing(pl.col("_first"))
        )
        for answers in found
    ]
    together = pl.concat(compared)
    item = together.columns[0]
    changes = together.group_by(item, maintain_order=True).agg(
        pl.col("k").filter(pl.col("_changed")).min().alias("changes_at")
    )
    summary = pl.DataFrame(_summary(answers, kind, known, loss) for answers in compared)
    return Sweep(together.drop("_answer", "_first", "_changed"), changes, summary)


def _answers(aggregate: Callable[..., Any], ks: Iterable[int] | None) -> Iterator[pl.DataFrame]:
    """Yield the answers for each k."""
    if ks is not None:
        counts = [validate_k(k) for k in ks]
        if not counts or counts != sorted(set(counts)):
            raise ParameterError(f"ks={counts}: give numbers of bribed reporters in ascending order, at least one")
        for k in counts:
            yield _collected(aggregate(k=k))
        return
    k, certified = 0, True
    while certified:
        answers = _collected(aggregate(k=k))
        yield answers
        k, certified = k + 1, bool((answers["status"] == "ok").any())


def _collected(result: Any) -> pl.DataFrame:
    """Return a result of any kind as a polars frame."""
    frame = nw.from_native(result)
    whole = frame.collect("polars") if isinstance(frame, nw.LazyFrame) else frame
    return whole.to_polars()


def _answer(kind: str) -> pl.Expr:
    """Return what counts as the answer of an item."""
    if kind == "scores":
        return pl.col("estimate").rank("min", descending=True)
    return pl.col("decision")


def _summary(answers: pl.DataFrame, kind: str, known: Any, loss: Loss | str) -> dict[str, Any]:
    """Count what one k does."""
    k, n = int(answers["k"][0]), int(answers["n"][0])
    certified = pl.col("status") == "ok"
    counts = {"certified": certified.sum(), "changed": pl.col("_changed").sum()}
    if kind != "scores":
        counts |= {
            "ties": pl.col("tie").sum(),
            "changeable": (certified & (pl.lit(k) > 0) & (pl.col("flips_needed") <= k)).sum(),
        }
    found: dict[str, Any] = {"k": k, **answers.select(**counts).row(0, named=True)}
    if known is not None:
        found["expected_loss"] = _guarantee(known, n, k, loss)
    return found


def _guarantee(known: Expert | ExpertInterval | Calibration, n: int, k: int, loss: Loss | str) -> float | None:
    """Return what the best rule's expected loss never exceeds; None where half of the panel or more may be bribed."""
    if n <= 2 * k:
        return None
    if isinstance(known, Calibration):
        return known.with_k(k).guarantee(loss).expected_loss
    guarantee = closed_form(Panel(n, k), known, loss).guarantee
    return None if guarantee is None else guarantee.expected_loss
