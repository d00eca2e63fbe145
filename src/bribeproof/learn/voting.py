"""A voting classifier whose forecast k poisoned models cannot buy."""
# ruff: noqa: N803 - scikit-learn calls the samples X

from collections.abc import Mapping
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from sklearn import get_config
from sklearn.base import ClassifierMixin, MetaEstimatorMixin, clone, is_classifier
from sklearn.model_selection import check_cv, cross_val_predict
from sklearn.utils import Bunch, get_tags
from sklearn.utils.metadata_routing import MetadataRouter, MethodMapping, process_routing
from sklearn.utils.metaestimators import _BaseComposition
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.parallel import Parallel, delayed
from sklearn.utils.validation import check_is_fitted, column_or_1d

from bribeproof.errors import DataError, ParameterError
from bribeproof.learn.votes import count_gold, flips, learnt_expert, rates, settled_forecasts, side_by_side
from bribeproof.theory import (
    Basis,
    Expert,
    ExpertInterval,
    Guarantee,
    Loss,
    MultiExpert,
    Panel,
    PiecewiseLinear,
    dictator_guarantee,
    dictator_shares,
    get_loss,
    optimal_aggregator,
)


class RobustVotingClassifier(ClassifierMixin, MetaEstimatorMixin, _BaseComposition):  # type: ignore[misc]
    """Voting classifier whose answer up to k corrupted models cannot buy, with a guarantee.

    Of two classes the forecast is that of `optimal_aggregator` for the number of models that vote for
    ``classes_[1]``. Of more it is the share of the class among the votes that are left after k of each class are
    ignored. What a sound model knows is learnt from votes on samples that the models were not fitted on; of the n
    models the n − k worst count, so that a model that only poses as a good one gains nothing.

    Parameters
    ----------
    estimators : list of (str, classifier)
        The models, by name; one that is ``"drop"`` is left out.
    k : int, default 1
        How many models may be corrupted: a head count, below half of the models.
    loss : str or Loss, default "squared"
        The loss of the forecast: ``"squared"``, ``"absolute"``, ``"log"`` or a `Loss`. Of two classes only.
    expert : Expert, ExpertInterval or MultiExpert, optional
        What one sound model knows, where that is known: then it is not learnt. A `MultiExpert`, with its numbers in
        the order of ``classes_``, for more than two classes.
    prefit : bool, default False
        The models are fitted already and stay as they are; `fit` learns from new samples what they know.
    cv : int, cross-validation generator or iterable of splits, default 5
        How samples are split to learn what the models know; each must be held out once.
    confidence : float, optional
        Probability in (0, 1) with which the guarantee shall hold in spite of the chance in the samples, for two
        classes. By default the rates are taken as observed. It is exact for models that are ``prefit``; others are
        fitted again on all samples, and expected to be no worse for it.
    n_jobs : int, optional
        How many models are fitted at a time; -1 for one on each processor.

    Attributes
    ----------
    classes_ : ndarray
        The classes, sorted.
    estimators_ : list of classifiers
        The fitted models, without those that are dropped.
    named_estimators_ : Bunch
        The same by name, with those that are dropped.
    expert_ : Expert, ExpertInterval or MultiExpert
        What one sound model knows at least.
    rule_ : PiecewiseLinear or None
        The forecast of ``classes_[1]`` for each number of votes. None for more than two classes.
    guarantee_ : Guarantee or None
        What the expected loss never exceeds, whichever k models are corrupted and whatever they do. For more than
        two classes the loss is one minus the forecast of the true class. None for a loss of one's own without one.
    n_features_in_ : int
        How many features there are, if the models say so.
    feature_names_in_ : ndarray of str
        The names of the features, if the models say so.

    See Also
    --------
    sklearn.ensemble.VotingClassifier : Counts votes as if all models were sound.

    Notes
    -----
    theory.md §2, §6 and §8. The models are fitted on the classes as they are. ``sample_weight`` goes to them and weighs
    the samples from which rates and prior are learnt; other metadata go to the models that ask for them. Cloning, as
    `GridSearchCV` and its kind do, forgets what models were fitted to: wrap fitted ones in
    `sklearn.frozen.FrozenEstimator` there, without ``prefit``.

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

    def __init__(
        self,
        estimators: list[tuple[str, Any]],
        *,
        k: int = 1,
        loss: str | Loss = "squared",
        expert: Expert | ExpertInterval | MultiExpert | None = None,
        prefit: bool = False,
        cv: Any = 5,
        confidence: float | None = None,
        n_jobs: int | None = None,
    ) -> None:
        self.estimators = estimators
        self.k = k
        self.loss = loss
        self.expert = expert
        self.prefit = prefit
        self.cv = cv
        self.confidence = confidence
        self.n_jobs = n_jobs

    def fit(self, X: Any, y: Any, **fit_params: Any) -> Self:
        """Fit the models, and learn what they know.

        Parameters
        ----------
        X : array-like, sparse matrix or frame of shape (n_samples, n_features)
            The samples.
        y : array-like of shape (n_samples,)
            Their classes.
        **fit_params
            ``sample_weight`` for all models or, with metadata routing, whatever a model asks for.

        Returns
        -------
        RobustVotingClassifier
            The estimator itself.

        Raises
        ------
        DataError
            Fewer than two classes, or fitted models that vote for others.
        ParameterError
            A parameter outside its range, half of the models or more that may be corrupted, or an expert that does
            not fit the number of classes.
        """
        check_classification_targets(y)
        y = column_or_1d(y, warn=True)
        models = self._kept()
        panel, loss = Panel(len(models), self.k), get_loss(self.loss)
        self.classes_ = np.unique(y)
        if len(self.classes_) < 2:
            raise DataError(f"y has {len(self.classes_)} class ({y[:1]}): give samples of two classes or more")
        params = self._routed(models, fit_params)
        if self.prefit:
            for model in models.values():
                check_is_fitted(model)
            self.estimators_ = list(models.values())
        else:
            self.estimators_ = Parallel(n_jobs=self.n_jobs)(
                delayed(_fitted)(clone(model), X, y, params[name]) for name, model in models.items()
            )
        self._remember(models)
        self.expert_ = self._given() if self.expert is not None else self._learnt(panel, X, y, fit_params)
        if isinstance(self.expert_, MultiExpert):
            self.rule_: PiecewiseLinear | None = None
            self.guarantee_: Guarantee | None = dictator_guarantee(panel, self.expert_)
        else:
            self.rule_ = optimal_aggregator(panel, self.expert_, loss)
            self.guarantee_ = self.rule_.guarantee
        return self

    def votes(self, X: Any) -> NDArray[Any]:
        """Return the class that each model votes for: an array of shape (n_samples, n_models)."""
        check_is_fitted(self)
        return side_by_side([model.predict(X) for model in self.estimators_])

    def predict_proba(self, X: Any) -> NDArray[np.float64]:
        """Return the forecast of each class, in the order of `classes_`: an array of shape (n_samples, n_classes).

        Where no class of more than two has more than k votes, it is their prior; where no votes at all would promise
        more, it is the likeliest class for sure. A vote for something that is no class counts for none.
        """
        counts = self._counts(X)
        if self.rule_ is not None:
            forecast = settled_forecasts(self.rule_)[counts[:, 1]]
            return np.column_stack([1 - forecast, forecast])
        if self._prior_alone():
            return np.tile(np.eye(len(self.classes_))[np.argmax(self.expert_.prior)], (len(counts), 1))
        decided = counts.max(axis=1, keepdims=True) > self.k
        return np.where(decided, dictator_shares(counts, self.k), self.expert_.prior)

    def predict(self, X: Any) -> NDArray[Any]:
        """Return the class with the highest forecast, the first of equals: an array of shape (n_samples,)."""
        places = self.predict_proba(X).argmax(axis=1)
        likeliest: NDArray[Any] = self.classes_[places]
        return likeliest

    def flips_needed(self, X: Any) -> NDArray[np.int64]:
        """Return the fewest models that must change their votes so that the decision is no longer won outright.

        Parameters
        ----------
        X : array-like, sparse matrix or frame of shape (n_samples, n_features)
            The samples.

        Returns
        -------
        ndarray of int64, shape (n_samples,)
            0 where it is not won: a forecast of one half or, of more than two classes, a tie of the most votes, or no
            class with more than k. One more than there are models where no votes change it.
        """
        counts = self._counts(X)
        n = len(self.estimators_)
        if self.rule_ is not None:
            return flips(settled_forecasts(self.rule_))[counts[:, 1]]
        if self._prior_alone():
            return np.full(len(counts), n + 1, dtype=np.int64)
        second, first = np.sort(counts, axis=1)[:, -2:].T
        return np.asarray(np.clip(-((second - first) // 2), 0, np.maximum(first - self.k, 0)), dtype=np.int64)

    def get_params(self, deep: bool = True) -> dict[str, Any]:  # noqa: FBT001, FBT002 - scikit-learn's signature
        """Return the parameters, with ``deep`` also the models by name and their parameters."""
        found: dict[str, Any] = self._get_params("estimators", deep=deep)
        return found

    def set_params(self, **params: Any) -> Self:
        """Set parameters, models by name (``"drop"`` to leave one out), or parameters of models as name__parameter."""
        self._set_params("estimators", **params)
        return self

    def get_metadata_routing(self) -> MetadataRouter:
        """Return which metadata `fit` hands on to which model."""
        router = MetadataRouter(owner=self)
        for name, model in self.estimators:
            router.add(**{name: model}, method_mapping=MethodMapping().add(callee="fit", caller="fit"))
        return router

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        models = [pair[1] for pair in self.estimators] if self._well_formed() else []
        inputs = [get_tags(model).input_tags for model in models if hasattr(model, "__sklearn_tags__")]
        tags.input_tags.sparse = all(each.sparse for each in inputs)
        tags.input_tags.allow_nan = all(each.allow_nan for each in inputs)
        return tags

    def _well_formed(self) -> bool:
        """Say whether the estimators are pairs of a name and something."""
        return isinstance(self.estimators, list) and all(
            isinstance(pair, tuple | list) and len(pair) == 2 and isinstance(pair[0], str) for pair in self.estimators
        )

    def _kept(self) -> dict[str, Any]:
        """Return the models that are not dropped, by name."""
        if not self._well_formed():
            raise ParameterError(f"estimators = {self.estimators!r}: give a list of (name, classifier)")
        self._validate_names([name for name, _ in self.estimators])
        kept = {name: model for name, model in self.estimators if not isinstance(model, str) or model != "drop"}
        if not kept:
            raise ParameterError("estimators are none, or all dropped: give at least one classifier")
        for name, model in kept.items():
            if not is_classifier(model):
                raise ParameterError(f"estimator {name!r} = {model!r} is no classifier; give one, or 'drop'")
        return kept

    def _routed(self, models: Mapping[str, Any], fit_params: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
        """Return what each model's fit gets beside X and y."""
        if get_config()["enable_metadata_routing"]:
            routed = process_routing(self, "fit", **fit_params)
            return {name: routed[name]["fit"] for name in models}
        others = sorted(set(fit_params) - {"sample_weight"})
        if others:
            raise ParameterError(f"fit got {others[0]!r}: enable metadata routing to hand on more than sample_weight")
        given = {name: value for name, value in fit_params.items() if value is not None}
        return {name: given for name in models}  # noqa: C420 - nobody writes to it

    def _remember(self, models: Mapping[str, Any]) -> None:
        """Keep the fitted models by name, and what they say of the features."""
        fitted = dict(zip(models, self.estimators_, strict=True))
        self.named_estimators_ = Bunch(**{name: fitted.get(name, "drop") for name, _ in self.estimators})
        for name in ("n_features_in_", "feature_names_in_"):
            said = [getattr(model, name) for model in self.estimators_ if hasattr(model, name)]
            if said:
                setattr(self, name, said[0])
            elif hasattr(self, name):
                delattr(self, name)

    def _given(self) -> Expert | ExpertInterval | MultiExpert:
        """Return the expert that the user gave, if it fits the classes."""
        m, expert = len(self.classes_), self.expert
        if m == 2 and isinstance(expert, Expert | ExpertInterval):
            return expert
        if m > 2 and isinstance(expert, MultiExpert) and expert.states == m:
            return expert
        wanted = "an Expert or an ExpertInterval" if m == 2 else f"a MultiExpert of {m} states"
        raise ParameterError(f"expert = {expert!r} does not fit the {m} classes of y; give {wanted}")

    def _learnt(
        self, panel: Panel, X: Any, y: NDArray[Any], fit_params: Mapping[str, Any]
    ) -> ExpertInterval | MultiExpert:
        """Learn what a sound model knows from votes on samples that it was not fitted on."""
        votes = self.votes(X) if self.prefit else self._held_out(X, y, fit_params)
        if len(votes) != len(y):
            raise DataError(f"X has {len(votes)} samples and y {len(y)}: give one class for each sample")
        strange = votes[~np.any([votes == one for one in self.classes_], axis=0)]
        if strange.size:
            raise DataError(f"a model votes for {strange[0]!r}, which is no class of y: fit it on the classes of y")
        weight = fit_params.get("sample_weight")
        if self.confidence is None:
            return learnt_expert(panel, *rates(votes, y, self.classes_, weight))
        if len(self.classes_) > 2 or weight is not None:
            raise ParameterError(f"confidence = {self.confidence!r} is for two classes and without sample_weight")
        return count_gold(votes == self.classes_[1], y == self.classes_[1]).known(panel, self.confidence)

    def _held_out(self, X: Any, y: NDArray[Any], fit_params: Mapping[str, Any]) -> NDArray[Any]:
        """Return the votes of models that were fitted on the other folds."""
        splits = list(check_cv(self.cv, y, classifier=True).split(X, y))
        kept = self._kept()
        params = self._routed(kept, fit_params)
        votes = Parallel(n_jobs=self.n_jobs)(
            delayed(cross_val_predict)(clone(model), X, y, cv=splits, params=params[name])
            for name, model in kept.items()
        )
        return side_by_side(votes)

    def _counts(self, X: Any) -> NDArray[np.int64]:
        """Count the votes for each class."""
        votes = self.votes(X)
        return np.stack([np.count_nonzero(votes == one, axis=1) for one in self.classes_], axis=1).astype(np.int64)

    def _prior_alone(self) -> bool:
        """Say whether no votes of more than two classes promise more than the likeliest of them."""
        return self.guarantee_ is not None and self.guarantee_.basis is Basis.PRIOR_ALONE


def _fitted(model: Any, X: Any, y: Any, params: Mapping[str, Any]) -> Any:
    """Fit one model."""
    return model.fit(X, y, **params)
