"""Sheets with thousands of named columns are read in time that grows like the sheet."""

from itertools import islice, product
from pathlib import Path
from time import process_time

import pytest

import bribeproof as bp


def write(path: Path, judges: int, rows: int = 30) -> Path:
    """Write a sheet whose judges have names without numbers."""
    names = islice(product(("Ba", "De", "Fi", "Go", "Lu"), ("ka", "me", "ni", "po"), *[("ra", "se", "ti")] * 5), judges)
    header = ",".join(["entry", *map("".join, names)])
    lines = (
        ",".join([f"E{row}", *(f"{(row * 31 + judge * 17) % 101 / 10}" for judge in range(judges))])
        for row in range(rows)
    )
    path.write_text("\n".join([header, *lines, ""]), encoding="utf-8")
    return path


@pytest.mark.slow
def test_the_time_grows_like_the_number_of_columns(tmp_path: Path) -> None:
    spent = {}
    for judges in (30, 500, 4000):
        sheet = write(tmp_path / f"{judges}.csv", judges)
        before = process_time()
        result = bp.aggregate(sheet, k=1)
        spent[judges] = process_time() - before
        assert set(result.items["m"]) == {judges}
    # Eight times the columns: a time that grew like their square would be up to 64 times as long.
    assert spent[4000] < 16 * spent[500]
