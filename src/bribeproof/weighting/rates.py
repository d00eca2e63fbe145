"""What is known of the truthful reporters: on average, or for each of them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from bribeproof._typing import FloatArray
from bribeproof.aggregation.combine import check_optional_expert
from bribeproof.calibration.result import Calibration
from bribeproof.errors import ParameterError
from bribeproof.frames.native import to_polars
from bribeproof.theory import Expert, ExpertInterval, MultiExpert, Panel
from bribeproof.theory.inference.error_rates import split_risk
from bribeproof.weighting.decide import AnyExpert


@dataclass(frozen=True, slots=True)
class Rates:
    """Error rates of the truthful reporters.

    Attributes
    ----------
    expert
        An expert with the prior, and as many classes.
    errors
        Error rates given a positive and a negative truth, or given each class: on average, shape (states,), or of each
        reporter, shape (states, reporters).
    confidence
        The probability that they hold; None if they are given.
    """

    expert: AnyExpert
    errors: FloatArray
    confidence: float | None = None


def find_rates(expert: object, names: Sequence[Any], k: int, *, of_each: bool) -> Rates | None:
    """Return the error rates that a user gave; None if there are none.

    Parameters
    ----------
    expert
        An expert, a mapping from reporters to experts of one prior, a calibration, or None.
    names
        The reporters.
    k
        How many reporters may be bribed.
    of_each
        Whether a calibration should give the rates of each reporter, instead of the average.

    Raises
    ------
    ParameterError
        If a reporter has no expert, or the experts differ in their priors or classes.
    ParameterTypeError
        If it is nothing of this kind.
    """
    if isinstance(expert, Calibration):
        return _calibrated(expert, names, k, of_each=of_each)
    if isinstance(expert, Mapping):
        by_name = {str(name): one for name, one in expert.items()}
        for name in names:
            if str(name) not in by_name:
                raise ParameterError(f"expert has no rates of reporter {name!r}: give an expert for each")
        experts = [by_name[str(name)] for name in names]
        for one in experts:
            check_optional_expert(one if one is not None else "nothing", Expert, ExpertInterval, MultiExpert)
        if len({(type(one), one.prior) for one in experts}) > 1:
            raise ParameterError("the experts of different reporters have different priors: give all the same")
        return Rates(experts[0], np.array([_errors(one) for one in experts]).T)
    check_optional_expert(expert, Expert, ExpertInterval, MultiExpert)
    return None if expert is None else Rates(expert, np.array(_errors(expert)))  # type: ignore[arg-type]


def _errors(expert: AnyExpert) -> tuple[float, ...]:
    """Return the error rates of an expert, given each state."""
    if isinstance(expert, MultiExpert):
        return tuple(1 - right for right in expert.accuracy)
    return 1 - expert.tpr, expert.fpr


def _calibrated(calibration: Calibration, names: Sequence[Any], k: int, *, of_each: bool) -> Rates:
    """Return the bounds that a calibration gives, for the reporters who are weighed."""
    panel = calibration.panel.n
    if panel <= 2 * k:
        raise ParameterError(
            f"{k:,} of the {panel:,} reporters of the calibration can be bribed, and these leave no honest majority: "
            f"give a smaller k or budget, or no expert"
        )
    calibration = calibration.with_k(k)
    expert = calibration.expert
    if not of_each:
        return Rates(expert, np.array(_errors(expert)), calibration.confidence)
    place = {str(name): index for index, name in enumerate(to_polars(calibration.reporters)["reporter"].to_list())}
    for name in names:
        if str(name) not in place:
            raise ParameterError(f"reporter {name!r} is not in the calibration: calibrate with the same reporters")
    _, risk = split_risk(calibration.confidence, known_prior=calibration.prior is not None)
    right = calibration.gold.reporter_bounds(Panel(calibration.panel.n, k), risk)
    chosen = [place[str(name)] for name in names]
    return Rates(expert, np.stack([1 - right[1, chosen], 1 - right[0, chosen]]), calibration.confidence)
