"""Reports of judges' rankings: their numbers are those of `rank`, and by trying all that bribed judges can do."""

from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

import bribeproof as bp
from bribeproof.errors import FileError, ParameterError, ParameterTypeError
from bribeproof.questions import QuestionError
from bribeproof.reporting.document import Code
from tests.cli.command import call
from tests.paths import ROOT
from tests.rankings.brute_force import fewest
from tests.reporting.helpers import made, names, said, table
from tests.reporting.test_repeat import content

JUDGES = ("J1", "J2", "J3", "J4", "J5")
PLACES = ([1, 2, 3, 4], [1, 3, 2, 4], [2, 1, 4, 3], [4, 1, 2, 3], [1, 2, 3, 4])
WIDE = pl.DataFrame({"entry": ["A", "B", "C", "D"], **dict(zip(JUDGES, PLACES, strict=True))})
LONG = WIDE.unpivot(index="entry", variable_name="judge", value_name="rank")
PREFLIB = "# ALTERNATIVE NAME 1: Ann\n# ALTERNATIVE NAME 2: Bo\n# ALTERNATIVE NAME 3: Cy\n3: 1,2,3\n2: 2,3,1\n"


@pytest.mark.parametrize("rule", ["trimmed_mean", "borda", "median", "copeland"])
@pytest.mark.parametrize("seed", [1, pytest.param(2, marks=pytest.mark.slow), pytest.param(3, marks=pytest.mark.slow)])
def test_what_one_bribed_judge_could_change_is_what_trying_all_finds(rule: str, seed: int) -> None:
    rng = np.random.default_rng(seed)
    places = np.array([rng.permutation(3) + 1.0 for _ in range(5)])
    frame = pl.DataFrame({"entry": list("ABC"), **{f"J{judge}": row for judge, row in enumerate(places)}})
    report = made(frame, kind="rankings", rule=rule)
    known = fewest(places, rule, 1, ahead=True)
    if known == 1:
        assert "One bribed judge could have changed " in said(report, "answer")
    else:
        assert "One bribed judge could not have changed the winner" in said(report, "answer")
    one = bp.rank(frame, rule)
    assert table(report, "Ranking").rows() == one.entries.select("entry", "place", "score", "level", "ahead").rows()
    assert said(report, "answer").startswith(one.summary().splitlines()[0])


def test_a_long_table_of_places_is_answered_without_a_question(tmp_path: Path) -> None:
    report = made(LONG)
    assert report.subject == "Rankings: 4 entries, 5 judges"
    assert report.sections[0].name == "answer"
    assert names(report) == ["Ranking", "Rewritten", "Rules"]
    assert "A wins by the mean of places without the best and the worst" in report.summary()
    assert "Nobody said by which rule" in said(report, "assumed")
    LONG.write_csv(tmp_path / "long.csv")
    done = call("report", tmp_path / "long.csv", "-o", tmp_path / "r.html")
    assert done.status == 0, done
    assert "note: read as rankings, long form: entries in 'entry', judges in 'judge', places in 'rank'" in done.err
    assert report.summary() in done.out


def test_the_rewritten_rankings_change_the_winner() -> None:
    report = made(LONG)
    rewritten = table(report, "Rewritten").filter(pl.col("for") == "another winner")
    changed = dict(rewritten.select(pl.concat_str("judge", "entry"), "rewritten").iter_rows())
    frame = LONG.with_columns(
        pl.concat_str("judge", "entry").replace_strict(changed, default=pl.col("rank")).alias("rank")
    )
    assert bp.rank(frame).winners != bp.rank(LONG).winners


@pytest.mark.parametrize("frame", [WIDE, WIDE.drop("entry").transpose(column_names=["A", "B", "C", "D"])])
def test_judges_columns_may_be_marks_and_a_question_offers_rankings(frame: pl.DataFrame, tmp_path: Path) -> None:
    if "entry" not in frame.columns:
        frame = frame.select(pl.Series("judge", JUDGES), pl.all())
    with pytest.raises(QuestionError, match=r"kind='rankings' .places of judges' rankings") as asked:
        made(frame)
    assert asked.value.choices[0].options == {"kind": "rankings"}
    assert len(asked.value.choices) == 3
    frame.write_csv(tmp_path / "wide.csv")
    done = call("report", tmp_path / "wide.csv", "-o", tmp_path / "r.html")
    assert done.status == 2
    assert "--kind rankings" in done.err
    assert "A wins by" in made(frame, kind="rankings").summary()
    assert "A, B" not in made(frame, kind="rankings").summary()


def test_a_file_of_preflib(tmp_path: Path) -> None:
    (tmp_path / "votes.soc").write_text(PREFLIB)
    report = made(tmp_path / "votes.soc")
    assert "Ann and Bo share the first place" in report.summary()
    done = call("report", tmp_path / "votes.soc", "--rule", "borda", "-o", tmp_path / "r.xlsx")
    assert done.status == 0, done
    assert "by Borda points" in done.out
    with pytest.raises(ParameterError, match="sep does not apply to files of PrefLib"):
        made(tmp_path / "votes.soc", sep=";")
    with pytest.raises(FileError):
        made(tmp_path / "none.soc")


def test_several_contests(tmp_path: Path) -> None:
    other = LONG.with_columns(rank=5 - pl.col("rank"))
    frame = pl.concat([LONG.with_columns(contest=pl.lit("one")), other.with_columns(contest=pl.lit("two"))])
    report = made(frame, rule="median", kind="rankings")
    assert report.subject == "Rankings: 2 contests, 10 rankings"
    compared = bp.compare_rules(frame, ["median"]).table.sort("other_winner", maintain_order=True)
    columns = ["contest", "winner", "shared_winner", "other_winner", "shared_podium", "other_podium"]
    assert table(report, "Contests").rows() == compared.select(columns).rows()
    changed = (compared["other_winner"] <= 1).sum()
    assert f"One bribed judge could have changed the winner in {changed}" in report.summary()
    frame.write_csv(tmp_path / "all.csv")
    made(tmp_path / "all.csv").save(tmp_path / "all.html")


def test_groups_and_prices() -> None:
    by_group = made(LONG, kind="rankings", group={name: "north" if name < "J3" else name for name in JUDGES})
    assert "One bribed group could" in by_group.summary()
    priced = made(LONG, None, kind="rankings", price=dict(zip(JUDGES, (5, 2.5, 1, 1, 9), strict=True)))
    assert "nother winner costs " in priced.summary()
    assert "bribed judge could" not in priced.summary()
    assert "may have been bribed" not in said(priced, "assumed")


CASES = [("long", {}), ("wide", {"kind": "rankings", "rule": "points", "points": [5, 3, 1], "title": "Points"})]


@pytest.mark.parametrize(("form", "options"), CASES)
def test_the_command_and_the_code_make_the_same_page(
    form: str, options: dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (LONG if form == "long" else WIDE).write_csv("file.csv")
    report = made("file.csv", 2, **options)
    command, code = (block.text for section in report.sections for block in section.blocks if isinstance(block, Code))
    assert "--kind rankings" in command
    done = call(*command.replace("-o report.html", "-o command.html").split()[1:])
    assert done.status == 0, done
    assert content(Path("command.html").read_text()) == content(report.to_html())
    exec(code, {})  # noqa: S102
    assert content(Path("report.html").read_text()) == content(report.to_html())


@pytest.mark.parametrize(
    ("options", "error", "said"),
    [
        ({"k": 3, "kind": "rankings"}, ParameterError, "k=3: 7 judges are needed for an honest majority"),
        ({"kind": "rankings", "scale": (1, 4)}, ParameterTypeError, "'scale' does not apply to a report of rankings"),
        ({"kind": "rankings", "truth": "x"}, ParameterTypeError, "'truth' does not apply"),
        ({"rule": "borda", "kind": "scores"}, ParameterTypeError, "'rule' is none of a report"),
        ({"kind": "rankings", "rule": "borda", "points": [1]}, ParameterError, "no effect"),
        ({"kind": "rankings", "rule": "best"}, ParameterError, "rule='best'"),
    ],
)
def test_what_cannot_be(options: dict[str, Any], error: type[Exception], said: str) -> None:
    with pytest.raises(error, match=said):
        made(LONG, **options)


def test_errors_of_the_command_name_its_options(tmp_path: Path) -> None:
    LONG.write_csv(tmp_path / "long.csv")
    for words, said_so in (
        (("--k", 3), "--k 3: 7 judges"),
        (("--rule", "borda", "--round", 2), "--decimals"),
        (("--kind", "rankings", "--gold", "x"), "--truth"),
        (("--kind", "scores", "--rule", "borda"), "--rule is about rankings, and these are scores"),
    ):
        done = call("report", tmp_path / "long.csv", *words, "-o", tmp_path / "r.html")
        assert done.status == 2
        assert said_so in done.err, done.err


def test_a_column_that_says_something_of_the_items_is_none_of_places() -> None:
    of_items = {"A": 1, "B": 2, "C": 3, "D": 4}
    labelled = LONG.with_columns(
        pl.col("entry").replace_strict(of_items).alias("field.rank"), mood=pl.lit("good"), spam=pl.lit("no")
    ).drop("rank")
    with pytest.raises(QuestionError) as asked:
        made(labelled)
    assert {"kind": "rankings"} not in [one.options for one in asked.value.choices]


def test_marks_are_still_marks() -> None:
    marks = ROOT / "examples" / "judges.csv"
    assert made(marks).subject.startswith("Scores")
    ratings = LONG.with_columns(rank=pl.Series([1, 1, 3, 4] * 5))
    with pytest.raises(QuestionError) as asked:
        made(ratings)
    assert {"kind": "rankings"} in [one.options for one in asked.value.choices]


def test_a_tie_at_the_podium_is_said_where_another_podium_takes_more() -> None:
    report = made(LONG)
    shared, other = table(report, "Rules").row(0)[-2:]
    assert (shared, other) == (1, 2)
    assert (
        "One bribed judge could not have changed who is on the podium by rewriting a whole ranking, though a tie of "
        "third and fourth could have been brought about." in report.summary()
    )
