"""Voting classifier that bounds its loss when up to k of its models are corrupted."""
# ruff: noqa: N803 - scikit-learn calls the samples X

from collections.abc import Mapping, Sequence
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import ClassifierMixin
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import column_or_1d

from bribeproof._validation import check_unmasked
from bribeproof.errors import DataError, ParameterError
from bribeproof.learn.abstentions import flips_among
from bribeproof.learn.certified import CertifiedAccuracy
from bribeproof.learn.ensemble import VotingEnsemble
from bribeproof.learn.fitted_rule import fit_rule, forecasts_with_abstentions, rule_for, uses_prior_alone
from bribeproof.learn.votes import flip_distances, forecasts_by_count
from bribeproof.theory import (
    Expert,
    ExpertInterval,
    Guarantee,
    Loss,
    MultiExpert,
    Panel,
    PiecewiseLinear,
    dictator_shares,
    get_loss,
)


class RobustVotingClassifier(ClassifierMixin, VotingEnsemble):  # type: ignore[misc]
    """Voting classifier with a guarantee that holds when up to k models are corrupted.

    With two classes the forecast is that of `optimal_aggregator` for the number of models that vote for
    ``classes_[1]``. With more classes the forecast of a class is its share of the votes that remain when k votes of
    each class are ignored. The rates of an honest model are estimated from votes on samples that the models were not
    fitted on. Only the n − k worst of the n models count, so that a corrupted model gains nothing by posing as good.
    A masked vote, or one for something that is no class, is an abstention: it counts as an error where rates are
    estimated, and for no class where votes are combined.

    Parameters
    ----------
    estimators : list of (str, classifier)
        The models, by name; ``"drop"`` in the place of a model leaves it out.
    k : int, default 1
        Number of models that may be corrupted, below half of the models.
    loss : str or Loss, default "squared"
        Loss of the forecast: ``"squared"``, ``"absolute"``, ``"log"`` or a `Loss`. Only for two classes.
    expert : Expert, ExpertInterval or MultiExpert, optional
        The rates of an honest model, where they are known, and the correlation of errors; they are then not estimated.
        For more than two classes a `MultiExpert`, with its numbers in the order of ``classes_``; that guarantee is for
        any correlation.
    prefit : bool, default False
        Whether the models are fitted already. They then stay as they are, and `fit` estimates their rates from the
        samples that it is given, which must be others than the models were fitted on.
    cv : int, cross-validation generator or iterable of splits, default 5
        How samples are split to estimate the rates; each sample must be held out once.
    confidence : float, default 0.95
        Probability in (0, 1) with which `guarantee_` holds in spite of the sampling error of prior and rates; None for
        no such guarantee. It is exact for models that are ``prefit`` and samples that they were not fitted on. Others
        are judged by cross-validation and fitted again on all samples: the confidence is then nominal, and the fitted
        models are assumed to be no worse than those that were judged.
    ties : list of classes, optional
        All classes, in the order in which they win where forecasts are equal. By default the first in ``classes_``
        wins, which are sorted, as in `VotingClassifier`: for classes that are words the alphabet then decides.
    n_jobs : int, optional
        Number of models fitted in parallel; -1 for one on each processor.

    Attributes
    ----------
    classes_ : ndarray
        The classes, sorted.
    estimators_ : list of classifiers
        The fitted models, without those that are dropped.
    named_estimators_ : Bunch
        The fitted models by name; ``"drop"`` for those that are dropped.
    expert_ : Expert, ExpertInterval or MultiExpert
        The observed prior, the observed mean rates of the n − k worst models, and how often two of them err on the same
        sample; the `expert` where one is given.
    expert_bounds_ : ExpertInterval or None
        For two classes, bounds of the prior, of the mean rates of any n − k models and of how often two of them err
        together, which hold with `confidence`. None where there is no such guarantee, and where an `expert` is given.
    rule_ : PiecewiseLinear or None
        The forecast of ``classes_[1]`` for each number of votes. It is the best for bounds as in `expert_bounds_` that
        hold with even odds, which trust few samples less than `expert_` does; where the loss could then be infinite,
        for `expert_bounds_`; where they would have it ignore the votes, or with ``sample_weight``, for the rates of
        `expert_`. None for more than two classes.
    guarantee_ : Guarantee or None
        Bound on the expected loss that holds with `confidence`, whichever k models are corrupted and whatever they
        do; the guarantee for the `expert` where one is given. It is an average over samples drawn as those of `fit`
        were. For more than two classes the loss is one minus the forecast of the true class. None without
        `confidence`, and where ``sample_weight`` was given.
    plugin_guarantee_ : Guarantee or None
        The same bound with the observed prior and rates in the place of the true ones: an estimate, which the true
        worst case exceeds in about half of all cases. None where an `expert` is given.
    n_features_in_ : int
        Number of features, if the models record it.
    feature_names_in_ : ndarray of str
        Names of the features, if the models record them.

    See Also
    --------
    sklearn.ensemble.VotingClassifier : Counts the votes as if no model were corrupted.

    Notes
    -----
    docs/theory.md §2, §6, §8, §12, and Proposition 15.4 for abstentions.

    It takes the place of ``VotingClassifier(voting="hard")``, and has the forecast of soft voting too. The models are
    fitted on the classes as they are, not on numbers in their place. ``sample_weight`` goes to the models, and weighs
    the samples from which rates and prior are estimated; other metadata go to the models that request them. Cloning,
    as in `GridSearchCV`, forgets what models were fitted to: there wrap fitted models in
    `sklearn.frozen.FrozenEstimator`, and leave out ``prefit``.

    Examples
    --------
    >>> from sklearn.datasets import make_classification
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> samples, classes = make_classification(500, class_sep=2.0, random_state=0)
    >>> trees = [(f"tree{i}", DecisionTreeClassifier(max_depth=3, random_state=i)) for i in range(5)]
    >>> vote = RobustVotingClassifier(trees, k=1).fit(samples, classes)
    >>> vote.predict(samples[:3]), vote.flips_needed(samples[:3])
    (array([1, 1, 1]), array([3, 3, 3]))
    """

    expert_: Expert | ExpertInterval | MultiExpert
    expert_bounds_: ExpertInterval | None
    rule_: PiecewiseLinear | None
    guarantee_: Guarantee | None
    plugin_guarantee_: Guarantee | None

    def __init__(
        self,
        estimators: list[tuple[str, Any]],
        *,
        k: int = 1,
        loss: str | Loss = "squared",
        expert: Expert | ExpertInterval | MultiExpert | None = None,
        prefit: bool = False,
        cv: Any = 5,
        confidence: float | None = 0.95,
        ties: Sequence[Any] | None = None,
        n_jobs: int | None = None,
    ) -> None:
        self.estimators = estimators
        self.k = k
        self.loss = loss
        self.expert = expert
        self.prefit = prefit
        self.cv = cv
        self.confidence = confidence
        self.ties = ties
        self.n_jobs = n_jobs

    def fit(self, X: Any, y: Any, **fit_params: Any) -> Self:
        """Fit the models, and estimate the rates of an honest one.

        Parameters
        ----------
        X : array-like, sparse matrix or data frame of shape (n_samples, n_features)
            The samples.
        y : array-like of shape (n_samples,)
            Their classes.
        **fit_params
            ``sample_weight`` for all models or, with metadata routing, whatever a model requests.

        Returns
        -------
        RobustVotingClassifier
            The estimator itself.

        Raises
        ------
        DataError
            Fewer than two classes, or a model that votes for none of them.
        ParameterError
            A parameter outside its range, k of at least half of the models, or an expert that does not fit the
            number of classes.
        """
        check_unmasked("y", y)
        check_classification_targets(y)
        y = column_or_1d(y, warn=True)
        panel, loss = Panel(len(self._active_models()), self.k), get_loss(self.loss)
        self.classes_ = np.unique(y)
        if len(self.classes_) < 2:
            raise DataError(f"y has {len(self.classes_)} class ({y[:1]}): give samples of two classes or more")
        self._tie_order = self._checked_ties()
        self._fit_models(X, y, fit_params)
        if self.expert is None:
            votes = self._checked_votes(X, y, fit_params)
            found = fit_rule(panel, loss, votes, y, self.classes_, self.confidence, fit_params.get("sample_weight"))
        else:
            found = rule_for(panel, loss, self._checked_expert())
        self.expert_, self.expert_bounds_, self.rule_ = found.expert, found.expert_bounds, found.rule
        self.guarantee_, self.plugin_guarantee_ = found.guarantee, found.plugin_guarantee
        return self

    def predict_proba(self, X: Any) -> NDArray[np.float64]:
        """Return the forecast of each class.

        Parameters
        ----------
        X : array-like, sparse matrix or data frame of shape (n_samples, n_features)
            The samples.

        Returns
        -------
        ndarray of shape (n_samples, n_classes)
            Forecasts in [0, 1], in the order of `classes_`. With more than two classes the prior, where no class has
            more than k votes; where the votes cannot improve on the prior, the likeliest class for certain. With two
            classes the prior, where at most k models vote for a class. A vote for something that is no class is not
            counted.
        """
        return self._forecasts(self._count_votes(X))

    def _forecasts(self, counts: NDArray[np.int64]) -> NDArray[np.float64]:
        """Return the forecasts for some counts of votes."""
        if self.rule_ is not None:
            if (counts.sum(axis=1) == self.rule_.n).all():
                forecast = forecasts_by_count(self.rule_)[counts[:, 1]]
            else:
                forecast = forecasts_with_abstentions(self.rule_, self.k, self.expert_, self.loss)[
                    counts[:, 1], counts[:, 0]
                ]
            return np.column_stack([1 - forecast, forecast])
        if uses_prior_alone(self.plugin_guarantee_ or self.guarantee_):
            return np.tile(np.eye(len(self.classes_))[np.argmax(self.expert_.prior)], (len(counts), 1))
        decided = counts.max(axis=1, keepdims=True) > self.k
        return np.where(decided, dictator_shares(counts, self.k), self.expert_.prior)

    def predict(self, X: Any) -> NDArray[Any]:
        """Return the class with the highest forecast; of equals the first in `ties`.

        Parameters
        ----------
        X : array-like, sparse matrix or data frame of shape (n_samples, n_features)
            The samples.

        Returns
        -------
        ndarray of shape (n_samples,)
            The predicted classes.
        """
        forecasts = self.predict_proba(X)
        likeliest: NDArray[Any] = self.classes_[self._likeliest(forecasts)]
        return likeliest

    def _likeliest(self, forecasts: NDArray[np.float64]) -> NDArray[np.int64]:
        """Return the position of the class with the highest forecast."""
        first: NDArray[np.int64] = self._tie_order[forecasts[:, self._tie_order].argmax(axis=1)]
        return first

    def flips_needed(self, X: Any) -> NDArray[np.int64]:
        """Return the smallest number of models whose changed votes would undo the decision.

        Parameters
        ----------
        X : array-like, sparse matrix or data frame of shape (n_samples, n_features)
            The samples.

        Returns
        -------
        ndarray of int64, shape (n_samples,)
            Number of changed votes after which the predicted class no longer wins outright; 0 where it does not win
            as it is (a forecast of one half, at most k votes for any class at all or, with more than two classes, a
            tie of the most votes, or no class with more than k). One more than there are models where no votes change
            the decision. A changed vote may also be that of a model that abstains.
        """
        return self._flips(self._count_votes(X))

    def _flips(self, counts: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return the flips needed for some counts of votes."""
        n = len(self.estimators_)
        if self.rule_ is not None:
            if (counts.sum(axis=1) == n).all():
                return flip_distances(forecasts_by_count(self.rule_))[counts[:, 1]]
            return flips_among(
                forecasts_with_abstentions(self.rule_, self.k, self.expert_, self.loss),
                self.k,
                counts[:, 1],
                counts[:, 0],
            )
        if uses_prior_alone(self.plugin_guarantee_ or self.guarantee_):
            return np.full(len(counts), n + 1, dtype=np.int64)
        second, first = np.sort(counts, axis=1)[:, -2:].T
        return np.asarray(np.clip(-((second - first) // 2), 0, np.maximum(first - self.k, 0)), dtype=np.int64)

    def _winner(self, counts: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return the position of the class that wins outright for some counts of votes, −1 where none does."""
        return np.where(self._flips(counts) > 0, self._likeliest(self._forecasts(counts)), -1)

    def certified_accuracy(
        self, X: Any, y: Any, k: int | None = None, *, same_models: bool = False
    ) -> CertifiedAccuracy:
        """Return how often predictions are right whatever votes k models give, with a lower bound.

        Parameters
        ----------
        X : array-like, sparse matrix or data frame of shape (n_samples, n_features)
            Samples that neither the models nor the rule were fitted on, drawn independently like those that come.
        y : array-like of shape (n_samples,)
            Their classes.
        k : int, optional
            Number of models that may be corrupted, on these samples too; by default the `k` of the classifier.
        same_models : bool, default False
            Whether the same k models are corrupted on all samples. The worst k are found by trying all, which takes
            time for many models, and are named in the result.

        Returns
        -------
        CertifiedAccuracy
            How many samples are predicted rightly and stay so whichever k votes are changed to other classes or, with
            `same_models`, whatever the worst k models vote; a tie counts as wrong. Its lower bound holds with
            `confidence` (0.95 where that is None), however the models err together, for k models that are fixed before
            the samples are drawn, or corrupted after these.

        Raises
        ------
        DataError
            If there are no samples, or not one class for each.
        ParameterError
            If k is no count, or lists of k models are too many to try.

        Notes
        -----
        docs/theory.md, Propositions 13.1 and 14.2.
        """
        check_unmasked("y", y)
        truth, decided = column_or_1d(y, warn=True), self.predict(X)
        if len(truth) != len(decided) or not len(truth):
            raise DataError(
                f"X has {len(decided)} samples and y {len(truth)}: give one class for each, and some samples"
            )
        most, confidence = self.k if k is None else k, self.confidence or 0.95
        if not same_models:
            return CertifiedAccuracy.of(np.where(decided == truth, self.flips_needed(X), 0), most, confidence)
        names = tuple(self._active_models())
        votes, right = self._positions(self.votes(X)), self._positions(truth)
        return CertifiedAccuracy.of_same_models(votes, right, len(self.classes_), self._winner, most, names, confidence)

    def _checked_expert(self) -> Expert | ExpertInterval | MultiExpert:
        """Return the expert that the user gave; raise ParameterError unless it fits the number of classes."""
        m, expert = len(self.classes_), self.expert
        if m == 2 and isinstance(expert, Expert | ExpertInterval):
            return expert
        if m > 2 and isinstance(expert, MultiExpert) and expert.states == m:
            return expert
        wanted = "an Expert or an ExpertInterval" if m == 2 else f"a MultiExpert of {m} states"
        raise ParameterError(f"expert = {expert!r} does not fit the {m} classes of y; give {wanted}")

    def _checked_ties(self) -> NDArray[np.int64]:
        """Return the positions of the classes in the order in which they win ties; raise ParameterError if not all."""
        order = list(self.classes_) if self.ties is None else list(self.ties)
        positions = [np.flatnonzero([bool(name == one) for name in self.classes_]) for one in order]
        flat = np.array([int(found[0]) if found.size else -1 for found in positions], dtype=np.int64)
        if sorted(flat.tolist()) != list(range(len(self.classes_))):
            raise ParameterError(f"ties = {self.ties!r}: give each class of y once, such as {self.classes_.tolist()}")
        return flat

    def _checked_votes(self, X: Any, y: NDArray[Any], fit_params: Mapping[str, Any]) -> NDArray[Any]:
        """Return held-out votes, one row for each class of y; each model must vote for some class of y."""
        votes = self._held_out_votes(X, y, fit_params)
        if len(votes) != len(y):
            raise DataError(f"X has {len(votes)} samples and y {len(y)}: give one class for each sample")
        for number, voted in enumerate(np.any([votes == name for name in self.classes_], axis=0).any(axis=0)):
            if not voted:
                raise DataError(
                    f"model {number} votes for {votes[0, number]!r}, which is no class of y, and for none that is: "
                    "fit it on the classes of y"
                )
        return votes

    def _count_votes(self, X: Any) -> NDArray[np.int64]:
        """Count the votes for each class."""
        votes = self.votes(X)
        return np.stack([np.count_nonzero(votes == name, axis=1) for name in self.classes_], axis=1).astype(np.int64)
