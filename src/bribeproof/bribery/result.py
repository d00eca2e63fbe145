"""The result of `worst_bribe`: who, what they could change, and what is proven of any others."""

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from bribeproof._text import bribed_reporters, format_amount
from bribeproof.bribery.bribed_reporters import BribedReporters
from bribeproof.bribery.recheck import DecisionsRecheck, counted_again

if TYPE_CHECKING:
    from bribeproof.bribery.question import Question
    from bribeproof.theory.bribery.worst_list import WorstList


@dataclass(frozen=True, slots=True, eq=False, repr=False, kw_only=True)
class WorstBribe(BribedReporters):
    """The reporters who could change most of a table, and an upper bound of what any others could change.

    Attributes
    ----------
    k
        How many reporters are bribed, or groups; None with a budget.
    budget
        The most that is spent; None with k.
    upper
        A proven bound of the value, or without values of the number, of items that any others could change for as much.
    exact
        Whether no others change more.
    each_alone
        How many decided items could be changed if others could be bribed on each item; at most, where there
        are prices or weights had to be rounded.
    found
        The list in the numbers of `bribeproof.theory`, with the witness of the bound.

    The others are those of `BribedReporters`.
    """

    k: int | None
    budget: Fraction | None
    upper: float
    exact: bool
    each_alone: int
    found: "WorstList"

    @classmethod
    def of(cls, question: "Question", found: "WorstList") -> "WorstBribe":
        """Return what a list means for the table; its tables are polars frames."""
        return cls(
            **question.answer(found),
            k=None if question.priced else int(found.bribes.budget),
            budget=found.bribes.budget if question.priced else None,
            upper=found.upper,
            exact=found.exact,
            each_alone=int(found.possible.sum()),
            found=found,
        )

    def recheck(self) -> DecisionsRecheck:
        """Rewrite the reports of the bribed, count the items that turn, prove the upper bound anew, and compare.

        The reports of the bribed are rewritten, all are counted again, and the items that lost their decision are laid
        out as a result, of which each number and table is compared with this one. The upper bound is computed anew from
        the lists that the search had bounded, which together cover all others, by other code than that of the search.
        This does not prove that the table was read as you meant it; what one report gains against one label, which both
        computations take from the same place; or `each_alone`.
        """
        proof = self.found.recheck()
        again = WorstBribe.of(self._question, counted_again(self.found, proof))
        return DecisionsRecheck(proof, self.differences(again))

    def facts(self) -> dict[str, Any]:
        """Return all but the tables as plain data of JSON types."""
        facts: dict[str, Any] = {"groups" if self.grouped else "reporters": self.names}
        money = {"budget": self.budget, "cost": self.cost} if self.budget is not None else {"k": self.k}
        facts |= {name: float(one) if isinstance(one, Fraction) else one for name, one in money.items()}
        numbers = ("changed", "lower", "upper", "exact", "decided", "each_alone", "n_reporters")
        return facts | {name: getattr(self, name) for name in numbers}

    def _describe(self) -> Iterator[str]:
        """Yield the sentences."""
        if not self.decided or self.k == 0 or not (self.changed or self.upper):
            yield self._nothing
            return
        nobody, more = self._nobody, "a larger value" if self.valued else "more"
        most = f"a value of {format_amount(self.upper)}" if self.valued else f"{int(self.upper):,}"
        if not self.changed:
            yield f"Nobody was found in time who could have changed {self._any}."
            yield f"But {nobody} could have changed more than {most} (proven)."
            return
        yield f"{self._bribed}, {self._changed}."
        if self.budget is not None:
            yield f"That costs {format_amount(self.cost)} of {format_amount(self.budget)}."
        if self.exact:
            yield f"That is the most: {nobody} could have changed {more} (proven)."
        else:
            yield f"Others may have changed {more}, but {nobody} could have changed more than {most} (proven)."
        yield self._close

    @property
    def _nothing(self) -> str:
        """What is said where nothing can be changed, as a sentence."""
        if not self.decided:
            return "No item is decided: there is nothing to change."
        if self.k == 0:
            return "With nobody bribed, no decision could have been changed."
        what = "a decision of value above 0" if self.valued else self._any
        return f"{self._nobody[0].upper()}{self._nobody[1:]} could have changed {what} (proven)."

    @property
    def _any(self) -> str:
        """The phrase for any of the decided items."""
        return "the one decided item" if self.decided == 1 else f"any of {self.decided:,} decided items"

    @property
    def _close(self) -> str:
        """How many items could be changed if others could be bribed on each, as a sentence."""
        number = f"{'' if self.budget is None else 'At most '}{self.each_alone:,}"
        are, them = ("is", "it") if self.each_alone == 1 else ("are", "them")
        return f"{number} {are} so close that {self._others}, might have changed {them}."

    @property
    def _nobody(self) -> str:
        """Return the phrase for no others."""
        if self.budget is not None:
            return f"no {self._noun}s for at most {format_amount(self.budget)}"
        return self._no_so_many(self.k or 0)

    @property
    def _others(self) -> str:
        """Return the phrase for those who could be others on each item."""
        if self.k is not None and not self.grouped:
            return bribed_reporters(self.k)
        if self.budget is not None:
            return f"bribes for at most {format_amount(self.budget)}, perhaps of others on each item"
        if self.k == 1:
            return "some one bribed group, perhaps another on each item"
        return f"some {self.k:,} bribed groups, perhaps others on each item"

    def __repr__(self) -> str:
        """Return the class and its main numbers on one line."""
        spent = f"k={self.k}" if self.budget is None else f"budget={format_amount(self.budget)}"
        return f"{type(self).__name__}({spent}, changed={self.changed}, upper={self.upper:g}, decided={self.decided})"
