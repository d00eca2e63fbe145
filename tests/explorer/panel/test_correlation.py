"""A panel whose reporters err together."""

import re
from html import unescape

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from starlette.testclient import TestClient

import bribeproof as bp
from bribeproof.explorer.panel.evaluation import evaluate
from bribeproof.explorer.panel.query import form_values, parse_design
from bribeproof.explorer.panel.worst_case import describe_cases
from tests.budgets import examples
from tests.explorer.panel.page_reader import FRAGMENT, LOSSES, ask_page, form_of, read_page, share_of

PAIRED = st.sampled_from([0.0, 0.01, 0.05, 0.2, 0.99])


@settings(max_examples=examples(0.25))
@given(
    n=st.integers(1, 30),
    share=st.floats(0, 1),
    rates=st.tuples(*[st.integers(0, 100)] * 3),
    correlation=PAIRED,
    loss=st.sampled_from(sorted(LOSSES)),
)
def test_with_a_correlation_the_numbers_are_those_of_the_library(
    client: TestClient, n: int, share: float, rates: tuple[int, int, int], correlation: float, loss: str
) -> None:
    k = round(share * ((n - 1) // 2))
    prior, fpr, tpr = rates[0] / 100, min(rates[1:]) / 100, max(rates[1:]) / 100
    expert = bp.Expert(prior, tpr, fpr, correlation)
    query = {"n": n, "k": k, "prior": prior, "tpr": tpr, "fpr": fpr, "correlation": correlation, "loss": loss}
    found = ask_page(client, **query)
    solution = bp.theory.pairwise_minimax(bp.Panel(n, k), expert, LOSSES[loss])
    assert found.texts["guarantee"] == f"{solution.upper:.6f}"
    borne = bp.theory.most_adversaries(n, expert, LOSSES[loss])
    unbribed = bp.theory.pairwise_minimax(bp.Panel(n), expert, LOSSES[loss]).upper
    if unbribed < bp.theory.prior_alone(expert, LOSSES[loss]) * 0.999:
        assert f"up to {borne} of {n} bribed" in found.whole
    else:
        assert borne == 0
    reporters = n / (1 + (n - 1) * correlation)
    assert found.texts["reporters"] == f"{reporters:.1f}"
    assert "regret" not in found.texts
    assert "known only for errors that may go together in any way" in found.whole
    # The cases are possible: the probabilities of either truth add up, and so do their losses to the guarantee.
    rows = describe_cases(evaluate(parse_design(form_values(form_of(query)))).worst)
    assert sum(share_of(row.probability) for row in rows) == pytest.approx(1, abs=0.03)
    if all(row.loss[0].isdigit() for row in rows):
        mean = sum(share_of(row.probability) * float(row.loss) for row in rows)
        assert mean == pytest.approx(solution.upper, rel=0.03, abs=3e-3)
    for row in rows:
        bribed = 0 if row.truth == "positive" else k
        assert row.bribed == (f"{bribed} of {k}" if k else "none")


def test_errors_like_those_of_one_person_are_the_page_as_it_was(client: TestClient) -> None:
    for query in ({}, {"k": "0"}, {"loss": "absolute", "k": "4"}):
        usual = client.get("/panel", params=query).text
        assert client.get("/panel", params={**query, "correlation": "1"}).text == usual
        assert "correlation=" not in read_page(usual).texts["python"] + read_page(usual).texts["link"]
    for name in ("bribes", "worst-case"):
        usual, one = (client.get(f"/panel/{name}.svg", params=more).text for more in ({}, {"correlation": "1.0"}))
        assert one == usual


def test_what_takes_long_comes_later_and_is_the_same(client: TestClient) -> None:
    for query in ({"correlation": "0.1"}, {"correlation": "0.05", "n": "10", "k": "4", "tpr": "0.6", "fpr": "0.4"}):
        fragment = client.get("/panel", params=query, headers=FRAGMENT).text
        address = re.search(r'<section id="change" data-later="([^"]+)" aria-busy="true">\s*</section>', fragment)
        assert address is not None
        later = client.get(unescape(address[1])).text
        assert '<table id="changes">' in later
        assert later in client.get("/panel", params=query).text
    assert "data-later" not in client.get("/panel", headers=FRAGMENT).text
    assert client.get("/panel/changes", params={"n": "x"}).status_code == 422


def test_how_far_errors_go_together_in_words(client: TestClient) -> None:
    query: dict[str, object] = {"n": 39, "k": 4, "tpr": 0.7, "fpr": 0.3, "correlation": 0.05}
    found = ask_page(client, **query)
    text = " ".join(found.whole.replace("\N{NO-BREAK SPACE}", " ").split())
    # The value of docs/theory.md, and by hand: 39/(1 + 38/20) = 13.45, and .1106/.25 = 44.3 %.
    assert found.texts["guarantee"] == "0.110631"
    assert found.texts["correlation-note"] == "39 judges average errors out like 13.4 independent ones."
    assert "39 reporters, four of them bribed. Unbribed, they average errors out like 13.4 independent ones." in text
    assert (
        "44.3 % of the 0.25 that the prior alone guarantees, whatever the bribed do, if honest errors correlate by "
        "at most 0.05, on average over all items" in text
    )
    assert "If honest errors may go together in any way, it is at most 0.223985." in text
    alone = ask_page(client, **query | {"correlation": 1})
    assert (alone.texts["guarantee"], "correlation by" in alone.whole) == ("0.223985", False)
    assert "39 judges average errors out like one." in alone.whole
    assert "22 errors per 100 items" in ask_page(client, **query | {"loss": "absolute"}).whole
