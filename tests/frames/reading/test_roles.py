"""Who reports is decided by names alone: columns with other roles are left out; reports may raise a question."""

import io
import pickle
import random
from typing import Any

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import bribeproof as bp
from bribeproof.frames.reading.recognise import recognise_columns
from bribeproof.frames.reading.saved import load_reading, options_of, to_toml
from bribeproof.frames.reading.words import role_of
from bribeproof.questions import QuestionError


def sheet(text: str) -> pl.DataFrame:
    """A frame of text cells from CSV."""
    return pl.read_csv(io.StringIO(text), infer_schema=False)


def test_unanimous_judges_stay() -> None:
    unanimous = sheet("entry,Anna,Boris,Chen,Dora,Emil\nE1,7.5,7.5,7.5,7.5,7.5\nE2,8,8,8,8,8")
    found = bp.aggregate(unanimous, k=1).items
    assert found["n"].to_list() == [5, 5]
    assert found["estimate"].to_list() == [7.5, 8]


@pytest.mark.parametrize("emil", [("10", "7"), ("0", "7.0"), ("0", "0"), ("3.75", "7")])
def test_a_bribed_judge_throws_nobody_out(emil: tuple[str, str]) -> None:
    text = f"entry,Anna,Boris,Chen,Dora,Emil\nE1,2.5,0,0,10,{emil[0]}\nE2,7,6.5,7.5,7,{emil[1]}"
    try:
        judges = recognise_columns(sheet(text)).columns.judges
    except QuestionError as question:
        assert all("Anna" in choice.options["judges"] for choice in question.choices)  # type: ignore[operator]
    else:
        assert judges == ("Anna", "Boris", "Chen", "Dora", "Emil")


OTHER_ROLES: dict[str, tuple[str, tuple[str, ...], dict[str, str]]] = {
    "the truth": ("image,ann,ben,cem,truth\ni1,0,0,1,0\ni2,1,1,0,1", ("ann", "ben", "cem"), {"truth": "gold"}),
    "a result and a note": (
        "id,text,ann,ben,cem,final,comment\ns1,the shop was open,pos,neg,neg,pos,ann is senior\n"
        "s2,it rained,neg,neg,pos,neg,\ns3,fine,pos,pos,neg,pos,ok",
        ("ann", "ben", "cem"), {"text": "note", "final": "result", "comment": "note"},
    ),
    "numbers and deviations": (
        "Bib,Skier,Anna,Boris,Chen,Dora,Emil,Std Dev\n31,Aurora,82,85,80,84,83,1.9\n12,Borealis,88,84,86,85,87,1.6\n"
        "44,Cascade,75,79,78,74,77,2.1",
        ("Anna", "Boris", "Chen", "Dora", "Emil"), {"Bib": "number", "Std Dev": "spread"},
    ),
    "a diving sheet": (
        "diver,difficulty,J1,J2,J3,deduction,total\nA,2.4,7,7.5,8,0,54\nB,3,6,6.5,6,2,53.5", ("J1", "J2", "J3"),
        {"difficulty": "factor", "deduction": "factor", "total": "result"},
    ),
    "French": ("Candidat,Juge 1,Juge 2,Moyenne,Pays\nX,15,12.5,13.75,FR\nY,10,12,11,BE", ("Juge 1", "Juge 2"),
               {"Moyenne": "result", "Pays": "group"}),
    "German": ("Beitrag,Prüfer 1,Prüfer 2,Gesamtnote,Datum\nX,1.3,1.7,1.5,2026-01-02\nY,2.3,2,2.15,2026-01-03",
               ("Prüfer 1", "Prüfer 2"), {"Gesamtnote": "result", "Datum": "order"}),
    "numbered and graded": ("Wine,Judge #1,Judge #2,Avg,Medal\nX,88,90.5,89.25,Silver\nY,92,91,91.5,Gold",
                            ("Judge #1", "Judge #2"), {"Avg": "result", "Medal": "unknown"}),
    "a dance floor": ("Couple,Adj A,Adj B,Place\n101,1.5,2,1\n102,2,1,2", ("Adj A", "Adj B"), {"Place": "result"}),
    "Chinese": ("选手,裁判1,裁判2,总分\nX,9.5,9,18.5\nY,8,8.5,16.5", ("裁判1", "裁判2"), {"总分": "result"}),
}  # fmt: skip


@pytest.mark.parametrize(("text", "judges", "others"), OTHER_ROLES.values(), ids=OTHER_ROLES)
def test_columns_with_other_roles_are_no_reporters(text: str, judges: tuple[str, ...], others: dict[str, str]) -> None:
    found = recognise_columns(sheet(text))
    assert found.columns.judges == judges
    assert {other.name: other.role for other in found.others} == others
    assert all(repr(name) in found.describe() for name in (*judges, *others))


ASKED: dict[str, tuple[str, list[dict[str, Any]]]] = {
    "a name that is a word, too": (
        "entry,Anna,Boris,Mark\nE1,7,8.5,7\nE2,6,7,9",
        [{"judges": ["Anna", "Boris"]}, {"judges": ["Anna", "Boris", "Mark"]}],
    ),
    "words beside numbers": (
        "entry,Anna,Boris,Sponsor\nE1,7,8.5,ACME\nE2,6,7,Foo",
        [{"judges": ["Anna", "Boris"]}, {"judges": ["Anna", "Boris", "Sponsor"]}],
    ),
    "one more beside a numbered panel": (
        "entry,J1,J2,Chair\nE1,7,8.5,7\nE2,6,7,9",
        [{"judges": ["J1", "J2"]}, {"judges": ["J1", "J2", "Chair"]}],
    ),
    "a last column that is the sum": (
        "entry,Anna,Boris,Alltogether\nE1,7,8.5,15.5\nE2,6,7,13",
        [{"judges": ["Anna", "Boris"]}, {"judges": ["Anna", "Boris", "Alltogether"]}],
    ),
    "no column of items": ("Anna,Boris,Chen\n7.5,8,9\n6,7,7.5", [{"item": "Anna"}, {"item": "row number"}]),
    "two columns of items": (
        "task,image,worker,label\nt,i,w,x",
        [{"item": "task"}, {"item": "image"}, {"item": ["task", "image"]}],
    ),
    "several criteria": (
        "dish,J1_tech,J1_art,J2_tech,J2_art\nD,7,8.5,7,8\nE,1,2,3,4.5",
        [
            {"criteria": "judge first", "judges": ["J1_tech", "J1_art", "J2_tech", "J2_art"]},
            {"criteria": "each", "judges": ["J1_tech", "J1_art", "J2_tech", "J2_art"]},
            {"judges": ["J1_tech", "J2_tech"]},
            {"judges": ["J1_art", "J2_art"]},
        ],
    ),
    "participants report, or are reported about": (
        "participant,alpha,beta\np1,3.5,4\np2,2,1.5",
        [{"turned": True}, {"item": "participant"}],
    ),
}


@pytest.mark.parametrize(("text", "options"), ASKED.values(), ids=ASKED)
def test_two_plausible_readings_are_a_question_and_each_answer_is_taken(
    text: str, options: list[dict[str, Any]]
) -> None:
    frame = sheet(text)
    with pytest.raises(QuestionError) as asked:
        recognise_columns(frame)
    assert [dict(choice.options) for choice in asked.value.choices] == options
    readings = [recognise_columns(frame, **choice.options) for choice in asked.value.choices]  # type: ignore[arg-type]
    assert len(set(readings)) == len(readings)


LONG: dict[str, tuple[str, tuple[str, ...]]] = {
    "crowd work": (
        "HITId,AssignmentId,WorkerId,Input.image_url,Answer.label,WorkTimeInSeconds\nH1,A1,W1,u,cat,10\nH1,A2,W2,u,dog,11",
        ("HITId", "WorkerId", "Answer.label"),
    ),
    "a labelling tool": (
        "id,image,annotator,choice,lead_time,created_at\n1,a.png,ann,cat,3.2,2024-01-01\n2,a.png,ben,dog,2,2024-01-01",
        ("image", "annotator", "choice"),
    ),
    "peer review": (
        "Paper ID,Reviewer,Overall evaluation,Confidence\n1,R1,3,4\n1,R2,-1,3",
        ("Paper ID", "Reviewer", "Overall evaluation"),
    ),
}


@pytest.mark.parametrize(("text", "used"), LONG.values(), ids=LONG)
def test_exports_of_tools_are_read(text: str, used: tuple[str, ...]) -> None:
    assert recognise_columns(sheet(text)).columns.used == used


def test_rows_named_like_judges_are_asked_about() -> None:
    frame = sheet(",Aurora,Borealis\nJudge Anna,7.5,8\nJudge Boris,7,8.5\nJudge Chen,8,9")
    with pytest.raises(QuestionError, match="named like reporters") as asked:
        recognise_columns(frame)
    turned, plain = asked.value.choices
    assert recognise_columns(frame, **turned.options).turned == ("Aurora", "Borealis")  # type: ignore[arg-type]
    assert recognise_columns(frame, **plain.options).columns.judges == ("Aurora", "Borealis")  # type: ignore[arg-type]


TURNED = {
    "judges in rows": "judge,Aurora,Borealis,Cascade\nAnna,7.5,8,6\nBoris,7,8.5,6.5\nChen,8,9,6",
    "a survey": "respondent,q1,q2,q3\nAnna,7.5,8,6\nBoris,7,8.5,6.5\nChen,8,9,6",
}


@pytest.mark.parametrize("text", TURNED.values(), ids=TURNED)
def test_a_table_with_a_row_for_each_reporter_is_turned(text: str) -> None:
    found = bp.aggregate(sheet(text), k=1)
    assert found.items["estimate"].to_list() == [7.5, 8.5, 6]
    assert found.items["dropped_low"].to_list() == ["Boris", "Anna", "Anna"]
    assert found.recognised.turned == tuple(text.splitlines()[0].split(",")[1:])


TOTALS = (
    "entry,J1,J2,J3,J4,J5\nAurora,8,7.5,9,8.5,6\nBorealis,6,7,9.5,6.5,7\nCascade,5,6,5.5,7,4\n"
    "{},6.33,6.83,8,7.33,5.67\n{},19,20.5,24,22,17\n"
)


@pytest.mark.parametrize(
    "names", [("Average", "Total"), ("Mittelwert", "Summe"), ("Moyenne", "Somme"), ("平均", "合計")]
)
def test_rows_of_averages_and_totals_are_no_items(names: tuple[str, str]) -> None:
    found = bp.aggregate(sheet(TOTALS.format(*names)), k=1)
    assert found.items["entry"].to_list() == ["Aurora", "Borealis", "Cascade"]
    assert found.items["estimate"].to_list() == pytest.approx([8, 41 / 6, 5.5])
    assert found.recognised.left_out_rows == names
    assert f"rows that are no items: {names[0]!r}, {names[1]!r}" in found.notes[0]


def test_a_row_that_is_only_named_like_a_total_is_asked_about() -> None:
    frame = sheet("entry,J1,J2,J3\nAurora,8,7.5,9\nTotal,6,7,9.5\nShell,5,6,5.5")
    with pytest.raises(QuestionError, match="'Total' is named like a summary"):
        bp.aggregate(frame, k=1)
    assert bp.aggregate(frame, k=1, not_items=["none"]).items.height == 3
    assert bp.aggregate(frame, k=1, not_items=["Total"]).items["entry"].to_list() == ["Aurora", "Shell"]


def test_items_of_several_columns_and_without_a_column() -> None:
    rounds = sheet("task,round,worker,label\nt,1,a,x\nt,1,b,x\nt,2,a,y\nt,2,b,x")
    found = bp.aggregate(rounds, k=0, item=["task", "round"]).items
    assert found["task, round"].to_list() == ["t · 1", "t · 2"]
    assert found["share_x"].to_list() == [1, 0.5]
    votes = sheet("voter,vote\na,yes\nb,no\nc,yes")
    assert bp.aggregate(votes, k=1).items["decision"].to_list() == ["yes"]
    marks = sheet("Anna,Boris,Chen\n7.5,8,9\n6,7,7.5")
    assert bp.aggregate(marks, k=1, item="row number").items["estimate"].to_list() == [8, 7]


def test_lines_in_errors_are_those_of_the_file(tmp_path: Any) -> None:
    file = tmp_path / "turned.csv"
    file.write_text("judge,Aurora,Borealis\nAnna,7.5,8\nBoris,7,oops\nChen,8,9\n")
    with pytest.raises(bp.DataError, match=r"line 3.*'oops'.*'Boris'.*'Borealis'"):
        bp.aggregate(file, k=1)


FIRST = ("Anna", "Boris", "Chen", "Dora", "Emil", "Goran", "Kim", "Mark", "Max", "Rose", "Will", "Page", "Grace", "Sol")
METADATA = (
    "Country",
    "Std Dev",
    "Average",
    "Comment",
    "age",
    "weight",
    "Bonus",
    "Total",
    "Bib",
    "date",
    "truth",
    "rank",
)


def random_sheet(draw: random.Random) -> tuple[pl.DataFrame, set[str]]:
    """A sheet of scores by judges of any names, with columns of other roles, in any order; and the judges."""
    style = draw.choice(["names", "two names", "numbered"])
    count = draw.randint(2, 8)
    if style == "numbered":
        judges = [f"{draw.choice(['J', 'Judge ', 'Richter_'])}{i}" for i in range(1, count + 1)]
    else:
        judges = draw.sample(FIRST, count)
        if style == "two names":
            judges = [f"{name} {draw.choice(['Land', 'Stone', 'Place', 'Meyer', 'Total'])}" for name in judges]
    height = draw.randint(1, 6)
    columns: dict[str, list[str]] = {"entry": [f"E{row}" for row in range(height)]}
    for name in judges:
        columns[name] = [
            draw.choice(["", f"{draw.randint(0, 20) / 2}", f"{draw.randint(0, 20) / 2}"]) for _ in range(height)
        ]
    for name in draw.sample(METADATA, draw.randint(0, 4)):
        columns[name] = [f"{draw.uniform(0, 10):.1f}" if name != "Comment" else "fine" for _ in range(height)]
    names = list(columns)
    draw.shuffle(names)
    return pl.DataFrame({name: [cell or None for cell in columns[name]] for name in names}), set(judges)


def check_random_sheets(seeds: range) -> int:
    """Check that no reporter is lost in sheets that are read or asked about; return how many are not read."""
    asked = 0
    for seed in seeds:
        frame, judges = random_sheet(random.Random(seed))  # noqa: S311
        try:
            found = recognise_columns(frame, kind="scores")
        except QuestionError as question:
            asked += 1
            offered = [set(choice.options.get("judges", ())) for choice in question.choices]  # type: ignore[arg-type]
            assert any(judges <= one for one in offered) or not all(offered), (seed, frame, question)
        except bp.DataError:
            asked += 1
        else:
            assert set(found.columns.judges) == judges, (seed, frame)
    return asked


def test_no_reporter_is_lost() -> None:
    assert 0 < check_random_sheets(range(500)) < 500


@pytest.mark.slow
def test_no_reporter_of_10_000_sheets_is_lost() -> None:
    check_random_sheets(range(10_000))


@given(st.text(max_size=20))
def test_any_name_has_a_role(name: str) -> None:
    assert role_of(name).role == role_of(name.upper()).role or any(letter.isalpha() for letter in name)


@pytest.mark.parametrize(
    "text", [*(text for text, *_ in OTHER_ROLES.values()), *TURNED.values(), TOTALS.format("Sum", "Mean")]
)
def test_a_saved_reading_reads_the_same(text: str, tmp_path: Any) -> None:
    frame = sheet(text.replace("Sum,6.33", "Mean,6.33").replace("Mean,19,", "Sum,19,"))
    reading = bp.recognise(frame)
    file = tmp_path / "reading.toml"
    file.write_text(to_toml(reading), encoding="utf-8")
    options = load_reading(file)
    again = bp.recognise(frame, **options)
    assert again == reading
    assert again == bp.recognise(frame, **options_of(reading))
    expected = bp.aggregate(frame, k=0)
    assert bp.aggregate(frame, k=0, reading=reading).items.equals(expected.items)
    assert bp.aggregate(frame, k=0, reading=file).items.equals(expected.items)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("kind = 3", "kind = 3"),
        ("colour = 'red'", "colour"),
        ("judges = [1]", "judges"),
        ("= 3", "no TOML"),
        (None, "read"),
    ],
)
def test_a_file_that_is_no_reading_is_refused(tmp_path: Any, text: str | None, said: str) -> None:
    file = tmp_path / "reading.toml"
    if text is not None:
        file.write_text(text)
    with pytest.raises(bp.FileError, match=said):
        load_reading(file)


def test_a_question_can_be_sent_to_another_process() -> None:
    with pytest.raises(QuestionError) as asked:
        recognise_columns(sheet("entry,Anna,Boris,Mark\nE1,7,8.5,7"))
    copy = pickle.loads(pickle.dumps(asked.value))  # noqa: S301
    assert (str(copy), copy.choices) == (str(asked.value), asked.value.choices)
