"""One state of an information structure with a strategy of the adversaries."""

import math
from dataclasses import dataclass

from bribeproof._validation import real, whole_number
from bribeproof.errors import ParameterError
from bribeproof.theory.model.panel import Panel


@dataclass(frozen=True, slots=True)
class Scenario:
    """Law of the truthful count given one state, and the strategy of the adversaries there.

    Parameters
    ----------
    truthful : tuple of int
        Possible numbers of truthful H reports, from 0 to N, in ascending order; one or two in a worst case.
    weights : tuple of float
        Their probabilities.
    adversaries : tuple of int
        Number of adversaries who report H at each of them, from 0 to k.

    Raises
    ------
    ParameterError
        Different or zero lengths, a count that is not an integer of at least 0, or a weight that is not a number.

    Notes
    -----
    docs/theory.md §1; two counts are enough by Lemma 1.3.

    Examples
    --------
    >>> scenario = Scenario(truthful=(1, 3), weights=(0.25, 0.75), adversaries=(0, 1))
    >>> scenario.mean, scenario.counts
    (2.5, (1, 4))
    """

    truthful: tuple[int, ...]
    weights: tuple[float, ...]
    adversaries: tuple[int, ...]

    def __post_init__(self) -> None:
        for field, checked in (("truthful", whole_number), ("weights", real), ("adversaries", whole_number)):
            values = tuple(checked(f"Scenario {field}", value) for value in getattr(self, field))
            object.__setattr__(self, field, values)
        if not len(self.truthful) == len(self.weights) == len(self.adversaries) > 0:
            raise ParameterError(
                f"Scenario has {len(self.truthful)} truthful counts, {len(self.weights)} weights and "
                f"{len(self.adversaries)} numbers of adversaries; give as many of each, at least 1"
            )

    @property
    def mean(self) -> float:
        """Mean of the truthful count."""
        return math.fsum(count * weight for count, weight in zip(self.truthful, self.weights, strict=True))

    @property
    def counts(self) -> tuple[int, ...]:
        """Numbers of H reports that the rule sees, adversaries included."""
        return tuple(map(sum, zip(self.truthful, self.adversaries, strict=True)))

    def is_possible(self, panel: Panel) -> bool:
        """Return whether the panel has as many reporters and adversaries, and the weights are probabilities."""
        return (
            max(self.truthful) <= panel.truthful
            and max(self.adversaries) <= panel.k
            and all(0 <= weight <= 1 for weight in self.weights)
        )
