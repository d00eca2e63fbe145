"""The check of words finds what it is made for, on pages made up for it."""

import importlib
from pathlib import Path
from types import ModuleType

import pytest

from tests.paths import ROOT

EASY = "# A task\n\nYou will do it. Each {term}`item` is read.\n\nIt takes a minute or two.\n\nThen read the table.\n"


@pytest.fixture(scope="module")
def words() -> ModuleType:
    pytest.importorskip("textstat")
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(ROOT / "docs" / "tools")
        return importlib.import_module("check_words")


def test_a_plain_page_passes(words: ModuleType) -> None:
    result = words.check(Path("howto/task.md"), EASY)
    assert result.wrong == ()
    assert result.grade < 5


def test_code_and_outputs_count_neither_as_words_nor_as_sentences(words: ModuleType) -> None:
    code = "\n```console\n$ bribeproof read x\n" + "incomprehensibilities notwithstanding " * 2000 + "\n```\n"
    plain, long = (words.check(Path("howto/task.md"), text) for text in (EASY, EASY + code))
    assert (plain.words, plain.grade, plain.wrong) == (long.words, long.grade, long.wrong)


@pytest.mark.parametrize(
    ("page", "text", "said"),
    [
        ("howto/task.md", EASY + "Read the table. " * 600, "words, at most 1,500"),
        (
            "howto/task.md",
            EASY + "Uninterpretable characterisations notwithstanding, incomprehensibility predominates.\n\n" * 5,
            "grade",
        ),
        ("howto/task.md", EASY + "One " + "and one " * 30 + "make many.\n", "words in a sentence"),
        ("howto/task.md", "# A task\n\n| a | b |\n|---|---|\n\n{term}`item`\n", "no paragraph below the title"),
        ("howto/task.md", "You will do it with {term}`item`.\n", "no title"),
        ("howto/task.md", EASY + "\n![](x.png)\n", "no text for the picture x.png"),
        ("howto/task.md", EASY.replace("{term}`item`", "item"), "no link to the glossary"),
    ],
)
def test_what_is_wrong_is_said(words: ModuleType, page: str, text: str, said: str) -> None:
    assert any(said in line for line in words.check(Path(page), text).wrong)


def test_theory_may_be_long(words: ModuleType) -> None:
    assert words.check(Path("theory/proofs/12_pairs.md"), EASY + "Read the table. " * 2000).wrong == ()
