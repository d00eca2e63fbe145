"""Scores: who won and how safe that is, which judges could have changed it, and the marks."""

from functools import partial
from typing import Any

import polars as pl

from bribeproof._text import count, name_in_list, with_and
from bribeproof.aggregation.bribe_sentences import if_others
from bribeproof.aggregation.summary import rank_result
from bribeproof.contests.result import WorstContestBribe
from bribeproof.reporting.cells import least_decimals
from bribeproof.reporting.contest import ContestFindings
from bribeproof.reporting.document import Block, Column, DataTable, Fact, Facts, Picture, Section, sentences
from bribeproof.reporting.material import Material
from bribeproof.reporting.sections.contest import could_have_changed, most_movable, without_dropping
from bribeproof.reporting.sections.marks import marks

_DRAWN = 15
_PODIUM = 3


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
            *_winner(ranked, material.answer.better, _digits(material, ranked, "total")),
            *_verdict(material, found),
            *found.fewest_in_words(material.question.k or 0),
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


def _winner(ranked: pl.DataFrame, better: str, digits: int) -> list[str]:
    """Return who is first, and who follows, as sentences."""
    first = ranked.filter(pl.col("place") == 1)
    names = [name_in_list(name) for name in first["entry"]]
    total = f"{first['total'][0]:,.{digits}f}"
    low = ", the lowest score being the best" * (better == "low")
    if len(names) > 1:
        return [f"{with_and(names, 5)} are level in first place, with {total}{low}."]
    rest = ranked.filter((pl.col("place") > 1) & (pl.col("place") <= _PODIUM)).select("entry", "total")
    then = [f"{name_in_list(name)} ({score:,.{digits}f})" for name, score in rest.iter_rows()]
    follow = f", before {with_and(then, 5)}" if then else ""
    return [f"{names[0]} is first with {total}{low}{follow}."]


def _verdict(material: Material, found: ContestFindings) -> list[str]:
    """Return whether those who may be bribed could have changed the winner and the podium."""
    if not material.facts["k"]["most"]:
        return ["Nobody is counted as bribed (k = 0): nothing is said of how safe that is."]
    worst = found.worst
    if worst is None:
        return _verdict_item_by_item(material)
    goals = [(1, worst.winner_safe, "the winner")]
    if worst.entries.height > _PODIUM:
        goals.append((_PODIUM, worst.podium_safe, "who is on the podium"))
    if worst.n_uncertified:
        without = count(worst.n_uncertified, "entry has", "entries have")
        return [f"How safe that is cannot be said, as {without} no score."]
    who = f"{material.who[0].upper()}{material.who[1:]}, the same on every {material.part},"
    lines = [
        f"{who} could have changed {what}: {_raised(worst, places)}." for places, known, what in goals if known is False
    ]
    safe = [what for _, known, what in goals if known]
    if len(safe) > 1:
        lines.append(f"{who} could have changed neither {' nor '.join(safe)} by rewriting marks.")
    elif safe:
        lines.append(f"{who} could not have changed {safe[0]} by rewriting marks.")
    if unknown := [what for _, known, what in goals if known is None]:
        lines.append(f"{who} may or may not have been able to change {with_and(unknown)}: that was not found out.")
    return lines


def _raised(worst: WorstContestBribe, places: int) -> str:
    """Return who could have had one of the first places, as a clause."""
    lower = worst.entries.filter((pl.col("place") > places) & (pl.col("best_place") <= places))
    names = with_and([name_in_list(name) for name in lower.to_series()], 3)
    return f"{names} could have been {'first, or level' if places == 1 else 'on it'}"


def _verdict_item_by_item(material: Material) -> list[str]:
    """Return the verdict where the same judges on all items were not searched."""
    ranking = rank_result(material.items, material.answer.better)
    certified = ranking.rank > 0
    goals = [(1, "the winner")] + [(_PODIUM, "who is on the podium")] * (int(certified.sum()) > _PODIUM)
    could = {
        what: not certified.all() or bool(((ranking.rank > places) & (ranking.best_rank <= places)).any())
        for places, what in goals
    }
    who = f"{material.any_of_them[0].upper()}{material.any_of_them[1:]},"
    safe, unsafe = [what for _, what in goals if not could[what]], [what for _, what in goals if could[what]]
    lines = [f"{who} could not have changed {' or '.join(safe)} by rewriting marks."] if safe else []
    if unsafe:
        lines.append(
            f"{who} might have changed {with_and(unsafe)}; the same ones on all could have done no more, and perhaps "
            f"less."
        )
    return lines


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
