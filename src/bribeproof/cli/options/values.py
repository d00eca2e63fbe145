"""Options for the values of reports: the scale and the notation of scores, their criteria, totals, honest reporters."""

from dataclasses import dataclass
from typing import Annotated, Any, Literal

from cyclopts import Parameter

from bribeproof.cli.options.converters import Names, parse_names
from bribeproof.cli.options.groups import CRITERIA, HONESTY, SCORES

Better = Literal["high", "low"]


@Parameter(name="*", group=SCORES)
@dataclass(frozen=True, slots=True)
class ScoreOptions:
    """Options for the values of scores."""

    better: Better | None = None
    """Which score is the best: high, or low, as of ranks, times and penalties (default: high, unless in doubt)."""
    scale: str | None = None
    """The lowest and the highest possible score, such as 0,10: any other score stops the run."""
    decimal: Annotated[Literal[".", ","] | None, Parameter(show_choices=False)] = None
    """Decimal mark of scores: "." or "," (default: inferred)."""

    @property
    def given(self) -> dict[str, Any]:
        """The arguments of the library."""
        from bribeproof._text import parse_scale

        scale = None if self.scale is None else parse_scale(self.scale)
        return {"better": self.better, "scale": scale, "decimal_mark": self.decimal}


@Parameter(name="*", group=CRITERIA)
@dataclass(frozen=True, slots=True)
class CriteriaOptions:
    """Options for several scores of each reporter on an item."""

    criteria: Literal["judge-first", "each"] | None = None
    """Each reporter gives a score for each criterion: combine each one's first, or aggregate each criterion first."""
    criterion_weights: Names = ()
    """Weights of the criteria, whose weighted sum is taken: tech=2,art=1 (default: their mean)."""
    criterion: str | None = None
    """Column of the criteria, or those of their scores, taste,look, in long form; in wide form they are J1_tech."""

    @property
    def given(self) -> dict[str, Any]:
        """The arguments of the library."""
        weights = parse_names(self.criterion_weights) or None
        return {"criteria": self.criteria, "criterion_weights": weights, "criterion": self.criterion}


@Parameter(name="*", group=CRITERIA)
@dataclass(frozen=True, slots=True)
class TotalOptions:
    """Options for what follows the aggregation of scores."""

    total: str | None = None
    """One result from several items: 'sum of round' or 'best of run', with --item diver,round."""
    factor: Names = ()
    """What the score of each item is multiplied by: columns and numbers, such as difficulty,3."""
    minus: str | None = None
    """Column of what is subtracted from the result."""

    @property
    def given(self) -> dict[str, Any]:
        """The arguments of the library."""
        return {"total": self.total, "factor": parse_names(self.factor), "minus": self.minus}


@Parameter(name="*", group=HONESTY)
@dataclass(frozen=True, slots=True)
class HonestyOptions:
    """Statements of the user's about honest reporters."""

    asked: str | None = None
    """Each item was given to so many reporters, and honest ones answer: a number, or a column (default: not stated)."""
    faulty: Literal["error", "set-aside"] = "error"
    """What to do with reports that no honest reporter sends: two different ones, no number, off the scale, no class."""

    @property
    def given(self) -> dict[str, Any]:
        """The two arguments of the library."""
        from bribeproof.frames.asked import count_or_column

        return {"asked": count_or_column(self.asked), "faulty": self.faulty.replace("-", " ")}
