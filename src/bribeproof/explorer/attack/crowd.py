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
from bribeproof.explorer.attack.query import VALUE_FIELDS, SimulatedCrowd
from bribeproof.explorer.data.query import READ_GROUPS, DataQuery
from bribeproof.explorer.data.truth import Truth, read_truth
from bribeproof.explorer.tables.uploads import Upload
from bribeproof.frames.reading.from_frame import match_columns
from bribeproof.frames.reading.kinds import SINGLE_VALUES, Kind
from bribeproof.frames.reading.label_sets import ordinary_options
from bribeproof.frames.reading.prepare import is_ordinary, prepare
from bribeproof.frames.reading.reading import Reading, before_votes
from bribeproof.frames.reading.recognise import recognise_columns
from bribeproof.frames.schema import Columns, ReportSchema
from bribeproof.io.read import Table

GOLD_EVERY = 5
"""Every how many items with a known truth there is a gold item, which sleepers recognise."""
_MAX_CELLS: dict[Kind, int] = {"votes": 500_000, "labels": 500_000, "scores": 100_000}
"""Largest number of cells, items by reporters or classes; a larger file is sampled to keep the page fast."""
TRUTH_FILE = "truth.parquet"
"""The file of a truth that was brought into another form."""


@dataclass(frozen=True, slots=True)
class UploadedCrowd:
    """A file and how it is read, perhaps with the truth of its items in a file of its own.

    Attributes
    ----------
    upload, truth
        The file, and that of the truth; None if there is none.
    versions
        Modification time and size of the files.
    query
        How they are read.
    load
        Function that reads one of the files.
    """

    upload: Upload
    truth: Upload | None
    versions: tuple[tuple[int, int], ...]
    query: DataQuery
    load: Callable[[Upload], Table] = field(compare=False)


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
        The truth; None if the mean of the honest scores replaces it, or if the user has to choose it.
    others
        The columns without reports, one of which may hold the truth: of the file of the truth, if there is one.
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
    truth: Truth | None
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
    def known(self) -> dict[str, Any]:
        """The arguments on the truth, likewise."""
        return {"truth": None} if self.truth is None else self.truth.arguments

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
        pl.DataFrame(rows), "crowd.csv", "votes", Columns("item", "reporter", "vote"), Truth("truth", None), ("truth",),
        tuple(sorted(map(str, reporters.tolist()))), tuple(items[::GOLD_EVERY].tolist()), is_download=True,
    )  # fmt: skip


def _read(uploaded: UploadedCrowd) -> Crowd:
    """Read a file, and sample its items if it is large."""
    table = replace(uploaded.load(uploaded.upload), source=uploaded.upload.name)
    with record_warnings() as messages:
        crowd = _recognise(table, uploaded)
        if crowd.truth is None and crowd.kind != "scores":
            return crowd
        options = crowd.options
        kind, _ = options.pop("kind"), options.pop("better", None)
        read = read_matrix(crowd.table, kind, ReportSchema(**options), **crowd.known, gold_items=None)
    has_truth = np.ones(len(read.items), bool) if crowd.truth is None else read.matrix.gold
    items = [name for name, one in zip(read.items, has_truth.tolist(), strict=True) if one]
    return replace(
        crowd,
        reporters=tuple(map(str, read.reporters)),
        gold=tuple(items[::GOLD_EVERY]),
        notes=(*crowd.notes, *messages),
    )


def _recognise(table: Table, uploaded: UploadedCrowd) -> Crowd:
    """Recognise the columns of a table, and sample its items if it is large."""
    rows, query = table.frame, uploaded.query
    given = query.options
    gold = query.gold if uploaded.truth is None else ""
    judges, missing = match_columns(given.get("judges", ()), rows.columns), given.get("missing", ())
    named: dict[str, Any] = {
        "kind": given.get("kind", "votes" if "positive" in given else None), "item": given.get("item"),
        "reporter": given.get("reporter"), "value": given.get("value"), "judges": judges or None, "missing": missing,
        "turned": given.get("turned"), "not_items": given.get("not_items"), "order": given.get("order"),
        **{name: given.get(name) for name in READ_GROUPS["Several labels in a report"]},
    }  # fmt: skip
    try:
        recognised = recognise_columns(rows, **named, other={gold: "gold"} if gold else {})
    except DataError:
        recognised = recognise_columns(rows, **named)  # a column that cannot hold the truth is refused below
    shaped = not is_ordinary(recognised)
    table = prepare(table, recognised)
    rows = table.frame
    if "positive" in given and recognised.kind != "votes":
        raise ParameterError(f"positive does not apply to {recognised.kind}; leave it out, or give another kind")
    used = set(recognised.columns.used)
    others = tuple(column for column in rows.columns if column not in used)
    truth, others = _read_truth(uploaded, recognised, others)
    notes = list(table.notes)
    if not query.gold and truth is not None:
        of_file = f" of {uploaded.truth.name}" if uploaded.truth is not None else ""
        notes.append(f"the truth is read from column {truth.column or truth.given!r}{of_file}")
    sample = _sample(rows, recognised.kind, recognised.columns, truth)
    if sample is not None:
        count = sample[recognised.columns.item].n_unique()
        notes.append(f"the file is large: only {count:,} of its items are attacked, drawn at random")
    return Crowd(
        table=table if sample is None else sample,
        file="sample.parquet" if sample is not None else "reports.parquet" if shaped else uploaded.upload.name,
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


def _read_truth(
    uploaded: UploadedCrowd, recognised: Reading, others: tuple[str, ...]
) -> tuple[Truth | None, tuple[str, ...]]:
    """Return the truth, and the columns that may hold it, which are some of the file of the truth if there is one."""
    query, table = uploaded.query, None
    if uploaded.truth is not None:
        table = uploaded.load(uploaded.truth)
        others = tuple(name for name in table.frame.columns if name != before_votes(recognised).columns.item)
    if query.gold and query.gold not in others:
        raise ParameterError(
            f"column {query.gold!r} cannot hold the truth: choose another column ({list_names(others) or 'none'})"
        )
    if table is None and recognised.kind == "scores" and not query.gold:
        return None, others
    truth = read_truth(query, recognised, table, "" if uploaded.truth is None else uploaded.truth.name)
    if truth is not None and isinstance(truth.given, pl.DataFrame):  # brought into another form, as the reports are
        truth = replace(truth, file=TRUTH_FILE, stated=truth.column or "")
    return truth, others


def _sample(rows: pl.DataFrame, kind: Kind, columns: Columns, truth: Truth | None) -> pl.DataFrame | None:
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
    has_truth = pl.lit(value=True)
    if truth is not None and truth.file:
        known = truth.given if isinstance(truth.given, pl.DataFrame) else truth.given.frame
        named = known.drop_nulls(truth.column)[columns.item].cast(pl.String)
        has_truth = pl.col(columns.item).cast(pl.String).is_in(named.implode())
    elif truth is not None:
        has_truth = pl.col(truth.given).is_not_null()
    names = rows.group_by(columns.item, maintain_order=True).agg(has_truth.any().alias(""))
    names = names.sample(fraction=1, shuffle=True, seed=0).sort("", descending=True, maintain_order=True)
    return rows.join(names.head(most).select(columns.item), on=columns.item, how="semi", maintain_order="left")
