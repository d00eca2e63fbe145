"""Bounds of prior and rates from gold items, on which the adversaries may have answered as they like."""

from dataclasses import dataclass
from typing import Self

import numpy as np

from bribeproof._typing import IntArray
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
        Number of gold items of state 0 and of state 1 on which 0, 1, …, n reporters were correct.

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

    def __post_init__(self) -> None:
        for name in ("answered", "correct", "items_by_correct"):
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

    @property
    def items(self) -> tuple[int, int]:
        """The numbers of gold items of state 0 and of state 1."""
        negative, positive = self.items_by_correct.sum(axis=1).tolist()
        return negative, positive

    def expert_interval(
        self, panel: Panel, confidence: float, prior: tuple[float, float] | None = None
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
          the betting bound of the mean of these shares over items (Proposition 6.5).

        Pooling all answers as if they were independent would claim too much: reporters err on the same items.
        """
        if panel.n != self.answered.shape[1]:
            reporters = self.answered.shape[1]
            raise ParameterError(
                f"panel n = {panel.n}, but {reporters} reporters answered gold items; give n={reporters}"
            )
        risk = risk_of(confidence) / (3 if prior is None else 2)
        if prior is None:
            low, high = clopper_pearson(self.items[1], sum(self.items), 1 - risk)
            prior = float(low), float(high)
        rates, _ = clopper_pearson(self.correct, self.answered, 1 - risk / panel.n)
        alone = ExpertInterval.from_reporters(panel, prior, rates[1].tolist(), (1 - rates[0]).tolist())
        shares = np.maximum(0, np.arange(panel.n + 1) - panel.k) / panel.truthful
        negative, positive = (mean_lower_bound(counts, shares, risk / 2) for counts in self.items_by_correct)
        return ExpertInterval(prior, max(alone.tpr, positive), min(alone.fpr, 1 - negative))

    def observed_interval(self, panel: Panel) -> ExpertInterval:
        """Return the limit of the bounds for many gold items with the same shares of correct answers.

        The observed prior, (0, 1) without gold items, and the observed mean rates of the n − k worst reporters.

        Examples
        --------
        >>> Gold([[4, 4]] * 2, [[3, 2], [4, 3]], [[0, 3, 1], [0, 1, 3]]).observed_interval(Panel(n=2))
        ExpertInterval(prior=(0.5, 0.5), tpr=0.875, fpr=0.375)
        """
        rates = np.divide(self.correct, self.answered, out=np.zeros(self.answered.shape), where=self.answered > 0)
        items = sum(self.items)
        prior = (self.items[1] / items,) * 2 if items else (0.0, 1.0)
        return ExpertInterval.from_reporters(panel, prior, rates[1].tolist(), (1 - rates[0]).tolist())

    def repeated(self, factor: int) -> Self:
        """Return the counts for this many times the same gold items and answers."""
        factor = whole_number("factor", factor, minimum=1)
        return type(self)(self.answered * factor, self.correct * factor, self.items_by_correct * factor)
