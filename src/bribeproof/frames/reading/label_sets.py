"""Several labels per report: the set is the report, or each label is voted on by itself."""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal, TypeAlias

import polars as pl

from bribeproof._text import list_names, shorten
from bribeproof.errors import ParameterError
from bribeproof.frames.values.label_lists import (
    LIST,
    NAMED_SEPARATORS,
    describe_separator,
    find_reordered,
    has_lists,
    is_certain,
    possible_separators,
    split_labels,
)
from bribeproof.questions import Choice, QuestionError

How: TypeAlias = Literal["whole", "each", "none"]
HOW: tuple[How, ...] = ("whole", "each", "none")
NO_LABEL = "(no label)"
"""The class of reports of no label."""
ROWS = "rows"
"""The separator of labels in rows of their own."""
LABEL = "label"
"""What the name of the column of items ends with where each label of an item is voted on."""
_MEANINGS: dict[How, str] = {
    "whole": "the labels of a report are one set, in any order",
    "each": "each label is voted on by itself",
    "none": "each report is one label, whose order of words matters",
}
_JOINERS = {",": ", ", **dict.fromkeys(("", LIST, ROWS, *NAMED_SEPARATORS, "\n", "\t", " "), ";")}
"""What stands between the labels of a set, where it is not their separator."""
_MOST = 3
"""The most separators that a question offers."""


@dataclass(frozen=True, slots=True)
class LabelSets:
    """How reports of several labels are read.

    Attributes
    ----------
    how
        ``"whole"``: the set of a report's labels is its class. ``"each"``: every reporter of an item votes on each
        label, 1 if the label is in the report and else 0. ``"none"``: each report is one label.
    separator
        What stands between labels; ``"list"`` for lists in brackets, ``"rows"`` for a row for each label, empty if no
        report is known to have two.
    no_label
        Texts that stand for a report of no label, as ``[]`` does.
    labels
        Of ``"each"``: all labels, if they are declared; else those that the reports contain are voted on.
    item
        Of ``"each"``: the column of the items before labels are added to their names.

    Examples
    --------
    >>> sets = LabelSets("whole", ";")
    >>> sets.split("dog; cat;dog"), sets.written("dog; cat;dog"), sets.written("[]")
    (('cat', 'dog'), 'cat;dog', '(no label)')
    """

    how: How
    separator: str = ""
    no_label: tuple[str, ...] = ()
    labels: tuple[str, ...] = ()
    item: str = ""

    def split(self, cell: str) -> tuple[str, ...]:
        """Return the labels in a cell, sorted.

        Raises
        ------
        ValueError
            If they cannot be read; the message says why.
        """
        found = tuple(in_order(set(split_labels(cell, self.separator or ";"))))
        absent = [label for label in found if label in self.no_label]
        if absent and len(found) > 1:
            raise ValueError(f"has labels beside {shorten(absent[0])}, which stands for none")
        return () if absent else found

    def written(self, cell: str) -> str:
        """Return a set as one label: its labels sorted, with one separator."""
        labels = self.split(cell)
        joiner = _JOINERS.get(self.separator, self.separator)
        if not labels:
            return NO_LABEL
        if any(joiner in label or label[0] in "[{" for label in labels):  # else two sets may look the same
            return json.dumps(labels, ensure_ascii=False)
        return joiner.join(labels)

    def describe(self) -> str:
        """Return in some words how reports of several labels are read."""
        if self.how == "none":
            return _MEANINGS["none"]
        where = "reports of one label" if not self.separator else "reports of several labels, "
        where += "" if not self.separator else describe_separator(self.separator)
        declared = f": {list_names(self.labels)}" if self.labels else ""
        return f"{where}; {_MEANINGS[self.how]}{declared}"

    @property
    def options(self) -> dict[str, Any]:
        """The options that say the same."""
        given = {"label_separator": self.separator, "no_label": list(self.no_label), "labels": list(self.labels)}
        return {"label_sets": self.how} | {name: value for name, value in given.items() if value}


def in_order(labels: Iterable[str]) -> list[str]:
    """Return labels sorted, capital and small letters alike.

    Examples
    --------
    >>> in_order(["ant", "Dog", "bee"])
    ['ant', 'bee', 'Dog']
    """
    return sorted(labels, key=lambda label: (label.casefold(), label))


def given_sets(
    how: str | None, separator: str | None, no_label: Sequence[str] | str | None, labels: Sequence[str] | str | None
) -> LabelSets | None:
    """Return what is said about several labels per report; None if nothing is.

    Raises
    ------
    ParameterError
        If there is no such way, or an option does not go with it.
    QuestionError
        If a detail is given, and not the way.
    """
    absent, named = (
        (one,) if isinstance(one, str) else tuple(map(str, one or ())) for one in (no_label, labels)
    )  # fmt: skip
    if how is None:
        if separator or absent or named:
            raise QuestionError("reports have several labels", _choices(("whole", "each"), ""))
        return None
    if how not in HOW:
        raise ParameterError(f"label_sets={how!r}: use one of {', '.join(map(repr, HOW))}")
    if named and how != "each":
        raise ParameterError(f"labels lists the labels that are voted on with label_sets='each', and it is {how!r}")
    for label in named:
        if named.count(label) > 1 or not label.strip() or label in absent:
            raise ParameterError(f"labels={list(named)!r}: name every label once, and none that stands for no label")
    return next(LabelSets(one, separator or "", absent, named) for one in HOW if one == how)


def find_sets(given: LabelSets | None, cells: pl.Series, kind: str | None) -> LabelSets | None:
    """Return how reports of several labels are read; None if reports have one.

    Parameters
    ----------
    given
        What the user has said.
    cells
        The different reports, as text.
    kind
        The kind of reports, if it is known.

    Raises
    ------
    QuestionError
        If reports seem to have several labels and nothing is said of it, or several signs may separate the labels.
    """
    if given is None:
        if kind != "scores":
            _ask(cells)
        return None
    if given.how == "none" or given.separator:
        return given
    separators = possible_separators(cells)
    if not separators or is_certain(separators, cells):
        return replace(given, separator=separators[0] if separators else "")
    choices = [
        Choice(f"labels are {describe_separator(one)}", {"label_sets": given.how, "label_separator": one})
        for one in [name_of(sign) for sign in separators[:_MOST]]
    ]
    if len(separators) == 1:
        one_label: dict[str, str] = {"label_sets": given.how, "label_separator": ";"}
        choices.append(Choice(f"{shorten(separators[0])} belongs to the labels", one_label))
    raise QuestionError(f"what separates the labels in a report, {' or '.join(map(shorten, separators))}", choices)


def name_of(sign: str) -> str:
    """Return the name of a separator, as options have it."""
    return next((name for name, one in NAMED_SEPARATORS.items() if one == sign), sign)


def _ask(cells: pl.Series) -> None:
    """Ask how reports are read, if they are lists, or some have the same labels in another order."""
    if has_lists(cells):
        raise QuestionError("reports are lists of labels", _choices(("whole", "each"), LIST))
    found = find_reordered(cells)
    if found is not None:
        cell, another, separator = found
        raise QuestionError(
            f"reports such as {shorten(cell)} and {shorten(another)} have the same labels in another order",
            _choices(HOW, separator),
        )


def _choices(ways: Sequence[How], separator: str) -> list[Choice]:
    """Return the ways in which several labels per report are read."""
    found = []
    for how in ways:
        options: dict[str, str] = {"label_sets": how}
        if separator and how != "none":
            options["label_separator"] = separator
        found.append(Choice(_MEANINGS[how], options))
    return found


def ordinary_options(sets: LabelSets | None, options: Mapping[str, Any]) -> dict[str, Any]:
    """Return the options of an aggregation that hold after reports of several labels became ordinary ones.

    Raises
    ------
    ParameterError
        If classes of votes are declared where each label is voted on.

    Examples
    --------
    >>> ordinary_options(LabelSets("whole", ";"), {"classes": ["cat", "dog;cat"]})
    {'classes': ['cat', 'cat;dog']}
    """
    if sets is None or sets.how == "none":
        return dict(options)
    classes = options.get("classes")
    if sets.how == "whole":
        written: dict[str, Any] = {}
        if classes is not None:
            written["classes"] = [sets.written(str(one)) for one in classes]
        if isinstance(positive := options.get("positive"), str):
            written["positive"] = sets.written(positive)
        return dict(options) | written
    for name in ("classes", "positive"):
        if options.get(name):
            raise ParameterError(
                f"{name} is for other votes: a report votes 1 on the labels that it holds, and 0 on the others; "
                f"name the labels with labels=['A', 'B'] (--labels A,B)"
            )
    return dict(options) | ({"missing": ()} if "missing" in options else {})
