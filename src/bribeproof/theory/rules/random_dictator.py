"""The random dictator for binary reports: hard decisions at random, optimal wherever the trimmed mean is."""

from dataclasses import dataclass
from typing import overload

import numpy as np
from numpy.typing import NDArray

from bribeproof._validation import random_generator
from bribeproof.theory.model.panel import Panel, check_panel
from bribeproof.theory.rules.aggregators import Aggregator, Counts, survivor_share


@dataclass(frozen=True, slots=True, eq=False)
class RandomDictator(Aggregator):
    """Rule that decides 0 or 1 at random; its values are the probabilities of deciding 1.

    Notes
    -----
    docs/theory.md §2, hard decisions.
    """

    @overload
    def draw(self, count: int, seed: int | np.random.Generator = 0) -> int: ...
    @overload
    def draw(self, count: Counts, seed: int | np.random.Generator = 0) -> NDArray[np.int64]: ...
    def draw(self, count: int | Counts, seed: int | np.random.Generator = 0) -> int | NDArray[np.int64]:
        """Decide as a random reporter among those left after trimming.

        Parameters
        ----------
        count : int or integer array
            Numbers of H reports, from 0 to n.
        seed : int or numpy.random.Generator, default 0
            Seed of the random choice. With the two classes of this rule adversaries may know it: what is best for them
            to report does not depend on the draw. With three or more classes it does, and nobody may know the seed
            before the reports are in (docs/theory.md §15).

        Returns
        -------
        int or ndarray of int64
            Decisions 0 or 1, of the shape of `count`.

        Raises
        ------
        ParameterError
            A count that is not an integer from 0 to n, or a seed that is negative or not an integer.

        Examples
        --------
        >>> random_dictator(Panel(n=5, k=1)).draw([0, 1, 4, 5], seed=0)
        array([0, 0, 1, 1])
        """
        random = random_generator(seed)
        chance = self.values[self.checked_counts(count)]
        decision = (random.random(chance.shape) < chance).astype(np.int64)
        return decision if decision.ndim else int(decision)


def random_dictator(panel: Panel, trim: int | None = None) -> RandomDictator:
    """Return the rule that follows a random reporter among those left after trimming.

    Parameters
    ----------
    panel : Panel
        The panel.
    trim : int, optional
        Reports dropped at each end, below n/2; the panel's k if left out.

    Returns
    -------
    RandomDictator
        The rule, with `draw` for hard decisions.

    Raises
    ------
    ParameterError
        A trim outside 0 … (n − 1)/2.

    Notes
    -----
    docs/theory.md §2.

    Examples
    --------
    >>> random_dictator(Panel(n=4, k=1)).values
    array([0. , 0. , 0.5, 1. , 1. ])
    """
    check_panel(panel)
    return RandomDictator(survivor_share(panel, trim), "random dictator")
