"""The worst bribe of a table: every kind of frame, names and values, sentences that are true, and mistakes."""

import json
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import bribeproof as bp
from tests.cli.command import call
from tests.frames.inputs import EACH_KIND, check_frames, give
from tests.paths import ROOT

ROWS: list[tuple[str, str, str]] = [
    (f"t{task}", worker, "yes" if worker in said else "no")
    for task, said in enumerate(["abc", "ab", "abd", "ac", "abcde", "", "ad", "cd"])
    for worker in "abcde"
]
COLUMNS: dict[str, list[Any]] = {
    name: [row[place] for row in ROWS] for place, name in enumerate(("task", "worker", "label"))
}


@pytest.mark.parametrize("kind", EACH_KIND)
def test_every_kind_of_frame(kind: str, tmp_path: Path) -> None:
    found = bp.worst_bribe(give(kind, COLUMNS, tmp_path), 1)
    expected = bp.worst_bribe(pl.DataFrame(COLUMNS), 1)
    check_frames(kind, [found.reporters, found.items], [expected.reporters, expected.items])
    assert (found.facts(), found.summary()) == (expected.facts(), expected.summary())


def test_wide_form_and_the_order_of_rows() -> None:
    frame = pl.DataFrame(COLUMNS)
    wide = frame.pivot(on="worker", index="task", values="label")
    found = [bp.worst_bribe(one, 2).facts() for one in (frame, frame.reverse())]
    found.append(bp.worst_bribe(wide, 2, judges=["e", "a", "b", "c", "d"]).facts())
    assert found[0]["changed"] == found[1]["changed"] == found[2]["changed"]
    assert found[0]["upper"] == found[2]["upper"]


def test_by_hand() -> None:
    """Three votes against two are turned by one of the three; four against one by two of the four."""
    found = bp.worst_bribe(pl.DataFrame(COLUMNS), 1)
    # t0, t1, t2, t3, t6 and t7 stand three to two; each reporter is in the majority of some of them.
    majority = {"t0": "abc", "t1": "cde", "t2": "abd", "t3": "bde", "t6": "bce", "t7": "abe"}
    best = max("abcde", key=lambda who: sum(who in members for members in majority.values()))
    assert found.reporters["reporter"].to_list() == [best]
    assert found.items["task"].to_list() == [task for task, members in majority.items() if best in members]
    assert (found.changed, found.exact, found.decided, found.each_alone) == (5, True, 8, 6)
    assert found.reporters.row(0) == ("b", 8, 5, 5)
    assert "If b had been bribed, 5 of 8 decided items could have been changed." in found.summary()
    assert "no one reporter could have changed more (all lists were counted)" in found.summary()
    html = found._repr_html_()
    assert "<table>" in html
    assert "5 of 8 decided items" in html
    assert repr(found) == "WorstBribe(k=1, changed=5, upper=5, decided=8)"
    assert bp.worst_bribe(pl.DataFrame(COLUMNS), 0).changed == 0
    assert "No 0 reporters of 5" in bp.worst_bribe(pl.DataFrame(COLUMNS), 0).summary()


def test_values_of_items() -> None:
    values = dict.fromkeys(COLUMNS["task"], 0.0) | {"t1": 10.0, "t6": 1.0}
    found = bp.worst_bribe(pl.DataFrame(COLUMNS), 1, values=values)
    assert (found.lower, found.upper, found.changed) == (11.0, 11.0, found.items.height)
    assert found.reporters["reporter"].to_list()[0] in "ce"
    assert ", worth 11." in found.summary()


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        ({"k": -1}, "negative"),
        ({"values": {"t1": 1}}, "no number for item"),
        ({"values": dict.fromkeys(COLUMNS["task"], -1)}, "at least 0"),
        ({"values": 3}, "mapping"),
        ({"time_limit": 0}, "time_limit"),
        ({"label": "nowhere"}, "nowhere"),
    ],
)
def test_mistakes(options: dict[str, Any], reason: str) -> None:
    with pytest.raises(bp.BribeproofError, match=reason):
        bp.worst_bribe(pl.DataFrame(COLUMNS), **({"k": 1} | options))


def test_the_command_says_what_the_library_found(tmp_path: Path) -> None:
    votes, target = tmp_path / "votes.csv", tmp_path / "items.csv"
    pl.DataFrame(COLUMNS).write_csv(votes)
    found = bp.worst_bribe(pl.DataFrame(COLUMNS), 2)
    done = call("bribe", votes, "--k", 2, "-o", target)
    assert done.status == 0, done
    assert found.summary() in done.out
    assert pl.read_csv(target)["task"].to_list() == found.items["task"].to_list()
    document = json.loads(call("bribe", votes, "--k", 2, "--json").out)
    assert {name: document[name] for name in found.facts() if name != "reporters"} == {
        name: value for name, value in found.facts().items() if name != "reporters"
    }
    scores = call("bribe", ROOT / "examples" / "judges.csv", "--k", 1)
    assert scores.status == 2
    assert "these are scores" in scores.err
