"""The sections of a report of rankings."""

from functools import partial
from typing import Any

import polars as pl

from bribeproof._text import format_number, name_in_list, with_and
from bribeproof.frames.native import to_polars
from bribeproof.rankings.bribe import Bribe
from bribeproof.rankings.result import Ranking
from bribeproof.rankings.sentences import describe_rule
from bribeproof.reporting.document import Block, Column, DataTable, Fact, Facts, Picture, Section, sentences
from bribeproof.reporting.ranked.material import RankedMaterial
from bribeproof.reporting.ranked.verdict import fewest, verdict
from bribeproof.reporting.sections.provenance import reading, repeat

_SCORES = {
    "trimmed_mean": "Mean place", "median": "Median place", "borda": "Borda points", "copeland": "Entries beaten",
    "points": "Points",
}  # fmt: skip
_RULES = {"trimmed_mean": "Trimmed mean", "borda": "Borda", "median": "Median", "copeland": "Copeland"}
_CHANGES = ("shared_winner", "other_winner", "shared_podium", "other_podium")
_NAMED = 6


def ranked_sections(material: RankedMaterial) -> tuple[Section, ...]:
    """Return the sections, the answer first."""
    answer = _answers(material) if material.ranking is None else _answer(material, material.ranking)
    sections = [answer, *_bribes(material), _rules(material)]
    notes = [*material.rankings.notes, *(material.ranking.notes if material.ranking is not None else ())]
    read_as = material.rankings.notes[0].removeprefix("read as ")
    return (
        *sections, reading(read_as, notes, material.files), _assumed(material),
        repeat(material.snippets, None if material.priced and material.question.is_default else material.question.k),
    )  # fmt: skip


def _answer(material: RankedMaterial, ranking: Ranking) -> Section:
    """Return who wins a contest, and whether that is safe."""
    first, *rest = verdict(material)
    takes = "costs" if material.priced else "takes"
    facts = [Fact("entries", f"{material.n_entries:,}"), Fact("judges", f"{material.n_judges:,}")]
    facts += [
        Fact(f"another {change} {takes}", _number(material, ranking.other[change]))
        for change in ("winner", "podium")
        if change in ranking.other
    ]
    blocks: list[Block] = [*sentences([first, *rest], "lead"), Facts(tuple(facts)), *sentences(fewest(material))]
    frame = to_polars(ranking.entries).select("entry", "place", "score", "level", "ahead")
    enough = "so much money is" if material.priced else f"so many bribed {ranking.unit}s are"
    caption = (
        f"Entries by {describe_rule(material.question.chosen)}; and {enough} enough to bring each level with a winner, "
        f"and ahead of it: none for the only winner, and where not even all are enough"
    )
    columns = tuple(map(Column, ("Entry", "Place", _SCORES[ranking.rule], "To be level", "To be ahead")))
    blocks.append(DataTable("Ranking", caption, frame, columns, most=60))
    return Section("answer", "The answer", tuple(blocks))


def _answers(material: RankedMaterial) -> Section:
    """Return in how many of several contests the winner is safe, and each contest, those that take fewest first."""
    contests = material.rankings.contests
    facts = [Fact("contests", f"{len(contests):,}"), Fact("rankings", f"{material.n_judges:,}")]
    for change in ("winner", "podium"):
        found = material.could(change)
        if found and not material.priced and material.question.k:
            facts.append(Fact(f"another {change} possible", f"{found.count(True):,}", f"of {len(found):,}"))
    table = to_polars(material.comparison.table).filter(pl.col("rule") == material.question.name)
    frame = table.select("contest", "winner", *_CHANGES).sort("other_winner", maintain_order=True, nulls_last=True)
    headings = ("Contest", "Winner", "A tie", "Another winner", "A tie at the podium", "Another podium")
    enough = "So much money is" if material.priced else f"So many bribed {material.unit}s are"
    caption = f"{enough} enough in each contest for a tie and for a change; none where not even all are"
    blocks: tuple[Block, ...] = (
        *sentences([*verdict(material)], "lead"), Facts(tuple(facts)),
        DataTable("Contests", caption, frame, tuple(map(Column, headings)), most=60),
    )  # fmt: skip
    return Section("answer", "The answer", blocks)


def _bribes(material: RankedMaterial) -> list[Section]:
    """Return who could have changed the winner and the podium of one contest, and how."""
    ranking = material.ranking
    if ranking is None:
        return []
    changes = [(change, ranking.other[change]) for change in ("winner", "podium") if change in ranking.other]
    named = [(change, bribe) for change, bribe in changes if bribe.bribed]
    if not named:
        return []
    lines, rows = [], []
    given = dict(zip(material.rankings.contests[0].judges, material.rankings.contests[0].places, strict=True))
    entries = material.rankings.contests[0].entries
    for change, bribe in named:
        what = "winner" if change == "winner" else "podium"
        who = with_and([name_in_list(name) for name in bribe.bribed], _NAMED)
        puts = "puts" if len(bribe.bribed) == 1 else "put"
        lines.append(
            f"For another {what} it is enough that {who} {puts} {name_in_list(bribe.gainer)} first and "
            f"{name_in_list(bribe.loser)} last."
        )
        for judge, places in bribe.rankings.items():
            before = dict(zip(entries, given[judge].tolist(), strict=True))
            rows += [
                (f"another {what}", judge, entry, before[entry], place)
                for entry, place in sorted(places.items(), key=lambda one: one[1])
            ]
    lines.append("A name in this list is no accusation: it says whose rankings matter, not what anybody did.")
    schema = {"for": pl.String, "judge": pl.String, "entry": pl.String, "given": pl.Float64, "rewritten": pl.Float64}
    columns = tuple(map(Column, ("For", "Judge", "Entry", "Place given", "Place rewritten")))
    caption = "The rankings of these judges as they are, and rewritten so that it is enough"
    table = DataTable("Rewritten", caption, pl.DataFrame(rows, schema=schema, orient="row"), columns)
    return [Section("bribes", f"Could {material.unit}s have changed it?", (*sentences(lines), table))]


def _rules(material: RankedMaterial) -> Section:
    """Return what other rules say."""
    compared = material.comparison
    table = to_polars(compared.table)
    blocks: list[Block] = [*sentences(compared.summary().splitlines())]
    rules = table["rule"].n_unique()
    if material.ranking is not None:
        winners = table["winner"].n_unique()
        blocks = [
            *sentences([f"{'All' if winners == 1 else 'Not all'} {rules} rules put the same entry first."]),
            *blocks,
        ]
        frame = table.select(pl.col("rule").replace(_RULES), "winner", *_CHANGES)
        headings = ("Rule", "Winner", "A tie", "Another winner", "A tie at the podium", "Another podium")
        enough = "So much money is" if material.priced else f"So many bribed {material.unit}s are"
        caption = f"{enough} enough by each rule for a tie and for a change"
        blocks.append(DataTable("Rules", caption, frame, tuple(map(Column, headings))))
    caption = (
        f"What each rule needs before another wins{'' if material.ranking is not None else ', in how many contests'}."
    )
    rows = rules if material.ranking is not None else None
    blocks.append(
        Picture("rules", "The bribes that each rule needs", caption, partial(_draw, material.comparison), rows)
    )
    return Section("rules", "What other rules say", tuple(blocks))


def _draw(comparison: Any, axes: Any) -> object:
    """Draw what each rule needs."""
    from bribeproof import plots

    return plots.bribes_needed(comparison, ax=axes)


def _assumed(material: RankedMaterial) -> Section:
    """Return what is assumed."""
    question, unit = material.question, material.unit
    lines = []
    if question.rule is None and question.points is None:
        lines.append(f"Nobody said by which rule the contest is decided: {describe_rule(question.chosen)} is taken.")
    if not material.priced:
        many = f"One {unit}" if question.k == 1 else f"{question.k:,} {unit}s"
        default = " Nobody said how many: one is the least that says anything." * question.is_default
        each = " in each contest" * (material.ranking is None)
        knows = "knows" if question.k == 1 else "know"
        lines.append(f"{many} may have been bribed{each}, and {knows} what everybody else reports.{default}")
    lines += [
        "A bribed judge may rewrite the whole ranking of the entries that were ranked, and does nothing else: nobody "
        "is added or stays away.",
        "1 is the best place. Entries at the same place share the mean of the places that they take up.",
        "Of honest people nothing is assumed: neither how good they are nor that they err independently.",
        "No random numbers were used.",
    ]
    return Section("assumed", "What is assumed", tuple(sentences(lines)))


def _number(material: RankedMaterial, bribe: Bribe) -> str:
    """Return what a change takes, as the value of a key number."""
    if bribe.upper is None:
        return "more than all"
    low, high = (format_number(float(one)) for one in (bribe.lower, bribe.upper))
    number = high if bribe.exact else f"{low} to {high}"
    return number if material.priced else f"{number} {material.unit}{'s' * (number != '1')}"
