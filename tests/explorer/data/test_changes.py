"""The sentence on what k changes counts what it says."""

import re

import numpy as np
import polars as pl
import pytest

from bribeproof.explorer.data.analysis import analyse, analyse_without_protection
from bribeproof.explorer.data.narration import what_changes
from bribeproof.io.read import Table

SHEETS = {
    "two places": [[8, 8, 8, 1], [6, 7, 7, 7], [5, 5, 5, 4], [4, 4, 4, 3], [3, 3, 3, 2], [2, 2, 2, 1]],
    "no place": [[9, 9, 9, 8], [7, 7, 7, 6], [5, 5, 5, 4]],
    "not certified": [[9, 9, 9, 8], [7, 7, None, None], [5, 5, 5, 4]],
}


def places(values: list[float]) -> list[int]:
    return [1 + sum(other > value for other in values) for value in values]


@pytest.mark.parametrize("marks", SHEETS.values(), ids=SHEETS)
@pytest.mark.parametrize("digits", [None, 1])
def test_what_changes_counts_places_and_scores(marks: list[list[float | None]], digits: int | None) -> None:
    """It said "1 item has another place or score" where one place and all six scores were others."""
    rows = [[f"E{i}", *map(str, [mark if mark is not None else "" for mark in row])] for i, row in enumerate(marks)]
    table = Table(pl.DataFrame(rows, schema=["entry", "j1", "j2", "j3", "j4"], orient="row"), "sheet.csv")
    first = analyse_without_protection(table, {"kind": "scores"} | ({} if digits is None else {"decimals": digits}))
    analysis = analyse(first, 1, rounded=digits is not None)

    present = [sorted(mark for mark in row if mark is not None) for row in marks]
    certified = [i for i, row in enumerate(present) if len(row) > 2]
    plain, trimmed = [float(np.mean(row)) for row in present], {i: float(np.mean(present[i][1:-1])) for i in certified}
    if digits is not None:
        plain = [round(value + 1e-9, digits) for value in plain]
        trimmed = {i: round(value + 1e-9, digits) for i, value in trimmed.items()}
    before, after = places(plain), dict(zip(certified, places([*trimmed.values()]), strict=True))
    moved = sum(i not in after or after[i] != before[i] for i in range(len(marks)))
    other = sum(trimmed[i] != plain[i] for i in certified)
    counted = sum(
        i not in after or after[i] != before[i] or (digits is not None and trimmed[i] != plain[i])
        for i in range(len(marks))
    )
    sentence = what_changes(analysis, int(analysis.items["changed"].sum()))
    assert sentence.endswith(f" {other} of {len(certified)} scores {'differs' if other == 1 else 'differ'}.")
    if counted:
        assert re.match(rf"{counted} items? ha(s|ve) a different place", sentence)
    else:
        assert sentence.startswith("Every place is the same")
    assert ("rounded" in sentence) == (digits is not None)
    assert (counted > moved) <= ("rounded" in sentence)
