"""The result of a calibration."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

from bribeproof._notebook import render_html
from bribeproof._text import OF_GOLD, OF_SIZES, PROVISO
from bribeproof._typing import IntArray
from bribeproof._validation import whole_number
from bribeproof.errors import ParameterError
from bribeproof.frames.native import to_polars
from bribeproof.theory import (
    Expert,
    ExpertInterval,
    ItemsGuarantee,
    Loss,
    Panel,
    PiecewiseLinear,
    get_loss,
    items_guarantee,
    optimal_aggregator,
)
from bribeproof.theory.inference.error_rates import ErrorRates, interval_within, split_risk
from bribeproof.theory.inference.gold import Gold
from bribeproof.theory.minimax.optimal import least_loss_rule
from bribeproof.theory.model.losses import has_closed_form

LOSSES = ("squared", "absolute", "log")
"""The losses that a summary bounds."""
_MOST_K = 10


@dataclass(frozen=True, eq=False, repr=False)
class Calibration:
    """What gold items prove about a panel, with a confidence.

    Attributes
    ----------
    panel
        The n reporters, and the k of them that may be bribed, on the gold items too.
    gold
        The numbers of gold items, and of answers and right answers to them.
    confidence
        The least probability that the bounds of `expert` hold.
    reporters : frame of the kind that came in
        One row per reporter: ``reporter``; for the positive items (``gold_1``) and the negative ones (``gold_0``) the
        number of gold items answered; ``positive_1`` and ``positive_0``, how many of these answers are positive; their
        shares ``tpr`` and ``fpr``, null if unknown, with exact bounds ``_low`` and ``_high``. The bounds of each
        reporter hold with the confidence; those of all reporters at once need not.
    sizes
        The number of items of the frame by their number of reports.
    reports
        The number of reports of each reporter, in the order of `reporters`.
    classes
        The names of the classes, that which counts as positive first.
    uneven
        The reporter whose share of the gold items is furthest from that of the other items, if it is so far that gold
        items are not answered like the others; else None.
    prior
        The lowest and highest possible share of positive items, as the user knows it; None to estimate it from the
        gold items.
    notes
        How the table was read, one sentence each.
    """

    panel: Panel
    gold: Gold
    confidence: float
    reporters: Any
    sizes: Mapping[int, int]
    reports: IntArray
    classes: tuple[str, ...]
    uneven: Any | None = None
    prior: tuple[float, float] | None = None
    notes: tuple[str, ...] = ()
    _rules: dict[tuple[Panel, Expert | ExpertInterval, Loss], PiecewiseLinear] = field(default_factory=dict, repr=False)

    @cached_property
    def expert(self) -> ExpertInterval:
        """Bounds of the prior, of the truthful reporters' error rates, and of how often two of them err together.

        The rates are those on average over items with more than 2k reports. Where the gold items are not answered like
        the others (`uneven`), they are averages over reporters as well as reports, and two may always err together.
        """
        if self.errors is None:
            return self.gold.expert_interval(self.panel, self.confidence, self.prior, self.reports)
        of_prior, _ = split_risk(self.confidence, known_prior=self.prior is not None)
        prior = self.gold.prior_interval(self.panel.k, of_prior) if self.prior is None else self.prior
        return interval_within(prior, self.errors[1], self.errors[0])

    @cached_property
    def errors(self) -> tuple[ErrorRates, ErrorRates] | None:
        """Bounds of the errors of truthful reporters, and of joint errors, on negative and on positive items.

        None where the gold items are not answered like the others.
        """
        if self.uneven is not None:
            return None
        _, risk = split_risk(self.confidence, known_prior=self.prior is not None)
        return self.gold.error_rates(self.panel.k, 0, risk), self.gold.error_rates(self.panel.k, 1, risk)

    @property
    def usual_size(self) -> int:
        """The most frequent number of reports on an item, of those above 2k if there are any."""
        return max(self.sizes, key=lambda m: (m > 2 * self.panel.k, self.sizes[m]))

    def aggregator(self, loss: Loss | str = "squared", *, reports: int | None = None) -> PiecewiseLinear:
        """Return the best rule for the worst expert that the gold items leave possible.

        Parameters
        ----------
        loss
            Loss of the forecast.
        reports
            For items with so many reports; by default the most frequent number above 2k. Its guarantee speaks for
            these items alone.

        Raises
        ------
        ParameterError
            If the loss is unknown, `reports` exceeds n, or half of them or more may be bribed.
        """
        return optimal_aggregator(self._panel_of(reports), self.expert, loss)

    def rule_of(self, panel: Panel, expert: Expert | ExpertInterval, loss: Loss | str) -> PiecewiseLinear:
        """Return `least_loss_rule`, computed once for this calibration and those for other k or more gold items."""
        loss = get_loss(loss)
        if not has_closed_form(loss):  # a loss of one's own need not be hashable
            return least_loss_rule(panel, expert, loss)
        known = panel, expert, loss
        if known not in self._rules:
            self._rules[known] = least_loss_rule(panel, expert, loss)
        return self._rules[known]

    def guarantee(self, loss: Loss | str = "squared", *, reports: int | None = None) -> ItemsGuarantee:
        """Return what the best rule guarantees, whatever k reporters do.

        Parameters
        ----------
        loss
            Loss of the forecast.
        reports
            Speak for items with so many reports. By default for the items of the frame with more than 2k reports, on
            average: an item with m reports has the guarantee of m reporters, k of them bribed. The other items have
            none.

        Returns
        -------
        ItemsGuarantee
            With the confidence, the expected loss never exceeds `expected_loss`, on average over such items, provided
            that neither who answers an item nor how many do depends on its truth or difficulty, or on the others' skill
            or reports, and that truthful reports err as often on items with few reports as on items with many. It says
            for how many items of the frame it speaks, and how many reports they have.

        Raises
        ------
        ParameterError
            If the loss is unknown, or a user-defined one without a guarantee; if `reports` is more than n or at most
            2k; or if no item of the frame has more than 2k reports.
        """
        if reports is not None:
            self._panel_of(reports)
        sizes = self.sizes if reports is None else {reports: self.sizes.get(reports, 0) or 1}
        found = items_guarantee(sizes, self.panel.k, self.expert, loss, rule_of=self.rule_of)
        if found is None:
            if not self.certified:
                raise ParameterError(
                    f"no item has more than 2k = {2 * self.panel.k} reports, so none has a guarantee: give a smaller "
                    f"k, or the number of reports that later items will have (reports=...)"
                )
            raise ParameterError(f"no guarantee is known for the loss {loss!r}: use squared, absolute, log or a cost")
        if reports is None:
            return found
        return replace(found, certified=self.sizes.get(reports, 0), items=sum(self.sizes.values()))

    @property
    def certified(self) -> int:
        """The number of items of the frame with more than 2k reports, which `guarantee` speaks for."""
        return sum(items for m, items in self.sizes.items() if m > 2 * self.panel.k)

    def _panel_of(self, reports: int | None) -> Panel:
        """Return the panel of an item with so many reports."""
        if reports is None:
            return Panel(self.usual_size, self.panel.k)
        if whole_number("reports", reports, minimum=1) > self.panel.n:
            raise ParameterError(f"reports={reports}: the panel has {self.panel.n:,} reporters, give at most so many")
        return Panel(reports, self.panel.k)

    @property
    def condition(self) -> str:
        """When the guarantees hold."""
        sizes = [m for m, items in self.sizes.items() if items and m > 2 * self.panel.k]
        of_gold = (
            OF_GOLD if self.uneven is None else ", and that every reporter errs as often on other items as on gold"
        )
        return PROVISO + OF_SIZES * (len(sizes) > 1) + of_gold

    def with_k(self, k: int) -> "Calibration":
        """Return the calibration by the same gold items if k reporters may be bribed."""
        return replace(self, panel=Panel(self.panel.n, k))

    def guarantees(self, ks: Iterable[int], loss: Loss | str = "squared") -> dict[int, ItemsGuarantee]:
        """Return the guarantee for several k, without those for which no item has one."""
        possible = (self.with_k(k) for k in ks if 2 * k < self.panel.n)
        return {one.panel.k: one.guarantee(loss) for one in possible if one.certified}

    def with_gold(self, factor: int) -> "Calibration":
        """Return the calibration by so many times the gold items, with the same shares of right answers.

        `reporters` remains that of the gold items that there are.
        """
        return replace(self, gold=self.gold.repeated(factor))

    def summary(self) -> str:
        """Return the size of the panel, its bounds, and what they guarantee for which items, one sentence a line."""
        from bribeproof.calibration.report import describe_calibration
        from bribeproof.calibration.sentences import summarise_calibration

        return summarise_calibration(describe_calibration(self))

    def __repr__(self) -> str:
        """Return the class and its main numbers on one line."""
        return (
            f"{type(self).__name__}(n={self.panel.n}, k={self.panel.k}, gold_items={sum(self.gold.items)}, "
            f"confidence={self.confidence})"
        )

    def _repr_html_(self) -> str:
        """Return the summary, the rates of the first reporters and the guarantee by k for a notebook."""
        points = self.guarantees(sorted({*range(_MOST_K), self.panel.k}))
        return render_html(
            self.summary(),
            to_polars(self.reporters),
            lambda plots, axes: plots.guarantee(
                list(points), list(points.values()), against="k", marked=self.panel.k, ax=axes
            ),
        )


def expert_for(expert: Expert | ExpertInterval | Calibration, k: int | None) -> Expert | ExpertInterval:
    """Return what is known of the truthful reporters if k are bribed; nothing if that is half of the panel or more.

    Without k it is what a calibration found for its own.
    """
    if not isinstance(expert, Calibration):
        return expert
    if k is None:
        return expert.expert
    return expert.with_k(k).expert if expert.panel.n > 2 * k else ExpertInterval()
