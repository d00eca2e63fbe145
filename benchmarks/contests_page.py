"""Count the contests whose winner or podium bribed judges could have changed: Olympic diving, and a season of skating.

``python benchmarks/contests_page.py`` prints the tables of docs/evidence/contests.md; with ``--write`` it puts them
into the page.
"""

import argparse
import functools
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import polars as pl

import bribeproof as bp
from bribeproof.theory.bribery.bribes import Bribes
from bribeproof.theory.contests.contest import Contest
from bribeproof.theory.contests.places import PODIUM, Places, places_alone, places_together
from page_tables import replace_table
from skating_contests import Performance, Skating, competition_contest, read_skating, segment_contest

ROOT = Path(__file__).resolve().parents[1]
DATA = ROOT.parent / "shared" / "data"
PAGE = ROOT / "docs" / "evidence" / "contests.md"
EVENTS = {
    "M3mSB": "men, 3 m springboard", "M10mPF": "men, 10 m platform", "W3mSB": "women, 3 m springboard",
    "W10mPF": "women, 10 m platform",
}  # fmt: skip
DIVES: dict[str, Any] = {
    "item": ["diver", "dive"], "reporter": "judge", "value": "score", "factor": ["difficulty", 3],
    "total": "sum of dives", "scale": (0, 10), "trim": 1,
}  # fmt: skip
"""Five marks of seven are kept: their sum times 0.6 is three times their mean."""


@functools.cache
def dives() -> pl.DataFrame:
    """Return all marks of the diving events."""
    return pl.read_csv(DATA / "diving" / "marks.csv")


def dives_of(event: str, part: str) -> pl.DataFrame:
    """Return the marks of a round of an event."""
    return dives().filter((pl.col("event") == event) & (pl.col("round") == part))


def finals_table() -> Iterator[str]:
    """Yield the lines of a table: who could have won the finals of diving."""
    header = ("final", "first, second", "one judge, the same on all dives", "another on each dive", "two judges")
    yield f"| {' | '.join(header)} |"
    yield "|---|---|---|---:|---:|"
    for event, name in EVENTS.items():
        marks = dives_of(event, "Final")
        one, two = (bp.worst_bribe(marks, k, kind="scores", **DIVES) for k in (1, 2))
        first, second = one.entries.head(2).select("diver", "total").iter_rows()
        ahead = f"{first[0]} {first[1]:.2f}, {second[0]} {second[1]:.2f}"
        named = "; ".join(f"{diver}: {many} of 7 judges" for diver, many in _rivals(marks).items())
        others, both = _first(one.entries, "best_if_others"), _first(two.entries, "best_place")
        yield f"| {name} | {ahead} | {named or 'nobody'} | {others} | {both} of {marks['diver'].n_unique() - 1} |"


def _rivals(marks: pl.DataFrame) -> dict[str, int]:
    """Return who could have been first with one judge, and how many of the judges could have done it."""
    judges = marks["judge"].unique().to_list()
    found: Counter[str] = Counter()
    for judge in judges:
        # Only this judge can be bought.
        prices = dict.fromkeys(judges, 2) | {judge: 1}
        entries = bp.worst_bribe(marks, kind="scores", price=prices, budget=1, **DIVES).entries
        found.update(entries.filter((pl.col("best_place") == 1) & (pl.col("place") > 1))["diver"].to_list())
    return dict(sorted(found.items()))


def _first(entries: pl.DataFrame, column: str) -> int:
    """Return how many entries could be first who are not."""
    return entries.filter((pl.col(column) == 1) & (pl.col("place") > 1)).height


def compatriots_table() -> Iterator[str]:
    """Yield the lines of a table: what a judge could have done for the divers of the own nation before the final."""
    yield "| event | round | divers with a judge of their nation | lifted by 1 place | 2 | 3 | 4 or more |"
    yield "|---|---|---:|---:|---:|---:|---:|"
    for event, name in EVENTS.items():
        for part, called in (("Prelim", "preliminary"), ("Semi", "semi-final")):
            gains = list(_gains(dives_of(event, part)))
            cells = [str(sum(gain == number for gain in gains)) for number in (1, 2, 3)]
            yield f"| {name} | {called} | {len(gains)} | {' | '.join(cells)} | {sum(gain > 3 for gain in gains)} |"


def _gains(marks: pl.DataFrame) -> Iterator[int]:
    """Yield by how many places the judge of the own nation alone could have lifted each diver who has one."""
    nations = dict(marks.select("judge", "judge_country").unique().iter_rows())
    divers = dict(marks.select("diver", "diver_country").unique().iter_rows())
    for nation in sorted(set(nations.values()) & set(divers.values())):
        # Only the judges of this nation can be bought.
        prices = dict.fromkeys(nations.values(), 2) | {nation: 1}
        found = bp.worst_bribe(marks, kind="scores", group=nations, price=prices, budget=1, **DIVES)
        own = found.entries.filter(pl.col("diver").replace_strict(divers) == nation)
        yield from (own["place"] - own["best_place"]).to_list()


@functools.cache
def skating() -> Skating:
    """Return the season of skating."""
    return read_skating()


def skating_table() -> Iterator[str]:
    """Yield the lines of a table: in how many contests of skating judges could have changed the first places."""
    segments = [(segment_contest(own), own) for own in _by(lambda one: (one.competition, one.program))]
    whole = []
    for own in _by(lambda one: (one.competition, one.discipline)):
        contest, skaters = competition_contest(own)
        nation = {one.skater: one for one in own}
        whole.append((contest, [nation[skater] for skater in skaters]))
    yield "| bribed judges | contests | another winner | of another nation | another podium |"
    yield "|---|---|---:|---:|---:|"
    for name, contests in (("programs, of 9 judges", segments), ("competitions, of 18 judges", whole)):
        for k in (1, 2, 3):
            found = [(places_together(contest, _heads(contest, k)), own) for contest, own in contests]
            yield f"| {k}, the same throughout | {name} | {_counts(found)} |"
        alone = [(places_alone(contest, _heads(contest, 1)), own) for contest, own in contests]
        yield f"| 1, perhaps another on each element | {name} | {_counts(alone)} |"


def _by(key: Any) -> list[list[Performance]]:
    """Return the performances of each contest."""
    groups: dict[Any, list[Performance]] = defaultdict(list)
    for one in skating().performances:
        groups[key(one)].append(one)
    return list(groups.values())


def _heads(contest: Contest, k: int) -> Bribes:
    """Return the bribery of any k judges."""
    return Bribes.heads(contest.judges, k)


def _counts(found: Sequence[tuple[Places, Sequence[Performance]]]) -> str:
    """Return in how many contests there could be another winner, one of another nation, and another podium."""
    winner = nation = podium = 0
    for places, own in found:
        if not places.exact:
            raise RuntimeError("not every set of judges was tried")
        now = {one.nation for one, rank in zip(own, places.rank, strict=True) if rank == 1}
        could = [one.nation for one, best, rank in zip(own, places.best, places.rank, strict=True) if best == 1 < rank]
        winner += bool(could)
        nation += any(one not in now for one in could)
        podium += bool(((places.best <= PODIUM) & (places.rank > PODIUM)).any())
    return " | ".join(f"{number} of {len(found)}" for number in (winner, nation, podium))


TABLES = {"diving, finals": finals_table, "diving, compatriots": compatriots_table, "skating": skating_table}


def with_tables(page: str) -> str:
    """Return the page with the tables of today between their marks."""
    for name, lines in TABLES.items():
        page = replace_table(page, name, lines())
    return page


def main() -> None:
    """Print the tables, or write them into the page."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--write", action="store_true", help="put the tables into docs/evidence/contests.md")
    if parser.parse_args().write:
        PAGE.write_text(with_tables(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
        return
    for name, lines in TABLES.items():
        print(f"{name}\n", *lines(), "", sep="\n")
    season = skating()
    print(f"{season.reproduced:,} of {season.elements:,} official scores of elements come out of the inferred values.")


if __name__ == "__main__":
    main()
