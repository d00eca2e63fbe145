"""Base class of losses: values, Bayes acts and Bayes risks."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import TypeAlias, overload

import numpy as np
from numpy.typing import NDArray

from bribeproof._typing import FloatArray
from bribeproof._validation import probabilities
from bribeproof.errors import ParameterError

Numbers: TypeAlias = Sequence[float] | NDArray[np.floating] | NDArray[np.integer]


class Loss(ABC):
    """A loss ℓ(y, ω) of the forecast y in [0, 1] when the state ω is 0 or 1.

    It must be convex in y, nondecreasing for state 0 and nonincreasing for state 1. A subclass defines `name`, the
    losses in the two states `_given_0` and `_given_1` and, if the best forecast is always 0 or 1, `threshold`. All
    public methods work elementwise: they return a float for numbers and an array for arrays.

    Notes
    -----
    docs/theory.md §1.
    """

    __slots__ = ()

    @property
    @abstractmethod
    def name(self) -> str:
        """Short name; for the losses with a name of their own, the one that `get_loss` takes."""

    @property
    def threshold(self) -> float | None:
        """Probability at which the Bayes act jumps from 0 to 1; None for a strictly proper loss."""
        return None

    @abstractmethod
    def _given_0(self, forecast: FloatArray) -> FloatArray:
        """Return the loss of each forecast given state 0."""

    @abstractmethod
    def _given_1(self, forecast: FloatArray) -> FloatArray:
        """Return the loss of each forecast given state 1."""

    @overload
    def value(self, forecast: float, state: int) -> float: ...
    @overload
    def value(self, forecast: Numbers, state: int | Numbers) -> FloatArray: ...
    @overload
    def value(self, forecast: float, state: Numbers) -> FloatArray: ...
    def value(self, forecast: float | Numbers, state: int | Numbers) -> float | FloatArray:
        """Return the loss of a forecast in a state.

        Parameters
        ----------
        forecast : float or array
            In [0, 1].
        state : int or array
            0 or 1; broadcast against `forecast`.

        Returns
        -------
        float or ndarray
            At least 0; infinite under the logarithmic loss where the state was given probability 0.

        Raises
        ------
        ParameterError
            A forecast outside [0, 1] or a state other than 0 and 1.

        Examples
        --------
        >>> from bribeproof.theory import get_loss
        >>> get_loss("squared").value([0.0, 0.5, 1.0], 1)
        array([1.  , 0.25, 0.  ])
        """
        y = probabilities("forecast", forecast)
        omega = probabilities("state", state)
        if not np.isin(omega, (0, 1)).all():
            raise ParameterError(f"state = {state!r} holds a value between 0 and 1; a state is 0 or 1")
        return _plain(np.where(omega == 1, self._given_1(y), self._given_0(y)))

    @overload
    def bayes_act(self, probability: float) -> float: ...
    @overload
    def bayes_act(self, probability: Numbers) -> FloatArray: ...
    def bayes_act(self, probability: float | Numbers) -> float | FloatArray:
        """Return the forecast with the least expected loss when state 1 has this probability.

        Parameters
        ----------
        probability : float or array
            In [0, 1].

        Returns
        -------
        float or ndarray
            The probability itself for a strictly proper loss; otherwise 0 below the threshold, 1 above it and
            1/2 exactly on it, where every forecast is equally good.

        Raises
        ------
        ParameterError
            A probability outside [0, 1].

        Examples
        --------
        >>> from bribeproof.theory import get_loss
        >>> get_loss("absolute").bayes_act([0.4, 0.5, 0.6])
        array([0. , 0.5, 1. ])
        """
        return _plain(self._act(probabilities("probability", probability)))

    @overload
    def bayes_risk(self, probability: float) -> float: ...
    @overload
    def bayes_risk(self, probability: Numbers) -> FloatArray: ...
    def bayes_risk(self, probability: float | Numbers) -> float | FloatArray:
        """Return the least expected loss when state 1 has this probability.

        Parameters
        ----------
        probability : float or array
            In [0, 1].

        Returns
        -------
        float or ndarray
            Concave in the probability, and 0 at its ends.

        Raises
        ------
        ParameterError
            A probability outside [0, 1].

        Examples
        --------
        >>> from bribeproof.theory import get_loss
        >>> get_loss("squared").bayes_risk(0.25)
        0.1875
        """
        p = probabilities("probability", probability)
        act = self._act(p)
        return _plain(_weighted(p, self._given_1(act)) + _weighted(1 - p, self._given_0(act)))

    def _act(self, p: FloatArray) -> FloatArray:
        """Return the Bayes acts of validated probabilities."""
        return p if self.threshold is None else np.heaviside(p - self.threshold, 0.5)


def _weighted(weight: FloatArray, loss: FloatArray) -> FloatArray:
    """Return weight times loss, 0 where the weight is 0 even if the loss is infinite."""
    return np.multiply(weight, loss, where=weight > 0, out=np.zeros(np.broadcast_shapes(weight.shape, loss.shape)))


def _plain(array: FloatArray) -> float | FloatArray:
    """Return a float for a single number and the array otherwise."""
    return array if array.ndim else float(array)
