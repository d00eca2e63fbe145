"""Groups and prices in aggregation, compared with every affordable union of groups and every way to rewrite an item."""

from fractions import Fraction
from typing import Any

import numpy as np
import polars as pl
import pytest

import bribeproof as bp
from tests.aggregation.bribery_oracle import Bribery, Sheet

_REPORTERS = "abcdefg"


class Panel:
    """A random panel in groups, with prices or without, and items that they report on."""

    def __init__(self, seed: int, items: int, values: tuple[object, ...], *, priced: bool) -> None:
        rng = np.random.default_rng(seed)
        self.reporters = _REPORTERS[: rng.integers(3, 8)]
        number = int(rng.integers(2, 5))
        group = {who: f"G{rng.integers(number)}" for who in self.reporters}
        self.names = sorted(set(group.values()))
        price = {name: Fraction(int(rng.integers(0, 7)), 2) for name in self.names} if priced else None
        self.k = int(rng.integers(0, 3))
        self.bribery = Bribery(group, price, Fraction(int(rng.integers(0, 9)), 2) if priced else Fraction(self.k))
        missing = rng.choice([0.0, 0.3])
        self.sheets: list[Sheet] = []
        for _ in range(items):
            said = [(who, values[rng.integers(len(values))]) for who in self.reporters if rng.random() >= missing]
            self.sheets.append(tuple(said))
        self.options: dict[str, Any] = {"group": group}
        if price is None:
            self.options["k"] = self.k
        else:
            self.options |= {"price": price, "budget": self.bribery.budget}

    def frame(self, column: str) -> pl.DataFrame:
        """Return the reports in long form, with an empty report of everybody, so that all are known."""
        rows = [(t, who, report) for t, sheet in enumerate(self.sheets) for who, report in sheet]
        rows += [(t, who, None) for t in range(len(self.sheets)) for who in self.reporters]
        return pl.DataFrame(rows, schema=["task", "worker", column], orient="row", infer_schema_length=None)


def _check_decisions(
    panel: Panel, result: pl.DataFrame, values: tuple[object, ...], ties: str, order: list[Any]
) -> None:
    """Compare the number of bribed reporters and the least price of another decision with all ways to rewrite."""
    priced = "budget" in result.columns
    for sheet, row in zip(panel.sheets, result.sort("task").iter_rows(named=True), strict=True):
        most = panel.bribery.most(sheet)
        assert row["k"] == most
        if row["status"] != "ok":
            assert row["price_needed" if priced else "bribes_needed"] is None
            continue
        assert len(sheet) > 2 * most
        needed = panel.bribery.least_price(sheet, values, ties, order)
        assert needed is not None
        assert row["price_needed" if priced else "bribes_needed"] == (float(needed) if priced else int(needed))


def _votes(seeds: range, items: int) -> None:
    for seed in seeds:
        ties = ("none", "first", "last")[seed % 3]
        panel = Panel(seed, items, (0, 1), priced=seed % 2 == 1)
        result = bp.aggregate_votes(panel.frame("label"), ties=ties, classes=[0, 1], **panel.options)
        _check_decisions(panel, result, (0, 1), ties, [0, 1])


def _labels(seeds: range, items: int) -> None:
    for seed in seeds:
        ties = ("none", "first", "last")[seed % 3]
        panel = Panel(seed, items, ("p", "q", "r"), priced=seed % 2 == 1)
        declared = seed % 4 < 2
        # Without declared classes others may exist, before and after all that were seen.
        order = ["p", "q", "r"] if declared else ["a", "p", "q", "r", "z"]
        result = bp.aggregate_labels(
            panel.frame("label"), ties=ties, classes=["p", "q", "r"] if declared else None, **panel.options
        )
        _check_decisions(panel, result, tuple(order), ties, order)


def _scores(seeds: range, items: int) -> None:
    for seed in seeds:
        panel = Panel(seed, items, (1.5, 2.0, 4.0, 7.0, 7.5), priced=seed % 2 == 1)
        result = bp.aggregate_scores(panel.frame("score"), **panel.options)
        for sheet, row in zip(panel.sheets, result.sort("task").iter_rows(named=True), strict=True):
            assert row["k"] == panel.bribery.most(sheet)
            assert (row["status"] == "ok") == (len(sheet) > 2 * row["k"])
            if row["status"] != "ok":
                continue
            ends = (Fraction(-(10**6)), Fraction(10**6))
            means = [one for one in panel.bribery.trimmed_means(sheet, ends, silence=False) if one is not None]
            assert (row["range_low"], row["range_high"]) == (float(min(means)), float(max(means)))
            quiet = [one for one in panel.bribery.trimmed_means(sheet, ends, silence=True) if one is not None]
            assert row["range_low"] <= float(min(quiet))
            assert float(max(quiet)) <= row["range_high"]


def test_few_tables_of_votes_labels_and_scores_agree_with_every_bribery() -> None:
    _votes(range(12), 20)
    _labels(range(12), 4)
    _scores(range(10), 10)


@pytest.mark.slow
def test_ten_thousand_tables_agree_with_every_bribery() -> None:
    _votes(range(100, 170), 80)
    _labels(range(100, 160), 15)
    _scores(range(100, 150), 90)
