"""Why a guarantee is worth nothing, and what would change that."""

import functools
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, TypeVar

from bribeproof.theory.minimax.items_guarantee import RuleOf, items_guarantee
from bribeproof.theory.minimax.optimal import least_loss_rule
from bribeproof.theory.model.expert_interval import ExpertInterval
from bribeproof.theory.model.experts import Expert
from bribeproof.theory.model.loss import Loss
from bribeproof.theory.model.losses import get_loss, has_closed_form
from bribeproof.theory.model.panel import Panel
from bribeproof.theory.rules.worth import Worth, prior_alone

T = TypeVar("T", int, float)

_ENOUGH = 0.9
"""A change is tried until the guarantee is at most this share of what the prior alone guarantees."""
_CORRELATIONS = (0.5, 0.2, 0.1, 0.05, 0.0)
_FACTORS = (2, 4, 8, 16)
_MOST_PAIRED = 300
"""With a bound of the correlation, panels up to this size take few hundredths of a second each."""
_MOST_SIZES = 3
"""Of tables with more different numbers of reports, changes that need such a bound are not computed."""


class Reason(StrEnum):
    """Why a guarantee is worth nothing."""

    CERTAIN = "the prior alone is certain"
    REGRET = "its rule minimises the regret, not the expected loss"
    UNINFORMATIVE = "honest reports may depend on the truth too little"
    BRIBED = "so many bribed reporters can make both truths look alike, or nearly so"
    WEIGHTS = "with weights that may differ so much, the bribed may hold too much of them"
    GOLD = "so few gold items leave it possible that honest reports depend on the truth too little"
    OUTWEIGHED = "in the worst case nothing that the reports say outweighs the prior"


class Change(StrEnum):
    """What would change a guarantee that is worth nothing."""

    K = "smaller k"
    REPORTS = "more reports"
    SPREAD = "smaller weight spread"
    CORRELATION = "less correlated errors"
    GOLD = "more gold items"


@dataclass(frozen=True, slots=True)
class Remedy:
    """A change after which a guarantee is worth something.

    Parameters
    ----------
    change : Change
        What changes; all else stays.
    to : float
        The new k, weight spread or bound of the correlation, or how many times as many reports on each item or gold
        items.
    worth : Worth
        The guarantee with this change.
    """

    change: Change
    to: float
    worth: Worth

    def facts(self) -> dict[str, Any]:
        """Return it as plain data of JSON types."""
        return {"change": str(self.change), "to": self.to, "share": self.worth.share}


@dataclass(frozen=True, slots=True)
class Explanation:
    """Why a guarantee is worth nothing, and the changes after which it is worth something.

    Parameters
    ----------
    reason : Reason
        Why.
    remedies : tuple of Remedy
        The changes that were found; there may be none.
    """

    reason: Reason
    remedies: tuple[Remedy, ...]

    def facts(self) -> dict[str, Any]:
        """Return it as plain data of JSON types, as `describe_worthless` takes it."""
        return {"reason": str(self.reason), "remedies": [remedy.facts() for remedy in self.remedies]}


def explain_worthless(
    sizes: Mapping[int, int],
    k: int,
    expert: Expert | ExpertInterval,
    loss: Loss | str = "squared",
    *,
    rule_of: RuleOf = least_loss_rule,
    smaller: Mapping[int, Worth] | None = None,
    more: Iterable[Remedy] = (),
) -> Explanation:
    """Return why the guarantee of a panel or a table is worth nothing, and what would change that.

    Parameters
    ----------
    sizes : mapping from int to int
        The number of items by their number of reports; ``{n: 1}`` for a panel.
    k : int
        Largest number of bribed reporters.
    expert : Expert or ExpertInterval
        The rates of a truthful reporter.
    loss : Loss or str, default "squared"
        Loss of the forecast.
    rule_of : callable
        The rule whose guarantee it is, by default that with the least expected loss.
    smaller : mapping from int to Worth, optional
        What is guaranteed for other numbers of bribed reporters, where that is known; else it is computed.
    more : iterable of Remedy
        Further changes that the caller has computed, such as more gold items; those that help are kept.

    Returns
    -------
    Explanation
        The reason, and for each kind of change the first one that was tried after which the guarantee is at most 0.9
        of what the prior alone guarantees, else the best of those that make it worth anything: smaller numbers of
        bribed reporters from the largest on, 0 only if 1 is no help; so many times as many reports on each item, of the
        same kind and with as many of them bribed; errors that go together less. The last is tried for an `Expert` and
        few reports, where it is cheap.

    Examples
    --------
    >>> found = explain_worthless({9: 1}, 4, Expert(0.5, 0.7, 0.3))
    >>> found.reason.name, [(one.change.name, one.to, round(one.worth.share, 2)) for one in found.remedies]
    ('BRIBED', [('K', 1, 0.9), ('REPORTS', 8, 0.87)])
    """
    loss = get_loss(loss)
    alone = prior_alone(expert, loss)

    def worth(sizes: Mapping[int, int], k: int, expert: Expert | ExpertInterval = expert) -> Worth | None:
        found = items_guarantee(sizes, k, expert, loss, rule_of=rule_of)
        return None if found is None else Worth(found.expected_loss, alone, loss)

    paired = not expert.may_err_together

    def cheap(factor: int) -> bool:
        certified = [m for m in sizes if m > 2 * k]
        return len(certified) <= _MOST_SIZES and factor * max(certified, default=1) <= _MOST_PAIRED

    def tried() -> Iterator[Remedy | None]:
        known = {j: one for j, one in (smaller or {}).items() if j < k}
        of_k = known.get if known else functools.partial(worth, sizes)
        lower = sorted(known, reverse=True) if known else [*_smaller(k, few=paired and not cheap(1)), 0][: k or 0]
        yield first_that_helps(Change.K, [j for j in lower if j], of_k) or first_that_helps(Change.K, lower[-1:], of_k)
        if k or paired:
            factors = [factor for factor in _FACTORS if not paired or cheap(factor)]
            yield first_that_helps(Change.REPORTS, factors, lambda factor: worth(_times(sizes, factor), k))
        if isinstance(expert, Expert) and has_closed_form(loss) and cheap(1):
            rhos = [rho for rho in _CORRELATIONS if rho < max(expert.correlations)]
            prior, tpr, fpr, given = expert.prior, expert.tpr, expert.fpr, expert.correlations
            yield first_that_helps(
                Change.CORRELATION,
                rhos,
                lambda rho: worth(sizes, k, Expert(prior, tpr, fpr, (min(rho, given[0]), min(rho, given[1])))),
            )

    remedies = [one for one in tried() if one is not None]
    remedies += [one for one in more if not one.worth.worthless]
    if alone == 0:
        return Explanation(Reason.CERTAIN, ())

    def beats_prior(k: int) -> bool:
        least = items_guarantee(sizes, k, expert, loss)
        return least is not None and not Worth(least.expected_loss, alone, loss).worthless

    if rule_of is not least_loss_rule and not paired and beats_prior(k):
        return Explanation(Reason.REGRET, tuple(remedies))
    if not beats_prior(0):
        weak = expert.tpr <= expert.fpr or loss.strictly_proper
        return Explanation(Reason.UNINFORMATIVE if weak else Reason.OUTWEIGHED, tuple(remedies))
    most = max(sizes)
    left = Panel(most, k).effective_rates(expert) if most > 2 * k else (0.0, 1.0)
    alike = left[0] <= left[1] or loss.strictly_proper
    return Explanation(Reason.BRIBED if alike else Reason.OUTWEIGHED, tuple(remedies))


def first_that_helps(change: Change, values: Iterable[T], worth: Callable[[T], Worth | None]) -> Remedy | None:
    """Return the first value with a guarantee that is good enough, else the best that is worth anything."""
    best: Remedy | None = None
    for value in values:
        found = worth(value)
        if found is None or found.worthless or found.share is None:
            continue
        if best is None or found.expected_loss < best.worth.expected_loss:
            best = Remedy(change, value, found)
        if found.share <= _ENOUGH:
            return best
    return best


def _smaller(k: int, *, few: bool) -> list[int]:
    """Return smaller numbers of bribed reporters, the largest first; of many only some."""
    return [k // 2, 1] if few and k > 2 else list(range(k - 1, 0, -max(1, k // 20)))


def _times(sizes: Mapping[int, int], factor: int) -> dict[int, int]:
    """Return the items with so many times as many reports."""
    return {factor * m: count for m, count in sizes.items()}
