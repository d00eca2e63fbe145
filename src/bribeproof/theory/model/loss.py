"""Base class of losses: values, Bayes acts and Bayes risks."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any, TypeAlias, overload

import numpy as np
from numpy.typing import NDArray

from bribeproof._typing import FloatArray
from bribeproof._validation import probabilities
from bribeproof.errors import ParameterError
from bribeproof.theory.model.convex_minimum import expected_loss, least_expected_loss, only_minimum

Numbers: TypeAlias = Sequence[float] | NDArray[np.floating] | NDArray[np.integer]


class Loss(ABC):
    """A loss ℓ(y, ω) of the forecast y in [0, 1] when the state ω is 0 or 1.

    It must be convex in y, nondecreasing for state 0 and nonincreasing for state 1, at least 0, and finite but for the
    certain forecast of the wrong state. A subclass defines `name` and the losses in the two states, `_given_0` and
    `_given_1`, which take an array of forecasts and return an array of the same shape. Bayes acts and risks are then
    found numerically; the loss need not be proper. A subclass that knows its Bayes acts may define `bayes_act` and
    `bayes_risk`. All public methods work elementwise: they return a float for numbers and an array for arrays.

    Notes
    -----
    docs/theory.md §1. Functions that take a loss check all this on a grid of forecasts and of probabilities, and raise
    a `ParameterError` where it does not hold.

    Examples
    --------
    >>> class Cubic(Loss):
    ...     name = "cubic"
    ...
    ...     def _given_0(self, forecast):
    ...         return forecast**3
    ...
    ...     def _given_1(self, forecast):
    ...         return (1 - forecast) ** 3
    >>> loss = Cubic()
    >>> round(loss.bayes_act(0.2), 6), round(loss.bayes_risk(0.2), 6), loss.strictly_proper
    (0.333333, 0.088889, False)
    """

    __slots__ = ()

    @property
    @abstractmethod
    def name(self) -> str:
        """Short name; for the losses with a name of their own, the one that `get_loss` takes."""

    @property
    def strictly_proper(self) -> bool:
        """Whether the probability of state 1 is itself the only best forecast; checked on a grid of probabilities."""
        return only_minimum(np.linspace(0, 1, 65), self._given_0, self._given_1)

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
            The probability itself for a strictly proper loss; under a cost-weighted loss 0 below its threshold, 1
            above it and 1/2 exactly on it, where every forecast is equally good. For a loss of one's own the minimum is
            bracketed to the precision of floats, and the probability itself is preferred where it is as good.

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
            Concave in the probability; at its ends the loss of the certain and right forecast, usually 0.

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
        return _plain(expected_loss(p, self._act(p), self._given_0, self._given_1))

    def __init_subclass__(cls, **kwargs: Any) -> None:
        """Forget what is known of a parent's Bayes acts where a subclass changes the losses."""
        super().__init_subclass__(**kwargs)
        if not {"_given_0", "_given_1"}.isdisjoint(vars(cls)):
            for name in {"_act", "strictly_proper"} - vars(cls).keys():
                setattr(cls, name, vars(Loss)[name])

    def _act(self, p: FloatArray) -> FloatArray:
        """Return the Bayes acts of validated probabilities."""
        return least_expected_loss(p, self._given_0, self._given_1)


def _plain(array: FloatArray) -> float | FloatArray:
    """Return a float for a single number and the array otherwise."""
    return array if array.ndim else float(array)
