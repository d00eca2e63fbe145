"""One item's verdicts of a jury: the answer, how many verdicts would overturn it, and whether k judges could have."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from bribeproof._text import count, format_name, shorten, with_and
from bribeproof.aggregation.kernels.status import NO_CLASS_LEFT, OK
from bribeproof.errors import DataError
from bribeproof.jury.seats import Answers, Families, Seats


@dataclass(frozen=True, slots=True)
class Verdict:
    """The verdict of a jury on one item.

    Attributes
    ----------
    answer
        The label that most judges gave; None for a tie, and unless `status` is ``"ok"``.
    counts : tuple of (label, int)
        How many judges gave each label, the most first, equal ones sorted.
    tie
        Whether two labels or more are the most frequent.
    flips_needed
        The fewest verdicts to rewrite so that the answer no longer wins outright; 0 for a tie, None without a status
        ``"ok"``.
    bribes_needed
        The fewest judges, or families, who could do that by rewriting the verdicts they gave.
    settled
        Whether there is an answer that no k judges, or families, could have changed: neither by rewriting the verdicts
        they gave nor by those of their judges who are silent.
    range : tuple of two floats
        The least and the largest share of the verdicts given that says `answer`, if k judges or families rewrite
        theirs; None where there is no answer.
    status
        ``"ok"``; ``"not certified"``: k judges, or families, hold half of the verdicts or more; ``"no class left"``:
        they hold as many as the most frequent label has; ``"no reports"``.
    seats
        The judges who were asked, who of them is silent, and k.
    """

    answer: Any
    counts: tuple[tuple[Any, int], ...]
    tie: bool
    flips_needed: int | None
    bribes_needed: int | None
    range: tuple[float, float] | None
    status: str
    settled: bool
    seats: Seats

    def as_dict(self) -> dict[str, Any]:
        """Return the verdict as plain data of JSON types."""
        return {
            "answer": self.answer, "counts": [list(pair) for pair in self.counts], "tie": self.tie,
            "flips_needed": self.flips_needed, "bribes_needed": self.bribes_needed,
            "range": None if self.range is None else list(self.range), "status": self.status, "settled": self.settled,
            "panel": self.seats.as_dict(),
        }  # fmt: skip

    def summary(self) -> str:
        """Return the verdict and what it is worth, one sentence a line."""
        return "\n".join(self._describe())

    def _describe(self) -> Iterator[str]:
        """Yield the sentences of the summary."""
        yield self.seats.describe()
        if self.counts:
            yield f"Verdicts: {with_and([f'{number:,} {format_name(label)}' for label, number in self.counts], 5)}."
        if self.status == NO_CLASS_LEFT:
            held = count(self.seats.held, "verdict")
            yield f"No answer: {self.seats.bribed} may hold {held}, no fewer than any label has."
        elif self.status != OK:
            yield self.seats.why()
        elif self.tie:
            yield "A tie: there is no answer."
        else:
            yield f"The answer is {format_name(self.answer)}; {count(self.flips_needed or 0, 'flip')} needed."
            could = "could not have" if self.settled else "could have"
            who = self.seats.bribed[0].upper() + self.seats.bribed[1:]
            spoken = " if the silent ones had spoken" * (not self.settled and (self.bribes_needed or 0) > self.seats.k)
            yield f"{who} {could} changed it{spoken}." if self.seats.k else "Nobody is taken to be bribed (k = 0)."


def decide(verdicts: Answers, k: int, *, families: Families | None = None) -> Verdict:
    """Return the verdict of a jury on one item, of whose judges k may be bribed.

    A bribed judge is one whose verdict somebody else chose: by a payment, or by text in the judged answer that tells a
    language model what to say (prompt injection).

    Parameters
    ----------
    verdicts
        What each judge says: a mapping from judges to labels, or a list of labels in the order of the judges. All are
        text, all booleans, or all numbers. None, NaN and blank text stand for a judge who failed, refused or was not
        consistent: such a judge counts in n and does not lower k.
    k
        How many judges may be bribed, or, with `families`, how many families.
    families
        The model family of each judge, which one bribe buys as a whole: a mapping from judges, or a list in their
        order. Judges without one are bribed one by one.

    Returns
    -------
    Verdict
        The answer, how many flips it needs, and whether k could have changed it.

    Raises
    ------
    DataError
        If there are no judges, or verdicts are of several types.
    ParameterError
        If k is negative, or a list of families has another length.
    ParameterTypeError
        If an argument is of another type.

    Notes
    -----
    The same as a row of `bribeproof.aggregate_labels`, which is for many items in a table. docs/theory.md §8 and §10.

    Examples
    --------
    >>> verdict = decide({"gpt": "good", "claude": "good", "llama": "good", "qwen": "bad", "phi": None}, k=1)
    >>> verdict.answer, verdict.flips_needed, verdict.range, verdict.settled
    ('good', 1, (0.5, 1.0), False)
    >>> print(verdict.summary())
    4 of 5 judges gave an answer; silent: phi.
    Verdicts: 3 good and 1 bad.
    The answer is good; 1 flip needed.
    One bribed judge could have changed it.
    """
    seats, given = Seats.read(verdicts, k, families)
    _check_one_type(given)
    tally = Counter(given.values())
    counts = tuple(sorted(tally.items(), key=lambda pair: (-pair[1], pair[0])))
    tie = len(counts) > 1 and counts[0][1] == counts[1][1]
    status = seats.status
    if status == OK and counts[0][1] <= seats.held:
        status = NO_CLASS_LEFT
    if status != OK or tie:
        flips = 0 if status == OK else None
        return Verdict(None, counts, tie, flips, flips, None, status, settled=False, seats=seats)
    (answer, most), *others = counts
    lead = most - (others[0][1] if others else 0)
    lost = seats.most(lambda judge: int(given.get(judge) == answer))
    won = seats.most(lambda judge: int(judge in given and given[judge] != answer))
    reach = ((most - lost) / seats.m, (most + won) / seats.m)
    bribes, settled = _bribes_needed(seats, given, counts), _settled(seats, given, counts)
    return Verdict(answer, counts, tie, (lead + 1) // 2, bribes, reach, status, settled, seats)


def _bribes_needed(seats: Seats, given: dict[Any, Any], counts: tuple[tuple[Any, int], ...]) -> int:
    """Return the fewest judges or families who bring some rival level with the first label, one nobody named too."""
    (answer, most), *others = counts

    def needed(rival: Any, held: int) -> int:
        """Return how few bring a rival level who has so many verdicts."""
        return seats.fewest(lambda judge: _swing(given.get(judge, rival), rival, answer), most - held)

    nobody = object()
    best = needed(nobody, 0)
    for rival, held in others:
        if needed(nobody, held) >= best:
            break  # who has as few verdicts needs as many bribes: those who say so already bring it no nearer
        best = min(best, needed(rival, held))
    return best


def _settled(seats: Seats, given: dict[Any, Any], counts: tuple[tuple[Any, int], ...]) -> bool:
    """Return whether no k judges or families bring a rival level, those of them included who are silent."""
    (answer, most), *others = counts

    def reached(rival: Any) -> int:
        """Return how much nearer k bring a rival to the answer."""
        return seats.most(lambda judge: _swing(given.get(judge), rival, answer))

    most_reached = reached(object())
    close = [(rival, held) for rival, held in others if most - held <= most_reached]
    return most_reached < most and all(reached(rival) < most - held for rival, held in close)


def _swing(says: Any, rival: Any, answer: Any) -> int:
    """Return how much nearer a rival comes to the answer by one judge's verdict."""
    return 0 if says == rival else 1 + int(says == answer)


def _check_one_type(given: dict[Any, Any]) -> None:
    """Raise an error unless all verdicts are text, all booleans, or all numbers."""
    kinds = {judge: _kind(judge, value) for judge, value in given.items()}
    first = next(iter(kinds), None)
    for judge, kind in kinds.items():
        if kind != kinds[first]:
            raise DataError(
                f"judge {format_name(judge)} says {shorten(given[judge])}, which is {kind}, and judge "
                f"{format_name(first)} {shorten(given[first])}, which is {kinds[first]}: give verdicts of one type"
            )


def _kind(judge: Any, value: Any) -> str:
    """Return the kind of a verdict; raise an error if it is none."""
    kinds: tuple[tuple[Any, str], ...] = ((str, "text"), (bool, "a boolean"), (int | float, "a number"))
    kind = next((name for types, name in kinds if isinstance(value, types)), None)
    if kind is None:
        raise DataError(
            f"judge {format_name(judge)} says {shorten(value)}, which is no verdict: give text, a boolean or a number, "
            f"and None for a judge who failed"
        )
    return kind
