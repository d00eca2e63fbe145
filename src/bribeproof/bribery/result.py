"""The result of a search for the worst bribe."""

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from bribeproof._notebook import ROWS, render_html
from bribeproof._text import bribed_reporters, count, format_name, format_number
from bribeproof.frames.native import to_polars

if TYPE_CHECKING:
    from bribeproof.theory.bribery.worst_list import WorstList

_NAMED = 10


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class WorstBribe:
    """The reporters who could change most of a table, and an upper bound of what any others could change.

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
    k
        How many reporters are bribed, or groups; None with a budget.
    budget
        The most that is spent; None with k.
    cost
        What the bribe costs.
    grouped
        Whether a bribe buys groups.
    changed
        How many decided items they could change.
    lower, upper
        The value of these items, and a proven bound of what any others could change for as much; without values,
        numbers of items.
    exact
        Whether no others change more.
    valued
        Whether items have different values.
    decided
        How many items have one label with more reports than any other, or more weight.
    each_alone
        How many of them could be changed if others could be bribed on each item, at most.
    n_reporters
        How many reporters there are.
    found
        The list in the numbers of `bribeproof.theory`, with the witness of the bound.
    """

    reporters: Any
    items: Any
    k: int | None
    budget: Fraction | None
    cost: Fraction
    grouped: bool
    changed: int
    lower: float
    upper: float
    exact: bool
    valued: bool
    decided: int
    each_alone: int
    n_reporters: int
    found: "WorstList"

    @property
    def names(self) -> list[str]:
        """The names of the bribed reporters or groups."""
        return [str(name) for name in to_polars(self.reporters)["group" if self.grouped else "reporter"].to_list()]

    def facts(self) -> dict[str, Any]:
        """Return all but the tables as plain data of JSON types."""
        facts: dict[str, Any] = {"groups" if self.grouped else "reporters": self.names}
        money = {"budget": self.budget, "cost": self.cost} if self.budget is not None else {"k": self.k}
        facts |= {name: float(one) if isinstance(one, Fraction) else one for name, one in money.items()}
        numbers = ("changed", "lower", "upper", "exact", "decided", "each_alone", "n_reporters")
        return facts | {name: getattr(self, name) for name in numbers}

    def summary(self) -> str:
        """Return who could change how much, and how far that is proven, one sentence a line."""
        return "\n".join(self._describe())

    def _describe(self) -> Iterator[str]:
        """Yield the sentences."""
        total, nobody = count(self.decided, "decided item"), self._nobody
        if not self.changed and not self.upper:
            yield f"{nobody[0].upper()}{nobody[1:]} of {self.n_reporters:,} could have changed any of {total}."
            return
        worth = f", worth {format_number(self.lower)}" if self.valued else ""
        yield f"{self._bribed}, {self.changed:,} of {total} could have been changed{worth}."
        if self.budget is not None:
            yield f"That costs {format_number(float(self.cost))} of {format_number(float(self.budget))}."
        most = format_number(self.upper) if self.valued else f"{int(self.upper):,}"
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
    def _bribed(self) -> str:
        """Return the condition that these are bribed."""
        names = [format_name(name) for name in self.names]
        if self.grouped:
            sizes = to_polars(self.reporters)["reporters"].to_list()
            names = [f"{name} ({count(size, 'reporter')})" for name, size in zip(names, sizes, strict=True)]
        if len(names) == 1:
            return f"If {names[0]} had been bribed"
        who = ", ".join(names[:_NAMED]) + (f" and {len(names) - _NAMED:,} more" if len(names) > _NAMED else "")
        what = " groups" if self.grouped else ""
        return f"If these {len(names):,}{what} had been bribed: {who}" if names else "If nobody had been bribed"

    @property
    def _nobody(self) -> str:
        """Return the phrase for no others."""
        what = "group" if self.grouped else "reporter"
        if self.budget is not None:
            return f"no {what}s for at most {format_number(float(self.budget))}"
        return f"no one {what}" if self.k == 1 else f"no {self.k:,} {what}s"

    @property
    def _others(self) -> str:
        """Return the phrase for those who could be others on each item."""
        if self.k is not None and not self.grouped:
            return bribed_reporters(self.k)
        if self.budget is not None:
            return f"bribes for at most {format_number(float(self.budget))}, perhaps of others on each item"
        if self.k == 1:
            return "some one bribed group, perhaps another on each item"
        return f"some {self.k:,} bribed groups, perhaps others on each item"

    def __repr__(self) -> str:
        """Return the class and its main numbers on one line."""
        spent = f"k={self.k}" if self.budget is None else f"budget={format_number(float(self.budget))}"
        return f"{type(self).__name__}({spent}, changed={self.changed}, upper={self.upper:g}, decided={self.decided})"

    def _repr_html_(self) -> str:
        """Return the summary, the bribed reporters and what each could change for a notebook."""
        reporters = to_polars(self.reporters)
        return render_html(
            self.summary(),
            reporters,
            lambda plots, axes: plots.bribe(self, most=ROWS, ax=axes),
            bars=reporters.height,
        )
