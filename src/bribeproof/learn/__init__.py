"""Estimators with the interfaces of scikit-learn and crowd-kit that withstand k corrupted or bribed members."""

from bribeproof.errors import MissingPackageError

try:
    import sklearn  # noqa: F401
except ModuleNotFoundError:
    raise MissingPackageError(
        "bribeproof.learn needs scikit-learn 1.6 or newer (pip install 'scikit-learn>=1.6')"
    ) from None

from bribeproof.learn.crowd import TrimmedVote
from bribeproof.learn.voting import RobustVotingClassifier

__all__ = ["RobustVotingClassifier", "TrimmedVote"]
