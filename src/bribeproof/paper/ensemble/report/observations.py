"""Check the statements of the paper about its experiment on the results of a run."""

from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise

from bribeproof.errors import ParameterError
from bribeproof.paper.ensemble.experiment.run import Experiment
from bribeproof.paper.ensemble.report.ranges import ranges

CLOSE = 0.01
"""Losses and accuracies that differ by at most this are close."""
_ROUNDING = 1e-12
_OPTIMAL, _MEAN, _MAJORITY, _TRIMMED = "optimal (squared)", "mean", "majority", "trimmed mean"
_DICTATOR, _TRIMMED_DICTATOR = "random dictator", "trimmed random dictator"


@dataclass(frozen=True, slots=True)
class Observation:
    """A statement of the paper about the experiment, and whether it holds.

    Attributes
    ----------
    name
        Short name.
    statement
        The statement, in our words.
    holds
        Whether it holds in the run.
    evidence
        The numbers behind it.
    """

    name: str
    statement: str
    holds: bool
    evidence: str


def observe(experiment: Experiment) -> tuple[Observation, ...]:
    """Check all statements of the paper about its figures.

    Parameters
    ----------
    experiment
        A run with adversaries. Rules that guard against adversaries are taken at their true number.

    Returns
    -------
    tuple of Observation
        In the order of the paper.

    Raises
    ------
    ParameterError
        A run without adversaries.
    """
    if not (experiment.table["adversaries"] > 0).any():
        raise ParameterError("the experiment has no adversaries; run it with some, such as counts=[0, 5]")
    return tuple(check(experiment) for check in _CHECKS)


def _line(experiment: Experiment, strategy: str, rule: str, measure: str) -> dict[int, float]:
    """Return a measure of a rule for each number of adversaries."""
    rows = experiment.informed(strategy).filter(rule=rule)
    return dict(rows.sort("adversaries").select("adversaries", measure).iter_rows())


def _best(experiment: Experiment) -> Observation:
    """Check that the optimal rule has the least squared regret against extreme adversaries."""
    lines = {name: _line(experiment, "extreme", name, "squared_loss") for name in (_OPTIMAL, _MAJORITY, _MEAN)}
    beaten = {
        k: min(lines, key=lambda name: lines[name][k])
        for k, loss in lines[_OPTIMAL].items()
        if loss > min(line[k] for line in lines.values()) + _ROUNDING
    }
    by = ", ".join(
        f"{name} at {ranges([k for k in beaten if beaten[k] == name], lines[_OPTIMAL])}"
        for name in dict.fromkeys(beaten.values())
    )
    return Observation(
        "best against the extreme",
        "The piecewise linear rule has the least squared regret at every number of extreme adversaries, of it, the "
        "majority and the average.",
        not beaten,
        f"at {len(lines[_OPTIMAL]) - len(beaten)} of {len(lines[_OPTIMAL])} numbers"
        + (f"; beaten by the {by}" if by else ""),
    )


def _close(
    name: str, statement: str, first: str, second: str, strategy: str, measure: str
) -> Callable[[Experiment], Observation]:
    """Return a function that checks whether two rules are close."""

    def check(experiment: Experiment) -> Observation:
        lines = [_line(experiment, strategy, rule, measure) for rule in (first, second)]
        apart = {k: abs(lines[0][k] - lines[1][k]) for k in lines[0]}
        worst = max(apart, key=lambda k: apart[k])
        near = [k for k in apart if apart[k] <= CLOSE]
        evidence = f"{apart[worst]:.4f} apart at most, at {worst} adversaries; within {CLOSE} at {ranges(near, apart)}"
        return Observation(name, statement, apart[worst] <= CLOSE, evidence)

    return check


def _majority_stays_right(experiment: Experiment) -> Observation:
    """Check that the majority is still right if there are many adversaries."""
    line = _line(experiment, "extreme", _MAJORITY, "accuracy")
    fallen = {k: line[min(line)] - accuracy for k, accuracy in line.items()}
    worst = max(fallen, key=lambda k: fallen[k])
    return Observation(
        "the majority stays right",
        "Even where extreme adversaries are many the majority is still right.",
        fallen[worst] <= CLOSE,
        f"its accuracy falls by {fallen[worst]:.4f} at most, at {worst} adversaries; by no more than {CLOSE} at "
        f"{ranges([k for k in fallen if fallen[k] <= CLOSE], fallen)}",
    )


def _average_collapses(experiment: Experiment) -> Observation:
    """Check that averaging does well against few extreme adversaries and badly against many."""
    mean, optimal = (_line(experiment, "extreme", name, "squared_loss") for name in (_MEAN, _OPTIMAL))
    first, last = min(mean), max(mean)
    good = [k for k in mean if mean[k] <= optimal[k] + CLOSE]
    return Observation(
        "averaging is sensitive",
        "Averaging does well against few extreme adversaries, and badly against many.",
        first in good and last not in good,
        f"squared loss {mean[first]:.4f} to {mean[last]:.4f}, of the optimal rule {optimal[first]:.4f} to "
        f"{optimal[last]:.4f}; no more than {CLOSE} behind it at {ranges(good, mean)}",
    )


def _random_is_milder(experiment: Experiment) -> Observation:
    """Check that random adversaries hurt less than extreme ones."""
    rules = (_OPTIMAL, _MAJORITY, _MEAN)
    lines = {
        (strategy, rule): _line(experiment, strategy, rule, "squared_loss")
        for strategy in ("extreme", "random")
        for rule in rules
    }
    pairs = [(rule, k) for rule in rules for k in lines["extreme", rule] if k]
    worse = [(rule, k) for rule, k in pairs if lines["random", rule][k] > lines["extreme", rule][k] + _ROUNDING]
    return Observation(
        "random is milder",
        "No rule loses more to random adversaries than to extreme ones.",
        not worse,
        f"in {len(pairs) - len(worse)} of {len(pairs)} cases of the three rules",
    )


def _majority_is_unmoved(experiment: Experiment) -> Observation:
    """Check that random adversaries do not change what the majority loses."""
    line = _line(experiment, "random", _MAJORITY, "squared_loss")
    moved = max(abs(loss - line[min(line)]) for loss in line.values())
    return Observation(
        "the majority is unmoved",
        "Random adversaries do not change what the majority loses.",
        moved <= CLOSE,
        f"its squared loss moves by {moved:.4f} at most",
    )


def _average_is_best_among_few(experiment: Experiment) -> Observation:
    """Check that averaging beats the optimal rule against few random adversaries."""
    mean, optimal = (_line(experiment, "random", name, "squared_loss") for name in (_MEAN, _OPTIMAL))
    ahead = [k for k in mean if k and mean[k] < optimal[k]]
    fewest = min(k for k in mean if k)
    return Observation(
        "averaging wins among few",
        "Against few random adversaries averaging beats the piecewise linear rule, which is too cautious there.",
        fewest in ahead,
        f"averaging loses less at {ranges(ahead, [k for k in mean if k])} adversaries",
    )


def _selection_degrades(experiment: Experiment) -> Observation:
    """Check that following a random model gets worse with every adversary."""
    plain, trimmed = (_line(experiment, "extreme", name, "accuracy") for name in (_DICTATOR, _TRIMMED_DICTATOR))
    values = [plain[k] for k in sorted(plain)]
    falls = all(later < earlier for earlier, later in pairwise(values))
    last = max(plain)
    return Observation(
        "random selection degrades",
        "Following one random model gets worse the more adversaries there are.",
        falls,
        f"accuracy {values[0]:.3f} to {values[-1]:.3f}; trimmed, {trimmed[min(trimmed)]:.3f} to {trimmed[last]:.3f}",
    )


_CHECKS: tuple[Callable[[Experiment], Observation], ...] = (
    _best,
    _close(
        "the majority is close", "The majority is close to the piecewise linear rule under the squared loss.",
        _MAJORITY, _OPTIMAL, "extreme", "squared_loss",
    ),
    _majority_stays_right,
    _average_collapses,
    _random_is_milder,
    _majority_is_unmoved,
    _average_is_best_among_few,
    _close(
        "close under the absolute loss",
        "Under the absolute loss the optimal rule, here the trimmed mean, and the majority are close.",
        _TRIMMED, _MAJORITY, "extreme", "absolute_loss",
    ),
    _close(
        "selection with trimming is like the majority",
        "Following a random model that is left after trimming is as accurate as the majority.",
        _TRIMMED_DICTATOR, _MAJORITY, "extreme", "accuracy",
    ),
    _selection_degrades,
)  # fmt: skip
