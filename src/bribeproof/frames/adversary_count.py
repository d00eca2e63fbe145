"""Number of reporters that may be bribed: a count, or a share converted into one by exact arithmetic."""

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import narwhals.stable.v2 as nw

from bribeproof._validation import exact_fraction, validate_k
from bribeproof._warnings import warn
from bribeproof.errors import ParameterError
from bribeproof.frames.bribed_groups import BribedGroups
from bribeproof.frames.reports import Reports
from bribeproof.frames.schema import BRIBED


@dataclass(frozen=True, slots=True)
class AdversaryCount:
    """The number of reporters that may be bribed: one count, a share of each item's own reports, or those of groups.

    Attributes
    ----------
    k
        The count; None if it differs from item to item.
    share
        The share that was given; None if a count was given.
    groups
        The groups that are bribed together; None if reporters are bribed one by one.

    Examples
    --------
    >>> AdversaryCount.resolve(k=None, share=0.25, share_of="panel", panel=8).k
    2
    """

    k: int | None
    share: Fraction | None = None
    groups: BribedGroups | None = None

    @classmethod
    def resolve(cls, k: object, share: object, share_of: str, panel: int) -> "AdversaryCount":
        """Validate k, or convert a share into a count.

        Parameters
        ----------
        k
            A count, at least 0; or None.
        share
            A share in [0, 1/2): a number, text such as ``"0.2"``, ``"1/5"`` or ``"20%"``; or None.
        share_of
            ``"panel"``: a share of all distinct reporters. ``"item"``: of the reports on each item.
        panel
            The number of distinct reporters.

        Raises
        ------
        ParameterError
            Unless exactly one of ``k`` and ``share`` is given and lies in its range.
        """
        if share_of not in ("panel", "item"):
            raise ParameterError(f"share_of={share_of!r}: use 'panel' or 'item'")
        if (k is None) == (share is None):
            raise ParameterError(
                "say how many reporters may be bribed: either k, a head count such as k=1, or share, such as share=0.2"
            )
        if share is None:
            return cls(validate_k(k))
        fraction = _share(share, panel)
        if share_of == "item":
            return cls(None, fraction)
        count = panel * fraction.numerator // fraction.denominator
        if count == 0:
            warn(
                f"a share of {share} of {panel} reporters is k = 0: no protection; give k=1 to guard against one bribe"
            )
        return cls(count, fraction)

    def placed(self, reports: Reports) -> Reports:
        """Return reports with what `expression` needs: with groups, in memory, the number of each item."""
        return reports if self.groups is None else self.groups.place(reports)

    def expression(self, reports: nw.Expr) -> nw.Expr:
        """Return k as an expression of the number of reports on each item."""
        if self.groups is not None:
            return nw.col(BRIBED)
        if self.k is not None or self.share is None:
            return nw.lit(self.k, nw.Int64)
        return (reports * self.share.numerator) // self.share.denominator

    def for_item(self, reports: int) -> int:
        """Return k for an item with this many reports."""
        if self.k is not None or self.share is None:
            return self.k or 0
        return reports * self.share.numerator // self.share.denominator


def count_of(share: Any, reporters: int) -> int:
    """Return a share of the reporters as a count, rounded down, by exact arithmetic.

    Examples
    --------
    >>> count_of(0.29, 100), count_of("2/3", 10), count_of(1 / 3, 9), count_of("25%", 8)
    (29, 6, 3, 2)
    """
    fraction = exact_fraction("share", share, "[0, 1]", most=reporters)
    _check_share(share, fraction, "[0, 1]")
    return reporters * fraction.numerator // fraction.denominator


def _share(share: Any, reporters: int) -> Fraction:
    """Return a share below one half as an exact fraction.

    A share of m reporters is a whole number of them only if its denominator divides m, so that `reporters` is the
    largest denominator that matters.
    """
    fraction = exact_fraction("share", share, "[0, 0.5)", most=reporters)
    _check_share(share, fraction, "[0, 0.5)")
    if fraction >= Fraction(1, 2):
        raise ParameterError(
            f"share={share}: use a number in [0, 0.5); it is cut from each end, "
            f"so half of the reporters or more leaves nothing"
        )
    return fraction


def _check_share(share: Any, fraction: Fraction, allowed: str) -> None:
    """Raise an error if a share is negative, or larger than everybody."""
    text = str(share).strip()
    if (fraction > 1 or (fraction == 1 and allowed != "[0, 1]")) and not text.endswith("%"):
        heads = f", or {fraction} reporters (k={fraction}, --k {fraction})" if fraction.denominator == 1 else ""
        raise ParameterError(
            f"share={share}: use a number in {allowed}; "
            f"is it {text} % (share={float(fraction / 100):g} or '{text}%'; --share {text}%){heads}?"
        )
    if not 0 <= fraction <= 1:
        raise ParameterError(f"share={share}: use a number in {allowed}, such as 0.2")
