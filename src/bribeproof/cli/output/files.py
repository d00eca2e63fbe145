"""Write results as JSON and to files."""

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import polars as pl


def print_json(document: dict[str, Any]) -> None:
    """Print a document as JSON; other types are written as text."""
    sys.stdout.write(json.dumps(document, indent=2, allow_nan=False, default=str) + "\n")


def write_rows(frame: "pl.DataFrame", output: Path, what: str) -> str:
    """Write a table to a file, and return a note for the user."""
    from bribeproof.io.write import write_table

    write_table(frame, output)
    return f"wrote {frame.height:,} {what} to {output}"
