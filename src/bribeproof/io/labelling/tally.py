"""Count what an export holds, and say it in one sentence."""

from __future__ import annotations

from collections import Counter

from bribeproof._text import count


class Tally:
    """Counts of what was read and left out.

    Parameters
    ----------
    tool : str
        The labelling tool.

    Examples
    --------
    >>> tally = Tally("Toloka")
    >>> tally.add("report", 30)
    >>> tally.absent("rejected", 2)
    >>> tally.beside("prediction", "not a reporter's", 5)
    >>> tally.note
    "read as an export of Toloka: 30 reports; 2 rejected: missing reports; 5 predictions: not a reporter's"
    """

    def __init__(self, tool: str) -> None:
        self.tool = tool
        self._read: Counter[str] = Counter()
        self._absent: Counter[str] = Counter()
        self._beside: Counter[tuple[str, str]] = Counter()

    def add(self, what: str, number: int = 1) -> None:
        """Count what was read, such as ``"report"``."""
        self._read[what] += number

    def absent(self, why: str, number: int = 1) -> None:
        """Count reports that are missing, and why, such as ``"skipped"``."""
        self._absent[why] += number

    def beside(self, what: str, why: str, number: int = 1) -> None:
        """Count what is no report, and what became of it."""
        self._beside[what, why] += number

    @property
    def note(self) -> str:
        """The counts in one sentence."""
        read = ", ".join(count(number, what) for what, number in self._read.items() if number) or "no report"
        absent = [f"{number:,} {why}" for why, number in self._absent.items() if number]
        parts = [f"read as an export of {self.tool}: {read}"]
        parts += [f"{', '.join(absent)}: missing reports"] if absent else []
        parts += [f"{count(number, what)}: {why}" for (what, why), number in self._beside.items() if number]
        return "; ".join(parts)
