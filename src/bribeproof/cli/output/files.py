"""Write results as JSON and to files."""

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import polars as pl

    from bribeproof.aggregation.result import Aggregation


def print_json(document: dict[str, Any]) -> None:
    """Print a document as JSON; other types are written as text."""
    sys.stdout.write(json.dumps(document, indent=2, allow_nan=False, default=str) + "\n")


def write_rows(frame: "pl.DataFrame", output: Path, what: str) -> str:
    """Write a table to a file, and return a note for the user."""
    from bribeproof.io.write import write_table

    write_table(frame, output)
    return f"wrote {frame.height:,} {what} to {output}"


def write_predictions(aggregation: "Aggregation", tasks: Path, output: Path) -> str:
    """Write decisions to a file that Label Studio imports, and return a note for the user."""
    from bribeproof._text import count
    from bribeproof.aggregation.label_studio import label_studio_predictions
    from bribeproof.io.atomic import write_whole

    found = label_studio_predictions(aggregation, tasks)
    text = json.dumps(found, indent=1, ensure_ascii=False, allow_nan=False) + "\n"
    write_whole(output, lambda file: file.write(text.encode()))
    without = sum(not task["predictions"] for task in found)
    undecided = f"; {count(without, 'task')} without a decision, and so without a prediction" if without else ""
    return f"wrote predictions for {count(len(found) - without, 'task')} to {output}{undecided}"
