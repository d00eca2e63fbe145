"""The residual network: what it learns, what it is trained on, and what is said where PyTorch is not there."""

import sys
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from bribeproof.errors import MissingPackageError
from bribeproof.paper.ensemble.images.load import Images
from bribeproof.paper.ensemble.models.resnet import fit
from bribeproof.paper.ensemble.models.train import Training, train

LABELS = np.arange(96) % 2


def pictures(labels: NDArray[np.int64], seed: int) -> NDArray[np.uint8]:
    """Bright above or below, with noise."""
    rng = np.random.default_rng(seed)
    found = rng.integers(0, 60, (len(labels), 8, 8, 1))
    found[labels == 0, :4] += 150
    found[labels == 1, 4:] += 150
    return found.astype(np.uint8)


IMAGES = Images(pictures(LABELS, 0), LABELS, pictures(LABELS[:40], 1), LABELS[:40], ("above", "below"), "digits")


def test_a_small_network_learns_what_is_plain_and_repeats_itself() -> None:
    pytest.importorskip("torch", reason="PyTorch is not installed")
    rows = np.arange(0, 96, 3)
    said = fit(IMAGES, rows, width=4, epochs=8, seed=1)
    assert said.dtype == np.uint8
    assert (said[96:] == IMAGES.test_labels).mean() > 0.9
    assert (fit(IMAGES, rows, width=4, epochs=8, seed=1) == said).all()


def test_networks_are_kept_like_other_models(tmp_path: Path) -> None:
    pytest.importorskip("torch", reason="PyTorch is not installed")
    training = Training(models=2, sample=0.4, network=2, epochs=2)
    said = train(IMAGES, training, tmp_path)
    assert said.test.shape == (2, 40)
    (place,) = tmp_path.iterdir()
    assert sorted(path.name for path in place.iterdir()) == [
        "benchmark.parquet", "model-000.parquet", "model-001.parquet", "seconds.csv",
    ]  # fmt: skip
    before = {path: path.stat().st_mtime_ns for path in place.iterdir()}
    assert (train(IMAGES, training, tmp_path).test == said.test).all()
    assert {path: path.stat().st_mtime_ns for path in place.iterdir()} == before


def test_without_pytorch_one_line_says_what_to_install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "torch", None)
    with pytest.raises(MissingPackageError, match=r"torch 2\.6 or newer \(pip install 'torch>=2\.6'\)"):
        train(IMAGES, Training(models=1, network=2), tmp_path)
