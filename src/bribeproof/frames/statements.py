"""Look up what is stated of reporters or items, in a column of the reports or in a mapping."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import polars as pl

from bribeproof._text import list_names
from bribeproof._typing import FloatArray
from bribeproof.errors import ColumnError, DataError, ParameterError, ParameterTypeError
from bribeproof.frames.native import column_names, distinct_rows
from bribeproof.frames.values import text


def look_up(frame: Any, names: str, given: object, what: str, of: str = "reporters") -> dict[str, Any]:
    """Return what is stated for each name that has something: texts are cleaned, empty cells left out.

    Parameters
    ----------
    frame
        The reports.
    names
        The column of the reporters or items, where ``given`` is a column.
    given
        A column of the reports, or a mapping from names.
    what
        The parameter, for errors.
    of
        Whose names they are, for errors: "reporters" or "items".

    Raises
    ------
    ColumnError
        If there is no such column.
    DataError
        If a name has two different statements.
    ParameterError, ParameterTypeError
        If the column is that of the names, or what is given is neither.

    Examples
    --------
    >>> look_up(None, "", {"ann": "GBR ", 7: None}, "group")
    {'ann': 'GBR'}
    """
    if isinstance(given, Mapping):
        pairs = list(given.items())
    elif isinstance(given, str):
        absent = [name for name in (names, given) if name not in column_names(frame)]
        if absent:
            raise ColumnError(
                f"{what}={given!r}: there is no column {absent[0]!r}; the columns are: "
                f"{list_names(column_names(frame))}. Or give a mapping from {of}, as of judges in wide form"
            )
        if names == given:
            raise ParameterError(f"{what}={given!r} is the column of the {of}: name another, or leave {what} out")
        pairs = distinct_rows(frame, [names, given]).drop_nulls(names).sort(pl.all()).rows()
    else:
        raise ParameterTypeError(f"{what}={given!r}: give a mapping, or the name of a column")
    found: dict[str, Any] = {}
    for name, value in pairs:
        key, clean = str(text.clean_value(name)), text.clean_value(value)
        if clean is None or clean == "" or clean != clean:
            continue
        if found.setdefault(key, clean) != clean:
            raise DataError(f"{name!r} has two {what}s, {found[key]!r} and {clean!r}: give one")
    return found


def numbers_of(
    frame: Any, column: str, given: object, what: str, names: Sequence[Any], of: str = "reporters"
) -> FloatArray:
    """Return the number of at least 0 that is stated for each name.

    Parameters
    ----------
    frame, column, given, what, of
        As `look_up` takes them.
    names
        The names that need a number.

    Raises
    ------
    ParameterError
        If a name has none, or it is below 0.

    Examples
    --------
    >>> numbers_of(None, "", {"ann": "0.5", "bob": 2}, "weights", ["ann", "bob"]).tolist()
    [0.5, 2.0]
    """
    stated, one = look_up(frame, column, given, what, of), of.removesuffix("s")
    found = []
    for name in names:
        if str(name) not in stated:
            raise ParameterError(f"{what} has no number for {one} {name!r}: give one for each of the {len(names):,}")
        value = stated[str(name)]
        try:
            found.append(-1.0 if isinstance(value, bool) else float(value))
        except (TypeError, ValueError):
            found.append(-1.0)
        if not (np.isfinite(found[-1]) and found[-1] >= 0):
            raise ParameterError(f"{what} of {one} {name!r} is {value!r}: give a number of at least 0")
    return np.array(found)
