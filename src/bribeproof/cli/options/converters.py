"""How options are read that need more than their type."""

import re
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from cyclopts import Parameter, Token

from bribeproof.errors import ParameterError

if TYPE_CHECKING:
    from bribeproof.theory import Loss


def _whole(_: Any, tokens: Sequence[Token]) -> int:
    """Read a whole number; 1.5 people are an error, not two."""
    text = tokens[0].value
    if not re.fullmatch(r"[+-]?[0-9]{1,18}", text):
        raise ValueError(f"{text!r} is not a whole number, such as 1")
    return int(text)


Whole = Annotated[int, Parameter(converter=_whole, n_tokens=1)]
Flag = Annotated[bool, Parameter(negative=(), show_default=False)]
Names = Annotated[tuple[str, ...], Parameter(negative=(), show_default=False)]


def file_of(_: Any, tokens: Sequence[Token]) -> Path:
    """Read the name of a file; an unknown option in its place is refused; - alone is standard input."""
    text = tokens[0].value
    if text.startswith("-") and text != "-":
        raise ValueError(f"there is no such option; write ./{text} for a file of that name")
    return Path(text)


def parse_names(given: Sequence[str]) -> tuple[str, ...]:
    """Split lists written with commas; a name that holds a comma stands in quotes, as in CSV.

    Examples
    --------
    >>> parse_names(["anna, boris", '"Lee, C"'])
    ('anna', 'boris', 'Lee, C')
    """
    from bribeproof._text import split_lists

    names = split_lists(given)
    if given and not names:
        raise ParameterError("an option that lists names holds none: name at least one, or leave it out")
    return names


def parse_loss(text: str) -> "str | Loss":
    """Read a loss; ``cost:1,5`` is a false negative five times as bad as a false positive.

    Examples
    --------
    >>> parse_loss("cost:1,5").name
    'cost(false_positive=1, false_negative=5)'
    """
    from bribeproof.theory import cost

    if not text.startswith("cost:"):
        return text
    try:
        false_positive, false_negative = (float(part) for part in text.removeprefix("cost:").split(","))
    except ValueError:
        raise ParameterError(f"--loss {text}: write cost:FP,FN with two numbers, such as cost:1,5") from None
    return cost(false_positive=false_positive, false_negative=false_negative)
