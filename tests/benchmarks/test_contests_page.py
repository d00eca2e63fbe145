"""A season of skating as contests: official totals, and places by brute force; the tables of the page are of today."""

import sys
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from importlib import import_module
from itertools import combinations
from types import ModuleType
from typing import Any

import pytest

from bribeproof.theory.bribery.bribes import Bribes
from bribeproof.theory.contests.places import places_together
from tests.paths import ROOT, SHARED

DATA = SHARED / "data"
pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not (DATA / "skating").is_dir(), reason="the data packs are not beside the project"),
]


@pytest.fixture(scope="module")
def page() -> Iterator[ModuleType]:
    sys.path.insert(0, str(ROOT / "benchmarks"))
    import_module("skating_contests").DATA = DATA / "skating"  # type: ignore[attr-defined]
    module = import_module("contests_page")
    module.DATA = DATA  # type: ignore[attr-defined]
    yield module
    sys.path.remove(str(ROOT / "benchmarks"))


def programs(page: ModuleType) -> Mapping[Any, Sequence[Any]]:
    """Return the performances of each program."""
    found = defaultdict(list)
    for one in page.skating().performances:
        found[one.competition, one.program].append(one)
    return found


def hundredths(number: Fraction) -> Fraction:
    """Return a number rounded half up, away from zero, to hundredths."""
    size = (2 * abs(number) * 100 + 1) // 2
    return Fraction(size if number >= 0 else -size, 100)


def total(performance: Any, bribed: Sequence[int], end: int | None) -> Fraction:
    """Return the total of a performance, bribed judges giving the least (0) or the greatest (1) mark of each part."""
    score = performance.added
    for part in performance.parts:
        marks = [
            value if end is None or seat not in bribed else part.scale[end]
            for seat, value in zip(part.seats, part.values, strict=True)
        ]
        kept = sorted(marks)[1:-1]
        score += hundredths(hundredths(Fraction(sum(kept), 100 * len(kept))) * part.factor)
    return Fraction(score)


def test_totals_are_the_official_ones(page: ModuleType) -> None:
    season = page.skating()
    assert (len(season.performances), season.elements, season.reproduced) == (1726, 15213, 15211)
    for own in programs(page).values():
        contest = page.segment_contest(own)
        assert [total * contest.total_unit for total in contest.totals.tolist()] == [one.official for one in own]
        assert [total(one, (), None) for one in own] == [one.official for one in own]


@pytest.mark.parametrize("k", [1, 2])
def test_places_by_brute_force(page: ModuleType, k: int) -> None:
    for own in list(programs(page).values())[::19]:
        contest, entries = page.segment_contest(own), range(len(own))
        found = places_together(contest, Bribes.heads(9, k))
        best, worst = [len(own)] * len(own), [1] * len(own)
        for bribed in combinations(range(9), k):
            low, high = ([total(one, bribed, end) for one in own] for end in (0, 1))
            for e in entries:
                best[e] = min(best[e], 1 + sum(low[o] > high[e] for o in entries if o != e))
                worst[e] = max(worst[e], 1 + sum(high[o] > low[e] for o in entries if o != e))
        assert found.best.tolist() == best
        assert found.worst.tolist() == worst


def test_the_tables_of_the_page_are_those_of_today(page: ModuleType) -> None:
    text = (ROOT / "docs" / "evidence" / "contests.md").read_text(encoding="utf-8")
    assert page.with_tables(text) == text
