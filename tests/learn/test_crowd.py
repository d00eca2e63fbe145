"""The trimmed vote against crowd-kit's majority vote, and against counting by hand."""

import pickle
import warnings
from typing import Any

import pandas as pd
import polars as pl
import pytest
from sklearn.base import clone

import bribeproof as bp
from bribeproof.learn import TrimmedVote
from tests.paths import SHARED

CROWD = SHARED / "data" / "crowd"

BALLOTS = {
    "task": ["t2"] * 6 + ["t1"] * 5 + ["t3"] * 2,
    "worker": [*"abcdef", *"abcde", *"ab"],
    "label": [*"AAAABB", *"BBBCA", *"AA"],
}


def real(name: str) -> pd.DataFrame:
    path = CROWD / f"{name}.csv"
    if not path.exists():
        pytest.skip(f"{path.name} is not beside the project")
    frame = pd.read_csv(path)
    return frame.drop_duplicates(["task", "worker"])


def majority(votes: pd.DataFrame) -> Any:
    crowdkit = pytest.importorskip("crowdkit.aggregation", reason="crowd-kit is not installed")
    with warnings.catch_warnings():
        # crowd-kit calls pandas in ways that it is about to give up.
        warnings.simplefilter("ignore")
        return crowdkit.MajorityVote().fit(votes)


@pytest.mark.parametrize("name", ["bluebird", "dog", "rte", "web"])
def test_at_k_0_it_is_majority_voting_on_real_votes(name: str) -> None:
    votes = real(name)
    mine, theirs = TrimmedVote(k=0).fit(votes), majority(votes)
    # crowd-kit sorts labels by how often they occur with some versions of pandas, and breaks ties in that order.
    pd.testing.assert_frame_equal(mine.probas_, theirs.probas_.sort_index(axis=0).sort_index(axis=1))
    clear = mine.probas_.eq(mine.probas_.max(axis=1), axis=0).sum(axis=1) == 1
    assert clear.mean() > 0.75
    pd.testing.assert_series_equal(mine.labels_[clear], theirs.labels_.sort_index()[clear])


@pytest.mark.parametrize("name", ["bluebird", "dog", "rte", "web"])
def test_at_k_0_skills_are_those_of_majority_voting_on_real_votes(name: str) -> None:
    votes = real(name)
    shares = TrimmedVote(k=0).fit(votes).probas_
    tied = shares.index[shares.eq(shares.max(axis=1), axis=0).sum(axis=1) > 1]
    votes = votes[~votes["task"].isin(tied)]
    mine, theirs = TrimmedVote(k=0).fit(votes).skills_, majority(votes).skills_
    pd.testing.assert_series_equal(mine, theirs.sort_index())
    assert mine.nunique() > 5


@pytest.mark.parametrize("dtype", ["str", "object"])
def test_at_k_0_it_is_majority_voting_on_text(dtype: str) -> None:
    votes = pd.DataFrame(BALLOTS | {"label": ["10", "9"] * 6 + ["9"]}).astype({"label": dtype})
    mine, theirs = TrimmedVote(k=0).fit(votes), majority(votes)
    assert mine.labels_.to_dict() == theirs.labels_.to_dict()
    assert mine.probas_.to_dict() == theirs.probas_.to_dict()
    assert (mine.labels_.name, mine.labels_.index.name) == (theirs.labels_.name, theirs.labels_.index.name)
    assert (mine.probas_.columns.name, mine.probas_.index.name) == ("label", "task")


def test_k_votes_of_each_label_are_ignored() -> None:
    vote = TrimmedVote(k=1)
    labels = vote.fit_predict(pd.DataFrame(BALLOTS))
    assert labels.index.tolist() == ["t1", "t2", "t3"]
    assert labels[["t1", "t2"]].tolist() == ["B", "A"]
    assert pd.isna(labels["t3"])
    shares = vote.fit_predict_proba(pd.DataFrame(BALLOTS))
    assert shares.loc["t1"].to_dict() == {"A": 0, "B": 1, "C": 0}
    assert shares.loc["t2"].to_dict() == {"A": 0.75, "B": 0.25, "C": 0}
    assert shares.loc["t3"].isna().all()


def test_skills_count_only_tasks_that_have_a_label() -> None:
    votes = pd.DataFrame(BALLOTS)
    counted = TrimmedVote(k=1).fit(votes)
    assert pd.isna(counted.labels_["t3"])
    assert counted.skills_.to_dict() == {"a": 1, "b": 1, "c": 1, "d": 0.5, "e": 0, "f": 0}
    alone = pd.concat([votes, pd.DataFrame({"task": ["t3"], "worker": ["z"], "label": ["A"]})])
    assert pd.isna(TrimmedVote(k=2).fit(alone).skills_["z"])
    assert (counted.skills_.name, counted.skills_.index.name) == ("skill", "worker")


@pytest.mark.filterwarnings("ignore::bribeproof.BribeproofWarning")
def test_skills_count_a_repeated_vote_once() -> None:
    votes = pd.DataFrame(BALLOTS)
    again = pd.concat([votes.assign(label="D"), votes], ignore_index=True)
    expected = TrimmedVote(k=1).fit(votes).skills_
    pd.testing.assert_series_equal(TrimmedVote(k=1, repeats="last").fit(again).skills_, expected)


@pytest.mark.parametrize("labels", [[True, True, False], [1.0, 1.0, 2.0], [3, 3, 1], pd.Categorical([*"aab"])])
def test_skills_of_labels_of_every_type(labels: Any) -> None:
    votes = pd.DataFrame({"task": [7] * 3, "worker": [10, 9, 8], "label": labels})
    assert TrimmedVote(k=0).fit(votes).skills_.to_dict() == {8: 0, 9: 1, 10: 1}


def test_categories_are_labels_like_others() -> None:
    votes = pd.DataFrame(BALLOTS)
    declared = votes.assign(label=pd.Categorical(votes["label"], categories=["Z", "C", "B", "A"]))
    mine, plain = TrimmedVote(k=1).fit(declared), TrimmedVote(k=1).fit(votes)
    assert mine.probas_.equals(plain.probas_)
    assert mine.labels_[["t1", "t2"]].tolist() == plain.labels_[["t1", "t2"]].tolist()


def test_polars_in_polars_out() -> None:
    pandas, polars = TrimmedVote(k=1).fit(pd.DataFrame(BALLOTS)), TrimmedVote(k=1).fit(pl.DataFrame(BALLOTS))
    assert polars.labels_.rows() == [("t1", "B"), ("t2", "A"), ("t3", None)]
    assert polars.labels_.columns == ["task", "agg_label"]
    assert polars.probas_.columns == ["task", "A", "B", "C"]
    assert polars.skills_.columns == ["worker", "skill"]
    assert dict(polars.skills_.rows()) == pandas.skills_.to_dict()
    assert polars.probas_.rows()[:2] == list(pandas.probas_.iloc[:2].itertuples(name=None))


def test_labels_are_read_as_everywhere() -> None:
    votes = pd.DataFrame({"task": ["t"] * 5, "worker": [*"abcde"], "label": ["A", " A", "A ", "B", ""]})
    assert TrimmedVote(k=0).fit_predict_proba(votes).loc["t"].to_dict() == {"A": 0.75, "B": 0.25}


@pytest.mark.parametrize("swap", [False, True])
def test_a_bribed_worker_cannot_make_a_label_up(swap: bool) -> None:
    votes: Any = {"task": ["t"] * 5, "worker": [*"abcde"], "label": ["A", "A", "B", "B", "Z" if swap else "A"]}
    shares = TrimmedVote(k=1).fit_predict_proba(pd.DataFrame(votes)).loc["t"]
    assert shares["A"] == (0.5 if swap else pytest.approx(2 / 3))
    assert shares.get("Z", 0) == 0


def test_ties() -> None:
    votes = pd.DataFrame({"task": ["t"] * 4, "worker": [*"abcd"], "label": [*"BBAA"]})
    assert TrimmedVote(k=1).fit_predict(votes).tolist() == ["A"]
    assert TrimmedVote(k=1, ties="last").fit_predict(votes).tolist() == ["B"]
    assert pd.isna(TrimmedVote(k=1, ties="none").fit_predict(votes)["t"])


def test_copies_and_parameters() -> None:
    vote = TrimmedVote(k=2, repeats="last").fit(pd.DataFrame(BALLOTS))
    assert clone(vote).get_params() == {"k": 2, "ties": "first", "repeats": "last"}
    assert pickle.loads(pickle.dumps(vote)).labels_.equals(vote.labels_)  # noqa: S301


@pytest.mark.parametrize("column", ["task", "worker", "label"])
def test_a_missing_column_is_a_key_error_as_in_crowd_kit(column: str) -> None:
    votes = pd.DataFrame(BALLOTS).drop(columns=column)
    for frame in (votes, pl.DataFrame(votes)):
        with pytest.raises(bp.ColumnError, match=f"no column '{column}'"):
            TrimmedVote().fit(frame)
    with pytest.raises(KeyError, match=column):
        TrimmedVote().fit(votes)
    with pytest.raises(KeyError, match=column):
        majority(votes)


def test_other_columns_are_ignored() -> None:
    votes = pd.DataFrame(BALLOTS)
    wider = votes.assign(judge="x", score=range(len(votes)))[["score", "label", "judge", "task", "worker"]]
    assert TrimmedVote().fit(wider).probas_.equals(TrimmedVote().fit(votes).probas_)


def test_what_is_refused() -> None:
    votes = pd.DataFrame(BALLOTS)
    for wrong in (BALLOTS, pl.DataFrame(BALLOTS).lazy(), None):
        with pytest.raises(bp.ParameterTypeError, match="give a pandas or polars DataFrame"):
            TrimmedVote().fit(wrong)
    with pytest.raises(bp.ParameterError, match="k"):
        TrimmedVote(k=-1).fit(votes)
    with pytest.raises(bp.BribeproofError):
        TrimmedVote().fit(votes.iloc[:0])
    with pytest.raises(bp.DataError, match=r"worker|reporter"):
        TrimmedVote().fit(pd.concat([votes, votes.assign(label="C")]))
    many = pd.DataFrame({"task": "t", "worker": range(1001), "label": range(1001)})
    with pytest.raises(bp.ParameterError, match="1,001 labels"):
        TrimmedVote().fit(many)
