"""Load the images that the classifiers are trained and tested on."""

from dataclasses import dataclass
from pathlib import Path

import numpy as np

from bribeproof._optional import require
from bribeproof._typing import ByteArray, IntArray
from bribeproof.errors import DataError, FileError, ParameterError, ParameterTypeError
from bribeproof.paper.ensemble.images.cifar10 import read_cifar10
from bribeproof.paper.ensemble.images.idx import read_idx

DATA = ("digits", "fashion-mnist", "cifar10")
"""The sets of images that can be loaded."""

_FASHION = Path("/usr/share/datasets/fashion-mnist")
"""The folder of Debian's package dataset-fashion-mnist."""
_CLOTHES = (
    "T-shirt/top",
    "Trouser",
    "Pullover",
    "Dress",
    "Coat",
    "Sandal",
    "Shirt",
    "Sneaker",
    "Bag",
    "Ankle boot",
)


@dataclass(frozen=True, slots=True, eq=False)
class Images:
    """Labelled images, some to train on and others to test on.

    Parameters
    ----------
    train : uint8 array
        Pixels (images, height, width, channels) in 0..255; channels are grey, or red, green and blue.
    train_labels : int64 array
        The class (images) of each, as an index into `classes`.
    test : uint8 array
        As `train`, of the same height, width and channels.
    test_labels : int64 array
        As `train_labels`.
    classes : tuple of str
        The names of the classes, at least two, all different.
    name : str
        Name of the set.

    Raises
    ------
    DataError
        Parts that do not fit together, or a label that is none of the classes.

    Examples
    --------
    >>> pixels, labels = np.zeros((3, 8, 8, 1), np.uint8), np.array([0, 1, 1])
    >>> Images(pixels, labels, pixels, labels, ("cat", "dog"), "pets").test_labels
    array([0, 1, 1])
    >>> Images(pixels, labels + 1, pixels, labels, ("cat", "dog"), "pets")
    Traceback (most recent call last):
    bribeproof.errors.DataError: pets: training image 2 has the label 2; use 0 to 1, the places of the 2 classes
    """

    train: ByteArray
    train_labels: IntArray
    test: ByteArray
    test_labels: IntArray
    classes: tuple[str, ...]
    name: str

    def __post_init__(self) -> None:
        if len(self.classes) < 2 or len(set(self.classes)) < len(self.classes):
            raise DataError(f"{self.name}: the classes are {self.classes}; use two or more, with different names")
        for part, images, labels in (
            ("training", self.train, self.train_labels),
            ("test", self.test, self.test_labels),
        ):
            if images.dtype != np.uint8 or images.ndim != 4 or images.size == 0:
                raise DataError(
                    f"{self.name}: {part} images are {images.dtype} {images.shape}; use uint8 "
                    "(images, height, width, channels), none of them 0"
                )
            if labels.shape != (len(images),) or labels.dtype != np.int64:
                raise DataError(
                    f"{self.name}: {part} labels are {labels.dtype} {labels.shape} for {len(images)} images; "
                    "use int64, one for each"
                )
            outside = np.flatnonzero((labels < 0) | (labels >= len(self.classes)))
            if outside.size:
                raise DataError(
                    f"{self.name}: {part} image {outside[0] + 1} has the label {labels[outside[0]]}; "
                    f"use 0 to {len(self.classes) - 1}, the places of the {len(self.classes)} classes"
                )
        if self.train.shape[1:] != self.test.shape[1:]:
            raise DataError(
                f"{self.name}: training images are {self.train.shape[1:]}, test images {self.test.shape[1:]} (height, "
                "width, channels); bring all to one size"
            )


def load_images(data: str, path: Path | None = None, *, seed: int = 0) -> Images:
    """Load one of the sets of images.

    Parameters
    ----------
    data : {"digits", "fashion-mnist", "cifar10"}
        "digits": scikit-learn's 1,797 handwritten digits of 8 × 8 pixels, their grey levels 0..16 stretched to 0..255,
        70 % of each class to train on and 30 % to test on. "fashion-mnist": the four idx files of Fashion-MNIST.
        "cifar10": CIFAR-10 or images like it, see `read_cifar10`.
    path : Path, optional
        The folder. "digits" takes none; "fashion-mnist" holds the usual four names, with or without ``.gz`` (without
        where both are there), by default where Debian's package dataset-fashion-mnist puts them; "cifar10" needs it.
    seed : int, default 0
        Seed of the split of "digits", at least 0 and below 2³²; the others come split.

    Returns
    -------
    Images
        Training and test images, which are disjoint.

    Raises
    ------
    ParameterError
        An unknown set, or a path that is missing or not used.
    FileError
        A missing or broken file.
    DataError
        Images of different sizes, or a label that is none of the classes.
    MissingPackageError
        scikit-learn or pillow is needed and not installed.

    Examples
    --------
    >>> digits = load_images("digits")
    >>> digits.train.shape, digits.test.shape, digits.classes[:3]
    ((1257, 8, 8, 1), (540, 8, 8, 1), ('0', '1', '2'))
    """
    match data:
        case "digits":
            if path is not None:
                raise ParameterError(f"path={str(path)!r}: digits come with scikit-learn; leave the path out")
            return _digits(seed)
        case "fashion-mnist":
            return _fashion(_FASHION if path is None else path)
        case "cifar10":
            if path is None:
                raise ParameterError("path=None: cifar10 needs the folder that CIFAR-10 was unpacked into")
            return Images(*read_cifar10(path), name=data)
    raise ParameterError(f"data={data!r}: use one of {', '.join(DATA)}")


def _digits(seed: int) -> Images:
    """Load and split scikit-learn's digits."""
    if isinstance(seed, bool) or not isinstance(seed, int):
        raise ParameterTypeError(f"seed={seed!r}: use a whole number from 0 to {2**32 - 1}")
    if not 0 <= seed < 2**32:
        raise ParameterError(f"seed={seed!r}: use a whole number from 0 to {2**32 - 1}")
    require("the digits data set", "sklearn")
    from sklearn.datasets import load_digits
    from sklearn.model_selection import train_test_split

    digits = load_digits()
    pixels = np.rint(digits.images * (255 / 16)).astype(np.uint8)[..., None]
    labels = digits.target.astype(np.int64)
    train, test = train_test_split(np.arange(len(labels)), test_size=0.3, random_state=seed, stratify=labels)
    return Images(pixels[train], labels[train], pixels[test], labels[test], tuple(map(str, range(10))), "digits")


def _fashion(folder: Path) -> Images:
    """Read Fashion-MNIST."""
    if not folder.is_dir():
        raise FileError(
            f"{folder}: no such folder; install Debian's package dataset-fashion-mnist, or give the path of a folder "
            "with the idx files"
        )
    return Images(*_labelled(folder, "train"), *_labelled(folder, "t10k"), _CLOTHES, "fashion-mnist")


def _labelled(folder: Path, part: str) -> tuple[ByteArray, IntArray]:
    """Read the training or the test images and their labels."""
    images = read_idx(_find_file(folder, f"{part}-images-idx3-ubyte"), 3)
    labels = read_idx(_find_file(folder, f"{part}-labels-idx1-ubyte"), 1)
    if len(images) != len(labels):
        raise DataError(f"{folder}: {len(images)} images but {len(labels)} labels in {part}-*; fetch both again")
    return images[..., None], labels.astype(np.int64)


def _find_file(folder: Path, name: str) -> Path:
    """Return the path of a file with or without ``.gz``."""
    for path in (folder / name, folder / f"{name}.gz"):
        if path.exists():
            return path
    raise FileError(f"{folder}: {name} or {name}.gz is missing; fetch it into this folder")
