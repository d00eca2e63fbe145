"""Save how a table is read as TOML, and read it back."""

import json
import tomllib
from os import PathLike
from pathlib import Path
from typing import Any

from bribeproof._text import list_names
from bribeproof.errors import BribeproofError, FileError
from bribeproof.frames.reading.criteria import check_how, read_weights
from bribeproof.frames.reading.kinds import KINDS
from bribeproof.frames.reading.reading import Reading, before_votes
from bribeproof.frames.reading.rows import KEEP_ALL
from bribeproof.frames.reading.stated import NAMES, Stated

_TEXTS = ("kind", "reporter", "value", "asked", "order", "criteria", "label_sets", "label_separator")
_LISTS = ("item", "criterion", "judges", "not_items", "missing", "criterion_weights", "no_label", "labels")


def options_of(reading: Reading) -> dict[str, Any]:
    """Return the options by which a table is read again in the same way.

    Examples
    --------
    >>> from bribeproof.frames.schema import Columns
    >>> options_of(Reading("labels", Columns("task", "worker", "label"), items=("task",)))
    {'kind': 'labels', 'item': ['task'], 'reporter': 'worker', 'value': 'label'}
    """
    where = before_votes(reading).columns
    options: dict[str, Any] = {"kind": reading.kind, "item": list(reading.items) or where.item}
    if reading.turned:
        options |= {"turned": True, "item": list(reading.turned), "reporter": where.reporter}
    elif where.judges:
        options |= {"judges": list(where.judges), "not_items": list(reading.left_out_rows) or [KEEP_ALL]}
    else:
        options |= {"reporter": where.reporter}
        options |= {} if reading.criteria and reading.criteria.values else {"value": where.value}
        options |= {"not_items": list(reading.left_out_rows)} if reading.left_out_rows else {}
    if reading.criteria:
        options |= {"criteria": reading.criteria.how, "criterion_weights": reading.criteria.listed}
        options |= {"criterion": reading.criteria.option} if reading.criteria.column else {}
    options |= reading.label_sets.options if reading.label_sets else {}
    options |= {name: column for name, column in (("asked", where.asked), ("order", where.order)) if column}
    if reading.missing:
        options["missing"] = list(reading.missing)
    plain = {name: list(value) if isinstance(value, tuple) else value for name, value in reading.stated.given.items()}
    return options | plain


def to_toml(reading: Reading) -> str:
    """Return how a table is read as the text of a TOML file.

    Examples
    --------
    >>> from bribeproof.frames.schema import Columns
    >>> print(to_toml(Reading("scores", Columns("entry", judges=("Anna", "Boris")), items=("entry",))))
    kind = "scores"
    item = ["entry"]
    judges = ["Anna", "Boris"]
    not_items = ["none"]
    <BLANKLINE>
    """
    lines = (f"{name} = {json.dumps(value, ensure_ascii=False)}\n" for name, value in options_of(reading).items())
    return "".join(lines).replace("\x7f", "\\u007f")


def load_reading(path: str | PathLike[str]) -> dict[str, Any]:
    """Return the options in a TOML file that `to_toml` has written.

    Raises
    ------
    FileError
        If the file cannot be read, is no TOML, or has another option or another type of value.
    """
    try:
        options = tomllib.loads(Path(path).read_text(encoding="utf-8"))
    except OSError as error:
        raise FileError(f"{path}: cannot be read ({error.strerror})") from None
    except (ValueError, RecursionError) as error:
        raise FileError(f"{path}: is no TOML, as --save-reading writes it ({error})") from None
    for name, value in options.items():
        is_list = isinstance(value, list) and all(isinstance(one, str) for one in value)
        fits = (name in _TEXTS and isinstance(value, str)) or (name in _LISTS and (is_list or isinstance(value, str)))
        if not (fits or name in NAMES or (name == "turned" and isinstance(value, bool))):
            allowed = [*_TEXTS, *_LISTS, "turned", *NAMES]
            raise FileError(
                f"{path}: {name} = {value!r} is no option of a reading; allowed are {list_names(allowed, most=30)}"
            )
    if options.get("kind") not in (None, *KINDS):
        raise FileError(f"{path}: kind = {options['kind']!r}: use one of {list_names(KINDS)}")
    for name in _LISTS[2:]:
        options |= {name: [options[name]]} if isinstance(options.get(name), str) else {}
    try:
        Stated.of(options)
        check_how(options.get("criteria"))
        read_weights(options.get("criterion_weights"))
    except BribeproofError as error:
        raise FileError(f"{path}: {error}") from None
    return options
