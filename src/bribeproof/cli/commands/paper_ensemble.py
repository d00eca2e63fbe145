"""``bribeproof paper ensemble``: the source paper's experiment on real images."""

import os
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

from cyclopts import Parameter
from rich.table import Table
from rich.text import Text

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
_SHOWN = ("optimal (squared)", "trimmed mean", "majority", "mean")


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
    """Train an ensemble of image classifiers, bribe some, and see what every rule loses.

    Parameters
    ----------
    data
        The images: digits come with scikit-learn.
    path
        The folder of the images: four idx files of Fashion-MNIST, or CIFAR-10 as python batches, image folders or
        Parquet.
    target
        The class that the models are asked about (default: 8, Shirt or cat).
    models
        How many classifiers are trained, each on 40 % of the training images.
    model
        Ridge regression on random patches, or a residual network of nine layers, which needs PyTorch and is quick on a
        GPU.
    filters
        How many patches the images are described by (default: 10, 400 or 800).
    groups
        How many groups of random adversaries are drawn.
    seed
        Seed of everything that is drawn.
    cache
        The folder where features and predictions are kept (default: bribeproof in the user's cache).
    output
        Write all results here: .csv, .tsv, .parquet, .ndjson or .json.
    figures
        Draw the paper's five figures into this folder, as SVG.
    figure
        Draw one of them into a file: NAME FILE, the file ending in .png, .svg or .pdf.
    json
        Print everything as JSON.
    """
    if output is not None:
        check_output(output, output.parent)
    if figures is not None and not figures.is_dir():
        raise FileError(f"--figures {figures}: there is no such folder; make it first")
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
    _show(outcome, seen, notes)


def describe(outcome: "ExperimentResult", seen: "Sequence[Observation]") -> dict[str, Any]:
    """Return everything as plain data."""
    from bribeproof.io.write import to_records

    found, rates = outcome.experiment, outcome.rates
    return {
        "target": outcome.target,
        "models": found.models,
        "images": found.images,
        "expert": {name: getattr(rates.expert, name) for name in ("prior", "tpr", "fpr")},
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
    """Return the folder where this user's programs keep what can be made again."""
    home = os.environ.get("XDG_CACHE_HOME")
    return (Path(home) if home else Path.home() / ".cache") / "bribeproof"


def _show(outcome: "ExperimentResult", seen: "Sequence[Observation]", notes: list[str]) -> None:
    """Print the models, what rules lose to extreme adversaries, and what is so of what the paper says."""
    from bribeproof._text import printable
    from bribeproof.cli.output.tables import cell, console, show_notes

    show_notes(notes)
    found, expert = outcome.experiment, outcome.rates.expert
    out = console()
    correlation = (
        "" if found.error_correlation is None else f"; their errors correlate by {found.error_correlation:.2f}"
    )
    accuracy = sum(found.rates["accuracy"].to_list()) / found.models
    said = (
        f"{found.models} models, {found.images:,} test images; target: {outcome.target}. Of the training images "
        f"{expert.prior:.1%} are of it; a model that has not seen them says yes to {expert.tpr:.1%} of those and to "
        f"{expert.fpr:.1%} of the others. On the test images it is right on {accuracy:.1%}{correlation}. "
        f"Trained on everything: {found.benchmark_accuracy:.1%}."
    )
    out.print(Text(printable(said)), soft_wrap=not out.is_terminal)
    out.print()
    table = Table(
        box=None, pad_edge=False, header_style="bold", title="Squared loss, extreme adversaries", title_justify="left"
    )
    for name in ("adversaries", *_SHOWN, "guaranteed"):
        table.add_column(name, justify="right")
    for (count,), rows in found.informed("extreme").group_by("adversaries", maintain_order=True):
        losses = dict(rows.select("rule", "squared_loss").iter_rows())
        guarantee = rows.filter(rule=_SHOWN[0])["guarantee"][0]
        table.add_row(str(count), *(cell(losses[name], 4) for name in _SHOWN), cell(guarantee, 4))
    out.print(table)
    out.print()
    for one in seen:
        verdict = "true" if one.holds else "not so"
        out.print(Text(f"{verdict}: {one.statement} ({one.evidence})"), soft_wrap=not out.is_terminal)
