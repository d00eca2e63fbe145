"""Lists that people write with commas."""

import csv
from collections.abc import Iterable

from bribeproof.errors import ParameterError


def split_lists(given: Iterable[str]) -> tuple[str, ...]:
    """Split lists written with commas; a name that holds a comma stands in quotes, as in CSV.

    Raises
    ------
    ParameterError
        If quotes are broken.

    Examples
    --------
    >>> split_lists(["anna, boris", '"Lee, C"', ""])
    ('anna', 'boris', 'Lee, C')
    """
    try:
        parts = [part.strip() for row in csv.reader(given, skipinitialspace=True) for part in row]
    except csv.Error as error:
        raise ParameterError(f"a list such as A,B,C is broken ({error}): write it as a row of CSV") from None
    return tuple(part for part in parts if part)
