"""The whole experiment: images in, what became of every rule out."""

import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from bribeproof._validation import whole_number
from bribeproof.errors import ParameterError
from bribeproof.paper.ensemble.experiment.rates import Rates, held_out_rates
from bribeproof.paper.ensemble.experiment.run import Experiment, run_experiment
from bribeproof.paper.ensemble.images.load import Images
from bribeproof.paper.ensemble.models.train import Report, Training, train

TRAININGS = {
    "digits": Training(filters=10, patch=3, part=0.5),
    "fashion-mnist": Training(filters=400, patch=6),
    "cifar10": Training(),
}
"""How the models are trained on each set of images, unless said otherwise."""
TARGETS = {"digits": "8", "fashion-mnist": "Shirt", "cifar10": "cat"}
"""The class that the models are asked about, unless said otherwise."""

_STEP = 5
"""From one number of adversaries to the next."""


@dataclass(frozen=True, slots=True, eq=False)
class ExperimentResult:
    """What came of it.

    Attributes
    ----------
    target
        The class that the models are asked about.
    rates
        How good they are, from images that they have not seen.
    experiment
        What every rule loses on the test images.
    seconds
        How long features, models, benchmark and experiment took, by these names; of what was kept, when it was made.
    """

    target: str
    rates: Rates
    experiment: Experiment
    seconds: Mapping[str, float]


def run(
    images: Images,
    target: str,
    training: Training,
    folder: Path,
    *,
    groups: int = 50,
    report: Report = lambda *_: None,
) -> ExperimentResult:
    """Train the models, or read them, and let every rule combine what they say, adversaries included.

    Parameters
    ----------
    images
        Training and test images.
    target
        The class that the models are asked about.
    training
        How they are trained.
    folder
        Where what was trained is kept.
    groups
        How many groups of random adversaries are drawn.
    report
        Told how far the work is.

    Raises
    ------
    ParameterError
        If there is no such class, or a parameter is outside its range.
    DataError
        If held-out images say nothing of the target class, or there are more than 256 classes.
    FileError
        If the folder cannot be written, or a file in it is broken.
    """
    whole_number("groups", groups, minimum=1)
    if training.models <= _STEP:
        raise ParameterError(f"models={training.models}: use more than {_STEP}, the fewest adversaries that are added")
    if target not in images.classes:
        raise ParameterError(f"target {target!r}: the classes of {images.name} are {', '.join(images.classes)}")
    place = images.classes.index(target)
    said = train(images, training, folder, report)
    rates = held_out_rates(said.train == place, said.seen, images.train_labels == place)
    begin = time.monotonic()
    counts = range(0, min(100, training.models), _STEP)
    experiment = run_experiment(
        said.test == place, images.test_labels == place, said.benchmark == place, rates.expert,
        counts=counts, groups=groups, seed=training.seed,
    )  # fmt: skip
    spent = {**said.seconds, "experiment": time.monotonic() - begin}
    return ExperimentResult(target, rates, experiment, spent)
