"""Results as files to download."""

import re
from pathlib import PurePath
from urllib.parse import quote

import polars as pl
from starlette.responses import Response

from bribeproof.explorer.tables.uploads import Upload
from bribeproof.io.scratch import scratch_folder
from bribeproof.io.write import write_table

TYPES = {
    "csv": "text/csv; charset=utf-8",
    "parquet": "application/vnd.apache.parquet",
    "json": "application/json",
    "html": "text/html; charset=utf-8",
    "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
}
"""Media type for each file ending."""
_MAX_LENGTH = 60


def whole_file(result: pl.DataFrame, ending: str) -> bytes:
    """Return a table as the bytes of a file, as the command writes it."""
    with scratch_folder() as folder:
        path = folder / f"result.{ending}"
        write_table(result, path)
        return path.read_bytes()


def download(content: bytes, upload: Upload, k: int, ending: str, what: str = "") -> Response:
    """Return a response with a file, named after the upload, k and what is in it."""
    name = f"{_harmless(PurePath(upload.name).stem)}-k{k}{what}.{ending}"
    headers = {"Content-Disposition": f"attachment; filename*=UTF-8''{quote(name)}"}
    return Response(content, media_type=TYPES[ending], headers=headers)


def _harmless(name: str) -> str:
    """Return a file name that every operating system accepts."""
    return re.sub(r"[^\w-]+", "-", name).strip("-")[:_MAX_LENGTH] or "result"
