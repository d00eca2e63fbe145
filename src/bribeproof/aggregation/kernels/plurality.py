"""Find the winner of each item and how many reports take the win away, from the counts of few classes."""

import operator
from collections.abc import Callable, Sequence
from functools import reduce
from itertools import accumulate
from typing import Any, Protocol, TypeAlias

import narwhals.stable.v2 as nw

from bribeproof.aggregation.kernels.counts import largest, total
from bribeproof.aggregation.kernels.status import additions, flips
from bribeproof.frames.label_classes import Classes
from bribeproof.frames.native.backends import with_draw_numbers
from bribeproof.frames.schema import ITEM

TOP, LEADERS, WINNER = "_top", "_leaders", "_winner"

Compare: TypeAlias = Callable[[nw.Expr, nw.Expr], Any]
"""One of the operators ``<``, ``>`` and ``!=`` as a function."""


class Cost(Protocol):
    """How many changes of one kind make up for a margin of votes: `flips` or `additions`."""

    def __call__(self, margin: nw.Expr, *, favoured: bool) -> nw.Expr:
        """Return the number of changes."""


def with_winner(items: nw.LazyFrame[Any], counts: Sequence[str], ties: str, seed: int | None) -> nw.LazyFrame[Any]:
    """Add the largest count, how many classes have it, and the class index of the winner by the tie rule."""
    items = items.with_columns(largest(map(nw.col, counts)).alias(TOP))
    leads = [(nw.col(name) == nw.col(TOP)) & (nw.col(TOP) > 0) for name in counts]
    items = items.with_columns(total(lead.cast(nw.Int64) for lead in leads).alias(LEADERS))
    if ties == "random":
        items = with_draw_numbers(items, ITEM, seed or 0, "tie", "_tie")
        lucky = nw.col("_tie") % at_least_one(nw.col(LEADERS)) + 1
        ranks = accumulate((lead.cast(nw.Int64) for lead in leads), operator.add)
        leads = [lead & (rank == lucky) for lead, rank in zip(leads, ranks, strict=True)]
    places = list(enumerate(leads))
    winner = first_place(places[::-1] if ties == "last" else places)
    if ties == "none":
        winner = nw.when(nw.col(LEADERS) == 1).then(winner)
    return items.with_columns(winner.alias(WINNER))


def first_place(places: Sequence[tuple[int, nw.Expr]]) -> nw.Expr:
    """Return the first class index whose condition holds, null if none does."""
    nowhere = nw.lit(None, nw.Int64)
    return reduce(
        lambda rest, place: nw.when(place[1]).then(nw.lit(place[0], nw.Int64)).otherwise(rest), places[::-1], nowhere
    )


def at_least_one(count: nw.Expr) -> nw.Expr:
    """Return a count, or 1 instead of 0, to divide by."""
    return nw.when(count > 0).then(count).otherwise(nw.lit(1))


def reports_needed(margin: Callable[[Compare], nw.Expr], ties: str, classes: Classes) -> dict[str, nw.Expr]:
    """Return the fewest reports to rewrite, and the fewest to add, so that the winner no longer wins outright.

    Classes without votes are rivals too.

    Parameters
    ----------
    margin
        Returns the lead of the winner over the classes whose index compares so with its own.
    ties
        The tie rule.
    classes
        The classes.

    Returns
    -------
    The columns ``flips_needed`` and ``additions_needed``.
    """
    return {
        name: _fewest(cost, margin, ties, classes).alias(name)
        for name, cost in (("flips_needed", flips), ("additions_needed", additions))
    }


def _fewest(cost: Cost, margin: Callable[[Compare], nw.Expr], ties: str, classes: Classes) -> nw.Expr:
    """Return the fewest changes of one kind that are enough against some rival; 0 at a tie."""
    if ties in ("first", "last"):
        # Undeclared classes may sort before or after all others: rivals of both kinds exist.
        before = cost(margin(operator.lt), favoured=ties == "last")
        after = cost(margin(operator.gt), favoured=ties == "first")
        if classes.declared:
            last = len(classes.labels) - 1
            before = nw.when(nw.col(WINNER) > 0).then(before).otherwise(after)
            after = nw.when(nw.col(WINNER) < last).then(after).otherwise(before)
        needed = nw.when(before < after).then(before).otherwise(after)
    else:
        needed = cost(margin(operator.ne), favoured=False)
    return nw.when(nw.col(LEADERS) == 1).then(needed).otherwise(nw.lit(0)).cast(nw.Int64)


def margin_of(counts: Sequence[str]) -> Callable[[Compare], nw.Expr]:
    """Return the function of margins for `reports_needed`, from columns of counts."""

    def margin(compare: Compare) -> nw.Expr:
        rivals = (
            nw.when(compare(nw.lit(place), nw.col(WINNER))).then(nw.col(name)).otherwise(nw.lit(0))
            for place, name in enumerate(counts)
        )
        return nw.col(TOP) - largest(rivals)

    return margin
