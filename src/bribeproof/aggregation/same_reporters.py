"""What the same k bribed reporters could have done to all decisions, for the summary of a result."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import narwhals.stable.v2 as nw
import numpy as np

from bribeproof._text import name_in_list
from bribeproof.aggregation.decided_sets import LABELS_OF_ITEMS
from bribeproof.bribery.named_ballots import read_ballots
from bribeproof.frames.native import collect
from bribeproof.frames.native.backends import is_spark
from bribeproof.frames.reports import Reports
from bribeproof.theory import CostWeighted, get_loss
from bribeproof.theory.bribery.worst_list import worst_list

_MOST_REPORTS = 100_000
_MOST_CELLS = 5_000_000
_MOST_WORK = 3 * 10**6
"""The search ends when it has looked at so much: it takes a fraction of a second, as the aggregation itself."""


@dataclass(frozen=True, slots=True, eq=False)
class SameReporters:
    """The search for the k reporters who, bribed on all items, could have changed most decisions.

    Attributes
    ----------
    reports
        Votes or labels; None where they are many.
    """

    reports: Reports | None

    @classmethod
    def of(cls, reports: Reports, bribed_on_each: str, loss: object = None) -> "SameReporters | None":
        """Return the search for some votes or labels; None where bribed reporters can do more than rewrite reports.

        Parameters
        ----------
        reports
            The reports.
        bribed_on_each
            On what the bribed reporters may be others.
        loss
            The loss of the forecasts that decide; None if the most frequent report decides.
        """
        schema = reports.schema
        other = loss is not None and isinstance(get_loss(loss), CostWeighted)  # type: ignore[arg-type]
        if other or bribed_on_each == LABELS_OF_ITEMS or schema.asked is not None or schema.sets_aside:
            return None
        # What is in memory already is not kept there for this alone, unless it is little.
        return cls(None if reports.in_memory and _many(reports) else reports)

    def __reduce__(self) -> tuple[type["SameReporters"], tuple[None]]:
        """Store the search without its reports, which belong to the frame of the user."""
        return SameReporters, (None,)

    def facts(self, k: int) -> dict[str, Any]:
        """Return who could have changed most certified decisions that are no tie.

        Returns
        -------
        dict
            ``k``; ``reporters``, their names; ``changed``, how many decisions they could have changed, of how many
            ``decided`` ones. All but k are None where the search takes too long.
        """
        unknown = {"k": k, "reporters": None, "changed": None, "decided": None}
        if self.reports is None or k == 0 or _many(self.reports):
            return unknown
        named = read_ballots(self.reports)
        ballots = named.ballots
        if ballots.items * ballots.classes > _MOST_CELLS:
            return unknown
        counts = ballots.counts
        certified = (counts.sum(axis=1) > 2 * k) & (counts.max(axis=1) > k) & (ballots.winner >= 0)
        found = worst_list(ballots, k, values=certified.astype(np.float64), most_work=_MOST_WORK)
        if not found.exact:
            return unknown
        return {
            "k": k,
            "reporters": [str(name) for name in named.reporters.gather(list(found.members)).to_list()],
            "changed": int(found.lower),
            "decided": int(certified.sum()),
        }


def _many(reports: Reports) -> bool:
    """Return whether there are too many reports to search unasked, or counting them is a job."""
    rows = reports.rows
    if reports.source.large is not None or is_spark(rows):
        return True
    return int(collect(rows.select(nw.len())).item()) > _MOST_REPORTS


def describe_same(same: Mapping[str, Any], ties: int) -> Iterator[str]:
    """Yield what the same k reporters could have changed as a sentence, or which command says it; nothing of one item.

    Parameters
    ----------
    same
        What `SameReporters.facts` returns.
    ties
        The number of ties, which are no decided items.

    Examples
    --------
    >>> list(describe_same({"k": 1, "reporters": ["ann"], "changed": 14, "decided": 28}, ties=2))
    ['The same one on all items could have changed at most 14 of the 28 that are no tie: ann.']
    >>> list(describe_same({"k": 5, "reporters": None, "changed": None, "decided": None}, ties=0))
    ['What the same 5 could have changed on all items: bribeproof bribe FILE --k 5.']
    """
    if same["decided"] == 1:
        return
    k = "one" if same["k"] == 1 else f"{same['k']:,}"
    if same["changed"] is None:
        yield f"What the same {k} could have changed on all items: bribeproof bribe FILE --k {same['k']}."
        return
    of = f"of the {same['decided']:,} that are no tie" if ties else f"of {same['decided']:,}"
    if not same["changed"]:
        yield f"The same {k} on all items could have changed none {of}."
        return
    who = ", ".join(map(name_in_list, same["reporters"]))
    yield f"The same {k} on all items could have changed at most {same['changed']:,} {of}: {who}."
