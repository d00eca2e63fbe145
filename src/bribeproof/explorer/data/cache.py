"""Files that were read and what was computed of them: kept for a while, so that a slider only asks for what is new."""

from collections import OrderedDict
from collections.abc import Callable, Hashable
from pathlib import Path
from threading import Lock
from typing import Any, Generic, TypeVar

from bribeproof.errors import BribeproofError, FileError
from bribeproof.explorer.data.analysis import Analysis, base, outcome
from bribeproof.explorer.data.query import DataQuery
from bribeproof.explorer.locks import WARNING
from bribeproof.explorer.uploads import Upload
from bribeproof.frames.out_of_core import scan_table
from bribeproof.io.read import Table

_TABLE_BYTES = 1 << 30
_OUTCOME_BYTES = 1 << 29

_Value = TypeVar("_Value")


class LruCache(Generic[_Value]):
    """The values that were used last, at most so many bytes of them and at least one.

    Parameters
    ----------
    most_bytes
        When there are more, the values that were not used for longest go.
    """

    def __init__(self, most_bytes: int) -> None:
        self._most_bytes = most_bytes
        self._values: OrderedDict[Hashable, tuple[_Value, int]] = OrderedDict()
        self._lock = Lock()

    def get(self, key: Hashable) -> _Value | None:
        """Return a value, None if it is not here."""
        with self._lock:
            if key not in self._values:
                return None
            self._values.move_to_end(key)
            return self._values[key][0]

    def put(self, key: Hashable, value: _Value, size: int) -> None:
        """Keep a value of so many bytes."""
        with self._lock:
            self._values[key] = value, size
            self._values.move_to_end(key)
            total = sum(size for _, size in self._values.values())
            while total > self._most_bytes and len(self._values) > 1:
                total -= self._values.popitem(last=False)[1][1]


class AnalysisCache:
    """What lies on the desk: tables and outcomes. One is read or computed at a time."""

    def __init__(self) -> None:
        self._tables: LruCache[Table] = LruCache(_TABLE_BYTES)
        self._outcomes: LruCache[Analysis] = LruCache(_OUTCOME_BYTES)

    def table(self, sheet: Upload, asked: DataQuery, most_bytes: int) -> Table:
        """Read a file.

        Parameters
        ----------
        sheet
            The file.
        asked
            How it is read.
        most_bytes
            The largest file that is looked into.

        Raises
        ------
        FileError, ParameterError
            If it cannot be read so; its owner's name of it stands in the message.
        """
        if _stamp(sheet.path)[1] > most_bytes:
            raise _too_large(sheet)
        return self._found(
            self._tables,
            (sheet.path, _stamp(sheet.path), tuple(asked.reading.values())),
            lambda: _read(sheet, asked),
            lambda table: int(table.frame.estimated_size()),
        )

    def outcome(self, table: Table, sheet: Upload, asked: DataQuery) -> Analysis:
        """Aggregate a table as it is asked, and compare with no protection at all.

        Raises
        ------
        DataError, ParameterError
            If the table does not hold such reports.
        """
        options, k = asked.options, asked.heads
        key = sheet.path, _stamp(sheet.path), tuple(asked.reading.values()), repr(options)

        def kept(k: int, make: Callable[[], Analysis]) -> Analysis:
            return self._found(self._outcomes, (*key, k), make, lambda one: one.size)

        first = kept(0, lambda: base(table, options))
        chosen = min(1, first.largest) if k is None else k
        return first if chosen == 0 else kept(chosen, lambda: outcome(first, chosen, rounded="decimals" in options))

    def _found(
        self, kept: LruCache[_Value], key: Hashable, make: Callable[[], _Value], size: Callable[[_Value], int]
    ) -> _Value:
        """Return what is kept, else what is made."""
        found = kept.get(key)
        if found is None:
            with WARNING:
                found = kept.get(key)
                if found is None:
                    found = make()
                    kept.put(key, found, size(found))
        return found


def _stamp(path: Path) -> tuple[int, int]:
    """Return what is another when a file was changed: its time and its size."""
    try:
        found = path.stat()
    except OSError:
        return 0, 0
    return found.st_mtime_ns, found.st_size


def _read(sheet: Upload, asked: DataQuery) -> Table:
    """Read a file, and call it what its owner calls it."""
    reading: dict[str, Any] = asked.reading
    try:
        with scan_table(sheet.path, **reading, in_memory=_TABLE_BYTES) as table:
            if isinstance(table, Table):
                return table
    except BribeproofError as error:
        raise type(error)(str(error).replace(str(sheet.path), sheet.name)) from None
    raise _too_large(sheet)


def _too_large(sheet: Upload) -> FileError:
    """Say that a file is too large."""
    return FileError(f"{sheet.name} is too large to be looked into here: use the command, bribeproof aggregate")
