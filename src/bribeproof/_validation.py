"""Validate single arguments: numbers, probabilities, counts and shares."""

import math
import operator
import re
from collections.abc import Sequence
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
_FRACTION = re.compile(r"-?([0-9]+\.?[0-9]*|\.[0-9]+)(e[+-]?[0-9]+)?(/[0-9]+)?", re.IGNORECASE)


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
    try:
        number = float(value)
    except OverflowError:
        number = math.inf
    if not math.isfinite(number):
        raise ParameterError(f"{name} = {value!r} is not a finite number; give one such as 0.8")
    return number


def probability(name: str, value: object) -> float:
    """Return ``value`` as a float in [0, 1]."""
    number = real(name, value)
    if not 0 <= number <= 1:
        raise ParameterError(f"{name} = {number!r} is not a probability; give a number from 0 to 1")
    return number


def check_unmasked(name: str, values: object) -> None:
    """Raise a `ParameterError` if some values are masked: what is under a mask is no value."""
    parts = values if isinstance(values, list | tuple) else [values]
    if any(isinstance(part, np.ma.MaskedArray) and np.ma.is_masked(part) for part in parts):
        raise ParameterError(f"{name} holds masked values; leave them out, or fill them with what they stand for")


def probabilities(name: str, values: ArrayLike) -> NDArray[np.float64]:
    """Return ``values`` as a float array with every entry in [0, 1]."""
    check_unmasked(name, values)
    try:
        array = np.asarray(values, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise ParameterTypeError(f"{name} = {values!r} is not numeric; give numbers from 0 to 1") from error
    outside = ~((array >= 0) & (array <= 1))
    if outside.any():
        raise ParameterError(f"{name} holds {float(array[outside][0])!r}; give numbers from 0 to 1")
    return array


def whole_number(name: str, value: object, *, minimum: int = 0) -> int:
    """Return ``value`` as an int of at least ``minimum``; 1.0 is 1; booleans and other floats are refused."""
    allowed = f"give a whole number of at least {minimum}"
    if isinstance(value, bool | np.bool_):
        raise ParameterTypeError(f"{name} = {value!r} is a boolean; {allowed}")
    number = _as_integer(value)
    if number is None:
        raise ParameterTypeError(f"{name} = {value!r} is not an integer; {allowed}")
    if number < minimum:
        raise ParameterError(f"{name} = {number} is too small; {allowed}")
    return number


def _as_integer(value: object) -> int | None:
    """Return a number without a fraction as an int, 1.0 as 1; None for anything else."""
    if isinstance(value, bool | np.bool_) or np.ma.is_masked(value):
        return None
    if isinstance(value, Real | Decimal) and math.isfinite(value):
        fraction = Fraction(*value.as_integer_ratio()) if hasattr(value, "as_integer_ratio") else Fraction(float(value))
        return fraction.numerator if fraction.denominator == 1 else None
    try:
        return operator.index(value)  # type: ignore[arg-type]
    except TypeError:
        return None


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
    check_unmasked(name, values)
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
    """Return a number of adversaries as an int of at least 0; 1.0 is 1; booleans, 1.5 and text are refused."""
    number = _as_integer(k)
    if number is None:
        raise ParameterTypeError(f"k={k!r}: k is a head count, a whole number such as 1")
    if number < 0:
        raise ParameterError(f"k={number}: k is a head count and cannot be negative")
    if number > _LARGEST_K:
        raise ParameterError(f"k={number}: k is a head count, and at most {_LARGEST_K}")
    return number


def scale_ends(scale: object) -> tuple[float, float]:
    """Return the lowest and the highest score of a scale as floats.

    Examples
    --------
    >>> scale_ends([0, 10])
    (0.0, 10.0)
    """
    allowed = "give the lowest and the highest score, such as (0, 10)"
    if isinstance(scale, str | bytes) or not isinstance(scale, Sequence | np.ndarray):
        raise ParameterTypeError(f"scale={scale!r}: {allowed}")
    ends = [real("an end of scale", end) for end in scale]
    if len(ends) != 2 or not ends[0] < ends[1]:
        raise ParameterError(f"scale={scale!r}: {allowed}")
    return ends[0], ends[1]


def check_better(better: object) -> None:
    """Raise a `ParameterError` unless it says whether the highest or the lowest score is the best."""
    if better not in ("high", "low"):
        raise ParameterError(f"better={better!r}: use 'high' if the highest score is the best, 'low' if the lowest is")


def exact_fraction(name: str, value: object, allowed: str, most: int = 1) -> Fraction:
    """Return the fraction that a number stands for: 0.29 is 29/100, and the float 1 / 3 is 1/3.

    Parameters
    ----------
    name
        The parameter, for the message.
    value
        A number, or text such as ``"0.2"``, ``"1/5"`` or ``"20%"``.
    allowed
        The numbers that are allowed, for the message.
    most
        The number of things that the fraction is taken of: a decimal number within a few roundings of a fraction with
        a denominator up to this one is that fraction. Others, and all where it is 0, are read as they are written.

    Raises
    ------
    ParameterError
        If it is no number.

    Examples
    --------
    >>> exact_fraction("share", 0.29, "[0, 1]"), exact_fraction("share", "20%", "[0, 1]")
    (Fraction(29, 100), Fraction(1, 5))
    >>> exact_fraction("share", 1 - 0.8, "[0, 1]", most=10), exact_fraction("share", 1 / 3, "[0, 1]", most=9)
    (Fraction(1, 5), Fraction(1, 3))
    """
    if isinstance(value, Fraction):
        return value
    text = str(value).strip()
    digits, hundredth = text.removesuffix("%").rstrip(), text.endswith("%")
    try:
        if isinstance(value, bool | np.bool_) or not _FRACTION.fullmatch(digits):
            raise ValueError
        if abs(Decimal(digits.partition("/")[0]).adjusted()) <= _MOST_DIGITS:
            written = Fraction(digits) / (100 if hundredth else 1)
            return written if "/" in text or not most else _nearest_simple(written, most, _roundings(value))
    except (ArithmeticError, ValueError):
        pass
    raise ParameterError(f"{name}={value!r}: use a number in {allowed}, such as 0.2")


def _roundings(value: object) -> float:
    """Return how far a few roundings can move a number between 0 and 1 of this type."""
    return 2.0 * float(np.finfo(type(value)).eps) if isinstance(value, np.floating) else 2.0**-51


def _nearest_simple(number: Fraction, most: int, tolerance: float) -> Fraction:
    """Return the fraction with a denominator up to `most` that is as good as equal to a number, else the number."""
    # Fractions with larger denominators than this can be nearer to each other than the tolerance.
    simple = number.limit_denominator(max(1, min(most, int((4 * tolerance) ** -0.5))))
    return simple if simple and abs(simple - number) <= tolerance else number
