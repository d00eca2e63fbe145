"""How much every rule suffers as more and more of the reporters are bribed, on reports with a known truth."""

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, TypeAlias

import numpy as np
import polars as pl

from bribeproof.data.attacks import aim, draw, generator
from bribeproof.data.dense import Floats, Ints
from bribeproof.data.heads import check_k
from bribeproof.data.sheets import histograms, read_sheet
from bribeproof.data.strategies import ABSENT, Bools
from bribeproof.errors import DataError, ParameterError
from bribeproof.theory import Expert, ExpertInterval, Panel, closed_form, dictator_shares

_MOST_LOOKS = 2**62
_ROUNDING = 1e-12

MEASURES = ("squared_loss", "absolute_loss", "accuracy", "changed")
Forecaster: TypeAlias = "Callable[[Ints, int], Floats]"
"""Returns the forecast of each class, items by classes, from how often each was reported, and from k."""


@dataclass(frozen=True, slots=True, eq=False)
class AttackCurves:
    """How much each rule suffers from each number of adversaries.

    Attributes
    ----------
    table
        One row per number of adversaries and rule: ``strategy``, ``adversaries``, ``rule``, ``k``, the number of
        bribed reporters that the rule assumes, ``certified``, the share of items with more than 2k reports, and for
        ``squared_loss``, ``absolute_loss``, ``accuracy`` and ``changed`` the mean and the standard deviation (``_sd``)
        over the seeds. ``changed`` is the share of all items whose decision is another one than without adversaries;
        the others are means over the items with a known truth.
    reporters, items, known
        How many reporters and items there are, and how many items with a known truth.
    """

    table: pl.DataFrame
    reporters: int
    items: int
    known: int


@dataclass(frozen=True, slots=True)
class _Curve:
    """A rule that is attacked."""

    name: str
    forecast: Forecaster
    assumed: Callable[[int], int]
    """The k that the rule assumes, given the number of adversaries."""
    random: bool = False
    """Whether it decides by a draw, with the forecasts as chances."""


@dataclass(frozen=True, slots=True)
class _Cases:
    """Items that look the same: reports of each class before and now, the truth, and how many such items there are."""

    before: Ints
    now: Ints
    truth: Ints
    items: Ints

    @classmethod
    def of(cls, before: Ints, now: Ints, truth: Ints) -> "_Cases":
        """Put items that look the same together, unless there are too many classes to number all looks."""
        looks = np.column_stack([before, now, truth - ABSENT])
        sizes = looks.max(axis=0) + 1
        items = np.ones(len(looks), np.int64)
        if math.prod(sizes.tolist()) < _MOST_LOOKS:
            look = np.ravel_multi_index(tuple(looks.T), tuple(sizes.tolist()))
            _, first, items = np.unique(look, return_index=True, return_counts=True)
            before, now, truth = before[first], now[first], truth[first]
        return cls(before, now, truth, items)

    def measure(self, curve: _Curve, k: int) -> tuple[float, ...]:
        """Return the share of certified items, and each of MEASURES, for one rule."""
        before, now = curve.forecast(self.before, k), curve.forecast(self.now, k)
        everywhere, known = self.items, np.where(self.truth == ABSENT, 0, self.items)
        certified = _mean(_certified(self.now, k), everywhere)
        right = np.arange(now.shape[1]) == self.truth[:, None]
        absolute = _mean(1 - (now * right).sum(axis=1), known)
        if curve.random:
            return certified, absolute, absolute, 1 - absolute, _mean(np.abs(now - before).sum(axis=1) / 2, everywhere)
        squared = _mean(((now - right) ** 2).sum(axis=1) / 2, known)
        accuracy = _mean((_top(now) * right).sum(axis=1), known)
        return certified, squared, absolute, accuracy, _mean(_decisions(now) != _decisions(before), everywhere)


def attack(
    frame: Any,
    truth: object,
    strategy: str = "opposite",
    counts: Iterable[int] = (0, 1, 2),
    *,
    kind: str = "votes",
    ks: Iterable[int] | None = None,
    seeds: int | Iterable[int] = 20,
    expert: Expert | ExpertInterval | None = None,
    gold: Iterable[object] | None = None,
    copy: object = None,
    answer_all: bool = False,
    item: object = "task",
    reporter: object = "worker",
    value: object = "label",
    judges: Sequence[object] | None = None,
    truth_column: object = None,
    positive: object = 1,
    classes: Sequence[object] | None = None,
    missing: Sequence[object] = (),
    repeats: str = "error",
) -> AttackCurves:
    """Bribe more and more of the reporters of a real crowd, and see what that does to each rule.

    Parameters
    ----------
    frame
        Votes or labels of any kind that `aggregate_votes` takes; it is not changed.
    truth
        The truth, as for `calibrate`: a frame, a mapping from items to labels, or the name of a column of ``frame``.
    strategy
        What the adversaries do: see `corrupt`.
    counts
        Numbers of adversaries.
    kind
        ``"votes"`` or ``"labels"``.
    ks
        The k that rules assume; by default the true number of adversaries, half of it (rounded down) and twice.
    seeds
        How many times, or with which seeds, the adversaries are drawn. With the same seed `corrupt` draws the same.
    expert
        Of votes: what is known of a truthful voter. Adds the optimal rule for the squared loss, and is what
        ``strategy="worst"`` aims at.
    gold
        For ``"sleeper"``: the gold items. They are needed: the loss is measured on others too.
    copy, answer_all
        As in `corrupt`.
    item, reporter, value, judges, positive, classes, missing, repeats
        As in `aggregate_votes`; ``value`` is the column of the votes or labels.
    truth_column
        The column of the truth in a frame of truths; by default ``value``.

    Returns
    -------
    AttackCurves
        Losses, accuracy and changed decisions, for votes of the mean, majority, truncated mean and random dictator,
        for labels of the shares, plurality, k-ignorance shares and random dictator.

    Raises
    ------
    DataError
        If reports or truths cannot be read, or no item has a known truth.
    ParameterError
        If a parameter is outside its range, or the strategy means nothing for this kind of report.

    Notes
    -----
    theory.md §2 and §8; for two classes the k-ignorance shares are the k-truncated mean. Of m classes the squared loss
    is half of the sum over classes of (forecast - truth)², and the absolute loss 1 - forecast of the true class: for
    votes these are (y - ω)² and abs(y - ω). A rule forecasts 1/m for an item with 2k reports or fewer. Equal forecasts
    are each right in their share of cases. Of the random dictator losses, accuracy and changes are expectations; its
    draw for an item is the same one before and after.

    Examples
    --------
    >>> rows = [(f"t{i}", w, i % 2) for i in range(20) for w in "abcde"]
    >>> votes = pl.DataFrame(rows, schema=["task", "worker", "label"], orient="row")
    >>> found = attack(votes, {f"t{i}": i % 2 for i in range(20)}, counts=[0, 2], seeds=3)
    >>> attacked = found.table.filter(pl.col("adversaries") == 2)
    >>> dict(attacked.head(3).select("rule", pl.col("absolute_loss").round(3)).iter_rows())
    {'mean': 0.4, 'majority': 0.0, 'truncated mean': 0.0}
    """
    if kind not in ("votes", "labels"):
        raise ParameterError(f"kind={kind!r}: the rules that are attacked take votes or labels")
    if expert is not None and kind != "votes":
        raise ParameterError("expert describes a voter: it means nothing for labels")
    if strategy == "sleeper" and gold is None:
        raise ParameterError("strategy='sleeper' needs gold=[...], the items on which the bribed are honest")
    numbers = _heads("counts", counts)
    if isinstance(seeds, int):
        seeds = range(seeds)
    draws = list(seeds) if isinstance(seeds, Iterable) else []
    if not draws:
        raise ParameterError(f"seeds={seeds!r}: give how many draws, at least 1, or a list of seeds")
    named = read_sheet(
        frame, kind, truth=truth, gold=gold, item=item, reporter=reporter, value=value, judges=judges,
        truth_column=truth_column, positive=positive, classes=classes, missing=missing, repeats=repeats,
    )  # fmt: skip
    sheet = named.sheet
    known = sheet.truth != ABSENT
    if not known.any():
        raise DataError("no item has a report and a known truth: the ids of the items have to be the same")
    total = histograms(sheet.reports, sheet.classes)
    target = aim(expert, None, "squared")
    copied = None if copy is None else named.column(copy)
    curves = _curves(kind, ks, expert, sheet.positive)
    rows: list[dict[str, Any]] = []
    for count in numbers:
        runs = []
        for seed in draws:
            rng = generator(seed)
            who = draw(len(named.reporters), count, rng, copied)
            said = sheet.lies(who, strategy, rng, counts=total, copied=copied, target=target, answer_all=answer_all)
            seen = total - histograms(sheet.reports[:, who], sheet.classes) + histograms(said, sheet.classes)
            cases = _Cases.of(total, seen, sheet.truth)
            runs.append([cases.measure(curve, curve.assumed(count)) for curve in curves])
        rows += _rows(strategy, count, curves, np.array(runs))
    table = pl.DataFrame(rows, schema_overrides=dict.fromkeys((f"{name}_sd" for name in MEASURES), pl.Float64))
    return AttackCurves(table, len(named.reporters), len(named.items), int(known.sum()))


def _curves(kind: str, ks: Iterable[int] | None, expert: Expert | ExpertInterval | None, positive: int) -> list[_Curve]:
    """List the rules."""
    mean, majority, truncated = (
        ("mean", "majority", "truncated mean") if kind == "votes" else ("shares", "plurality", "k-ignorance shares")
    )
    curves = [_Curve(mean, _shares, lambda _: 0), _Curve(majority, _most, lambda _: 0)]
    protected = [(truncated, _shares, False), ("random dictator", _shares, True)]
    if expert is not None:
        protected.insert(1, ("optimal", partial(_optimal, expert=expert, positive=positive), False))
    assumed: list[tuple[str, Callable[[int], int]]] = [
        ("", lambda count: count),
        (", k/2", lambda count: count // 2),
        (", 2k", lambda count: 2 * count),
    ]
    if ks is not None:
        assumed = [(f", k = {k}", partial(_always, k)) for k in _heads("ks", ks)]
    return curves + [
        _Curve(name + said, forecast, k, random) for name, forecast, random in protected for said, k in assumed
    ]


def _heads(name: str, counts: object) -> list[int]:
    """Check a list of head counts."""
    found = [check_k(count) for count in counts] if isinstance(counts, Iterable) and not isinstance(counts, str) else []
    if not found or len(set(found)) < len(found):
        raise ParameterError(f"{name}={counts!r}: give a list of head counts such as [0, 1, 2], each once")
    return found


def _always(k: int, _: int) -> int:
    """Assume the same k whatever the number of adversaries."""
    return k


def _shares(histogram: Ints, k: int) -> Floats:
    """Forecast the shares that are left when k reports of each class are ignored."""
    return np.where(_certified(histogram, k)[:, None], dictator_shares(histogram, k), 1 / histogram.shape[1])


def _most(histogram: Ints, _: int) -> Floats:
    """Forecast the class that was reported most, equals equally."""
    return _top(histogram)


def _top(values: Ints | Floats) -> Floats:
    """Share 1 among the largest values of each row; what differs by rounding alone is equal."""
    top = values >= values.max(axis=1, keepdims=True) - _ROUNDING
    shared: Floats = top / top.sum(axis=1, keepdims=True)
    return shared


def _optimal(histogram: Ints, k: int, *, expert: Expert | ExpertInterval, positive: int) -> Floats:
    """Forecast what the optimal rule for the squared loss forecasts."""
    forecast = np.full(len(histogram), 0.5)
    votes = histogram.sum(axis=1)
    for size in np.unique(votes[_certified(histogram, k)]).tolist():
        here = votes == size
        forecast[here] = closed_form(Panel(size, k), expert, "squared").values[histogram[here, positive]]
    sides = np.empty(histogram.shape)
    sides[:, positive], sides[:, 1 - positive] = forecast, 1 - forecast
    return sides


def _certified(histogram: Ints, k: int) -> Bools:
    """Say which items have enough reports."""
    enough: Bools = histogram.sum(axis=1) > 2 * k
    return enough


def _decisions(forecast: Floats) -> Ints:
    """Return the class with the highest forecast; ABSENT where several have it."""
    top = _top(forecast)
    return np.where(top.max(axis=1) == 1, top.argmax(axis=1), ABSENT)


def _mean(values: Floats | Bools, items: Ints) -> float:
    """Return the mean over items of a value that each case has."""
    return float(values @ items) / float(items.sum())


def _rows(strategy: str, count: int, curves: Sequence[_Curve], runs: Floats) -> Iterator[dict[str, Any]]:
    """Average over the runs, which are seeds by rules by measures."""
    mean = runs.mean(axis=0)
    spread = runs.std(axis=0, ddof=1) if len(runs) > 1 else np.full(mean.shape, np.nan)
    for place, curve in enumerate(curves):
        row: dict[str, Any] = {
            "strategy": strategy,
            "adversaries": count,
            "rule": curve.name,
            "k": curve.assumed(count),
        }
        row["certified"] = float(mean[place, 0])
        for index, measure in enumerate(MEASURES, 1):
            sd = float(spread[place, index])
            row |= {measure: float(mean[place, index]), f"{measure}_sd": None if np.isnan(sd) else sd}
        yield row
