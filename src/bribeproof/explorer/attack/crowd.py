"""Crowds to attack: simulated, or read from a file."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Any

import numpy as np
import polars as pl

from bribeproof._text import list_names
from bribeproof._warnings import record_warnings
from bribeproof.attacks.corrupt import default_value
from bribeproof.attacks.from_frame import read_matrix
from bribeproof.errors import DataError, ParameterError
from bribeproof.explorer.attack.query import VALUE_FIELDS, ReadOptions, SimulatedCrowd
from bribeproof.explorer.data.query import READ_GROUPS
from bribeproof.explorer.tables.uploads import Upload
from bribeproof.frames.reading.from_frame import match_columns
from bribeproof.frames.reading.kinds import SINGLE_VALUES, Kind
from bribeproof.frames.reading.label_sets import ordinary_options
from bribeproof.frames.reading.prepare import is_ordinary, prepare
from bribeproof.frames.reading.recognise import recognise_columns
from bribeproof.frames.schema import Columns, ReportSchema
from bribeproof.io.read import Table

GOLD_EVERY = 5
"""Every how many items with a known truth there is a gold item, which sleepers recognise."""
_MAX_CELLS: dict[Kind, int] = {"votes": 500_000, "labels": 500_000, "scores": 100_000}
"""Largest number of cells, items by reporters or classes; a larger file is sampled to keep the page fast."""
_TRUTH_NAMES = frozenset({"truth", "gold", "goldlabel", "true", "truelabel", "correct", "groundtruth", "reference"})


@dataclass(frozen=True, slots=True)
class UploadedCrowd:
    """A file and how it is read.

    Attributes
    ----------
    upload
        The file.
    version
        Modification time and size of the file.
    options
        How the file is read.
    load
        Function that reads the file.
    """

    upload: Upload
    version: tuple[int, int]
    options: ReadOptions
    load: Callable[[], Table] = field(compare=False)


@dataclass(frozen=True, slots=True, eq=False)
class Crowd:
    """Reports that can be attacked.

    Attributes
    ----------
    table
        The reports.
    file
        The name of their file in a command.
    kind
        ``"votes"``, ``"labels"`` or ``"scores"``.
    columns
        The columns of items, reporters and reports.
    truth
        The column of the truth; None if the mean of the honest scores replaces it, or if the user has to choose it.
    others
        The other columns, one of which may hold the truth.
    reporters
        The names of the reporters, in the order of the draws.
    gold
        The gold items, which sleepers recognise.
    value_options
        Options of the library on missing values, repeated reports and the positive vote.
    is_download
        Whether the table is a file to download: it was simulated, sampled, or brought into another form.
    read_as
        What was recognised in the file; None for a simulated crowd.
    notes
        What was inferred, and warnings.
    """

    table: Any
    file: str
    kind: Kind
    columns: Columns
    truth: str | None
    others: tuple[str, ...] = ()
    reporters: tuple[str, ...] = ()
    gold: tuple[Any, ...] = ()
    value_options: Mapping[str, Any] = field(default_factory=dict)
    is_download: bool = False
    read_as: str | None = None
    notes: tuple[str, ...] = ()

    @property
    def frame(self) -> pl.DataFrame:
        """The table as a data frame."""
        frame: pl.DataFrame = self.table.frame if isinstance(self.table, Table) else self.table
        return frame

    @property
    def options(self) -> dict[str, Any]:
        """The arguments that describe the table to the functions of the library."""
        columns = self.columns
        value = columns.value or default_value(self.kind)
        options: dict[str, Any] = {
            "kind": self.kind,
            "item": columns.item,
            "reporter": columns.reporter,
            "value": value,
        }
        return {**options, "judges": columns.judges or None, **self.value_options}


@lru_cache(maxsize=6)
def load_crowd(source: SimulatedCrowd | UploadedCrowd) -> Crowd:
    """Simulate a crowd, or read one from a file.

    Raises
    ------
    BribeproofError
        If the file cannot be read, or does not hold such reports.
    """
    return _simulate(source) if isinstance(source, SimulatedCrowd) else _read(source)


def _simulate(simulated: SimulatedCrowd) -> Crowd:
    """Draw the truth of each item, then every vote on it."""
    rng = np.random.default_rng(simulated.seed)
    truth = rng.random(simulated.items) < simulated.expert.prior
    positive = np.where(truth, simulated.expert.tpr, simulated.expert.fpr)
    votes = rng.random((simulated.items, simulated.n)) < positive[:, None]
    items, reporters = np.arange(1, simulated.items + 1), np.arange(1, simulated.n + 1)
    rows = {
        "item": np.repeat(items, simulated.n),
        "reporter": np.tile(reporters, simulated.items),
        "vote": votes.ravel().astype(np.int64),
        "truth": np.repeat(truth, simulated.n).astype(np.int64),
    }
    return Crowd(
        pl.DataFrame(rows), "crowd.csv", "votes", Columns("item", "reporter", "vote"), "truth", ("truth",),
        tuple(sorted(map(str, reporters.tolist()))), tuple(items[::GOLD_EVERY].tolist()), is_download=True,
    )  # fmt: skip


def _read(uploaded: UploadedCrowd) -> Crowd:
    """Read a file, and sample its items if it is large."""
    table = replace(uploaded.load(), source=uploaded.upload.name)
    with record_warnings() as messages:
        crowd = _recognise(table, uploaded.upload.name, uploaded.options)
        if crowd.truth is None and crowd.kind != "scores":
            return crowd
        options = crowd.options
        kind, _ = options.pop("kind"), options.pop("better", None)
        read = read_matrix(crowd.table, kind, ReportSchema(**options), truth=crowd.truth, gold_items=None)
    has_truth = np.ones(len(read.items), bool) if crowd.truth is None else read.matrix.gold
    items = [name for name, one in zip(read.items, has_truth.tolist(), strict=True) if one]
    return replace(
        crowd,
        reporters=tuple(map(str, read.reporters)),
        gold=tuple(items[::GOLD_EVERY]),
        notes=(*crowd.notes, *messages),
    )


def _recognise(table: Table, name: str, options: ReadOptions) -> Crowd:
    """Recognise the columns of a table, and sample its items if it is large."""
    rows = table.frame
    given = options.columns.options
    judges, missing = match_columns(given.get("judges", ()), rows.columns), given.get("missing", ())
    named: dict[str, Any] = {
        "kind": given.get("kind", "votes" if "positive" in given else None), "item": given.get("item"),
        "reporter": given.get("reporter"), "value": given.get("value"), "judges": judges or None, "missing": missing,
        "turned": given.get("turned"), "not_items": given.get("not_items"), "order": given.get("order"),
        **{name: given.get(name) for name in READ_GROUPS["Several labels in a report"]},
    }  # fmt: skip
    try:
        recognised = recognise_columns(rows, **named, other={options.gold: "gold"} if options.gold else {})
    except DataError:
        recognised = recognise_columns(rows, **named)  # a column that cannot hold the truth is refused below
    shaped = not is_ordinary(recognised)
    table = prepare(table, recognised)
    rows = table.frame
    if "positive" in given and recognised.kind != "votes":
        raise ParameterError(f"positive does not apply to {recognised.kind}; leave it out, or give another kind")
    used = set(recognised.columns.used)
    others = tuple(column for column in rows.columns if column not in used)
    if options.gold is not None and options.gold not in others:
        listed = list_names(others) or "none"
        raise ParameterError(f"column {options.gold!r} cannot hold the truth: choose another column ({listed})")
    notes = list(table.notes)
    truth_columns = (
        [column for column in others if _letters(column) in _TRUTH_NAMES] if recognised.kind != "scores" else []
    )
    truth = options.gold or next(iter(truth_columns), None)
    if options.gold is None and truth is not None:
        notes.append(f"the truth is read from column {truth!r}")
    sample = _sample(rows, recognised.kind, recognised.columns, truth)
    if sample is not None:
        count = sample[recognised.columns.item].n_unique()
        notes.append(f"the file is large: only {count:,} of its items are attacked, drawn at random")
    return Crowd(
        table=table if sample is None else sample,
        file="sample.parquet" if sample is not None else "reports.parquet" if shaped else name,
        kind=recognised.kind,
        columns=recognised.columns,
        truth=truth,
        others=others,
        value_options=ordinary_options(
            recognised.label_sets, {name: given[name] for name in VALUE_FIELDS.values() if name in given}
        ),
        is_download=shaped or sample is not None,
        read_as=recognised.describe(),
        notes=tuple(notes),
    )


def _sample(rows: pl.DataFrame, kind: Kind, columns: Columns, truth: str | None) -> pl.DataFrame | None:
    """Draw a sample of items that can be attacked quickly, those with a truth first; None if no sample is needed."""
    items = rows[columns.item].n_unique()
    width = len(columns.judges) or rows[columns.reporter].n_unique()
    if kind == "labels":
        reports = rows.select(columns.judges or (columns.value,)).select(SINGLE_VALUES)
        reports = reports.select(pl.all().cast(pl.String, strict=False)).unpivot()
        width = max(width, reports["value"].n_unique() if reports.height else 0)
    most = max(1, _MAX_CELLS[kind] // max(width, 1))
    if items <= most:
        return None
    has_truth = pl.lit(value=True) if truth is None else pl.col(truth).is_not_null()
    names = rows.group_by(columns.item, maintain_order=True).agg(has_truth.any().alias(""))
    names = names.sample(fraction=1, shuffle=True, seed=0).sort("", descending=True, maintain_order=True)
    return rows.join(names.head(most).select(columns.item), on=columns.item, how="semi", maintain_order="left")


def _letters(name: str) -> str:
    """Return the letters of a name in lower case, for comparison."""
    return "".join(letter for letter in name.casefold() if letter.isalpha())
