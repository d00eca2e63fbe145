"""Train a hundred classifiers on different samples of the images, and cache their predictions."""

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

Progress = Callable[[str, float | None], object]
"""Called with the current task and the fraction of it that is done."""

_VERSION = 1
"""Increased when the same parameters give other features or models, so that older caches are not used."""
_BLOCK = 5000
"""Number of images whose features are stored in one file."""


_LEAST = (("models", 1), ("filters", 1), ("patch", 2), ("network", 0), ("epochs", 1), ("seed", 0))


@dataclass(frozen=True, slots=True)
class Training:
    """Parameters of the training.

    Attributes
    ----------
    models
        Number of models, each trained on its own sample.
    sample
        Share of the training images that each model sees.
    filters, patch
        Number of filters in the shared bank, and height and width of their patches in pixels.
    part
        Share of the features that each model uses, drawn for each model.
    ridge
        Penalty of the ridge regression, per training image.
    network
        Number of channels of the first layer of a residual network, which replaces the ridge regression (PyTorch); 0
        for none.
    epochs
        Number of passes of a network over the images.
    seed
        Seed of all random draws.
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
        """Return the indices of the training images that a model sees, ascending."""
        rng = np.random.default_rng([self.seed, 1, model])
        return np.sort(rng.choice(images, max(1, round(self.sample * images)), replace=False))


@dataclass(frozen=True, slots=True, eq=False)
class Predictions:
    """Predictions of the models.

    Attributes
    ----------
    train, test
        uint8 (models, images): the class that each model predicts for each image.
    seen
        bool (models, training images): whether each model was trained on each image.
    benchmark
        uint8 (test images): the predictions of the model trained on all images and features.
    seconds
        Time spent on features, models and benchmark, by these names, including earlier runs.
    """

    train: ByteArray
    test: ByteArray
    seen: NDArray[np.bool_]
    benchmark: ByteArray
    seconds: Mapping[str, float]


def train(images: Images, training: Training, folder: Path, report: Progress = lambda *_: None) -> Predictions:
    """Train all models, or read their predictions from the cache.

    Parameters
    ----------
    images
        Training and test images.
    training
        Parameters of the training.
    folder
        Cache folder, with a subfolder for each set of images and parameters. Cached features and predictions are not
        computed again, so that an interrupted run continues where it stopped.
    report
        Called with the progress of the work.

    Returns
    -------
    Predictions
        The predictions of every model for every image.

    Raises
    ------
    ParameterError
        A patch larger than the images.
    DataError
        More than 256 classes.
    FileError
        The folder cannot be written, or a file in it is broken.
    """
    if len(images.classes) > 256:
        raise DataError(f"{images.name}: there are {len(images.classes)} classes; use at most 256")
    cache = ModelCache(folder / f"{images.name}-{_digest(images, training)}")
    names = [f"model-{model:03}.parquet" for model in range(training.models)] + ["benchmark.parquet"]
    missing = [name for name in names if not cache.has(name)]
    features = _standardised(images, training, cache, report) if missing and not training.network else None
    size, count = len(images.train), len(images.train) + len(images.test)
    predicted = np.empty((len(names), count), np.uint8)
    for number, name in enumerate(names):
        if name in missing:
            report("Training", missing.index(name) / len(missing))
        predicted[number] = cache.predictions(name, count, partial(_trained, images, training, number, features))
    seen = np.zeros((training.models, size), bool)
    for model in range(training.models):
        seen[model, training.drawn(model, size)] = True
    return Predictions(predicted[:-1, :size], predicted[:-1, size:], seen, predicted[-1, size:], cache.seconds())


def _trained(images: Images, training: Training, number: int, features: Float32Array | None) -> ByteArray:
    """Train one model and predict the classes of all images; the model after the last sees all images and features."""
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
    """Return a name for images and parameters; it does not depend on the number of models."""
    parameters = json.dumps(
        asdict(training)
        | {"models": 0, "classes": images.classes, "size": images.train.shape[1:], "version": _VERSION},
        sort_keys=True,
    )
    digest = hashlib.sha256(parameters.encode())
    for part in (images.train, images.test, images.train_labels):
        digest.update(np.ascontiguousarray(part).data)
    return digest.hexdigest()[:12]


def _standardised(images: Images, training: Training, cache: ModelCache, report: Progress) -> Float32Array:
    """Return the features of all images, standardised to mean 0 and deviation 1 over the training images."""
    bank = PatchBank.draw(images.train, training.filters, training.patch, np.random.default_rng([training.seed, 0]))
    pixels = np.concatenate([images.train, images.test])
    features = np.empty((len(pixels), bank.features), np.float32)
    for start in range(0, len(pixels), _BLOCK):
        report("Describing images", start / len(pixels))
        block = slice(start, start + _BLOCK)
        features[block] = cache.features(
            f"features-{start:06}.npy", features[block].shape, partial(bank.describe, pixels[block])
        )
    training_features = features[: len(images.train)]
    features -= training_features.mean(axis=0, dtype=np.float64).astype(np.float32)
    # Block by block: the squares of all features in double precision would not fit in memory.
    blocks = (training_features[start : start + _BLOCK] for start in range(0, len(training_features), _BLOCK))
    variance = sum(np.square(block).sum(axis=0, dtype=np.float64) for block in blocks) / len(training_features)
    features /= np.sqrt(variance).astype(np.float32) + np.float32(1e-3)
    return features


def _ridge(
    features: Float32Array,
    labels: NDArray[np.int64],
    rows: NDArray[np.int64],
    columns: NDArray[np.int64],
    classes: int,
    penalty: float,
) -> ByteArray:
    """Fit a ridge regression of each class against the others, and return the predicted class of every image."""
    chosen = features[np.ix_(rows, columns)]
    target = (labels[rows, None] == np.arange(classes)).astype(np.float32)
    mean, share = chosen.mean(axis=0), target.mean(axis=0)
    chosen -= mean
    gram = chosen.T @ chosen
    gram[np.diag_indices_from(gram)] += np.float32(penalty * len(rows))
    weights = solve(gram, chosen.T @ (target - share), assume_a="pos", overwrite_a=True, check_finite=False)
    predicted = [
        np.argmax((features[start : start + _BLOCK, columns] - mean) @ weights + share, axis=1)
        for start in range(0, len(features), _BLOCK)
    ]
    return np.concatenate(predicted).astype(np.uint8)
