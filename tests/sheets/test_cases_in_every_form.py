"""Sheets that were misread once, wide, long and turned, on every engine: against trimmed means in plain Python.

The reports are split from the text here, and what is right comes from fractions; nothing is shared with the reader.
"""

import math
import warnings
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import bribeproof as bp
from bribeproof.questions import Choice
from tests.cli.command import document


@dataclass(frozen=True)
class Case:
    """A wide sheet, the column of its items, what else stands in it, and what has to be said to read it."""

    text: str
    item: str = "entry"
    others: tuple[str, ...] = ()
    no_items: tuple[str, ...] = ()
    options: Mapping[str, str] | None = None

    @property
    def cells(self) -> list[list[str]]:
        return [line.split(",") for line in self.text.split()]

    @property
    def judges(self) -> list[str]:
        return [name for name in self.cells[0] if name not in (self.item, *self.others)]

    def marks(self) -> dict[str, dict[str, str]]:
        head, *body = self.cells
        rows = [dict(zip(head, row, strict=True)) for row in body]
        return {row[self.item]: {name: row[name] for name in self.judges} for row in rows
                if row[self.item] not in self.no_items}  # fmt: skip

    def right(self) -> dict[str, tuple[int, float]]:
        """Return of each item the number of its judges and the mean without the lowest and the highest mark."""
        found = {}
        for item, marks in self.marks().items():
            kept = sorted(Fraction(mark.partition("/")[0]) for mark in marks.values())[1:-1]
            found[item] = (len(marks), float(sum(kept, Fraction(0)) / len(kept)))
        return found


CASES = {
    "unanimous": Case("entry,Anna,Boris,Chen,Dora,Emil E1,7.5,7.5,7.5,7.5,7.5 E2,8,8,8,8,8"),
    "bribed": Case("entry,Anna,Boris,Chen,Dora,Emil E1,2.5,0,0,10,5 E2,7,6.5,7.5,7,7.5"),
    "numbers and deviations": Case(
        "Bib,Skier,Anna,Boris,Chen,Dora,Emil,StdDev 31,Aurora,82,85,80,84,83,1.9 12,Borealis,88,84,86,85,87,1.6 "
        "44,Cascade,75,79,78,74,77,2.1", item="Skier", others=("Bib", "StdDev"),
    ),
    "summaries": Case(
        "entry,J1,J2,J3,J4,J5 Aurora,8,7.5,9,8.5,6 Borealis,6,7,9.5,6.5,7 Cascade,5,6,5.5,7,4 "
        "Summe,19,20.5,24,22,17 Mittelwert,6.33,6.83,8,7.33,5.67", no_items=("Summe", "Mittelwert"),
    ),
    "ranks": Case(
        "entry,J1,J2,J3,J4,J5 Aurora,1,1,2,4,1 Borealis,2,3,1,1,2 Cascade,3,2,4,2,3 Delta,4,4,3,3,4",
        options={"kind": "scores", "better": "low"},
    ),
    "fractions": Case(
        "entry,J1,J2,J3,J4,J5 q1,8/10,7/10,2/10,2/10,9/10 q2,6/10,7/10,6.5/10,9/10,6/10", options={"kind": "scores"},
    ),
}  # fmt: skip


def wide(case: Case) -> pl.DataFrame:
    head, *body = case.cells
    return pl.DataFrame(body, schema=head, orient="row")


def typed(case: Case) -> pl.DataFrame:
    frame = wide(case)
    plain = [name for name in frame.columns if frame[name].str.contains(r"^[0-9.]+$").all()]
    return frame.with_columns(pl.col(plain).cast(pl.Float64))


def long(case: Case) -> pl.DataFrame:
    rows = [(item, judge, mark) for item, marks in case.marks().items() for judge, mark in marks.items()]
    return pl.DataFrame(rows, schema=[case.item, "judge", "score"], orient="row")


def turned(case: Case) -> pl.DataFrame:
    marks = case.marks()
    rows = [[judge, *(given[judge] for given in marks.values())] for judge in case.judges]
    return pl.DataFrame(rows, schema=["judge", *marks], orient="row")


def as_duckdb(frame: pl.DataFrame) -> Any:
    return pytest.importorskip("duckdb").connect().from_arrow(frame.to_arrow())


FORMS: dict[str, Callable[[Case], pl.DataFrame]] = {"wide": wide, "typed": typed, "long": long, "turned": turned}
ENGINES: dict[str, Callable[[pl.DataFrame], Any]] = {
    "polars": lambda frame: frame,
    "lazy": lambda frame: frame.lazy(),
    "pandas": lambda frame: pytest.importorskip("pandas").DataFrame(frame.to_dict(as_series=False)),
    "pyarrow": lambda frame: frame.to_arrow(),
    "duckdb": as_duckdb,
}


def check(case: Case, rows: list[dict[str, Any]]) -> None:
    found = {str(next(iter(row.values()))): (row["n"], row["estimate"]) for row in rows}
    assert found.keys() == case.right().keys()
    for item, (reporters, estimate) in case.right().items():
        assert found[item][0] == reporters
        assert math.isclose(found[item][1], estimate, rel_tol=1e-15)


def records(items: Any) -> list[dict[str, Any]]:
    if isinstance(items, pl.LazyFrame):
        items = items.collect()
    if hasattr(items, "fetchall"):
        return [dict(zip(items.columns, row, strict=True)) for row in items.fetchall()]
    return list(items.to_dicts() if isinstance(items, pl.DataFrame) else
                items.to_pylist() if hasattr(items, "to_pylist") else items.to_dict("records"))  # fmt: skip


@pytest.mark.parametrize(
    "engine", [name if name == "polars" else pytest.param(name, marks=pytest.mark.slow) for name in ENGINES]
)
@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("name", CASES)
def test_a_case_is_read_rightly(name: str, form: str, engine: str) -> None:
    case = CASES[name]
    options: dict[str, Any] = dict(case.options or {})
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", bp.BribeproofWarning)
        found = bp.aggregate(ENGINES[engine](FORMS[form](case)), k=1, **options)
    check(case, records(found.items))
    if found.recognised.reporters:
        assert found.recognised.reporters == tuple(case.judges)
        assert all(repr(judge) in found.notes[0] for judge in case.judges)


@pytest.mark.slow
@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("name", CASES)
def test_a_case_is_read_rightly_by_the_command(name: str, form: str, tmp_path: Path) -> None:
    case = CASES[name]
    path = tmp_path / "sheet.csv"
    FORMS[form](case).write_csv(path)
    flags = Choice("", dict(case.options or {})).flags
    check(case, document("aggregate", path, "--k", 1, *flags)["items"])
