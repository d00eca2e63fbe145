"""The result of a calibration."""

from dataclasses import dataclass, replace
from typing import Any

from bribeproof._notebook import render_html
from bribeproof._text import count
from bribeproof.errors import ParameterError
from bribeproof.frames.native import to_polars
from bribeproof.theory import ExpertInterval, Guarantee, Loss, Panel, PiecewiseLinear, optimal_aggregator
from bribeproof.theory.inference.gold import Gold

LOSSES = ("squared", "absolute", "log")
"""The losses that a summary bounds."""
_MOST_K = 10


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Calibration:
    """What gold items prove about a panel, with a confidence.

    Attributes
    ----------
    panel
        The n reporters, and the k of them that may be bribed, on the gold items too.
    gold
        The numbers of answers and of right answers on the gold items.
    confidence
        The least probability that the bounds of `expert` hold.
    reporters : frame of the kind that came in
        One row per reporter: ``reporter``; for the positive items (``gold_1``) and the negative ones (``gold_0``) the
        number of gold items answered; ``positive_1`` and ``positive_0``, how many of these answers are positive; their
        shares ``tpr`` and ``fpr``, null if unknown, with exact bounds ``_low`` and ``_high``. The bounds of each
        reporter hold with the confidence; those of all reporters at once need not.
    prior
        The lowest and highest possible share of positive items, as the user knows it; None to estimate it from the
        gold items.
    """

    panel: Panel
    gold: Gold
    confidence: float
    reporters: Any
    prior: tuple[float, float] | None = None

    @property
    def expert(self) -> ExpertInterval:
        """Bounds of the prior and of the rates of the average truthful reporter, for `optimal_aggregator`."""
        return self.gold.expert_interval(self.panel, self.confidence, self.prior)

    def aggregator(self, loss: Loss | str = "squared") -> PiecewiseLinear:
        """Return the best rule for the worst expert that the gold items leave possible."""
        return optimal_aggregator(self.panel, self.expert, loss)

    def guarantee(self, loss: Loss | str = "squared") -> Guarantee:
        """Return the guarantee of `aggregator`, whatever k reporters do.

        Parameters
        ----------
        loss
            Loss of the forecast.

        Returns
        -------
        Guarantee
            With the confidence, the expected loss over the items that are asked later never exceeds `expected_loss`.

        Raises
        ------
        ParameterError
            If the loss is unknown, or a user-defined one without a guarantee.
        """
        guarantee = self.aggregator(loss).guarantee
        if guarantee is None:
            raise ParameterError(f"no guarantee is known for the loss {loss!r}: use squared, absolute, log or a cost")
        return guarantee

    def with_k(self, k: int) -> "Calibration":
        """Return the calibration by the same gold items if k reporters may be bribed."""
        return replace(self, panel=Panel(self.panel.n, k))

    def with_gold(self, factor: int) -> "Calibration":
        """Return the calibration by so many times the gold items, with the same shares of right answers.

        `reporters` remains that of the gold items that there are.
        """
        return replace(self, gold=self.gold.repeated(factor))

    def summary(self) -> str:
        """Return the size of the panel, its bounds and what they guarantee, one sentence a line."""
        negative, positive = self.gold.items
        expert, sure = self.expert, f"With {100 * self.confidence:.6g} % confidence"
        low, high = expert.prior
        losses = ", ".join(f"{loss} loss {self.guarantee(loss).expected_loss:.4f}" for loss in LOSSES)
        return "\n".join(
            (
                f"{negative + positive:,} gold items, {positive:,} positive and {negative:,} negative; "
                f"{count(self.panel.n, 'reporter')}.",
                f"{sure}, the truthful reporters say positive on at least {expert.tpr:.1%} of positive and at most "
                f"{expert.fpr:.1%} of negative items on average; {low:.1%} to {high:.1%} of items are positive.",
                f"{sure}, whatever {self.panel.k:,} of your {self.panel.n:,} reporters do, the best rule's expected "
                f"loss never exceeds: {losses}.",
            )
        )

    def __repr__(self) -> str:
        """Return the class and its main numbers on one line."""
        return (
            f"{type(self).__name__}(n={self.panel.n}, k={self.panel.k}, gold_items={sum(self.gold.items)}, "
            f"confidence={self.confidence})"
        )

    def _repr_html_(self) -> str:
        """Return the summary, the rates of the first reporters and the guarantee by k for a notebook."""
        ks = sorted({*range(min(_MOST_K, (self.panel.n + 1) // 2)), self.panel.k})
        return render_html(
            self.summary(),
            to_polars(self.reporters),
            lambda plots, axes: plots.guarantee(
                ks, [self.with_k(k).guarantee() for k in ks], against="k", marked=self.panel.k, ax=axes
            ),
        )
