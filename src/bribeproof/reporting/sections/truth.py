"""What the items with a known truth certify: how often answers are right, and what forecasts guarantee."""

from functools import partial
from typing import Any

import polars as pl

from bribeproof.calibration.calibrate import calibrate
from bribeproof.certification.certify import certify
from bribeproof.certification.result import Certification
from bribeproof.errors import DataError, ParameterError
from bribeproof.frames.native import to_polars
from bribeproof.reporting.document import Block, Column, DataTable, Picture, Section, sentences
from bribeproof.reporting.material import Material


def certificate(material: Material) -> list[Section]:
    """Return what the items with a known truth certify; nothing where none is given."""
    if material.question.truth is None:
        return []
    heading = "How often the answers are right"
    if material.source.dependent:
        why = "The bounds need items that are independent, and the votes on several labels of one item are not."
        return [Section("right", heading, sentences([why]))]
    question, source = material.question, material.source
    value = source.reading.columns.value or "label"
    bought = {name: given for name, given in question.bought.items() if given is not None}
    given = {
        "truth_column": question.truth_column, "classes": question.options.get("classes"),
        "confidence": question.confidence, **source.columns,
    }  # fmt: skip
    found = certify(source.table, question.truth, question.k, label=value, **bought, **given)
    by_k = found
    if question.k is not None:
        by_k = certify(source.table, question.truth, label=value, **bought, **given)
    lead, *rest = _ordered(found)
    blocks = [
        *sentences([lead], "lead"),
        _table(by_k),
        _picture(by_k),
        *sentences(rest),
        *_calibration(material, given),
    ]
    return [Section("right", heading, tuple(blocks))]


def _ordered(found: Certification) -> list[str]:
    """Return the sentences of a certificate, that on the number asked for first."""
    lines, first = found.summary().splitlines(), found.headline
    return [first, *(line for line in lines if line != first)]


def _table(found: Certification) -> DataTable:
    """Return the certificate by the number of bribed reporters."""
    number = found.unit.column
    rows = to_polars(found.by_k).select(
        pl.col(number), "robust", "gold", (100 * pl.col("accuracy_low")).alias("low"),
        (100 * pl.col("list_low")).alias("list"), (100 * pl.col("list_low_chosen")).alias("chosen"),
    )  # fmt: skip
    many = "Budget" if found.unit.priced else "Bribed"
    columns = (
        Column(many), Column("Right, whatever they do"), Column("Of known items"),
        Column("Right of 100, at least", 1, "lower"), Column("Same people on all: at least", 1, "lower"),
        Column("… chosen knowing the truth", 1, "lower"),
    )  # fmt: skip
    caption = (
        f"Answers that are right even under bribes, with {100 * found.confidence:.6g} % confidence for each column"
    )
    return DataTable("Certified", caption, rows, columns, most=12)


def _picture(found: Certification) -> Picture:
    """Return the picture of certified accuracy."""
    caption = "The lower line is certified; the circles are what was found on the items with a known truth."
    return Picture("certified", "Certified accuracy by number bribed", caption, partial(_draw, found))


def _draw(found: Certification, axes: Any) -> object:
    """Draw certified accuracy."""
    from bribeproof import plots

    return plots.certified_accuracy(found, ax=axes)


def _calibration(material: Material, given: dict[str, Any]) -> list[Block]:
    """Return what a calibration guarantees of forecasts of votes; nothing for labels, and for groups and budgets."""
    question, value = material.question, material.source.reading.columns.value or "label"
    if material.answer.kind != "votes" or question.k is None or not material.counts_heads:
        return []
    if 2 * question.k >= material.facts["reporters"]:
        return []
    positive = question.options.get("positive")
    try:
        found = calibrate(
            material.source.table, question.truth, question.k, vote=value, positive=1 if positive is None else positive,
            **given,
        )  # fmt: skip
    except (DataError, ParameterError) as error:
        return [*sentences([f"No calibration: {error}."])]
    return [*sentences(["As forecasts, calibrated by the same items:", *found.summary().splitlines()])]
