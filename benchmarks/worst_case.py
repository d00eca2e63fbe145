"""Measure the time and memory of an exact worst case against the size of the panel, and against brute force.

Run: ``python benchmarks/worst_case.py``; ``--runs 3`` for a quicker look, ``--plot FILE`` for a picture of the growth
with n (needs matplotlib). The brute force is the tests' oracle, which values every pair of two-point distributions.
"""

import argparse
import statistics
import sys
import time
import tracemalloc
from collections.abc import Callable
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from bribeproof.plots import write_figure
from bribeproof.plots.palette import PALE, line_styles
from bribeproof.rules import majority
from bribeproof.theory import Aggregator, Expert, Panel, optimal_aggregator, worst_case

if TYPE_CHECKING:
    from matplotlib.figure import Figure

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from tests.theory.worst_case_oracle import worst_case as brute_force

SIZES = (13, 100, 300, 1000)
GROWTH = (10, 30, 100, 200, 400, 800, 1500, 3000)
# The slope is that of the sizes from here on, where the cost of a call no longer hides it.
STEADY = 400
# Seconds and megabytes of a random rule at n = 1000, k = 100.
GOAL = (2.0, 1000.0)
# Brute force grows with the fifth power of n.
FORCED = (13, 40)
LOSSES = ("absolute", "squared", "log")
REGULAR, EDGE = Expert(prior=0.4, tpr=0.8, fpr=0.1), Expert(prior=0.3, tpr=0.9997, fpr=0.3)


def rules(panel: Panel, loss: str) -> dict[str, tuple[Aggregator, Expert]]:
    """Return rules with the experts that they are tested with; the last one is the hardest for the search."""
    unanimity = Aggregator(np.append(np.zeros(panel.n), 1.0), "unanimity")
    return {
        "random": (Aggregator(np.random.default_rng(0).random(panel.n + 1)), REGULAR),
        "majority": (majority(panel), REGULAR),
        "optimal": (optimal_aggregator(panel, REGULAR, loss), REGULAR),
        "unanimity, N·a > N − 1": (unanimity, EDGE),
    }


def milliseconds(call: Callable[[], object], runs: int) -> float:
    """Return the median wall time of a call in milliseconds."""
    times = []
    for _ in range(runs):
        start = time.perf_counter()
        call()
        times.append(time.perf_counter() - start)
    return 1000 * statistics.median(times)


def megabytes(call: Callable[[], object]) -> float:
    """Return the peak memory of a call in megabytes."""
    tracemalloc.start()
    call()
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return peak / 1e6


def search(n: int, name: str, loss: str) -> Callable[[], object]:
    """Return a call that computes the worst case of a rule when a tenth of the reporters are adversaries."""
    panel = Panel(n, n // 10)
    rule, expert = rules(panel, loss)[name]
    return lambda: worst_case(rule, panel, expert, loss)


def every_loss(runs: int) -> None:
    """Print time and memory for every rule and every loss."""
    print(f"worst_case, k = n // 10, median of {runs} runs in ms (peak memory in MB)")
    print(f"{'':34}" + "".join(f"{f'n = {n}':>18}" for n in SIZES))
    for loss in LOSSES:
        for name in rules(Panel(2), loss):
            calls = [search(n, name, loss) for n in SIZES]
            cells = (f"{milliseconds(call, runs):10.2f} ({megabytes(call):5.1f})" for call in calls)
            print(f"{loss:10}{name:24}" + "".join(cells))
    call = search(1000, "random", "squared")
    took, held = milliseconds(call, runs) / 1000, megabytes(call)
    met = "met" if took <= GOAL[0] and held <= GOAL[1] else "missed"
    print(f"\nrandom rule, n = 1000, k = 100: {took:.3f} s of {GOAL[0]:.0f}, {held:.1f} MB of {GOAL[1]:.0f}: {met}")


def growth(runs: int) -> dict[str, list[float]]:
    """Measure and print the time of each rule at every size in `GROWTH` under the squared loss."""
    print(f"\nsquared loss, k = n // 10, median of {runs} runs in ms; slope of log time in log n from n = {STEADY}")
    print(f"{'':24}" + "".join(f"{f'n = {n}':>11}" for n in GROWTH) + f"{'slope':>9}")
    times = {}
    for name in rules(Panel(2), "squared"):
        times[name] = [milliseconds(search(n, name, "squared"), runs) for n in GROWTH]
        print(f"{name:24}" + "".join(f"{took:11.2f}" for took in times[name]) + f"{slope(times[name]):9.2f}")
    return times


def slope(times: list[float]) -> float:
    """Return the power of n with which the time grows at the larger sizes."""
    sizes, took = np.log(GROWTH), np.log(times)
    large = np.array(GROWTH) >= STEADY
    return float(np.polyfit(sizes[large], took[large], 1)[0])


def plot(times_by_rule: dict[str, list[float]], file: Path) -> None:
    """Plot the growth with n on logarithmic axes, with the slope of each rule in the legend."""
    write_figure(partial(_draw, times_by_rule), file, (7.0, 5.2))


def _draw(times_by_rule: dict[str, list[float]], figure: "Figure") -> None:
    """Draw a line for each rule."""
    axes = figure.subplots()
    for (name, times), style in zip(times_by_rule.items(), line_styles(times_by_rule), strict=True):
        axes.loglog(GROWTH, times, label=f"{name}: slope {slope(times):.2f} from n = {STEADY}", **style)
    axes.set_xticks(GROWTH, [f"{n:,}" for n in GROWTH])
    axes.set_yticks(ticks := (1, 2, 5, 10, 20, 50, 100), [str(tick) for tick in ticks])
    axes.minorticks_off()
    axes.set(xlabel="Reporters n, n // 10 of them adversaries", ylabel="Time of one worst case, squared loss (ms)")
    axes.grid(color=PALE, linewidth=0.5)
    axes.set_axisbelow(True)
    figure.legend(loc="outside lower center", ncols=2)


def against_brute_force(runs: int) -> None:
    """Time the tests' oracle on small panels, and compare the regrets."""
    for n in FORCED:
        panel = Panel(n, n // 10)
        print(f"\nbrute force / worst_case at n = {n}, medians of {runs} runs, and the difference of the regrets")
        for loss in LOSSES:
            for name, (rule, expert) in rules(panel, loss).items():
                arguments = (rule.values, panel.k, expert.prior, expert.tpr, expert.fpr, loss)
                slow = milliseconds(lambda: brute_force(*arguments), runs)  # noqa: B023
                quick = milliseconds(lambda: worst_case(rule, panel, expert, loss), runs)  # noqa: B023
                by_search, by_force = worst_case(rule, panel, expert, loss).regret, brute_force(*arguments).regret
                difference = 0.0 if by_search == by_force else abs(by_search - by_force)
                print(f"{loss:10}{name:24}{slow / quick:8.1f} x   {difference:.0e}")


def main() -> None:
    """Print the three tables, and plot the growth if a file is given."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=9, help="runs of each case; the median counts")
    parser.add_argument("--plot", type=Path, metavar="FILE", help="picture to write, such as growth.png")
    arguments = parser.parse_args()
    if arguments.plot and find_spec("matplotlib") is None:
        parser.error("--plot needs matplotlib (pip install matplotlib)")
    every_loss(arguments.runs)
    times = growth(arguments.runs)
    if arguments.plot:
        plot(times, arguments.plot)
    against_brute_force(arguments.runs)


if __name__ == "__main__":
    main()
