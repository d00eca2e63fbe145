"""What the tests of rules and guarantees share: the four losses, rates at the edges, small panels."""

import pytest
from hypothesis import strategies as st

from bribeproof.theory import Aggregator, Guarantee, Loss, Panel, cost
from tests.theory.worst_case_oracle import Loss as OracleLoss

LOSSES: dict[OracleLoss, Loss | str] = {
    "absolute": "absolute",
    "squared": "squared",
    "log": "log",
    (2.0, 0.7): cost(false_positive=2, false_negative=0.7),
}
each_loss = pytest.mark.parametrize("name", list(LOSSES), ids=str)
# Rates at and near 0 and 1 reach the irregular regimes.
rates = st.one_of(st.sampled_from([0.0, 0.02, 0.1, 0.5, 0.9, 0.98, 1.0]), st.integers(0, 100).map(lambda x: x / 100))


def guarantee_of(rule: Aggregator) -> Guarantee:
    assert rule.guarantee is not None
    return rule.guarantee


@st.composite
def panels(draw: st.DrawFn, largest: int = 12) -> Panel:
    n = draw(st.integers(1, largest))
    return Panel(n, draw(st.integers(0, (n - 1) // 2)))
