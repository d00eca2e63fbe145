"""Majority voting for crowds with bribed reporters, with the interface of crowd-kit's aggregators."""

from typing import Any, Self

import polars as pl
from sklearn.base import BaseEstimator

from bribeproof.aggregation.combine import MOST_SHARES, combine_labels
from bribeproof.errors import ColumnError, ParameterError, ParameterTypeError
from bribeproof.frames.native import collect
from bribeproof.frames.native.pandas_frames import from_polars, is_pandas, to_polars
from bribeproof.frames.reports import Reports
from bribeproof.frames.schema import ITEM, REPORTER, VALUE, ReportSchema
from bribeproof.frames.validation import validate_reports
from bribeproof.frames.values.text import clean_value

_COLUMNS = ["task", "worker", "label"]
"""The columns of crowd-kit: the items, the reporters and the labels that they give."""


class TrimmedVote(BaseEstimator):  # type: ignore[misc]
    """Majority vote that ignores k votes for each label, so that k bribed reporters cannot create a winner.

    It takes the place of crowd-kit's ``MajorityVote``: at k = 0 it gives the same probabilities and, except for ties,
    the same labels and skills.

    Parameters
    ----------
    k : int, default 1
        Number of reporters that may be bribed, at least 0.
    ties : str, default "first"
        ``"first"`` or ``"last"`` of the tied labels in sorted order, or ``"none"`` to leave ties without a label.
    repeats : str, default "error"
        What to do when a reporter gives a task two different labels: raise an ``"error"``, keep the ``"first"`` or the
        ``"last"`` by row order, or ``"drop"`` both. Exact repeats are collapsed with a warning.

    Attributes
    ----------
    labels_ : pandas Series or polars DataFrame
        The label of each task: a series ``agg_label`` with the sorted tasks as its index; for polars votes a frame
        with the columns ``task`` and ``agg_label``. Missing where k bribed reporters could be half of those who voted,
        or no label has more than k votes.
    probas_ : pandas or polars DataFrame
        The share of each label when k votes for each label are ignored, in [0, 1]: one row per task and one column per
        label, both sorted; the tasks are the index, or for polars votes the first column. Missing where the label is.
    skills_ : pandas Series or polars DataFrame
        The share of each reporter's labels that agree with `labels_`, in [0, 1], over the tasks that have a label: a
        series ``skill`` with the sorted workers as its index; for polars votes a frame with the columns ``worker`` and
        ``skill``. Missing where none of the reporter's tasks has a label.

    Notes
    -----
    docs/theory.md §8. A share is the probability that the k-ignorance random dictator follows the label.

    Examples
    --------
    >>> import pandas as pd
    >>> votes = pd.DataFrame({"task": ["t"] * 6, "worker": list("abcdef"), "label": list("AAAABB")})
    >>> TrimmedVote(k=1).fit_predict_proba(votes)
    label     A     B
    task
    t      0.75  0.25
    >>> TrimmedVote(k=1).fit(votes).skills_.to_dict()
    {'a': 1.0, 'b': 1.0, 'c': 1.0, 'd': 1.0, 'e': 0.0, 'f': 0.0}
    """

    def __init__(self, k: int = 1, *, ties: str = "first", repeats: str = "error") -> None:
        self.k = k
        self.ties = ties
        self.repeats = repeats

    def fit(self, data: Any) -> Self:
        """Aggregate the votes.

        Parameters
        ----------
        data : pandas or polars DataFrame
            One row per vote, with the columns ``task``, ``worker`` and ``label``; others are ignored.

        Returns
        -------
        TrimmedVote
            The estimator itself.

        Raises
        ------
        ColumnError
            A missing column; also a `KeyError`.
        DataError
            A missing id, conflicting repeats, or no votes; the message says where.
        ParameterError
            A parameter outside its range, or too many labels.
        ParameterTypeError
            Data of another type.
        """
        if not is_pandas(data) and not isinstance(data, pl.DataFrame):
            raise ParameterTypeError(f"data is {type(data).__name__}: give a pandas or polars DataFrame of votes")
        missing = [name for name in _COLUMNS if name not in data.columns]
        if missing:
            raise ColumnError(
                f"data has no column {', '.join(map(repr, missing))}: give the columns 'task', 'worker' and 'label'"
            )
        votes = data[_COLUMNS]
        labels = _sorted_labels(_as_polars(votes, ["label"])["label"])
        if len(labels) > MOST_SHARES:
            raise ParameterError(f"{len(labels):,} labels: give at most {MOST_SHARES:,}, or use aggregate_labels")
        schema = ReportSchema(repeats=self.repeats, classes=labels or None)
        reports = validate_reports(votes, schema, scores=False)
        answers = combine_labels(reports, self.k, ties=self.ties)
        shares = list(answers.columns)[-len(labels) :]
        skills = _skills(reports, _as_polars(answers, ["task", "decision"]))
        if is_pandas(data):
            answers = answers.set_index("task").sort_index()
            self.labels_ = answers["decision"].rename("agg_label")
            self.probas_ = answers[shares].set_axis(labels, axis="columns").rename_axis(columns="label")
            self.skills_ = from_polars(skills, {}).set_index("worker")["skill"]
        else:
            answers = answers.sort("task")
            self.labels_ = answers.select("task", agg_label="decision")
            self.probas_ = answers.select("task", *shares).rename(dict(zip(shares, map(str, labels), strict=True)))
            self.skills_ = skills
        return self

    def fit_predict(self, data: Any) -> Any:
        """Aggregate the votes and return `labels_`; parameters and errors as in `fit`."""
        return self.fit(data).labels_

    def fit_predict_proba(self, data: Any) -> Any:
        """Aggregate the votes and return `probas_`; parameters and errors as in `fit`."""
        return self.fit(data).probas_


def _as_polars(frame: Any, columns: list[str]) -> pl.DataFrame:
    """Return columns of a pandas or polars frame as a polars frame."""
    return to_polars(frame, columns) if is_pandas(frame) else frame.select(columns)


def _sorted_labels(column: pl.Series) -> list[Any]:
    """Return the different labels, sorted as values of their type: text by character, not by the numbers in it."""
    values = column.drop_nulls().unique().to_list()
    return sorted({clean_value(value) if isinstance(value, str) else value for value in values} - {""})


def _skills(reports: Reports, answers: pl.DataFrame) -> pl.DataFrame:
    """Return for each reporter the share of labels that agree with the answers, over items that have an answer."""
    rows = collect(reports.rows)
    decisions = answers.select(
        pl.col("task").cast(rows.schema[ITEM]).alias(ITEM), pl.col("decision").cast(rows.schema[VALUE])
    )
    agrees = rows.join(decisions, on=ITEM, how="left").group_by(pl.col(REPORTER).alias("worker"))
    return agrees.agg((pl.col(VALUE) == pl.col("decision")).mean().alias("skill")).sort("worker")
