"""What a panel guarantees before anybody has reported, as plain data for commands and pages."""

import functools
from dataclasses import asdict
from typing import Any

from bribeproof._text import CONDITION
from bribeproof.theory.minimax.optimal import optimal_aggregator
from bribeproof.theory.minimax.remedies import explain_worthless
from bribeproof.theory.model.experts import Expert
from bribeproof.theory.model.loss import Loss
from bribeproof.theory.model.losses import get_loss
from bribeproof.theory.model.panel import Panel
from bribeproof.theory.pairwise.effective_reporters import effective_reporters, most_adversaries
from bribeproof.theory.rules.breakdown import breakdown_point
from bribeproof.theory.rules.piecewise import PiecewiseLinear
from bribeproof.theory.rules.worth import worth_of

_MAX_SWEEP = 20
"""Largest number of values of k in the sweep."""


def describe_panel(n: int, k: int, expert: Expert, loss: Loss | str = "squared") -> dict[str, Any]:
    """Return the optimal rule of a panel and its guarantee, for this and other numbers of adversaries.

    Parameters
    ----------
    n, k : int
        Reporters and adversaries.
    expert : Expert
        One truthful reporter.
    loss : Loss or str, default "squared"
        Loss of the forecast.

    Returns
    -------
    dict
        ``n``, ``expert``, ``loss``; ``effective_reporters``, how many who err independently are worth as much in their
        mean; ``without_reports``, what the prior alone loses; ``k``, ``effective_expert``, ``low``, ``high`` (the
        rule's two ends), ``guarantee`` and its ``worth``, the facts of a `Worth`; ``explanation``, those of an
        `Explanation` where it is worth nothing; the rule's knots ``counts`` and its n + 1 ``values``;
        ``breakdown_point`` and ``max_adversaries``; the ``condition`` of the expected losses; and ``sweep``, the
        entries from ``k`` to ``worth`` for up to 20 values of k. With a bound of the correlation there is no effective
        expert, and with a loss that is not strictly proper the breakdown point depends on n: these are None. So is the
        explanation of a guarantee that is worth something. All values have types of JSON.

    Raises
    ------
    ParameterError
        A parameter outside its range.

    Notes
    -----
    docs/theory.md, Theorem A and Proposition 2.7; §12 for the correlation of errors.

    Examples
    --------
    >>> summary = describe_panel(4, 1, Expert(prior=0.5, tpr=0.75, fpr=0.25))
    >>> summary["values"], summary["guarantee"]["regret"], [row["k"] for row in summary["sweep"]]
    ([0.375, 0.375, 0.5, 0.625, 0.625], 0.234375, [0, 1])
    """

    def facts(panel: Panel, rule: PiecewiseLinear) -> dict[str, Any]:
        return {
            "k": panel.k,
            "effective_expert": asdict(panel.effective(expert)) if expert.may_err_together else None,
            "low": rule(0),
            "high": rule(n),
            "guarantee": None if rule.guarantee is None else asdict(rule.guarantee),
            "worth": None if rule.guarantee is None else worth_of(rule.guarantee.expected_loss, expert, named).facts(),
        }

    named = get_loss(loss)
    panel = Panel(n, k)
    rule_of = functools.cache(optimal_aggregator)
    rule = rule_of(panel, expert, named)
    panels = [Panel(n, other) for other in summarised_ks(n)]
    sweep = [facts(other, rule_of(other, expert, named)) for other in panels]
    own = facts(panel, rule)
    explanation = None
    if own["worth"] is not None and own["worth"]["worthless"]:
        known = {
            row["k"]: worth_of(row["guarantee"]["expected_loss"], expert, named) for row in sweep if row["guarantee"]
        }
        explanation = explain_worthless({n: 1}, k, expert, named, rule_of=rule_of, smaller=known).facts()
    return {
        "n": n,
        "expert": asdict(expert),
        "loss": named.name,
        **own,
        "explanation": explanation,
        "counts": rule.counts.tolist(),
        "values": rule.values.tolist(),
        "breakdown_point": breakdown_point(expert, loss) if named.strictly_proper or expert.may_err_together else None,
        "max_adversaries": most_adversaries(n, expert, loss),
        "effective_reporters": effective_reporters(n, expert),
        "without_reports": named.bayes_risk(expert.prior),
        "condition": f"the expected losses hold {CONDITION}",
        "sweep": sweep,
    }


def summarised_ks(n: int) -> range:
    """Return up to 20 evenly spaced numbers of adversaries that leave a truthful majority, from 0 on.

    Examples
    --------
    >>> list(summarised_ks(9)), list(summarised_ks(100))[:3]
    ([0, 1, 2, 3, 4], [0, 3, 6])
    """
    possible = (n + 1) // 2
    return range(0, possible, -(-possible // _MAX_SWEEP))
