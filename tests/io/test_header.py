"""Titles, blank rows, repeated headers, headers of two lines, surveys and notes around the rows of a sheet."""

from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import event, example, given, settings
from hypothesis import strategies as st

from bribeproof.errors import FileError, ParameterError
from bribeproof.io.chunks import Chunks
from bribeproof.io.read import Table, read_table
from bribeproof.questions import QuestionError
from tests.budgets import examples
from tests.io.outcomes import together, whole

Read = Callable[..., Table]


@pytest.fixture
def read(tmp_path: Path) -> Read:
    """Writes a CSV file and reads it."""

    def write_and_read(content: str, **options: int | str) -> Table:
        path = tmp_path / "f.csv"
        path.write_text(content, newline="")
        return read_table(path, **options)  # type: ignore[arg-type]

    return write_and_read


def lines_of(table: Table) -> list[int]:
    """Give the line of each row."""
    return [int(table.locate(row).removeprefix("line ")) for row in range(table.frame.height)]


MARKS = [("E1", "7", "8"), ("E2", "5", "6")]


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("Spring Cup\nentry,Anna,Boris\nE1,7,8\nE2,5,6\n", [3, 4]),
        ("Spring Cup,,\n,,\nentry,Anna,Boris\nE1,7,8\nE2,5,6\n", [4, 5]),
        ("Spring Cup\n\nOslo\n5 May 2024\nentry,Anna,Boris\nE1,7,8\nE2,5,6\n", [6, 7]),
        ("Event:,Spring Cup,\nDate:,2024-05-05,\n,,\nentry,Anna,Boris\nE1,7,8\nE2,5,6\n", [5, 6]),
        ('"Spring\nCup",,\r\nentry,Anna,Boris\r\nE1,7,8\r\nE2,5,6\r\n', [4, 5]),
        (",Judges,\nentry,Anna,Boris\nE1,7,8\nE2,5,6\n", [3, 4]),
        ("entry,Anna,Boris\n,,\nE1,7,8\n,,\n,,,,,,\n,\nE2,5,6\n,,\n,,\n", [3, 7]),
        ("entry,Anna,Boris\r\nE1,7,8\r\nE2,5,6\r\n,,\r\n,,\r\n", [2, 3]),
        ("entry,Anna,Boris\nE1,7,8\nentry,Anna,Boris\nE2,5,6\n", [2, 4]),
        ("Cup\nentry,Anna,Boris\nE1,7,8\n\n\nentry,Anna,Boris\nE2,5,6\n", [3, 7]),
        ("entry,Anna,Boris\nE1,7,8\nE2,5,6\n* Chen was absent,,\n", [2, 3]),
        ("entry,Anna,Boris\nE1,7,8\nE2,5,6\n\nSource: the federation\n", [2, 3]),
        ("entry,Anna,Boris\nE1,7,8\nE2,5,6\nSource: the federation, 2024\n", [2, 3]),
        ("entry,Anna,Boris\nE1,7,8\nE2,5,6\n,,\nJudges:,,\nAnna,,\nBoris,,\n", [2, 3]),
        ("Cup;;\nentry;Anna;Boris\nE1;7;8\nE2;5;6\n", [3, 4]),
        ("Cup, in Oslo\nentry;Anna;Boris\nE1;7;8\nE2;5;6\n", [3, 4]),
    ],
)
def test_only_the_rows_of_the_sheet_are_read(read: Read, text: str, lines: list[int]) -> None:
    table = read(text)
    assert table.frame.columns == ["entry", "Anna", "Boris"]
    assert table.frame.rows() == MARKS
    assert lines_of(table) == lines
    assert table.notes


@pytest.mark.parametrize(
    ("text", "notes"),
    [
        ("Spring Cup\nentry,A,B\nE1,7,8\n", ["skipped line 1 above the header: 'Spring Cup'"]),
        ("Day:,1,\n\nX,,\nentry,A,B\nE1,7,8\n", ["skipped lines 1, 3 above the header: 'Day:', '1'; 'X'"]),
        ("entry,A,B\nE1,7,8\n,,\n,,\nE2,7,8\n,,\n", ["skipped lines 3-4, 6 without any text"]),
        ("entry,A,B\nE1,7,8\nentry,A,B\nE1,7,9\n", ["skipped line 3, which repeats the header"]),
        ("entry,A,B\nE1,7,8\n* sick\n", ["skipped line 3, a note below the data: '* sick'"]),
    ],
)
def test_what_was_skipped_is_said(read: Read, text: str, notes: list[str]) -> None:
    assert list(read(text).notes) == notes


@pytest.mark.parametrize(
    ("text", "last"),
    [
        ("entry,Anna,Boris\nE1,7,8\nE7,,\n", ("E7", None, None)),
        ("entry,Anna,Boris\nE1,7,8\n\nE7,,\n", ("E7", None, None)),
        ("entry,Anna,Boris\nE1,7,8\nThe Old Man: Part 2,,\n", ("The Old Man: Part 2", None, None)),
        ("entry,Anna,Boris\nE1,7,8\n* Part 2,,\nE2,5,6\n", ("E2", "5", "6")),
        ("entry,Anna\nE1,7\n\nThe Old Man,\n", ("The Old Man", None)),
    ],
)
def test_an_item_without_reports_is_never_lost(read: Read, text: str, last: tuple[str | None, ...]) -> None:
    table = read(text)
    assert table.frame.row(-1) == last
    assert table.frame.height == text.replace("\n\n", "\n").count("\n") - 1
    assert table.notes == ()


@pytest.mark.parametrize(
    "text",
    [
        "entry,J1,J2,J3\nE1,7,8,9\nE2,5,6,7\n\nentry,P1,P2,P3\nE1,1,2,1\n",
        "task,ann,ben,cem\nt1,a,b,a\n,,,\ntask,dan,eve,fay\nt1,a,a,b\n",
        "task,worker,label\nt1,w1,a\nt1,w2,a\n\n\ntask,worker,score\nt1,w1,7\n",
    ],
)
def test_a_second_table_below_is_refused(read: Read, tmp_path: Path, text: str) -> None:
    line = 1 + text[: text.rindex(text.split(",")[0])].count("\n")
    with pytest.raises(FileError, match=f"line {line}: a second table seems to begin here"):
        read(text)
    for size in (1, 20):
        assert together(Chunks(tmp_path / "f.csv", size=size)) == whole(tmp_path / "f.csv")


def test_numbers_with_exponents_and_fractions_are_no_names(read: Read) -> None:
    table = read("task,worker,score,other\nt1,a,1.19e-7,7½\nt2,b,0.5,6\nt2,b,0.25,8\n")
    assert table.frame.columns == ["task", "worker", "score", "other"]


def test_an_item_named_like_its_column_is_an_item(read: Read) -> None:
    assert read("word,ann,ben\nhouse,noun,noun\nword,noun,verb\n").frame.height == 2


@pytest.mark.parametrize("start", [0, 1])
def test_the_index_of_a_data_frame_is_a_column_of_numbers(read: Read, start: int) -> None:
    table = read(f",entry,Anna,Boris\n{start},E1,7,8\n{start + 1},E2,5,6\n")
    assert table.frame.columns == ["index", "entry", "Anna", "Boris"]
    assert "column 1, which has no name, counts the rows" in table.notes[0]
    for wrong in (",entry,Anna\n3,E1,7\n4,E2,5\n", ",entry,index\n0,E1,7\n1,E2,5\n", ",Anna,Boris\nE1,7,8\nE2,5,6\n"):
        with pytest.raises(FileError, match="line 1: column 1 has no name"):
            read(wrong)


def test_a_long_list_of_items_without_reports_is_kept(read: Read, tmp_path: Path) -> None:
    items = "".join(f"* no {row},,\n" for row in range(60))
    table = read(f"entry,Anna,Boris\nE1,7,8\n{items}")
    assert table.frame.height == 61
    expected = whole(tmp_path / "f.csv")
    for size in (1, 20, 100):
        assert together(Chunks(tmp_path / "f.csv", size=size)) == expected


def test_a_cut_file_is_refused_not_taken_for_a_note(read: Read) -> None:
    for end in ("E3", "E3,7", "E3,", "The Old"):
        with pytest.raises(FileError, match=r"line 3: . fields? where the header has 3"):
            read(f"entry,Anna,Boris\nE1,7,8\n{end}")
    with pytest.raises(FileError, match="line 3: 1 field where the header has 3"):
        read("entry,Anna,Boris\nE1,7,8\n* a note\nE2,5,6\n")


DOUBLE = [
    "Judge 1,,Judge 2,\ntech,art,tech,art\n7,8,6,5\n5,6,7,8\n",
    ",Judge 1,,Judge 2,\nEntry,tech,art,tech,art\nE1,7,8,6,5\nE2,5,6,7,8\n",
    "Cup\n,Judge 1,,Judge 2,\nEntry,tech,art,tech,art\nE1,7,8,6,5\nE2,5,6,7,8\n",
    "Entry,Judge 1,,Judge 2,,Total\n,tech,art,tech,art,\nE1,7,8,6,5,26\nE2,5,6,7,8,26\n",
    ",Judge 1,,Judge 2,,\nEntry,tech,art,tech,art,Total\nE1,7,8,6,5,26\nE2,5,6,7,8,26\n",
]


@pytest.mark.parametrize("text", DOUBLE)
def test_two_lines_are_one_header(read: Read, text: str) -> None:
    judges = ["Judge 1 tech", "Judge 1 art", "Judge 2 tech", "Judge 2 art"]
    table = read(text)
    assert [name for name in table.frame.columns if name not in ("Entry", "Total")] == judges
    assert table.frame.select(judges).rows() == [("7", "8", "6", "5"), ("5", "6", "7", "8")]
    assert any(
        "together are the header: 'Judge 1 tech', " in note or "'Entry', 'Judge 1" in note for note in table.notes
    )


def test_the_name_of_a_single_group_is_left_out(read: Read) -> None:
    table = read("Skater,Judges,,\n,J1,J2,J3\nS1,7,8,9\nS2,4,5,6\n")
    assert table.frame.columns == ["Skater", "J1", "J2", "J3"]


QUESTIONS = {
    "a header of three names, or a title": ("a,b\nc,d,e\nx,y,z\nu,v,w\n", {"header_line": "2"}, ["c", "d", "e"]),
    "a header of labels in two lines": (
        "task,w1,,w2,\n,x,y,x,y\nt1,cat,dog,cat,dog\nt2,cat,cat,cat,cat\n",
        {"header_line": "1-2"},
        ["task", "w1 x", "w1 y", "w2 x", "w2 y"],
    ),
    "a title like groups": (
        ",Spring Cup,,Oslo,\nentry,A,B,C,D\nE1,7,8,6,5\nE2,5,6,7,8\n",
        {"header_line": "2"},
        ["entry", "A", "B", "C", "D"],
    ),
    "the same, together": (
        ",Spring Cup,,Oslo,\nentry,A,B,C,D\nE1,7,8,6,5\nE2,5,6,7,8\n",
        {"header_line": "1-2"},
        ["entry", "Spring Cup A", "Spring Cup B", "Oslo C", "Oslo D"],
    ),
    "a title of two columns": ("Votes\ntask,label\nt1,cat\nt2,dog\n", {"header_line": "2"}, ["task", "label"]),
}


@pytest.mark.parametrize(("text", "answer", "names"), QUESTIONS.values(), ids=QUESTIONS)
def test_two_readings_are_a_question_with_the_option_that_answers_it(
    read: Read, text: str, answer: dict[str, str], names: list[str]
) -> None:
    with pytest.raises(QuestionError) as asked:
        read(text)
    assert answer in [choice.options for choice in asked.value.choices]
    assert [place for place, _ in asked.value.rows] == [str(line + 1) for line in range(text.count("\n"))]
    assert "\n" not in str(asked.value)
    assert read(text, **answer).frame.columns == names


@pytest.mark.parametrize(
    "text",
    [
        "task,worker,label\nt1,w1,cat\nt1,w2,dog\n",
        "entry,1,2,3\n5,7,8,6\n4,7,5,6\n",
        "h,i\na,b\nc,d\n",
        "a,b,c\n1,,\n2,,\n",
        "entry,J1,J2,J3\nE1,7,,\nE2,,,6\n",
        "label\nspam\nham\n",
        "2019,2020\n1,2\n",
    ],
)
def test_a_plain_sheet_is_read_from_its_first_line(read: Read, text: str) -> None:
    table = read(text)
    assert table.frame.columns == text.split("\n")[0].split(",")
    assert table.frame.height == 2 - text.startswith("2019")
    assert table.notes == ()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("task,label\nt1,1,2\nt2,1,2\n", "line 2: 3 fields where the header has 2"),
        (",,\nE1,7,8\nE2,5,6\n", "line 1: column 1 has no name"),
        ("entry,A,B,\nE1,7,8,x\nE2,5,6,y\n", "line 2: 'x' stands in a column without a name"),
        (",,,\n,,,\n", "line 1: column 1 has no name"),
    ],
)
def test_a_header_with_a_name_missing_is_not_taken_for_a_title(read: Read, text: str, message: str) -> None:
    with pytest.raises(FileError, match=message):
        read(text)


def test_the_rows_of_a_survey_below_the_names_are_skipped(read: Read) -> None:
    ids = ",".join(f'"{{""ImportId"":""QID{i}""}}"' for i in range(3))
    table = read(f'Id,Q1,Q2\n"Who are you?","How good is\nthe first?",And the second?\n{ids}\nR1,7,8\nR2,5,6\n')
    assert table.frame.rows() == [("R1", "7", "8"), ("R2", "5", "6")]
    assert lines_of(table) == [5, 6]
    assert table.notes == ("skipped lines 2, 4 below the header: questions and import ids of a survey",)


def test_a_header_line_that_is_named(read: Read) -> None:
    rows = "".join(f"note {line},x,y\n" for line in range(1, 200))
    assert read(f"{rows}entry,A,B\nE1,7,8\n", header_line=200).frame.rows() == [("E1", "7", "8")]
    for line in (0, -1, 1.5, "two", "2-1", "1-2-3", True, ""):
        with pytest.raises(ParameterError, match="is no line of a file"):
            read("a,b\n1,2\n", header_line=line)
    with pytest.raises(FileError, match="no row begins on line 5, so it cannot be the header"):
        read("a,b\n1,2\n", header_line=5)


NAMES = st.lists(st.sampled_from(["Anna", "Boris", "Chen", "Dora", "Emil", "Fay"]), min_size=2, unique=True)
TITLES = st.sampled_from(["Spring Cup", "Day 1, Oslo", "2024-05-05", "Event:,Cup", "Judged by the jury", '"a ""b"""'])


@settings(max_examples=examples(2))
@given(
    names=NAMES,
    marks=st.lists(st.lists(st.integers(0, 10).map(str) | st.just(""), min_size=6, max_size=6), min_size=2, max_size=6),
    titles=st.lists(TITLES, max_size=3),
    blanks=st.lists(st.tuples(st.integers(0, 20), st.sampled_from(["", "{}", "{},,", " , "])), max_size=4),
    again=st.lists(st.integers(0, 6), max_size=2),
    notes=st.lists(st.sampled_from(["* Anna was late", "Source: the federation", "† sick"]), max_size=2),
    end=st.sampled_from(["\n", "\r\n", "\r"]),
    padded=st.booleans(),
    size=st.integers(1, 60),
)
@example(["Anna", "Boris"], [["1"] * 6, ["2"] * 6], ["2024-05-05"], [(1, "{}")], [1], ["† sick"], "\n", False, 1)
def test_what_surrounds_a_good_sheet_changes_nothing(
    tmp_path: Path,
    names: list[str],
    marks: list[list[str]],
    titles: list[str],
    blanks: list[tuple[int, str]],
    again: list[int],
    notes: list[str],
    end: str,
    padded: bool,
    size: int,
) -> None:
    header = ["entry", *names]
    sheet = [[f"E{row}", "7", *cells[: len(names) - 1]] for row, cells in enumerate(marks)]
    lines = [",".join(row) for row in sheet]
    for place in again:
        lines.insert(place % (len(lines) + 1), ",".join(header))
    lines = [*titles, ",".join(header), *lines]
    if padded:
        lines = [line + "," * max(0, len(names) - line.count(",")) for line in lines]
        notes = [note + "," * len(names) for note in notes]
    for place, blank in blanks:
        lines.insert(place % (len(lines) + 1), blank.format("," * len(names)))
    lines += ["," * len(names) if padded else "", *notes] if notes else []
    path = tmp_path / "f.csv"
    path.write_text(end.join(lines) + end, newline="")
    assert together(Chunks(path, size=size, sep=",")) == whole(path, sep=",")
    try:
        table = read_table(path, sep=",")
    except QuestionError as question:
        event("asked")
        right = str(lines.index(",".join(header)) + 1)
        assert {"header_line": right} in [choice.options for choice in question.choices]
        assert titles
        table = read_table(path, sep=",", header_line=right)
    assert table.frame.columns == header
    assert table.frame.rows() == [tuple(cell or None for cell in row) for row in sheet]
    assert all(f"E{row}," in lines[line - 1] for row, line in enumerate(lines_of(table)))
    skipped = len([line for line in lines if line.strip(" ,")]) - len(sheet) - 1
    assert bool(table.notes) >= bool(skipped)


CELLS = st.sampled_from(["", "", "a", "7", "E1", "* x y", "Note: a", "b c", "h", "i", "j"])


@settings(max_examples=examples(2))
@given(st.lists(st.lists(CELLS, max_size=5), min_size=1, max_size=9), st.integers(1, 40))
def test_any_rows_in_pieces_are_the_rows(tmp_path: Path, rows: list[list[str]], size: int) -> None:
    path = tmp_path / "f.csv"
    path.write_text("".join(",".join(row) + "\n" for row in [*rows[:1], ["h", "i", "j"], *rows[1:]]))
    expected = whole(path, sep=",")
    event("refused" if isinstance(expected, str) else "read")
    assert together(Chunks(path, size=size, sep=",")) == expected
