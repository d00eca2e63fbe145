"""The results of searches for bribed reporters: who, what they could change, and what is proven."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from bribeproof._notebook import ROWS, render_html
from bribeproof._text import bribed_reporters, count, format_amount, format_name
from bribeproof.frames.native import to_polars

if TYPE_CHECKING:
    from bribeproof.theory.bribery.cheapest_list import CheapestList
    from bribeproof.theory.bribery.recheck import WorstListRecheck
    from bribeproof.theory.bribery.worst_list import WorstList

_NAMED = 10


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class BribedReporters:
    """Reporters who are bribed together on all items, and what they could change.

    Attributes
    ----------
    reporters : frame of the kind that came in
        One row per bribed reporter, the one who could change most alone first: ``reporter``; ``price``, where they have
        prices; ``reports``, how many they gave; ``changes_alone``, how many decided items they could change alone;
        ``with_those_above``, how many together with the reporters in the rows above. With groups one row per bribed
        group: ``group``, and how many ``reporters`` are in it.
    items : frame of the kind that came in
        One row per item that they could change together: the item; its ``decision``; ``margin``, how many reports it
        is ahead, or how much weight.
    cost
        What the bribe costs; without prices, how many reporters or groups it buys.
    priced
        Whether reporters or groups have prices.
    grouped
        Whether a bribe buys groups.
    changed
        How many decided items they could change.
    lower
        The value of these items; without values, their number.
    valued
        Whether items have different values.
    decided
        How many items have one label with more reports than any other, or more weight.
    n_reporters
        How many reporters there are.
    """

    reporters: Any
    items: Any
    cost: Fraction
    priced: bool
    grouped: bool
    changed: int
    lower: float
    valued: bool
    decided: int
    n_reporters: int

    @property
    def names(self) -> list[str]:
        """The names of the bribed reporters or groups."""
        return [str(name) for name in to_polars(self.reporters)["group" if self.grouped else "reporter"].to_list()]

    def summary(self) -> str:
        """Return who could change how much, and how far that is proven, one sentence a line."""
        return "\n".join(self._describe())

    def _describe(self) -> Iterator[str]:
        """Yield the sentences."""
        raise NotImplementedError

    def facts(self) -> dict[str, Any]:
        """Return all but the tables as plain data of JSON types."""
        raise NotImplementedError

    @property
    def _noun(self) -> str:
        """What a bribe buys."""
        return "group" if self.grouped else "reporter"

    @property
    def _bribed(self) -> str:
        """The condition that these are bribed."""
        names = [format_name(name) for name in self.names]
        if self.grouped:
            sizes = to_polars(self.reporters)["reporters"].to_list()
            names = [f"{name} ({count(size, 'reporter')})" for name, size in zip(names, sizes, strict=True)]
        return f"If {_listed(names) or 'nobody'} had been bribed"

    @property
    def _changed(self) -> str:
        """How much could have been changed, as a clause."""
        worth = f", worth {format_amount(self.lower)}" if self.valued else ""
        return f"{self.changed:,} of {count(self.decided, 'decided item')} could have been changed{worth}"

    def _repr_html_(self) -> str:
        """Return the summary, the bribed reporters and what each could change for a notebook."""
        reporters = to_polars(self.reporters)
        return render_html(
            self.summary(),
            reporters,
            lambda plots, axes: plots.bribe(self, most=ROWS, ax=axes),
            bars=reporters.height,
        )


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
        How many decided items could be changed if others could be bribed on each item, at most.
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

    def recheck(self) -> "WorstListRecheck":
        """Rewrite the reports of the bribed, count the items that turn, and prove the upper bound anew.

        The reports of the bribed are rewritten, all are counted again, and the items that lost their decision are
        compared with `items`. The upper bound is computed anew from the lists that the search had bounded, which
        together cover all others, by other code than that of the search. This does not prove that the table was read as
        you meant it, nor what one report gains against one label, which both computations take from the same place.
        """
        return self.found.recheck()

    def facts(self) -> dict[str, Any]:
        """Return all but the tables as plain data of JSON types."""
        facts: dict[str, Any] = {"groups" if self.grouped else "reporters": self.names}
        money = {"budget": self.budget, "cost": self.cost} if self.budget is not None else {"k": self.k}
        facts |= {name: float(one) if isinstance(one, Fraction) else one for name, one in money.items()}
        numbers = ("changed", "lower", "upper", "exact", "decided", "each_alone", "n_reporters")
        return facts | {name: getattr(self, name) for name in numbers}

    def _describe(self) -> Iterator[str]:
        """Yield the sentences."""
        if self.k == 0:
            yield f"With nobody bribed, none of {count(self.decided, 'decided item')} could have been changed."
            return
        total, nobody = count(self.decided, "decided item"), self._nobody
        if not self.changed and not self.upper:
            yield f"{nobody[0].upper()}{nobody[1:]} of {self.n_reporters:,} could have changed any of {total}."
            return
        yield f"{self._bribed}, {self._changed}."
        if self.budget is not None:
            yield f"That costs {format_amount(self.cost)} of {format_amount(self.budget)}."
        most = format_amount(self.upper) if self.valued else f"{int(self.upper):,}"
        unit = "a value of " if self.valued else ""
        if self.exact:
            yield f"That is the most: {nobody} could have changed more (proven)."
        else:
            yield f"Others may have changed more, but {nobody} could have changed more than {unit}{most} (proven)."
        yield (
            f"{self.each_alone:,} {'is' if self.each_alone == 1 else 'are'} so close that {self._others}, "
            f"might have changed {'it' if self.each_alone == 1 else 'them'}."
        )

    @property
    def _nobody(self) -> str:
        """Return the phrase for no others."""
        what = self._noun
        if self.budget is not None:
            return f"no {what}s for at most {format_amount(self.budget)}"
        return f"no one {what}" if self.k == 1 else f"no {self.k:,} {what}s"

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

    def recheck(self) -> bool:
        """Return whether the bribed turn what they should, and less is proven anew not to be enough.

        Both are checked as `WorstBribe.recheck` says: the list, and the bound of what less could have changed.
        """
        return self.found.recheck()

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
            names = [format_name(name) for name in self.named]
            return "all of " * (len(names) > 1) + _listed(names)
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
        nobody = f"no one {self._noun}" if fewer == 1 else f"no {fewer:,} {self._noun}s"
        if self.exact and fewer < 1:
            return "That is the fewest: with nobody bribed, nothing changes."
        could = f"{nobody} could have changed {self._asked} (proven)"
        if self.exact:
            return f"That is the fewest: {could}."
        return f"Fewer may be enough, but {could}." if fewer > 0 else "Fewer may be enough."

    def __repr__(self) -> str:
        """Return the class and its main numbers on one line."""
        return f"{type(self).__name__}(cost={float(self.cost):g}, least={float(self.least):g}, changed={self.changed})"


def _listed(names: Sequence[str]) -> str:
    """Return names with "and" before the last one; of many, the first ones and the number of the others.

    Examples
    --------
    >>> _listed(["ann"]), _listed(["ann", "ben", "cy"])
    ('ann', 'ann, ben and cy')
    """
    if len(names) > _NAMED + 1:
        return f"{', '.join(names[:_NAMED])} and {len(names) - _NAMED:,} more"
    return " and ".join(filter(None, [", ".join(names[:-1]), *names[-1:]]))
