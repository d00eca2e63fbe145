"""The cheapest number of judges: that of all numbers, tried one by one, and bounds where not all could be."""

import re
from functools import partial

import numpy as np
import pytest
from starlette.testclient import TestClient

from bribeproof.explorer.panel.cheapest import Cheapest, cheapest, describe_cheapest, lowest_total
from bribeproof.explorer.panel.query import form_values, parse_design
from bribeproof.theory import Panel, optimal_aggregator


def look(looked: list[int], first: int, least: np.ndarray, most: np.ndarray, n: int) -> tuple[float, float]:
    """Return the bounds of a number, and note that it was looked at."""
    looked.append(n)
    return float(least[n - first]), float(most[n - first])


@pytest.mark.parametrize("tries", [1, 3, 10, 500])
def test_the_lowest_total_of_numbers_that_do_not_rise(tries: int) -> None:
    draw = np.random.default_rng(tries)
    for _ in range(200):
        first, size = int(draw.integers(1, 20)), int(draw.integers(1, 300))
        steps = draw.random(size) ** 3 * (draw.random(size) < draw.choice([0.05, 1]))
        least = steps[::-1].cumsum()[::-1] * draw.choice([0, 0.01, 1])
        most = least + draw.choice([0, 0.1]) * draw.random(size)
        price = float(draw.choice([1e-4, 1e-2, 1]))
        looked: list[int] = []
        sizes = range(first, first + size)
        best, total, lower = lowest_total(partial(look, looked, first, least, most), price, sizes, tries)
        totals = most + price * np.array(sizes)
        assert total == pytest.approx(totals[best - first])
        assert lower <= totals.min() * (1 + 1e-12)
        assert len(looked) == len(set(looked)) <= tries
        if tries >= size:
            assert lower == pytest.approx(totals.min(), rel=1e-6) == total


@pytest.mark.parametrize(
    "query",
    [
        {"k": "0", "correlation": "0.1", "cost_judge": "0.5"},
        {"k": "2", "correlation": "0.05", "cost_judge": "0.5"},
        {"k": "1", "correlation": "0.3", "cost_judge": "0.3", "cost_fn": "5", "tpr": "0.7", "loss": "squared"},
        {"k": "3", "correlation": "1", "cost_judge": "0.05"},
        {"k": "1", "correlation": "1", "cost_judge": "0.02", "tpr": "0.95", "fpr": "0.02"},
    ],
)
def test_it_is_the_cheapest_of_all_numbers(query: dict[str, str]) -> None:
    design = parse_design(form_values(query))
    k, prices = design.panel.k, design.prices
    found = cheapest(design)
    assert found is not None
    assert found.found
    least, totals = float("inf"), {}
    for n in range(2 * k + 1, 300):
        if 100 * prices.judge * n > least:
            break
        guarantee = optimal_aggregator(Panel(n, k), design.expert, prices.loss).guarantee
        assert guarantee is not None
        totals[n] = 100 * (guarantee.expected_loss + n * prices.judge)
        least = min(least, totals[n])
    assert found.total == pytest.approx(least, rel=1e-7)
    assert totals[found.n] == pytest.approx(least, rel=1e-7)


def test_the_page_says_it_with_what_one_judge_changes(client: TestClient) -> None:
    query = "n=20&k=2&correlation=0.1"
    later = client.get(f"/panel/changes?{query}").text
    told = "Against as many bribed, the bound of all costs is lowest for 18 judges: 457 per 100."
    assert f'<p id="cheapest">{told}</p>' in later
    assert later in client.get(f"/panel?{query}").text
    assert "lowest for 18 judges: 457" in client.get(f"/panel/changes?{query}&n=18".replace("n=20&", "")).text
    assert 'id="cheapest"' not in client.get(f"/panel/changes?{query}&cost_judge=0").text
    assert 'id="cheapest"' not in client.get("/panel?k=0").text


def test_what_was_not_computed_is_said_with_both_bounds(monkeypatch: pytest.MonkeyPatch) -> None:
    design = parse_design(form_values({"correlation": "0.1"}))
    monkeypatch.setattr("bribeproof.explorer.panel.cheapest.cheapest", lambda _: Cheapest(17, 457.2, 441.238, 1000))
    assert describe_cheapest(design) == (
        "Against as many bribed, the lowest bound of all costs that was found is that of 17 judges: 458 per 100. "
        "Whether another number has a lower one was not computed, but none up to 1,000 is below 441.23."
    )


def test_numbers_that_the_page_does_not_show_are_not_spoken_of() -> None:
    design = parse_design(
        form_values({"n": "30", "k": "9", "correlation": "1", "cost_judge": "0.000001", "tpr": "0.6"})
    )
    told = describe_cheapest(design)
    assert told is not None
    assert re.search(r"lowest for [\d,]+ judges of all numbers up to 1,000: ", told)
