"""Read what `worst_bribe` and `cheapest_bribe` search, and lay out what they find."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl

from bribeproof._text import count
from bribeproof._typing import BoolArray, FloatArray
from bribeproof.bribery.named_ballots import NamedBallots, read_ballots
from bribeproof.errors import ParameterError
from bribeproof.frames.bribes import NamedBribes, read_bribes
from bribeproof.frames.schema import ReportSchema
from bribeproof.frames.statements import numbers_of
from bribeproof.frames.validation import validate_reports
from bribeproof.theory.bribery.worst_list import WorstList

if TYPE_CHECKING:
    from bribeproof.frames.reports import Reports


@dataclass(frozen=True, slots=True, eq=False)
class Question:
    """Votes or labels, who can be bribed, and what items count.

    Attributes
    ----------
    column
        The column of the items.
    named
        The reports as arrays, with names.
    bought
        Who can be bribed together, and at what price.
    values
        What each item counts; None if all count the same.
    grouped, priced
        Whether a bribe buys groups, and whether it has a price.
    """

    column: str
    named: NamedBallots
    bought: NamedBribes
    values: FloatArray | None
    grouped: bool
    priced: bool

    @classmethod
    def read(
        cls,
        frame: Any,
        schema: ReportSchema,
        *,
        k: int | None,
        group: Mapping[Any, Any] | str | None,
        price: Mapping[Any, Any] | str | None,
        budget: object,
        values: Mapping[Any, float] | str | None,
        weights: Mapping[Any, float] | str | None,
    ) -> "tuple[Question, Reports]":
        """Return the question, and the reports as they were read; the parameters are those of `worst_bribe`."""
        reports = validate_reports(frame, schema, scores=False)
        who, rows = str(schema.reporter), reports.columns.item
        of_reporters = None if weights is None else lambda names: numbers_of(frame, who, weights, "weights", names)
        named = read_ballots(reports, of_reporters)
        bought = read_bribes(frame, who, named.reporters.to_list(), k=k, group=group, price=price, budget=budget)
        if k is not None and k > len(bought.names):
            what = count(len(bought.names), "reporter" if group is None else "group")
            verb = "is" if len(bought.names) == 1 else "are"
            raise ParameterError(f"k={k}: there {verb} {what}; give at most so many")
        worth = None if values is None else numbers_of(frame, rows, values, "values", named.items.to_list(), "items")
        return cls(rows, named, bought, worth, group is not None, price is not None), reports

    @property
    def decided(self) -> BoolArray:
        """Which items have one label with more reports than any other, or more weight."""
        decided: BoolArray = self.named.ballots.winner >= 0
        return decided

    def answer(self, found: WorstList) -> dict[str, Any]:
        """Return the parts of a result that every list has, the tables as polars frames."""
        changed = found.changed
        return {
            "reporters": self._reporters(found.groups),
            "items": self._items(np.flatnonzero(changed)),
            "cost": found.cost,
            "priced": self.priced,
            "grouped": self.grouped,
            "changed": int(changed.sum()),
            "lower": found.lower,
            "valued": self.values is not None,
            "decided": int(self.decided.sum()),
            "n_reporters": len(self.named.reporters),
            "_question": self,
        }

    def _reporters(self, groups: Iterable[int]) -> pl.DataFrame:
        """Return who is bribed, the one who could change most alone first."""
        ballots, (bribes, names) = self.named.ballots, self.bought
        alone = {one: int(ballots.changed_by(bribes.members([one])).sum()) for one in groups}
        listed = sorted(alone, key=lambda one: -alone[one])
        who = {one: bribes.members([one]) for one in listed}
        if self.grouped:
            table = {
                "group": pl.Series([str(names[one]) for one in listed], dtype=pl.String),
                "reporters": pl.Series([len(who[one]) for one in listed], dtype=pl.Int64),
            }
        else:
            table = {"reporter": pl.Series([names[one] for one in listed], dtype=self.named.reporters.dtype)}
        if self.priced:
            table["price"] = pl.Series([float(bribes.prices[one]) for one in listed], dtype=pl.Float64)
        counts: dict[str, Sequence[int]] = {
            "reports": [int(np.isin(ballots.reporter, who[one]).sum()) for one in listed],
            "changes_alone": [alone[one] for one in listed],
            "with_those_above": [
                int(ballots.changed_by(bribes.members(listed[: last + 1])).sum()) for last in range(len(listed))
            ],
        }
        return pl.DataFrame(table | {name: pl.Series(each, dtype=pl.Int64) for name, each in counts.items()})

    def _items(self, items: Any) -> pl.DataFrame:
        """Return some items, with their decisions."""
        named = self.named
        return pl.DataFrame(
            {
                self.column: named.items.gather(items),
                "decision": [named.classes[named.ballots.winner[one]] for one in items],
                "margin": named.ballots.margin[items],
            },
            schema_overrides={"decision": pl.String},
        )
