"""The command and the Python code that repeat a report."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from bribeproof._text import join_list
from bribeproof.reporting.shell import file_word, option

_LONGEST = 88
"""Longest call in Python that stays on one line."""
_FLAGS: Mapping[str, str] = {"decimals": "round", "decimal_mark": "decimal"}
"""Options of the command whose name differs from the parameter."""
_ONLY_PYTHON = frozenset({"date"})


@dataclass(frozen=True, slots=True)
class InFile:
    """A value that was read from a file of its own.

    Attributes
    ----------
    path
        The name of the file.
    python
        The Python expression that reads it.
    """

    path: str
    python: str


@dataclass(frozen=True, slots=True, eq=False)
class Snippets:
    """How a report is repeated.

    Attributes
    ----------
    files
        The names of the files, without their folders, which are nobody else's business; none for a frame.
    given
        What was stated, by the names of the parameters of `report`.
    """

    files: tuple[str, ...]
    given: Mapping[str, Any]

    def command(self, k: int | None) -> str | None:
        """Return the shell command; None where a frame was given, or a value that no command can be given.

        Examples
        --------
        >>> print(Snippets(("my marks.csv",), {"item": "run id", "turned": True, "decimals": 2}).command(1))
        bribeproof report 'my marks.csv' --k 1 --item 'run id' --turned --round 2 -o report.html
        """
        if not self.files:
            return None
        words = ["bribeproof", "report", *map(file_word, self.files)]
        for name, value in self._with_k(k).items():
            if name in _ONLY_PYTHON:
                continue
            flag = _FLAGS.get(name, name.replace("_", "-"))
            if (name == "truth" and isinstance(value, str)) or name == "truth_column":
                flag = "gold"
            text = _text(name, value)
            if text is None:
                return None
            words.append(f"--{flag}" if value is True else option(flag, text))
        return " ".join([*words, "-o report.html"])

    def python(self, k: int | None) -> str:
        """Return Python code.

        Examples
        --------
        >>> print(Snippets(("marks.csv",), {"judges": ("J1", "J2", "J3")}).python(1))
        import bribeproof as bp
        <BLANKLINE>
        report = bp.report('marks.csv', k=1, judges=['J1', 'J2', 'J3'])
        report.save('report.html')
        """
        files = ", ".join(map(repr, self.files))
        first = "frame" if not self.files else files if len(self.files) == 1 else f"bp.read_table([{files}])"
        arguments = [first, *(f"{name}={_expression(value)}" for name, value in self._with_k(k).items())]
        line = ", ".join(arguments)
        if len(line) > _LONGEST:
            line = "".join(f"\n    {one}," for one in arguments) + "\n"
        return f"import bribeproof as bp\n\nreport = bp.report({line})\nreport.save('report.html')"

    def _with_k(self, k: int | None) -> dict[str, Any]:
        """Return what was stated, with the number of bribed reporters first."""
        return ({} if k is None else {"k": k}) | {name: value for name, value in self.given.items() if name != "k"}


def _text(name: str, value: Any) -> str | None:
    """Return a value as the command takes it; None if it takes none such."""
    if isinstance(value, InFile):
        return value.path
    if name in ("criteria", "faulty"):
        return str(value).replace(" ", "-")
    if isinstance(value, Mapping):
        pairs = [f"{key}={number}" for key, number in value.items()]
        return ",".join(pairs) if name == "criterion_weights" else None
    if isinstance(value, str | int | float):
        return f"{value:g}" if isinstance(value, float) else str(value)
    if isinstance(value, Sequence):
        return join_list(f"{one:g}" if isinstance(one, float) else one for one in value).replace(", ", ",")
    return None


def _expression(value: Any) -> str:
    """Return a value as a Python expression, short where it is long data."""
    if isinstance(value, InFile):
        return value.python
    if isinstance(value, tuple | list):
        return repr(list(value))
    if isinstance(value, str | int | float | bool):
        return repr(value)
    if isinstance(value, Mapping) and len(value) <= 6:
        return repr(dict(value))
    return "…"
