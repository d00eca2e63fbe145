"""Bounds of the prior and of truthful errors from gold items, on which the adversaries may have answered anything."""

import math
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import chain
from typing import Self

import numpy as np
from numpy.typing import ArrayLike

from bribeproof._typing import BoolArray, FloatArray, IntArray
from bribeproof._validation import whole_number, whole_numbers
from bribeproof.errors import ParameterError
from bribeproof.theory.inference.confidence import clopper_pearson
from bribeproof.theory.inference.error_rates import ErrorRates, interval_within, ordered_rates, split_risk
from bribeproof.theory.inference.item_kinds import ItemKinds, other_pairs, right_share, wrong_pairs, wrong_share
from bribeproof.theory.inference.left_out import Averaged
from bribeproof.theory.inference.truthful_means import TruthfulMeans
from bribeproof.theory.inference.weighted_means import least_weighted_mean
from bribeproof.theory.model.expert_interval import ExpertInterval
from bribeproof.theory.model.panel import Panel

_OF_LEAST = 1 / 16
"""The shares of the risk of a state that the lower bounds of the two error rates take: guarantees hardly need them."""
_ERRORS = Averaged(wrong_share, falls=False), Averaged(right_share, falls=True)
_JOINT_ERRORS = Averaged(wrong_pairs, falls=False), Averaged(other_pairs, falls=True)


@dataclass(frozen=True, eq=False)
class Gold:
    """Answers of a panel on gold items, whose state is known.

    Parameters
    ----------
    reporters : int
        The number of reporters, at least 1.
    state : bool array of shape (items,)
        The state of each gold item, answered or not.
    item, reporter : int arrays of shape (answers,)
        The number of the gold item and of the reporter of each answer; each pair once.
    right : bool array of shape (answers,)
        Whether the answer is the state.
    rows : int array of shape (items,), optional
        Where a gold item is known only if some reporter has a row with it: how many have. Left out where the list of
        gold items does not depend on the reporters.
    times : int, default 1
        Count everything so many times.

    Raises
    ------
    ParameterError
        Arrays of other shapes, or that contradict each other.

    Notes
    -----
    docs/theory.md §6.

    Examples
    --------
    >>> truth = np.arange(100) % 2 == 1
    >>> right = np.ones((100, 3), bool)
    >>> right[::10] = False
    >>> gold = Gold.from_matrix(right, truth)
    >>> bounds = gold.expert_interval(Panel(n=3, k=1), confidence=0.95)
    >>> round(bounds.prior[0], 3), round(bounds.tpr, 3), round(bounds.fpr, 3)
    (0.369, 0.897, 0.435)
    """

    reporters: int
    state: BoolArray
    item: IntArray
    reporter: IntArray
    right: BoolArray
    rows: IntArray | None = None
    times: int = 1
    _counted: dict[tuple[int, int], ItemKinds] = field(default_factory=dict, repr=False)
    _averaged: dict[tuple[int, int], tuple[TruthfulMeans, ...]] = field(default_factory=dict, repr=False)

    def __post_init__(self) -> None:
        for name in ("item", "reporter", "rows"):
            if getattr(self, name) is not None:
                object.__setattr__(self, name, whole_numbers(name, getattr(self, name)))
        for name in ("state", "right"):
            object.__setattr__(self, name, np.asarray(getattr(self, name), dtype=bool))
        shapes = {self.item.shape, self.reporter.shape, self.right.shape}
        if self.state.ndim != 1 or len(shapes) > 1 or self.item.ndim != 1:
            raise ParameterError(f"item, reporter and right have shapes {sorted(shapes)}; give one of each per answer")
        whole_number("reporters", self.reporters, minimum=1)
        if (self.item >= len(self.state)).any() or (self.reporter >= self.reporters).any():
            raise ParameterError("an answer is to an item or by a reporter that there is not; count both from 0")
        if len(np.unique(self.item * self.reporters + self.reporter)) < len(self.item):
            raise ParameterError("a reporter answers an item more than once; give each pair once")
        if self.rows is not None and (
            self.rows.shape != self.state.shape or (self.rows < np.bincount(self.item, minlength=len(self.state))).any()
        ):
            raise ParameterError("rows has fewer reporters of an item than answers; count those without an answer too")

    @classmethod
    def from_matrix(cls, right: ArrayLike, state: ArrayLike, answered: ArrayLike | None = None) -> Self:
        """Return the gold items of a table of answers.

        Parameters
        ----------
        right : bool array of shape (items, reporters)
            Whether each answer is right.
        state : bool array of shape (items,)
            The state of each item.
        answered : bool array of shape (items, reporters), optional
            Which answers there are; by default all.
        """
        table = np.asarray(right, dtype=bool)
        given = np.ones(table.shape, bool) if answered is None else np.asarray(answered, dtype=bool)
        item, reporter = np.nonzero(given)
        return cls(table.shape[1], np.asarray(state, dtype=bool), item, reporter, table[given])

    @cached_property
    def answered(self) -> IntArray:
        """The numbers of answers of each reporter to items of state 0 and of state 1, shape (2, reporters)."""
        return self._by_reporter(np.ones(len(self.item), bool))

    @cached_property
    def correct(self) -> IntArray:
        """The numbers of right answers, likewise."""
        return self._by_reporter(self.right)

    def _by_reporter(self, counted: BoolArray) -> IntArray:
        states = self.state[self.item].astype(np.int64)
        places = (states * self.reporters + self.reporter)[counted]
        return self.times * np.bincount(places, minlength=2 * self.reporters).reshape(2, self.reporters)

    @property
    def items(self) -> tuple[int, int]:
        """The numbers of gold items of state 0 and of state 1, unanswered ones included."""
        return self._by_state(np.ones(len(self.state), bool))

    @property
    def unanswered(self) -> int:
        """The number of gold items that nobody answered."""
        return self.times * int((self._sizes == 0).sum())

    def unsure(self, k: int) -> tuple[int, int]:
        """Return the numbers of gold items of state 0 and of state 1 that bribed reporters alone may have chosen.

        These are the ones with rows of at most k reporters, where gold items are known from the reporters' rows.
        """
        return (0, 0) if self.rows is None else self._by_state(self.rows <= k)

    def _by_state(self, chosen: BoolArray) -> tuple[int, int]:
        negative, positive = np.bincount(self.state[chosen], minlength=2).tolist()
        return self.times * negative, self.times * positive

    @cached_property
    def _sizes(self) -> IntArray:
        """The number of answers to each item."""
        return np.bincount(self.item, minlength=len(self.state))

    def expert_interval(
        self,
        panel: Panel,
        confidence: float,
        prior: tuple[float, float] | None = None,
        reports: ArrayLike | None = None,
    ) -> ExpertInterval:
        """Return bounds of the prior and of the truthful reporters' errors, with a confidence.

        Parameters
        ----------
        panel : Panel
            The n reporters, and how many of them may be adversarial, on the gold items too.
        confidence : float
            Least probability in (0, 1) that all bounds hold, whatever the adversaries answered and however the answers
            of different reporters to an item are correlated. Gold items must be independent, and drawn and answered
            like the items that are asked later.
        prior : tuple of float, optional
            Lowest and highest possible Pr[state = 1]; estimated from the gold items if left out.
        reports : array of int, optional
            Where gold items were not answered by the same reporters as other items are: how many reports each reporter
            has made. The rates are then bounded on average over reporters as well as over these reports, and joint
            errors are not.

        Returns
        -------
        ExpertInterval
            Bounds of the prior, and of the error rates and joint error rates on average over items with more than 2k
            reports.

        Raises
        ------
        ParameterError
            A panel of another size, or a confidence outside (0, 1).

        Notes
        -----
        docs/theory.md §6. The prior takes a fifth of the risk, or none if it is given; the two states share the rest
        (`error_rates`). With ``reports``, the rates are bounded reporter by reporter (Proposition 6.2). The prior is
        that of all gold items, answered or not; of those that bribed reporters alone may have put on the list,
        whichever would move it furthest are counted (Proposition 6.6).
        """
        self._check(panel)
        of_prior, risk = split_risk(confidence, known_prior=prior is not None)
        if prior is None:
            prior = self.prior_interval(panel.k, of_prior)
        if reports is not None:
            right = list(self._means_over_reports(panel, risk, reports))
            return ExpertInterval(prior, right[1], 1 - right[0])
        return interval_within(prior, self.error_rates(panel.k, 1, risk), self.error_rates(panel.k, 0, risk))

    def error_rates(self, k: int, state: int, risk: float) -> ErrorRates:
        """Return bounds of the truthful reporters' errors on items of one state with more than 2k reports.

        Parameters
        ----------
        k : int
            Largest number of bribed reporters.
        state : bool
            The state.
        risk : float
            Largest probability in (0, 1) that some bound fails.

        Notes
        -----
        docs/theory.md, Proposition 6.7.
        """
        of_wrong, of_right = _OF_LEAST * risk, (0.5 - _OF_LEAST) * risk
        bounds = [
            means.least([of_right if one.falls else of_wrong for one in means.averaged], self.items[state], self.times)
            for means in self._truthful_means(k, state)
        ]
        return ordered_rates(chain.from_iterable(bounds))

    def _truthful_means(self, k: int, state: int) -> tuple[TruthfulMeans, ...]:
        """Return the means of the shares that bound errors and joint errors, in the order of `ErrorRates`."""
        if (state, k) not in self._averaged:
            single, pairs = self._kinds_of(state, 2 * k + 1), self._kinds_of(state, max(2 * k + 1, k + 2))
            alike = single is pairs
            self._averaged[state, k] = (
                (TruthfulMeans(single, k, (*_ERRORS, *_JOINT_ERRORS)),)
                if alike
                else (TruthfulMeans(single, k, _ERRORS), TruthfulMeans(pairs, k, _JOINT_ERRORS))
            )
        return self._averaged[state, k]

    def _kinds_of(self, state: int, least: int) -> ItemKinds:
        """Return the items of one state with at least so many answers; counted once."""
        if (state, least) not in self._counted:
            chosen = self.state[self.item] == state
            answers = (self.item[chosen], self.reporter[chosen], self.right[chosen])
            self._counted[state, least] = ItemKinds.count(self.reporters, *answers, least)
        return self._counted[state, least]

    def observed_interval(self, panel: Panel) -> ExpertInterval:
        """Return the limit of the bounds for many such gold items: what is observed, whichever k reporters are bribed.

        Examples
        --------
        >>> right = [[True, True, False], [True, True, True], [True, False, False], [True, True, True]]
        >>> Gold.from_matrix(right, [True, True, False, False]).observed_interval(Panel(n=3))
        ExpertInterval(prior=(0.5, 0.5), tpr=0.833..., fpr=0.333..., highest_tpr=0.833..., ...)
        """
        self._check(panel)
        positive, negative = (
            ordered_rates(chain.from_iterable(means.observed() for means in self._truthful_means(panel.k, state)))
            for state in (1, 0)
        )
        return interval_within(self.prior_interval(panel.k, 0.0), positive, negative)

    def observed_rates(self, state: int) -> tuple[float, float]:
        """Return the mean share of wrong reports and of wrong pairs on the items of one state with two reports or more.

        They are those of all reporters, bribed or not; 1 and 1 where there are no such items.
        """
        chosen = (self.state[self.item] == state) & (self._sizes[self.item] > 1)
        errors = np.bincount(self.item[chosen], weights=~self.right[chosen], minlength=len(self.state))
        kept = np.bincount(self.item[chosen], minlength=len(self.state)) > 0
        if not kept.any():
            return 1.0, 1.0
        wrong, sizes = errors[kept], self._sizes[kept]
        return float(wrong_share(wrong, sizes).mean()), float(wrong_pairs(wrong, sizes).mean())

    def reporter_bounds(self, panel: Panel, risk: float) -> FloatArray:
        """Return lower bounds of each reporter's rates of correct answers in state 0 and in state 1, shape (2, n).

        All of them hold at once but for a risk of `risk` in each state.
        """
        self._check(panel)
        lowest, _ = clopper_pearson(self.correct, self.answered, 1 - 2 * risk / panel.n)
        return lowest

    def _check(self, panel: Panel) -> None:
        if panel.n != self.reporters:
            raise ParameterError(
                f"panel n = {panel.n}, but {self.reporters} reporters answered gold items; give n={self.reporters}"
            )

    def _means_over_reports(self, panel: Panel, risk: float, reports: ArrayLike) -> Iterator[float]:
        """Yield lower bounds of the mean rates of correct answers in state 0 and in state 1."""
        weights = whole_numbers("reports", reports)
        if weights.shape != (panel.n,):
            raise ParameterError(f"reports has shape {weights.shape}; give the number of reports of each of {panel.n}")
        for rates in self.reporter_bounds(panel, risk):
            alone = math.fsum(np.sort(rates)[: panel.truthful]) / panel.truthful
            yield min(alone, least_weighted_mean(rates, weights, panel.k))

    def prior_interval(self, k: int, risk: float) -> tuple[float, float]:
        """Return the Clopper–Pearson bounds of the prior, whichever unsure items are left out; at risk 0 the shares."""
        (negative, positive), (unsure_0, unsure_1) = self.items, self.unsure(k)
        lowest, highest = (positive - unsure_1, negative), (positive, negative - unsure_0)
        ends = []
        for end, (ones, zeros) in enumerate((lowest, highest)):
            if risk:
                ends.append(float(clopper_pearson(ones, ones + zeros, 1 - risk)[end]))
            else:
                ends.append(ones / (ones + zeros) if ones + zeros else float(end))
        return ends[0], ends[1]

    def repeated(self, factor: int) -> Self:
        """Return so many times the same gold items and answers."""
        return replace(self, times=self.times * whole_number("factor", factor, minimum=1))
