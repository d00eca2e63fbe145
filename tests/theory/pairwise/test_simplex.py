"""The simplex method against a solver, and on programs in which it could go round in circles."""

import numpy as np
import pytest
from scipy.optimize import linprog

from bribeproof.theory.pairwise.simplex import maximise


@pytest.mark.parametrize("whole", [False, True])
def test_the_optimum_of_random_programs(whole: bool) -> None:
    draw = np.random.default_rng(int(whole))
    for _ in range(100):
        rows, size = int(draw.integers(1, 7)), int(draw.integers(1, 60))
        # Slacks are the first basis; with whole numbers many limits are 0 and many steps gain nothing.
        free = draw.integers(-2, 3, (rows, size)).astype(float) if whole else draw.normal(size=(rows, size))
        free = np.vstack([free, np.ones(size)])
        columns = np.hstack([free, np.eye(rows + 1)])
        limits = np.append(draw.integers(0, 2, rows) if whole else draw.random(rows), 1.0)
        gains = np.append(draw.integers(-1, 3, size) * 1.0 if whole else draw.normal(size=size), np.zeros(rows + 1))
        found = maximise(gains, columns, limits, size + np.arange(rows + 1))
        assert found is not None
        other = linprog(-gains, A_eq=columns, b_eq=limits, method="highs")
        assert gains @ found.weights == pytest.approx(-other.fun, abs=1e-9)
        assert found.prices @ limits == pytest.approx(-other.fun, abs=1e-9)
        assert columns @ found.weights == pytest.approx(limits, abs=1e-9)
        assert (found.weights >= 0).all()
        assert (found.prices @ columns >= gains - 1e-9).all()
        assert set(np.flatnonzero(found.weights)) <= set(found.basis)


def test_a_basis_that_is_singular_gives_none() -> None:
    assert maximise(np.array([1.0, 0.0]), np.array([[1.0, 2], [1, 2]]), np.array([1.0, 1]), np.array([0, 1])) is None
