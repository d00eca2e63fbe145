"""The page of findings, and the committed one against a run."""

import re

from bribeproof.paper import CLAIMS, Verdict, check_claims, find_claims
from bribeproof.paper.errata import format_deviation, format_numbers, render_errata
from bribeproof.paper.plain_words import PLAIN_WORDS
from tests.paths import ROOT

PAGE = ROOT / "docs" / "theory" / "errata.md"
ROW = re.compile(r"^\| \[?([a-z0-9-]+)\]?(?:\(#[a-z0-9-]+\))? \| ([^|]+) \| ([^|]+) \|", re.MULTILINE)


def verdicts(page: str) -> dict[str, str]:
    return {name: verdict for name, _, verdict in ROW.findall(page) if name != "claim" and set(name) != {"-"}}


def test_the_committed_page_agrees_with_a_run() -> None:
    quick = check_claims(CLAIMS, cases=2, seed=11)
    found = verdicts(PAGE.read_text(encoding="utf-8"))
    assert found == {finding.claim.name: finding.verdict.value for finding in quick}


def test_the_committed_page_holds_what_is_said_of_each_claim() -> None:
    page = PAGE.read_text(encoding="utf-8")
    for claim in CLAIMS:
        assert claim.source in page
        if f"### {claim.name}\n" in page:
            for text in (claim.statement, claim.correction, claim.condition):
                assert text in page


def test_every_claim_has_plain_words_and_every_corrected_one_says_what_is_right() -> None:
    page = PAGE.read_text(encoding="utf-8")
    assert list(PLAIN_WORDS) == [claim.name for claim in CLAIMS]
    for claim in CLAIMS:
        words = PLAIN_WORDS[claim.name]
        assert bool(words.right) == bool(claim.correction)
        assert f"| {words.claim} | " in page


def test_a_page_has_a_section_for_each_claim_that_is_not_right() -> None:
    findings = check_claims(find_claims(["hard-loss", "distance", "posterior-is-best"]), cases=3, seed=5)
    page = render_errata(findings, cases=3, seed=5)
    assert verdicts(page) == {finding.claim.name: finding.verdict.value for finding in findings}
    assert re.findall(r"^### (.*)$", page, re.MULTILINE) == [
        finding.claim.name for finding in findings if finding.verdict is not Verdict.HOLDS
    ]
    assert "--cases 3 --seed 5" in page
    assert "Of 3 claims\n1 hold, 1 need a condition that the paper omits, and 1 are false" in page
    assert "decision = 0, state = 0: printed loss 1, absolute and squared loss 0" in page


def test_rounding_is_written_as_rounding() -> None:
    assert format_deviation(3e-9, 5) == format_deviation(0.0, 5) == "under 1e-06"
    assert format_deviation(1.23456, 5) == "1.23"
    assert format_deviation(0.0, 0) == ""


def test_a_claim_that_holds_has_no_numbers_to_show() -> None:
    assert format_numbers(*check_claims(find_claims(["distance"]), cases=2)) == ""
