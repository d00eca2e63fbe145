"""A contest of scores that was read, and who can be bribed."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from os import PathLike
from typing import Any

import numpy as np
import polars as pl

from bribeproof._text import join_list
from bribeproof._validation import validate_k
from bribeproof._warnings import record_notes
from bribeproof.aggregation.contest import ContestSheet, read_contest
from bribeproof.aggregation.recognised import RecognisedReports
from bribeproof.contests.replay import Replay
from bribeproof.errors import DataError, ParameterError, ParameterTypeError
from bribeproof.frames.bribed_groups import GivenBribes, column_roles
from bribeproof.frames.native import to_polars
from bribeproof.frames.reading.open_read import open_read
from bribeproof.frames.reading.reading import Reading
from bribeproof.frames.reading.repeats import asking_about_repeats
from bribeproof.theory.bribery.bribes import Bribes
from bribeproof.theory.contests.contest import Contest

OPTIONS = frozenset(
    {
        "kind", "item", "reporter", "value", "judges", "turned", "not_items", "criteria", "criterion_weights",
        "criterion", "total", "factor", "minus", "missing", "repeats", "order", "decimals", "decimal_mark", "better",
        "scale", "sep", "encoding", "format", "header_line", "sheet",
    }
)  # fmt: skip
"""The options of `aggregate` that say how scores are read and combined."""
_BY_DEFAULT = "as many marks are dropped at each end as can be bribed, if no trim is given"


@dataclass(frozen=True, slots=True, eq=False)
class OpenedContest:
    """A contest that was read, and who can be bribed.

    Attributes
    ----------
    contest
        The marks of the entries with a total.
    bribes
        Who can be bribed.
    names
        The names of these entries.
    n_uncertified
        How many entries have no total, as too few marks are left.
    judges, bought
        The names of the judges, and of the groups that one bribe buys: the judges, where they are bribed singly.
    what
        What a bribe buys: a ``"judge"``, a ``"group"``, or the column of the groups.
    priced
        Whether bribes have prices, which may all be 1.
    part, column
        On what others might be bribed, such as an item; and the column of the entries.
    trim
        How many of the lowest and of the highest marks of each part are dropped; None if it differs by part.
    notes
        How the table was read, one sentence each.
    replay
        How the table is aggregated anew.
    """

    contest: Contest
    bribes: Bribes
    names: tuple[Any, ...]
    n_uncertified: int
    judges: tuple[Any, ...]
    bought: tuple[Any, ...]
    what: str
    priced: bool
    part: str
    column: str
    trim: int | None
    notes: tuple[str, ...]
    replay: Replay

    def table(self, columns: Mapping[str, Any]) -> pl.DataFrame:
        """Return the entries with their totals and some columns, ``place`` among them, the best first."""
        totals = [float(int(total) * self.contest.total_unit) for total in self.contest.totals]
        entry = "entry" if self.column in {"total", *columns} else self.column
        names = pl.Series(self.names, dtype=None if len({type(name) for name in self.names}) == 1 else pl.String)
        table = pl.DataFrame({entry: names, "total": totals, **columns}, strict=False)
        return table.sort("place", maintain_order=True)

    def ends(self, groups: Iterable[int]) -> dict[str, tuple[int, int]]:
        """Return the best and the worst place of each entry, by its clean name, if some groups are bribed.

        The table is aggregated anew. Entries without a total could be above every other.
        """
        places = self.replay.places(self.judges_in(groups))
        return {entry: (best, worst + self.n_uncertified) for entry, (best, worst) in places.items()}

    def groups_named(self, names: Sequence[Any]) -> tuple[int, ...] | None:
        """Return the numbers of some groups; None if there is no such group, or one is named twice."""
        numbers = tuple(self.bought.index(name) for name in names if name in self.bought)
        return numbers if len(names) == len(set(numbers)) else None

    def named(self, groups: Iterable[int]) -> str:
        """Return the names of some groups as a list that `split_lists` splits."""
        return join_list(self.bought[group] for group in groups)

    def judges_in(self, groups: Iterable[int]) -> frozenset[Any]:
        """Return the names of the judges in some groups."""
        return frozenset(self.judges[judge] for judge in self.bribes.members(groups))


def open_contest(
    frame: Any,
    k: int | None,
    trim: int | None,
    bribes: Mapping[str, object],
    reading: Reading | str | PathLike[str] | None,
    options: Mapping[str, Any],
) -> OpenedContest:
    """Read the scores of a file or a frame.

    Parameters
    ----------
    frame, reading
        As in `aggregate`.
    k, trim
        How many judges or groups are bribed, and how many marks are dropped; None for as many as can be bribed.
    bribes
        The group, price and budget.
    options
        Options of `aggregate` that say how scores are read and combined.
    """
    if unknown := options.keys() - OPTIONS:
        raise ParameterTypeError(
            f"option {min(unknown)!r} is not one of scores: give {', '.join(sorted(OPTIONS - {'kind'}))}"
        )
    given = {"kind": "scores"} | {name: option for name, option in options.items() if name != "decimals"}
    others = column_roles(bribes.get("group"), bribes.get("price"))
    with (
        open_read(frame, given, reading, other=others) as table,
        asking_about_repeats(table.table, table.recognised),
        record_notes() as done,
    ):
        if table.recognised.kind != "scores":
            raise ParameterError(f"kind={table.recognised.kind!r}: contests are judged by scores")
        bought = GivenBribes.of(
            table.table, table.recognised.columns.reporter, bribes.get("group"), bribes.get("price"),
            bribes.get("budget"),
        )  # fmt: skip
        more = {"missing": table.missing, "decimals": options.get("decimals"), "faulty": None, "bribes": bought}
        read = RecognisedReports.of(table.prepared, table.recognised, more)
        opened = opened_contest(read, k, trim)
    return replace(opened, notes=(*table.notes, *done))


def opened_contest(read: RecognisedReports, k: int | None, trim: int | None) -> OpenedContest:
    """Return the contest that some reports are.

    Raises
    ------
    DataError
        If they cannot be searched, or no entry has a total.
    ParameterError
        If k or trim is no whole number of at least 0, or not exactly one of k and a budget is given.
    """
    given: GivenBribes | None = read.options.get("bribes")
    if (k is None) == (given is None or given.budget is None):
        raise ParameterError("say how much can be bribed: either k, such as k=2, or a budget with a price of each")
    k, trim = None if k is None else validate_k(k), None if trim is None else _validate_trim(trim)
    read = replace(read, reports=read.reports.collected())
    dropped = k if trim is None and given is None else trim
    if dropped is not None:
        # The rule of the contest drops as many marks whoever is bribed.
        plain = replace(read, options={name: option for name, option in read.options.items() if name != "bribes"})
        replay = Replay(plain, dropped)
    else:
        replay = Replay(read, k)
    items = to_polars(replay.read.combine(replay.k))
    sheet = read_contest(read, items, k)
    if isinstance(sheet, str):
        raise DataError(f"the contest is not searched: {sheet}")
    certified = sheet.trimmed(sheet.most_bribed() if dropped is None else dropped)
    if not len(certified.entries):
        remedy = "trim" if trim is not None else _smaller(sheet, k, dropped)
        raise DataError(
            f"no entry has a total: too few marks are left when so many are dropped; give a smaller {remedy}"
        )
    return OpenedContest(
        certified.contest,
        sheet.bribes or Bribes.heads(len(sheet.judges), k or 0),
        tuple(sheet.entries[entry] for entry in certified.entries),
        certified.uncertified,
        sheet.judges,
        sheet.bought,
        what="judge" if given is None or given.what == "reporter" else given.what,
        priced=given is not None and given.priced,
        part=read.bribed_on_each,
        column=items.columns[0],
        trim=dropped,
        notes=(),
        replay=replay,
    )


def _smaller(sheet: ContestSheet, k: int | None, dropped: int | None) -> str:
    """Return what must be smaller where as many marks are dropped as can be bribed, and how small it may be."""
    much = "budget" if k is None else "k"
    if dropped:  # by groups or prices it differs by part
        most = next((number for number in reversed(range(dropped)) if len(sheet.trimmed(number).entries)), 0)
        much += f", at most {most}"
    return f"{much} ({_BY_DEFAULT})"


def _validate_trim(trim: object) -> int:
    """Return how many marks are dropped at each end as an int of at least 0."""
    if isinstance(trim, bool) or not isinstance(trim, int | np.integer):
        raise ParameterTypeError(f"trim={trim!r}: give a whole number of marks, such as 1")
    if trim < 0:
        raise ParameterError(f"trim={trim}: give the number of marks that are dropped at each end, at least 0")
    return int(trim)
