"""What a known truth certifies."""

from pathlib import Path

import polars as pl
import pytest

import bribeproof as bp
from tests.paths import ROOT
from tests.reporting.helpers import made, said, table

SCREENING = ROOT / "examples" / "screening.csv"


def test_the_certificate_is_that_of_certify() -> None:
    report, found = made(SCREENING, 1, truth="truth"), bp.certify(SCREENING, "truth", 1)
    row = found.by_k.filter(pl.col("k") == 1).row(0, named=True)
    certified = table(report, "Certified").filter(pl.col("k") == 1).row(0, named=True)
    assert certified["low"] == pytest.approx(100 * row["accuracy_low"])
    assert certified["list"] == pytest.approx(100 * row["list_low"])
    assert (certified["robust"], certified["gold"]) == (row["robust"], row["gold"])
    assert said(report, "right").startswith(found.headline)
    for line in found.summary().splitlines():
        assert line in said(report, "right")
    assert "truth" not in table(report, "Deviations").to_series().to_list()


def test_the_truth_may_be_in_a_file_of_its_own(tmp_path: Path) -> None:
    path = tmp_path / "gold.csv"
    pl.read_csv(SCREENING).select("item", "truth").unique().write_csv(path)
    report = made(SCREENING, 1, truth=path)
    assert said(report, "right").startswith(bp.certify(SCREENING, "truth", 1).headline)
    report.save(tmp_path / "report.html")
    page = (tmp_path / "report.html").read_text()
    assert "bribeproof report screening.csv --k 1 --truth gold.csv -o report.html" in page
    assert "bp.report('screening.csv', k=1, truth='gold.csv')" in page
    with pytest.raises(bp.FileError, match=r"nowhere\.csv: there is no such file"):
        made(SCREENING, 1, truth=tmp_path / "nowhere.csv")


def test_a_column_that_looks_like_the_truth_is_pointed_out() -> None:
    assert "The column 'truth' seems to hold it: name it (--gold truth, truth='truth')" in made(SCREENING, 1).summary()


@pytest.mark.slow
def test_votes_are_calibrated_too() -> None:
    rows = [
        (i, w, i % 2 if (i + len(w)) % 7 else 1 - i % 2)
        for i in range(120)
        for w in ("a", "bb", "ccc", "dddd", "eeeee")
    ]
    votes = pl.DataFrame(rows, schema=["task", "worker", "label"], orient="row")
    truth = {i: i % 2 for i in range(120)}
    report, found = made(votes, 1, truth=truth), bp.calibrate(votes, truth, 1)
    for line in found.summary().splitlines():
        assert line in said(report, "right")
