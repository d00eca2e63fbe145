"""Return a calibration as plain data: its bounds and guarantees, for other k and for more gold items too."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Any

from bribeproof.calibration.result import LOSSES, Calibration
from bribeproof.theory import ExpertInterval, Loss, Worth, effective_reporters, get_loss, items_guarantee, worth_of
from bribeproof.theory.minimax.items_guarantee import some_sizes
from bribeproof.theory.minimax.remedies import Change, Remedy, explain_worthless

_FACTORS = (2, 4, 10)
_MOST_K = 10


def describe_calibration(calibration: Calibration, losses: Sequence[Loss | str] = LOSSES) -> dict[str, Any]:
    """Return the bounds and guarantees of a calibration, for other k and for more gold items too.

    Parameters
    ----------
    calibration
        The result of `calibrate`.
    losses
        The losses to bound; the first one is that of `worth`.

    Returns
    -------
    dict
        ``n``, ``k``, ``confidence``, ``positive`` (the class), ``negative`` (the others), ``gold`` (the number of items
        by truth, and of those ``unanswered`` or ``unsure``), ``items`` (how many have how many reports), ``uneven``;
        the bounds ``prior``, ``tpr``, ``fpr``, ``correlation`` (the largest possible one by truth) and, on average over
        the ``certified`` items, ``expected_loss`` and ``of_prior``, its share of what the prior alone guarantees, by
        loss, None if there are none; ``errors``, what is known of errors by truth; ``effective_reporters`` of an item
        with ``reports``; ``worth`` and, where it is worth nothing, the ``explanation``; the guarantee by the number of
        reports on an item in ``by_reports``; the bounds for other k in ``by_k``, for more gold items with the same
        shares of right answers in ``more_gold``, and for any number of them in ``limit``; and the ``condition`` of
        these guarantees. All values are of JSON types.

    Notes
    -----
    docs/theory.md §6, §12 and §15.

    Examples
    --------
    >>> import polars as pl
    >>> from bribeproof.calibration.calibrate import calibrate
    >>> rows = [(i, worker, i % 2) for i in range(200) for worker in "abc"]
    >>> votes = pl.DataFrame(rows, schema=["task", "worker", "label"], orient="row")
    >>> facts = describe_calibration(calibrate(votes, {i: i % 2 for i in range(100)}, k=1))
    >>> facts["gold"]["positive"], round(facts["expected_loss"]["squared"], 3), round(facts["worth"]["share"], 2)
    (50, 0.163, 0.65)
    >>> [row["items"] for row in facts["more_gold"]]
    [100, 200, 400, 1000]
    """
    panel, gold = calibration.panel, calibration.gold
    counts = sorted({*range(min(_MOST_K, (panel.n + 1) // 2)), panel.k})
    names = [get_loss(loss).name for loss in losses]

    def bounds(expert: ExpertInterval, k: int) -> dict[str, Any]:
        found = [items_guarantee(calibration.sizes, k, expert, loss, rule_of=calibration.rule_of) for loss in losses]
        worths = [
            None if one is None else worth_of(one.expected_loss, expert, loss)
            for one, loss in zip(found, losses, strict=True)
        ]
        return {
            "prior": list(expert.prior),
            "tpr": expert.tpr,
            "fpr": expert.fpr,
            "correlation": _by_truth(expert.correlations[::-1]),
            "certified": sum(items for m, items in calibration.sizes.items() if m > 2 * k),
            "expected_loss": {
                name: None if one is None else one.expected_loss for name, one in zip(names, worths, strict=True)
            },
            "of_prior": {name: None if one is None else one.share for name, one in zip(names, worths, strict=True)},
            "worthless": worths[0] is None or worths[0].worthless,
        }

    negative, positive = gold.items
    own = bounds(calibration.expert, panel.k)
    more = [
        {"items": factor * (negative + positive), **bounds(calibration.with_gold(factor).expert, panel.k)}
        for factor in _FACTORS
    ]
    known = own["expected_loss"][names[0]]
    by_k = [{"k": k, **(own if k == panel.k else bounds(calibration.with_k(k).expert, k))} for k in counts]
    errors = _describe_errors(calibration)
    return {
        "n": panel.n,
        "k": panel.k,
        "confidence": calibration.confidence,
        "positive": calibration.classes[0],
        "negative": list(calibration.classes[1:]),
        "gold": {"negative": negative, "positive": positive, "unanswered": gold.unanswered}
        | {"unsure": 0 if calibration.prior is not None else sum(gold.unsure(panel.k))},
        "items": [{"reports": m, "items": items} for m, items in sorted(calibration.sizes.items())],
        "uneven": None if calibration.uneven is None else str(calibration.uneven),
        **own,
        "errors": errors,
        "effective_reporters": None if errors is None else _describe_reporters(calibration, errors),
        "worth": None if known is None else worth_of(known, calibration.expert, losses[0]).facts(),
        "explanation": _explain(calibration, losses[0], by_k, more) if known is not None and own["worthless"] else None,
        "by_reports": _by_reports(calibration, losses[0]),
        "condition": f"on average over the certified items, {calibration.condition}",
        "by_k": by_k,
        "more_gold": [{"items": negative + positive, **own}, *more],
        "limit": bounds(_limit(calibration), panel.k) if calibration.uneven is None else None,
    }


def _limit(calibration: Calibration) -> ExpertInterval:
    """Return the limit of the bounds for many gold items; a prior that is given stays."""
    observed = calibration.gold.observed_interval(calibration.panel)
    return observed if calibration.prior is None else replace(observed, prior=calibration.prior)


def _by_reports(calibration: Calibration, loss: Loss | str) -> list[dict[str, Any]]:
    """Return the guarantee of items with at least so many reports, for at most 12 such numbers, ascending."""
    expert, k = calibration.expert, calibration.panel.k
    certified = {m: items for m, items in sorted(calibration.sizes.items()) if items and m > 2 * k}
    rows = []
    starts = some_sizes(certified)
    for start, end in pairwise([*starts, max(certified, default=0) + 1]):
        found = items_guarantee({start: 1}, k, expert, loss, rule_of=calibration.rule_of)
        worth = None if found is None else worth_of(found.expected_loss, expert, loss)
        sizes = [m for m in certified if start <= m < end]
        rows.append(
            {
                "reports": [min(sizes), max(sizes)],
                "items": sum(certified[m] for m in sizes),
                "expected_loss": None if worth is None else worth.expected_loss,
                "of_prior": None if worth is None else worth.share,
            }
        )
    return rows


def _by_truth(values: Iterable[float]) -> dict[str, float]:
    """Return values given a negative and given a positive truth by name."""
    return dict(zip(("negative", "positive"), values, strict=True))


def _describe_errors(calibration: Calibration) -> dict[str, Any] | None:
    """Return what is observed of errors and joint errors, and their bounds, by truth; None where pairs are not used."""
    if calibration.errors is None:
        return None
    found = {}
    for state, name in enumerate(("negative", "positive")):
        rates = calibration.errors[state]
        wrong, joint = calibration.gold.observed_rates(state)
        spread = wrong * (1 - wrong)
        found[name] = {
            "observed": {
                "error": wrong,
                "joint": joint,
                "correlation": (joint - wrong**2) / spread if spread else None,
            },
            "error": [rates.least, rates.most],
            "joint": [rates.joint_least, rates.joint_most],
            "correlation": list(rates.correlation),
        }
    return found


def _describe_reporters(calibration: Calibration, errors: dict[str, Any]) -> dict[str, Any]:
    """Return what the reports on an item average out like, as observed and at least."""
    m = calibration.usual_size
    observed = [one["observed"]["correlation"] for one in errors.values()]
    seen = [rho for rho in observed if rho is not None]
    rho = min(1.0, max(0.0, *seen)) if seen else None
    return {
        "reports": m,
        "observed": None if rho is None else m / (1 + (m - 1) * rho),
        "least": effective_reporters(m, calibration.expert) if m else 0.0,
    }


def _explain(
    calibration: Calibration, loss: Loss | str, by_k: Sequence[dict[str, Any]], more: Sequence[dict[str, Any]]
) -> dict[str, Any]:
    """Return why the guarantee is worth nothing, and what would change that."""
    name, expert, k = get_loss(loss).name, calibration.expert, calibration.panel.k

    def worth(row: dict[str, Any]) -> Worth:
        return worth_of(row["expected_loss"][name], tuple(row["prior"]), loss)

    known = sum(calibration.gold.items)
    helpful = [Remedy(Change.GOLD, row["items"] // known, worth(row)) for row in more if not row["worthless"]][:1]
    smaller = {row["k"]: worth(row) for row in by_k if row["k"] < k}
    sizes = {m: items for m, items in calibration.sizes.items() if m > 2 * k}
    return explain_worthless(sizes, k, expert, loss, smaller=smaller, more=helpful).facts()
