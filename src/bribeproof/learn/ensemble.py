"""Base class for ensembles of named classifiers: parameters, fitting, votes and the transformer interface."""
# ruff: noqa: N803 - scikit-learn calls the samples X

from collections.abc import Mapping
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn import get_config
from sklearn.base import MetaEstimatorMixin, TransformerMixin, clone, is_classifier
from sklearn.model_selection import check_cv, cross_val_predict
from sklearn.utils import Bunch, get_tags
from sklearn.utils.metadata_routing import MetadataRouter, MethodMapping, process_routing
from sklearn.utils.metaestimators import _BaseComposition
from sklearn.utils.parallel import Parallel, delayed
from sklearn.utils.validation import _check_feature_names_in, check_is_fitted

from bribeproof.errors import DataError, ParameterError, ParameterTypeError
from bribeproof.learn.votes import stack_votes


class VotingEnsemble(TransformerMixin, MetaEstimatorMixin, _BaseComposition):  # type: ignore[misc]
    """Ensemble of named classifiers that each vote for a class.

    Subclasses set the parameters `estimators`, `prefit`, `cv` and `n_jobs`, and the attribute `classes_`.
    """

    estimators: list[tuple[str, Any]]
    prefit: bool
    cv: Any
    n_jobs: int | None
    classes_: NDArray[Any]

    def votes(self, X: Any) -> NDArray[Any]:
        """Return the class that each model votes for.

        Parameters
        ----------
        X : array-like, sparse matrix or data frame of shape (n_samples, n_features)
            The samples.

        Returns
        -------
        ndarray of shape (n_samples, n_models)
            The votes, with the models in the order of `estimators_`.
        """
        check_is_fitted(self)
        return stack_votes([model.predict(X) for model in self.estimators_])

    def transform(self, X: Any) -> NDArray[np.int64]:
        """Return the votes of the models as numbers, as `VotingClassifier` with ``voting="hard"`` does.

        Parameters
        ----------
        X : array-like, sparse matrix or data frame of shape (n_samples, n_features)
            The samples.

        Returns
        -------
        ndarray of int64, shape (n_samples, n_models)
            Positions in `classes_` of the classes that the models vote for; -1 for a vote that is no class. A data
            frame after ``set_output(transform="pandas")`` or ``"polars"``. The classes themselves are in `votes`.
        """
        return self._positions(self.votes(X))

    def _positions(self, classes: NDArray[Any]) -> NDArray[np.int64]:
        """Return positions in `classes_`, −1 for what is no class."""
        codes = np.full(classes.shape, -1, dtype=np.int64)
        for code, name in enumerate(self.classes_):
            codes[classes == name] = code
        return codes

    def get_feature_names_out(self, input_features: ArrayLike | None = None) -> NDArray[np.object_]:
        """Return the names of the columns of `transform`: the class in lower case, and the name of the model.

        Parameters
        ----------
        input_features : array-like of str, optional
            Only checked against the features seen in `fit`.

        Returns
        -------
        ndarray of str objects, shape (n_models,)
            Names such as ``robustvotingclassifier_tree``.
        """
        check_is_fitted(self)
        _check_feature_names_in(self, input_features, generate_names=False)
        models = [name for name, model in self.named_estimators_.items() if not _is_dropped(model)]
        return np.asarray([f"{type(self).__name__.lower()}_{name}" for name in models], dtype=object)

    def get_params(self, deep: bool = True) -> dict[str, Any]:  # noqa: FBT001, FBT002 - scikit-learn's signature
        """Return the parameters; with ``deep`` also the models by name, and their parameters."""
        params: dict[str, Any] = self._get_params("estimators", deep=deep)
        return params

    def set_params(self, **params: Any) -> Self:
        """Set parameters, models by name (``"drop"`` to leave one out), or parameters of models as name__parameter."""
        self._set_params("estimators", **params)
        return self

    def get_metadata_routing(self) -> MetadataRouter:
        """Return which metadata `fit` passes on to which model."""
        router = MetadataRouter(owner=self)
        for name, model in self.estimators:
            router.add(**{name: model}, method_mapping=MethodMapping().add(callee="fit", caller="fit"))
        return router

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        models = [pair[1] for pair in self.estimators] if self._has_named_models() else []
        inputs = [get_tags(model).input_tags for model in models if hasattr(model, "__sklearn_tags__")]
        tags.input_tags.sparse = all(tag.sparse for tag in inputs)
        tags.input_tags.allow_nan = all(tag.allow_nan for tag in inputs)
        tags.transformer_tags.preserves_dtype = []
        return tags

    def _has_named_models(self) -> bool:
        """Return whether `estimators` is a list of pairs of a name and something."""
        return isinstance(self.estimators, list) and all(
            isinstance(pair, tuple | list) and len(pair) == 2 and isinstance(pair[0], str) for pair in self.estimators
        )

    def _active_models(self) -> dict[str, Any]:
        """Return the models that are not dropped, by name; raise ParameterError unless they are classifiers."""
        if not self._has_named_models():
            raise ParameterTypeError(f"estimators = {self.estimators!r}: give a list of (name, classifier)")
        self._validate_names([name for name, _ in self.estimators])
        active = {name: model for name, model in self.estimators if not _is_dropped(model)}
        if not active:
            raise ParameterError("estimators is empty, or all are dropped: give at least one classifier")
        for name, model in active.items():
            if not is_classifier(model):
                raise ParameterTypeError(f"estimator {name!r} = {model!r} is not a classifier; give one, or 'drop'")
        return active

    def _fit_models(self, X: Any, y: NDArray[Any], fit_params: Mapping[str, Any]) -> None:
        """Fit copies of the models, or take those that are ``prefit``, and set the attributes that describe them."""
        models = self._active_models()
        params = self._route(models, fit_params)
        if self.prefit:
            for model in models.values():
                check_is_fitted(model)
            self.estimators_ = list(models.values())
        else:
            self.estimators_ = Parallel(n_jobs=self.n_jobs)(
                delayed(_fit_model)(clone(model), X, y, params[name]) for name, model in models.items()
            )
        fitted = dict(zip(models, self.estimators_, strict=True))
        self.named_estimators_ = Bunch(**{name: fitted.get(name, "drop") for name, _ in self.estimators})
        for attribute in ("n_features_in_", "feature_names_in_"):
            values = [getattr(model, attribute) for model in self.estimators_ if hasattr(model, attribute)]
            if values:
                setattr(self, attribute, values[0])
            elif hasattr(self, attribute):
                delattr(self, attribute)

    def _held_out_votes(self, X: Any, y: NDArray[Any], fit_params: Mapping[str, Any]) -> NDArray[Any]:
        """Return votes on samples that the models were not fitted on; with ``prefit``, the votes on all samples."""
        if self.prefit:
            return self.votes(X)
        splits = list(check_cv(self.cv, y, classifier=True).split(X, y))
        models = self._active_models()
        params = self._route(models, fit_params)
        votes = Parallel(n_jobs=self.n_jobs)(
            delayed(cross_val_predict)(clone(model), X, y, cv=splits, params=params[name])
            for name, model in models.items()
        )
        for name, voted in zip(models, votes, strict=True):
            if isinstance(voted, np.ma.MaskedArray):  # joining the parts has lost the mask
                raise DataError(
                    f"model {name!r} predicts a masked array, whose mask cross-validation loses: let it predict "
                    "something that is no class where it abstains, or give fitted models with prefit=True"
                )
        return stack_votes(votes)

    def _route(self, models: Mapping[str, Any], fit_params: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
        """Return the keyword arguments for the `fit` of each model."""
        if get_config()["enable_metadata_routing"]:
            routed = process_routing(self, "fit", **fit_params)
            return {name: routed[name]["fit"] for name in models}
        others = sorted(set(fit_params) - {"sample_weight"})
        if others:
            raise ParameterError(
                f"fit got {others[0]!r}: enable metadata routing to pass on anything but sample_weight"
            )
        params = {name: value for name, value in fit_params.items() if value is not None}
        return {name: params for name in models}  # noqa: C420 - nobody writes to it


def _is_dropped(model: Any) -> bool:
    """Return whether the place of a model holds ``"drop"``."""
    return isinstance(model, str) and model == "drop"


def _fit_model(model: Any, X: Any, y: Any, params: Mapping[str, Any]) -> Any:
    """Fit one model."""
    return model.fit(X, y, **params)
