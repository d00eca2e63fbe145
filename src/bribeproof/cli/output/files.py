"""Results that leave the command as data: files and JSON."""

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import polars as pl


def print_json(document: dict[str, Any]) -> None:
    """Print a document as JSON; what has no such form becomes text."""
    sys.stdout.write(json.dumps(document, indent=2, allow_nan=False, default=str) + "\n")


def write_rows(frame: "pl.DataFrame", output: Path, what: str) -> str:
    """Write a table to a file, and return what to say about it."""
    from bribeproof.io.write import write_table

    write_table(frame, output)
    return f"wrote {frame.height:,} {what} to {output}"
