"""The report of judges' rankings, if ``bribeproof report`` is given some."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bribeproof.cli.options.bribes import BribeOptions
from bribeproof.questions import QuestionError

if TYPE_CHECKING:
    from bribeproof.reporting.document import Report


def report_rankings(
    files: Sequence[Path],
    k: int | None,
    bribes: BribeOptions,
    stated: Mapping[str, Any],
    time_limit: float,
    asked: QuestionError | None = None,
) -> tuple["Report", list[str]]:
    """Return the report of files of rankings, and how they were read.

    Parameters
    ----------
    files
        The files.
    k
        How many judges may be bribed; None for one.
    bribes
        Groups and prices.
    stated
        What was stated, by the names of the parameters of `report`.
    time_limit
        Seconds for all integer programs together.
    asked
        The question that the files raised when they were read otherwise; None if they are to be read as rankings.

    Raises
    ------
    QuestionError
        If the files may hold something else.
    """
    from bribeproof.reporting.material import FileFacts, Origin
    from bribeproof.reporting.ranked.build import (
        check_options,
        open_rankings,
        ranked_report,
        ranking_options,
        read_rankings,
    )
    from bribeproof.reporting.ranked.detect import asked_of_rankings

    bought = bribes.given(stated.get("judge") or "judge")
    options = {**stated, "group": bought["group"], "price": bought["price"]}
    if asked is None:
        check_options(stated, flags=True)
    table = open_rankings(files, stated)
    if asked is not None and (question := asked_of_rankings(table, asked, ranking_options(options))) is not None:
        raise question
    origin = Origin(tuple(FileFacts.of(one) for one in files if str(one) != "-"), tuple(one.name for one in files))
    material = read_rankings(table, k, options, origin, stated, time_limit, "--k ")
    made = ranked_report(material, stated.get("title"))
    return made, [*getattr(table, "notes", ()), *material.rankings.notes]
