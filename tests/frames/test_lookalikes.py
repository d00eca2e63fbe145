"""Names that a reader takes for one are kept apart with a warning, which tells them apart by their code points."""

import time
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import bribeproof as bp
from bribeproof._warnings import record_warnings
from bribeproof.frames.values.lookalikes import warn_lookalikes
from tests.frames.inputs import SOME_KINDS, check, give, long

TWINS = {
    "zero-width space": ("anna\u200b", "U+200B ZERO WIDTH SPACE"),
    "soft hyphen": ("an\u00adna", "U+00AD SOFT HYPHEN"),
    "right-to-left mark": ("\u200fanna", "U+200F RIGHT-TO-LEFT MARK"),
    "word joiner": ("anna\u2060", "U+2060 WORD JOINER"),
    "variation selector": ("anna\ufe0f", "U+FE0F VARIATION SELECTOR-16"),
    "control character": ("an\x08na", "U+0008"),
    "Cyrillic": ("\u0430nn\u0430", "U+0430 CYRILLIC SMALL LETTER A"),
    "Greek capital": ("A\u039d\u039dA", "U+039D GREEK CAPITAL LETTER NU"),
    "full width": ("\uff41nna", "U+FF41 FULLWIDTH LATIN SMALL LETTER A"),
    "case": ("Anna", None),
    "space": ("an na", None),
}


def _warnings(names: list[str]) -> list[str]:
    with record_warnings() as messages:
        warn_lookalikes("reporters", names)
    return messages


@pytest.mark.parametrize("twin", TWINS)
def test_twins_are_named_with_their_code_points(twin: str) -> None:
    name, points = TWINS[twin]
    (message,) = _warnings(["boris", name, "anna"])
    assert message.startswith("reporters that look alike are kept apart: ")
    assert repr(name) in message
    assert "'anna'" in message
    assert "boris" not in message
    assert (f"{name!r} ({points})" if points else repr(name)) in message


@pytest.mark.parametrize("kind", SOME_KINDS)
def test_look_alike_people_are_named_on_every_engine(kind: str, tmp_path: Path) -> None:
    votes = long(("t", "anna", "x"), ("t", "anna\u200b", "x"), ("t", "\u0430nna", "y"))
    with pytest.warns(bp.BribeproofWarning, match=r"reporters that look alike .* \(U\+200B .* \(U\+0430 "):
        check(bp.aggregate_labels(give(kind, votes, tmp_path), 0), [{"n": 3, "m": 3}])


@pytest.mark.parametrize(
    "columns",
    [
        long(("t1", "a", "x"), ("t1\u00ad", "b", "x")),
        long(("t", "a", "cat"), ("t", "b", "c\u0430t")),
        {"task": ["t"], "anna": ["x"], "\u0430nna": ["y"]},
    ],
    ids=["items", "labels", "reporters"],
)
def test_items_labels_and_columns_are_compared(
    columns: dict[str, list[Any]], request: pytest.FixtureRequest, tmp_path: Path
) -> None:
    judges = list(columns)[1:] if "anna" in columns else None
    what = request.node.callspec.id
    with pytest.warns(bp.BribeproofWarning, match=f"{what} that look alike are kept apart"):
        bp.aggregate_labels(give("csv", columns, tmp_path), 0, judges=judges)


@pytest.mark.parametrize("alike", [("w1", "wl"), ("wO", "w0"), ("O\u2019Neil", "O'Neil"), ("1", "01"), ("1", "1.0")])
def test_shapes_and_numbers_are_compared(alike: tuple[str, str]) -> None:
    assert len(_warnings(list(alike))) == 1


@pytest.mark.parametrize(
    "names",
    [
        ("ill", "lil"),
        ("Jos\u00e9", "Jose"),
        ("\u043d\u0435\u0442", "\u0434\u0430"),
        ("1", "10"),
        ("", "a"),
        ("0.1", "1"),
    ],
)
def test_names_that_can_be_told_apart_give_no_warning(names: tuple[str, str]) -> None:
    assert _warnings(list(names)) == []


def test_a_group_is_named_once_and_many_groups_are_counted() -> None:
    (message,) = _warnings([name for i in range(5) for name in (f"w{i}2", f"W{i}2", f"w{i}2\u200b")])
    assert message.count("and 2 more") == 1
    assert message.count("U+200B") == 3


def test_ten_thousand_pairs_take_no_time() -> None:
    names = [name for i in range(10_000) for name in (f"\u0438\u043c\u044f {i}", f"\u0418\u041c\u042f {i}")]
    start = time.process_time()
    assert "and 9,997 more" in _warnings(names)[0]
    assert time.process_time() - start < 5  # comparing each pair with each other one would take a minute


@settings(max_examples=100, deadline=None)
@given(st.lists(st.text(), max_size=6, unique=True))
def test_any_names_can_be_compared(names: list[str]) -> None:
    assert len(_warnings(names)) <= 1
    assert _warnings(names) == _warnings(names[::-1])
