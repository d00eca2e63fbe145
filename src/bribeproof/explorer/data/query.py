"""The query of the page "Your data": form fields as text, and as arguments of the library."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields, replace
from typing import Any, Self
from urllib.parse import urlencode

from bribeproof._text import parse_scale, parse_whole, shorten, split_lists
from bribeproof.errors import ParameterError
from bribeproof.frames.asked import count_or_column

ITEM_FILTERS: Mapping[str, str] = {
    "": "all items",
    "changeable": "answers that some k bribed reporters could have changed",
    "changed": "decisions, places or rounded scores that differ from those with k = 0",
    "uncertified": "not certified",
    "ties": "ties",
}
"""Filters of the table of items, by the value of the field ``show``, and their labels."""

READ_FIELDS = (
    "kind", "item", "reporter", "value", "judges", "turned", "not_items", "positive", "classes", "missing",
    "decimal", "repeats", "asked",
    "faulty", "better", "scale", "round", "sep", "encoding", "format", "header_line", "worksheet",
)  # fmt: skip
"""Fields that say how the file and its reports are read; they have the names of ``bribeproof aggregate``'s options."""


@dataclass(frozen=True, slots=True)
class DataQuery:
    """The fields of the form, as typed; an empty field is inferred from the file.

    Attributes
    ----------
    sheet
        The key of an uploaded file.
    k
        How many reporters may be bribed.
    find, show, page
        The part of a name to search for, a key of `ITEM_FILTERS`, and a page number: which items are shown.
    kind, item, reporter, value, judges, turned, not_items, positive, classes
        What the reports are and where they stand, as ``bribeproof aggregate`` takes it.
    missing, decimal, repeats, asked, faulty, better, scale, round
        How reports are read and scores ranked, likewise.
    sep, encoding, format, header_line, worksheet
        How the file is read; `worksheet` is the option ``--sheet``.
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
    turned: str = ""
    not_items: str = ""
    positive: str = ""
    classes: str = ""
    missing: str = ""
    decimal: str = ""
    repeats: str = ""
    asked: str = ""
    faulty: str = ""
    better: str = ""
    scale: str = ""
    round: str = ""
    sep: str = ""
    encoding: str = ""
    format: str = ""
    header_line: str = ""
    worksheet: str = ""

    @classmethod
    def read(cls, query: Mapping[str, str]) -> Self:
        """Return the fields that a query string holds; others are ignored."""
        return cls(**{field.name: query.get(field.name, "") for field in fields(cls)})

    def address(self, path: str = "/data", **changes: object) -> str:
        """Return the address of this query with some fields changed.

        Examples
        --------
        >>> DataQuery("judges", k="1", find="a b").address(k=2)
        '/data?sheet=judges&k=2&find=a+b'
        """
        changed = replace(self, **{name: str(value) for name, value in changes.items()})
        return f"{path}?{urlencode({name: value for name, value in asdict(changed).items() if value})}"

    @property
    def first_page(self) -> Self:
        """The same query for the first page."""
        return replace(self, page="")

    @property
    def has_read_fields(self) -> bool:
        """Whether any field says how the file is read."""
        return any(getattr(self, name) for name in READ_FIELDS)

    @property
    def read_options(self) -> dict[str, str | None]:
        """The arguments of `read_table`."""
        given = {name: getattr(self, name) or None for name in ("sep", "encoding", "format", "header_line")}
        return {**given, "sheet": self.worksheet or None}

    @property
    def missing_tokens(self) -> tuple[str, ...]:
        """The texts that mean a missing report."""
        return split_lists([self.missing])

    @property
    def adversary_count(self) -> int | None:
        """The number of reporters who may be bribed; None if the field is empty."""
        return None if self.k == "" else parse_whole_number(self.k, "k", "how many reporters may be bribed")

    @property
    def options(self) -> dict[str, Any]:
        """The arguments of `answers`; empty fields are left out."""
        if self.repeats not in {"", "error", "first", "last", "drop"}:
            raise ParameterError(f"repeats={self.repeats!r}: use error, first, last or drop")
        if self.faulty not in {"", "error", "set-aside"}:
            raise ParameterError(f"faulty={self.faulty!r}: use error or set-aside")
        given: dict[str, Any] = {
            "kind": self.kind,
            "item": self.item,
            "reporter": self.reporter,
            "value": self.value,
            "judges": split_lists([self.judges]),
            "turned": self.turned == "yes",
            "not_items": split_lists([self.not_items]),
            "missing": self.missing_tokens,
            "repeats": self.repeats,
            "asked": count_or_column(self.asked),
            "faulty": self.faulty.replace("-", " "),
            "better": self.better,
            "scale": parse_scale(self.scale) if self.scale else (),
            "positive": self.positive,
            "classes": split_lists([self.classes]),
            "decimal_mark": self.decimal,
            "decimals": None if self.round == "" else parse_whole_number(self.round, "round", "so many decimals"),
        }
        return {name: value for name, value in given.items() if value not in ("", (), None, False)}


def parse_whole_number(text: str, name: str, what: str, least: int = 0, most: int = 10**9) -> int:
    """Parse a whole number from a form field.

    Raises
    ------
    ParameterError
        If the text is not a whole number, or not between `least` and `most`.
    """
    try:
        number = parse_whole(text)
    except ValueError:
        number = least - 1
    if not least <= number <= most:
        raise ParameterError(f"{name}={shorten(text)}: {what}: give a whole number from {least} to {most:,}")
    return number
