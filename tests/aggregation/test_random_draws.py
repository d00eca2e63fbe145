"""Random ties and drawn dictators: the right chances, and a draw that nobody can re-roll by moving rows."""

import hashlib
import itertools
import json
from collections import Counter
from collections.abc import Iterable
from typing import Any

import numpy as np
import polars as pl
import pytest
from scipy.stats import binom

import bribeproof as bp
from bribeproof.theory import MultiExpert, Panel, dictator_guarantee
from tests.frames.inputs import EACH_FRAME, FRAMES, Give, by_item, check, long, rows


def crowd(items: int, ballot: str) -> pl.DataFrame:
    names = [f"item {i}" for i in range(items)]
    return pl.DataFrame(
        {
            "task": [name for name in names for _ in ballot],
            "worker": [f"w{i}" for _ in names for i in range(len(ballot))],
            "label": list(ballot) * items,
        }
    )


@pytest.mark.parametrize(
    ("ballot", "k", "chances"),
    [
        ("abc", 0, {"a": 1 / 3, "b": 1 / 3, "c": 1 / 3}),
        ("aaabb", 1, {"a": 2 / 3, "b": 1 / 3}),
        ("aaab", 1, {"a": 1.0}),
    ],
)
def test_the_drawn_dictator_has_the_truncated_shares_as_chances(ballot: str, k: int, chances: dict[str, float]) -> None:
    items = 3000
    drawn: Counter[str] = Counter(bp.aggregate_labels(crowd(items, ballot), k=k, seed=11)["draw"].to_list())
    assert set(drawn) == set(chances)
    for name, chance in chances.items():
        assert abs(drawn[name] - items * chance) <= 4 * (items * chance * (1 - chance)) ** 0.5


@pytest.mark.parametrize("aggregate", [bp.aggregate_labels, bp.aggregate_votes])
def test_random_ties_fall_evenly(aggregate: Any) -> None:
    options = {"positive": "b"} if aggregate is bp.aggregate_votes else {}
    by_seed = [
        aggregate(crowd(2000, "ab"), k=0, ties="random", seed=seed, **options)["decision"].to_list() for seed in (1, 2)
    ]
    for decisions in by_seed:
        assert set(decisions) == {"a", "b"}
        assert abs(decisions.count("a") - 1000) <= 4 * 500**0.5
    same = sum(one == other for one, other in zip(*by_seed, strict=True))
    assert abs(same - 1000) <= 4 * 500**0.5


@pytest.mark.parametrize("kind", EACH_FRAME)
def test_a_draw_depends_on_the_seed_and_the_item_alone(kind: str) -> None:
    whole = crowd(40, "abba")
    part = whole.reverse().filter(pl.col("task").is_in([f"item {i}" for i in range(0, 40, 3)]))
    options: dict[str, Any] = {"k": 0, "seed": 3, "ties": "random"}
    full = by_item(rows(bp.aggregate_labels(whole, **options)))
    found = rows(bp.aggregate_labels(FRAMES[kind](part.to_dict(as_series=False)), **options))
    for row in found:
        assert (row["draw"], row["decision"]) == (full[row["task"]]["draw"], full[row["task"]]["decision"])
    assert len({row["draw"] for row in found}) == 2


def test_an_item_without_reports_has_nothing_to_draw_from(read: Give) -> None:
    reports = long(("t1", "w1", "a"), ("t2", "w1", None))
    check(bp.aggregate_labels(read(reports), k=0, ties="random", seed=5), [
        {"task": "t1", "decision": "a", "draw": "a"},
        {"task": "t2", "decision": None, "draw": None, "tie": False, "status": "no reports"},
    ])  # fmt: skip


def committed(lines: Iterable[tuple[Any, ...]], classes: list[str]) -> str:
    def line(texts: list[Any]) -> bytes:
        return json.dumps(texts, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"

    return hashlib.sha256(line(classes) + b"".join(sorted(line(list(report)) for report in lines))).hexdigest()


REPORTS = [("t1", "anna", "x"), ("t1", 'Żeń, "C"', "y"), ("t2", "anna", "z"), ("t2", "ben", "x"), ("t3", "ben", "y")]


def test_a_commitment_is_the_hash_that_the_documentation_describes(read: Give) -> None:
    reports = read(long(*reversed(REPORTS), ("t3", "anna", None)))
    assert bp.commitment(reports, item="task", reporter="worker", value="label") == committed(REPORTS, ["x", "y", "z"])
    commitment = committed(REPORTS, ["x", "y", "z"])
    seed = int(hashlib.sha256(f"{commitment}:9 5 1".encode()).hexdigest()[:13], 16)
    late, early = (
        by_item(rows(bp.aggregate_labels(reports, k=0, **draw))) for draw in ({"beacon": " 9 5 1\n"}, {"seed": seed})
    )
    assert {item: row["draw"] for item, row in late.items()} == {item: row["draw"] for item, row in early.items()}


@pytest.mark.parametrize("change", [("t1", "anna", "y"), ("t1", "ann", "x"), ("t9", "anna", "x")])
def test_another_report_is_another_commitment(change: tuple[str, str, str]) -> None:
    frames = [
        pl.DataFrame(reports, ("task", "worker", "label"), orient="row")
        for reports in (REPORTS, [change, *REPORTS[1:]])
    ]
    assert bp.commitment(frames[0], kind="labels") != bp.commitment(frames[1], kind="labels")


SILENT: list[tuple[str, str, str | None]] = [("t1", "cem", None), ("t9", "anna", None), ("t8", "dot", None)]


def test_the_silent_and_what_was_stated_belong_to_the_commitment(read: Give) -> None:
    """Results depend on how many reporters there are, who is set aside and how many were asked: so must the hash."""
    columns: dict[str, Any] = {"item": "task", "reporter": "worker", "value": "label"}
    table = long(*REPORTS, *SILENT)
    lines: list[tuple[Any, ...]] = [(None, "cem", None), (None, "dot", None), ("t8", None, None), ("t9", None, None)]
    assert bp.commitment(read(table), **columns) == committed([*REPORTS, *lines], ["x", "y", "z"])
    asked = {**table, "given": [3] * 5 + [3, 4, 5]}
    counts = {"t1": 3, "t2": 3, "t3": 3, "t8": 5, "t9": 4}
    lines = [*lines[:2], *((item, None, number) for item, number in counts.items())]
    assert bp.commitment(read(asked), asked="given", **columns) == committed([*REPORTS, *lines], ["x", "y", "z"])


@pytest.mark.filterwarnings("ignore:set aside")
def test_reports_that_are_set_aside_belong_to_the_commitment(read: Give) -> None:
    columns: dict[str, Any] = {"item": "task", "reporter": "worker"}
    aside: dict[str, Any] = {"faulty": "set aside", "classes": ["x", "y", "z"]}
    table = read(long(*REPORTS, ("t2", "dot", "x"), ("t2", "dot", "y"), ("t3", "cem", "what")))
    found = bp.commitment(table, **columns, value="label", **aside)
    assert found == committed([*REPORTS, ("t2", "dot", None), ("t3", "cem", None)], ["x", "y", "z"])
    assert found != bp.commitment(read(long(*REPORTS)), **columns, value="label", **aside)


def test_missing_cells_and_missing_rows_are_one_commitment() -> None:
    frame = pl.DataFrame(REPORTS, ("task", "worker", "label"), orient="row")
    sheet = frame.pivot("worker", index="task", values="label")
    judges = sheet.columns[1:]
    assert bp.commitment(sheet, kind="labels", item="task", judges=judges) == bp.commitment(frame, kind="labels")
    silent = sheet.with_columns(cem=pl.lit(None, pl.String))
    assert bp.commitment(silent, kind="labels", item="task", judges=[*judges, "cem"]) == committed(
        [*REPORTS, (None, "cem", None)], ["x", "y", "z"]
    )


def test_a_silent_reporter_added_after_the_beacon_shows() -> None:
    """A share of 8 reporters is one bribed, of 16 two: another draw for the same reports, under another commitment."""
    rows = [("t", who, label) for who, label in zip("abcdefgh", "xxxxyyzz", strict=True)]
    few = pl.DataFrame(rows, ("task", "worker", "label"), orient="row")
    many = few.vstack(pl.DataFrame({"task": ["t"] * 8, "worker": list("ijklmnop"), "label": [None] * 8}, few.schema))
    assert [bp.aggregate_labels(one, share=0.125, seed=1)["k"].item() for one in (few, many)] == [1, 2]
    assert bp.commitment(few, kind="labels") != bp.commitment(many, kind="labels")


def test_the_order_of_the_classes_belongs_to_the_commitment() -> None:
    frame = pl.DataFrame(REPORTS, ("task", "worker", "label"), orient="row")
    assert bp.commitment(frame, kind="labels", classes=["z", "y", "x"]) == committed(REPORTS, ["z", "y", "x"])


def test_the_result_records_how_it_was_drawn() -> None:
    frame = pl.DataFrame(REPORTS, ("task", "worker", "label"), orient="row")
    late = bp.aggregate(frame, k=0, kind="labels", beacon="b")
    assert late.draw is not None
    assert (late.draw.beacon, late.draw.commitment) == ("b", bp.commitment(frame, kind="labels"))
    assert late.facts()["draw"]["seed"] == late.draw.seed
    for part in (str(late.draw.seed), "beacon b", late.draw.commitment or ""):
        assert part in late.summary()
    assert "seed 7: with three or more classes" in bp.aggregate(frame, k=0, kind="labels", seed=7).summary()
    assert "seed" not in bp.aggregate(frame, k=0, kind="labels").summary()
    with pytest.raises(bp.ParameterError, match="scores are never drawn"):
        bp.commitment(pl.DataFrame({"task": ["a", "a"], "worker": ["b", "c"], "score": [1.5, 2.0]}), kind="scores")
    for bad, problem in (
        ({"beacon": ""}, "beacon is empty"),
        ({"beacon": 5}, "text"),
        ({"beacon": "b", "seed": 1}, "give one"),
    ):
        with pytest.raises(bp.ParameterError, match=problem):
            bp.aggregate_labels(frame, k=0, **bad)


def test_who_knows_the_seed_breaks_three_classes_and_a_later_seed_mends_it() -> None:
    # Nine reporters, two bribed. The seven honest ones say (4, 0, 3) or (7, 0, 0) of classes abc if the truth is a, and
    # its rotations, so that nine in ten are right; the bribed choose what makes the draw of a known seed wrong.
    generator = np.random.default_rng(0)
    items, known = 3000, 7
    reports, truths = [], {}
    for item in range(items):
        truth = int(generator.integers(3))
        strong = generator.random() < 0.7666666
        honest = np.roll([7, 0, 0] if strong else [4, 0, 3], truth)
        number = int(hashlib.sha256(f"{known}:draw:{item}".encode()).hexdigest()[:15], 16)
        best = honest + np.eye(3, dtype=int)[truth] * 2
        for lies in itertools.product(range(3), repeat=2):
            counts = honest + np.bincount(lies, minlength=3)
            left = np.maximum(counts - 2, 0)
            if np.searchsorted(np.cumsum(left), number % left.sum(), side="right") != truth:
                best = counts
        truths[str(item)] = "abc"[truth]
        voters = [label for label, count in zip("abc", best, strict=True) for _ in range(count)]
        reports += [(str(item), f"r{place}", label) for place, label in enumerate(voters)]
    frame = pl.DataFrame(reports, ("task", "worker", "label"), orient="row")
    promise = dictator_guarantee(Panel(9, 2), MultiExpert((1 / 3,) * 3, (0.9,) * 3)).expected_loss
    wrong = []
    for draw in ({"seed": known}, {"beacon": "3 14 15"}):
        drawn = bp.aggregate_labels(frame, k=2, classes=list("abc"), **draw).select("task", "draw").iter_rows()
        wrong.append(sum(truths[item] != label for item, label in drawn))
    assert binom.sf(wrong[0] - 1, items, promise) < 1e-6
    assert binom.sf(wrong[1] - 1, items, promise) > 1e-3
