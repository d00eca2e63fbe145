"""Read files of rankings in the format of PrefLib: .soc, .soi, .toc and .toi, in today's form and the older one."""

import os
import re
from collections.abc import Sequence
from pathlib import Path

import polars as pl

from bribeproof._text import count, shorten
from bribeproof._validation import check_type
from bribeproof.errors import FileError
from bribeproof.io.formats import RANKINGS

_COMPLETE = (".soc", ".toc")
_MOST_ROWS = 5_000_000
_KEY = re.compile(r"#\s*([A-Z ]+?)\s*([0-9]*)\s*:\s*(.*)")
_NEW = re.compile(r"\s*([0-9]+)\s*:\s*(.*)")
_TIER = re.compile(r"\s*(?:\{([^{}]*)\}|([0-9]+))\s*(,|$)")


def is_preflib(path: str | os.PathLike[str]) -> bool:
    """Return whether a file has an ending of PrefLib.

    Examples
    --------
    >>> is_preflib("votes.SOI"), is_preflib("votes.csv")
    (True, False)
    """
    return Path(path).suffix.lower() in RANKINGS


def read_preflib(path: str | os.PathLike[str]) -> pl.DataFrame:
    r"""Read rankings from a PrefLib file, one row per voter and alternative.

    Parameters
    ----------
    path
        A .soc, .soi, .toc or .toi file, in UTF-8.

    Returns
    -------
    polars.DataFrame
        The columns ``judge`` (voters, numbered from 1), ``entry`` and ``place``. An order that several voters gave
        stands there for each of them. Tied alternatives have the same place; those that a voter does not rank have
        none.

    Raises
    ------
    FileError
        If the file cannot be read, or does not agree with itself; the message names the line.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder, "votes.toi")
    ...     _ = path.write_text("# ALTERNATIVE NAME 1: Ann\n# ALTERNATIVE NAME 2: Bo\n1: {1,2}\n1: 2\n")
    ...     read_preflib(path).rows()
    [('1', 'Ann', 1), ('1', 'Bo', 1), ('2', 'Ann', None), ('2', 'Bo', 1)]
    """
    check_type("path", path, (str, os.PathLike), "the path of a file, such as 'votes.soc'")
    try:
        lines = Path(path).read_text(encoding="utf-8-sig").splitlines()
    except UnicodeDecodeError:
        raise FileError(f"{path}: it is not in UTF-8; save it so") from None
    except OSError as error:
        raise FileError(f"{path}: {error.strerror or error}") from None
    numbered = [(number, line.strip()) for number, line in enumerate(lines, 1) if line.strip()]
    read = _read_new if any(line.startswith("#") for _, line in numbered) else _read_old
    names, voters, orders = read(path, numbered)
    return _expand(path, names, voters, orders)


_Order = tuple[int, int, str]
"""The line of an order, how many voters gave it, and its text."""


def _read_new(path: object, lines: Sequence[tuple[int, str]]) -> tuple[dict[int, str], int | None, list[_Order]]:
    """Return the alternatives, the number of voters and the orders of a file whose header lines begin with #."""
    names: dict[int, str] = {}
    orders, voters, size = [], None, None
    for number, line in lines:
        if key := _KEY.fullmatch(line):
            if key[1] == "ALTERNATIVE NAME":
                names[int(key[2] or 0)] = key[3].strip() or key[2]
            elif key[1] == "NUMBER VOTERS":
                voters = _whole(path, number, key[3])
            elif key[1] == "NUMBER ALTERNATIVES":
                size = _whole(path, number, key[3])
        elif not line.startswith("#"):
            order = _NEW.fullmatch(line)
            if order is None:
                raise FileError(f"{path}, line {number}: {shorten(line)} is not an order, such as 3: 1,2,{{4,5}}")
            orders.append((number, int(order[1]), order[2]))
    if size is not None and size != len(names):
        raise FileError(f"{path}: it names {count(len(names), 'alternative')}, and its header says {size:,}")
    return names, voters, orders


def _read_old(path: object, lines: Sequence[tuple[int, str]]) -> tuple[dict[int, str], int | None, list[_Order]]:
    """Return the same of a file of the older form: the number of alternatives, these, the numbers of voters, orders."""
    if not lines:
        raise FileError(f"{path}: it is empty")
    size = _whole(path, *lines[0])
    if len(lines) < size + 2:
        raise FileError(f"{path}: it has {count(len(lines), 'line')}, too few for {count(size, 'alternative')}")
    names: dict[int, str] = {}
    for number, line in lines[1 : size + 1]:
        position, _, name = line.partition(",")
        names[_whole(path, number, position)] = name.strip() or position
    at, header = lines[size + 1]
    voters = _whole(path, at, header.partition(",")[0])
    orders = []
    for number, line in lines[size + 2 :]:
        times, _, order = line.partition(",")
        orders.append((number, _whole(path, number, times), order))
    return names, voters, orders


def _expand(
    path: str | os.PathLike[str], names: dict[int, str], voters: int | None, orders: list[_Order]
) -> pl.DataFrame:
    """Return one row per voter and alternative."""
    total = sum(times for _, times, _ in orders)
    if not names or not total:
        raise FileError(f"{path}: it has no {'orders' if names else 'names of alternatives'}")
    if len(set(names.values())) < len(names):
        raise FileError(f"{path}: two alternatives have the same name; give each its own")
    if voters is not None and voters != total:
        raise FileError(f"{path}: its orders are those of {count(total, 'voter')}, and its header says {voters:,}")
    if total * len(names) > _MOST_ROWS:
        raise FileError(
            f"{path}: {total:,} voters and {len(names):,} alternatives are too many; the limit is {_MOST_ROWS:,} places"
        )
    judge: list[int] = []
    place: list[int | None] = []
    for number, times, text in orders:
        places = _places(f"{path}, line {number}", text, names)
        if Path(path).suffix.lower() in _COMPLETE and len(places) < len(names):
            raise FileError(
                f"{path}, line {number}: it ranks {len(places):,} of {len(names):,} alternatives, and orders in "
                f"{Path(path).suffix} files are complete; the ending of incomplete ones is .soi or .toi"
            )
        start = judge[-1] if judge else 0
        for voter in range(start + 1, start + times + 1):
            judge += [voter] * len(names)
            place += [places.get(one) for one in names]
    entries = pl.Series("entry", list(names.values()) * total, dtype=pl.String)
    return pl.DataFrame([pl.Series("judge", judge).cast(pl.String), entries, pl.Series("place", place, dtype=pl.Int64)])


def _places(where: str, text: str, names: dict[int, str]) -> dict[int, int]:
    """Return the place of each alternative in an order; tied ones have the first place that they take up."""
    places: dict[int, int] = {}
    position = 0
    while position < len(text):
        tier = _TIER.match(text, position)
        members = (tier[1] if tier[1] is not None else tier[2]).split(",") if tier else []
        if tier is None or not all(one.strip().isdecimal() for one in members):
            raise FileError(f"{where}: {shorten(text)} is not an order, such as 1,2,{{4,5}}")
        first = len(places) + 1
        for one in map(int, members):
            if one not in names:
                raise FileError(f"{where}: there is no alternative {one}; they are {min(names)} to {max(names)}")
            if one in places:
                raise FileError(f"{where}: it ranks alternative {one} twice")
            places[one] = first
        position = tier.end()
    return places


def _whole(path: object, number: int, text: str) -> int:
    """Return a whole number in the file."""
    if not text.strip().isdecimal():
        raise FileError(f"{path}, line {number}: {shorten(text)} is not a whole number")
    return int(text)
