"""Numbers as whole multiples of one unit, so that sums and comparisons are exact."""

from fractions import Fraction
from math import gcd, lcm
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from bribeproof._typing import IntArray
from bribeproof._validation import exact_fraction
from bribeproof.errors import ParameterError

MOST = 2**32
"""The largest sum in units: whole shares of a unit of 2⁻²⁰ then add up exactly in floating point."""


class InUnits(NamedTuple):
    """Numbers as multiples of a unit: rounded down and rounded up, which differ by 1 at most."""

    low: IntArray
    high: IntArray
    unit: Fraction

    @property
    def exact(self) -> bool:
        """Whether nothing was rounded."""
        return bool((self.low == self.high).all())


def in_units(name: str, numbers: ArrayLike) -> InUnits:
    """Return numbers of at least 0 in a unit in which all are whole, or in 1/2³² of their sum where that is too small.

    Parameters
    ----------
    name : str
        What the numbers are, for errors.
    numbers : array of shape (n,)
        Read as they are written: 0.1 is 1/10.

    Raises
    ------
    ParameterError
        If one is no number of at least 0.

    Examples
    --------
    >>> in_units("weights", [0.5, 0.75, 2]).low.tolist(), in_units("weights", [0.1, 0.2, 0.3]).high.tolist()
    ([2, 3, 8], [1, 2, 3])
    """
    values = np.asarray(numbers)
    if values.dtype.kind not in "iuf" or not (np.isfinite(values) & (values >= 0)).all():
        raise ParameterError(f"{name} has a value that is no number of at least 0: give finite numbers")
    different, place, times = np.unique(values, return_inverse=True, return_counts=True)
    parts = [exact_fraction(name, one, "[0, …)") for one in different.tolist()]
    total = sum((part * int(count) for part, count in zip(parts, times, strict=True)), Fraction(0))
    unit = Fraction(gcd(*(part.numerator for part in parts)), lcm(*(part.denominator for part in parts)))
    if total > MOST * unit:
        unit = total / (MOST - len(values))
    if unit == 0:
        zeros = np.zeros(len(values), np.int64)
        return InUnits(zeros, zeros, Fraction(1))
    low = np.array([part // unit for part in parts], dtype=np.int64)
    high = np.array([-(-part // unit) for part in parts], dtype=np.int64)
    return InUnits(low[place.ravel()], high[place.ravel()], unit)
