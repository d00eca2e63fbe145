"""Scores: who won and how safe that is, which judges could have changed it, and the marks."""

from functools import partial
from typing import Any

import polars as pl

from bribeproof._text import count
from bribeproof.aggregation.bribe_sentences import if_others
from bribeproof.aggregation.summary import rank_result
from bribeproof.contests.result import WorstContestBribe
from bribeproof.reporting.cells import least_decimals
from bribeproof.reporting.contest import ContestFindings
from bribeproof.reporting.document import Block, Column, DataTable, Fact, Facts, Picture, Section, sentences
from bribeproof.reporting.material import Material
from bribeproof.reporting.sections.contest import could_have_changed, most_movable, without_dropping
from bribeproof.reporting.sections.marks import marks
from bribeproof.reporting.sections.verdict import verdict, winner

_DRAWN = 15


def scores(material: Material, found: ContestFindings) -> list[Section]:
    """Return the result of a contest, what bribed judges could have made of it, and the marks."""
    table = _places(material, found.worst)
    return [
        _answer(material, table, found),
        *could_have_changed(material, found),
        *most_movable(material, table),
        *without_dropping(material, table),
        *marks(material),
    ]


def _places(material: Material, found: WorstContestBribe | None) -> pl.DataFrame:
    """Return the entries by place: name, total, range, and the places that judges could have caused."""
    items = material.items
    ranking = rank_result(items, material.answer.better)
    table = pl.DataFrame(
        {
            "entry": items.to_series().cast(pl.String),
            "place": pl.Series(ranking.rank, dtype=pl.Int64),
            "total": items["estimate"],
            "low": items["range_low"],
            "high": items["range_high"],
            "best": pl.Series(ranking.best_rank, dtype=pl.Int64),
            "worst": pl.Series(ranking.worst_rank, dtype=pl.Int64),
            "status": items["status"],
        }
    )
    if found is not None:
        same = found.entries.select(
            pl.first().cast(pl.String).alias("entry"), pl.col("best_place", "worst_place", "best_bound", "worst_bound")
        )
        if same["entry"].n_unique() == same.height:
            table = table.join(same, on="entry", how="left", maintain_order="left")
    return table.sort(pl.when(pl.col("place") > 0).then("place"), nulls_last=True, maintain_order=True)


def _answer(material: Material, table: pl.DataFrame, found: ContestFindings) -> Section:
    """Return who won, and how safe that is."""
    ranked = table.filter(pl.col("place") > 0)
    lead = (
        [
            *winner(ranked, material.answer.better, _digits(material, ranked, "total")),
            *verdict(material, found),
        ]
        if ranked.height
        else ["No entry has a score: there are too few marks."]
    )
    facts = [Fact("Entries", f"{table.height:,}"), Fact("Judges", f"{material.facts['reporters']:,}")]
    facts += [
        Fact(f"To change the {change}", fewest, "judges" if fewest != "1" else "judge")
        for change in ("winner", "podium")
        if (fewest := found.fewest(change)) is not None
    ]
    more = []
    if without := int((table["place"] == 0).sum()):
        they = "it has" if without == 1 else "they have"
        more.append(
            f"{count(without, 'entry has', 'entries have')} no certified score, as {they} too few marks: with other "
            f"marks any place would be possible."
        )
    first: tuple[Block, ...] = (*sentences(lead, "lead"), Facts(tuple(facts)), *sentences(more, "note"))
    return Section("answer", "The result", (*first, _result(material, table), *_ranking(material)))


def _result(material: Material, table: pl.DataFrame) -> DataTable:
    """Return the table of places."""
    digits = _digits(material, table, "total", "low", "high")
    columns = [Column("Place"), Column("Entry"), Column("Score", digits)]
    place = pl.when(pl.col("place") > 0).then("place").alias("place")
    shown = table.select(place, "entry", "total")
    if not material.facts["k"]["most"]:
        return DataTable("Places", "Places", shown, tuple(columns), most=40)
    one, several = material.bribed_nouns
    alone = material.question.k == 1
    others = _span("best", "worst", ("best", "worst")).alias("others")
    if "best_place" in table.columns:
        same = _span("best_place", "worst_place", ("best_bound", "worst_bound")).alias("same")
        places = table.select(same, others)
        heads = [
            f"Same {one if alone else several} throughout",
            f"{'Another' if alone else 'Others'} on each {material.part}",
        ]
    else:
        places = table.select(others)
        heads = [f"{'Another' if alone else 'Others'} on each {material.part}"]
    equal = places.width == 2 and places["same"].equals(places["others"])
    if equal:
        places, heads = places.select("same"), ["Places possible"]
    columns += [Column(head, good=("safe",)) for head in heads]
    columns += [Column("Lowest", digits, "lower"), Column("Highest", digits, "upper")]
    caption = f"The result, and the places and scores that {material.who} could have caused"
    if equal:
        caption += f": the same on every {material.part} or {'another' if alone else 'others'} on each"
    frame = pl.concat([shown, places, table.select("low", "high")], how="horizontal")
    return DataTable("Places", caption, frame, tuple(columns), most=40)


def _digits(material: Material, table: pl.DataFrame, *columns: str) -> int:
    """Return the decimals of scores: those that they are rounded to, or those that they have."""
    rounded = material.answer.decimals
    return least_decimals([one for name in columns for one in table[name]]) if rounded is None else rounded


def _span(best: str, worst: str, bounds: tuple[str, str]) -> pl.Expr:
    """Return places as text: safe, 2 to 4, or 2 to 4 and perhaps beyond where that is not known."""
    span = (
        pl.when(pl.col(best) == pl.col(worst))
        .then(pl.col(best).cast(pl.String))
        .otherwise(pl.col(best).cast(pl.String) + " to " + pl.col(worst).cast(pl.String))
    )
    known = (pl.col(best) == pl.col(bounds[0])) & (pl.col(worst) == pl.col(bounds[1]))
    limits = " (at most " + pl.col(bounds[0]).cast(pl.String) + " to " + pl.col(bounds[1]).cast(pl.String) + ")"
    safe = known & (pl.col(best) == pl.col(worst))
    text = pl.when(safe).then(pl.lit("safe")).when(known).then(span).otherwise(span + limits)
    return pl.when(pl.col("place") > 0).then(text).otherwise(pl.lit("any"))


def _ranking(material: Material) -> list[Picture]:
    """Return the picture of the ranking."""
    ranking = rank_result(material.items, material.answer.better)
    if not ranking.rank.any():
        return []
    names = material.items.to_series().to_list()
    caption = (
        "A blue line: nobody below it overtakes anybody above it, whoever is bribed. Hatching: two neighbours whose "
        f"order could change, {if_others(material.facts)}."
        if material.facts["k"]["most"]
        else "Places by score."
    )
    return [
        Picture(
            "ranking", "The ranking by score", caption, partial(_draw_ranking, ranking, names), min(_DRAWN, len(names))
        )
    ]


def _draw_ranking(ranking: Any, names: list[Any], axes: Any) -> object:
    """Draw the first places of a ranking."""
    from bribeproof import plots

    plots.ranking(ranking, names, most=_DRAWN, ax=axes)
    return axes.set_title("", loc="right")  # which is about the order of the first, and the verdict about who they are
