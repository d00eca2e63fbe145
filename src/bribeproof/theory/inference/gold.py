"""What gold items, whose state is known, say about the truthful reporters, though the bribed ones may pose on them."""

from dataclasses import dataclass
from typing import Self

import numpy as np

from bribeproof._typing import IntArray
from bribeproof.errors import ParameterError
from bribeproof.theory._validation import whole_number, whole_numbers
from bribeproof.theory.inference.confidence import clopper_pearson, mean_lower_bound, risk_of
from bribeproof.theory.model.expert_interval import ExpertInterval
from bribeproof.theory.model.panel import Panel


@dataclass(frozen=True, slots=True, eq=False)
class Gold:
    """How a panel did on gold items.

    Parameters
    ----------
    asked, right : int arrays of shape (2, n)
        Of each reporter the number of answers, and of right answers, on gold items of state 0 and on those of state 1.
    together : int array of shape (2, n + 1)
        The number of gold items of either state on which 0, 1, …, n reporters were right.

    Raises
    ------
    ParameterError
        Arrays of other shapes, or that contradict one another.

    Notes
    -----
    theory.md §6.

    Examples
    --------
    >>> gold = Gold(asked=[[50, 50, 50]] * 2, right=[[45, 45, 45]] * 2, together=[[5, 0, 0, 45]] * 2)
    >>> known = gold.known(Panel(n=3, k=1), confidence=0.95)
    >>> round(known.prior[0], 3), round(known.tpr, 3), round(known.fpr, 3)
    (0.377, 0.729, 0.271)
    """

    asked: IntArray
    right: IntArray
    together: IntArray

    def __post_init__(self) -> None:
        for name in ("asked", "right", "together"):
            object.__setattr__(self, name, whole_numbers(name, getattr(self, name)))
        n = self.asked.shape[-1]
        if self.asked.shape != (2, n) or self.right.shape != (2, n) or self.together.shape != (2, n + 1) or not n:
            raise ParameterError("give asked and right as two rows of n numbers, and together as two rows of n + 1")
        if (self.right > self.asked).any() or (self.together @ np.arange(n + 1) != self.right.sum(axis=1)).any():
            raise ParameterError("asked, right and together contradict one another: count the same answers in each")

    @property
    def items(self) -> tuple[int, int]:
        """The numbers of gold items of state 0 and of state 1."""
        negative, positive = self.together.sum(axis=1).tolist()
        return negative, positive

    def known(self, panel: Panel, confidence: float, prior: tuple[float, float] | None = None) -> ExpertInterval:
        """Return what is known of the average truthful reporter, with a confidence.

        Parameters
        ----------
        panel : Panel
            The n reporters, and how many of them may have been adversarial on the gold items already.
        confidence : float
            Probability in (0, 1) that all bounds hold, at least, whatever the adversaries answered and however the
            answers of different reporters to an item depend on one another. Gold items are independent of one
            another and of the kind that is asked later.
        prior : tuple of float, optional
            Lowest and highest possible Pr[state = 1]. By default from the gold items, which then must be drawn
            as the others are.

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
        theory.md §6. Two bounds of the rate of right answers in either state, of which the better counts:

        * reporter by reporter: the mean of the n − k lowest exact (Clopper–Pearson) bounds, all of which hold at once
          (Bonferroni). A reporter without answers is unknown: 0.
        * all together: on an item with x right answers at least x − k of the n − k truthful reporters were right, and
          these shares are averaged over items (`mean_lower_bound`). A pool of all answers as if they were
          independent would claim too much: reporters err on the same items.
        """
        if panel.n != self.asked.shape[1]:
            raise ParameterError(f"a panel of n = {panel.n}, but gold answers of {self.asked.shape[1]} reporters")
        risk = risk_of(confidence) / (3 if prior is None else 2)
        if prior is None:
            low, high = clopper_pearson(self.items[1], sum(self.items), 1 - risk)
            prior = float(low), float(high)
        rates, _ = clopper_pearson(self.right, self.asked, 1 - risk / panel.n)
        alone = ExpertInterval.from_reporters(panel, prior, rates[1].tolist(), (1 - rates[0]).tolist())
        shares = np.maximum(0, np.arange(panel.n + 1) - panel.k) / panel.truthful
        negative, positive = (mean_lower_bound(counts, shares, risk / 2) for counts in self.together)
        return ExpertInterval(prior, max(alone.tpr, positive), min(alone.fpr, 1 - negative))

    def observed(self, panel: Panel) -> ExpertInterval:
        """Return what more and more gold items with the same shares would tell in the end.

        The observed prior, (0, 1) without gold items, and the observed mean rates of the n − k worst reporters.

        Examples
        --------
        >>> Gold([[4, 4]] * 2, [[3, 2], [4, 3]], [[0, 3, 1], [0, 1, 3]]).observed(Panel(n=2))
        ExpertInterval(prior=(0.5, 0.5), tpr=0.875, fpr=0.375)
        """
        rates = np.divide(self.right, self.asked, out=np.zeros(self.asked.shape), where=self.asked > 0)
        items = sum(self.items)
        prior = (self.items[1] / items,) * 2 if items else (0.0, 1.0)
        return ExpertInterval.from_reporters(panel, prior, rates[1].tolist(), (1 - rates[0]).tolist())

    def times(self, factor: int) -> Self:
        """Return so many times the same answers: what as many gold items of each kind would most likely bring."""
        factor = whole_number("factor", factor, minimum=1)
        return type(self)(self.asked * factor, self.right * factor, self.together * factor)
