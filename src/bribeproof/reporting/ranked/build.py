"""Make the report of judges' rankings."""

import datetime
from collections.abc import Mapping, Sequence
from dataclasses import fields
from pathlib import Path
from typing import Any

from bribeproof import __version__
from bribeproof._text import count
from bribeproof.errors import ParameterError, ParameterTypeError
from bribeproof.io.read import read_table
from bribeproof.rankings.preflib import is_preflib, read_preflib
from bribeproof.rankings.read_contests import RankingOptions
from bribeproof.reporting.document import Report
from bribeproof.reporting.material import Origin
from bribeproof.reporting.ranked.detect import RANKINGS
from bribeproof.reporting.ranked.material import RankedMaterial, RankedQuestion
from bribeproof.reporting.ranked.sections import ranked_sections
from bribeproof.reporting.snippets import Snippets

FORMAT = ("sep", "encoding", "format", "header_line", "sheet")
"""The options that say how a file is read."""
_READ = tuple(field.name for field in fields(RankingOptions))
OPTIONS = (*_READ, "rule", "points")
"""The options of a report that are about rankings, some of which other reports have as well."""
ONLY = frozenset({"rule", "points", "entry", "judge", "place", "contest", "unranked", "combine", "gaps"})
"""Those that no other report has: whoever gives one means rankings."""
TITLE = "Rankings"


def open_rankings(paths: Sequence[Path], options: Mapping[str, Any]) -> Any:
    """Return the table in files of rankings: one of PrefLib, or tables with the same columns.

    Raises
    ------
    FileError
        If they cannot be read.
    ParameterError
        If an option does not apply.
    """
    given = {name: value for name, value in options.items() if name in FORMAT and value is not None}
    if not any(is_preflib(path) for path in paths) or "format" in given:
        return read_table(paths[0] if len(paths) == 1 else list(paths), **given)
    if given:
        raise ParameterError(f"{min(given)} does not apply to files of PrefLib; leave it out")
    if len(paths) > 1:
        raise ParameterError("a file of PrefLib is read alone: give one file")
    return read_preflib(paths[0])


def ranking_options(options: Mapping[str, Any]) -> RankingOptions:
    """Return how rankings are read, of options of which those that are None or empty are not given."""
    return RankingOptions(**{name: options[name] for name in _READ if options.get(name) not in (None, "", ())})


def read_rankings(
    table: Any,
    k: int | None,
    options: Mapping[str, Any],
    origin: Origin,
    stated: Mapping[str, Any],
    time_limit: float,
    k_name: str = "k=",
) -> RankedMaterial:
    """Read the rankings in a table, and find what bribes could change.

    Parameters
    ----------
    table
        The table.
    k
        How many judges may be bribed; None for one.
    options
        How it is read and ranked: `OPTIONS`; None or empty where nothing is given.
    origin
        The files that it was read from.
    stated
        What was stated, by the names of the parameters of `report`.
    time_limit
        Seconds for all integer programs together.
    k_name
        What k is called in errors.
    """
    rule, points = options.get("rule"), options.get("points") or None
    if points is not None and rule not in (None, "points"):
        raise ParameterError(f"points have no effect with rule={rule!r}: leave one of them out")
    question = RankedQuestion(1 if k is None else k, k is None, rule, points, time_limit, k_name)
    snippets = Snippets(origin.names, {"kind": RANKINGS, **stated})
    return RankedMaterial.of(table, ranking_options(options), question, origin.files, snippets)


def ranked_report(material: RankedMaterial, title: str | None = None, date: datetime.date | None = None) -> Report:
    """Return the report of rankings; the title and the date are those of `report`."""
    contests = len(material.rankings.contests)
    of, rankings = count(contests, "contest"), count(material.n_judges, "ranking" if contests > 1 else "judge")
    what = of if contests > 1 else count(material.n_entries, "entry", "entries")
    name = title or (material.files[0].name if material.files else TITLE)
    day = date or datetime.date.today()  # noqa: DTZ011
    return Report(name, f"Rankings: {what}, {rankings}", ranked_sections(material), day, __version__)


def check_options(given: Mapping[str, Any], *, flags: bool = False) -> None:
    """Raise an error for an option that has no meaning for rankings.

    Parameters
    ----------
    given
        Options that were stated, by the names of the parameters of `report`.
    flags
        Whether errors name options of the command.
    """
    known = {*OPTIONS, *FORMAT, "kind", "title", "date", "time_limit"}
    if unknown := [name for name, value in given.items() if name not in known and value not in (None, False, "", ())]:
        name, *_ = (f"--{one.replace('_', '-')}" if flags else repr(one) for one in sorted(unknown))
        raise ParameterTypeError(f"{name} does not apply to a report of rankings; leave it out")
