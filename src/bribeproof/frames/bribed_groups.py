"""How many reporters of each item can be bribed where one bribe buys a group, or each has its price."""

from dataclasses import dataclass, replace
from typing import Any

import narwhals.stable.v2 as nw
import numpy as np
import polars as pl

from bribeproof.errors import ColumnError, ParameterError
from bribeproof.frames.asked import asked_of
from bribeproof.frames.bribes import NamedBribes, read_bribes
from bribeproof.frames.native import collect
from bribeproof.frames.reading.vocabulary import Role
from bribeproof.frames.reports import Reports
from bribeproof.frames.schema import BRIBED, ITEM, REPORTER, SET_ASIDE, VALUE
from bribeproof.theory.bribery.item_groups import ItemGroups

GROUP = "_group"
"""The column of the number of a reporter's group."""


@dataclass(frozen=True, slots=True)
class GivenBribes:
    """The groups, prices and budget that a user gives, which are read when the reporters are known.

    Attributes
    ----------
    frame
        The table whose columns are named.
    reporter
        Its column of the reporters; empty where every reporter has a column of reports.
    group, price
        A column, or a mapping from reporters (prices: from groups, if there are any); None if not given.
    budget
        The most that is spent; None if groups are counted.
    """

    frame: Any
    reporter: str
    group: object = None
    price: object = None
    budget: object = None

    @classmethod
    def of(cls, frame: Any, reporter: str, group: object, price: object, budget: object) -> "GivenBribes | None":
        """Return what is given; None if nothing is."""
        nothing = group is None and price is None and budget is None
        return None if nothing else cls(frame, reporter, group, price, budget)

    @property
    def priced(self) -> bool:
        """Whether bribes have prices, so that k is None and there is a budget."""
        return self.price is not None or self.budget is not None

    @property
    def what(self) -> str:
        """What a bribe buys: a ``"reporter"``, a ``"group"``, or the column of the groups."""
        if self.group is None:
            return "reporter"
        return self.group if isinstance(self.group, str) else "group"

    def read(self, reports: Reports, k: int | None, share: object = None) -> "BribedGroups":
        """Return the groups of the reporters.

        Parameters
        ----------
        reports
            The reports.
        k
            How many groups can be bribed; None with a budget.
        share
            The share of reporters that was given; None if none was.

        Raises
        ------
        ParameterError
            If a share is given, which counts reporters; or as in `read_bribes`.
        ColumnError
            If a column is named though every reporter has a column of reports.
        """
        if share is not None:
            raise ParameterError(
                f"share={share!r} is a share of the reporters, and groups or prices are given: give k, the number of "
                f"groups (--k 1), or a budget (--budget)"
            )
        if (columns := column_roles(self.group, self.price)) and not self.reporter:
            raise ColumnError(
                f"{next(iter(columns))!r}: every reporter has a column of reports, so that no column can say who is in "
                f"which group: give a mapping from reporters to groups or prices (--group FILE, with two columns)"
            )
        names = collect(reports.rows.select(REPORTER).unique()).to_series().sort()
        known = read_bribes(
            self.frame,
            self.reporter,
            names.to_list(),
            k=k,
            group=self.group,
            price=self.price,
            budget=self.budget,
        )
        return BribedGroups(known, pl.DataFrame({REPORTER: names, GROUP: known.bribes.groups}))


def column_roles(group: object, price: object) -> dict[str, Role]:
    """Return the columns among the groups and the prices that are given, which are no reporters and name no items.

    Examples
    --------
    >>> column_roles("vendor", {"V1": 2})
    {'vendor': 'group'}
    """
    return {name: "group" for name in (group, price) if isinstance(name, str)}


def bribed_in_all(given: GivenBribes | None, reports: Reports, k: int | None) -> int | None:
    """Return how many reporters of the whole table may be bribed, if k of them, or k of the given groups, are."""
    return k if given is None else given.read(reports, k).in_all


@dataclass(frozen=True, eq=False)
class BribedGroups:
    """The groups of the reporters of a table, some of which are bribed.

    Attributes
    ----------
    named
        The bribes and the names of the groups.
    of_reporters
        The number of the group of each reporter, in the columns ``REPORTER`` and ``GROUP``.
    """

    named: NamedBribes
    of_reporters: pl.DataFrame

    @property
    def counted(self) -> int | None:
        """How many groups can be bribed; None if they have prices."""
        bribes = self.named.bribes
        return int(bribes.budget) if bribes.counts_groups else None

    @property
    def in_all(self) -> int:
        """How many reporters of the whole table can be bribed together at most."""
        sizes = np.bincount(self.named.bribes.groups, minlength=len(self.named.names))
        groups = np.arange(len(sizes))
        return int(ItemGroups(np.zeros_like(groups), groups, 1, self.named.bribes).most(sizes)[0])

    def place(self, reports: Reports) -> Reports:
        """Return reports in memory with the number of bribed reporters of their item at most, in the column `BRIBED`.

        Without a statement of how many were asked, it is the most reports, with those that are set aside, of groups
        that can be bribed together. Where it is stated, nobody knows the groups of the silent ones, and the number must
        not depend on who is silent: it is the most reporters of the whole table, and not more than were asked.

        Parameters
        ----------
        reports
            Reports in memory: all on each of their items.
        """
        rows, schema = collect(reports.rows), replace(reports.schema, by_group=True)
        if (asked := asked_of(reports.schema)) is not None:
            capped = nw.min_horizontal(asked, nw.lit(self.in_all, nw.Int64)).cast(nw.Int64)
            placed = nw.from_native(rows.lazy()).with_columns(capped.alias(BRIBED))
            return replace(reports, parts=[placed], schema=schema)
        counts = self.cells(rows, sets_aside=schema.sets_aside)
        items = counts.select(pl.col(ITEM).unique(maintain_order=True))
        most = self.groups_of(counts).most(counts["reports"].to_numpy())
        known = items.with_columns(pl.Series(BRIBED, most, dtype=pl.Int64))
        joined = rows.lazy().join(known.lazy(), on=ITEM, how="left", maintain_order="left")
        return replace(reports, parts=[nw.from_native(joined.with_columns(pl.col(BRIBED).fill_null(0)))], schema=schema)

    def cells(self, rows: pl.DataFrame, *, sets_aside: bool = False) -> pl.DataFrame:
        """Return one row per item and group that reports on it, sorted, with the number of ``reports``.

        Parameters
        ----------
        rows
            Reports.
        sets_aside
            Whether those that are set aside count.
        """
        present = pl.col(VALUE).is_not_null()
        present = present | (pl.col(SET_ASIDE) == 1) if sets_aside else present
        joined = rows.lazy().filter(present).join(self.of_reporters.lazy(), on=REPORTER)
        counted = joined.group_by(ITEM, GROUP).agg(reports=pl.len().cast(pl.Int64))
        return counted.sort(ITEM, GROUP).collect()

    def groups_of(self, cells: pl.DataFrame) -> ItemGroups:
        """Return the groups of each item from sorted rows of items and groups; items are numbered in this order."""
        item = cells[ITEM].rle_id().cast(pl.Int64).to_numpy()
        items = int(item[-1]) + 1 if item.size else 0
        return ItemGroups(item, cells[GROUP].to_numpy(), items, self.named.bribes)
