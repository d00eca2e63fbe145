"""Run the whole experiment: train the models, estimate their rates, and compare the rules."""

import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from bribeproof._validation import whole_number
from bribeproof.errors import ParameterError
from bribeproof.paper.ensemble.experiment.rates import Rates, held_out_rates
from bribeproof.paper.ensemble.experiment.run import Experiment, run_experiment
from bribeproof.paper.ensemble.images.load import Images
from bribeproof.paper.ensemble.models.train import Progress, Training, train

TRAININGS = {
    "digits": Training(filters=10, patch=3, part=0.5),
    "fashion-mnist": Training(filters=400, patch=6),
    "cifar10": Training(),
}
"""Default parameters of the training, for each set of images."""
TARGETS = {"digits": "8", "fashion-mnist": "Shirt", "cifar10": "cat"}
"""Default target class, for each set of images."""

_STEP = 5
"""Step between numbers of adversaries."""


@dataclass(frozen=True, slots=True, eq=False)
class ExperimentResult:
    """Result of the whole experiment.

    Attributes
    ----------
    target
        The target class: models say whether an image shows it.
    rates
        The rates of the models, from images that they were not trained on.
    experiment
        The losses of every rule on the test images.
    seconds
        Time spent on features, models, benchmark and experiment, by these names, including cached results.
    """

    target: str
    rates: Rates
    experiment: Experiment
    seconds: Mapping[str, float]


def run_pipeline(
    images: Images,
    target: str,
    training: Training,
    folder: Path,
    *,
    groups: int = 50,
    report: Progress = lambda *_: None,
) -> ExperimentResult:
    """Train the models or read their cached predictions, and compare the rules with and without adversaries.

    Parameters
    ----------
    images
        Training and test images.
    target
        The target class: models say whether an image shows it.
    training
        Parameters of the training.
    folder
        Cache folder for features and predictions.
    groups
        Number of groups of random adversaries that are drawn.
    report
        Called with the progress of the work.

    Raises
    ------
    ParameterError
        An unknown class, or a parameter outside its range.
    DataError
        No held-out image is of the target class, or all are, or there are more than 256 classes.
    FileError
        The folder cannot be written, or a file in it is broken.
    """
    whole_number("groups", groups, minimum=1)
    if training.models <= _STEP:
        raise ParameterError(f"models={training.models}: use more than {_STEP}, the fewest adversaries that are added")
    if target not in images.classes:
        raise ParameterError(f"target {target!r}: the classes of {images.name} are {', '.join(images.classes)}")
    label = images.classes.index(target)
    predictions = train(images, training, folder, report)
    rates = held_out_rates(predictions.train == label, predictions.seen, images.train_labels == label)
    begin = time.monotonic()
    counts = range(0, min(100, training.models), _STEP)
    experiment = run_experiment(
        predictions.test == label, images.test_labels == label, predictions.benchmark == label, rates.expert,
        counts=counts, groups=groups, seed=training.seed,
    )  # fmt: skip
    spent = {**predictions.seconds, "experiment": time.monotonic() - begin}
    return ExperimentResult(target, rates, experiment, spent)
