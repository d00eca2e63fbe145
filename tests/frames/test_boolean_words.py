"""Labels that are true and false in any spelling are two classes; everything else stays apart."""

from itertools import product
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import bribeproof as bp
from bribeproof._warnings import record_warnings
from tests.frames.inputs import SOME_KINDS, check, give, long, rows


def _votes(*labels: Any) -> dict[str, list[Any]]:
    return long(*(("t", f"w{index}", label) for index, label in enumerate(labels)))


@pytest.mark.parametrize("kind", SOME_KINDS)
def test_true_in_three_spellings_is_one_class_on_every_engine(kind: str, tmp_path: Path) -> None:
    frame = give(kind, _votes("True", "TRUE", "true", "False", "False"), tmp_path)
    result = bp.aggregate(frame, k=0, kind="labels")
    check(result.items, [{"m": 5, "decision": "True", "share_True": 0.6, "share_False": 0.4, "flips_needed": 1}])
    assert "spellings of one label: 'TRUE', 'True', 'true'" in result.notes
    for positive in ("true", "TRUE"):
        check(bp.aggregate_votes(frame, 0, positive=positive), [{"m": 5, "positive": 3, "decision": "True"}])


def test_wide_form_and_large_files_are_read_alike(tmp_path: Path) -> None:
    wide = pl.DataFrame({"task": ["t"], "a": ["yes"], "b": ["Yes"], "c": ["NO"], "d": ["no"], "e": ["y"]})
    check(bp.aggregate_labels(wide, 0, judges=list("abcde")), [{"decision": "yes", "share_yes": 0.6, "share_no": 0.4}])
    path = tmp_path / "votes.csv"
    pl.DataFrame(_votes(*["Yes", "YES", "yes", "no", "No"] * 9)).write_csv(path)
    with bp.scan_table(path, in_memory=8, size=40) as table:
        check(bp.aggregate_labels(table, 0).collect(), [{"m": 45, "decision": "yes", "share_yes": 0.6}])


def _spelled(word: str) -> set[str]:
    return {"".join(letters) for letters in product(*((letter.lower(), letter.upper()) for letter in word))}


@pytest.mark.parametrize(("yes", "no"), [("true", "false"), ("yes", "no"), ("t", "f"), ("y", "n"), ("ja", "nein")])
def test_all_spellings_of_a_word_are_one_class(yes: str, no: str) -> None:
    labels = [*sorted(_spelled(yes)), *[no] * (len(_spelled(yes)) + 1)]
    (row,) = rows(bp.aggregate_labels(pl.DataFrame(_votes(*labels)), 0))
    assert (row["decision"], row[f"share_{no}"]) == (no, (len(_spelled(yes)) + 1) / len(labels))


@pytest.mark.parametrize(
    ("labels", "classes"),
    [
        (("Yes", "yes", "no", "unsure"), {"Yes", "yes", "no", "unsure"}),
        (("Cat", "cat", "dog"), {"Cat", "cat", "dog"}),
        (("T", "t", "A"), {"T", "t", "A"}),
        (("T", "t"), {"T", "t"}),
        (("Yes", "yes"), {"Yes", "yes"}),
        (("true", "True", "yes"), {"true", "True", "yes"}),
        (("Yes", "NO"), {"Yes", "NO"}),
    ],
)
def test_other_labels_stay_apart(labels: tuple[str, ...], classes: set[str]) -> None:
    with record_warnings() as messages:
        (row,) = rows(bp.aggregate_labels(pl.DataFrame(_votes(*labels)), 0))
    assert {name.removeprefix("share_") for name in row if name.startswith("share_")} == classes
    alike = len({label.casefold() for label in labels}) < len(labels)
    assert any("that look alike are kept apart" in message for message in messages) == alike


def test_declared_classes_give_the_spelling() -> None:
    votes = pl.DataFrame(_votes("YES", "Yes", "y", "no"))
    check(bp.aggregate_votes(votes, 0, classes=("No", "Yes"), positive="Yes"), [{"decision": "Yes", "positive": 3}])
    check(bp.aggregate_votes(votes, 0, classes=("no", "yes"), positive="yes"), [{"decision": "yes", "positive": 3}])
    with pytest.raises(bp.DataError, match=r"label .y. .* none of the declared classes"), record_warnings():
        bp.aggregate_labels(votes, 0, classes=("no", "Yes", "YES"))


def test_a_word_that_is_set_aside_does_not_split_the_others() -> None:
    votes = pl.DataFrame(_votes("True", "TRUE", "true", "False", "False", "perhaps"))
    with pytest.warns(bp.BribeproofWarning, match="set aside"):
        result = bp.aggregate_votes(votes, 1, classes=("false", "true"), positive="true", faulty="set aside")
    check(result, [{"m": 5, "positive": 3, "decision": "true", "set_aside": 1}])


def test_the_truth_of_gold_items_may_be_spelled_otherwise() -> None:
    votes = pl.DataFrame({"task": list("ttuuvv"), "worker": list("ababab"), "label": ["Yes", "no"] * 3})
    gold = {"t": "YES", "u": "no", "v": "yes"}
    result = bp.calibrate(votes, gold, k=0, positive="yes")
    assert sum(result.gold.items) == 3


@pytest.mark.parametrize("kind", ["polars", "pandas", "pyarrow"])
def test_declared_categories_are_merged(kind: str) -> None:
    labels = pl.Series(["True", "TRUE", "False"], dtype=pl.Enum(["False", "FALSE", "True", "TRUE", "true"]))
    frame: Any = pl.DataFrame({"task": ["t"] * 3, "worker": list("abc"), "label": labels})
    if kind == "pandas":
        frame = frame.to_pandas()
    elif kind == "pyarrow":
        frame = frame.to_arrow()
    check(bp.aggregate_labels(frame, 0), [{"decision": "True", "share_True": 2 / 3, "share_False": 1 / 3}])
