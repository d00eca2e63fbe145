"""Calibrate the voters of an open file, for the commands that aggregate it."""

from typing import TYPE_CHECKING

from bribeproof.cli.options.expert import GoldOptions
from bribeproof.cli.options.input import OpenInput
from bribeproof.errors import ParameterError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bribeproof.calibration.result import Calibration

DEFAULT_CONFIDENCE = 0.95


def calibrate_voters(
    data: OpenInput,
    known: GoldOptions,
    k: int | None,
    *,
    share: str | None = None,
    confidence: float | None = None,
    positive: str | None = None,
    classes: "Sequence[str] | None" = None,
) -> "Calibration":
    """Calibrate the voters of an open file on its items with a known truth.

    Parameters
    ----------
    data
        The open file.
    known
        Where the truth is.
    k, share
        How many reporters may be bribed, or which share of the panel.
    confidence
        The confidence of the bounds; None for the default.
    positive, classes
        As in `calibrate`.

    Raises
    ------
    ParameterError
        If the file does not hold votes.
    """
    from bribeproof.calibration.calibrate import calibrate
    from bribeproof.frames.reading.open_reports import refuse_dependent

    if data.recognised.kind != "votes":
        hint = ": if there are two classes, add --kind votes" * (data.recognised.kind == "labels")
        raise ParameterError(f"--truth and --gold apply to votes, and these are {data.recognised.kind}{hint}")
    vote = data.recognised.columns.value or "label"
    options = data.options | {"vote": vote} | ({} if positive is None else {"positive": positive})
    refuse_dependent(data.recognised, "the bounds of a calibration")
    truth, column = known.read(data.recognised, vote)
    level = DEFAULT_CONFIDENCE if confidence is None else confidence
    return calibrate(
        data.table, truth, k, share=share, confidence=level, truth_column=column, classes=classes, **options
    )
