"""Attack the calibrated rule, which is fitted to the attacked reports on gold items."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from hashlib import blake2b

import numpy as np

from bribeproof._typing import BoolArray, FloatArray, IntArray
from bribeproof.arrays.blocks import ReportArray
from bribeproof.attacks.recommendation import CONFIDENCE, GoldFit
from bribeproof.attacks.report_matrix import ReportMatrix
from bribeproof.attacks.strategies import ABSENT
from bribeproof.theory import Aggregator, Panel, Worth, get_loss
from bribeproof.theory.inference.error_rates import split_risk
from bribeproof.theory.inference.gold import Gold
from bribeproof.theory.minimax.gold_rules import EVEN_ODDS, best_alone, ignores_reports, rules_of_gold, worth_of_rules
from bribeproof.theory.rules.aggregators import constant

_LOSS = get_loss("squared")
_SEED = 0
"""Seed of the halves of a cross-fit, which are the same in every draw."""


@dataclass(frozen=True, slots=True, eq=False)
class _Part:
    """Items that are answered by one rule, and the gold items that it is fitted to, none of which is among them."""

    fitted: IntArray
    answered: IntArray


@dataclass(frozen=True, eq=False)
class _Fit:
    """The rules that fit gold items.

    Attributes
    ----------
    gold
        The answers to the gold items.
    k
        The number of bribed reporters that the rules assume.
    rules
        The rule for items with so many reports, above 2k.
    otherwise
        The forecast for items with fewer reports.
    judged
        How many items with a known truth have so many reports, of those that the rules answer.
    """

    gold: Gold
    k: int
    rules: Mapping[int, Aggregator]
    otherwise: float
    judged: Mapping[int, int]

    @classmethod
    def of(cls, gold: Gold, k: int, sizes: Iterable[int], judged: Mapping[int, int]) -> "_Fit":
        """Fit the rules for items with so many reports."""
        of_prior, _ = split_risk(EVEN_ODDS, known_prior=False)
        alone, _ = best_alone(gold.prior_interval(k, of_prior), _LOSS)
        certified = sorted(size for size in sizes if size > 2 * k)
        fitted = rules_of_gold(gold, k, certified, _LOSS) if certified else {}
        rules = {size: constant(Panel(size), alone) if ignores_reports(rule) else rule for size, rule in fitted.items()}
        return cls(gold, k, rules, alone, {size: items for size, items in judged.items() if size in rules})

    def worth(self, confidence: float) -> Worth:
        """Return what the rules guarantee on average over the items that are judged."""
        bounds = self.gold.expert_interval(Panel(self.gold.reporters, self.k), confidence)
        return worth_of_rules(self.rules, self.judged, self.k, bounds, _LOSS)


@dataclass(frozen=True, slots=True, eq=False)
class CalibratedRule:
    """The rule of two classes that fits gold items, on one matrix of reports.

    Every item is answered by a rule that was fitted without it: to the other gold items, in whose reports the bribed
    lie as their strategy has it.

    Attributes
    ----------
    matrix
        The honest reports.
    parts
        The items, divided by the rule that answers them.
    fit
        How many gold items there are.
    """

    matrix: ReportMatrix
    parts: tuple[_Part, ...]
    fit: GoldFit
    _honest: dict[int, FloatArray] = field(default_factory=dict)
    _fits: dict[tuple[int, int, bytes], _Fit] = field(default_factory=dict)

    @classmethod
    def of(cls, matrix: ReportMatrix, *, gold: bool) -> "CalibratedRule | None":
        """Return the rule; None where there are not two classes or no item has a known truth.

        Parameters
        ----------
        matrix
            The honest reports.
        gold
            Fit to the gold items, as far as their truth is known. Otherwise all items with a known truth are cut into
            halves at random, and each half is answered by the rule that is fitted to the other one. So are the gold
            items themselves.
        """
        known = np.flatnonzero(matrix.truth != ABSENT)
        if matrix.classes != 2 or not known.size:
            return None
        chosen = known[matrix.gold[known]] if gold else known[:0]
        cross_fitted = not chosen.size
        chosen = known if cross_fitted else chosen
        order = np.random.default_rng(_SEED).permutation(chosen)
        first, second = np.sort(order[::2]), np.sort(order[1::2])
        others = np.setdiff1d(np.arange(len(matrix.truth)), chosen)
        parts = _Part(first, second), _Part(second, first), _Part(first if cross_fitted else chosen, others)
        used = tuple(part for part in parts if part.answered.size)
        return cls(matrix, used, GoldFit(len(chosen), cross_fitted=cross_fitted))

    def bribed(self, adversaries: IntArray, lies: ReportArray) -> ReportArray:
        """Return the reports after an attack."""
        reports = self.matrix.reports.copy()
        reports[:, adversaries] = lies
        return reports

    def honest(self, k: int) -> FloatArray:
        """Return the forecast of each class without adversaries, items by classes."""
        if k not in self._honest:
            self._honest[k], _ = self.forecast(self.matrix.reports, k)
        return self._honest[k]

    def forecast(self, reports: ReportArray, k: int) -> tuple[FloatArray, BoolArray]:
        """Return the forecast of each class, items by classes, and which items have more than 2k reports."""
        sizes, ones = (reports != ABSENT).sum(axis=1), (reports == self.matrix.positive).sum(axis=1)
        forecast = np.empty(len(reports))
        for place, part in enumerate(self.parts):
            fit = self._fit(place, reports, k)
            forecast[part.answered] = fit.otherwise
            for size, rule in fit.rules.items():
                items = part.answered[sizes[part.answered] == size]
                forecast[items] = rule.values[ones[items]]
        both = np.empty((len(reports), 2))
        both[:, self.matrix.positive], both[:, 1 - self.matrix.positive] = forecast, 1 - forecast
        return both, sizes > 2 * k

    def worth(self, reports: ReportArray, k: int) -> tuple[Worth, float] | None:
        """Return what is guaranteed if at most k are bribed, and for which share of the items that are judged.

        It speaks of the items with a known truth, but for the gold items if there are others, on average over those
        with more than 2k reports. The rules' guarantees hold together with a confidence of 95 %. None where no item is
        left.
        """
        judged = [np.count_nonzero(self.matrix.truth[part.answered] != ABSENT) for part in self.parts]
        places = [place for place, items in enumerate(judged) if items]
        whole = [place for place in places if len(self.parts[place].fitted) == self.fit.items]
        places = whole or places
        fits = [fit for place in places if (fit := self._fit(place, reports, k)).judged]
        if not fits:
            return None
        items = np.array([sum(fit.judged.values()) for fit in fits])
        worths = [fit.worth(1 - (1 - CONFIDENCE) / len(fits)) for fit in fits]
        bound, alone = (
            float(items @ [getattr(worth, name) for worth in worths] / items.sum())
            for name in ("expected_loss", "prior_alone")
        )
        return Worth(bound, alone, _LOSS), float(items.sum() / sum(judged[place] for place in places))

    def forget_fits(self) -> None:
        """Forget the rules that fit attacked reports; honest forecasts are kept."""
        self._fits.clear()

    def _fit(self, place: int, reports: ReportArray, k: int) -> _Fit:
        """Return the rules that answer a part of the items after an attack; equal attacks are fitted once."""
        part, truth = self.parts[place], self.matrix.truth
        answers, sizes = reports[part.fitted], (reports[part.answered] != ABSENT).sum(axis=1)
        key = place, k, blake2b(answers.tobytes() + sizes.tobytes(), digest_size=16).digest()
        if key not in self._fits:
            true = truth[part.fitted]
            gold = Gold.from_matrix(answers == true[:, None], true == self.matrix.positive, answers != ABSENT)
            judged = Counter(sizes[truth[part.answered] != ABSENT].tolist())
            self._fits[key] = _Fit.of(gold, k, np.unique(sizes).tolist(), judged)
        return self._fits[key]
