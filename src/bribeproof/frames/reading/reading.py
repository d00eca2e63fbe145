"""How a table is read: its kind, the columns of its reports, and what every other column and row is."""

from dataclasses import dataclass, field, replace
from typing import Any

from bribeproof._text import count, list_names
from bribeproof.frames.reading.criteria import Criteria
from bribeproof.frames.reading.kinds import Kind
from bribeproof.frames.reading.label_sets import LABEL, LabelSets
from bribeproof.frames.reading.stated import Stated
from bribeproof.frames.reading.vocabulary import Role
from bribeproof.frames.reading.words import ROLE_NAMES
from bribeproof.frames.schema import Columns

ROW_NUMBER, ONE_ITEM = "row number", "one item"
"""Items without a column: each row is one, by its number; or the whole table is one."""
_NAMED = 20
"""The most reporters that are named."""


@dataclass(frozen=True, slots=True)
class OtherColumn:
    """A column that holds no reports.

    Attributes
    ----------
    name
        Its name.
    role
        What it holds, by its name.
    """

    name: str
    role: Role

    def __str__(self) -> str:
        return repr(self.name) if self.role == "unknown" else f"{self.name!r} ({ROLE_NAMES[self.role]})"


@dataclass(frozen=True, slots=True)
class Reading:
    """How a table is read; `recognise` returns it.

    Attributes
    ----------
    kind
        ``"scores"``, ``"votes"`` or ``"labels"``.
    columns
        The columns of the items, the reporters and the reports, after the table has been brought into that form.
    others
        The columns that hold no reports, and what they hold.
    notation
        Notation of scores that are not plain numbers, such as decimal commas.
    items
        The columns that name the items together; one, unless an item is named by several columns.
    left_out_rows
        Names in the column of the items whose rows are no items, such as ``"Average"``.
    turned
        Columns of the items in a table with a row for each reporter; empty for other tables.
    missing
        Texts that stand for no report.
    criteria
        Where each reporter's criteria are, and how they are combined; None if each gives one report on an item.
    label_sets
        How reports of several labels are read; None if each has one.
    stated
        What the user has stated beside the columns, such as the scale.
    header_line
        The line of the header in the file, or its two lines, such as 1-2; empty for frames and formats without one.
    """

    kind: Kind
    columns: Columns
    others: tuple[OtherColumn, ...] = ()
    notation: tuple[str, ...] = ()
    items: tuple[str, ...] = ()
    left_out_rows: tuple[str, ...] = ()
    turned: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()
    criteria: Criteria | None = None
    label_sets: LabelSets | None = None
    stated: Stated = field(default_factory=Stated)
    header_line: str = ""

    @property
    def left_out(self) -> tuple[str, ...]:
        """Names of the columns that are not used."""
        return tuple(other.name for other in self.others)

    @property
    def reporters(self) -> tuple[str, ...]:
        """The reporters who are named by columns; empty where a column names them."""
        return self.criteria.reporters if self.criteria else self.columns.judges

    @property
    def values(self) -> tuple[str, ...]:
        """The columns of the table that hold reports."""
        of_criteria = self.criteria.values if self.criteria else ()
        return self.turned or self.columns.judges or of_criteria or (before_votes(self).columns.value,)

    @property
    def gold(self) -> tuple[str, ...]:
        """Columns of the truth."""
        return self._others("gold")

    @property
    def weight(self) -> tuple[str, ...]:
        """Columns of weights."""
        return self._others("weight")

    @property
    def group(self) -> tuple[str, ...]:
        """Columns of groups, such as the nations of the reporters."""
        return self._others("group")

    @property
    def official_result(self) -> tuple[str, ...]:
        """Columns of results that somebody else has computed."""
        return self._others("result")

    @property
    def order(self) -> tuple[str, ...]:
        """The column by which a report is first or last; if none was named, columns of dates, times or an order."""
        return (self.columns.order,) if self.columns.order else self._others("order")

    @property
    def scale(self) -> tuple[float, float] | None:
        """The lowest and the highest possible score; None if it was not stated."""
        return self.stated.scale

    @property
    def direction(self) -> str | None:
        """Whether the highest (``"high"``) or the lowest (``"low"``) score is the best; None if it was not stated."""
        return self.stated.better

    @property
    def form(self) -> str:
        """``"turned"``, ``"wide"`` or ``"long"``."""
        return "turned" if self.turned else "wide" if self.columns.judges else "long"

    def facts(self) -> dict[str, Any]:
        """Return the reading as plain data, as the command ``bribeproof read`` prints it with ``--json``."""
        where, stated = before_votes(self).columns, self.stated
        sets = None if self.label_sets is None else self.label_sets.options
        criteria = {"how": self.criteria.how, "weights": self.criteria.listed} if self.criteria else None
        return {
            "kind": self.kind, "form": self.form, "items": list(self.turned or self.items) or where.item,
            "reporters": list(self.reporters) or where.reporter,
            "values": where.value if self.values == (where.value,) else list(self.values),
            "criteria": criteria, "label_sets": sets,
            "gold": list(self.gold),
            "weight": list(self.weight), "group": list(self.group), "order": list(self.order),
            "official_result": list(self.official_result),
            "left_out": {other.name: other.role for other in self.others}, "left_out_rows": list(self.left_out_rows),
            "header_line": self.header_line or None, "missing": list(self.missing), "notation": list(self.notation),
            "direction": self.direction, "scale": None if self.scale is None else list(self.scale),
            "repeats": stated.repeats or "error", "total": stated.total, "factor": list(stated.factor),
            "minus": stated.minus,
        }  # fmt: skip

    def _others(self, role: Role) -> tuple[str, ...]:
        """Return the columns without reports that have a role."""
        return tuple(other.name for other in self.others if other.role == role)

    def describe(self) -> str:
        """Return in one line how the table is read.

        Examples
        --------
        >>> Reading("scores", Columns("entry", judges=("j1", "j2")), (OtherColumn("average", "result"),)).describe()
        "scores, wide form: items in 'entry', 2 reporters: 'j1', 'j2'; left out: 'average' (a result)"
        """
        where = self.columns
        items = f"items in {' and '.join(map(repr, self.items or (where.item,)))}"
        item = before_votes(self).columns.item
        if item in (ROW_NUMBER, ONE_ITEM):
            items = "each row is an item" if item == ROW_NUMBER else "all rows are about one item"
        if self.turned:
            text = (
                f"{self.kind}, turned: a row for each reporter, named in {where.reporter!r}; "
                f"{count(len(self.turned), 'item')}: {list_names(self.turned, most=_NAMED)}"
            )
        elif where.judges:
            names = list_names(self.reporters, most=_NAMED)
            text = f"{self.kind}, wide form: {items}, {count(len(self.reporters), 'reporter')}: {names}"
        else:
            values = list_names(self.values, most=_NAMED)
            text = f"{self.kind}, long form: {items}, reporters in {where.reporter!r}, reports in {values}"
        if where.asked:
            text += f"; reporters asked in {where.asked!r}"
        if where.order:
            text += f"; order of edits in {where.order!r}"
        text += "".join(f"; {one.describe()}" for one in (self.criteria, self.label_sets) if one)
        text += "".join(f"; {one}" for one in (*self.notation, *self.stated.describe()))
        if self.others:
            shown, more = self.others[:_NAMED], len(self.others) - _NAMED
            text += f"; left out: {', '.join(map(str, shown))}" + f" and {more:,} more" * (more > 0)
        if self.left_out_rows:
            text += f"; rows that are no items: {list_names(self.left_out_rows, most=_NAMED)}"
        return text


def has_sets(reading: Reading) -> bool:
    """Return whether reports hold several labels."""
    return reading.label_sets is not None and reading.label_sets.how != "none"


def of_votes(reading: Reading) -> Reading:
    """Return the reading of votes on each label, where labels are voted on; else the same."""
    sets = reading.label_sets
    if sets is None or sets.how != "each":
        return reading
    item = reading.columns.item
    columns = replace(reading.columns, item=f"{item}, {LABEL}")
    return replace(reading, kind="votes", columns=columns, label_sets=replace(sets, item=item))


def before_votes(reading: Reading) -> Reading:
    """Return the reading by which a table is brought into its form before labels are voted on."""
    sets = reading.label_sets
    if sets is None or sets.how != "each":
        return reading
    return replace(reading, columns=replace(reading.columns, item=sets.item))
