"""A run as a section of a page: the numbers in it are those of the run."""

import re
from math import comb

import pytest

from bribeproof.errors import ParameterError
from bribeproof.paper.ensemble.images import load_images
from bribeproof.paper.ensemble.models import Training
from bribeproof.paper.ensemble.page import replaced, section
from bribeproof.paper.ensemble.run import Outcome, run


@pytest.fixture(scope="module")
def outcome(tmp_path_factory: pytest.TempPathFactory) -> Outcome:
    folder = tmp_path_factory.mktemp("cache")
    return run(load_images("digits"), "8", Training(models=31, filters=4, patch=3, part=0.5), folder, groups=2)


def test_the_table_holds_the_losses_of_the_run(outcome: Outcome) -> None:
    lines = [line for line in section(outcome, "digits", "It took no time.").splitlines() if line.startswith("| ")]
    head, *rows = ([cell.strip() for cell in line.strip("|").split("|")] for line in lines)
    assert [row[0] for row in rows] == ["0", "10", "20", "30"]
    table = outcome.experiment.table
    for row in rows:
        for name, cell in zip(head[1:-1], row[1:-1], strict=True):
            rule, strategy = name.rsplit(", ", 1)
            losses = {
                found["squared_loss"]
                for found in table.filter(strategy=strategy, rule=rule, adversaries=int(row[0])).to_dicts()
                if found["assumed_k"] in (None, int(row[0]))
            }
            assert [f"{loss:.4f}" for loss in losses] == [cell]


def test_models_that_err_independently_by_adding_up_binomials(outcome: Outcome) -> None:
    expert, n = outcome.experiment.expert, outcome.experiment.models

    def at_least(count: int, rate: float) -> float:
        return sum(comb(n, yes) * rate**yes * (1 - rate) ** (n - yes) for yes in range(count, n + 1))

    wrong = expert.prior * (1 - at_least(16, expert.tpr)) + (1 - expert.prior) * at_least(16, expert.fpr)
    said = re.search(r"if models with these rates erred independently it would be ([\d.]+)%", section(outcome, "d", ""))
    assert said is not None
    assert float(said[1]) == pytest.approx(100 * wrong, abs=0.0051)


def test_a_page_without_a_place_for_it() -> None:
    for page in ("nothing", "<!-- x:begin -->", "<!-- y:begin --> <!-- y:end -->"):
        with pytest.raises(ParameterError, match="no place for x"):
            replaced(page, "x", "new")
