"""Whole ways of three users, from their file to a report that opens from the disk, in wide and narrow, light and dark.

The variable SCREENSHOTS names a folder for pictures of each stop, docs/images/walks for those that the documentation
shows.
"""

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import polars as pl
import pytest

from tests.explorer.walks.walker import Walker
from tests.paths import ROOT

if TYPE_CHECKING:
    from tests.explorer.browser import MakePage

pytestmark = [pytest.mark.browser, pytest.mark.slow]

EXAMPLES = ROOT / "examples"
MODELS = ROOT / "src" / "bribeproof" / "explorer" / "examples" / "models.csv"
"""Six simulated language models that say which of two answers is better, and the truth."""


@pytest.fixture(
    params=[(1280, "light"), (1280, "dark"), (360, "light"), (360, "dark")], ids=lambda one: f"{one[0]}-{one[1]}"
)
def walk(request: pytest.FixtureRequest, site: str, new_page: "MakePage", tmp_path: Path) -> Callable[[str], Walker]:
    """Return a function that opens the page for a user, in a window of this width and these colours."""
    width, colours = request.param
    look = {"viewport": {"width": width, "height": 800}, "color_scheme": colours, "has_touch": width < 600}
    return lambda user: Walker(new_page(**look), site, user, look, tmp_path)


def test_an_organiser_sends_the_federation_a_report_on_the_final(walk: Callable[[str], Walker]) -> None:
    organiser = walk("organiser")
    organiser.opens(EXAMPLES / "judges.csv")
    organiser.reads("7 reporters", "#result .read")
    organiser.reads("Ember", "table .sheet, #result table")
    organiser.sets("k", "2")
    organiser.reads("could have been changed by some 2 bribed reporters", "#result .headline")
    organiser.reads("Ember is first, but not safely", "#summary")
    organiser.stops("answers")
    organiser.takes_step("same", "Borealis")
    organiser.takes_step("audit", "None of 7 reporters deviates")
    organiser.stops("audit", ".step#audit")
    report = organiser.downloads("Printable report")
    text = organiser.opens_from_disk(report)
    for words in ("Ember", "judges.csv", "2 bribed", "bp.report("):
        assert words in text


def test_a_labelling_lead_learns_what_to_label_again(walk: Callable[[str], Walker], tmp_path: Path) -> None:
    screening = pl.read_csv(EXAMPLES / "screening.csv")
    votes, truth = tmp_path / "votes.csv", tmp_path / "truth.csv"
    screening.drop("truth").write_csv(votes)
    screening.select("item", "truth").unique(maintain_order=True).write_csv(truth)
    lead = walk("lead")
    lead.opens(votes)
    lead.reads("votes, long form", "#result .read")
    lead.adds_truth(truth)
    lead.reads("truth.csv", "#truth")
    lead.stops("answers")
    lead.takes_step("certify", "of 100 answers are right")
    lead.stops("certify", ".step#certify")
    lead.takes_step("calibrate", "expected")
    lead.takes_step("weigh", "")
    answers = pl.read_csv(lead.downloads("All answers (CSV)"))
    assert answers.height == 60
    report = lead.downloads("Printable report")
    text = lead.opens_from_disk(report)
    for words in ("scan-30", "votes.csv", "truth"):
        assert words in text


def test_an_engineer_asks_which_model_can_be_trusted(walk: Callable[[str], Walker]) -> None:
    engineer = walk("engineer")
    engineer.opens(MODELS)
    engineer.reads("labels, wide form", "#result .read")
    engineer.stops("answers")
    engineer.takes_step("same", "had been bribed")
    engineer.takes_step("certify", "of 100 answers are right")
    engineer.takes_step("audit", "deviate")
    engineer.follows("Attack it")
    engineer.reads("", "#summary")
    engineer.stops("attack")
    engineer.back()
    report = engineer.downloads("Printable report")
    text = engineer.opens_from_disk(report)
    for words in ("Aster", "models.csv"):
        assert words in text
