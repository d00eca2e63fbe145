"""Options for the columns of a table of rankings."""

from dataclasses import dataclass
from typing import Annotated, Any, Literal

from cyclopts import Parameter

from bribeproof.cli.options.bribes import BribeOptions
from bribeproof.cli.options.converters import Flag, Names, parse_names
from bribeproof.cli.options.groups import RANKED, RANKED_COLUMNS

RuleName = Literal["trimmed_mean", "borda", "median", "copeland", "points"]
_MORE = Parameter(group=RANKED_COLUMNS)


@Parameter(name="*")
@dataclass(frozen=True, slots=True)
class PlaceOptions:
    """Options for the columns of places; columns that are not named are inferred."""

    entry: str | None = None
    """Column of the entries."""
    judges: Names = ()
    """Columns of the judges, in wide form: A,B,C or a pattern such as judge_*; names with commas are quoted."""
    judge: str | None = None
    """Column of the judges, in long form."""
    place: str | None = None
    """Column of the places, in long form."""
    contest: Names = ()
    """Column that tells contests apart, or several: year,round."""
    group: str | None = None
    """What one bribe buys together, such as a jury: a column, or a file with columns judge and group."""
    price: str | None = None
    """What a judge or a group costs: a column, or a file with columns judge (or group) and price."""
    combine: Flag = False
    """The judges of a group make one ranking, by the mean of their places (default: each their own)."""
    unranked: Literal["last", "not-asked"] | None = None
    """What a judge does not rank: last, level with each other; or not-asked, the judge says nothing on it."""
    turned: Flag = False
    """The table has a row for each judge and a column for each entry (default: inferred)."""
    gaps: Flag = False
    """Places may skip numbers, as where entries were taken out: only their order counts."""
    missing: Names = ()
    """Texts that mean no place, besides empty cells and words such as DNS."""

    @property
    def given(self) -> dict[str, Any]:
        """The arguments of the library."""
        bought = BribeOptions(group=self.group, price=self.price).given(self.judge or "judge")
        return {
            "entry": self.entry, "judges": parse_names(self.judges) or None, "judge": self.judge, "place": self.place,
            "contest": parse_names(self.contest) or None, "group": bought["group"], "price": bought["price"],
            "combine": self.combine, "unranked": self.unranked, "turned": self.turned, "gaps": self.gaps,
            "missing": parse_names(self.missing),
        }  # fmt: skip


@Parameter(name="*", group=RANKED)
@dataclass(frozen=True, slots=True)
class RankedOptions:
    """Options of a report that are about judges' rankings alone."""

    rule: RuleName | None = None
    """The rule of the contest (default: trimmed_mean, the mean place without the k best and the k worst)."""
    points: Names = ()
    """Points for the first places, such as 12,10,8,7,6,5,4,3,2,1."""
    contest: Names = ()
    """Column that tells contests apart, or several: year,round."""
    unranked: Literal["last", "not-asked"] | None = None
    """What a judge does not rank: last, level with each other; or not-asked, the judge says nothing on it."""
    entry: Annotated[str | None, _MORE] = None
    """Column of the entries."""
    judge: Annotated[str | None, _MORE] = None
    """Column of the judges, in long form."""
    place: Annotated[str | None, _MORE] = None
    """Column of the places, in long form."""
    combine: Annotated[Flag, _MORE] = False
    """The judges of a group make one ranking, by the mean of their places (default: each their own)."""
    gaps: Annotated[Flag, _MORE] = False
    """Places may skip numbers, as where entries were taken out: only their order counts."""

    @property
    def given(self) -> dict[str, Any]:
        """The arguments of the library that are given."""
        named = {
            "rule": self.rule, "points": parse_names(self.points), "contest": parse_names(self.contest),
            "unranked": self.unranked, "entry": self.entry, "judge": self.judge, "place": self.place,
            "combine": self.combine, "gaps": self.gaps,
        }  # fmt: skip
        return {name: value for name, value in named.items() if value}
