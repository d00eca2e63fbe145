"""What a file seems to hold: scores, votes or labels, in long or wide form. Every guess is said."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import polars as pl

from bribeproof.data.columns import Columns
from bribeproof.data.text import WHITE_SPACE
from bribeproof.errors import DataError, ParameterError

Kind = Literal["scores", "votes", "labels"]
KINDS: tuple[Kind, ...] = ("scores", "votes", "labels")

_ITEMS = frozenset(
    {"task", "item", "entry", "question", "example", "document", "image", "run", "competitor", "proposal"}
)
_REPORTERS = frozenset(
    {"worker", "reporter", "judge", "annotator", "rater", "labeller", "labeler", "user", "voter", "model", "juror",
     "reviewer", "oracle", "coder"}
)  # fmt: skip
_SCORES = frozenset({"score", "mark", "rating", "grade", "points"})
_LABELS = frozenset({"label", "vote", "answer", "class", "category", "verdict", "response"})
_VALUES = _SCORES | _LABELS | {"value", "report"}
_SUMMARIES = frozenset(
    {
        "average",
        "avg",
        "mean",
        "median",
        "total",
        "sum",
        "rank",
        "place",
        "position",
        "official",
        "final",
        "result",
    }
)
_SCORING = frozenset({"j", "judge", "score", "mark", "jury", "juror"})
_LABELLING = frozenset({"w", "worker", "annotator", "rater", "labeller", "labeler", "voter", "v", "vote", "label"})

_NUMBER = r"^[+-]?(\d+([.,]\d*)?|[.,]\d+)([eE][+-]?\d+)?\s*%?$"
_WHOLE = r"^[+-]?\d+$"
_MANY = 10
"""Whole numbers of more distinct values than this are scores."""


@dataclass(frozen=True, slots=True)
class Recognised:
    """What a table holds, and what of that was guessed.

    Attributes
    ----------
    kind
        ``"scores"``, ``"votes"`` or ``"labels"``.
    columns
        Where the items, the reporters and the reports stand.
    left_out
        Columns that are not used.
    guessed
        Whether the kind was guessed.
    """

    kind: Kind
    columns: Columns
    left_out: tuple[str, ...] = ()
    guessed: bool = False

    def describe(self) -> str:
        """Say in one line how the table is read.

        Examples
        --------
        >>> Recognised("scores", Columns("entry", judges=("j1", "j2")), ("average",)).describe()
        "scores, wide form: items in 'entry', 2 reporters: 'j1', 'j2'; left out: 'average'"
        """
        where = self.columns
        if where.judges:
            names = [repr(name) for name in where.judges]
            shown = ", ".join(names if len(names) <= 4 else [*names[:2], "…", names[-1]])
            plural = "s" * (len(names) != 1)
            said = f"{self.kind}, wide form: items in {where.item!r}, {len(names)} reporter{plural}: {shown}"
        else:
            said = (
                f"{self.kind}, long form: items in {where.item!r}, "
                f"reporters in {where.reporter!r}, reports in {where.value!r}"
            )
        if self.left_out:
            said += "; left out: " + ", ".join(repr(name) for name in self.left_out)
        return said


def recognise(
    frame: pl.DataFrame,
    *,
    kind: str | None = None,
    item: str | None = None,
    reporter: str | None = None,
    value: str | None = None,
    judges: Sequence[str] | None = None,
) -> Recognised:
    """Find out what a table holds, as far as the user has not said so.

    Parameters
    ----------
    frame
        The table; cells may be text.
    kind
        ``"scores"``, ``"votes"`` or ``"labels"``, if known.
    item, reporter, value, judges
        Columns, if known.

    Raises
    ------
    ParameterError
        If a column that was named is not there.
    DataError
        If it cannot be told what the table holds; the message says which option settles it.

    Examples
    --------
    >>> recognise(pl.DataFrame({"task": ["a"], "worker": ["w"], "label": ["cat"]})).kind
    'labels'
    """
    if kind is not None and kind not in KINDS:
        raise ParameterError(f"kind={kind!r}: use one of {', '.join(KINDS)}")
    names = frame.columns
    text = frame.select(pl.all().cast(pl.String, strict=False).str.strip_chars(WHITE_SPACE).replace("", None))
    if judges is None:
        reporter = reporter or _only(names, _REPORTERS)
        value = value or _only(names, _VALUES)
        if reporter and value:
            return _long(text, kind, item, reporter, value)
    return _wide(text, kind, item, judges)


def _long(text: pl.DataFrame, kind: str | None, item: str | None, reporter: str, value: str) -> Recognised:
    """Recognise a table with one report per row."""
    others = [name for name in text.columns if name not in (reporter, value)]
    item = item or _only(others, _ITEMS) or (others[0] if len(others) == 1 else None)
    if item is None:
        listed = ", ".join(repr(name) for name in others) or "none"
        raise DataError(f"which column holds the items? Name it (--item NAME); the others are: {listed}")
    columns = Columns.find(text.columns, item=item, reporter=reporter, value=value, judges=None)
    left_out = tuple(name for name in others if name != item)
    found, guessed = _kind(kind, text[columns.value].unique().drop_nulls(), _stem(value))
    return Recognised(found, columns, left_out, guessed)


def _wide(text: pl.DataFrame, kind: str | None, item: str | None, judges: Sequence[str] | None) -> Recognised:
    """Recognise a table with one column per reporter."""
    names = text.columns
    if judges is None:
        judges = _judges([name for name in names if name != item], text, kind)
        if not judges:
            raise DataError(
                f"no columns of reports found among {', '.join(repr(name) for name in names)}: name them "
                f"(--judges A,B,C), or those of a long table (--item, --reporter, --value)"
            )
    others = [name for name in names if name not in judges]
    item = item or _only(others, _ITEMS) or (others[0] if others else None)
    if item is None:
        raise DataError("every column holds reports, and none says which item a row is about: name it (--item NAME)")
    columns = Columns.find(names, item=item, reporter="", value="", judges=judges)
    cells = pl.concat([text[name].unique().drop_nulls().alias("cell") for name in columns.judges]).unique()
    stems = {_stem(name) for name in columns.judges}
    found, guessed = _kind(kind, cells, stems.pop() if len(stems) == 1 else "")
    return Recognised(found, columns, tuple(name for name in others if name != item), guessed)


def _kind(kind: str | None, cells: pl.Series, name: str) -> tuple[Kind, bool]:
    """Tell scores, votes and labels apart by the values and by what their column is called."""
    for known in KINDS:
        if kind == known:
            return known, False
    if cells.is_empty():
        return ("scores" if name in _SCORES | _SCORING else "labels"), True
    numbers = cells.filter(cells.str.contains(_NUMBER))
    whole = bool(numbers.str.contains(_WHOLE).all())
    if not numbers.is_empty() and not whole:
        return "scores", True
    if len(numbers) < len(cells):
        return "labels", True
    if name in _SCORES | _SCORING:
        return "scores", True
    if set(cells) <= {"0", "1"}:
        return "votes", True
    if name in _LABELS | _LABELLING:
        return "labels", True
    if len(cells) > _MANY:
        return "scores", True
    shown = ", ".join(sorted(cells.to_list(), key=float)[:6])
    raise DataError(f"whole numbers such as {shown} may be scores or labels: say which (--kind scores, --kind labels)")


def _judges(names: Sequence[str], text: pl.DataFrame, kind: str | None) -> list[str]:
    """Guess the reporters' columns: numbered alike (j1, j2, …), else all that hold reports and sum nothing up."""
    numbered: dict[str, list[str]] = {}
    for name in names:
        if match := re.fullmatch(r"(.*?)[ _.-]*\d+", name):
            numbered.setdefault(match[1].casefold(), []).append(name)
    largest = max(numbered.values(), key=len, default=[])
    if len(largest) > 1:
        return largest
    others = list(names)[1:] if _stem(names[0]) in _ITEMS or len(names) == len(text.columns) else list(names)
    shares = {name: text[name].drop_nulls().str.contains(_NUMBER).mean() for name in others}
    numeric = [name for name, share in shares.items() if isinstance(share, float) and share >= 0.5]
    numeric = [name for name in numeric if _stem(name) not in _SUMMARIES]
    numeric = _without_summaries(numeric, text)
    if numeric or kind == "scores":
        return numeric
    words = [name for name in others if text[name].count()]
    return words if len(words) > 1 else []


def _without_summaries(names: list[str], text: pl.DataFrame) -> list[str]:
    """Take out a column that is the mean or the sum of the others."""
    if len(names) < 3:
        return names
    numbers = text.select(
        pl.col(names).str.strip_chars(" %").str.replace(",", ".", literal=True).cast(pl.Float64, strict=False)
    )
    for name in names:
        others = numbers.drop(name)
        for summary in (others.mean_horizontal(), others.sum_horizontal()):
            if ((numbers[name] - summary).abs() < 0.0051).all():
                return _without_summaries([other for other in names if other != name], text)
    return names


def _only(names: Sequence[str], known: frozenset[str]) -> str | None:
    """Return the one column whose name is among the known ones; None where there are none or several."""
    found = [name for name in names if _stem(name) in known]
    return found[0] if len(found) == 1 else None


def _stem(name: str) -> str:
    """Reduce a column name to the word that it is about: worker_id, WorkerId and Worker 3 are all worker."""
    letters = re.sub(r"[^a-z]", "", name.casefold())
    return re.sub(r"(?<=...)(id|name)$", "", letters)
