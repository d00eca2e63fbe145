"""Votes and labels: what is safe, and what is missing, by trying every bribe."""

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations, product
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

import bribeproof as bp
from bribeproof._warnings import record_warnings
from tests.paths import ROOT
from tests.reporting.helpers import made, names, said, table

LABELS = ("a", "b", "c")


def leader(votes: Sequence[str]) -> str | None:
    """Return the label that leads alone."""
    first = Counter(votes).most_common()
    return first[0][0] if first and (len(first) == 1 or first[0][1] > first[1][1]) else None


def bribed(votes: Sequence[str], k: int) -> Iterator[list[str]]:
    """Yield what k bribed reporters can make of the votes: each rewrites or withholds one, or adds another."""
    choices = (*LABELS, None)
    for number in range(min(k, len(votes)) + 1):
        for who in combinations(range(len(votes)), number):
            kept = [vote for place, vote in enumerate(votes) if place not in who]
            for written in product(choices, repeat=number):
                for added in product(choices, repeat=k - number):
                    yield kept + [one for one in (*written, *added) if one is not None]


def is_safe(votes: Sequence[str], k: int) -> bool:
    """Return whether no k bribed reporters take the win away from the label that leads."""
    now = leader(votes)
    return now is not None and all(leader(after) == now for after in bribed(votes, k))


def least_more(votes: Sequence[str], k: int) -> int:
    """Return how many more reports, all for the same label, make an item safe."""
    more = 0
    while not any(is_safe([*votes, *[label] * more], k) for label in LABELS):
        more += 1
    return more


def random_items(seed: int) -> dict[str, list[str]]:
    """Return the votes on some items, none on some."""
    rng = np.random.default_rng(seed)
    return {f"t{item}": list(rng.choice(LABELS, size=item % 6, p=(0.7, 0.2, 0.1))) for item in range(12)}


def frame_of(items: dict[str, list[str]]) -> pl.DataFrame:
    """Return items as a table; the last reporter has no report."""
    rows: list[tuple[str, str, str | None]] = [
        (item, f"w{place}", vote) for item, votes in items.items() for place, vote in enumerate(votes)
    ]
    rows += [(item, f"w{place}", None) for item in items for place in (5, 6)]
    return pl.DataFrame(rows, schema=["task", "worker", "label"], orient="row")


@pytest.mark.parametrize("k", [1, 2])
def test_safe_and_missing_are_what_every_bribe_leaves(k: int) -> None:
    items = random_items(k)
    report = made(frame_of(items), k)
    safe = {item for item, votes in items.items() if is_safe(votes, k)}
    listed = table(report, "All answers")
    assert set(listed.filter(pl.col("why") == "safe").to_series()) == safe
    again = table(report, "Label again")
    assert set(again.to_series()) == items.keys() - safe
    missing = {item: least_more(votes, k) for item, votes in items.items() if item not in safe}
    assert dict(again.select("task", "needed").iter_rows()) == missing
    by_k = table(report, "By number bribed").filter(pl.col("k") == k)
    assert by_k.row(0)[1:] == (len(safe), len(items) - len(safe), sum(missing.values()))
    of = f"{len(safe) or 'None'} of 12 labels {'is' if len(safe) < 2 else 'are'} safe"
    assert of in report.summary()
    assert f"at least {sum(missing.values())} more reports" in said(report, "again")


def test_who_can_be_asked_is_who_has_not_reported() -> None:
    items = {"t1": ["a", "a", "b"], "t2": ["a", "b"], "t3": ["a"] * 5}
    again = table(made(frame_of(items), 1), "Label again")
    assert dict(again.select("task", "askable").iter_rows()) == {
        "t1": "w3, w4, w5 and w6",
        "t2": "w2, w3, w4, w5 and w6",
    }
    few = table(made(frame_of(items).filter(pl.col("worker") < "w3"), 1), "Label again")
    assert dict(few.select("task", "askable").iter_rows())["t1"] == "new people"


def test_costs_are_those_of_the_missing_reports() -> None:
    report = made(frame_of(random_items(5)), 1, cost_per_report=0.25)
    cost = f"{table(report, 'Label again')['needed'].sum() / 4:,.2f}"
    assert f"At 0.25 each they cost at least {cost}" in said(report, "again")
    assert cost in report.to_html().partition('<section id="again"')[0]


def test_numbers_are_those_of_the_library() -> None:
    path = ROOT / "examples" / "labels.csv"
    report, answer = made(path, 1), bp.aggregate(path, k=1)
    facts = answer.facts()
    assert table(report, "Label again").height == facts["unsafe"]
    found = bp.worst_bribe(path, k=1)
    assert f"could have changed at most {found.changed} of {found.decided} decided items (proven)" in said(
        report, "same"
    )
    assert table(report, "Same people")["reporter"].to_list() == found.reporters["reporter"].to_list()
    assert table(report, "What they change").to_series().to_list() == found.items.to_series().to_list()
    few = table(report, "How few it takes")
    for share, enough, _ in few.iter_rows():
        least = bp.cheapest_bribe(path, int(share.split()[0]))
        assert int(enough) == int(least.cost)
    audit = bp.audit(bp.read_table(path), 1)
    deviations = table(report, "Deviations")
    assert deviations.height == audit.reporters.filter(pl.col("compared") > 0).height
    stands_out = audit.reporters.filter("stands_out")["reporter"].to_list()
    assert deviations.filter(pl.col("verdict") == "more than chance")["reporter"].to_list() == stands_out


@pytest.mark.parametrize(
    ("more", "bribe"), [({"group": {"w0": "x", "w1": "x"}}, 1), ({"price": {"w0": 2}, "budget": 3}, None)]
)
def test_groups_and_prices_count_what_they_buy(more: dict[str, Any], bribe: int | None) -> None:
    if "price" in more:
        more = more | {"price": {f"w{place}": 1 + place for place in range(7)}}
    frame = frame_of(random_items(3))
    report, answer = made(frame, bribe, **more), bp.aggregate(frame, bribe, **more)
    again = table(report, "Label again")
    assert again.height == answer.facts()["unsafe"]
    assert "needed" not in again.columns
    assert "is not said here" in said(report, "again")
    assert "By number bribed" not in names(report)


def test_order_of_rows_changes_order_alone() -> None:
    frame = frame_of(random_items(4))
    first, second = made(frame, 1), made(frame.sample(fraction=1, shuffle=True, seed=1), 1)
    assert first.summary() == second.summary()
    for name in ("By number bribed", "Same people", "How few it takes", "Deviations"):
        assert sorted(table(first, name).rows()) == sorted(table(second, name).rows())
    assert sorted(table(first, "Label again").rows()) == sorted(table(second, "Label again").rows())


def test_sets_of_labels_and_votes_on_each() -> None:
    rows = [
        (t, w, "cat;dog" if (t + len(w)) % 3 else "cat") for t in range(6) for w in ("a", "bb", "ccc", "dddd", "eeeee")
    ]
    frame = pl.DataFrame(rows, schema=["task", "worker", "label"], orient="row")
    whole = made(frame, 1, label_sets="whole")
    assert table(whole, "All answers").height == 6
    each = made(frame, 1, label_sets="each")
    assert table(each, "All answers").height == 12
    assert "4 items should be labelled again, for 4 answers: all could have been changed" in each.summary()
    assert "hang together" in said(each, "same")
    assert "not independent" in said(each, "deviations")


def test_a_new_report_is_one_on_all_labels_of_an_item() -> None:
    labels = ["cat;dog", "cat;dog", "cat", "", "cow"]
    rows = [(t, w, labels[(t + number) % 4 + (t == 2)]) for t in range(3) for number, w in enumerate("abcd")]
    frame = pl.DataFrame(rows, schema=["task", "worker", "label"], orient="row")
    report = made(frame, 1, label_sets="each", no_label=["none"], cost_per_report=1)
    again = table(report, "Label again")
    most: dict[str, int] = {}
    for name, needed in again.select(pl.first(), "needed").iter_rows():
        item = name.split(" · ")[0]
        most[item] = max(most.get(item, 0), needed)
    assert again["needed"].sum() > sum(most.values())
    assert f"at least {sum(most.values())} more reports" in said(report, "again")
    assert table(report, "By number bribed").row(0)[2:] == (len(most), sum(most.values()))


def test_nobody_bribed_is_said() -> None:
    report = made(frame_of(random_items(2)), 0)
    assert "k = 0" in report.summary()
    assert {"Label again", "Same people"}.isdisjoint(names(report))


def test_every_kind_of_frame_gives_the_same_report(tmp_path: Path) -> None:
    frame = frame_of(random_items(6))
    report = made(frame, 1)
    frame.write_csv(tmp_path / "votes.csv")
    with bp.scan_table(tmp_path / "votes.csv", in_memory=1, size=100) as large:
        assert made(large, 1).summary() == report.summary()
    for other in (frame.lazy(), pytest.importorskip("pandas").DataFrame(frame.to_dict(as_series=False))):
        same = made(other, 1)
        assert same.summary() == report.summary()
        for name in names(report):
            assert sorted(table(same, name).rows(), key=str) == sorted(table(report, name).rows(), key=str)


def test_the_report_says_what_the_warnings_say() -> None:
    rows = [("t", "Ann", "cat"), ("t", "ann", "cat"), ("t", "ben", "dog"), ("t", "ben", "cat"), ("t", "cem", "Cat")]
    frame = pl.DataFrame(rows, schema=["task", "worker", "label"], orient="row")
    with record_warnings() as messages:
        found = made(frame, repeats="last")
    assert len(messages) == 3
    read = said(found, "reading")
    assert "Reporters that look alike are kept apart: 'Ann' and 'ann'" in read
    assert "Labels that look alike are kept apart: 'Cat' and 'cat'" in read
    assert "1 time the reports differed, settled by the rule 'last'" in read
