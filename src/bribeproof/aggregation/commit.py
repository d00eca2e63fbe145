"""Commit to the reports of a file or a frame before the seed of a random draw is known."""

from collections.abc import Sequence
from os import PathLike
from pathlib import Path
from typing import Any

from bribeproof.aggregation.aggregate import recognised_options
from bribeproof.errors import ParameterError
from bribeproof.frames.commitment import commitment_of
from bribeproof.frames.out_of_core import scan_table
from bribeproof.frames.reading.from_frame import recognise_frame
from bribeproof.frames.reading.kinds import Kind, implied_kind
from bribeproof.frames.reading.prepare import prepare
from bribeproof.frames.reading.reading import Reading
from bribeproof.frames.validation import validate_reports


def commitment(
    frame: Any,
    *,
    kind: Kind | None = None,
    item: str | None = None,
    reporter: str | None = None,
    value: str | None = None,
    judges: Sequence[str] = (),
    missing: Sequence[object] = (),
    repeats: str = "error",
    order: object = None,
    classes: Sequence[object] | None = None,
    positive: object = None,
    asked: int | str | None = None,
    faulty: str = "error",
) -> str:
    r"""Return a hash of the reports, to be published before anybody knows the seed of a random draw.

    Parameters
    ----------
    frame
        A path, or a data frame, as in `aggregate`.
    kind, item, reporter, value, judges, missing, repeats, order, classes, positive, asked, faulty
        As in `aggregate`; they have to be those of the later call with ``beacon``.

    Returns
    -------
    str
        64 hexadecimal digits. The same for the same reports in any order of rows, on any engine, in any file format;
        another for other reports, items or reporters, also such as have no reports, or for another column of `asked`.

    Raises
    ------
    ParameterError
        If the reports are scores, which are never drawn.
    DataError
        If the reports cannot be read, or are too many to sort in memory.

    Notes
    -----
    docs/aggregate.md says how to recompute it; docs/theory.md §15 why the seed of a draw must come after the reports.

    Examples
    --------
    >>> import polars as pl
    >>> votes = pl.DataFrame({"task": ["t"] * 3, "worker": ["a", "b", "c"], "label": ["x", "y", "z"]})
    >>> commitment(votes)[:16]
    '747ee5d796c26152'
    >>> commitment(votes.reverse()) == commitment(votes)
    True
    """
    options = {"missing": missing, "repeats": repeats, "order": order, "classes": classes, "positive": positive}
    options |= {"asked": asked, "faulty": faulty}
    columns: dict[str, Any] = {"item": item, "reporter": reporter, "value": value, "judges": judges, "asked": asked}
    columns["order"] = None if order is None else str(order)
    kind = implied_kind(kind, classes, is_vote=positive is not None)
    if isinstance(frame, str | PathLike):
        with scan_table(Path(frame)) as table:
            recognised, _ = recognise_frame(table, kind=kind, missing=missing, **columns)
            return commitment_recognised(prepare(table, recognised), recognised, options)
    recognised, _ = recognise_frame(frame, kind=kind, missing=missing, **columns)
    return commitment_recognised(prepare(frame, recognised), recognised, options)


def commitment_recognised(frame: Any, recognised: Reading, options: dict[str, Any]) -> str:
    """Return the commitment to the reports of a frame whose kind and columns are known."""
    if recognised.kind == "scores":
        raise ParameterError("scores are never drawn at random, so there is nothing to commit to; give kind='labels'")
    schema, _ = recognised_options(recognised, options)
    return commitment_of(validate_reports(frame, schema, scores=False))
