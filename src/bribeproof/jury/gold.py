"""The verdicts of juries on gold items, and on which of these a jury of some of the judges is right under attack."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Self

import numpy as np

from bribeproof._typing import BoolArray
from bribeproof._validation import validate_k
from bribeproof.aggregation.combine import split_options
from bribeproof.certification.gold_bribes import GoldBribes
from bribeproof.certification.gold_reports import GoldReports, gold_reports
from bribeproof.certification.group_cases import plurality_of_groups
from bribeproof.certification.worst_cases import plurality
from bribeproof.errors import ParameterError
from bribeproof.frames.gold_labels import read_truths
from bribeproof.frames.reports import Reports
from bribeproof.frames.swept_bribes import SweptBribes
from bribeproof.frames.validation import validate_reports
from bribeproof.theory.bribery.bribes import Bribes


@dataclass(frozen=True, slots=True, eq=False)
class GoldJuries:
    """The verdicts of judges on gold items.

    Attributes
    ----------
    gold
        The verdicts.
    bribes
        The families of the judges; None where judges are bribed one by one.
    k
        How many judges, or families, can be bribed.
    reports
        All verdicts.
    """

    gold: GoldReports
    bribes: GoldBribes | None
    k: int
    reports: Reports

    @classmethod
    def read(cls, frame: Any, truth: object, k: int, families: object, columns: Mapping[str, Any]) -> Self:
        """Return the verdicts of a table on the items whose truth is known; parameters as in `choose`."""
        options = dict(columns)
        column = options.pop("truth_column", None)
        schema, unknown = split_options("labels", options)
        if unknown:
            raise ParameterError(f"{next(iter(unknown))} is no parameter here: give those of certify that name columns")
        reports = validate_reports(frame, schema, scores=False)
        swept = SweptBribes.of(frame, reports.columns.reporter, families, None)
        truths = read_truths(
            truth, frame, reports.columns.item, options.get("label", "label") if column is None else column
        )
        gold = gold_reports(reports, truths)
        bribes = None
        if swept.given is not None:
            bribes = GoldBribes.of(gold, swept.groups(reports.collected()), silence=True)
        number, units = validate_k(k), len(gold.reporters if bribes is None else bribes.names)
        if number > units:
            of = "judges" if bribes is None else "families"
            raise ParameterError(f"k={number}: there are {units:,} {of}, give at most so many")
        return cls(gold, bribes, number, reports)

    @property
    def judges(self) -> Sequence[Any]:
        """The names of all judges, sorted."""
        return self.gold.reporters

    def robust(self, jury: tuple[int, ...], k: int) -> BoolArray:
        """Return for each gold item whether a jury of some judges is right whatever k of them, or families, do."""
        members = np.array(jury, np.int64)
        place = np.full(len(self.judges), -1, np.int64)
        place[members] = np.arange(len(members))
        kept = place[self.gold.reporter] >= 0
        gold = replace(
            self.gold, item=self.gold.item[kept], reporter=place[self.gold.reporter[kept]],
            label=self.gold.label[kept], reporters=[self.judges[judge] for judge in jury],
        )  # fmt: skip
        if self.bribes is None:
            return plurality(gold)(k).robust
        bribed = self.bribes.bribes
        families, numbers = np.unique(bribed.groups[members], return_inverse=True)
        some = Bribes(numbers, tuple(bribed.prices[one] for one in families), bribed.budget)
        names = tuple(self.bribes.names[one] for one in families)
        return plurality_of_groups(gold, replace(self.bribes, bribes=some, names=names))(k).robust

    def places(self, names: Sequence[Any] | None) -> tuple[int, ...]:
        """Return the places of judges by their names, all by default; raise an error unless there are some."""
        known = {str(name): place for place, name in enumerate(self.judges)}
        if names is None:
            return tuple(known.values())
        absent = [name for name in names if str(name) not in known]
        if absent or not names:
            which = f"{absent[0]!r} is none of the judges" if absent else "no judge is named"
            raise ParameterError(f"panel: {which}, who are {', '.join(map(repr, known))}")
        return tuple(sorted({known[str(name)] for name in names}))
