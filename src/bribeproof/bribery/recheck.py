"""What came of checking a result about bribed reporters against the reports."""

from dataclasses import dataclass, replace

from bribeproof.theory.bribery.recheck import CheapestListRecheck, WorstListRecheck
from bribeproof.theory.bribery.worst_list import WorstList


@dataclass(frozen=True, slots=True)
class DecisionsRecheck:
    """What came of checking a `WorstBribe` or a `CheapestBribe`.

    Attributes
    ----------
    proof
        The reports rewritten and counted again, and the bound proven anew, in the numbers of `bribeproof.theory`.
    differences
        The names of what the result says otherwise than it came out, such as ``"items"`` or ``"upper"``.
    """

    proof: WorstListRecheck | CheapestListRecheck
    differences: tuple[str, ...]

    @property
    def ok(self) -> bool:
        """Whether the result says what came out, and that is proven."""
        return self.proof.ok and not self.differences

    def __bool__(self) -> bool:
        """Return `ok`."""
        return self.ok


def counted_again(found: WorstList, check: WorstListRecheck) -> WorstList:
    """Return a list with the items that turned when its reports were rewritten.

    Where weights had to be rounded more may turn then than are certain, and those that are certain are kept.
    """
    sure = check.turned if found.ballots.in_units.exact else check.turned & found.changed
    return replace(found, changed=sure)
