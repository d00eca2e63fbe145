"""Colours, markers and dashes: one look for each rule and each kind of mark, the same in every picture."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

# From Okabe and Ito, which colour-blind readers can tell apart; what is thin or a rule is darker, for contrast.
BLUE, RED, SKY = "#0072B2", "#D55E00", "#56B4E9"
GREEN, BROWN, PURPLE, INDIGO, TEAL = "#008060", "#A65A00", "#A64D79", "#5B3FA0", "#00798C"
NAVY, WINE, OLIVE, ROSE, MOSS = "#0B3C7D", "#7D0B5C", "#7A6A00", "#B5485D", "#5B7F00"
BLACK, GREY, LIGHT, PALE = "#000000", "#767676", "#CFCFCF", "#ECECEC"
Dash = str | tuple[int, tuple[int, ...]]

# Kinds of marks: keyword arguments of matplotlib.
SEEN: Mapping[str, Any] = {"color": BLACK, "marker": "o"}
"""What the reports say: an estimate, a place, a number alone."""
TIE: Mapping[str, Any] = {"color": BLACK, "marker": "d", "markerfacecolor": "white"}
SAFE: Mapping[str, Any] = {"color": BLUE, "marker": "o"}
"""What k bribed cannot change, and what is proven: a guarantee, a certified share."""
CHANGEABLE: Mapping[str, Any] = {"color": RED, "marker": "X"}
"""What k bribed could change."""
DEVIANT: Mapping[str, Any] = {"color": RED, "marker": "D"}
"""A reporter who deviates more than equal skill explains."""
ONE_LIST: Mapping[str, Any] = {"color": INDIGO, "marker": "s"}
"""What is proven against the same reporters on all items."""
REALISED: Mapping[str, Any] = {"color": GREY, "marker": "o", "markerfacecolor": "none"}
"""What was measured, and is proven of nothing else."""
LIMIT: Mapping[str, Any] = {"color": RED, "linestyle": "--"}
"""A line that bribes do not pass, or behind which nothing is guaranteed."""
REFERENCE: Mapping[str, Any] = {"color": GREY, "linestyle": ":"}
"""A line to compare with: without reports, all items, other reporters on each item."""
REACH: Mapping[str, Any] = {"facecolor": SKY, "edgecolor": BLUE}
"""Bars: what the bribed reach."""
BRIBED: Mapping[str, Any] = {"facecolor": "#F9DCC8", "edgecolor": RED, "hatch": "////"}
"""Bars: reports of the bribed."""
OVERLAP: Mapping[str, Any] = {"facecolor": "none", "edgecolor": RED, "hatch": "/////"}
"""Bars: where the order is not safe."""
ZONE: Mapping[str, Any] = {"color": PALE, "zorder": 0}
"""Areas behind the data: what is dropped, the podium."""


@dataclass(frozen=True, slots=True)
class Look:
    """How lines of a rule are drawn.

    Attributes
    ----------
    colour
        Colour, with a contrast of at least 3 on white.
    marker
        Marker, which has an inside.
    dash
        Dash of the line.
    """

    colour: str
    marker: str
    dash: Dash

    def style(self, variant: int = 0) -> dict[str, Any]:
        """Return keyword arguments for a line; variants fill the marker otherwise, and have other dashes."""
        dashes: tuple[Dash, ...] = (self.dash, *(dash for dash in _DASHES if dash != self.dash))
        return {
            "color": self.colour, "marker": self.marker, "linestyle": dashes[variant % len(dashes)],
            "fillstyle": _FILLS[variant % len(_FILLS)],
        }  # fmt: skip


_LONG = (0, (5, 1))
_DASHES: tuple[Dash, ...] = ("-", "--", "-.", ":")
_FILLS = ("none", "full", "left", "right", "top", "bottom")
_TRIMMED, _MEAN, _MAJORITY = Look(GREEN, "D", "-."), Look(BLACK, "s", "--"), Look(BROWN, "^", ":")
RULES: Mapping[str, Look] = {
    # Rules for votes, and what they are for several classes.
    "optimal": (_OPTIMAL := Look(BLUE, "o", "-")),
    "worst-case rule": _OPTIMAL,
    "minimax": _OPTIMAL,
    "trimmed mean": _TRIMMED,
    "k-ignorance shares": _TRIMMED,
    "mean": _MEAN,
    "shares": _MEAN,
    "majority": _MAJORITY,
    "plurality": _MAJORITY,
    "median": Look(PURPLE, "P", "--"),
    "random dictator": Look(PURPLE, "h", _LONG),
    "trimmed random dictator": Look(PURPLE, "<", "-"),
    "pairwise": (_PAIRWISE := Look(INDIGO, "v", _LONG)),
    "pairwise minimax": _PAIRWISE,
    "calibrated rule": Look(WINE, "*", "-"),
    # Rules that weigh reporters.
    "weighed": Look(TEAL, "d", "-."),
    "weighed with gold": Look(NAVY, ">", "--"),
    "weighed under pairs": Look(WINE, "D", "-"),
    "DawidSkene": Look(RED, "^", "-"),
    "GLAD": Look(ROSE, "v", ":"),
    "MACE": Look(PURPLE, "8", "-."),
    "ZeroBasedSkill": Look(MOSS, "P", "--"),
    "MMSR": Look(GREY, "<", "-"),
    "KOS": Look(GREY, "h", "--"),
    # Rules for rankings.
    "borda": Look(RED, "8", "-"),
    "copeland": Look(TEAL, "X", ":"),
    "points": Look(NAVY, "d", "--"),
}
"""The look of each rule that the library names; rules that are one rule under two names share it."""
_OTHERS = tuple(
    Look(colour, marker, _DASHES[index % len(_DASHES)])
    for index, (colour, marker) in enumerate(zip((BLUE, RED, GREEN, PURPLE, TEAL, OLIVE, GREY), "so^DvpP", strict=True))
)
"""Looks of lines that are no rules, and of rules of the caller's: none is that of a rule of the library."""
_ASSUMED = re.compile(r", (k = \d+|k/2|2k)$| \([^()]*(\([^()]*\))?\)$")


def rule_name(name: str) -> str:
    """Return the name of a rule without its k and loss, and with spaces.

    Parameters
    ----------
    name : str
        A name in a table or of an aggregator.

    Returns
    -------
    str
        The name in `RULES`, if the library has such a rule.

    Examples
    --------
    >>> rule_name("optimal (squared)"), rule_name("trimmed_mean"), rule_name("weighed, k = 2")
    ('optimal', 'trimmed mean', 'weighed')
    """
    return _ASSUMED.sub("", name).replace("_", " ")


def line_styles(names: Iterable[str]) -> list[dict[str, Any]]:
    """Return keyword arguments for the lines of a picture, which set them apart, also in greyscale print.

    Parameters
    ----------
    names : iterable of str
        The names of the lines. A rule of `RULES` has its look; the same rule with another k has other fills and
        dashes. All other names get looks whose markers no rule of the picture has, in their order.

    Returns
    -------
    list of dict
        For each name, the colour, the marker, how it is filled, and the dash.

    Examples
    --------
    >>> styles = line_styles(["mean", "trimmed mean, k = 1", "trimmed mean, k = 2", "mine"])
    >>> [(style["color"], style["marker"], style["fillstyle"]) for style in styles]
    [('#000000', 's', 'none'), ('#008060', 'D', 'none'), ('#008060', 'D', 'full'), ('#D55E00', 'o', 'none')]
    """
    names = list(names)
    known = [RULES.get(rule_name(name)) for name in names]
    taken = {look.marker for look in known if look is not None}
    free = [look for look in _OTHERS if look.marker not in taken] or list(_OTHERS)
    styles, others = [], 0
    drawn: dict[Look, int] = {}
    for look in known:
        if look is None:
            look = free[others % len(free)]
            others += 1
        variant = drawn.get(look, 0)
        styles.append(look.style(variant))
        drawn[look] = variant + 1
    return styles
