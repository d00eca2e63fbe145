"""Return a calibration as plain data: its bounds and guarantees, for other k and for more gold items too."""

from typing import Any

from bribeproof.calibration.result import LOSSES, PROVISO_GOLD, Calibration

_FACTORS = (2, 4, 10)
_MOST_K = 10


def describe_calibration(calibration: Calibration) -> dict[str, Any]:
    """Return the bounds and guarantees of a calibration, for other k and for more gold items too.

    Parameters
    ----------
    calibration
        The result of `calibrate`.

    Returns
    -------
    dict
        ``n``, ``k``, ``confidence``, ``gold`` (the number of items by truth), ``items`` (how many have how many
        reports); the bounds ``prior``, ``tpr``, ``fpr`` and, on average over the ``certified`` items, ``expected_loss``
        by loss, None if there are none; the same for other k in ``by_k``, and for more gold items with the same shares
        of right answers in ``more_gold``; and the ``condition`` of these guarantees. All values are of JSON types.

    Notes
    -----
    docs/theory.md §6 and §15.

    Examples
    --------
    >>> import polars as pl
    >>> from bribeproof.calibration.calibrate import calibrate
    >>> rows = [(i, worker, i % 2) for i in range(200) for worker in "abc"]
    >>> votes = pl.DataFrame(rows, schema=["task", "worker", "label"], orient="row")
    >>> facts = describe_calibration(calibrate(votes, {i: i % 2 for i in range(100)}, k=1))
    >>> facts["gold"], round(facts["expected_loss"]["squared"], 3), [row["items"] for row in facts["more_gold"]]
    ({'negative': 50, 'positive': 50}, 0.163, [100, 200, 400, 1000])
    """
    panel = calibration.panel
    counts = sorted({*range(min(_MOST_K, (panel.n + 1) // 2)), panel.k})

    def bounds(calibration: Calibration) -> dict[str, Any]:
        expert = calibration.expert
        return {
            "prior": list(expert.prior),
            "tpr": expert.tpr,
            "fpr": expert.fpr,
            "certified": calibration.certified,
            "expected_loss": {
                loss: calibration.guarantee(loss).expected_loss if calibration.certified else None for loss in LOSSES
            },
        }

    return {
        "n": panel.n,
        "k": panel.k,
        "confidence": calibration.confidence,
        "gold": dict(zip(("negative", "positive"), calibration.gold.items, strict=True)),
        "items": [{"reports": m, "items": items} for m, items in sorted(calibration.sizes.items())],
        **bounds(calibration),
        "condition": f"on average over the certified items, {PROVISO_GOLD}",
        "by_k": [{"k": k, **bounds(calibration.with_k(k))} for k in counts],
        "more_gold": [
            {"items": factor * sum(calibration.gold.items), **bounds(calibration.with_gold(factor))}
            for factor in (1, *_FACTORS)
        ],
    }
