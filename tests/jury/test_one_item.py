"""One item's jury: the same as the table functions say, as enumeration finds, in any order of the judges."""

import itertools
import math
from collections import Counter
from fractions import Fraction
from typing import Any

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bribeproof import aggregate_labels, aggregate_scores, jury
from bribeproof.errors import DataError, ParameterError, ParameterTypeError

LABELS = ("no", "partly", "yes")
juries = st.lists(st.sampled_from([*LABELS, None]), min_size=1, max_size=7)
family_lists = st.lists(st.sampled_from(["x", "y", None]), min_size=7, max_size=7)
marks = st.lists(st.sampled_from([0.0, 1.0, 2.5, 2.5, 7.25, 10.0, None]), min_size=1, max_size=7)


def named(answers: list[Any]) -> dict[str, Any]:
    return dict(zip("abcdefg", answers, strict=False))


def table(answers: list[Any], value: str, dtype: Any) -> pl.DataFrame:
    return pl.DataFrame({"task": "q", "worker": list(named(answers)), value: pl.Series(answers, dtype=dtype)})


def row_of(families: list[Any], n: int) -> dict[str, Any] | None:
    return {judge: family for judge, family in zip("abcdefg"[:n], families, strict=False) if family is not None}


@settings(max_examples=30)
@given(juries, st.integers(0, 3))
def test_a_verdict_is_the_row_of_a_table(answers: list[Any], k: int) -> None:
    verdict = jury.decide(named(answers), k)
    row = aggregate_labels(table(answers, "label", pl.String), k).row(0, named=True)
    for name, value in {"decision": verdict.answer, "tie": verdict.tie, "flips_needed": verdict.flips_needed}.items():
        assert row[name] == value
    assert (row["status"], row["n"], row["m"]) == (verdict.status, verdict.seats.n, verdict.seats.m)
    assert verdict.bribes_needed == verdict.flips_needed


@settings(max_examples=30)
@given(juries, family_lists, st.integers(0, 3))
def test_a_verdict_of_families_is_the_row_of_a_table(answers: list[Any], families: list[Any], k: int) -> None:
    members = row_of(families, len(answers)) or {"a": "x"}
    verdict = jury.decide(named(answers), k, families=members)
    row = aggregate_labels(table(answers, "label", pl.String), k, group=members).row(0, named=True)
    assert (row["status"], row["k"]) == (verdict.status, verdict.seats.held)
    for name in ("tie", "flips_needed", "bribes_needed"):
        assert row[name] == getattr(verdict, name)
    assert row["decision"] == verdict.answer


@settings(max_examples=30)
@given(marks, st.integers(0, 3), st.booleans(), family_lists)
def test_a_grade_is_the_row_of_a_table(answers: list[Any], k: int, grouped: bool, families: list[Any]) -> None:
    members = row_of(families, len(answers)) or {"a": "x"} if grouped else None
    mark = jury.grade(named(answers), k, families=members)
    row = aggregate_scores(table(answers, "score", pl.Float64), k, group=members).row(0, named=True)
    assert (row["status"], row["n"], row["m"]) == (mark.status, mark.seats.n, mark.seats.m)
    if mark.answer is not None and mark.range is not None:
        found = (mark.answer, *mark.range)
        assert found == pytest.approx((row["estimate"], row["range_low"], row["range_high"]), abs=1e-12)


def plurality(answers: list[str]) -> str | None:
    first, *rest = Counter(answers).most_common()
    return None if rest and rest[0][1] == first[1] else first[0]


@given(st.lists(st.sampled_from(LABELS), min_size=1, max_size=5), family_lists, st.integers(0, 2))
def test_what_families_can_do_is_what_enumeration_finds(answers: list[str], families: list[Any], k: int) -> None:
    verdict = jury.decide(answers, k, families=families[: len(answers)])
    if verdict.answer is None:
        return
    units: dict[Any, list[int]] = {}
    for place, family in enumerate(families[: len(answers)]):
        units.setdefault(place if family is None else family, []).append(place)
    fewest, shares = math.inf, set[float]()
    for size in range(len(units) + 1):
        for bribed in itertools.combinations(units, size):
            places = [place for unit in bribed for place in units[unit]]
            for said in itertools.product([*LABELS, "other"], repeat=len(places)):
                sheet = list(answers)
                for place, label in zip(places, said, strict=True):
                    sheet[place] = label
                if plurality(sheet) != verdict.answer:
                    fewest = min(fewest, size)
                if size <= k:
                    shares.add(sheet.count(verdict.answer) / len(sheet))
    assert verdict.bribes_needed == fewest
    assert verdict.range == (min(shares), max(shares))
    assert verdict.settled == (fewest > k)


@given(st.lists(st.sampled_from(["no", "yes", None]), min_size=1, max_size=5), family_lists, st.integers(0, 2))
def test_a_settled_verdict_stands_if_silent_judges_of_the_bribed_speak(
    answers: list[Any], families: list[Any], k: int
) -> None:
    verdict = jury.decide(answers, k, families=families[: len(answers)])
    if verdict.answer is None:
        return
    units: dict[Any, list[int]] = {}
    for place, family in enumerate(families[: len(answers)]):
        units.setdefault(place if family is None else family, []).append(place)
    changed = False
    for bribed in itertools.combinations(units, min(k, len(units))):
        places = [place for unit in bribed for place in units[unit]]
        for said in itertools.product(["no", "yes", "other"], repeat=len(places)):
            told = dict(zip(places, said, strict=True))
            sheet = [told.get(place, label) for place, label in enumerate(answers)]
            changed |= plurality([label for label in sheet if label is not None]) != verdict.answer
    assert verdict.settled != changed


def test_a_family_most_of_whom_are_silent() -> None:
    verdict = jury.decide(["c", "c", "c", None, None, None], 1, families=[None, None, None, "y", "y", "y"])
    assert (verdict.bribes_needed, verdict.settled) == (2, False)
    assert verdict.summary().endswith("One bribed family could have changed it if the silent ones had spoken.")


@given(st.lists(st.sampled_from([0.0, 0.1, 0.2, 0.3, 0.7, 0.8, 1.0]), min_size=3, max_size=8), st.integers(0, 1))
def test_a_mean_of_decimals_that_reaches_the_threshold_passes(scores: list[float], k: int) -> None:
    kept = sorted(Fraction(str(score)) for score in scores)[k : len(scores) - k]
    mean = sum(kept) / len(kept)
    for threshold in (0.2, 0.3, 0.5, 0.8):
        mark = jury.grade(scores, k, threshold=threshold)
        assert mark.answer == float(mean)
        assert mark.passed == (mean >= Fraction(str(threshold)))


@given(
    st.lists(st.sampled_from([0.0, 0.4, 0.5, 1.0, None]), min_size=2, max_size=6),
    st.lists(st.sampled_from(["x", "y", None]), min_size=6, max_size=6),
    st.integers(0, 2),
)
def test_a_settled_grade_stands_whatever_the_bribed_and_silent_say(
    answers: list[Any], families: list[Any], k: int
) -> None:
    mark = jury.grade(answers, k, families=families[: len(answers)], threshold=0.5)
    if mark.answer is None:
        return
    units: dict[Any, list[int]] = {}
    for place, family in enumerate(families[: len(answers)]):
        units.setdefault(place if family is None else family, []).append(place)

    def passes(sheet: list[Any]) -> bool | None:
        held = sorted((sum(sheet[place] is not None for place in unit) for unit in units.values()), reverse=True)
        left = sorted(score for score in sheet if score is not None)[(trim := sum(held[:k])) :]
        kept = left[: len(left) - trim]
        return sum(kept) / len(kept) >= 0.5 if kept else None

    found = {mark.passed}
    for bribed in itertools.combinations(units, min(k, len(units))):
        places = [place for unit in bribed for place in units[unit]]
        for said in itertools.product([-99.0, 99.0, None], repeat=len(places)):
            told = dict(zip(places, said, strict=True))
            found.add(passes([told.get(place, score) for place, score in enumerate(answers)]))
    assert mark.settled == ({True, False} - found != set())


def test_a_silent_family_could_have_failed_an_item() -> None:
    families = [None] * 5 + ["y"] * 3
    mark = jury.grade([0.4, 0.6, 0.6, 0.6, 0.6, None, None, None], 1, families=families, threshold=0.52)
    assert mark.range is not None
    assert (mark.range[0] > 0.52, mark.settled) == (True, False)
    assert "cannot take it out of 0.533333 to 0.6 by rewriting the scores it gave." in mark.summary()
    many = jury.grade([1.0] * 40 + [None], 4, families=[*range(40), 0], threshold=0.5)
    assert (many.passed, many.settled) == (True, True)


def test_a_summary_rounds_no_range_inwards_and_no_mean_to_the_threshold() -> None:
    told = jury.grade([2 / 3, 2 / 3, 2 / 3, 0.7], 1, threshold=0.8).summary()
    assert "cannot take it out of 0.666666 to 0.683334." in told
    told = jury.grade([0.79999999, 0.79999999, 0.8, 0.8], 1, threshold=0.8).summary()
    assert "The trimmed mean is 0.799999995;" in told


def test_scores_at_the_ends_of_floats() -> None:
    assert jury.grade([0.7, 1.0, 0.8, 0.8, 0.8, 0.7], 0, threshold=0.8).passed
    assert jury.grade([1e308, 1e308, 1e308], 0).answer == 1e308
    with pytest.raises(DataError, match="no score"):
        jury.grade([10**400, 1], 0)
    with pytest.raises(DataError, match="beyond"):
        jury.grade([2**53 + 1, 1], 0)


@given(st.lists(st.sampled_from([0.0, 0.5, 1.0]), min_size=3, max_size=5), st.integers(0, 1))
def test_how_many_scores_change_a_pass_is_what_enumeration_finds(scores: list[float], k: int) -> None:
    mark = jury.grade(scores, k, threshold=0.5, scale=(0, 1))

    def passes(sheet: list[float]) -> bool:
        kept = sorted(sheet)[k : len(sheet) - k]
        return sum(kept) / len(kept) >= 0.5

    found = None
    for size in range(1, len(scores) + 1):
        sheets = (
            [dict(zip(places, said, strict=True)).get(place, score) for place, score in enumerate(scores)]
            for places in itertools.combinations(range(len(scores)), size)
            for said in itertools.product([0.0, 1.0], repeat=size)
        )
        if any(passes(sheet) != mark.passed for sheet in sheets):
            found = size
            break
    assert mark.flips_needed == found
    assert mark.passed == passes(scores)


@given(juries, family_lists, st.integers(0, 2), st.randoms(use_true_random=False))
def test_the_order_of_the_judges_does_not_matter(answers: list[Any], families: list[Any], k: int, chance: Any) -> None:
    pairs = list(named(answers).items())
    members = row_of(families, len(answers))
    first = jury.decide(dict(pairs), k, families=members).as_dict()
    chance.shuffle(pairs)
    other = jury.decide(dict(pairs), k, families=members).as_dict()
    for part in (first, other):
        part["panel"]["silent"].sort()
    assert first == other


def test_a_silent_judge_lowers_neither_n_nor_k() -> None:
    verdict = jury.decide({"a": "yes", "b": "no", "c": "yes", "d": None, "e": float("nan")}, k=1)
    assert (verdict.seats.n, verdict.seats.m, verdict.seats.k) == (5, 3, 1)
    assert verdict.seats.silent == ("d", "e")
    assert (verdict.answer, verdict.settled) == ("yes", False)
    pandas = pytest.importorskip("pandas")
    assert jury.decide(["yes", pandas.NA, " "], k=0).seats.silent == (2, 3)
    assert jury.decide(["yes", None, "yes"], k=1).status == "not certified"
    assert jury.grade([3, None, 5], k=1).status == "not certified"
    assert jury.decide([None, None], k=0).status == "no reports"


@pytest.mark.parametrize("families", [[math.nan] * 3, ["", " ", None], ["x", "y", math.nan]])
def test_a_judge_of_no_family_is_bribed_alone(families: list[Any]) -> None:
    assert jury.decide(["yes"] * 3, 1, families=families).seats.held == 1


def test_families_are_told_apart_as_in_a_table() -> None:
    assert jury.decide(["yes"] * 5, 1, families=["x", "x ", None, None, None]).seats.held == 2
    with pytest.raises(ParameterTypeError, match="no name of a family"):
        jury.decide(["yes"], 1, families=[["x"]])


def test_a_tie_is_a_tie() -> None:
    for verdicts in (["yes", "no"], ["no", "yes"]):
        verdict = jury.decide(verdicts, k=0)
        assert (verdict.answer, verdict.tie, verdict.flips_needed) == (None, True, 0)
        assert "tie" in verdict.summary()


def test_plain_data_is_of_json_types() -> None:
    verdict = jury.decide([True, True, False], k=0).as_dict()
    assert verdict["panel"] == {"n": 3, "m": 3, "k": 0, "of": "judges", "held": 0, "silent": []}
    assert verdict["answer"] is True


@pytest.mark.parametrize(
    ("answers", "k", "error", "said"),
    [
        ({}, 1, DataError, "no judges"),
        ("yes", 1, ParameterTypeError, "no jury"),
        (["yes", 1], 0, DataError, "judge 2 says 1, which is a number, and judge 1 'yes'"),
        ([True, 1], 0, DataError, "a number"),
        ([["yes"]], 0, DataError, "no verdict"),
        (["yes"], -1, ParameterError, "k=-1"),
        (["yes"], 0.5, ParameterTypeError, "k=0.5"),
    ],
)
def test_errors_of_verdicts(answers: Any, k: Any, error: type[Exception], said: str) -> None:
    with pytest.raises(error, match=said):
        jury.decide(answers, k)


def test_errors_of_scores_and_families() -> None:
    with pytest.raises(DataError, match="judge b gives 11, off the scale"):
        jury.grade({"a": 1, "b": 11}, 0, scale=(0, 10))
    for score in (math.inf, True, "7"):
        with pytest.raises(DataError, match="no score"):
            jury.grade([score], 0)
    with pytest.raises(ParameterError, match="2 entries for 1 judge"):
        jury.decide(["yes"], 0, families=["x", "y"])
    with pytest.raises(ParameterTypeError, match="families"):
        jury.decide(["yes"], 0, families="x")
    with pytest.raises(ParameterError, match="families names none of the judges, who are a and b"):
        jury.decide({"a": 1, "b": 2}, 0, families={"A": "x"})
