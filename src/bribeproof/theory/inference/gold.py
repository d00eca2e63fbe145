"""Bounds of prior and rates from gold items, on which the adversaries may have answered as they like."""

import math
from dataclasses import dataclass, field
from typing import Self

import numpy as np
from numpy.typing import ArrayLike

from bribeproof._typing import FloatArray, IntArray
from bribeproof._validation import whole_number, whole_numbers
from bribeproof.errors import ParameterError
from bribeproof.theory.inference.confidence import clopper_pearson, mean_lower_bound, risk_of
from bribeproof.theory.model.expert_interval import ExpertInterval
from bribeproof.theory.model.panel import Panel


@dataclass(frozen=True, slots=True, eq=False)
class Gold:
    """Answers of a panel on gold items, whose state is known, as counts.

    Parameters
    ----------
    answered, correct : int arrays of shape (2, n)
        Number of answers, and of correct answers, of each reporter on gold items of state 0 and on those of state 1.
    items_by_correct : int array of shape (2, n + 1)
        Number of answered gold items of state 0 and of state 1 on which 0, 1, …, n reporters were correct.
    unanswered : int array of shape (2,), optional
        Number of gold items of state 0 and of state 1 that nobody answered; 0 if left out.
    items_by_reporters : int array of shape (2, n + 1), optional
        Where a gold item is known only if some reporter has a row with it: number of gold items of state 0 and of state
        1, unanswered ones included, with rows of 0, 1, …, n reporters. Left out where the list of gold items does not
        depend on the reporters.

    Raises
    ------
    ParameterError
        Arrays of other shapes, or that contradict each other.

    Notes
    -----
    docs/theory.md §6.

    Examples
    --------
    >>> gold = Gold(answered=[[50] * 3] * 2, correct=[[45] * 3] * 2, items_by_correct=[[5, 0, 0, 45]] * 2)
    >>> bounds = gold.expert_interval(Panel(n=3, k=1), confidence=0.95)
    >>> round(bounds.prior[0], 3), round(bounds.tpr, 3), round(bounds.fpr, 3)
    (0.377, 0.729, 0.271)
    """

    answered: IntArray
    correct: IntArray
    items_by_correct: IntArray
    unanswered: IntArray = field(default_factory=lambda: np.zeros(2, np.int64))
    items_by_reporters: IntArray | None = None

    def __post_init__(self) -> None:
        for name in ("answered", "correct", "items_by_correct", "unanswered", "items_by_reporters"):
            if getattr(self, name) is not None:
                object.__setattr__(self, name, whole_numbers(name, getattr(self, name)))
        n = self.answered.shape[-1]
        shapes = [counts.shape for counts in (self.answered, self.correct, self.items_by_correct)]
        if shapes != [(2, n), (2, n), (2, n + 1)] or not n:
            raise ParameterError(
                f"answered, correct and items_by_correct have shapes {shapes}; give [(2, n), (2, n), (2, n + 1)]"
            )
        by_state = self.items_by_correct @ np.arange(n + 1)
        if (self.correct > self.answered).any() or (by_state != self.correct.sum(axis=1)).any():
            raise ParameterError(
                "answered, correct and items_by_correct contradict each other; count the same answers in each"
            )
        seen = self.items_by_reporters
        if self.unanswered.shape != (2,) or (
            seen is not None and (seen.shape != (2, n + 1) or tuple(seen.sum(axis=1).tolist()) != self.items)
        ):
            raise ParameterError(
                "unanswered and items_by_reporters contradict items_by_correct; give the shapes (2,) and (2, n + 1), "
                "and count the same items in each"
            )

    @property
    def items(self) -> tuple[int, int]:
        """The numbers of gold items of state 0 and of state 1, unanswered ones included."""
        negative, positive = (self.items_by_correct.sum(axis=1) + self.unanswered).tolist()
        return negative, positive

    def unsure(self, k: int) -> tuple[int, int]:
        """Return the numbers of gold items of state 0 and of state 1 that bribed reporters alone may have chosen.

        These are the ones with rows of at most k reporters, where gold items are known from the reporters' rows.
        """
        if self.items_by_reporters is None:
            return 0, 0
        negative, positive = self.items_by_reporters[:, : k + 1].sum(axis=1).tolist()
        return negative, positive

    def expert_interval(
        self,
        panel: Panel,
        confidence: float,
        prior: tuple[float, float] | None = None,
        reports: ArrayLike | None = None,
    ) -> ExpertInterval:
        """Return bounds of the prior and of the truthful reporters' mean rates, with a confidence.

        Parameters
        ----------
        panel : Panel
            The n reporters, and how many of them may be adversarial, on the gold items too.
        confidence : float
            Least probability in (0, 1) that all bounds hold, whatever the adversaries answered and however the answers
            of different reporters to an item are correlated. Gold items must be independent, and drawn like the items
            that are asked later.
        prior : tuple of float, optional
            Lowest and highest possible Pr[state = 1]; estimated from the gold items if left out.
        reports : array of int, optional
            How many reports each reporter has made. If given, the rates are bounded on average over reports as well,
            as those who report most may be the worst.

        Returns
        -------
        ExpertInterval
            Bounds of the prior and of the mean rates of any n − k reporters.

        Raises
        ------
        ParameterError
            A panel of another size, or a confidence outside (0, 1).

        Notes
        -----
        docs/theory.md §6. The better of two bounds of the rate of correct answers in each state counts:

        * reporter by reporter: the mean of the n − k lowest Clopper–Pearson bounds, 0 for a reporter without answers;
          all hold at once by a union bound (Proposition 6.2);
        * all together: on an item with x correct answers at least x − k of the n − k truthful reporters were correct;
          the betting bound of the mean of these shares over answered items (Proposition 6.5). On average over
          reports, all errors that it leaves possible may be those of the reporters with most reports.

        Pooling all answers as if they were independent would claim too much: reporters err on the same items. The prior
        is that of all gold items, answered or not; of those that bribed reporters alone may have put on the list,
        whichever would move it furthest are counted (Proposition 6.6).
        """
        risk = risk_of(confidence) / (3 if prior is None else 2)
        if prior is None:
            prior = self._prior_interval(panel.k, risk)
        right = self.reporter_bounds(panel, risk)
        weights = _weights(panel, reports)
        shares = np.maximum(0, np.arange(panel.n + 1) - panel.k) / panel.truthful
        correct = []
        for rates, counts, items in zip(right, self.items_by_correct, self.items, strict=True):
            alone = math.fsum(np.sort(rates)[: panel.truthful]) / panel.truthful
            together = mean_lower_bound(counts, shares, risk / 2, planned=max(items, 1))
            if weights is not None:
                alone = min(alone, least_weighted_mean(rates, weights, panel.k))
                together = min(together, 1 - _heaviest_share(panel, weights, panel.truthful * (1 - together)))
            correct.append(max(alone, together))
        return ExpertInterval(prior, correct[1], 1 - correct[0])

    def reporter_bounds(self, panel: Panel, risk: float) -> FloatArray:
        """Return lower bounds of each reporter's rates of correct answers in state 0 and in state 1, shape (2, n).

        All of them hold at once but for a risk of half of `risk` in each state.
        """
        if panel.n != self.answered.shape[1]:
            reporters = self.answered.shape[1]
            raise ParameterError(
                f"panel n = {panel.n}, but {reporters} reporters answered gold items; give n={reporters}"
            )
        lowest, _ = clopper_pearson(self.correct, self.answered, 1 - risk / panel.n)
        return lowest

    def _prior_interval(self, k: int, risk: float) -> tuple[float, float]:
        """Return the Clopper–Pearson bounds of the prior, whichever unsure items are left out; at risk 0 the shares."""
        (negative, positive), (unsure_0, unsure_1) = self.items, self.unsure(k)
        lowest, highest = (positive - unsure_1, negative), (positive, negative - unsure_0)
        ends = []
        for end, (ones, zeros) in enumerate((lowest, highest)):
            if risk:
                ends.append(float(clopper_pearson(ones, ones + zeros, 1 - risk)[end]))
            else:
                ends.append(ones / (ones + zeros) if ones + zeros else float(end))
        return ends[0], ends[1]

    def observed_interval(self, panel: Panel) -> ExpertInterval:
        """Return the limit of the bounds for many gold items with the same shares of correct answers.

        The observed prior, (0, 1) without gold items, and the observed mean rates of the n − k worst reporters.

        Examples
        --------
        >>> Gold([[4, 4]] * 2, [[3, 2], [4, 3]], [[0, 3, 1], [0, 1, 3]]).observed_interval(Panel(n=2))
        ExpertInterval(prior=(0.5, 0.5), tpr=0.875, fpr=0.375)
        """
        rates = np.divide(self.correct, self.answered, out=np.zeros(self.answered.shape), where=self.answered > 0)
        prior = self._prior_interval(panel.k, 0.0)
        return ExpertInterval.from_reporters(panel, prior, rates[1].tolist(), (1 - rates[0]).tolist())

    def repeated(self, factor: int) -> Self:
        """Return the counts for this many times the same gold items and answers."""
        factor = whole_number("factor", factor, minimum=1)
        return type(self)(
            self.answered * factor,
            self.correct * factor,
            self.items_by_correct * factor,
            self.unanswered * factor,
            None if self.items_by_reporters is None else self.items_by_reporters * factor,
        )


def _weights(panel: Panel, reports: ArrayLike | None) -> FloatArray | None:
    """Return the reporters' numbers of reports; None if these do not differ."""
    if reports is None:
        return None
    weights = whole_numbers("reports", reports)
    if weights.shape != (panel.n,):
        raise ParameterError(f"reports has shape {weights.shape}; give the number of reports of each of {panel.n}")
    return weights.astype(np.float64) if len(set(weights.tolist())) > 1 else None


def _heaviest_share(panel: Panel, weights: FloatArray, count: float) -> float:
    """Return the largest share of the weight of n − k reporters that so many of them, a fraction included, hold."""
    ordered = np.sort(weights)[::-1]
    total = float(ordered[: panel.truthful].sum())
    whole = int(count)
    held = float(ordered[:whole].sum()) + (count - whole) * float(ordered[min(whole, panel.n - 1)])
    return min(1.0, held / total) if total > 0 else 1.0


def least_weighted_mean(values: ArrayLike, weights: ArrayLike, left_out: int) -> float:
    """Return the least weighted mean of values of which so many are left out.

    Parameters
    ----------
    values, weights : array of float
        The values, and their weights of at least 0.
    left_out : int
        How many values to leave out, fewer than there are.

    Returns
    -------
    float
        The least mean; 0 if what is left may have no weight.

    Notes
    -----
    Dinkelbach's method: the mean is least if the sum of weight · (value − mean) is, and the largest terms are left out.

    Examples
    --------
    >>> least_weighted_mean([0.5, 0.75, 1], [2, 1, 1], left_out=1)
    0.5833333333333334
    """
    amounts, shares = np.asarray(values, np.float64), np.asarray(weights, np.float64)
    kept = len(amounts) - left_out
    if np.sort(shares)[:kept].sum() <= 0:
        return 0.0
    least = float(amounts.max())
    while True:
        chosen = np.argsort(shares * (amounts - least), kind="stable")[:kept]
        mean = float(shares[chosen] @ amounts[chosen] / shares[chosen].sum()) if shares[chosen].any() else least
        if mean >= least - 1e-15:
            return mean
        least = mean
