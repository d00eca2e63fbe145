"""International skating of 2016-17 as contests: every mark, and the official rule from marks to totals.

The value of a grade of an element, -3 to 3, stands in a table that is not among the data: it is inferred from the
official scores of elements, which `Skating.reproduced` counts. What is missing at the others is added to the total.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from pathlib import Path

import numpy as np
import polars as pl

from bribeproof.theory.contests.contest import Contest, JudgedPart, Step

DATA = Path(__file__).resolve().parents[2] / "shared" / "data" / "skating"
SEATS = [f"J{seat}" for seat in range(1, 10)]
_GRADES = range(-3, 4)
_BAD = ((9, 6, 3), (15, 10, 5), (21, 14, 7), (30, 20, 10), (40, 24, 12), (36, 24, 12), (6, 4, 2), (10, 7, 3), (3, 2, 1))
_GOOD = ((5, 10, 15), (6, 12, 18), (7, 14, 21), (10, 20, 30), (2, 4, 6), (3, 6, 9), (11, 22, 33), (12, 24, 36))
"""What grades -3, -2, -1 take away and 1, 2, 3 add, in tenths of a point: the rows that occur."""
_POINT = 100
"""Marks and values are whole numbers of hundredths of a point."""
_SCALE = (25, 1000)
"""The least and the greatest mark of a component."""


@dataclass(frozen=True, slots=True)
class Part:
    """An element or a component that judges marked.

    Attributes
    ----------
    seats, values
        The seats of the judges, from 0, and their marks or the values of their grades, in hundredths of a point.
    scale
        The least and the greatest of these that a judge can give.
    factor
        What the panel's score is multiplied by.
    """

    seats: tuple[int, ...]
    values: tuple[int, ...]
    scale: tuple[int, int]
    factor: Fraction


@dataclass(frozen=True, slots=True)
class Performance:
    """A performance: what was judged, what is added to that, and the official total."""

    competition: str
    program: str
    skater: str
    nation: str
    parts: tuple[Part, ...]
    added: Fraction
    official: Fraction

    @property
    def discipline(self) -> str:
        """The event of which this program is a part, such as ``LADIES``."""
        words = [word for word in self.program.split() if word not in ("SHORT", "FREE", "PROGRAM", "SKATING", "DANCE")]
        return " ".join(words + ["DANCE"] * ("ICE" in words))


@dataclass(frozen=True, slots=True)
class Skating:
    """All performances.

    Attributes
    ----------
    performances
        In the order of the data.
    elements, reproduced
        How many elements have marks, and how many of their official scores come out of the inferred values.
    """

    performances: tuple[Performance, ...]
    elements: int
    reproduced: int


def read_skating() -> Skating:
    """Return all performances with their marks."""
    aspects, marks, performances = (
        pl.read_csv(DATA / f"{name}.csv", infer_schema_length=0)
        for name in ("judged_aspects", "judge_scores", "performances")
    )
    by_aspect: dict[str, list[tuple[int, Fraction]]] = defaultdict(list)
    for aspect, judge, score in marks.iter_rows():
        by_aspect[aspect].append((SEATS.index(judge), Fraction(score)))
    elements = [
        row for row in aspects.iter_rows(named=True) if row["section"] == "elements" and by_aspect[row["aspect_id"]]
    ]
    values = _values_of(elements, by_aspect)
    reproduced = sum(_goe(values[_kind(row)], by_aspect[row["aspect_id"]]) == Fraction(row["goe"]) for row in elements)
    parts: dict[str, list[Part]] = defaultdict(list)
    base: dict[str, Fraction] = defaultdict(Fraction)
    for row in aspects.iter_rows(named=True):
        judged, performance = by_aspect[row["aspect_id"]], row["performance_id"]
        if row["section"] == "components":
            # A mark of zero stands for a judge who was absent.
            kept = [(seat, mark) for seat, mark in judged if mark]
            own = tuple(int(mark * _POINT) for _, mark in kept)
            parts[performance].append(Part(tuple(seat for seat, _ in kept), own, _SCALE, Fraction(row["factor"])))
            continue
        base[performance] += Fraction(row["scores_of_panel"])
        if judged:
            worth = values[_kind(row)]
            # So that the element has its official score as it was marked.
            base[performance] -= _goe(worth, judged)
            own = tuple(worth[int(grade)] for _, grade in judged)
            parts[performance].append(Part(tuple(seat for seat, _ in judged), own, (worth[-3], worth[3]), Fraction(1)))
    found = tuple(
        Performance(
            row["competition"],
            row["program"],
            row["skater_id"],
            row["nation"],
            tuple(parts[row["performance_id"]]),
            base[row["performance_id"]] - Fraction(row["total_deductions"]),
            Fraction(row["total_segment_score"]),
        )
        for row in performances.iter_rows(named=True)
    )
    return Skating(found, len(elements), reproduced)


def segment_contest(performances: Sequence[Performance]) -> Contest:
    """Return a program of a competition as a contest of the judges in its seats."""
    return _contest([[one] for one in performances], [performances[0].program])


def competition_contest(performances: Sequence[Performance]) -> tuple[Contest, list[str]]:
    """Return a competition as a contest, and its entries: those who skated all programs.

    In each program other people may sit in the seats: a judge is a seat of one program.
    """
    programs = sorted({one.program for one in performances})
    by_skater: dict[str, list[Performance]] = defaultdict(list)
    for one in performances:
        by_skater[one.skater].append(one)
    whole = {skater: own for skater, own in by_skater.items() if len(own) == len(programs)}
    return _contest(list(whole.values()), programs), list(whole)


def _contest(entries: Sequence[Sequence[Performance]], programs: Sequence[str]) -> Contest:
    """Return the contest of entries with one performance in each program."""
    parts: list[JudgedPart] = []
    factors: list[Fraction] = []
    groups: list[tuple[int, ...]] = []
    for own in entries:
        start = len(parts)
        for one in own:
            seat = len(SEATS) * programs.index(one.program)
            for part in one.parts:
                parts.append(JudgedPart(np.array(part.seats) + seat, np.array(part.values), 1, part.scale))
                factors.append(part.factor)
        groups.append(tuple(range(start, len(parts))))
    minus = tuple(-sum((one.added for one in own), Fraction(0)) for own in entries)
    step = Step(tuple(groups), tuple(factors), "sum", minus, 2)
    return Contest(tuple(parts), len(SEATS) * len(programs), Fraction(1, _POINT), 2, (step,))


def _kind(row: Mapping[str, str]) -> tuple[str, str]:
    """Return what decides the values of grades: the element and the mark of the technical panel."""
    return row["aspect_desc"], row["info_flag"] or ""


def _values_of(
    elements: Iterable[Mapping[str, str]], marks: Mapping[str, Sequence[tuple[int, Fraction]]]
) -> dict[tuple[str, str], dict[int, int]]:
    """Return what each grade of each kind of element is worth, in hundredths of a point.

    Of the rows that give most official scores it is the one that most elements of other kinds have.
    """
    tables = [
        dict(zip(_GRADES, (*(-10 * one for one in bad), 0, *(10 * one for one in good)), strict=True))
        for bad, good in product(_BAD, _GOOD)
    ]
    rows: dict[tuple[str, str], Counter[tuple[tuple[int, ...], Fraction]]] = defaultdict(Counter)
    for row in elements:
        judged = marks[row["aspect_id"]]
        rows[_kind(row)][tuple(sorted(int(grade) for _, grade in judged)), Fraction(row["goe"])] += 1
    right: dict[tuple[str, str], list[int]] = {}
    for kind, own in rows.items():
        right[kind] = [
            sum(n for (grades, goe), n in own.items() if _goe(table, [(0, Fraction(g)) for g in grades]) == goe)
            for table in tables
        ]
    known: Counter[int] = Counter()
    for scores in right.values():
        best = [place for place, score in enumerate(scores) if score == max(scores)]
        if len(best) == 1:
            known[best[0]] += max(scores)
    return {
        kind: tables[max(range(len(tables)), key=lambda place: (scores[place], known[place]))]
        for kind, scores in right.items()
    }


def _goe(worth: Mapping[int, int], judged: Iterable[tuple[int, Fraction]]) -> Fraction:
    """Return the panel's value of grades: their trimmed mean, rounded half up to hundredths."""
    kept = sorted(worth[int(grade)] for _, grade in judged)[1:-1]
    total, number = sum(kept), len(kept)
    size = (2 * abs(total) + number) // (2 * number)
    return Fraction(size if total >= 0 else -size, _POINT)
