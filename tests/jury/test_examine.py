"""What a jury is worth: the checked numbers of six language models, and the certificate that it rests on."""

import polars as pl
import pytest

from bribeproof import certify, jury
from tests.jury.test_choose import MODELS, sheet, truths


def test_six_language_models() -> None:
    verdicts = pl.read_csv(MODELS)
    result = jury.examine(verdicts, "truth", judges=verdicts.columns[1:-1])
    assert result.certification.by_k["robust"].to_list() == [212, 167, 118]
    assert result.effective == pytest.approx(2.06, abs=0.005)
    assert result.judges.row(0) == ("o1-mini-2024-09-12", 269, 230, 230 / 269, 81)
    rates = (1 - result.judges["accuracy"]).round(3)
    assert (rates.min(), rates.max()) == (0.145, 0.406)
    told = result.summary()
    for words in (
        "right on 212 of 350",
        "right on 167 of 350",
        "right on 118 of 350",
        "like 2.06",
        "at least 179 of 350",
    ):
        assert words in told
    assert "o1-mini-2024-09-12, is right on 230, more often than this jury; if it is that judge who is bribed" in told


def test_it_is_what_certify_says_of_families() -> None:
    right = [[True, True, False, None, True], [True, False, True, True, None], [True] * 5] * 10
    families = {"j0": "x", "j1": "x", "j2": "y"}
    result = jury.examine(sheet(right), truths(30), families=families)
    expected = certify(sheet(right), truths(30), group=families)
    assert result.certification.by_k.equals(expected.by_k)
    assert result.unit == "family"
    assert "5 judges of 4 families" in result.summary()
    assert result.judges.select("judge", "given", "right", "silent").rows() == [
        ("j0", 30, 30, 0), ("j1", 30, 20, 0), ("j2", 30, 20, 0), ("j3", 20, 20, 10), ("j4", 20, 20, 10),
    ]  # fmt: skip
    assert result.judges["accuracy"].to_list() == pytest.approx([1, 2 / 3, 2 / 3, 1, 1])


def test_a_jury_that_is_no_worse_than_its_best_judge_says_so() -> None:
    result = jury.examine(sheet([[True, True, True]] * 9 + [[True, False, True]]), truths(10), k=1)
    assert "no more often than this jury" in result.summary()
    assert "Look for a better jury" not in result.summary()


def test_two_judges_who_never_agree() -> None:
    rows = [(item, judge, "yes" if (item + judge) % 2 else "no") for item in range(8) for judge in range(2)]
    verdicts = pl.DataFrame(rows, schema=["task", "worker", "label"], orient="row")
    result = jury.examine(verdicts, dict.fromkeys(range(8), "yes"), k=1)
    assert result.effective is None
    assert "Errors go together" not in result.summary()
