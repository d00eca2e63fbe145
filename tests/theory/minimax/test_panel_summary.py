"""A panel in numbers: what the page, the API and the command show of it."""

import pytest

from bribeproof.theory import Expert
from bribeproof.theory.minimax.panel_summary import describe_panel


@pytest.mark.parametrize("loss", ["absolute", "squared"])
def test_each_number_of_adversaries_is_described_as_if_it_alone_were_asked(loss: str) -> None:
    expert = Expert(0.4, 0.8, 0.1)
    sweep = describe_panel(9, 2, expert, loss)["sweep"]
    assert [row["k"] for row in sweep] == [0, 1, 2, 3, 4]
    for row in sweep:
        alone = describe_panel(9, row["k"], expert, loss)
        assert row == {name: alone[name] for name in row}
    regrets = [row["guarantee"]["regret"] for row in sweep]
    assert regrets == sorted(set(regrets))
