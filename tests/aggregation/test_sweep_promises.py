"""What the guarantees of a sweep are worth: against Bayes risks computed here, and up to which k they are."""

import json
from pathlib import Path

import polars as pl
import pytest

import bribeproof as bp
from bribeproof.theory import Panel, cost, expert_risk, max_adversaries
from tests.cli.command import call, document, put

EXPERT = bp.Expert(0.4, 0.8, 0.25)
COMMAND = ("--prior", 0.4, "--tpr", 0.8, "--fpr", 0.25)


def crowd(*sizes: int, yes: str = "1", no: str = "0") -> pl.DataFrame:
    """Items with so many reports each, every third of them no."""
    rows = [(f"t{i}", f"w{j}", yes if (i + j) % 3 else no) for i, m in enumerate(sizes) for j in range(m)]
    return pl.DataFrame(rows, schema=["task", "worker", "label"], orient="row")


@pytest.mark.parametrize(
    ("loss", "alone", "per_100"),
    [
        ("squared", 0.24, None),
        pytest.param("absolute", 0.4, 100, marks=pytest.mark.slow),
        (cost(false_positive=2, false_negative=3), 1.2, 100),
    ],
)
def test_each_row_is_a_share_of_what_the_prior_alone_loses(loss: str, alone: float, per_100: float | None) -> None:
    swept = bp.sweep(crowd(9, 9, 5), expert=EXPERT, loss=loss)
    for row in swept.by_k.head(5).iter_rows(named=True):
        sizes = [m for m in (9, 9, 5) if m > 2 * row["k"]]
        risks = [expert_risk(Panel(m, row["k"]).effective(EXPERT), loss) for m in sizes]
        assert row["of_prior"] == pytest.approx(sum(risks) / len(risks) / alone)
        if per_100 is None:
            assert "per_100" not in row
        else:
            assert row["per_100"] == pytest.approx(per_100 * sum(risks) / len(risks))
    assert swept.by_k["of_prior"].to_list()[5:] == [None] * (swept.by_k.height - 5)


@pytest.mark.parametrize("loss", ["squared", pytest.param("absolute", marks=pytest.mark.slow)])
def test_most_adversaries_is_the_last_k_that_beats_the_prior(loss: str) -> None:
    swept = bp.sweep(crowd(*[9] * 4), expert=EXPERT, loss=loss)
    most = max_adversaries(9, EXPERT, loss)
    assert 0 < most < 4
    assert swept.most_adversaries == most
    assert f"worth something up to k = {most}, where the expected {loss} loss is at most" in swept.summary()
    assert f"With k = {most + 1} it is worth nothing: " in swept.summary()


@pytest.mark.slow
def test_a_notebook_says_it_too() -> None:
    assert "The guarantee is worth something up to k = 3, where" in bp.sweep(crowd(9, 9), expert=EXPERT)._repr_html_()


def test_without_rates_there_is_none_and_weak_ones_are_worth_nothing_from_the_start() -> None:
    assert bp.sweep(crowd(5)).most_adversaries is None
    weak = bp.sweep(crowd(5), expert=bp.Expert(0.5, 0.4, 0.4))
    assert weak.most_adversaries is None
    assert (
        "With k = 0 the guarantee is worth nothing: honest reports may depend on the truth too little."
        in weak.summary()
    )


def test_where_every_certified_k_is_worth_something_the_next_has_no_items() -> None:
    sure = bp.sweep(crowd(5, 5), expert=bp.Expert(0.5, 1.0, 0.0))
    assert sure.most_adversaries == 2
    assert "With k = 3 no item is certified." in sure.summary()
    assert "worth nothing" not in sure.summary()


def test_a_calibrated_sweep_says_its_confidence_and_what_more_gold_would_do() -> None:
    rows = [(f"t{i}", f"w{j}", i % 2 ^ ((i + 5 * j) % 8 == 0)) for i in range(60) for j in range(7)]
    votes = pl.DataFrame(rows, schema=["task", "worker", "label"], orient="row")
    found = bp.calibrate(votes, {f"t{i}": i % 2 for i in range(30)}, k=1, confidence=0.9)
    swept = bp.sweep(votes, expert=found)
    assert swept.promises is not None
    assert swept.promises.explanation is not None
    assert ", with 90 % confidence, " in swept.summary()
    assert "the gold items, and who answers them, are like the others" in swept.summary()
    changes = {str(one.change): one for one in swept.promises.explanation.remedies}
    by_k = dict(swept.by_k.select("k", "of_prior").iter_rows())
    assert changes["smaller k"].worth.share == by_k[int(changes["smaller k"].to)]
    first = (swept.most_adversaries or 0) + 1
    more = found.with_k(first).with_gold(10).guarantee("squared").expected_loss
    assert changes["more gold items"].worth.expected_loss == pytest.approx(more)


def test_the_command_shows_the_shares_and_tells_them_in_json(tmp_path: Path) -> None:
    votes = put(tmp_path / "votes.csv", crowd(*[9] * 4, yes="ja", no="nein").write_csv())
    options = ("--positive", "ja", *COMMAND, "--cost-false-negative", 3)
    shown = call("sweep", votes, *options)
    assert (shown.status, "of prior  per 100 ≤" in shown.out) == (0, True)
    (table,) = (part for part in shown.out.split("\n\n") if "of prior" in part.splitlines()[0])
    assert max(map(len, table.splitlines())) <= 80
    assert "ja counts as positive, nein as negative." in shown.out
    found = document("sweep", votes, *options)
    assert json.loads(json.dumps(found)) == found
    assert [row["per_100"] for row in found["summary"][:5]] == [row["per_100"]["guaranteed"] for row in found["worth"]]
    assert all(row["per_100"]["unit"] == "cost" for row in found["worth"])
    assert found["most_adversaries"] == max_adversaries(9, EXPERT, cost(false_positive=1, false_negative=3))
