"""Draws whose seed comes after the reports: a hash of the reports, and a public value that nobody knew before."""

import hashlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from typing import Any

import narwhals.stable.v2 as nw
import polars as pl

from bribeproof.errors import DataError, ParameterError, ParameterTypeError
from bribeproof.frames.label_classes import find_classes
from bribeproof.frames.native import collect
from bribeproof.frames.reports import Reports
from bribeproof.frames.schema import ASKED, ITEM, REPORTER, SET_ASIDE, VALUE

MOST_REPORTS = 20_000_000
"""The largest number of reports that are hashed; they are sorted in memory."""
_HEX_DIGITS = 13
"""The digits of the hash in a seed: 52 bits, which every reader of JSON keeps."""
_TRUTH_WORDS = ("false", "true")


@dataclass(frozen=True, slots=True)
class Draw:
    """The seed of the random draws of a result, and where it comes from.

    Attributes
    ----------
    seed
        The seed, a whole number.
    commitment
        The commitment to the reports, 64 hexadecimal digits; None where the user gave the seed.
    beacon
        The public value that was published after the commitment; None where the user gave the seed.
    """

    seed: int
    commitment: str | None = None
    beacon: str | None = None

    def facts(self) -> dict[str, Any]:
        """Return the draw as plain data."""
        return asdict(self)


def resolve_draw(reports: Reports, options: Mapping[str, Any]) -> tuple[dict[str, Any], Draw | None]:
    """Return the options of an aggregation without ``beacon``, but with its seed; and the draw, if there is one.

    Raises
    ------
    ParameterError
        If both a seed and a beacon are given, or the beacon is empty.
    """
    rest = {name: option for name, option in options.items() if name != "beacon"}
    beacon, seed = options.get("beacon"), options.get("seed")
    if beacon is None:
        return rest, None if seed is None else Draw(seed)
    if seed is not None:
        raise ParameterError("seed and beacon both say how to draw: give one of them")
    if not isinstance(beacon, str):
        raise ParameterTypeError(f"beacon={beacon!r}: a beacon is text, such as the numbers of a public lottery")
    if not beacon.strip():
        raise ParameterError("beacon is empty: give the public value that was published after the commitment")
    commitment = commitment_of(reports)
    draw = Draw(seed_from(commitment, beacon), commitment, beacon)
    return rest | {"seed": draw.seed}, draw


def seed_from(commitment: str, beacon: str) -> int:
    """Return the seed that a commitment and a beacon determine.

    It is the first 13 hexadecimal digits of SHA-256 of the UTF-8 text ``commitment:beacon``.

    Parameters
    ----------
    commitment
        64 hexadecimal digits.
    beacon
        A public value; white space around it is removed.

    Returns
    -------
    int
        A whole number in [0, 2^52).

    Examples
    --------
    >>> seed_from("0" * 64, "3 14 15 92") == seed_from("0" * 64, " 3 14 15 92 ")
    True
    """
    return int(hashlib.sha256(f"{commitment}:{beacon.strip()}".encode()).hexdigest()[:_HEX_DIGITS], 16)


def commitment_of(reports: Reports) -> str:
    """Return the SHA-256 of all reports, and of all else in a table that results depend on, in any order of rows.

    The first line is the JSON list of the classes in class order. Then follows one line per report, the JSON list of
    its item, reporter and label, or null for a label that is set aside. Who reports nothing has a line with null in the
    place of item and label. So has an item without reports, in the place of reporter and label; where the table has a
    column of how many were asked, every item has such a line, with this number in the place of the label. These lines
    are sorted as UTF-8 bytes. Values are text but for the null and the number, there are no spaces between, characters
    are as they are, and a line feed ends the line.

    Raises
    ------
    DataError
        If there are more than MOST_REPORTS reports.
    """
    lines: list[bytes] = []
    present, heard = ~nw.col(VALUE).is_null(), set[str]()
    if reports.schema.sets_aside:
        present = present | (nw.col(SET_ASIDE) == 1)
    stated = isinstance(reports.schema.asked, str)
    asked = nw.col(ASKED) if stated else nw.lit(None, nw.Int64)
    for part in reports.parts:
        rows = collect(part.filter(present).select(ITEM, REPORTER, VALUE))
        if len(lines) + rows.height > MOST_REPORTS:
            raise DataError(f"a commitment sorts all reports in memory, at most {MOST_REPORTS:,}, and there are more")
        columns = (_texts(rows[ITEM]), _texts(rows[REPORTER]), _texts(rows[VALUE], boolean=reports.boolean))
        lines += map(_line, zip(*columns, strict=True))
        heard.update(columns[1])
        items = collect(part.select(ITEM, _asked=asked).group_by(ITEM).agg(nw.col("_asked").max()))
        known = set() if stated else set(columns[0])
        named = zip(_texts(items[ITEM]), items["_asked"], strict=True)
        lines += (_line([item, None, number]) for item, number in named if item not in known)
    panel = {name for part in reports.parts for name in _texts(collect(part.select(REPORTER).unique())[REPORTER])}
    lines += (_line([None, name, None]) for name in panel - heard)
    classes = find_classes(reports)
    digest = hashlib.sha256(_line(map(str.lower, classes.shown()) if reports.boolean else classes.shown()))
    for line in sorted(lines):
        digest.update(line)
    return digest.hexdigest()


def _line(values: Iterable[str | int | None]) -> bytes:
    """Return values as a line of JSON."""
    return json.dumps(list(values), ensure_ascii=False, separators=(",", ":")).encode() + b"\n"


def _texts(values: pl.Series, *, boolean: bool = False) -> list[Any]:
    """Return values as text, and null where there is none."""
    if boolean:
        return [None if value is None else _TRUTH_WORDS[int(value)] for value in values]
    return values.cast(pl.String).to_list()
