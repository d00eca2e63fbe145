"""The models of the ensemble: training and what is kept of it, and the whole run."""

import math
import shutil
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from numpy.typing import NDArray
from polars.testing import assert_frame_equal
from sklearn.linear_model import Ridge

from bribeproof._typing import FloatArray
from bribeproof.errors import DataError, FileError, ParameterError
from bribeproof.paper.ensemble.experiment.pipeline import TRAININGS, run_pipeline
from bribeproof.paper.ensemble.experiment.rates import held_out_rates
from bribeproof.paper.ensemble.experiment.run import run_experiment
from bribeproof.paper.ensemble.images.load import DATA, Images, load_images
from bribeproof.paper.ensemble.models.features import PatchBank
from bribeproof.paper.ensemble.models.train import Predictions, Training, train
from tests.paper.ensemble.noisy_images import pictures

SMALL = Training(models=4, sample=0.5, filters=5, patch=3, part=0.6, seed=1)


def hard_pictures() -> Images:
    """Images that are easily mistaken, most of one class, and darker where they are tested."""
    rng = np.random.default_rng(5)
    labels = np.minimum(rng.integers(6, size=240), 3) % 3
    pixels = np.clip(rng.integers(0, 90, (3, 7, 6, 3))[labels] + rng.integers(0, 166, (240, 7, 6, 3)), 0, 255)
    pixels[120:] //= 16
    pixels = pixels.astype(np.uint8)
    return Images(pixels[:120], labels[:120], pixels[120:], labels[120:], ("a", "b", "c"), "hard")


IMAGES, HARD = pictures(), hard_pictures()


def same(one: Predictions, other: Predictions) -> bool:
    return all(
        np.array_equal(getattr(one, name), getattr(other, name)) for name in ("train", "test", "seen", "benchmark")
    )


def ridge_scores(images: Images, training: Training, rows: NDArray[np.int64]) -> FloatArray:
    """Scores of scikit-learn's ridge regression on all features: images × classes."""
    drawn = PatchBank.draw(images.train, training.filters, training.patch, np.random.default_rng([training.seed, 0]))
    described = drawn.describe(np.concatenate([images.train, images.test])).astype(np.float16).astype(np.float64)
    known = described[: len(images.train)]
    described = (described - known.mean(axis=0)) / (known.std(axis=0) + 1e-3)
    target = np.eye(len(images.classes))[images.train_labels[rows]]
    scores: FloatArray = Ridge(alpha=training.ridge * len(rows)).fit(described[rows], target).predict(described)
    return scores


@pytest.mark.parametrize(("images", "least"), [(IMAGES, 0.9), (HARD, 0.5)], ids=["easy", "hard"])
def test_models_are_ridge_regressions(images: Images, least: float, tmp_path: Path) -> None:
    training, size = replace(SMALL, part=1.0, ridge=0.2), len(images.train)
    said = train(images, training, tmp_path)
    samples = [*(training.drawn(model, size) for model in range(4)), np.arange(size)]
    for found, rows in zip([*said.test, said.benchmark], samples, strict=True):
        scores = ridge_scores(images, training, rows)[size:]
        clear = np.diff(np.sort(scores, axis=1)[:, -2:])[:, 0] > 1e-4
        assert clear.mean() > 0.99
        np.testing.assert_array_equal(found[clear], scores.argmax(axis=1)[clear])
    scores = ridge_scores(images, training, samples[0])[:size]
    assert (said.train[0] == scores.argmax(axis=1)).mean() > 0.99
    assert (said.benchmark == images.test_labels).mean() > least


def test_models_see_their_share_and_differ() -> None:
    training = replace(SMALL, sample=0.4)
    samples = [training.drawn(model, 1000) for model in range(20)]
    for sample in samples:
        assert len(sample) == len(set(sample.tolist())) == 400
        assert (np.diff(sample) > 0).all()
        assert 0 <= sample[0] <= sample[-1] < 1000
    assert len({tuple(sample.tolist()) for sample in samples}) == 20
    overlaps = [len(np.intersect1d(samples[0], other)) for other in samples[1:]]
    assert np.mean(overlaps) == pytest.approx(160, abs=15)
    assert np.array_equal(training.drawn(3, 1000), replace(training, models=9, part=0.1).drawn(3, 1000))
    assert not np.array_equal(training.drawn(3, 1000), replace(training, seed=2).drawn(3, 1000))
    assert replace(training, sample=0.001).drawn(0, 90).size == 1
    assert replace(training, sample=1.0).drawn(0, 90).tolist() == list(range(90))


def test_what_models_have_seen_is_what_they_drew(tmp_path: Path) -> None:
    said = train(IMAGES, SMALL, tmp_path)
    assert said.seen.shape == said.train.shape == said.test.shape == (4, 90)
    for model, seen in enumerate(said.seen):
        assert np.flatnonzero(seen).tolist() == SMALL.drawn(model, 90).tolist()


def test_a_part_of_the_features_makes_models_differ(tmp_path: Path) -> None:
    images = pictures(200, classes=8)
    alike = train(images, replace(SMALL, sample=1.0, part=1.0), tmp_path)
    assert (alike.test == alike.benchmark).all()
    different = train(images, replace(SMALL, sample=1.0, part=0.1), tmp_path)
    assert len({tuple(row.tolist()) for row in (*different.test, different.benchmark)}) == 5


def test_more_models_are_the_same_and_some_more(tmp_path: Path) -> None:
    images = pictures(200, classes=8)
    five, ten = replace(SMALL, models=5, part=0.1), replace(SMALL, models=10, part=0.1)
    few = train(images, five, tmp_path / "grown")
    (folder,) = (tmp_path / "grown").iterdir()
    before = {path: path.stat().st_mtime_ns for path in folder.iterdir() if path.name != "seconds.csv"}
    many = train(images, ten, tmp_path / "grown")
    assert {path: path.stat().st_mtime_ns for path in before} == before
    assert len(list(folder.glob("model-*.parquet"))) == 10
    np.testing.assert_array_equal(many.train[:5], few.train)
    np.testing.assert_array_equal(many.test[:5], few.test)
    assert same(many, train(images, ten, tmp_path / "fresh"))
    assert same(few, train(images, five, tmp_path / "grown"))


_CHILD = """
import sys, time
from pathlib import Path
from bribeproof.paper.ensemble.images.load import load_images
from bribeproof.paper.ensemble.models.train import Training, train

def hold(_stage, _share):
    if len(list(Path(sys.argv[1]).glob("*/model-*.parquet"))) == 3:
        print("held", flush=True)
        time.sleep(600)

train(load_images("digits"), Training(models=12, filters=3, patch=3), Path(sys.argv[1]), hold)
"""


@pytest.mark.slow
def test_a_killed_run_goes_on_where_it_was(tmp_path: Path) -> None:
    command = [sys.executable, "-c", _CHILD, str(tmp_path / "killed")]
    with subprocess.Popen(command, stdout=subprocess.PIPE) as child:
        assert child.stdout is not None
        held = child.stdout.readline()
        child.kill()
    assert held == b"held\n"
    done = sorted((tmp_path / "killed").glob("*/*[0-9].*"))
    before = {path: path.stat().st_mtime_ns for path in done}
    digits, training = load_images("digits"), Training(models=12, filters=3, patch=3)
    assert 4 <= len(done) < 13
    resumed = train(digits, training, tmp_path / "killed")
    assert {path: path.stat().st_mtime_ns for path in done} == before
    assert same(resumed, train(digits, training, tmp_path / "whole"))


@pytest.mark.parametrize(
    "other",
    [{"seed": 2}, {"sample": 0.4}, {"filters": 6}, {"patch": 2}, {"part": 0.5}, {"ridge": 0.2}],
    ids=lambda change: next(iter(change)),
)
def test_what_was_trained_otherwise_is_not_used(other: dict[str, Any], tmp_path: Path) -> None:
    train(IMAGES, SMALL, tmp_path / "shared")
    changed = train(IMAGES, replace(SMALL, **other), tmp_path / "shared")
    assert len(list((tmp_path / "shared").iterdir())) == 2
    assert same(changed, train(IMAGES, replace(SMALL, **other), tmp_path / "own"))


@pytest.mark.parametrize("part", ["train", "test", "train_labels", "classes", "shape", "split"])
def test_what_was_trained_on_other_images_is_not_used(part: str, tmp_path: Path) -> None:
    changed: dict[str, Any]
    match part:
        case "classes":
            changed = {"classes": (*IMAGES.classes, "none")}
        case "shape":
            changed = {name: getattr(IMAGES, name).reshape(-1, 6, 7, 3) for name in ("train", "test")}
        case "split":
            pixels, labels = (
                np.concatenate([getattr(IMAGES, name + end) for name in ("train", "test")]) for end in ("", "_labels")
            )
            changed = {"train": pixels[:80], "test": pixels[80:]}
            changed |= {"train_labels": labels[:80], "test_labels": labels[80:]}
        case _:
            changed = {part: getattr(IMAGES, part).copy()}
            changed[part].flat[7] = (int(changed[part].flat[7]) + 1) % 3
    images = replace(IMAGES, **changed)
    train(IMAGES, SMALL, tmp_path / "shared")
    assert same(train(images, SMALL, tmp_path / "shared"), train(images, SMALL, tmp_path / "own"))
    assert len(list((tmp_path / "shared").iterdir())) == 2


def test_the_truth_of_test_images_is_not_used(tmp_path: Path) -> None:
    blind = replace(IMAGES, test_labels=np.zeros_like(IMAGES.test_labels))
    assert same(train(IMAGES, SMALL, tmp_path), train(blind, SMALL, tmp_path / "blind"))


def truncate(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:-20])


def empty(path: Path) -> None:
    path.write_bytes(b"")


def fewer(path: Path) -> None:
    if path.suffix == ".npy":
        np.save(path, np.load(path)[:1])
    else:
        pl.read_parquet(path, glob=False).head(5).write_parquet(path)


def other_type(path: Path) -> None:
    pl.read_parquet(path, glob=False).cast(pl.Float64).write_parquet(path)


@pytest.mark.parametrize(
    ("name", "damage"),
    [
        ("model-001.parquet", truncate),
        ("model-001.parquet", empty),
        ("model-001.parquet", fewer),
        ("benchmark.parquet", other_type),
        ("features-000000.npy", truncate),
        ("features-000000.npy", empty),
        ("features-000000.npy", fewer),
    ],
)
def test_a_broken_file_is_named_and_made_again_once_deleted(
    name: str, damage: Callable[[Path], None], tmp_path: Path
) -> None:
    whole = train(IMAGES, SMALL, tmp_path)
    (path,) = tmp_path.glob(f"*/{name}")
    damage(path)
    path.with_name("model-003.parquet").unlink()
    with pytest.raises(FileError, match=rf"{name}: .*; delete it and run again") as raised:
        train(IMAGES, SMALL, tmp_path)
    assert "\n" not in str(raised.value)
    path.unlink()
    assert same(train(IMAGES, SMALL, tmp_path), whole)


def test_a_folder_whose_name_looks_like_a_pattern(tmp_path: Path) -> None:
    said = train(IMAGES, SMALL, tmp_path / "[a]*" / "said=1")
    assert same(said, train(IMAGES, SMALL, tmp_path / "[a]*" / "said=1"))
    assert same(said, train(IMAGES, SMALL, tmp_path / "plain"))


def test_a_folder_that_cannot_be_made(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(FileError, match=r"file.pictures-.*: cannot be created \(.+\); name another folder"):
        train(IMAGES, SMALL, tmp_path / "file")


def test_too_many_classes_for_a_byte(tmp_path: Path) -> None:
    images = replace(IMAGES, classes=tuple(map(str, range(257))))
    with pytest.raises(DataError, match="257 classes; use at most 256"):
        train(images, SMALL, tmp_path)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("models", 0), ("models", 1.5), ("filters", 0), ("patch", 1), ("seed", -1), ("seed", None),
        ("sample", 0.0), ("sample", 1.1), ("sample", math.nan), ("part", 0.0), ("part", 2), ("ridge", 0.0),
        ("ridge", math.nan),
    ],
)  # fmt: skip
def test_training_refuses(name: str, value: Any) -> None:
    with pytest.raises(ParameterError, match=rf"{name}={value!r}: use a .* (at least|above|at most)"):
        replace(SMALL, **{name: value})


def test_the_run_is_its_parts(tmp_path: Path) -> None:
    training = replace(SMALL, models=11)
    told: list[tuple[str, float | None]] = []
    outcome = run_pipeline(HARD, "c", training, tmp_path, groups=3, report=lambda *said: told.append(said))
    said, truth = train(HARD, training, tmp_path), HARD.train_labels == 2
    rates = held_out_rates(said.train == 2, said.seen, truth)
    assert (outcome.target, outcome.rates.expert, outcome.rates.bounds) == ("c", rates.expert, rates.bounds)
    again = run_experiment(
        said.test == 2, HARD.test_labels == 2, said.benchmark == 2, rates.expert,
        counts=[0, 5, 10], groups=3, seed=1,
    )  # fmt: skip
    assert_frame_equal(outcome.experiment.table, again.table)
    assert list(dict.fromkeys(stage for stage, _ in told)) == ["Describing images", "Training"]
    for stage in ("Describing images", "Training"):
        shares = [done for name, done in told if name == stage and done is not None]
        assert shares == sorted(shares)
        assert shares[0] == 0
        assert shares[-1] < 1
    told.clear()
    shutil.rmtree(tmp_path)
    assert_frame_equal(run_pipeline(HARD, "c", training, tmp_path, groups=3).experiment.table, again.table)


def test_adversaries_are_at_most_95(tmp_path: Path) -> None:
    few = pictures(20, shape=(4, 4, 1))
    outcome = run_pipeline(few, "class 0", Training(models=103, filters=1, patch=2), tmp_path, groups=1)
    assert outcome.experiment.table["adversaries"].unique().sort().to_list() == list(range(0, 100, 5))


@pytest.mark.parametrize(
    ("target", "models", "groups", "message"),
    [
        ("cat", 6, 3, "target 'cat': the classes of pictures are class 0, class 1, class 2"),
        ("class 0", 5, 3, "models=5: use more than 5"),
        ("class 0", 6, 0, "groups = 0"),
    ],
)
def test_refused_before_any_work(target: str, models: int, groups: int, message: str, tmp_path: Path) -> None:
    with pytest.raises(ParameterError, match=message):
        run_pipeline(IMAGES, target, replace(SMALL, models=models), tmp_path, groups=groups)
    assert not list(tmp_path.iterdir())


def test_every_set_of_images_has_its_training() -> None:
    assert tuple(TRAININGS) == DATA
    assert all((found.models, found.sample) == (100, 0.4) for found in TRAININGS.values())
