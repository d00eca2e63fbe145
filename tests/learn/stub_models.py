"""Models that vote as the samples say, so that a test writes down the votes themselves."""

from typing import Any, Self

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin


class Column(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """Votes for what stands in one column of the samples."""

    def __init__(self, place: int = 0) -> None:
        self.place = place

    def fit(self, samples: Any, classes: Any) -> Self:
        self.n_features_in_ = np.asarray(samples).shape[1]
        self.classes_ = np.unique(classes)
        return self

    def predict(self, samples: Any) -> Any:
        return np.asarray(samples)[:, self.place]


class Weighed(Column):
    """Remembers the weights that it was given."""

    def fit(self, samples: Any, classes: Any, sample_weight: Any = None) -> Self:
        self.weight_ = None if sample_weight is None else np.asarray(sample_weight)
        return super().fit(samples, classes)


class Demanding(Weighed):
    """Refuses to be fitted without weights of its samples."""

    def fit(self, samples: Any, classes: Any, sample_weight: Any = None) -> Self:
        if not np.array_equal(np.asarray(samples)[:, -1], sample_weight):
            raise TypeError("these are not the weights of these samples")
        return super().fit(samples, classes, sample_weight)


class Masked(Column):
    """Abstains by a mask on samples that are negative there; under the mask is a vote for the positive class."""

    def predict(self, samples: Any) -> Any:
        votes = super().predict(samples)
        return np.ma.array(np.where(votes < 0, 1, votes), mask=votes < 0)


class Stubborn(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """Says what it was told to say."""

    def __init__(self, said: Any = None) -> None:
        self.said = said

    def predict(self, samples: Any) -> Any:
        return np.asarray(self.said)[: len(samples)]


def columns(n: int, kind: type[Column] = Column) -> list[tuple[str, Any]]:
    """One model for each column."""
    return [(f"m{place}", kind(place)) for place in range(n)]


def fitted(n: int, votes: Any, classes: Any) -> list[tuple[str, Any]]:
    """The same, fitted."""
    return [(name, model.fit(votes, classes)) for name, model in columns(n)]
