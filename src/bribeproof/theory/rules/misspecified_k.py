"""The guarantee of a trimmed mean whose trim is not the number of adversaries."""

from bribeproof.theory.model.experts import Expert, check_expert
from bribeproof.theory.model.guarantees import Basis, Guarantee
from bribeproof.theory.model.panel import Panel, check_panel
from bribeproof.theory.rules.aggregators import checked_trim


def misspecified_k_guarantee(panel: Panel, expert: Expert, trim: int) -> Guarantee:
    """Return the guarantee of the trimmed mean with any trim, under the absolute loss.

    Parameters
    ----------
    panel : Panel
        Reporters and the true number k of adversaries.
    expert : Expert
        One truthful reporter.
    trim : int
        Number of reports that the rule drops at each end, below n/2.

    Returns
    -------
    Guarantee
        `expected_loss` is the rule's exact worst case for every trim. `regret` is the same number; `exact` is
        True where it is the rule's worst regret.

    Raises
    ------
    ParameterError
        A trim outside 0 … (n − 1)/2.

    Notes
    -----
    docs/theory.md, Proposition 4.1. With s = trim and m = max(s, 1), `exact` is True if N·a ≥ m, N·b ≤ N − m, and
    N ≠ 2m or a = 1 or b = 0.

    Examples
    --------
    >>> guarantee = misspecified_k_guarantee(Panel(n=8, k=2), Expert(prior=0.5, tpr=0.75, fpr=0.25), trim=1)
    >>> guarantee.regret, guarantee.exact
    (0.41666666666666663, True)
    """
    check_panel(panel)
    check_expert(expert)
    trim = checked_trim(panel, trim)
    truthful = panel.truthful
    least = max(0, panel.k - trim) / (panel.n - 2 * trim)  # the loss where every truthful reporter is right

    def loss_given_state(error_rate: float) -> float:
        return least + (1 - least) * min(1.0, truthful * error_rate / (truthful - trim))

    bound = (1 - expert.prior) * loss_given_state(expert.fpr) + expert.prior * loss_given_state(1 - expert.tpr)
    count = max(trim, 1)
    feasible = truthful * expert.tpr >= count and truthful * expert.fpr <= truthful - count
    disjoint = truthful != 2 * count or expert.tpr == 1 or expert.fpr == 0
    return Guarantee(bound, bound, exact=feasible and disjoint, basis=Basis.GIVEN_TRIM)
