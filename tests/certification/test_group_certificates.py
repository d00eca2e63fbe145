"""Certified accuracy where one bribe buys a group, beside every affordable union and every sheet that it can make."""

import itertools
import math
from collections import Counter
from fractions import Fraction
from typing import Any

import numpy as np
import polars as pl
import pytest
from scipy.stats import binom

import bribeproof as bp
from bribeproof.certification.result import describe_certification
from tests.aggregation.bribery_oracle import Bribery
from tests.effort import seeds
from tests.frames.inputs import EACH_FRAME, FRAMES

WHO, CLASSES = "abcde", ("x", "y", "z")
Sheet = dict[str, str]
WEIGHTS = {"a": 3, "b": 2, "c": 2, "d": 1, "e": 1}


class World:
    """Random sheets of five reporters in groups, some silent, and truths that reports often agree with."""

    def __init__(self, seed: int, *, items: int = 6, classes: tuple[str, ...] = CLASSES) -> None:
        rng = np.random.default_rng(seed)
        self.group = {who: f"G{rng.integers(4)}" for who in WHO}
        self.names = sorted(set(self.group.values()))
        self.price = {name: Fraction(int(rng.integers(0, 7)), 2) for name in self.names}
        self.truth = {f"t{i}": str(rng.choice(classes)) for i in range(items)}
        self.sheets: dict[str, Sheet] = {
            item: {who: right if rng.random() < 0.8 else str(rng.choice(classes)) for who in WHO if rng.random() < 0.85}
            for item, right in self.truth.items()
        }
        self.sheets["t0"] = dict.fromkeys(WHO, self.truth["t0"])

    def frame(self) -> pl.DataFrame:
        rows = [(item, who, sheet.get(who)) for item, sheet in self.sheets.items() for who in WHO]
        return pl.DataFrame(rows, schema=["task", "worker", "label"], orient="row")

    def bribery(self, number: float | Fraction, *, priced: bool) -> Bribery:
        return Bribery(self.group, self.price if priced else None, Fraction(number))

    def reachable(self, sheet: Sheet, union: tuple[str, ...], *, silence: bool) -> list[Sheet]:
        """Return every sheet that the members of some groups can make of one."""
        members = [who for who in WHO if self.group[who] in union and (silence or who in sheet)]
        others = {who: label for who, label in sheet.items() if who not in members}
        states = (*CLASSES, None) if silence else CLASSES
        made = (dict(zip(members, said, strict=True)) for said in itertools.product(states, repeat=len(members)))
        return [others | {who: label for who, label in one.items() if label is not None} for one in made]


def right_and_share(sheet: Sheet, truth: str, weights: dict[str, int]) -> tuple[bool, float]:
    """Return whether the truth has more weight than every other label, and its share of the weight."""
    held = Counter[str]()
    for who, label in sheet.items():
        held[label] += weights[who]
    total = sum(held.values())
    ahead = all(held[truth] > number for label, number in held.items() if label != truth) and held[truth] > 0
    return ahead, held[truth] / total if total else 0.0


def check(seed: int, *, priced: bool, silence: bool, weights: dict[str, int] | None) -> None:
    """Compare the rows by items with all that every affordable union can make of every item."""
    world = World(seed)
    numbers: list[float] = [0, 1, 2.5, 4] if priced else list(range(len(world.names) + 1))
    more: dict[str, Any] = {"price": world.price, "budget": numbers} if priced else {"k": numbers[-1]}
    result = bp.certify(
        world.frame(), world.truth, group=world.group, silence=silence, weights=weights, classes=CLASSES, **more
    )
    assert result.by_k["budget" if priced else "k"].to_list() == numbers
    counts = weights or dict.fromkeys(WHO, 1)
    for number, row in zip(numbers, result.by_k.rows(named=True), strict=True):
        unions = world.bribery(number, priced=priced).affordable()
        robust, losses = 0, []
        for item, sheet in world.sheets.items():
            made = [one for union in unions for one in world.reachable(sheet, union, silence=silence)]
            found = [right_and_share(one, world.truth[item], counts) for one in made]
            robust += all(right for right, _ in found)
            losses.append(1 - min(share for _, share in found))
        assert row["robust"] == robust
        if priced and silence:
            assert row["absolute"] >= np.mean(losses) - 1e-9
        else:
            assert row["absolute"] == pytest.approx(np.mean(losses), abs=1e-9)


@pytest.mark.parametrize("silence", [True, False])
@pytest.mark.parametrize("priced", [True, False])
@pytest.mark.parametrize("weights", [None, WEIGHTS])
def test_every_affordable_union_and_every_sheet(weights: dict[str, int] | None, *, priced: bool, silence: bool) -> None:
    for seed in range(3):
        check(seed, priced=priced, silence=silence, weights=weights)


@pytest.mark.parametrize("unit", [10, pytest.param(3, marks=pytest.mark.slow)])
def test_amounts_are_exact(unit: int) -> None:
    """Prices and budgets of tenths, given as floats, and of thirds: those whose exact prices add up to it fit."""
    given: Any = float if unit == 10 else Fraction
    for seed in range(3):
        world = World(seed)
        rng = np.random.default_rng(1000 + seed)
        world.price = {name: Fraction(int(rng.integers(1, 4)), unit) for name in world.names}
        budgets = [Fraction(most, unit) for most in (0, 1, 3, 4, 6, 7)]
        price = {name: given(one) for name, one in world.price.items()}
        options: dict[str, Any] = {"group": world.group, "price": price, "budget": [given(one) for one in budgets]}
        result = bp.certify(world.frame(), world.truth, silence=False, classes=CLASSES, **options)
        ones = dict.fromkeys(WHO, 1)
        assert [one.k for one in result.lists] == budgets
        for budget, one, row in zip(budgets, result.lists, result.by_k.rows(named=True), strict=True):
            turned = [
                {
                    item
                    for item, sheet in world.sheets.items()
                    if not all(
                        right_and_share(made, world.truth[item], ones)[0]
                        for made in world.reachable(sheet, union, silence=False)
                    )
                }
                for union in world.bribery(budget, priced=True).affordable()
            ]
            assert row["budget"] == float(budget)
            assert row["robust"] == len(world.sheets) - len(set[str]().union(*turned))
            assert one.left == len(world.sheets) - max(map(len, turned))
        swept = bp.sweep(world.frame(), kind="labels", classes=CLASSES, **options)
        each = [
            bp.aggregate_labels(world.frame(), classes=CLASSES, **(options | {"budget": given(one)})) for one in budgets
        ]
        assert swept.ks == tuple(budgets)
        assert swept.answers.equals(pl.concat(each))


@pytest.mark.slow
def test_every_affordable_union_and_every_sheet_of_a_thousand_items() -> None:
    for seed in seeds(100, 280):
        check(seed, priced=seed % 2 == 1, silence=seed % 3 > 0, weights=WEIGHTS if seed % 5 == 0 else None)


def check_lists(seed: int, *, priced: bool) -> None:
    """Compare what one list turns with what every affordable union turns, the same on all items."""
    world = World(seed, items=9)
    numbers: list[float] = [0, 1, 2.5, 4] if priced else list(range(len(world.names) + 1))
    more: dict[str, Any] = {"price": world.price, "budget": numbers} if priced else {"k": numbers[-1]}
    result = bp.certify(world.frame(), world.truth, group=world.group, classes=CLASSES, **more)
    ones = dict.fromkeys(WHO, 1)
    right = [item for item, sheet in world.sheets.items() if right_and_share(sheet, world.truth[item], ones)[0]]
    assert [one.k for one in result.lists] == numbers
    for one, row in zip(result.lists, result.by_k.rows(named=True), strict=True):
        unions = world.bribery(one.k, priced=priced).affordable()
        turned = {
            frozenset(union): sum(
                not all(
                    right_and_share(made, world.truth[item], ones)[0]
                    for made in world.reachable(world.sheets[item], union, silence=False)
                )
                for item in right
            )
            for union in unions
        }
        assert one.turned == one.most == row["list_turned"] == max(turned.values())
        if one.reporters:
            assert turned[frozenset(one.reporters)] == one.turned
        if left := len(right) - one.turned:
            risks = binom.sf(left - 1, len(world.sheets), [row["list_low"], row["list_low_chosen"]])
            assert risks[0] == pytest.approx(0.05, rel=1e-6)
            assert risks[1] == pytest.approx(0.05 / one.lists, rel=1e-6)
        costs = [set(union) for union in unions]
        largest = [one for one in costs if not any(one < other for other in costs)]
        assert one.lists >= len(largest)


@pytest.mark.parametrize("priced", [True, False])
def test_one_list_beside_every_affordable_union(*, priced: bool) -> None:
    for seed in range(6):
        check_lists(seed, priced=priced)


@pytest.mark.slow
def test_one_list_beside_every_affordable_union_of_hundreds_of_tables() -> None:
    for seed in seeds(100, 400):
        check_lists(seed, priced=seed % 2 == 1)


def _many(seed: int = 2, items: int = 120) -> tuple[pl.DataFrame, dict[str, str], dict[str, str]]:
    """Return labels of nine reporters on many items, their truths, and the groups of two that they are in."""
    rng = np.random.default_rng(seed)
    truth = {f"t{i}": str(rng.choice(["x", "y"])) for i in range(items)}
    rows = [
        (item, f"w{j}", right if rng.random() < 0.8 else "xy"[rng.integers(2)])
        for item, right in truth.items()
        for j in range(9)
        if rng.random() < 0.9
    ]
    group = {f"w{j}": f"G{j // 2}" for j in range(9)}
    return pl.DataFrame(rows, schema=["task", "worker", "label"], orient="row"), truth, group


@pytest.mark.parametrize(
    "more", [{}, {"weights": {f"w{j}": 1 + j / 4 for j in range(9)}}, {"rule": "isotonic", "k": 3}]
)
def test_groups_of_one_and_prices_of_one_are_reporters(more: dict[str, Any]) -> None:
    labels, truth, group = _many()
    plain = bp.certify(labels, truth, **({"k": 4} | more))
    alone = bp.certify(labels, truth, **({"k": 4} | more), group={})
    k = plain.by_k["k"].to_list()
    paid = bp.certify(labels, truth, **{**more, "k": None}, price=dict.fromkeys(group, 1), budget=k)
    for one in (alone, paid):
        assert one.by_k.columns[1:] == plain.by_k.columns[1:]
        for name in plain.by_k.columns[1:]:
            assert one.by_k[name].to_list() == pytest.approx(plain.by_k[name].to_list(), abs=1e-9), name
    assert [one.reporters for one in alone.lists] == [one.reporters for one in plain.lists]


def test_merged_groups_never_certify_more() -> None:
    labels, truth, group = _many()
    merged = group | dict.fromkeys(("w0", "w1", "w2", "w3"), "G0")
    for silence in (True, False):
        small, large = (bp.certify(labels, truth, 3, group=one, silence=silence).by_k for one in (group, merged))
        for name in ("robust", "accuracy_low", "list_accuracy", "list_low"):
            assert (large[name] <= small[name]).all(), name
        for name in ("absolute", "squared_high", "list_turned"):
            assert (large[name] >= small[name] - 1e-12).all(), name


def test_an_isotonic_rule_is_attacked_by_groups() -> None:
    labels, truth, group = _many()
    heads = bp.certify(labels, truth, 2, rule="isotonic")
    pairs = bp.certify(labels, truth, 1, rule="isotonic", group=group)
    # One group of two or less can never do more than any two reporters.
    assert pairs.by_k["robust"][1] >= heads.by_k["robust"][2]
    assert "against k = 1 group." in pairs.summary()
    paid = bp.certify(
        labels, truth, rule="isotonic", group=group, price=dict.fromkeys(set(group.values()), 2), budget=3
    )
    assert paid.by_k["robust"].to_list() == pairs.by_k["robust"].to_list()


@pytest.mark.parametrize("kind", EACH_FRAME)
def test_frames_of_every_kind_names_and_the_order_of_rows_mean_nothing(kind: str) -> None:
    labels, truth, group = _many(items=40)
    rows = labels.with_columns(pl.col("worker").replace_strict(group).alias("agency"))
    expected = bp.certify(rows, truth, 2, group="agency")
    mixed = rows.sample(fraction=1.0, shuffle=True, seed=3).with_columns("r" + pl.col("worker"))
    found = bp.certify(FRAMES[kind](mixed.to_dict(as_series=False)), truth, 2, group="agency")
    assert found.summary() == expected.summary()


def test_sentences_count_groups_or_money() -> None:
    labels, truth, group = _many()
    labels = labels.with_columns(pl.col("worker").replace_strict(group).alias("agency"))
    found = bp.certify(labels, truth, 1, group="agency")
    text = found.summary()
    assert text.startswith("120 gold items; 9 reporters in 5 groups (agency); plurality, of which a tie is wrong.")
    assert "even if any one of 5 groups (agency) is bribed, perhaps another on each item" in text
    assert "The same group (agency), bribed on all items, can turn at most" in text
    assert "even if the same one of 5 groups (agency) is bribed on all items, and at least" in text
    facts = describe_certification(found)["one_list"]["by_k"][1]
    assert facts["groups"] == list(found.lists[1].reporters)
    assert set(facts["groups"]) <= {f"G{j}" for j in range(5)}
    price = {f"G{j}": j + 1 for j in range(5)}
    paid = bp.certify(labels, truth, group="agency", price=price, budget=[1, 3])
    text = paid.summary()
    assert paid.by_k["budget"].to_list() == [0, 1, 3]
    assert "any of 5 groups (agency) are bribed for at most 3, perhaps others on each item" in text
    assert "The same groups (agency), bribed for at most 3 on all items, can turn at most" in text
    assert "even if any of 5 groups (agency) are bribed for at most 3, the same on all items, and at least" in text
    assert "the row of what they cost and all rows below it" in text
    assert paid.lists[1].lists == 2
    assert found.lists[1].lists == 5
    assert "k = " not in text


def test_many_lists_leave_nothing_of_the_risk() -> None:
    rows = [(t, f"w{j}", "x") for t in range(2) for j in range(1500)]
    labels = pl.DataFrame(rows, schema=["task", "worker", "label"], orient="row")
    price = {f"w{j}": 1000 + j % 7 for j in range(1500)}
    found = bp.certify(
        labels, dict.fromkeys(range(2), "x"), price=price, budget=600_000, classes=["x", "y"], time_limit=1.0
    )
    assert found.by_k["list_low_chosen"][1] == 0
    assert found.lists[1].lists == math.comb(1500, 750)


def test_what_does_not_go_together_is_refused() -> None:
    labels, truth, group = _many(items=10)
    with pytest.raises(bp.ParameterError, match="groups and prices are for rule='plurality' and 'isotonic'"):
        bp.certify(labels, truth, 1, group=group, rule=lambda reports: max(reports.values()))
    with pytest.raises(bp.ParameterError, match="k=6: there are 5 groups, give at most so many"):
        bp.certify(labels, truth, 6, group=group)
    with pytest.raises(bp.ParameterError, match="a budget needs prices"):
        bp.certify(labels, truth, group=group, budget=3)
    with pytest.raises(bp.ParameterError, match="price has no amount for 'G0'"):
        bp.certify(labels, truth, group=group, price={"G1": 1}, budget=3)
    with pytest.raises(bp.ParameterError, match="of_counts and silence are for a function"):
        bp.certify(labels, truth, 1, silence=False)


def test_the_picture_shows_between_two_budgets_what_holds_for_the_larger_one() -> None:
    labels, truth, group = _many(items=40)
    price = dict.fromkeys(set(group.values()), 1)
    found = bp.certify(labels, truth, group=group, price=price, budget=[1, 2])
    axes = bp.plots.certified_accuracy(found)
    assert axes.get_xlabel() == "Budget"
    assert {line.get_drawstyle() for line in axes.get_lines()} == {"steps-pre"}
    assert {line.get_drawstyle() for line in bp.plots.certified_accuracy(bp.certify(labels, truth, 1)).get_lines()} == {
        "default"
    }
