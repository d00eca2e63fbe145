"""Read the nested cells of exports, and write answers as cells of a table."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import polars as pl

from bribeproof._text import shorten
from bribeproof.errors import FileError
from bribeproof.io.json_reader import OBJECT

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence


def records(frame: pl.DataFrame, places: Sequence[int]) -> Iterator[tuple[int, dict[str, Any]]]:
    """Yield the place and the cells of each row that are not empty, objects and lists of them as such.

    Examples
    --------
    >>> frame = pl.DataFrame({"id": ["7"], "data": [{"json": '{"text": "hello"}'}], "meta": [None]})
    >>> list(records(frame, [3]))
    [(3, {'id': '7', 'data': {'text': 'hello'}})]
    """
    objects = {
        name for name, dtype in frame.schema.items()
        if isinstance(dtype, pl.Struct) and [field.name for field in dtype.fields] == [OBJECT]
    }  # fmt: skip
    structs = {name for name, dtype in frame.schema.items() if name not in objects and _holds_objects(dtype)}
    for place, row in zip(places, frame.iter_rows(named=True), strict=True):
        cells = {name: value for name, value in row.items() if value is not None}
        for name in objects & cells.keys():
            cells[name] = parsed(cells[name][OBJECT])
        for name in structs & cells.keys():
            cells[name] = without_empty(cells[name])
        yield place, cells


def _holds_objects(dtype: pl.DataType) -> bool:
    """Return whether values are objects, or lists of them."""
    while isinstance(dtype, pl.List | pl.Array):
        dtype = dtype.inner  # type: ignore[assignment]
    return isinstance(dtype, pl.Struct)


def without_empty(value: Any) -> Any:
    """Return a value without the keys of objects that hold nothing: columns of objects have the keys of all of them.

    Examples
    --------
    >>> without_empty([{"choices": ["cat"], "x": None}])
    [{'choices': ['cat']}]
    """
    if isinstance(value, dict):
        return {name: without_empty(one) for name, one in value.items() if one is not None}
    return [without_empty(one) for one in value] if isinstance(value, list) else value


def is_nested(column: pl.Series) -> bool:
    """Return whether a column holds lists or objects, which may be written as JSON.

    Examples
    --------
    >>> is_nested(pl.Series(["[]", None])), is_nested(pl.Series(["cat", "[]"])), is_nested(pl.Series([[1]]))
    (True, False, True)
    """
    if column.dtype != pl.String:
        return column.dtype.is_nested()
    written = column.drop_nulls()
    return not written.is_empty() and bool(written.str.contains(r"^\s*[\[{]").all())


def as_list(value: object, where: str, what: str) -> list[Any]:
    """Return a cell that holds a list, which may be written as JSON.

    Parameters
    ----------
    value
        The cell; None is an empty list.
    where, what
        The place in the file and the name of the list, for messages.

    Raises
    ------
    FileError
        If it is no list.

    Examples
    --------
    >>> as_list('["cat", 2]', "line 1", "accept"), as_list(None, "line 2", "accept")
    (['cat', 2], [])
    """
    found = parsed(value)
    if found is None:
        return []
    if not isinstance(found, list):
        raise FileError(f"{where}: {what} is {shorten(str(value))}, not a list; export the file again, or correct it")
    return found


def as_object(value: object, where: str, what: str) -> Mapping[str, Any]:
    """Return a value that is an object.

    Raises
    ------
    FileError
        If it is none.
    """
    found = parsed(value)
    if not isinstance(found, dict):
        shown = "missing" if value is None else shorten(str(value))
        raise FileError(f"{where}: {what} is {shown}, not an object; export the file again, or correct it")
    return found


def parsed(value: object) -> Any:
    """Return a cell as what its JSON says if it is a list or an object; else unchanged.

    Examples
    --------
    >>> parsed('{"rating": 4}'), parsed("[sic]"), parsed("cat")
    ({'rating': 4}, '[sic]', 'cat')
    """
    if isinstance(value, str) and value[:1] in ("[", "{"):
        try:
            return json.loads(value)
        except (ValueError, RecursionError):
            return value
    return value


def is_true(value: object) -> bool:
    """Return whether a cell is true."""
    return value is True or (isinstance(value, str) and value.strip().lower() == "true")


def as_cell(value: object) -> str | None:
    """Return a single value as text; None where there is none.

    Examples
    --------
    >>> as_cell(True), as_cell(4), as_cell(" "), as_cell(None)
    ('true', '4', None, None)
    """
    if value is None:
        return None
    text = str(value).lower() if isinstance(value, bool) else str(value)
    return text if text.strip() else None


def labels_cell(labels: Sequence[object], *, several: bool = False) -> str | None:
    """Return labels as a cell: one as it is, several as a JSON list, none as a missing report.

    Parameters
    ----------
    labels
        The labels.
    several
        Whether a report may have several labels, so that one is a list, too.

    Examples
    --------
    >>> labels_cell(["cat"]), labels_cell(["cat", "dog"]), labels_cell([]), labels_cell([], several=True)
    ('cat', '["cat", "dog"]', None, '[]')
    """
    if len(labels) == 1 and not several:
        return as_cell(labels[0])
    if not labels and not several:
        return None
    return json.dumps([str(label) for label in labels], ensure_ascii=False)
