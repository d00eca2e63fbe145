"""Every picture with ordinary and with extreme content, and how to read it back."""

from collections.abc import Callable, Iterator
from functools import cache
from itertools import combinations
from typing import TYPE_CHECKING, Any
from xml.etree import ElementTree

import numpy as np
import polars as pl
from matplotlib.figure import Figure

from bribeproof import plots
from bribeproof.aggregation.api import aggregate_scores, aggregate_votes
from bribeproof.aggregation.sweep import sweep
from bribeproof.arrays.ranking import safe_ranking
from bribeproof.attacks.result import AttackCurves
from bribeproof.attacks.study import attack
from bribeproof.auditing.audit import audit
from bribeproof.auditing.result import Audit
from bribeproof.bribery.result import WorstBribe
from bribeproof.bribery.worst_bribe import worst_bribe
from bribeproof.certification.certify import certify
from bribeproof.contests.worst_bribe import worst_contest_bribe
from bribeproof.rankings.compare_rules import compare_rules
from bribeproof.rules import constant, majority, mean, trimmed_mean
from bribeproof.theory import Aggregator, Expert, Panel, closed_form, optimal_aggregator, worst_case

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.text import Text

Draw = Callable[["Axes | None"], "Axes"]
SVG = "{http://www.w3.org/2000/svg}"
EXPERT = Expert(0.4, 0.8, 0.25)
PANEL = Panel(20, 3)
JUDGES = [f"j{judge}" for judge in range(7)]
HOSTILE = (
    "$x_1^2$", "$", r"\frac{1}{2}", "_hidden", "a_b^c", "<script>alert(1)</script>", "&amp; & ]]> <!--", "\u202eright",
    "\x00\x07\x1b[31m", "x" * 10_000, "", " \t\n ", "\ud800 alone", "二" * 40, "العربية", "👩‍👩‍👧", "\ufffe",
    "\U0010fffd",
)  # fmt: skip


@cache
def score_sheet(items: int = 30) -> pl.DataFrame:
    """Return scores of seven judges."""
    scores = np.random.default_rng(1).integers(0, 21, (items, len(JUDGES))) / 2
    return pl.DataFrame({"dive": [f"Dive {item}" for item in range(items)]}).hstack(pl.DataFrame(scores, JUDGES))


@cache
def vote_sheet() -> pl.DataFrame:
    """Return votes of seven workers, of whom one lies."""
    rng = np.random.default_rng(2)
    rows = [
        (f"task {task}", f"worker {worker}", task % 2 ^ int(rng.random() < (0.7 if worker == 0 else 0.1)))
        for task in range(40)
        for worker in range(7)
    ]
    return pl.DataFrame(rows, schema=["task", "worker", "label"], orient="row")


@cache
def long_scores() -> pl.DataFrame:
    """Return scores in long form; one judge gives too much."""
    rng = np.random.default_rng(3)
    rows = [
        (item, judge, float(item % 7 + rng.normal() + 3 * (judge == "j3"))) for item in range(40) for judge in JUDGES
    ]
    return pl.DataFrame(rows, schema=["task", "worker", "score"], orient="row")


@cache
def curves(measured: str = "votes") -> AttackCurves:
    """Return the curves of an attack on votes or scores."""
    if measured == "scores":
        return attack(long_scores(), None, kind="scores", strategy="high", counts=range(4), draws=2)
    return attack(vote_sheet(), {f"task {task}": task % 2 for task in range(40)}, counts=range(4), draws=3)


@cache
def audited(kind: str) -> Audit:
    """Return an audit of scores or labels."""
    return audit(long_scores() if kind == "scores" else vote_sheet(), kind=kind)


@cache
def bribed(k: int, *, workers: tuple[str, ...] = ()) -> WorstBribe:
    """Return the worst bribe of votes."""
    names = [f"worker {worker}" for worker in range(7)]
    return worst_bribe(vote_sheet().with_columns(pl.col("worker").replace(dict(zip(names, workers, strict=False)))), k)


def rules(panel: Panel) -> dict[str, Aggregator]:
    """Return four rules of a panel."""
    return {
        "optimal": optimal_aggregator(panel, EXPERT),
        "trimmed mean": trimmed_mean(panel),
        "majority": majority(panel),
        "mean": mean(panel),
    }


def _guarantee(n: int, points: range, **options: Any) -> Draw:
    """Draw guarantees against k."""
    found = [closed_form(Panel(n, k), EXPERT).guarantee if 2 * k < n else None for k in points]
    return lambda ax: plots.guarantee(points, found, against="k", ax=ax, **options)


def _worst_case(rule: Callable[[Panel], Aggregator], n: int, k: int, expert: Expert = EXPERT) -> Draw:
    """Draw the worst case of a rule."""
    panel = Panel(n, k)
    return lambda ax: plots.worst_case(worst_case(rule(panel), panel, expert, "squared"), ax=ax)


def _scores(items: int, k: int, **options: Any) -> Draw:
    """Draw fragile items."""
    return lambda ax: plots.items(
        aggregate_scores(score_sheet(items), k=k, item="dive", judges=JUDGES), item="dive", ax=ax, **options
    )


def places(contests: int) -> pl.DataFrame:
    """Return random rankings of five entries by seven judges in some contests."""
    rng = np.random.default_rng(4)
    rows = [
        (f"contest {contest}", f"judge {judge}", f"entry {entry}", place + 1)
        for contest in range(contests)
        for judge in range(7)
        for place, entry in enumerate((rng.gumbel(size=5) + np.arange(5) / 2).argsort().tolist())
    ]
    return pl.DataFrame(rows, schema=["contest", "judge", "entry", "place"], orient="row")


ORDINARY: dict[str, Draw] = {
    "rule": lambda ax: plots.rule(rules(PANEL), panel=PANEL, ax=ax),
    "guarantee": _guarantee(20, range(10), breakdown=6.7, blind=0.24, marked=3),
    "worst-case": _worst_case(trimmed_mean, 20, 3),
    "items-scores": _scores(30, 2),
    "items-votes": lambda ax: plots.items(aggregate_votes(vote_sheet(), k=1), item="task", ax=ax),
    "ranking": lambda ax: plots.ranking(
        safe_ranking(score_sheet().select(JUDGES).to_numpy(), 1), score_sheet()["dive"].to_list(), ax=ax
    ),
    "reporters-scores": lambda ax: plots.reporters(audited("scores"), ax=ax),
    "reporters-labels": lambda ax: plots.reporters(audited("labels"), ax=ax),
    "bribe": lambda ax: plots.bribe(bribed(3), ax=ax),
    "bribes-needed": lambda ax: plots.bribes_needed(compare_rules(places(12)), ax=ax),
    "contest": lambda ax: plots.contest(worst_contest_bribe(score_sheet(12), k=2, item="dive"), ax=ax),
    "attack": lambda ax: plots.attack(curves(), ax=ax),
    "certified-accuracy": lambda ax: plots.certified_accuracy(
        certify(vote_sheet(), {f"task {task}": task % 2 for task in range(40)}), ax=ax
    ),
    "sweep": lambda ax: plots.sweep(sweep(vote_sheet()), ax=ax),
    "cost": lambda ax: plots.cost([1e3, 1e5, 1e7], {"votes": [0.01, 0.1, 11], "scores": [0.02, 0.3, 31]}, ax=ax),
}
EXTREME: dict[str, Draw] = {
    "rule-one": lambda ax: plots.rule({"mean": mean(Panel(1))}, panel=Panel(1), ax=ax),
    "rule-large": lambda ax: plots.rule(rules(Panel(200, 60)), panel=Panel(200, 60), ax=ax),
    "rule-million": lambda ax: plots.rule(
        {"optimal": optimal_aggregator(Panel(10**6, 10**5), EXPERT)}, panel=Panel(10**6, 10**5), ax=ax
    ),
    "rule-names": lambda ax: plots.rule({name: constant(PANEL, 0.5) for name in HOSTILE[:9]}, ax=ax),
    "guarantee-one": _guarantee(1, range(1), marked=0),
    "guarantee-many": _guarantee(200, range(120), blind=0.24, marked=110),
    "guarantee-none": _guarantee(1, range(3, 5), marked=3, blind=0.24),
    "worst-case-one": _worst_case(mean, 1, 0),
    "worst-case-large": _worst_case(trimmed_mean, 200, 2, Expert(0.01, 0.9, 0.0001)),
    "worst-case-half": _worst_case(majority, 21, 10),
    "items-one": _scores(1, 0),
    "items-none": _scores(3, 5),
    "items-many": _scores(230, 1, most=200),
    "ranking-names": lambda ax: plots.ranking(
        safe_ranking(np.arange(54.0).reshape(18, 3), 1), HOSTILE, places=18, ax=ax
    ),
    "ranking-one": lambda ax: plots.ranking(safe_ranking([[5, 5, 5]], 1), ["only"], ax=ax),
    "ranking-ties": lambda ax: plots.ranking(safe_ranking([[5, 5, 5]] * 6, 1), list("abcdef"), places=1, ax=ax),
    "ranking-none": lambda ax: plots.ranking(safe_ranking([[5, 5]] * 3, 1), list("abc"), ax=ax),
    "reporters-nothing": lambda ax: plots.reporters(audit(long_scores().head(3), k=2, kind="scores"), ax=ax),
    "bribe-nobody": lambda ax: plots.bribe(bribed(0), ax=ax),
    "bribe-names": lambda ax: plots.bribe(bribed(3, workers=HOSTILE[:7]), ax=ax),
    "bribes-needed-podium": lambda ax: plots.bribes_needed(compare_rules(places(1)), change="podium", ax=ax),
    "contest-names": lambda ax: plots.contest(
        worst_contest_bribe(pl.DataFrame({"entry": HOSTILE[:7]} | {f"J{j}": range(j, j + 7) for j in range(3)}), k=1),
        ax=ax,
    ),
    "contest-bounds": lambda ax: plots.contest(
        worst_contest_bribe(pl.DataFrame({"entry": list("abcd")} | {f"J{j}": range(40, 44) for j in range(40)}), k=8),
        ax=ax,
    ),
    "attack-none": lambda ax: plots.attack(
        attack(vote_sheet(), {"task 0": 0}, counts=[0], draws=1), measure="changed", ax=ax
    ),
    "sweep-one": lambda ax: plots.sweep(sweep(vote_sheet().head(1)), ax=ax),
    "cost-one": lambda ax: plots.cost([1000], {"votes": [0.01]}, ax=ax),
    "cost-near": lambda ax: plots.cost([1000, 2000], {"votes": [0.011, 0.017]}, ax=ax),
    "cost-far": lambda ax: plots.cost([1, 1e12], {"votes": [1e-12, 1e12]}, ax=ax),
}
EVERY = ORDINARY | EXTREME


def blank() -> "Axes":
    """Return axes to draw on."""
    return Figure().add_subplot()


def legend_of(axes: "Axes") -> list[str]:
    """Return the texts of a legend."""
    legend = axes.get_legend()
    return [] if legend is None else [text.get_text() for text in legend.get_texts()]


def names_of(axes: "Axes") -> list[str]:
    """Return the names of rows."""
    return [label.get_text() for label in axes.get_yticklabels()]


def bands_of(drawn: Any) -> list[tuple[float, float, float]]:
    """Return of each bar its row and its two ends."""
    corners = [np.asarray(path.vertices) for path in drawn.get_paths()]
    return [((y.min() + y.max()) / 2, x[0], x[1]) for x, y in (bar.T for bar in corners)]


def texts_of(drawn: str) -> list[str]:
    """Return the texts of an SVG element."""
    return ["".join(element.itertext()) for element in ElementTree.fromstring(drawn).iter(f"{SVG}text")]  # noqa: S314


def overlaps(axes: "Axes") -> Iterator[str]:
    """Yield what is cut off, and which texts stand on one another."""
    figure = axes.get_figure(root=True)
    assert figure is not None
    figure.draw_without_rendering()
    boxes = [(text.get_text(), text.get_window_extent()) for text in _written(axes) if text.get_text().strip()]
    width, height = figure.bbox.max
    for said, box in boxes:
        if min(box.min) < -0.5 or box.x1 > width + 0.5 or box.y1 > height + 0.5:
            yield f"{said!r} is cut off"
    for (one, first), (other, second) in combinations(boxes, 2):
        # The boxes of letters are higher than what is seen of them.
        if first.padded(-1).overlaps(second.padded(-1)):
            yield f"{one!r} stands on {other!r}"


def _written(axes: "Axes") -> Iterator["Text"]:
    """Yield the texts that are seen."""
    legend = axes.get_legend()
    yield from axes.texts
    yield from legend.get_texts() if legend else ()
    yield from (axes.title, axes._left_title, axes._right_title)  # type: ignore[attr-defined]
    for axis in (axes.xaxis, axes.yaxis):
        yield axis.label
        low, high = sorted(axis.get_view_interval())
        yield from (tick.label1 for tick in axis.get_major_ticks() if low <= tick.get_loc() <= high)
