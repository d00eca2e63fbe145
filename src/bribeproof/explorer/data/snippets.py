"""The shell command and the Python code that reproduce the answers."""

from collections.abc import Collection, Iterator, Mapping, Sequence

from bribeproof._text import parse_scale, split_lists
from bribeproof.explorer.data.query import FLAGS, OPTIONS, READ_FIELDS, DataQuery
from bribeproof.frames.asked import count_or_column
from bribeproof.frames.reading.prepare import is_ordinary
from bribeproof.frames.reading.reading import Reading
from bribeproof.frames.reading.saved import options_of
from bribeproof.reporting.shell import file_word, option

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
    return " ".join([*words, *given_options(query), "-o result.csv"])


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
    reading = _reading(file, query)
    if whole and as_it_stands:
        arguments.append(f"kind={recognised.kind!r}")
    function = "bp.aggregate" if whole else f"bp.aggregate_{recognised.kind}"
    call = f"{function}({_arguments(['table', *arguments])})"
    result = f"answer = {call}\nprint(answer.summary())\nresult = answer.items" if whole else f"result = {call}"
    return f"import bribeproof as bp\n\n{reading}\n{result}"


_NOT_OF_BRIBE = frozenset({"faulty", "asked", "positive"})
"""Fields that ``bribeproof bribe`` has not as options."""


def bribe_command(file: str, query: DataQuery, k: int) -> str:
    """Return the shell command that searches for the same k reporters.

    Examples
    --------
    >>> bribe_command("votes.csv", DataQuery(item="run id", positive="yes"), 2)
    "bribeproof bribe votes.csv --k 2 --item 'run id' -o bribe.csv"
    """
    words = ["bribeproof", "bribe", file_word(file), f"--k {k}"]
    return " ".join([*words, *given_options(query, set(READ_FIELDS) - _NOT_OF_BRIBE), "-o bribe.csv"])


def bribe_python(file: str, query: DataQuery, recognised: Reading, k: int) -> str:
    """Return Python code that searches for them; empty if the table is brought into another form first."""
    scores = recognised.kind == "scores"
    as_it_stands = is_ordinary(recognised) and recognised.criteria is None and recognised.label_sets is None
    if not (scores or as_it_stands):
        return ""
    return f"import bribeproof as bp\n\n{_reading(file, query)}\n{_bribe_python(query, recognised, k)}"


def _reading(file: str, query: DataQuery) -> str:
    """Return the line of Python that reads the table."""
    read_arguments = [f"{name}={value!r}" for name, value in query.read_options.items() if value]
    return f"table = bp.read_table({', '.join([repr(file), *read_arguments])})"


def _bribe_python(query: DataQuery, recognised: Reading, k: int) -> str:
    """Return Python code that searches for them: of votes and labels, in a table that has the form of its reading."""
    if recognised.kind == "scores":
        options = {"k": k, **options_of(recognised), "decimals": int(query.round) if query.round else None}
        options |= {"group": query.group or None}
        return _search_python({name: value for name, value in options.items() if value is not None})
    columns, given = recognised.columns, {"missing": list(query.missing_tokens), **_renamed(query)}
    where = (
        {"judges": list(columns.judges)} if columns.judges else {"reporter": columns.reporter, "label": columns.value}
    )
    stated = {name: given[name] for name in ("missing", "classes", "repeats", "order", "group") if given[name]}
    return _search_python({"k": k, "item": columns.item} | where | stated)


def _search_python(options: Mapping[str, object]) -> str:
    """Return Python code that searches with some options."""
    arguments = [f"{name}={value!r}" for name, value in options.items()]
    return f"found = bp.worst_bribe({_arguments(['table', *arguments])})\nprint(found.summary())"


def given_options(query: DataQuery, fields: Collection[str] = READ_FIELDS) -> Iterator[str]:
    """Yield the options of a command for those of some fields that are filled in."""
    for name in READ_FIELDS:
        value = getattr(query, name)
        if name in fields and value:
            yield f"--{name}" if name in FLAGS else option(OPTIONS.get(name, name.replace("_", "-")), value)


def arguments(first: Sequence[str], options: Mapping[str, object]) -> str:
    """Return the arguments of a call on one line, or each on a line of its own."""
    return _arguments([*first, *(f"{name}={value!r}" for name, value in options.items())])


def _arguments(arguments: Sequence[str]) -> str:
    """Return arguments on one line, or each on a line of its own."""
    line = ", ".join(arguments)
    return line if len(line) <= _MAX_LENGTH else "".join(f"\n    {one}," for one in arguments) + "\n"


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
        "classes": split_lists([query.classes]), "group": query.group, "decimal_mark": query.decimal,
        "scale": parse_scale(query.scale) if query.scale else None,
    }  # fmt: skip
