"""The shell command and the Python code that reproduce the answers."""

from bribeproof._text import parse_scale, split_lists
from bribeproof.explorer.data.query import OPTIONS, READ_FIELDS, DataQuery
from bribeproof.explorer.shell_quoting import file_word, option
from bribeproof.frames.asked import count_or_column
from bribeproof.frames.reading.prepare import is_ordinary
from bribeproof.frames.reading.reading import Reading
from bribeproof.frames.reading.saved import options_of

_MAX_LENGTH = 70
"""Longest call in Python that stays on one line."""


def command(file: str, query: DataQuery, k: int) -> str:
    """Return the shell command that writes the same answers to a file.

    Examples
    --------
    >>> command("score_sheet_rows.csv", DataQuery(item="run id", judges="j*"), 1)
    "bribeproof aggregate score_sheet_rows.csv --k 1 --item 'run id' --judges 'j*' -o result.csv"
    """
    words = ["bribeproof", "aggregate", file_word(file), f"--k {k}"]
    for name in READ_FIELDS:
        value = getattr(query, name)
        if name == "turned" and value:
            words.append("--turned")
        elif value:
            words.append(option(OPTIONS.get(name, name.replace("_", "-")), value))
    return " ".join([*words, "-o result.csv"])


def python(file: str, query: DataQuery, recognised: Reading, k: int) -> str:
    """Return Python code that computes the same answers; where the best score is stated, with the places, too.

    Examples
    --------
    >>> from bribeproof.frames.schema import Columns
    >>> recognised = Reading("votes", Columns("task", "worker", "label"))
    >>> print(python("votes.csv", DataQuery(sep=";"), recognised, 1))
    import bribeproof as bp
    <BLANKLINE>
    table = bp.read_table('votes.csv', sep=';')
    result = bp.aggregate_votes(table, k=1, item='task', reporter='worker', vote='label')
    """
    columns, after = recognised.columns, _after(query)
    as_it_stands = is_ordinary(recognised) and recognised.criteria is None and recognised.label_sets is None
    whole = bool(query.better or after) or not as_it_stands
    read_arguments = [f"{name}={value!r}" for name, value in query.read_options.items() if value]
    arguments = [f"k={k}", f"item={columns.item!r}"]
    kept = {} if as_it_stands else options_of(recognised)
    if kept:
        arguments = [f"k={k}", *(f"{name}={value!r}" for name, value in kept.items())]
    elif columns.judges:
        arguments.append(f"judges={list(columns.judges)!r}")
    else:
        arguments += [
            f"reporter={columns.reporter!r}",
            f"{'value' if whole else recognised.kind[:-1]}={columns.value!r}",
        ]
    last = {"decimals": int(query.round) if query.round else None, "better": query.better}
    stated = after | _renamed(query) | last
    if query.missing and as_it_stands:
        arguments.append(f"missing={list(query.missing_tokens)!r}")
    arguments += [f"{name}={value!r}" for name, value in stated.items() if (value or value == 0) and name not in kept]
    reading = f"table = bp.read_table({', '.join([repr(file), *read_arguments])})"
    if whole and as_it_stands:
        arguments.append(f"kind={recognised.kind!r}")
    function = "bp.aggregate" if whole else f"bp.aggregate_{recognised.kind}"
    line = ", ".join(["table", *arguments])
    if len(line) > _MAX_LENGTH:
        line = "".join(f"\n    {one}," for one in ["table", *arguments]) + "\n"
    call = f"{function}({line})"
    if whole:
        return f"import bribeproof as bp\n\n{reading}\nanswer = {call}\nprint(answer.summary())\nresult = answer.items"
    return f"import bribeproof as bp\n\n{reading}\nresult = {call}"


def _after(query: DataQuery) -> dict[str, object]:
    """Return what follows the aggregation of each item, as far as anything does."""
    given = {"total": query.total, "factor": list(split_lists([query.factor])), "minus": query.minus}
    return {name: value for name, value in given.items() if value}


def _renamed(query: DataQuery) -> dict[str, object]:
    """Return the options that have another name in Python than in the form."""
    faulty = query.faulty.replace("-", " ")
    asked = count_or_column(query.asked)
    return {
        "repeats": query.repeats, "order": query.order, "asked": asked, "faulty": faulty, "positive": query.positive,
        "classes": split_lists([query.classes]), "decimal_mark": query.decimal,
        "scale": parse_scale(query.scale) if query.scale else None,
    }  # fmt: skip
