"""What the experiment takes, and what it refuses in words."""

import re
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from polars.testing import assert_frame_equal

from bribeproof.errors import DataError, ParameterError
from bribeproof.paper.ensemble.experiment.run import Experiment, run_experiment
from bribeproof.theory import Expert
from tests.paper.ensemble.experiment.ensembles import drawn


def test_numpy_counts_and_a_generator_of_counts_are_welcome() -> None:
    ensemble, expert = drawn(8, 20), Expert(0.4, 0.7, 0.2)
    whole = run_experiment(*ensemble, expert, counts=[0, 2], groups=2).table
    for counts in (np.array([0, 2]), (2 * each for each in range(2))):
        assert_frame_equal(run_experiment(*ensemble, expert, counts=counts, groups=2).table, whole)


def test_the_default_counts_are_the_papers() -> None:
    found = run_experiment(*drawn(100, 50), Expert(0.4, 0.75, 0.2), groups=2)
    assert found.table["adversaries"].unique().sort().to_list() == list(range(0, 100, 5))
    assert (found.models, found.images, found.expert) == (100, 50, Expert(0.4, 0.75, 0.2))


def test_one_truth_alone_is_enough() -> None:
    votes = np.array([[True, False], [True, True]])
    found = run_experiment(votes, np.array([True, True]), np.array([True, True]), Expert(0.5, 0.75, 0.25), counts=[1])
    assert found.rates["fpr"].to_list() == [None, None]
    assert found.rates["tpr"].to_list() == [0.5, 1.0]


GOOD, KNOWN = drawn(4, 5), Expert(0.4, 0.7, 0.2)


def attempt(ensemble: Sequence[Any] = GOOD, expert: Any = KNOWN, **options: Any) -> Experiment:
    votes, truth, benchmark = ensemble
    return run_experiment(votes, truth, benchmark, expert, **({"counts": [0, 3]} | options))


def test_what_all_bad_attempts_differ_from_is_good() -> None:
    assert attempt().images == 5


@pytest.mark.parametrize(
    ("bad", "message"),
    [
        ((GOOD[0].astype(int), *GOOD[1:]), "votes is type int64"),
        ((GOOD[0], GOOD[1].astype(float), GOOD[2]), "truth is type float64"),
        ((*GOOD[:2], GOOD[2].tolist()), "benchmark is a list"),
        ((GOOD[0][0], *GOOD[1:]), "votes has shape (5,)"),
        ((GOOD[0][:0], *GOOD[1:]), "votes has shape (0, 5)"),
        ((GOOD[0][:, :0], GOOD[1][:0], GOOD[2][:0]), "votes has shape (4, 0)"),
        ((GOOD[0], GOOD[1][:4], GOOD[2]), "truth has 4 images and votes has 5"),
        ((*GOOD[:2], np.append(GOOD[2], True)), "benchmark has 6 images and votes has 5"),
        ((GOOD[0], np.bool_(True), GOOD[2]), "truth is a bool"),
        ((GOOD[0], np.array(True), GOOD[2]), "truth has shape ()"),
        ((GOOD[0], GOOD[1][None], GOOD[2]), "truth has shape (1, 5)"),
        ((GOOD[0].T, *GOOD[1:]), "truth has 5 images and votes has 4"),
    ],
)
def test_arrays_of_another_kind_or_shape_are_refused(bad: Sequence[Any], message: str) -> None:
    with pytest.raises(DataError, match=re.escape(message)):
        attempt(bad)


@given(st.integers(1, 4), st.integers(1, 4), st.integers(1, 4), st.integers(1, 4))
def test_numbers_of_images_must_agree(models: int, images: int, truths: int, benchmarks: int) -> None:
    ensemble = np.ones((models, images), bool), np.ones(truths, bool), np.ones(benchmarks, bool)
    if images == truths == benchmarks:
        assert attempt(ensemble, counts=[0]).images == images
    else:
        with pytest.raises(DataError, match="give as many"):
            attempt(ensemble, counts=[0])


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"counts": []}, "counts is empty"),
        ({"counts": [0, 4]}, "counts holds 4"),
        ({"counts": [2, 2]}, "counts holds 2 more than once"),
        ({"counts": [-1]}, "counts = -1 is too small"),
        ({"counts": [1.5]}, "counts = 1.5 is not an integer"),
        ({"counts": [True]}, "counts = True is a boolean"),
        ({"groups": 0}, "groups = 0 is too small"),
        ({"groups": 2.5}, "groups = 2.5 is not an integer"),
        ({"seed": -1}, "seed = -1 is too small"),
        ({"seed": None}, "seed = None is not an integer"),
        ({"expert": (0.4, 0.7, 0.2)}, "is not an Expert"),
    ],
)
def test_parameters_outside_their_range_are_refused(options: dict[str, Any], message: str) -> None:
    with pytest.raises(ParameterError, match=re.escape(message)):
        attempt(**options)


@given(st.integers(1, 6), st.integers(0, 12))
def test_adversaries_must_be_fewer_than_models(models: int, k: int) -> None:
    ensemble = np.ones((models, 2), bool), np.ones(2, bool), np.ones(2, bool)
    if k < models:
        assert set(attempt(ensemble, counts=[k]).table["adversaries"]) == {0, k}
    else:
        with pytest.raises(ParameterError, match=f"give at most {models - 1}"):
            attempt(ensemble, counts=[k])
