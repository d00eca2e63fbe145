"""What is counted when it is said how much may be bribed: reporters, groups of them, or money."""

from dataclasses import dataclass
from fractions import Fraction

from bribeproof._text import format_amount


@dataclass(frozen=True, slots=True)
class BribeUnit:
    """What is counted when it is said how much may be bribed.

    Attributes
    ----------
    of
        What a bribe buys: a ``"reporter"``, a ``"group"``, or the column of the groups.
    priced
        Whether bribes have prices, so that money is counted.
    counted
        Whether a bribe may buy several reporters, or has a price.
    """

    of: str = "reporter"
    priced: bool = False
    counted: bool = False

    @property
    def column(self) -> str:
        """The name of the column of the number."""
        return "budget" if self.priced else "k"

    @property
    def axis(self) -> str:
        """The label of an axis of the number."""
        return "Budget" if self.priced else f"Bribed {'reporters' if self.of == 'reporter' else 'groups'} k"

    @property
    def same_ones(self) -> str:
        """The phrase for the same ones, whatever their number."""
        return f"the same {'' if self.priced else 'k '}{nouns(self.of)[1]}"

    @property
    def nothing(self) -> str:
        """The condition that the number is 0."""
        return "nothing is spent on bribes" if self.priced else "nobody is bribed"

    def cell(self, number: int | Fraction) -> float:
        """Return the number as it stands in a table: an amount of money as the nearest float.

        Examples
        --------
        >>> BribeUnit().cell(2), BribeUnit(priced=True).cell(Fraction(3, 10))
        (2, 0.3)
        """
        return float(number) if self.priced else int(number)

    def phrase(self, number: float | Fraction) -> str:
        """Return so many reporters, groups or so much money as a phrase.

        Examples
        --------
        >>> BribeUnit().phrase(3), BribeUnit("vendor", counted=True).phrase(2), BribeUnit(priced=True).phrase(7.5)
        ('k = 3', 'k = 2 groups (vendor)', 'a budget of 7.5')
        """
        if self.priced:
            return f"a budget of {format_amount(number)}"
        if not self.counted:
            return f"k = {number:,}"
        one, several = nouns(self.of)
        return f"k = {number:,} {one if number == 1 else several}"

    def any_of(self, number: float | Fraction, out_of: int) -> str:
        """Return the condition that any so many are bribed, perhaps others on each item.

        Examples
        --------
        >>> BribeUnit().any_of(1, 6), BribeUnit("vendor", counted=True).any_of(2, 5)
        ('any one of 6 reporters is bribed, perhaps another on each item', \
'any 2 of 5 groups (vendor) are bribed, perhaps others on each item')
        """
        _, several = nouns(self.of)
        if self.priced:
            much = format_amount(number)
            return f"any of {out_of:,} {several} are bribed for at most {much}, perhaps others on each item"
        if number == 1:
            return f"any one of {out_of:,} {several} is bribed, perhaps another on each item"
        return f"any {number:,} of {out_of:,} {several} are bribed, perhaps others on each item"

    def same(self, number: float | Fraction, bribed: str = ", bribed") -> str:
        """Return the phrase for the same ones, bribed on all items.

        Examples
        --------
        >>> BribeUnit().same(1), BribeUnit("vendor").same(2), BribeUnit(priced=True).same(7)
        ('the same reporter, bribed', 'the same 2 groups (vendor), bribed', 'the same reporters, bribed for at most 7')
        """
        one, several = nouns(self.of)
        if self.priced:
            return f"the same {several}{bribed} for at most {format_amount(number)}"
        return f"the same {one if number == 1 else f'{number:,} {several}'}{bribed}"

    def same_are(self, number: float | Fraction, out_of: int) -> str:
        """Return the condition that the same ones of all are bribed on all items.

        Examples
        --------
        >>> BribeUnit().same_are(1, 6), BribeUnit("vendor", priced=True, counted=True).same_are(7.5, 4)
        ('the same one of 6 reporters is bribed on all items', \
'any of 4 groups (vendor) are bribed for at most 7.5, the same on all items')
        """
        _, several = nouns(self.of)
        if self.priced:
            return f"any of {out_of:,} {several} are bribed for at most {format_amount(number)}, the same on all items"
        if number == 1:
            return f"the same one of {out_of:,} {several} is bribed on all items"
        return f"the same {number:,} of {out_of:,} {several} are bribed on all items"


def nouns(of: str) -> tuple[str, str]:
    """Return what a bribe buys, in the singular and in the plural.

    Examples
    --------
    >>> nouns("vendor"), nouns("reporter")
    (('group (vendor)', 'groups (vendor)'), ('reporter', 'reporters'))
    """
    named = "" if of in ("reporter", "group") else f" ({of})"
    noun = "reporter" if of == "reporter" else "group"
    return f"{noun}{named}", f"{noun}s{named}"
