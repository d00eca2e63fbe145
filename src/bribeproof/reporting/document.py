"""A report as data: sections made of sentences, key numbers, tables, pictures and code."""

import datetime
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, TypeAlias

import polars as pl

from bribeproof.errors import FileError, ParameterTypeError

ENDINGS = (".html", ".xlsx")
"""What a report can be saved as."""
CSP = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"
"""The content security policy of the page: no scripts, no requests."""


@dataclass(frozen=True, slots=True)
class Sentences:
    """Some sentences.

    Attributes
    ----------
    lines
        The sentences, each a paragraph of its own.
    tone
        ``"lead"`` for the answer, ``"plain"``, or ``"note"`` for what a reader should not overlook.
    """

    lines: tuple[str, ...]
    tone: Literal["lead", "plain", "note"] = "plain"


@dataclass(frozen=True, slots=True)
class Fact:
    """A key number.

    Attributes
    ----------
    label
        What is counted.
    value
        The number as text.
    aside
        What it is of, such as a share; may be empty.
    """

    label: str
    value: str
    aside: str = ""


@dataclass(frozen=True, slots=True)
class Facts:
    """Key numbers side by side."""

    facts: tuple[Fact, ...]


@dataclass(frozen=True, slots=True)
class Column:
    """How a column of a table is shown.

    Attributes
    ----------
    heading
        Its heading.
    decimals
        The decimals of its numbers; None for as many as they have, up to three.
    bound
        Whether its numbers are lower or upper bounds, which are rounded so that they still hold.
    good, bad
        Texts that are shown as good news, and as bad.
    """

    heading: str
    decimals: int | None = None
    bound: Literal["", "lower", "upper"] = ""
    good: tuple[str, ...] = ()
    bad: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class DataTable:
    """A table.

    Attributes
    ----------
    name
        A short name, that of its sheet in a workbook.
    caption
        What its rows are.
    frame : polars.DataFrame
        All rows.
    columns
        How its columns are shown, in their order.
    most
        How many rows the page shows; a workbook has all.
    struck
        Cells that are struck through, as pairs of row and column.
    """

    name: str
    caption: str
    frame: pl.DataFrame
    columns: tuple[Column, ...]
    most: int = 30
    struck: frozenset[tuple[int, int]] = frozenset()


@dataclass(frozen=True, slots=True, eq=False)
class Picture:
    """A picture, which is drawn when the page is made.

    Attributes
    ----------
    name
        A short name, unique in the report.
    title
        What it shows, for those who do not see it.
    caption
        A sentence below it.
    draw
        Function that draws on the axes it is given, from `bribeproof.plots`.
    rows
        How many horizontal rows it has; None for a picture of fixed height.
    """

    name: str
    title: str
    caption: str
    draw: Callable[[Any], object]
    rows: int | None = None


@dataclass(frozen=True, slots=True)
class Code:
    """Text to copy.

    Attributes
    ----------
    label
        What it is.
    text
        The text.
    """

    label: str
    text: str


Block: TypeAlias = Sentences | Facts | DataTable | Picture | Code


@dataclass(frozen=True, slots=True, eq=False)
class Section:
    """One question and its answer.

    Attributes
    ----------
    name
        A short name, the anchor of the section.
    heading
        The heading.
    blocks
        What it says and shows.
    """

    name: str
    heading: str
    blocks: tuple[Block, ...]


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Report:
    """What the answers in a file or frame are worth, as one page or one workbook.

    Attributes
    ----------
    title
        What the report is about: the name of the file, unless another title was given.
    subject
        What was read, in a phrase.
    sections
        The sections; the first one is the answer.
    date
        The date of the report.
    version
        The version of bribeproof.
    """

    title: str
    subject: str
    sections: tuple[Section, ...]
    date: datetime.date
    version: str

    @property
    def tables(self) -> tuple[DataTable, ...]:
        """All tables, in their order."""
        return tuple(self._blocks(DataTable))

    def summary(self) -> str:
        """Return the answer, one sentence a line."""
        return "\n".join(
            line for block in self.sections[0].blocks if isinstance(block, Sentences) for line in block.lines
        )

    def to_html(self) -> str:
        """Return the report as one HTML page, without scripts, that needs no network."""
        from bribeproof.reporting.page import render_page

        return render_page(self)

    def to_xlsx(self) -> bytes:
        """Return the report as an .xlsx workbook with a sheet for each table.

        Raises
        ------
        FileError
            If a table has more rows than a sheet can hold.
        MissingPackageError
            If XlsxWriter is not installed.
        """
        from bribeproof.reporting.workbook import render_workbook

        return render_workbook(self)

    def save(self, path: str | Path) -> None:
        """Write the report to a file, completely or not at all.

        Parameters
        ----------
        path : str or Path
            A page, ``.html``, which every browser prints to PDF; or ``.xlsx``, a workbook with a sheet for each table.

        Raises
        ------
        FileError
            If the ending is another one, or the file cannot be written.
        MissingPackageError
            If a workbook is asked for and XlsxWriter is not installed.
        """
        from bribeproof.io.atomic import write_whole

        target = check_path(path)
        content = self.to_xlsx() if target.suffix.lower() == ".xlsx" else self.to_html().encode()
        write_whole(target, lambda file: file.write(content))

    def _blocks(self, kind: type) -> Iterator[Any]:
        """Yield the blocks of one kind."""
        return (block for section in self.sections for block in section.blocks if isinstance(block, kind))

    def __repr__(self) -> str:
        """Return the class, the title and the date."""
        return f"{type(self).__name__}({self.title!r}, date={self.date.isoformat()!r})"

    def _repr_html_(self) -> str:
        """Return the page in a frame of its own, so that its style does not reach the notebook."""
        from bribeproof.reporting.page import render_frame

        return render_frame(self)


def check_path(path: str | Path) -> Path:
    """Return the path of a report as a `Path`.

    Raises
    ------
    FileError
        If it ends otherwise than a report can be saved.
    """
    if not isinstance(path, str | Path):
        raise ParameterTypeError(f"path={path!r}: give the path of a file, such as 'report.html'")
    target = Path(path)
    if target.suffix.lower() not in ENDINGS:
        raise FileError(f"{path}: a report is saved as .html, which a browser prints to PDF, or as .xlsx")
    return target


def sentences(lines: Sequence[str], tone: Literal["lead", "plain", "note"] = "plain") -> tuple[Sentences, ...]:
    """Return sentences as a block; nothing if there are none."""
    return (Sentences(tuple(lines), tone),) if lines else ()
