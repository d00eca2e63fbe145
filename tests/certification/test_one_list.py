"""What one list can turn, beside all lists and all that they can report; public crowds; coverage of both bounds."""

import itertools
import math
from collections import Counter
from typing import Any

import numpy as np
import polars as pl
import pytest
from scipy.stats import binom

import bribeproof as bp
from bribeproof.certification.result import describe_certification
from tests.effort import seeds
from tests.paths import SHARED

CROWD = SHARED / "data" / "crowd"
needs_data = pytest.mark.skipif(not CROWD.exists(), reason="the data pack is not beside the project")
CLASSES = ("x", "y", "z")
Sheets = dict[str, dict[str, str]]


def table(seed: int) -> tuple[Sheets, dict[str, str]]:
    """Return sheets of three to five reporters who are silent now and then; some truths were never reported."""
    rng = np.random.default_rng(seed)
    names, classes = "abcde"[: rng.integers(3, 6)], CLASSES[: rng.integers(2, 4)]
    skill, there = rng.uniform(0.5, 1), rng.uniform(0.5, 1)
    truth = {f"t{i}": str(rng.choice(classes)) for i in range(7)}
    sheets = {
        item: {
            who: right if rng.random() < skill else str(rng.choice(classes)) for who in names if rng.random() < there
        }
        for item, right in truth.items()
    }
    sheets["t0"] = dict.fromkeys(names, truth["t0"])
    return sheets, truth


def frame_of(sheets: Sheets) -> pl.DataFrame:
    """Return sheets in long form."""
    rows = [(item, who, label) for item, sheet in sheets.items() for who, label in sheet.items()]
    return pl.DataFrame(rows, schema=["task", "worker", "label"], orient="row")


def is_right(sheet: dict[str, str], truth: str) -> bool:
    """Return whether more reports name the truth than any other label."""
    votes = Counter(sheet.values())
    return all(votes[truth] > number for label, number in votes.items() if label != truth) and votes[truth] > 0


def can_turn(sheet: dict[str, str], truth: str, members: tuple[str, ...]) -> bool:
    """Return whether some reports of the members who are there take the right answer away."""
    theirs = [who for who in members if who in sheet]
    return any(
        not is_right(sheet | dict(zip(theirs, said, strict=True)), truth)
        for said in itertools.product(CLASSES, repeat=len(theirs))
    )


def check_beside_all_lists(seed: int, *, most: int) -> None:
    """Compare a certificate with what each list can turn."""
    sheets, truth = table(seed)
    names = sorted({who for sheet in sheets.values() for who in sheet})
    most = min(most, len(names))
    result = bp.certify(frame_of(sheets), truth, k=most, classes=CLASSES, time_limit=60.0)
    right = [item for item in sheets if is_right(sheets[item], truth[item])]
    assert len(result.lists) == most + 1
    for one, row in zip(result.lists, result.by_k.rows(named=True), strict=True):
        turned = {
            members: sum(can_turn(sheets[item], truth[item], members) for item in right)
            for members in itertools.combinations(names, one.k)
        }
        assert one.turned == one.most == row["list_turned"] == max(turned.values())
        if len(one.reporters) == one.k:
            assert turned[tuple(sorted(one.reporters))] == one.turned
        left = len(right) - one.turned
        assert row["list_accuracy"] == left / len(sheets) >= row["accuracy"]
        if left:
            risks = binom.sf(left - 1, len(sheets), [row["list_low"], row["list_low_chosen"]])
            lists = math.comb(len(names), min(one.k, len(names) // 2))
            assert list(risks) == pytest.approx([0.05, 0.05 / lists], rel=1e-6)


@pytest.mark.parametrize("seed", range(20))
def test_one_list_beside_all_lists(seed: int) -> None:
    check_beside_all_lists(seed, most=3)


@pytest.mark.slow
def test_one_list_beside_all_lists_of_hundreds_of_tables() -> None:
    for seed in seeds(100, 350):
        check_beside_all_lists(seed, most=3 if seed % 4 else 5)


TURNED = {"rte": [0, 58, 112, 182], "dog": [0, 28, 59, 93], "web": [0, 338, 618, 879], "trec": [0, 93, 201, 262]}
LEFT = {"rte": [0.856, 0.784, 0.716, 0.629], "dog": [0.792, 0.757]}


def crowd(name: str) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Return the labels and truths of a public crowd."""
    return pl.read_csv(CROWD / f"{name}.csv"), pl.read_csv(CROWD / f"{name}_truth.csv")


@needs_data
@pytest.mark.parametrize(
    "name", ["rte", "dog", *(pytest.param(name, marks=pytest.mark.slow) for name in ("web", "trec"))]
)
def test_crowds(name: str) -> None:
    labels, truth = crowd(name)
    result = bp.certify(labels, truth, k=3)
    assert result.by_k["list_turned"].to_list() == TURNED[name]
    for found, expected in zip(result.by_k["list_accuracy"], LEFT.get(name, []), strict=False):
        assert found == pytest.approx(expected, abs=5.1e-4)
    assert all(one.exact for one in result.lists)
    n, row = labels["worker"].n_unique(), result.by_k.row(3, named=True)
    left, gold = row["gold"] * row["list_accuracy"], row["gold"]
    assert binom.sf(round(left) - 1, gold, row["list_low_chosen"]) == pytest.approx(0.05 / math.comb(n, 3), rel=1e-6)


@needs_data
def test_a_time_limit_searches_longer_lists() -> None:
    labels, truth = crowd("bluebird")
    unasked = bp.certify(labels, truth, k=10)
    assert unasked.by_k["list_turned"].to_list()[:6] == [0, 3, 4, 6, 9, 12]
    first = unasked.by_k["list_turned"].to_list().index(None)
    assert f"What the same {first} reporters could turn is searched if a time limit in s" in unasked.summary()
    result = bp.certify(labels, truth, k=5, time_limit=60)
    assert [round(share, 3) for share in result.by_k["list_accuracy"]] == [0.759, 0.731, 0.722, 0.704, 0.676, 0.648]
    assert result.lists[5].exact
    assert "can turn at most 12 of 82 right answers wrong" in result.summary()


@pytest.mark.slow
@needs_data
def test_where_the_search_is_not_exact_the_certificate_uses_the_bound() -> None:
    labels, truth = crowd("bluebird")
    result = bp.certify(labels, truth, k=8, time_limit=0.1)
    last, row = result.lists[8], result.by_k.row(8, named=True)
    assert last.turned < last.most == row["list_turned"] <= 82
    assert row["list_accuracy"] == (82 - last.most) / 108
    assert f"can turn {last.turned:,}; a proven bound" in result.summary()


def test_names_and_the_order_of_rows_change_nothing() -> None:
    for seed in range(4):
        sheets, truth = table(seed)
        frame = frame_of(sheets)
        first = bp.certify(frame, truth, k=2)
        mixed = bp.certify(frame.sample(fraction=1, shuffle=True, seed=seed), truth, k=2)
        assert mixed.lists == first.lists
        other = frame.with_columns(pl.col("worker").replace(list("abcde"), list("wzyxv")))
        renamed = bp.certify(other, truth, k=2)
        assert renamed.by_k.equals(first.by_k)


def test_of_a_small_panel_all_lists_are_counted_for_any_k() -> None:
    rng = np.random.default_rng(9)
    rows = [(f"t{i}", f"w{j}", "x" if rng.random() < 0.85 else "y") for i in range(40) for j in range(9)]
    frame = pl.DataFrame(rows, schema=["task", "worker", "label"], orient="row")
    truth = dict.fromkeys(map("t{}".format, range(40)), "x")
    counted = bp.certify(frame, truth, k=5)
    searched = bp.certify(frame, truth, k=5, time_limit=60)
    assert counted.by_k["list_turned"].to_list() == searched.by_k["list_turned"].to_list()
    assert all(one.exact for one in counted.lists)
    assert counted.by_k["robust"][4] <= 40 - counted.by_k["list_turned"][4] > 0 == counted.by_k["list_accuracy"][5]


def test_without_k_lists_go_on_where_items_do_not() -> None:
    rows = [(f"t{i}", f"w{(i + j) % 30}", "x") for i in range(60) for j in (0, 1, 2)]
    frame = pl.DataFrame(rows, schema=["task", "worker", "label"], orient="row")
    result = bp.certify(frame, dict.fromkeys(map("t{}".format, range(60)), "x"))
    # two of the three reporters of an item turn it, but no two of thirty are together on more than four items
    assert result.by_k["robust"].to_list() == [60, 60, 0, 0]
    assert result.by_k["list_turned"].to_list() == [0, 0, 4, 6]
    assert "From k = 2 on nothing is certified item by item" in result.summary()
    assert result.by_k["list_low"][3] > 0.8


def test_reporters_without_gold_items_are_among_those_that_lists_are_chosen_from() -> None:
    sheets, truth = table(3)
    frame = frame_of(sheets)
    more = pl.concat(
        [frame, pl.DataFrame({"task": ["new"] * 50, "worker": [f"n{i}" for i in range(50)], "label": "x"})]
    )
    few, many = bp.certify(frame, truth, k=1), bp.certify(more, truth, k=1)
    assert many.by_k["list_low"].to_list() == few.by_k["list_low"].to_list()
    assert many.by_k["list_low_chosen"][1] < few.by_k["list_low_chosen"][1]
    assert many.lists[1].out_of == few.lists[1].out_of + 50


def test_other_rules_say_that_lists_are_not_searched() -> None:
    sheets, truth = table(2)
    names = sorted({who for sheet in sheets.values() for who in sheet})
    result = bp.certify(frame_of(sheets), truth, k=1, weights=dict.fromkeys(names, 1))
    assert result.lists == ()
    assert result.by_k["list_low"].to_list() == [None, None]
    assert "said for the plurality without weights alone" in result.summary()


def test_the_picture_has_a_curve_of_its_own_for_the_same_reporters() -> None:
    pytest.importorskip("matplotlib")
    sheets, truth = table(4)
    result = bp.certify(frame_of(sheets), truth, k=2)
    axes = bp.plots.certified_accuracy(result)
    legend = axes.get_legend()
    assert legend is not None
    assert legend.get_texts()[2].get_text() == "at least, same k on all items"
    assert np.asarray(axes.get_lines()[2].get_ydata()).tolist() == result.by_k["list_low"].to_list()
    names = sorted({who for sheet in sheets.values() for who in sheet})
    weighed = bp.certify(frame_of(sheets), truth, k=2, weights=dict.fromkeys(names, 1))
    assert len(bp.plots.certified_accuracy(weighed).get_lines()) == 2


def test_plain_data() -> None:
    sheets, truth = table(4)
    result = bp.certify(frame_of(sheets), truth, k=2)
    found = describe_certification(result)["one_list"]
    assert [one["k"] for one in found["by_k"]] == [0, 1, 2]
    assert found["by_k"][2]["turned_high"] == result.by_k["list_turned"][2]
    assert found["by_k"][2]["reporters"] == list(result.lists[2].reporters)
    assert "taken as given" in found["condition"]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"time_limit": 0}, "number of seconds above 0"),
        ({"time_limit": 5, "rule": "isotonic", "k": 1}, "time_limit is for rule='plurality'"),
    ],
)
def test_bad_input_is_refused(options: dict[str, Any], message: str) -> None:
    sheets, truth = table(1)
    with pytest.raises(bp.ParameterError, match=message):
        bp.certify(frame_of(sheets), truth, **options)


@pytest.mark.slow
@pytest.mark.parametrize("when", ["before", "after", "in view"])
def test_the_bounds_hold_as_often_as_they_say(when: str) -> None:
    """Seven reporters of different skill, four on each item; two are bribed before, after, or in view of gold items.

    Before: a fixed pair, the worst on new items, is right on all gold items. After: any pair at once; gold reports are
    honest. In view: of the pairs the one against which most more gold items are safe than should be is right there.
    """
    rng, n, k, gold, rounds, confidence = np.random.default_rng(5), 7, 2, 40, 100, 0.8
    skill = np.array([0.95, 0.9, 0.85, 0.8, 0.75, 0.7, 0.65])
    pairs = list(itertools.combinations(range(n), k))

    def draw(items: int) -> tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]]:
        there = rng.random((items, n)).argsort(axis=1) < 4
        hard = rng.random((items, 1)) < 0.2
        return there, rng.random((items, n)) < np.where(hard, 0.5, skill)

    def safe(there: np.ndarray[Any, Any], right: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
        """Return which items stay right against each pair: the others lead by more than the pair has reports."""
        lead = np.where(there, np.where(right, 1, -1), 0)
        return np.column_stack([
            np.delete(lead, pair, axis=1).sum(axis=1) > there[:, list(pair)].sum(axis=1) for pair in pairs
        ])  # fmt: skip

    true = safe(*draw(400_000)).mean(axis=0)
    failed = 0
    for _ in range(rounds):
        there, right = draw(gold)
        chosen = int(true.argmin()) if when == "before" else int((safe(there, right).mean(axis=0) - true).argmax())
        if when != "after":
            right[:, list(pairs[chosen])] = True
        item, reporter = np.nonzero(there)
        labels = np.where(right[item, reporter], "yes", "no")
        frame = pl.DataFrame({"task": item, "worker": reporter, "label": labels})
        by_k = bp.certify(
            frame, dict.fromkeys(range(gold), "yes"), k=k, confidence=confidence, classes=["no", "yes"]
        ).by_k
        low = by_k["list_low_chosen" if when == "in view" else "list_low"][k]
        failed += low > (true.min() if when == "after" else true[chosen])
    assert failed <= binom.ppf(0.9999, rounds, 1 - confidence)
