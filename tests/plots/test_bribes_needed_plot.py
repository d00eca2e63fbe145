"""Bribes that rules for rankings need: every number of the table is drawn, none besides."""

from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

import bribeproof as bp
from bribeproof import plots
from tests.cli.command import call
from tests.paths import ROOT
from tests.plots.sample_plots import blank, legend_of, names_of, places

SHEET = pl.read_csv(ROOT / "examples" / "places.csv")


@pytest.mark.parametrize("change", ["winner", "podium", "order"])
def test_one_contest(change: str) -> None:
    found = bp.compare_rules(SHEET)
    axes: Any = plots.bribes_needed(found, change=change, ax=blank())
    tie, new = (line.get_xdata().tolist() for line in axes.get_lines())
    assert tie == found.table[f"shared_{change}"].to_list()
    assert new == found.table[f"other_{change}"].to_list()
    assert names_of(axes) == ["trimmed mean", "borda", "median", "copeland"]
    assert legend_of(axes)[0] == "a tie"
    assert axes.get_xlabel() == "Bribed judges"


def test_several_contests() -> None:
    found = bp.compare_rules(places(12), ["borda", "copeland"])
    axes: Any = plots.bribes_needed(found, ax=blank())
    for line, rule in zip(axes.get_lines(), ("borda", "copeland"), strict=True):
        needed = found.table.filter(pl.col("rule") == rule)["other_winner"].to_numpy()
        assert [int((needed <= x).sum()) for x in line.get_xdata()] == np.asarray(line.get_ydata()).tolist()
    assert axes.get_title(loc="right") == "Another winner, 12 contests"


def test_prices() -> None:
    found = bp.compare_rules(SHEET, ["borda"], price=dict.fromkeys(SHEET.columns[1:], "2.5"))
    axes: Any = plots.bribes_needed(found, ax=blank())
    assert axes.get_xlabel() == "Price of the bribes"
    assert axes.get_lines()[1].get_xdata().tolist() == [2.5]


def test_what_cannot_be_drawn() -> None:
    found = bp.compare_rules(SHEET.head(2), ["borda"], gaps=True)
    with pytest.raises(bp.ParameterError, match="change='gold': use one of winner, podium, order"):
        plots.bribes_needed(found, change="gold")
    with pytest.raises(bp.ParameterError, match="change='podium': there are too few entries"):
        plots.bribes_needed(found, change="podium")
    unbeatable = pl.DataFrame({"entry": ["a", "b"], "j1": [1, None], "j2": [1, None], "j3": [None, 1]})
    found = bp.compare_rules(unbeatable, ["points"], points=[1], unranked="not-asked")
    axes: Any = plots.bribes_needed(found, ax=blank())
    assert np.isnan(axes.get_lines()[0].get_xdata()).all()


def test_the_command(tmp_path: Path) -> None:
    file, picture = tmp_path / "places.csv", tmp_path / "needed.svg"
    SHEET.write_csv(file)
    assert "drew the bribes that each rule needs" in call("rank", file, "--plot", picture).err
    assert picture.read_text(encoding="utf-8").startswith("<?xml")
    assert "--rule shows one" in call("rank", file, "--rule", "borda", "--plot", picture).refused()
