"""The worst bribe of a table: every kind of frame, names and values, sentences that are true, and mistakes."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
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
    assert "no one reporter could have changed more (proven)" in found.summary()
    html = found._repr_html_()
    assert "<table>" in html
    assert "5 of 8 decided items" in html
    assert repr(found) == "WorstBribe(k=1, changed=5, upper=5, decided=8)"
    assert bp.worst_bribe(pl.DataFrame(COLUMNS), 0).changed == 0
    assert (
        bp.worst_bribe(pl.DataFrame(COLUMNS), 0).summary() == "With nobody bribed, no decision could have been changed."
    )


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
    scores = call("bribe", ROOT / "examples" / "judges.csv", "--change", 1)
    assert scores.status == 2
    assert ": of scores, give winner or podium" in scores.err


GROUPS = {"b": "us", "c": "us", "d": "them"}


def test_groups_prices_and_a_budget_as_columns_mappings_and_files(tmp_path: Path) -> None:
    """One bribe of a group is one of all in it; whatever is stated may stand in a column, a mapping or a file."""
    votes = pl.DataFrame(COLUMNS)
    found = bp.worst_bribe(votes, 1, group=GROUPS)
    assert found.reporters.row(0, named=True) | {"changes_alone": None, "with_those_above": None} == {
        "group": "us", "reporters": 2, "reports": 16, "changes_alone": None, "with_those_above": None,
    }  # fmt: skip
    two = bp.worst_bribe(votes, 2)
    assert found.changed <= two.changed
    assert "If us (2 reporters) had been bribed" in found.summary()
    assert "no one group could have changed more (proven)" in found.summary()
    assert "some one bribed group, perhaps another on each item" in found.summary()
    price = {"us": "2", "them": 1, "a": 0.5, "e": 0.5}
    spent = bp.worst_bribe(votes, group=GROUPS, price=price, budget="1.5")
    assert spent.reporters["group"].sort().to_list() in (["a", "e"], ["a", "them"], ["e", "them"])
    assert f"That costs {float(spent.cost):g} of 1.5." in spent.summary()
    assert "no groups for at most 1.5 could have changed more (proven)" in spent.summary()
    assert spent.facts()["cost"] <= spent.facts()["budget"] == 1.5
    assert repr(spent).startswith("WorstBribe(budget=1.5, changed=")
    stated = votes.with_columns(
        team=pl.col("worker").replace_strict(GROUPS, default=None),
        fee=pl.col("worker").replace_strict({"b": 2.0, "c": 2.0, "d": 1.0}, default=0.5),
    )
    columns = bp.worst_bribe(stated, group="team", price="fee", budget=1.5)
    assert columns.facts() == spent.facts()
    plain, file, teams, fees = (tmp_path / name for name in ("plain.csv", "votes.csv", "teams.csv", "fees.csv"))
    votes.write_csv(plain)
    stated.write_csv(file)
    teams.write_text("reporter,group\n" + "".join(f"{who},{team}\n" for who, team in GROUPS.items()), encoding="utf-8")
    fees.write_text("group,price\n" + "".join(f"{who},{fee}\n" for who, fee in price.items()), encoding="utf-8")
    for options in ((file, "--group", "team", "--price", "fee"), (plain, "--group", teams, "--price", fees)):
        done = call("bribe", *options, "--budget", "1.5")
        assert done.status == 0, done
        assert spent.summary() in done.out
    wide = tmp_path / "wide.csv"
    votes.pivot(on="worker", index="task", values="label").write_csv(wide)
    done = call("bribe", wide, "--group", teams, "--k", 1, "--judges", "a,b,c,d,e")
    assert found.summary() in done.out


def test_weighted_answers_and_values_in_a_column(tmp_path: Path) -> None:
    """A heavy reporter decides alone; what an item counts may stand beside it."""
    weights = {"a": 3, "b": 1, "c": 1, "d": 1, "e": 0}
    votes = pl.DataFrame(COLUMNS).with_columns(stake=pl.col("task").str.tail(1).cast(pl.Int64))
    found = bp.worst_bribe(votes, 1, weights=weights, values="stake")
    sums: dict[str, float] = {}
    for task, who, label in ROWS:
        sums[task] = sums.get(task, 0) + weights[who] * (1 if label == "yes" else -1)
    decided = {task for task, total in sums.items() if total}
    flips = {task for task in decided if abs(sums[task]) <= 6}
    said = {task: label for task, who, label in ROWS if who == "a"}
    mine = {task for task in flips if (sums[task] > 0) == (said[task] == "yes")}
    assert found.reporters["reporter"].to_list() == ["a"]
    assert found.lower == sum(int(task[1:]) for task in mine)
    assert set(found.items["task"]) == mine
    assert found.items.row(0)[2] == abs(sums[found.items.row(0)[0]])
    file, table = tmp_path / "votes.csv", tmp_path / "weights.csv"
    votes.write_csv(file)
    pl.DataFrame({"reporter": list(weights), "weight": list(weights.values())}).write_csv(table)
    assert found.summary() in call("bribe", file, "--k", 1, "--weights", table, "--values", "stake").out


def test_sentences_where_nothing_can_be_changed() -> None:
    """What counts for nothing may be changed all the same; money counts no reporters; one item is told as one."""
    votes = pl.DataFrame({"task": ["t", "u", "u", "u"], "worker": list("aabc"), "label": ["x"] * 4})
    worthless = bp.worst_bribe(votes, 1, values={"t": 0, "u": 1})
    assert worthless.summary() == "No one reporter could have changed a decision of value above 0 (proven)."
    assert worthless.each_alone == 1
    dear = bp.worst_bribe(votes, price=dict.fromkeys("abc", 2), budget=1.5)
    assert dear.summary() == "No reporters for at most 1.5 could have changed any of 2 decided items (proven)."
    one = bp.worst_bribe(votes.filter(pl.col("task") == "u"), 1)
    assert one.summary() == "No one reporter could have changed the one decided item (proven)."
    tied = pl.DataFrame({"task": ["t", "t"], "worker": ["a", "b"], "label": ["x", "y"]})
    for options in ({"k": 0}, {"k": 1}, {"price": {"a": 1, "b": 1}, "budget": 1}):
        assert bp.worst_bribe(tied, **options).summary() == "No item is decided: there is nothing to change."


def test_with_prices_those_who_could_be_changed_alone_are_a_bound() -> None:
    """The one whose two reports would turn the item costs too much, and so do any others who could."""
    votes = pl.DataFrame({"task": ["t"] * 7 + ["u"], "worker": [*"abcdefg", "g"], "label": [*"xxxxyyy", "x"]})
    found = bp.worst_bribe(votes, price=dict(zip("abcdefg", (2, 2, 2, 2, 1, 1, 1), strict=True)), budget=1)
    assert (found.changed, found.names) == (1, ["g"])
    assert "At most 1 is so close that bribes for at most 1, perhaps of others on each item" in found.summary()


def test_values_are_compared_by_what_they_count() -> None:
    """Two items of little against one of much: others change more of them, and less of value."""
    votes = pl.DataFrame({"task": list("tuv"), "worker": list("aab"), "label": ["x"] * 3})
    found = bp.worst_bribe(votes, 1, values={"t": 1, "u": 1, "v": 3})
    assert (found.names, found.changed) == (["b"], 1)
    assert "no one reporter could have changed a larger value (proven)" in found.summary()


def test_a_search_that_found_nobody_in_time_says_so() -> None:
    from bribeproof.bribery.result import WorstBribe

    found = bp.worst_bribe(pl.DataFrame(COLUMNS), 1)
    nobody = replace(found.found, groups=(), changed=np.zeros_like(found.found.changed))
    assert WorstBribe.of(found._question, nobody).summary().splitlines() == [
        "Nobody was found in time who could have changed any of 8 decided items.",
        "But no one reporter could have changed more than 5 (proven).",
    ]


def test_progress_and_a_time_limit_that_is_over_at_once() -> None:
    found = bp.worst_bribe(pl.DataFrame(COLUMNS), 2, time_limit=1e-9)
    best = bp.worst_bribe(pl.DataFrame(COLUMNS), 2)
    assert found.lower <= best.lower <= found.upper
