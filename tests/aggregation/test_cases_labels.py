"""Small tables that naive tools get wrong (S01 to S33): labels, on every kind of input.

The same for votes, scores, arrays and files is in test_cases_votes.py, _scores.py, _arrays.py and _files.py.
"""

import os
import subprocess
import sys
from itertools import permutations
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import bribeproof as bp
from tests.aggregation.sample_tables import (
    CONFLICT,
    IDS,
    NFC,
    NO_ANSWER,
    S01,
    S04,
    S06,
    S07,
    S08,
    S10,
    S12,
    S13,
    S14,
    S29,
    TIE,
)
from tests.frames.inputs import (
    EACH_FORM,
    EACH_KIND,
    ORDERED,
    Columns,
    Give,
    check,
    expecting,
    give,
    long,
    panel,
    rows,
    widen,
)

SHARES = {"share_lo": 1 / 3, "share_mid": 0.0, "share_hi": 2 / 3}

LABELS = [
    pytest.param(S01, {"k": 0}, None, [
        {"task": "q1", "n": 3, "m": 2, "k": 0, **TIE, "estimate": None, "share_pass": 0.5, "share_fail": 0.5},
    ], id="S01"),
    pytest.param(S01, {"k": 1}, None, [
        {"task": "q1", "n": 3, "m": 2, "k": 1, **NO_ANSWER, "tie": True, "status": "not certified",
         "share_pass": None, "share_fail": None},
    ], id="S01 one bribed"),
    pytest.param(S04, {"k": 0}, None, [
        {"task": "t1", "n": 2, "m": 2, "decision": "x", "tie": False, "flips_needed": 1, "estimate": 1.0,
         "status": "ok"},
        {"task": "t2", "n": 2, "m": 0, **NO_ANSWER, "tie": False, "status": "no reports", "share_x": None},
    ], id="S04"),
    pytest.param(S08, {"k": 0}, None, [
        {"task": IDS[0], "n": 5, "m": 2, "decision": "1", "share_1": 1.0, "share_0": 0.0},
        {"task": IDS[-1], "n": 5, "m": 3, "decision": "0", "share_1": 0.0, "share_0": 1.0, "flips_needed": 2},
    ], id="S08"),
    pytest.param(S10, {"k": 0}, None, [{"task": "t1", "n": 2, "m": 2, **TIE}], id="S10"),
    pytest.param(S12, {"k": 0}, None, [
        {"task": "t1", "m": 7, "decision": "cat", "share_cat": 4 / 7, "share_dog": 3 / 7},
    ], id="S12"),
    pytest.param(NFC, {"k": 0}, None, [{"task": "t1", "decision": "caf\u00e9", "estimate": 2 / 3}], id="NFC"),
    pytest.param(S13, {"k": 0}, "NA", [
        {"task": "t1", "n": 4, "m": 3, "decision": "NA", "share_NA": 2 / 3, "share_FR": 1 / 3},
    ], id="S13"),
    pytest.param(S13, {"k": 0, "missing": ("NA",)}, None, [
        {"task": "t1", "n": 4, "m": 1, "decision": "FR", "share_FR": 1.0},
    ], id="S13 listed"),
    pytest.param(S14, {"k": 0, "classes": ["lo", "mid", "hi"]}, None, [
        {"task": "t1", "decision": "hi", "flips_needed": 1, **SHARES},
    ], id="S14"),
    *(
        pytest.param(panel("AAAABB"), {"k": k}, None, [
            {"task": "t1", "n": 6, "decision": "A", "flips_needed": 1, "estimate": share, "share_A": share},
        ], id=f"S15 k={k}")
        for k, share in enumerate((2 / 3, 3 / 4, 1.0))
    ),
    pytest.param(panel("AAAABB"), {"k": 3}, None, [
        {"task": "t1", "m": 6, "k": 3, **NO_ANSWER, "tie": False, "status": "not certified"},
    ], id="S15 k=3"),
    pytest.param(panel("AABB"), {"k": 1}, None, [
        {"task": "t1", **TIE, "estimate": None, "share_A": 0.5, "share_B": 0.5},
    ], id="S16"),
    pytest.param(panel("ABCDE"), {"k": 1}, None, [
        {"task": "t1", "m": 5, **NO_ANSWER, "tie": True, "status": "no class left", "share_A": None},
    ], id="no class left"),
    pytest.param(panel("A  "), {"k": 0}, None, [
        {"task": "t1", "n": 3, "m": 1, "decision": "A", "flips_needed": 1, "estimate": 1.0},
    ], id="one report"),
]  # fmt: skip


@pytest.mark.parametrize(("read", "wide"), EACH_FORM, indirect=["read"])
@pytest.mark.parametrize(("reports", "call", "warning", "expected"), LABELS)
def test_labels(
    read: Give,
    wide: bool,
    reports: Columns,
    call: dict[str, Any],
    warning: str | None,
    expected: list[Any],
) -> None:
    table = widen(reports) if wide else reports
    judges = list(table)[1:] if wide else None
    with expecting(warning):
        check(bp.aggregate_labels(read(table), **call, judges=judges), expected)


@pytest.mark.parametrize("order", list(permutations(range(3))))
def test_s01_in_every_order(order: tuple[int, ...]) -> None:
    shuffled = {name: [column[i] for i in order] for name, column in S01.items()}
    check(bp.aggregate_labels(pl.DataFrame(shuffled), k=0), [{"task": "q1", "n": 3, "m": 2, **TIE}])


@pytest.mark.parametrize("blank", ["", " \u00a0\t"])
def test_blank_text_is_a_missing_report(read: Give, blank: str) -> None:
    reports = long(("q1", "j1", "pass"), ("q1", "j2", blank), ("q1", "j3", "pass"))
    check(bp.aggregate_labels(read(reports), k=0), [{"task": "q1", "n": 3, "m": 2, "decision": "pass"}])


def test_s06_exact_repeats_collapse(read: Give) -> None:
    expected = {"task": "t1", "n": 3, "m": 3, "decision": "y", "tie": False, "flips_needed": 1}
    with pytest.warns(bp.BribeproofWarning, match=r"\b2\b"):
        check(bp.aggregate_labels(read(S06), k=0), [{**expected, "share_y": 2 / 3, "share_x": 1 / 3}])
    with pytest.warns(bp.BribeproofWarning, match=r"\b2\b"):
        check(bp.aggregate_votes(read(S06), k=1, positive="x"), [{**expected, "positive": 1, "estimate": 0.0}])


def test_s07_a_trailing_space_buys_no_second_vote(read: Give) -> None:
    with pytest.warns(bp.BribeproofWarning, match=r"\b1\b"):
        check(bp.aggregate_labels(read(S07), k=0), [{"task": "t1", "n": 2, "m": 2, **TIE}])


@pytest.mark.parametrize("twins", [("w1", "W1", "x", "y"), ("w1", "w2", "Yes", "yes")], ids=["reporter", "label"])
def test_s07_near_duplicates_are_kept_apart_with_a_warning(read: Give, twins: tuple[str, str, str, str]) -> None:
    one, other, first, second = twins
    reports = read(long(("t1", one, first), ("t1", other, second)))
    with expecting("W1|Yes|does not tell names apart by case"):
        check(bp.aggregate_labels(reports, k=0), [{"task": "t1", "n": 2, "m": 2, **TIE}])


def test_conflicting_repeats_stop_the_run(read: Give) -> None:
    with pytest.raises(bp.BribeproofError, match=r"(?s)(?=.*t1)(?=.*w1)"):
        rows(bp.aggregate_labels(read(CONFLICT), k=0))


@pytest.mark.parametrize(("rule", "m", "share"), [("first", 3, 2 / 3), ("last", 3, 1.0), ("drop", 2, 1.0)])
@pytest.mark.parametrize("kind", EACH_KIND)
def test_conflicting_repeats_under_a_rule(kind: str, rule: str, m: int, share: float, tmp_path: Path) -> None:
    if kind not in ORDERED and rule != "drop":
        return  # its rows have no order, so nothing is first or last
    with expecting(f"1 repeat collapsed.*1 time the reports differed, settled by the rule '{rule}'"):
        found = bp.aggregate_labels(give(kind, CONFLICT, tmp_path), k=0, repeats=rule)
    check(found, [
        {"task": "t1", "n": 3, "m": m, "decision": "y", "estimate": share},
        {"task": "t2", "n": 3, "m": 2, "decision": "x", "estimate": 1.0},
    ])  # fmt: skip


def test_s08_a_missing_item_id_is_an_error(read: Give) -> None:
    reports = {"task": [*IDS, None], "worker": [*S08["worker"], "w6"], "label": [*S08["label"], 1]}
    with pytest.raises(bp.BribeproofError, match="task"):
        rows(bp.aggregate_labels(read(reports), k=0))


@pytest.mark.parametrize("kind", ["polars", "polars-lazy", "pandas", "pandas-nullable", "pyarrow", "duckdb"])
def test_s08_long_integer_ids_stay_integers(kind: str, tmp_path: Path) -> None:
    found = rows(bp.aggregate_labels(give(kind, {**S08, "task": [int(i) for i in IDS]}, tmp_path), k=0))
    assert {row["task"]: row["decision"] for row in found} == {9007199254740993: 1, 9007199254740992: 0}
    assert all(isinstance(row["task"], int) for row in found)


SCRIPT = """
import polars as pl, bribeproof as bp
for labels in (["b", "a"], ["a", "b"]):
    frame = pl.DataFrame({"task": ["t1", "t1"], "worker": ["w1", "w2"], "label": labels})
    for options in ({}, {"ties": "random", "seed": 7}):
        print(bp.aggregate_labels(frame, k=0, **options).rows(named=True))
"""


@pytest.mark.slow
def test_s10_under_any_hash_seed() -> None:
    def run(seed: int) -> str:
        environment = {**os.environ, "PYTHONHASHSEED": str(seed)}
        script = [sys.executable, "-c", SCRIPT]
        return subprocess.run(script, env=environment, check=True, capture_output=True, text=True).stdout

    printed = {run(seed) for seed in range(4)}
    assert len(printed) == 1
    one_way, other_way = (lines := printed.pop().splitlines())[:2], lines[2:]
    assert one_way == other_way
    assert "'tie': True" in one_way[0]


def test_s11_a_mix_of_types_is_refused() -> None:
    labels = [1, "1", 1.0, True, "0", "0"]
    import pandas as pd

    frame = pd.DataFrame({"task": "t1", "worker": list("abcdef"), "label": pd.Series(labels, dtype=object)})
    for aggregate in (bp.aggregate_labels, bp.aggregate_votes):
        with pytest.raises(bp.BribeproofError, match=r"(?s)(?=.*int)(?=.*str)(?=.*bool)"):
            aggregate(frame, k=0)


@pytest.mark.parametrize("labels", [[1, 1, 0], [1.0, 1.0, 0.0], ["1", "1", "0"]], ids=["int", "float", "text"])
def test_s11_one_winner_however_the_labels_are_stored(read: Give, labels: list[Any]) -> None:
    reports = long(*(("t1", f"w{i}", label) for i, label in enumerate(labels)))
    expected = {"task": "t1", "decision": "1", "flips_needed": 1}
    check(bp.aggregate_labels(read(reports), k=0), [{**expected, "share_1": 2 / 3, "share_0": 1 / 3}])
    check(bp.aggregate_votes(read(reports), k=0), [{**expected, "positive": 2, "estimate": 2 / 3}])


ORDER = ["lo", "mid", "hi"]
TASKS = {"task": ["t1"] * 3, "worker": ["w1", "w2", "w3"]}


def declared(kind: str) -> Any:
    """Three reports whose type names the classes in their order."""
    labels = ["lo", "hi", "hi"]
    match kind:
        case "pandas":
            import pandas as pd

            return pd.DataFrame(TASKS | {"label": pd.Categorical(labels, ORDER, ordered=True)})
        case "pyarrow":
            import pyarrow as pa

            codes = pa.array([ORDER.index(label) for label in labels])
            return pa.table(TASKS | {"label": pa.DictionaryArray.from_arrays(codes, pa.array(ORDER), ordered=True)})
        case "duckdb":
            import duckdb

            return duckdb.sql("""
                select 't1' task, unnest(['w1', 'w2', 'w3']) worker,
                       unnest(['lo', 'hi', 'hi'])::enum('lo', 'mid', 'hi') "label"
            """)
    frame = pl.DataFrame(TASKS | {"label": pl.Series(labels, dtype=pl.Enum(ORDER))})
    return frame.lazy() if kind == "polars-lazy" else frame


@pytest.mark.parametrize("kind", ["pandas", "polars", "polars-lazy", "pyarrow", "duckdb"])
def test_s14_declared_classes_keep_their_order(kind: str) -> None:
    frame = declared(kind)
    found = bp.aggregate_labels(frame, k=0)
    check(found, [
        {"task": "t1", "decision": "hi", "flips_needed": 1, **SHARES},
    ])  # fmt: skip
    assert list(rows(found)[0])[-3:] == list(SHARES)
    check(
        bp.aggregate_votes(frame, k=0, positive="hi", classes=["lo", "hi"]),
        [{"task": "t1", "decision": "hi"}],
    )


@pytest.mark.parametrize(("rule", "flips"), [("none", 1), ("random", 1), ("first", 2), ("last", 1)])
def test_s15_the_tie_rule_is_part_of_the_flips(read: Give, rule: str, flips: int) -> None:
    found = bp.aggregate_labels(read(panel("AAAABB")), k=0, classes=["A", "B"], ties=rule, seed=1)
    check(found, [{"task": "t1", "decision": "A", "tie": False, "flips_needed": flips}])


@pytest.mark.parametrize(("rule", "needed"), [("none", 1), ("random", 1), ("first", 2), ("last", 1)])
@pytest.mark.parametrize("others", [0, 40])
def test_reports_that_are_missing_could_take_the_win_away(read: Give, rule: str, needed: int, others: int) -> None:
    """A, A, A, B, B and two who said nothing; also where there are so many classes that their counts are rows."""
    table = panel("AAABB")
    table = {"task": ["t1"] * 7, "worker": list("abcdefg"), "label": [*table["label"], None, None]}
    classes = ["A", "B", *(f"C{number}" for number in range(others))]
    found = bp.aggregate_labels(read(table), k=0, classes=classes, ties=rule, seed=1)
    check(found, [{"task": "t1", "n": 7, "m": 5, "decision": "A", "additions_needed": needed}])
    found = bp.aggregate_votes(read(table), k=0, positive="B", ties=rule, seed=1)
    check(found, [{"task": "t1", "n": 7, "m": 5, "decision": "A", "additions_needed": needed}])


@pytest.mark.parametrize(("rule", "decision"), [("first", "B"), ("last", "A")])
def test_named_tie_rules_follow_the_class_order(read: Give, rule: str, decision: str) -> None:
    found = bp.aggregate_labels(read(panel("AABBC")), k=0, classes=["B", "A", "C"], ties=rule)
    check(found, [{"task": "t1", "decision": decision, "tie": True, "estimate": 2 / 5}])


@pytest.mark.parametrize("kind", ["polars", "polars-lazy", "pandas", "pyarrow", "duckdb"])
def test_s21_counters_do_not_wrap(kind: str) -> None:
    frame = pl.DataFrame(
        {"task": ["t1"] * 300, "worker": [f"w{i}" for i in range(300)], "label": [1] * 300},
        schema_overrides={"label": pl.UInt8},
    )
    reports: Any = frame.lazy() if kind == "polars-lazy" else frame if kind == "polars" else frame.to_arrow()
    if kind == "pandas":
        reports = reports.to_pandas()
    elif kind == "duckdb":
        import duckdb

        reports = duckdb.from_arrow(reports)
    certain = {"task": "t1", "n": 300, "m": 300, "decision": "1", "estimate": 1.0, "flips_needed": 150}
    check(bp.aggregate_votes(reports, k=100), [{**certain, "positive": 300}])
    check(bp.aggregate_labels(reports, k=100), [{**certain, "share_1": 1.0}])


def test_s29_a_blank_turns_no_label_into_a_float(read: Give) -> None:
    found = bp.aggregate_labels(read(S29), k=0, judges=["w1", "w2", "w3"])
    check(found, [
        {"task": "t1", "n": 3, "m": 2, **TIE, "share_1": 0.5, "share_2": 0.5},
        {"task": "t2", "n": 3, "m": 3, "decision": "2", "share_1": 1 / 3, "share_2": 2 / 3},
    ])  # fmt: skip
    assert [name for name in rows(found)[0] if name.startswith("share_")] == ["share_1", "share_2"]


@pytest.mark.parametrize("kind", ["polars", "polars-lazy", "pandas", "pandas-nullable", "pandas-object", "pyarrow"])
def test_s32_integers_for_everything(kind: str, tmp_path: Path) -> None:
    reports = {
        "task": [10, 10, 10, 2, 2, 2, 1, 1, 1],
        "worker": [0, 1, 2] * 3,
        "label": [1, 1, 0, 0, 0, 1, 1, 1, 1],
    }
    for aggregate in (bp.aggregate_labels, bp.aggregate_votes):
        found = rows(aggregate(give(kind, reports, tmp_path), k=0))
        assert [(row["task"], row["decision"], row["n"]) for row in found] == [
            (10, 1, 3),
            (2, 0, 3),
            (1, 1, 3),
        ]
        assert {type(row[name]) for row in found for name in ("task", "decision")} == {int}


def test_s32_integer_column_names() -> None:
    import pandas as pd

    frame = pd.DataFrame({"task": [10, 2, 1], 0: [1, 0, 1], 1: [1, 0, 1], 2: [0, 1, 1]})
    for aggregate in (bp.aggregate_labels, bp.aggregate_votes):
        found = rows(aggregate(frame, k=0, judges=[0, 1, 2]))
        assert [(row["task"], row["decision"]) for row in found] == [(10, 1), (2, 0), (1, 1)]


def test_an_unknown_label_among_declared_classes_is_an_error(read: Give) -> None:
    with pytest.raises(bp.BribeproofError, match="maybe"):
        rows(bp.aggregate_labels(read(panel("ab") | {"label": ["yes", "maybe"]}), k=0, classes=["yes", "no"]))
