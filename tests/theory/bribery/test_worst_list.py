"""The worst list of bribed reporters: against all lists and all rewritings, and the values of real crowds."""

from itertools import combinations, product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bribeproof.errors import BribeproofError
from bribeproof.theory.bribery.ballots import Ballots
from bribeproof.theory.bribery.worst_list import worst_list
from tests.paths import SHARED

CROWD = SHARED / "data" / "crowd"


def outright(labels: list[int], classes: int) -> int | None:
    """The class with more labels than any other, by counting."""
    counts = [labels.count(name) for name in range(classes + 1)]
    best = max(counts)
    return counts.index(best) if counts.count(best) == 1 else None


def changed_by_hand(ballots: Ballots, members: tuple[int, ...]) -> list[bool]:
    """Which decided items some rewriting of the members' reports leaves without their outright winner.

    One class more than there are may be written.
    """
    found = []
    for item in range(ballots.items):
        mine = ballots.item == item
        own = [int(label) for label in ballots.choice[mine & ~np.isin(ballots.reporter, members)]]
        theirs = int((mine & np.isin(ballots.reporter, members)).sum())
        winner = outright([int(label) for label in ballots.choice[mine]], ballots.classes)
        written = product(range(ballots.classes + 1), repeat=theirs)
        found.append(
            winner is not None and any(outright(own + list(new), ballots.classes) != winner for new in written)
        )
    return found


@st.composite
def tables(draw: st.DrawFn) -> Ballots:
    items, reporters, classes = draw(st.integers(1, 7)), draw(st.integers(1, 6)), draw(st.integers(1, 3))
    cells = st.lists(st.integers(-1, classes - 1), min_size=items * reporters, max_size=items * reporters)
    table = np.array(draw(cells)).reshape(items, reporters)
    item, reporter = np.nonzero(table >= 0)
    return Ballots(item, reporter, table[table >= 0], items, reporters, classes)


@given(tables(), st.integers(0, 4), st.data())
def test_no_list_changes_more_than_the_worst(ballots: Ballots, k: int, data: st.DataObject) -> None:
    whole = st.lists(st.integers(0, 5), min_size=ballots.items, max_size=ballots.items)
    values = np.array(data.draw(st.one_of(st.just([1] * ballots.items), whole)), float)
    found = worst_list(ballots, k, values=values)
    every = [
        float(values[changed_by_hand(ballots, members)].sum())
        for members in combinations(range(ballots.reporters), min(k, ballots.reporters))
    ]
    assert found.upper == pytest.approx(max(every), abs=1e-9)
    assert found.lower == pytest.approx(max(every), abs=1e-9)
    assert found.exact
    assert len(found.members) <= k
    assert found.changed.tolist() == changed_by_hand(ballots, found.members)


@given(tables(), st.integers(1, 3), st.integers(0, 100))
def test_names_and_order_do_not_matter(ballots: Ballots, k: int, seed: int) -> None:
    rng = np.random.default_rng(seed)
    who, rows = rng.permutation(ballots.reporters), rng.permutation(len(ballots.item))
    renamed = Ballots(
        ballots.item[rows],
        who[ballots.reporter[rows]],
        ballots.choice[rows],
        ballots.items,
        ballots.reporters,
        ballots.classes,
    )
    assert worst_list(renamed, k).lower == worst_list(ballots, k).lower


def crowd(name: str) -> Ballots:
    import polars as pl

    votes = pl.read_csv(CROWD / f"{name}.csv").unique(["task", "worker"], maintain_order=True)
    item, reporter, choice = (
        votes[column].rank("dense").to_numpy().astype(int) - 1 for column in ("task", "worker", "label")
    )
    return Ballots(item, reporter, choice, item.max() + 1, reporter.max() + 1, choice.max() + 1)


@pytest.mark.skipif(not CROWD.exists(), reason="the data pack is not beside the project")
@pytest.mark.parametrize(
    ("name", "decided", "changed"),
    [
        ("rte", 735, {1: 64, 2: 137, 3: 220}),
        ("dog", 757, {1: 38, 2: 78, 3: 123}),
        ("bluebird", 108, {3: 12}),
        ("web", 2096, {2: 763, 3: 1089}),
        ("trec", 17763, {1: 2029, 2: 3799}),
    ],
)
def test_the_values_of_real_crowds(name: str, decided: int, changed: dict[int, int]) -> None:
    """Against docs/theory.md, section 14; the integer program finds the same where it is quick."""
    ballots = crowd(name)
    assert (ballots.winner >= 0).sum() == decided
    for k, number in changed.items():
        found = worst_list(ballots, k)
        assert (found.lower, found.upper, found.exact) == (number, number, True)
        assert ballots.changed_by(found.members).sum() == number


@pytest.mark.parametrize(
    "wrong",
    [
        {"item": [0, 2]},
        {"reporter": [0, 0], "item": [0, 0]},
        {"choice": [0]},
        {"classes": 0},
        {"choice": [0, 5]},
        {"reporter": [-1, 0]},
    ],
)
def test_tables_that_are_none(wrong: dict[str, object]) -> None:
    fine = {"item": [0, 1], "reporter": [0, 1], "choice": [0, 1], "items": 2, "reporters": 2, "classes": 2}
    assert worst_list(Ballots(**fine), 1).lower == 1  # type: ignore[arg-type]
    with pytest.raises(BribeproofError):
        Ballots(**fine | wrong)  # type: ignore[arg-type]


@pytest.mark.parametrize("wrong", [{"k": -1}, {"values": [1]}, {"values": [-1, 0]}, {"time_limit": 0}])
def test_questions_that_are_none(wrong: dict[str, object]) -> None:
    ballots = Ballots([0, 1], [0, 1], [0, 1], items=2, reporters=2, classes=2)  # type: ignore[arg-type]
    with pytest.raises(BribeproofError):
        worst_list(ballots, **{"k": 1} | wrong)  # type: ignore[arg-type]
