"""One look for each rule and each kind of mark in every picture, and legends that hide nothing."""

from collections.abc import Iterator
from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np
import pytest
from matplotlib.colors import to_rgb
from matplotlib.container import ErrorbarContainer
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from bribeproof import plots
from bribeproof.paper.figures import curves as paper
from bribeproof.paper.figures import drawing
from bribeproof.plots import palette
from bribeproof.rankings.compare_rules import compare_rules
from bribeproof.rankings.rules import RULES as RANKING_RULES
from bribeproof.rules import majority, mean, median, trimmed_mean
from bribeproof.theory import Panel
from tests.plots.sample_plots import EVERY, PANEL, blank, curves, places, rules

if TYPE_CHECKING:
    from matplotlib.axes import Axes

MARKS = {
    "SEEN": palette.SEEN, "TIE": palette.TIE, "SAFE": palette.SAFE, "CHANGEABLE": palette.CHANGEABLE,
    "DEVIANT": palette.DEVIANT, "ONE_LIST": palette.ONE_LIST, "REALISED": palette.REALISED,
}  # fmt: skip


def contrast(colour: str) -> float:
    """Return the contrast of a colour on white, as WCAG 2.2 defines it."""
    parts = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in to_rgb(colour)]
    return 1.05 / (float(np.dot(parts, (0.2126, 0.7152, 0.0722))) + 0.05)


def rule_lines(axes: "Axes") -> Iterator[tuple[str, Line2D]]:
    """Yield what the legend calls a line, without numbers, and the line in the legend."""
    legend = axes.get_legend()
    assert legend is not None
    for text, handle in zip(legend.get_texts(), legend.legend_handles, strict=True):
        line = handle.lines[0] if isinstance(handle, ErrorbarContainer) else handle
        if isinstance(line, Line2D):
            yield text.get_text(), line


def test_every_look_is_seen_on_white() -> None:
    for look in palette.RULES.values():
        assert contrast(look.colour) >= 3, look
    for name, style in MARKS.items():
        assert contrast(str(style["color"])) >= 3, name
    assert contrast(palette.GREY) >= 4.5


def test_no_two_rules_and_no_two_marks_look_alike() -> None:
    looks = set(palette.RULES.values())
    assert len({(look.colour, look.marker) for look in looks}) == len(looks)
    marks = [(style["color"], style["marker"], style.get("markerfacecolor")) for style in MARKS.values()]
    assert len(set(marks)) == len(marks)
    # The guarantee is that of the optimal rule, and what it proves is safe.
    of_rules = {(look.colour, look.marker) for look in looks - {palette.RULES["optimal"]}}
    assert not of_rules & {(colour, marker) for colour, marker, _ in marks}


def test_other_lines_have_no_look_of_a_rule() -> None:
    others = {(style["color"], style["marker"]) for style in palette.line_styles(map(str, range(20)))}
    assert not others & {(look.colour, look.marker) for look in palette.RULES.values()}


def test_a_rule_has_its_look_whatever_else_is_drawn_and_whatever_k_it_assumes() -> None:
    known = list(palette.RULES)
    for one, other in combinations(known, 2):
        styles = palette.line_styles(["mine", other, f"{one}, k = 3", f"{one} (squared)"])
        look = palette.RULES[one]
        assert [(style["color"], style["marker"]) for style in styles[2:]] == [(look.colour, look.marker)] * 2
        assert len({(style["marker"], style["fillstyle"]) for style in styles}) == 4 or look.marker == (
            palette.RULES[other].marker
        )


def test_the_rules_of_the_library_have_looks() -> None:
    for rule in (mean, majority, median, trimmed_mean):
        assert palette.rule_name(rule(Panel(5, 1)).name) in palette.RULES
    for name in (*RANKING_RULES, *(str(rule) for rule in curves().curves["rule"])):
        assert palette.rule_name(name) in palette.RULES


def test_one_rule_looks_the_same_in_every_picture() -> None:
    shares = blank()
    drawing.draw_shares(shares, paper.share_curves())
    pictures = [
        plots.rule(rules(PANEL), ax=blank()), plots.rule({"mean": mean(Panel(4))}, ax=blank()),
        plots.attack(curves(), ax=blank()), plots.attack(curves("scores"), ax=blank()),
        plots.bribes_needed(compare_rules(places(3)), ax=blank()), shares,
    ]  # fmt: skip
    looks: dict[str, set[tuple[object, object]]] = {}
    for axes in pictures:
        for text, line in rule_lines(axes):
            name = palette.rule_name(text.partition(":")[0])
            if name in palette.RULES:
                looks.setdefault(name, set()).add((line.get_color(), line.get_marker()))
    assert len(looks["mean"]) == len(looks["trimmed mean"]) == 1
    assert {name: {(look.colour, look.marker)} for name, look in palette.RULES.items() if name in looks} == looks
    assert {"mean", "majority", "median", "trimmed mean", "borda", "copeland"} <= set(looks)


@pytest.mark.parametrize("name", EVERY)
def test_a_legend_is_beside_the_data(name: str) -> None:
    axes = EVERY[name](None)
    figure = axes.get_figure(root=True)
    assert isinstance(figure, Figure)
    figure.draw_without_rendering()
    legend = axes.get_legend()
    assert legend is None or not legend.get_window_extent().padded(-1).overlaps(axes.get_window_extent())
