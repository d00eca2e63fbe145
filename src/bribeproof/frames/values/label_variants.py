"""Warn about labels that are probably one: written with other marks around them, or with a slip of the finger."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import combinations

from bribeproof._text import count, shorten
from bribeproof._warnings import warn

_MARKS = " \t\r\n*_`\"'“”‘’„«».!,;:。，！"
"""What may stand around a label without changing it."""
_MOST_LABELS = 300
"""The most labels that are compared in pairs."""
_SHORTEST = 5
"""Shorter labels of one letter's difference are different words."""
_TIMES = 5
"""A label this many times as frequent as a rare one is the likely spelling."""
_SHOWN = 3
"""The most groups that a warning shows."""


def warn_marks(labels: Iterable[str]) -> None:
    """Warn about labels that differ in marks around them, such as *A is better* and ***A is better**.*."""
    groups: dict[str, list[str]] = {}
    for label in labels:
        bare = label.strip(_MARKS)
        if any(map(str.isalpha, bare)):
            groups.setdefault(bare, []).append(label)
    twins = sorted(sorted(group) for group in groups.values() if len(group) > 1)
    if twins:
        shown = "; ".join(" and ".join(map(shorten, group)) for group in twins[:_SHOWN])
        more = f" and {len(twins) - _SHOWN:,} more" * (len(twins) > _SHOWN)
        warn(f"labels that differ in marks around them are kept apart: {shown}{more}; write them alike if they are one")


def warn_slips(labels: Sequence[str], counted: Callable[[Sequence[str]], Mapping[str, int]]) -> None:
    """Warn about rare labels that differ from a frequent one in one letter.

    Parameters
    ----------
    labels
        Different labels.
    counted
        Function that counts the reports of some labels; it is called only where two are close.
    """
    if len(labels) > _MOST_LABELS:
        return
    words = [label for label in labels if len(label) >= _SHORTEST and not any(map(str.isdigit, label))]
    close = [(one, other) for one, other in combinations(sorted(words), 2) if is_slip(one, other)]
    if not close:
        return
    reports = counted(sorted({label for pair in close for label in pair}))
    slips = []
    for pair in close:
        rare, frequent = sorted(pair, key=lambda label: reports.get(label, 0))
        if reports.get(frequent, 0) >= _TIMES * reports.get(rare, 0) > 0:
            slips.append(f"{shorten(rare)} ({count(reports[rare], 'report')}) of {shorten(frequent)}")
    if slips:
        more = f" and {len(slips) - _SHOWN:,} more" * (len(slips) > _SHOWN)
        warn(f"labels that may be misspellings are kept apart: {', '.join(slips[:_SHOWN])}{more}")


def is_slip(one: str, other: str) -> bool:
    """Return whether labels differ in one letter of one word, behind its first, or in two that changed places.

    Examples
    --------
    >>> is_slip("toxic", "toxci"), is_slip("toxic", "toxics"), is_slip("moral", "amoral"), is_slip("plan A", "plan B")
    (True, True, False, False)
    """
    ours, theirs = one.strip(_MARKS).split(), other.strip(_MARKS).split()
    if len(ours) != len(theirs):
        return False
    apart = [pair for pair in zip(ours, theirs, strict=True) if pair[0] != pair[1]]
    return len(apart) == 1 and min(map(len, apart[0])) >= _SHORTEST and _one_slip(*apart[0])


def _one_slip(one: str, other: str) -> bool:
    """Return whether two words differ in one letter behind the first, or in two neighbours that changed places."""
    if abs(len(one) - len(other)) > 1 or one.casefold() == other.casefold():
        return False
    short, long = sorted((one, other), key=len)
    at = next((at for at, (a, b) in enumerate(zip(short, long, strict=False)) if a != b), len(short))
    if at == 0:
        return False
    if len(short) < len(long):
        return short[at:] == long[at + 1 :]
    swapped = short[at : at + 2] == long[at : at + 2][::-1] and short[at + 2 :] == long[at + 2 :]
    return swapped or short[at + 1 :] == long[at + 1 :]
