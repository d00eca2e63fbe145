"""Who is bribed together, and what it costs."""

from decimal import Decimal
from fractions import Fraction

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bribeproof.errors import ColumnError, DataError, ParameterError, ParameterTypeError
from bribeproof.frames.bribes import read_bribes
from bribeproof.theory.bribery.bribes import amount

FRAME = pl.DataFrame(
    {"judge": ["a", "a", "b", "c", " c"], "nation": ["X", "X", "X", None, ""], "fee": [0.1, 0.1, 0.1, 0.2, 0.2]}
)


def test_columns_and_mappings_say_the_same() -> None:
    """A column of the reports and a mapping from reporters give the same groups and prices."""
    one = read_bribes(FRAME, "judge", ["a", "b", "c"], group="nation", price="fee", budget=0.3)
    other = read_bribes(
        None, "", ["a", "b", "c"], group={"a": "X", "b": "X"}, price={"X": "0.1", "c": 0.2}, budget="0.3"
    )
    assert one.names == other.names == ("X", "c")
    assert one.bribes.prices == other.bribes.prices == (Fraction(1, 10), Fraction(1, 5))
    assert one.bribes.affordable([0, 1])
    assert one.bribes.members([0]).tolist() == [0, 1]


@given(st.lists(st.sampled_from("xyz"), min_size=1, max_size=6), st.integers(0, 3))
def test_each_reporter_is_in_the_group_it_was_given(groups: list[str], k: int) -> None:
    """The name of a reporter's group is the one that was given."""
    found = read_bribes(None, "", list(range(len(groups))), group=dict(enumerate(groups)), k=k)
    assert [found.names[group] for group in found.bribes.groups] == groups
    assert found.bribes.counts_groups
    assert found.bribes.budget == k


@pytest.mark.parametrize(
    ("given_parameters", "error", "words"),
    [
        ({}, ParameterError, "either k"),
        ({"k": 1, "budget": 2}, ParameterError, "either k"),
        ({"k": 1, "price": {"a": 1}}, ParameterError, "prices need a budget"),
        ({"budget": 1}, ParameterError, "a budget needs prices"),
        ({"budget": 1, "price": {"a": 1}}, ParameterError, "no amount for 'b'"),
        ({"budget": -1, "price": "fee"}, ParameterError, "at least 0"),
        ({"budget": "20%", "price": "fee"}, ParameterError, "not a share"),
        ({"budget": 1, "price": {"a": 1, "b": "dear", "c": 1}}, ParameterError, "dear"),
        ({"k": 1, "group": "country"}, ColumnError, "no column 'country'"),
        ({"k": 1, "group": "judge"}, ParameterError, "the column of the reporters"),
        ({"k": 1, "group": 3}, ParameterTypeError, "a mapping"),
        ({"k": 1, "group": {"a": "c"}}, DataError, "rename"),
        ({"k": 1, "group": "fee"}, None, ""),
        ({"budget": 1, "price": "fee", "group": {"a": "Z", "c": "Z"}}, DataError, "two prices"),
    ],
)
def test_bad_input_is_refused(given_parameters: dict[str, object], error: type[Exception] | None, words: str) -> None:
    """Each error says what arrived and what to do."""
    if error is None:
        assert read_bribes(FRAME, "judge", ["a", "b", "c"], **given_parameters).names == (0.1, 0.2)
        return
    with pytest.raises(error, match=words):
        read_bribes(FRAME, "judge", ["a", "b", "c"], **given_parameters)


def test_a_mapping_names_some_of_the_reporters() -> None:
    found = read_bribes(None, "", ["a", "b", "c"], k=1, group={"a": "A", "silent": "A", "b": "A"})
    assert found.names == ("A", "c")
    assert read_bribes(None, "", ["a", "b"], k=1, group={}).names == ("a", "b")
    with pytest.raises(ParameterError, match="group names none of the reporters, who are 'a', 'b', 'c', but 'A1'"):
        read_bribes(None, "", ["a", "b", "c"], k=1, group={"A1": "A", "B1": "B"})


@pytest.mark.parametrize(
    ("given", "exact"),
    [
        (0.3, Fraction(3, 10)), ("1/3", Fraction(1, 3)), (Fraction(1, 3), Fraction(1, 3)), (0.1 + 0.9, Fraction(1)),
        ("1.9999999999999999999", 2 - Fraction(1, 10**19)),
        (Decimal("0.70000000000000000001"), Fraction(7, 10) + Fraction(1, 10**20)),
    ],
)  # fmt: skip
def test_amounts_are_read_as_they_are_written(given: object, exact: Fraction) -> None:
    assert amount("budget", given) == exact


def test_an_amount_beyond_all_floats_is_refused() -> None:
    with pytest.raises(ParameterError, match="budget = 1e400: give a number of at most 1e300"):
        amount("budget", "1e400")


def test_a_reporter_in_two_groups_is_refused() -> None:
    """Rows that disagree on the group of a reporter are named."""
    frame = pl.DataFrame({"judge": ["a", "a"], "nation": ["X", "Y"]})
    with pytest.raises(DataError, match="'a' has two groups, 'X' and 'Y'"):
        read_bribes(frame, "judge", ["a"], group="nation", k=1)
