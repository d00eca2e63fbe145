"""What a known truth certifies."""

import polars as pl
import pytest

import bribeproof as bp
from tests.paths import ROOT
from tests.reporting.helpers import made, said, table

SCREENING = ROOT / "examples" / "screening.csv"


def test_the_certificate_is_that_of_certify() -> None:
    report, frame = made(SCREENING, 1, truth="truth"), bp.read_table(SCREENING)
    columns = bp.recognise(SCREENING).columns
    judges = [name for name in columns.judges if name != "truth"] or None
    asked = (
        {"item": columns.item, "judges": judges}
        if judges
        else {"item": columns.item, "reporter": columns.reporter, "label": columns.value}
    )
    found = bp.certify(frame, "truth", 1, **asked)
    row = found.by_k.filter(pl.col("k") == 1).row(0, named=True)
    certified = table(report, "Certified").filter(pl.col("k") == 1).row(0, named=True)
    assert certified["low"] == pytest.approx(100 * row["accuracy_low"])
    assert certified["list"] == pytest.approx(100 * row["list_low"])
    assert (certified["robust"], certified["gold"]) == (row["robust"], row["gold"])
    assert said(report, "right").startswith(found.headline)
    for line in found.summary().splitlines():
        assert line in said(report, "right")
    assert "truth" not in table(report, "Deviations").to_series().to_list()


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
