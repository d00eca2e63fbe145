"""How quick the page is in Chromium: its first number, what jumps while it loads, and the answers of its sliders.

``python benchmarks/explorer.py`` starts ``bribeproof explore`` and a browser, and prints the tables of
docs/evidence/explorer.md;
with ``--write`` it puts them into the page. A cold page is the first one that a new server is asked for, a warm one is
opened again in a new window. An answer of a slider is timed in the browser, from the move to the frame that shows it.
Pictures follow when the slider rests, which these moves do not let it. The goals: the first number within 0.3 s, an
answer within 0.2 s at the 95th percentile, and a layout shift below 0.1.
"""

import argparse
import os
import statistics
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

import numpy as np
import polars as pl
from playwright.sync_api import Browser, Page, sync_playwright

from page_tables import replace_table

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from tests.explorer.browser import CHROMIUM, FLAGS, served
from tests.explorer.loading import Loading, load

DOCUMENT = Path(__file__).resolve().parents[1] / "docs" / "evidence" / "explorer.md"
ROWS = 100_000
MOVE = """
([name, value]) => new Promise((resolve) => {
  const [field, begun] = [document.querySelector(`form[data-live] [name="${name}"]`), performance.now()];
  const told = () => requestAnimationFrame(() => resolve(performance.now() - begun));
  document.addEventListener("result-replaced", told, { once: true });
  field.value = value;
  field.dispatchEvent(new Event("input", { bubbles: true }));
})
"""
"""Move a slider, and wait until the frame with the answer is there."""


class Answers(NamedTuple):
    """How a slider is answered: milliseconds of each answer, ascending, and the server's processor time of one."""

    times: list[float]
    processor: float

    @property
    def cells(self) -> str:
        """The median, the 95th percentile, the worst answer, and the processor time."""
        nearly = self.times[min(len(self.times) - 1, int(np.ceil(0.95 * len(self.times))))]
        return " | ".join(
            f"{number:.0f} ms" for number in (statistics.median(self.times), nearly, self.times[-1], self.processor)
        )


class Room(NamedTuple):
    """A page: its address, and where its first number is."""

    name: str
    address: str
    number: str


class Slider(NamedTuple):
    """A slider, and the numbers to which it is moved."""

    name: str
    address: str
    field: str
    values: Sequence[float]


ROOMS = (
    Room("Design a panel", "/panel", "#summary:not(:empty)"),
    Room("Your data: where it opens", "/", ".measured td"),
    Room("Your data: seven judges", "/data?sheet=judges&k=1", "#result td"),
    Room("Your data: twelve labellers", "/data?sheet=moderation&k=1", "#result td"),
    Room("Attack it", "/attack", "#summary:not(:empty)"),
)


def sliders(states: int) -> list[Slider]:
    """Return the sliders of the pages without a file, each with so many random places."""
    rng = np.random.default_rng(0)

    def places(least: int, most: int) -> list[float]:
        return [int(one) for one in rng.integers(least, most + 1, states)]

    def shares(least: float, most: float) -> list[float]:
        return [round(float(one), 2) for one in rng.uniform(least, most, states)]

    correlations = [float(one) for one in rng.choice([0.01, 0.05, 0.1, 0.3], states)]
    return [
        Slider("panel: judges, k = 2", "/panel?k=2", "n", places(5, 100)),
        Slider("panel of 60: bribed", "/panel?n=60", "k", places(0, 29)),
        Slider("panel: hits", "/panel", "tpr", shares(0.55, 0.99)),
        Slider("panel of 25: correlation", "/panel?n=25", "correlation", correlations),
        Slider("attack on seven judges: bribed", "/attack", "adversaries", places(0, 3)),
        Slider("attack on seven judges: assumed k", "/attack", "k", places(0, 3)),
        Slider("attack on 15 simulated: bribed", "/attack?n=15", "adversaries", places(0, 7)),
        Slider("attack on 15 simulated: assumed k", "/attack?n=15", "k", places(0, 7)),
        Slider("seven judges: k", "/data?sheet=judges&k=1", "k", places(0, 3)),
        Slider("twelve labellers: k", "/data?sheet=moderation&k=1", "k", places(0, 4)),
    ]  # fmt: skip


def large_file(folder: Path) -> Path:
    """Write a file of 100,000 votes, ten on each item."""
    rng = np.random.default_rng(0)
    places = np.arange(ROWS)
    votes = {"task": places // 10, "worker": places % 10, "label": rng.integers(0, 2, ROWS)}
    path = folder / "votes.parquet"
    pl.DataFrame(votes).write_parquet(path)
    return path


@contextmanager
def window(browser: Browser) -> Iterator[Page]:
    """Open a page in a new window, which has nothing kept of others."""
    context = browser.new_context(viewport={"width": 1280, "height": 900})
    context.set_default_timeout(120_000)
    yield context.new_page()
    context.close()


def loadings(browser: Browser, times: int) -> Iterator[tuple[str, list[Loading], list[Loading]]]:
    """Yield each page, how it loads from new servers, and how from one that has shown it."""
    for room in ROOMS:
        cold: list[Loading] = []
        warm: list[Loading] = []
        for _ in range(times):
            with served() as site:
                for found in (cold, warm):
                    with window(browser) as page:
                        found.append(load(page, site + room.address, room.number))
        yield room.name, cold, warm


def answers(page: Page, site: str, slider: Slider) -> Answers:
    """Move a slider, and time each answer; the first move is not counted."""
    page.goto(site + slider.address)
    page.wait_for_load_state("networkidle")
    first, *values = slider.values
    page.evaluate(MOVE, [slider.field, first])
    page.wait_for_load_state("networkidle")
    before = processor_seconds(os.getpid())
    times = [page.evaluate(MOVE, [slider.field, value]) for value in values]
    page.wait_for_load_state("networkidle")
    return Answers(sorted(times), 1e3 * (processor_seconds(os.getpid()) - before) / len(values))


def processor_seconds(parent: int) -> float:
    """Return the processor time of the server and its workers, which a process has started beside the browser."""
    total = 0.0
    for task in Path(f"/proc/{parent}/task").iterdir():
        for child in (task / "children").read_text().split():
            command = Path(f"/proc/{child}/cmdline").read_bytes()
            if b"chrom" not in command:
                fields = Path(f"/proc/{child}/stat").read_text().rpartition(")")[2].split()
                own = sum(map(int, fields[11:13])) / os.sysconf("SC_CLK_TCK") if b"node" not in command else 0.0
                total += own + processor_seconds(int(child))
    return total


def page_rows(browser: Browser, times: int) -> Iterator[str]:
    yield "| page | first number, cold (worst) | warm (worst) | layout shift (worst) |\n|---|---|---|---|"
    for name, cold, warm in loadings(browser, times):
        seconds = [[one.seconds for one in found] for found in (cold, warm)]
        told = " | ".join(f"{statistics.median(found):.2f} s ({max(found):.2f})" for found in seconds)
        yield f"| {name} | {told} | {max(one.shift for one in (*cold, *warm)):.3f} |"


def slider_rows(browser: Browser, states: int) -> Iterator[str]:
    yield "| slider | median | 95 % | worst | processor |\n|---|---|---|---|---|"
    with tempfile.TemporaryDirectory() as folder:
        large = Slider(f"{ROWS:,} votes: k", "/data?sheet=file&k=1", "k", [1, 2, 3, 4] * (states // 4 + 1))
        for slider, file in [*((one, ()) for one in sliders(states)), (large, (large_file(Path(folder)),))]:
            with served(*file) as site, window(browser) as page:
                yield f"| {slider.name} | {answers(page, site, slider).cells} |"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--times", type=int, default=5, help="new servers for each page")
    parser.add_argument("--states", type=int, default=40, help="moves of each slider")
    parser.add_argument("--write", action="store_true", help="put the tables into docs/evidence/explorer.md")
    given = parser.parse_args()
    tables: dict[str, list[str]] = {}
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        for name, rows in (("pages", page_rows(browser, given.times)), ("sliders", slider_rows(browser, given.states))):
            tables[name] = []
            for row in rows:
                print(row, flush=True)
                tables[name].append(row)
        browser.close()
    if given.write:
        text = DOCUMENT.read_text(encoding="utf-8")
        for name, lines in tables.items():
            text = replace_table(text, name, lines)
        DOCUMENT.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
