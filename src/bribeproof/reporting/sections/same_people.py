"""Votes and labels: what one list of reporters, bribed on all items, could have changed, and how few are enough."""

from collections.abc import Iterator
from functools import partial
from typing import Any

import narwhals.stable.v2 as nw
import polars as pl

from bribeproof._text import count, format_amount
from bribeproof.bribery.cheapest_bribe import cheapest_bribe
from bribeproof.bribery.result import WorstBribe
from bribeproof.bribery.worst_bribe import worst_bribe
from bribeproof.errors import BribeproofError
from bribeproof.frames.native import collect, to_polars
from bribeproof.reporting.document import Block, Column, DataTable, Picture, Section, sentences
from bribeproof.reporting.material import Material

_MOST_REPORTS = 300_000
_MOST_WORK = 30_000_000
"""Up to so many reports times reporters it is searched how few are enough, which looks at every reporter in turn."""
_SHARES = (0.05, 0.25, 0.5)
"""Shares of the decisions for which it is searched how few reporters can change them."""
_DRAWN = 12


def same_people(material: Material) -> list[Section]:
    """Return what the same reporters, bribed on all items, could have changed."""
    if not material.facts["k"]["most"]:
        return []
    several = material.bribed_nouns[1]
    heading = f"One list of {several}, the same on all items"
    if why := _why_not(material):
        return [Section("same", heading, sentences([f"Not searched here: {why}."]))]
    question, source = material.question, material.source
    options: dict[str, Any] = {
        **source.columns, "label": source.reading.columns.value or "label", "classes": question.options.get("classes"),
        "group": question.bought.get("group"), "price": question.bought.get("price"),
    }  # fmt: skip
    try:
        found = worst_bribe(
            source.table,
            question.k,
            budget=question.bought.get("budget"),
            time_limit=question.time_limit / 2,
            **options,
        )
    except BribeproofError as error:
        return [Section("same", heading, sentences([f"Not searched here: {error}."]))]
    lines = [*_verdict(material, found)]
    if not found.exact:
        lines.append(
            f"The search was ended after {question.time_limit / 2:.3g} seconds: how far it came depends on the "
            f"computer."
        )
    blocks: list[Block] = [*sentences(lines)]
    if found.changed:
        blocks += _who(found, several)
    blocks += _how_few(material, found, options)
    if found.changed:
        blocks += sentences(
            [
                "A name in these lists is no accusation: it says whose reports matter most, most often because they "
                "are many."
            ]
        )
    return [Section("same", heading, tuple(blocks))]


def _verdict(material: Material, found: WorstBribe) -> Iterator[str]:
    """Yield how much the same reporters could have changed, and how much others on each item."""
    k, (one, several) = material.question.k, material.bribed_nouns
    who = f"The same {material.who.removeprefix('one ')}, on all items, rewriting the reports that they gave,"
    of = f"{count(found.decided, 'decided item')}"
    most = f"{int(found.upper):,}"
    if found.exact:
        yield f"{who} could have changed at most {found.changed:,} of {of} (proven)."
    else:
        yield f"{who} could have changed {found.changed:,} of {of}, and no others more than {most} (proven)."
    if found.priced and found.changed:
        yield f"Those below cost {format_amount(found.cost)}."
    others = f"another {one}" if k == 1 else f"other {several}"
    yield (
        f"With perhaps {others} on each item, {found.each_alone:,} {'is' if found.each_alone == 1 else 'are'} so close "
        f"that {'it' if found.each_alone == 1 else 'they'} might have been changed."
    )


def _why_not(material: Material) -> str:
    """Return why it is not searched; nothing if it is."""
    reports = material.read.reports
    if reports.schema.asked is not None or reports.schema.sets_aside:
        return "silent reporters, or those set aside, count as bribed on some items only"
    if material.source.dependent:
        return "it takes one label at a time, as the votes on several labels of an item hang together"
    if reports.source.large is not None:
        return "the table is larger than memory"
    if collect(reports.rows.select(nw.len()))["len"].item() > _MOST_REPORTS:
        return f"there are more than {_MOST_REPORTS:,} reports; the command bribeproof bribe does it"
    return ""


def _who(found: WorstBribe, several: str) -> list[Block]:
    """Return who these are, and which decisions they could have changed."""
    who = "group" if found.grouped else "reporter"
    listed = to_polars(found.reporters)
    reporters = listed.select(
        pl.col(who).cast(pl.String), "reports", "changes_alone", "with_those_above",
        *(["price"] if "price" in listed.columns else []),
    )  # fmt: skip
    columns = [
        Column(who.title()), Column("Reports"), Column("Changes alone"), Column("With those above"),
        *([Column("Price")] if "price" in reporters.columns else []),
    ]  # fmt: skip
    items = to_polars(found.items).select(pl.first().cast(pl.String), pl.col("decision").cast(pl.String), pl.last())
    headings = (Column("Item"), Column("Decision"), Column("Ahead by"))
    caption = f"The {several} who could have changed most, and how many decisions"
    title = "What each of them could have changed"
    drawn = "Bars: with those above, what this one adds in the blue part."
    rows = min(_DRAWN, reporters.height)
    return [
        DataTable("Same people", caption, reporters, tuple(columns)),
        Picture("same", title, drawn, partial(_draw, found), rows),
        DataTable("What they change", "The decisions that they could have changed", items, headings, most=10),
    ]


def _draw(found: WorstBribe, axes: Any) -> object:
    """Draw what each of them could have changed."""
    from bribeproof import plots

    return plots.bribe(found, most=_DRAWN, ax=axes)


def _how_few(material: Material, found: WorstBribe, options: dict[str, Any]) -> list[Block]:
    """Return how few reporters, or how little money, can change some shares of the decisions."""
    targets = sorted(
        {max(1, -(-int(found.decided * 1000 * share) // 1000)) for share in _SHARES} if found.decided else ()
    )
    reports = int(found.found.ballots.counts.sum())
    if reports * found.n_reporters > _MOST_WORK:
        more = (
            "How few reporters can change how many decisions is not searched for so many of them: the command "
            "bribeproof bribe --change does it."
        )
        return [*sentences([more])]
    rows: list[tuple[Any, ...]] = []
    for target in targets:
        try:
            least = cheapest_bribe(
                material.source.table, target, time_limit=material.question.time_limit / 2 / len(targets), **options
            )
        except BribeproofError:
            continue
        cost, bound = float(least.cost), float(least.least)
        enough = format_amount(cost) if found.priced else f"{int(cost):,}"
        proven = format_amount(bound) if found.priced else f"{int(bound):,}"
        share = f"{count(target, 'decision')} ({100 * target / found.decided:.0f} %)"
        rows.append((share, enough, proven if not least.exact else "the least"))
    if not rows:
        return []
    several = material.bribed_nouns[1]
    what = "Price" if found.priced else f"{several[0].upper()}{several[1:]}"
    frame = pl.DataFrame(rows, schema=["share", "enough", "least"], orient="row")
    columns = (Column("To change …"), Column(f"{what} enough"), Column("Not fewer than (proven)"))
    little = "little money" if found.priced else f"few {several}"
    caption = f"How {little} can change how many decisions, the same on all items"
    return [DataTable("How few it takes", caption, frame, columns)]
