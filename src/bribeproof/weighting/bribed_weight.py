"""How many reports, and how much weight, those who can be bribed hold on each item: k reporters, or groups."""

from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import narwhals.stable.v2 as nw
import numpy as np

from bribeproof._typing import FloatArray, IntArray
from bribeproof._validation import validate_k
from bribeproof.aggregation.kernels.status import BUDGET, GROUPS
from bribeproof.frames.bribed_groups import GROUP, BribedGroups, GivenBribes
from bribeproof.frames.native import collect
from bribeproof.frames.reports import Reports
from bribeproof.frames.schema import BRIBED, ITEM, REPORTER
from bribeproof.theory.bribery.item_groups import ItemGroups
from bribeproof.weighting.learn import Ballots


@dataclass(frozen=True, eq=False)
class BribedWeight:
    """Who can be bribed among the reporters of each item.

    Attributes
    ----------
    ballots
        The reports.
    reports
        How many reporters of each item can be bribed at most, silent ones among those who were asked too.
    in_all
        How many reporters of the whole table can be bribed at most.
    groups
        The groups that a bribe buys; None if any k reporters can be bribed.
    group
        The group of each reporter; empty without groups.
    """

    ballots: Ballots
    reports: IntArray
    in_all: int
    groups: BribedGroups | None = None
    group: IntArray = field(default_factory=lambda: np.empty(0, np.int64))

    @classmethod
    def heads(cls, ballots: Ballots, k: int) -> "BribedWeight":
        """Return the bribery of any k reporters."""
        return cls(ballots, np.full(ballots.items, k), k)

    @classmethod
    def of(
        cls, ballots: Ballots, names: list[Any], reports: Reports, k: int | None, given: GivenBribes | None
    ) -> "BribedWeight":
        """Return who can be bribed: any k reporters, or groups if some are given.

        Parameters
        ----------
        ballots
            The reports, with items in order.
        names
            The reporters, in the order of the ballots.
        reports
            The same reports as a table, with missing and set aside ones.
        k
            How many reporters or groups can be bribed; None with a budget.
        given
            The groups, prices and budget.

        Raises
        ------
        ParameterError
            If k is no number of at least 0; or as in `GivenBribes.read`.
        """
        if given is None:
            return cls.heads(ballots, validate_k(k))
        reports = reports.collected()
        groups = given.read(reports, k)
        placed = groups.place(reports)
        most = placed.rows.group_by(ITEM).agg(nw.col(BRIBED).max()).sort(ITEM)
        group = dict(groups.of_reporters.select(REPORTER, GROUP).iter_rows())
        number = np.array([group[name] for name in names], np.int64)
        return cls(ballots, collect(most)[BRIBED].to_numpy(), groups.in_all, groups, number)

    @property
    def columns(self) -> dict[str, Any]:
        """The column of what can be bought: the number of groups, or the budget; none where reporters are bribed."""
        if self.groups is None:
            return {}
        counted = self.groups.counted
        if counted is not None:
            return {GROUPS: np.full(self.ballots.items, counted)}
        return {BUDGET: np.full(self.ballots.items, float(self.groups.named.bribes.budget))}

    def heaviest(self, weights: FloatArray) -> FloatArray:
        """Return the largest weight of reports that can be bribed, for each item.

        Parameters
        ----------
        weights
            A number for each report; only positive sums count.
        """
        if self.groups is None:
            return self.ballots.heaviest(weights, self.in_all)
        pair, item, group = self._pairs
        held = np.maximum(np.bincount(pair, weights, len(item)), 0.0)
        return ItemGroups(item, group, self.ballots.items, self.groups.named.bribes).most(held)

    @cached_property
    def _pairs(self) -> tuple[IntArray, IntArray, IntArray]:
        """The pair of an item and a group that each report belongs to; and the items and groups of these, sorted."""
        number = int(self.group.max(initial=-1)) + 1
        pairs, pair = np.unique(self.ballots.item * number + self.group[self.ballots.reporter], return_inverse=True)
        return pair.ravel(), pairs // number, pairs % number
