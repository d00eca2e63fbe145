"""What an address asks of the room: which crowd, and which attack on it."""

import math
from collections.abc import Mapping
from dataclasses import dataclass

from bribeproof._text import shorten
from bribeproof.attacks.strategies import STRATEGIES
from bribeproof.errors import ParameterError
from bribeproof.explorer.data.query import DataQuery as Columns
from bribeproof.explorer.data.query import whole
from bribeproof.theory import Expert

DEFAULTS: Mapping[str, str] = {
    "strategy": "opposite", "adversaries": "3", "k": "3", "measure": "squared_loss", "draws": "5", "n": "15",
    "items": "200", "prior": "0.5", "tpr": "0.7", "fpr": "0.3", "seed": "0",
}  # fmt: skip
"""What counts where an address says nothing."""
OF_SHEETS: Mapping[str, str] = {**DEFAULTS, "adversaries": "1", "k": "1"}
"""The same for a file, which may have few reporters."""
_COLUMNS = (
    "kind", "item", "reporter", "value", "judges", "missing", "repeats", "positive", "sep", "encoding", "format",
)  # fmt: skip
NAMES = (*DEFAULTS, "copy", "weighed", "sheet", "gold", *_COLUMNS)
"""All that an address can say."""

WEIGHED = {"": "left out", "yes": "attacked as well"}
"""What can be said of the rule with learned weights."""
MOST_REPORTERS, MOST_ITEMS, MOST_DRAWS = 200, 1000, 20


@dataclass(frozen=True, slots=True)
class AttackQuery:
    """An attack, but for how many are bribed.

    Attributes
    ----------
    strategy
        What the bribed do.
    k
        How many bribes the protected rules expect.
    draws
        How many times the bribed are drawn.
    copy
        The reporter that is copied; None for the first.
    expert
        What the optimal rule knows of an honest reporter.
    weighed
        Whether the rule with learned weights is attacked as well, of votes and labels.
    """

    strategy: str
    k: int
    draws: int
    copy: str | None
    expert: Expert
    weighed: bool = False


@dataclass(frozen=True, slots=True)
class SimulatedCrowd:
    """A crowd that is drawn by chance: n reporters who vote on items, and are as good as an expert."""

    n: int
    items: int
    expert: Expert
    seed: int


@dataclass(frozen=True, slots=True)
class ReadOptions:
    """How a file is read.

    Attributes
    ----------
    columns
        What was said of its columns, as the room of data takes it; what is empty is recognised.
    gold
        The column of the truth.
    """

    columns: Columns
    gold: str | None = None


@dataclass(frozen=True, slots=True)
class CrowdQuery:
    """What an address asks.

    Attributes
    ----------
    crowd
        The crowd to draw, or how a file is read.
    scheme
        The attack.
    adversaries
        How many are bribed.
    measure
        What the picture shows.
    """

    crowd: SimulatedCrowd | ReadOptions
    scheme: AttackQuery
    adversaries: int
    measure: str


def typed(query: Mapping[str, str]) -> dict[str, str]:
    """Return what stands in each control: what was typed, or what counts without."""
    given = OF_SHEETS if query.get("sheet") else DEFAULTS
    return {name: query.get(name, given.get(name, "")) for name in NAMES}


def read(query: Mapping[str, str]) -> CrowdQuery:
    """Read the query of an address.

    Raises
    ------
    ParameterError
        If a part of it says nothing that can be done; the message is for whoever typed it.

    Examples
    --------
    >>> asked = read({"strategy": "random", "adversaries": "2"})
    >>> asked.adversaries, asked.scheme.strategy, asked.crowd.n
    (2, 'random', 15)
    """
    text = typed(query)
    if text["strategy"] not in STRATEGIES:
        raise ParameterError(f"there is no strategy {shorten(text['strategy'])}: use one of {', '.join(STRATEGIES)}")
    if text["weighed"] not in WEIGHED:
        raise ParameterError(f"weighed {shorten(text['weighed'])}: use yes, or leave it out")
    expert = Expert(*(_share(text, name) for name in ("prior", "tpr", "fpr")))
    draws = whole(text["draws"], "draws", "how many times the bribed are drawn", 1, MOST_DRAWS)
    k = whole(text["k"], "k", "how many bribes the rules expect")
    scheme = AttackQuery(text["strategy"], k, draws, text["copy"] or None, expert, weighed=text["weighed"] == "yes")
    adversaries = whole(text["adversaries"], "adversaries", "how many are bribed")
    if text["sheet"]:
        columns = Columns.read({name: text[name] for name in _COLUMNS})
        return CrowdQuery(ReadOptions(columns, text["gold"] or None), scheme, adversaries, text["measure"])
    drawn = SimulatedCrowd(
        whole(text["n"], "n", "how many reporters vote", 1, MOST_REPORTERS),
        whole(text["items"], "items", "on how many items they vote", 1, MOST_ITEMS),
        expert,
        whole(text["seed"], "seed", "which crowd is drawn", 0, 2**31),
    )
    return CrowdQuery(drawn, scheme, adversaries, text["measure"])


def _share(text: Mapping[str, str], name: str) -> float:
    """Read a probability."""
    try:
        number = float(text[name])
    except ValueError:
        number = math.nan
    if not 0 <= number <= 1:
        raise ParameterError(f"{name} {shorten(text[name])}: give a number from 0 to 1")
    return number
