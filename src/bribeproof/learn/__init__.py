"""Estimators with the interfaces of scikit-learn and crowd-kit that withstand k corrupted or bribed members."""

from bribeproof._optional import require

require("bribeproof.learn", "sklearn")

from bribeproof.learn.crowd import TrimmedVote  # noqa: E402
from bribeproof.learn.voting import RobustVotingClassifier  # noqa: E402

__all__ = ["RobustVotingClassifier", "TrimmedVote"]
