"""Commit to the reports of a file or a frame before the seed of a random draw is known."""

from collections.abc import Sequence
from os import PathLike
from typing import Any

from bribeproof.aggregation.recognised import recognised_options, stated_options
from bribeproof.errors import ParameterError
from bribeproof.frames.commitment import commitment_of
from bribeproof.frames.reading.kinds import Kind, implied_kind
from bribeproof.frames.reading.open_read import open_read
from bribeproof.frames.reading.reading import Reading
from bribeproof.frames.validation import validate_reports


def commitment(
    frame: Any,
    *,
    kind: Kind | None = None,
    item: str | Sequence[str] | None = None,
    reporter: str | None = None,
    value: str | None = None,
    judges: Sequence[str] = (),
    turned: bool | None = None,
    not_items: Sequence[str] | None = None,
    reading: Reading | str | PathLike[str] | None = None,
    missing: Sequence[object] = (),
    repeats: str | None = None,
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
    kind, item, reporter, value, judges, turned, not_items, reading
        As in `aggregate`.
    missing, repeats, order, classes, positive, asked, faulty
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
    docs/reference/draws.md says how to recompute it; docs/theory.md §15 why the seed of a draw must come after the
    reports.

    Examples
    --------
    >>> import polars as pl
    >>> votes = pl.DataFrame({"task": ["t"] * 3, "worker": ["a", "b", "c"], "label": ["x", "y", "z"]})
    >>> commitment(votes)[:16]
    '747ee5d796c26152'
    >>> commitment(votes.reverse()) == commitment(votes)
    True
    """
    given: dict[str, Any] = {
        "kind": kind, "item": item, "reporter": reporter, "value": value, "judges": judges, "turned": turned,
        "not_items": not_items, "missing": missing, "repeats": repeats, "asked": asked,
        "order": None if order is None else str(order),
    }  # fmt: skip
    options = {"classes": classes, "positive": positive, "asked": asked, "faulty": faulty}
    implied = implied_kind(None, classes, is_vote=positive is not None)
    with open_read(frame, given, reading, implied=implied) as table:
        return commitment_recognised(table.prepared, table.recognised, options | {"missing": table.missing})


def commitment_recognised(frame: Any, recognised: Reading, options: dict[str, Any]) -> str:
    """Return the commitment to the reports of a frame whose kind and columns are known."""
    if recognised.kind == "scores":
        raise ParameterError("scores are never drawn at random, so there is nothing to commit to; give kind='labels'")
    schema, _ = recognised_options(recognised, stated_options(recognised) | options)
    return commitment_of(validate_reports(frame, schema, scores=False))
