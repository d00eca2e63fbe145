"""One state of an information structure with a strategy: truthful counts, their weights, and adversaries."""

import math
from dataclasses import dataclass

from bribeproof.errors import ParameterError
from bribeproof.theory._validation import real, whole_number


@dataclass(frozen=True, slots=True)
class Scenario:
    """What happens given one state: how many reports the truthful and the adversaries make of H.

    Parameters
    ----------
    truthful : tuple of int
        The one or two possible truthful counts of H, from 0 to N, in ascending order.
    weights : tuple of float
        Their probabilities.
    adversaries : tuple of int
        How many adversaries say H at each of them, from 0 to k.

    Raises
    ------
    ParameterError
        Lengths that differ or are 0, a count that is no integer of at least 0, a weight that is no number.

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
        """Counts of H that the rule sees, adversaries included."""
        return tuple(map(sum, zip(self.truthful, self.adversaries, strict=True)))
