"""Which columns of a data frame hold the items, the reporters and the reports, and how their values are read."""

from collections.abc import Sequence
from dataclasses import dataclass

from bribeproof.errors import ColumnError, ParameterError, ParameterTypeError

ROW, ITEM, REPORTER, VALUE = "_row", "_item", "_reporter", "_value"


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
        ``"last"`` keep one by row order, ``"drop"`` keeps neither.
    decimal_mark
        Decimal mark of scores that are text, ``"."`` or ``","``; None to detect it.
    positive
        The vote that counts as 1.
    classes
        All classes in class order; None for those that the reports contain.
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

    def __post_init__(self) -> None:
        check_name_list("judges", self.judges)


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
    """

    item: str
    reporter: str = ""
    value: str = ""
    judges: tuple[str, ...] = ()

    @property
    def used(self) -> tuple[str, ...]:
        """All the columns, the item's first."""
        return (self.item, *(self.judges or (self.reporter, self.value)))

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
        existing, reports = set(names), set(wanted)
        others = [name for name in names if name not in reports]
        if wide and item not in existing and len(others) == 1:
            item = others[0]
        absent = [name for name in (item, *wanted) if name not in existing]
        if absent:
            raise ColumnError(
                f"there is no column {absent[0]!r}; the columns are: {', '.join(map(repr, names))}. Name those of the "
                f"items, the reporters and the reports, or judges=[...] (--judges) if every reporter has a column"
            )
        reserved = [name for name in (item, *wanted) if name in (ROW, ITEM, REPORTER, VALUE)]
        if reserved:
            raise ParameterError(f"column {reserved[0]!r} has a name that the library uses internally: rename it")
        if not wanted or len({item, *wanted}) <= len(wanted):
            raise ParameterError(f"columns {[item, *wanted]!r}: name at least one reporter, and no column twice")
        return cls(item, judges=tuple(wanted)) if wide else cls(item, wanted[0], wanted[1])
