"""Labels of a crowd, in the shape of crowd-kit's aggregators."""

from typing import Any, Self

import narwhals.stable.v2 as nw
from sklearn.base import BaseEstimator

from bribeproof.aggregation.api import MOST_SHARES, aggregate_labels
from bribeproof.errors import ParameterError
from bribeproof.frames.pandas import is_pandas
from bribeproof.frames.text import to_plain


class TrimmedVote(BaseEstimator):  # type: ignore[misc]
    """Majority vote that ignores k votes of each label, so that k bribed workers cannot make one up.

    It takes the place of crowd-kit's ``MajorityVote``: at k = 0 it gives the same probabilities and, but for ties, the
    same labels.

    Parameters
    ----------
    k : int, default 1
        How many workers may be bribed: a head count, at least 0.
    ties : str, default "first"
        ``"first"`` or ``"last"`` of the tied labels in sorted order, or ``"none"`` to leave them without a label.
    repeats : str, default "error"
        If a worker labels a task twice, differently: ``"error"``, or keep the ``"first"`` or ``"last"`` by row order,
        or ``"drop"`` both. Exact repeats collapse with a warning.

    Attributes
    ----------
    labels_ : pandas Series or polars DataFrame
        The label of each task: a series ``agg_label`` with the tasks, sorted, as its index; of polars votes a frame
        with the columns ``task`` and ``agg_label``. Missing where k bribed workers could be half of those who voted,
        or no label has more than k votes.
    probas_ : pandas or polars DataFrame
        The share of each label after k votes of each are ignored: one row per task and one column per label, both
        sorted; the tasks are the index, or of polars votes the first column. Missing where the label is.

    Notes
    -----
    theory.md §8. A share is the probability that the random dictator follows the label.

    Examples
    --------
    >>> import pandas as pd
    >>> votes = pd.DataFrame({"task": ["t"] * 6, "worker": list("abcdef"), "label": list("AAAABB")})
    >>> TrimmedVote(k=1).fit_predict_proba(votes)
    label     A     B
    task
    t      0.75  0.25
    """

    def __init__(self, k: int = 1, *, ties: str = "first", repeats: str = "error") -> None:
        self.k = k
        self.ties = ties
        self.repeats = repeats

    def fit(self, data: Any) -> Self:
        """Combine the votes.

        Parameters
        ----------
        data : pandas or polars DataFrame
            One row per vote, with the columns ``task``, ``worker`` and ``label``.

        Returns
        -------
        TrimmedVote
            The estimator itself.

        Raises
        ------
        DataError
            If an id is missing, repeats conflict, or no votes are there; it says where.
        ParameterError
            If a parameter is outside its range, a column is missing, or there are too many labels.
        """
        frame = nw.from_native(data, eager_only=True, pass_through=True)
        if not isinstance(frame, nw.DataFrame):
            raise ParameterError(f"data is {type(data).__name__}: give a pandas or polars DataFrame of votes")
        known = _labels(frame["label"]) if "label" in frame.columns else []
        if len(known) > MOST_SHARES:
            raise ParameterError(f"{len(known):,} labels: give at most {MOST_SHARES:,}, or use aggregate_labels")
        answers = aggregate_labels(data, self.k, classes=known or None, ties=self.ties, repeats=self.repeats)
        shares = list(answers.columns)[-len(known) :]
        if is_pandas(data):
            answers = answers.set_index("task").sort_index()
            self.labels_ = answers["decision"].rename("agg_label")
            self.probas_ = answers[shares].set_axis(known, axis="columns").rename_axis(columns="label")
        else:
            answers = answers.sort("task")
            self.labels_ = answers.select("task", agg_label="decision")
            self.probas_ = answers.select("task", *shares).rename(dict(zip(shares, map(str, known), strict=True)))
        return self

    def fit_predict(self, data: Any) -> Any:
        """Combine the votes and return `labels_`; parameters and errors as of `fit`."""
        return self.fit(data).labels_

    def fit_predict_proba(self, data: Any) -> Any:
        """Combine the votes and return `probas_`; parameters and errors as of `fit`."""
        return self.fit(data).probas_


def _labels(column: "nw.Series[Any]") -> list[Any]:
    """Return the different labels, sorted as they are: text by character, not by the numbers in it."""
    values = column.drop_nulls().unique().to_list()
    return sorted({to_plain(value) if isinstance(value, str) else value for value in values} - {""})
