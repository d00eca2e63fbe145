"""What reading a file gives: all of it, in pieces or at once, or the error."""

from pathlib import Path
from typing import Any

from bribeproof.errors import BribeproofError
from bribeproof.io.chunks import Chunks
from bribeproof.io.read import concat_chunks, read_table


def together(pieces: Chunks) -> object:
    """Put the pieces together, or give the error."""
    try:
        found = list(pieces)
    except BribeproofError as error:
        return str(error)
    rows = [0]
    for piece, later in zip(found, [*found[1:], found[-1]], strict=True):
        assert piece.frame.height
        assert piece.first_row == rows[-1]
        assert piece.frame.columns == later.frame.columns[: piece.frame.width]
        assert piece.done is None or 0 < piece.done <= (later.done or 0) <= 1
        rows.append(rows[-1] + piece.frame.height)
    frame = concat_chunks(found)
    return frame.columns, frame.rows(), pieces.notes, [pieces.places.locate(row) for row in range(rows[-1])]


def whole(path: Path, **options: Any) -> object:
    """Read the file at once, or give the error."""
    try:
        table = read_table(path, **options)
    except BribeproofError as error:
        return str(error)
    return table.frame.columns, table.frame.rows(), table.notes, [*map(table.locate, range(table.frame.height))]
