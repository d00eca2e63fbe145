"""Set reports aside that no honest reporter sends, and name who sent them."""

import re
from collections.abc import Sequence
from typing import Any

import narwhals.stable.v2 as nw
import polars as pl

from bribeproof._text import count, name_in_list
from bribeproof._warnings import warn
from bribeproof.frames.native import collect
from bribeproof.frames.schema import REPORTER, SET_ASIDE, VALUE
from bribeproof.frames.values import text
from bribeproof.frames.values.boolean_words import boolean_pair

SET_ASIDE_OPTION = "faulty='set aside' (--faulty set-aside)"
OFFER = f"; or set such reports aside, and count who sends them as bribed: {SET_ASIDE_OPTION}"
"""The option that errors about such reports offer."""
_NAMED = 20
"""The most reporters that are named."""


def mark(rows: nw.LazyFrame[Any], faulty: nw.Expr) -> nw.LazyFrame[Any]:
    """Set the reports aside for which a condition holds: their value becomes null."""
    aside = nw.when(faulty).then(nw.lit(1, nw.Int64)).otherwise(nw.col(SET_ASIDE))
    rows = rows.with_columns(aside.alias(SET_ASIDE))
    return rows.with_columns(nw.when(nw.col(SET_ASIDE) == 0).then(nw.col(VALUE)).alias(VALUE))


def outside_classes(values: pl.Series, classes: Sequence[object]) -> list[Any]:
    """Return those of the reported labels that are none of the declared classes.

    Labels are compared as they are read when all of them are declared classes, so that a label which is none does not
    change how others are read: 1.0, ``"1.0"`` and 1 are one class, and so are yes and YES.

    Examples
    --------
    >>> outside_classes(pl.Series(["1", "0.0", "maybe"]), (0, 1))
    ['maybe']
    """
    declared, means = {_plain(label) for label in classes}, boolean_pair(classes)
    strange = [value for value in values.drop_nulls().to_list() if _plain(value) not in declared]
    return [value for value in strange if str(value).casefold() not in means]


def _plain(label: object) -> str:
    """Return a label as text, whole numbers without decimals, true and false in small letters."""
    whole = isinstance(label, float) and label.is_integer()
    written = str(text.clean_value(f"{label:.0f}" if whole else str(label)))
    if re.fullmatch(r"[+-]?[0-9]+(\.0*)?", written):
        return written.partition(".")[0].removeprefix("+")
    return written.casefold() if written.casefold() in ("true", "false") else written


def warn_set_aside(parts: Sequence[nw.LazyFrame[Any]]) -> None:
    """Warn about the reports that are set aside: how many, and who sent them."""
    senders: dict[Any, int] = {}
    for rows in parts:
        found = rows.filter(nw.col(SET_ASIDE) == 1).group_by(REPORTER).agg(nw.len().alias("_reports"))
        for reporter, reports in collect(found).iter_rows():
            senders[reporter] = senders.get(reporter, 0) + int(reports)
    if not senders:
        return
    ranked = sorted(senders.items(), key=lambda sender: (-sender[1], str(sender[0])))
    named = ", ".join(f"{name_in_list(reporter)} ({reports:,})" for reporter, reports in ranked[:_NAMED])
    more = f" and {len(ranked) - _NAMED:,} more" * (len(ranked) > _NAMED)
    warn(
        f"set aside, as no honest reporter sends them: {count(sum(senders.values()), 'answer')} of "
        f"{count(len(ranked), 'reporter')}: {named}{more}; each counts against k on its item"
    )
