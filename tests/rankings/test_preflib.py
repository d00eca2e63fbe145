"""Files of PrefLib: today's form, the older one, and files that do not agree with themselves."""

from pathlib import Path

import numpy as np
import polars as pl
import pytest

import bribeproof as bp
from tests.cli.command import call
from tests.paths import ROOT

HEADER = """# FILE NAME: x
# NUMBER ALTERNATIVES: 3
# NUMBER VOTERS: {}
# ALTERNATIVE NAME 1: Ann
# ALTERNATIVE NAME 2: B: o
# ALTERNATIVE NAME 3: Cy
"""
TOC = HEADER.format(3) + "2: 1,{2,3}\n1: 3,2,1\n"
OLD = "3\n1,Ann\n2,B: o\n3,Cy\n3,3,2\n2,1,{2,3}\n1,3,2,1\n"


def write(folder: Path, name: str, text: str) -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def test_both_forms(tmp_path: Path) -> None:
    rows = bp.read_preflib(write(tmp_path, "a.toc", TOC))
    assert rows.rows()[:3] == [("1", "Ann", 1), ("1", "B: o", 2), ("1", "Cy", 2)]
    assert rows["place"].to_list() == [1, 2, 2, 1, 2, 2, 3, 2, 1]
    assert bp.read_preflib(write(tmp_path, "b.toc", OLD)).equals(rows)
    assert bp.read_preflib(str(write(tmp_path, "c.TOC", TOC.replace("\n", "\r\n")))).equals(rows)


def test_the_same_as_wide_and_long_form(tmp_path: Path) -> None:
    sheet = pl.read_csv(ROOT / "examples" / "places.csv")
    names = "".join(f"# ALTERNATIVE NAME {at}: {entry}\n" for at, entry in enumerate(sheet["entry"], 1))
    orders = ["1: " + ",".join(str(at) for at in (sheet[f"judge_{n}"].arg_sort() + 1)) for n in range(1, 8)]
    path = write(tmp_path, "votes.soc", names + "\n".join(orders) + "\n")
    for rule in ("trimmed_mean", "borda", "median", "copeland"):
        assert bp.rank(bp.read_preflib(path), rule).entries.equals(bp.rank(sheet, rule).entries)
    assert "By Borda points the winner is Fjord" in call("rank", path).out
    assert "--sep does not apply to files of PrefLib" in call("rank", path, "--sep", ";").refused()


def test_incomplete_orders(tmp_path: Path) -> None:
    path = write(tmp_path, "votes.soi", HEADER.format(5) + "3: 1\n1: 2,1\n1: 1,2\n")
    frame = bp.read_preflib(path)
    with pytest.raises(bp.QuestionError, match="3 judges rank only some of the entries"):
        bp.rank(frame, "borda")
    found = bp.rank(frame, "borda", unranked="last")
    assert dict(found.entries.select("entry", "score").rows()) == {"Ann": 5 - 1 + 0.0, "B: o": 1.0}
    assert "no judge gives 'Cy' a place: left out" in found.notes


def test_many_voters_are_counted_in_seconds(tmp_path: Path) -> None:
    orders = ["700: 1,2,3", "500: 2,3,1", "400: 3,1,2", "90: 2,1,3"]
    path = write(tmp_path, "votes.soc", HEADER.format(1690) + "\n".join(orders) + "\n")
    found = bp.compare_rules(bp.read_preflib(path), k=100)
    assert found.facts()["exact"]
    for (_, rule), bribes in found.bribes.items():
        assert bribes["other_winner"].recheck().changed, rule
    # Ann has 1,890 Borda points, B: o 1,880, and a bribe turns 3; pairwise majorities go round in a circle
    assert [found.bribes["", "borda"][f"{kind}_winner"].upper for kind in ("shared", "other")] == [4, 4]
    assert found.bribes["", "copeland"]["shared_winner"].upper == 0


@pytest.mark.slow
def test_an_election(tmp_path: Path) -> None:
    """Memory and time grow like the file: 30,000 voters, each a bribe of its own."""
    rng = np.random.default_rng(3)
    orders = (rng.gumbel(size=(30_000, 3)) + np.array([0.4, 0.2, 0])).argsort(axis=1) + 1
    lines = "".join(f"1: {','.join(map(str, order))}\n" for order in orders)
    found = bp.compare_rules(bp.read_preflib(write(tmp_path, "votes.soc", HEADER.format(30_000) + lines)), k=1_000)
    assert found.facts()["exact"]
    points = [(3 - np.argsort(orders, axis=1)).sum(axis=0)[entry] for entry in range(3)]
    bribe = found.bribes["", "borda"]["other_winner"]
    gap, places = max(points) - sorted(points)[1], np.argsort(orders, axis=1)
    gains = np.sort(places[:, int(np.argsort(points)[1])] + 2 - places[:, int(np.argmax(points))])[::-1]
    assert bribe.upper == int((gains.cumsum() > gap).argmax()) + 1


BAD = {
    "sum": (HEADER.format(4) + "3: 1,2,3\n", "orders are those of 3 voters, and its header says 4"),
    "twice": (HEADER.format(1) + "1: 1,2,1\n", "line 7: it ranks alternative 1 twice"),
    "unknown": (HEADER.format(1) + "1: 1,2,4\n", "line 7: there is no alternative 4; they are 1 to 3"),
    "braces": (HEADER.format(1) + "1: 1,{2,3\n", "line 7: '1,{2,3' is not an order"),
    "words": (HEADER.format(1) + "1: Ann\n", "line 7: 'Ann' is not an order"),
    "no count": (HEADER.format(1) + "1,2,3\n", "line 7: '1,2,3' is not an order"),
    "incomplete": (HEADER.format(1) + "1: 1,2\n", "line 7: it ranks 2 of 3 alternatives, and orders in .toc files are"),
    "no orders": (HEADER.format(0), "it has no orders"),
    "no names": ("# NUMBER VOTERS: 1\n1: 1\n", "it has no names of alternatives"),
    "voters": (HEADER.format("many"), "line 3: 'many' is not a whole number"),
    "names": (
        HEADER.format(1).replace("ALTERNATIVES: 3", "ALTERNATIVES: 4") + "1: 1,2,3\n",
        "it names 3 alternatives, and",
    ),
    "same name": (HEADER.format(1).replace("Cy", "Ann") + "1: 1,2,3\n", "two alternatives have the same name"),
    "empty": ("", "it is empty"),
    "short": ("3\n1,Ann\n", "it has 2 lines, too few for 3 alternatives"),
    "too many": (HEADER.format(9_000_000) + "9000000: 1,2,3\n", "are too many; the limit is"),
    "csv": ("entry,j1\na,1\n", "line 1: 'entry,j1' is not a whole number"),
}


@pytest.mark.parametrize("name", BAD)
def test_mistakes_are_told(name: str, tmp_path: Path) -> None:
    text, message = BAD[name]
    with pytest.raises(bp.FileError) as caught:
        bp.read_preflib(write(tmp_path, "votes.toc", text))
    assert message in str(caught.value)


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(bp.FileError, match="No such file"):
        bp.read_preflib(tmp_path / "none.soc")
    path = tmp_path / "latin.soc"
    path.write_bytes("# ALTERNATIVE NAME 1: Zoë\n".encode("latin-1"))
    with pytest.raises(bp.FileError, match="not in UTF-8"):
        bp.read_preflib(path)
    with pytest.raises(TypeError):
        bp.read_preflib(3)  # type: ignore[arg-type]
