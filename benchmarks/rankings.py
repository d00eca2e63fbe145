"""Count the bribes that rules for rankings need, on 48 skating contests and the finals of a song contest.

``python benchmarks/rankings.py`` prints the tables of docs/evidence/rankings.md; with ``--write`` it puts them into the
page, and draws its picture.
"""

import argparse
import functools
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import polars as pl

import bribeproof as bp
from bribeproof import plots
from bribeproof.rankings.compare_rules import RuleComparison
from page_tables import replace_table

ROOT = Path(__file__).resolve().parents[1]
DATA = ROOT.parent / "shared" / "data"
PAGE = ROOT / "docs" / "evidence" / "rankings.md"
PICTURE = ROOT / "docs" / "images" / "plots" / "skating-rules.svg"
MOST = 5
"""The most bribed judges of a column in the tables of the skating contests."""
POINTS = (12, 10, 8, 7, 6, 5, 4, 3, 2, 1)
"""What a jury of the song contest gives its first ten."""
TRIMMED = 5
"""How many of the best and of the worst places of the juries the trimmed mean leaves out."""
_RULES = {
    "Borda": ("borda", 0),
    "trimmed mean, k = 1": ("trimmed_mean", 1),
    "trimmed mean, k = 2": ("trimmed_mean", 2),
    "trimmed mean, k = 3": ("trimmed_mean", 3),
    "median place": ("median", 0),
    "pairwise majority (Copeland)": ("copeland", 0),
}


def skating() -> pl.DataFrame:
    """Return the places of 48 skating contests of 1998."""
    return bp.read_table(DATA / "skating_ranks" / "rankings.csv").frame


def finals() -> pl.DataFrame:
    """Return the places of the song contest's finals, a column for each juror of a country."""
    table = bp.read_table(DATA / "song_contest" / "jurors.csv").frame
    return table.filter(pl.col("round") == "final").drop("round")


@functools.cache
def compare_skating(rule: str, k: int) -> RuleComparison:
    """Return how many bribed judges a rule needs in each skating contest."""
    found = bp.compare_rules(skating(), [rule], k=k)
    _check(found)
    return found


def skating_table(change: str) -> Iterator[str]:
    """Yield the lines of a table: in how many contests so many bribed judges are the fewest, for a tie and a change."""
    yield f"| rule | {' | '.join(map(str, range(MOST + 1)))} |"
    yield f"|---|{'---:|' * (MOST + 1)}"
    for name, (rule, k) in _RULES.items():
        found = compare_skating(rule, k)
        counts = [Counter(found.table[f"{kind}_{change}"].to_list()) for kind in ("shared", "other")]
        cells = [" / ".join(str(count[number] or "–") for count in counts) for number in range(MOST + 1)]
        yield f"| {name} | {' | '.join(cell if cell != '– / –' else '' for cell in cells)} |"


def _check(found: RuleComparison) -> None:
    """Raise an error unless each number is proven to be the least."""
    if not found.facts()["exact"]:
        raise RuntimeError("some numbers are not proven to be the least: give the solver more time")


def compare_finals(rules: list[str], k: int) -> RuleComparison:
    """Return how many juries each rule needs in each final; a jury is the mean of its jurors' places."""
    return bp.compare_rules(
        finals(),
        rules,
        k=k,
        points=POINTS if "points" in rules else None,
        entry="to_country",
        judges=list("ABCDE"),
        contest="year",
        group="from_country",
        combine=True,
        unranked="not-asked",
    )


def finals_table() -> Iterator[str]:
    """Yield the lines of a table: the juries that have to be bought for another winner, by year and rule."""
    rules = ["points", "borda", "trimmed_mean", "median", "copeland"]
    found = compare_finals(rules, TRIMMED)
    _check(found)
    table = found.table
    juries = dict(finals().group_by("year").agg(pl.col("from_country").n_unique()).rows())
    names = ["12, 10, 8 … 1", "Borda", f"trimmed, k = {TRIMMED}", "median", "pairwise"]
    yield f"| final | juries | first by 12, 10, 8 … 1 | {' | '.join(names)} |"
    yield f"|---|---:|---|{'---:|' * len(rules)}"
    for year in sorted(juries):
        rows = {row["rule"]: row for row in table.filter(pl.col("contest") == year).iter_rows(named=True)}
        cells = [str(rows["points"]["other_winner"])]
        for rule in rules[1:]:
            number, winner = rows[rule]["other_winner"], rows[rule]["winner"]
            tie = rows[rule]["shared_winner"] == 0
            other = f" ({winner})" if winner != rows["points"]["winner"] else ""
            cells.append(f"{'tied' if tie else number}{other}")
        yield f"| {year} | {juries[year]} | {rows['points']['winner']} | {' | '.join(cells)} |"


TABLES = {
    "skating, winner": lambda: skating_table("winner"),
    "skating, podium": lambda: skating_table("podium"),
    "song contest": finals_table,
}


def with_tables(page: str) -> str:
    """Return the page with the tables of today between their marks."""
    for name, lines in TABLES.items():
        page = replace_table(page, name, lines())
    return page


def main() -> None:
    """Print the tables, or write them into the page."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--write", action="store_true", help="put the tables into docs/evidence/rankings.md")
    if parser.parse_args().write:
        PAGE.write_text(with_tables(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
        plots.write(plots.bribes_needed(bp.compare_rules(skating())), PICTURE)
        return
    for name, lines in TABLES.items():
        print(f"{name}\n", *lines(), "", sep="\n")


if __name__ == "__main__":
    main()
