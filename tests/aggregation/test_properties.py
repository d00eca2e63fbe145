"""The table functions against brute force in exact fractions, and what must not change their answers."""

import math
import tempfile
import warnings
from decimal import ROUND_HALF_UP, Decimal, localcontext
from fractions import Fraction
from itertools import product
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import bribeproof as bp
from tests.budgets import examples
from tests.frames.inputs import QUICK, Columns, Row, by_item, give, lengthen, rows, widen

CLASSES = ["a", "b", "c", "unvoted"]

hundredths = st.integers(-300, 300).map(lambda n: n / 100)
rough = st.floats(-1e6, 1e6).filter(lambda score: score == 0 or abs(score) >= 1e-3)
votes = st.integers(0, 1)
labels = st.sampled_from(CLASSES[:3])


@st.composite
def tables(draw: st.DrawFn, values: st.SearchStrategy[Any], value: str) -> dict[str, list[Any]]:
    """A long table of up to six items and reporters: gaps, missing reports, any row order, one report."""
    pairs = list(product([f"t{i}" for i in range(draw(st.integers(1, 6)))], "abcdef"[: draw(st.integers(1, 6))]))
    kept = draw(st.lists(st.sampled_from(pairs), min_size=1, unique=True))
    first = draw(values)
    cells = [first, *(draw(st.none() | values | values) for _ in kept[1:])]
    reports = draw(
        st.permutations([(item, reporter, cell) for (item, reporter), cell in zip(kept, cells, strict=True)])
    )
    return {name: [row[i] for row in reports] for i, name in enumerate(("task", "worker", value))}


def present(table: Columns) -> dict[str, dict[str, Any]]:
    """What each item holds: reporter to report, without the missing ones; items in order of appearance."""
    held: dict[str, dict[str, Any]] = {item: {} for item in table["task"]}
    for item, reporter, report in zip(*table.values(), strict=True):
        if report is not None:
            held[item][reporter] = report
    return held


def status(m: int, k: int) -> str:
    return "no reports" if m == 0 else "not certified" if m <= 2 * k else "ok"


def exact(score: float) -> Fraction:
    return Fraction(repr(score))


def mean(scores: list[Fraction]) -> Fraction:
    return sum(scores, Fraction(0)) / len(scores)


def bought(scores: list[Fraction], k: int) -> list[Fraction]:
    """Every trimmed mean that k replaced reports can give, the replacements running over a wide grid."""
    grid = [Fraction(-(10**7)), *set(scores), Fraction(10**7)]
    subsets = [[s for i, s in enumerate(scores) if mask >> i & 1] for mask in range(2 ** len(scores))]
    honest = {tuple(sorted(subset)) for subset in subsets if len(subset) == len(scores) - k}
    filled = {tuple(sorted([*kept, *lies])) for kept in honest for lies in product(grid, repeat=k)}
    return [mean(list(one[k : len(one) - k])) for one in filled]


@settings(max_examples=examples(0.25))
@given(tables(hundredths, "score"), st.integers(0, 2))
def test_scores_against_brute_force(table: dict[str, list[Any]], k: int) -> None:
    found = rows(bp.aggregate_scores(pl.DataFrame(table, schema_overrides={"score": pl.Float64}), k=k))
    held = present(table)
    assert [row["task"] for row in found] == list(held)
    for row in found:
        reports = held[row["task"]]
        m = len(reports)
        assert (row["n"], row["m"], row["k"]) == (len(set(table["worker"])), m, k)
        assert row["status"] == status(m, k)
        if row["status"] != "ok":
            assert (row["estimate"], row["range_low"], row["range_high"]) == (None, None, None)
            continue
        order = sorted(reports, key=lambda who: (reports[who], who))
        scores = [exact(reports[who]) for who in order]
        reached = bought(scores, k)
        numbers = [row["estimate"], row["range_low"], row["range_high"]]
        wanted = [mean(scores[k : m - k]), min(reached), max(reached)]
        assert numbers == pytest.approx([float(number) for number in wanted], rel=1e-14, abs=1e-15)
        assert (row["dropped_low"] or "") == "; ".join(order[:k])
        assert (row["dropped_high"] or "") == "; ".join(order[::-1][:k])


@settings(max_examples=examples(0.25))
@given(tables(rough, "score"), st.integers(0, 2))
def test_rough_scores_lose_no_digits_that_matter(table: dict[str, list[Any]], k: int) -> None:
    largest = max(abs(score) for score in table["score"] if score is not None)
    for row in rows(bp.aggregate_scores(pl.DataFrame(table, schema_overrides={"score": pl.Float64}), k=k)):
        if row["status"] == "ok":
            scores = sorted(Fraction(score) for score in present(table)[row["task"]].values())
            wanted = mean(scores[k : len(scores) - k])
            assert abs(Fraction(row["estimate"]) - wanted) <= Fraction(largest) / 10**12


@settings(max_examples=examples(0.25))
@given(tables(st.integers(-3000, 3000).map(lambda n: n / 1000), "score"), st.integers(0, 1), st.integers(0, 3))
def test_decimals_round_half_up(table: dict[str, list[Any]], k: int, decimals: int) -> None:
    frame = pl.DataFrame(table, schema_overrides={"score": pl.Float64})
    for row in rows(bp.aggregate_scores(frame, k=k, decimals=decimals)):
        if row["status"] == "ok":
            scores = sorted(exact(score) for score in present(table)[row["task"]].values())
            wanted = mean(scores[k : len(scores) - k])
            with localcontext(prec=60):
                quotient = Decimal(wanted.numerator) / Decimal(wanted.denominator)
                rounded = quotient.quantize(Decimal(1).scaleb(-decimals), ROUND_HALF_UP)
            assert row["estimate"] == float(rounded)


def shares(counts: list[int], k: int) -> list[Fraction | None]:
    """The k-trimmed shares: each class loses k votes, or all that it has; None where nothing is left."""
    left = [max(0, count - k) for count in counts]
    return [Fraction(count, sum(left)) if any(left) else None for count in left]


def flips(counts: list[int], rule: str) -> int:
    """The fewest rewrites after which the decision no longer stands, over every way to spread the votes."""
    top = max(counts)
    winners = [i for i, count in enumerate(counts) if count == top]
    if len(winners) > 1:
        return 0
    winner = winners[0]

    def stands(spread: tuple[int, ...]) -> bool:
        rivals = [i for i, count in enumerate(spread) if count >= spread[winner] and i != winner]
        ahead = [i for i in rivals if spread[i] > spread[winner]]
        return not ahead and (not rivals or (rule == "first" and winner < min(rivals)))

    spreads = (s for s in product(range(sum(counts) + 1), repeat=len(counts)) if sum(s) == sum(counts))
    return min(sum(max(0, a - b) for a, b in zip(counts, s, strict=True)) for s in spreads if not stands(s))


def additions(counts: list[int], rule: str) -> int:
    """The fewest further votes, spread in any way, after which the decision no longer stands."""
    if counts.count(max(counts)) > 1:
        return 0
    winner = counts.index(max(counts))

    def stands(after: tuple[int, ...]) -> bool:
        leaders = [i for i, count in enumerate(after) if count == max(after)]
        end = {"first": leaders[0], "last": leaders[-1]}.get(rule)
        return (leaders[0] if len(leaders) == 1 else end) == winner

    more = product(range(max(counts) + 2), repeat=len(counts))
    return min(sum(some) for some in more if not stands(tuple(a + b for a, b in zip(counts, some, strict=True))))


@settings(max_examples=examples(0.25))
@given(tables(labels, "label"), st.integers(0, 2), st.sampled_from(["none", "first"]))
def test_labels_against_brute_force(table: dict[str, list[Any]], k: int, rule: str) -> None:
    frame = pl.DataFrame(table, schema_overrides={"label": pl.String})
    held = present(table)
    found = rows(bp.aggregate_labels(frame, k=k, classes=CLASSES, ties=rule))
    assert [row["task"] for row in found] == list(held)
    for row in found:
        counts = [list(held[row["task"]].values()).count(name) for name in CLASSES]
        m, left = sum(counts), shares(counts, k)
        winners = [name for name, count in zip(CLASSES, counts, strict=True) if count == max(counts)]
        assert (row["n"], row["m"], row["k"]) == (len(set(table["worker"])), m, k)
        assert row["status"] == ("no class left" if m > 2 * k and left[0] is None else status(m, k))
        assert row["tie"] is (m > 0 and len(winners) > 1)
        found_shares = [row[f"share_{name}"] for name in CLASSES]
        if row["status"] != "ok":
            assert [row["decision"], row["estimate"], row["flips_needed"], *found_shares] == [None] * 7
        else:
            assert found_shares == pytest.approx([float(share) for share in left if share is not None], rel=1e-14)
            decision = winners[0] if len(winners) == 1 or rule == "first" else None
            assert row["decision"] == decision
            assert row["estimate"] == (None if decision is None else row[f"share_{decision}"])
            if not row["tie"] or rule == "none":
                assert row["flips_needed"] == flips(counts, rule)
                assert row["additions_needed"] == additions(counts, rule)


@settings(max_examples=examples(0.25))
@given(tables(votes, "label"), st.integers(0, 2))
def test_votes_against_brute_force(table: dict[str, list[Any]], k: int) -> None:
    held = present(table)
    found = rows(bp.aggregate_votes(pl.DataFrame(table, schema_overrides={"label": pl.Int64}), k=k))
    assert [row["task"] for row in found] == list(held)
    for row in found:
        ballots = sorted(held[row["task"]].values())
        m, x = len(ballots), sum(ballots)
        assert (row["n"], row["m"], row["k"]) == (len(set(table["worker"])), m, k)
        assert (row["status"], row["positive"]) == (status(m, k), x)
        assert row["tie"] is (0 < m == 2 * x)
        if m <= 2 * k:
            assert (row["estimate"], row["decision"], row["flips_needed"]) == (None, None, None)
            continue
        kept = ballots[k : m - k]
        assert row["estimate"] == pytest.approx(sum(kept) / len(kept), rel=1e-15)
        assert row["decision"] == (None if 2 * x == m else int(2 * x > m))
        assert row["flips_needed"] == flips([m - x, x], "none")
        assert row["additions_needed"] == additions([m - x, x], "none")


def normal(found: list[Row]) -> list[Row]:
    """Rows by item, labels and items as printed, every number as it is."""
    printed = ("task", "decision", "draw")
    fixed = [{n: str(v) if n in printed and v is not None else v for n, v in row.items()} for row in found]
    return sorted(fixed, key=lambda row: str(row["task"]))


@settings(max_examples=examples(0.1))
@given(tables(rough, "score"), tables(votes, "label"), tables(labels, "label"), st.integers(0, 1))
def test_every_kind_of_input_gives_the_same_bits(
    scores: dict[str, list[Any]], ballots: dict[str, list[Any]], names: dict[str, list[Any]], k: int
) -> None:
    with tempfile.TemporaryDirectory() as folder:
        calls: list[tuple[Any, Columns, dict[str, Any]]] = [
            (bp.aggregate_scores, scores, {}),
            (bp.aggregate_votes, ballots, {"ties": "random", "seed": 5}),
            (bp.aggregate_labels, names, {"ties": "random", "seed": 5, "classes": CLASSES}),
        ]
        for aggregate, table, options in calls:
            answers = {kind: rows(aggregate(give(kind, table, Path(folder)), k=k, **options)) for kind in QUICK}
            for kind, answer in answers.items():
                assert normal(answer) == normal(answers["polars"]), kind
                if kind != "duckdb":
                    assert [row["task"] for row in answer] == list(present(table)), kind


@pytest.mark.parametrize("kind", QUICK)
def test_three_marks_have_the_least_and_the_greatest_as_ends_of_their_range(kind: str, tmp_path: Path) -> None:
    marks = [(0.3, 0.6, 0.7), (1.1, 2.3, 8.7), (0.1, 0.2, 0.9), (4.6, 5.8, 9.2), (0.3, 3.1, 6.1)]
    sheet: Columns = {
        "task": [f"t{i}" for i in range(5) for _ in "abc"],
        "worker": list("abc") * 5,
        "score": [mark for row in marks for mark in row],
    }
    found = by_item(rows(bp.aggregate_scores(give(kind, sheet, tmp_path), k=1)))
    assert [tuple(found[f"t{i}"][name] for name in ("range_low", "estimate", "range_high")) for i in range(5)] == marks


@pytest.mark.parametrize("kind", QUICK)
def test_other_items_and_reporters_do_not_change_the_last_bit(kind: str, tmp_path: Path) -> None:
    marks = [math.sin(i) for i in range(7)]
    alone: Columns = {"task": ["t"] * 7, "worker": list("abcdefg"), "score": marks}
    crowd: Columns = {
        "task": ["t"] * 7 + ["other"] * 300,
        "worker": list("abcdefg") + [f"w{i}" for i in range(300)],
        "score": marks + [1000 * math.cos(i) for i in range(300)],
    }
    one, among = (by_item(rows(bp.aggregate_scores(give(kind, table, tmp_path), k=1)))["t"] for table in (alone, crowd))
    assert {**one, "n": 0} == {**among, "n": 0}


@settings(max_examples=examples(0.25))
@given(tables(rough, "score"), tables(labels, "label"), st.data())
def test_row_and_column_order_and_chunks_change_nothing(
    scores: dict[str, list[Any]], names: dict[str, list[Any]], data: st.DataObject
) -> None:
    import pyarrow as pa

    for aggregate, table in ((bp.aggregate_scores, scores), (bp.aggregate_labels, names)):
        order = data.draw(st.permutations(range(len(table["task"]))))
        moved = {name: [column[i] for i in order] for name, column in reversed(table.items())}
        once = by_item(rows(aggregate(pl.DataFrame(table), k=1)))
        assert by_item(rows(aggregate(pl.DataFrame(moved | {"note": ["x"] * len(order)}), k=1))) == once
        whole = pa.table(table)
        pieces = pa.concat_tables([whole.slice(i, 1) for i in range(len(order))])
        assert by_item(rows(aggregate(pieces, k=1))) == once


@settings(max_examples=examples(0.25))
@given(tables(rough, "score"), st.integers(0, 2))
def test_new_names_that_keep_the_order_rename_the_dropped(table: dict[str, list[Any]], k: int) -> None:
    new = dict(zip("abcdef", ["Ann", "Bob", "Cy", "Dee", "Ed", "Flo"], strict=True))
    renamed = table | {"worker": [new[who] for who in table["worker"]]}
    once, again = (rows(bp.aggregate_scores(pl.DataFrame(t), k=k)) for t in (table, renamed))
    for row in once:
        for side in ("dropped_low", "dropped_high"):
            row[side] = row[side] and "; ".join(new[who] for who in row[side].split("; "))
    assert again == once


@settings(max_examples=examples(0.25))
@given(tables(rough, "score"), tables(votes, "label"), tables(labels, "label"), st.integers(0, 1))
def test_long_and_wide_agree(
    scores: dict[str, list[Any]], ballots: dict[str, list[Any]], names: dict[str, list[Any]], k: int
) -> None:
    for aggregate, table in (
        (bp.aggregate_scores, scores),
        (bp.aggregate_votes, ballots),
        (bp.aggregate_labels, names),
    ):
        wide = widen(table)
        answer = rows(aggregate(pl.DataFrame(wide), k=k, judges=list(wide)[1:]))
        assert answer == rows(aggregate(pl.DataFrame(table), k=k))
        assert answer == rows(aggregate(pl.DataFrame(lengthen(wide, list(table)[2])), k=k))


@settings(max_examples=examples(0.25))
@given(st.integers(1, 400), st.integers(0, 499))
def test_a_share_is_resolved_as_the_decimal_that_was_typed(n: int, thousandths: int) -> None:
    frame = pl.DataFrame({"task": ["t"] * n, "worker": [f"w{i}" for i in range(n)], "score": [1.0] * n})
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", bp.BribeproofWarning)
        (row,) = rows(bp.aggregate_scores(frame, share=thousandths / 1000))
    assert row["k"] == thousandths * n // 1000
