"""Say which numbers become another number when they are read as floats of 53 bits."""

from decimal import Decimal

LIMIT = 2**53
"""All whole numbers up to this one are floats."""
MAY_BE_LARGE = r"^[+-]?[0-9]{16}|^[+-]?[0-9]{7,}[.,]?[0-9]*[eE]\+?[0-9]|[eE]\+?0*[1-9][0-9]"
"""Pattern of all texts that may be numbers beyond 2^53: 16 digits in front, 7 and an exponent, or one of 10 or more."""


def float_holds(number: str) -> bool:
    """Return whether a number is read as a float without becoming another number.

    Up to 2^53 in size, it is: decimals are read as the nearest float. A larger number must be a float. With an exponent
    it is enough that the float is written like that when it is rounded to as many digits, as programs print floats.

    Examples
    --------
    >>> [float_holds(number) for number in ("0.1", "1000000000000000000", "6.02214076e23", "inf")]
    [True, True, True, True]
    >>> [float_holds(number) for number in ("9007199254740993", "9.007199254740993e15", "602214076000000000000000")]
    [False, False, False]
    """
    read = float(number)
    if not LIMIT <= abs(read) < float("inf"):
        return True
    written = Decimal(number)
    if written == read or abs(written) <= LIMIT:
        return True
    return "e" in number.lower() and written == Decimal(f"{read:.{len(written.as_tuple().digits) - 1}e}")


def float_keeps(number: str) -> bool:
    """Return whether a number can be told from all others when it is read as a float.

    Examples
    --------
    >>> float_keeps("0.10"), float_keeps("0.1000000000000000000000001"), float_keeps("1152921504606846976")
    (True, False, True)
    """
    read, written = float(number), Decimal(number)
    return written in (read, Decimal(repr(read)))
