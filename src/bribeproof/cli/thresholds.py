"""Thresholds for pipelines: exit status 3 where an answer is worth less than they ask for."""

import math
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from bribeproof._text import format_bound, format_number
from bribeproof.errors import ParameterError

if TYPE_CHECKING:
    from bribeproof.certification.result import Certification
    from bribeproof.frames.reading.kinds import Kind

STATUS = 3
"""Exit status of a command whose answer misses a threshold; 2 is that of errors."""


class ThresholdError(Exception):
    """The answer, which has been printed and written, misses the threshold."""


def check_movable_option(most: int, kind: "Kind", k: int | None) -> None:
    """Refuse a largest number of unsafe items where none is counted: for scores, and where nobody is bribed."""
    if kind == "scores":
        raise ParameterError(
            "--fail-if-movable counts decisions, and any bribe moves a score: leave it out; what bribes could do to "
            "the places is in the summary"
        )
    if most < 0:
        raise ParameterError(f"--fail-if-movable {most}: give a number of items of at least 0")
    if k == 0:
        raise ParameterError(f"--fail-if-movable {most}: nobody can be bribed with k = 0; give a k of at least 1")


def refuse_movable(facts: Mapping[str, Any], most: int) -> None:
    """Raise ThresholdError if more items than ``most`` have no decision that is safe from k bribed reporters.

    Parameters
    ----------
    facts
        What `bribeproof.aggregation.summary.summarise` returns for votes or labels.
    most
        The largest number of such items.

    Examples
    --------
    >>> facts = {"items": 5, "unsafe": 3, "changeable": 2, "status": {"ok": 4, "not certified": 1}}
    >>> refuse_movable(facts, 3)
    >>> refuse_movable(facts, 0)
    Traceback (most recent call last):
    bribeproof.cli.thresholds.ThresholdError: --fail-if-movable 0: 3 of 5 items have no safe decision (2 could have ...
    """
    unsafe = facts["unsafe"]
    if unsafe <= most:
        return
    uncertified = {status: items for status, items in facts["status"].items() if status != "ok"}
    others = unsafe - facts["changeable"] - sum(uncertified.values())
    why = "by reports of reporters who said nothing" if "bribes" in facts else "without protection, k = 0"
    parts = [(facts["changeable"], "could have been changed"), *((n, status) for status, n in uncertified.items())]
    listed = ", ".join(f"{n:,} {what}" for n, what in [*parts, (others, why)] if n)
    raise ThresholdError(
        f"--fail-if-movable {most:,}: {unsafe:,} of {facts['items']:,} items have no safe decision ({listed})"
    )


def check_share_option(least: float | None) -> None:
    """Refuse a least share of right answers that is no share."""
    if least is not None and not 0 < least <= 1:
        raise ParameterError(f"--fail-below {least:g}: give a share of right answers above 0, at most 1, such as 0.9")


def refuse_accuracy(result: "Certification", least: float) -> None:
    """Raise ThresholdError if fewer answers are certified to be right for the k, or the budget, that was asked for."""
    row = result.by_k.row(-1, named=True)
    certified = row["accuracy_low"]
    if certified < least:
        raise ThresholdError(
            f"--fail-below {least:g}: with {100 * result.confidence:.6g} % confidence a share of "
            f"{format_bound(certified, 3, upper=False)} of the answers is certified to be right "
            f"({result.unit.phrase(row[result.unit.column])}, the bribed perhaps others on each item)"
        )


def check_loss_option(most: float | None) -> None:
    """Refuse a largest loss that no bound can keep."""
    if most is not None and not 0 < most < math.inf:
        raise ParameterError(f"--fail-above {most:g}: give an expected loss above 0, such as 0.2")


def refuse_loss(facts: Mapping[str, Any], most: float) -> None:
    """Raise ThresholdError if a calibration guarantees no expected loss so small: its first loss counts.

    Parameters
    ----------
    facts
        What `bribeproof.calibration.report.describe_calibration` returns.
    most
        The largest expected loss.
    """
    name, bound = next(iter(facts["expected_loss"].items()))
    if bound is None:
        raise ThresholdError(f"--fail-above {most:g}: no item has the more than 2k reports that a guarantee needs")
    if bound > most:
        raise ThresholdError(
            f"--fail-above {most:g}: the expected {name} loss that is guaranteed with k = {facts['k']:,} is at most "
            f"{format_number(bound)} (on average over {facts['certified']:,} items)"
        )
