"""The worst case of a panel in sentences, as its witness has it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

import bribeproof as bp
from bribeproof.explorer.panel.evaluation import evaluate
from bribeproof.explorer.panel.narration import number, percent
from bribeproof.explorer.panel.query import PanelQuery
from bribeproof.explorer.panel.worst_case import describe_cases, explain
from tests.explorer.panel.page_reader import share_of


def _worst(n: int, k: int, *rates: float, loss: str = "squared") -> "bp.theory.WorstCase":
    worst = evaluate(PanelQuery(bp.Panel(n, k), bp.Expert(*rates), bp.theory.get_loss(loss))).worst
    assert isinstance(worst, bp.theory.WorstCase)
    return worst


@given(
    n=st.integers(1, 40),
    share=st.floats(0, 1),
    prior=st.integers(0, 100),
    rates=st.tuples(st.integers(0, 100), st.integers(0, 100)),
    loss=st.sampled_from(["squared", "absolute", "log"]),
)
def test_the_worst_case_is_told_as_its_witness_has_it(
    n: int, share: float, prior: int, rates: tuple[int, int], loss: str
) -> None:
    k = round(share * ((n - 1) // 2))
    found = _worst(n, k, prior / 100, max(rates) / 100, min(rates) / 100, loss=loss)
    rows = describe_cases(found)
    told = " ".join(explain(found))
    # Probabilities of the rows add up, and their mean loss is the one that is told (both are rounded).
    assert sum(share_of(row.probability) for row in rows) == pytest.approx(1, abs=0.02)
    if all(row.loss[0].isdigit() for row in rows):
        mean = sum(share_of(row.probability) * float(row.loss) for row in rows)
        assert mean == pytest.approx(found.expected_loss, rel=0.02, abs=2e-3)
    assert number(found.expected_loss) in told
    assert ("negative (" in told, "positive (" in told) == (prior < 100, prior > 0)
    for row in rows:
        seen, bribed = int(row.seen.split()[0]), 0 if row.bribed == "none" else int(row.bribed.split()[0])
        assert seen == int(row.truthful.split()[0]) + bribed
        assert row.forecast == percent(found.rule(seen))
        assert row.forecast in told


def test_the_worst_case_of_the_worked_example_in_sentences() -> None:
    told = [line.replace("\N{NO-BREAK SPACE}", " ") for line in explain(_worst(10, 2, 0.5, 0.8, 0.1))]
    assert told[0].startswith(
        "If the truth is positive (50 %), 2 of the 8 truthful vote positive with probability 26.7 %, and all with "
        "73.3 %; the 2 bribed vote negative. The rule sees 2 or 8 positive of 10"
    )
    assert "none of the 2 bribed vote positive in the first case, all in the second" in told[1]
    assert told[2].endswith("would lose 0. The difference, 0.1584, is the regret.")
