"""The report of the attack study: means, marks and sums by hand."""

import sys
from collections.abc import Iterator
from importlib import import_module
from types import ModuleType

import polars as pl
import pytest
from matplotlib.figure import Figure

from bribeproof.plots.palette import RULES
from tests.paths import ROOT

BENCHMARKS = ROOT / "benchmarks"
RUNS = """crowd,strategy,share,draw,method,accuracy,squared,seconds
dog,low,0.3,1,shares,0.4,0.30,2.0
dog,low,0.3,0,shares,0.6,0.10,1.0
dog,low,0.3,0,Wawa,0.5,0.2004,3.0
dog,low,0.3,0,KOS,,,
dog,low,0.3,0,Another,0.5,0.2006,6.0
dog,natural,0.0,0,shares,0.9,0.05,9.0
bird,planted,0.1026,0,shares,0.7,0.40,1.0
rte,low,0.3,0,shares,0.8,0.10,1.0
rte,low,0.3,0,Wawa,0.9,0.30,1.0
rte,low,0.3,0,Another,0.9,0.30,1.0
rte,low,0.3,0,KOS,0.9,0.10,1.0
web,low,0.3,0,shares,0.1,0.90,1.0
web,low,0.3,0,Wawa,0.1,0.90,1.0
"""


@pytest.fixture(scope="module")
def report() -> Iterator[ModuleType]:
    sys.path.insert(0, str(BENCHMARKS))
    yield import_module("attack_report")
    sys.path.remove(str(BENCHMARKS))


@pytest.fixture
def found(report: ModuleType) -> pl.DataFrame:
    averaged: pl.DataFrame = report.cells(pl.read_csv(RUNS.encode()))
    return averaged


def test_cells_are_means_over_draws_and_leave_out_what_cannot_be_run(found: pl.DataFrame) -> None:
    assert found.row(by_predicate=(pl.col("crowd") == "dog") & (pl.col("draws") == 2), named=True) == {
        "crowd": "dog",
        "strategy": "low",
        "share": 0.3,
        "method": "shares",
        "draws": 2,
        "accuracy": 0.5,
        "squared": 0.2,
        "accuracy_sd": 0.1414,
        "squared_sd": 0.1414,
        "seconds": 1.5,
    }
    assert found["crowd"].to_list() == ["bluebird", *["dog"] * 4, *["rte"] * 4, *["web"] * 2]
    assert found.filter(crowd="dog")["method"].to_list() == ["shares", "shares", "Wawa", "Another"]


def test_the_order_of_runs_does_not_matter(report: ModuleType, found: pl.DataFrame) -> None:
    first, *rows = RUNS.splitlines()
    assert report.cells(pl.read_csv("\n".join([first, *reversed(rows)]).encode())).equals(found)


def test_a_table_marks_all_losses_within_half_a_thousandth_of_the_least(
    report: ModuleType, found: pl.DataFrame
) -> None:
    assert report.table(found.filter(crowd="dog"))[2:] == [
        "| as it is | 0% | **0.900 / 0.050** | – | – |",
        "| low | 30% | **0.500 / 0.200** | **0.500 / 0.200** | 0.500 / 0.201 |",
        "| time of a run, of shares' |  | 1.0 | 0.6 | 1.1 |",
    ]


def test_fewer_draws_are_said(report: ModuleType, found: pl.DataFrame) -> None:
    assert report.draws(found.filter(crowd="dog")) == "Draws of each attack: 2; Wawa, Another: 1."
    assert report.draws(found.filter(crowd="bluebird")) == ""


def test_the_summary_averages_crowds_that_all_methods_have(report: ModuleType, found: pl.DataFrame) -> None:
    rows = [line for line in report.summary(found) if line.startswith("| low")]
    assert rows == ["| low 30% | 2 | **0.650 / 0.150** | 0.700 / 0.250 | 0.700 / 0.250 |"]


def test_lines_go_between_the_markers_and_nowhere_else(report: ModuleType) -> None:
    begin, end = "<!-- here:begin -->", "<!-- here:end -->"
    page = f"a\n{begin}\nold\n{end}\nb\n"
    assert report.between(page, "here", ["new"]) == f"a\n{begin}\nnew\n{end}\nb\n"
    for broken in ("a\n", f"a\n{begin}\n", f"{end} a {begin}", page.replace("here", "there")):
        assert report.between(broken, "here", ["new"]) == broken


def test_the_picture_of_a_crowd_is_readable_on_a_page_and_its_legend_is_whole(report: ModuleType) -> None:
    crowd = pl.read_csv(ROOT / "docs" / "evidence" / "crowds" / "cells.csv").filter(crowd="bluebird")
    figure = Figure(figsize=(report.WIDTH, 8.4), layout="constrained")
    report.draw(crowd, figure)
    figure.draw_without_rendering()
    (legend,) = figure.legends
    box = legend.get_window_extent()
    assert 0 <= box.x0 < box.x1 <= figure.bbox.width
    assert not any(box.overlaps(axes.get_window_extent()) for axes in figure.axes)
    assert 96 * report.WIDTH <= 800
    drawn = {
        str(line.get_label()): (line.get_color(), line.get_marker()) for axes in figure.axes for line in axes.lines
    }
    assert drawn == {name: (RULES[name].colour, RULES[name].marker) for name in drawn}
    assert {text.get_text() for text in legend.get_texts()} == set(drawn) >= {"shares", "weighed", "DawidSkene", "KOS"}
