"""The query of the page "Attack it": a crowd and an attack on it."""

import math
from collections.abc import Collection, Mapping
from dataclasses import dataclass

from bribeproof._text import parse_number, parse_whole, shorten
from bribeproof.attacks.strategies import STRATEGIES
from bribeproof.errors import ParameterError
from bribeproof.explorer.data.query import ATTACK_FIELDS, DataQuery
from bribeproof.theory import Expert

DEFAULTS: Mapping[str, str] = {
    "strategy": "opposite", "adversaries": "3", "k": "3", "measure": "", "draws": "5", "n": "15",
    "items": "200", "prior": "0.5", "tpr": "0.7", "fpr": "0.3", "seed": "0",
}  # fmt: skip
"""Default values of the form for a simulated crowd."""
FILE_DEFAULTS: Mapping[str, str] = {**DEFAULTS, "adversaries": "1", "k": "1"}
"""Default values for a file, which may have few reporters."""
FIRST: Mapping[str, str] = {"sheet": "judges"}
"""What the page shows first: one bribed judge of the first story, whom a plain mean does not survive."""
LABELS: Mapping[str, str] = {
    "strategy": "What the bribed do", "adversaries": "Bribed reporters", "k": "Assumed k", "measure": "Measure",
    "draws": "Random draws", "n": "Reporters", "items": "Items", "prior": "Positive cases", "tpr": "Hits",
    "fpr": "False alarms", "seed": "Seed", "copy": "Copied reporter", "weighed": "Rule with learned weights",
}  # fmt: skip
"""What the form, and errors, call its fields."""
NAMES = (*DEFAULTS, "copy", "weighed", "sheet", "truth", "gold", *ATTACK_FIELDS)
"""All parameters of an address."""

VALUE_FIELDS: Mapping[str, str] = {
    **{name: name for name in ("missing", "repeats", "order", "positive", "classes", "better", "scale")},
    "decimal": "decimal_mark",
}
"""Fields on the values of reports, and the arguments of the library."""
WEIGHED = {"": "leave out", "yes": "attack as well"}
"""Values of the field ``weighed`` and their labels."""
MAX_REPORTERS, MAX_ITEMS, MAX_DRAWS = 200, 1000, 20


@dataclass(frozen=True, slots=True)
class AttackQuery:
    """An attack, except for the number of bribed reporters.

    Attributes
    ----------
    strategy
        The strategy of the bribed reporters.
    k
        The number of bribed reporters that the protected rules assume.
    draws
        The number of random draws of the bribed reporters.
    copy
        The copied reporter; None for the first one.
    expert
        Prior and rates of an honest reporter, for the worst-case rule.
    weighed
        Whether the rule with learned weights is attacked as well; only for votes and labels.
    """

    strategy: str
    k: int
    draws: int
    copy: str | None
    expert: Expert
    weighed: bool = False


@dataclass(frozen=True, slots=True)
class SimulatedCrowd:
    """A simulated crowd: n reporters with the rates of an expert vote on a number of items."""

    n: int
    items: int
    expert: Expert
    seed: int


@dataclass(frozen=True, slots=True)
class CrowdQuery:
    """The parsed query of an address.

    Attributes
    ----------
    crowd
        The crowd to simulate, or how a file and its truth are read: fields of the page "Your data".
    attack
        The attack on it.
    adversaries
        The number of bribed reporters.
    measure
        The measure that the picture shows; empty for the usual one of the kind of reports.
    """

    crowd: SimulatedCrowd | DataQuery
    attack: AttackQuery
    adversaries: int
    measure: str


def form_values(query: Mapping[str, str]) -> dict[str, str]:
    """Return the values of the form: those in the query string, else the defaults; of an empty one what comes first."""
    query = query or FIRST
    defaults = FILE_DEFAULTS if query.get("sheet") else DEFAULTS
    return {name: query.get(name, defaults.get(name, "")) for name in NAMES}


def parse_query(query: Mapping[str, str]) -> CrowdQuery:
    """Parse the values of the form.

    Raises
    ------
    ParameterError
        If a value is not allowed.

    Examples
    --------
    >>> query = parse_query({"strategy": "random", "adversaries": "2"})
    >>> query.adversaries, query.attack.strategy, query.crowd.n
    (2, 'random', 15)
    """
    text = form_values(query)
    _choose(text, "strategy", STRATEGIES)
    _choose(text, "weighed", WEIGHED)
    prior, tpr, fpr = (_share(text, name) for name in ("prior", "tpr", "fpr"))
    if tpr < fpr:
        raise ParameterError(f"{LABELS['tpr']}: {tpr:g} is below {LABELS['fpr']}, {fpr:g}; swap them")
    expert, k, draws = Expert(prior, tpr, fpr), _whole(text, "k"), _whole(text, "draws", 1, MAX_DRAWS)
    attack = AttackQuery(text["strategy"], k, draws, text["copy"] or None, expert, weighed=text["weighed"] == "yes")
    adversaries = _whole(text, "adversaries")
    if text["sheet"]:
        fields = DataQuery.read({name: text[name] for name in ("sheet", "truth", "gold", *ATTACK_FIELDS)})
        return CrowdQuery(fields, attack, adversaries, text["measure"])
    n, items, seed = _whole(text, "n", 1, MAX_REPORTERS), _whole(text, "items", 1, MAX_ITEMS), _whole(text, "seed")
    return CrowdQuery(SimulatedCrowd(n, items, expert, seed), attack, adversaries, text["measure"])


def _choose(text: Mapping[str, str], name: str, options: Collection[str]) -> None:
    """Raise an error unless a value is one of the options."""
    if text[name] not in options:
        known = ", ".join(option or "nothing" for option in options)
        raise ParameterError(f"{LABELS[name]}: {shorten(text[name])} is unknown; choose one of {known}")


def _whole(text: Mapping[str, str], name: str, least: int = 0, most: int = 10**9) -> int:
    """Parse a whole number."""
    try:
        number = parse_whole(text[name])
    except ValueError:
        number = least - 1
    if not least <= number <= most:
        raise ParameterError(
            f"{LABELS[name]}: {shorten(text[name])} is not a whole number from {least} to {most:,}; give one"
        )
    return number


def _share(text: Mapping[str, str], name: str) -> float:
    """Parse a probability."""
    try:
        number = parse_number(text[name])
    except ValueError:
        number = math.nan
    if not 0 <= number <= 1:
        raise ParameterError(f"{LABELS[name]}: {shorten(text[name])} is not a number from 0 to 1; give one")
    return number
