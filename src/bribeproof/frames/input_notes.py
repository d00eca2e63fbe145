"""Note what was done to ordinary input while it was read: trimmed texts, merged spellings, silent reporters."""

from typing import Any

import narwhals.stable.v2 as nw
import polars as pl

from bribeproof._text import count, list_names, shorten
from bribeproof._warnings import note
from bribeproof.frames.native import collect
from bribeproof.frames.schema import REPORTER, VALUE

_NAMED = 20
"""The most reporters that a note names."""
_SHOWN = 3
"""The most groups of spellings that a note shows."""


def note_cleaned(cells: int) -> None:
    """Note how many names and reports were written with outer white space, or with accents apart."""
    if cells:
        texts = count(cells, "name or report was", "names and reports were")
        note(f"{texts} trimmed of outer white space, or brought to Unicode form NFC")


def note_merged(written: pl.Series, read: pl.Series) -> None:
    """Note which spellings of whole numbers are one label.

    Parameters
    ----------
    written, read
        The different labels as written, and each as it is read.
    """
    pairs = pl.DataFrame({"read": read.cast(pl.String), "written": written.cast(pl.String)})
    merged = pairs.group_by("read").agg(pl.col("written").sort()).filter(pl.col("written").list.len() > 1).sort("read")
    if not merged.is_empty():
        shown = "; ".join(", ".join(map(shorten, spellings)) for spellings in merged["written"].head(_SHOWN).to_list())
        more = f" and {merged.height - _SHOWN:,} more" * (merged.height > _SHOWN)
        note(f"spellings of one label: {shown}{more}")


def note_silent(rows: nw.LazyFrame[Any]) -> None:
    """Note the reporters without any report."""
    present = (~nw.col(VALUE).is_null()).cast(nw.Int64)
    reports = rows.select(REPORTER, present.alias("_reports")).group_by(REPORTER).agg(nw.col("_reports").max())
    silent = collect(reports.filter(nw.col("_reports") == 0))[REPORTER]
    if not silent.is_empty():
        names = sorted(silent.to_list(), key=str)
        note(f"without any report, and counted in n: {count(len(names), 'reporter')}: {list_names(names, most=_NAMED)}")
