"""The source paper, runnable: its claims as checks against exact solvers, and its figures."""

from collections.abc import Sequence
from typing import Any

from bribeproof.paper.claims import absolute_loss as absolute
from bribeproof.paper.claims import foundations, sensitivity
from bribeproof.paper.claims import general_model as general
from bribeproof.paper.claims import hard_decisions as hard
from bribeproof.paper.claims import multistate as many_states
from bribeproof.paper.claims import no_adversaries as honest
from bribeproof.paper.claims import squared_loss as squared
from bribeproof.paper.claims.framework import (
    TOLERANCE,
    Case,
    Claim,
    ClaimResult,
    Finding,
    Verdict,
    check,
    planned,
    select,
)

CLAIMS: tuple[Claim[Any], ...] = (
    *foundations.CLAIMS,
    *absolute.CLAIMS,
    *squared.CLAIMS,
    *honest.CLAIMS,
    *hard.CLAIMS,
    *many_states.CLAIMS,
    *general.CLAIMS,
    *sensitivity.CLAIMS,
)
"""Every claim, by topic."""


def find_claims(names: Sequence[str]) -> tuple[Claim[Any], ...]:
    """Return the claims of these names; all of them where none is given.

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
    return select(CLAIMS, names) if names else CLAIMS


__all__ = [
    "CLAIMS",
    "TOLERANCE",
    "Case",
    "Claim",
    "ClaimResult",
    "Finding",
    "Verdict",
    "check",
    "find_claims",
    "planned",
]
