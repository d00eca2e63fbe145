"""Reports for tests, and what stands in them."""

import datetime
import re
from typing import Any

import polars as pl

import bribeproof as bp
from bribeproof.reporting.document import DataTable, Report, Sentences

DATE = datetime.date(2026, 2, 3)


def made(frame: Any, k: int | None = 1, **options: Any) -> Report:
    """Return a report of a fixed date."""
    return bp.report(frame, k, date=DATE, **options)


def undated(page: str) -> str:
    """Return a page without its date: midnight may come between two pages."""
    return re.sub(r"\d{1,2} [A-Z][a-z]+ 20\d\d", "DATE", page)


def table(report: Report, name: str) -> pl.DataFrame:
    """Return the table of that name."""
    (found,) = (one.frame for one in report.tables if one.name == name)
    return found


def names(report: Report) -> list[str]:
    """Return the names of the tables."""
    return [one.name for one in report.tables]


def said(report: Report, section: str) -> str:
    """Return the sentences of a section."""
    (found,) = (one for one in report.sections if one.name == section)
    return "\n".join(line for block in found.blocks if isinstance(block, Sentences) for line in block.lines)


def shown(report: Report, name: str) -> DataTable:
    """Return the table of that name with how it is shown."""
    (found,) = (one for one in report.tables if one.name == name)
    return found
