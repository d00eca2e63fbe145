"""What the section on the same judges says: who could have been first, and on the podium, and who would be bribed."""

from collections.abc import Iterator, Sequence
from math import comb

import polars as pl

from bribeproof import plots
from bribeproof._text import count
from bribeproof.explorer.data.analysis import Analysis
from bribeproof.explorer.data.figures import Picture, draw_picture
from bribeproof.explorer.data.same_judges import SameJudges
from bribeproof.explorer.data.table import ChangedItems, TableCell, text
from bribeproof.plots.names import shown

_ROWS = 12
_NAMED = 5
_NAME = 40
_PODIUM = 3


def sentences(analysis: Analysis, same: SameJudges) -> Iterator[str]:
    """Yield who could have been first and who on the podium, had the same judges been bribed throughout."""
    one, several = analysis.bribed_nouns
    who = f"{'one and ' * (same.k == 1)}the same {one if same.k == 1 else f'{same.k:,} {several}'}"
    part, could = analysis.bribed_on_each, "could" if same.exact else "might"
    first, third, others = same.could_be_first, same.could_reach_podium, same.could_be_first_if_others
    rivals = f"{_rivals(first)} {could}" if first.height else "nobody else could"
    level = ", alone or level" * bool(first.height)
    yield f"If {who} had been bribed on every {part}, {rivals} have been first{level}."
    if analysis.result.height > _PODIUM:
        further = f"{third.height:,} more {could}" if third.height else "Nobody else could"
        yield f"{further} have reached the first three places."
    if same.exact:
        found = f"{count(others.height, 'rival')} could" if others.height else "still nobody else could"
        yield f"If other {several} may be bribed on each {part}, {found} have been first."
        yield _tried(same, one, several)
    else:
        yield (
            f"There are too many sets of {several} to try them all. These are the places if other {several} may be "
            f"bribed on each {part}: the same ones could have caused no further places, but perhaps not all of these."
        )
    if same.uncertified:
        yield f"{count(same.uncertified, 'item')} without a score could have had any place."


def _tried(same: SameJudges, one: str, several: str) -> str:
    """Return why this is exact."""
    if same.grouped:
        return f"This is exact: all {several} that can be bribed together were tried."
    sets = comb(same.n_judges, min(same.k, same.n_judges))
    return f"This is exact: each {one if same.k == 1 else f'of the {sets:,} sets of {same.k:,} {several}'} was tried."


def _rivals(first: pl.DataFrame) -> str:
    """Return who could have been first, and by whose bribery."""
    named = [
        f"{shown(str(row[0]), _NAME)}{_by(bribed)}"
        for row, bribed in zip(first.head(_NAMED).iter_rows(), first["bribed"], strict=False)
    ]
    rest = first.height - len(named)
    named += [count(rest, "other")] * bool(rest)
    return " and ".join(filter(None, [", ".join(named[:-1]), named[-1]]))


def _by(bribed: Sequence[str]) -> str:
    """Return whose bribery it takes; nothing where no set of judges is known."""
    return f" (by bribing {' and '.join(shown(name, _NAME) for name in bribed)})" if len(bribed) else ""


def picture(analysis: Analysis, same: SameJudges) -> Picture | None:
    """Draw the first places with the scores that the same judges could have caused.

    None if items have no parts: then the scores are those of the picture of the podium, and only the places differ.
    """
    ranking = same.ranking
    if ranking is None or not analysis.has_parts:
        return None
    names = same.names
    caption = "Bars: the scores that the same judges could have caused, whichever they are; the dots are the scores."
    title = "The first places, and the scores that the same judges could have caused"
    return draw_picture(
        lambda axes: plots.ranking(ranking, names, most=_ROWS, ax=axes), min(_ROWS, len(names)), "same", title, caption
    )


def table(same: SameJudges, heading: str) -> ChangedItems:
    """Return the table of the first places."""
    entries = pl.DataFrame() if same.entries is None else same.entries
    headings = [TableCell(heading, "text"), TableCell("Place")]
    headings += [TableCell("Same judges"), TableCell("Others on each")]
    headings += [TableCell("Bribed for the best", "text")]
    rows = [
        [
            text(name),
            TableCell(f"{place:,}"),
            _span(best, worst),
            _span(best_alone, worst_alone),
            text(", ".join(bribed)),
        ]
        for name, place, best, worst, bribed, best_alone, worst_alone in entries.head(_ROWS).iter_rows()
    ]
    return ChangedItems(headings, rows, entries.height)


def _span(best: int, worst: int) -> TableCell:
    """Return a cell with the first and the last of some places."""
    return TableCell(f"{best:,}" if best == worst else f"{best:,} to {worst:,}")
