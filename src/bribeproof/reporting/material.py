"""What a report is made of: a table that was read, what was asked of it, and its answers."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from hashlib import file_digest
from pathlib import Path
from typing import Any, Self

import polars as pl

from bribeproof._text import bribed_reporters, count, format_amount
from bribeproof.aggregation.recognised import RecognisedReports
from bribeproof.aggregation.result import Aggregation
from bribeproof.errors import FileError
from bribeproof.frames.bribe_unit import nouns
from bribeproof.frames.bribed_groups import GivenBribes
from bribeproof.frames.native import to_polars
from bribeproof.frames.reading.open_reports import report_columns
from bribeproof.frames.reading.reading import Reading
from bribeproof.reporting.snippets import Snippets

SECONDS = 20.0
"""How long a report searches for one list of people, by default."""


@dataclass(frozen=True, slots=True)
class FileFacts:
    """A file that was read.

    Attributes
    ----------
    name
        Its name, without folders.
    size
        Its size in bytes.
    sha256
        Its SHA-256 hash, in hexadecimal digits.
    """

    name: str
    size: int
    sha256: str

    @classmethod
    def of(cls, path: Path, name: str | None = None) -> Self:
        """Return the facts of a file, which may have another name where it came from.

        Raises
        ------
        FileError
            If it cannot be read.
        """
        try:
            with path.open("rb") as file:
                return cls(name or path.name, path.stat().st_size, file_digest(file, "sha256").hexdigest())
        except OSError as error:
            raise FileError(f"{path}: {error.strerror or error}") from None


@dataclass(frozen=True, slots=True)
class Origin:
    """Where a table came from.

    Attributes
    ----------
    files
        The files that it was read from; none for a frame, and for standard input.
    names
        The names of the files for the command and for Python; none for a frame.
    options
        Options with which these were read, by the names of the parameters of `report`.
    """

    files: tuple[FileFacts, ...] = ()
    names: tuple[str, ...] = ()
    options: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, eq=False)
class Source:
    """A table that was read.

    Attributes
    ----------
    table
        The table in the form that its reading names.
    original
        The table as it stands.
    reading
        How it is read.
    notes
        How it was read, one sentence each.
    missing
        Values that stand for no report.
    files
        The files it was read from; none for a frame, and for standard input.
    """

    table: Any
    original: Any
    reading: Reading
    notes: tuple[str, ...]
    missing: Any
    files: tuple[FileFacts, ...] = ()

    @property
    def columns(self) -> dict[str, Any]:
        """The arguments of a function of votes or labels, except for the column of the reports."""
        columns = report_columns(self.reading, self.missing)
        del columns["value"]  # which has a name of its own in each function
        return columns

    @property
    def dependent(self) -> bool:
        """Whether the votes are on several labels of one item, which are not independent."""
        sets = self.reading.label_sets
        return sets is not None and sets.how == "each" and len(sets.labels) != 1


@dataclass(frozen=True, slots=True, eq=False)
class Question:
    """What is asked of a table.

    Attributes
    ----------
    k
        How many reporters, or groups, may be bribed; None with a budget.
    is_default
        Whether nobody said how many.
    bribes
        The groups, prices and budget; None where reporters are counted.
    options
        The options of `aggregate_read` beside these.
    truth, truth_column
        The truth of some items, as `certify` takes it; None if it is not known.
    confidence
        The confidence of all bounds that the truth allows.
    cost_per_report
        What one more report costs; None if it is not said.
    time_limit
        Seconds for which one list of people is searched for.
    """

    k: int | None
    is_default: bool = False
    bribes: GivenBribes | None = None
    options: Mapping[str, Any] = field(default_factory=dict)
    truth: Any = None
    truth_column: str | None = None
    confidence: float = 0.95
    cost_per_report: float | None = None
    time_limit: float = SECONDS

    @property
    def bought(self) -> dict[str, Any]:
        """The arguments of a function about bribes: groups, prices and the budget."""
        given = self.bribes
        return {} if given is None else {"group": given.group, "price": given.price, "budget": given.budget}


@dataclass(frozen=True, eq=False)
class Material:
    """A table, what is asked of it, and its answers.

    Attributes
    ----------
    source, question
        The table, and what is asked.
    read
        Its reports.
    answer
        The answers.
    snippets
        How the report is repeated.
    """

    source: Source
    question: Question
    read: RecognisedReports
    answer: Aggregation
    snippets: Snippets

    @cached_property
    def items(self) -> pl.DataFrame:
        """The answers, a row for each item."""
        return to_polars(self.answer.items)

    @cached_property
    def facts(self) -> dict[str, Any]:
        """The numbers of the summary."""
        return self.answer.facts()

    @property
    def scores(self) -> bool:
        """Whether the reports are scores."""
        return self.answer.kind == "scores"

    @property
    def person(self) -> tuple[str, str]:
        """Who reports, in the singular and in the plural."""
        return ("judge", "judges") if self.scores else ("reporter", "reporters")

    @property
    def bribed_nouns(self) -> tuple[str, str]:
        """What a bribe buys, in the singular and in the plural."""
        return self.person if self.answer.bribed == "reporter" else nouns(self.answer.bribed)

    @property
    def counts_heads(self) -> bool:
        """Whether k is a number of people, neither silence nor groups nor prices changing what it means."""
        schema = self.read.reports.schema
        return self.question.bribes is None and schema.asked is None and not schema.sets_aside

    @property
    def part(self) -> str:
        """On what the bribed may be others: an entry, an item, or their parts."""
        part = self.answer.bribed_on_each
        return "entry" if self.scores and part == "item" else part

    @property
    def who(self) -> str:
        """Those who may be bribed, as a phrase: one judge, 2 reporters, reporters for at most 100."""
        one, several = self.bribed_nouns
        if self.question.k is None:
            budget = self.facts["bribes"]["budget"]
            return f"{several} bribed for at most {format_amount(budget)}"
        return f"one bribed {one}" if self.question.k == 1 else f"{self.question.k:,} bribed {several}"

    @property
    def any_of_them(self) -> str:
        """The same where they may be others on each item."""
        part, (one, several) = self.part, self.bribed_nouns
        if self.question.k is None:
            return f"{self.who}, perhaps others on each {part}"
        return bribed_reporters(self.question.k, part, one, several)

    @property
    def subject(self) -> str:
        """What was read, as a phrase."""
        what = {"scores": "Scores", "votes": "Votes", "labels": "Labels"}[self.answer.kind]
        of = ("entry", "entries") if self.scores else ("item", "items")
        return f"{what}: {count(self.items.height, *of)}, {count(self.facts['reporters'], *self.person)}"
