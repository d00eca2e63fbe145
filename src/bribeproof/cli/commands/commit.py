"""``bribeproof commit``: commit to the reports of a file before the seed of a random draw is known."""

from bribeproof.cli.options.common import Classes, Json, KindIfStated, PositiveIfStated
from bribeproof.cli.options.converters import parse_names
from bribeproof.cli.options.input import ColumnOptions, File, FileOptions, open_input
from bribeproof.cli.options.values import HonestyOptions
from bribeproof.cli.output.files import print_json

_GUESSED, _PLAIN, _UNSTATED = ColumnOptions(), FileOptions(), HonestyOptions()


def commit(
    file: File,
    /,
    *more: File,
    kind: KindIfStated = None,
    where: ColumnOptions = _GUESSED,
    positive: PositiveIfStated = None,
    classes: Classes = (),
    honesty: HonestyOptions = _UNSTATED,
    reading: FileOptions = _PLAIN,
    json: Json = False,
) -> None:
    """Print a hash of the reports, to publish before a random draw.

    Publish it, with k and the other options of the draw, before a value is known that nobody can choose or foresee,
    such as the numbers of a public lottery. Then give that value to bribeproof aggregate --beacon, with these options.

    Parameters
    ----------
    file
        The file to read; - reads standard input, as CSV unless --format is given.
    more
        Further files with the same columns, in any order, which are read as one table with it.
    kind
        Kind of the reports (default: inferred).
    positive
        The vote that counts as 1 (default: 1).
    classes
        All classes in order: A,B,C.
    json
        Print the commitment as JSON.
    """
    from bribeproof.frames.reading.kinds import implied_kind

    implied = implied_kind(None, parse_names(classes), is_vote=positive is not None)
    with open_input((file, *more), reading, where, kind, honesty.given["asked"], implied=implied) as data:
        from bribeproof.aggregation.commit import commitment_recognised

        given = {"missing": data.options["missing"], "classes": parse_names(classes) or None, "positive": positive}
        given |= honesty.given
        value = commitment_recognised(data.table, data.recognised, given)
    if json:
        print_json({"kind": data.recognised.kind, "notes": data.notes, "commitment": value})
        return
    from bribeproof.cli.output.tables import console, show_notes

    show_notes(data.notes)
    console().print(value)
