"""The command and the lines of Python that give what is shown."""

import csv
import io
from collections.abc import Sequence
from typing import Any

from bribeproof.explorer.attack.crowd import Crowd
from bribeproof.explorer.attack.query import AttackQuery, ReadOptions, SimulatedCrowd
from bribeproof.explorer.attack.study import copied, weighs
from bribeproof.explorer.shell_quoting import file_word, option

_READ = ("sep", "encoding", "format")
"""How a file is read; a part of it is handed out as a file of our own."""
_LONGEST = 80
"""A longer line of Python is broken."""


def command(crowd: Crowd, asked: SimulatedCrowd | ReadOptions, scheme: AttackQuery, counts: Sequence[int]) -> str:
    """Return the command that writes the same table.

    Parameters
    ----------
    crowd
        The crowd.
    asked
        How it was asked for.
    scheme
        The attack.
    counts
        The numbers of bribes in the table.
    """
    options: dict[str, object] = {"gold": crowd.truth, "strategy": scheme.strategy}
    options |= {"adversaries": ",".join(map(str, counts)), "k": scheme.k, "seeds": scheme.draws}
    options["copy"] = copied(crowd, scheme)
    options["gold-items"] = gold_file(crowd) if scheme.strategy == "sleeper" else None
    if crowd.kind == "votes":
        expert = scheme.expert
        options |= {"prior": expert.prior, "tpr": expert.tpr, "fpr": expert.fpr}
    if isinstance(asked, ReadOptions):
        options |= _columns(crowd) if crowd.part else {name: getattr(asked.columns, name) for name in _READ}
        said = ("kind", "item", "reporter", "value", "judges")
        options |= {} if crowd.part else {name: getattr(asked.columns, name) for name in said}
        options |= {name: getattr(asked.columns, name) for name in ("missing", "repeats", "positive")}
    words = [option(name, value) for name, value in options.items() if value not in (None, "")]
    if weighs(crowd, scheme):
        words.append("--weighed")
    return " ".join(["bribeproof attack", file_word(crowd.file), *words, "-o curves.csv"])


def python(crowd: Crowd, asked: SimulatedCrowd | ReadOptions, scheme: AttackQuery, counts: Sequence[int]) -> str:
    """Return lines of Python that compute the same table; the parameters are those of `command`."""
    reading = {} if crowd.part or isinstance(asked, SimulatedCrowd) else asked.columns.reading
    read = [repr(crowd.file), *(f"{name}={value!r}" for name, value in reading.items() if value)]
    lines = ["import bribeproof as bp", "", f"reports = bp.read_table({', '.join(read)})"]
    given: dict[str, Any] = {"ks": [scheme.k], "draws": scheme.draws}
    if (copy := copied(crowd, scheme)) is not None:
        given["copy"] = copy
    given |= {name: value for name, value in crowd.options.items() if value not in (None, "", ())}
    words = [f"{name}={list(value) if isinstance(value, tuple) else value!r}" for name, value in given.items()]
    if crowd.kind == "votes":
        words.append(f"expert=bp.{scheme.expert!r}")
    if weighs(crowd, scheme):
        words.append("weighed=True")
    if scheme.strategy == "sleeper":
        lines.append(f"gold = bp.read_table({gold_file(crowd)!r}).frame[{crowd.columns.item!r}].to_list()")
        words.append("gold_items=gold")
    lines += ["curves = bp.attack(", f"    reports, {crowd.truth!r}, {list(counts)!r}, strategy={scheme.strategy!r},"]
    return "\n".join([*lines, *_lines(words), ")", "print(curves.curves)"])


def gold_file(crowd: Crowd) -> str:
    """Return what the file with the items that sleepers know is called."""
    return "gold.csv" if crowd.file == "crowd.csv" else "gold.parquet"


def _columns(crowd: Crowd) -> dict[str, object]:
    """Return every option that says what the columns hold: a part of a file may look like something else."""
    where = crowd.columns
    told: dict[str, object] = {"kind": crowd.kind, "item": where.item}
    if not where.judges:
        return told | {"reporter": where.reporter, "value": where.value}
    row = io.StringIO()
    csv.writer(row, lineterminator="").writerow(where.judges)
    return told | {"judges": row.getvalue()}


def _lines(words: Sequence[str]) -> list[str]:
    """Put arguments on lines that are not too long."""
    lines = [""]
    for word in words:
        if lines[-1] and len(lines[-1]) + len(word) > _LONGEST:
            lines.append("")
        lines[-1] += f" {word},"
    return [f"   {line}" for line in lines]
