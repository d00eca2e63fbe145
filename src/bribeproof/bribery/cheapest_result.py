"""The result of `cheapest_bribe`: who is enough, and what is proven not to be."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np

from bribeproof._text import count, format_amount, name_in_list, with_and
from bribeproof.bribery.bribed_reporters import NAMED, BribedReporters
from bribeproof.bribery.recheck import DecisionsRecheck, counted_again

if TYPE_CHECKING:
    from bribeproof.bribery.question import Question
    from bribeproof.theory.bribery.cheapest_list import CheapestList


@dataclass(frozen=True, slots=True, eq=False, repr=False, kw_only=True)
class CheapestBribe(BribedReporters):
    """The fewest reporters, or the cheapest, who could have changed what was asked, and how few are not enough.

    Attributes
    ----------
    named
        The items that were to be changed, all of them; empty if any would do.
    change
        How many decided items were to be changed, or items of what value; None where they are named.
    least
        No reporters who cost less are enough; without prices, no fewer.
    exact
        Whether this is what these cost.
    found
        The list in the numbers of `bribeproof.theory`, with the witness of the bound.

    The others are those of `BribedReporters`.
    """

    named: tuple[Any, ...]
    change: float | None
    least: Fraction
    exact: bool
    found: "CheapestList"

    @classmethod
    def of(cls, question: "Question", found: "CheapestList", named: Sequence[Any]) -> "CheapestBribe":
        """Return what a list means for the table, and for the items that were named; its tables are polars frames."""
        answer = question.answer(found.found)
        if named and question.values is not None:
            answer["lower"] = float(question.values[found.found.changed].sum())
        return cls(
            **answer,
            named=tuple(named),
            change=None if named else float(found.enough),
            least=found.least,
            exact=found.exact,
            found=found,
        )

    def recheck(self) -> DecisionsRecheck:
        """Check that the bribed turn what they should, prove anew that less is not enough, and compare.

        Both are checked as `WorstBribe.recheck` says: the list, and the bound of what less could have changed. Each
        number and table is compared with what comes out.
        """
        proof = self.found.recheck()
        found = replace(self.found, found=counted_again(self.found.found, proof.found))
        return DecisionsRecheck(proof, self.differences(CheapestBribe.of(self._question, found, self._searched())))

    def _searched(self) -> Sequence[Any]:
        """Return the items that the search had to change, as they are named here if these are the same."""
        if self.change is not None:
            return ()
        searched = self._question.named.items.gather(np.flatnonzero(self.found.found.values.low)).to_list()
        same = len(self.named) == len(searched) and set(self.named) == set(searched)
        return self.named if same else searched

    def facts(self) -> dict[str, Any]:
        """Return all but the tables as plain data of JSON types."""
        asked = {"named": [str(name) for name in self.named]} if self.named else {"change": self.change}
        money = {"cost": float(self.cost), "least": float(self.least), "exact": self.exact}
        numbers = {name: getattr(self, name) for name in ("changed", "lower", "decided", "n_reporters")}
        return {"groups" if self.grouped else "reporters": self.names} | asked | money | numbers

    def _describe(self) -> Iterator[str]:
        """Yield the sentences."""
        if self.named:
            yield f"{self._bribed}, {self._asked} could have been changed."
        else:
            yield f"{self._bribed}, {self._changed}."
        if self.priced:
            yield f"That costs {format_amount(self.cost)}; {self._cheaper}."
        else:
            yield self._fewer

    @property
    def _asked(self) -> str:
        """What was to be changed."""
        if self.named:
            names = [name_in_list(name) for name in self.named]
            return "all of " * (len(names) > 1) + with_and(names, NAMED)
        change = self.change or 0
        return f"a value of {format_amount(change)}" if self.valued else count(int(change), "item")

    @property
    def _cheaper(self) -> str:
        """What is proven of less money."""
        if not self.cost:
            return "nothing is cheaper"
        if self.exact:
            return f"no {self._noun}s for less could have changed {self._asked} (proven)"
        if not self.least:
            return "others may have done it for less"
        return (
            f"others may have done it for less, but no {self._noun}s for less than {format_amount(self.least)} could "
            f"have changed {self._asked} (proven)"
        )

    @property
    def _fewer(self) -> str:
        """What is proven of fewer reporters or groups, as a sentence."""
        fewer = int(self.least) - 1
        if self.exact and fewer < 1:
            return "That is the fewest: with nobody bribed, nothing changes."
        could = f"{self._no_so_many(fewer)} could have changed {self._asked} (proven)"
        if self.exact:
            return f"That is the fewest: {could}."
        return f"Fewer may be enough, but {could}." if fewer > 0 else "Fewer may be enough."

    def __repr__(self) -> str:
        """Return the class and its main numbers on one line."""
        return f"{type(self).__name__}(cost={float(self.cost):g}, least={float(self.least):g}, changed={self.changed})"
