"""Votes and labels: which decisions are safe, which items to label again, and what that costs."""

from functools import partial

import polars as pl

from bribeproof._text import count, format_amount, name_in_list, with_and
from bribeproof.aggregation.contradictions import describe_contradictions
from bribeproof.aggregation.decided_sets import describe_sets
from bribeproof.aggregation.summary import changeable, safe_decisions
from bribeproof.frames.native import collect, to_polars
from bribeproof.frames.schema import ITEM, REPORTER, VALUE
from bribeproof.reporting.document import Block, Column, DataTable, Fact, Facts, Picture, Section, sentences
from bribeproof.reporting.material import Material

_MOST_NAMED = 12
"""Of panels of up to so many reporters, those who could be asked are named."""
_MOST_ASKED = 1_000
"""For so many items at most it is listed who could be asked."""
_MOST_K = 5
_DRAWN = 15


def decisions(material: Material) -> list[Section]:
    """Return which decisions are safe, and which items to label again."""
    table = _judged(material)
    return [_answer(material, table), *_again(material, table), _all_answers(material, table)]


def _judged(material: Material) -> pl.DataFrame:
    """Return the answers with what is made of them.

    Columns are added: ``leads``, the label that leads, also where it is not certified; ``lead``, by how many reports;
    ``safe``; ``why`` an item is not; and ``needed``, the least number of further reports that make it safe. Where
    groups are bribed, or silence counts, `lead` and `needed` are null.
    """
    items = material.items
    wide = bool(material.source.reading.columns.judges)
    safe = safe_decisions(items.lazy(), wide=wide)
    if material.counts_heads:
        known = to_polars(material.read.combine(0))
        items = items.with_columns(
            leads=known["decision"].cast(pl.String), lead=known["additions_needed"].fill_null(0).cast(pl.Int64)
        )
    else:
        items = items.with_columns(leads=pl.col("decision").cast(pl.String), lead=pl.lit(None, pl.Int64))
    why = (
        pl.when(pl.col("m") == 0)
        .then(pl.lit("no reports"))
        .when(pl.col("tie"))
        .then(pl.lit("tie"))
        .when(changeable(material.items.columns))
        .then(pl.lit("could be changed"))
        .when(pl.col("status") != "ok")
        .then(pl.lit("too few reports"))
        .otherwise(pl.lit("silent ones could change it"))
    )
    needed = (2 * pl.col("k") + 1 - pl.col("lead")).clip(lower_bound=1)
    return items.with_columns(safe=safe).with_columns(
        why=pl.when("safe").then(pl.lit("safe")).otherwise(why),
        needed=pl.when("safe").then(pl.lit(0)).otherwise(needed).cast(pl.Int64),
    )


def _answer(material: Material, table: pl.DataFrame) -> Section:
    """Return how many decisions are safe, and what is to be done."""
    total, safe = table.height, int(table["safe"].sum())
    again = total - safe
    noun = "answer" if material.answer.kind == "votes" else "label"
    protected = material.facts["k"]["most"] > 0
    lead, more = [], []
    if not protected:
        lead.append("Nobody is counted as bribed (k = 0), so that no answer is safe from a bribe.")
    elif not total:
        lead.append("The file holds no items.")
    else:
        lead.append(_verdict(material, total, safe, noun))
        if again:
            lead.append(f"{count(again, 'item')} should be labelled again: {_reasons(table)}.")
    facts = [
        Fact("Items", f"{total:,}"),
        Fact("Reporters", f"{material.facts['reporters']:,}"),
        *([Fact("Safe", f"{safe:,}", f"{100 * safe / total:.0f} %")] if protected and total else []),
        *([Fact("To label again", f"{again:,}")] if protected else []),
    ]
    if protected and again and material.counts_heads:
        reports = int(table["needed"].sum())
        facts.append(Fact("More reports", f"{reports:,}", "at least"))
        if (each := material.question.cost_per_report) is not None:
            facts.append(Fact("They cost", f"{reports * each:,.2f}", "at least"))
    if protected:
        right = (
            "How often answers are right can be said only where some truth is given."
            if material.question.truth is None
            else "The next section says how often answers are right, from the items whose truth is known."
        )
        if material.question.truth is None and len(gold := material.source.reading.gold) == 1:
            right += f" The column {gold[0]!r} seems to hold it: name it (--gold {gold[0]}, truth={gold[0]!r})."
        more.append(f"Safe is not the same as right: it says that a bribe could not have changed the answer. {right}")
    more += _silent(material)
    blocks: list[Block] = [*sentences(lead, "lead"), Facts(tuple(facts)), *sentences(more), *_by_k(material, table)]
    return Section("answer", "Which answers can be trusted", tuple(blocks))


def _verdict(material: Material, total: int, safe: int, noun: str) -> str:
    """Return how many decisions are safe, as a sentence."""
    if not safe:
        return f"None of {count(total, noun)} is safe from {material.who}."
    if material.counts_heads:
        how = " and whether reports are rewritten, withheld or added"
    else:
        how = ", by rewriting reports" if material.question.bribes is not None else " and whether they report or not"
    of = f"All {count(total, noun)} are" if safe == total else f"{safe:,} of {count(total, noun)} are"
    which, who = "them", "whoever it is" if material.question.k == 1 else "whoever they are"
    if safe == 1:
        of, which = f"1 of {count(total, noun)} is", "it"
    where = material.answer.bribed_on_each
    return f"{of} safe: {material.who} could not have changed {which}, {who} on each {where}{how}."


def _reasons(table: pl.DataFrame) -> str:
    """Return why items are not safe, and how many."""
    counts = dict(table.filter(~pl.col("safe"))["why"].value_counts().iter_rows())
    words = {
        "could be changed": ("could have been changed", "could have been changed"),
        "tie": ("is a tie", "are ties"),
        "too few reports": ("has too few reports", "have too few reports"),
        "no reports": ("has no report", "have no report"),
        "silent ones could change it": (
            "could have been changed by those who said nothing", "could have been changed by those who said nothing",
        ),
    }  # fmt: skip
    if len(counts) == 1:
        (why,) = counts
        few, many = words[why]
        return f"it {few}" if counts[why] == 1 else f"all {many}"
    parts = [f"{counts[why]:,} {texts[counts[why] > 1]}" for why, texts in words.items() if why in counts]
    return with_and(parts)


def _silent(material: Material) -> list[str]:
    """Return what is to be said of silence, sets of labels and statements that reports contradict."""
    facts = material.facts
    lines: list[str] = []
    if sets := facts.get("sets"):
        lines += describe_sets(sets, protected=facts["k"]["most"] > 0)
    if (silent := facts.get("changeable_by_silent")) and material.counts_heads:
        lines.append(
            f"On {count(silent, 'item')} the reporters who said nothing could, all together, have overturned the "
            f"decision by reporting, bribed or not."
        )
    if contradictions := facts.get("contradictions"):
        lines.append(f"{describe_contradictions(contradictions['count'], contradictions['first'])}.")
    return lines


def _by_k(material: Material, table: pl.DataFrame) -> list[DataTable]:
    """Return how many decisions are safe if more, or fewer, may be bribed."""
    if not material.counts_heads or not table.height or material.answer.share is not None:
        return []
    largest = (material.facts["reporters"] - 1) // 2
    ks = [k for k in range(1, max(_MOST_K, (material.question.k or 0) + 1) + 1) if k <= largest][: _MOST_K + 3]
    rows = []
    for k in ks:
        safe = int((table["lead"] > 2 * k).sum())
        missing = int((2 * k + 1 - table["lead"].filter(table["lead"] <= 2 * k)).sum())
        rows.append((k, safe, table.height - safe, missing))
        if not safe:
            break
    frame = pl.DataFrame(rows, schema=["k", "safe", "again", "reports"], orient="row")
    columns = (
        Column("Bribed on each item"),
        Column("Safe"),
        Column("To label again"),
        Column("More reports, at least"),
    )
    return [DataTable("By number bribed", "If more, or fewer, may be bribed", frame, columns)] if rows else []


def _again(material: Material, table: pl.DataFrame) -> list[Section]:
    """Return the items to label again, the most fragile decisions first."""
    if not material.facts["k"]["most"]:
        return []
    order = {"could be changed": 0, "silent ones could change it": 1, "tie": 2, "too few reports": 3, "no reports": 4}
    rows = table.filter(~pl.col("safe")).with_row_index("_row")
    if rows.is_empty():
        return []
    needed = next(name for name in ("price_needed", "bribes_needed", "flips_needed") if name in rows.columns[2:])
    rows = rows.with_columns(_order=pl.col("why").replace_strict(order, return_dtype=pl.Int64)).sort(
        "_order", needed, "_row", nulls_last=True
    )
    names = rows.columns[1]
    frame = rows.select(pl.col(names).cast(pl.String), "leads", "why", "m", needed)
    to_turn = {
        "flips_needed": "Reports to rewrite", "bribes_needed": "Groups to bribe", "price_needed": "Price to change it",
    }[needed]  # fmt: skip
    columns = [Column("Item"), Column("Leads now"), Column("Why"), Column("Reports"), Column(to_turn)]
    lines: list[str] = []
    if material.counts_heads:
        frame = frame.with_columns(rows["needed"], _askable(material, rows.to_series(1), rows["needed"]))
        columns += [Column("More reports (at least)"), Column("Could be asked")]
        lines += _labelling_advice(material, rows)
    else:
        lines.append(
            "How many more reports an item needs depends on whose they are, where groups are bribed or silence counts; "
            "it is not said here."
        )
    lines.append(
        f"“{to_turn}” is the least that takes the win away from the label that leads, so that it is tied or behind."
    )
    listed = DataTable("Label again", "Items to label again, the most fragile decisions first", frame, tuple(columns))
    return [Section("again", "What to label again", (*sentences(lines), listed, *_picture(material, needed)))]


def _askable(material: Material, chosen: pl.Series, needed: pl.Series) -> pl.Series:
    """Return who has not reported on some items: by name where there are few reporters, else how many."""
    items, panel = material.items, material.facts["reporters"]
    if panel > _MOST_NAMED:
        name = items.columns[0]
        sizes = dict(zip(items[name].cast(pl.String), items["n"] - items["m"], strict=True))
        return pl.Series("askable", [f"{sizes[str(one)]:,} of {panel:,}" for one in chosen])
    reports = material.read.reports
    given = collect(reports.rows.select(ITEM, REPORTER, VALUE)).drop_nulls(VALUE)
    everybody = sorted(map(str, collect(reports.rows.select(REPORTER).unique()).to_series().drop_nulls()))
    first = chosen.head(_MOST_ASKED).cast(pl.String).to_list()
    of_items = given.select(pl.col(ITEM, REPORTER).cast(pl.String)).filter(pl.col(ITEM).is_in(first))
    asked = dict(of_items.group_by(ITEM).agg(pl.col(REPORTER)).iter_rows())
    names = []
    for item, number in zip(first, needed, strict=False):
        left = [name_in_list(one) for one in everybody if one not in asked.get(item, ())]
        names.append(with_and([*left, "new people"] if len(left) < number else left))
    return pl.Series("askable", names + [None] * (len(chosen) - len(first)), dtype=pl.String)


def _labelling_advice(material: Material, rows: pl.DataFrame) -> list[str]:
    """Return how many reports are needed, of whom, and what they cost."""
    reports = int(rows["needed"].sum())
    each = material.question.cost_per_report
    cost = "" if each is None else f" At {format_amount(each)} each they cost at least {reports * each:,.2f}."
    k = material.question.k
    who = "one bribed reporter" if k == 1 else f"{k:,} bribed reporters"
    lines = [
        f"They need at least {count(reports, 'more report')}, from reporters who have not reported on the item: so "
        f"many if each agrees with the label that leads now (of a tie, with one of them), more if some do not. On each "
        f"item {who} in all {'is' if k == 1 else 'are'} reckoned with, new ones included.{cost}"
    ]
    short = int((rows["needed"] > rows["n"] - rows["m"]).sum())
    if short:
        lines.append(
            f"On {count(short, 'of these items', 'of these items')} fewer reporters are left than reports are needed: "
            f"new people have to be asked."
        )
    return lines


def _picture(material: Material, needed: str) -> list[Picture]:
    """Return the picture of the most fragile items."""
    items = material.items
    certified = items.filter((pl.col("status") == "ok") & ~pl.col("tie"))
    if certified.is_empty() or certified[needed].sort().head(_DRAWN).n_unique() < 2:
        return []  # a picture in which all are alike says nothing
    caption = "What takes each win away: the least first, ties left out."
    title = "The most fragile decisions"
    return [
        Picture(
            "fragile", title, caption, partial(_draw, certified, items.columns[0]), min(_DRAWN, certified.height)
        )
    ]  # fmt: skip


def _draw(items: pl.DataFrame, item: str, axes: object) -> object:
    """Draw the most fragile items."""
    from bribeproof import plots

    return plots.items(items, item=item, most=_DRAWN, ax=axes)  # type: ignore[arg-type]


def _all_answers(material: Material, table: pl.DataFrame) -> Section:
    """Return all answers."""
    item = table.columns[0]
    shares = [name for name in ("estimate",) if name in table.columns[1:]]
    frame = table.select(pl.col(item).cast(pl.String), "leads", "m", *shares, "why")
    what = "Share of votes, trimmed" if material.answer.kind == "votes" else "Share, trimmed"
    columns = (
        Column("Item"), Column("Answer"), Column("Reports"), *(Column(what) for _ in shares),
        Column("Safe", good=("safe",), bad=("could be changed", "silent ones could change it")),
    )  # fmt: skip
    listed = DataTable("All answers", "All answers, in the order of the file", frame, columns, most=20)
    return Section("all", "All answers", (listed,))
