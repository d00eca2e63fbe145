"""Columns and names for which a fast look is enough are read as others are: cell by cell, name by name."""

import random
from itertools import product

import narwhals.stable.v2 as nw
import polars as pl
import pytest

from bribeproof.frames import lookalikes
from bribeproof.frames.native import collect
from bribeproof.frames.native.backends import are_distinct
from bribeproof.frames.schema import CLEANED
from bribeproof.frames.text import WHITE_SPACE, clean, clean_value

PLAIN = ["a", "b c", "!", "~", "longer than twelve bytes"]
ODD = ["", " ", "\x7f", "\x01a", "e\u0301", "\u00e9", "\u3000a", "\ufeff", None]
ODD += [end for space in WHITE_SPACE for end in (f"a{space}", f"{space}a")]


@pytest.mark.parametrize("odd", [*ODD, *PLAIN])
def test_a_column_is_cleaned_as_its_cells_are(odd: str | None) -> None:
    cells = [*PLAIN, odd, *PLAIN, odd]
    found = collect(clean(nw.from_native(pl.LazyFrame({"name": cells, "plain": "x"})), ["name", "plain"]))
    wanted = [clean_value(cell) or None for cell in cells]
    assert found["name"].to_list() == wanted
    assert found[CLEANED].to_list() == [
        int(new is not None and new != old) for new, old in zip(wanted, cells, strict=True)
    ]


@pytest.mark.parametrize("cells", [[], [None, None], [""]])
def test_a_column_without_text_stays_one(cells: list[str | None]) -> None:
    frame = pl.LazyFrame({"name": cells}, schema={"name": pl.String})
    assert collect(clean(nw.from_native(frame), ["name"]))["name"].to_list() == [None] * len(cells)


@pytest.mark.parametrize("seed", range(40))
def test_names_that_surely_look_different_do(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    draw = random.Random(seed)  # noqa: S311
    letters = draw.choice(["ab", "aA", "1lI", "0O", "01.e", "+-1", "t0123456789", "a b", "a\u0430", "10ab"])
    names = list({"".join(draw.choices(letters, k=draw.randint(1, 4))) for _ in range(draw.choice([2, 3, 4, 20]))})
    warned: list[str] = []
    monkeypatch.setattr(lookalikes, "warn", warned.append)
    lookalikes.warn_lookalikes("names", names)
    quick = list(warned)
    monkeypatch.setattr(lookalikes, "_surely_apart", lambda _: False)
    warned.clear()
    lookalikes.warn_lookalikes("names", names)
    assert quick == warned


@pytest.mark.parametrize(("items", "reporters"), list(product(["int", "text"], repeat=2)))
def test_rows_are_distinct_as_their_pairs_are(items: str, reporters: str) -> None:
    draw = random.Random(1)  # noqa: S311
    answers = set()
    for _ in range(60):
        pairs = [(draw.randrange(12), draw.randrange(-6, 6)) for _ in range(draw.randint(1, 15))]
        frame = pl.DataFrame(pairs, schema=["item", "reporter"], orient="row").with_columns(
            pl.col(name).cast(pl.String) for name, kind in (("item", items), ("reporter", reporters)) if kind == "text"
        )
        distinct = len(set(pairs)) == len(pairs)
        assert are_distinct(nw.from_native(frame.lazy()), ["item", "reporter"]) == distinct
        answers.add(distinct)
    assert answers == {True, False}
