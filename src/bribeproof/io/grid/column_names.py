"""Clean and check the names of columns."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from typing import TYPE_CHECKING

from bribeproof._text import shorten
from bribeproof.errors import FileError

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

_EDGES = re.compile(r"^[\s\ufeff]+|[\s\ufeff]+$")
_QUOTED = re.compile(r'"\s*([^"]*?)\s*"')


def clean_header(cells: Sequence[str], source: str) -> list[str]:
    r"""Trim the names of columns, and raise an error if one is empty or appears twice.

    Parameters
    ----------
    cells : sequence of str
        The names as written.
    source : str
        The file (and line), for messages.

    Returns
    -------
    list of str
        The names in Unicode form NFC without outer white space, byte order marks and a pair of quotes.

    Raises
    ------
    FileError
        If a name is empty or appears twice.

    Examples
    --------
    >>> clean_header(['\ufeff"task"', " worker\xa0"], "votes.csv")
    ['task', 'worker']
    """
    names = list(map(clean_name, cells))
    empty = [position for position, name in enumerate(names, start=1) if not name]
    if empty:
        raise FileError(f"{source}: column {join_few(empty)} has no name; give every column a name")
    repeated = [shorten(name) for name, count in Counter(names).items() if count > 1]
    if repeated:
        raise FileError(f"{source}: more than one column is named {join_few(repeated)}; rename or remove one")
    return names


def clean_name(cell: str) -> str:
    """Return the name of a column in Unicode form NFC without outer white space, byte order marks and a pair of quotes.

    Examples
    --------
    >>> clean_name(' "task" '), clean_name('Rate: "All is fair."')
    ('task', 'Rate: "All is fair."')
    """
    name = _EDGES.sub("", cell)
    quoted = _QUOTED.fullmatch(name)
    return unicodedata.normalize("NFC", _EDGES.sub("", quoted[1]) if quoted else name)


def join_few(values: Iterable[object]) -> str:
    """Return the first five values as a list in words.

    Examples
    --------
    >>> join_few("abcdefg")
    'a, b, c, d, e and 2 more'
    """
    texts = [str(value) for value in values]
    return ", ".join(texts[:5]) + (f" and {len(texts) - 5} more" if len(texts) > 5 else "")
