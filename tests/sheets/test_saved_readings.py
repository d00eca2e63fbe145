"""A saved reading reads a sheet as it was read before, and gives the same result: in Python and on the command."""

import warnings
from pathlib import Path
from typing import Any

import pytest

import bribeproof as bp
from bribeproof.frames.reading.reading import Reading
from bribeproof.frames.reading.saved import load_reading, options_of, to_toml
from bribeproof.io.read import read_table
from bribeproof.questions import QuestionError
from tests.cli.command import call, document
from tests.sheets.corpus import HERE, Sheet, sheets

SHEETS = {name: sheet for name, sheet in sheets().items() if not sheet.refused}
AT_ONCE = ("no_item_column", "totals_below", "turned", "two_item_columns")
"""Sheets of these forms are read by every run of the tests, the others by the slow ones."""
CRITERIA = [name for name, sheet in SHEETS.items() if sheet.question and "several of each reporter" in sheet.question]
OTHERS: dict[str, tuple[str, dict[str, Any]]] = {
    "total": (
        "Diver;Round;DD;J1;J2;J3;Penalty\nA;1;2,5;7,0;7,5;8,0;1\nA;2;3,0;6,0;6,5;7,0;1\nB;1;2,0;9,0;8,5;8,0;\n"
        "B;2;1,5;4,0;5,0;6,0;\n",
        {"item": ["Diver", "Round"], "total": "sum of rounds", "factor": ["DD", "3"], "minus": "Penalty",
         "scale": (0, 10), "better": "low", "decimal_mark": ",", "sep": ";"},
    ),
    "edits": (
        "about the cup\nsecond line, of two\ntask,worker,label,updated_at\nt,a,dog,2025-03-02\nt,a,cat,2025-03-01\n"
        "t,b,dog,2025-03-01\nt,c,cat,2025-03-01\n",
        {"repeats": "last", "order": "updated_at", "header_line": "3"},
    ),
    "latin": ("entr\xe9e;Anna;Boris;Chen\nA;7;n/a;8,5\nB;6;7;7,5\n", {"encoding": "cp1252", "missing": ["n/a"]}),
    "labels": (
        "clip,annotator,labels\nc,a,rain;wind\nc,b,wind; rain\nc,c,rain\nd,a,wind\nd,b,none\nd,c,wind;rain\n",
        {"label_sets": "each", "label_separator": ";", "no_label": ["none"], "labels": ["rain"]},
    ),
    "text": ("entry|J1|J2|J3\nA|1|2|3\nB|2|1|1\n", {"format": "csv", "sep": "|", "better": "low", "kind": "scores"}),
}  # fmt: skip


def the_right(sheet: Sheet, source: Any) -> dict[str, Any]:
    """Return the options of the right answer to the question about a sheet, if there is one."""
    options = dict(sheet.options)
    if sheet.question is not None:
        with pytest.raises(QuestionError) as asked:
            bp.recognise(source, **options)
        options |= asked.value.choices[sheet.answer - 1].options
    return options | ({"better": sheet.better} if sheet.better else {})


def check(source: Any, options: dict[str, Any], k: int, folder: Path) -> Reading:
    """Check that a reading and its file read a table as the options do, and give what they give."""
    reading = bp.recognise(source, **options)
    file = folder / "reading.toml"
    file.write_text(to_toml(reading), encoding="utf-8")
    assert bp.recognise(source, **load_reading(file)) == reading
    assert bp.recognise(source, **options_of(reading)) == reading
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", bp.BribeproofWarning)
        right = bp.aggregate(source, k=k, **options)
        for kept in (reading, file):
            again = bp.aggregate(source, k=k, reading=kept)
            assert again.items.equals(right.items)
            assert (again.recognised, again.notes, again.better) == (reading, right.notes, right.better)
    return reading


@pytest.mark.parametrize(
    "name", [name if name in AT_ONCE else pytest.param(name, marks=pytest.mark.slow) for name in SHEETS]
)
def test_a_saved_reading_of_a_sheet_repeats_it(name: str, tmp_path: Path) -> None:
    sheet = SHEETS[name]
    source = sheet.path if not sheet.file_options else read_table(sheet.path, **sheet.file_options)
    check(source, the_right(sheet, source), sheet.k, tmp_path)


@pytest.mark.parametrize("name", [CRITERIA[0], *(pytest.param(one, marks=pytest.mark.slow) for one in CRITERIA[1:])])
@pytest.mark.parametrize("answer", [0, 1])
def test_a_saved_reading_keeps_criteria(name: str, answer: int, tmp_path: Path) -> None:
    sheet = SHEETS[name]
    with pytest.raises(QuestionError) as asked:
        bp.recognise(sheet.path)
    reading = check(sheet.path, dict(asked.value.choices[answer].options), sheet.k, tmp_path)
    assert reading.criteria is not None


def write(name: str, folder: Path) -> Path:
    text, options = OTHERS[name]
    path = folder / ("marks.dat" if "format" in options else "marks.csv")
    path.write_text(text, encoding=options.get("encoding", "utf-8"))
    return path


@pytest.mark.parametrize("name", OTHERS)
def test_a_saved_reading_keeps_everything_that_was_stated(name: str, tmp_path: Path) -> None:
    _, options = OTHERS[name]
    reading = check(write(name, tmp_path), options, 1, tmp_path)
    stated = options_of(reading)
    assert {option: stated[option] for option in options if option not in ("item", "scale")} == {
        option: value for option, value in options.items() if option not in ("item", "scale")
    }
    facts = reading.facts()
    assert facts["direction"] == options.get("better")
    assert facts["scale"] == (list(options["scale"]) if "scale" in options else None)
    assert facts["header_line"] == options.get("header_line", "1")
    assert facts["missing"] == options.get("missing", [])


@pytest.mark.parametrize(
    "name", [name if name in ("edits", "text") else pytest.param(name, marks=pytest.mark.slow) for name in OTHERS]
)
def test_the_command_keeps_everything_that_was_stated(name: str, tmp_path: Path) -> None:
    _, options = OTHERS[name]
    path, saved = write(name, tmp_path), tmp_path / "r.toml"
    names = {"decimal_mark": "decimal"}
    flags: list[str] = []
    for option, value in options.items():
        flags += [
            f"--{names.get(option, option).replace('_', '-')}",
            value if isinstance(value, str) else ",".join(map(str, value)),
        ]
    told = document("read", path, *flags, "--save-reading", saved)
    again = document("read", path, "--reading", saved)
    assert {**again, "notes": 0} == {**told, "notes": 0}
    right = document("aggregate", path, "--k", 1, *flags)
    found = document("aggregate", path, "--k", 1, "--reading", saved)
    assert found == right
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", bp.BribeproofWarning)
        assert bp.aggregate(path, k=1, reading=saved).items.to_dicts() == right["items"]
    assert document("sweep", path, "--reading", saved) == document("sweep", path, *flags)


@pytest.mark.slow
@pytest.mark.parametrize("name", SHEETS)
def test_the_command_repeats_a_saved_reading(name: str, tmp_path: Path) -> None:
    sheet, saved = SHEETS[name], tmp_path / "r.toml"
    flags = list(sheet.flags)
    if sheet.question is not None:
        with pytest.raises(QuestionError) as asked:
            bp.recognise(sheet.path, **sheet.options)
        flags += asked.value.choices[sheet.answer - 1].flags
    flags += ["--better", sheet.better] if sheet.better else []
    told = document("read", sheet.path, *flags, "--save-reading", saved)
    assert {**document("read", sheet.path, "--reading", saved), "notes": 0} == {**told, "notes": 0}
    right = document("aggregate", sheet.path, "--k", sheet.k, *flags)
    assert document("aggregate", sheet.path, "--k", sheet.k, "--reading", saved) == right


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("kind = 'votes", "is no TOML"),
        ("kind = 'ranks'", "'scores', 'votes', 'labels'"),
        ("better = 'up'", "use 'high' if"),
        ("scale = [10, 0]", "the lowest and the highest"),
        ("scale = '0,10'", "the lowest and the highest"),
        ("decimal_mark = ';'", "use '.' or ','"),
        ("repeats = 'once'", "error, first, last, drop"),
        ("sep = 3", "not a str"),
        ("criteria = 'all'", "'judge first', 'each'"),
        ("criterion_weights = ['tech=-1']", "above 0"),
        ("colour = 'red'", "is no option of a reading"),
        ("judges = [1]", "is no option of a reading"),
        ("[judges]\nanna = 1", "is no option of a reading"),
        ("turned = 'yes'", "is no option of a reading"),
    ],
)
def test_a_damaged_file_is_one_clear_error(text: str, said: str, tmp_path: Path) -> None:
    saved = tmp_path / "r.toml"
    saved.write_text(text)
    sheet = HERE / "unanimous_judges.csv"
    with pytest.raises(bp.FileError) as error:
        bp.aggregate(sheet, k=1, reading=saved)
    assert str(error.value).startswith(f"{saved}: ")
    assert said in str(error.value)
    assert said in call("aggregate", sheet, "--k", "1", "--reading", saved).refused()


def test_options_that_are_given_win() -> None:
    sheet = HERE / "bib_and_deviation.csv"
    reading = bp.recognise(sheet, better="low", scale=(0, 100))
    assert bp.aggregate(sheet, k=1, reading=reading, better="high").better == "high"
    with pytest.raises(bp.DataError, match="scale"):
        bp.aggregate(sheet, k=1, reading=reading, scale=(0, 10))
    chosen = bp.aggregate(sheet, k=0, reading=reading, judges=["Uwe", "Vera"]).recognised
    assert (chosen.columns.judges, chosen.direction) == (("Uwe", "Vera"), "low")
    long = HERE / "long_german.csv"
    assert bp.aggregate(long, k=1, reading=bp.recognise(long), kind="labels").kind == "labels"


def test_options_of_another_format_are_not_used_and_that_is_said(tmp_path: Path) -> None:
    sheet = HERE / "unanimous_judges.csv"
    reading = bp.recognise(sheet, header_line=1, sep=",", encoding="utf-8")
    frame = read_table(sheet).frame
    found = bp.aggregate(frame, k=1, reading=reading)
    assert "'header_line', 'sep', 'encoding' do not apply to a frame: not used" in found.notes[-1]
    path, saved = tmp_path / "marks.parquet", tmp_path / "r.toml"
    frame.write_parquet(path)
    saved.write_text(to_toml(reading), encoding="utf-8")
    told = document("aggregate", path, "--k", 1, "--reading", saved)
    assert any("'header_line', 'sep', 'encoding' do not apply to this file" in note for note in told["notes"])
    assert "--sep does not apply to parquet" in call("aggregate", path, "--k", 1, "--sep", ",").refused()
    with pytest.raises(bp.ParameterError, match="header_line applies to files only"):
        bp.recognise(frame, header_line=1)


def test_a_command_says_what_it_does_not_use(tmp_path: Path) -> None:
    path, saved = write("total", tmp_path), tmp_path / "r.toml"
    saved.write_text(to_toml(bp.recognise(path, **OTHERS["total"][1])), encoding="utf-8")
    for command, unused in (
        ("audit --k 0", "total, factor, minus, better have"), ("attack --seeds 1", "total, factor, minus have"),
    ):  # fmt: skip
        name, *more = command.split()
        notes = document(name, path, *more, "--reading", saved)["notes"]
        assert f"of {saved}, {unused} no effect here" in notes
    assert "it reads scores" in call("calibrate", path, "--gold", "DD", "--k", 1, "--reading", saved).refused()
    assert "scores cannot be weighted" in call("weigh", path, "--k", 1, "--reading", saved).refused()
    assert "never drawn at random" in call("commit", path, "--reading", saved).refused()
    sheet = SHEETS[CRITERIA[0]].path
    with pytest.raises(QuestionError) as asked:
        bp.recognise(sheet)
    options: dict[str, Any] = dict(asked.value.choices[0].options)
    saved.write_text(to_toml(bp.recognise(sheet, **options)), encoding="utf-8")
    for command in ("audit", "attack", "weigh --k 1", "commit", "calibrate --k 1 --gold x"):
        name, *more = command.split()
        assert "bribeproof aggregate and sweep combine" in call(name, sheet, *more, "--reading", saved).refused()
