"""The sheets of this folder, each with its right reading beside it, and what a reading of them has to say.

A sheet is a file such as ``totals_below.csv``; ``totals_below.toml`` tells its trouble, and one of

* ``reports``: the reports of each item, in the order of ``reporters``, empty where there is none;
* these and a ``question``, whose choice number ``answer`` leads to them;
* these and ``better``, for which the aggregation of scores that look like ranks asks;
* ``refused``: words of the message by which it is refused.

``warning`` holds words of a warning that comes with the result.

The right decisions and estimates are worked out here from the reports, in exact arithmetic, without the package.
"""

import tomllib
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from pathlib import Path
from typing import Any

from bribeproof.questions import Choice

HERE = Path(__file__).parent


@dataclass(frozen=True)
class Sheet:
    """A file and its right reading."""

    path: Path
    trouble: str
    refused: str = ""
    warning: str = ""
    question: str | None = None
    answer: int = 0
    better: str = ""
    options: Mapping[str, Any] = field(default_factory=dict)
    file_options: Mapping[str, Any] = field(default_factory=dict)
    kind: str = ""
    k: int = 1
    reporters: Sequence[str] = ()
    left_out: Mapping[str, str] = field(default_factory=dict)
    rows_left_out: Sequence[str] = ()
    reports: Mapping[str, Sequence[str]] = field(default_factory=dict)

    @cached_property
    def flags(self) -> list[str]:
        """The options as the command takes them."""
        files = [part for name, value in self.file_options.items() for part in (f"--{name}", value)]
        return [*files, *Choice("", self.options).flags]

    def right(self) -> dict[str, tuple[int, object]]:
        """Return of each item the number of its reports, and its estimate or its decision."""
        combine = self._trimmed_mean if self.kind == "scores" else self._plurality
        said = {item: [report for report in reports if report] for item, reports in self.reports.items()}
        return {item: (len(reports), combine(reports)) for item, reports in said.items()}

    def _trimmed_mean(self, reports: Sequence[str]) -> float | None:
        kept = sorted(map(Fraction, reports))[self.k : len(reports) - self.k]
        return float(sum(kept) / len(kept)) if kept else None

    def _plurality(self, reports: Sequence[str]) -> str | None:
        if len(reports) <= 2 * self.k:
            return None
        counts = Counter(reports).most_common()
        return None if len(counts) > 1 and counts[0][1] == counts[1][1] else counts[0][0]


def sheets() -> dict[str, Sheet]:
    """Return the sheets by their names."""
    found = {}
    for told in sorted(HERE.glob("*.toml")):
        (path,) = (file for file in HERE.glob(f"{told.stem}.*") if file != told)
        found[told.stem] = Sheet(path, **tomllib.loads(told.read_text(encoding="utf-8")))
    return found
