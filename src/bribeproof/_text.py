"""Format names, numbers and counts for messages, parse typed numbers, split lists, and state guarantees' condition."""

import csv
import math
import re
from collections.abc import Collection, Iterable, Sequence
from fractions import Fraction

from bribeproof.errors import ParameterError

PROVISO = (
    "provided that neither who answers an item nor how many do depends on its truth or difficulty, or on the others' "
    "skill or reports"
)
"""The condition of every guarantee that is an average over items (docs/theory.md §15)."""
PROVISO_ASKED = (
    "provided that each was given to as many reporters as stated, whatever its truth or difficulty and their skill, "
    "and that honest ones answer"
)
"""The same where the user has stated how many reporters each item was given to (`asked`)."""
CONDITION = f"on average over all items, {PROVISO}"
"""What every guarantee of an expected loss is an average over, and when it holds (docs/theory.md §15)."""
_PROVISO_FAULTY = ", and that honest reporters send nothing that is set aside"
OF_SIZES = ", that truthful reports err as often on items with few reports as on items with many"
"""What guarantees need beside, if their rates were measured on items with different numbers of reports."""
OF_GROUPS = (
    "that truthful reports err as often, alone and together, where more of an item's reports can be bribed as where "
    "fewer can"
)
"""What guarantees need beside, if a bribe buys a group, so that items of one size differ in how many are bribed."""
OF_GOLD = ", and that the gold items, and who answers them, are like the others"
"""What guarantees need beside, if their rates were measured on gold items."""
_JOINERS = "\u200c\u200d"
"""Zero-width joiners, which Persian, Indian scripts and emoji need and no terminal obeys."""
_LONGEST = 60
"""Longer names are cut to so many letters."""
_SEVERAL = re.compile(r",|\band\b", re.IGNORECASE)
"""What stands between the names of a list."""
_WHOLE = re.compile("-?[0-9]{1,18}")
_NUMBER = re.compile(r"-?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]{1,4})?")


def proviso(columns: Collection[str], *, gold: bool = False, sizes: bool = False) -> str:
    """Return the condition of the guarantees in a result, from the columns by which it shows what the user stated.

    Where the rates are learned from gold items, the condition speaks of them too; with ``sizes`` also of items with
    different numbers of reports, whose rates are learned together. Where a bribe buys a group, or has a price, it
    speaks of items on which more can be bribed, unless as many can be wherever as many were asked.

    Examples
    --------
    >>> proviso(["m", "k", "guarantee"]) == PROVISO, proviso(["m", "asked", "k"]) == PROVISO_ASKED
    (True, True)
    """
    stated = (PROVISO_ASKED if "asked" in columns else PROVISO) + _PROVISO_FAULTY * ("set_aside" in columns)
    grouped = bool({"groups", "budget"} & {*columns}) and "asked" not in columns
    of_groups = f", {'and ' * (not gold)}{OF_GROUPS}" * grouped
    return stated + OF_SIZES * (sizes and "asked" not in columns) + of_groups + OF_GOLD * gold


def bribed_reporters(k: int | None, part: str = "item", noun: str = "reporter", plural: str | None = None) -> str:
    """Return the phrase for k bribed reporters of each item, who need not be the same on all items; None: the item's k.

    Where items have parts, such as criteria, of which each may have others, `part` says so; where a bribe buys a group,
    `noun` does.

    Examples
    --------
    >>> bribed_reporters(1)
    'some one bribed reporter, perhaps another on each item'
    >>> bribed_reporters(2)
    'some 2 bribed reporters, perhaps others on each item'
    >>> bribed_reporters(1, "item and criterion", "group (nation)")
    'some one bribed group (nation), perhaps another on each item and criterion'
    """
    if k == 1:
        return f"some one bribed {noun}, perhaps another on each {part}"
    return f"some {'k' if k is None else f'{k:,}'} bribed {plural or f'{noun}s'}, perhaps others on each {part}"


def printable(text: str) -> str:
    r"""Return text on one line, with the escape code in place of each character that a terminal would obey or hide.

    Examples
    --------
    >>> printable("a\n b\x1b[31mred")
    'a b\\x1b[31mred'
    """
    return "".join(
        letter if letter.isprintable() or letter in _JOINERS else ascii(letter)[1:-1]
        for letter in " ".join(text.split())
    )


def shorten(value: object) -> str:
    """Return the `repr` of a value from a file, cut to 40 letters, for an error message.

    Examples
    --------
    >>> shorten("cat"), len(shorten("x" * 100))
    ("'cat'", 40)
    """
    text = repr(value)
    return text if len(text) <= 40 else f"{text[:37]}..."


def format_name(value: object) -> str:
    """Return a name from a file as printable text of at most 60 letters, cut in the middle: questions often end apart.

    Examples
    --------
    >>> format_name(7), len(format_name("x" * 100))
    ('7', 60)
    >>> format_name("To what extent do you agree with this statement: our review is fair")
    'To what extent do you agree with this s…: our review is fair'
    """
    text = printable(str(value))
    return text if len(text) <= _LONGEST else _without_middle(text, _LONGEST, "…")


def format_words(text: str) -> str:
    """Return several names or cells in one text as printable text of at most 60 letters, cut at the end."""
    words = printable(text)
    return words if len(words) <= _LONGEST else f"{words[: _LONGEST - 1]}…"


def _without_middle(text: str, length: int, gap: str) -> str:
    """Return a text of at most so many letters, of which a third are its end."""
    end = length // 3
    return text if len(text) <= length else f"{text[: length - end - len(gap)]}{gap}{text[-end:]}"


def name_in_list(value: object) -> str:
    """Return a name as `format_name` does, in quotes if it could be taken for several names of a list.

    Examples
    --------
    >>> print(*map(name_in_list, ["Ann", "J and K", "O'Neil, and co", "Sandy"]), sep="; ")
    Ann; 'J and K'; "O'Neil, and co"; Sandy
    """
    text = format_name(value)
    if not _SEVERAL.search(text):
        return text
    return f'"{text}"' if "'" in text else f"'{text}'"


def format_number(value: float, decimals: int | None = None) -> str:
    """Return a number with a number of decimals, or with six significant digits.

    Examples
    --------
    >>> format_number(2 / 3), format_number(2 / 3, decimals=2)
    ('0.666667', '0.67')
    """
    return f"{value:.6g}" if decimals is None else f"{value:.{decimals}f}"


def format_amount(value: Fraction | float) -> str:
    """Return an amount of money or of value with as many digits as are written for one, so that a bound is not cut.

    Examples
    --------
    >>> format_amount(Fraction(1, 10)), format_amount(1234567.5)
    ('0.1', '1234567.5')
    """
    return f"{float(value):.12g}"


def round_up(value: float, digits: int = 3) -> str:
    """Return an upper bound with this many significant digits, rounded up so that it still holds, in plain notation.

    Examples
    --------
    >>> round_up(38.21), round_up(20.0), round_up(0.01234), round_up(1234.5), round_up(0)
    ('38.3', '20', '0.0124', '1,235', '0')
    """
    if value <= 0:
        return "0"
    decimals = max(0, digits - 1 - math.floor(math.log10(value)))
    grain = 10.0**decimals
    text = f"{math.ceil(value * grain * (1 - 1e-12)) / grain:,.{decimals}f}"
    return text.rstrip("0").rstrip(".") if decimals else text


def format_bound(value: float, decimals: int, *, upper: bool) -> str:
    """Return a bound with a number of decimals, rounded such that it still holds.

    Examples
    --------
    >>> format_bound(0.8868, 3, upper=False), format_bound(0.2301, 3, upper=True), format_bound(0.784, 3, upper=False)
    ('0.886', '0.231', '0.784')
    """
    grain, slack = 10**decimals, 1e-9  # slack: decimals that binary floats do not have
    whole = math.ceil(value * grain - slack) if upper else math.floor(value * grain + slack)
    return f"{whole / grain:.{decimals}f}"


def lower_of_100(share: float) -> str:
    """Return a lower bound of a share as a number of 100, rounded down.

    Examples
    --------
    >>> lower_of_100(0.8868)
    '88.6'
    """
    return f"{math.floor(1000 * share) / 10:.1f}"


def count(number: int, noun: str, plural: str | None = None) -> str:
    """Return a number and its noun, in the plural unless the number is 1.

    Examples
    --------
    >>> count(1, "tie"), count(1200, "class", "classes")
    ('1 tie', '1,200 classes')
    """
    return f"{number:,} {noun if number == 1 else plural or f'{noun}s'}"


def with_and(phrases: Sequence[str], most: int | None = None) -> str:
    """Return phrases with commas and an "and" before the last one; of many the first ones, and how many more there are.

    Examples
    --------
    >>> with_and(["ann"]), with_and(["ann", "ben", "cy"]), with_and("ABCDEFG", most=5)
    ('ann', 'ann, ben and cy', 'A, B, C, D, E and 2 more')
    """
    more = 0 if most is None else max(0, len(phrases) - most)
    *first, last = phrases if not more else [*phrases[:most], f"{more:,} more"]
    return f"{', '.join(first)} and {last}" if first else last


def list_names(names: Sequence[str], most: int = 12) -> str:
    """Return the names of columns, quoted; of many only the first ones and the number of the others.

    Examples
    --------
    >>> list_names(["task", "worker"]), list_names([f"j{i}" for i in range(2000)], most=2)
    ("'task', 'worker'", "'j0', 'j1' and 1,998 more")
    """
    texts = list(map(shorten, names[:most]))
    if len(set(texts)) < len(texts):
        texts = [_without_middle(repr(name), len(text), "...") for name, text in zip(names, texts, strict=False)]
    shown = ", ".join(texts)
    return shown if len(names) <= most else f"{shown} and {len(names) - most:,} more"


def list_statuses(statuses: dict[str, int]) -> str:
    """Return how many items have each status, "ok" first.

    Examples
    --------
    >>> list_statuses({"no reports": 2})
    '0 ok, 2 no reports'
    """
    return ", ".join(f"{number:,} {status}" for status, number in ({"ok": 0} | statuses).items())


def parse_whole(text: str) -> int:
    """Return the whole number that a person typed: digits from 0 to 9, after a minus sign if it is negative.

    Python's `int` also reads ``1_0`` as 10, and the digits of every script.

    Raises
    ------
    ValueError
        If the text is anything else, or has more than 18 digits.

    Examples
    --------
    >>> parse_whole("10")
    10
    """
    if not _WHOLE.fullmatch(text):
        raise ValueError(f"{shorten(text)} is not a whole number, such as 1")
    return int(text)


def parse_number(text: str) -> float:
    """Return the number that a person typed, such as ``0.25`` or ``1e-6``.

    Python's `float` also reads ``nan``, ``inf``, ``1_0`` and the digits of every script.

    Raises
    ------
    ValueError
        If the text is anything else, or the number is too large.

    Examples
    --------
    >>> parse_number("0.25"), parse_number("-1e-6")
    (0.25, -1e-06)
    """
    number = float(text) if _NUMBER.fullmatch(text) else math.nan
    if not math.isfinite(number):
        raise ValueError(f"{shorten(text)} is not a number, such as 0.5")
    return number


def parse_scale(text: str) -> tuple[float, float]:
    """Return the ends of a scale that a person typed.

    Examples
    --------
    >>> parse_scale("0,10")
    (0.0, 10.0)
    """
    try:
        low, high = (parse_number(part.strip()) for part in text.split(","))
    except ValueError:
        low, high = 0.0, 0.0
    if not low < high:
        raise ParameterError(f"scale {shorten(text)}: give the lowest and the highest score, such as 0,10")
    return low, high


def join_list(names: Iterable[object]) -> str:
    """Return a list with commas that `split_lists` splits again: quotes protect a comma, as in CSV.

    Examples
    --------
    >>> join_list(["anna", "Lee, C"])
    'anna, "Lee, C"'
    """
    return ", ".join(_protected(str(name)) for name in names)


def _protected(name: str) -> str:
    """Return a name in quotes if a list would be split within it."""
    return '"{}"'.format(name.replace('"', '""')) if re.search('[,"\r\n]', name) else name


def split_lists(texts: Iterable[str]) -> tuple[str, ...]:
    """Split lists that are written with commas; quotes protect a comma, as in CSV.

    Raises
    ------
    ParameterError
        If a quote is not closed.

    Examples
    --------
    >>> split_lists(["anna, boris", '"Lee, C"', ""])
    ('anna', 'boris', 'Lee, C')
    """
    try:
        parts = [part.strip() for row in csv.reader(texts, skipinitialspace=True) for part in row]
    except csv.Error as error:
        raise ParameterError(f"a list such as A,B,C is broken ({error}): write it as a row of CSV") from None
    return tuple(part for part in parts if part)
