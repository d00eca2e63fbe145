"""Bring reports of several labels into ordinary ones: one label for each set, or votes on each label."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

import numpy as np
import polars as pl

from bribeproof._text import list_names, shorten
from bribeproof._warnings import note, record_notes, warn
from bribeproof.errors import ColumnError, DataError, ParameterError
from bribeproof.frames.reading.criteria import JOINER
from bribeproof.frames.reading.label_sets import ROWS, LabelSets, find_sets, in_order
from bribeproof.frames.reading.reading import Reading, before_votes
from bribeproof.frames.schema import ROW, Columns
from bribeproof.frames.values.label_lists import LIST
from bribeproof.frames.values.missing_codes import MissingCodes
from bribeproof.frames.values.missing_words import is_missing_word
from bribeproof.frames.values.text import WHITE_SPACE
from bribeproof.io.json_reader import OBJECT

_MOST_VOTES = 50_000_000
"""The most votes on labels that are counted."""
_LABEL = "_label"
_NOTHING = 2
"""In a table of votes: no report."""
Locate = Callable[[int], str]


def lists_as_text(frame: pl.DataFrame, *, objects: bool = False) -> pl.DataFrame:
    """Return a frame with JSON text in place of lists of labels, and, if told so, of objects.

    Examples
    --------
    >>> lists_as_text(pl.DataFrame({"label": [["cat", "dog"], [], None]}))["label"].to_list()
    ['["cat", "dog"]', '[]', None]
    """
    columns = []
    for name, dtype in frame.schema.items():
        if isinstance(dtype, pl.List | pl.Array) and not dtype.inner.is_nested():
            columns.append(_as_json(name).alias(name))
        elif isinstance(dtype, pl.Struct) and objects:
            read = [field.name for field in dtype.fields] == [OBJECT]
            text = pl.col(name).struct.field(OBJECT) if read else pl.col(name).struct.json_encode()
            columns.append(pl.when(pl.col(name).is_not_null()).then(text).alias(name))
    return frame.with_columns(columns)


def _as_json(name: str) -> pl.Expr:
    """Return the lists in a column as JSON text."""
    text = (
        pl.element()
        .cast(pl.String)
        .str.replace_all("\\", "\\\\", literal=True)
        .str.replace_all('"', '\\"', literal=True)
    )
    quoted = pl.when(pl.element().is_null()).then(pl.lit("null")).otherwise(pl.lit('"') + text + pl.lit('"'))
    column = pl.col(name)
    inner = pl.lit("[") + column.cast(pl.List(pl.String)).list.eval(quoted).list.join(", ") + pl.lit("]")
    return pl.when(column.is_not_null()).then(inner)


def as_ordinary(rows: pl.DataFrame, reading: Reading, locate: Locate) -> pl.DataFrame:
    """Return rows with one label or vote in each cell, in the form that a reading names.

    Parameters
    ----------
    rows
        The table in long or wide form, with the number of the original row in a column.
    reading
        How it is read, with sets of labels.
    locate
        Function of the number of a row that returns its place.

    Raises
    ------
    DataError
        If a cell cannot be split into labels, or there are too many votes.
    """
    sets = reading.label_sets
    if sets is None or sets.how == "none":
        return rows
    columns = reading.columns
    names = list(columns.judges or (columns.value,))
    if sets.separator == ROWS:
        rows, sets = _gathered(rows, reading), replace(sets, separator=LIST)
    floats = [name for name in names if rows.schema[name].is_float()]  # whole numbers beside NaN in pandas
    text = rows.with_columns(pl.col(names).cast(pl.String).str.strip_chars(WHITE_SPACE).replace("", None))
    text = text.with_columns(pl.col(floats).str.replace(r"\.0$", "").replace("NaN", None))
    cells = pl.concat([text[name].unique().alias("cell") for name in names]).unique().drop_nulls()
    codes = MissingCodes.of(reading.missing)
    absent = codes.among(cells)
    cells = cells.filter(~cells.is_in(absent)).sort()
    sets = find_sets(sets, cells, None) or sets
    labels = _split(cells, sets, text, names, locate)
    gold = [other.name for other in reading.others if other.role == "gold" and other.name in text.columns]
    if sets.how == "whole":
        text = text.with_columns(pl.col(names).replace({cell: sets.written(cell) for cell in labels}))
        known = [one for name in gold if (one := _read_gold(text[name], sets)) is not None]
        return text.with_columns(
            column.replace({cell: sets.written(cell) for cell in found}) for column, found in known
        )
    if absent:
        codes.report({code: sum(int((text[name] == code).sum()) for name in names) for code in absent})
        text = text.with_columns(pl.col(names).replace(absent, None))
    used = _labels_to_vote_on(sets, labels)
    if (votes := text.height * len(names) * len(used)) > _MOST_VOTES:
        raise DataError(
            f"{len(used):,} labels on {text.height:,} rows are {votes:,} votes, more than {_MOST_VOTES:,}: vote "
            f"on some of the labels at a time, or on whole sets (label_sets='whole', --label-sets whole)"
        )
    return _votes(text, columns, sets, labels, used, gold)


def _split(
    cells: pl.Series, sets: LabelSets, rows: pl.DataFrame, names: Sequence[str], locate: Locate
) -> dict[str, tuple[str, ...]]:
    """Return the labels in each of the different cells; raise an error that names the first one that has none."""
    labels, refused = {}, {}
    for cell in cells:
        try:
            labels[cell] = sets.split(cell)
        except ValueError as error:
            refused[cell] = str(error)
    if refused:
        for row in rows.select(ROW, *names).iter_rows():
            for name, cell in zip(names, row[1:], strict=True):
                if cell in refused:
                    place = locate(row[0])
                    raise DataError(f"{place}{', ' * bool(place)}column {name!r}: {shorten(cell)} {refused[cell]}")
    return labels


def _labels_to_vote_on(sets: LabelSets, labels: Mapping[str, tuple[str, ...]]) -> list[str]:
    """Return the labels that are voted on, in their order; the others are noted."""
    found = in_order({label for cell in labels.values() for label in cell})
    used = list(sets.labels) or found
    if not used:
        raise DataError("no report names a label: name all labels (labels=['A', 'B'], --labels A,B)")
    for label in used:
        if JOINER in label:
            raise DataError(f"label {label!r} contains {JOINER!r}, which stands between items and labels: rename it")
    if others := sorted(set(found) - set(used)):
        note(f"labels that are not voted on: {list_names(others)}")
    if absent := [label for label in used if label not in found]:
        note(f"labels that no report holds: {list_names(absent)}")
    if words := [label for label in used if is_missing_word(label)]:
        warn(
            f"label {words[0]!r} is voted on like the others; if it means a report of no label, say so with "
            f"no_label=[{words[0]!r}] (--no-label {words[0]!r}), if it means no report, with missing"
        )
    return used


def _gathered(rows: pl.DataFrame, reading: Reading) -> pl.DataFrame:
    """Return one row for each item and reporter of a long table, with the labels of all their rows as a list."""
    where = reading.columns
    if where.judges:
        raise DataError("label_separator='rows' is for a table with a row for each label, and this one is in wide form")
    pair = [before_votes(reading).columns.item, where.reporter]
    others = [pl.col(name).first() for name in rows.columns if name not in (*pair, where.value)]
    text = pl.col(where.value).cast(pl.String).str.strip_chars(WHITE_SPACE)
    labels = text.filter(text.is_not_null() & (text != "")).unique(maintain_order=True)
    gathered = rows.group_by(pair, maintain_order=True).agg(*others, labels)
    listed = lists_as_text(gathered).with_columns(pl.col(where.value).replace("[]", None))
    return listed.select(rows.columns)


def ordinary_truth(truth: pl.DataFrame, column: str, reading: Reading) -> pl.DataFrame:
    """Return a table of the truth, in a file of its own, in the form of a table whose reports had several labels.

    Parameters
    ----------
    truth
        Its items and, in `column`, the right labels of each.
    reading
        How the reports are read.

    Raises
    ------
    ParameterError
        If each label is voted on and the labels are not named: those that no item has would be unknown, not wrong.
    """
    sets = reading.label_sets
    if sets is None or sets.how == "none":
        return truth
    if sets.how == "each" and not sets.labels:
        raise ParameterError("a file of the truth needs the labels that are voted on: name them (--labels A,B)")
    columns = replace(reading.columns, reporter="", value=column, judges=())
    with record_notes():
        alone = replace(reading, columns=columns, others=(), missing=())
        return as_ordinary(truth.with_row_index(ROW), alone, _no_place).drop(ROW)


def _votes(
    rows: pl.DataFrame,
    columns: Columns,
    sets: LabelSets,
    labels: Mapping[str, tuple[str, ...]],
    used: list[str],
    gold: Sequence[str],
) -> pl.DataFrame:
    """Return a row for each row and label, with 1 in place of each cell that has the label, and 0 of each other one."""
    voted = [_voted(rows[name], labels, used) for name in columns.judges or (columns.value,)]
    for name in gold:
        known = _read_gold(rows[name], sets)
        voted += [] if known is None else [_voted(*known, used)]
    if columns.item in rows.columns:
        raise ColumnError(f"column {columns.item!r} has the name of items and labels together: rename it")
    crossed = rows.join(pl.DataFrame({_LABEL: used}), how="cross", maintain_order="left_right")
    parts = [pl.col(sets.item).cast(pl.String).str.strip_chars(WHITE_SPACE), pl.col(_LABEL)]
    named = crossed.with_columns(pl.concat_str(parts, separator=JOINER).alias(columns.item))
    return named.with_columns(voted).drop(_LABEL)


def _voted(column: pl.Series, labels: Mapping[str, tuple[str, ...]], used: list[str]) -> pl.Series:
    """Return of each cell, and of each label in turn, whether the cell has the label; null for empty cells."""
    at = {label: place for place, label in enumerate(used)}
    table = np.zeros((len(labels) + 1, len(used)), np.int8)
    table[-1] = _NOTHING
    for row, found in enumerate(labels.values()):
        table[row, [at[label] for label in found if label in at]] = 1
    places = column.replace_strict(list(labels), range(len(labels)), default=None, return_dtype=pl.Int64)
    votes = pl.Series(column.name, table[places.fill_null(len(labels)).to_numpy()].ravel()).cast(pl.Int64)
    return votes.set(votes == _NOTHING, None)


def _read_gold(column: pl.Series, sets: LabelSets) -> tuple[pl.Series, dict[str, tuple[str, ...]]] | None:
    """Return a column of the truth as text, and the labels of each of its different cells; None if it has others."""
    text = column.cast(pl.String).str.strip_chars(WHITE_SPACE).replace("", None)
    try:
        return text, {cell: sets.split(cell) for cell in text.unique().drop_nulls()}
    except ValueError:
        return None


def _no_place(_: int) -> str:
    """Return no words for the place of a row, which a table of the truth does not keep."""
    return ""
