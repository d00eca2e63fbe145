"""Run the experiment on votes: add adversaries to an ensemble, and compute the losses of every rule."""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
import polars as pl
from numpy.typing import NDArray

from bribeproof._typing import BoolArray, IntArray
from bribeproof._validation import whole_number
from bribeproof.errors import ParameterError, ParameterTypeError
from bribeproof.paper.ensemble.experiment import adversaries as bribes
from bribeproof.paper.ensemble.experiment.rules import Competitor, competitors, costs_of
from bribeproof.paper.ensemble.experiment.votes import Votes
from bribeproof.theory import Expert

STRATEGIES = ("none", "extreme", "random", "worst")

_SCHEMA = {
    "strategy": pl.String,
    "adversaries": pl.Int64,
    "rule": pl.String,
    "assumed_k": pl.Int64,
    "squared_loss": pl.Float64,
    "squared_loss_sd": pl.Float64,
    "absolute_loss": pl.Float64,
    "absolute_loss_sd": pl.Float64,
    "accuracy": pl.Float64,
    "accuracy_sd": pl.Float64,
    "squared_regret": pl.Float64,
    "absolute_regret": pl.Float64,
    "guarantee": pl.Float64,
}


@dataclass(frozen=True, slots=True, eq=False)
class Experiment:
    """Losses of every rule, and the rates of the models.

    Attributes
    ----------
    table
        One row per strategy, number of adversaries and rule. ``assumed_k`` is the number of adversaries that the rule
        guards against, null for a rule that guards against none. ``squared_loss``, ``absolute_loss`` and ``accuracy``
        are means over the images, under the random strategy also over its groups; ``_sd`` is their standard deviation
        over the groups, null where there is only one outcome. A forecast of 1/2 is right with probability 1/2. A
        random dictator decides: its losses are the probability of a wrong decision. ``squared_regret`` and
        ``absolute_regret`` are the losses minus that of the benchmark. ``guarantee`` is the proven bound on the squared
        loss of the optimal and of the pairwise rule; null for other rules, and where the rule guards against fewer
        adversaries than there are.
    models, images
        Numbers of truthful models and of test images.
    expert
        Prior, rates and correlation of errors of truthful models that the rules use.
    rates
        One row per model: ``model``, ``accuracy``, ``tpr`` and ``fpr``.
    error_correlation
        Mean Pearson correlation of the errors of two models; None if it is undefined for all pairs.
    benchmark_accuracy
        Share of the images on which the benchmark is right.
    tally
        int (2, models + 1): the number of images for each truth and number of models that say yes.
    """

    table: pl.DataFrame
    models: int
    images: int
    expert: Expert
    rates: pl.DataFrame
    error_correlation: float | None
    benchmark_accuracy: float
    tally: IntArray

    def hindsight(self, k: int) -> float:
        """Return the least squared loss to k worst adversaries of any monotone rule, chosen for these very images."""
        return bribes.least_worst(self.tally, k)

    def informed(self, strategy: str) -> pl.DataFrame:
        """Return the rows of a strategy in which rules guard against the true number of adversaries, or none."""
        true_k = pl.col("assumed_k").is_null() | (pl.col("assumed_k") == pl.col("adversaries"))
        return self.table.filter(pl.col("strategy") == strategy, true_k)


def run_experiment(
    votes: BoolArray,
    truth: BoolArray,
    benchmark: BoolArray,
    expert: Expert,
    *,
    counts: Iterable[int] = range(0, 100, 5),
    groups: int = 50,
    seed: int = 0,
) -> Experiment:
    """Add adversaries to an ensemble and compare the rules.

    Parameters
    ----------
    votes : bool array of shape (models, images)
        Votes of N truthful models: whether the image is of the target class.
    truth : bool array of shape (images,)
        Whether each image is of the target class.
    benchmark : bool array of shape (images,)
        Votes of the model that was trained on everything.
    expert : Expert
        Prior and rates of a truthful model, for the optimal rules, and the correlation of errors, for the pairwise
        rule; estimated on other images.
    counts : iterable of int, default 0, 5, …, 95
        Numbers k of adversaries to add, each below N, none twice. The panel has n = N + k reporters.
    groups : int, default 50
        Number of groups of adversaries that are drawn for the random strategy, at least 1.
    seed : int, default 0
        Seed of the random strategy. The draws for a number of adversaries depend only on the seed and that number, not
        on the other numbers or the order of models or images.

    Returns
    -------
    Experiment
        The losses of every rule, and the rates of the models.

    Raises
    ------
    DataError
        An array that is not of booleans, has another shape or is empty.
    ParameterError
        No counts, a repeated one or one without a truthful majority, or another parameter outside its range.
    ParameterTypeError
        An expert of another type.

    Notes
    -----
    docs/theory.md §2 and §12. The strategies:

    * ``extreme``: all adversaries say the opposite of most truthful models; at a tie they say no;
    * ``random``: each says yes with probability 1/2, independently for each image;
    * ``worst``: for each image, rule and loss the number of them that say yes is the worst one, given the truth;
    * ``none``: no adversaries are added, n = N, and ``adversaries`` is 0. Its rows, one for each of ``counts`` below
      N/2 as ``assumed_k``, give the cost of protection where it is not needed.

    In the first three, the rules that guard against adversaries assume k, half of k rounded down, and double k if
    that is below n/2.

    A guarantee is a theorem for these images if the prior is the share of images of the target class and the rates are
    the means over the models; that of the pairwise rule, if the joint error rates are the means over their pairs, too.
    Given the truth yes the loss of the optimal rule decreases with the count, so that the worst adversaries say no, and
    it lies below the chord of docs/theory.md §2, whose mean depends only on the rate; the truth no is symmetric. A
    guarantee also holds with fewer adversaries than assumed, because any truthful models may count as adversaries: the
    loss is at most the largest for each choice of them, and the rates and joint rates of the others are, on average
    over all choices, those of all models.

    Examples
    --------
    >>> votes = np.array([[1, 1, 0, 0], [1, 0, 0, 0], [1, 1, 0, 1]], dtype=bool)
    >>> truth = np.array([1, 1, 0, 0], dtype=bool)
    >>> experiment = run_experiment(votes, truth, truth, Expert(prior=0.5, tpr=0.8, fpr=0.2), counts=[0, 1])
    >>> rows = experiment.table.filter(pl.col("rule").is_in(["mean", "trimmed mean"]), strategy="worst")
    >>> rows.select("adversaries", "rule", "assumed_k", pl.col("squared_loss").round(4), "accuracy").rows()
    [(0, 'mean', None, 0.0556, 1.0), (0, 'trimmed mean', 0, 0.0556, 1.0),
     (1, 'mean', None, 0.1562, 0.75), (1, 'trimmed mean', 0, 0.1562, 0.75), (1, 'trimmed mean', 1, 0.125, 0.75)]
    """
    given = Votes(votes, truth, benchmark)
    if not isinstance(expert, Expert):
        raise ParameterTypeError(f"expert = {expert!r} is not an Expert; give Expert(prior=..., tpr=..., fpr=...)")
    added = _checked_counts(counts, given.models)
    groups = whole_number("groups", groups, minimum=1)
    seed = whole_number("seed", seed)
    rows: dict[str, list[dict[str, object]]] = {strategy: [] for strategy in STRATEGIES}

    def add_rows(strategy: str, k: int, rules: tuple[Competitor, ...], outcomes: NDArray[np.float64]) -> None:
        rows[strategy] += [
            _row(strategy, k, rule, costs, given.benchmark_error) for rule, costs in zip(rules, outcomes, strict=True)
        ]

    tally = given.tally
    rules = competitors(given.models, added, expert)
    add_rows("none", 0, rules, bribes.worst(costs_of(rules), tally, 0))
    for k in added:
        rules = competitors(given.models + k, sorted({k // 2, k, 2 * k}), expert)
        costs = costs_of(rules)
        rng = np.random.default_rng([seed, k])
        add_rows("extreme", k, rules, bribes.extreme(costs, tally, k))
        add_rows("random", k, rules, bribes.random(costs, tally, k, groups, rng))
        add_rows("worst", k, rules, bribes.worst(costs, tally, k))
    return Experiment(
        table=pl.DataFrame([row for part in rows.values() for row in part], schema=_SCHEMA),
        models=given.models,
        images=given.images,
        expert=expert,
        rates=given.rates,
        error_correlation=given.error_correlation,
        benchmark_accuracy=1 - given.benchmark_error,
        tally=tally,
    )


def _checked_counts(counts: Iterable[int], models: int) -> tuple[int, ...]:
    """Return the numbers of adversaries; raise ParameterError for a repeated one or one without a truthful majority."""
    checked = tuple(whole_number("counts", count) for count in counts)
    if not checked:
        raise ParameterError("counts is empty; give at least one number of adversaries, such as 0")
    for count in checked:
        if checked.count(count) > 1:
            raise ParameterError(f"counts holds {count} more than once; give each number of adversaries once")
        if count >= models:
            raise ParameterError(
                f"counts holds {count}, as many adversaries as the {models} models or more; give at most {models - 1}"
            )
    return checked


def _row(
    strategy: str, adversaries: int, judged: Competitor, outcomes: NDArray[np.float64], benchmark: float
) -> dict[str, object]:
    """Return the row of the table for one rule, from its costs: an array of measures × outcomes."""
    squared, absolute, error = outcomes.mean(axis=1).tolist()
    spread = outcomes.std(axis=1, ddof=1).tolist() if outcomes.shape[1] > 1 else (None, None, None)
    return {
        "strategy": strategy,
        "adversaries": adversaries,
        "rule": judged.rule.name,
        "assumed_k": judged.assumed_k,
        "squared_loss": squared,
        "squared_loss_sd": spread[0],
        "absolute_loss": absolute,
        "absolute_loss_sd": spread[1],
        "accuracy": 1 - error,
        "accuracy_sd": spread[2],
        "squared_regret": squared - benchmark,
        "absolute_regret": absolute - benchmark,
        "guarantee": judged.guarantee(adversaries),
    }
