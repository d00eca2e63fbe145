"""The verdict on rankings: who wins, and whether those who may be bribed could have changed that."""

from collections.abc import Iterator

from bribeproof._text import count, with_and
from bribeproof.rankings.bribe import Bribe
from bribeproof.rankings.result import Ranking
from bribeproof.rankings.sentences import describe_change, describe_rule
from bribeproof.reporting.ranked.material import RankedMaterial, is_enough

_WHAT = {"winner": ("the winner", "who shares the first place"), "podium": ("who is on the podium",) * 2}
"""What is changed, and what it is where places are shared already."""


def verdict(material: RankedMaterial) -> Iterator[str]:
    """Yield who wins, and what those who may be bribed could have changed."""
    ranking = material.ranking
    if ranking is None:
        yield from _of_several(material)
        return
    yield ranking.summary().partition("\n")[0]
    if material.priced:
        return
    if not material.question.k:
        yield "Nobody is counted as bribed (k = 0): nothing is said of how safe that is."
        return
    known = [(_what(change, ranking.shared[change]), is_enough(ranking.other[change], material.question.k), change)
             for change in _WHAT if change in ranking.other]  # fmt: skip
    who = _who(material)
    if could := [what for what, found, _ in known if found]:
        yield f"{who} could have changed {with_and(could)} by rewriting {_whole(material)}."
    if kept := [what for what, found, _ in known if found is False]:
        neither = f"neither {' nor '.join(kept)}" if len(kept) > 1 else f"not have changed {kept[0]}"
        could_not = f"could have changed {neither}" if len(kept) > 1 else f"could {neither}"
        yield f"{who} {could_not} by rewriting {_whole(material)}{_ties(ranking, material.question.k, kept)}."
    if unknown := [what for what, found, _ in known if found is None]:
        yield f"{who} may or may not have been able to change {with_and(unknown)}: the time limit ended the search."


def fewest(material: RankedMaterial) -> list[str]:
    """Return what a tie and a change take, as sentences."""
    ranking = material.ranking
    if ranking is None:
        return []
    return [describe_change(ranking.shared[change], ranking.other[change], ranking.unit) for change in ranking.other]


def _of_several(material: RankedMaterial) -> Iterator[str]:
    """Yield in how many contests those who may be bribed could have changed the winner."""
    question, contests = material.question, len(material.rankings.contests)
    yield f"{contests:,} contests are ranked by {describe_rule(question.chosen)}."
    if material.priced or not question.k:
        return
    for change, what in (("winner", "the winner"), ("podium", "who is on the podium")):
        found = material.could(change)
        if not found:
            continue
        safe, unknown = found.count(False), found.count(None)
        end = f", and in {unknown:,} the time limit ended the search" if unknown else ""
        fewer = f" of the {len(found):,} with more than three entries" if len(found) < contests else ""
        yield (
            f"{_who(material)} could have changed {what} in {found.count(True):,}{fewer} by rewriting "
            f"{_whole(material)}, and could not in {safe:,}{end}."
        )
    if level := sum(shared.is_so_already for shared, _ in material.bribes("winner")):
        where = f"In {count(level, 'contest')} the first place is shared"
        yield f"{where}: there, to rule out one of those who share it counts as a change."


def _what(change: str, shared: Bribe) -> str:
    """Return what is changed, as a phrase."""
    return _WHAT[change][shared.is_so_already]


def _ties(ranking: Ranking, k: int, kept: list[str]) -> str:
    """Return that ties are possible where another winner or podium is not, as a clause."""
    shared = {"the winner": ("winner", "at the first place"), "who is on the podium": ("podium", "of third and fourth")}
    ties = [
        where for what, (change, where) in shared.items() if what in kept and _brought_about(ranking.shared[change], k)
    ]
    return f", though a tie {with_and(ties)} could have been brought about" if ties else ""


def _brought_about(tie: Bribe, k: int) -> bool:
    """Return whether a tie that there is not yet takes no more than k bribes, as far as was found."""
    return not tie.is_so_already and tie.upper is not None and tie.upper <= k


def _who(material: RankedMaterial) -> str:
    """Return who may have been bribed, as a phrase."""
    k = material.question.k
    return f"One bribed {material.unit}" if k == 1 else f"{k:,} bribed {material.unit}s"


def _whole(material: RankedMaterial) -> str:
    """Return what the bribed rewrite."""
    return "a whole ranking" if material.question.k == 1 and material.unit == "judge" else "whole rankings"
