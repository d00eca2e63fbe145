"""Run the ensemble experiment on sets of images, and write docs/evidence/ensemble.md, its tables and its figures.

Run: ``python benchmarks/ensemble_page.py digits cifar10=FOLDER fashion-mnist=FOLDER --cache FOLDER [--shared]``.
It trains what the cache does not hold, draws the figures as docs/evidence/ensemble/<data>-<figure>.svg, writes all
numbers as docs/evidence/ensemble/<data>.csv, and puts a section for each set of images between its markers in
docs/evidence/ensemble.md.
"""

import argparse
import os
import platform
from functools import partial
from io import BufferedWriter
from pathlib import Path

import numpy as np

from bribeproof.io.atomic import write_whole
from bribeproof.io.write import write_table
from bribeproof.paper.ensemble.experiment.pipeline import TARGETS, TRAININGS, ExperimentResult, run_pipeline
from bribeproof.paper.ensemble.images.load import load_images
from bribeproof.paper.ensemble.report.figures import FIGURES, draw_figure
from bribeproof.paper.ensemble.report.page import render_section, replace_section


def machine(*, shared: bool) -> str:
    """Return a description of this machine."""
    return (
        f"{os.cpu_count()} cores of an {platform.machine()} machine without a GPU{', busy with other work' * shared} "
        f"(Python {platform.python_version()}, NumPy {np.__version__})"
    )


def spent(outcome: ExperimentResult, *, shared: bool) -> str:
    """Return a sentence about the time of each step."""
    names = {
        "features": "describing the images", "model": f"training the {outcome.experiment.models} models",
        "benchmark": "training on everything", "experiment": "all adversaries and rules",
    }  # fmt: skip
    parts = [f"{step} {duration(outcome.seconds[name])}" for name, step in names.items() if name in outcome.seconds]
    total = duration(sum(outcome.seconds.values()))
    return f"It took {total} on {machine(shared=shared)}: {', '.join(parts)}."


def duration(seconds: float) -> str:
    """Return a time as text with two significant digits."""
    return f"{seconds / 60:.1f} min" if seconds >= 100 else f"{seconds:.2g} s"


def _write(text: str, file: BufferedWriter) -> None:
    """Write text to a binary file."""
    file.write(text.encode())


def main() -> None:
    """Run the experiment on each set of images."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", nargs="+", help="digits, cifar10=FOLDER, fashion-mnist=FOLDER")
    parser.add_argument("--cache", type=Path, required=True)
    parser.add_argument("--docs", type=Path, default=Path("docs/evidence"))
    parser.add_argument("--shared", action="store_true", help="say that the machine did other work at the same time")
    given = parser.parse_args()
    folder, page = given.docs / "ensemble", given.docs / "ensemble.md"
    folder.mkdir(exist_ok=True)
    for named in given.data:
        name, _, path = named.partition("=")
        images = load_images(name, Path(path) if path else None)
        outcome = run_pipeline(images, TARGETS[name], TRAININGS[name], given.cache)
        for figure in FIGURES:
            draw_figure(outcome.experiment, figure, folder / f"{name}-{figure}.svg")
        write_table(outcome.experiment.table, folder / f"{name}.csv")
        took = spent(outcome, shared=given.shared)
        text = replace_section(page.read_text(encoding="utf-8"), name, render_section(outcome, name, took))
        write_whole(page, partial(_write, text))
        print(f"{name}: {took}")


if __name__ == "__main__":
    main()
