"""Rules that are linear between a few counts of H: as fast for a billion reporters as for ten."""

from dataclasses import FrozenInstanceError
from typing import Any, NoReturn, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from bribeproof._validation import probabilities, probability, whole_number, whole_numbers
from bribeproof.errors import ParameterError
from bribeproof.theory.model.guarantees import Guarantee
from bribeproof.theory.model.panel import Panel, check_panel
from bribeproof.theory.rules.aggregators import Aggregator, checked_trim


class PiecewiseLinear(Aggregator):
    """Aggregation rule that is linear between some counts of H and constant beyond them.

    Parameters
    ----------
    n : int
        Number of reporters, at least 1.
    counts : integer array of shape (knots,)
        Counts of H from 0 to n, ascending, at least one; copied and made read-only.
    forecasts : array of shape (knots,)
        Forecasts at these counts, each in [0, 1]; copied and made read-only.
    name : str, default "piecewise linear"
        Short name, for tables and pictures.
    guarantee : Guarantee, optional
        Proven bounds of the rule's expected loss and regret, if there are any.

    Raises
    ------
    ParameterError
        Counts outside 0 … n or not ascending, forecasts outside [0, 1], or not as many of each.

    Notes
    -----
    The closed forms of docs/theory.md and the rules of the exact solver have this form. The n + 1 `values` are computed
    when first used.

    Examples
    --------
    >>> rule = PiecewiseLinear(4, counts=[1, 3], forecasts=[0.2, 0.8])
    >>> rule(2), rule.values
    (0.5, array([0.2, 0.2, 0.5, 0.8, 0.8]))
    >>> PiecewiseLinear(10**9, counts=[0, 10**9], forecasts=[0.0, 1.0])(250_000_000)
    0.25
    """

    __slots__ = ("_size", "_table", "counts", "forecasts")

    counts: NDArray[np.int64]
    forecasts: NDArray[np.float64]
    _size: int
    _table: NDArray[np.float64] | None

    def __init__(
        self,
        n: int,
        counts: ArrayLike,
        forecasts: ArrayLike,
        name: str = "piecewise linear",
        guarantee: Guarantee | None = None,
    ) -> None:
        n = whole_number(f"{name} n", n, minimum=1)
        knots = whole_numbers(f"{name} counts", counts).copy()
        levels = probabilities(f"{name} forecasts", forecasts).copy()
        if knots.ndim != 1 or knots.shape != levels.shape or knots.size == 0:
            raise ParameterError(
                f"{name} has counts of shape {knots.shape} and forecasts of shape {levels.shape}; "
                "give one forecast for each count, at least one"
            )
        if knots[-1] > n or (np.diff(knots) <= 0).any():
            raise ParameterError(f"{name} counts = {knots.tolist()}; give ascending counts from 0 to {n}")
        knots.setflags(write=False)
        levels.setflags(write=False)
        fields = {
            "counts": knots,
            "forecasts": levels,
            "name": name,
            "guarantee": guarantee,
            "_size": n,
            "_table": None,
        }
        for field, value in fields.items():
            object.__setattr__(self, field, value)

    @property
    def values(self) -> NDArray[np.float64]:
        """The forecasts for 0, 1, …, n reports of H."""
        table = self._table
        if table is None:
            table = np.interp(np.arange(self.n + 1), self.counts, self.forecasts)
            table.setflags(write=False)
            object.__setattr__(self, "_table", table)
        return table

    @property
    def n(self) -> int:
        """Number of reporters."""
        return self._size

    def described(self, name: str, guarantee: Guarantee | None) -> Self:
        """Return the same rule with another name and guarantee.

        Parameters
        ----------
        name : str
            Short name.
        guarantee : Guarantee or None
            Proven bounds of the rule.

        Returns
        -------
        PiecewiseLinear
            The rule.

        Examples
        --------
        >>> PiecewiseLinear(2, [0, 2], [0.0, 1.0]).described("mean", None)
        PiecewiseLinear(n=2, counts=[0, 2], forecasts=[0.0, 1.0], name='mean', guarantee=None)
        """
        return type(self)(self.n, self.counts, self.forecasts, name, guarantee)

    def __repr__(self) -> str:
        return (
            f"{type(self).__name__}(n={self.n}, counts={self.counts.tolist()}, forecasts={self.forecasts.tolist()}, "
            f"name={self.name!r}, guarantee={self.guarantee!r})"
        )

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.n, self.counts, self.forecasts, self.name, self.guarantee)

    def __setattr__(self, field: str, value: object) -> NoReturn:
        raise FrozenInstanceError(f"cannot assign to field {field!r}")

    def __delattr__(self, field: str) -> NoReturn:
        raise FrozenInstanceError(f"cannot delete field {field!r}")

    def _at(self, counts: NDArray[np.int64]) -> NDArray[np.float64]:
        """Return the forecasts for validated counts; where there are many, from the table of all values."""
        if counts.size > self.n:
            return super()._at(counts)
        return np.asarray(np.interp(counts, self.counts, self.forecasts))

    def _key(self) -> tuple[Any, ...]:
        """Return everything that two equal rules have in common."""
        return (
            type(self),
            self.n,
            tuple(self.counts.tolist()),
            tuple(self.forecasts.tolist()),
            self.name,
            self.guarantee,
        )


def clipped_linear(panel: Panel, low: float, high: float, trim: int | None = None) -> PiecewiseLinear:
    """Return the rule that is constant up to the trim and from n − trim on, and linear between.

    Parameters
    ----------
    panel : Panel
        The panel.
    low, high : float
        Forecasts at the two ends, in [0, 1].
    trim : int, optional
        Length of the constant ends, below n/2; the panel's k if left out.

    Returns
    -------
    PiecewiseLinear
        The rule.

    Raises
    ------
    ParameterError
        An end outside [0, 1], or a trim outside 0 … (n − 1)/2.

    Notes
    -----
    docs/theory.md §2: with the Bayes acts of the effective expert at the ends this is the optimal rule.

    Examples
    --------
    >>> clipped_linear(Panel(n=4, k=1), 0.2, 0.8).values
    array([0.2, 0.2, 0.5, 0.8, 0.8])
    """
    check_panel(panel)
    trim = checked_trim(panel, trim)
    ends = [probability("low", low), probability("high", high)]
    return PiecewiseLinear(panel.n, [trim, panel.n - trim], ends, "clipped linear")
