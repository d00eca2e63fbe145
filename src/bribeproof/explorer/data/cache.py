"""Caches of tables and of their answers, so that moving a slider does not read or aggregate again."""

from collections import OrderedDict
from collections.abc import Callable, Hashable
from dataclasses import replace
from pathlib import Path
from threading import Lock
from typing import Generic, TypeVar

from bribeproof.errors import BribeproofError, FileError
from bribeproof.explorer.data.analysis import Analysis, analyse, analyse_without_protection
from bribeproof.explorer.data.query import READ_FIELDS, DataQuery
from bribeproof.explorer.data.ranked import find_rankings
from bribeproof.explorer.data.worst_bribe import SameReporters
from bribeproof.explorer.tables.reading import read_upload
from bribeproof.explorer.tables.uploads import Upload
from bribeproof.io.read import Table
from bribeproof.reporting.ranked.material import RankedMaterial

_TABLE_BYTES = 1 << 29
_ANALYSIS_BYTES = 1 << 29
_SEARCH_BYTES = 1 << 26
_PLACE_BYTES = 200

_Value = TypeVar("_Value")


class LruCache(Generic[_Value]):
    """A cache that evicts the least recently used values when their total size exceeds a limit.

    Parameters
    ----------
    max_bytes
        Largest total size. The last value stays, however large.
    """

    def __init__(self, max_bytes: int) -> None:
        self._max_bytes = max_bytes
        self._values: OrderedDict[Hashable, tuple[_Value, int]] = OrderedDict()
        self._lock = Lock()

    def get(self, key: Hashable) -> _Value | None:
        """Return a value; None if it is not cached."""
        with self._lock:
            if key not in self._values:
                return None
            self._values.move_to_end(key)
            return self._values[key][0]

    def put(self, key: Hashable, value: _Value, size: int) -> None:
        """Store a value and its size in bytes."""
        with self._lock:
            self._values[key] = value, size
            self._values.move_to_end(key)
            total = sum(size for _, size in self._values.values())
            while total > self._max_bytes and len(self._values) > 1:
                total -= self._values.popitem(last=False)[1][1]


class AnalysisCache:
    """Tables and their analyses; one at a time is read or computed, so that no two threads do the same work."""

    def __init__(self) -> None:
        self._tables: LruCache[Table] = LruCache(_TABLE_BYTES)
        self._analyses: LruCache[Analysis] = LruCache(_ANALYSIS_BYTES)
        self._searches: LruCache[SameReporters] = LruCache(_SEARCH_BYTES)
        self._rankings: LruCache[RankedMaterial] = LruCache(_SEARCH_BYTES)
        self._computing = Lock()

    def table(self, upload: Upload, query: DataQuery, max_bytes: int) -> Table:
        """Return the table in a file.

        Parameters
        ----------
        upload
            The uploaded file.
        query
            How the file is read.
        max_bytes
            Largest file size.

        Raises
        ------
        FileError, ParameterError
            If the file cannot be read this way; the message has the name that the user knows.
        """
        if _file_version(upload.path)[1] > max_bytes:
            raise _too_large(upload)
        return self._cached(
            self._tables,
            (upload.path, _file_version(upload.path), tuple(query.read_options.values())),
            lambda: read_upload(upload.path, upload.name, **query.read_options),
            lambda table: int(table.frame.estimated_size()),
        )

    def analysis(self, table: Table, upload: Upload, query: DataQuery) -> Analysis:
        """Return the answers to a table, compared with those for k = 0.

        Raises
        ------
        DataError, ParameterError
            If the table does not hold reports of this kind.
        """
        options, k, key = query.options, query.adversary_count, _key(upload, query)

        def cached(k: int | None, make: Callable[[], Analysis]) -> Analysis:
            return self._cached(self._analyses, (*key, k), make, lambda one: one.size)

        first = cached(None, lambda: analyse_without_protection(table, options))
        chosen = min(1, first.largest) if k is None else k
        if chosen == 0 and not first.recompute.has_statements:
            return first
        return cached(chosen, lambda: analyse(first, chosen, rounded="decimals" in options))

    def without_protection(self, table: Table, upload: Upload, query: DataQuery) -> Analysis | None:
        """Return the answers for k = 0, whatever k is asked for; None if the reports cannot be read."""
        try:
            return self.analysis(table, upload, replace(query, k="0"))
        except BribeproofError:
            return None

    def rankings(self, table: Table, upload: Upload, query: DataQuery) -> RankedMaterial:
        """Return what was found in a table of judges' rankings.

        Raises
        ------
        DataError, ParameterError
            If the table cannot be read so.
        """
        fields = tuple(getattr(query, name) for name in (*READ_FIELDS, "k"))
        return self._cached(
            self._rankings, (upload.path, _file_version(upload.path), fields),
            lambda: find_rankings(table, upload, query),
            lambda one: _PLACE_BYTES * sum(contest.places.size for contest in one.rankings.contests),
        )  # fmt: skip

    def same_reporters(
        self, analysis: Analysis, upload: Upload, query: DataQuery, *, search: bool
    ) -> SameReporters | None:
        """Return what the same k reporters could have done; None where nobody is bribed.

        Parameters
        ----------
        analysis, upload, query
            The answers to a table, its file, and how it is read.
        search
            Whether it is searched now, unless it was before.
        """
        if not analysis.k:
            return None
        if analysis.k > (there := analysis.facts["reporters"]):
            return SameReporters(why_not=f"there are {there:,} of them, fewer than k")
        key, k = (*_key(upload, query), analysis.k), analysis.k
        if not search:
            return self._searches.get(key) or analysis.recompute.same_reporters(k, searched=False)
        return self._cached(self._searches, key, lambda: analysis.recompute.same_reporters(k), lambda one: one.size)

    def _cached(
        self, cache: LruCache[_Value], key: Hashable, make: Callable[[], _Value], size: Callable[[_Value], int]
    ) -> _Value:
        """Return the cached value, or make and cache it."""
        value = cache.get(key)
        if value is None:
            with self._computing:
                value = cache.get(key)
                if value is None:
                    value = make()
                    cache.put(key, value, size(value))
        return value


def _key(upload: Upload, query: DataQuery) -> tuple[Hashable, ...]:
    """Return what answers depend on beside k: the file, and how it is read."""
    return upload.path, _file_version(upload.path), tuple(query.read_options.values()), repr(query.options)


def _file_version(path: Path) -> tuple[int, int]:
    """Return the modification time and size of a file, which change with its content."""
    try:
        status = path.stat()
    except OSError:
        return 0, 0
    return status.st_mtime_ns, status.st_size


def _too_large(upload: Upload) -> FileError:
    """Return the error for a file that is too large."""
    return FileError(f"{upload.name} is too large for the page: use the command, bribeproof aggregate")
