"""Votes and labels: which decisions are safe, which items to label again, and what that costs."""

import polars as pl

from bribeproof._text import count, with_and
from bribeproof.aggregation.contradictions import describe_contradictions
from bribeproof.aggregation.decided_sets import LABELS_OF_ITEMS
from bribeproof.reporting.document import Block, Column, DataTable, Fact, Facts, Section, sentences
from bribeproof.reporting.material import Material
from bribeproof.reporting.sections.judged import items_again, judge, reports_missing
from bribeproof.reporting.sections.relabel import relabel

_MOST_K = 5


def decisions(material: Material) -> list[Section]:
    """Return which decisions are safe, and which items to label again."""
    table = judge(material)
    return [_answer(material, table), *relabel(material, table), _all_answers(material, table)]


def _answer(material: Material, table: pl.DataFrame) -> Section:
    """Return how many decisions are safe, and what is to be done."""
    total, safe = table.height, int(table["safe"].sum())
    again, each = items_again(table), material.answer.bribed_on_each == LABELS_OF_ITEMS
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
            why = f", for {count(total - safe, noun)}" * each
            lead.append(f"{count(again, 'item')} should be labelled again{why}: {_reasons(table)}.")
    facts = [
        Fact("Items", f"{table['of'].n_unique():,}"),
        *([Fact("Answers", f"{total:,}")] if each else []),
        Fact("Reporters", f"{material.facts['reporters']:,}"),
        *([Fact("Safe", f"{safe:,}", f"{100 * safe / total:.0f} %")] if protected and total else []),
        *([Fact("To label again", f"{again:,}")] if protected else []),
    ]
    if protected and again and material.counts_heads:
        reports = reports_missing(table)
        facts.append(Fact("More reports", f"{reports:,}", "at least"))
        if (price := material.question.cost_per_report) is not None:
            facts.append(Fact("They cost", f"{reports * price:,.2f}", "at least"))
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
        of = f"None of {count(total, noun)} is" if total > 1 else f"The one {noun} is not"
        return f"{of} safe from {material.who}."
    if material.counts_heads:
        how = " and whether reports are rewritten, withheld or added"
    else:
        how = ", by rewriting reports" if material.question.bribes is not None else " and whether they report or not"
    of = f"All {count(total, noun)} are" if safe == total else f"{safe:,} of {count(total, noun)} are"
    which, who = "them", "whoever it is" if material.question.k == 1 else "whoever they are"
    if safe == 1:
        of, which = f"1 of {count(total, noun)} is" if total > 1 else f"The one {noun} is", "it"
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
        whole = f"; on {sets['safe']:,} of them no label could have been changed" * (facts["k"]["most"] > 0)
        lines.append(
            f"An answer says whether one of {count(sets['labels'], 'label')} holds (1) or not (0) for one of "
            f"{count(sets['items'], 'item')}{whole}."
        )
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
        unsafe = table.filter(pl.col("lead") <= 2 * k)
        safe = table.height - unsafe.height
        rows.append((k, safe, unsafe["of"].n_unique(), reports_missing(unsafe, 2 * k + 1 - pl.col("lead"))))
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
