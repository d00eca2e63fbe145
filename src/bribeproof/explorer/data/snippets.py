"""The command and the lines of Python that give what is shown."""

from bribeproof.explorer.data.query import CORRECTIONS, DataQuery
from bribeproof.explorer.shell_quoting import file_word, option
from bribeproof.frames.inference import Recognised

_LONGEST = 70
"""A longer line of Python is broken."""


def command(file: str, asked: DataQuery, k: int) -> str:
    """Return the command that writes the same answers.

    Examples
    --------
    >>> command("marks.csv", DataQuery(item="run id", judges="j*"), 1)
    "bribeproof aggregate marks.csv --k 1 --item 'run id' --judges 'j*' -o result.csv"
    """
    words = ["bribeproof", "aggregate", file_word(file), f"--k {k}"]
    for name in CORRECTIONS:
        value = getattr(asked, name)
        if value:
            words.append(option(name, value))
    return " ".join([*words, "-o result.csv"])


def python(file: str, asked: DataQuery, found: Recognised, k: int) -> str:
    """Return lines of Python that compute the same answers.

    Examples
    --------
    >>> from bribeproof.frames.schema import Columns
    >>> found = Recognised("votes", Columns("task", "worker", "label"))
    >>> print(python("votes.csv", DataQuery(sep=";"), found, 1))
    import bribeproof as bp
    <BLANKLINE>
    table = bp.read_table('votes.csv', sep=';')
    result = bp.aggregate_votes(table, k=1, item='task', reporter='worker', vote='label')
    """
    where = found.columns
    reading = [f"{name}={value!r}" for name, value in asked.reading.items() if value]
    given = [f"k={k}", f"item={where.item!r}"]
    if where.judges:
        given.append(f"judges={list(where.judges)!r}")
    else:
        given += [f"reporter={where.reporter!r}", f"{found.kind[:-1]}={where.value!r}"]
    if asked.missing:
        given.append(f"missing={list(asked.tokens)!r}")
    given += [f"{name}={value!r}" for name, value in _named(asked).items() if value]
    if asked.round:
        given.append(f"decimals={int(asked.round)}")
    opened = f"table = bp.read_table({', '.join([repr(file), *reading])})"
    function, line = f"bp.aggregate_{found.kind}", ", ".join(["table", *given])
    if len(line) > _LONGEST:
        line = "".join(f"\n    {one}," for one in ["table", *given]) + "\n"
    return f"import bribeproof as bp\n\n{opened}\nresult = {function}({line})"


def _named(asked: DataQuery) -> dict[str, str]:
    """Return the options that the functions call something else."""
    return {"repeats": asked.repeats, "positive": asked.positive, "decimal_mark": asked.decimal}
