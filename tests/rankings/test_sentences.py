"""What is said of a ranking: ties, the example of the README, and other commands that are given rankings."""

import itertools
import re
from pathlib import Path

import numpy as np
import polars as pl
import pytest

import bribeproof as bp
from tests.cli.command import call
from tests.rankings.brute_force import merits
from tests.rankings.test_rank import LONG, SHEET


def test_other_commands_name_this_one(tmp_path: Path) -> None:
    wide, long, orders = (tmp_path / name for name in ("wide.csv", "long.csv", "votes.soc"))
    SHEET.write_csv(wide)
    LONG.rename({"place": "rank"}).write_csv(long)
    orders.write_text("# ALTERNATIVE NAME 1: Ann\n# ALTERNATIVE NAME 2: Bo\n1: 1,2\n", encoding="utf-8")
    for command, file in itertools.product(("aggregate", "bribe"), (wide, long, orders)):
        said = call(command, file, "--k", "1").refused()
        assert re.search("bribeproof rank|rankings, rank says", said), (command, file.name)
    with pytest.raises(bp.FileError, match="in Python read_preflib and rank"):
        bp.read_table(orders)
    assert "If judge_" in call("bribe", long, "--k", "1", "--kind", "labels").out


def test_ties_are_told() -> None:
    frame = pl.DataFrame({"entry": list("ABCD"), "J1": [1, 2, 3, 4], "J2": [1, 3, 4, 2], "J3": [1, 4, 2, 3]})
    said = bp.rank(frame, "borda").summary().splitlines()
    assert said[1] == "A tie at the first place takes 1 bribed judge, another winner 2 bribed judges."
    assert said[2].startswith("Ties put more than three entries on the podium; to rule out one of the possible threes")
    level = frame.select("entry", "J1", J2=pl.col("J1").reverse()).head(2)
    said = bp.rank(level, "borda", gaps=True).summary().splitlines()
    assert said[0] == "A and B share the first place by Borda points, of 2 entries ranked by 2 judges."
    assert said[1] == "The first place is shared; to rule out one of those who share it takes 1 bribed judge."
    assert re.fullmatch("[AB] no longer shares the first place if J[12] puts [AB] first and [AB] last.", said[2])
    compared = bp.compare_rules(level, ["borda"], gaps=True).summary()
    assert compared.startswith("By Borda points A, B share the first place. The first place is shared; to rule out")
    several = bp.compare_rules(
        pl.concat([level.with_columns(event=pl.lit(name)) for name in "ab"]), ["borda"], gaps=True
    )
    assert "In 2 of 2 rows the first place is shared" in several.summary()


def test_the_example_by_every_list_and_rival() -> None:
    """What README and docs/howto/rankings.md say of places.csv: the fewest judges of seven, by trying all lists."""
    places = SHEET.drop("entry").to_numpy().T.astype(float)
    for rule, expected in (("trimmed_mean", 2), ("borda", 1), ("median", 3), ("copeland", 3)):
        winner = int(merits(places, rule).argmax())
        rivals = [entry for entry in range(6) if entry != winner]
        for number in range(expected + 1):
            lists = itertools.product(itertools.combinations(range(7), number), rivals)
            after = merits(np.array([rewrite(places, bribed, rival, winner) for bribed, rival in lists]), rule)
            assert bool((after[:, [winner]] < after - 1e-9).any()) == (number == expected)
        assert bp.rank(SHEET, rule).other["winner"].upper == expected
        assert bp.rank(SHEET, rule).winners == (SHEET["entry"][winner],)


def rewrite(places: np.ndarray, bribed: tuple[int, ...], first: int, last: int) -> np.ndarray:
    """Rankings after some judges put an entry first and another last."""
    after = places.copy()
    after[list(bribed), first] = 0
    after[list(bribed), last] = 99
    return after


def test_condorcet_winners() -> None:
    found = bp.rank(SHEET, "copeland")
    assert found.condorcet_winner == "Fjord"
    assert "More judges put Fjord ahead of each other entry than behind it" in found.summary()
    assert bp.rank(SHEET, "borda").condorcet_winner is None
    circle = pl.DataFrame({"entry": list("abc"), "j1": [1, 2, 3], "j2": [3, 1, 2], "j3": [2, 3, 1]})
    assert bp.rank(circle, "copeland").condorcet_winner is None
    assert "there is no Condorcet winner" in bp.rank(circle, "copeland").summary()
    rng = np.random.default_rng(5)
    for _ in range(30):
        places = np.array([rng.permutation(4) + 1 for _ in range(4)])
        frame = pl.DataFrame({"entry": list("abcd")} | {f"j{at}": row for at, row in enumerate(places)})
        beats = (places[:, :, None] < places[:, None, :]).sum(axis=0) > 2
        expected = next((name for name, row in zip("abcd", beats, strict=True) if row.sum() == 3), None)
        assert bp.rank(frame, "copeland").condorcet_winner == expected
