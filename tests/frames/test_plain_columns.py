"""Columns and names for which a fast look is enough are read as others are: cell by cell, name by name."""

import random
from itertools import product

import narwhals.stable.v2 as nw
import polars as pl
import pytest

from bribeproof._warnings import record_warnings
from bribeproof.frames.native import collect
from bribeproof.frames.native.backends import are_distinct
from bribeproof.frames.profile import ReportProfile
from bribeproof.frames.schema import CLEANED
from bribeproof.frames.values.lookalikes import surely_apart, warn_lookalikes
from bribeproof.frames.values.text import WHITE_SPACE, clean, clean_value

PLAIN = ["a", "b c", "!", "~", "longer than twelve bytes"]
ODD = ["", " ", "\x7f", "\x01a", "e\u0301", "\u00e9", "\u3000a", "\ufeff", None]
ODD += [end for space in WHITE_SPACE for end in (f"a{space}", f"{space}a")]


@pytest.mark.parametrize("in_memory", [True, False])
@pytest.mark.parametrize("odd", [*ODD, *PLAIN])
def test_a_column_is_cleaned_as_its_cells_are(odd: str | None, in_memory: bool) -> None:
    cells = [*PLAIN, odd, *PLAIN, odd]
    rows = nw.from_native(pl.LazyFrame({"name": cells, "plain": "x"}))
    found = collect(clean(rows, ["name", "plain"], in_memory=in_memory))
    wanted = [clean_value(cell) or None for cell in cells]
    assert found["name"].to_list() == wanted
    assert found[CLEANED].to_list() == [
        int(new is not None and new != old) for new, old in zip(wanted, cells, strict=True)
    ]


@pytest.mark.parametrize("in_memory", [True, False])
@pytest.mark.parametrize("cells", [[], [None, None], [""]])
def test_a_column_without_text_stays_one(cells: list[str | None], in_memory: bool) -> None:
    frame = pl.LazyFrame({"name": cells}, schema={"name": pl.String})
    assert collect(clean(nw.from_native(frame), ["name"], in_memory=in_memory))["name"].to_list() == [None] * len(cells)


@pytest.mark.parametrize("letters", ["ab", "aA", "1lI", "0O", "01.e", "+-1", "t0123456789", "a b", "a\u0430", "10ab"])
def test_names_that_surely_look_different_do(letters: str) -> None:
    draw = random.Random(1)  # noqa: S311
    apart = 0
    for size in [1, 2, 2, 2, 3, 4, 20] * 10:
        names = list({"".join(draw.choices(letters, k=draw.randint(1, 4))) for _ in range(size)})
        if surely_apart(pl.Series(names)):
            apart += 1
            with record_warnings() as warned:
                warn_lookalikes("names", names)
            assert not warned, names
    assert apart


@pytest.mark.parametrize("names", [50, 3000, 99_999, 100_000, 100_001, 150_000])
def test_few_names_are_listed_and_many_are_not(names: int) -> None:
    rows = 300_000
    numbers = pl.Series("_item", range(rows)) * 7919 % names
    frame = pl.LazyFrame({"_item": numbers, "_reporter": 1, "_value": 1}).with_columns(
        pl.format("t{}", "_item").alias("_item")
    )
    frame = frame.with_columns(pl.when(pl.int_range(rows) != 5).then("_item"))
    profile = ReportProfile.of(nw.from_native(frame), scores=True, in_memory=True)
    wanted = {f"t{number}" for number in set(numbers.to_list())}
    assert (set() if profile.items is None else set(profile.items)) == (wanted if len(wanted) <= 100_000 else set())


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
