"""The places of one contest as they are written, and what is checked before only their order counts."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl

from bribeproof._text import count, list_names
from bribeproof._typing import FloatArray
from bribeproof.errors import DataError, ParameterError
from bribeproof.questions import Choice, QuestionError
from bribeproof.rankings.contest import Contest, mean_places

CONTEST, GROUP, JUDGE, ENTRY, PLACE, PRICE = "contest", "group", "judge", "entry", "place", "price"
"""Columns of parsed rows."""
_TURNED = Choice("a row for each judge, and a column for each entry", {"turned": True})
_NOTATIONS = ("average", "min", "max", "dense")
"""How level entries may be written: 1.5 1.5 3, 1 1 3, 2 2 3 or 1 1 2."""


@dataclass(frozen=True, slots=True)
class Sheet:
    """The places of one contest.

    Attributes
    ----------
    name
        The name of the contest; empty if there is only one.
    entries, judges
        Their names.
    groups
        The name of each judge's group.
    prices
        The price that is written for each judge; empty where there is none.
    places : array of shape (judges, entries)
        The places as they are written; nan where there is none.
    """

    name: str
    entries: tuple[str, ...]
    judges: tuple[str, ...]
    groups: tuple[str, ...]
    prices: tuple[str, ...]
    places: FloatArray

    @classmethod
    def of(cls, name: str, rows: pl.DataFrame, group_of: Mapping[Any, Any] | None) -> "Sheet":
        """Return the places of the parsed rows of a contest, with groups by judge if they are given so."""
        who = list(dict.fromkeys(rows.select(GROUP, JUDGE).rows()))
        names = [judge for _, judge in who]
        twice = {judge for judge in names if names.count(judge) > 1} if len(set(names)) < len(names) else set()
        shown = tuple(f"{group} {judge}" if judge in twice else judge for group, judge in who)
        own = [group or None for group, _ in who]
        if group_of is not None:
            known = {str(judge): str(group) for judge, group in group_of.items() if group is not None}
            own = [known.get(judge) for judge in names]
            if not any(own):
                raise ParameterError(f"group names none of the judges, who are {list_names(names)}")
        if alone := {judge for judge, group in zip(shown, own, strict=True) if group is None} & set(own):
            raise DataError(f"judge {min(alone)!r} has no group, and a group has this name: rename one")
        groups = tuple(group or judge for judge, group in zip(shown, own, strict=True))
        entries = tuple(dict.fromkeys(rows[ENTRY].to_list()))
        row_of, column_of = ({one: at for at, one in enumerate(names)} for names in (who, entries))
        places = np.full((len(who), len(entries)), np.nan)
        for group, judge, entry, place in rows.select(GROUP, JUDGE, ENTRY, PLACE).iter_rows():
            places[row_of[group, judge], column_of[entry]] = np.nan if place is None else place
        price_of = {(group, judge): price for group, judge, price in rows.select(GROUP, JUDGE, PRICE).iter_rows()}
        return cls(name, entries, shown, groups, tuple(price_of[one] for one in who), places)

    @property
    def label(self) -> str:
        """The beginning of a message about the contest."""
        return f"contest {self.name!r}: " if self.name else ""

    @property
    def n_tied(self) -> int:
        """How many rankings have entries at the same place."""
        given = [row[~np.isnan(row)] for row in self.places]
        return sum(len(np.unique(row)) < len(row) for row in given)

    def without_unplaced(self, notes: list[str]) -> "Sheet":
        """Return the sheet without entries that no judge ranks and judges who rank no entry; notes say which."""
        placed = ~np.isnan(self.places)
        entries, judges = (np.asarray(placed.any(axis=axis)).tolist() for axis in (0, 1))
        if not any(entries):
            raise DataError(f"{self.label}no judge gives a place: there is nothing to rank")
        for kept, names, what in (
            (entries, self.entries, "no judge gives"),
            (judges, self.judges, "no place given by"),
        ):
            if not all(kept):
                absent = [name for name, is_kept in zip(names, kept, strict=True) if not is_kept]
                notes.append(f"{self.label}{what} {list_names(absent)}{' a place' * (names is self.entries)}: left out")
        return Sheet(
            self.name,
            tuple(name for name, is_kept in zip(self.entries, entries, strict=True) if is_kept),
            tuple(name for name, is_kept in zip(self.judges, judges, strict=True) if is_kept),
            tuple(name for name, is_kept in zip(self.groups, judges, strict=True) if is_kept),
            tuple(price for price, is_kept in zip(self.prices, judges, strict=True) if is_kept),
            self.places[judges][:, entries],
        )

    def skipping(self) -> list[str]:
        """Return the judges whose places are none of the usual notations of a ranking: they skip numbers."""
        from scipy.stats import rankdata

        usual = np.zeros(len(self.judges), dtype=bool)
        for method in _NOTATIONS:
            ranks = rankdata(self.places, method=method, axis=1, nan_policy="omit")
            usual |= ((ranks == self.places) | np.isnan(self.places)).all(axis=1)
        return [name for name, is_usual in zip(self.judges, usual, strict=True) if not is_usual]

    def turned(self) -> "Sheet":
        """Return the sheet with entries as judges."""
        return Sheet(self.name, self.judges, self.entries, self.entries, ("",) * len(self.entries), self.places.T)

    def stated_prices(self) -> dict[str, str]:
        """Return the price that is written for each group.

        Raises
        ------
        DataError
            If judges of a group have different prices.
        """
        found: dict[str, str] = {}
        for group, price in zip(self.groups, self.prices, strict=True):
            if price and found.setdefault(group, price) != price:
                raise two_prices(f"{self.label}group {group!r}", found[group], price)
        return found

    def contest(self, *, last: bool, combine: bool) -> Contest:
        """Return the contest.

        Parameters
        ----------
        last
            Whether entries that a judge does not rank are level with each other behind all others.
        combine
            Whether the judges of a group make one ranking, by the mean of their places.
        """
        places = mean_places(np.where(np.isnan(self.places), np.inf, self.places) if last else self.places)
        if not combine:
            return Contest.from_places(self.entries, self.judges, places, name=self.name, groups=self.groups)
        names = tuple(dict.fromkeys(self.groups))
        means = np.full((len(names), len(self.entries)), np.nan)
        for row, name in enumerate(names):
            mine = places[[group == name for group in self.groups]]
            ranked = ~np.isnan(mine).all(axis=0)
            means[row, ranked] = np.nansum(mine[:, ranked], axis=0) / (~np.isnan(mine[:, ranked])).sum(axis=0)
        return Contest.from_places(self.entries, names, means, name=self.name)


def two_prices(who: str, first: str, second: str) -> DataError:
    """Return the error on a judge or a group with two prices."""
    return DataError(f"{who} has two prices, {first} and {second}: a bribe buys all or nothing, so give one")


def check_gaps(sheets: Sequence[Sheet], notes: list[str], *, allowed: bool, may_be_turned: bool) -> None:
    """Note places that skip numbers; ask if most judges' do, and refuse them if no judge has a first place.

    Raises
    ------
    DataError
        If no judge gives a first place: then these are marks, or the winner was taken out.
    QuestionError
        If most judges' places skip numbers.
    """
    for sheet in sheets:
        skipping, of = sheet.skipping(), len(sheet.judges)
        if not skipping:
            continue
        judge = skipping[0]
        row = sheet.places[sheet.judges.index(judge)]
        given = [f"{place:g}" for place in np.sort(row[~np.isnan(row)])]
        shown = given if len(given) <= 8 else [*given[:4], "…", *given[-3:]]
        example = f"judge {judge!r} gives {', '.join(shown)}"
        if not allowed and 2 * len(skipping) > of:
            raise QuestionError(
                f"{sheet.label}the numbers of {count(len(skipping), 'judge')} of {of:,} are not places from 1 on: "
                f"{example}; if they are marks or points, use aggregate and bribe; if entries were taken out, only "
                f"their order counts",
                [
                    Choice("places, 1 the best, of which only the order counts", {"gaps": True}),
                    *([_TURNED] if may_be_turned and not sheet.turned().skipping() else []),
                ],
            )
        notes.append(
            f"{sheet.label}the places of {count(len(skipping), 'judge')} skip numbers, and only their order counts: "
            f"{example}"
        )


def check_unranked(sheets: Sequence[Sheet], unranked: str | None, notes: list[str]) -> None:
    """Note how entries are read that a judge does not rank; ask if that is not said.

    Raises
    ------
    QuestionError
        If there are some, and it is not said what that means.
    """
    lacking = [(sheet, np.isnan(sheet.places)) for sheet in sheets]
    cells = sum(int(empty.sum()) for _, empty in lacking)
    if not cells:
        return
    sheet, empty = next((sheet, empty) for sheet, empty in lacking if empty.any())
    judge, entry = np.argwhere(empty)[0]
    example = f"{sheet.label}judge {sheet.judges[judge]!r} does not rank {sheet.entries[entry]!r}"
    judges = sum(int(empty.any(axis=1).sum()) for _, empty in lacking)
    if unranked is None:
        raise QuestionError(
            f"{count(judges, 'judge')} {'ranks' if judges == 1 else 'rank'} only some of the entries ({example})",
            [
                Choice("they put the others last, level with each other", {"unranked": "last"}),
                Choice("they were not asked about the others", {"unranked": "not-asked"}),
            ],
        )
    how = "level with each other, behind all they rank" if unranked == "last" else "not judged by them"
    notes.append(f"what {count(judges, 'judge')} did not rank is taken as {how} ({example})")
