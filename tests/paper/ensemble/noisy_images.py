"""Images that need no data set: noise over a few patterns."""

import numpy as np

from bribeproof.paper.ensemble.images.load import Images


def pictures(count: int = 90, *, seed: int = 0, shape: tuple[int, ...] = (7, 6, 3), classes: int = 3) -> Images:
    """Noisy images of a few patterns."""
    rng = np.random.default_rng(seed)
    patterns = rng.integers(0, 160, (classes, *shape))
    labels = rng.integers(classes, size=2 * count)
    pixels = np.clip(patterns[labels] + rng.integers(0, 96, (2 * count, *shape)), 0, 255).astype(np.uint8)
    names = tuple(f"class {number}" for number in range(classes))
    return Images(pixels[:count], labels[:count], pixels[count:], labels[count:], names, "pictures")
