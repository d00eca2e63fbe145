"""Options for the columns of a table of rankings."""

from dataclasses import dataclass
from typing import Any, Literal

from cyclopts import Parameter

from bribeproof.cli.options.bribes import BribeOptions
from bribeproof.cli.options.converters import Flag, Names, parse_names


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
