"""Reporters who deviate from the others, with what that does and does not mean."""

from functools import partial
from typing import Any

import polars as pl

from bribeproof._text import count
from bribeproof.auditing.audit import audit
from bribeproof.auditing.result import Audit
from bribeproof.errors import BribeproofError
from bribeproof.frames.native import to_polars
from bribeproof.reporting.document import Column, DataTable, Picture, Section, sentences
from bribeproof.reporting.material import Material

_DRAWN = 15
_YES, _NO = "more than chance", "as chance allows"


def deviations(material: Material) -> list[Section]:
    """Return who deviates from the others."""
    several = material.person[1]
    heading = f"{several.title()} who deviate"
    reading, question = material.source.reading, material.question
    if material.source.dependent:
        return [_not_compared(heading, "the votes on several labels of one item are not independent")]
    if reading.criteria is not None:
        return [_not_compared(heading, "each judge gives several marks to an entry, which hang together")]
    if material.read.reports.schema.sets_aside:
        return [_not_compared(heading, "reports were set aside")]
    k = question.k if question.k is not None and material.counts_heads else min(1, material.facts["k"]["most"])
    options: dict[str, Any] = {**material.source.columns, "classes": question.options.get("classes")}
    if material.scores:
        options |= {"scale": reading.stated.scale, "decimal_mark": reading.stated.decimal_mark}
    else:
        options |= {"truth": question.truth, "truth_column": question.truth_column}
    kind = "scores" if material.scores else "labels"
    try:
        found = audit(
            material.source.table, k, kind=kind, value=reading.columns.value or None, confidence=question.confidence,
            **options,
        )  # fmt: skip
    except BribeproofError as error:
        return [_not_compared(heading, str(error))]
    if not found.n_compared_items:
        return [_not_compared(heading, f"with k = {k:,} there are too few other reports on every item")]
    return [_section(heading, found, several)]


def _not_compared(heading: str, why: str) -> Section:
    """Return the section where nobody is compared."""
    return Section("deviations", heading, sentences([f"Not compared: {why}."]))


def _section(heading: str, found: Audit, several: str) -> Section:
    """Return the section of an audit."""
    reporters = to_polars(found.reporters).filter(pl.col("compared") > 0)
    if found.kind == "scores":
        measured, columns = ["deviation"], [Column("Mean deviation", decimals=3)]
    else:
        measured, columns = [], []
    if "gold" in reporters.columns:
        measured += ["gold", "gold_errors"]
        columns += [Column("Known items"), Column("Wrong there")]
    frame = reporters.select(
        pl.col("reporter").cast(pl.String), "compared", *measured, (100 * pl.col("rate")).alias("rate"),
        (100 * pl.col("rate_expected")).alias("expected"),
        pl.when("stands_out").then(pl.lit(_YES)).otherwise(pl.lit(_NO)).alias("verdict"),
    )  # fmt: skip
    headings = (
        Column(several[:-1].title()), Column("Compared"), *columns, Column("Apart, %", 1), Column("Of others, %", 1),
        Column("Deviates", bad=(_YES,)),
    )  # fmt: skip
    caption = f"{several.title()}, those who deviate most first"
    what = (
        "“Apart” is the share of a judge’s marks on the one side of the others, above or below, on which they are more "
        "often than expected; “Of others” is that share among all marks on the same entries."
        if found.kind == "scores"
        else "“Apart” is the share of a reporter’s reports that are not the most frequent of the others; “Of others” "
        "is that share among all reports on the same items."
    )
    picture = Picture(
        "deviations", f"How far {several} deviate", "Diamonds: more than chance allows among equals.",
        partial(_draw, found), min(_DRAWN, frame.height),
    )  # fmt: skip
    one, many = ("entry", "entries") if found.kind == "scores" else ("item", "items")
    said = found.summary().splitlines()  # who, what it does not mean, how much was compared, and pairs
    pairs = said[3:5] if found.gold_items is not None else []
    compared = (
        f"Each is compared with the others on the same {one}, of whom {found.k:,} may be bribed; that was possible on "
        f"{found.n_compared_items:,} of {count(found.n_items, one, many)}."
    )
    lines = [*said[:2], *pairs, compared, what]
    return Section(
        "deviations",
        heading,
        (*sentences(lines), DataTable("Deviations", caption, frame, headings, most=12), picture),
    )


def _draw(found: Audit, axes: Any) -> object:
    """Draw the deviations."""
    from bribeproof import plots

    return plots.reporters(found, most=_DRAWN, ax=axes)
