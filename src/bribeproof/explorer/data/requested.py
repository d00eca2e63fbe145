"""The files that a request brings, or names by their keys."""

from typing import TYPE_CHECKING

from fastapi import Request
from starlette.concurrency import run_in_threadpool
from starlette.datastructures import UploadFile

from bribeproof.errors import FileError
from bribeproof.explorer.data.pages import Source
from bribeproof.explorer.tables.uploads import Upload

if TYPE_CHECKING:
    from bribeproof.explorer.tables.uploads import Uploads


async def receive_file(request: Request) -> Upload:
    """Store the file that a form sends.

    Raises
    ------
    FileError
        If none arrived, or it cannot be kept.
    """
    uploads: Uploads = request.app.state.uploads
    async with request.form(max_files=1, max_fields=1) as form:
        sent = form.get("file")
        if not isinstance(sent, UploadFile) or not sent.filename:
            raise FileError("no file arrived: choose one, or drop it on the form")
        return await run_in_threadpool(uploads.add, sent.filename, sent.file)


def find_source(request: Request, key: str, truth: str) -> Source:
    """Return an uploaded file, and that of the truth of its items, by their keys.

    Parameters
    ----------
    request
        The request.
    key, truth
        The keys; that of the truth is empty if there is none.

    Raises
    ------
    FileError
        If there is no such file any more.
    """
    uploads: Uploads = request.app.state.uploads
    known = uploads.get(truth) if truth else None
    return Source(uploads.get(key), known, request.app.state.settings.upload_bytes)
