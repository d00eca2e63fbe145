"""Functions of labels take what their commands take: a file or any frame, with the truth in any form."""

import json
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import bribeproof as bp
from bribeproof.frames.native import to_polars
from tests.cli.command import call

ROWS = [(f"t{i}", f"w{j}", "cat" if (i + j) % 7 < 5 else "dog") for i in range(20) for j in range(7)]
TRUTH = {f"t{i}": "cat" if i % 5 else "dog" for i in range(10)}


class Case:
    """A function, what it needs, its command, and its table that both have."""

    def __init__(self, name: str, options: dict[str, Any], words: tuple[object, ...], table: str, key: str) -> None:
        self.name, self.options, self.words, self.table, self.key = name, options, words, table, key

    def rows(self, frame: Any, truth: object, **more: Any) -> list[dict[str, Any]]:
        """Return the table that the function finds."""
        return self.of(self.found(frame, truth, **more))

    def found(self, frame: Any, truth: object, **more: Any) -> Any:
        """Return what the function finds."""
        return getattr(bp, self.name)(frame, truth=truth, **self.options, **more)

    def of(self, result: Any) -> list[dict[str, Any]]:
        """Return the table of a result."""
        return to_polars(getattr(result, self.table)).to_dicts()

    def command(self, *words: object) -> dict[str, Any]:
        """Return what the command prints as JSON."""
        done = call(self.name, *words, *self.words, "--json")
        assert done.status == 0, done
        document: dict[str, Any] = json.loads(done.out)
        return document


CASES = [
    Case("certify", {"k": 1}, ("--k", 1), "by_k", "by_k"),
    Case("calibrate", {"k": 1, "positive": "dog"}, ("--k", 1, "--positive", "dog"), "reporters", "reporters"),
    Case("weigh", {"k": 1}, ("--k", 1), "items", "answers"),
    Case("audit", {"k": 1}, ("--k", 1), "reporters", "reporters"),
    Case("attack", {"counts": [1], "draws": 1}, ("--adversaries", "1", "--seeds", 1), "curves", "curves"),
]
NAMED = [("certify", "label"), ("calibrate", "vote"), ("weigh", "label"), ("audit", "value")]
each_case = pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Files of the same reports in long and wide form, with the truth of half of the items in a column, and alone."""
    long = "".join(f"{item};{who};{label};{TRUTH.get(item, '')};ok\n" for item, who, label in ROWS)
    (tmp_path / "long.csv").write_text(f"Second round\n\nImage ID;Rater;Answer;Gold;Comment\n{long}")
    frame = pl.DataFrame(ROWS, schema=["Image ID", "Rater", "Answer"], orient="row")
    wide = frame.pivot(on="Rater", index="Image ID", values="Answer")
    truth = pl.DataFrame({"Image ID": list(TRUTH), "Gold": list(TRUTH.values())})
    wide.join(truth, on="Image ID", how="left", maintain_order="left").write_csv(tmp_path / "wide.csv")
    truth.write_csv(tmp_path / "gold.csv")
    frame.rename({"Image ID": "task", "Rater": "worker", "Answer": "label"}).write_csv(tmp_path / "plain.csv")
    return tmp_path


@each_case
@pytest.mark.parametrize("form", ["long", "wide"])
def test_a_path_a_frame_and_the_command_give_the_same(case: Case, form: str, folder: Path) -> None:
    path = folder / f"{form}.csv"
    table = bp.read_table(path)
    found = case.found(path, "Gold")
    expected = case.of(found)
    assert case.rows(str(path), folder / "gold.csv") == expected
    assert case.rows(table, "Gold") == expected
    assert case.rows(table.frame, TRUTH) == expected
    assert case.rows(table.frame.lazy(), bp.read_table(folder / "gold.csv")) == expected
    document = case.command(path, "--gold", "Gold")
    assert document["notes"] == list(found.notes)
    assert any("'Gold' (the truth)" in one for one in found.notes)
    assert document[case.key] == case.command(path, "--truth", folder / "gold.csv")[case.key]
    assert _alike(document[case.key], expected)


def _alike(printed: list[dict[str, Any]], expected: list[dict[str, Any]]) -> bool:
    """Return whether rows that were printed are the same, bit for bit."""
    return json.dumps(printed) == json.dumps(expected)


@each_case
def test_named_and_usual_columns_are_taken_as_they_are(case: Case, folder: Path) -> None:
    expected = case.rows(folder / "long.csv", "Gold")
    plain = pl.read_csv(folder / "plain.csv")
    found = case.found(plain, TRUTH)
    assert [[*row.values()] for row in case.of(found)] == [[*row.values()] for row in expected]
    assert found.notes == ()
    assert case.rows(plain.rename({"task": "Image ID"}), folder / "gold.csv", item="Image ID") == expected


@each_case
@pytest.mark.parametrize("kind", ["pandas", "pyarrow"])
def test_the_result_is_a_frame_of_the_kind_that_came_in(case: Case, kind: str, folder: Path) -> None:
    pytest.importorskip(kind)
    frame = bp.read_table(folder / "wide.csv").frame
    native: Any = frame.to_pandas() if kind == "pandas" else frame.to_arrow()
    result = case.found(native, "Gold")
    assert type(getattr(result, case.table)) is type(native)
    assert case.of(result) == case.rows(frame, "Gold")


@each_case
def test_a_reading_and_the_format_of_a_file(case: Case, folder: Path) -> None:
    path = folder / "long.csv"
    expected = case.rows(path, "Gold")
    assert case.rows(path, TRUTH, reading=bp.recognise(path)) == expected
    renamed = path.rename(folder / "long.data")
    assert case.rows(renamed, TRUTH, format="csv", sep=";") == expected


@each_case
def test_mistakes_are_told_in_words_of_python(case: Case, folder: Path) -> None:
    path, frame = folder / "long.csv", bp.read_table(folder / "long.csv").frame
    with pytest.raises(bp.FileError, match=r"nowhere\.csv: there is no such file"):
        case.found(folder / "nowhere.csv", "Gold")
    with pytest.raises(bp.FileError, match=r"nowhere\.csv: there is no such file"):
        case.found(path, folder / "nowhere.csv")
    with pytest.raises(bp.ColumnError, match="there is no column 'Golden'"):
        case.found(path, "Golden")
    with pytest.raises(bp.ColumnError, match="there is no column 'Raters'"):
        case.found(path, "Gold", reporter="Raters")
    with pytest.raises(bp.ParameterTypeError, match="option 'seperator' is unknown; those that say"):
        case.found(path, "Gold", seperator=";")
    with pytest.raises(bp.ParameterError, match="sep applies to files only"):
        case.found(frame, "Gold", sep=";")
    several = pl.DataFrame({"Image ID": ["t1"], "first": ["cat"], "second": ["cat"]})
    with pytest.raises(bp.ParameterError, match=r"which column holds the truth\? Name it: truth_column=, one of first"):
        case.found(frame, several)


@pytest.mark.parametrize("name", ["certify", "calibrate"])
def test_a_truth_that_is_needed_is_asked_for(name: str, folder: Path) -> None:
    with pytest.raises(bp.ParameterError, match=r"the truth of some items is needed.*such as truth='Gold'"):
        getattr(bp, name)(folder / "long.csv")
    with pytest.raises(bp.ParameterError, match="the truth of some items is needed"):
        getattr(bp, name)(pl.read_csv(folder / "plain.csv"))


@pytest.mark.parametrize(("name", "parameter"), NAMED)
def test_a_question_names_the_parameters_of_the_function(name: str, parameter: str) -> None:
    frame = pl.DataFrame({"task": ["t1", "t2"], "worker": ["a", "b"], "first": ["x", "y"], "second": ["x", "y"]})
    with pytest.raises(bp.QuestionError, match=f"{parameter}='first'.*{parameter}='second'") as asked:
        getattr(bp, name)(frame, truth={"t1": "x"}, k=1)
    options = asked.value.choices[0].options
    positive = {"positive": "x"} if name == "calibrate" else {}
    assert getattr(bp, name)(frame, truth={"t1": "x"}, k=0, **options, **positive)


def test_scores_of_a_sheet(tmp_path: Path) -> None:
    path = tmp_path / "cup.csv"
    rows = "".join(f"E{i};" + ";".join(f"{5 + (i * j) % 7},{j}" for j in range(1, 6)) + ";9,0\n" for i in range(1, 8))
    path.write_text(f"Spring cup;;;;;;\nEntry;Ana;Bo;Chi;Dag;Eve;Average\n{rows}")
    frame = bp.read_table(path).frame
    for name, key, given, words in (
        ("audit", "reporters", {"k": 1, "scale": (0, 20)}, ("--k", 1, "--scale", "0,20")),
        ("attack", "curves", {"counts": [1], "draws": 2}, ("--adversaries", "1", "--seeds", 2)),
    ):
        found = getattr(bp, name)(path, **given)
        table = getattr(found, key)
        assert any("decimal mark ','" in note for note in found.notes)
        assert getattr(getattr(bp, name)(frame, **given), key).equals(table)
        assert json.loads(call(name, path, *words, "--json").out)[key] == table.to_dicts()


def test_a_sweep_takes_a_path_or_any_frame(folder: Path) -> None:
    for form in ("long", "wide"):
        path = folder / f"{form}.csv"
        found = bp.sweep(path, [0, 1])
        assert bp.sweep(bp.read_table(path).frame, [0, 1]).by_k.equals(found.by_k)
        document = json.loads(call("sweep", path, "--most-k", 1, "--json").out)
        assert (document["summary"], document["kind"]) == (found.by_k.to_dicts(), found.kind)
        assert document["notes"] == list(found.notes)
    plain = bp.sweep(pl.read_csv(folder / "plain.csv"), [0, 1], kind="labels")
    assert (plain.by_k.to_dicts(), plain.notes) == (found.by_k.to_dicts(), ())
    with pytest.raises(bp.FileError, match=r"nowhere\.csv: there is no such file"):
        bp.sweep(folder / "nowhere.csv")


def test_usual_columns_of_several_classes_are_attacked_as_labels(tmp_path: Path) -> None:
    rows = [(f"t{i}", w, "abc"[(i + (w == "w2")) % 3]) for i in range(9) for w in ("w1", "w2", "w3")]
    frame = pl.DataFrame(rows, schema=["task", "worker", "label"], orient="row")
    truth = {f"t{i}": "abc"[i % 3] for i in range(9)}
    gold = tmp_path / "gold.csv"
    gold.write_text("task\nt0\nt1\n")
    found = bp.attack(frame, truth, [1], draws=1, gold_items=gold)
    listed = bp.attack(frame, truth, [1], draws=1, gold_items=["t0", "t1"], kind="labels")
    assert found.curves.equals(listed.curves)
    with pytest.raises(bp.DataError, match="votes need two classes"):
        bp.attack(frame, truth, [1], kind="votes")
    gold.write_text("item\nt0\n")
    with pytest.raises(bp.ColumnError, match="there is no column 'task' with the gold items"):
        bp.attack(frame, truth, [1], gold_items=gold)


def test_truths_of_sets_of_labels(tmp_path: Path) -> None:
    sets = {"t1": "dog;cat", "t2": "cat", "t3": "cat;dog"}
    rows = [(item, who, ";".join(sorted(sets[item].split(";"), reverse=who == "a"))) for item in sets for who in "abc"]
    frame = pl.DataFrame(rows, schema=["image", "rater", "label"], orient="row")
    truth = tmp_path / "truth.csv"
    pl.DataFrame({"image": list(sets), "label": list(sets.values())}).write_csv(truth)
    given: dict[str, Any] = {"k": 1, "label_sets": "whole", "label_separator": ";"}
    found = bp.certify(frame, sets, **given)
    assert found.by_k["robust"].to_list() == [3, 3]
    assert bp.certify(frame, truth, **given).by_k.equals(found.by_k)
    assert bp.certify(frame, pl.read_csv(truth), **given).by_k.equals(found.by_k)
    each: dict[str, Any] = given | {"label_sets": "each"}
    assert bp.certify(frame, sets, labels=["dog"], **each).by_k["robust"].to_list() == [3, 3]
    with pytest.raises(bp.ParameterError, match=r"name one label at a time with labels=\['A'\]"):
        bp.certify(frame, sets, labels=["cat", "dog"], **each)


def test_scores_are_not_certified() -> None:
    scores = pl.DataFrame({"task": ["t"], "worker": ["a"], "score": [7.5]})
    with pytest.raises(bp.ParameterError, match="these are read as scores, and labels are certified"):
        bp.certify(scores, {"t": 7.5}, reading=bp.recognise(scores))
