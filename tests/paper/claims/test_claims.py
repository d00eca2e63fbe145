"""The runner on hand-made claims with known deviations, and the claims of the paper against what is known of them."""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pytest

from bribeproof.errors import ParameterError
from bribeproof.paper import (
    CLAIMS,
    TOLERANCE,
    Claim,
    ClaimResult,
    Finding,
    Verdict,
    check_claims,
    count_instances,
    find_claims,
)
from bribeproof.paper.claims.instances import Instance

HOLDS, CONDITIONAL, FALSE = Verdict.HOLDS, Verdict.CONDITIONAL, Verdict.FALSE

KNOWN = {
    "informative-signals": HOLDS,
    "only-means-matter": HOLDS,
    "adversaries-move-the-mean": HOLDS,
    "benchmark-losses": HOLDS,
    "bad-strategy": FALSE,
    "worst-structure-of-clipped-rules": CONDITIONAL,
    "averaging-without-adversaries": CONDITIONAL,
    "trimmed-mean": CONDITIONAL,
    "trimmed-mean-bound": CONDITIONAL,
    "constant-beyond-the-bound": CONDITIONAL,
    "only-the-share-counts-absolute": CONDITIONAL,
    "growth-absolute": HOLDS,
    "unknown-number-of-adversaries": FALSE,
    "squared-optimum": CONDITIONAL,
    "squared-bound": FALSE,
    "only-the-share-counts-squared": CONDITIONAL,
    "growth-squared": HOLDS,
    "nothing-known": HOLDS,
    "only-the-prior-known": CONDITIONAL,
    "example-with-one-adversary": FALSE,
    "figure-other-rules": HOLDS,
    "four-counts": CONDITIONAL,
    "interpolated-rule": FALSE,
    "two-counts-for-each-state": HOLDS,
    "limit-is-one-reporter": HOLDS,
    "regret-increases-with-n": HOLDS,
    "example-losses": HOLDS,
    "example-mixture": FALSE,
    "figure-honest-rule": FALSE,
    "random-dictator": CONDITIONAL,
    "random-dictator-regret": CONDITIONAL,
    "hard-loss": FALSE,
    "dictator-is-trimmed-mean": HOLDS,
    "many-states-regret": FALSE,
    "many-states-dictator": CONDITIONAL,
    "many-states-second-condition": FALSE,
    "many-states-example": HOLDS,
    "posterior-is-best": CONDITIONAL,
    "pure-strategies": HOLDS,
    "more-adversaries-never-help": FALSE,
    "knowing-and-ignorant-experts": HOLDS,
    "uniform-forecast-alone": FALSE,
    "independent-experts": HOLDS,
    "distance-as-printed": FALSE,
    "distance": HOLDS,
    "sensitivity-upper-bound": FALSE,
    "sensitivity-lower-bound": HOLDS,
    "naive-rule": FALSE,
    "sensitivity-upper-bound-many-states": FALSE,
    "sensitivity-lower-bound-many-states": FALSE,
}


@dataclass(frozen=True, slots=True)
class Number(Instance):
    n: int
    x: float


def draw_number(rng: np.random.Generator) -> Number:
    return Number(int(rng.integers(1, 6)), float(rng.integers(0, 100)) / 100)


def small(number: Number) -> ClaimResult:
    """Wrong by x where n is even; the correction by a hair; the condition is that n is odd."""
    odd = number.n % 2 == 1
    return ClaimResult(0.0 if odd else number.x, 1e-9, odd, {"x": number.x})


def claim(**changes: Any) -> Claim[Number]:
    made: Claim[Number] = Claim("made-up", "nowhere", "x is 0.", small, draw_number, (Number(3, 0.5),))
    return replace(made, **changes)


@pytest.fixture(scope="module")
def findings() -> dict[str, Finding]:
    """The verdicts on all claims, by name; they take seconds, so that one process runs the tests of them."""
    return {finding.claim.name: finding for finding in check_claims(CLAIMS, cases=6, seed=3)}


def test_every_claim_has_a_known_verdict() -> None:
    assert [c.name for c in CLAIMS] == list(KNOWN)


@pytest.mark.xdist_group("claims")
@pytest.mark.parametrize("name", KNOWN)
def test_verdict(name: str, findings: dict[str, Finding]) -> None:
    finding = findings[name]
    assert finding.verdict is KNOWN[name]
    assert finding.applicable > 0
    assert (finding.counter_example is None) == (finding.verdict is HOLDS)
    assert (finding.stated_worst > TOLERANCE) == (finding.verdict is not HOLDS)


@pytest.mark.xdist_group("claims")
@pytest.mark.parametrize("name", KNOWN)
def test_what_is_right_instead(name: str, findings: dict[str, Finding]) -> None:
    finding = findings[name]
    assert finding.corrected_worst <= TOLERANCE
    if finding.verdict is not HOLDS:
        assert finding.claim.correction
    assert bool(finding.claim.condition) == (finding.verdict is CONDITIONAL)


@pytest.mark.parametrize("name", KNOWN)
def test_a_claim_is_well_formed(name: str) -> None:
    (found,) = find_claims([name])
    assert found.draw or found.examples
    assert found.source
    assert found.statement.endswith(".")
    assert not found.correction or found.correction.endswith(".")
    assert not found.condition.endswith(".")


WORKED: dict[str, list[tuple[tuple[Any, ...], dict[str, float]]]] = {
    "averaging-without-adversaries": [
        ((4, 0, 0.431, 0.875, 0.445), {"regret of averaging": 0.307080, "least regret": 0.193407}),
        ((10, 0, 0.681, 0.674, 0.059), {"regret of averaging": 0.240827, "least regret": 0.185835}),
    ],
    "unknown-number-of-adversaries": [
        ((3, 1, 0.6, 0.7, 0.3, 1), {"true regret": 0.36, "corrected bound": 0.6}),
        ((5, 1, 0.2, 0.99, 0.9, 0), {"true regret": 0.5856, "corrected bound": 0.7776}),
        ((10, 3, 0.5, 0.8, 0.1, 1), {"printed regret": -0.11875, "true regret": 0.38125}),
    ],
    "squared-optimum": [
        ((3, 1, 0.5, 0.9, 0.05), {"printed regret": 0.126263, "least regret": 0.092929}),
        ((10, 2, 0.5, 0.8, 0.1), {"printed regret": 0.15837104072, "regret of the printed rule": 0.15837104072}),
    ],
    "four-counts": [
        ((9, 0, 0.688, 0.911, 0.323), {"value on four counts": 0.097167, "least regret": 0.100212}),
        ((10, 0, 0.362, 0.518, 0.057), {"value on four counts": 0.100781, "least regret": 0.114385}),
    ],
    "interpolated-rule": [((10, 0, 0.362, 0.518, 0.057), {"with f(1) added": 0.132240})],
    "figure-honest-rule": [((10, 0, 0.5, 0.8, 0.1), {"regret of the drawn rule": 0.107276, "least regret": 0.106659})],
    "figure-other-rules": [((10, 2, 0.5, 0.8, 0.1), {"regret of the squared line": 0.15837104})],
    "example-mixture": [((5, 0, 0.5, 0.6, 0.4), {"in the second": 56 / 225, "worst regret": 8 / 25})],
    "random-dictator-regret": [((4, 1, 0.4, 0.9, 0.1), {"printed regret": 0.25, "true regret": 0.15})],
    "random-dictator": [((8, 3, 0.6, 0.8, 0.2), {"regret of the dictator": 0.5, "least regret": 0.4})],
    "only-the-prior-known": [((1, 0, 0.5, 0.8, 0.2), {"regret of the best rule found": 1 / 16})],
    "constant-beyond-the-bound": [((4, 1, 0.5, 0.2, 0.1), {"regret of the better constant": 0.3, "least regret": 0.3})],
    "example-with-one-adversary": [((6, 1, 0.5, 0.6, 0.4), {"loss in the example": 13 / 36, "highest loss": 5 / 12})],
    "many-states-regret": [
        ((8, 2, (0.3, 0.3, 0.4), (0.6, 0.6, 0.6)), {"printed regret": 0.2, "corrected bound": 0.6}),
        ((8, 2, (0.4, 0.3, 0.3), (0.9, 0.8, 0.85)), {"corrected bound": 0.2175, "least regret": 0.2175}),
    ],
    "many-states-dictator": [
        ((7, 3, (1 / 3,) * 3, (0.75,) * 3), {"error of the dictator": 1.0, "least error": 4 / 7}),
    ],
    "sensitivity-upper-bound": [
        ((9, 1, 2, ((tuple(range(8, -1, -1)), tuple(range(9))),)), {"S²": 1 / 64, "least regret": 0.03935185}),
        ((5, 1, 2, ((tuple(range(4, -1, -1)), tuple(range(5))),)), {"S²": 1 / 16, "least regret": 3 / 40}),
    ],
}  # fmt: skip


@pytest.mark.parametrize(
    ("name", "numbers", "expected"), [(name, *case) for name, cases in WORKED.items() for case in cases]
)
def test_worked_numbers(name: str, numbers: tuple[Any, ...], expected: dict[str, float]) -> None:
    (found,) = find_claims([name])
    kind = type(found.examples[0])
    outcome = found.test(kind(*numbers))
    assert {key: outcome.numbers[key] for key in expected} == pytest.approx(expected, abs=2e-6)


def test_a_claim_alone_is_the_claim_among_others() -> None:
    names = ["naive-rule", "squared-optimum", "distance"]
    together = {finding.claim.name: finding for finding in check_claims(find_claims(names), cases=4, seed=7)}
    for name in names:
        (alone,) = check_claims(find_claims([name]), cases=4, seed=7)
        assert alone == together[name]


def test_the_seed_matters_and_repeats() -> None:
    first, again, other = (check_claims([claim()], cases=4, seed=seed)[0] for seed in (1, 1, 2))
    assert first == again
    assert first.counter_example != other.counter_example


def test_counts_and_the_smallest_counter_example() -> None:
    tried: list[Number] = []

    def recording(number: Number) -> ClaimResult:
        tried.append(number)
        return small(number)

    steps: list[int] = []
    (finding,) = check_claims([claim(test=recording)], cases=40, progress=lambda: steps.append(1))
    assert len(steps) == finding.cases == len(tried) == count_instances([claim()], 40) == 41
    assert tried[0] == Number(3, 0.5)
    wrong = [number for number in tried if number.n % 2 == 0 and number.x > TOLERANCE]
    assert finding.stated_worst == max(number.x for number in wrong)
    assert finding.counter_example is not None
    found = finding.counter_example.instance
    fewest = [number for number in wrong if number.n == min(other.n for other in wrong)]
    assert found in fewest
    assert len(str(found)) == min(len(str(number)) for number in fewest)
    assert (finding.applicable, finding.corrected_cases, finding.corrected_worst) == (41, 41, 1e-9)


@pytest.mark.parametrize(
    ("known", "outcome", "verdict"),
    [
        ((1, 2), lambda n: ClaimResult(0.0, None, n == 1), HOLDS),
        ((1, 2), lambda _: ClaimResult(None), HOLDS),
        ((1, 2), lambda n: ClaimResult(n - 1.0, None, n == 1), CONDITIONAL),
        ((1, 2), lambda n: ClaimResult(n - 1.0, None, n == 2), FALSE),
        ((1, 2), lambda n: ClaimResult(n - 1.0), FALSE),
        ((2,), lambda n: ClaimResult(n - 1.0, None, n == 1), FALSE),
        ((1, 2), lambda n: ClaimResult((n - 1) * TOLERANCE, None), HOLDS),
        ((1, 3), lambda n: ClaimResult((n - 1) * TOLERANCE, None), FALSE),
    ],
)
def test_how_a_verdict_is_reached(known: tuple[int, ...], outcome: Any, verdict: Verdict) -> None:
    made = claim(draw=None, examples=tuple(Number(n, 0.0) for n in known), test=lambda number: outcome(number.n))
    assert check_claims([made], cases=5)[0].verdict is verdict


def test_refusals() -> None:
    with pytest.raises(ParameterError, match="cases = 0"):
        check_claims([claim()], cases=0)
    with pytest.raises(ParameterError, match="seed = -1"):
        check_claims([claim()], cases=1, seed=-1)
    with pytest.raises(ParameterError, match=r"no claim 'truncated'; give one of .*trimmed-mean"):
        find_claims(["hard-loss", "truncated"])
    assert find_claims([]) == CLAIMS
