"""The stories of the first page: opened as uploads are, and told with numbers that are measured on them."""

import polars as pl
import pytest
from starlette.testclient import TestClient

import bribeproof as bp
from bribeproof.explorer.data.stories import FIRST_ATTACK, FIRST_MEASURED, STORIES
from bribeproof.explorer.tables.uploads import EXAMPLES
from tests.explorer.data.sample_files import read
from tests.paths import ROOT

FOLDER = ROOT / "src" / "bribeproof" / "explorer" / "examples"


def test_every_file_is_told() -> None:
    assert {story.key for story in STORIES} == EXAMPLES == {path.stem for path in FOLDER.glob("*.csv")}
    for name in ("judges.csv", "moderation.csv"):
        assert (FOLDER / name).read_bytes() == (ROOT / "examples" / name).read_bytes()


def test_the_first_story_has_the_numbers_that_an_attack_measures(client: TestClient) -> None:
    sheet = pl.read_csv(FOLDER / "judges.csv")
    item, *judges = sheet.columns
    measured = bp.attack(
        sheet, None, [1], strategy="opposite", ks=[1], draws=5, kind="scores", item=item, judges=judges
    ).curves
    for told, rule in zip(FIRST_MEASURED, ("mean", "trimmed mean, k = 1"), strict=True):
        row = measured.row(by_predicate=pl.col("rule") == rule, named=True)
        assert told.off == pytest.approx(row["absolute_loss"], abs=1e-3)
        assert told.changed == pytest.approx(row["changed"], abs=1e-3)
    page = client.get(FIRST_ATTACK).text
    assert "the plain mean is off by 0.731, the 1-trimmed mean by 0.173." in page
    assert "plain mean 47%" in page


@pytest.mark.parametrize(
    ("k", "said"), [(0, "Ember is first."), (1, "Ember is first, whichever judge is bribed on each item."), (3, None)]
)
def test_a_contest_says_first_who_is_first(client: TestClient, k: int, said: str | None) -> None:
    page = read(client, f"/data?sheet=judges&k={k}")
    assert page.texts["winner"] == [said or "Ember is first, but not safely."]
    assert page.column("answers", "entry")[0] == "Ember"
