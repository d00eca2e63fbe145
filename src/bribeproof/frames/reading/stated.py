"""What the user states about a table beside its columns: its file, its values, and what follows their aggregation."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any

from bribeproof._text import list_names
from bribeproof._validation import check_better, check_type, scale_ends
from bribeproof.errors import ColumnError, ParameterError
from bribeproof.frames.duplicates import RULES
from bribeproof.frames.reading.vocabulary import Role
from bribeproof.frames.values.number_format import read_number
from bribeproof.io.formats import WITHOUT

FILE_OPTIONS = ("header_line", "sheet", "sep", "encoding", "format", "predictions")
"""The options that say how a file is read."""
TOTAL_OPTIONS = ("total", "factor", "minus")
"""The options of what follows the aggregation of scores."""


@dataclass(frozen=True, slots=True)
class Stated:
    """What the user states about a table beside its columns.

    Attributes
    ----------
    repeats
        What to do with different reports of a reporter on an item; empty for an error.
    decimal_mark
        Decimal mark of scores in text; None to detect it.
    scale
        The lowest and the highest possible score; None if it is not stated.
    better
        Whether the highest (``"high"``) or the lowest (``"low"``) score is the best; None if it is not stated.
    total, factor, minus
        One result from several items, what scores are multiplied by, and what is subtracted, as in `aggregate`.
    header_line, sheet, sep, encoding, format, predictions
        Of a file, as in `read_table`; None to detect them.
    """

    repeats: str | None = None
    decimal_mark: str | None = None
    scale: tuple[float, float] | None = None
    better: str | None = None
    total: str | None = None
    factor: tuple[str, ...] = ()
    minus: str | None = None
    header_line: str | None = None
    sheet: str | None = None
    sep: str | None = None
    encoding: str | None = None
    format: str | None = None
    predictions: bool | None = None

    @classmethod
    def of(cls, options: Mapping[str, Any]) -> "Stated":
        """Return what some options state; others are not looked at.

        Raises
        ------
        ParameterError
            If one is outside its range.

        Examples
        --------
        >>> Stated.of({"scale": [0, 10], "factor": 3, "judges": ("Anna", "Boris")}).given
        {'scale': (0.0, 10.0), 'factor': ('3',)}
        """
        given = {name: options[name] for name in NAMES if options.get(name) is not None}
        for name, value in given.items():
            if name == "scale":
                given[name] = scale_ends(value)
            elif name == "factor":
                several = isinstance(value, Sequence) and not isinstance(value, str)
                given[name] = tuple(map(str, value if several else [value]))
            elif name in ("header_line", "sheet"):
                given[name] = str(value)
            elif name == "predictions":
                check_type(name, value, bool, "True or False")
            elif name not in ("repeats", "decimal_mark", "better"):
                check_type(name, value, str, "text")
        if given.get("repeats") not in (None, *RULES):
            raise ParameterError(f"repeats={given['repeats']!r}: use one of {', '.join(RULES)}")
        if given.get("decimal_mark") not in (None, ".", ","):
            raise ParameterError(f"decimal_mark={given['decimal_mark']!r}: use '.' or ','")
        if "better" in given:
            check_better(given["better"])
        return cls(**given)

    @property
    def given(self) -> dict[str, Any]:
        """The options that are stated."""
        return {name: value for name in NAMES if (value := getattr(self, name)) not in (None, ())}

    @property
    def file(self) -> dict[str, Any]:
        """How a file is read, as the arguments of `read_table`."""
        return {name: getattr(self, name) for name in FILE_OPTIONS}

    def without(self, names: Collection[str]) -> "Stated":
        """Return what is stated by the other options."""
        plain = Stated()
        return replace(self, **{name: getattr(plain, name) for name in names})

    def inapplicable(self, form: str | None) -> list[str]:
        """Return the stated options that do not apply to a format of files; None is a frame, which is no file."""
        stated = [name for name in FILE_OPTIONS if getattr(self, name) is not None]
        return [name for name in stated if form is None or form in WITHOUT.get(name, ())]

    def roles(self, columns: Sequence[str]) -> dict[str, Role]:
        """Return the columns of factors and of what is subtracted, with their role: they hold no reports.

        Raises
        ------
        ColumnError
            If a factor is neither a number nor a column, or there is no column of what is subtracted.

        Examples
        --------
        >>> Stated(factor=("difficulty", "3")).roles(["diver", "difficulty", "J1"])
        {'difficulty': 'factor'}
        """
        wanted = [name for name in self.factor if name in columns or read_number(name) is None]
        wanted += [self.minus] if self.minus is not None else []
        absent = next((name for name in wanted if name not in columns), None)
        if absent is not None:
            raise ColumnError(f"there is no column {absent!r}; the columns are: {list_names(columns)}")
        return dict.fromkeys(wanted, "factor")

    def describe(self) -> tuple[str, ...]:
        """Return what is stated about the values and their order, a few words each.

        Examples
        --------
        >>> Stated(scale=(0, 10), better="low", repeats="last").describe()
        ('the last of several reports counts', 'scores from 0 to 10', 'the lowest is the best')
        """
        said = {"first": "the first of several reports counts", "last": "the last of several reports counts",
                "drop": "reports that differ are dropped"}.get(self.repeats or "", "")  # fmt: skip
        scale = f"scores from {self.scale[0]:g} to {self.scale[1]:g}" if self.scale else ""
        best = f"the {'lowest' if self.better == 'low' else 'highest'} is the best" if self.better else ""
        return tuple(filter(None, (said, scale, best)))


NAMES = tuple(field.name for field in fields(Stated))
"""The names of the options."""
