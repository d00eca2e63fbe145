"""Panels, experts and rules to find worst cases of."""

import numpy as np
from hypothesis import strategies as st

from bribeproof._typing import FloatArray
from bribeproof.theory import Expert, Panel
from tests.theory.strategies import panels

# Rates at and near 0 and 1 reach the irregular regimes; thirds and quarters put means on whole numbers.
rates = st.one_of(
    st.sampled_from([0.0, 0.02, 0.25, 1 / 3, 0.5, 2 / 3, 0.75, 0.98, 1.0]), st.integers(0, 100).map(lambda x: x / 100)
)
priors = st.floats(0.02, 0.98)


@st.composite
def experts(draw: st.DrawFn, prior: st.SearchStrategy[float] = priors) -> Expert:
    one, two = draw(rates), draw(rates)
    return Expert(draw(prior), max(one, two), min(one, two))


@st.composite
def cases(draw: st.DrawFn, largest: int = 9) -> tuple[FloatArray, Panel, Expert]:
    """A rule of any shape: rough, few-valued (full of ties), rising or constant."""
    panel = draw(panels(largest))
    size = panel.n + 1
    values = draw(
        st.one_of(
            st.lists(st.floats(0, 1), min_size=size, max_size=size),
            st.lists(st.sampled_from([0.0, 0.5, 1.0]), min_size=size, max_size=size),
            st.lists(st.floats(0.01, 0.99), min_size=size, max_size=size).map(sorted),
            st.sampled_from([0.0, 0.3, 1.0]).map(lambda value: [value] * size),
        )
    )
    return np.array(values), panel, draw(experts())
