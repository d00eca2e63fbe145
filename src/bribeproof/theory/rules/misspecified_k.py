"""What a trimmed mean is worth when it trims for another number of adversaries than there are."""

from bribeproof.theory.model.experts import Expert
from bribeproof.theory.model.guarantees import Basis, Guarantee
from bribeproof.theory.model.panel import Panel
from bribeproof.theory.rules.aggregators import checked_trim


def misspecified_k_guarantee(panel: Panel, expert: Expert, trim: int) -> Guarantee:
    """Guarantee of the trimmed mean, under the absolute loss, for any trim.

    Parameters
    ----------
    panel : Panel
        Reporters and the true number k of adversaries.
    expert : Expert
        One truthful reporter.
    trim : int
        Reports that the rule drops at each end, below n/2.

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
    theory.md §4. Given state 1 the worst adversaries all say L, and the loss over the truthful count lies
    under the chord from (trim, 1) to (N, last), where last = max(0, k − trim)/(n − 2·trim) is the loss that
    remains when every truthful reporter is right. State 0 is the mirror image. The chord stops at 1, which is
    where the formulas of §4 cease to hold.

    With m = max(trim, 1), Nature reaches the bound on truthful counts {m, N} in state 1 and {0, N − m} in
    state 0. The benchmark makes no error if these are feasible, N·a ≥ m and N·b ≤ N − m, and do not meet:
    N ≠ 2m, or one of the rates is perfect.

    Examples
    --------
    >>> guarantee = misspecified_k_guarantee(Panel(n=8, k=2), Expert(prior=0.5, tpr=0.75, fpr=0.25), trim=1)
    >>> guarantee.regret, guarantee.exact
    (0.41666666666666663, True)
    """
    trim = checked_trim(panel, trim)
    truthful = panel.truthful
    last = max(0, panel.k - trim) / (panel.n - 2 * trim)

    def loss_given_state(misses: float) -> float:
        return last + (1 - last) * min(1.0, truthful * misses / (truthful - trim))

    bound = (1 - expert.prior) * loss_given_state(expert.fpr) + expert.prior * loss_given_state(1 - expert.tpr)
    nearest = max(trim, 1)
    feasible = truthful * expert.tpr >= nearest and truthful * expert.fpr <= truthful - nearest
    disjoint = truthful != 2 * nearest or expert.tpr == 1 or expert.fpr == 0
    return Guarantee(bound, bound, exact=feasible and disjoint, basis=Basis.GIVEN_TRIM)
