"""Small, readable instances that claims are tested on."""

from collections.abc import Callable
from dataclasses import dataclass, fields
from typing import TypeVar

import numpy as np

from bribeproof.theory import Expert, Family, MultiExpert, Panel

MOST_REPORTERS = 12
_TRIES = 400
_SLACK = 1e-12


@dataclass(frozen=True, slots=True)
class Instance:
    """Named numbers that a claim is tested on."""

    def __str__(self) -> str:
        return ", ".join(f"{name} = {_plain(value)}" for name, value in self.numbers().items())

    def numbers(self) -> dict[str, object]:
        """Return the numbers by name."""
        return {field.name: getattr(self, field.name) for field in fields(self)}

    @property
    def size(self) -> tuple[int, int, str]:
        """The sort key of small instances: few reporters, then a short text."""
        reporters = self.numbers().get("n", 0)
        return (reporters if isinstance(reporters, int) else 0), len(str(self)), str(self)


@dataclass(frozen=True, slots=True)
class CrowdInstance(Instance):
    """A panel and one truthful reporter, with two states."""

    n: int
    k: int
    prior: float
    tpr: float
    fpr: float

    @property
    def panel(self) -> Panel:
        """The panel."""
        return Panel(self.n, self.k)

    @property
    def expert(self) -> Expert:
        """One truthful reporter."""
        return Expert(self.prior, self.tpr, self.fpr)

    @property
    def share(self) -> float:
        """Share of adversaries."""
        return self.k / self.n

    @property
    def rarer(self) -> float:
        """Probability of the rarer state."""
        return min(self.prior, 1 - self.prior)

    @property
    def straddles(self) -> bool:
        """Whether the two posteriors lie on both sides of 1/2, as the paper's section 3 assumes."""
        return self.expert.posterior_low < 0.5 < self.expert.posterior_high

    @property
    def inner(self) -> bool:
        """Whether the mean truthful counts in both states lie between 1 and N − 1."""
        truthful = self.panel.truthful
        return truthful * self.fpr >= 1 - _SLACK and truthful * self.tpr <= truthful - 1 + _SLACK

    @property
    def third(self) -> bool:
        """Whether n = 3k, k ≥ 1."""
        return self.n == 3 * self.k

    @property
    def triple(self) -> bool:
        """Whether one of three reporters is an adversary."""
        return (self.n, self.k) == (3, 1)


@dataclass(frozen=True, slots=True)
class TrimmedInstance(CrowdInstance):
    """A crowd and the trim of a rule."""

    trim: int


@dataclass(frozen=True, slots=True)
class RuleInstance(CrowdInstance):
    """A crowd, a rule and a loss."""

    forecasts: tuple[float, ...]
    loss: str


@dataclass(frozen=True, slots=True)
class CountsInstance(Instance):
    """Distributions of the truthful count of H given each state, as integer weights."""

    n: int
    k: int
    given_1: tuple[int, ...]
    given_0: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class LabelsInstance(Instance):
    """A panel and one truthful reporter, with many states."""

    n: int
    k: int
    prior: tuple[float, ...]
    accuracy: tuple[float, ...]

    @property
    def panel(self) -> Panel:
        """The panel."""
        return Panel(self.n, self.k)

    @property
    def expert(self) -> MultiExpert:
        """One truthful reporter."""
        return MultiExpert(self.prior, self.accuracy)


@dataclass(frozen=True, slots=True)
class FamilyInstance(Instance):
    """A finite family: for each structure and state an integer weight for each histogram of N = n − k reports."""

    n: int
    k: int
    reports: int
    weights: tuple[tuple[tuple[int, ...], ...], ...]

    @property
    def family(self) -> Family:
        """The family."""
        laws = np.array(self.weights, dtype=np.float64)
        return Family(laws / laws.sum(axis=(1, 2), keepdims=True), self.reports, self.n - self.k)


@dataclass(frozen=True, slots=True)
class StatesInstance(Instance):
    """A panel and a number of states."""

    n: int
    k: int
    states: int


@dataclass(frozen=True, slots=True)
class HistogramsInstance(Instance):
    """Two histograms of truthful reports and a number of adversaries."""

    k: int
    first: tuple[int, ...]
    second: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class WeightsInstance(Instance):
    """Integer weights of the states."""

    weights: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class DecisionInstance(Instance):
    """A hard decision and the state."""

    decision: int
    state: int


AnyInstance = TypeVar("AnyInstance", bound=Instance)


def until(
    draw: Callable[[np.random.Generator], AnyInstance], accept: Callable[[AnyInstance], bool]
) -> Callable[[np.random.Generator], AnyInstance]:
    """Return a function that draws until an instance is accepted; after 400 draws it returns the last one."""

    def repeated(rng: np.random.Generator) -> AnyInstance:
        for _ in range(_TRIES):
            if accept(instance := draw(rng)):
                break
        return instance

    return repeated


def draw_rate(rng: np.random.Generator) -> float:
    """Draw a probability with one decimal or two, never 0 or 1."""
    parts = 10 if rng.random() < 0.5 else 100
    return int(rng.integers(1, parts)) / parts


def draw_crowd(rng: np.random.Generator, most: int = MOST_REPORTERS) -> CrowdInstance:
    """Draw a panel, often with n = 3k, and a reporter with tpr above fpr."""
    n = int(rng.integers(1, most + 1))
    k = n // 3 if n % 3 == 0 and rng.random() < 0.3 else int(rng.integers(0, (n - 1) // 2 + 1))
    fpr, tpr = sorted((draw_rate(rng), draw_rate(rng)))
    if fpr == tpr:
        return draw_crowd(rng, most)
    return CrowdInstance(n, k, draw_rate(rng), tpr, fpr)


def draw_bribed(rng: np.random.Generator) -> CrowdInstance:
    """Draw a crowd with adversaries."""
    return until(draw_crowd, lambda crowd: crowd.k > 0)(rng)


def draw_honest(rng: np.random.Generator) -> CrowdInstance:
    """Draw a crowd without adversaries."""
    crowd = draw_crowd(rng)
    return CrowdInstance(crowd.n, 0, crowd.prior, crowd.tpr, crowd.fpr)


def draw_counts(rng: np.random.Generator) -> CountsInstance:
    """Draw distributions of the truthful count."""
    n = int(rng.integers(2, 8))
    k = int(rng.integers(0, (n - 1) // 2 + 1))
    one, zero = (draw_weights(rng, n - k + 1) for _ in range(2))
    return CountsInstance(n, k, one, zero)


def draw_weights(rng: np.random.Generator, size: int, most: int = 3) -> tuple[int, ...]:
    """Draw integer weights, not all 0."""
    while not any(weights := rng.integers(0, most + 1, size).tolist()):
        pass
    return tuple(weights)


def draw_shares(rng: np.random.Generator, size: int) -> tuple[float, ...]:
    """Draw a distribution in tenths with positive parts."""
    cuts = sorted(rng.choice(np.arange(1, 10), size - 1, replace=False).tolist())
    return tuple((high - low) / 10 for low, high in zip([0, *cuts], [*cuts, 10], strict=True))


def draw_laws(rng: np.random.Generator, most_states: int = 2) -> FamilyInstance:
    """Draw a small family over two reports, with 0 or 1 adversaries."""
    states = int(rng.integers(2, most_states + 1))
    truthful, k, structures = int(rng.integers(1, 5)), int(rng.integers(0, 2)), int(rng.integers(1, 4))
    k = min(k, truthful - 1)

    def law() -> tuple[tuple[int, ...], ...]:
        flat = draw_weights(rng, states * (truthful + 1), 4)
        return tuple(flat[s * (truthful + 1) : (s + 1) * (truthful + 1)] for s in range(states))

    return FamilyInstance(truthful + k, k, 2, tuple(law() for _ in range(structures)))


def _plain(value: object) -> str:
    """Return a number, or a tuple of numbers, as short text."""
    if isinstance(value, tuple):
        return f"({', '.join(map(_plain, value))})"
    return f"{value:.10g}" if isinstance(value, float) else str(value)
