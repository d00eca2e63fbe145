"""Scores: places, what judges could have caused, and the marks."""

from pathlib import Path
from typing import Any

import polars as pl
import pytest

import bribeproof as bp
from tests.paths import FIXTURES, ROOT
from tests.reporting.helpers import made, said, shown, table

JUDGES = ROOT / "examples" / "judges.csv"
HALFPIPE = FIXTURES / "halfpipe" / "clean.csv"
DIVES = pl.DataFrame(
    [
        (diver, dive, judge, 5.0 + (place * 3 + dive * 5 + number * 2) % 7 / 2 + place)
        for place, diver in enumerate(("Ann", "Bo", "Cy", "Di"))
        for dive in (1, 2)
        for number, judge in enumerate(("J1", "J2", "J3", "J4", "J5"))
    ],
    schema=["diver", "dive", "judge", "score"],
    orient="row",
)


@pytest.mark.parametrize("k", [1, 2])
@pytest.mark.parametrize("path", [JUDGES, HALFPIPE], ids=["judges", "halfpipe"])
def test_places_are_those_of_the_library(path: object, k: int) -> None:
    report, found = made(path, k), bp.worst_bribe(path, k)
    places = table(report, "Places").filter(pl.col("place").is_not_null())
    expected = dict(found.entries.select(pl.first().cast(pl.String), "place").iter_rows())
    assert dict(places.select("entry", "place").iter_rows()) == expected
    totals = dict(found.entries.select(pl.first().cast(pl.String), "total").iter_rows())
    assert dict(places.select("entry", "total").iter_rows()) == pytest.approx(totals)
    spans = {
        str(name): "safe" if best == worst else f"{best} to {worst}"
        for name, best, worst in found.entries.select(pl.first(), "best_place", "worst_place").iter_rows()
    }
    assert dict(places.select("entry", "same").iter_rows()) == spans
    answer = bp.aggregate(path, k=k).items
    ranges = dict(zip(answer.to_series().cast(pl.String), answer.select("range_low", "range_high").rows(), strict=True))
    assert {name: (low, high) for name, low, high in places.select("entry", "low", "high").iter_rows()} == {
        name: ranges[name] for name in expected
    }
    if not found.n_uncertified:
        told = report.summary()
        assert ("neither the winner" in told or "not have changed the winner" in told) == (found.winner_safe is True)
        assert ("nor who is on the podium" in told or "not have changed who is" in told) == (found.podium_safe is True)


def test_how_many_judges_it_takes_is_the_cheapest_bribe() -> None:
    report = made(JUDGES, 1)
    takes = table(report, "Judges it takes")
    for change, row in zip(("winner", "podium"), takes.iter_rows(), strict=True):
        least = bp.cheapest_bribe(JUDGES, change, trim=1)
        assert (row[1], row[4]) == (f"{int(least.price)}", "yes")
        assert f"{int(least.price):,} bribed judges" in report.summary()
        could = bp.worst_bribe(JUDGES, int(least.price), trim=1)
        assert (could.winner_safe if change == "winner" else could.podium_safe) is False
        assert bp.worst_bribe(JUDGES, int(least.price) - 1, trim=1).winner_safe is True


def test_dropped_marks_are_struck() -> None:
    report, answer = made(JUDGES, 1), bp.aggregate(JUDGES, k=1).items
    marks = shown(report, "Marks")
    place = {name: number for number, name in enumerate(marks.frame.columns)}
    rows = {name: number for number, name in enumerate(marks.frame.to_series())}
    expected = {
        (rows[name], place[judge])
        for name, low, high in answer.select("entry", "dropped_low", "dropped_high").iter_rows()
        for judge in (low, high)
    }
    assert marks.struck == expected
    assert report.to_html().count("<s>") == len(expected)
    kept = [
        [mark for number, mark in enumerate(row) if 0 < number < len(row) - 1 and (line, number) not in marks.struck]
        for line, row in enumerate(marks.frame.iter_rows())
    ]
    for line, given in enumerate(kept):
        known = [mark for mark in given if mark is not None]
        assert sum(known) / len(known) == pytest.approx(marks.frame["estimate"][line])


def test_totals_name_their_parts() -> None:
    report = made(DIVES, 1, kind="scores", item=["diver", "dive"], total="sum of dive", scale=(0, 15))
    answer = bp.aggregate(DIVES, k=1, kind="scores", item=["diver", "dive"], total="sum of dive", scale=(0, 15))
    assert dict(table(report, "Places").select("entry", "total").iter_rows()) == pytest.approx(
        dict(answer.items.select(pl.first(), "estimate").iter_rows())
    )
    assert "the same on every dive" in report.summary()
    assert "any mark from 0 to 15" in said(report, "assumed")
    assert table(report, "Marks").height == 8


def test_criteria_are_not_compared_across() -> None:
    sheet = pl.DataFrame(
        {"entry": ["A", "B", "C", "D"]}
        | {
            f"J{judge}_{part}": [float(7 + (judge + row + len(part)) % 3) for row in range(4)]
            for judge in (1, 2, 3)
            for part in ("art", "tech")
        }
    )
    report = made(sheet, 1, kind="scores", criteria="judge first", better="high")
    assert "several marks" in said(report, "deviations")
    assert "Marks" not in [one.name for one in report.tables]


def test_the_lowest_can_be_the_best() -> None:
    sheet = pl.DataFrame({"entry": ["A", "B"], "J1": [61.5, 70.0], "J2": [62.5, 71.0], "J3": [63.0, 70.5]})
    report = made(sheet, 1, kind="scores", better="low")
    assert report.summary().startswith("A is first with 62.5, the lowest score being the best, before B (70.5).")


def test_a_national_panel_is_bribed_as_a_group() -> None:
    frame = DIVES.with_columns(nation=pl.col("judge").replace({"J1": "x", "J2": "x"}))
    options: dict[str, Any] = {"kind": "scores", "item": ["diver", "dive"], "total": "sum of dive", "group": "nation"}
    report, found = made(frame, 1, **options), bp.worst_bribe(frame, 1, **options)
    assert "One bribed group (nation)" in report.summary()
    assert ("could not have changed" in report.summary()) or found.winner_safe is False
    assert "Judges it takes" not in [one.name for one in report.tables]


def test_without_the_dropping_of_marks_is_the_plain_mean() -> None:
    report, plain = made(JUDGES, 1), bp.aggregate(JUDGES, k=0).items
    means = dict(plain.select("entry", "estimate").iter_rows())
    moved = table(report, "Plain mean")
    assert moved.height
    for name, _, place, _, mean in moved.iter_rows():
        assert means[name] == pytest.approx(mean)
        assert place == 1 + sum(other > mean for other in means.values())


def test_item_by_item_is_said_where_the_same_judges_are_not_searched(tmp_path: Path) -> None:
    (tmp_path / "sheet.csv").write_text(JUDGES.read_text())
    with bp.scan_table(tmp_path / "sheet.csv", in_memory=1, size=50) as large:
        report = made(large, 1)
    assert "larger than memory" in said(report, "bribes")
    assert report.summary() == (
        "Ember is first with 9.300, before Aurora (8.400) and Borealis (8.200).\n"
        "Some one bribed judge, perhaps another on each entry, could not have changed the winner "
        "or who is on the podium by rewriting marks."
    )
    whole = bp.worst_bribe(JUDGES, 1).entries
    assert whole.filter((pl.col("place") > 3) & (pl.col("best_if_others") <= 3)).is_empty()


def test_an_entry_without_a_score_limits_what_is_said() -> None:
    sheet = pl.DataFrame(
        {
            "entry": ["A", "B", "C", "D"], "J1": [9.0, 6, 5, None], "J2": [9.5, 6, 5.5, None], "J3": [9.0, 7, 6, 4],
            "J4": [9.0, 6, 5, 3],
        }
    )  # fmt: skip
    report = made(sheet, 1, kind="scores")
    assert "Among the entries with a score, one bribed judge" in report.summary()
    assert "Among the entries with a score, to change the winner it takes 2 bribed judges" in report.summary()
    assert "1 entry has no certified score" in report.summary()
    assert table(report, "Places")["place"].to_list() == [1, 2, 3, None]
