"""Read Parquet in slices of rows."""

from __future__ import annotations

from typing import TYPE_CHECKING

import polars as pl

from bribeproof._text import list_names
from bribeproof.errors import FileError
from bribeproof.io.formats import POLARS_ERRORS, reason
from bribeproof.io.grid.column_names import clean_header
from bribeproof.io.limits import NO_CELL_LIMIT, Limits

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Sequence

    from bribeproof.io.byte_stream import ByteSource

_VALUE = 4  # bytes, at least, that a value of a frame takes


def read_parquet(
    source: ByteSource,
    blocks: Iterable[bytes],
    *,
    size: int,
    columns: Collection[str] | None = None,
    limits: Limits = NO_CELL_LIMIT,
) -> Iterator[tuple[pl.DataFrame, Sequence[int]]]:
    """Read Parquet with its types, in slices also of large row groups.

    Parameters
    ----------
    source : ByteSource
        The open file; its `done` is set to the share of the rows.
    blocks : iterable of bytes
        Its bytes, which are read into memory if the file is not seekable, such as a pipe.
    size : int
        About how many bytes a frame should take.
    columns : collection of str, optional
        The names of the columns to read, without outer white space; by default all.
    limits : Limits, optional
        The largest table, which is checked before any row is read: equal rows take hardly any room in a file.

    Yields
    ------
    tuple of (polars.DataFrame, sequence of int)
        Some rows, and the number of each, from 1.

    Raises
    ------
    FileError
        If the file is damaged or too large, changes while it is read, has none of the columns, a column without a
        name, or two of one name.
    """
    file = source.path if source.path and source.regular else b"".join(blocks)
    try:
        frame = pl.scan_parquet(file, glob=False, hive_partitioning=False)
        stored = frame.collect_schema().names()
        limits.check(source.name, rows=0, columns=len(stored))
        total = frame.select(pl.len()).collect().item()
        names = dict(zip(clean_header(stored, source.name), stored, strict=True))
        if columns is not None:
            names = {name: stored for name, stored in names.items() if name in columns}
            if not names:
                raise FileError(f"{source.name}: has none of the columns {list_names(sorted(columns))}")
        limits.check(source.name, rows=total, columns=len(names))
        chosen = frame.select(pl.col(stored).alias(name) for name, stored in names.items())
        step = max(1, size // (_VALUE * max(1, len(names))))
        for row in range(0, total, step):
            rows = chosen.slice(row, step).collect()
            source.check(by_path=True)
            source.done = (row + rows.height) / total
            yield rows, range(row + 1, row + 1 + rows.height)
    except FileError:
        raise
    except pl.exceptions.DuplicateError as error:
        raise FileError(f"{source.name}: {reason(error)}; rename or remove one of these columns") from None
    except (*POLARS_ERRORS, OSError) as error:
        source.check(by_path=True)
        raise FileError(f"{source.name}: not a whole Parquet file ({reason(error)})") from None
