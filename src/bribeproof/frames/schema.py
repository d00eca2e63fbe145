"""Which columns of a frame hold the items, the reporters and the reports, and what they are called inside."""

from collections.abc import Sequence
from dataclasses import dataclass

from bribeproof.errors import ParameterError

ROW, ITEM, REPORTER, VALUE = "_row", "_item", "_reporter", "_value"


@dataclass(frozen=True, slots=True)
class Columns:
    """Where a frame keeps its reports.

    Attributes
    ----------
    item
        The column of the items.
    reporter, value
        Long form: the columns of the reporters and of what they say.
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
    def find(
        cls,
        names: Sequence[str],
        *,
        item: object,
        reporter: object,
        value: object,
        judges: Sequence[object] | None,
    ) -> "Columns":
        """Check the columns that were asked for against the columns that are there.

        In wide form, where ``item`` is not there and only one column is no judge's, that column is the item.

        Raises
        ------
        ParameterError
            If a column is not there (the message lists those that are) or is named twice.

        Examples
        --------
        >>> Columns.find(["entry", "j1", "j2"], item="task", reporter="", value="", judges=["j1", "j2"]).item
        'entry'
        """
        wide = judges is not None
        item = str(item)
        wanted = [str(name) for name in ([reporter, value] if judges is None else judges)]
        known, asked = set(names), set(wanted)
        others = [name for name in names if name not in asked]
        if wide and item not in known and len(others) == 1:
            item = others[0]
        absent = [name for name in (item, *wanted) if name not in known]
        if absent:
            raise ParameterError(
                f"there is no column {absent[0]!r}; the columns are: {', '.join(map(repr, names))}. Name those of the "
                f"items, the reporters and the reports, or judges=[...] (--judges) where every reporter has a column"
            )
        reserved = [name for name in (item, *wanted) if name in (ROW, ITEM, REPORTER, VALUE)]
        if reserved:
            raise ParameterError(f"column {reserved[0]!r} has a name that is used inside: rename it")
        if not wanted or len({item, *wanted}) <= len(wanted):
            raise ParameterError(f"columns {[item, *wanted]!r}: every column can have only one part, and one is needed")
        return cls(item, judges=tuple(wanted)) if wide else cls(item, wanted[0], wanted[1])
