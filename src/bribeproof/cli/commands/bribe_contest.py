"""``bribeproof bribe`` on scores: the places of a contest, or the cheapest bribery."""

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from bribeproof.cli.options.bribes import BribeOptions
from bribeproof.cli.options.checks import refuse_unused
from bribeproof.cli.options.input import OpenInput
from bribeproof.cli.output.files import print_json, write_rows
from bribeproof.cli.output.plots import write_picture
from bribeproof.cli.output.solver_lines import solver_lines_to_stderr
from bribeproof.errors import ParameterError

if TYPE_CHECKING:
    from bribeproof.contests.opened import OpenedContest


@dataclass(frozen=True, slots=True)
class ContestQuestion:
    """What is asked of a contest.

    Attributes
    ----------
    k, trim
        How many judges or groups are bribed, and how many marks are dropped at each end.
    change, entries, place
        What the cheapest bribery shall change: the ``"winner"`` or the ``"podium"``, or the place of an entry.
    decimals
        How many decimals scores are rounded to.
    time_limit
        Seconds to search, where not all sets of judges can be tried.
    """

    k: int | None
    trim: int | None
    change: str | None
    entries: tuple[str, ...]
    place: int | None
    decimals: int | None
    time_limit: float

    @property
    def is_cheapest(self) -> bool:
        """Whether the cheapest bribery is asked for."""
        return self.change is not None or bool(self.entries)


def search_contest_of(
    data: OpenInput,
    question: ContestQuestion,
    bought: BribeOptions,
    plot: Path | None,
    output: Path | None,
    *,
    json: bool,
) -> None:
    """Search a contest of scores, and print what is found."""
    if question.is_cheapest:
        refuse_unused({"--plot": (plot is not None, False, "--k or --budget")})
        _search_cheapest(data, question, bought, output, json=json)
        return
    from bribeproof.contests.worst_bribe import THOROUGH, search_contest

    opened = _open(data, question, bought)
    data.report("Searching", None)
    with solver_lines_to_stderr():
        result = search_contest(
            opened,
            most=THOROUGH,
            time_limit=question.time_limit,
            progress=lambda known, places: data.report(
                f"Searching: {known:,} of {places:,} places known", known / places
            ),
        )
    if output is not None:
        data.note(write_rows(result.entries, output, "entries"))
    if plot is not None:
        from bribeproof.plots import contest as draw

        data.note(write_picture(lambda: draw(result), plot, "the places that are possible"))
    if json:
        print_json({"kind": "scores", "notes": data.notes, **result.facts(), "entries": result.records()})
        return
    from bribeproof.cli.output.contest import show_contest

    show_contest(result, data.notes, decimals=question.decimals)


def _search_cheapest(
    data: OpenInput, question: ContestQuestion, bought: BribeOptions, output: Path | None, *, json: bool
) -> None:  # fmt: skip
    """Search the cheapest bribery, and print it."""
    from bribeproof.contests.cheapest_bribe import search_cheapest

    if question.change not in (None, "winner", "podium"):
        raise ParameterError(f"--change {question.change}: of scores, give winner or podium, or name an entry")
    if len(question.entries) > 1:
        raise ParameterError("--change-items: of scores, name one entry, whose place is to be changed")
    if question.trim is None:
        raise ParameterError("say how many of the lowest and of the highest marks the contest drops, such as --trim 1")
    opened = _open(data, question, bought)
    data.report("Searching", None)
    entry = question.entries[0] if question.entries else None
    with solver_lines_to_stderr():
        result = search_cheapest(opened, question.change, entry, question.place, time_limit=question.time_limit)
    if output is not None:
        data.note(write_rows(result.entries, output, "entries"))
    if json:
        from bribeproof.io.write import to_records

        print_json({"kind": "scores", "notes": data.notes, **result.facts(), "entries": to_records(result.entries)})
        return
    from bribeproof.cli.output.contest import show_cheapest

    show_cheapest(result, data.notes)


def _open(data: OpenInput, question: ContestQuestion, bought: BribeOptions) -> "OpenedContest":
    """Read the contest."""
    from bribeproof.aggregation.recognised import RecognisedReports
    from bribeproof.contests.opened import opened_contest
    from bribeproof.frames.bribed_groups import GivenBribes

    reporter = data.recognised.columns.reporter
    given, k = bought.given(reporter), question.k
    if question.is_cheapest:
        # Of the cheapest bribery the number or the price is what is searched.
        k, given["budget"] = (None, 0) if bought.price is not None else (0, None)
    bribes = GivenBribes.of(data.original, reporter, given["group"], given["price"], given["budget"])
    options = {"missing": data.options["missing"], "decimals": question.decimals, "faulty": None, "bribes": bribes}
    return opened_contest(RecognisedReports.of(data.table, data.recognised, options), k, question.trim)
