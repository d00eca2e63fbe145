"""What the same reporters could have done, in the summary of a result: against every list, from the definition."""

import pickle
from collections import Counter
from itertools import combinations
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import bribeproof as bp
from bribeproof.aggregation import same_reporters
from tests.cli.command import call
from tests.frames.inputs import EACH_KIND, UNORDERED, give, long
from tests.paths import ROOT

LABELS = ROOT / "examples" / "labels.csv"
Tables = dict[str, dict[str, str]]
"""The reports of each item, by reporter."""


def frame(table: Tables) -> dict[str, list[Any]]:
    return long(*((item, who, label) for item, reports in table.items() for who, label in reports.items()))


def changes(reports: dict[str, str], bribed: tuple[str, ...]) -> bool:
    """Whether some reporters can write their reports such that the winner no longer has more than every other."""
    (winner, _), *_ = Counter(reports.values()).most_common(1)
    others = {label: n for label, n in Counter(reports.values()).items() if label != winner}
    free = [who for who in bribed if who in reports]
    for rival in [*others, "a new one"]:
        forged = reports | dict.fromkeys(free, rival)
        tally = Counter(forged.values())
        if tally[winner] <= tally[rival]:
            return True
    return False


def by_hand(table: Tables, k: int) -> tuple[int, int]:
    """The most decisions that one list of k changes, of those that have 2k + 1 reports, a class left, and no tie."""
    sure = []
    for reports in table.values():
        counts = sorted(Counter(reports.values()).values(), reverse=True)
        if len(reports) > 2 * k and counts[0] > k and (len(counts) == 1 or counts[0] > counts[1]):
            sure.append(reports)
    everyone = sorted({who for reports in table.values() for who in reports})
    best = max(sum(changes(reports, who) for reports in sure) for who in combinations(everyone, min(k, len(everyone))))
    return best, len(sure)


tables = st.dictionaries(
    st.sampled_from([f"t{item}" for item in range(6)]),
    st.dictionaries(st.sampled_from("abcdef"), st.sampled_from(["x", "y", "z"]), min_size=1),
    min_size=1,
)


@pytest.mark.parametrize("k", [1, 2])
@given(table=tables)
def test_most_of_all_lists(k: int, table: Tables) -> None:
    facts = bp.aggregate(pl.DataFrame(frame(table)), k, kind="labels").facts()
    same = facts.get("same_reporters")
    if same is None:
        assert facts["changeable"] == 0
        return
    assert (same["changed"], same["decided"]) == by_hand(table, k)
    chosen = tuple(same["reporters"])
    sure = [one for one in table.values() if len(one) > 2 * k and len(set(one.values())) < len(one) + 1]
    assert same["changed"] <= sum(changes(reports, chosen) for reports in sure)
    assert same["changed"] <= facts["changeable"]
    assert same["decided"] <= facts["decisions"]


TABLE: Tables = {
    "t1": dict(zip("abcde", "xxxyy", strict=True)),
    "t2": dict(zip("abcde", "yxxxy", strict=True)),
    "t3": dict(zip("abcde", "xxxxx", strict=True)),
    "t4": dict(zip("abcd", "xxyy", strict=True)),
    "t5": {"a": "x"},
}


@pytest.mark.parametrize("kind", EACH_KIND)
def test_every_kind_of_frame_but_spark_says_who(kind: str, tmp_path: Path) -> None:
    result = bp.aggregate(give(kind, frame(TABLE), tmp_path), 1)
    said = result.summary()
    if kind == "pyspark":
        assert "What the same one could have changed on all items: bribeproof bribe FILE --k 1." in said
        return
    assert result.facts()["same_reporters"] == {"k": 1, "reporters": ["b"], "changed": 2, "decided": 3}
    assert "3 of 4 decisions could have been changed by some one bribed reporter" in said
    assert "The same one on all items could have changed at most 2 of the 3 that are no tie: b." in said
    if kind not in UNORDERED and kind != "polars-lazy":
        assert bp.aggregate(give(kind, frame(TABLE), tmp_path), 1, share=None).summary() == said


def test_wide_form_a_share_and_the_command() -> None:
    wide = pl.DataFrame(frame(TABLE)).pivot(on="worker", index="task", values="label")
    judges = ["c", "a", "e", "b", "d"]
    facts = bp.aggregate(wide, 1, kind="labels", item="task", judges=judges).facts()
    assert facts["same_reporters"]["reporters"] == ["b"]
    share = bp.aggregate(pl.DataFrame(frame(TABLE)), share="0.2").facts()
    assert share["same_reporters"]["changed"] == 2
    assert "same_reporters" not in bp.aggregate(pl.DataFrame(frame(TABLE)), share="0.2", share_of="item").facts()
    done = call("aggregate", LABELS, "--k", 1, "--rows", 0)
    assert "The same one on all items could have changed at most 14 of the 28 that are no tie: ann." in done.out
    found = call("bribe", LABELS, "--k", 1)
    assert "If ann had been bribed, 14 of 28 decided items" in found.out


def test_where_it_takes_long_the_command_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    votes = {f"t{item}": dict(zip("abcdefghi", "xxxxxyyyy", strict=True)) for item in range(3)}
    result = bp.aggregate(pl.DataFrame(frame(votes)), 4)
    assert result.facts()["same_reporters"]["changed"] == 3
    for limit in ("_MOST_REPORTS", "_MOST_CELLS"):
        with monkeypatch.context() as patch:
            patch.setattr(same_reporters, limit, 1)
            facts = bp.aggregate(pl.DataFrame(frame(TABLE)), 1).facts()
            assert facts["same_reporters"] == {"k": 1, "reporters": None, "changed": None, "decided": None}
            assert "bribeproof bribe FILE --k 1." in bp.aggregate(pl.DataFrame(frame(TABLE)), 1).summary()
    assert "of 3: a." in bp.aggregate(pl.DataFrame(frame(votes)), 2).summary()


def test_nothing_is_counted_before_the_summary(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(same_reporters, "read_ballots", lambda _: pytest.fail("counted"))
    result = bp.aggregate(pl.DataFrame(frame(TABLE)), 1)
    assert repr(result)
    assert bp.aggregate(pl.DataFrame(frame(TABLE)), 0).summary()
    with pytest.raises(pytest.fail.Exception, match="counted"):
        result.summary()


def test_where_bribed_reporters_can_do_more_than_rewrite_reports_nothing_is_said() -> None:
    votes = pl.DataFrame(frame(TABLE))
    expert = bp.Expert(0.5, 0.9, 0.1)
    options: list[dict[str, Any]] = [
        {"asked": 5},
        {"faulty": "set aside"},
        {"kind": "votes", "positive": "x", "expert": expert, "loss": bp.theory.CostWeighted(1, 2)},
    ]
    for option in options:
        assert "same_reporters" not in bp.aggregate(votes, 1, **option).facts()
    squared = bp.aggregate(votes, 1, kind="votes", positive="x", expert=expert).facts()
    assert squared["same_reporters"]["changed"] == 2
    sets = pl.DataFrame(long(*((f"t{i}", w, "cat;dog" if w in "ab" else "dog;cat;cow") for i in "12" for w in "abc")))
    assert "same_reporters" not in bp.aggregate(sets, 1, kind="labels", label_sets="each").facts()
    assert "same_reporters" in bp.aggregate(sets, 1, kind="labels", label_sets="whole").facts()
    scores = pl.DataFrame({"task": ["t"], "j1": [1.5], "j2": [2.5], "j3": [2.0]})
    assert "same_reporters" not in bp.aggregate(scores, 1, kind="scores", item="task").facts()


def test_results_are_stored_without_the_reports() -> None:
    result = bp.aggregate(pl.DataFrame(frame(TABLE)), 1)
    stored = pickle.loads(pickle.dumps(result))  # noqa: S301  our own bytes
    assert stored.items.equals(result.items)
    assert "bribeproof bribe FILE --k 1." in stored.summary()


def test_of_one_item_nothing_is_said() -> None:
    assert "The same" not in bp.aggregate(pl.DataFrame(frame({"t1": TABLE["t1"]})), 1).summary()
