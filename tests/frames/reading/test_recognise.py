"""What a file seems to hold: each kind in each form, and a question where two readings are possible."""

import random
import time
from typing import Any

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import bribeproof as bp
from bribeproof.errors import BribeproofError, ColumnError, DataError, ParameterError
from bribeproof.frames.reading.reading import Reading
from bribeproof.frames.reading.recognise import recognise_columns
from bribeproof.questions import QuestionError


def table(text: str) -> pl.DataFrame:
    """A frame of text cells from lines whose cells stand between bars; an empty cell is null."""
    header, *rows = [[cell.strip() or None for cell in line.split("|")] for line in text.strip().splitlines()]
    return pl.DataFrame(rows, schema=dict.fromkeys(map(str, header), pl.String), orient="row")


def long(name: str, *values: str) -> pl.DataFrame:
    """A table task, worker and one column of reports."""
    rows = [(f"t{place}", f"w{place}", value) for place, value in enumerate(values)]
    return pl.DataFrame(rows, schema=["task", "worker", name], orient="row")


def wide(names: str, *rows: str) -> pl.DataFrame:
    """A table of entries, and one column for each name."""
    return table("\n".join(["entry|" + names.replace(" ", "|"), *(f"E{i}|{row}" for i, row in enumerate(rows))]))


TEN = [str(number) for number in range(1, 11)]

KINDS = {
    "words": (long("label", "cat", "dog"), "labels"),
    "words in a column of scores are no numbers": (long("score", "good", "bad"), "labels"),
    "0 and 1": (long("label", "0", "1"), "votes"),
    "0 alone": (long("label", "0", "0"), "votes"),
    "0.0 and 1.0 are 0 and 1": (long("vote", "0.0", "1.0"), "votes"),
    "0 and 1 as scores": (long("score", "0", "1"), "scores"),
    "decimals": (long("value", "0.5", "2"), "scores"),
    "decimal commas": (long("value", "7,25", "8"), "scores"),
    "percent": (long("value", "85%", "90 %"), "scores"),
    "exponents": (long("value", "1e3", "2e3"), "scores"),
    "whole numbers named scores": (long("rating", "1", "2"), "scores"),
    "whole numbers named labels": (long("label", "1", "2"), "labels"),
    "a float column of classes": (long("label", "1.0", "2.0"), "labels"),
    "many classes named labels": (long("label", *TEN, "11"), "labels"),
    "many whole numbers": (long("value", *TEN, "11"), "scores"),
    "mostly words": (long("label", "A", "B", "C", "1.5"), "labels"),
    "few words among scores": (long("score", "85", "90", "absent"), "scores"),
    "few words among decimals": (long("value", "85.5", "90", "absent"), "scores"),
    "few words among labels": (long("label", "1", "2", "unsure"), "labels"),
    "judges": (wide("judge_1 judge_2", "7|8"), "scores"),
    "workers": (wide("w1 w2 w3", "1|2|", "2|2|1"), "labels"),
    "judges' votes, so named": (wide("judge1_vote judge2_vote", "0|1"), "votes"),
    "judges' scores of 0 and 1, so named": (wide("judge1_score judge2_score", "0|1"), "scores"),
    "judges' labels, so named": (wide("judge1_label judge2_label", "1|2"), "labels"),
    "no reports at all": (pl.DataFrame({"task": ["a"], "worker": ["w"], "label": [None]}), "labels"),
    "judges who say nothing": (wide("j1 j2", "|"), "scores"),
    "no scores at all": (pl.DataFrame({"task": ["a"], "worker": ["w"], "score": [None]}), "scores"),
}  # fmt: skip


@pytest.mark.parametrize(("frame", "kind"), KINDS.values(), ids=KINDS)
def test_kinds(frame: pl.DataFrame, kind: str) -> None:
    assert recognise_columns(frame).kind == kind


AMBIGUOUS = {
    "few whole numbers": (long("value", "1", "2", "3"), "kind='scores'.*kind='labels'"),
    "ten whole numbers": (long("value", *TEN), "kind="),
    "few words among whole numbers": (long("value", *TEN, "11", "absent"), "kind="),
    "names as judges": (wide("anna boris chen", "1|2|3"), "kind="),
    "judges who say 0 or 1": (wide("judge_1 judge_2", "0|1"), "kind='scores'.*kind='votes'"),
    "two columns of reporters": (table("task|worker|rater|label\nt|w|r|x"), "reporter"),
    "two columns of reports": (table("task|worker|label|score\nt|w|x|1"), "value"),
    "no column of reporters": (table("entry|score\nE1|7"), "reporter"),
    "no column of reports": (table("entry|worker\nE1|w1"), r"--value.*'entry', 'worker'"),
    "two columns of items": (
        table("task|image|worker|label\nt|i|w|x"),
        r"item='task' .*item='image' .*item=\['task', 'image'\]",
    ),
    "no column of items": (table("a|b|worker|label\n1|2|w|x"), "item"),
    "reports everywhere": (table("j1|j2|j3\n1|2|3"), "item"),
    "one column": (table("entry\nE1"), "--judges"),
    "words in one column": (table("entry|remark\nE1|fine"), "--judges"),
}


@pytest.mark.parametrize(("frame", "option"), AMBIGUOUS.values(), ids=AMBIGUOUS)
def test_where_two_readings_are_possible_the_message_names_the_option(frame: pl.DataFrame, option: str) -> None:
    with pytest.raises(DataError, match=option) as caught:
        recognise_columns(frame)
    assert "\n" not in str(caught.value)


def test_a_kind_that_is_named_settles_it() -> None:
    for kind in ("scores", "votes", "labels"):
        assert recognise_columns(long("value", "1", "2"), kind=kind).kind == kind
    with pytest.raises(ParameterError, match="kind"):
        recognise_columns(long("value", "1", "2"), kind="ranks")


def test_missing_texts_do_not_count() -> None:
    assert recognise_columns(long("label", "0", "1", "absent")).kind == "labels"
    assert recognise_columns(long("label", "0", "1", "absent"), missing=["absent"]).kind == "votes"


FORMS: dict[str, tuple[pl.DataFrame, dict[str, Any], tuple[str, ...], tuple[str, ...]]] = {
    "long": (table("task|worker|label\nt|w|x"), {}, ("task", "worker", "label"), ()),
    "long, in another order": (table("score|judge|run\n7|j|r"), {}, ("run", "judge", "score"), ()),
    "long, ids": (table("Task_ID|WorkerId|worker name|Label\nt|1|w|x"), {"reporter": "WorkerId"},
                  ("Task_ID", "WorkerId", "Label"), ("worker name",)),
    "long, an unknown name of items": (table("aspect|judge|score\nA|j|7"), {}, ("aspect", "judge", "score"), ()),
    "long, more columns": (table("task|worker|label|q1|q2\nt|w|x|1|2"), {}, ("task", "worker", "label"), ("q1", "q2")),
    "long, named": (table("a|b|c|d\nt|w|x|9.5"), {"item": "b", "reporter": "a", "value": "d"}, ("b", "a", "d"), ("c",)),
    "wide": (table("entry|j1|j2\nE|7|8"), {}, ("entry", "j1", "j2"), ()),
    "wide, S26": (table("entry|j1|j2|j3|average\n101|7|8|9|8\n102|4|5|9|6"), {},
                  ("entry", "j1", "j2", "j3"), ("average",)),
    "wide, S26 with judges' names": (table("entry|anna|boris|chen|all\n101|7.5|8|9|8.17\n102|4|5|9|6"), {},
                                     ("entry", "anna", "boris", "chen"), ("all",)),
    "wide, a sum": (table("entry|anna|boris|chen|all\n101|7.5|8|9|24.5\n102|4|5|9|18"), {},
                    ("entry", "anna", "boris", "chen"), ("all",)),
    "wide, final score": (table("entry|anna|boris|final_score\nA|7.5|8|1"), {},
                          ("entry", "anna", "boris"), ("final_score",)),
    "wide, S33": (table("entry|j1\nE1|7\nE2|4"), {}, ("entry", "j1"), ()),
    "wide, items last": (table("anna|boris|entry\n7.5|8|E1"), {}, ("entry", "anna", "boris"), ()),
    "wide, items named": (table("country|anna|boris\na|7.5|8"), {"item": "boris"}, ("boris", "anna"), ("country",)),
    "wide, a number inside": (
        table("run|judge1_land|judge1_score|judge2_land|judge2_score|trick1|trick2|trick3\nr|A|7|B|8|x|y|z"), {},
        ("run", "judge1_score", "judge2_score"), ("judge1_land", "judge2_land", "trick1", "trick2", "trick3")),
    "wide, words": (table("question|gpt|llama\nq1|yes|no\nq2|yes|yes"), {}, ("question", "gpt", "llama"), ()),
    "wide, a country beside scores": (table("entry|land|anna|boris\nE|FR|7.5|8"), {},
                                      ("entry", "anna", "boris"), ("land",)),
    "wide, judges named": (table("entry|j1|j2|j3\nE|7|8|9"), {"judges": ["j3", "j1"]}, ("entry", "j3", "j1"), ("j2",)),
}  # fmt: skip


@pytest.mark.parametrize(("frame", "known", "used", "left_out"), FORMS.values(), ids=FORMS)
def test_forms(frame: pl.DataFrame, known: dict[str, Any], used: tuple[str, ...], left_out: tuple[str, ...]) -> None:
    found = recognise_columns(frame, **known)
    assert (found.columns.used, found.left_out) == (used, left_out)
    assert all(repr(name) in found.describe() for name in (*used, *left_out))


def test_named_columns_that_are_not_there() -> None:
    for wrong in ({"item": "x"}, {"reporter": "x"}, {"value": "x"}, {"judges": ["x"]}):
        with pytest.raises(ColumnError, match="'x'"):
            recognise_columns(long("label", "cat"), **wrong)


def test_columns_of_both_forms_are_refused() -> None:
    named: list[dict[str, Any]] = [{"reporter": "worker"}, {"value": "label"}]
    for other in named:
        with pytest.raises(ParameterError, match="--judges"):
            recognise_columns(long("label", "cat"), judges=["label"], **other)


def test_typed_columns() -> None:
    ids = {"task": [1, 2], "worker": [1, 1]}
    assert recognise_columns(pl.DataFrame({**ids, "label": [1.0, 2.0]})).kind == "labels"
    assert recognise_columns(pl.DataFrame({**ids, "label": [1.0, float("nan")]})).kind == "votes"
    assert recognise_columns(pl.DataFrame({**ids, "value": [1.5, None]})).kind == "scores"
    assert (
        recognise_columns(pl.DataFrame({**ids, "label": pl.Series(["a", "b"], dtype=pl.Enum(["b", "a"]))})).kind
        == "labels"
    )
    assert recognise_columns(pl.DataFrame({"entry": ["E"], "0": [7], "1": [8.5]})).columns.judges == ("0", "1")
    nested = pl.DataFrame({"entry": ["E"], "image": [b"\xff"], "tags": [[1]], "anna": [7.5], "boris": [8.0]})
    assert recognise_columns(nested, item="entry").columns.judges == ("anna", "boris")


@given(
    st.lists(st.sampled_from(["task", "worker", "label", "score", "j1", "j2", "anna", "average", "x"]), min_size=1,
             max_size=6, unique=True),
    st.data(),
)  # fmt: skip
def test_any_table_is_recognised_or_refused_and_every_column_is_accounted_for(
    names: list[str], data: st.DataObject
) -> None:
    cells = st.sampled_from([None, "", " ", "0", "1", "7", "7,5", "85%", "cat", "NA", "1e400", "٣"])
    height = data.draw(st.integers(1, 3))
    frame = pl.DataFrame(
        {name: data.draw(st.lists(cells, min_size=height, max_size=height)) for name in names},
        schema=dict.fromkeys(names, pl.String),
    )
    try:
        found = recognise_columns(frame)
    except BribeproofError as error:
        assert "--" in str(error) or "=" in str(error)
        return
    assert isinstance(found, Reading)
    used = set(found.columns.used) - {"one item", "item", "report"} | set(found.turned)
    assert sorted([*used, *found.left_out]) == sorted(names)
    order = data.draw(st.permutations(range(height)))
    assert recognise_columns(frame[order]) == found


def test_how_scores_are_written_is_said() -> None:
    commas = pl.DataFrame({"skater": ["S1", "S2"], "j1": ["7,25", "6,00"], "j2": ["7,50", "6,25"]})
    assert "; decimal mark ','" in recognise_columns(commas).describe()
    percent = pl.DataFrame({"skater": ["S1", "S2"], "j1": ["85%", "80%"], "j2": ["90%", "70%"]})
    assert "; percentages, 85% as 85" in recognise_columns(percent).describe()
    assert recognise_columns(pl.DataFrame({"skater": ["S1"], "j1": ["7.5"], "j2": ["8"]})).notation == ()


def test_a_column_with_the_librarys_name_for_row_numbers_is_left_alone() -> None:
    frame = pl.DataFrame({"task": ["t"] * 3, "worker": list("abc"), "label": ["x", "y", "y"], "_row": [3, 1, 2]})
    assert bp.aggregate(frame, k=0).items["decision"].to_list() == ["y"]


@pytest.mark.parametrize("columns", [2000])
def test_recognition_grows_like_the_table(columns: int) -> None:
    draw = random.Random(1)  # noqa: S311
    names = ["entry", *("".join(chr(97 + column // 26**place % 26) for place in range(4)) for column in range(columns))]
    frame = pl.DataFrame({name: [f"{draw.uniform(0, 10):.2f}" for _ in range(20)] for name in names})
    begun = time.process_time()
    assert len(recognise_columns(frame).columns.judges) == columns
    assert time.process_time() - begun < 2


@pytest.mark.parametrize("named", [None, ["Mean"], ["3"]])
def test_without_a_column_of_items_rows_that_are_none_are_named_by_their_number(named: list[str] | None) -> None:
    sheet = pl.DataFrame({"name": ["A", "B", "Mean"], "Anna": ["1", "3", "2"], "Boris": ["2", "4.5", "3.25"]})
    options: dict[str, Any] = {"item": "row number", "judges": ["Anna", "Boris"], "not_items": named}
    result = bp.aggregate(sheet, k=0, **options)
    assert result.recognised.left_out_rows == ("3",)
    assert result.items["row number"].to_list() == [1, 2]
    assert result.items["estimate"].to_list() == [1.5, 3.75]
    with pytest.raises(bp.DataError, match="no row has the number or the name 'x'"):
        bp.aggregate(sheet, k=0, **options | {"not_items": ["x"]})


@pytest.mark.parametrize("item", ["one item", "row number"])
def test_a_turned_table_has_a_column_for_each_item(item: str) -> None:
    with pytest.raises(ParameterError, match="each item has a column"):
        recognise_columns(table("judge|Lark|Moth\nUwe|7|8"), item=item, turned=True)


def test_words_with_numbers_in_a_column_of_scores_are_a_question() -> None:
    with pytest.raises(QuestionError, match="4 stars"):
        recognise_columns(table("entry|judge|score\nA|Uwe|4 stars\nA|Vera|3 stars"))


def test_an_item_of_labels_that_is_named_like_a_total_is_a_question() -> None:
    sheet = table("task|worker|label\nTotal|Uwe|x\nTotal|Vera|y\nt1|Uwe|x\nt1|Vera|x")
    with pytest.raises(QuestionError, match="named like a summary") as asked:
        recognise_columns(sheet)
    found = [recognise_columns(sheet, **choice.options).left_out_rows for choice in asked.value.choices]  # type: ignore[arg-type]
    assert found == [("Total",), ()]


def test_text_that_several_annotate_names_the_items() -> None:
    assert recognise_columns(table("text|annotator|label\nA|x|p\nA|y|p\nA|z|n")).items == ("text",)


@pytest.mark.parametrize("name", ["item", "report"])
def test_an_item_of_a_turned_table_may_be_called_like_a_column_of_a_long_one(name: str) -> None:
    sheet = table(f"judge|Lark|{name}\nUwe|7.5|8\nVera|7|9\nWim|6|5")
    found = bp.aggregate(sheet, k=1, turned=True, item=["Lark", name]).items
    assert found.select("item", "estimate").rows() == [("Lark", 7.0), (name, 8.0)]


def test_reports_beside_given_items_are_asked_about() -> None:
    sheet = table("q|annotator|Best pie?|when|x\nA|Uwe|plum|1|a\nA|Vera|plum|2|b\nA|Wim|apple|1|c")
    with pytest.raises(QuestionError, match="several of whom are about one item"):
        recognise_columns(sheet, item="q")


def test_judges_that_are_models_are_no_column_of_reports() -> None:
    rows = [("p1", "gpt", "openai", "A"), ("p1", "claude", "anthropic", "B"), ("p2", "gpt", "openai", "A")]
    frame = pl.DataFrame(rows, schema=["prompt_id", "judge_model", "model_family", "verdict"], orient="row")
    reading = recognise_columns(frame)
    assert (reading.kind, reading.columns.reporter, reading.columns.value) == ("labels", "judge_model", "verdict")
    assert {other.name: other.role for other in reading.others} == {"model_family": "group"}


@pytest.mark.parametrize("third", ["Groß", "Richter", "Gutachter", "V"])
def test_no_judge_is_left_out_for_a_name_that_is_a_word(third: str) -> None:
    judges = ["Kampfrichter Klein", "Kampfrichter Maier", f"Kampfrichter {third}"]
    frame = pl.DataFrame({"Starter": ["a", "b"]} | {judge: ["7,5", "8,0"] for judge in judges})
    assert recognise_columns(frame).columns.judges == tuple(judges)
