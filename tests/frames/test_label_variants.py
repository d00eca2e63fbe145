"""Labels that are probably one are kept apart with a warning: other marks around them, or a slip of the finger."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import bribeproof as bp
from bribeproof._warnings import record_warnings
from bribeproof.frames.values.label_variants import is_slip, warn_slips
from tests.frames.inputs import SOME_KINDS, give, long


@pytest.mark.parametrize("kind", SOME_KINDS)
def test_marks_and_slips_are_told_on_every_engine(kind: str, tmp_path: Path) -> None:
    said = ["toxic", "toxic", "toxic", "toxic", "toxic", "toxic.", "toxci", "I'm sorry, but I cannot answer."]
    labels = long(*((f"t{at % 2}", f"w{at}", label) for at, label in enumerate(said)))
    with record_warnings() as messages:
        bp.aggregate_labels(give(kind, labels, tmp_path), k=1)
    told = " | ".join(messages)
    assert "differ in marks around them are kept apart: 'toxic' and 'toxic.'" in told
    assert "may be misspellings are kept apart: 'toxci' (1 report) of 'toxic'" in told
    assert '"I\'m sorry, but I cannot answer." looks like a missing code' in told


@pytest.mark.parametrize(
    "pair",
    [
        ("moral", "amoral"),
        ("plan A", "plan B"),
        ("A is better", "B is better"),
        ("grade1", "grade2"),
        ("Toxic", "toxic"),
    ],
)
def test_other_words_are_no_slips(pair: tuple[str, str]) -> None:
    with record_warnings() as messages:
        warn_slips(pair, lambda _labels: {pair[0]: 1, pair[1]: 50})
    assert not messages


def test_two_frequent_labels_are_no_slips() -> None:
    with record_warnings() as messages:
        warn_slips(["present", "presents"], lambda _labels: {"present": 20, "presents": 9})
    assert not messages


@given(st.text("abc", min_size=5, max_size=7), st.integers(1, 6), st.sampled_from("abc"))
def test_one_letter_is_a_slip_and_the_order_does_not_matter(word: str, at: int, letter: str) -> None:
    at = min(at, len(word) - 1)
    for other in (word[:at] + letter + word[at + 1 :], word[:at] + letter + word[at:], word[:at] + word[at + 1 :]):
        assert is_slip(word, other) == is_slip(other, word)
        if word != other and len(other) >= 5 and word[0] == other[0]:
            assert is_slip(word, other)
