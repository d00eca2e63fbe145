"""Reproduction of the source paper: its claims checked against exact solvers, its figures and its experiment."""

from bribeproof.paper.claims import CLAIMS, find_claims
from bribeproof.paper.claims.framework import (
    TOLERANCE,
    Case,
    Claim,
    ClaimResult,
    Finding,
    Verdict,
    check_claims,
    count_instances,
)

__all__ = [
    "CLAIMS",
    "TOLERANCE",
    "Case",
    "Claim",
    "ClaimResult",
    "Finding",
    "Verdict",
    "check_claims",
    "count_instances",
    "find_claims",
]
