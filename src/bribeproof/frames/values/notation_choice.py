"""Choose how a column of scores is read: its decimal mark, and whether it holds percentages or fractions of a whole."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction

from bribeproof._text import count, shorten
from bribeproof.frames.values.written_numbers import Written, describe_date, parse


@dataclass(frozen=True, slots=True)
class PlainCells:
    """What the cells weigh that are plain numbers, perhaps with %.

    Attributes
    ----------
    total, percent
        All of them, and those with %.
    dots, commas
        Those with a decimal point, and those with a decimal comma.
    grouped_dots, grouped_commas
        Those among them that may have a thousands mark instead, such as 1.250 and 1,250.
    """

    total: int = 0
    percent: int = 0
    dots: int = 0
    commas: int = 0
    grouped_dots: int = 0
    grouped_commas: int = 0


@dataclass(slots=True)
class Choice:
    """How a column is read.

    Attributes
    ----------
    decimal_mark
        The decimal mark.
    unit
        Empty, ``"%"``, or the whole of which all scores are fractions.
    grouped
        Whether the other mark is a thousands mark.
    undecided
        Whether most cells may be two numbers.
    respelled
        The cells that are no plain numbers, each with its number in digits and a decimal point.
    refused
        The cells that are not read, each with the reason.
    """

    decimal_mark: str
    unit: str
    grouped: bool
    undecided: bool
    respelled: dict[str, str] = field(default_factory=dict)
    refused: dict[str, str] = field(default_factory=dict)
    _ways: dict[str, tuple[str, ...]] = field(default_factory=dict)
    _rows: dict[str, int] = field(default_factory=dict)

    def add(self, cells: Mapping[str, int], written: Mapping[str, Written | None]) -> None:
        """Read cells, or refuse them."""
        for text, rows in cells.items():
            number = written[text]
            other = None if number is None else number.plain("," if self.decimal_mark == "." else ".")
            plain = None if number is None else number.plain(self.decimal_mark)
            if number is None or plain is None:
                self.refused[text] = self._explain(text, other)
            elif number.unit != self.unit:
                self.refused[text] = f"is one of the {_plural(number.unit)}, but others are {_plural(self.unit)}"
            elif self.unit.strip("%") and not 0 <= Fraction(plain) <= Fraction(self.unit):
                self.refused[text] = f"is not between 0 and the whole, {self.unit}"
            elif not self.grouped and other is not None and other != plain:
                self.refused[text] = _unclear(number)
            else:
                self.respelled[text] = plain
                grouped = number.is_grouped(self.decimal_mark)
                self._ways[text] = (*number.ways, *["thousands separators"] * grouped)
                self._rows[text] = rows

    def refuse_labels(self, cells: Mapping[str, int], written: Mapping[str, Written | None]) -> None:
        """Refuse the cells whose number has another label in more cells, or whose label another number."""
        rows: dict[tuple[str, str], int] = {}
        for text, plain in self.respelled.items():
            if (number := written[text]) and number.label:
                pair = (plain, number.label)
                rows[pair] = rows.get(pair, 0) + cells[text]
        label_of: dict[str, str] = {}
        number_of: dict[str, str] = {}
        for plain, label in sorted(rows, key=lambda pair: (-rows[pair], pair)):
            label_of.setdefault(plain, label)
            number_of.setdefault(label, plain)
        for text, plain in list(self.respelled.items()):
            label = one.label if (one := written[text]) else ""
            if label and (label_of[plain], number_of[label]) != (label, plain):
                other = f"{plain} is {label_of[plain]!r}" if label_of[plain] != label else f"that is {number_of[label]}"
                self.refused[text] = f"has a label of another number: in more cells {other}"
                del self.respelled[text]

    def _explain(self, text: str, other: str | None) -> str:
        """Return what is wrong with a text that is a number with the other decimal mark, or none."""
        if other is None:
            date = describe_date(text)
            return f"is {date}" if date else ""
        mark = "," if self.decimal_mark == "." else "."
        return (
            f"is not a number (decimal mark {self.decimal_mark!r}): give decimal_mark={mark!r} (--decimal {mark}) "
            f"if it is {other}"
        )

    @property
    def questions(self) -> tuple[str, ...]:
        """The refused cells that may be two numbers, if most are like that."""
        return tuple(text for text, reason in self.refused.items() if self.undecided and "--decimal" in reason)

    def notes(self) -> list[str]:
        """Return how numbers that are not plain ones are read, one sentence each."""
        found: dict[str, list[str]] = {}
        for text in sorted(self.respelled):
            for way in self._ways[text]:
                found.setdefault(way, []).append(text)
        return [
            f"read as numbers: {way}, such as {shorten(texts[0])} as {self.respelled[texts[0]]} "
            f"({count(sum(self._rows[text] for text in texts), 'report')})"
            for way, texts in sorted(found.items())
        ]


def _plural(unit: str) -> str:
    """Return what kind of numbers some scores are, in words."""
    return {"": "plain numbers", "%": "percentages"}.get(unit, f"fractions of {unit}")


def choose(plain: PlainCells, odd: Mapping[str, int], weights: Mapping[str, int], decimal_mark: str | None) -> Choice:
    """Choose how a column of scores is read.

    The decimal mark is that of most cells, and so is the unit. A mark that could be a thousands mark, as in 1,250, is
    one if most cells leave no other choice.

    Parameters
    ----------
    plain
        How many cells are plain numbers.
    odd, weights
        The other cells: how many rows have each, and what these weigh.
    decimal_mark
        The decimal mark, if the user named it: the other one is a thousands mark.
    """
    written = {text: parse(text) for text in odd}
    units = {"%": plain.percent, "": plain.total - plain.percent}
    sure = {".": plain.dots - plain.grouped_dots, ",": plain.commas - plain.grouped_commas}
    groups = {".": 0, ",": 0}
    for text, number in written.items():
        if number is None:
            continue
        units[number.unit] = units.get(number.unit, 0) + weights[text]
        readable = [mark for mark in ".," if number.plain(mark) is not None]
        if len(readable) == 1:
            sure[readable[0]] += weights[text]
            groups[readable[0]] += weights[text] * number.is_grouped(readable[0])
    dots, commas = sure["."] + plain.grouped_dots, sure[","] + plain.grouped_commas
    mark = decimal_mark or ("," if sure[","] and commas > dots else ".")
    units = {one: rows for one, rows in units.items() if rows} or {"": 0}
    unit = max(units, key=lambda one: (units[one], one == "%", one))
    unclear = plain.grouped_commas if mark == "." else plain.grouped_dots
    known = decimal_mark is not None or (groups[mark] > 0 and sure[mark] >= unclear)
    total = plain.total + sum(weights.values())
    choice = Choice(mark, unit, known, undecided=not known and 2 * unclear > total)
    choice.add(odd, written)
    choice.refuse_labels(odd, written)
    return choice


def read_grouped(choice: Choice, cells: Mapping[str, int]) -> None:
    """Read or refuse plain cells that have the other mark, which may be a thousands mark."""
    choice.add(cells, {text: parse(text) for text in cells})


def is_written_number(text: str) -> bool:
    """Return whether a text is a number as people write them, under some decimal mark.

    Examples
    --------
    >>> [is_written_number(text) for text in ("8/10", "6: accept weakly", "1 250,5", "7½", "85 %", "05-May", "cat")]
    [True, True, True, True, True, False, False]
    """
    number = parse(text)
    return number is not None and any(number.plain(mark) is not None for mark in ".,")


def _unclear(number: Written) -> str:
    """Return the question about a number that a decimal mark or a thousands mark may have made."""
    by_comma, by_dot = number.plain(","), number.plain(".")
    return (
        f"may be {by_comma} or {by_dot}: give decimal_mark=',' (--decimal ,) if it is {by_comma}, "
        f"or decimal_mark='.' (--decimal .) if it is {by_dot}"
    )
