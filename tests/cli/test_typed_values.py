"""Numbers as people type them: shares in per cent, short options, and a k that is a share by mistake."""

import json

import pytest

from tests.cli.command import call
from tests.paths import ROOT

VOTES, SCREENING = ROOT / "examples" / "votes.csv", ROOT / "examples" / "screening.csv"


def test_rates_may_be_given_in_per_cent() -> None:
    plain = call("panel", "--n", 10, "--k", 2, "--prior", 0.5, "--tpr", 0.8, "--fpr", 0.1)
    assert call("panel", "-n", 10, "-k", 2, "--prior", "50%", "--tpr", "80%", "--fpr", "10%") == plain
    certify = ("certify", SCREENING, "--gold", "truth", "--k", 1, "--json")
    assert json.loads(call(*certify, "--confidence", "90%").out) == json.loads(call(*certify, "--confidence", ".9").out)
    assert call(*certify, "--fail-below", "93%").status == 3
    assert call(*certify, "--fail-below", "92%").status == 0
    shared = call("aggregate", VOTES, "--share", "20%")
    assert shared.out == call("aggregate", VOTES, "--share", "1/5").out.replace("1/5", "20%")


@pytest.mark.parametrize("text", ["%", "5%%", "nan%", "1_0%"])
def test_what_is_no_percentage_is_refused(text: str) -> None:
    assert "is not a number" in call("panel", "-n", 9, "--prior", text, "--tpr", 0.8, "--fpr", 0.1).refused()


@pytest.mark.parametrize("command", ["aggregate", "weigh", "bribe", "certify"])
def test_a_share_in_place_of_k_is_refused_with_the_option_for_shares(command: str) -> None:
    assert "10% is a share" in call(command, VOTES, "-k", "10%").refused()
    assert "--share 10%" in call(command, VOTES, "-k", "10%").refused()


def test_a_k_above_the_number_of_reporters_is_named_as_the_option() -> None:
    assert call("bribe", VOTES, "-k", 9).refused().startswith("bribeproof: --k 9: there are 5 reporters")
    assert call("certify", SCREENING, "--gold", "truth", "-k", 9).refused().startswith("bribeproof: --k 9: ")
