"""Rankings of tables: every kind of frame and form gives the same, and mistakes are told."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

import bribeproof as bp
from bribeproof.rankings.rules import RULES
from tests.cli.command import call
from tests.frames.inputs import EACH_KIND, check_frames, give
from tests.paths import ROOT

SHEET = pl.read_csv(ROOT / "examples" / "places.csv")
LONG = SHEET.unpivot(index="entry", variable_name="judge", value_name="place")
ALL = {"rule": "borda"}


def columns(frame: pl.DataFrame) -> dict[str, list[Any]]:
    return dict(frame.to_dict(as_series=False))


@pytest.mark.parametrize("kind", EACH_KIND)
@pytest.mark.parametrize("form", [SHEET, LONG], ids=["wide", "long"])
def test_every_kind_of_frame_and_form(kind: str, form: pl.DataFrame, tmp_path: Path) -> None:
    found = bp.rank(give(kind, columns(form), tmp_path), "borda")
    expected = bp.rank(SHEET, "borda")
    check_frames(kind, [found.entries], [expected.entries])
    assert (found.winners, found.podium) == (("Fjord",), ("Fjord", "Ember", "Borealis"))
    assert {name: bribe.upper for name, bribe in found.other.items()} == {
        name: bribe.upper for name, bribe in expected.other.items()
    }


@pytest.mark.parametrize("rule", RULES)
def test_rows_columns_and_names_do_not_matter(rule: str) -> None:
    expected = bp.rank(SHEET, rule)
    names = [f"judge_{number}" for number in range(1, 8)]
    names = [names[position] for position in (3, 6, 0, 2, 5, 1, 4)]
    shuffled = SHEET.select("entry", *names).sample(fraction=1, shuffle=True, seed=2)
    renamed = shuffled.rename({name: f"j{number}" for number, name in enumerate(names)}).with_columns(
        pl.col("entry").replace({"Fjord": "Zulu", "Ember": "Alpha"})
    )
    for frame in (shuffled, renamed, LONG.reverse()):
        found = bp.rank(frame, rule)
        assert sorted(found.entries["score"]) == sorted(expected.entries["score"])
        assert found.entries["place"].to_list() == expected.entries["place"].to_list()
        for given, known in ((found.shared, expected.shared), (found.other, expected.other)):
            assert [bribe.upper for bribe in given.values()] == [bribe.upper for bribe in known.values()]


def test_ties_may_be_written_in_any_usual_way() -> None:
    written: list[list[object]] = [
        [1, 1, 3, 4],
        [1.5, 1.5, 3, 4],
        [2, 2, 3, 4],
        [1, 1, 2, 3],
        ["T1", "1=", "3rd", "4."],
    ]
    tables = []
    for ranks in written:
        frame = pl.DataFrame({"entry": list("abcd"), "j1": [str(one) for one in ranks], "j2": ["1", "2", "3", "4"]})
        tables.append(bp.rank(frame, "borda").entries.rows())
    assert all(table == tables[0] for table in tables)
    assert tables[0][0][:2] == ("a", 5.5)


def test_by_hand() -> None:
    found = bp.rank(SHEET, "copeland")
    assert found.entries.rows()[:2] == [("Fjord", 5.0, 1, None, None), ("Ember", 4.0, 2, 3, 3)]
    bribe = found.other["winner"]
    assert (bribe.lower, bribe.upper, bribe.gainer, bribe.loser, bribe.exact) == (3, 3, "Ember", "Fjord", True)
    assert bribe.recheck().ok
    assert bribe.recheck().tried in (0, 21)
    rewritten = pl.DataFrame({"entry": SHEET["entry"], **{name: SHEET[name] for name in SHEET.columns[1:]}})
    for judge, places in bribe.rankings.items():
        assert (places["Ember"], places["Fjord"]) == (1, 6)
        rewritten = rewritten.with_columns(
            pl.Series(judge, [places[entry] for entry in SHEET["entry"]], dtype=pl.Float64)
        )
    assert bp.rank(rewritten, "copeland").winners == ("Ember",)
    assert "Another winner takes 3 bribed judges" in found.summary()
    assert "Another wins if judge_" in found.summary()
    assert "<table>" in found._repr_html_()
    assert repr(found) == "Ranking(copeland: Fjord; other winner: 3)"


def test_a_certificate_with_a_wrong_number_does_not_hold() -> None:
    from dataclasses import replace

    bribe = bp.rank(SHEET, "copeland").other["winner"]
    assert replace(bribe, lower=4).recheck().refuted
    assert not replace(bribe, bribed=bribe.bribed[:2]).recheck().changed
    more = ("judge_1", "judge_2", "judge_3", "judge_4")
    false = [
        {"lower": 2, "upper": 2},
        {"lower": 4},
        {"upper": None},
        {"bribed": more},
        {"bribed": (*bribe.bribed[:2], "nobody")},
        {"bribed": (*bribe.bribed, bribe.bribed[0])},
        {"upper": 4, "bribed": (*more[:3], more[0])},
        {"lower": 4, "upper": 4, "bribed": more},
    ]
    assert bribe.recheck()
    assert [one for one in false if replace(bribe, **one).recheck()] == []  # type: ignore[arg-type]
    assert replace(bribe, upper=4, bribed=more).recheck()  # four are enough, if not the fewest


def test_a_certificate_of_another_change_does_not_hold() -> None:
    from dataclasses import replace

    found = bp.rank(SHEET, "copeland")
    podium, winner = found.other["podium"], found.other["winner"]
    assert (podium.upper, winner.upper) == (1, 3)
    false: list[dict[str, Any]] = [
        *({"change": change} for change in ("winner", "winnerx", "")),
        *({name: entry} for name in ("gainer", "loser") for entry in ("Nobody", winner.gainer, winner.loser)),
        {"proof": "boundx"},
    ]
    assert [one for one in false if replace(podium, **one).recheck()] == []
    assert not replace(winner, change="podium").recheck()
    sheet = pl.DataFrame({"entry": ["a", "b"], "j1": [1, 2], "j2": [1, 2], "j3": [2, 1], "j4": [1, 2]})
    found = bp.rank(sheet, "borda")
    level, ahead = found.shared["winner"], found.other["winner"]
    assert (level.upper, ahead.upper) == (1, 2)
    assert not replace(level, shared=False).recheck()
    assert not replace(ahead, shared=True).recheck()


def test_a_certificate_that_not_even_all_are_enough_is_of_its_change() -> None:
    from dataclasses import replace

    alone = pl.DataFrame({"entry": ["a", "b"], "j1": ["1", ""], "j2": ["", "1"]})
    bribe = bp.rank(alone, "median", unranked="not-asked").other["winner"]
    assert bribe.upper is None
    assert bribe.recheck()
    for wrong in ({"change": "winnerx"}, {"change": "podium"}, {"gainer": "c"}, {"loser": bribe.gainer}):
        assert not replace(bribe, **wrong).recheck()  # type: ignore[arg-type]


def test_a_certificate_with_a_wrong_price_does_not_hold() -> None:
    from dataclasses import replace

    price = {name: 10.5 + number for number, name in enumerate(SHEET.columns[1:])}
    bribe = bp.rank(SHEET, "copeland", price=price).other["winner"]
    assert bribe.recheck()
    assert bribe.upper is not None
    dearer = bribe.upper + 1
    assert not replace(bribe, upper=dearer).recheck()
    assert not replace(bribe, lower=dearer, upper=dearer).recheck()
    assert not replace(bribe, lower=dearer).recheck()


@pytest.mark.parametrize("rule", ["borda", "points"])
def test_a_certificate_of_many_judges_is_rechecked_by_a_sort(rule: str) -> None:
    from dataclasses import replace

    rng, points = np.random.default_rng(6), [5, 2, 1] if rule == "points" else None
    places = (rng.gumbel(size=(60, 5)) + np.arange(5) / 3).argsort(axis=1).argsort(axis=1) + 1
    frame = pl.DataFrame({"entry": list("abcde")} | {f"j{at}": row for at, row in enumerate(places)})
    bribe = bp.rank(frame, rule, points=points).other["winner"]
    assert bribe.lower > 5
    assert (bribe.recheck().tried, bribe.recheck().ok) == (None, True)
    assert replace(bribe, lower=bribe.lower + 1).recheck().refuted


def test_groups() -> None:
    nations = {f"judge_{number}": "north" if number < 5 else f"nation {number}" for number in range(1, 8)}
    found = bp.rank(SHEET, "copeland", group=nations)
    assert (found.unit, found.n_units) == ("group", 4)
    assert found.other["winner"].bribed == ("north",)
    assert len(found.other["winner"].rankings) == 4
    long = LONG.with_columns(pl.col("judge").replace_strict(nations).alias("nation"))
    assert bp.rank(long, "copeland", group="nation").entries.equals(found.entries)
    combined = bp.rank(long, "borda", group="nation", combine=True)
    mean = [sum(row[1:5]) for row in SHEET.rows()]
    order = {entry: sum(other < mine for other in mean) + 1 for entry, mine in zip(SHEET["entry"], mean, strict=True)}
    alone = SHEET.select("entry", "judge_5", "judge_6", "judge_7").with_columns(
        pl.col("entry").replace_strict(order).alias("judge_0")
    )
    assert bp.rank(alone, "borda").entries.equals(combined.entries)
    partly = bp.rank(SHEET, "copeland", group=dict.fromkeys(SHEET.columns[1:5], "north"))
    assert (partly.n_units, partly.other["winner"].upper) == (4, found.other["winner"].upper)
    empty = long.with_columns(pl.when(pl.col("nation") == "north").then("nation"))
    assert bp.rank(empty, "copeland", group="nation").entries.equals(found.entries)
    with pytest.raises(bp.ParameterError, match="group names none of the judges, who are 'judge_1', 'judge_2'"):
        bp.rank(SHEET, group={"judge 1": "x"})
    with pytest.raises(bp.DataError, match="judge 'judge_2' has no group, and a group has this name"):
        bp.rank(SHEET, group={"judge_1": "judge_2"})
    with pytest.raises(bp.ParameterError, match="combine=True needs groups"):
        bp.rank(SHEET, combine=True)


def test_judges_of_several_juries_may_have_the_same_name() -> None:
    rows = [
        (jury, entry, *places) for jury in ("AT", "BE") for entry, *places in SHEET.select(pl.nth(0, 1, 2, 3)).rows()
    ]
    frame = pl.DataFrame(rows, schema=["from", "entry", "A", "B", "C"], orient="row")
    found = bp.rank(frame, "borda", judges=["A", "B", "C"], group="from")
    assert (found.n_judges, found.n_units) == (6, 2)
    assert "3 judges of each group" in found.notes[0]


def test_several_contests() -> None:
    frame = pl.concat([LONG.with_columns(contest=pl.lit(name)) for name in ("b", "a")])
    found = bp.compare_rules(frame)
    assert found.table.select("contest", "rule").rows() == [(name, rule) for name in "ba" for rule in RULES]
    one = bp.compare_rules(SHEET).table
    assert found.table.filter(pl.col("contest") == "a").drop("contest").equals(one)
    assert "Copeland" in found.summary()
    assert "3 in 2" in found.summary()
    assert found.bribes["a", "copeland"]["other_winner"].upper == 3
    with pytest.raises(
        bp.DataError, match=r"there are 2 contests \('b', 'a'\): keep the rows of one, or use compare_r"
    ):
        bp.rank(frame)
    with pytest.raises(bp.DataError, match="gives entry 'Aurora' place 1, and 6 at row 0") as caught:
        bp.rank(pl.concat([LONG, LONG.with_columns(place=7 - pl.col("place"))]))
    assert "name the column that tells contests apart (contest)" in str(caught.value)


INCOMPLETE = pl.DataFrame({"entry": list("abc"), "j1": [1, 2, 3], "j2": [1, 2, None], "j3": [1, None, None]})


def test_unranked_entries_are_asked_about() -> None:
    with pytest.raises(bp.QuestionError, match="2 judges rank only some of the entries") as caught:
        bp.rank(INCOMPLETE, "borda")
    assert [choice.options for choice in caught.value.choices] == [{"unranked": "last"}, {"unranked": "not-asked"}]
    last = bp.rank(INCOMPLETE, "borda", unranked="last")
    assert dict(last.entries.select("entry", "score").rows()) == {"a": 6.0, "b": 2.5, "c": 0.5}
    unasked = bp.rank(INCOMPLETE, "borda", unranked="not-asked")
    assert dict(unasked.entries.select("entry", "score").rows()) == {"a": 3.0, "b": 1.0, "c": 0.0}
    assert "behind all they rank" in last.notes[1]
    assert "not judged by them" in unasked.notes[1]
    with pytest.raises(bp.DataError, match="entry 'c' has 1 place; with k=1 each entry needs at least 3"):
        bp.rank(INCOMPLETE, unranked="not-asked")


def test_points_are_shared_by_level_entries() -> None:
    frame = pl.DataFrame({"entry": list("abc"), "j1": [1, 1, 3], "j2": [3, 1, 2]})
    found = bp.rank(frame, "points", points=[12, 10, 1])
    assert dict(found.entries.select("entry", "score").rows()) == {"b": 23.0, "a": 12.0, "c": 11.0}
    assert bp.rank(SHEET, "points", points=[5, 4, 3, 2, 1, 0]).entries.equals(bp.rank(SHEET, "borda").entries)
    assert bp.rank(SHEET, "points", points=["0.5", "1/3"]).entries["score"].sum() == pytest.approx(7 * 5 / 6)


def test_who_cannot_be_beaten() -> None:
    """An entry that no judge of the rivals' ranks is out of their reach."""
    frame = pl.DataFrame({"entry": ["a", "b"], "j1": [1, None], "j2": [1, None], "j3": [None, 1]})
    found = bp.rank(frame, "points", points=[1], unranked="not-asked")
    assert found.winners == ("a",)
    assert (found.other["winner"].upper, found.other["winner"].exact, found.other["winner"].bribed) == (None, True, ())
    assert (
        "Not even all judges together could bring about another winner, or a tie at the first place" in found.summary()
    )
    assert list(found.other) == ["winner"]
    assert found.other["winner"].recheck().ok


def test_columns_are_found_by_their_names_or_asked_about() -> None:
    frame = SHEET.with_columns(total=pl.lit(3), bib=pl.Series([11, 12, 13, 14, 15, 16]))
    assert bp.rank(frame, "borda").entries.equals(bp.rank(SHEET, "borda").entries)
    with pytest.raises(bp.QuestionError, match=r"beside 'judge_1', .* places may be in 'Smith'") as caught:
        bp.rank(SHEET.with_columns(Smith=pl.Series([1, 2, 3, 4, 5, 6])), "borda")
    assert [len(choice.options["judges"]) for choice in caught.value.choices] == [8, 7]  # type: ignore[arg-type]
    people = SHEET.rename({f"judge_{number}": name for number, name in enumerate(["Ann", "Bo"], 1)})
    assert bp.rank(people.select("entry", "Ann", "Bo"), "borda").n_judges == 2
    with pytest.raises(bp.QuestionError, match="the entries may be in 'x', 'y'"):
        bp.rank(pl.DataFrame({"x": ["a", "b"], "y": ["c", "d"], "j1": [1, 2]}), "borda")
    assert bp.rank(pl.DataFrame({"bib": [7, 9], "j1": [1, 2]}), "borda").winners == ("7",)


def test_tables_with_a_row_for_each_judge() -> None:
    turned = SHEET.transpose(include_header=True, header_name="judge", column_names="entry")
    expected = bp.rank(SHEET, "borda")
    found = bp.rank(turned, "borda")
    assert found.entries.sort("entry").equals(expected.entries.sort("entry"))
    assert "a row for each judge in 'judge', entries: 'Aurora'" in found.notes[0]
    unnamed = turned.rename({"judge": "x"}).with_columns(pl.col("x").replace("judge_1", "Ann"))
    with pytest.raises(bp.QuestionError, match="are not places from 1 on") as caught:
        bp.rank(unnamed, "borda")
    assert caught.value.choices[-1].options == {"turned": True}
    assert bp.rank(unnamed, "borda", turned=True).entries.equals(found.entries)
    nations = unnamed.with_columns(nation=pl.Series(list("aabbccc")))
    assert bp.rank(nations, "borda", judge="x", group="nation").n_units == 3
    some = bp.rank(unnamed, "borda", judge="x", turned=True, judges=["Fjord", "Ember"], gaps=True)
    assert some.entries["entry"].to_list() == ["Fjord", "Ember"]


@pytest.mark.slow
def test_a_time_limit_leaves_honest_bounds() -> None:
    rng = np.random.default_rng(1)
    noise = rng.normal(size=(120, 16)) * 6 + np.arange(16)
    columns = {f"judge_{at}": row.argsort().argsort() + 1 for at, row in enumerate(noise)}
    frame = pl.DataFrame({"entry": [f"E{at}" for at in range(16)]} | columns)
    proven = bp.rank(frame, "copeland", time_limit=300)
    hurried = bp.rank(frame, "copeland", time_limit=1e-9)
    for change, bribe in hurried.other.items():
        known = proven.other[change].upper
        assert known is not None
        assert bribe.upper is not None
        assert bribe.lower <= known <= bribe.upper
        assert bribe.recheck().changed
    rows = zip(proven.entries.rows(), hurried.entries.rows(), strict=True)
    assert all(known[4] <= found[4] for known, found in rows if known[4] is not None)
    assert proven.entries.rows() != hurried.entries.rows()
    assert "the time limit ended the search" in hurried.notes[-1]


def test_comparisons_are_checked() -> None:
    for rules, message in (([], "at least one rule"), (["borda", "borda"], "each once"), (["x"], "rule='x'")):
        with pytest.raises(bp.ParameterError, match=message):
            bp.compare_rules(SHEET, rules)
    with pytest.raises(bp.ParameterError, match="'points' is not among the rules"):
        bp.compare_rules(SHEET, ["borda"], points=[1])
    found = bp.compare_rules(SHEET, points=[3, 1])
    assert found.table["rule"].to_list() == [*RULES, "points"]
    assert "<table>" in found._repr_html_()
    assert repr(found) == "RuleComparison(contests=1, rules=5)"


def test_the_command(tmp_path: Path) -> None:
    path = tmp_path / "places.csv"
    LONG.write_csv(path)
    shown = call("rank", path)
    assert "By Borda points the winner is Fjord. Another winner takes 1 bribed judge." in shown.out
    assert "long form" in shown.err
    document = json.loads(call("rank", path, "--json").out)
    assert [row["other_winner"] for row in document["table"]] == [2, 1, 3, 3]
    one = json.loads(call("rank", path, "--rule", "copeland", "--json").out)
    assert one["other"]["winner"]["bribed"] == ["judge_1", "judge_2", "judge_3"]
    assert one["table"][0]["entry"] == "Fjord"
    written = tmp_path / "out.csv"
    assert "wrote 6 entries" in call("rank", path, "--rule", "borda", "-o", written).err
    assert written.read_text(encoding="utf-8").startswith("entry,score,place,level,ahead\nFjord,")
    several = tmp_path / "several.csv"
    pl.concat([LONG.with_columns(event=pl.lit(name)) for name in "ab"]).write_csv(several)
    assert "1 in 2" in call("rank", several, "--rule", "borda").out
    groups = tmp_path / "groups.csv"
    groups.write_text("judge,group\n" + "".join(f"judge_{n},{min(n, 4)}\n" for n in range(1, 8)), encoding="utf-8")
    assert "Another winner takes 1 bribed group" in call("rank", path, "--rule", "copeland", "--group", groups).out
    assert (
        "--points has no effect with --rule borda" in call("rank", path, "--rule", "borda", "--points", "2,1").refused()
    )
    incomplete = tmp_path / "incomplete.csv"
    INCOMPLETE.write_csv(incomplete)
    asked = call("rank", incomplete).refused()
    assert "--unranked last" in asked
    assert "--unranked not-asked" in asked
