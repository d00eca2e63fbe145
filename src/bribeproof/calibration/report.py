"""What a calibration says of a panel, as plain data for whoever shows it."""

from typing import Any

from bribeproof.calibration.result import Calibration

_LOSSES = ("squared", "absolute", "log")
_FACTORS = (2, 4, 10)
_MOST_K = 10


def describe_calibration(learned: Calibration) -> dict[str, Any]:
    """Return what the gold items say of the panel, for other k too, and what more of them would say.

    Parameters
    ----------
    learned
        What `calibrate` returned.

    Returns
    -------
    dict
        ``n``, ``k``, ``confidence``, ``gold`` (items by their truth); bounds ``prior``, ``tpr`` and ``fpr`` and the
        ``expected_loss`` that is never exceeded, by loss; the same ``by_k`` and for
        ``more_gold``. It is as JSON has it.

    Notes
    -----
    theory.md §6.

    Examples
    --------
    >>> import polars as pl
    >>> from bribeproof.calibration.calibrate import calibrate
    >>> rows = [(i, worker, i % 2) for i in range(200) for worker in "abc"]
    >>> votes = pl.DataFrame(rows, schema=["task", "worker", "label"], orient="row")
    >>> found = describe_calibration(calibrate(votes, {i: i % 2 for i in range(100)}, k=1))
    >>> found["gold"], round(found["expected_loss"]["squared"], 3), [row["items"] for row in found["more_gold"]]
    ({'negative': 50, 'positive': 50}, 0.164, [100, 200, 400, 1000])
    """
    panel = learned.panel
    counts = sorted({*range(min(_MOST_K, (panel.n + 1) // 2)), panel.k})

    def worth(found: Calibration) -> dict[str, Any]:
        expert = found.expert
        return {
            "prior": list(expert.prior),
            "tpr": expert.tpr,
            "fpr": expert.fpr,
            "expected_loss": {loss: found.guarantee(loss).expected_loss for loss in _LOSSES},
        }

    return {
        "n": panel.n,
        "k": panel.k,
        "confidence": learned.confidence,
        "gold": dict(zip(("negative", "positive"), learned.gold.items, strict=True)),
        **worth(learned),
        "by_k": [{"k": k, **worth(learned.with_k(k))} for k in counts],
        "more_gold": [
            {"items": factor * sum(learned.gold.items), **worth(learned.with_gold(factor))} for factor in (1, *_FACTORS)
        ],
    }
