"""Options for reports of several labels."""

from dataclasses import dataclass
from typing import Any, Literal

from cyclopts import Parameter

from bribeproof.cli.options.converters import Names, parse_names
from bribeproof.cli.options.groups import LABEL_SETS


@Parameter(name="*", group=LABEL_SETS)
@dataclass(frozen=True, slots=True)
class LabelSetOptions:
    """Options for reports of several labels."""

    label_sets: Literal["whole", "each", "none"] | None = None
    """Reports such as cat;dog hold several labels, in any order: count sets as a whole, or vote on each label."""
    label_separator: str | None = None
    """What separates the labels: a sign, newline, space; list for [cat, dog], rows for rows (default: inferred)."""
    no_label: Names = ()
    """Texts that stand for a report of no label, such as none."""
    labels: Names = ()
    """With --label-sets each: the labels that are voted on: A,B,C (default: all in reports)."""

    @property
    def given(self) -> dict[str, Any]:
        """The arguments of the library."""
        return {
            "label_sets": self.label_sets,
            "label_separator": self.label_separator,
            "no_label": parse_names(self.no_label),
            "labels": parse_names(self.labels),
        }
