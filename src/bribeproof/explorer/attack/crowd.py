"""The crowds that can be attacked: one drawn by chance, or the one in a file."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Any

import numpy as np
import polars as pl
from polars import selectors as cs

from bribeproof._warnings import record_warnings
from bribeproof.aggregation.auto import matching
from bribeproof.attacks.corrupt import default_value
from bribeproof.attacks.from_frame import read_matrix
from bribeproof.errors import ParameterError
from bribeproof.explorer.attack.query import ReadOptions, SimulatedCrowd
from bribeproof.explorer.uploads import Upload
from bribeproof.frames.inference import Kind, recognise
from bribeproof.frames.schema import Columns, ReportSchema
from bribeproof.io.read import Table

GOLD_EVERY = 5
"""Sleepers know one in so many items with a known truth."""
_MOST_CELLS: dict[Kind, int] = {"votes": 500_000, "labels": 500_000, "scores": 100_000}
"""A sheet of more cells, items by reporters or classes, is attacked on a sample of its items, to be quick."""
_TRUTHS = frozenset({"truth", "gold", "goldlabel", "true", "truelabel", "correct", "groundtruth", "reference"})


@dataclass(frozen=True, slots=True)
class UploadedCrowd:
    """A file, and how it is read.

    Attributes
    ----------
    sheet
        The file.
    stamp
        Another one when the file was changed.
    reading
        How it is read.
    opened
        Returns what is in it.
    """

    sheet: Upload
    stamp: tuple[int, int]
    reading: ReadOptions
    opened: Callable[[], Table] = field(compare=False)


@dataclass(frozen=True, slots=True, eq=False)
class Crowd:
    """Reports that can be attacked.

    Attributes
    ----------
    table
        The reports.
    file
        What they are called in a command.
    kind
        ``"votes"``, ``"labels"`` or ``"scores"``.
    columns
        Which columns hold what.
    truth
        The column of the truth; None where the mean of the honest scores stands in, or where it has to be named.
    others
        The columns that hold no reports, one of which may be the truth.
    reporters
        Their names, in the order of draws.
    gold
        The items that sleepers know.
    said
        What the functions have to be told beside the columns.
    part
        Whether the table is only part of what was handed over.
    read_as
        How the file is read; None of a drawn crowd.
    notes
        What was guessed.
    """

    table: Any
    file: str
    kind: Kind
    columns: Columns
    truth: str | None
    others: tuple[str, ...] = ()
    reporters: tuple[str, ...] = ()
    gold: tuple[Any, ...] = ()
    said: Mapping[str, Any] = field(default_factory=dict)
    part: bool = False
    read_as: str | None = None
    notes: tuple[str, ...] = ()

    @property
    def frame(self) -> pl.DataFrame:
        """The rows of the table."""
        frame: pl.DataFrame = self.table.frame if isinstance(self.table, Table) else self.table
        return frame

    @property
    def options(self) -> dict[str, Any]:
        """What the functions have to be told of it."""
        where = self.columns
        value = where.value or default_value(self.kind)
        told: dict[str, Any] = {"kind": self.kind, "item": where.item, "reporter": where.reporter, "value": value}
        return {**told, "judges": where.judges or None, **self.said}


@lru_cache(maxsize=6)
def crowd(source: SimulatedCrowd | UploadedCrowd) -> Crowd:
    """Draw a crowd, or read one.

    Raises
    ------
    BribeproofError
        If the file cannot be read, or does not hold what is said of it.
    """
    return _draw(source) if isinstance(source, SimulatedCrowd) else _read(source)


def _draw(drawn: SimulatedCrowd) -> Crowd:
    """Draw the truth of each item, then every vote on it."""
    rng = np.random.default_rng(drawn.seed)
    truth = rng.random(drawn.items) < drawn.expert.prior
    positive = np.where(truth, drawn.expert.tpr, drawn.expert.fpr)
    votes = rng.random((drawn.items, drawn.n)) < positive[:, None]
    items, reporters = np.arange(1, drawn.items + 1), np.arange(1, drawn.n + 1)
    rows = {
        "item": np.repeat(items, drawn.n),
        "reporter": np.tile(reporters, drawn.items),
        "vote": votes.ravel().astype(np.int64),
        "truth": np.repeat(truth, drawn.n).astype(np.int64),
    }
    return Crowd(
        pl.DataFrame(rows), "crowd.csv", "votes", Columns("item", "reporter", "vote"), "truth", ("truth",),
        tuple(sorted(map(str, reporters.tolist()))), tuple(items[::GOLD_EVERY].tolist()), part=True,
    )  # fmt: skip


def _read(handed: UploadedCrowd) -> Crowd:
    """Read a file, or as much of it as can be attacked quickly."""
    table = replace(handed.opened(), source=handed.sheet.name)
    with record_warnings() as messages:
        found = _recognised(table, handed.sheet.name, handed.reading)
        if found.truth is None and found.kind != "scores":
            return found
        options = found.options
        kind = options.pop("kind")
        read = read_matrix(found.table, kind, ReportSchema(**options), truth=found.truth, gold_items=None)
    known = np.ones(len(read.items), bool) if found.truth is None else read.matrix.gold
    items = [name for name, one in zip(read.items, known.tolist(), strict=True) if one]
    return replace(
        found,
        reporters=tuple(map(str, read.reporters)),
        gold=tuple(items[::GOLD_EVERY]),
        notes=(*found.notes, *messages),
    )


def _recognised(table: Table, name: str, reading: ReadOptions) -> Crowd:
    """Find out what a table holds, and take a sample of its items if it is large."""
    rows = table.frame
    said = reading.columns.options
    judges, missing = matching(said.get("judges", ()), rows.columns), said.get("missing", ())
    found = recognise(
        rows, kind=said.get("kind", "votes" if "positive" in said else None), item=said.get("item"),
        reporter=said.get("reporter"), value=said.get("value"), judges=judges or None, missing=missing,
    )  # fmt: skip
    if "positive" in said and found.kind != "votes":
        raise ParameterError(f"positive means nothing for {found.kind}; leave it out, or say another kind")
    used = set(found.columns.used)
    others = tuple(column for column in rows.columns if column not in used)
    if reading.gold is not None and reading.gold not in others:
        listed = ", ".join(map(repr, others)) or "none"
        raise ParameterError(f"the truth cannot be in column {reading.gold!r}: choose one of the others, {listed}")
    notes = list(table.notes)
    guessed = [column for column in others if _letters(column) in _TRUTHS] if found.kind != "scores" else []
    truth = reading.gold or next(iter(guessed), None)
    if reading.gold is None and truth is not None:
        notes.append(f"the truth is read from column {truth!r}")
    part = _sample(rows, found.kind, found.columns, truth)
    if part is not None:
        count = part[found.columns.item].n_unique()
        notes.append(f"to be quick, only {count:,} of the items are attacked, drawn by chance")
    return Crowd(
        table=table if part is None else part,
        file=name if part is None else "sample.parquet",
        kind=found.kind,
        columns=found.columns,
        truth=truth,
        others=others,
        said={name: said[name] for name in ("missing", "repeats", "positive") if name in said},
        part=part is not None,
        read_as=found.describe(),
        notes=tuple(notes),
    )


def _sample(rows: pl.DataFrame, kind: Kind, where: Columns, truth: str | None) -> pl.DataFrame | None:
    """Draw so many items that their attack is quick, those with a known truth first; None if there are no more."""
    items = rows[where.item].n_unique()
    width = len(where.judges) or rows[where.reporter].n_unique()
    if kind == "labels":
        reports = rows.select(where.judges or (where.value,)).select(~(cs.nested() | cs.binary() | cs.object()))
        reports = reports.select(pl.all().cast(pl.String, strict=False)).unpivot()
        width = max(width, reports["value"].n_unique() if reports.height else 0)
    most = max(1, _MOST_CELLS[kind] // max(width, 1))
    if items <= most:
        return None
    known = pl.lit(value=True) if truth is None else pl.col(truth).is_not_null()
    names = rows.group_by(where.item, maintain_order=True).agg(known.any().alias(""))
    names = names.sample(fraction=1, shuffle=True, seed=0).sort("", descending=True, maintain_order=True)
    return rows.join(names.head(most).select(where.item), on=where.item, how="semi", maintain_order="left")


def _letters(name: str) -> str:
    """Return the letters of a name, to compare it by."""
    return "".join(letter for letter in name.casefold() if letter.isalpha())
