"""The features of images: those of the definition, whatever the batch."""

import math

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy import linalg

from bribeproof.errors import ParameterError
from bribeproof.paper.ensemble.images.load import Images
from bribeproof.paper.ensemble.models import features
from bribeproof.paper.ensemble.models.features import PatchBank
from tests.paper.ensemble.noisy_images import pictures

IMAGES = pictures()


def bank(images: Images = IMAGES, filters: int = 5, size: int = 3, seed: int = 0) -> PatchBank:
    return PatchBank.draw(images.train, filters, size, np.random.default_rng(seed))


def unit_contrast(patch: list[float]) -> list[float]:
    mean = math.fsum(patch) / len(patch)
    variance = math.fsum((value - mean) ** 2 for value in patch) / len(patch)
    return [(value - mean) / math.sqrt(variance + 10) for value in patch]


def slow_features(image: NDArray[np.uint8], found: PatchBank) -> list[float]:
    """The definition, one number after the other: sign, then quadrant row by row, then filter."""
    height, width, channels = image.shape
    rows, columns, step = height - found.size + 1, width - found.size + 1, range(found.size)
    count = len(found.offsets)
    sums = dict.fromkeys(
        [(sign, low, right, j) for sign in (1, -1) for low in (0, 1) for right in (0, 1) for j in range(count)], 0.0
    )
    for y in range(rows):
        for x in range(columns):
            patch = unit_contrast(
                [float(image[y + dy, x + dx, channel]) for dy in step for dx in step for channel in range(channels)]
            )
            for j in range(count):
                alike = sum(value * float(weight) for value, weight in zip(patch, found.filters[:, j], strict=True))
                alike -= float(found.offsets[j])
                for sign in (1, -1):
                    sums[sign, int(y >= rows // 2), int(x >= columns // 2), j] += max(0.0, sign * alike - 0.25)
    return list(sums.values())


@pytest.mark.parametrize(("shape", "size"), [((7, 6, 3), 3), ((5, 8, 1), 2), ((4, 6, 1), 4)])
def test_features_are_those_of_the_definition(shape: tuple[int, ...], size: int) -> None:
    images = pictures(4, shape=shape)
    found = bank(images, filters=3, size=size)
    given = found.describe(images.test)
    assert given.shape == (4, found.features) == (4, 24)
    assert given.dtype == np.float32
    np.testing.assert_allclose(given, [slow_features(image, found) for image in images.test], rtol=2e-4, atol=2e-4)


def test_filters_are_whitened_patches_of_length_one() -> None:
    found, rng = bank(seed=5), np.random.default_rng(5)
    count = 10 * len(IMAGES.train)
    which, tops, lefts = rng.integers(90, size=count), rng.integers(5, size=count), rng.integers(4, size=count)
    patches = np.array(
        [
            unit_contrast(IMAGES.train[i, y : y + 3, x : x + 3].astype(float).ravel().tolist())
            for i, y, x in zip(which, tops, lefts, strict=True)
        ]
    )
    mean = patches.mean(axis=0)
    spread = np.cov(patches.T) + 0.1 * np.eye(27)
    unwhitened = linalg.sqrtm(spread).real @ found.filters
    np.testing.assert_allclose(np.linalg.norm(unwhitened, axis=0), 1, rtol=1e-4)
    np.testing.assert_allclose(found.offsets, mean @ found.filters, rtol=1e-3, atol=1e-5)
    directions = (spread @ found.filters).T
    directions /= np.linalg.norm(directions, axis=1, keepdims=True)
    centred = (patches - mean) / np.linalg.norm(patches - mean, axis=1, keepdims=True)
    nearest = (directions @ centred.T).max(axis=1)
    np.testing.assert_allclose(nearest, 1, rtol=1e-5)


def test_features_do_not_depend_on_the_batch(monkeypatch: pytest.MonkeyPatch) -> None:
    found = bank()
    whole = found.describe(IMAGES.train)
    monkeypatch.setattr(features, "_BATCH_BYTES", 1)
    np.testing.assert_allclose(found.describe(IMAGES.train), whole, rtol=1e-4, atol=1e-4)


def test_brightness_does_not_matter() -> None:
    found, dark = bank(), IMAGES.test // 2
    np.testing.assert_allclose(found.describe(dark + np.uint8(100)), found.describe(dark), rtol=1e-3, atol=1e-3)


@pytest.mark.parametrize(("filters", "size"), [(0, 3), (5, 1), (5, 7)])
def test_patches_that_do_not_fit(filters: int, size: int) -> None:
    with pytest.raises(ParameterError, match=f"{filters} patches of {size} x {size} pixels .* from 7 x 6"):
        bank(filters=filters, size=size)


def test_flat_images_have_no_features() -> None:
    flat = np.full((3, 6, 6, 1), 9, np.uint8)
    assert not PatchBank.draw(flat, 2, 3, np.random.default_rng(0)).describe(flat).any()
