"""A hundred classifiers that differ in what they have seen, trained once and kept on disk."""

import hashlib
import json
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import solve

from bribeproof._typing import ByteArray, Float32Array
from bribeproof.errors import DataError, ParameterError
from bribeproof.paper.ensemble.images.load import Images
from bribeproof.paper.ensemble.models.cache import ModelCache
from bribeproof.paper.ensemble.models.features import PatchBank
from bribeproof.paper.ensemble.models.resnet import fit

Report = Callable[[str, float | None], object]
"""Told what is being done, and how far it is."""

_VERSION = 1
"""Goes up when the same parameters give other features or models, so that what was kept before is not used."""
_BLOCK = 5000
"""So many images' features are one file."""


_LEAST = (("models", 1), ("filters", 1), ("patch", 2), ("network", 0), ("epochs", 1), ("seed", 0))


@dataclass(frozen=True, slots=True)
class Training:
    """How the models are trained.

    Attributes
    ----------
    models
        How many models are trained on a sample each.
    sample
        Which share of the training images each of them sees.
    filters, patch
        How many filters the shared bank has, and height and width of their patches in pixels.
    part
        Which share of the features each model uses, drawn anew.
    ridge
        Penalty of the ridge regression, per training image.
    network
        Channels of the first layer of a residual network, which is then trained instead (PyTorch); 0 for none.
    epochs
        How often a network sees each image.
    seed
        Seed of everything that is drawn.
    """

    models: int = 100
    sample: float = 0.4
    filters: int = 800
    patch: int = 6
    part: float = 0.25
    ridge: float = 0.1
    network: int = 0
    epochs: int = 10
    seed: int = 0

    def __post_init__(self) -> None:
        for name, least in _LEAST:
            if not isinstance(getattr(self, name), int) or getattr(self, name) < least:
                raise ParameterError(f"{name}={getattr(self, name)!r}: use a whole number of at least {least}")
        for name in ("sample", "part"):
            if not 0 < getattr(self, name) <= 1:
                raise ParameterError(f"{name}={getattr(self, name)!r}: use a share above 0 and at most 1")
        if not self.ridge > 0:
            raise ParameterError(f"ridge={self.ridge!r}: use a number above 0")

    def drawn(self, model: int, images: int) -> NDArray[np.int64]:
        """Return which training images a model sees, ascending."""
        rng = np.random.default_rng([self.seed, 1, model])
        return np.sort(rng.choice(images, max(1, round(self.sample * images)), replace=False))


@dataclass(frozen=True, slots=True, eq=False)
class Predictions:
    """What the models say.

    Attributes
    ----------
    train, test
        uint8 (models, images): the class that each model gives each image.
    seen
        bool (models, training images): what each model was trained on.
    benchmark
        uint8 (test images): the class that the model gives that has seen everything, images and features.
    seconds
        How long features, models and benchmark took to make, by these names, whenever that was.
    """

    train: ByteArray
    test: ByteArray
    seen: NDArray[np.bool_]
    benchmark: ByteArray
    seconds: Mapping[str, float]


def train(images: Images, training: Training, folder: Path, report: Report = lambda *_: None) -> Predictions:
    """Train all models, or read what was trained before.

    Parameters
    ----------
    images
        Training and test images.
    training
        How to train.
    folder
        Where features and predictions are kept, under a name of their own for each set of images and way to train. What
        is there is not done again, so that a run that was stopped goes on where it was.
    report
        Told how far the work is.

    Returns
    -------
    Predictions
        Of every model on every image.

    Raises
    ------
    ParameterError
        If a patch does not fit into an image.
    DataError
        If there are more than 256 classes.
    FileError
        If the folder cannot be written, or a file in it is broken.
    """
    if len(images.classes) > 256:
        raise DataError(f"{images.name}: there are {len(images.classes)} classes; use at most 256")
    kept = ModelCache(folder / f"{images.name}-{_digest(images, training)}")
    names = [f"model-{model:03}.parquet" for model in range(training.models)] + ["benchmark.parquet"]
    left = [name for name in names if not kept.has(name)]
    features = _standardised(images, training, kept, report) if left and not training.network else None
    size, count = len(images.train), len(images.train) + len(images.test)
    said = np.empty((len(names), count), np.uint8)
    for number, name in enumerate(names):
        if name in left:
            report("Training", left.index(name) / len(left))
        said[number] = kept.predictions(name, count, partial(_trained, images, training, number, features))
    seen = np.zeros((training.models, size), bool)
    for model in range(training.models):
        seen[model, training.drawn(model, size)] = True
    return Predictions(said[:-1, :size], said[:-1, size:], seen, said[-1, size:], kept.seconds())


def _trained(images: Images, training: Training, number: int, features: Float32Array | None) -> ByteArray:
    """Train one model, and return what it says of all images; the one after the last has seen everything."""
    rows = np.arange(len(images.train))
    if number < training.models:
        rows = training.drawn(number, len(rows))
    if features is None:
        seed = int(np.random.SeedSequence([training.seed, 4, number]).generate_state(1)[0])
        return fit(images, rows, width=training.network, epochs=training.epochs, seed=seed)
    columns = np.arange(features.shape[1])
    if number < training.models:
        rng = np.random.default_rng([training.seed, 2, number])
        columns = np.sort(rng.choice(columns, max(1, round(training.part * len(columns))), replace=False))
    return _ridge(features, images.train_labels, rows, columns, len(images.classes), training.ridge)


def _digest(images: Images, training: Training) -> str:
    """Return a name for these images and this way to train; more models are the same files and some more."""
    told = json.dumps(
        asdict(training)
        | {"models": 0, "classes": images.classes, "size": images.train.shape[1:], "version": _VERSION},
        sort_keys=True,
    )
    found = hashlib.sha256(told.encode())
    for part in (images.train, images.test, images.train_labels):
        found.update(np.ascontiguousarray(part).data)
    return found.hexdigest()[:12]


def _standardised(images: Images, training: Training, kept: ModelCache, report: Report) -> Float32Array:
    """Return the features of training and test images, each with mean 0 and deviation 1 over the training images."""
    bank = PatchBank.draw(images.train, training.filters, training.patch, np.random.default_rng([training.seed, 0]))
    pixels = np.concatenate([images.train, images.test])
    found = np.empty((len(pixels), bank.features), np.float32)
    for start in range(0, len(pixels), _BLOCK):
        report("Describing images", start / len(pixels))
        block = slice(start, start + _BLOCK)
        found[block] = kept.features(
            f"features-{start:06}.npy", found[block].shape, partial(bank.describe, pixels[block])
        )
    known = found[: len(images.train)]
    found -= known.mean(axis=0, dtype=np.float64).astype(np.float32)
    # Block by block: the square of everything in double precision would be twice as large as everything.
    blocks = (known[start : start + _BLOCK] for start in range(0, len(known), _BLOCK))
    variance = sum(np.square(block).sum(axis=0, dtype=np.float64) for block in blocks) / len(known)
    found /= np.sqrt(variance).astype(np.float32) + np.float32(1e-3)
    return found


def _ridge(
    features: Float32Array,
    labels: NDArray[np.int64],
    rows: NDArray[np.int64],
    columns: NDArray[np.int64],
    classes: int,
    penalty: float,
) -> ByteArray:
    """Fit a ridge regression of each class against the others, and return the likeliest class of every image."""
    chosen = features[np.ix_(rows, columns)]
    target = (labels[rows, None] == np.arange(classes)).astype(np.float32)
    mean, share = chosen.mean(axis=0), target.mean(axis=0)
    chosen -= mean
    gram = chosen.T @ chosen
    gram[np.diag_indices_from(gram)] += np.float32(penalty * len(rows))
    weights = solve(gram, chosen.T @ (target - share), assume_a="pos", overwrite_a=True, check_finite=False)
    said = [
        np.argmax((features[start : start + _BLOCK, columns] - mean) @ weights + share, axis=1)
        for start in range(0, len(features), _BLOCK)
    ]
    return np.concatenate(said).astype(np.uint8)
