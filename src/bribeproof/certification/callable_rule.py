"""The exact worst case of a user's rule: every sheet that k bribed reporters can make of an item is tried."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from numbers import Real
from typing import Any, TypeAlias

import numpy as np

from bribeproof._text import shorten
from bribeproof.certification.gold_reports import SILENT, GoldReports
from bribeproof.certification.worst_cases import WorstCase
from bribeproof.errors import ParameterError, ParameterTypeError
from bribeproof.frames.label_classes import UNKNOWN

Rule: TypeAlias = Callable[[dict[Any, Any]], Any]
"""Function of the reports on an item that returns a label, a forecast of each label, or None for no answer."""
Sheet: TypeAlias = tuple[int, ...]

MOST_SHEETS = 500_000
"""The largest number of sheets that are tried."""


@dataclass(slots=True)
class RuleSearch:
    """Tries a rule on every sheet that few changes can make of an item.

    Attributes
    ----------
    rule
        The rule.
    gold
        The gold items.
    of_counts
        Whether the rule takes the number of reports of each label, not who reports what.
    silence
        Whether bribed reporters may also withhold a report, or add one where they have none.
    """

    rule: Rule
    gold: GoldReports
    of_counts: bool
    silence: bool
    _forecasts: dict[Sheet, Any] = field(default_factory=dict)
    _tried: int = 0

    def worst_cases(self, most: int) -> list[WorstCase]:
        """Return the worst case for 0 … `most` bribed reporters.

        Raises
        ------
        ParameterError
            If there are too many sheets to try, or the rule answers with something that is no label or forecast.
        """
        sheets = self.gold.counts()[:, :-1] if self.of_counts else self.gold.sheets()
        known: dict[tuple[Sheet, int], list[tuple[bool, float | None]]] = {}
        rows = []
        for cells, truth in zip(sheets.tolist(), self.gold.truth.tolist(), strict=True):
            key = (tuple(cells), truth)
            if key not in known:
                known[key] = self._worst_of(*key, most)
            rows.append(known[key])
        result = []
        for k in range(most + 1):
            shares = [row[k][1] for row in rows]
            share = None if None in shares else np.array(shares, np.float64)
            result.append(WorstCase(np.array([row[k][0] for row in rows], bool), share))
        return result

    def _worst_of(self, sheet: Sheet, truth: int, most: int) -> list[tuple[bool, float | None]]:
        """Return whether the answer stays right, and the least share of the truth, for 0 … `most` changes."""
        seen, layer = {sheet}, [sheet]
        robust, share, result = True, 1.0, []
        labels_alone = False
        for k in range(most + 1):
            for one in layer:
                right, forecast = self._answer(one, truth)
                labels_alone |= forecast is None
                robust &= right
                share = min(share, 0.0 if forecast is None else forecast)
            result.append((robust, None if labels_alone else share))
            if k == most or (not robust and (labels_alone or share == 0)):
                break
            following = []
            for one in layer:
                for other in self._neighbours(one):
                    if other not in seen:
                        seen.add(other)
                        following.append(other)
                        self._tried += 1
                        if self._tried > MOST_SHEETS:
                            raise ParameterError(
                                f"there are more than {MOST_SHEETS:,} ways in which k={most} bribed reporters can "
                                f"change the gold items, too many to try: give a smaller k, of_counts=True for a rule "
                                f"of the number of reports of each label, silence=False, or fewer gold items"
                            )
            layer = following
        return result + [result[-1]] * (most + 1 - len(result))

    def _neighbours(self, sheet: Sheet) -> Iterator[Sheet]:
        """Yield the sheets that differ in what one reporter does."""
        states = [*range(len(self.gold.classes.labels)), *([SILENT] if self.silence else [])]
        if not self.of_counts:
            for index, state in enumerate(sheet):
                if state != SILENT or self.silence:
                    yield from ((*sheet[:index], other, *sheet[index + 1 :]) for other in states if other != state)
            return
        absent = len(self.gold.reporters) - sum(sheet)
        for old in states:
            if (absent if old == SILENT else sheet[old]) > 0:
                for new in states:
                    if new != old:
                        changed = list(sheet)
                        for state, step in ((old, -1), (new, 1)):
                            if state != SILENT:
                                changed[state] += step
                        yield tuple(changed)

    def _answer(self, sheet: Sheet, truth: int) -> tuple[bool, float | None]:
        """Return whether the rule is right on a sheet, and its forecast of the truth, None if it gives labels."""
        if sheet not in self._forecasts:
            self._forecasts[sheet] = self._ask(sheet)
        answer = self._forecasts[sheet]
        if answer is None:
            return False, 0.0
        if isinstance(answer, int):
            return answer == truth != UNKNOWN, None
        mine = float(answer[truth]) if truth != UNKNOWN else 0.0
        others = np.delete(answer, truth) if truth != UNKNOWN else answer
        return bool(truth != UNKNOWN and mine > others.max(initial=0.0)), mine

    def _ask(self, sheet: Sheet) -> Any:
        """Return the class that the rule decides for, its forecasts of all classes, or None without an answer."""
        labels = self.gold.classes.labels
        if self.of_counts:
            reports: dict[Any, Any] = dict(zip(labels, sheet, strict=True))
            empty = not any(sheet)
        else:
            named = zip(self.gold.reporters, sheet, strict=True)
            reports = {name: labels[state] for name, state in named if state != SILENT}
            empty = not reports
        answer = None if empty else self.rule(reports)
        if answer is None:
            return None
        if not isinstance(answer, Mapping):
            return self._place(answer)
        forecasts = np.zeros(len(labels))
        for label, value in answer.items():
            if isinstance(value, bool) or not isinstance(value, Real) or not 0 <= float(value) <= 1:
                raise ParameterTypeError(
                    f"rule: it forecasts {shorten(value)} for {label!r}; give a number from 0 to 1"
                )
            forecasts[self._place(label)] = float(value)
        if forecasts.sum() > 1 + 1e-9:
            raise ParameterError(f"rule: its forecasts {shorten(dict(answer))} sum to more than 1; give probabilities")
        return forecasts

    def _place(self, label: object) -> int:
        """Return the index of a label that the rule answers with."""
        place = self.gold.classes.place(label)
        if place is None:
            raise ParameterError(
                f"rule: it answers {shorten(label)}, which is none of the labels "
                f"({', '.join(self.gold.classes.shown())}); return one of them, None for no answer, or a mapping from "
                f"labels to probabilities"
            )
        return place
