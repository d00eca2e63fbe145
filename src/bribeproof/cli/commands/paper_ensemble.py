"""``bribeproof paper ensemble``: repeat the source paper's experiment on images."""

import os
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

from cyclopts import Parameter

from bribeproof.cli.options.checks import check_output
from bribeproof.cli.options.converters import Flag, Whole
from bribeproof.cli.output.files import print_json, write_rows
from bribeproof.cli.output.plots import check_picture
from bribeproof.errors import FileError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bribeproof.paper.ensemble.experiment.pipeline import ExperimentResult
    from bribeproof.paper.ensemble.report.observations import Observation

Figure = Literal["squared-extreme", "squared-random", "absolute-extreme", "absolute-random", "accuracy"]
_WIDTH = 64


def ensemble(
    *,
    data: Literal["digits", "fashion-mnist", "cifar10"] = "digits",
    path: Path | None = None,
    target: str | None = None,
    models: Whole = 100,
    model: Literal["patches", "resnet"] = "patches",
    filters: Whole | None = None,
    groups: Whole = 50,
    seed: Whole = 0,
    cache: Path | None = None,
    output: Annotated[Path | None, Parameter(name=["--output", "-o"])] = None,
    figures: Path | None = None,
    figure: tuple[Figure, Path] | None = None,
    json: Flag = False,
) -> None:
    """Bribe classifiers in an ensemble and measure what each rule loses.

    Parameters
    ----------
    data
        The images; digits come with scikit-learn.
    path
        Folder of the images: the four idx files of Fashion-MNIST, or CIFAR-10 as Python batches, image folders or
        Parquet.
    target
        Class that the models recognise (default: 8, Shirt or cat).
    models
        Number of classifiers, each trained on 40 % of the training images.
    model
        patches: ridge regression on random patches; resnet: a residual network of nine layers, which needs PyTorch and
        is fast on a GPU.
    filters
        Number of patches that describe an image (default: 10, 400 or 800).
    groups
        Number of random groups of adversaries.
    seed
        Seed of all random draws.
    cache
        Folder for features and predictions (default: bribeproof in the user's cache).
    output
        Write all results to this file: .csv, .tsv, .xlsx, .parquet, .ndjson or .json.
    figures
        Draw the paper's five figures into this folder, as SVG.
    figure
        Draw one figure into a file: NAME FILE; the file ends in .png, .svg or .pdf.
    json
        Print everything as JSON.
    """
    if output is not None:
        check_output(output, output.parent)
    if figures is not None and not figures.is_dir():
        raise FileError(f"--figures {figures}: there is no such folder")
    if figure is not None:
        check_picture(figure[1], option=f"--figure {figure[0]}")
    from bribeproof.cli.output.progress import progress
    from bribeproof.paper.ensemble.experiment.pipeline import TARGETS, TRAININGS, run_pipeline
    from bribeproof.paper.ensemble.images.load import load_images
    from bribeproof.paper.ensemble.report.observations import observe

    usual = TRAININGS[data]
    width = _WIDTH if model == "resnet" else 0
    training = replace(
        usual, network=width, models=models, filters=usual.filters if filters is None else filters, seed=seed
    )
    with progress("Reading images") as report:
        images = load_images(data, path, seed=seed)
        folder = _cache() if cache is None else cache
        outcome = run_pipeline(
            images, TARGETS[data] if target is None else target, training, folder, groups=groups, report=report
        )
    seen = observe(outcome.experiment)
    notes = []
    if output is not None:
        notes.append(write_rows(outcome.experiment.table, output, "rows"))
    if figures is not None:
        from bribeproof.paper.ensemble.report.figures import FIGURES, draw_figure

        for name in FIGURES:
            draw_figure(outcome.experiment, name, figures / f"{data}-{name}.svg")
        notes.append(f"drew {len(FIGURES)} figures into {figures}")
    if figure is not None:
        from bribeproof.paper.ensemble.report.figures import draw_figure

        draw_figure(outcome.experiment, *figure)
        notes.append(f"drew {figure[0]} into {figure[1]}")
    if json:
        print_json(describe(outcome, seen))
        return
    from bribeproof.cli.output.ensemble import show_ensemble

    show_ensemble(outcome, seen, notes)


def describe(outcome: "ExperimentResult", seen: "Sequence[Observation]") -> dict[str, Any]:
    """Return all results as a dictionary for JSON."""
    from bribeproof.io.write import to_records

    found, rates = outcome.experiment, outcome.rates
    return {
        "target": outcome.target,
        "models": found.models,
        "images": found.images,
        "expert": {name: getattr(rates.expert, name) for name in ("prior", "tpr", "fpr", "correlations")},
        "bounds": {name: getattr(rates.bounds, name) for name in ("prior", "tpr", "fpr")},
        "confidence": rates.confidence,
        "error_correlation": found.error_correlation,
        "seconds": dict(outcome.seconds),
        "benchmark_accuracy": found.benchmark_accuracy,
        "observations": [{name: getattr(one, name) for name in one.__slots__} for one in seen],
        "models_held_out": to_records(rates.models),
        "models_on_test_images": to_records(found.rates),
        "table": to_records(found.table),
    }


def _cache() -> Path:
    """Return the cache folder of the user."""
    home = os.environ.get("XDG_CACHE_HOME")
    return (Path(home) if home else Path.home() / ".cache") / "bribeproof"
