"""Store rows on disk: reports until all of an item's are read, and answers until they are sorted."""

import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

import narwhals.stable.v2 as nw
import numpy as np
import polars as pl

from bribeproof.errors import FileError
from bribeproof.frames.schema import ITEM, ROW
from bribeproof.io.formats import POLARS_ERRORS, reason

if TYPE_CHECKING:
    from numpy.typing import NDArray

PART = "_part"

_BUFFER = 1 << 22
"""The number of rows that are collected before they are written."""
_BATCH = 1 << 15
"""The number of rows that are compressed together, so that a slice of a file can be read."""
_BUCKET = 1 << 20
"""The number of answers that are sorted at a time."""


class PartitionedReports:
    """Store of reports on disk, in parts that hold all reports on their items.

    Parameters
    ----------
    folder
        An empty folder.
    count
        How many parts.

    Examples
    --------
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     parts = PartitionedReports(Path(folder), 2)
    ...     parts.add(pl.DataFrame({ITEM: ["a", "b", "a"], "_value": [1, 0, 0]}))
    ...     parts.finish().collect().group_by(ITEM).agg(pl.col(PART).n_unique())[PART].to_list()
    [1, 1]
    """

    def __init__(self, folder: Path, count: int) -> None:
        self.count = count
        self._folder = folder
        self._waiting: list[pl.DataFrame] = []
        self._rows = 0
        self._files = 0

    def add(self, rows: pl.DataFrame) -> None:
        """Add reports."""
        self._waiting.append(rows)
        self._rows += rows.height
        if self._rows >= _BUFFER:
            self._write()

    def finish(self) -> pl.LazyFrame:
        """Return all reports, with their part in the column ``PART``; a filter on it reads only that part."""
        self._write()
        return pl.scan_ipc(self._folder / "*" / "*.arrow", hive_partitioning=True)

    def _write(self) -> None:
        """Write the collected rows, one file for each part."""
        if not self._waiting:
            return
        rows = pl.concat(self._waiting).with_columns((pl.col(ITEM).hash() % self.count).alias(PART))
        self._waiting, self._rows = [], 0
        for (part,), some in rows.partition_by(PART, as_dict=True, include_key=False).items():
            _write(some, self._folder / f"{PART}={part}" / f"{self._files}.arrow")
        self._files += 1


class SpilledAnswers:
    """Store of answers on disk, which are sorted when they are complete.

    Parameters
    ----------
    folder
        An empty folder.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._places: list[NDArray[np.int64]] = []

    def add(self, items: pl.DataFrame) -> None:
        """Add the answers of one part, sorted by their column ``ROW``."""
        _write(items, self._part(len(self._places)))
        self._places.append(items[ROW].to_numpy())

    def finish(self) -> pl.LazyFrame:
        """Return all answers sorted by ``ROW``, without that column."""
        ends = np.sort(np.concatenate(self._places))[_BUCKET::_BUCKET]
        cuts = [[0, *np.searchsorted(places, ends), len(places)] for places in self._places]
        for bucket in range(len(ends) + 1):
            slices = [
                pl.scan_ipc(self._part(part)).slice(cut[bucket], cut[bucket + 1] - cut[bucket])
                for part, cut in enumerate(cuts)
            ]
            ordered = pl.concat(slices).collect().sort(ROW).drop(ROW)
            _write(ordered, self._folder / f"ordered-{bucket:09}.arrow")
        for part in range(len(self._places)):
            self._part(part).unlink()
        return pl.scan_ipc(self._folder / "ordered-*.arrow")

    def _part(self, part: int) -> Path:
        """Return the path of the file of a part."""
        return self._folder / f"part-{part}.arrow"


def split(rows: nw.LazyFrame[Any], count: int) -> list[nw.LazyFrame[Any]]:
    """Return the parts of some rows as lazy frames."""
    return [rows] if count == 1 else [rows.filter(nw.col(PART) == part).drop(PART) for part in range(count)]


def _write(rows: pl.DataFrame, path: Path) -> None:
    """Write a file; if there is no room for it, raise an error that says how to get more."""
    try:
        path.parent.mkdir(exist_ok=True)
        rows.write_ipc(path, compression="lz4", record_batch_size=_BATCH)
    except (OSError, *POLARS_ERRORS) as error:
        raise FileError(
            f"the reports do not fit in the folder for temporary files, {tempfile.gettempdir()} ({reason(error)}); "
            f"name a larger one in the environment variable TMPDIR"
        ) from None
