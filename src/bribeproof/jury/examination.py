"""What a jury is worth, measured on gold items: how often it is right, whoever is bribed, and how alike judges err."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl

from bribeproof._text import count, format_name, lower_of_100
from bribeproof.certification.certify import certify
from bribeproof.certification.result import Certification
from bribeproof.frames.native import to_polars
from bribeproof.jury.gold import GoldJuries
from bribeproof.jury.words import plural, whichever

_ROWS = 3
"""The summary speaks of nobody, one and two bribed judges, and of as many as were asked for."""


@dataclass(frozen=True, slots=True, eq=False)
class Examination:
    """What a jury is worth on items whose right answer is known.

    Attributes
    ----------
    certification
        The result of `bribeproof.certify`: for each k on how many gold items the jury is right whichever k judges, or
        families, are bribed, with bounds.
    judges : frame of the kind that came in
        One row per judge, the one who is right most often first: ``judge``; ``given``, the verdicts on gold items;
        ``right``, how many of them are right; ``accuracy``, their share, null without verdicts; and ``silent``, the
        gold items without a verdict.
    unit
        What k is the number of: ``"judge"`` or ``"family"``.
    """

    certification: Certification
    judges: Any
    unit: str

    @property
    def effective(self) -> float | None:
        """How many judges who err independently vary as much as this jury: an estimate; None if it cannot be told."""
        together = self.certification.together
        return None if together is None else together.effective

    def summary(self) -> str:
        """Return what the jury is worth and what to do about it, one sentence a line."""
        return "\n".join(self._describe())

    def _describe(self) -> Iterator[str]:
        """Yield the sentences of the summary."""
        known = self.certification
        rows = to_polars(known.by_k).rows(named=True)
        families = f" of {count(known.out_of, 'family', 'families')}" * (self.unit == "family")
        yield (
            f"{count(known.reporters, 'judge')}{families}, {count(known.gold, 'gold item')}; the answer is the label "
            f"that most judges give, and a tie is wrong."
        )
        for row in rows[:_ROWS] + rows[_ROWS:][-1:]:
            who = whichever(row["k"], self.unit)
            yield (
                f"{who[0].upper()}{who[1:]}: right on {row['robust']:,} of {known.gold:,}; with "
                f"{100 * known.confidence:.6g} % confidence on at least {lower_of_100(row['accuracy_low'])} of 100 "
                f"items like these."
            )
        for one in known.lists:
            if 0 < one.k < _ROWS and one.right:
                same = f"{self.unit} rewrites its" if one.k == 1 else f"{one.k:,} {plural(self.unit)} rewrite their"
                left = f"{one.left:,} of {known.gold:,}"
                yield f"If the same {same} verdicts on all items: still right on at least {left}."
        yield (
            "Like these: the gold items must have been drawn independently and as the others are; on average over all "
            "items, whatever bribed judges say or withhold."
        )
        if self.effective is not None and known.together is not None:
            yield (
                f"Errors go together (correlation {known.together.correlation:.3f}): {known.together.reports:,} judges "
                f"vary like {self.effective:.2f} who err independently (an estimate)."
            )
        best, right = known.best, rows[0]["robust"]
        if best.right > right:
            yield (
                f"The best judge alone, {format_name(best.name)}, is right on {best.right:,}, more often than this "
                f"jury; if it is that judge who is bribed, on none."
            )
            yield "Look for a better jury (bribeproof.jury.choose), or for judges whose errors are less alike."
        else:
            yield (
                f"The best judge alone, {format_name(best.name)}, is right on {best.right:,}, no more often than this "
                f"jury."
            )


def examine(
    frame: Any,
    truth: object,
    k: int | None = None,
    *,
    families: object = None,
    confidence: float = 0.95,
    **columns: Any,
) -> Examination:
    """Measure on gold items how often a jury is right, whichever k of its judges are bribed.

    Parameters
    ----------
    frame, truth
        As in `bribeproof.certify`: a table of verdicts, and the right answers to some of its items.
    k
        The largest number of bribed judges, or families; by default all for which something is certified.
    families
        The model family of each judge, which one bribe buys as a whole: a column, or a mapping from judges.
    confidence
        The least probability that the bounds hold, in (0, 1).
    **columns
        ``item``, ``reporter``, ``label``, ``judges``, ``truth_column``, ``classes``, ``missing``, ``repeats`` and
        ``order``, as in `bribeproof.certify`.

    Returns
    -------
    Examination
        The certified accuracy for each k, each judge's, and how many independent judges the jury is worth.

    Raises
    ------
    DataError, ParameterError, ColumnError
        As in `bribeproof.certify`.

    Notes
    -----
    docs/theory.md §13.

    Examples
    --------
    >>> rows = [(i, j, "good" if (i + 3 * j) % 10 else "bad") for i in range(50) for j in range(3)]
    >>> verdicts = pl.DataFrame(rows, schema=["task", "worker", "label"], orient="row")
    >>> result = examine(verdicts, dict.fromkeys(range(50), "good"))
    >>> result.certification.by_k["robust"].to_list(), result.judges["right"].to_list()
    ([50, 35], [45, 45, 45])
    """
    certification = certify(frame, truth, k, group=families, confidence=confidence, **columns)
    juries = GoldJuries.read(frame, truth, 0, families, columns)
    gold, number = juries.gold, len(juries.judges)
    given, right = (np.bincount(gold.reporter, weights, number).astype(int) for weights in (None, gold.right))
    table = pl.DataFrame(
        {
            "judge": list(map(str, juries.judges)),
            "given": given,
            "right": right,
            "accuracy": [r / g if g else None for r, g in zip(right.tolist(), given.tolist(), strict=True)],
            "silent": len(gold.truth) - given,
        },
        schema_overrides={"accuracy": pl.Float64},
    )
    table = table.sort("right", descending=True, maintain_order=True)
    return Examination(
        certification, juries.reports.to_native(table, {}), "judge" if juries.bribes is None else "family"
    )
