"""The result of a search for the worst bribe."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from bribeproof._notebook import ROWS, render_html
from bribeproof._text import bribed_reporters, count, format_name, format_number
from bribeproof.frames.native import to_polars

_NAMED = 10


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class WorstBribe:
    """The k reporters who could change most of a table, and an upper bound of what any k could change.

    Attributes
    ----------
    reporters : frame of the kind that came in
        One row per bribed reporter, the one who could change most alone first: ``reporter``; ``reports``, how many they
        gave; ``changes_alone``, how many decided items they could change alone; ``with_those_above``, how many together
        with the reporters in the rows above.
    items : frame of the kind that came in
        One row per item that they could change together: the item; its ``decision``; ``margin``, how many reports it
        is ahead.
    k
        How many reporters are bribed.
    changed
        How many decided items they could change.
    lower, upper
        The value of these items, and a proven bound of what any k reporters could change; without values, numbers of
        items.
    exact
        Whether no list of k reporters changes more.
    counted
        Whether all lists were counted, instead of an integer program.
    valued
        Whether items have different values.
    decided
        How many items have one label with more reports than any other.
    each_alone
        How many of them k reporters could change if they were others on each item, at most: those that are at most 2k
        reports ahead.
    n_reporters
        How many reporters there are.
    """

    reporters: Any
    items: Any
    k: int
    changed: int
    lower: float
    upper: float
    exact: bool
    counted: bool
    valued: bool
    decided: int
    each_alone: int
    n_reporters: int

    def facts(self) -> dict[str, Any]:
        """Return all but the tables as plain data of JSON types."""
        names = [str(name) for name in to_polars(self.reporters)["reporter"].to_list()]
        numbers = ("k", "changed", "lower", "upper", "exact", "counted", "decided", "each_alone", "n_reporters")
        return {"reporters": names} | {name: getattr(self, name) for name in numbers}

    def summary(self) -> str:
        """Return who could change how much, and how far that is proven, one sentence a line."""
        return "\n".join(self._describe())

    def _describe(self) -> Iterator[str]:
        """Yield the sentences."""
        names = [format_name(name) for name in to_polars(self.reporters)["reporter"].to_list()]
        who = ", ".join(names[:_NAMED]) + (f" and {len(names) - _NAMED:,} more" if len(names) > _NAMED else "")
        total = count(self.decided, "decided item")
        if not self.changed:
            nobody = "No one reporter" if self.k == 1 else f"No {self.k:,} reporters"
            yield f"{nobody} of {self.n_reporters:,} could have changed any of {total}."
            return
        bribed = f"If {who} had been bribed" if len(names) == 1 else f"If these {len(names):,} had been bribed: {who}"
        worth = f", worth {format_number(self.lower)}" if self.valued else ""
        yield f"{bribed}, {self.changed:,} of {total} could have been changed{worth}."
        most = format_number(self.upper) if self.valued else f"{int(self.upper):,}"
        unit = "a value of " if self.valued else ""
        others = "no one reporter could" if self.k == 1 else f"no {self.k:,} reporters could"
        if self.exact:
            how = "all lists were counted" if self.counted else "by an integer program, solved to the end"
            yield f"That is the most: {others} have changed more ({how})."
        else:
            yield f"Others may have changed more, but {others} have changed more than {unit}{most} (a proven bound)."
        yield (
            f"{self.each_alone:,} {'is' if self.each_alone == 1 else 'are'} so close that {bribed_reporters(self.k)}, "
            f"might have changed {'it' if self.each_alone == 1 else 'them'}."
        )

    def __repr__(self) -> str:
        """Return the class and its main numbers on one line."""
        return (
            f"{type(self).__name__}(k={self.k}, changed={self.changed}, upper={self.upper:g}, decided={self.decided})"
        )

    def _repr_html_(self) -> str:
        """Return the summary, the bribed reporters and what each could change for a notebook."""
        reporters = to_polars(self.reporters)
        return render_html(
            self.summary(),
            reporters,
            lambda plots, axes: plots.bribe(self, most=ROWS, ax=axes),
            bars=reporters.height,
        )
