"""``bribeproof panel``: its numbers against exact fractions, its text, and what it refuses."""

import json
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.cli.command import call, document, start

EXPERT = ("--prior", 0.5, "--tpr", 0.8, "--fpr", 0.1)
WORKED = ("panel", "--n", 10, "--k", 2, *EXPERT)


def exact(n: int, k: int, mu: Fraction, a: Fraction, b: Fraction) -> list[float]:
    """The acts and the squared loss of the effective expert, or of the prior where he knows less (theory.md §2)."""
    a, b = ((n - k) * a - k) / (n - 2 * k), (n - k) * b / (n - 2 * k)
    if a <= b:
        return [float(mu), float(mu), float(mu * (1 - mu))]
    yes, no = mu * a + (1 - mu) * b, mu * (1 - a) + (1 - mu) * (1 - b)
    low, high = mu * (1 - a) / no, mu * a / yes
    return [float(low), float(high), float(yes * high * (1 - high) + no * low * (1 - low))]


def test_the_worked_example() -> None:
    done = start(*WORKED, "--loss", "squared", "--json")
    found = json.loads(done.out)
    assert (done.status, done.err) == (0, "")
    assert (found["low"], found["high"]) == pytest.approx((4 / 17, 11 / 13), abs=1e-15)
    assert found["guarantee"]["regret"] == pytest.approx(0.15837104072, abs=5e-12)
    assert found["guarantee"]["exact"] is True
    assert found["condition"].startswith(
        "the expected losses hold on average over all items, provided that neither who"
    )
    assert found["effective_expert"] == pytest.approx({"prior": 0.5, "tpr": 11 / 15, "fpr": 2 / 15, "correlation": 1})
    line = [4 / 17 + (11 / 13 - 4 / 17) * (min(max(x, 2), 8) - 2) / 6 for x in range(11)]
    assert found["values"] == pytest.approx(line, abs=1e-15)
    assert found["breakdown_point"] == pytest.approx(0.7 / 1.7)
    assert (found["n"], found["k"], found["loss"], found["max_adversaries"]) == (10, 2, "squared", 4)
    assert [row["k"] for row in found["sweep"]] == [0, 1, 2, 3, 4]


def test_the_worked_example_in_words() -> None:
    done = call(*WORKED)
    assert (done.status, done.err) == (0, "")
    for words in (
        "10 reporters, of whom 2 may be bribed; loss: squared",
        "prior 0.5, tpr 0.7333, fpr 0.1333",
        "0.2353 up to 2 positive votes, 0.8462 from 8 on, linear between",
        "expected loss at most 0.1584",
        "0.1584, exact",
        "63.4 % of the 0.25 that the prior alone guarantees",
        "0.4118: with 5 of 10 bribed, or more, the reports are worth nothing",
    ):
        assert words in done.out
    rows = [line.split() for line in done.out.splitlines()]
    assert ["0", "to", "2", "0.2353"] in rows
    assert ["5", "0.5407"] in rows
    assert ["8", "to", "10", "0.8462"] in rows
    assert ["2", "0.7333", "0.1333", "0.2353", "0.8462", "0.1584", "63.4", "%", "0.1584", "yes"] in rows


@given(
    st.integers(1, 30),
    st.data(),
    *[st.fractions(Fraction(1, 10), Fraction(9, 10), max_denominator=40) for _ in range(3)],
)
def test_rule_and_sweep_are_those_of_the_effective_expert(
    n: int, data: st.DataObject, mu: Fraction, a: Fraction, b: Fraction
) -> None:
    k = data.draw(st.integers(0, (n - 1) // 2))
    b, a = sorted((a, b))
    found = document("panel", "--n", n, "--k", k, "--prior", float(mu), "--tpr", float(a), "--fpr", float(b))
    assert {name: found[name] for name in found["sweep"][0]} in found["sweep"]
    for row in found["sweep"]:
        promised, closed = row["guarantee"], exact(n, row["k"], mu, a, b)
        assert promised["exact"]
        if promised["basis"] == "exact solver":
            # The least regret; the closed form has the least loss.
            assert promised["regret"] <= closed[2] + 1e-9
            assert promised["regret"] <= promised["expected_loss"] + 1e-12
            assert promised["expected_loss"] >= closed[2] - 1e-9
        else:
            assert [row["low"], row["high"], promised["expected_loss"]] == pytest.approx(closed, abs=1e-9)


def test_without_adversaries_the_rule_is_that_of_the_exact_solver() -> None:
    done = call("panel", "--n", 10, *EXPERT)
    assert (done.status, done.err) == (0, "")
    for words in (
        "with no positive vote",
        "between them as below",
        "0.1067, exact; basis: exact solver",
    ):
        assert words in done.out
    found = document("panel", "--n", 10, *EXPERT)
    assert found["guarantee"]["regret"] == pytest.approx(0.106659, abs=1e-6)
    assert found["counts"] == [0, 1, 9, 10]


@pytest.mark.parametrize(
    ("loss", "acts", "name"),
    [
        ("absolute", (0, 1), "absolute"),
        ("squared", (4 / 17, 11 / 13), "squared"),
        ("log", (4 / 17, 11 / 13), "log"),
        ("cost:1,1", (0, 1), "absolute"),
        ("cost:1,5", (1, 1), "cost(false_positive=1, false_negative=5)"),
        ("cost:9,1", (0, 0), "cost(false_positive=9, false_negative=1)"),
    ],
)
def test_losses(loss: str, acts: tuple[float, float], name: str) -> None:
    found = document(*WORKED, "--loss", loss)
    assert (found["low"], found["high"]) == pytest.approx(acts)
    assert found["loss"] == name
    if acts[0] == acts[1]:
        assert f"always {acts[0]}: the reports cannot improve on the prior" in call(*WORKED, "--loss", loss).out


def test_one_reporter_and_one_vote_are_written_in_the_singular() -> None:
    assert "1 reporter, of whom 0" in call("panel", "--n", 1, *EXPERT).out
    assert "up to 1 positive vote," in call("panel", "--n", 4, "--k", 1, *EXPERT).out


def test_a_large_panel_is_shown_at_steps() -> None:
    found = document("panel", "--n", 5001, "--k", 17, *EXPERT)
    assert len(found["values"]) == 5002
    assert len(found["sweep"]) <= 20
    lines = call("panel", "--n", 5001, "--k", 17, *EXPERT).out.splitlines()
    assert len(lines) < 60
    assert any(line.split()[:3] == ["4984", "to", "5001"] for line in lines)


REFUSED = {
    "no n": (("panel", *EXPERT), "--n"),
    "no prior": (("panel", "--n", 3, "--tpr", 0.8, "--fpr", 0.1), "--prior"),
    "nobody": (("panel", "--n", 0, *EXPERT), "n = 0"),
    "half a reporter": (("panel", "--n", 2.5, *EXPERT), "2.5"),
    "half a bribe": (("panel", "--n", 5, "--k", 1.5, *EXPERT), "1.5"),
    "no majority": (("panel", "--n", 4, "--k", 2, *EXPERT), "k <= 1"),
    "fewer than no bribes": (("panel", "--n", 4, "--k", -1, *EXPERT), "-1"),
    "far too many": (("panel", "--n", 10**9, *EXPERT), "1,000,000"),
    "worse than chance": (("panel", "--n", 4, "--prior", 0.5, "--tpr", 0.1, "--fpr", 0.8), "swap"),
    "no probability": (("panel", "--n", 4, "--prior", 2, "--tpr", 0.8, "--fpr", 0.1), "prior"),
    "no number": (("panel", "--n", 4, "--prior", "nan", "--tpr", 0.8, "--fpr", 0.1), "nan"),
    "an unknown loss": ((*WORKED, "--loss", "hinge"), "hinge"),
    "one cost": ((*WORKED, "--loss", "cost:1"), "cost:FP,FN"),
    "a negative cost": ((*WORKED, "--loss", "cost:-1,2"), "-1"),
    "an unknown option": ((*WORKED, "--m", 3), "--m"),
    "too much": ((*WORKED, "more"), "more"),
}  # fmt: skip


@pytest.mark.parametrize(("arguments", "words"), REFUSED.values(), ids=REFUSED)
def test_refusals(arguments: tuple[object, ...], words: str) -> None:
    assert words in call(*arguments).refused()


def test_a_bound_of_the_correlation_lowers_the_guarantee() -> None:
    rates = ("--prior", ".5", "--tpr", ".7", "--fpr", ".3")
    found = document("panel", "--n", "39", "--k", "4", *rates, "--correlation", ".1")
    assert found["guarantee"]["expected_loss"] == pytest.approx(0.1410, abs=5e-5)
    assert found["effective_reporters"] == pytest.approx(39 / 4.8)
    assert found["effective_expert"] is None
    assert found["max_adversaries"] == 11
    assert found["sweep"][12]["guarantee"]["expected_loss"] == pytest.approx(found["without_reports"])
    shown = call("panel", "--n", "39", "--k", "4", *rates, "--correlation", ".1,.05").out
    assert "at most 0.1 if the truth is positive and 0.05 if it is negative" in shown
    assert "of the 0.25 that the prior alone guarantees" in shown


def test_what_is_worth_nothing_says_so_and_what_would_change_it() -> None:
    rates = ("--prior", ".5", "--tpr", ".7", "--fpr", ".3")
    found = document("panel", "--n", 9, "--k", 4, *rates)
    assert found["worth"]["worthless"]
    assert found["explanation"]["reason"].startswith("so many bribed")
    remedies = {one["change"]: one for one in found["explanation"]["remedies"]}
    smaller = found["sweep"][remedies["smaller k"]["to"]]
    assert remedies["smaller k"]["share"] == smaller["worth"]["share"] < 0.9995
    more = document("panel", "--n", 9 * remedies["more reports"]["to"], "--k", 4, *rates)
    assert remedies["more reports"]["share"] == pytest.approx(more["worth"]["share"])
    shown = call("panel", "--n", 9, "--k", 4, *rates).out
    assert "It is worth nothing: so many bribed reporters can make both truths look alike" in shown
    assert "It is worth nothing" not in call("panel", "--n", 9, "--k", 1, *rates).out
    assert document("panel", "--n", 9, "--k", 1, *rates)["explanation"] is None


def test_a_rule_of_small_regret_may_be_worth_nothing_where_the_reports_are_not() -> None:
    # The closed form loses .0323 there, the rule of least regret .0427 and the prior alone .0384.
    arguments = ("panel", "--n", 11, "--k", 0, "--prior", ".04", "--tpr", ".96", "--fpr", ".16")
    found, shown = document(*arguments), " ".join(call(*arguments).out.split())
    assert found["worth"]["worthless"]
    assert found["explanation"]["reason"] == "its rule minimises the regret, not the expected loss"
    assert "with 5 of 11 bribed, or more, the reports are worth nothing" in shown
    assert "even if nobody is bribed" not in shown
    assert not found["sweep"][1]["worth"]["worthless"]
    by_k = call(*arguments).out.rpartition("\nk ")[2].splitlines()
    assert [line.split()[0] for line in by_k[1:7]] == ["0", "1", "2", "3", "4", "5"]
    uninformative = call("panel", "--n", 9, "--prior", ".5", "--tpr", ".3", "--fpr", ".3").out
    assert "the reports are worth nothing even if nobody is bribed" in " ".join(uninformative.split())


def test_the_table_by_k_ends_where_nothing_is_certified_and_shows_the_share() -> None:
    rates = ("--prior", ".5", "--tpr", ".7", "--fpr", ".3")
    lines = call("panel", "--n", 39, "--k", 4, *rates).out.splitlines()
    last = max(place for place, line in enumerate(lines) if line.startswith(" k"))
    rows = [line.split() for line in lines[last + 1 :] if line.lstrip()[0].isdigit()]
    found = document("panel", "--n", 39, "--k", 4, *rates)
    nothing = next(row["k"] for row in found["sweep"] if row["worth"]["worthless"])
    assert [row[0] for row in rows] == [str(k) for k in range(nothing + 1)]
    assert found["max_adversaries"] <= nothing <= found["max_adversaries"] + 1
    for row, of_json in zip(rows, found["sweep"], strict=False):
        assert float(row[6]) == pytest.approx(100 * of_json["guarantee"]["expected_loss"] / 0.25, abs=0.1)
    assert max(map(len, lines[last:])) <= 80


@pytest.mark.parametrize(("prior", "alone"), [(0.5, 50), (0.9, 50)])
def test_costs_are_told_in_money_per_100_items(prior: float, alone: float) -> None:
    rates = ("--prior", prior, "--tpr", 0.95, "--fpr", 0.02)
    found = document("panel", "--n", 9, "--k", 1, *rates, "--loss", "cost:5,1")
    a, b = (8 * 0.95 - 1) / 7, 8 * 0.02 / 7
    missed, alarmed = prior * (1 - a), 5 * (1 - prior) * b
    guaranteed = 100 * min(missed + alarmed, prior, 5 * (1 - prior))
    assert found["worth"]["per_100"] == pytest.approx({"unit": "cost", "guaranteed": guaranteed, "prior_alone": alone})
    shown = call("panel", "--n", 9, "--k", 1, *rates, "--loss", "cost:5,1").out
    assert f"per 100 items, {100 * guaranteed / alone:.1f}"[:-2] in shown
    assert "Costs per 100 items are counted on average" in shown
    assert "errors" in call("panel", "--n", 9, "--k", 1, *rates, "--loss", "absolute").out


@pytest.mark.parametrize("given", ["x", "1.5", ".1,.2,.3", ""])
def test_what_is_no_correlation_is_refused(given: str) -> None:
    rates = ("--prior", ".5", "--tpr", ".7", "--fpr", ".3")
    assert "correlation" in call("panel", "--n", "9", *rates, "--correlation", given).refused()
