"""What a rule guarantees: bounds of its expected loss and regret, and the argument behind them."""

from dataclasses import dataclass
from enum import StrEnum


class Basis(StrEnum):
    """The argument that proves a guarantee."""

    EFFECTIVE_EXPERT = "effective expert"
    PRIOR_ALONE = "prior alone"
    ONE_REPORTER = "one reporter, k = 0"
    N_IS_3K = "n = 3k"
    GIVEN_TRIM = "given trim"
    EXACT_SOLVER = "exact solver"
    PAIRS = "pairs of reporters"
    INDEPENDENT = "independent errors, an assumption"


@dataclass(frozen=True, slots=True)
class Guarantee:
    """Proven bounds of a rule, whatever the adversaries do and however the truthful reports are correlated.

    Both are averages over all items, provided that neither who answers an item nor how many do depends on its truth or
    difficulty, or on the others' skill or reports.

    Parameters
    ----------
    expected_loss : float
        Upper bound of the expected loss; the rule's exact worst case.
    regret : float
        Upper bound of the expected loss minus that of the benchmark, who knows the information structure and sees the
        truthful reports alone.
    exact : bool
        Whether it is proven that `regret` cannot be improved: it is the minimax regret for an optimal rule, and the
        rule's worst regret for a given rule. For labels of m classes this refers to `expected_loss`.
    basis : Basis
        The argument that proves the two bounds.

    Notes
    -----
    docs/theory.md §1 defines loss, benchmark and regret; Theorem A is the main result; §15 is about who answers.
    """

    expected_loss: float
    regret: float
    exact: bool
    basis: Basis
