"""Groups and prices in aggregation, compared with every affordable union of groups and every way to rewrite an item."""

from fractions import Fraction
from typing import Any, Literal

import numpy as np
import polars as pl
import pytest

import bribeproof as bp
from tests.aggregation.bribery_oracle import Bribery, Sheet
from tests.effort import seeds

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
    _votes(range(6), 20)
    _labels(range(8), 3)
    _scores(range(6), 10)


@pytest.mark.slow
def test_ten_thousand_tables_agree_with_every_bribery() -> None:
    _votes(seeds(100, 170), 80)
    _labels(seeds(100, 160), 15)
    _scores(seeds(100, 150), 90)


_VENDORS = {"a": "V1", "b": "V1", "c": "V1", "d": "V2", "e": "V2", "f": "V3", "g": "V4"}


def _vendor_votes() -> pl.DataFrame:
    rows = [
        (t, who, vendor, int(who in "abce" or (t and who == "g"))) for t in range(2) for who, vendor in _VENDORS.items()
    ]
    return pl.DataFrame(rows, schema=["task", "worker", "vendor", "label"], orient="row")


def test_sentences_count_groups_and_say_how_many_reports_these_have() -> None:
    result = bp.aggregate(_vendor_votes(), k=1, group="vendor")
    assert result.summary().splitlines() == [
        "2 items, 7 reporters, k = 1 group (vendor), at most 3 of the 7 reports on an item: 2 ok.",
        "0 ties.",
        "2 of 2 decisions could have been changed by some one bribed group (vendor), perhaps another on each item, by "
        "rewriting reports.",
        "Most fragile, 1 bribe needed: 0, 1.",
    ]
    assert result.facts()["bribes"] == {"of": "vendor", "groups": 1, "budget": None, "reports": 7, "asked": False}
    priced = bp.aggregate(_vendor_votes(), group="vendor", price={"V1": 9, "V2": 2, "V3": "0.5", "V4": 0}, budget=1)
    assert priced.summary().splitlines()[0] == (
        "2 items, 7 reporters, a budget of 1 for groups (vendor), at most 2 of the 7 reports on an item: 2 ok."
    )
    # V3 and V4 can be had; one vote of V2 (2), or that and one of V4 (0), would be needed.
    assert priced.items["price_needed"].to_list() == [2.0, 2.0]
    assert "0 of 2 decisions could have been changed by bribes of groups (vendor) for at most 1" in priced.summary()


@pytest.mark.parametrize("kind", ["votes", "labels", "scores"])
def test_prices_of_one_are_prices(kind: Literal["votes", "labels", "scores"]) -> None:
    """Twice the prices and twice the budget change amounts of money alone, though some prices are all 1 then."""
    votes, names = _vendor_votes().drop("vendor"), list(_VENDORS)
    once, twice = (
        bp.aggregate(votes, kind=kind, price=dict.fromkeys(names, price), budget=3 * price, better="high")
        if kind == "scores"
        else bp.aggregate(votes, kind=kind, price=dict.fromkeys(names, price), budget=3 * price)
        for price in (1, 2)
    )
    assert once.items.schema == twice.items.schema
    money = [name for name in ("budget", "price_needed") if name in once.items.columns]
    assert money == (["budget"] if kind == "scores" else ["budget", "price_needed"])
    assert once.items.with_columns(pl.col(*money) * 2).equals(twice.items)
    assert "a budget of 3 for reporters" in once.summary()
    assert "a budget of 6 for reporters" in twice.summary()
    if kind != "scores":
        weighed = bp.weigh(votes, price=dict.fromkeys(names, 1), budget=1.5)
        assert weighed.items["budget"].to_list() == [1.5, 1.5]
        assert "a budget of 1.5" in weighed.summary()
        assert repr(weighed).startswith("WeightedAnswers(budget=1.5")


def test_what_is_said_to_change_is_changed_by_rewriting() -> None:
    """The silent group of four could change the item by adding reports, which the sentence leaves out."""
    group = dict.fromkeys(("g1", "g2", "g3", "g4"), "G")
    rows = [("t0", who, 1) for who in "abc"] + [("t1", who, 0) for who in (*group, *"abcdef")]
    votes = pl.DataFrame(rows, schema=["task", "worker", "label"], orient="row")
    found = bp.aggregate(votes, 1, kind="votes", group=group)
    assert found.items["bribes_needed"][0] == 2
    assert "some one bribed group, perhaps another on each item, by rewriting reports." in found.summary()
    spoken = pl.concat([votes, pl.DataFrame([("t0", who, 0) for who in group], schema=votes.schema, orient="row")])
    assert bp.aggregate_votes(spoken, 0, group=group)["decision"][0] == 0


def test_groups_of_one_reporter_each_give_what_reporters_give() -> None:
    votes = _vendor_votes()
    for function in (bp.aggregate_votes, bp.aggregate_labels):
        plain, grouped = function(votes, k=2), function(votes, k=2, group={})
        assert grouped.select(plain.columns).equals(plain)
        assert grouped["bribes_needed"].equals(plain["flips_needed"].rename("bribes_needed"))
    scores = votes.rename({"label": "score"}).with_columns(pl.col("score") * pl.Series(range(1, 15)) * 0.7)
    plain, grouped = bp.aggregate_scores(scores, k=2), bp.aggregate_scores(scores, k=2, group={})
    assert grouped.select(plain.columns).equals(plain)


def test_what_does_not_go_with_groups_is_refused() -> None:
    votes = _vendor_votes()
    with pytest.raises(bp.ParameterError, match="share of the reporters, and groups or prices are given"):
        bp.aggregate_votes(votes, share=0.2, group="vendor")
    with pytest.raises(bp.ParameterError, match="either k"):
        bp.aggregate_votes(votes, group="vendor")
    with pytest.raises(bp.ParameterError, match="a budget needs prices"):
        bp.aggregate_votes(votes, group="vendor", budget=2)
    with pytest.raises(bp.ColumnError, match="every reporter has a column of reports"):
        bp.aggregate_scores(
            pl.DataFrame({"entry": ["A"], "nation": ["N"], "j1": [1.0], "j2": [2.0]}),
            k=1, item="entry", judges=["j1", "j2"], group="nation",
        )  # fmt: skip
    with pytest.raises(bp.ParameterError, match="round the prices"):
        bp.aggregate_votes(votes, group="vendor", price=dict.fromkeys(["V1", "V2", "V3", "V4"], 10**19), budget=1)


def test_with_a_stated_number_of_asked_the_bound_does_not_depend_on_who_is_silent() -> None:
    votes = _vendor_votes().with_columns(pl.when(pl.col("worker") != "c").then(pl.col("label")).alias("label"))
    asked = bp.aggregate_votes(votes, k=1, group="vendor", asked=7)
    assert asked["k"].to_list() == [3, 3]
    assert bp.aggregate_votes(votes, k=1, group="vendor")["k"].to_list() == [2, 2]
    with pytest.warns(bp.BribeproofWarning):
        assert bp.aggregate_votes(votes, k=0, group="vendor", asked=7)["k"].to_list() == [0, 0]


def test_nothing_is_said_of_decisions_where_there_are_none() -> None:
    rows = [("a", name, label) for name, label in zip("vwx", "yyn", strict=True)]
    votes = pl.DataFrame(rows, schema=["task", "worker", "label"], orient="row")
    assert "could have been changed" in bp.aggregate(votes, k=1, group={"v": "V"}).summary()
    said = bp.aggregate(votes, k=1, group=dict.fromkeys("vwx", "V")).summary()
    assert "1 not certified" in said
    assert "could have been changed" not in said
