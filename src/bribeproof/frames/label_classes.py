"""Find the classes of labels, in an order that does not depend on the order of rows."""

import re
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

import narwhals.stable.v2 as nw

from bribeproof.errors import DataError, NotVotesError, ParameterError
from bribeproof.frames.native import collect
from bribeproof.frames.native.backends import stands_for
from bribeproof.frames.reports import Reports
from bribeproof.frames.schema import VALUE
from bribeproof.frames.set_aside import OFFER, SET_ASIDE_OPTION
from bribeproof.frames.values import text
from bribeproof.frames.values.boolean_words import boolean_pair
from bribeproof.frames.values.float_limit import float_keeps

UNKNOWN = -1
"""The index of an unknown class."""


@dataclass(frozen=True, slots=True)
class Classes:
    """The classes of labels in class order, which numbers them from 0.

    Attributes
    ----------
    labels
        The labels, as in the frame.
    declared
        Whether the user declared them, so that no other label is allowed.
    boolean
        Whether the labels 0 and 1 stand for false and true.
    """

    labels: tuple[Any, ...]
    declared: bool
    boolean: bool = False

    def encode(self, label: nw.Expr) -> nw.Expr:
        """Return an expression of the indices of labels; null where missing."""
        return stands_for(label, {name: place for place, name in enumerate(self.labels)}, nw.Int64)

    def decode(self, place: nw.Expr, dtype: Any) -> nw.Expr:
        """Return an expression of the labels with some indices, as in the frame."""
        labels = stands_for(place, dict(enumerate(self.labels)), dtype)
        return labels.cast(nw.Boolean) if self.boolean else labels

    def place(self, label: object) -> int | None:
        """Return the index of a label that the user named; None if it is not a class."""
        known = _alike(label, self.labels[0] if self.labels else "", boolean=self.boolean)
        if known in self.labels:
            return self.labels.index(known)
        means = boolean_pair([*self.labels, known])
        alike = [
            index
            for index, one in enumerate(self.labels)
            if means and means[one.casefold()] is means[str(known).casefold()]
        ]
        return alike[0] if len(alike) == 1 else None

    def shown(self) -> list[str]:
        """Return the labels as text."""
        return [str(bool(label)) if self.boolean else str(label) for label in self.labels]


def find_classes(reports: Reports) -> Classes:
    """Return the classes: those declared by the user or by a categorical column, else all reported labels, sorted.

    Raises
    ------
    ParameterError
        If a class is declared twice, or none is.
    DataError
        If a label is none of the declared classes; the message says where.
    """
    value = nw.col(VALUE)
    values = collect(reports.rows.select(VALUE).unique())[VALUE] if reports.values is None else reports.values
    seen = values.drop_nulls().to_list()
    declared = reports.schema.classes
    if declared is None and reports.declared is not None:
        declared = reports.declared.names
    if declared is None:
        return Classes(tuple(sorted(seen, key=numbers_first)), declared=False, boolean=reports.boolean)
    typical = seen[0] if seen else ""
    labels = tuple(_alike(label, typical, boolean=reports.boolean) for label in declared)
    if not labels or len(set(labels)) < len(labels):
        raise ParameterError(f"classes={list(declared)!r}: declare every class once, at least one")
    strange = [label for label in labels if type(label) is not type(typical)]
    if strange:
        raise ParameterError(f"class {strange[0]!r} is of another type than the labels, such as {typical!r}")
    unknown = [label for label in seen if label not in labels]
    if unknown:
        listed = ", ".join(repr(label) for label in declared)
        raise reports.locate_error(
            reports.rows.filter(value.is_in(unknown)),
            lambda item, reporter, label: (
                f"label {label} of reporter {reporter} on item {item} is none of the declared classes: {listed}"
                f"{OFFER * (reports.schema.faulty is not None)}"
            ),
        )
    return Classes(labels, declared=True, boolean=reports.boolean)


def binary_classes(reports: Reports) -> tuple[Classes, int]:
    """Return the two classes of binary votes, and the index of the positive one.

    Raises
    ------
    DataError
        If there are more than two classes, or the second one is not known.
    """
    classes, positive = find_classes(reports), reports.schema.positive
    listed = ", ".join(classes.shown())
    if len(classes.labels) > 2:
        pair = "classes=('no', 'yes') (--classes no,yes)"
        aside = f"; to set those of a third kind aside, declare the two votes, such as {pair}, and {SET_ASIDE_OPTION}"
        raise NotVotesError(
            f"votes need two classes, found {len(classes.labels)} ({listed}): aggregate_labels takes more"
            f"{aside * (reports.schema.faulty is not None)}"
        )
    if len(classes.labels) < 2 and not classes.declared:
        classes = _with_absent_class(reports, classes, positive)
    index = classes.place(positive)
    if len(classes.labels) < 2:
        raise DataError(
            f"every vote is {listed}: declare both votes in order, such as classes=('no', 'yes') (--classes no,yes), "
            f"and which is positive"
        )
    if index is None:
        raise NotVotesError(
            f"positive={positive!r} is none of the votes ({listed}): name the vote that counts as 1 (--positive)"
        )
    return classes, index


def _with_absent_class(reports: Reports, classes: Classes, positive: object) -> Classes:
    """Add the class of binary votes that nobody chose, if the votes and ``positive`` determine it.

    If all votes are 0, or all are 1, the classes are 0 and 1. If all votes are positive, the other class needs no name.
    """
    text_votes = reports.rows.collect_schema()[VALUE] == nw.String
    pair: tuple[Any, ...] = ("0", "1") if text_votes else (0, 1)
    if set(classes.labels) <= set(pair):
        return Classes(pair, declared=False, boolean=classes.boolean)
    if classes.place(positive) == 0:
        return Classes(("" if text_votes else classes.labels[0] - 1, *classes.labels), declared=False)
    return classes


def _alike(label: object, typical: object, *, boolean: bool) -> object:
    """Convert a label that the user named to the type of the labels in the frame, if possible."""
    if boolean and isinstance(label, str):
        return {"true": 1, "false": 0}.get(label.casefold(), label)
    if isinstance(label, float) and label.is_integer():
        label = int(label)
    if isinstance(typical, str):
        return text.clean_value(str(label))
    try:
        converted: object = type(typical)(label)  # type: ignore[call-arg]
    except (TypeError, ValueError, OverflowError):
        return label
    same = float_keeps(label) if isinstance(label, str) and isinstance(converted, float) else True
    return converted if same and (isinstance(label, str) or converted == label) else label


def numbers_first(label: Any) -> tuple[int, Decimal, str]:
    """Return a sorting key: numbers by value, also if they are text, before other text."""
    text = str(label)
    number = re.fullmatch(r"[+-]?[0-9]+(\.[0-9]+)?(e[+-]?[0-9]{1,6})?", text)
    return (0, Decimal(text), text) if number else (1, Decimal(0), text)
