"""Text of the user's in pictures: seen as it was typed or cut, never obeyed."""

from pathlib import Path
from typing import Any
from unicodedata import east_asian_width

import numpy as np
import polars as pl
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from bribeproof import plots
from bribeproof.arrays.ranking import safe_ranking
from bribeproof.auditing.audit import audit
from bribeproof.plots.names import shown
from bribeproof.rules import constant
from tests.budgets import examples
from tests.plots.sample_plots import HOSTILE, PANEL, blank, legend_of, names_of, texts_of

ANY_TEXT = st.text(st.characters(), max_size=40) | st.sampled_from(HOSTILE)
JOINERS = "\u200c\u200d"


@given(ANY_TEXT, st.integers(2, 60))
@example("ab\u2028cd", 9)
def test_what_is_shown_is_one_short_line_of_printable_text(text: str, longest: int) -> None:
    said = shown(text, longest)
    assert all(letter.isprintable() or letter in JOINERS for letter in said)
    assert sum(1 + (east_asian_width(letter) in "WF") for letter in said) <= longest
    said.encode()
    if text.isprintable() and len(text) <= longest // 2 and text == " ".join(text.split()):
        assert said == text
    if said != shown(text, 10**4):
        assert said.endswith("…")
        assert shown(text, 10**4).startswith(said[:-1])


@given(st.lists(ANY_TEXT, min_size=1, max_size=9))
@example(list(HOSTILE))
@settings(max_examples=examples(0.25))
def test_names_of_items_are_text(names: list[str]) -> None:
    found = safe_ranking(-np.arange(3.0 * len(names)).reshape(-1, 3), 1)
    seen: list[list[str]] = []

    def draw(axes: Any) -> None:
        seen.append(names_of(plots.ranking(found, names, most=20, ax=axes)))

    drawn = plots.svg(draw, (4, plots.height(len(names))), name="names", title="names")
    wanted = [shown(f"{place}. {name}") for place, name in enumerate(names, 1)]
    assert seen == [wanted]
    texts = texts_of(drawn)
    assert all(name.strip() in [text.strip() for text in texts] for name in wanted)
    assert "<script" not in drawn


@given(st.lists(ANY_TEXT, min_size=1, max_size=9, unique=True))
@example(list(HOSTILE))
@settings(max_examples=examples(0.25))
def test_names_of_rules_are_text(names: list[str]) -> None:
    seen: list[list[str]] = []
    rules = {name: constant(PANEL, 0.5) for name in names}

    def draw(axes: Any) -> None:
        seen.append(legend_of(plots.rule(rules, ax=axes)))

    drawn = plots.svg(draw, (4, 4), name="names", title="names")
    assert seen == [[shown(name, 40) for name in names]]
    assert {said.strip() for said in seen[0] if said} <= {text.strip() for text in texts_of(drawn)}


@pytest.mark.parametrize("ending", ["png", "pdf", "svg"])
def test_hostile_names_are_written_in_every_format(ending: str, tmp_path: Path) -> None:
    table = pl.DataFrame({
        "item": [name.encode("utf-8", "replace").decode() for name in HOSTILE],
        "estimate": 5.0, "range_low": 4.0, "range_high": 6.0, "k": 1,
    })  # fmt: skip
    axes = plots.items(table, item="item")
    assert not any(label.get_parse_math() for label in axes.get_yticklabels())
    plots.write(axes, tmp_path / f"names.{ending}")
    assert (tmp_path / f"names.{ending}").stat().st_size > 3000


def test_names_of_reporters_and_of_works_are_text() -> None:
    names = ["$x$", "<b>", "_", "a^{2}"]
    rows = [(task, name, task % 2) for task in range(9) for name in names]
    found = audit(pl.DataFrame(rows, schema=["task", "worker", "label"], orient="row"))
    drawn = plots.svg(lambda axes: plots.reporters(found, ax=axes), (4, 3), name="r", title="r")
    assert set(names) <= set(texts_of(drawn))
    drawn = plots.svg(
        lambda axes: plots.cost([1, 10], {name: [1, 2] for name in names}, unit="$u_1$", label="$\\y$ & <i>", ax=axes),
        (4, 3), name="c", title="c",
    )  # fmt: skip
    assert {*names, "$u_1$", "$\\y$ & <i>"} <= set(texts_of(drawn))


def test_values_of_any_type_are_names() -> None:
    found = safe_ranking([[4.0] * 3, [3.0] * 3, [2.0] * 3, [1.0] * 3], 1)
    axes = plots.ranking(found, [None, 7, b"x", float("nan")], ax=blank())
    assert names_of(axes) == ["1. None", "2. 7", "3. b'x'", "4. nan"]
