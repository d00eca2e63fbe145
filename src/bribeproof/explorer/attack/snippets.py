"""The shell command and the Python code that reproduce the table."""

import csv
import io
from collections.abc import Sequence
from typing import Any

from bribeproof.explorer.attack.crowd import Crowd
from bribeproof.explorer.attack.query import VALUE_FIELDS, AttackQuery, SimulatedCrowd
from bribeproof.explorer.attack.study import copied_reporter, includes_weights
from bribeproof.explorer.data.query import DataQuery
from bribeproof.reporting.shell import file_word, option

_READ = {"sep": "sep", "encoding": "encoding", "format": "format", "header-line": "header_line", "sheet": "worksheet"}
"""Options on the format of a file, and their fields; what is downloaded as Parquet needs none."""
_MAX_LENGTH = 80
"""Longest line of Python code."""


def command(crowd: Crowd, source: SimulatedCrowd | DataQuery, attack: AttackQuery, counts: Sequence[int]) -> str:
    """Return the shell command that writes the same table to a file.

    Parameters
    ----------
    crowd
        The crowd.
    source
        The parameters of a simulated crowd, or how a file is read.
    attack
        The attack on it.
    counts
        The numbers of bribed reporters in the table.
    """
    options: dict[str, object] = {"strategy": attack.strategy}
    options |= {"adversaries": ",".join(map(str, counts)), "k": attack.k, "seeds": attack.draws}
    options["copy"] = copied_reporter(crowd, attack)
    options["gold-items"] = gold_file(crowd) if attack.strategy == "sleeper" else None
    if crowd.kind == "votes":
        expert = attack.expert
        options |= {"prior": expert.prior, "tpr": expert.tpr, "fpr": expert.fpr}
    if isinstance(source, DataQuery):
        options |= (
            _columns(crowd) if crowd.is_download else {name: getattr(source, field) for name, field in _READ.items()}
        )
        names = ("kind", "item", "reporter", "value", "judges", "not_items", "label_sets")
        given = {} if crowd.is_download else {name: getattr(source, name) for name in names}
        options |= {name.replace("_", "-"): value for name, value in given.items()}
        given = {name: getattr(source, name) for name in VALUE_FIELDS}
        options |= {name: value for name, value in given.items() if crowd.value_options.get(VALUE_FIELDS[name])}
    words = list(crowd.truth.options) if crowd.truth is not None else []
    words += [option(name, value) for name, value in options.items() if value not in (None, "")]
    if isinstance(source, DataQuery) and source.predictions and not crowd.is_download:
        words.append("--predictions")
    if includes_weights(crowd, attack):
        words.append("--weighed")
    return " ".join(["bribeproof attack", file_word(crowd.file), *words, "-o curves.csv"])


def python(crowd: Crowd, source: SimulatedCrowd | DataQuery, attack: AttackQuery, counts: Sequence[int]) -> str:
    """Return Python code that computes the same table; the parameters are those of `command`."""
    read_options = {} if crowd.is_download or isinstance(source, SimulatedCrowd) else source.read_options
    arguments = [repr(crowd.file), *(f"{name}={value!r}" for name, value in read_options.items() if value)]
    lines = ["import bribeproof as bp", "", f"reports = bp.read_table({', '.join(arguments)})"]
    options: dict[str, Any] = {"ks": [attack.k], "draws": attack.draws}
    if (copy := copied_reporter(crowd, attack)) is not None:
        options["copy"] = copy
    options |= {name: value for name, value in crowd.options.items() if value not in (None, "", ())}
    words = [f"{name}={list(value) if isinstance(value, tuple) else value!r}" for name, value in options.items()]
    truth = "None" if crowd.truth is None else crowd.truth.python
    if crowd.truth is not None and crowd.truth.column is not None:
        words.append(f"truth_column={crowd.truth.column!r}")
    if crowd.kind == "votes":
        words.append(f"expert=bp.{attack.expert!r}")
    if includes_weights(crowd, attack):
        words.append("weighed=True")
    if attack.strategy == "sleeper":
        lines.append(f"gold = bp.read_table({gold_file(crowd)!r}).frame[{crowd.columns.item!r}].to_list()")
        words.append("gold_items=gold")
    lines += ["curves = bp.attack(", f"    reports, {truth}, {list(counts)!r}, strategy={attack.strategy!r},"]
    return "\n".join([*lines, *_lines(words), ")", "print(curves.curves)", "print(curves.recommendation())"])


def gold_file(crowd: Crowd) -> str:
    """Return the name of the file of gold items."""
    return "gold.csv" if crowd.file == "crowd.csv" else "gold.parquet"


def _columns(crowd: Crowd) -> dict[str, object]:
    """Return all column options: a download may be recognised differently from the file."""
    columns = crowd.columns
    options: dict[str, object] = {"kind": crowd.kind, "item": columns.item}
    if not columns.judges:
        return options | {"reporter": columns.reporter, "value": columns.value}
    row = io.StringIO()
    csv.writer(row, lineterminator="").writerow(columns.judges)
    return options | {"judges": row.getvalue()}


def _lines(words: Sequence[str]) -> list[str]:
    """Wrap arguments to lines."""
    lines = [""]
    for word in words:
        if lines[-1] and len(lines[-1]) + len(word) > _MAX_LENGTH:
            lines.append("")
        lines[-1] += f" {word},"
    return [f"   {line}" for line in lines]
