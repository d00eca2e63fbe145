"""The result of an attack study."""

from dataclasses import dataclass
from typing import Any

from bribeproof._notebook import render_html
from bribeproof._text import count
from bribeproof.attacks.recommendation import GoldFit, Promise, recommend
from bribeproof.frames.native import to_polars


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class AttackCurves:
    """The loss of each rule for each number of adversaries.

    Attributes
    ----------
    curves : frame of the kind that came in
        One row per number of adversaries and rule: ``strategy``, ``adversaries``, ``rule``, ``k``, the number of
        bribed reporters that the rule assumes, ``certified``, the share of items with more than 2k reports, and for
        ``squared_loss``, ``absolute_loss``, ``accuracy`` and ``changed`` the mean and the standard deviation (``_sd``)
        over the draws. ``changed`` is the share of all items whose decision (of scores: whose place in the ranking)
        differs from the one without adversaries; the others are means over the items with a known truth. Scores have
        no accuracy.
    strategy
        The strategy of the adversaries.
    n_items, n_reporters
        The numbers of items and of reporters.
    n_known
        How many items have a known truth; 0 if the mean of the honest scores stands in for it.
    draws
        How often adversaries were drawn.
    seed
        The seed of the first draw, the next ones follow; None if a numpy Generator was given.
    fit
        The items that the calibrated rule is fitted to; None without that rule.
    promises
        What it guarantees for each number of adversaries that does not exceed the k that it assumes.
    notes
        How the table was read, one sentence each.
    """

    curves: Any
    strategy: str
    n_items: int
    n_reporters: int
    n_known: int
    draws: int
    seed: int | None
    fit: GoldFit | None = None
    promises: tuple[Promise, ...] = ()
    notes: tuple[str, ...] = ()

    def recommendation(self) -> str:
        """Return which rule to use and how much less it loses, and what was promised, as a sentence.

        Rules are compared by their squared loss, on average over the numbers of adversaries; losses within 3 % of each
        other count as equal.
        """
        return recommend(to_polars(self.curves), self.promises, self.fit)

    def summary(self) -> str:
        """Return the size of the crowd and the strategy of its adversaries as a sentence."""
        truth = f"{self.n_known:,} with a known truth" if self.n_known else "losses from the mean of the honest scores"
        seeds = ""
        if self.seed is not None:
            last = self.seed + self.draws - 1
            seeds = f" with seed {self.seed}" if last == self.seed else f" with seeds {self.seed} to {last}"
        return (
            f"{self.n_reporters:,} reporters, {self.n_items:,} items, {truth}; strategy: {self.strategy}; "
            f"{count(self.draws, 'draw')}{seeds}."
        )

    def __repr__(self) -> str:
        """Return the class and its main numbers on one line."""
        return (
            f"{type(self).__name__}(strategy={self.strategy!r}, n_items={self.n_items}, "
            f"n_reporters={self.n_reporters}, n_known={self.n_known})"
        )

    def _repr_html_(self) -> str:
        """Return the summary, the recommendation, the losses and their picture for a notebook."""
        curves = to_polars(self.curves)
        measures = (name for name in ("squared_loss", "accuracy", "changed") if curves[name].count())
        table = curves.select("adversaries", "rule", "k", "certified", *measures)
        return render_html(
            f"{self.summary()}\n{self.recommendation()}", table, lambda plots, axes: plots.attack(self, ax=axes)
        )
