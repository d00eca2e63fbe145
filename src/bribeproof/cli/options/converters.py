"""Convert the text of options to values."""

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

from cyclopts import Parameter, Token

from bribeproof._text import parse_number, parse_whole
from bribeproof.errors import ParameterError


def _whole(_: Any, tokens: Sequence[Token]) -> int:
    """Convert to a whole number; 1.5 and 10% are errors."""
    text = tokens[0].value
    if text.endswith("%"):
        raise ValueError(f"{text} is a share, and this is a number, such as 1; aggregate also has --share {text}")
    return parse_whole(text)


def _number(_: Any, tokens: Sequence[Token]) -> float:
    """Convert to a number; nan and 1_0 are errors."""
    return parse_number(tokens[0].value)


def _rate(_: Any, tokens: Sequence[Token]) -> float:
    """Convert to a number that may be a percentage: 0.1, .1 and 10%."""
    text = tokens[0].value
    return parse_number(text[:-1]) / 100 if text.endswith("%") else parse_number(text)


Whole = Annotated[int, Parameter(converter=_whole, n_tokens=1)]
Number = Annotated[float, Parameter(converter=_number, n_tokens=1)]
Rate = Annotated[float, Parameter(converter=_rate, n_tokens=1)]
Flag = Annotated[bool, Parameter(negative=(), show_default=False)]
Names = Annotated[tuple[str, ...], Parameter(negative=(), show_default=False)]

_OF_GROUPS = ("--group", "--price", "--budget")
"""Options of most commands that read reports, but not of all."""


def convert_file(_: Any, tokens: Sequence[Token]) -> Path:
    """Convert to a path; - is standard input, and anything else that starts with - is an unknown option."""
    text = tokens[0].value
    if (option := text.partition("=")[0]) in _OF_GROUPS:
        raise ValueError(
            f"this command has no {option}; audit and attack count reporters: give as --k how many are in the largest "
            f"groups together, which is never too few"
        )
    if text.startswith("-") and text != "-":
        raise ValueError(f"there is no option {text} here; write ./{text} for a file with this name")
    return Path(text)


def parse_names(texts: Sequence[str]) -> tuple[str, ...]:
    """Split lists of names at commas; a name that contains a comma is quoted, as in CSV.

    Examples
    --------
    >>> parse_names(["anna, boris", '"Lee, C"'])
    ('anna', 'boris', 'Lee, C')
    """
    from bribeproof._text import split_lists

    names = split_lists(texts)
    if texts and not names:
        raise ParameterError("an option with a list of names is empty: give at least one name, or leave it out")
    return names


def parse_correlation(text: str) -> float | tuple[float, float]:
    """Convert to a correlation of errors, or to one given a positive truth and one given a negative.

    Examples
    --------
    >>> parse_correlation(".05"), parse_correlation("0.1,0")
    (0.05, (0.1, 0.0))
    """
    try:
        numbers = [parse_number(part) for part in text.split(",")]
    except ValueError:
        numbers = []
    match numbers:
        case [both]:
            return both
        case [given_1, given_0]:
            return given_1, given_0
    raise ParameterError(f"--correlation {text}: write one number from 0 to 1, such as .05, or two, such as .1,.05")
