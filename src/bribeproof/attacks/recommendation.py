"""Say which rule loses least under the attacks tried, and what it promised."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import polars as pl

from bribeproof._text import count, round_up
from bribeproof.theory import Worth

CONFIDENCE = 0.95
"""The confidence of the promises."""
CALIBRATED = "calibrated rule"
FITTED_DRAWS = 2
"""In so many draws the calibrated rule is fitted and measured, which takes longer than everything else."""
_TIE = 0.03
"""Losses that differ by no more than this share of the larger one count as equal."""
_OTHER_K = ", (k/2|2k)$"
"""How the names of rules end that assume half or twice the number of bribed reporters."""


@dataclass(frozen=True, slots=True)
class GoldFit:
    """The items that the calibrated rule is fitted to.

    Attributes
    ----------
    items
        How many there are.
    cross_fitted
        Whether these are all items with a known truth, each answered by the rule that is fitted to the other half.
    draws
        In how many draws of the bribed the rule is fitted and measured, the first ones.
    """

    items: int
    cross_fitted: bool
    draws: int = FITTED_DRAWS

    def summary(self) -> str:
        """Return how the rule is fitted as a sentence."""
        drawn = "the first draw" if self.draws == 1 else f"the first {self.draws:,} draws"
        if self.cross_fitted:
            return (
                f"The calibrated rule is cross-fitted in {drawn}: each half of the {count(self.items, 'item')} with a "
                "known truth is answered by the rule fitted to the reports on the other half, bribed ones included."
            )
        return (
            f"The calibrated rule is fitted in {drawn} to the reports on {count(self.items, 'gold item')}, bribed ones "
            "included; each half of the gold items themselves is answered by the rule fitted to the other half."
        )

    @property
    def per_rule(self) -> int:
        """The number of gold items of the rule that answers most items."""
        return self.items // 2 if self.cross_fitted else self.items


@dataclass(frozen=True, slots=True)
class Promise:
    """What the calibrated rule guarantees for its gold items, in whose reports the bribed of the first draw lie.

    Attributes
    ----------
    rule, k
        The name of the rule, and the number of bribed reporters that it assumes.
    adversaries
        The number of bribed reporters, at most k.
    worth
        With a confidence of 95 % the expected squared loss does not exceed this, whatever k bribed reporters do; beside
        what the prior alone guarantees by the same gold items.
    covered
        The share that it speaks for of the items with a known truth, but for gold items that the user named: those with
        more than 2k reports.
    realised
        The squared loss on all items with a known truth, on average over the draws.
    """

    rule: str
    k: int
    adversaries: int
    worth: Worth
    covered: float
    realised: float

    def facts(self) -> dict[str, Any]:
        """Return all of it as plain data of JSON types."""
        return {
            "rule": self.rule,
            "k": self.k,
            "adversaries": self.adversaries,
            "promised": self.worth.expected_loss,
            "prior_alone": self.worth.prior_alone,
            "worthless": self.worth.worthless,
            "covered": self.covered,
            "realised": self.realised,
        }


class _Losses(NamedTuple):
    """The mean and the largest squared loss of a rule over the numbers of bribed reporters."""

    mean: float
    worst: float
    rule: str

    @property
    def family(self) -> str:
        """The name without the k that is assumed."""
        return self.rule.split(",")[0]


def recommend(curves: pl.DataFrame, promises: Sequence[Promise], fit: GoldFit | None) -> str:
    """Return which rule to use and how much less it loses, and what was promised, as a sentence.

    Parameters
    ----------
    curves
        As in `AttackCurves`. Rules that assume half or twice the true number of bribed reporters are not compared.
    promises
        What the calibrated rule guarantees.
    fit
        The items that it is fitted to; None without it.
    """
    compared = curves.filter(~pl.col("rule").str.contains(_OTHER_K)).drop_nulls("squared_loss")
    loss = pl.col("squared_loss")
    losses = compared.group_by("rule").agg(loss.mean().alias("mean"), loss.max().alias("worst"))
    best: dict[str, _Losses] = {}
    for found in sorted(_Losses(*row) for row in losses.select("mean", "worst", "rule").iter_rows()):
        best.setdefault(found.family, found)
    if not best:
        return "No rule can be compared: no item with a known truth has a report left."
    counts = compared["adversaries"].unique().sort().to_list()
    return f"{_advice(list(best.values()), counts)}{_promised(promises, fit)}."


def _advice(ranked: Sequence[_Losses], counts: Sequence[int]) -> str:
    """Return which rule to use, compared with the calibrated one, or that with the next one."""
    calibrated = next((one for one in ranked if one.family == CALIBRATED), ranked[0])
    first = calibrated if _equal(calibrated, ranked[0]) else ranked[0]
    other = next(one for one in ranked if one is not first)
    where, average, at_worst = _bribed(counts), "", ""
    if len(counts) > 1:
        average, at_worst = " on average", f" and {first.worst:.4f} at worst"
    if _equal(first, other):
        both = f", and {first.worst:.4f} and {other.worst:.4f} at worst" if at_worst else ""
        return (
            f"Under this attack, use the {first.rule} or the {other.rule}, which lose about the same: their squared "
            f"loss {where} is {first.mean:.4f} and {other.mean:.4f}{average}{both}"
        )
    rest = ", the next best"
    if calibrated is not first:
        other, rest = calibrated, ""
    less = _less(first.mean, other.mean)
    if at_worst:
        worst = _less(first.worst, other.worst)
        same = less.split()[-1] == worst.split()[-1]
        less = f"{less.split()[0] if same else less} and {worst}"
    return (
        f"Under this attack, use the {first.rule}: its squared loss {where} is {first.mean:.4f}{average}{at_worst}, "
        f"{less} than that of the {other.rule}{rest}"
    )


def _promised(promises: Sequence[Promise], fit: GoldFit | None) -> str:
    """Return what the calibrated rule promised for the most bribed, and what it lost, as a clause; empty without it."""
    if fit is None or not promises:
        return ""
    gold = count(fit.per_rule, "gold item")
    kept = [one for one in promises if not one.worth.worthless]
    if not kept:
        return f"; the promise of the {CALIBRATED} is worth nothing with {gold}"
    last = max(kept, key=lambda one: one.adversaries)
    part = "" if last.covered == 1 else f" on the {last.covered:.1%} of items with more than {2 * last.k:,} reports"
    bound, sure = round_up(last.worth.expected_loss), f"{100 * CONFIDENCE:.0f} % confidence"
    beyond = any(one.adversaries > last.adversaries for one in promises)
    return (
        f"; with {last.adversaries:,} bribed the {last.rule} promises at most {bound}{part} with {sure} and loses "
        f"{last.realised:.4f}" + f", and with more its promise is worth nothing with {gold}" * beyond
    )


def _equal(one: _Losses, other: _Losses) -> bool:
    """Return whether two rules lose about the same on average."""
    return abs(one.mean - other.mean) <= _TIE * max(one.mean, other.mean)


def _less(loss: float, other: float) -> str:
    """Return how much less one loss is than another."""
    return f"{abs(other - loss):.4f} {'less' if loss <= other else 'more'}"


def _bribed(counts: Sequence[int]) -> str:
    """Return the numbers of bribed reporters as a phrase.

    Examples
    --------
    >>> _bribed([2]), _bribed([0, 1, 2]), _bribed([0, 5, 10])
    ('with 2 bribed', 'with 0 to 2 bribed', 'with 0, 5 or 10 bribed')
    """
    if len(counts) == 1:
        return f"with {counts[0]:,} bribed"
    if counts[-1] - counts[0] == len(counts) - 1 and len(counts) > 2:
        return f"with {counts[0]:,} to {counts[-1]:,} bribed"
    return f"with {', '.join(f'{one:,}' for one in counts[:-1])} or {counts[-1]:,} bribed"
