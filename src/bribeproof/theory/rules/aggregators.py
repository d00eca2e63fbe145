"""Rules that turn the number of H reports into a forecast, and the constructors of the simple ones."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Self, overload

import numpy as np
from numpy.typing import NDArray

from bribeproof._validation import probabilities, probability, whole_number, whole_numbers
from bribeproof.errors import ParameterError
from bribeproof.theory.model.guarantees import Guarantee
from bribeproof.theory.model.panel import Panel, check_panel

Counts = Sequence[int] | NDArray[np.integer]


@dataclass(frozen=True, slots=True, eq=False)
class Aggregator:
    """Aggregation rule: a forecast for each possible number of H reports.

    Parameters
    ----------
    values : array of shape (n + 1,)
        Forecasts for 0, 1, …, n reports of H, each in [0, 1]; copied and made read-only.
    name : str, default "custom"
        Short name for tables and pictures.
    guarantee : Guarantee, optional
        Proven bounds of the rule's expected loss and regret, if there are any.

    Raises
    ------
    ParameterError
        Fewer than two values, or one outside [0, 1].

    Notes
    -----
    docs/theory.md §1. Two rules are equal if their kind, values, name and guarantee are.

    Examples
    --------
    >>> rule = Aggregator(np.array([0.0, 0.5, 1.0]))
    >>> rule(1), rule([0, 2])
    (0.5, array([0., 1.]))
    """

    values: NDArray[np.float64]
    name: str = "custom"
    guarantee: Guarantee | None = None

    def __post_init__(self) -> None:
        values = probabilities(f"{self.name} values", self.values).copy()
        if values.ndim != 1 or values.size < 2:
            raise ParameterError(
                f"{self.name} values have shape {values.shape}; give the n + 1 forecasts for 0, 1, ..., n reports of H"
            )
        values.setflags(write=False)
        object.__setattr__(self, "values", values)

    @property
    def n(self) -> int:
        """Number of reporters."""
        return self.values.size - 1

    @overload
    def __call__(self, count: int) -> float: ...
    @overload
    def __call__(self, count: Counts) -> NDArray[np.float64]: ...
    def __call__(self, count: int | Counts) -> float | NDArray[np.float64]:
        """Return the forecast for a number of H reports.

        Parameters
        ----------
        count : int or integer array
            From 0 to n.

        Returns
        -------
        float or ndarray
            Forecasts in [0, 1], of the shape of `count`.

        Raises
        ------
        ParameterError
            A count that is not an integer from 0 to n.
        """
        forecast = self._at(self.checked_counts(count))
        return forecast if forecast.ndim else float(forecast)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Aggregator):
            return NotImplemented
        return self._key() == other._key()

    def __hash__(self) -> int:
        return hash(self._key())

    def __reduce__(self) -> tuple[type[Self], tuple[NDArray[np.float64], str, Guarantee | None]]:
        # Rebuilding a pickled rule through the constructor keeps its values read-only.
        return type(self), (self.values, self.name, self.guarantee)

    def _at(self, counts: NDArray[np.int64]) -> NDArray[np.float64]:
        """Return the forecasts for validated counts."""
        return np.asarray(self.values.take(counts))

    def _key(self) -> tuple[Any, ...]:
        """Return everything that two equal rules have in common."""
        return type(self), tuple(self.values.tolist()), self.name, self.guarantee

    def checked_counts(self, count: int | Counts) -> NDArray[np.int64]:
        """Return counts as an array of indices of the values; raise ParameterError unless they are from 0 to n."""
        if type(count) is np.ndarray and count.dtype == np.int64 and count.size:
            # Read as unsigned, a negative count is far too large: one comparison is enough for most arrays.
            largest = count.view(np.uint64).max()
            if largest <= self.n:
                return count.astype(np.int64, copy=False)
        counts = whole_numbers("count of H reports", count)
        if counts.size and counts.max() > self.n:
            raise ParameterError(f"count of H reports = {counts.max()} exceeds the panel; give 0 to {self.n}")
        return counts


def trimmed_mean(panel: Panel, trim: int | None = None) -> Aggregator:
    """Return the trimmed mean: the mean of the reports without the `trim` lowest and the `trim` highest.

    Parameters
    ----------
    panel : Panel
        The panel.
    trim : int, optional
        Reports dropped at each end, below n/2; the panel's k if left out.

    Returns
    -------
    Aggregator
        The rule; optimal for the absolute loss wherever the effective expert beats the prior.

    Raises
    ------
    ParameterError
        A trim outside 0 … (n − 1)/2.

    Notes
    -----
    docs/theory.md §2.

    Examples
    --------
    >>> trimmed_mean(Panel(n=4, k=1)).values
    array([0. , 0. , 0.5, 1. , 1. ])
    """
    check_panel(panel)
    return Aggregator(survivor_share(panel, trim), "trimmed mean")


def mean(panel: Panel) -> Aggregator:
    """Return the mean of the reports, x/n: the share of H reports.

    Parameters
    ----------
    panel : Panel
        The panel; only its n matters.

    Returns
    -------
    Aggregator
        The rule.

    Examples
    --------
    >>> mean(Panel(n=4)).values
    array([0.  , 0.25, 0.5 , 0.75, 1.  ])
    """
    check_panel(panel)
    return Aggregator(survivor_share(panel, 0), "mean")


def median(panel: Panel) -> Aggregator:
    """Return the median of the reports: the trimmed mean with the largest possible trim.

    Parameters
    ----------
    panel : Panel
        The panel; only its n matters.

    Returns
    -------
    Aggregator
        The rule. For binary reports its values are those of `majority`, 1/2 at a tie included: the two middle
        reports of an even panel differ exactly where the votes are tied. Scores and labels tell them apart.

    Examples
    --------
    >>> median(Panel(n=4)).values
    array([0. , 0. , 0.5, 1. , 1. ])
    """
    check_panel(panel)
    return Aggregator(survivor_share(panel, (panel.n - 1) // 2), "median")


def majority(panel: Panel) -> Aggregator:
    """Return the majority vote: 1 if more than half of the panel reports H, 0 if less, 1/2 at a tie.

    Parameters
    ----------
    panel : Panel
        The panel; only its n matters.

    Returns
    -------
    Aggregator
        The rule.

    Examples
    --------
    >>> majority(Panel(n=3)).values
    array([0., 0., 1., 1.])
    """
    check_panel(panel)
    return Aggregator(np.heaviside(2 * np.arange(panel.n + 1) - panel.n, 0.5), "majority")


def constant(panel: Panel, value: float) -> Aggregator:
    """Return the rule that always gives the same forecast.

    Parameters
    ----------
    panel : Panel
        The panel; only its n matters.
    value : float
        The forecast, in [0, 1].

    Returns
    -------
    Aggregator
        The rule.

    Raises
    ------
    ParameterError
        A forecast outside [0, 1].

    Examples
    --------
    >>> constant(Panel(n=2), 0.25).values
    array([0.25, 0.25, 0.25])
    """
    check_panel(panel)
    return Aggregator(np.full(panel.n + 1, probability("constant value", value)), "constant")


def checked_trim(panel: Panel, trim: int | None) -> int:
    """Return a valid trim: the panel's k where none is given."""
    if trim is None:
        return panel.k
    number = whole_number("trim", trim)
    if 2 * number >= panel.n:
        raise ParameterError(
            f"trim = {number} drops the whole panel of n = {panel.n}; give at most {(panel.n - 1) // 2}"
        )
    return number


def survivor_share(panel: Panel, trim: int | None) -> NDArray[np.float64]:
    """Return the share of H among the reports left after trimming, for each number of H reports."""
    trim = checked_trim(panel, trim)
    survivors = panel.n - 2 * trim
    return np.clip(np.arange(panel.n + 1) - trim, 0, survivors) / survivors
