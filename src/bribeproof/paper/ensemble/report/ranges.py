"""Say which of the numbers of adversaries are meant."""

from collections.abc import Collection, Iterable
from itertools import groupby


def ranges(numbers: Collection[int], among: Iterable[int]) -> str:
    """Return numbers as text, with ranges of consecutive elements of a larger set.

    Examples
    --------
    >>> ranges([0, 5, 10, 30, 40, 45], among=range(0, 50, 5))
    '0 to 10, 30, 40 to 45'
    >>> ranges([], among=range(0, 50, 5))
    'none'
    """
    runs = [list(run) for inside, run in groupby(sorted(among), key=numbers.__contains__) if inside]
    return ", ".join(str(run[0]) if len(run) == 1 else f"{run[0]} to {run[-1]}" for run in runs) or "none"
