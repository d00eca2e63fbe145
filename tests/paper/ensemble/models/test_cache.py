"""What training leaves: made once, and how long it took is known afterwards, killed runs included."""

import re
import time
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from bribeproof.errors import FileError
from bribeproof.paper.ensemble.models.cache import ModelCache
from bribeproof.paper.ensemble.models.train import Training, train
from tests.paper.ensemble.noisy_images import pictures


def slow() -> NDArray[np.uint8]:
    time.sleep(0.03)
    return np.arange(5, dtype=np.uint8)


def never() -> NDArray[np.uint8]:
    raise AssertionError("made twice")


def test_what_is_there_is_not_made_again(tmp_path: Path) -> None:
    kept = ModelCache(tmp_path / "new" / "folder")
    assert not kept.has("model-000.parquet")
    first = kept.predictions("model-000.parquet", 5, slow)
    assert kept.has("model-000.parquet")
    assert (
        ModelCache(kept.folder).predictions("model-000.parquet", 5, never).tolist() == first.tolist() == [0, 1, 2, 3, 4]
    )
    block = kept.features("features-000000.npy", (2, 3), lambda: np.full((2, 3), 1.5, np.float32))
    assert block.dtype == np.float16
    assert block.tolist() == [[1.5] * 3] * 2
    assert kept.features("features-000000.npy", (2, 3), lambda: np.zeros((2, 3), np.float32)).tolist() == block.tolist()


def test_seconds_are_those_of_what_is_there(tmp_path: Path) -> None:
    kept = ModelCache(tmp_path)
    assert kept.seconds() == {}
    for name in ("model-000.parquet", "model-001.parquet", "benchmark.parquet"):
        kept.predictions(name, 5, slow)
    spent = kept.seconds()
    assert set(spent) == {"model", "benchmark"}
    assert 0.06 <= spent["model"] <= 10
    lines = (tmp_path / "seconds.csv").read_text().splitlines()
    assert [line.partition(",")[0] for line in lines] == [f"model-00{i}.parquet" for i in (0, 1)] + [
        "benchmark.parquet"
    ]
    (tmp_path / "model-001.parquet").unlink()
    assert kept.seconds()["model"] == float(lines[0].partition(",")[2])


def test_what_is_made_again_counts_once_and_broken_lines_do_not(tmp_path: Path) -> None:
    kept = ModelCache(tmp_path)
    kept.predictions("model-000.parquet", 5, slow)
    (tmp_path / "seconds.csv").write_bytes(
        b"model-000.parquet,1000.000\nmodel-000.parquet,2.500\nmodel-000.parquet,\nodd,7.0\n\xff\xfe\nbenchmark.parqu"
    )
    assert kept.seconds() == {"model": 2.5}


def test_a_training_knows_its_time(tmp_path: Path) -> None:
    training = Training(models=3, sample=0.5, filters=5, patch=3)
    first = train(pictures(), training, tmp_path)
    assert set(first.seconds) == {"features", "model", "benchmark"}
    assert min(first.seconds.values()) >= 0
    assert train(pictures(), training, tmp_path).seconds == first.seconds


def test_times_that_cannot_be_written(tmp_path: Path) -> None:
    (tmp_path / "seconds.csv").mkdir()
    with pytest.raises(FileError, match=re.escape(f"{tmp_path / 'seconds.csv'}: cannot be written (")):
        ModelCache(tmp_path).predictions("model-000.parquet", 5, slow)
    with pytest.raises(FileError, match="cannot be read"):
        ModelCache(tmp_path).seconds()
