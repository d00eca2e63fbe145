"""``bribeproof paper ensemble``: what it prints, writes and refuses."""

import json
import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import lru_cache
from itertools import chain
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from polars.testing import assert_frame_equal

from bribeproof.paper.ensemble.experiment import rules
from bribeproof.paper.ensemble.experiment.pipeline import TRAININGS, ExperimentResult, run_pipeline
from bribeproof.paper.ensemble.images.load import load_images
from bribeproof.paper.ensemble.report.figures import FIGURES
from bribeproof.paper.ensemble.report.leads import pairwise_lead
from bribeproof.paper.ensemble.report.observations import observe
from tests.cli.command import call, document, start

QUICK = ("paper", "ensemble", "--models", 11, "--groups", 3, "--filters", 6)
GUARANTEED = ("optimal (squared)", "pairwise (squared)")
READERS: dict[str, Callable[[Path], pl.DataFrame]] = {
    ".csv": pl.read_csv,
    ".tsv": lambda path: pl.read_csv(path, separator="\t"),
    ".parquet": pl.read_parquet,
    ".ndjson": pl.read_ndjson,
    ".json": pl.read_json,
}


@pytest.fixture(scope="module", autouse=True)
def _solved_once() -> Iterator[None]:
    """Solve each game once for all tests: most of them run the same experiment."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(rules, "_pairwise", lru_cache(maxsize=None)(rules._pairwise))
        yield


@pytest.fixture(scope="module")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("cache")


@pytest.fixture(scope="module")
def expected(tmp_path_factory: pytest.TempPathFactory) -> ExperimentResult:
    return outcome(tmp_path_factory.mktemp("own"))


def outcome(folder: Path, seed: int = 0) -> ExperimentResult:
    """Return what the command should tell of."""
    training = replace(TRAININGS["digits"], models=11, filters=6, seed=seed)
    return run_pipeline(load_images("digits", seed=seed), "8", training, folder, groups=3)


def pets(folder: Path) -> Path:
    """Write images of two classes, one of whose names would move the cursor."""
    from PIL import Image

    rng = np.random.default_rng(0)
    for part, count in (("train", 60), ("test", 20)):
        for shade, name in ((40, "dog"), (160, "cat\x1b[31m")):
            (folder / part / name).mkdir(parents=True)
            for number in range(count):
                pixels = (shade + rng.integers(0, 60, (8, 8, 3))) * np.linspace(0.4, 1, 8)[:, None]
                Image.fromarray(pixels.astype(np.uint8)).save(folder / part / name / f"{number}.png")
    return folder


def test_what_is_printed(cache: Path, expected: ExperimentResult) -> None:
    done = call(*QUICK, "--cache", cache)
    assert (done.status, done.err) == (0, "")
    first, *lines = done.out.splitlines()
    found, expert = expected.experiment, expected.rates.expert
    assert first.startswith("11 models, 540 test images; target: 8. ")
    assert f"Of the training images {expert.prior:.1%} are of it; " in first
    assert f"yes to {expert.tpr:.1%} of those and to {expert.fpr:.1%} of the others" in first
    assert f"is right on {np.mean(found.rates['accuracy'].to_list()):.1%}; " in first
    assert first.endswith(f"Trained on everything: {found.benchmark_accuracy:.1%}.")
    table = [line.split() for line in lines if re.match(r" *\d", line)]
    known = found.table.filter(pl.col("assumed_k").is_null() | (pl.col("assumed_k") == pl.col("adversaries")))
    for row, count in zip(table, (0, 5, 10), strict=True):
        extreme = known.filter(strategy="extreme", adversaries=count)
        losses = dict(extreme.select("rule", "squared_loss").iter_rows())
        shown = [losses[name] for name in (*GUARANTEED, "trimmed mean", "majority", "mean")]
        promised = [extreme.filter(rule=rule)["guarantee"][0] for rule in GUARANTEED]
        assert [float(number) for number in row] == pytest.approx([count, *shown, *promised], abs=5.1e-5)
    assert f"below the breakdown point, {pairwise_lead(found, 'extreme')}" in done.out
    said = [line for line in lines if line.startswith(("true: ", "not so: "))]
    assert said == [f"{'true' if one.holds else 'not so'}: {one.statement} ({one.evidence})" for one in observe(found)]


def test_json_is_all_of_the_run(cache: Path, expected: ExperimentResult) -> None:
    told = document(*QUICK, "--cache", cache)
    found, rates = expected.experiment, expected.rates
    assert (told["target"], told["models"], told["images"], told["confidence"]) == ("8", 11, 540, 0.95)
    assert told["benchmark_accuracy"] == pytest.approx(found.benchmark_accuracy)
    assert told["error_correlation"] == pytest.approx(found.error_correlation)
    for name in ("prior", "tpr", "fpr"):
        assert told["expert"][name] == pytest.approx(getattr(rates.expert, name))
        assert told["bounds"][name] == pytest.approx(getattr(rates.bounds, name))
    assert told["expert"]["correlations"] == pytest.approx(rates.expert.correlations)
    assert told["bounds"]["tpr"] < told["expert"]["tpr"]
    assert told["bounds"]["fpr"] > told["expert"]["fpr"]
    for name, table in (
        ("table", found.table), ("models_held_out", rates.models), ("models_on_test_images", found.rates)
    ):  # fmt: skip
        assert_frame_equal(pl.DataFrame(told[name], schema=table.schema), table)
    assert [(one["name"], one["statement"], one["holds"], one["evidence"]) for one in told["observations"]] == [
        (one.name, one.statement, one.holds, one.evidence) for one in observe(found)
    ]


@pytest.mark.parametrize("ending", READERS)
def test_all_rows_are_written(ending: str, cache: Path, expected: ExperimentResult, tmp_path: Path) -> None:
    output = tmp_path / f"rows{ending}"
    done = call(*QUICK, "--cache", cache, "-o", output)
    table = expected.experiment.table
    assert (done.status, done.err) == (0, f"note: wrote {table.height:,} rows to {output}\n")
    assert_frame_equal(READERS[ending](output), table)


@pytest.mark.slow
def test_five_figures_are_drawn_or_one(cache: Path, tmp_path: Path) -> None:
    figures = tmp_path / "figures"
    figures.mkdir()
    done = call(*QUICK, "--cache", cache, "--figures", figures)
    assert (done.status, done.err) == (0, f"note: drew 5 figures into {figures}\n")
    assert sorted(path.name for path in figures.iterdir()) == sorted(f"digits-{name}.svg" for name in FIGURES)
    for name in FIGURES:
        one = tmp_path / f"{name}.svg"
        done = call(*QUICK, "--cache", cache, "--figure", name, one)
        assert (done.status, done.err) == (0, f"note: drew {name} into {one}\n")
        assert one.read_bytes() == (figures / f"digits-{name}.svg").read_bytes()


def test_figures_that_are_not_drawn(cache: Path, tmp_path: Path) -> None:
    for arguments, words in (
        (("--figure", "accuracy", tmp_path / "no" / "a.svg"), "there is no folder"),
        (("--figure", "accuracy", tmp_path / "a.txt"), "its ending must be .png, .svg or .pdf"),
        (("--figure", "losses", tmp_path / "a.svg"), "--figure"),
    ):
        done = call(*QUICK, "--cache", cache, *arguments)
        assert (done.status, done.out) == (2, "")
        assert words in done.err
    assert not list(tmp_path.iterdir())


def test_json_is_all_that_is_printed(cache: Path, tmp_path: Path) -> None:
    done = call(*QUICK, "--cache", cache, "-o", tmp_path / "rows.csv", "--figures", tmp_path, "--json")
    assert (done.status, done.err) == (0, "")
    assert json.loads(done.out)["models"] == 11
    assert len(list(tmp_path.iterdir())) == 6


@pytest.mark.slow
def test_options_are_heard(cache: Path, tmp_path: Path) -> None:
    def told(*options: object) -> dict[str, Any]:
        given: dict[object, object] = dict(zip(QUICK[2::2], QUICK[3::2], strict=True))
        given |= dict(zip(options[::2], options[1::2], strict=True))
        return document("paper", "ensemble", "--cache", cache, *chain(*given.items()))

    other = told("--target", "1")
    assert (other["target"], other["expert"] == told()["expert"]) == ("1", False)
    table = outcome(tmp_path, seed=1).experiment.table
    assert_frame_equal(pl.DataFrame(told("--seed", 1)["table"], schema=table.schema), table)
    assert told("--filters", 3)["expert"] != told()["expert"]
    assert len(told("--models", 7)["models_held_out"]) == 7
    spread, fewer = (
        [row["squared_loss_sd"] for row in found["table"] if row["strategy"] == "random" and row["adversaries"]]
        for found in (told(), told("--groups", 1))
    )
    assert None not in spread
    assert set(fewer) == {None}
    assert len(list(cache.iterdir())) == 3, "one folder for each way to train, whatever the target and groups"


@pytest.mark.slow
def test_nothing_is_written_but_the_cache_and_what_is_asked_for(tmp_path: Path) -> None:
    home = tmp_path / "home"
    home.mkdir()
    done = start(*QUICK, "--cache", tmp_path / "a/cache", "-o", tmp_path / "rows.csv", HOME=str(home),
                 XDG_CACHE_HOME=str(home))  # fmt: skip
    assert done.status == 0, done
    (folder,) = (tmp_path / "a/cache").iterdir()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a", "home", "rows.csv"]
    assert not list(home.iterdir())
    models = [f"model-{number:03}.parquet" for number in range(11)]
    assert sorted(path.name for path in folder.iterdir()) == [
            "benchmark.parquet", "features-000000.npy", *models, "seconds.csv",
        ]  # fmt: skip


@pytest.mark.parametrize("variable", ["XDG_CACHE_HOME", "HOME"])
def test_the_usual_cache_is_the_user_s(variable: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    monkeypatch.setenv(variable, str(tmp_path))
    assert call(*QUICK).status == 0
    place = tmp_path / ("bribeproof" if variable == "XDG_CACHE_HOME" else ".cache/bribeproof")
    assert [path.name[:7] for path in place.iterdir()] == ["digits-"]


def test_images_of_one_s_own(tmp_path: Path) -> None:
    folder = pets(tmp_path / "pets")
    base = ("paper", "ensemble", "--data", "cifar10", "--path", folder, "--models", 6, "--groups", 1, "--filters", 4)
    done = call(*base, "--target", "cat\x1b[31m", "--cache", tmp_path / "cache")
    assert done.status == 0, done
    assert "target: cat\\x1b[31m. Of the training images 49.6% are" in done.out
    assert "\x1b" not in done.out
    assert "target 'cat': the classes of cifar10 are" in call(*base, "--cache", tmp_path / "cache").refused()


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (("--target", "cat"), "target 'cat': the classes of digits are 0, 1, 2, 3, 4, 5, 6, 7, 8, 9"),
        (("--target", ""), "target ''"),
        (("--path", "."), "digits come with scikit-learn; leave the path out"),
        (("--figures", "nowhere"), "--figures nowhere: there is no such folder"),
        (("--models", 0), "models=0"),
        (("--models", 5), "models=5: use more than 5"),
        (("--models", 1.5), "1.5"),
        (("--filters", 0), "filters=0"),
        (("--groups", 0), "groups = 0"),
        (("--seed", -1), "seed"),
        (("--data", "imagenet"), "imagenet"),
        (("--data", "cifar10"), "cifar10 needs the folder"),
        (("--data", "fashion-mnist", "--path", "nowhere"), "nowhere: no such folder"),
        (("-o", "rows.doc"), "-o rows.doc: its ending must be .csv"),
        (("-o", "nowhere/rows.csv"), "there is no folder nowhere"),
    ],
)
def test_refused_before_any_work(
    options: tuple[object, ...], words: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert words in call("paper", "ensemble", "--cache", tmp_path / "cache", *options).refused()
    assert not list(tmp_path.iterdir())


def test_a_broken_cache_is_refused(tmp_path: Path) -> None:
    assert call(*QUICK, "--cache", tmp_path).status == 0
    (path,) = tmp_path.glob("*/model-004.parquet")
    path.write_bytes(path.read_bytes()[:100])
    assert "model-004.parquet: not a whole Parquet file" in call(*QUICK, "--cache", tmp_path).refused()


def test_a_cache_that_is_a_file(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("kept")
    assert "cannot be created" in call(*QUICK, "--cache", tmp_path / "file").refused()
    assert (tmp_path / "file").read_text() == "kept"
