"""What a claim of the paper is, how it is put to the test, and what came of it."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Generic, TypeVar
from zlib import crc32

import numpy as np

from bribeproof._validation import whole_number
from bribeproof.errors import ParameterError
from bribeproof.paper.claims.instances import Instance

AnyInstance = TypeVar("AnyInstance", bound=Instance)

TOLERANCE = 1e-6
"""Deviations up to this are rounding of the exact solvers."""


class Verdict(StrEnum):
    """What the cases say of a claim as it is stated."""

    HOLDS = "holds"
    CONDITIONAL = "needs a condition"
    FALSE = "false"


@dataclass(frozen=True, slots=True)
class ClaimResult:
    """How far a claim is from the exact truth on one instance.

    Parameters
    ----------
    stated : float or None
        Deviation of the claim as stated: 0 where it is right, None where it says nothing.
    corrected : float or None
        Deviation of the corrected claim; None where it says nothing.
    condition : bool
        Whether the condition that the claim leaves out holds here.
    numbers : mapping of str to float
        What was compared, by name.
    """

    stated: float | None
    corrected: float | None = None
    condition: bool = False
    numbers: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Case:
    """An instance and how the claim did on it."""

    instance: Instance
    outcome: ClaimResult


@dataclass(frozen=True, slots=True)
class Claim(Generic[AnyInstance]):
    """One statement of the paper, in words and as a check.

    Parameters
    ----------
    name : str
        Short name in kebab case.
    place : str
        Where the paper says it.
    statement : str
        What it says.
    test : callable
        Puts the statement to the test on one instance.
    draw : callable, optional
        Draws a random instance; without it the known ones are all there are.
    known : tuple of Instance
        Instances that are always tried, before the random ones.
    condition : str
        The condition that the statement leaves out, where one makes it true.
    correction : str
        What is right instead; empty where the statement is right.
    """

    name: str
    place: str
    statement: str
    test: Callable[[AnyInstance], ClaimResult]
    draw: Callable[[np.random.Generator], AnyInstance] | None = None
    known: tuple[AnyInstance, ...] = ()
    condition: str = ""
    correction: str = ""


@dataclass(frozen=True, slots=True)
class Finding:
    """What the cases say of one claim.

    Parameters
    ----------
    claim : Claim
        The claim.
    cases : int
        Instances that were tried.
    applicable : int
        Those of which the claim as stated says anything.
    paper_worst : float
        Largest deviation of the claim as stated.
    corrected_cases : int
        Instances of which the corrected claim says anything.
    corrected_worst : float
        Largest deviation of the corrected claim.
    verdict : Verdict
        What follows.
    counter_example : Case or None
        The smallest instance on which the claim as stated is wrong: fewest reporters, then the shortest to write.
    """

    claim: Claim[Any]
    cases: int
    applicable: int
    paper_worst: float
    corrected_cases: int
    corrected_worst: float
    verdict: Verdict
    counter_example: Case | None


def check(
    claims: Sequence[Claim[Any]], cases: int, seed: int = 0, progress: Callable[[], None] | None = None
) -> tuple[Finding, ...]:
    """Put claims to the test on known and on random instances.

    Parameters
    ----------
    claims : sequence of Claim
        The claims.
    cases : int
        Random instances for each claim, at least 1; its known instances come on top.
    seed : int, default 0
        Seed of the instances. Those of a claim depend on the seed and its name alone, not on the other claims.
    progress : callable, optional
        Called after each of the `planned` instances.

    Returns
    -------
    tuple of Finding
        One for each claim, in their order. A claim holds where no deviation exceeds 1e-6. It needs a condition
        where it has one under which some instance was tried and none failed. Otherwise it is false.

    Raises
    ------
    ParameterError
        No case, or a bad seed.

    Examples
    --------
    >>> from bribeproof.paper import find_claims
    >>> finding, = check(find_claims(["hard-loss"]), cases=1)
    >>> finding.verdict.value, str(finding.counter_example.instance)
    ('false', 'decision = 0, state = 0')
    """
    cases = whole_number("cases", cases, minimum=1)
    seed = whole_number("seed", seed)
    return tuple(_find(claim, cases, seed, progress or (lambda: None)) for claim in claims)


def planned(claims: Sequence[Claim[Any]], cases: int) -> int:
    """Return how many instances `check` will try."""
    return sum(len(claim.known) + cases * (claim.draw is not None) for claim in claims)


def select(claims: Sequence[Claim[Any]], names: Sequence[str]) -> tuple[Claim[Any], ...]:
    """Return the claims of these names, in the order of the claims; ParameterError for a name that none has."""
    known = [claim.name for claim in claims]
    for name in names:
        if name not in known:
            raise ParameterError(f"there is no claim {name!r}; give one of {', '.join(known)}")
    return tuple(claim for claim in claims if claim.name in names)


def _find(claim: Claim[Any], cases: int, seed: int, progress: Callable[[], None]) -> Finding:
    """Try a claim on all its instances."""
    rng = np.random.default_rng([seed, crc32(claim.name.encode())])
    instances = list(claim.known)
    if claim.draw is not None:
        instances += [claim.draw(rng) for _ in range(cases)]
    tried = []
    for instance in instances:
        tried.append(Case(instance, claim.test(instance)))
        progress()
    stated = [case for case in tried if case.outcome.stated is not None]
    wrong = [case for case in stated if _deviation(case.outcome.stated) > TOLERANCE]
    corrected = [case.outcome.corrected for case in tried if case.outcome.corrected is not None]
    return Finding(
        claim=claim,
        cases=len(tried),
        applicable=len(stated),
        paper_worst=max((_deviation(case.outcome.stated) for case in stated), default=0.0),
        corrected_cases=len(corrected),
        corrected_worst=max(corrected, default=0.0),
        verdict=_verdict(stated, wrong),
        counter_example=min(wrong, key=lambda case: case.instance.size, default=None),
    )


def _verdict(stated: Sequence[Case], wrong: Sequence[Case]) -> Verdict:
    """Judge by the cases."""
    if not wrong:
        return Verdict.HOLDS
    tried_under_it = any(case.outcome.condition for case in stated)
    failed_under_it = any(case.outcome.condition for case in wrong)
    return Verdict.CONDITIONAL if tried_under_it and not failed_under_it else Verdict.FALSE


def _deviation(deviation: float | None) -> float:
    """Deviation as a number; none where nothing is said."""
    return 0.0 if deviation is None else deviation
