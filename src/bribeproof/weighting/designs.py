"""How many reporters each item was given to, and how many of its reports the bribed may have written."""

from dataclasses import dataclass

import narwhals.stable.v2 as nw
import numpy as np
import polars as pl

from bribeproof._typing import IntArray
from bribeproof.errors import ParameterError
from bribeproof.frames.asked import per_item
from bribeproof.frames.reports import Reports
from bribeproof.frames.schema import ASKED, ITEM, SET_ASIDE
from bribeproof.weighting.rates import Rates


@dataclass(frozen=True, slots=True)
class Designs:
    """What a guarantee must know of each item, beside its reports (docs/theory.md, Proposition 15.3).

    Attributes
    ----------
    stated
        The columns ``asked`` and ``set_aside``, where the user has stated them.
    given
        How many reporters the item was given to; without a statement, those who report or are set aside.
    bribed
        How many of the reports may be from bribed reporters: those who can be bribed, less the silent and set aside.
    possible
        Whether the bribed leave enough honest ones, and may be so many silent ones.
    """

    stated: dict[str, IntArray]
    given: IntArray
    bribed: IntArray
    possible: np.typing.NDArray[np.bool_]


def find_designs(reports: Reports, rows: pl.DataFrame, sizes: IntArray, k: IntArray) -> Designs:
    """Return the designs of the items, sorted by item.

    Parameters
    ----------
    reports
        The reports.
    rows
        Their rows, missing and set aside ones too.
    sizes
        The number of reports on each item.
    k
        How many reporters of each item can be bribed.
    """
    schema = reports.schema
    kept = nw.from_native(rows).group_by(ITEM).agg(nw.len().alias("_rows"), **per_item(schema)).sort(ITEM).to_native()
    aside = kept[SET_ASIDE].fill_null(0).to_numpy().astype(np.int64) if schema.sets_aside else np.zeros_like(sizes)
    stated, given = {}, sizes + aside
    if schema.asked is not None:
        counts = kept[ASKED].to_numpy() if isinstance(schema.asked, str) else np.full(len(sizes), schema.asked_count)
        given = stated["asked"] = counts.astype(np.int64)
    if schema.sets_aside:
        stated["set_aside"] = aside
    absent = given - sizes
    return Designs(stated, given, np.maximum(k - absent, 0), (given > 2 * k) & (absent <= k))


def check_covered(reports: Reports, weight_spread: float | None, rates: Rates | None, *, grouped: bool) -> None:
    """Raise an error if no guarantee is known: of who is silent, or of groups and weights without a limit.

    Parameters
    ----------
    reports
        The reports.
    weight_spread
        The limit of the weights; None if there is none.
    rates
        The error rates of truthful reporters; None without a guarantee.
    grouped
        Whether a bribe buys a group, or has a price.
    """
    of_each = rates is not None and rates.errors.ndim > 1
    if grouped and weight_spread is None and rates is not None and not of_each:
        raise ParameterError(
            "groups or prices, with given weights and one expert for all: averages leave open whether those with most "
            "weight err most, and how many of an item's reports are honest; give an expert for each reporter, or "
            "weight_spread=0.5 (--weight-spread 0.5)"
        )
    schema = reports.schema
    if schema.asked is None and not schema.sets_aside:
        return
    name = "faulty='set aside'" if schema.asked is None else "asked"
    if weight_spread is None:
        raise ParameterError(
            f"{name} with given weights needs a weight_spread: without one, those who are silent or set aside choose "
            f"the weights of the others; add weight_spread=0.5 (--weight-spread 0.5)"
        )
    if of_each:
        raise ParameterError(
            f"{name} with an expert for each reporter: those who are silent or set aside choose whose rates count; "
            f"give one expert, with the mean rates"
        )
