"""The verdict on a contest: who is first, and whether those who may be bribed could have changed that."""

import polars as pl

from bribeproof._text import name_in_list, with_and
from bribeproof.aggregation.summary import rank_result
from bribeproof.contests.result import WorstContestBribe
from bribeproof.reporting.contest import ContestFindings
from bribeproof.reporting.material import Material
from bribeproof.theory.contests.places import PODIUM as _PODIUM


def winner(ranked: pl.DataFrame, better: str, digits: int) -> list[str]:
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


def verdict(material: Material, found: ContestFindings) -> list[str]:
    """Return whether those who may be bribed could have changed the winner and the podium."""
    if not material.facts["k"]["most"]:
        return ["Nobody is counted as bribed (k = 0): nothing is said of how safe that is."]
    worst = found.worst
    if worst is None:
        return _item_by_item(material)
    if worst.entries.height + worst.n_uncertified < 2:
        return []
    goals = [(1, "the winner")] + [(_PODIUM, "who is on the podium")] * (worst.entries.height > _PODIUM)
    known = [(places, _is_safe(worst, places), what) for places, what in goals]
    who = f"{material.who}, the same on every {material.part},"
    who = f"Among the entries with a score, {who}" if worst.n_uncertified else f"{who[0].upper()}{who[1:]}"
    lines = [
        f"{who} could have changed {what}: {_raised(worst, places)}." for places, safe, what in known if safe is False
    ]
    kept = [what for _, safe, what in known if safe]
    if len(kept) > 1:
        lines.append(f"{who} could have changed neither {' nor '.join(kept)} by rewriting marks.")
    elif kept:
        lines.append(f"{who} could not have changed {kept[0]} by rewriting marks.")
    if unknown := [what for _, safe, what in known if safe is None]:
        lines.append(f"{who} may or may not have been able to change {with_and(unknown)}: that was not found out.")
    return [*lines, *found.fewest_in_words(material.question.k or 0)]


def _is_safe(worst: WorstContestBribe, places: int) -> bool | None:
    """Return whether no other entry with a score could have had one of the first places; None if it is not known."""
    lower = worst.entries.filter(pl.col("place") > places)
    if (lower["best_place"] <= places).any():
        return False
    return None if (lower["best_bound"] <= places).any() else True


def _raised(worst: WorstContestBribe, places: int) -> str:
    """Return who could have had one of the first places, as a clause."""
    lower = worst.entries.filter((pl.col("place") > places) & (pl.col("best_place") <= places))
    names = with_and([name_in_list(name) for name in lower.to_series()], 3)
    return f"{names} could have been {'first, or level' if places == 1 else 'on it'}"


def _item_by_item(material: Material) -> list[str]:
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
