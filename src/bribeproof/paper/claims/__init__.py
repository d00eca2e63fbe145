"""The claims of the source paper, each as a check against exact solvers."""

from collections.abc import Sequence
from typing import Any

from bribeproof.errors import ParameterError
from bribeproof.paper.claims import (
    absolute_loss,
    foundations,
    general_model,
    hard_decisions,
    multistate,
    no_adversaries,
    sensitivity,
    squared_loss,
)
from bribeproof.paper.claims.framework import Claim

CLAIMS: tuple[Claim[Any], ...] = (
    *foundations.CLAIMS,
    *absolute_loss.CLAIMS,
    *squared_loss.CLAIMS,
    *no_adversaries.CLAIMS,
    *hard_decisions.CLAIMS,
    *multistate.CLAIMS,
    *general_model.CLAIMS,
    *sensitivity.CLAIMS,
)
"""All claims, by topic."""


def find_claims(names: Sequence[str]) -> tuple[Claim[Any], ...]:
    """Return the claims with the given names, or all claims if there are none.

    Parameters
    ----------
    names : sequence of str
        Names of claims.

    Returns
    -------
    tuple of Claim
        In the order of `CLAIMS`, whatever the order of the names.

    Raises
    ------
    ParameterError
        A name that no claim has; the message lists all names.

    Examples
    --------
    >>> [claim.name for claim in find_claims(["naive-rule", "hard-loss"])]
    ['hard-loss', 'naive-rule']
    """
    known = [claim.name for claim in CLAIMS]
    for name in names:
        if name not in known:
            raise ParameterError(f"there is no claim {name!r}; give one of {', '.join(known)}")
    return tuple(claim for claim in CLAIMS if claim.name in names) if names else CLAIMS
