"""Proven bounds, and the argument that each one rests on."""

from dataclasses import dataclass
from enum import StrEnum


class Basis(StrEnum):
    """The argument behind a guarantee."""

    EFFECTIVE_EXPERT = "effective expert"
    PRIOR_ALONE = "prior alone"
    ONE_REPORTER = "one reporter, k = 0"
    N_IS_3K = "n = 3k"
    GIVEN_TRIM = "given trim"
    EXACT_SOLVER = "exact solver"


@dataclass(frozen=True, slots=True)
class Guarantee:
    """What a rule is proven to achieve, whatever the adversaries and the correlations do.

    Parameters
    ----------
    expected_loss : float
        Proven bound of the expected loss; the rule's exact worst case.
    regret : float
        Proven bound of the expected loss minus that of the benchmark, who knows the information structure and
        sees the truthful reports alone.
    exact : bool
        Whether `regret` cannot be improved: of an optimal rule it is the minimax regret, of a rule that was
        given it is that rule's worst regret. With m states it is said of `expected_loss` instead.
    basis : Basis
        The argument that the numbers rest on.

    Notes
    -----
    theory.md §2.
    """

    expected_loss: float
    regret: float
    exact: bool
    basis: Basis
