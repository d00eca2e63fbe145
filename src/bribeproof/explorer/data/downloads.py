"""Results as files to take away."""

import re
import tempfile
from pathlib import Path, PurePath
from urllib.parse import quote

import polars as pl
from starlette.responses import Response

from bribeproof.explorer.uploads import Upload
from bribeproof.io.write import write_table

TYPES = {
    "csv": "text/csv; charset=utf-8",
    "parquet": "application/vnd.apache.parquet",
    "html": "text/html; charset=utf-8",
}
"""What a file of each ending is to a browser."""
_LONGEST = 60


def whole_file(result: pl.DataFrame, ending: str) -> bytes:
    """Return a table as the file that the command writes."""
    with tempfile.TemporaryDirectory(prefix="bribeproof-") as folder:
        path = Path(folder, f"result.{ending}")
        write_table(result, path)
        return path.read_bytes()


def download(content: bytes, sheet: Upload, k: int, ending: str) -> Response:
    """Answer with a file, called after the sheet."""
    name = f"{_harmless(PurePath(sheet.name).stem)}-k{k}.{ending}"
    headers = {"Content-Disposition": f"attachment; filename*=UTF-8''{quote(name)}"}
    return Response(content, media_type=TYPES[ending], headers=headers)


def _harmless(name: str) -> str:
    """Return a name that every system takes for a file."""
    return re.sub(r"[^\w-]+", "-", name).strip("-")[:_LONGEST] or "result"
