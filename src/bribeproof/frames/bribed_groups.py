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
from bribeproof.frames.schema import ASKED, BRIBED, ITEM, REPORTER, SET_ASIDE, VALUE
from bribeproof.frames.statements import look_up
from bribeproof.theory.bribery.bribes import Bribes
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
        bribes = self._bribes(names.to_list(), k)
        of_reporters = pl.DataFrame({REPORTER: names, GROUP: bribes.bribes.groups})
        groups = BribedGroups(bribes, of_reporters, priced=self.priced)
        unseen = most_unseen(reports)
        return (
            groups if unseen is None else replace(groups, of_asked=self._of_asked(groups, names.to_list(), k, unseen))
        )

    def _bribes(self, names: list[Any], k: int | None) -> NamedBribes:
        """Return the bribes of some reporters."""
        return read_bribes(
            self.frame, self.reporter, names, k=k, group=self.group, price=self.price, budget=self.budget
        )

    def _of_asked(self, groups: "BribedGroups", names: list[Any], k: int | None, unseen: int) -> int:
        """Return how many reporters can be bribed at most, with those who were asked and are nowhere in the table.

        On an item these are at most `unseen`, of any group. Where no column says who is in which group, and at what
        price, there are also no more of a group than the mappings name: whoever they leave out is bought alone.
        """
        if not (groups.named.bribes.budget or groups.in_all):
            return 0
        most = groups.in_all + unseen
        if not unseen or column_roles(self.group, self.price):
            return most
        everybody = self._bribes([*names, *self._named_only(names)], k).bribes
        alone = 0 if self.priced else max(0, int(everybody.budget) - len(everybody.prices))
        return min(most, _most_reporters(everybody) + alone)

    def _named_only(self, names: list[Any]) -> list[str]:
        """Return the reporters whom a mapping names and who are not in the table."""
        found: dict[str, None] = {}
        of_groups: set[str] = set()
        if self.group is not None:
            stated = look_up(self.frame, self.reporter, self.group, "group")
            found, of_groups = dict.fromkeys(stated), {str(group) for group in stated.values()}
        if self.price is not None:
            found |= dict.fromkeys(look_up(self.frame, self.reporter, self.price, "price"))
        return sorted(found.keys() - of_groups - {str(name) for name in names})


def column_roles(group: object, price: object) -> dict[str, Role]:
    """Return the columns among the groups and the prices that are given, which are no reporters and name no items.

    Examples
    --------
    >>> column_roles("vendor", {"V1": 2}), column_roles(None, "fee")
    ({'vendor': 'group'}, {'fee': 'amount'})
    """
    given: tuple[tuple[object, Role], ...] = ((price, "amount"), (group, "group"))
    return {name: role for name, role in given if isinstance(name, str)}


def bribed_in_all(given: GivenBribes | None, reports: Reports, k: int | None) -> int | None:
    """Return how many reporters of the whole table may be bribed, if k of them, or k of the given groups, are."""
    return k if given is None else given.read(reports, k).in_all


def most_unseen(reports: Reports) -> int | None:
    """Return how many were asked at most on an item and have no row there; None if nobody states how many were asked.

    Who has a row without a report is silent, and known.
    """
    asked = asked_of(reports.schema)
    if asked is None:
        return None
    rows = collect(reports.rows.select(ITEM, REPORTER, asked.alias(ASKED)).unique())
    missing = rows.group_by(ITEM).agg((pl.col(ASKED).max().cast(pl.Int64) - pl.len().cast(pl.Int64)).alias(ASKED))
    return max(0, int(missing[ASKED].max() or 0))  # type: ignore[arg-type]


def _most_reporters(bribes: Bribes) -> int:
    """Return how many reporters can be bribed together at most."""
    sizes = np.bincount(bribes.groups, minlength=len(bribes.prices))
    groups = np.arange(len(sizes))
    return int(ItemGroups(np.zeros_like(groups), groups, 1, bribes).most(sizes)[0])


@dataclass(frozen=True, eq=False)
class BribedGroups:
    """The groups of the reporters of a table, some of which are bribed.

    Attributes
    ----------
    named
        The bribes and the names of the groups.
    of_reporters
        The number of the group of each reporter, in the columns ``REPORTER`` and ``GROUP``.
    priced
        Whether prices are given; they may all be 1.
    of_asked
        Where it is stated how many were asked: how many reporters can be bribed at most on an item, with those who are
        nowhere in the table; None if it is not stated.
    """

    named: NamedBribes
    of_reporters: pl.DataFrame
    priced: bool = False
    of_asked: int | None = None

    @property
    def counted(self) -> int | None:
        """How many groups can be bribed; None if they have prices."""
        return None if self.priced else int(self.named.bribes.budget)

    @property
    def in_all(self) -> int:
        """How many reporters of the whole table can be bribed together at most."""
        return _most_reporters(self.named.bribes)

    def place(self, reports: Reports) -> Reports:
        """Return reports in memory with the number of bribed reporters of their item at most, in the column `BRIBED`.

        Without a statement of how many were asked, it is the most reports, with those that are set aside, of groups
        that can be bribed together. Where it is stated, nobody knows the groups of the silent ones, and the number must
        not depend on who is silent: it is the most reporters of the whole table, and beyond it, and not more than were
        asked.

        Parameters
        ----------
        reports
            Reports in memory: all on each of their items.
        """
        rows, schema = collect(reports.rows), replace(reports.schema, by_group=True)
        if (asked := asked_of(reports.schema)) is not None:
            reach = self.in_all if self.of_asked is None else self.of_asked
            capped = nw.min_horizontal(asked, nw.lit(reach, nw.Int64)).cast(nw.Int64)
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
