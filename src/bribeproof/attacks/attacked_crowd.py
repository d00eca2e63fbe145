"""A crowd under attack: what each number of bribed reporters does to the rules."""

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import polars as pl

from bribeproof._typing import FloatArray
from bribeproof.attacks.corrupt import draw
from bribeproof.attacks.from_frame import NamedReportMatrix
from bribeproof.attacks.label_rules import LabelCurves
from bribeproof.attacks.recommendation import FITTED_DRAWS, Promise
from bribeproof.attacks.result import AttackCurves
from bribeproof.attacks.score_rules import ScoreCurves
from bribeproof.attacks.strategies import Target
from bribeproof.theory import Worth

MEASURES = ("squared_loss", "absolute_loss", "accuracy", "changed")


@dataclass(frozen=True, slots=True, eq=False)
class AttackedCrowd:
    """A crowd, a strategy of bribed reporters, and rules; each number of bribed reporters is measured once.

    Attributes
    ----------
    named
        The honest reports.
    strategy
        The strategy of the adversaries.
    curves
        The rules.
    generators
        What makes the source of randomness of each draw.
    seed
        The seed of the first draw; None if a numpy Generator was given.
    n_known
        How many items have a known truth; 0 if the mean of the honest scores stands in for it.
    copied
        The column of the reporter to copy.
    target
        The rule that ``"worst"`` is aimed at.
    answer_all
        Whether adversaries also answer items that they did not answer honestly.
    """

    named: NamedReportMatrix
    strategy: str
    curves: LabelCurves | ScoreCurves
    generators: Sequence[Callable[[], np.random.Generator]]
    seed: int | None
    n_known: int
    copied: int | None = None
    target: Target | None = None
    answer_all: bool = False
    _measured: dict[int, tuple[list[dict[str, Any]], list[Promise]]] = field(default_factory=dict)

    def is_quick(self, counts: Collection[int]) -> bool:
        """Return whether some numbers of bribed reporters are measured without fitting a rule, or have been."""
        fitted = isinstance(self.curves, LabelCurves) and self.curves.fitted
        return not fitted or all(count in self._measured for count in counts)

    def measure(self, counts: Sequence[int]) -> AttackCurves:
        """Return what some numbers of bribed reporters do to the rules."""
        for count in counts:
            if count not in self._measured:
                self._measured[count] = self._measure(count)
        measured = [self._measured[count] for count in counts]
        draws, calibrated = len(self.generators), isinstance(self.curves, LabelCurves) and self.curves.calibrated
        numbers_only = dict.fromkeys((name + end for name in MEASURES for end in ("", "_sd")), pl.Float64)
        table = pl.DataFrame([row for rows, _ in measured for row in rows], schema_overrides=numbers_only)
        return AttackCurves(
            self.named.source.to_native(table, {}),
            self.strategy,
            n_items=len(self.named.items),
            n_reporters=len(self.named.reporters),
            n_known=self.n_known,
            draws=draws,
            seed=self.seed,
            fit=replace(calibrated.fit, draws=min(draws, FITTED_DRAWS)) if calibrated else None,
            promises=tuple(promise for _, promises in measured for promise in promises),
        )

    def _measure(self, count: int) -> tuple[list[dict[str, Any]], list[Promise]]:
        """Return the rows of one number of bribed reporters, and what the calibrated rules promise."""
        runs: list[list[tuple[float, ...]]] = []
        worths: list[tuple[Worth, float] | None] = []
        curves, matrix = self.curves, self.named.matrix
        for place, make in enumerate(self.generators if count else self.generators[:1]):
            rng = make()
            adversaries = draw(len(self.named.reporters), count, rng, self.copied)
            lies = matrix.lies(
                adversaries,
                self.strategy,
                rng,
                counts=curves.total if isinstance(curves, LabelCurves) else None,
                copied=self.copied,
                target=self.target,
                answer_all=self.answer_all,
            )
            if isinstance(curves, ScoreCurves):
                runs.append(curves.measure(adversaries, lies, count))
                continue
            runs.append(curves.measure(adversaries, lies, count, fitting=place < FITTED_DRAWS))
            worths = worths or curves.worths(adversaries, lies, count)
        if isinstance(curves, LabelCurves):
            curves.forget_fits()
        repeated = np.array(runs * (1 if count else len(self.generators)))  # with nobody bribed all draws are alike
        rows = list(_rows(self.strategy, count, curves.rules(count), repeated))
        return rows, list(_promises(rows, worths))


def _rows(strategy: str, count: int, rules: Sequence[tuple[str, int]], runs: FloatArray) -> Iterator[dict[str, Any]]:
    """Yield a row per rule: means and standard deviations over runs, an array of draws by rules by measures.

    A draw counts for the rules that were measured in it.
    """
    for place, (rule, k) in enumerate(rules):
        measured = runs[:, place][~np.isnan(runs[:, place, 0])]
        means = measured.mean(axis=0).tolist()
        deviations = (measured.std(axis=0, ddof=1) if len(measured) > 1 else np.full(len(means), np.nan)).tolist()
        row: dict[str, Any] = {"strategy": strategy, "adversaries": count, "rule": rule, "k": k, "certified": means[0]}
        for measure, value, deviation in zip(MEASURES, means[1:], deviations[1:], strict=True):
            row |= {measure: None if np.isnan(value) else value}
            row |= {f"{measure}_sd": None if np.isnan(deviation) else deviation}
        yield row


def _promises(rows: Sequence[dict[str, Any]], worths: Sequence[tuple[Worth, float] | None]) -> Iterator[Promise]:
    """Yield what the calibrated rules guarantee, which the first rows tell of."""
    for row, found in zip(rows, worths, strict=False):
        if found is not None:
            yield Promise(row["rule"], row["k"], row["adversaries"], *found, realised=row["squared_loss"])
