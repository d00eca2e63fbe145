"""How often the plurality of labels of m classes can be wrong where errors go together less than they could."""

from dataclasses import dataclass

import numpy as np

from bribeproof.theory.model.experts import MultiExpert, check_multi_expert
from bribeproof.theory.model.panel import Panel, check_panel
from bribeproof.theory.pairwise.error_laws import ErrorBounds, ErrorLaw
from bribeproof.theory.pairwise.worst_law import worst_law


@dataclass(frozen=True, slots=True, eq=False)
class PluralityError:
    """The largest probability that the plurality is wrong, between two proven numbers, and laws that attain the lower.

    Parameters
    ----------
    lower, upper : float
        The largest probability lies between them; they differ by rounding.
    laws : tuple of ErrorLaw
        For each class, the law of the number of truthful errors where it is the true one.
    """

    lower: float
    upper: float
    laws: tuple[ErrorLaw, ...]


def plurality_error(panel: Panel, expert: MultiExpert) -> PluralityError:
    """Return how often the most frequent label is wrong at most, a tie counted as wrong.

    Parameters
    ----------
    panel : Panel
        Reporters and adversaries.
    expert : MultiExpert
        One truthful reporter, with a bound of the correlation of errors.

    Returns
    -------
    PluralityError
        Over all laws of errors, all wrong labels, and all strategies of the adversaries.

    Raises
    ------
    ParameterTypeError
        `panel` is not a Panel, or `expert` is not a MultiExpert.

    Notes
    -----
    docs/theory.md §12, Decisions. If j of the N = n − k truthful reporters err, no wrong label has more than j + k
    reports, and the truth has at least N − j. All errors and adversaries may agree on one wrong label, so it is right
    for certain just if N − j > j + k. The number of classes does not matter, only their priors and accuracies.

    Examples
    --------
    >>> for correlation in (1, 0.2, 0.05):
    ...     expert = MultiExpert((0.5, 0.3, 0.2), accuracy=(0.8, 0.75, 0.7), correlation=correlation)
    ...     print(round(plurality_error(Panel(n=39, k=3), expert).upper, 4))
    0.4976
    0.4211
    0.2068
    """
    check_panel(panel)
    check_multi_expert(expert, correlated=True)
    errors = np.arange(panel.truthful + 1)
    wrong = np.where(2 * errors >= panel.n - 2 * panel.k, 1.0, 0.0)
    worst = [
        worst_law(wrong, ErrorBounds(panel.truthful, 1 - accuracy, 1 - accuracy, joint))
        for accuracy, joint in zip(expert.accuracy, expert.joint_error_rates, strict=True)
    ]
    lower, upper = (
        sum(prior * min(1.0, end) for prior, end in zip(expert.prior, ends, strict=True))
        for ends in ([law.lower for law in worst], [law.upper for law in worst])
    )
    return PluralityError(min(lower, upper), upper, tuple(law.law for law in worst))
