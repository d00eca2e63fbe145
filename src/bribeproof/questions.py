"""A question about a table that has two plausible readings, with the options that decide it."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice

from bribeproof.errors import DataError

_LISTED = 20
"""The most names that an option is written with."""
_ROWS, _CELLS = 10, 30
"""The most rows, and cells of each, that are kept to show what a question is about."""


@dataclass(frozen=True, slots=True)
class Choice:
    """One of the readings between which a question asks.

    Attributes
    ----------
    meaning
        What it means, such as ``"scores"`` or ``"without 'Sponsor'"``.
    options
        The parameters of the library that choose it, such as ``{"kind": "scores"}``.
    """

    meaning: str
    options: Mapping[str, str | bool | Sequence[str]]

    @property
    def flags(self) -> tuple[str, ...]:
        """The same as options of the command, such as ``("--kind", "scores")``."""
        flags: list[str] = []
        for name, value, word in zip(self.options, self.options.values(), self.flag_values, strict=True):
            flags += [f"--{name.replace('_', '-')}", *([] if isinstance(value, bool) else [word])]
        return tuple(flags)

    @property
    def flag_values(self) -> tuple[str, ...]:
        """The value of each option as text, as in an option or a form: lists with commas, true as yes."""
        words = []
        for name, value in self.options.items():
            if isinstance(value, bool):
                words.append("yes")
            elif isinstance(value, str):
                words.append(value.replace(" ", "-") if name == "criteria" else value)
            else:
                words.append(",".join(map(_quoted, value)))
        return tuple(words)

    def __str__(self) -> str:
        shown = []
        for name, value in self.options.items():
            if isinstance(value, str | bool):
                shown.append(f"{name}={value!r}")
            else:
                more = ", …" * (len(value) > _LISTED)
                shown.append(f"{name}=[{', '.join(map(repr, value[:_LISTED]))}{more}]")
        return f"{', '.join(shown)} ({self.meaning})"


class QuestionError(DataError):
    """A table has two or three plausible readings; also a `DataError`.

    Attributes
    ----------
    question
        What is unclear.
    choices
        The readings, each with the options that choose it.
    rows
        Where no table is read yet, the first rows that the question is about: the place of each, and its cells.

    Examples
    --------
    >>> print(QuestionError("reports such as 1, 2 may be scores or labels", [Choice("numbers", {"kind": "scores"}),
    ...                                                                      Choice("classes", {"kind": "labels"})]))
    reports such as 1, 2 may be scores or labels: use kind='scores' (numbers) or kind='labels' (classes)
    """

    def __init__(
        self, question: str, choices: Sequence[Choice], rows: Iterable[tuple[object, Sequence[str]]] = ()
    ) -> None:
        self.question, self.choices = question, tuple(choices)
        self.rows = tuple((str(place), tuple(cells[:_CELLS])) for place, cells in islice(rows, _ROWS))
        *first, last = map(str, self.choices)
        super().__init__(f"{question}: use {', '.join(first)} or {last}" if first else f"{question}: use {last}")

    def __reduce__(self) -> tuple[type["QuestionError"], tuple[object, ...]]:
        """Return how it is sent to another process."""
        return type(self), (self.question, self.choices, self.rows)


def _quoted(name: str) -> str:
    """Return a name as it stands in a list of names: quoted if it contains a comma or a quote."""
    return '"' + name.replace('"', '""') + '"' if "," in name or '"' in name or name != name.strip() else name
