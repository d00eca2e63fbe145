"""Cells that hold several labels: with a sign between them, or lists in brackets."""

import json
import re

import polars as pl

from bribeproof._text import shorten
from bribeproof._warnings import warn
from bribeproof.frames.values.text import WHITE_SPACE, clean_value

LIST = "list"
"""The separator of labels in brackets, such as ``["cat", "dog"]``."""
NAMED_SEPARATORS = {"newline": "\n", "tab": "\t", "space": " "}
"""Separators that have a name in options."""
_SIGNS = (";", "|", ",", "\n", "\t", "；", "、", "，", "¦")
"""Signs that separate labels where they are known to be several."""
_RARER = ("#", "/", "+", "&", "•")
"""Signs that may as well belong to a label."""
_BRACKETS = r"(?s)^\s*(\[.*\]|\{.*\}|set\(\))\s*$"
_QUOTED = r"'(?:[^'\\]|\\.)*'|\"(?:[^\"\\]|\\.)*\""
_ALL_QUOTED = re.compile(rf"(?s)[\[{{]\s*(?:(?:{_QUOTED})(?:\s*,\s*|\s+(?=['\"])|\s*(?=[\]}}])))*[\]}}]")
_PLAIN = re.compile(r"[\[{][^\[\]{}\"':]*[\]}]")
_DECIMAL = r"^[+-]?(\d*[.,]\d+|\d{1,3}([.,]\d{3})+([.,]\d+)?)\s*%?$"
_NUMBERS = {
    "/": r"^[\d\s./-]+$",
    "+": r"^[\d\s.,+]+$",
    "&": r"^[\d\s.,&]+$",
    "#": r"^[\d\s.,#]+$",
}
"""Numbers, dates and fractions, whose signs separate no labels."""


def parse_list(cell: str) -> list[str] | None:
    r"""Return the labels of a list in brackets; None for other text.

    Lists are JSON, as tools for labelling write them, also inside an object of one key or an object of true and false;
    or Python's, numpy's or a database's.

    Examples
    --------
    >>> parse_list('["cat", "dog"]'), parse_list("['cat' 'dog']"), parse_list("[cat, dog]"), parse_list("[]")
    (['cat', 'dog'], ['cat', 'dog'], ['cat', 'dog'], [])
    >>> parse_list('{"choices": ["cat"]}'), parse_list('{"cat": true, "dog": false}'), parse_list("cat")
    (['cat'], ['cat'], None)
    """
    text = cell.strip(WHITE_SPACE)
    if text == "set()":
        return []
    if not re.match(_BRACKETS, text):
        return None
    try:
        return _labels(json.loads(text, parse_int=str, parse_float=str))
    except (ValueError, RecursionError):
        pass
    if _ALL_QUOTED.fullmatch(text):
        return [re.sub(r"\\(.)", r"\1", one[1:-1]) for one in re.findall(_QUOTED, text, re.DOTALL)]
    if _PLAIN.fullmatch(text) and ("," in text or not re.search(r"\d\s+[\d.+-]", text)):
        return [one.strip() for one in text[1:-1].split(",")]
    return None


def _labels(found: object) -> list[str] | None:
    """Return the labels in a JSON value; None if it is no list of them."""
    if isinstance(found, str):
        return [found]
    if isinstance(found, dict):
        if found and all(isinstance(one, bool) for one in found.values()):
            return [name for name, chosen in found.items() if chosen]
        return _labels(next(iter(found.values()))) if len(found) == 1 else None if found else []
    if isinstance(found, list):
        if len(found) == 1 and isinstance(found[0], dict):
            return _labels(found[0])
        return found if all(isinstance(one, str) for one in found) else None
    return None


def split_labels(cell: str, separator: str) -> list[str]:
    """Return the labels in a cell, each clean.

    Parameters
    ----------
    cell
        Text that is not empty.
    separator
        What stands between labels, or ``"list"``.

    Raises
    ------
    ValueError
        If the cell is no list, or names no label; the message says it.

    Examples
    --------
    >>> split_labels("dog; cat", ";"), split_labels("dog", ";"), split_labels("[]", ";")
    (['dog', 'cat'], ['dog'], [])
    """
    if separator == LIST:
        found = parse_list(cell)
        if found is None and re.match(_BRACKETS, cell):
            raise ValueError('is no list of labels, such as ["cat", "dog"]')
        found = [cell] if found is None else found
    elif cell.strip(WHITE_SPACE) == "[]":
        found = []
    else:
        found = [one for one in cell.split(NAMED_SEPARATORS.get(separator, separator)) if one.strip(WHITE_SPACE)]
        if not found:
            raise ValueError("names no label: leave it empty for no report, or write [] for a report of no label")
    labels = [str(clean_value(one)) for one in found]
    if not all(labels):
        raise ValueError("has an empty label")
    return labels


def possible_separators(cells: pl.Series) -> list[str]:
    """Return what may separate the labels in cells that are known to hold several; one if it is certain.

    Examples
    --------
    >>> possible_separators(pl.Series(["cat, dog", "cat"])), possible_separators(pl.Series(["cat", "a, b; c"]))
    ([','], [';', ','])
    """
    if has_lists(cells):
        return [LIST]
    found = [sign for sign in _SIGNS if cells.str.contains(sign, literal=True).any()]
    return found or [sign for sign in _RARER if cells.str.contains(rf"\S\s*[{sign}]\s*\S").any()]


def is_certain(separators: list[str], cells: pl.Series) -> bool:
    """Return whether what may separate labels surely does: `#` only if it always stands between two labels."""
    if len(separators) != 1:
        return False
    if separators[0] != "#":
        return separators[0] not in _RARER
    signs = cells.str.count_matches("#", literal=True)
    between = cells.str.split("#").list.eval(pl.element().str.strip_chars() != "").list.all()
    return bool((between | (signs == 0)).all())


def has_lists(cells: pl.Series) -> bool:
    """Return whether a cell is a list in brackets of quoted labels, or of two or more.

    Examples
    --------
    >>> has_lists(pl.Series(["cat", '["cat"]'])), has_lists(pl.Series(["[unclear]", "[sic]"]))
    (True, False)
    """
    for cell in cells.filter(cells.str.contains(_BRACKETS)):
        found = parse_list(cell)
        quoted = any(mark in cell for mark in "\"'") and any(word in cell for word in ("[", "true", "false"))
        if found is not None and (len(found) > 1 or quoted):
            return True
    return False


def find_reordered(cells: pl.Series) -> tuple[str, str, str] | None:
    """Return two cells that hold the same labels in another order, and what separates these; None without any.

    Parameters
    ----------
    cells
        The different cells of a column, as text.

    Examples
    --------
    >>> find_reordered(pl.Series(["cat;dog", "dog; cat", "cat"]))
    ('cat;dog', 'dog; cat', ';')
    >>> find_reordered(pl.Series(["yes, probably", "no, probably", "7,5", "5,7", "1/2", "2/1"]))
    """
    for sign in (*_SIGNS, *_RARER, " "):
        apart = _set_like(cells.filter(cells.str.contains(sign, literal=True)), sign, cells)
        if len(apart) < 2:
            continue
        labels = pl.col("cell").str.split(sign).list.eval(pl.element().str.strip_chars(WHITE_SPACE))
        written = labels.list.eval(pl.element().filter(pl.element() != "")).list.unique(maintain_order=True)
        order = pl.DataFrame({"cell": apart.sort()}).select("cell", order=written)
        order = order.with_columns(pl.col("order").list.eval(pl.element().str.to_lowercase()))
        keyed = order.select("cell", pl.col("order").list.join("\0"), key=pl.col("order").list.sort().list.join("\0"))
        groups = keyed.group_by("key", maintain_order=True).agg(
            pl.col("cell").first(), another=pl.col("cell").filter(pl.col("order") != pl.col("order").first()).first()
        )
        for cell, another in groups.filter(pl.col("another").is_not_null()).select("cell", "another").head(1).rows():
            return cell, another, next((name for name, one in NAMED_SEPARATORS.items() if one == sign), sign)
    return None


def _set_like(apart: pl.Series, sign: str, cells: pl.Series) -> pl.Series:
    """Return those of the cells with a sign that may be sets, and are no numbers, dates or sentences."""
    if sign == ",":
        # 1,2 is a number, unless 1,2,5 beside it shows that it is a list.
        digits = apart.filter(apart.str.contains(r"^[\d\s,]+$"))
        return apart if not digits.str.contains(_DECIMAL).all() else apart.filter(~apart.str.contains(_DECIMAL))
    if sign == " ":  # words that are labels by themselves, too
        alone = apart.str.split(" ").list.eval(pl.element().is_in(cells.implode()) | (pl.element() == "")).list.all()
        return apart.filter(alone)
    return apart.filter(~apart.str.contains(_NUMBERS[sign])) if sign in _NUMBERS else apart


def describe_separator(separator: str) -> str:
    """Return what separates labels, in words."""
    words = {LIST: "in brackets", "rows": "each in a row of its own"}
    return words.get(separator, f"separated by {shorten(separator)}")


def warn_reordered(labels: pl.Series) -> None:
    """Warn about labels that have the same words in another order."""
    found = find_reordered(labels.drop_nulls())
    if found is not None:
        warn(
            f"{shorten(found[0])} and {shorten(found[1])} are counted as two labels; if they are sets, "
            f"aggregate reads them with label_sets='whole' or 'each' (--label-sets whole)"
        )
