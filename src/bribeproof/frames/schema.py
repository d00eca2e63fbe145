"""Which columns of a data frame hold the items, the reporters and the reports, and how their values are read."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from bribeproof._text import list_names
from bribeproof._validation import scale_ends, whole_number
from bribeproof.errors import ColumnError, ParameterError, ParameterTypeError

ROW, ITEM, REPORTER, VALUE = "_row", "_item", "_reporter", "_value"
ASKED, SET_ASIDE = "_asked", "_set_aside"
"""The columns of how many reporters were asked about the item, and of 1 where the report is set aside; if any are."""
BRIBED = "_bribed"
"""The column of how many reporters of the item can be bribed at most, where one bribe buys a group."""
ORDER = "_order"
"""The column by which the first or the last of several reports counts; if there is one."""
CLEANED = "_cleaned"
"""The column of how many of the texts of a row were trimmed or composed; dropped after the profile is taken."""
FAULTY_RULES = ("error", "set aside")


@dataclass(frozen=True, slots=True)
class ReportSchema:
    """How a data frame stores its reports, as the keyword arguments of a public function describe it.

    Attributes
    ----------
    item
        Name of the column of the items.
    reporter, value
        Long form: names of the columns of the reporters and of their reports.
    judges
        Wide form: names of the columns that hold one reporter's reports each; None in long form.
    missing
        Values that stand for a missing report, beside empty cells, NaN and null.
    repeats
        Which report to keep if a reporter gives an item two different ones: ``"error"`` raises, ``"first"`` and
        ``"last"`` keep one, ``"drop"`` keeps neither.
    order
        The column by which a report is first or last, such as the time of an edit; None for the order of rows.
    decimal_mark
        Decimal mark of scores that are text, ``"."`` or ``","``; None to detect it.
    positive
        The vote that counts as 1.
    classes
        All classes in class order; None for those that the reports contain.
    asked
        How many reporters each item was given to: a count, or the name of a column; None if it is not stated.
    scale
        The lowest and the highest possible score; None if it is not stated.
    faulty
        What to do with reports that no honest reporter sends: ``"error"`` raises and offers ``"set aside"``, which
        counts their senders as bribed; None raises, and offers nothing.
    may_be_sets
        Whether labels of the same words in another order raise a warning.
    by_group
        Whether the rows say how many reporters of their item can be bribed (`BRIBED`), as groups are bribed together.
    """

    item: object = "task"
    reporter: object = "worker"
    value: object = "label"
    judges: Sequence[object] | None = None
    missing: Sequence[object] = ()
    repeats: str = "error"
    decimal_mark: str | None = None
    positive: object = 1
    classes: Sequence[object] | None = None
    asked: object = None
    scale: Sequence[float] | None = None
    faulty: str | None = None
    order: object = None
    may_be_sets: bool = True
    by_group: bool = False

    def __post_init__(self) -> None:
        check_name_list("judges", self.judges)
        if self.order is not None and self.repeats not in ("first", "last"):
            raise ParameterError(
                f"order={self.order!r} has no effect: it says which report is the last, with repeats='last' "
                f"(--repeats last), or the first"
            )
        if self.asked_count is not None:
            whole_number("asked", self.asked, minimum=1)
        if self.scale is not None:
            scale_ends(self.scale)
        if self.faulty not in (None, *FAULTY_RULES):
            raise ParameterError(f"faulty={self.faulty!r}: use one of {', '.join(map(repr, FAULTY_RULES))}")

    @property
    def asked_count(self) -> Any:
        """How many reporters each item was given to; None if a column says it, or nothing."""
        return None if isinstance(self.asked, str) else self.asked

    @property
    def sets_aside(self) -> bool:
        """Whether reports that no honest reporter sends are set aside."""
        return self.faulty == "set aside"


def check_name_list(parameter: str, names: object) -> None:
    """Raise a `ParameterTypeError` if one name is given where a list of names is expected."""
    if isinstance(names, str):
        raise ParameterTypeError(f"{parameter} = {names!r} is one name; give a list of names, such as [{names!r}]")


@dataclass(frozen=True, slots=True)
class Columns:
    """The columns of a particular frame that hold its reports.

    Attributes
    ----------
    item
        The column of the items.
    reporter, value
        Long form: the columns of the reporters and of their reports.
    judges
        Wide form: one column per reporter; empty in long form.
    asked
        The column of how many reporters each item was given to; empty if there is none.
    order
        The column by which a report is first or last; empty if there is none.
    """

    item: str
    reporter: str = ""
    value: str = ""
    judges: tuple[str, ...] = ()
    asked: str = ""
    order: str = ""

    @property
    def used(self) -> tuple[str, ...]:
        """All the columns, the item's first."""
        return (self.item, *(self.judges or (self.reporter, self.value)), *filter(None, (self.asked, self.order)))

    @classmethod
    def find(cls, names: Sequence[str], schema: ReportSchema) -> "Columns":
        """Find the columns of a schema among the columns of a frame.

        In wide form, if the frame has no column ``schema.item`` and exactly one column that is not a reporter's, that
        column is the item.

        Raises
        ------
        ColumnError
            If a column does not exist; the message lists the columns of the frame.
        ParameterError
            If a column has a reserved name or is named twice.

        Examples
        --------
        >>> Columns.find(["entry", "j1", "j2"], ReportSchema(judges=["j1", "j2"])).item
        'entry'
        """
        wide = schema.judges is not None
        item = str(schema.item)
        wanted = [str(name) for name in ([schema.reporter, schema.value] if schema.judges is None else schema.judges)]
        asked = schema.asked if isinstance(schema.asked, str) else ""
        order = "" if schema.order is None else str(schema.order)
        existing, reports = set(names), {*wanted, asked, order}
        others = [name for name in names if name not in reports]
        if wide and item not in existing and len(others) == 1:
            item = others[0]
        if asked and asked not in existing:
            raise ColumnError(
                f"asked={asked!r}: there is no such column; give a count, such as asked=5, or one of: "
                f"{', '.join(map(repr, names))}"
            )
        if order and order not in existing:
            raise ColumnError(f"order={order!r}: there is no such column; the columns are: {list_names(names)}")
        absent = [name for name in (item, *wanted) if name not in existing]
        if absent:
            raise ColumnError(
                f"there is no column {absent[0]!r}; the columns are: {list_names(names)}. Name those of the "
                f"items, the reporters and the reports, or judges=[...] (--judges) if every reporter has a column"
            )
        if asked and asked in (item, *wanted):
            raise ParameterError(f"asked={asked!r} is the column of the items, the reporters or their reports")
        if order and order in (item, *wanted, asked):
            raise ParameterError(f"order={order!r} is the column of the items, the reporters or their reports")
        internal = (ORDER, ROW, ITEM, REPORTER, VALUE, ASKED, SET_ASIDE, BRIBED)
        reserved = [name for name in (item, *wanted, asked, order) if name in internal]
        if reserved:
            raise ParameterError(f"column {reserved[0]!r} has a name that the library uses internally: rename it")
        if not wanted or len({item, *wanted}) <= len(wanted):
            raise ParameterError(f"columns {[item, *wanted]!r}: name at least one reporter, and no column twice")
        if wide:
            return cls(item, judges=tuple(wanted), asked=asked, order=order)
        return cls(item, wanted[0], wanted[1], asked=asked, order=order)
