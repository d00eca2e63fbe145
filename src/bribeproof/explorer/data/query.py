"""The query of the page "Your data": form fields as text, and as arguments of the library."""

import re
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
SCORE_ORDERS: Mapping[str, str] = {
    "": "by place, the first one first", "fragile": "most fragile first", "file": "as in the file",
}  # fmt: skip
LABEL_ORDERS: Mapping[str, str] = {"": "most fragile first", "file": "as in the file"}
"""Orders of the table of items, by the value of the field ``sort``, and their labels; labels have no places."""

FILE_GROUP, RANKED_GROUP = "Format of the file", "Judges' rankings"
READ_GROUPS: Mapping[str, tuple[str, ...]] = {
    "Columns": ("kind", "item", "judges", "reporter", "value", "turned", "not_items"),
    "Criteria and totals": ("criteria", "criterion_weights", "criterion", "total", "factor", "minus"),
    "Scores": ("decimal", "better", "scale", "round"),
    "Missing, repeated and faulty reports": ("missing", "repeats", "order", "faulty", "asked"),
    "Classes": ("positive", "classes"),
    "What a bribe buys": ("group",),
    "Several labels in a report": ("label_sets", "label_separator", "no_label", "labels"),
    RANKED_GROUP: ("rule", "contest", "unranked", "gaps"),
    FILE_GROUP: ("sep", "encoding", "format", "header_line", "worksheet", "predictions"),
}
"""Fields that say how the file and its reports are read, by their headings in the form."""

READ_FIELDS = tuple(name for group in READ_GROUPS.values() for name in group)
"""The same fields; they have the names of ``bribeproof aggregate``'s options, except for `OPTIONS`."""
ATTACK_FIELDS = (
    *READ_GROUPS["Columns"], "decimal", "better", "scale", "missing", "repeats", "order", *READ_GROUPS["Classes"],
    *READ_GROUPS["Several labels in a report"], *READ_GROUPS[FILE_GROUP],
)  # fmt: skip
"""Those of these fields that the page of attacks has: an attack combines one report of each reporter on an item."""
OPTIONS: Mapping[str, str] = {"worksheet": "sheet"}
"""Options whose name differs from the field, as another field has that name."""
FLAGS = ("turned", "predictions")
"""Fields that are ``yes`` or empty, whose options take no value."""


@dataclass(frozen=True, slots=True)
class DataQuery:
    """The fields of the form, as typed; an empty field is inferred from the file.

    Attributes
    ----------
    sheet
        The key of an uploaded file.
    k
        How many reporters may be bribed.
    find, show, sort, page
        The part of a name to search for, a key of `ITEM_FILTERS`, an order, and a page number: which items are shown.
    truth, gold
        The key of an uploaded file with the truth of some items; the column of the truth, there or among the reports.
    open
        The steps that are open, separated by commas; ``none`` if none is, and the first one if nothing is given.
    step
        The step that is computed with the page, for browsers without scripts.
    kind, item, reporter, value, judges, turned, not_items, positive, classes
        What the reports are and where they stand, as ``bribeproof aggregate`` takes it.
    criteria, criterion_weights, criterion, total, factor, minus
        Several scores of a judge on an item, and what follows the aggregation of each item, likewise.
    label_sets, label_separator, no_label, labels
        Several labels in a report, likewise.
    group
        The column of what one bribe buys together, likewise; k counts groups then.
    missing, decimal, repeats, order, asked, faulty, better, scale, round
        How reports are read and scores ranked, likewise.
    rule, contest, unranked, gaps
        Of judges' rankings, as ``bribeproof report`` takes it.
    sep, encoding, format, header_line, worksheet, predictions
        How the file is read; `worksheet` is the option ``--sheet``, and `predictions` is ``yes`` or empty.
    """

    sheet: str = ""
    k: str = ""
    find: str = ""
    show: str = ""
    sort: str = ""
    page: str = ""
    truth: str = ""
    gold: str = ""
    open: str = ""
    step: str = ""
    kind: str = ""
    item: str = ""
    reporter: str = ""
    value: str = ""
    judges: str = ""
    turned: str = ""
    not_items: str = ""
    positive: str = ""
    classes: str = ""
    group: str = ""
    criteria: str = ""
    criterion_weights: str = ""
    criterion: str = ""
    total: str = ""
    factor: str = ""
    minus: str = ""
    label_sets: str = ""
    label_separator: str = ""
    no_label: str = ""
    labels: str = ""
    missing: str = ""
    decimal: str = ""
    repeats: str = ""
    order: str = ""
    asked: str = ""
    faulty: str = ""
    better: str = ""
    scale: str = ""
    round: str = ""
    rule: str = ""
    contest: str = ""
    unranked: str = ""
    gaps: str = ""
    sep: str = ""
    encoding: str = ""
    format: str = ""
    header_line: str = ""
    worksheet: str = ""
    predictions: str = ""

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
    def open_steps(self) -> tuple[str, ...]:
        """The names of the steps that are open."""
        return tuple((self.open or "same").split(","))

    def groups_to_open(self, error: str = "", *, is_read: bool = True) -> set[str]:
        """Return the headings of the groups that hold a field that is filled in, or may mend an error.

        Examples
        --------
        >>> sorted(DataQuery(better="low").groups_to_open("there is no column 'x': use --order, or worker=[...]"))
        ['Missing, repeated and faulty reports', 'Scores']
        """
        options = {name: getattr(self, name) or _is_named(name, error) for name in READ_FIELDS}
        unread = {FILE_GROUP} if error and not is_read else set()
        return unread | {heading for heading, names in READ_GROUPS.items() if any(options[name] for name in names)}

    @property
    def read_options(self) -> dict[str, Any]:
        """The arguments of `read_table`; None where nothing is given."""
        given: dict[str, Any] = {
            name: getattr(self, name) or None for name in ("sep", "encoding", "format", "header_line")
        }
        return {**given, "sheet": self.worksheet or None, "predictions": self.predictions == "yes" or None}

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
        """The arguments of `aggregate`; empty fields are left out."""
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
            "criteria": self.criteria,
            "criterion_weights": split_lists([self.criterion_weights]),
            "criterion": self.criterion,
            "total": self.total,
            "factor": split_lists([self.factor]),
            "minus": self.minus,
            "label_sets": self.label_sets,
            "label_separator": self.label_separator,
            "no_label": split_lists([self.no_label]),
            "labels": split_lists([self.labels]),
            "missing": self.missing_tokens,
            "order": self.order,
            "repeats": self.repeats,
            "asked": count_or_column(self.asked),
            "faulty": self.faulty.replace("-", " "),
            "better": self.better,
            "scale": parse_scale(self.scale) if self.scale else (),
            "positive": self.positive,
            "classes": split_lists([self.classes]),
            "group": self.group,
            "decimal_mark": self.decimal,
            "decimals": None if self.round == "" else parse_whole_number(self.round, "round", "so many decimals"),
        }
        return {name: value for name, value in given.items() if value not in ("", (), None, False)}


def field_of(option: str) -> str:
    """Return the field of an option of the library.

    Examples
    --------
    >>> field_of("sheet"), field_of("criterion_weights")
    ('worksheet', 'criterion_weights')
    """
    return next((field for field, name in OPTIONS.items() if name == option), option)


def _is_named(field: str, error: str) -> bool:
    """Return whether an error names the option of a field."""
    option = OPTIONS.get(field, field)
    return re.search(rf"(?<![\w-])(--{option.replace('_', '-')}\b|{option}=)", error) is not None


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
