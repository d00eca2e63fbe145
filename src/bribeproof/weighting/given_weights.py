"""Read the weights that a user gave."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from bribeproof._typing import FloatArray
from bribeproof.errors import ParameterError, ParameterTypeError


def read_weights(weights: Mapping[Any, float], names: Sequence[Any]) -> FloatArray:
    """Return the weights of the reporters that the user gave, scaled so that the largest is 1."""
    if not isinstance(weights, Mapping):
        raise ParameterTypeError(f"weights={weights!r}: give a mapping from reporters to numbers, such as {{'ann': 2}}")
    by_name = {str(name): weight for name, weight in weights.items()}
    for name in names:
        if str(name) not in by_name:
            raise ParameterError(f"weights has no weight for reporter {name!r}: give one for each of the {len(names)}")
    try:
        values = np.array([float(by_name[str(name)]) for name in names])
    except (TypeError, ValueError):
        values = np.array([np.nan])
    if not (np.isfinite(values) & (values >= 0)).all():
        raise ParameterError("weights has a weight that is no number of at least 0: give one such for each reporter")
    if not values.any():
        raise ParameterError("all weights are 0: nobody has a say; give at least one reporter some weight")
    values /= values.max()
    return values
