"""Words that mean no report are errors among scores, which offer the option that lists all of them."""

import shlex
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import bribeproof as bp
from bribeproof._text import split_lists
from bribeproof.frames.values.missing_words import is_missing_word, offer_missing
from tests.cli.command import call
from tests.frames.inputs import SOME_KINDS, check, give, long

WORDS = (
    "DNS", "DNF", "DSQ", "abs", "absent", "n/a", "N/A", "NA", "--", "-", ".", "null", "None", "not sure", "k.A.",
    "s.o.", "nan", "?", "n.a.", "<NA>", "#N/A", "ABSENT", "—",
)  # fmt: skip


@pytest.mark.parametrize("word", WORDS)
def test_words_are_known(word: str) -> None:
    assert is_missing_word(word)
    assert not is_missing_word(word + "x")


@pytest.mark.parametrize("label", ["cat", "A", "yes", "no", "so", "0", "1", "s", "c"])
def test_labels_are_no_such_words(label: str) -> None:
    assert not is_missing_word(label)


@pytest.mark.parametrize("kind", SOME_KINDS)
def test_the_error_offers_all_words_of_the_column(kind: str, tmp_path: Path) -> None:
    scores = long(
        *(("t", f"w{index}", score) for index, score in enumerate(("7", "DNS", "8.5", "not sure", "--", "DNS")))
    )
    frame = give(kind, scores, tmp_path)
    with pytest.raises(bp.DataError) as caught:
        bp.aggregate_scores(frame, 0, score="label")
    words = ["--", "DNS", "not sure"]
    assert f"missing={words!r} (--missing '--,DNS,not sure')" in str(caught.value)
    result = bp.aggregate(frame, k=0, kind="scores", missing=words)
    check(result.items, [{"m": 2, "estimate": 7.75}])
    assert "taken as missing: 'DNS' (2 reports), '--' (1 report), 'not sure' (1 report)" in result.notes


def test_a_sheet_with_many_words_stays_one_of_scores(tmp_path: Path) -> None:
    path = tmp_path / "sheet.csv"
    path.write_text("entry,J1,J2,J3\na,DNS,7,abs\nb,DNF,n/a,8\nc,--,not sure,7\n")
    error = call("aggregate", path, "--k", 0).err
    assert "missing=['--', 'DNF', 'DNS', 'abs', 'n/a', 'not sure'] (--missing '--,DNF,DNS,abs,n/a,not sure')" in error


def test_what_has_digits_is_not_offered() -> None:
    scores = pl.DataFrame(long(("t", "a", "DNS"), ("t", "b", "7..5"), ("t", "c", "8")))
    with pytest.raises(
        bp.DataError, match=r"if this means that there is no score: missing=\['DNS'\] \(--missing DNS\)"
    ):
        bp.aggregate_scores(scores, 0, score="label")


def test_of_many_words_those_that_look_like_codes_are_offered() -> None:
    names = [f"name {chr(97 + i)}" for i in range(25)]
    scores = pl.DataFrame(long(*(("t", f"w{i}", word) for i, word in enumerate(["DNS", *names, "7"]))))
    with pytest.raises(bp.DataError, match=r"missing=\['DNS'\]"):
        bp.aggregate_scores(scores, 0, score="label")


@pytest.mark.parametrize("words", [("--", "-"), ("DNS", "DNF"), ("not sure",), ('a"b', "c,d"), ("-1", "+1")])
def test_the_offer_can_be_pasted(words: tuple[str, ...], tmp_path: Path) -> None:
    path = tmp_path / "scores.csv"
    pl.DataFrame(long(*(("t", f"w{i}", word) for i, word in enumerate((*words, "7", "8"))))).write_csv(path)
    pasted = shlex.split(offer_missing(words).partition("(")[2].removesuffix(")"))
    found = call("aggregate", path, "--kind", "scores", "--k", 0, *pasted)
    assert all(f"{word!r} (1 report)" in found.err for word in words), found.err
    assert "7.5" in found.out


def test_classes_that_start_with_a_sign_can_be_given(tmp_path: Path) -> None:
    path = tmp_path / "votes.csv"
    pl.DataFrame(long(("t", "a", "-1"), ("t", "b", "1"), ("t", "c", "-1"))).write_csv(path)
    assert "-1" in call("aggregate", path, "--kind", "labels", "--k", 0, "--classes", "-1,1").out
    pl.DataFrame(long(("t", "a", "-1"), ("t", "b", "+1"), ("t", "c", "-1"))).write_csv(path)
    assert "-1" in call("aggregate", path, "--kind", "votes", "--k", 0, "--classes", "-1,+1", "--positive", "+1").out


@given(st.lists(st.text(st.characters(exclude_categories=["C", "Z"]), min_size=1), min_size=1, max_size=4))
def test_any_offer_is_read_back(words: list[str]) -> None:
    (_, option) = shlex.split(
        offer_missing(words).rpartition(" (--missing")[2].join(("--missing", "")).removesuffix(")")
    )
    assert split_lists([option]) == tuple(words)


@pytest.mark.parametrize(
    ("labels", "warned"),
    [
        (("cat", "DNS"), r"'DNS' looks like a missing code"),
        (("n.a.", "k.A.", "x"), r"'k\.A\.', 'n\.a\.' look like missing"),
    ],
)
def test_labels_that_are_such_words_are_warned_about(labels: tuple[str, ...], warned: str) -> None:
    votes: dict[str, list[Any]] = long(*(("t", f"w{index}", label) for index, label in enumerate(labels)))
    with pytest.warns(bp.BribeproofWarning, match=warned + r".*list it: missing=\["):
        bp.aggregate_labels(pl.DataFrame(votes), 0)


def test_a_word_that_cannot_be_typed_is_not_offered() -> None:
    sheet = pl.DataFrame({"entry": ["A", "A"], "judge": ["a", "b"], "score": ["7.5", ":\r:"]})
    with pytest.raises(bp.DataError) as error:
        bp.aggregate_scores(sheet, 0, item="entry", reporter="judge")
    assert len(str(error.value).splitlines()) == 1
    assert "list it as missing (--missing)" in str(error.value)
