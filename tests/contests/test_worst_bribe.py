"""Places in contests against brute force in fractions, and what must not change them."""

import random
from dataclasses import replace
from itertools import combinations
from pathlib import Path
from typing import TYPE_CHECKING, Any

import polars as pl
import pytest

import bribeproof as bp
from bribeproof.contests.cheapest_bribe import cheapest_contest_bribe
from bribeproof.contests.words import joined
from bribeproof.contests.worst_bribe import worst_contest_bribe
from tests.aggregation.test_contest import table
from tests.contests.brute_force import Marks, places, places_if_others, places_over_all
from tests.contests.drawn import JUDGES, PLACES, SEEDS, draw
from tests.frames.inputs import EACH_KIND, give

if TYPE_CHECKING:
    from fractions import Fraction


@pytest.mark.parametrize("seed", SEEDS)
def test_places_against_every_set_and_every_extreme_mark(seed: int) -> None:
    drawn = draw(seed)
    given: tuple[Marks, Any, list[str], int, tuple[Fraction, Fraction], int] = (
        drawn.marks, drawn.rule, drawn.judges, drawn.k, drawn.ends, drawn.trim,
    )  # fmt: skip
    same, others = places_over_all(*given), places_if_others(*given)
    found = drawn.places()
    assert found == {entry: (*same[entry], *others[entry][1:]) for entry in same}


@pytest.mark.parametrize("seed", SEEDS)
def test_could_be_in_a_summary_is_exact_for_both_questions(seed: int) -> None:
    drawn = draw(seed)
    few = min(len(row) for rounds in drawn.marks.values() for row in rounds.values())
    k = (few - 1) // 2
    options = {name: option for name, option in drawn.options.items() if name != "kind"}
    facts = bp.aggregate(pl.DataFrame(drawn.rows()), k, kind="scores", **options).facts()
    # As many marks are dropped as are written, so that none of them is kept.
    given: tuple[Marks, Any, list[str], int, tuple[Fraction, Fraction], int] = (
        drawn.marks, drawn.rule, drawn.judges, k, drawn.ends, k,
    )  # fmt: skip
    for expected, podium in (
        (places_over_all(*given), facts["same_judges"]["podium"]),
        (places_if_others(*given), facts["podium"]),
    ):
        assert podium
        for one in podium:
            assert (one["rank"], one["best_rank"], one["worst_rank"]) == expected[one["item"]]
    first = {one["item"] for one in facts["same_judges"]["could_be_first"]}
    assert first == {entry for entry, (place, best, _) in places_over_all(*given).items() if best == 1 < place}


@pytest.mark.parametrize("seed", SEEDS[:3] + SEEDS[8:20])
def test_groups_and_prices_are_sets_of_judges(seed: int) -> None:
    drawn = draw(seed)
    rng = random.Random(-seed)  # noqa: S311
    judges = drawn.judges
    group = {judge: f"N{rng.randint(1, 3)}" for judge in judges if rng.random() < 0.8}
    names = sorted({group.get(judge, judge) for judge in judges})
    price = {name: rng.randint(0, 4) for name in names}
    budget = rng.randint(0, 6)
    found = bp.worst_bribe(
        pl.DataFrame(drawn.rows()), group=group, price=price, budget=budget, trim=drawn.trim, **drawn.options
    )
    best, worst = dict.fromkeys(drawn.marks, 99), dict.fromkeys(drawn.marks, 0)
    for size in range(len(names) + 1):
        for bought in combinations(names, size):
            if sum(price[name] for name in bought) <= budget:
                bribed = [judge for judge in judges if group.get(judge, judge) in bought]
                for entry, (_, high, low) in places(drawn.marks, drawn.rule, bribed, drawn.ends, drawn.trim).items():
                    best[entry], worst[entry] = min(best[entry], high), max(worst[entry], low)
    entries = found.entries
    assert dict(entries.select("entry", "best_place").iter_rows()) == best
    assert dict(entries.select("entry", "worst_place").iter_rows()) == worst
    assert found.recheck()


@pytest.mark.parametrize("seed", range(30, 36))
def test_order_names_and_a_shift_change_nothing(seed: int) -> None:
    drawn = replace(draw(seed), how="sum")
    found, rows = drawn.places(), drawn.rows()
    options = drawn.options | {"trim": drawn.trim}

    def again(frame: pl.DataFrame, **more: Any) -> dict[Any, tuple[int, ...]]:
        entries = bp.worst_bribe(frame, drawn.k, **(options | more)).entries
        return {row[0]: row[1:] for row in entries.select("entry", *PLACES).iter_rows()}

    random.Random(seed).shuffle(rows)  # noqa: S311
    frame = pl.DataFrame(rows)
    assert again(frame) == found
    renamed = frame.with_columns(entry="z" + pl.col("entry").str.to_lowercase(), judge="Q" + pl.col("judge"))
    assert again(renamed) == {f"z{entry.lower()}": own for entry, own in found.items()}
    # A total has factors, so that equal ones are needed for a shift of all marks to be one of all totals.
    even = frame.with_columns(factor=pl.lit(2.0))
    shifted = even.with_columns(pl.col("score") + 100)
    scale = None if drawn.scale is None else (100, 110)
    assert again(even) == again(shifted, scale=scale)


@pytest.mark.parametrize("kind", EACH_KIND)
def test_every_engine_and_file(kind: str, tmp_path: Path) -> None:
    drawn = draw(3)
    rows = drawn.rows()
    given = give(kind, {name: [row[name] for row in rows] for name in rows[0]}, tmp_path)
    found = bp.worst_bribe(given, drawn.k, trim=drawn.trim, **drawn.options)
    assert {row[0]: row[1:] for row in found.entries.select("entry", *PLACES).iter_rows()} == drawn.places()


def test_equal_entries_and_entries_without_a_total() -> None:
    sheet = pl.DataFrame({"entry": ["A", "B"], "J1": [8.0, 8], "J2": [8.0, 8], "J3": [8.0, 8]})
    found = worst_contest_bribe(sheet, 1)
    assert found.entries.select("place", "best_place", "worst_place").rows() == [(1, 1, 1), (1, 1, 1)]
    assert found.winner_safe
    assert not found.strongest
    few = sheet.with_columns(J2=pl.Series([8.0, None]), J3=pl.Series([8.0, None]))
    found = worst_contest_bribe(few, 1)
    assert (found.entries.height, found.n_uncertified, found.winner_safe) == (1, 1, False)
    assert found.entries["worst_place"].to_list() == [2]
    assert "1 more entry without a total: any place is possible." in found.summary()


def test_nobody_else_is_said_of_entries_with_a_total() -> None:
    sheet = pl.DataFrame({"entry": list("ABCDEF")} | {f"J{seat}": [9.0, 8, 7, 6, 5, 4] for seat in range(3)})
    few = sheet.with_columns(
        (pl.when(pl.col("entry") != "F").then(pl.col(f"J{seat}"))).alias(f"J{seat}") for seat in (1, 2)
    )
    summary = worst_contest_bribe(few, 1).summary()
    assert "on every item could have made nobody else with a total first, alone or level.\n" in summary
    assert "on every item could have brought nobody else with a total onto the podium.\n" in summary
    assert summary.endswith(
        "could have made nobody else with a total first, alone or level, "
        "and have brought nobody else with a total onto the podium."
    )
    assert "nobody else first" in worst_contest_bribe(sheet, 1).summary()
    cheapest = cheapest_contest_bribe(few, trim=1)
    assert cheapest.summary() == (
        "To make another entry with a total first, alone or level, 2 judges are enough: J0 and J1, "
        "for any of B, C, D and E.\n"
        "Fewer judges are not enough (proven).\n"
        "1 entry without a total: any place is possible; places are counted among the others."
    )
    for asked in ({}, {"change": "podium"}, {"entry": "A"}, {"entry": "C"}, {"entry": "E", "place": 2}):
        found = cheapest_contest_bribe(few, trim=1, **asked)
        assert found.recheck().differences == ()
        assert found.price == cheapest_contest_bribe(few.head(5), trim=1, **asked).price
    one = cheapest_contest_bribe(few.filter(pl.col("entry").is_in(["A", "F"])), entry="A", trim=1)
    assert (one.price, one.recheck().differences) == (None, ())
    assert one.summary() == (
        "To change the place of A, not even all judges together are enough (proven).\n"
        "1 entry without a total: any place is possible; places are counted among the others."
    )


def test_prices_that_are_all_one_are_a_budget() -> None:
    price = {f"judge_{seat}": 1 for seat in range(1, 8)}
    found = bp.worst_bribe(JUDGES, price=price, budget=1.5, trim=2)
    assert (found.k, found.budget) == (None, 1.5)
    assert found.recheck().differences == ()
    assert bp.cheapest_bribe(JUDGES, "winner", price=price, trim=1).recheck().differences == ()


def test_a_scale_keeps_bribed_judges_to_it() -> None:
    sheet = pl.DataFrame({"entry": ["A", "B"], "J1": [10.0, 5], "J2": [10.0, 5], "J3": [10.0, 5]})
    options: dict[str, Any] = {"trim": 0, "judges": ["J*"], "item": "entry"}
    assert worst_contest_bribe(sheet, 1, scale=(4, 10), **options).winner_safe
    assert not worst_contest_bribe(sheet, 1, **options).winner_safe


def forty_judges() -> tuple[pl.DataFrame, dict[str, Any]]:
    """Return a sheet of which not all sets of 8 judges can be tried, and how it is read."""
    rng = random.Random(5)  # noqa: S311
    names = [f"J{seat}" for seat in range(40)]
    rows = {name: [rng.randint(10, 16) / 2 for _ in range(6)] for name in names}
    return pl.DataFrame({"entry": list("ABCDEF")} | rows), {"judges": names, "item": "entry", "scale": (0, 10)}


def test_more_sets_than_can_be_tried_are_searched_by_programs() -> None:
    sheet, read = forty_judges()
    seen: list[tuple[int, int]] = []
    found = worst_contest_bribe(sheet, 8, trim=2, progress=lambda known, places: seen.append((known, places)), **read)
    assert (found.tried_all, found.exact) == (False, True)
    assert seen[-1] == (12, 12)
    assert not found.winner_safe
    assert "Proven: no others are possible." in found.summary()
    checked = found.recheck(most_sets=3)
    assert checked
    assert (checked.tried, checked.tried_all) == (3, False)
    # Whoever can be first with 8 judges, the fewest for it are at most 8, and fewer than those are not enough.
    for entry, best in found.entries.filter(pl.col("place") > 1).select("entry", "best_place").iter_rows():
        least = bp.cheapest_bribe(sheet, items=entry, place=1, trim=2, kind="scores", **read)
        assert least.exact
        assert least.price is not None
        assert (least.price <= 8) == (best == 1)
        fewer = worst_contest_bribe(sheet, int(least.price) - 1, trim=2, **read).entries
        assert fewer.filter(pl.col("entry") == entry)["best_bound"].item() > 1


def test_without_time_for_programs_there_are_two_bounds() -> None:
    sheet, read = forty_judges()
    found = worst_contest_bribe(sheet, 8, trim=2, time_limit=1e-9, **read)
    assert not found.exact
    assert (found.entries["best_bound"] <= found.entries["best_place"]).all()
    assert (found.entries["worst_bound"] >= found.entries["worst_place"]).all()
    assert "Proven" not in found.summary()
    assert found.recheck(most_sets=3)


@pytest.mark.parametrize("forms", [0, *(pytest.param(forms, marks=pytest.mark.slow) for forms in (1, 3, 4))])
@pytest.mark.parametrize("seed", [0, *(pytest.param(seed, marks=pytest.mark.slow) for seed in range(1, 8))])
def test_criteria_and_every_other_form_are_replayed(seed: int, forms: int) -> None:
    frame, options = table(seed, forms)
    for scale in (None, (2, 7)):
        checked = worst_contest_bribe(frame, 1, trim=1, scale=scale, **options).recheck()
        assert checked
        assert checked.tried_all
        assert cheapest_contest_bribe(frame, trim=1, scale=scale, **options).recheck()


def test_the_public_function_reads_files_and_frames_of_either_kind(tmp_path: Path) -> None:
    scores = tmp_path / "scores.csv"
    scores.write_text("entry,J1,J2,J3\nA,9,9,8.5\nB,7,7,7\n", encoding="utf-8")
    assert bp.worst_bribe(scores, 1).winner_safe
    assert bp.worst_bribe(str(scores), 1, kind="scores").entries.equals(bp.worst_bribe(scores, 1).entries)
    labels = tmp_path / "labels.csv"
    rows = "".join(f"t{task},{name},{'x' if name != 'c' else 'y'}\n" for task in range(4) for name in "abc")
    labels.write_text("photo,annotator,label\n" + rows, encoding="utf-8")
    found = bp.worst_bribe(labels, 1)
    frame = pl.read_csv(labels)
    assert found.changed == bp.worst_bribe(frame, 1, item="photo", reporter="annotator").changed == 4
    assert bp.worst_bribe(frame, 1, kind="labels").names == found.names
    assert bp.cheapest_bribe(labels, 4).names == found.names


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        ({"k": None}, "say how much can be bribed"),
        ({"k": -1}, "k"),
        ({"k": 1, "trim": -1}, "trim=-1"),
        ({"k": 1, "trim": "one"}, "trim='one'"),
        ({"k": 1, "trim": 3}, "give a smaller trim"),
        ({"k": 2}, "give a smaller k, at most 1 "),
        ({"k": 2, "group": {"J1": "G"}}, r"give a smaller k \("),
        ({"price": dict.fromkeys(["J1", "J2", "J3"], 1), "budget": 2}, "give a smaller budget"),
        ({"k": 1, "budget": 3}, "say how much can be bribed"),
        ({"k": 1, "score": "x"}, "option 'score' is not one of scores"),
        ({"k": 1, "group": "nation"}, "nation"),
        ({"k": 1, "time_limit": 0}, "time_limit"),
        ({"k": 1, "time_limit": float("nan")}, "time_limit"),
        ({"k": 1, "scale": (0, 5)}, "0 to 5|off the scale|scale"),
    ],
)
def test_mistakes(options: dict[str, Any], reason: str) -> None:
    sheet = pl.DataFrame({"entry": ["A", "B"], "J1": [9.0, 8], "J2": [9.0, 8], "J3": [8.0, 7.5]})
    with pytest.raises(bp.BribeproofError, match=reason):
        worst_contest_bribe(sheet, **options)


def test_names_with_a_comma_or_and_are_told_apart() -> None:
    marks = {
        "J and K": [5, 9],
        "a, b": [9, 3],
        "O'Neil, and co": [9, 2],
        'say "hi"': [8, 2],
        "a\nb": [8, 3],
        "a": [6, 8],
    }
    rows = [
        (entry, judge, mark)
        for judge, given in marks.items()
        for entry, mark in zip(["Ann, and Bo", "Cy"], given, strict=True)
    ]
    sheet = pl.DataFrame(rows, schema=["entry", "judge", "score"], orient="row")
    for k in (2, 3):
        found = worst_contest_bribe(sheet, k, trim=1)
        assert found.recheck()
        (bribed,) = (row["bribed"] for row in found.records() if row["bribed"])
        assert len(bribed) == k
        assert set(bribed) <= marks.keys()
        assert f"Cy (such as by bribing {joined(bribed)}) first" in found.summary()
    one = pl.DataFrame({"entry": ["A, B", "C"], "J and K": [0, 10], "J L": [4, 5], "J M": [4, 5]})
    assert "1 judge is enough: 'J and K', for 'A, B'." in cheapest_contest_bribe(one, trim=0, scale=(0, 10)).summary()
