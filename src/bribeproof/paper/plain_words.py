"""Say each claim of the paper, and what is right instead, in a few plain words."""

from typing import NamedTuple


class PlainWords(NamedTuple):
    """A claim in plain words.

    Parameters
    ----------
    claim : str
        The claim, shorter and less exact than its statement.
    right : str
        What is right instead; empty if the claim holds as stated.
    """

    claim: str
    right: str = ""


_ONE_OF_THREE = "not with one adversary among three"
_MEANS = "only if 1 ≤ n·b and n·a ≤ n − 1"

PLAIN_WORDS = {
    "informative-signals": PlainWords(
        "Under the absolute loss a report is of use exactly if it decides which state is the likelier."
    ),
    "only-means-matter": PlainWords(
        "The number of truthful votes for H can have any distribution with the right mean in each state."
    ),
    "adversaries-move-the-mean": PlainWords("k adversaries raise the mean number of votes for H by 0 to k."),
    "benchmark-losses": PlainWords("Two formulas give the loss of the benchmark, absolute and squared."),
    "bad-strategy": PlainWords(
        "One strategy of the adversaries is the worst for the trimmed mean.",
        "another one: k say H in state 0 alone, where 0 or n − 2k of the truthful do",
    ),
    "worst-structure-of-clipped-rules": PlainWords(
        "Rules that are constant at both ends, and convex in loss between, have their worst regret in one structure.",
        "only if k ≥ 1, n ≠ 3k and the rates allow that structure",
    ),
    "averaging-without-adversaries": PlainWords(
        "Without adversaries the average is optimal under the absolute loss.", _MEANS
    ),
    "trimmed-mean": PlainWords(
        "Up to a share of adversaries the k-trimmed mean is optimal under the absolute loss, and has a known regret.",
        f"{_ONE_OF_THREE}, where the formula is an upper bound",
    ),
    "trimmed-mean-bound": PlainWords(
        "That share is the printed one, whatever the prior and the rates.",
        "only if e < π; it is (π − e)/(2π − e)",
    ),
    "constant-beyond-the-bound": PlainWords("Beyond that share a constant forecast is optimal.", _ONE_OF_THREE),
    "only-the-share-counts-absolute": PlainWords(
        "Up to that share the least regret under the absolute loss depends on the share of adversaries and not on n.",
        _ONE_OF_THREE,
    ),
    "growth-absolute": PlainWords(
        "The least regret under the absolute loss is a constant and a term of the order of γ/(1 − 2γ)."
    ),
    "unknown-number-of-adversaries": PlainWords(
        "One formula gives the regret of trimming too much or too little.",
        "a sign is wrong; there are two formulas, one for too little and one for too much",
    ),
    "squared-optimum": PlainWords(
        "Up to a printed share of adversaries a clipped-linear rule is optimal under the squared loss.",
        "only up to γ = (a − b)/(1 + a − b), and if n ≠ 3k",
    ),
    "squared-bound": PlainWords(
        "The printed regret also holds from that γ to the printed share.",
        "the prior is optimal there, and the least regret is μ(1 − μ)",
    ),
    "only-the-share-counts-squared": PlainWords(
        "Up to a printed share of adversaries the least regret under the squared loss depends on it and not on n.",
        "only if n ≠ 3k",
    ),
    "growth-squared": PlainWords(
        "The least regret under the squared loss is a constant and a term of the order of γ/(1 − 2γ)².",
        "as stated, and even of the order of γ/(1 − 2γ)",
    ),
    "nothing-known": PlainWords(
        "If neither prior nor rates are known, 1/2 is the best forecast under the squared loss."
    ),
    "only-the-prior-known": PlainWords(
        "If only the prior is known, it is the best forecast under the squared loss.", "only if n ≥ 2"
    ),
    "example-with-one-adversary": PlainWords(
        "In the example with one adversary the first structure gives the average its highest loss.",
        "its highest regret; the highest loss is larger",
    ),
    "figure-other-rules": PlainWords("Three rules are optimal as they are drawn in the figure of the rules."),
    "four-counts": PlainWords(
        "Without adversaries the worst case needs no other counts than 0, 1, n − 1 and n (squared loss).", _MEANS
    ),
    "interpolated-rule": PlainWords(
        "A formula extends an optimal rule from the counts 1 and n − 1 to those between.",
        "with the missing f(1) added, and if 1 ≤ n·b and n·a ≤ n − 1",
    ),
    "two-counts-for-each-state": PlainWords("Every rule has a worst case with at most two counts in each state."),
    "limit-is-one-reporter": PlainWords(
        "Without adversaries the least regret under the squared loss is a constant and a term of the order of 1/n."
    ),
    "regret-increases-with-n": PlainWords(
        "Without adversaries more reporters do not lower the least regret under the squared loss."
    ),
    "example-losses": PlainWords(
        "In the example without adversaries the average loses 8/25 in one structure and 9/25 in the other."
    ),
    "example-mixture": PlainWords(
        "Which of the two is worse for the average is unclear, and a mixture is the worst.",
        "the first is worse, and no structure is worse than it",
    ),
    "figure-honest-rule": PlainWords(
        "The fourth rule, squared loss without adversaries, is optimal as it is drawn.",
        "it is within 0.0007 of the least regret",
    ),
    "random-dictator": PlainWords(
        "Up to a printed share of adversaries, a random report of those that trimming leaves is an optimal decision.",
        f"only if γ is at most a fourth fraction too, which is missing; {_ONE_OF_THREE}",
    ),
    "random-dictator-regret": PlainWords(
        "A formula gives the regret of that decision.", "only if μ = 1/2; in general (1 − γ)e/(1 − 2γ)"
    ),
    "hard-loss": PlainWords("A decision loses 1 where it is the state.", "a misprint: where it is not"),
    "dictator-is-trimmed-mean": PlainWords("On average that decision is the k-trimmed mean."),
    "many-states-regret": PlainWords(
        "With m states and two conditions, a formula gives the least regret.",
        "another formula, 1 − Σμq′, under another condition; elsewhere it is a bound",
    ),
    "many-states-dictator": PlainWords(
        "With m states and two conditions, a random report is optimal after k of each label are dropped.",
        "only if Σμq′ is at least 1/2 and above every prior probability",
    ),
    "many-states-second-condition": PlainWords(
        "The second condition makes the state that a report names the likelier.",
        "with two signs swapped, for two states; with more, its denominators are wrong too",
    ),
    "many-states-example": PlainWords("Of 10, 5 and 2 reports, k = 3 leaves 7, 2 and 0."),
    "posterior-is-best": PlainWords(
        "If only the forecast of the true state is scored, by squared loss, the posterior is best.",
        "only with two states",
    ),
    "pure-strategies": PlainWords("Adversaries need no randomness to do their worst."),
    "more-adversaries-never-help": PlainWords(
        "One adversary more among the same n does not lower the least regret.",
        "it does not lower the least worst expected loss; it can lower the regret",
    ),
    "knowing-and-ignorant-experts": PlainWords(
        "If reporters know the state or nothing, and k ≥ m − 1, the least regret is that of the uniform forecast.",
        "as stated; with fewer adversaries it is ℓ(1/(k + 1))",
    ),
    "uniform-forecast-alone": PlainWords(
        "Then only the uniform forecast is optimal.",
        "so is being sure where more than k are sure of one state and nobody of another",
    ),
    "independent-experts": PlainWords(
        "If reporters err independently, one adversary makes the least regret under the squared loss 1/4."
    ),
    "distance-as-printed": PlainWords(
        "The distance of two vectors of reports is the printed sum.",
        "a misprint: the second term belongs to the second vector",
    ),
    "distance": PlainWords(
        "k adversaries can make two lists of reports look alike exactly if k is at least their distance."
    ),
    "sensitivity-upper-bound": PlainWords(
        "With two states the least regret under the squared loss is at most S².",
        "at most min(1/4, S²/4 + 2SB)",
    ),
    "sensitivity-lower-bound": PlainWords(
        "With two states it is at least αS²/4, if every possible report is at least α likely."
    ),
    "naive-rule": PlainWords(
        "The midpoint of what the benchmark could have said has a regret of at most S²/4.", "at most S²/4 + 2SB"
    ),
    "sensitivity-upper-bound-many-states": PlainWords(
        "With more states too, the least regret is at most S².", "not always; at most (1 − 1/m)²"
    ),
    "sensitivity-lower-bound-many-states": PlainWords(
        "With more states too, it is at least αS²/4.", "not always; an exact program gives it"
    ),
}
"""The claims of the paper in plain words, by name."""
