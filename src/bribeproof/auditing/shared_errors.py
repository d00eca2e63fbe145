"""Test on gold items whether two reporters share more wrong answers than independent reporters would."""

from dataclasses import dataclass

import numpy as np
import polars as pl
from scipy.sparse import csr_array
from scipy.special import betainc, expit, logit

from bribeproof._typing import BoolArray, FloatArray, IntArray
from bribeproof.auditing.deviation_tests import holm
from bribeproof.auditing.pairs import MOST_LISTED, entries, pairs_with_common, sparse, tail_bound

_FEW, _FEW_ALONE, _MOST = 0.3, 0.5, 2 / 3
"""Shares of the items that either reporter gets wrong; see `shared_errors`."""
_PEER, _PEERS = 4 / 3, 3
"""Reporters whose error rates differ by at most this factor are peers; fewer than so many leave a pair alone."""
_STRATA = 12
"""Wrong answers are grouped by how many gave them into at most so many groups."""
_MOST_ALIKE = 3
"""How many others, those whose errors are most like the pair's, show which items tempt the pair."""
_ROUNDS, _FURTHEST, _CLOSE = 200, 30.0, 1e-4
"""Of the fit: the most rounds, the largest log-odds, and the largest difference of a sum."""


def shared_errors(item: IntArray, reporter: IntArray, label: IntArray, truth: IntArray, risk: float) -> pl.DataFrame:
    """List the pairs of reporters that share the most wrong answers on gold items, and test them.

    Parameters
    ----------
    item, reporter, label, truth
        The reports on gold items and the truth of the item of each, as codes from 0; at most one report per item and
        reporter.
    risk
        The largest probability of finding even one pair among independent reporters, in (0, 1).

    Returns
    -------
    polars.DataFrame
        At most MOST_LISTED pairs that share an error, the smallest p-value first: the indices ``first`` and ``second``;
        ``common`` gold items; ``errors_first`` and ``errors_second`` on them; ``shared_errors``, on how many both gave
        the same wrong answer; ``expected``, on how many independent reporters would (by 1 below); ``p_adjusted``,
        adjusted for all pairs.

    Notes
    -----
    Independent means independent given the item. A pair is found only where each of three explanations fails.

    1. *Some items are hard, and some reporters weak.* Each reporter has log-odds of its own for each wrong answer to
       items of each truth; each wrong answer to each item adds its own (G. Rasch, *Probabilistic Models for Some
       Intelligence and Attainment Tests*, 1960). They are fitted by maximum likelihood, so that the numbers of errors
       of each reporter and of each item are the observed ones. The errors that a pair shares thus raise what is
       expected of it, which favours the pair. The tail is bounded by `tail_bound`, and adjusted for all pairs (Holm).
    2. *The two react to hard items more strongly than the rest, or to other ones.* Wrong answers are grouped by how
       many reporters gave them, and then by how many of the three others whose errors are most like the pair's did. In
       each group each of the two errs at its own observed rate; the larger number of shared errors that this explains
       counts. Copies of the pair would explain it too, so this is waived for a pair that shares more than 2/3 of the
       items that either gets wrong (binomial test): honest reporters, who each fall for a wrong answer with a chance of
       at most p, share at most p / (2 - p) of them, which is 2/3 only for p = 0.8.
    3. *Items tempt just these two*, as a pair taught by the same teacher. A pair is not found unless it shares more
       than 0.3 of the items that either gets wrong (binomial test; p = 0.46), and more than 0.5 (p = 0.67) if fewer
       than three others have a similar error rate: two who are alone in their skill may be alone in their temptations.

    The p-values of 2 and 3 are multiplied by the number of pairs that 1 does not explain. The whole is an
    approximation; its rates are measured on the worlds of docs/evidence/audit.md.

    Examples
    --------
    >>> rng = np.random.default_rng(1)
    >>> truth = rng.integers(0, 2, 200)
    >>> votes = np.where(rng.random((200, 8)) < 0.8, truth[:, None], 1 - truth[:, None])
    >>> votes[:, 4] = votes[:, 3]
    >>> item, reporter = np.indices(votes.shape).reshape(2, -1)
    >>> listed = shared_errors(item, reporter, votes.ravel(), truth[item], risk=0.05)
    >>> listed.filter(pl.col("p_adjusted") <= 0.05).select("first", "second", "errors_first", "shared_errors").rows()
    [(3, 4, 45, 45)]
    """
    panel, items = (int(part.max(initial=-1)) + 1 for part in (reporter, item))
    wrong = label != truth
    present = sparse(reporter, item, np.ones(len(item)), (panel, items))
    missed = sparse(reporter[wrong], item[wrong], np.ones(int(wrong.sum())), (panel, items))
    first, second, common = pairs_with_common(present)
    errors = (missed @ present.T).tocsr()
    own, other = (np.rint(entries(errors, *ends)).astype(np.int64) for ends in ((first, second), (second, first)))
    either = own + other - np.rint(entries((missed @ missed.T).tocsr(), first, second)).astype(np.int64)
    answers = _WrongAnswers.find(item, reporter, label, truth)
    given = sparse(answers.reporter, answers.answer, answers.given, (panel, answers.count))
    chance = sparse(answers.reporter, answers.answer, answers.fit(), (panel, answers.count))
    together, likely = (given @ given.T).tocsr(), (chance @ chance.T).tocsr()
    shared, expected = np.rint(entries(together, first, second)).astype(np.int64), entries(likely, first, second)
    p_value = holm(tail_bound(shared, common, expected))
    left = np.flatnonzero(p_value <= risk)
    if len(left):
        asked = sparse(answers.reporter, answers.answer, np.ones(len(answers.answer)), (panel, answers.count))
        lift = (together.toarray() + 0.5, likely.toarray() + 0.5)
        explained = np.array([_explained(given, asked, lift, int(first[one]), int(second[one])) for one in left])
        by_items = tail_bound(shared[left], common[left], np.maximum(explained, expected[left]))
        alone = _alone(
            np.bincount(reporter, wrong, panel) / np.bincount(reporter, minlength=panel), first, second, left
        )
        few, most = (
            betainc(shared[left], either[left] - shared[left] + 1, share)
            for share in (np.where(alone, _FEW_ALONE, _FEW), _MOST)
        )
        rest = np.maximum(np.minimum(by_items, most), few)
        p_value[left] = np.maximum(p_value[left], np.minimum(len(left) * rest, 1.0))
    table = pl.DataFrame({"first": first, "second": second, "common": common, "errors_first": own})
    table = table.with_columns(
        errors_second=other, shared_errors=shared, expected=expected, p_adjusted=p_value, _excess=shared - expected
    )
    table = table.filter(pl.col("shared_errors") > 0).with_columns(
        pl.col("_excess").round(9), unexplained=pl.col("p_adjusted") <= risk
    )
    table = table.sort("p_adjusted", "_excess", "first", "second", descending=[False, True, False, False])
    return table.head(MOST_LISTED).drop("_excess")


@dataclass(frozen=True, slots=True)
class _WrongAnswers:
    """The wrong answers that somebody gave to gold items, for each reporter who was asked.

    Attributes
    ----------
    reporter, answer
        Per element: the reporter; the item and the wrong answer, as one code.
    habit
        Per element: the reporter, the truth and the wrong answer, as one code.
    given
        Per element: whether the reporter gave the answer.
    count
        The number of wrong answers.
    """

    reporter: IntArray
    answer: IntArray
    habit: IntArray
    given: BoolArray
    count: int

    @classmethod
    def find(cls, item: IntArray, reporter: IntArray, label: IntArray, truth: IntArray) -> "_WrongAnswers":
        """Return the wrong answers among reports."""
        labels = int(max(label.max(initial=0), truth.max(initial=0))) + 1
        wrong = label != truth
        answers = np.unique(item[wrong] * labels + label[wrong])
        order = np.argsort(item, kind="stable")
        size = np.bincount(item, minlength=int(item.max(initial=-1)) + 1)
        asked = size[answers // labels]
        answer = np.repeat(np.arange(len(answers)), asked)
        place = np.arange(len(answer)) - np.repeat(np.cumsum(asked) - asked, asked)
        report = order[(np.cumsum(size) - size)[answers // labels][answer] + place]
        said = (answers % labels)[answer]
        habit = np.unique((reporter[report] * labels + truth[report]) * labels + said, return_inverse=True)[1]
        return cls(reporter[report], answer, habit, label[report] == said, len(answers))

    def fit(self) -> FloatArray:
        """Return the probabilities that, added up by habit and by answer, give the observed numbers."""
        if not self.count:
            return np.zeros(0)
        of_habit, of_answer = self._log_odds(self.habit), self._log_odds(self.answer)
        of_answer -= logit(np.clip(self.given.mean(), 1e-9, 1 - 1e-9))
        for _ in range(_ROUNDS):
            of_habit, gap = self._step(self.habit, of_habit, of_answer[self.answer])
            of_answer, _ = self._step(self.answer, of_answer, of_habit[self.habit])
            if gap < _CLOSE:
                break
        return np.asarray(expit(of_habit[self.habit] + of_answer[self.answer]))

    def _log_odds(self, group: IntArray) -> FloatArray:
        """Return the log-odds of the share of given answers in each group."""
        share = np.bincount(group, self.given) / np.bincount(group)
        with np.errstate(divide="ignore"):
            return np.asarray(np.clip(logit(share), -_FURTHEST, _FURTHEST))

    def _step(self, group: IntArray, effect: FloatArray, rest: FloatArray) -> tuple[FloatArray, float]:
        """Return the effects of groups after one step of Newton's method, and the largest gap before it."""
        chance = expit(effect[group] + rest)
        gap = np.bincount(group, self.given) - np.bincount(group, chance)
        step = gap / np.maximum(np.bincount(group, chance * (1 - chance)), 1e-9)
        return np.clip(effect + np.clip(step, -1, 1), -_FURTHEST, _FURTHEST), float(np.abs(gap).max())


def _alone(rate: FloatArray, first: IntArray, second: IntArray, left: IntArray) -> BoolArray:
    """Return for each of some pairs whether fewer than three others have a similar error rate."""
    low, high = np.minimum(rate[first[left]], rate[second[left]]), np.maximum(rate[first[left]], rate[second[left]])
    alike = (rate >= low[:, None] / _PEER) & (rate <= high[:, None] * _PEER)
    return np.asarray(alike.sum(axis=1) < _PEERS + 2)


def _explained(
    given: csr_array, asked: csr_array, lift: tuple[FloatArray, FloatArray], first: int, second: int
) -> float:
    """Return the number of shared errors of a pair that their rates on like wrong answers explain."""
    both = asked[[first]].toarray()[0] * asked[[second]].toarray()[0] > 0
    one, other = (given[[who]].toarray()[0][both] for who in (first, second))
    together, likely = (part[first] + part[second] for part in lift)
    alike = together / likely
    alike[[first, second]] = -np.inf
    nearest = np.argsort(-alike, kind="stable")[: min(_MOST_ALIKE, len(alike) - 2)]
    share = np.asarray(given.sum(axis=0)).ravel()[both] / np.asarray(asked.sum(axis=0)).ravel()[both]
    edges = np.quantile(share, np.arange(1, _STRATA) / _STRATA) if len(share) else np.zeros(0)
    by_count = np.searchsorted(edges, share)
    by_nearest = np.rint(np.asarray(given[nearest].sum(axis=0)).ravel()[both]).astype(np.int64)

    def at_own_rates(group: IntArray) -> float:
        """Return the expected number of shared errors if each errs at its own rate in each group."""
        size = np.bincount(group)
        return float((np.bincount(group, one) * np.bincount(group, other) / np.maximum(size, 1)).sum())

    return max(at_own_rates(by_count), at_own_rates(by_nearest))
