"""What is asked of a sheet: the query of an address, as it was typed and as the library takes it."""

import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields, replace
from typing import Any, Self
from urllib.parse import urlencode

from bribeproof._text import shorten, split_lists
from bribeproof.errors import ParameterError

SHOWN: Mapping[str, str] = {
    "": "all items",
    "changeable": "what k bribes could have changed",
    "changed": "what is another than with k = 0",
    "uncertified": "not certified",
    "ties": "ties",
}
"""The choices of items, and what they are called."""

CORRECTIONS = (
    "kind", "item", "reporter", "value", "judges", "positive", "missing", "decimal", "repeats", "round", "sep",
    "encoding", "format",
)  # fmt: skip
"""The fields that say how reports and the file are read: the options of ``bribeproof aggregate`` of the same names."""


@dataclass(frozen=True, slots=True)
class DataQuery:
    """The fields of the room's form, as they were typed; what was left empty is found by itself.

    Attributes
    ----------
    sheet
        The key of a file.
    k
        How many reporters may be bribed.
    find, show, page
        Which items are shown.
    kind, item, reporter, value, judges, positive, missing, decimal, repeats, round
        How reports are read; the options of ``bribeproof aggregate`` of the same names.
    sep, encoding, format
        How the file is read.
    """

    sheet: str = ""
    k: str = ""
    find: str = ""
    show: str = ""
    page: str = ""
    kind: str = ""
    item: str = ""
    reporter: str = ""
    value: str = ""
    judges: str = ""
    positive: str = ""
    missing: str = ""
    decimal: str = ""
    repeats: str = ""
    round: str = ""
    sep: str = ""
    encoding: str = ""
    format: str = ""

    @classmethod
    def read(cls, query: Mapping[str, str]) -> Self:
        """Take from a query what belongs here."""
        return cls(**{field.name: query.get(field.name, "") for field in fields(cls)})

    def address(self, path: str = "/data", **changes: object) -> str:
        """Return where the same is shown, but for some changes.

        Examples
        --------
        >>> DataQuery("judges", k="1", find="a b").address(k=2)
        '/data?sheet=judges&k=2&find=a+b'
        """
        changed = replace(self, **{name: str(value) for name, value in changes.items()})
        return f"{path}?{urlencode({name: value for name, value in asdict(changed).items() if value})}"

    @property
    def first_page(self) -> Self:
        """The same from the first page on."""
        return replace(self, page="")

    @property
    def corrected(self) -> bool:
        """Whether anything is said of how the file is read."""
        return any(getattr(self, name) for name in CORRECTIONS)

    @property
    def reading(self) -> dict[str, str | None]:
        """How the file is read."""
        return {"sep": self.sep or None, "encoding": self.encoding or None, "format": self.format or None}

    @property
    def tokens(self) -> tuple[str, ...]:
        """The texts that stand for no report."""
        return split_lists([self.missing])

    @property
    def heads(self) -> int | None:
        """How many reporters may be bribed, None where nothing is said."""
        return None if self.k == "" else whole(self.k, "k", "how many reporters may be bribed")

    @property
    def options(self) -> dict[str, Any]:
        """How reports are read, as `answers` takes it."""
        if self.repeats not in {"", "error", "first", "last", "drop"}:
            raise ParameterError(f"repeats={self.repeats!r}: use error, first, last or drop")
        given: dict[str, Any] = {
            "kind": self.kind,
            "item": self.item,
            "reporter": self.reporter,
            "value": self.value,
            "judges": split_lists([self.judges]),
            "missing": self.tokens,
            "repeats": self.repeats,
            "positive": self.positive,
            "decimal_mark": self.decimal,
            "decimals": None if self.round == "" else whole(self.round, "round", "so many decimals"),
        }
        return {name: value for name, value in given.items() if value not in ("", (), None)}


def whole(text: str, name: str, what: str, least: int = 0, most: int = 10**9) -> int:
    """Read a whole number.

    Raises
    ------
    ParameterError
        If it is none, or outside its range.
    """
    if not re.fullmatch(r"[0-9]{1,10}", text, re.ASCII) or not least <= int(text) <= most:
        raise ParameterError(f"{name}={shorten(text)}: {what}, a whole number from {least} to {most:,}")
    return int(text)
