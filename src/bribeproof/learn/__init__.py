"""Estimators in the shape of scikit-learn and crowd-kit whose answers k corrupted members cannot buy."""

from bribeproof.errors import MissingPackageError

try:
    import sklearn  # noqa: F401
except ModuleNotFoundError as error:
    raise MissingPackageError(
        f"estimators need {error.name}, which is not installed; run pip install 'bribeproof[learn]'"
    ) from None

from bribeproof.learn.crowd import TrimmedVote
from bribeproof.learn.voting import RobustVotingClassifier

__all__ = ["RobustVotingClassifier", "TrimmedVote"]
