"""Define a claim of the paper, test it on instances, and summarise the results as a verdict."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Generic, TypeVar
from zlib import crc32

import numpy as np

from bribeproof._validation import whole_number
from bribeproof.paper.claims.instances import Instance

AnyInstance = TypeVar("AnyInstance", bound=Instance)

TOLERANCE = 1e-6
"""Deviations up to this are rounding errors of the exact solvers."""


class Verdict(StrEnum):
    """Verdict on a claim as it is stated."""

    HOLDS = "holds"
    CONDITIONAL = "needs a condition"
    FALSE = "false"


@dataclass(frozen=True, slots=True)
class ClaimResult:
    """Deviation of a claim from the exact truth on one instance.

    Parameters
    ----------
    stated : float or None
        Deviation of the claim as stated: 0 if it is right, None if it does not apply to the instance.
    corrected : float or None
        Deviation of the corrected claim; None if it does not apply.
    condition : bool
        Whether the condition that the claim omits holds for the instance.
    numbers : mapping of str to float
        The numbers that were compared, by name.
    """

    stated: float | None
    corrected: float | None = None
    condition: bool = False
    numbers: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Case:
    """An instance, and the result of a claim on it."""

    instance: Instance
    result: ClaimResult


@dataclass(frozen=True, slots=True)
class Claim(Generic[AnyInstance]):
    """One statement of the paper, in words and as a check.

    Parameters
    ----------
    name : str
        Short name in kebab case.
    source : str
        Section, theorem or figure of the paper.
    statement : str
        The statement, in our words.
    test : callable
        Compares the statement with the exact truth on one instance.
    draw : callable, optional
        Draws a random instance; without it only the examples are tested.
    examples : tuple of Instance
        Instances that are always tested, before the random ones.
    condition : str
        The condition that the statement omits, if one makes it true.
    correction : str
        The corrected statement; empty if the statement is right.
    """

    name: str
    source: str
    statement: str
    test: Callable[[AnyInstance], ClaimResult]
    draw: Callable[[np.random.Generator], AnyInstance] | None = None
    examples: tuple[AnyInstance, ...] = ()
    condition: str = ""
    correction: str = ""


@dataclass(frozen=True, slots=True)
class Finding:
    """The results of one claim on all its instances, and the verdict.

    Parameters
    ----------
    claim : Claim
        The claim.
    cases : int
        Number of instances tested.
    applicable : int
        Number of instances to which the claim as stated applies.
    stated_worst : float
        Largest deviation of the claim as stated.
    corrected_cases : int
        Number of instances to which the corrected claim applies.
    corrected_worst : float
        Largest deviation of the corrected claim.
    verdict : Verdict
        The verdict.
    counter_example : Case or None
        The smallest instance on which the claim as stated is wrong: with the fewest reporters, then the shortest text.
    """

    claim: Claim[Any]
    cases: int
    applicable: int
    stated_worst: float
    corrected_cases: int
    corrected_worst: float
    verdict: Verdict
    counter_example: Case | None


def check_claims(
    claims: Sequence[Claim[Any]], cases: int, seed: int = 0, progress: Callable[[], None] | None = None
) -> tuple[Finding, ...]:
    """Test claims on their examples and on random instances.

    Parameters
    ----------
    claims : sequence of Claim
        The claims.
    cases : int
        Number of random instances for each claim, at least 1, besides its examples.
    seed : int, default 0
        Seed of the random instances. Those of a claim depend only on the seed and its name, not on the other claims.
    progress : callable, optional
        Called after each of the `count_instances` instances.

    Returns
    -------
    tuple of Finding
        One for each claim, in their order. A claim holds if no deviation exceeds 1e-6. It needs a condition if it
        has one, and some instance under the condition was tested and none failed. Otherwise it is false.

    Raises
    ------
    ParameterError
        A number of cases below 1, or a negative seed.

    Examples
    --------
    >>> from bribeproof.paper import find_claims
    >>> finding, = check_claims(find_claims(["hard-loss"]), cases=1)
    >>> finding.verdict.value, str(finding.counter_example.instance)
    ('false', 'decision = 0, state = 0')
    """
    cases = whole_number("cases", cases, minimum=1)
    seed = whole_number("seed", seed)
    return tuple(_check_claim(claim, cases, seed, progress or (lambda: None)) for claim in claims)


def count_instances(claims: Sequence[Claim[Any]], cases: int) -> int:
    """Return the number of instances that `check_claims` tests."""
    return sum(len(claim.examples) + cases * (claim.draw is not None) for claim in claims)


def _check_claim(claim: Claim[Any], cases: int, seed: int, progress: Callable[[], None]) -> Finding:
    """Test a claim on all its instances."""
    rng = np.random.default_rng([seed, crc32(claim.name.encode())])
    instances = list(claim.examples)
    if claim.draw is not None:
        instances += [claim.draw(rng) for _ in range(cases)]
    tried = []
    for instance in instances:
        tried.append(Case(instance, claim.test(instance)))
        progress()
    stated = [case for case in tried if case.result.stated is not None]
    wrong = [case for case in stated if _deviation(case.result.stated) > TOLERANCE]
    corrected = [case.result.corrected for case in tried if case.result.corrected is not None]
    return Finding(
        claim=claim,
        cases=len(tried),
        applicable=len(stated),
        stated_worst=max((_deviation(case.result.stated) for case in stated), default=0.0),
        corrected_cases=len(corrected),
        corrected_worst=max(corrected, default=0.0),
        verdict=_verdict(stated, wrong),
        counter_example=min(wrong, key=lambda case: case.instance.size, default=None),
    )


def _verdict(stated: Sequence[Case], wrong: Sequence[Case]) -> Verdict:
    """Return the verdict on a claim from the cases that it applies to, and those where it is wrong."""
    if not wrong:
        return Verdict.HOLDS
    tested = any(case.result.condition for case in stated)
    failed = any(case.result.condition for case in wrong)
    return Verdict.CONDITIONAL if tested and not failed else Verdict.FALSE


def _deviation(deviation: float | None) -> float:
    """Return a deviation as a number, 0 if there is none."""
    return 0.0 if deviation is None else deviation
