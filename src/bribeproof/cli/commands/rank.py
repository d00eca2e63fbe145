"""``bribeproof rank``: rank entries by judges' places, and find the fewest bribed judges who change the result."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

from bribeproof.cli.options.checks import check_output, check_seconds, refuse_text_options
from bribeproof.cli.options.common import Json, OutputFile, Picture, PlainK
from bribeproof.cli.options.converters import Names, Number, parse_names
from bribeproof.cli.options.input import File, FileOptions
from bribeproof.cli.options.rankings import PlaceOptions, RuleName
from bribeproof.cli.output.files import print_json, write_rows
from bribeproof.cli.output.plots import check_picture, write_picture
from bribeproof.errors import ParameterError

if TYPE_CHECKING:
    from bribeproof.rankings.compare_rules import RuleComparison
    from bribeproof.rankings.result import Ranking

_PLAIN, _GUESSED = FileOptions(), PlaceOptions()


def rank(
    file: File,
    /,
    *,
    rule: RuleName | None = None,
    k: PlainK = 1,
    points: Names = (),
    where: PlaceOptions = _GUESSED,
    reading: FileOptions = _PLAIN,
    time_limit: Number = 60.0,
    plot: Picture = None,
    output: OutputFile = None,
    json: Json = False,
) -> None:
    """Rank by judges' places, and count the bribes needed.

    The fewest bribed judges who change the winner or the podium, where 1 is the best
    place and the bribed may rewrite their whole ranking.

    Parameters
    ----------
    file
        The places: a table with a column for each judge or a row for each place, or a PrefLib file (.soc, .soi, .toc,
        .toi); - reads standard input, as CSV unless --format is given.
    rule
        One rule, with its ranking (default: compare all, points only with --points). trimmed_mean: mean place without
        the k best and the k worst. borda: entries behind it, over all judges. median: median place. copeland: other
        entries that more judges put behind it. points: --points for its places.
    k
        Places that the trimmed mean leaves out at either end (default: 1).
    points
        Points for the first places, such as 12,10,8,7,6,5,4,3,2,1.
    time_limit
        Seconds for all integer programs together, which few contests need (default: 60).
    plot
        Draw the bribes that each rule needs for another winner: .png, .svg or .pdf.
    output
        Write the table to this file: .csv, .tsv, .xlsx, .parquet, .ndjson or .json.
    json
        Print everything as JSON.
    """
    if output is not None:
        check_output(output, file)
    if plot is not None:
        check_picture(plot, file)
    check_seconds(time_limit)
    if rule != "points" and rule is not None and points:
        raise ParameterError(f"--points has no effect with --rule {rule}: leave one of them out")
    options: dict[str, Any] = {"k": k, "points": parse_names(points) or None, "time_limit": time_limit, **where.given}
    table = _read(file, reading)
    result: Ranking | RuleComparison
    from bribeproof.cli.output.solver_lines import solver_lines_to_stderr

    with solver_lines_to_stderr():
        if rule is None:
            from bribeproof.rankings.compare_rules import compare_rules

            result = compare_rules(table, **options)
        else:
            result = _one_rule(table, rule, options)
    from bribeproof.cli.output.rank import show_rank, table_of

    frame, what = table_of(result)
    notes = [*getattr(table, "notes", ()), *result.notes]
    if output is not None:
        notes.append(write_rows(frame, output, what))
    if plot is not None:
        notes.append(_draw(result, plot))
    if json:
        from bribeproof.io.write import to_records

        print_json({"notes": notes, **result.facts(), "table": to_records(frame)})
        return
    show_rank(result, notes)


def _draw(result: "Ranking | RuleComparison", picture: Path) -> str:
    """Draw what each rule needs; return a note."""
    from bribeproof.rankings.compare_rules import RuleComparison

    if not isinstance(result, RuleComparison):
        raise ParameterError(f"--plot {picture} compares rules, and of one contest --rule shows one: leave one out")
    from bribeproof.plots import bribes_needed

    return write_picture(lambda: bribes_needed(result), picture, "the bribes that each rule needs")


def _read(file: Path, reading: FileOptions) -> Any:
    """Return the table in a file."""
    from bribeproof.io.read import read_table
    from bribeproof.rankings.preflib import is_preflib, read_preflib

    given = reading.given
    if is_preflib(file) and given["format"] is None:
        if named := [name for name, value in given.items() if value is not None]:
            raise ParameterError(f"--{named[0].replace('_', '-')} does not apply to files of PrefLib; leave it out")
        return read_preflib(file)
    refuse_text_options(file, given)
    return read_table(file, **given)


def _one_rule(table: Any, rule: str, options: dict[str, Any]) -> "Ranking | RuleComparison":
    """Return the ranking of one contest, or a row for each of several."""
    from bribeproof.rankings.compare_rules import compare_rules
    from bribeproof.rankings.rank import SeveralContestsError, rank

    try:
        return rank(table, rule, **options)
    except SeveralContestsError:
        return compare_rules(table, [rule], **options)
