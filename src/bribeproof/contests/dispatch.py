"""The public functions about bribes, for every kind of reports: votes and labels go one way, scores another."""

from collections.abc import Callable, Mapping, Sequence
from os import PathLike
from typing import Any, Literal, TypeVar, cast, overload

from bribeproof._text import shorten
from bribeproof.bribery.cheapest_bribe import cheapest_bribe as cheapest_bribe_of_labels
from bribeproof.bribery.cheapest_result import CheapestBribe
from bribeproof.bribery.result import WorstBribe
from bribeproof.bribery.worst_bribe import worst_bribe as worst_bribe_of_labels
from bribeproof.contests.cheapest_bribe import cheapest_contest_bribe
from bribeproof.contests.cheapest_result import CheapestContestBribe
from bribeproof.contests.opened import OPTIONS
from bribeproof.contests.result import WorstContestBribe
from bribeproof.contests.worst_bribe import worst_contest_bribe
from bribeproof.errors import ParameterError
from bribeproof.frames.bribed_groups import column_roles
from bribeproof.frames.native import column_names
from bribeproof.frames.reading.kinds import Kind
from bribeproof.frames.reading.open_read import open_read
from bribeproof.frames.reading.open_reports import refuse_dependent, report_columns
from bribeproof.frames.reading.reading import Reading

_OfLabels = TypeVar("_OfLabels")
_OfScores = TypeVar("_OfScores")
_NAMED = frozenset({"item", "reporter", "label", "judges"})
"""The options that name columns of votes or labels."""
_LABEL_COLUMNS = frozenset({"task", "worker", "label"})
"""The columns of votes or labels, if none is named."""
_ONLY_LABELS = ("values", "weights", "classes")
_ONLY_SCORES = frozenset(
    {
        "trim", "total", "factor", "minus", "criteria", "criterion", "criterion_weights", "decimals", "decimal_mark",
        "better", "scale",
    }
)  # fmt: skip


@overload
def worst_bribe(frame: Any, k: int | None = None, *, kind: Literal["scores"], **options: Any) -> WorstContestBribe: ...
@overload
def worst_bribe(
    frame: Any, k: int | None = None, *, kind: Literal["votes", "labels"], **options: Any
) -> WorstBribe: ...
@overload
def worst_bribe(frame: Any, k: int | None = None, *, kind: None = None, **options: Any) -> Any: ...
def worst_bribe(
    frame: Any,
    k: int | None = None,
    *,
    kind: Kind | None = None,
    group: Mapping[Any, Any] | str | None = None,
    price: Mapping[Any, Any] | str | None = None,
    budget: object = None,
    reading: Reading | str | PathLike[str] | None = None,
    **options: Any,
) -> WorstBribe | WorstContestBribe:
    """Find what the same bribed reporters could have changed: most decisions of a table, or the places of a contest.

    `aggregate` says of each item whether some k reporters could have changed it, perhaps others on each item. This is
    the other question: what could the same k have done to all of them?

    Parameters
    ----------
    frame
        The path of a file, or a frame of any kind, as in `aggregate`.
    k
        How many reporters are bribed, or groups, at least 0; None with a budget.
    kind
        ``"votes"``, ``"labels"`` or ``"scores"``. By default a file is recognised, as `aggregate` does; a frame is too,
        if no column of labels is named and it has not the columns ``task``, ``worker`` and ``label``. Options of scores
        alone, such as ``total``, decide as well.
    group
        What one bribe buys together, such as a nation: a column of the frame, or a mapping from reporters. A reporter
        without a group is bought alone.
    price
        What a group costs, or a reporter without groups: a column of the frame, or a mapping from names.
    budget
        The most that is spent, instead of k.
    reading
        How the table is read, as in `aggregate`.
    **options
        ``time_limit`` in seconds, by default 60; ``progress``, a function that is called with the best value and the
        bound, of scores with how many places are known, and of how many. Of votes and labels: ``values``, what each
        item counts, a column or a mapping; ``weights`` of reporters; and ``item``, ``reporter``, ``label``, ``judges``,
        ``classes``, ``missing``, ``repeats``, ``order`` as in `aggregate_labels`. Of scores: ``trim``, how many marks
        the rule of the contest drops at each end, by default k; and the options of `aggregate` that say how scores are
        read and combined, such as ``item``, ``reporter``, ``value``, ``judges``, ``total``, ``factor``, ``minus``,
        ``criteria``, ``decimals``, ``better``, ``scale``.

    Returns
    -------
    WorstBribe or WorstContestBribe
        Of votes and labels: the reporters, the items whose decision they could change, and a proven upper bound of what
        any others could change. Of scores: the best and the worst place that each entry could have had, who would have
        been bribed, and who could have done most.

    Raises
    ------
    DataError
        If the reports cannot be read, a reporter is in two groups, or one name has two prices.
    ParameterError
        If k and a budget are both given or both missing, or a number is outside its range.

    Notes
    -----
    docs/theory.md §14. A decision is the label with the most reports, or the most weight; it is changed if it no longer
    has more than any other. Bribed judges of scores rewrite their marks, on the scale if one is given.

    Examples
    --------
    >>> import polars as pl
    >>> rows = [(t, w, "yes" if w != "c" else "no") for t in range(6) for w in ("abc" if t < 4 else "abcde")]
    >>> votes = pl.DataFrame(rows, schema=["task", "worker", "label"], orient="row")
    >>> found = worst_bribe(votes, k=1)
    >>> found.reporters["reporter"].to_list(), found.changed, found.upper
    (['a'], 4, 4.0)
    >>> sheet = pl.DataFrame({"entry": ["A", "B"], "J1": [18, 16], "J2": [18, 16], "J3": [16, 15], "J4": [16, 15]})
    >>> worst_bribe(sheet, k=1).winner_safe, worst_bribe(sheet, k=2, trim=1).winner_safe
    (True, False)
    """
    bought = {"group": group, "price": price, "budget": budget}
    return _dispatch(
        frame,
        kind,
        reading,
        {**bought, **options},
        lambda table, given: worst_bribe_of_labels(table, k, **given),
        lambda given: worst_contest_bribe(frame, k, **given),
    )


@overload
def cheapest_bribe(
    frame: Any, change: str | None = None, *, kind: Literal["scores"], **options: Any
) -> CheapestContestBribe: ...
@overload
def cheapest_bribe(
    frame: Any, change: float | None = None, *, kind: Literal["votes", "labels"], **options: Any
) -> CheapestBribe: ...
@overload
def cheapest_bribe(frame: Any, change: float | str | None = None, *, kind: None = None, **options: Any) -> Any: ...
def cheapest_bribe(
    frame: Any,
    change: float | str | None = None,
    *,
    items: object = None,
    kind: Kind | None = None,
    group: Mapping[Any, Any] | str | None = None,
    price: Mapping[Any, Any] | str | None = None,
    reading: Reading | str | PathLike[str] | None = None,
    **options: Any,
) -> CheapestBribe | CheapestContestBribe:
    """Find the fewest reporters, or the cheapest, who could change so many decisions of a table, or a contest.

    `worst_bribe` says what k reporters could have changed. This is the other way round: how many reporters, or how much
    money, does it take to change so much? And it proves that less is not enough.

    Parameters
    ----------
    frame, kind, group, price, reading
        As in `worst_bribe`; with prices, the least money is searched.
    change
        Of votes and labels: how many decisions are to be changed, whichever they are; with values, of items worth how
        much. Of scores: ``"winner"``, the default, where another entry could have been first, alone or level; or
        ``"podium"``, where one that is not among the first three could have been.
    items
        Instead: the name of an item whose decision is to be changed, or a list of names, of which all are. Of scores:
        the name of an entry whose place is to be changed, or a list of this one.
    **options
        As in `worst_bribe`; of scores also ``place``, the place that the entry shall reach, or a better one, by default
        any other than it has. Of scores ``trim`` is needed.

    Returns
    -------
    CheapestBribe or CheapestContestBribe
        The reporters, what they cost, what they could change, and how much is proven not to be enough.

    Raises
    ------
    DataError
        If the reports cannot be read, a reporter is in two groups, or one name has two prices.
    ParameterError
        If it is not said what is changed, it cannot be changed, a name is unknown, or a number is outside its range.

    Notes
    -----
    docs/theory.md §14.

    Examples
    --------
    >>> import polars as pl
    >>> rows = [(t, w, "yes" if w != "c" else "no") for t in range(6) for w in ("abc" if t < 4 else "abcde")]
    >>> votes = pl.DataFrame(rows, schema=["task", "worker", "label"], orient="row")
    >>> cheapest_bribe(votes, 5).reporters["reporter"].to_list()
    ['a', 'b']
    >>> sheet = pl.DataFrame({"entry": ["A", "B"], "J1": [18, 16], "J2": [18, 16], "J3": [16, 15], "J4": [16, 15]})
    >>> found = cheapest_bribe(sheet, "winner", trim=1)
    >>> found.price, found.bribed, found.moved, found.exact
    (2.0, ('J1', 'J2'), ('B',), True)
    """
    if change in ("winner", "podium") or options.keys() & {"place", "entry"}:
        kind = kind or "scores"

    def of_labels(table: Any, given: dict[str, Any]) -> CheapestBribe:
        if change in ("winner", "podium"):
            raise ParameterError(f"change={change!r} is about scores, and these are votes or labels: give a number")
        return cheapest_bribe_of_labels(table, cast("float | None", change), items=items, **given)

    def of_scores(given: dict[str, Any]) -> CheapestContestBribe:
        if change is not None and not isinstance(change, str):
            raise ParameterError(
                f"change={change!r}: a number of decisions is about votes or labels, and these are scores: give "
                f"'winner' or 'podium', or name an entry with items="
            )
        if isinstance(items, Sequence) and not isinstance(items, str):
            if len(items) != 1:
                raise ParameterError(f"items={shorten(items)}: of scores, name one entry, whose place is to be changed")
            return cheapest_contest_bribe(frame, change, **{"entry": items[0], **given})
        return cheapest_contest_bribe(frame, change, **{"entry": items, **given})

    return _dispatch(
        frame,
        kind,
        reading,
        {"group": group, "price": price, **options},
        of_labels,
        of_scores,
    )


def _dispatch(
    frame: Any,
    kind: Kind | None,
    reading: Reading | str | PathLike[str] | None,
    options: dict[str, Any],
    of_labels: Callable[[Any, dict[str, Any]], _OfLabels],
    of_scores: Callable[[dict[str, Any]], _OfScores],
) -> _OfLabels | _OfScores:
    """Return the answer of one of two functions, of a table and its options, or of the options of scores."""

    def of_contest() -> _OfScores:
        for name in _ONLY_LABELS:
            if name in options:
                raise ParameterError(f"{name} needs votes or labels, and these are scores: leave it out")
        return of_scores({**options, "reading": reading} | ({} if kind is None else {"kind": kind}))

    if kind == "scores" or options.keys() & _ONLY_SCORES:
        return of_contest()
    if not _is_recognised(frame, kind, reading, options):
        return of_labels(frame, options)
    given = {name: option for name, option in options.items() if name in OPTIONS | {"label_sets", "label_separator"}}
    rest = {name: option for name, option in options.items() if name not in given}
    if "label" in rest:
        given["value"] = rest.pop("label")
    others = column_roles(options.get("group"), options.get("price")) | column_roles(None, options.get("values"))
    with open_read(frame, given | {"kind": kind}, reading, other=others) as table:
        if table.recognised.kind != "scores":
            refuse_dependent(table.recognised, "the list of bribed reporters")
            read = report_columns(table.recognised, table.missing)
            read["label"] = read.pop("value")
            return of_labels(table.prepared, rest | read)
    return of_contest()


def _is_recognised(
    frame: Any, kind: Kind | None, reading: Reading | str | PathLike[str] | None, options: Mapping[str, Any]
) -> bool:  # fmt: skip
    """Return whether it is recognised how a table is read, rather than said by the columns of votes or labels."""
    if kind is not None or reading is not None or "value" in options or isinstance(frame, str | PathLike):
        return True
    return not options.keys() & _NAMED and not set(column_names(frame)) >= _LABEL_COLUMNS
