"""The fewest reporters for a change: names, sentences that are true, every form of the question, and mistakes."""

import json
from fractions import Fraction
from functools import partial
from itertools import combinations
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import bribeproof as bp
from tests.bribery.test_worst_bribe import COLUMNS, GROUPS
from tests.cli.command import call
from tests.frames.inputs import EACH_KIND, check_frames, give
from tests.paths import ROOT

VOTES = pl.DataFrame(COLUMNS)


@pytest.mark.parametrize("kind", EACH_KIND)
def test_every_kind_of_frame(kind: str, tmp_path: Path) -> None:
    found = bp.cheapest_bribe(give(kind, COLUMNS, tmp_path), 6)
    expected = bp.cheapest_bribe(VOTES, 6)
    check_frames(kind, [found.reporters, found.items], [expected.reporters, expected.items])
    assert (found.facts(), found.summary()) == (expected.facts(), expected.summary())


def test_it_agrees_with_the_worst_bribe() -> None:
    for k in range(1, 4):
        most = int(bp.worst_bribe(VOTES, k).upper)
        found = bp.cheapest_bribe(VOTES, most)
        assert found.cost == found.least == min(one for one in (1, 2, 3) if bp.worst_bribe(VOTES, one).upper >= most)
        assert found.recheck()
    assert bp.worst_bribe(VOTES, 1).recheck().ok


def changes(members: tuple[str, ...], task: str) -> bool:
    """Whether some reporters could take the decision away: all their votes on the item are turned and counted again."""
    votes: dict[str, str] = {who: label for name, who, label in VOTES.rows() if name == task}
    yes = sum(label == "yes" for label in votes.values())
    winner = "yes" if 2 * yes > len(votes) else "no"
    left = sum(label == winner and who not in members for who, label in votes.items())
    return 2 * left <= len(votes)


def test_named_items_by_rewriting_and_counting_again() -> None:
    price = {"a": "2", "b": "1/3", "c": "0.5", "d": "3", "e": "2"}
    money = {who: Fraction(amount) for who, amount in price.items()}
    for named in (["t0"], ["t4"], ["t5", "t0"], ["t2", "t3", "t6"]):
        able = [
            members
            for size in range(6)
            for members in combinations("abcde", size)
            if all(changes(members, task) for task in named)
        ]
        fewest, cheapest = bp.cheapest_bribe(VOTES, items=named), bp.cheapest_bribe(VOTES, items=named, price=price)
        assert fewest.cost == fewest.least == min(map(len, able))
        assert cheapest.cost == cheapest.least == min(sum(money[who] for who in members) for members in able)
        for found in (fewest, cheapest):
            assert tuple(sorted(found.names)) in able
            assert set(named) <= set(found.items["task"])
            assert found.recheck()
            assert found.facts()["named"] == named


def test_what_is_rewritten_is_aggregated_to_another_decision() -> None:
    """The list of the worst bribe, replayed through the aggregation of the same table."""
    found = bp.worst_bribe(VOTES, 2)
    before = bp.aggregate_labels(VOTES, k=0)
    changed = set(found.items["task"])
    turned = {"yes": "no", "no": "yes"}
    decisions = dict(before.select("task", "decision").iter_rows())
    rows = [
        (task, who, turned[decisions[task]] if who in found.names and task in changed else label)
        for task, who, label in VOTES.rows()
    ]
    after = bp.aggregate_labels(pl.DataFrame(rows, schema=VOTES.columns, orient="row"), k=0)
    others = dict(after.select("task", "decision").iter_rows())
    assert {task for task in decisions if decisions[task] != others[task]} == changed


def test_sentences() -> None:
    """Each says whether fewer are enough."""
    lines = bp.cheapest_bribe(VOTES, items="t4").summary().splitlines()
    first, second, third = bp.cheapest_bribe(VOTES, items="t4").names
    assert lines[0] == f"If {first}, {second} and {third} had been bribed, t4 could have been changed."
    assert lines[1] == "That is the fewest: no 2 reporters could have changed t4 (proven)."
    assert "with nobody bribed, nothing changes" in bp.cheapest_bribe(VOTES, 1).summary()
    grouped = bp.cheapest_bribe(VOTES, 8, group=GROUPS)
    assert "no one group could have changed 8 items (proven)" in grouped.summary()
    priced = bp.cheapest_bribe(VOTES, 6, price=dict.fromkeys("abcde", 0.1))
    assert "That costs 0.2; no reporters for less could have changed 6 items (proven)." in priced.summary()
    worth = dict.fromkeys(COLUMNS["task"], 0.5) | {"t4": 7}
    valued = bp.cheapest_bribe(VOTES, 7.5, values=worth)
    assert "could have changed a value of 7.5 (proven)" in valued.summary()
    assert "nothing is cheaper" in bp.cheapest_bribe(VOTES, 1, price=dict.fromkeys("abcde", 0)).summary()
    hurried = bp.cheapest_bribe(VOTES, 6, time_limit=1e-9)
    assert "Fewer may be enough" in hurried.summary()
    assert hurried.least <= 2 <= hurried.cost
    assert repr(valued).startswith("CheapestBribe(cost=3, least=3, changed=")
    assert "<table>" in grouped._repr_html_()


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        ({}, "either how many decisions"),
        ({"change": 1, "items": ["t0"]}, "either how many decisions"),
        ({"change": 0}, "8 decided items; give a whole number above 0"),
        ({"change": 9}, "change=9: there are 8 decided items"),
        ({"change": 1.5}, "a whole number"),
        ({"change": -1}, "above 0"),
        ({"change": "many"}, "change='many'"),
        ({"change": 99, "values": dict.fromkeys(COLUMNS["task"], 2)}, "8 decided items, worth 16"),
        ({"items": "nowhere"}, "there is no item 'nowhere'"),
        ({"items": []}, "items is empty"),
        ({"change": 1, "price": {"a": -1}}, "price"),
        ({"change": 1, "price": dict.fromkeys("abcd", 1)}, "no amount for 'e'"),
        ({"change": 1, "time_limit": 0}, "time_limit"),
    ],
)
def test_mistakes(options: dict[str, Any], reason: str) -> None:
    with pytest.raises(bp.BribeproofError, match=reason):
        bp.cheapest_bribe(VOTES, **options)


def test_mistakes_about_few_items() -> None:
    """One item is told in the singular, and where there is none nothing is asked for."""
    votes = pl.DataFrame({"task": ["t", "t", "u"], "worker": ["a", "b", "a"], "label": ["x", "y", "x"]})
    with pytest.raises(bp.ParameterError, match=r"change=2: there is 1 decided item; give 1$"):
        bp.cheapest_bribe(votes, 2)
    with pytest.raises(bp.ParameterError, match="there is 1 decided item, worth 0: there is nothing of value"):
        bp.cheapest_bribe(votes, 2, values={"t": 1, "u": 0})
    with pytest.raises(bp.ParameterError, match="no item is decided, so that there is nothing to change"):
        bp.cheapest_bribe(votes.filter(pl.col("task") == "t"), 1)
    with pytest.raises(bp.ParameterError, match="no label has more weight than any other"):
        bp.cheapest_bribe(votes, items="t", weights={"a": 2, "b": 2})


def test_a_path_is_read_as_by_the_worst_bribe(tmp_path: Path) -> None:
    votes = tmp_path / "votes.csv"
    VOTES.write_csv(votes)
    found = [bp.cheapest_bribe(path, 6, items=None) for path in (votes, str(votes), VOTES)]
    assert found[0].summary() == found[1].summary() == found[2].summary()
    assert bp.worst_bribe(str(votes), 2).lower >= 6


@pytest.mark.parametrize("read", [str, bp.read_table])
def test_a_table_of_another_kind(read: Any) -> None:
    """Both functions say of what kind of table an option is."""
    sheet = ROOT / "examples" / "judges.csv"
    for ask in (lambda **options: bp.worst_bribe(read(sheet), 1, **options), partial(bp.cheapest_bribe, read(sheet))):
        with pytest.raises(bp.ParameterError, match="values needs votes or labels, and these are scores"):
            ask(values={"Delta": 1})
    with pytest.raises(bp.ParameterError, match="change=2: a number of decisions is about votes or labels"):
        bp.cheapest_bribe(read(sheet), 2)
    with pytest.raises(bp.ParameterError, match="change='winner' is about scores, and these are votes or labels"):
        bp.cheapest_bribe(read(ROOT / "examples" / "labels.csv"), "winner", kind="labels")  # type: ignore[call-overload]


def test_an_item_that_is_tied_cannot_be_changed() -> None:
    votes = pl.DataFrame({"task": ["t", "t", "u"], "worker": ["a", "b", "a"], "label": ["x", "y", "x"]})
    with pytest.raises(bp.ParameterError, match="t is not decided"):
        bp.cheapest_bribe(votes, items="t")
    assert bp.cheapest_bribe(votes, items="u").names == ["a"]


def test_the_command_says_what_the_library_found(tmp_path: Path) -> None:
    votes, fees, picture = tmp_path / "votes.csv", tmp_path / "fees.csv", tmp_path / "bribe.svg"
    VOTES.write_csv(votes)
    fees.write_text("reporter,price\na,3\nb,2\nc,2\nd,1\ne,2\n", encoding="utf-8")
    price = dict(zip("abcde", (3, 2, 2, 1, 2), strict=True))
    asked: list[tuple[tuple[Any, ...], Any]] = [
        (("--change", 6), bp.cheapest_bribe(VOTES, 6)),
        (("--change", 6, "--price", fees), bp.cheapest_bribe(VOTES, 6, price=price)),
        (("--change-items", "t4,t0"), bp.cheapest_bribe(VOTES, items=["t4", "t0"])),
    ]
    for options, found in asked:
        done = call("bribe", votes, *options, "--plot", picture)
        assert done.status == 0, done
        assert found.summary() in done.out
        document = json.loads(call("bribe", votes, *options, "--json").out)
        assert {name: document[name] for name in ("cost", "least", "exact")} == {
            name: found.facts()[name] for name in ("cost", "least", "exact")
        }
        assert "<svg" in picture.read_text(encoding="utf-8")
    mistakes: list[tuple[tuple[Any, ...], str]] = [
        ((), "ask one thing"),
        (("--k", 1, "--change", 2), "ask one thing"),
        (("--change", 2, "--change-items", "t0"), "ask one thing"),
        (("--k", 9), "--k 9: there are 5 reporters"),
        (("--k", 1, "--price", fees), "--price needs --budget"),
        (("--budget", 3), "--budget needs --price"),
    ]
    for options, reason in mistakes:
        done = call("bribe", votes, *options)
        assert done.status == 2, done
        assert reason in done.err
