"""Score reducers for inspect_ai, of whose judges k may be bribed, and its logs as a table.

inspect_ai finds the reducers by name, as ``"bribeproof/bribeproof_vote"`` and ``"bribeproof/bribeproof_trimmed"``, and
without the part before the slash once this package is imported. ``"bribeproof/bribeproof_vote_2"`` is k = 2.
"""

from bribeproof.integrations.inspect_ai.log import read_log
from bribeproof.integrations.inspect_ai.reducers import METADATA, always_scored, bribeproof_trimmed, bribeproof_vote

__all__ = ["METADATA", "always_scored", "bribeproof_trimmed", "bribeproof_vote", "read_log"]
