"""Check what a certification is asked for, and read given weights."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from bribeproof._typing import FloatArray
from bribeproof._validation import real
from bribeproof.errors import ParameterError, ParameterTypeError


def check_rule(rule: object, k: object, weights: object, *, of_counts: bool, silence: bool, grouped: bool) -> None:
    """Raise an error unless the rule is known, and the other parameters apply to it."""
    allowed = "use 'plurality', 'isotonic', or a function of the reports on an item"
    if not callable(rule) and not isinstance(rule, str):
        raise ParameterTypeError(f"rule={rule!r}: {allowed}")
    if isinstance(rule, str) and rule not in ("plurality", "isotonic"):
        raise ParameterError(f"rule={rule!r}: {allowed}")
    if weights is not None and rule != "plurality":
        raise ParameterError("weights are for rule='plurality' alone: leave them out, or weigh within your function")
    if isinstance(rule, str) and (of_counts or not (silence or grouped)):
        raise ParameterError("of_counts and silence are for a function as the rule: leave them out")
    if not isinstance(rule, str) and grouped:
        raise ParameterError(
            "groups and prices are for rule='plurality' and 'isotonic': leave them out, and give k, the largest number "
            "of reporters that can be bribed together on an item"
        )
    if rule != "plurality" and k is None:
        raise ParameterError("k is needed for this rule: give the largest number of bribed reporters, such as k=2")


def check_time_limit(time_limit: float | None, rule: object, weights: object) -> None:
    """Raise an error unless a time limit is positive, and there is something to search."""
    if time_limit is None:
        return
    if rule != "plurality" or weights is not None:
        raise ParameterError("time_limit is for rule='plurality' without weights: leave it out")
    if real("time_limit", time_limit) <= 0:
        raise ParameterError(f"time_limit={time_limit}: give a number of seconds above 0, such as 60")


def read_weights(weights: Mapping[Any, float], reporters: Sequence[Any]) -> FloatArray:
    """Return the weight of each reporter; raise an error unless each has a number of at least 0, and some have more."""
    if not isinstance(weights, Mapping):
        raise ParameterTypeError(f"weights={weights!r}: give a mapping from reporters to numbers, such as {{'ann': 2}}")
    by_name = {str(name): weight for name, weight in weights.items()}
    absent = [name for name in reporters if str(name) not in by_name]
    if absent:
        raise ParameterError(f"weights has no weight for reporter {absent[0]!r}: give one for each of {len(reporters)}")
    try:
        values = np.array([float(by_name[str(name)]) for name in reporters])
    except (TypeError, ValueError):
        values = np.array([np.nan])
    if not (np.isfinite(values) & (values >= 0)).all() or not values.any():
        raise ParameterError("weights: give each reporter a finite number of at least 0, and one of them more than 0")
    values /= values.max()
    return values
