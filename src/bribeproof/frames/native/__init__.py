"""Read any kind of data frame, and return results as the same kind."""

from bribeproof.frames.native.open_frame import (
    check_names,
    column_names,
    distinct_rows,
    open_frame,
    to_polars,
    wide_to_long,
)
from bribeproof.frames.native.opened_frame import Categories, OpenedFrame, collect

__all__ = [
    "Categories",
    "OpenedFrame",
    "check_names",
    "collect",
    "column_names",
    "distinct_rows",
    "open_frame",
    "to_polars",
    "wide_to_long",
]
