"""Which judge to add to a jury or to drop: greedy on certified accuracy, tested on items that did not choose."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl

from bribeproof._text import count, format_name, lower_of_100, with_and
from bribeproof._validation import random_generator, whole_number
from bribeproof.errors import DataError
from bribeproof.jury.gold import GoldJuries
from bribeproof.jury.greedy import Jury, Search, Step, best_of
from bribeproof.jury.words import whichever
from bribeproof.theory.inference.confidence import least_probability, risk_of


@dataclass(frozen=True, slots=True, eq=False)
class Choice:
    """Which judges to take.

    Attributes
    ----------
    judges
        The judges of the chosen jury.
    panel
        The judges of the jury that the choice began with.
    k
        How many judges, or families, may be bribed.
    unit
        What k is the number of: ``"judge"`` or ``"family"``.
    gold
        The number of gold items.
    robust, panel_robust
        On how many of them the chosen jury, and the one before, is right whichever k are bribed; a tie is wrong.
    crossfitted
        On how many gold items juries are right, whichever k are bribed, that were chosen in the same way without these
        items: what choosing gains, without what it only seems to gain by having seen the items.
    gained, lost
        On how many gold items these juries are right and the panel is not, and the other way round.
    accuracy_low
        A lower bound of the share of items on which the chosen jury is right, whichever k are bribed. It holds for
        every jury of these judges at once, and so for the chosen one.
    confidence
        The least probability that the bound holds.
    candidates
        The number of all judges.
    folds, seed
        In how many parts gold items were left out, and the seed of the draw; None if a generator was given.
    path : frame of the kind that came in
        One row for each size: ``size``; ``robust``, on how many gold items the jury of this size is right; ``judge``,
        who was added or dropped for it, and ``change``, which of the two.
    changes : frame of the kind that came in
        One row per judge: ``judge``; ``change``, ``drop`` for one of the panel and ``add`` for another; ``robust``, on
        how many gold items the panel is right after this one change, and ``gain`` over the panel.
    """

    judges: tuple[Any, ...]
    panel: tuple[Any, ...]
    k: int
    unit: str
    gold: int
    robust: int
    panel_robust: int
    crossfitted: int
    gained: int
    lost: int
    accuracy_low: float
    confidence: float
    candidates: int
    folds: int
    seed: int | None
    path: Any
    changes: Any

    @property
    def dropped(self) -> tuple[Any, ...]:
        """The judges of the panel who are not in the chosen jury."""
        return tuple(judge for judge in self.panel if judge not in self.judges)

    @property
    def added(self) -> tuple[Any, ...]:
        """The judges of the chosen jury who are not in the panel."""
        return tuple(judge for judge in self.judges if judge not in self.panel)

    @property
    def worthwhile(self) -> bool:
        """Whether juries chosen like this one are right on more of the items that did not choose than the panel."""
        return self.crossfitted > self.panel_robust

    def summary(self) -> str:
        """Return what to change and what it gains, one sentence a line."""
        return "\n".join(self._describe())

    def _describe(self) -> Iterator[str]:
        """Yield the sentences of the summary."""
        yield (
            f"The panel of {count(len(self.panel), 'judge')} is right on {self.panel_robust:,} of "
            f"{count(self.gold, 'gold item')}{self._whoever}; a tie is wrong."
        )
        changes = [f"drop {format_name(judge)}" for judge in self.dropped]
        changes += [f"add {format_name(judge)}" for judge in self.added]
        if not changes:
            yield "No jury on the way, where each step drops or adds the judge that helps most, is right on more."
        else:
            told, size = with_and(changes), len(self.judges)
            whose = f"the {size:,} judges then are" if size > 1 else f"{format_name(self.judges[0])} alone is"
            yield f"{told[0].upper()}{told[1:]}: {whose} right on {self.robust:,}, on the items that chose them."
        seed = "" if self.seed is None else f", seed {self.seed}"
        yield (
            f"Juries chosen in the same way without the items they are tested on are right on {self.crossfitted:,} "
            f"({self.folds:,} folds{seed}; an estimate): {self._verdict}"
        )
        yield (
            f"With {100 * self.confidence:.6g} % confidence this jury is right on at least "
            f"{lower_of_100(self.accuracy_low)} of 100 items like the gold ones{self._whoever}; these must have been "
            f"drawn independently and as the others are. The bound holds for all {self.juries:,} juries that can be "
            f"made of {count(self.candidates, 'judge')} at once, however one was chosen."
        )

    @property
    def juries(self) -> int:
        """How many juries can be made of the judges."""
        return int(2**self.candidates - 1)

    @property
    def _whoever(self) -> str:
        """The condition that k judges or families are bribed."""
        return f", {whichever(self.k, self.unit)}"

    @property
    def _verdict(self) -> str:
        """Whether the choice gains anything."""
        counts = f"{self.gained:,} gained, {self.lost:,} lost"
        if self.worthwhile:
            return f"{self.crossfitted - self.panel_robust:,} more than the panel, {counts}."
        return f"no more than the panel, {counts}: there is no sign that a change helps."


def choose(
    frame: Any,
    truth: object,
    k: int,
    *,
    panel: Sequence[Any] | None = None,
    families: object = None,
    confidence: float = 0.95,
    folds: int = 10,
    seed: int | np.random.Generator = 0,
    **columns: Any,
) -> Choice:
    """Choose the judges of a jury by the number of gold items on which it is right whichever k are bribed.

    Beginning with the panel, the judge is dropped whose absence leaves most gold items right, then the next, down to
    one judge; and in the same way judges are added, up to all. The best jury on the way is chosen.

    Parameters
    ----------
    frame, truth
        As in `bribeproof.certify`.
    k
        How many judges, or families, may be bribed.
    panel
        The judges of the jury that there is; the others are candidates. By default all judges.
    families
        The model family of each judge, which one bribe buys as a whole: a column, or a mapping from judges.
    confidence
        The least probability that the bound holds, in (0, 1).
    folds
        Gold items are left out in so many parts, at least 2, to test what choosing gains.
    seed
        Draws the parts.
    **columns
        ``item``, ``reporter``, ``label``, ``judges``, ``truth_column``, ``classes``, ``missing``, ``repeats`` and
        ``order``, as in `bribeproof.certify`.

    Returns
    -------
    Choice
        The jury, what it gains on items that did not choose it, and a bound that holds although it was chosen.

    Raises
    ------
    DataError
        If there are fewer than two gold items, or as in `bribeproof.certify`.
    ParameterError
        If a parameter is outside its range, or a judge of the panel is unknown.

    Notes
    -----
    The bound of a share is that of Clopper and Pearson (docs/theory.md, Proposition 6.3), with the risk divided by the
    number of juries that can be made of the judges: it holds for all at once, and so for one that the gold items chose.

    Examples
    --------
    Judges a to c know the answer to four of five items, d and e guess.

    >>> import polars as pl
    >>> rng = np.random.default_rng(0)
    >>> right = rng.random((200, 5)) < [0.8, 0.8, 0.8, 0.5, 0.5]
    >>> rows = [(i, "abcde"[j], "yes" if right[i, j] else "no") for i in range(200) for j in range(5)]
    >>> verdicts = pl.DataFrame(rows, schema=["task", "worker", "label"], orient="row")
    >>> choice = choose(verdicts, dict.fromkeys(range(200), "yes"), k=0)
    >>> choice.judges, choice.panel_robust, choice.robust, choice.crossfitted
    (('a', 'b', 'c'), 156, 173, 173)
    """
    risk_of(confidence)
    parts = whole_number("folds", folds, minimum=2)
    generator = random_generator(seed)
    juries = GoldJuries.read(frame, truth, k, families, columns)
    items = len(juries.gold.truth)
    if items < 2:
        raise DataError("one gold item: give two or more, some to choose by and others to test the choice on")
    start, search = juries.places(panel), Search(juries)
    everything = np.ones(items, bool)
    path = search.path(start, everything)
    best = best_of(path)
    fold = generator.permutation(np.arange(items) % min(parts, items))
    tested, before = np.zeros(items, bool), search.robust(start)
    for part in range(int(fold.max()) + 1):
        chosen = search.robust(best_of(search.path(start, fold != part)))
        tested[fold == part] = chosen[fold == part]
    robust = int(search.robust(best).sum())
    candidates = len(juries.judges)
    name = juries.judges.__getitem__
    return Choice(
        judges=tuple(map(name, best)),
        panel=tuple(map(name, start)),
        k=juries.k,
        unit="judge" if juries.bribes is None else "family",
        gold=items,
        robust=robust,
        panel_robust=int(before.sum()),
        crossfitted=int(tested.sum()),
        gained=int((tested & ~before).sum()),
        lost=int((before & ~tested).sum()),
        accuracy_low=least_probability(robust, items, confidence, statements=int(2**candidates - 1)),
        confidence=confidence,
        candidates=candidates,
        folds=min(parts, items),
        seed=None if isinstance(seed, np.random.Generator) else int(seed),
        path=juries.reports.to_native(_path_table(path, juries), {}),
        changes=juries.reports.to_native(_changes_table(search, start, juries), {}),
    )


def _path_table(path: list[Step], juries: GoldJuries) -> pl.DataFrame:
    """Return the juries of the path by size, the largest first."""
    start = len(path[0].jury)
    rows = [
        {
            "size": len(step.jury),
            "robust": step.key[0],
            "change": None if step.judge is None else "drop" if len(step.jury) < start else "add",
            "judge": None if step.judge is None else str(juries.judges[step.judge]),
        }
        for step in path
    ]
    schema = {"size": pl.Int64, "robust": pl.Int64, "change": pl.String, "judge": pl.String}
    return pl.DataFrame(rows, schema=schema).sort("size", descending=True)


def _changes_table(search: Search, start: Jury, juries: GoldJuries) -> pl.DataFrame:
    """Return what each single change of the panel does; a panel of one judge has nobody to drop."""
    before = int(search.robust(start).sum())
    rows = []
    for place, judge in enumerate(juries.judges):
        changed = search.change(start, place)
        robust = int(search.robust(changed).sum()) if changed else 0
        change = "drop" if place in start else "add"
        rows.append({"judge": str(judge), "change": change, "robust": robust, "gain": robust - before})
    schema = {"judge": pl.String, "change": pl.String, "robust": pl.Int64, "gain": pl.Int64}
    return pl.DataFrame(rows, schema=schema).sort("gain", descending=True, maintain_order=True)
