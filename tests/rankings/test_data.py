"""Skating contests and a song contest: values found by plain counting, and the tables of docs/evidence/rankings.md."""

import csv
import itertools
from collections import Counter, defaultdict
from typing import Any

import numpy as np
import pytest

import bribeproof as bp
from tests.paths import ROOT, SHARED
from tests.rankings.brute_force import merits
from tests.test_examples import load

DATA = SHARED / "data"
rankings: Any = load(ROOT / "benchmarks" / "rankings.py")
pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not (DATA / "skating_ranks").is_dir(), reason="the contests are not beside the checkout"),
]
COPELAND = {1: 7, 2: 5, 3: 11, 4: 10, 5: 15}
"""In how many contests so many bribed judges are needed before a rival is level with the winner by majorities."""


def skating() -> dict[str, np.ndarray]:
    """The places of each contest."""
    contests: dict[str, dict[str, dict[str, int]]] = defaultdict(lambda: defaultdict(dict))
    with (DATA / "skating_ranks" / "rankings.csv").open(encoding="utf-8") as file:
        for row in csv.DictReader(file):
            contests[row["contest"]][row["judge"]][row["entry"]] = int(row["rank"])
    return {
        name: np.array([[ballot[entry] for entry in sorted(ballot)] for ballot in ballots.values()], dtype=float)
        for name, ballots in contests.items()
    }


def after_bribes(places: np.ndarray, rule: str, gainer: int, loser: int, number: int) -> float:
    """The largest lead of one entry over another that so many judges can make, each list of them tried."""
    lists = list(itertools.combinations(range(len(places)), number))
    batch = np.repeat(places[None], len(lists), axis=0)
    for row, bribed in enumerate(lists):
        batch[row, list(bribed), gainer] = 0
        batch[row, list(bribed), loser] = 99
    values = merits(batch, rule)
    return float((values[:, gainer] - values[:, loser]).max())


def test_skating_contests_as_in_the_list_of_values() -> None:
    found = bp.compare_rules(rankings.skating())
    table = found.table
    by_rule = {rule: table.filter(table["rule"] == rule) for rule in table["rule"].unique()}
    assert Counter(by_rule["borda"]["other_winner"]) == {1: 48}
    assert Counter(by_rule["copeland"]["shared_winner"]) == COPELAND
    assert found.facts()["exact"]
    for bribes in itertools.islice(found.bribes.values(), 0, None, 5):
        assert all(bribe.recheck().ok for bribe in bribes.values())


@pytest.mark.parametrize("rule", ["borda", "trimmed_mean", "median", "copeland"])
def test_some_contests_by_all_lists(rule: str) -> None:
    contests = skating()
    found = bp.compare_rules(rankings.skating(), [rule]).bribes
    for name in list(contests)[2:48:6]:
        places = contests[name]
        now = merits(places, rule)
        winner = int(now.argmax())
        near = np.argsort(-now)[:7]
        for kind, target in (("shared", -1e-9), ("other", 1e-9)):
            number = found[name, rule][f"{kind}_winner"].upper
            assert isinstance(number, int)
            for fewer, entry in itertools.product(range(max(number - 1, 0), number), near):
                if entry != winner:
                    assert after_bribes(places, rule, int(entry), winner, fewer) < target
            leads = [after_bribes(places, rule, int(entry), winner, number) for entry in near if entry != winner]
            assert max(leads) >= target


def test_juries_of_a_song_contest_by_plain_counting() -> None:
    juries: dict[str, dict[str, dict[str, int]]] = defaultdict(lambda: defaultdict(dict))
    with (DATA / "song_contest" / "jurors.csv").open(encoding="utf-8") as file:
        for row in csv.DictReader(file):
            if row["round"] == "final":
                juries[row["year"]][row["from_country"]][row["to_country"]] = sum(int(row[juror]) for juror in "ABCDE")
    expected = {year: fewest_juries(ballots) for year, ballots in juries.items()}
    table = rankings.compare_finals(["points"], 1).table
    assert dict(table.select("contest", "other_winner").rows()) == expected
    assert expected == {"2016": 5, "2017": 5, "2018": 2, "2019": 1, "2021": 1, "2022": 1}
    assert {year: len(ballots) for year, ballots in juries.items()}["2022"] == 34


def fewest_juries(juries: dict[str, dict[str, int]]) -> int:
    """The fewest juries before another song has more points than the first, by one sort for each rival."""
    points = {jury: shared_points(sums) for jury, sums in juries.items()}
    total: Counter[str] = Counter()
    for given in points.values():
        total.update(given)
    first = max(total, key=total.__getitem__)
    needed = []
    for rival in set(total) - {first}:
        gains = sorted(
            ((12 - given[rival] if rival in given else 0) + given.get(first, 0) for given in points.values()),
            reverse=True,
        )
        lead = total[first] - total[rival]
        needed.append(next(n for n in range(len(gains) + 1) if sum(gains[:n]) > lead + 1e-9))
    return min(needed)


def shared_points(sums: dict[str, int]) -> dict[str, float]:
    """The points that a jury gives, shared by songs with the same sum of ranks."""
    scale = [*rankings.POINTS, *[0] * 20]
    given = {}
    for song, mine in sums.items():
        start, size = sum(other < mine for other in sums.values()), sum(other == mine for other in sums.values())
        given[song] = sum(scale[start : start + size]) / size
    return given


def test_the_page_shows_the_tables_of_today() -> None:
    page = rankings.PAGE.read_text(encoding="utf-8")
    assert rankings.with_tables(page) == page
