"""Write a report as a workbook: what it says on the first sheet, and a sheet for each table."""

from io import BytesIO

import polars as pl

from bribeproof.io.excel.writer import write_sheets
from bribeproof.reporting.document import Code, Facts, Report, Sentences


def render_workbook(report: Report) -> bytes:
    """Return a report as an .xlsx workbook."""
    sheets = {"Report": _words(report)}
    for table in report.tables:
        headings = [column.heading for column in table.columns]
        sheets[table.name] = table.frame.rename(dict(zip(table.frame.columns, _unique(headings), strict=True)))
    file = BytesIO()
    write_sheets(sheets, file, f"the workbook of {report.title}")
    return file.getvalue()


def _words(report: Report) -> pl.DataFrame:
    """Return what a report says outside of its tables."""
    rows: list[tuple[str, str]] = [("", report.title), ("", report.subject), ("", report.date.isoformat())]
    for section in report.sections:
        for block in section.blocks:
            if isinstance(block, Sentences):
                rows += [(section.heading, line) for line in block.lines]
            elif isinstance(block, Facts):
                rows += [
                    (section.heading, f"{one.label}: {one.value}{f' ({one.aside})' if one.aside else ''}")
                    for one in block.facts
                ]
            elif isinstance(block, Code):
                rows += [(section.heading, line) for line in block.text.splitlines() if line]
    return pl.DataFrame(rows, schema=["Section", "What the report says"], orient="row")


def _unique(headings: list[str]) -> list[str]:
    """Return headings without repetition."""
    return [name + " " * headings[:place].count(name) for place, name in enumerate(headings)]
