"""The voting classifier as scikit-learn's own: its checks, tables, searches, weights, routing, and what is refused."""

import pickle
import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import joblib
import numpy as np
import pandas as pd
import polars as pl
import pytest
import scipy.sparse
import sklearn
from sklearn.base import clone
from sklearn.datasets import make_classification
from sklearn.ensemble import VotingClassifier
from sklearn.exceptions import NotFittedError
from sklearn.frozen import FrozenEstimator
from sklearn.linear_model import LinearRegression
from sklearn.model_selection import GridSearchCV, KFold, cross_val_score
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier
from sklearn.utils.estimator_checks import parametrize_with_checks

import bribeproof as bp
from bribeproof.learn import RobustVotingClassifier
from tests.learn.stub_models import Column, Demanding, Weighed, columns, fitted

SAMPLES, CLASSES = make_classification(200, 6, class_sep=1.5, random_state=0)
TRUTH = np.array([0, 1] * 10)
VOTES = np.repeat(TRUTH[:, None], 3, axis=1)


def models() -> list[tuple[str, Any]]:
    return [
        ("bayes", GaussianNB()),
        ("tree", DecisionTreeClassifier(max_depth=3, random_state=0)),
        ("deep", DecisionTreeClassifier(random_state=1)),
    ]


@parametrize_with_checks([RobustVotingClassifier(models(), cv=2)])  # type: ignore[untyped-decorator]
@pytest.mark.filterwarnings("default", "ignore::RuntimeWarning")
def test_scikit_learn_takes_it_for_one_of_its_own(estimator: Any, check: Any) -> None:
    check(estimator)


def test_frames_give_what_arrays_give() -> None:
    plain = RobustVotingClassifier(models(), cv=3).fit(SAMPLES, CLASSES)
    names = [f"f{place}" for place in range(6)]
    for frame in (pd.DataFrame(SAMPLES, columns=names), pl.DataFrame(SAMPLES, schema=names)):
        vote = RobustVotingClassifier(models(), cv=3).fit(frame, CLASSES)
        assert vote.predict_proba(frame).tolist() == plain.predict_proba(SAMPLES).tolist()
        assert vote.feature_names_in_.tolist() == names
        assert not hasattr(vote.fit(SAMPLES, CLASSES), "feature_names_in_")
    assert not hasattr(plain, "feature_names_in_")
    assert plain.n_features_in_ == 6


def test_sparse_samples() -> None:
    pair = [(f"n{k}", KNeighborsClassifier(k)) for k in (3, 5, 7)]
    vote = RobustVotingClassifier(pair, cv=2)
    dense = vote.fit(SAMPLES, CLASSES).predict(SAMPLES).tolist()
    sparse = scipy.sparse.csr_array(SAMPLES)
    assert vote.fit(sparse, CLASSES).predict(sparse).tolist() == dense


@pytest.mark.parametrize("names", [["ham", "spam"], [False, True], [-1.0, 1.0]])
def test_classes_come_back_as_they_were_given(names: list[Any]) -> None:
    classes = np.array(names)[CLASSES]
    vote = RobustVotingClassifier(models(), cv=2).fit(SAMPLES, classes)
    assert vote.classes_.tolist() == names
    assert vote.predict(SAMPLES).dtype == classes.dtype
    assert set(vote.votes(SAMPLES).ravel().tolist()) == set(names)
    assert vote.score(SAMPLES, classes) > 0.85


@pytest.mark.parametrize("names", [[0, 1], ["ham", "spam"]])
@pytest.mark.parametrize("output", ["default", "pandas", "polars"])
def test_it_transforms_as_a_voting_classifier_does(names: list[Any], output: str) -> None:
    classes = np.array(names)[CLASSES]
    dropped = [*models(), ("gone", "drop")]
    mine = RobustVotingClassifier(dropped, cv=2).set_output(transform=output).fit(SAMPLES, classes)
    theirs = VotingClassifier(dropped).set_output(transform=output).fit(SAMPLES, classes)
    expected = [name.removeprefix("voting") for name in theirs.get_feature_names_out()]
    assert [name.removeprefix("robustvoting") for name in mine.get_feature_names_out()] == expected
    for result, reference in (
        (mine.transform(SAMPLES), theirs.transform(SAMPLES)),
        (mine.fit_transform(SAMPLES, classes), theirs.fit_transform(SAMPLES, classes)),
    ):
        assert type(result) is type(reference)
        assert np.asarray(result).dtype == np.asarray(reference).dtype
        assert np.asarray(result).tolist() == np.asarray(reference).tolist()
        if output != "default":
            assert list(result.columns) == mine.get_feature_names_out().tolist()
    assert np.array(names)[np.asarray(mine.transform(SAMPLES))].tolist() == mine.votes(SAMPLES).tolist()
    for model in (mine, theirs):
        with pytest.raises(ValueError, match="input_features"):
            model.get_feature_names_out(["one", "two"])
        with pytest.raises(NotFittedError):
            clone(model).get_feature_names_out()


def test_its_votes_are_features_of_another_model() -> None:
    line = make_pipeline(RobustVotingClassifier(models(), cv=2), DecisionTreeClassifier(random_state=0))
    assert line.fit(SAMPLES, CLASSES).score(SAMPLES, CLASSES) > 0.9
    votes = fitted(3, VOTES, TRUTH)
    vote = RobustVotingClassifier(votes, prefit=True).fit(VOTES, TRUTH)
    assert vote.transform([[0, 1, 7]]).tolist() == [[0, 1, -1]]


def test_search_over_k_scores_and_pipelines() -> None:
    line = make_pipeline(StandardScaler(), RobustVotingClassifier(models(), cv=2))
    assert cross_val_score(line, SAMPLES, CLASSES, cv=2).min() > 0.8
    grid = {"robustvotingclassifier__k": [0, 1], "robustvotingclassifier__tree__max_depth": [1, 3]}
    search = GridSearchCV(line, grid, cv=2, scoring="neg_brier_score").fit(SAMPLES, CLASSES)
    assert len(search.cv_results_["params"]) == 4
    assert np.unique(search.cv_results_["mean_test_score"]).size > 1
    assert search.best_params_["robustvotingclassifier__k"] == 0


def test_frozen_models_are_kept_where_a_search_clones() -> None:
    ready = [(name, FrozenEstimator(model.fit(SAMPLES[:100], CLASSES[:100]))) for name, model in models()]
    search = GridSearchCV(RobustVotingClassifier(ready, cv=2), {"k": [0, 1]}, cv=2).fit(SAMPLES[100:], CLASSES[100:])
    expected = [model.predict(SAMPLES).tolist() for _, model in ready]
    assert search.best_estimator_.votes(SAMPLES).T.tolist() == expected


def test_fitted_models_stay_as_they_are() -> None:
    ready = [(name, model.fit(SAMPLES[:100], CLASSES[:100])) for name, model in models()]
    vote = RobustVotingClassifier(ready, prefit=True).fit(SAMPLES[100:], CLASSES[100:])
    assert all(mine is model for mine, (_, model) in zip(vote.estimators_, ready, strict=True))
    with pytest.raises(NotFittedError):
        RobustVotingClassifier(models(), prefit=True).fit(SAMPLES, CLASSES)


def test_copies() -> None:
    vote = RobustVotingClassifier(models(), cv=2, loss=bp.theory.cost(false_positive=1, false_negative=2)).fit(
        SAMPLES, CLASSES
    )
    again = pickle.loads(pickle.dumps(vote))  # noqa: S301
    assert again.predict_proba(SAMPLES).tolist() == vote.predict_proba(SAMPLES).tolist()
    assert (again.rule_, again.guarantee_, again.expert_) == (vote.rule_, vote.guarantee_, vote.expert_)
    fresh = clone(vote)
    assert not hasattr(fresh, "estimators_")
    assert fresh.fit(SAMPLES, CLASSES).rule_ == vote.rule_


def test_parameters_of_models_and_dropping_one() -> None:
    vote = RobustVotingClassifier(columns(4), k=1)
    assert vote.get_params()["m2__place"] == 2
    assert "m2" not in vote.get_params(deep=False)
    votes = np.column_stack([VOTES, 1 - TRUTH])
    vote.set_params(m0__place=1, m3="drop").fit(votes, TRUTH)
    assert [model.place for model in vote.estimators_] == [1, 1, 2]
    assert vote.named_estimators_["m3"] == "drop"
    assert vote.expert_ == bp.ExpertInterval((0.5, 0.5), 1, 0, joint_error_rates=(0, 0))
    again = vote.set_params(m3=Column(3)).fit(votes, TRUTH).expert_
    assert isinstance(again, bp.ExpertInterval)
    assert again.tpr == pytest.approx(2 / 3)
    with pytest.raises(bp.ParameterError, match=r"n = 2 with k = 1"):
        vote.set_params(m2="drop", m3="drop").fit(votes, TRUTH)


def test_tags_are_those_that_all_models_bear() -> None:
    sparse, dense = ("sparse", KNeighborsClassifier()), ("dense", GaussianNB())
    for three, expected in (([sparse, ("no", "drop")], True), ([sparse, dense], False), ([GaussianNB()], True)):
        assert sklearn.utils.get_tags(RobustVotingClassifier(three)).input_tags.sparse is expected


def test_weights_reach_the_models() -> None:
    weight = np.arange(20.0)
    vote = RobustVotingClassifier(columns(3, Weighed), cv=2).fit(VOTES, TRUTH, sample_weight=weight)
    assert [model.weight_.tolist() for model in vote.estimators_] == [weight.tolist()] * 3
    samples = np.column_stack([VOTES, weight])
    assert RobustVotingClassifier(columns(3, Demanding), cv=2).fit(samples, TRUTH, sample_weight=weight).k == 1
    with pytest.raises(TypeError, match="sample_weight"):
        RobustVotingClassifier(columns(3)).fit(VOTES, TRUTH, sample_weight=weight)
    with pytest.raises(bp.ParameterError, match="'colour'"):
        RobustVotingClassifier(columns(3)).fit(VOTES, TRUTH, colour=weight)


def test_weights_weigh_what_is_learnt_as_repeated_samples_do() -> None:
    votes = np.array([[1, 1, 0], [0, 1, 1], [1, 0, 0], [0, 0, 0], [0, 0, 1]])
    truth, times = np.array([1, 1, 1, 0, 0]), np.array([2, 1, 0, 3, 1])
    ready = fitted(3, votes, truth)
    one = RobustVotingClassifier(ready, prefit=True).fit(votes, truth, sample_weight=times)
    two = RobustVotingClassifier(ready, prefit=True).fit(np.repeat(votes, times, axis=0), np.repeat(truth, times))
    assert one.predict_proba(votes) == pytest.approx(two.predict_proba(votes))
    assert isinstance(one.expert_, bp.ExpertInterval)
    assert one.expert_.prior[0] == pytest.approx(3 / 7)
    for weight in (times - 1, times * 0, times[:3], times * np.nan):
        with pytest.raises(bp.ParameterError, match="sample_weight"):
            RobustVotingClassifier(ready, prefit=True).fit(votes, truth, sample_weight=weight)
    assert one.guarantee_ is None
    assert one.plugin_guarantee_ is not None
    assert two.guarantee_ is not None


@pytest.fixture
def routing() -> Iterator[None]:
    with sklearn.config_context(enable_metadata_routing=True):
        yield


@pytest.mark.usefixtures("routing")
def test_metadata_go_to_the_models_that_ask_for_them() -> None:
    weight = np.arange(20.0)
    asks, declines = Weighed(0).set_fit_request(sample_weight=True), Weighed(1).set_fit_request(sample_weight=False)
    three = [("asks", asks), ("declines", declines), ("never", Column(2))]
    vote = RobustVotingClassifier(three, cv=2).fit(VOTES, TRUTH, sample_weight=weight)
    assert [getattr(model, "weight_", None) is not None for model in vote.estimators_] == [True, False, False]
    assert RobustVotingClassifier(three, cv=2).fit(VOTES, TRUTH).predict(VOTES).tolist() == TRUTH.tolist()
    with pytest.raises(TypeError, match="colour"):
        RobustVotingClassifier(three, cv=2).fit(VOTES, TRUTH, colour=weight)


def test_models_are_fitted_side_by_side_with_the_same_result() -> None:
    with joblib.parallel_config(backend="threading"):
        two = RobustVotingClassifier(models(), cv=KFold(2), n_jobs=2).fit(SAMPLES, CLASSES)
    assert two.rule_ == RobustVotingClassifier(models(), cv=KFold(2)).fit(SAMPLES, CLASSES).rule_


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"k": 2}, r"k <= 1"),
        ({"k": -1}, "k = -1"),
        ({"k": 0.5}, "k = 0.5"),
        ({"loss": "hinge"}, "hinge"),
        ({"expert": bp.MultiExpert((0.5, 0.5), (0.9, 0.9))}, "give an Expert"),
        ({"expert": 0.9}, "does not fit the 2 classes"),
        ({"confidence": 1.5}, "confidence"),
        ({"estimators": []}, "at least one"),
        ({"estimators": [("a", "drop")]}, "at least one"),
        ({"estimators": [Column()]}, "list of"),
        ({"estimators": [("a", LinearRegression())]}, "not a classifier"),
        ({"estimators": [("a", Column()), ("a", Column())]}, "unique"),
    ],
)
def test_what_is_refused(changes: dict[str, Any], message: str) -> None:
    vote = RobustVotingClassifier(columns(3)).set_params(**changes)
    with pytest.raises(ValueError, match=message):
        vote.fit(VOTES, TRUTH)


@pytest.mark.parametrize("estimators", [None, [Column()], [("a", LinearRegression())]])
def test_wrong_types_are_type_errors(estimators: Any) -> None:
    with pytest.raises(bp.ParameterTypeError):
        RobustVotingClassifier(estimators).fit(VOTES, TRUTH)


def test_classes_that_do_not_fit() -> None:
    with pytest.raises(bp.DataError, match="1 class"):
        RobustVotingClassifier(columns(3)).fit(VOTES, np.ones(20))
    with pytest.raises(bp.DataError, match=r"votes for .*which is no class of y"):
        RobustVotingClassifier(fitted(3, VOTES, TRUTH), prefit=True).fit(VOTES, np.array(["no", "yes"])[TRUTH])
    with pytest.raises(bp.DataError, match="20 samples and y 10"):
        RobustVotingClassifier(fitted(3, VOTES, TRUTH), prefit=True).fit(VOTES, TRUTH[:10])
    three = np.arange(21) % 3
    votes = np.repeat(three[:, None], 3, axis=1)
    for expert in (bp.Expert(0.5, 0.9, 0.1), bp.MultiExpert((0.5, 0.5), (0.9, 0.9))):
        with pytest.raises(bp.ParameterError, match="MultiExpert of 3 states"):
            RobustVotingClassifier(columns(3), expert=expert).fit(votes, three)
    with pytest.raises(bp.ParameterError, match="confidence"):
        RobustVotingClassifier(columns(3), confidence=1.5).fit(votes, three)
    with pytest.raises(NotFittedError):
        RobustVotingClassifier(columns(3)).predict(VOTES)


def test_without_scikit_learn_one_line_says_what_to_install() -> None:
    code = "import sys; sys.modules['sklearn'] = None; import bribeproof; import bribeproof.learn"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    last = run.stderr.strip().splitlines()[-1]
    assert last.startswith("bribeproof.errors.MissingPackageError: bribeproof.learn needs scikit-learn 1.6.1 or newer")
    assert "pip install 'scikit-learn>=1.6.1'" in last
