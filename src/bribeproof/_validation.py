"""Validate single arguments: numbers, probabilities, counts and shares."""

import math
import operator
from decimal import Decimal
from fractions import Fraction
from numbers import Real

import numpy as np
from numpy.typing import ArrayLike, NDArray

from bribeproof.errors import ParameterError, ParameterTypeError

_LARGEST = np.iinfo(np.int64).max
_LARGEST_K = 2**31
_MOST_DIGITS = 400
"""A fraction with more digits before or after the point would fill the memory."""


def check_type(name: str, value: object, kinds: type | tuple[type, ...], example: str) -> None:
    """Raise a `ParameterTypeError` unless ``value`` is an instance of one of the types."""
    if not isinstance(value, kinds):
        names = [kind.__name__ for kind in (kinds if isinstance(kinds, tuple) else (kinds,))]
        allowed = " or ".join(f"{'an' if kind[0] in 'AEIOU' else 'a'} {kind}" for kind in names)
        raise ParameterTypeError(f"{name} = {value!r} is not {allowed}; give {example}")


def real(name: str, value: object) -> float:
    """Return ``value`` as a finite float; reject booleans and text."""
    if isinstance(value, bool) or not isinstance(value, Real):
        raise ParameterTypeError(f"{name} = {value!r} is not a finite number; give one such as 0.8")
    if not math.isfinite(value):
        raise ParameterError(f"{name} = {value!r} is not a finite number; give one such as 0.8")
    return float(value)


def probability(name: str, value: object) -> float:
    """Return ``value`` as a float in [0, 1]."""
    number = real(name, value)
    if not 0 <= number <= 1:
        raise ParameterError(f"{name} = {number!r} is not a probability; give a number from 0 to 1")
    return number


def probabilities(name: str, values: ArrayLike) -> NDArray[np.float64]:
    """Return ``values`` as a float array with every entry in [0, 1]."""
    try:
        array = np.asarray(values, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise ParameterTypeError(f"{name} = {values!r} is not numeric; give numbers from 0 to 1") from error
    outside = ~((array >= 0) & (array <= 1))
    if outside.any():
        raise ParameterError(f"{name} holds {float(array[outside][0])!r}; give numbers from 0 to 1")
    return array


def whole_number(name: str, value: object, *, minimum: int = 0) -> int:
    """Return ``value`` as an int of at least ``minimum``; reject booleans and floats."""
    allowed = f"give a whole number of at least {minimum}"
    if isinstance(value, bool | np.bool_):
        raise ParameterTypeError(f"{name} = {value!r} is a boolean; {allowed}")
    try:
        number = operator.index(value)  # type: ignore[arg-type]
    except TypeError as error:
        raise ParameterTypeError(f"{name} = {value!r} is not an integer; {allowed}") from error
    if number < minimum:
        raise ParameterError(f"{name} = {number} is too small; {allowed}")
    return number


def random_generator(seed: object) -> np.random.Generator:
    """Return a numpy Generator for a seed, a whole number of at least 0; return a Generator unchanged."""
    if isinstance(seed, np.random.Generator):
        return seed
    if isinstance(seed, bool) or not isinstance(seed, int | np.integer):
        raise ParameterTypeError(f"seed={seed!r}: a seed is a whole number of at least 0, or a numpy Generator")
    if seed < 0:
        raise ParameterError(f"seed={seed!r}: a seed is a whole number of at least 0, such as 7")
    return np.random.default_rng(int(seed))


def whole_numbers(name: str, values: ArrayLike) -> NDArray[np.int64]:
    """Return ``values`` as an int64 array of counts of at least 0; reject booleans and floats."""
    try:
        array = np.asarray(values)
    except ValueError as error:
        raise ParameterError(f"{name} = {values!r} is ragged; give rows of equal length") from error
    if array.size and array.dtype.kind not in "iu":
        raise ParameterTypeError(f"{name} has type {array.dtype}; give integers")
    if array.size and not 0 <= array.min() <= array.max() <= _LARGEST:
        raise ParameterError(f"{name} holds {array.min()} to {array.max()}; give integers from 0 to {_LARGEST}")
    return array.astype(np.int64)


def validate_k(k: object) -> int:
    """Return a number of adversaries as an int of at least 0; booleans and floats are refused."""
    try:
        number = operator.index(k)  # type: ignore[arg-type]
    except TypeError:
        raise ParameterTypeError(f"k={k!r}: k is a head count, a whole number such as 1") from None
    if isinstance(k, bool | np.bool_):
        raise ParameterTypeError(f"k={k!r}: k is a head count, a whole number such as 1")
    if number < 0:
        raise ParameterError(f"k={number}: k is a head count and cannot be negative")
    if number > _LARGEST_K:
        raise ParameterError(f"k={number}: k is a head count, and at most {_LARGEST_K}")
    return number


def exact_fraction(name: str, value: object, allowed: str) -> Fraction:
    """Return a number as it is written: 0.29 is 29/100, not the binary number nearest to it.

    Parameters
    ----------
    name
        The parameter, for the message.
    value
        A number, or text such as ``"0.2"`` or ``"1/5"``.
    allowed
        The numbers that are allowed, for the message.

    Raises
    ------
    ParameterError
        If it is no number.

    Examples
    --------
    >>> exact_fraction("share", 0.29, "[0, 1]"), exact_fraction("share", "2/3", "[0, 1]")
    (Fraction(29, 100), Fraction(2, 3))
    """
    if isinstance(value, Fraction):
        return value
    text = str(value)
    try:
        if abs(Decimal(text.partition("/")[0]).adjusted()) <= _MOST_DIGITS:
            return Fraction(text)
    except (ArithmeticError, ValueError):
        pass
    raise ParameterError(f"{name}={value!r}: use a number in {allowed}, such as 0.2")
