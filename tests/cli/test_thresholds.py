"""Exit status 3 for pipelines where the answer misses what they ask for: all of it is printed and written first."""

from pathlib import Path

import pytest

from tests.cli.command import VOTES, call, document, put, start
from tests.paths import ROOT

LABELS = ROOT / "examples" / "labels.csv"
GOLD = (ROOT / "examples" / "screening.csv", "--gold", "truth")


def unsafe_items(path: Path, k: int) -> int:
    """Count, from the rows of the answer, the items that are not certified or that 2k votes would turn."""
    rows = document("aggregate", path, "--k", k)["items"]
    return sum(row["status"] != "ok" or row["additions_needed"] <= 2 * k for row in rows)


@pytest.mark.parametrize("k", [1, 2])
def test_items_without_a_safe_decision_are_counted(k: int) -> None:
    unsafe = unsafe_items(LABELS, k)
    assert unsafe > 0
    plain = call("aggregate", LABELS, "-k", k)
    for most, status in ((unsafe, 0), (unsafe - 1, 3), (0, 3)):
        done = call("aggregate", LABELS, "-k", k, "--fail-if-movable", most)
        assert (done.status, done.out) == (status, plain.out)
        said = done.err.removeprefix(plain.err)
        assert said.count("\n") == (status == 3)
        assert said.startswith(f"bribeproof: --fail-if-movable {most}: {unsafe} of 30 items" * (status == 3))


def test_no_protection_is_not_safe(tmp_path: Path) -> None:
    votes = put(
        tmp_path / "votes.csv", "task,worker,label\n" + "".join(f"t1,{name},1\n" for name in "abcde") + "t2,a,1\n"
    )
    done = call("aggregate", votes, "--share", "0.2", "--share-of", "item", "--fail-if-movable", 0)
    assert done.status == 3
    assert "1 of 2 items have no safe decision (1 without protection, k = 0)" in done.err


def test_a_bribed_group_may_speak_where_it_was_silent(tmp_path: Path) -> None:
    """One bribe turns t0, where all four of group G said nothing; the bribes that rewrite reports there are two."""
    rows = [("t0", name, "yes", "") for name in "abc"]
    rows += [("t1", name, "yes", "G" * (name in "wxyz")) for name in "abcdefghiwxyz"]
    text = "task,worker,label,team\n" + "".join(f"{','.join(row)}\n" for row in rows)
    votes = put(tmp_path / "votes.csv", text)
    asked = ("--group", "team", "--kind", "labels", "--fail-if-movable", 0)
    done = call("aggregate", votes, "-k", 1, *asked)
    assert done.status == 3
    assert "1 of 2 items have no safe decision (1 by reports of reporters who said nothing)" in done.err


def test_the_answer_is_written_before_a_process_ends_with_status_3(tmp_path: Path) -> None:
    votes, out = put(tmp_path / "votes.csv", VOTES), tmp_path / "out.csv"
    done = start("aggregate", votes, "-k", 1, "--fail-if-movable", 0, "--json", "-o", out)
    assert done.status == 3
    assert done.out.endswith("}\n")
    unsafe = "3 of 4 items have no safe decision (2 could have been changed, 1 not certified)"
    assert done.err == f"bribeproof: --fail-if-movable 0: {unsafe}\n"
    assert out.read_text(encoding="utf-8").count("\n") == 5


def test_what_cannot_be_counted_is_refused() -> None:
    scores = ROOT / "examples" / "judges.csv"
    assert "any bribe moves a score" in call("aggregate", scores, "-k", 1, "--fail-if-movable", 0).err
    assert "nobody can be bribed" in call("aggregate", LABELS, "-k", 0, "--fail-if-movable", 0).err
    assert "of at least 0" in call("aggregate", LABELS, "-k", 1, "--fail-if-movable=-1").refused()
    assert "--k or --budget" in call("certify", *GOLD, "--fail-below", ".9").refused()
    assert "at most 1" in call("certify", *GOLD, "-k", 1, "--fail-below", "90").refused()
    assert "above 0" in call("calibrate", *GOLD, "-k", 1, "--fail-above", "0").refused()


def test_a_certified_share_has_a_threshold() -> None:
    certified = document("certify", *GOLD, "-k", 1)["by_k"][-1]["accuracy_low"]
    assert call("certify", *GOLD, "-k", 1, "--fail-below", certified).status == 0
    done = call("certify", *GOLD, "-k", 1, "--fail-below", certified + 0.001)
    assert done.status == 3
    assert "a share of 0.923 of the answers is certified to be right (k = 1" in done.err
    assert done.out == call("certify", *GOLD, "-k", 1).out


@pytest.mark.slow
def test_a_guaranteed_loss_has_a_threshold() -> None:
    losses = document("calibrate", *GOLD, "-k", 1)["expected_loss"]
    for options, loss in (((), losses["squared"]), (("--loss", "absolute"), losses["absolute"])):
        assert call("calibrate", *GOLD, "-k", 1, *options, "--fail-above", loss + 1e-6).status == 0
        done = call("calibrate", *GOLD, "-k", 1, *options, "--fail-above", loss - 1e-6)
        assert done.status == 3
        assert f"is guaranteed with k = 1 is at most {loss:.6f}".rstrip("0") in done.err
