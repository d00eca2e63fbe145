"""Read the tags of images that the jobs of a CVAT task export, a file of XML for each consensus job."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import polars as pl

from bribeproof.errors import FileError
from bribeproof.io.labelling.cells import labels_cell
from bribeproof.io.labelling.export import Export, ExportFile, Question
from bribeproof.io.labelling.tally import Tally

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from xml.etree.ElementTree import Element


_TOOL = "CVAT"
_ITEM, _REPORTER, _ANSWER = "image", "annotator", "label"
_TAGS, _SHAPES = "cvat:tags", "cvat:shapes"
"""The columns of an image's tags, and of how many shapes it has, before they become reports."""


def read_cvat(blocks: Iterable[bytes], source: str) -> tuple[pl.DataFrame, Sequence[int]]:
    """Return the images of a job in the format CVAT for images 1.1, and the number of each, from 1.

    Parameters
    ----------
    blocks : iterable of bytes
        The text as UTF-8.
    source : str
        The file, for messages.

    Raises
    ------
    FileError
        If it is no such file, or does not say whose job it is.

    Examples
    --------
    >>> job = '<job><id>7</id><assignee><username>ann</username></assignee></job>'
    >>> text = f'<annotations><meta>{job}</meta><image name="a.jpg"><tag label="cat"/></image></annotations>'
    >>> frame, images = read_cvat([text.encode()], "job.xml")
    >>> frame.rows(), list(images)
    ([('a.jpg', 'ann', '["cat"]', 0)], [1])
    """
    from xml.etree import ElementTree  # slow to import

    text = b"".join(blocks).decode()
    if "<!DOCTYPE" in text:
        raise FileError(f"{source}: XML with a document type is not read; export it from CVAT as CVAT for images 1.1")
    try:
        root = ElementTree.fromstring(text)  # noqa: S314 (entities need a document type, which is refused)
    except ElementTree.ParseError as error:
        raise FileError(f"{source}: no valid XML ({error})") from None
    if root.tag != "annotations" or root.find("meta") is None or root.find("track") is not None:
        raise FileError(f"{source}: no export of CVAT in the format CVAT for images 1.1, the only XML that is read")
    who, rows = _annotator(root, source), []
    for number, image in enumerate(root.iter("image"), start=1):
        name = image.get("name")
        tags = [tag.get("label") for tag in image.iter("tag")]
        if not name or None in tags:
            raise FileError(f"{source}, image {number}: {'a tag without a label' if name else 'it has no name'}")
        shapes = sum(part.tag != "tag" for part in image)
        rows.append((name, who, json.dumps(tags, ensure_ascii=False), shapes))
    schema = {_ITEM: pl.String, _REPORTER: pl.String, _TAGS: pl.String, _SHAPES: pl.Int64}
    return pl.DataFrame(rows, schema, orient="row"), range(1, len(rows) + 1)


def _annotator(root: Element, source: str) -> str:
    """Return the assignee of a job, or its number."""
    job = root.find("meta/job")
    number = None if job is None else (job.findtext("id") or "").strip()
    if job is None or not number:
        raise FileError(
            f"{source}: an export of a whole task or project, which does not say who gave a label; export each of its "
            f"consensus jobs, and give their files together: job_1/annotations.xml job_2/annotations.xml"
        )
    return (job.findtext("assignee/username") or "").strip() or f"job {number}"


class CvatReader:
    """Reads the images of a job; see `ExportReader`."""

    tool = _TOOL

    def __init__(self, file: ExportFile) -> None:
        del file  # what is wrong in it was said before
        self._tally = Tally(_TOOL)

    @staticmethod
    def recognises(frame: pl.DataFrame) -> bool:
        """Return whether rows are images of a job."""
        return _TAGS in frame.columns

    @property
    def export(self) -> Export:
        """What a job holds."""
        return Export(_TOOL, _ITEM, _REPORTER, (Question(_ANSWER, _ANSWER, "choice"),))

    @property
    def notes(self) -> tuple[str, ...]:
        """What was read and left out."""
        return (self._tally.note,)

    def convert(self, frame: pl.DataFrame, places: Sequence[int]) -> tuple[pl.DataFrame, Sequence[int]]:
        """Return a row for each image, with its tag, or its tags as a list."""
        labels = [labels_cell(json.loads(tags)) for tags in frame[_TAGS].to_list()]
        self._tally.add("report", sum(label is not None for label in labels))
        self._tally.absent("without a tag", labels.count(None))
        self._tally.beside("shape", "not read, as it is about no whole image", int(frame[_SHAPES].sum()))
        return frame.select(_ITEM, _REPORTER, pl.Series(_ANSWER, labels, pl.String)), places
