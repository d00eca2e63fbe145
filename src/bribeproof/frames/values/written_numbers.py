"""Read numbers as people write them: 8/10, 85 %, 7½, 1 250,5, −3, "6: accept weakly"."""

import re
import unicodedata
from dataclasses import dataclass
from fractions import Fraction

from bribeproof.frames.values.text import visible

_MINUS = "\u2010\u2011\u2012\u2013\u2014\u2212\ufe58\ufe63\uff0d"
_SPACES = "\u00a0\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u202f\u205f\u3000"
_APOSTROPHES = "\u2018\u2019\u02bc\u2032"
_SLASHES = "\u2044\u2215"
_ASCII = {0xFEE0 + code: code for code in range(0x21, 0x7F)}
_FOLDED = (
    _ASCII
    | dict.fromkeys(map(ord, _MINUS), ord("-"))
    | dict.fromkeys(map(ord, _SPACES), ord(" "))
    | dict.fromkeys(map(ord, _APOSTROPHES), ord("'"))
    | dict.fromkeys(map(ord, _SLASHES), ord("/"))
)
_VULGAR = "¼½¾⅐⅑⅒⅓⅔⅕⅖⅗⅘⅙⅚⅛⅜⅝⅞"
_DIGITS = r"(?:[0-9](?:[0-9 '.,]*[0-9.,])?|[.,][0-9]+)(?:[eE][+-]?[0-9]{1,3})?"
_CELL = re.compile(
    rf"(?P<sign>[+-]?)"
    rf"(?:(?P<whole>[0-9]*)(?P<vulgar> ?[{_VULGAR}]|(?<=[0-9]) [0-9]{{1,2}}/(?:[2-9]|16)(?![0-9]))"
    rf"|(?P<digits>{_DIGITS}))"
    r"(?P<unit> *%| *(?:/| out of | of ) *[0-9]+(?:\.[0-9]+)?)?"
    r"(?P<label> *[:=].*| -+ .*| *\(.*\))?"
)
_MONTHS = (
    "january february march april may june july august september october november december",
    "januar februar märz april mai juni juli august september oktober november dezember",
    "janvier février mars avril mai juin juillet août septembre octobre novembre décembre",
    "enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre",
    "gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre dicembre",
)
_SHAPES = {
    mark: re.compile(rf"[+-]?([0-9]+({point}[0-9]*)?|{point}[0-9]+)([eE][+-]?[0-9]+)?")
    for mark, point in ((".", r"\."), (",", ","))
}
_GROUPED = {
    mark: re.compile(rf"[+-]?[1-9][0-9]{{0,2}}([ '{other}])[0-9]{{3}}(?:\1[0-9]{{3}})*({point}[0-9]*)?")
    for mark, point, other in ((".", r"\.", ","), (",", ",", "."))
}
_DATES = (
    r"(?P<year>[0-9]{4})[-/.](?P<month>[0-9]{1,2})[-/.](?P<day>[0-9]{1,2})([T ].*)?",
    r"(?P<day>[0-9]{1,2})(?P<mark>[-/.])(?P<month>[0-9]{1,2})(?P=mark)(?P<year>[0-9]{2,4})([T ].*)?",
    r"(?P<day>[0-9]{1,2})[-/. ]{0,2}(?P<name>[^\W\d_]{3,9})[-/. ]{0,2}(?P<year>[0-9]{2,4})?",
    r"(?P<name>[^\W\d_]{3,9})[-/. ]{1,2}(?P<day>[0-9]{1,4})(, ?[0-9]{4})?",
)
_LONGEST = 1000
"""Longer texts are no numbers."""


@dataclass(frozen=True, slots=True)
class Written:
    """A number as it is written.

    Attributes
    ----------
    digits
        Sign, digits, and decimal and thousands marks, in ASCII.
    part
        The vulgar fraction that is added; its sign is that of the digits.
    unit
        Empty, ``"%"``, or the number that it is a fraction of: 10 for ``8/10``.
    label
        The words after the number, in small letters.
    ways
        How it differs from a plain number, in words.
    """

    digits: str
    part: Fraction | None = None
    unit: str = ""
    label: str = ""
    ways: tuple[str, ...] = ()

    def plain(self, decimal_mark: str) -> str | None:
        """Return the number as digits and a decimal point; None if this decimal mark does not allow it."""
        if self.part is not None:
            if not self.digits.strip("+-").isdecimal() and self.digits.strip("+-"):
                return None
            sign = self.digits[:1].strip("0123456789")
            return sign + _decimals(int(self.digits.lstrip("+-") or 0) + self.part)
        if _SHAPES[decimal_mark].fullmatch(self.digits):
            return self.digits.replace(",", ".")
        if found := _GROUPED[decimal_mark].fullmatch(self.digits):
            return self.digits.replace(found[1], "").replace(",", ".")
        return None

    def is_grouped(self, decimal_mark: str) -> bool:
        """Return whether the digits have thousands marks, if this is the decimal mark."""
        return (
            self.part is None
            and not _SHAPES[decimal_mark].fullmatch(self.digits)
            and _GROUPED[decimal_mark].fullmatch(self.digits) is not None
        )


def parse(text: str) -> Written | None:
    """Return the number that a text writes; None if it is none.

    Examples
    --------
    >>> parse("8/10").unit, parse("6: accept weakly").label, parse("\N{MINUS SIGN}7½").plain(".")
    ('10', 'accept weakly', '-7.5')
    >>> parse("1 250,5").plain(","), parse("1 250,5").plain("."), parse("12:30"), parse("05-May"), parse("7 - 9")
    ('1250.5', None, None, None, None)
    """
    if len(text) > _LONGEST:
        return None
    seen = text if text.isascii() else visible(text).strip()
    folded = seen if text.isascii() else seen.translate(_FOLDED)
    found = _CELL.fullmatch(folded)
    if not found:
        return None
    label = found["label"] and re.sub(r"^[ :=(-]+|[ )]+$", "", found["label"])
    if label is not None and not label[:1].isalpha():
        return None
    unit = (found["unit"] or "").strip()
    if unit and unit != "%":
        unit = str(Fraction(re.sub(r"^\D+", "", unit)))
        if unit == "0":
            return None
    vulgar = (found["vulgar"] or "").strip()
    part = Fraction(unicodedata.normalize("NFKC", vulgar).replace("\u2044", "/")) if vulgar else None
    if part is not None and part >= 1:
        return None
    ways = [f"fractions of {unit}"] if unit.strip("%") else []
    if vulgar:
        ways.append("vulgar fractions")
    if label:
        ways.append("labels after the number")
    if not text.isascii():
        ways += ["invisible characters"] * (visible(text) != text)
        ways += ["full-width characters"] * any(ord(letter) in _ASCII for letter in seen)
        ways += ["dashes as minus signs"] * (folded.startswith("-") and not seen.startswith(("-", "\uff0d")))
    digits = f"{found['sign']}{found['whole'] if vulgar else found['digits']}"
    return Written(digits, part, unit, " ".join((label or "").casefold().split()), tuple(ways))


def describe_date(text: str) -> str:
    """Return what a text is that a spreadsheet made of a score: a date or a time; empty if it is neither.

    Examples
    --------
    >>> describe_date("05-May")
    'a date, into which a spreadsheet may have turned 5/5 or 5.5'
    >>> describe_date("2024-05-06")
    'a date, into which a spreadsheet may have turned 5/6, 6/5, 5.6 or 6.5'
    >>> describe_date("anna-5")
    ''
    """
    folded = visible(text).strip().translate(_FOLDED)
    if re.fullmatch(r"[0-9]+:[0-9]{2}(:[0-9]{2})?(\.[0-9]+)?( ?[AaPp][Mm])?", folded):
        return "a time"
    for shape in _DATES:
        found = re.fullmatch(shape, folded)
        if found is None:
            continue
        parts = found.groupdict()
        month = _month(parts["name"]) if parts.get("name") else int(parts["month"])
        if not 1 <= month <= 31:
            continue
        numbers = sorted({month, int(parts["day"]) % 100})
        pairs = [(numbers[0], numbers[-1]), (numbers[-1], numbers[0])][: len(numbers)]
        forms = [f"{one}{mark}{other}" for mark in "/." for one, other in pairs]
        return f"a date, into which a spreadsheet may have turned {', '.join(forms[:-1])} or {forms[-1]}"
    return ""


def _month(name: str) -> int:
    """Return the number of a month; 0 if it is none."""
    word = name.casefold()
    return next((month for names in _MONTHS for month, full in enumerate(names.split(), 1) if full.startswith(word)), 0)


def _decimals(value: Fraction) -> str:
    """Return a number as decimals, enough of them for the nearest float."""
    whole, rest = divmod(value * 10**40, 1)
    digits = f"{int(whole):041d}"
    return f"{digits[:-40]}.{digits[-40:]}".rstrip("0").rstrip(".") if not rest else f"{digits[:-40]}.{digits[-40:]}"
