"""The audit: against plain Python with fractions, what must not matter, planted findings, and what is refused."""

import itertools
from collections import Counter, defaultdict
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from polars.testing import assert_frame_equal
from scipy import stats

import bribeproof as bp
from bribeproof.auditing.audit import audit
from bribeproof.auditing.deviation_tests import holm, upper_tails
from bribeproof.auditing.result import Audit
from bribeproof.io.read import Table
from tests.frames.inputs import EACH_KIND, check_frames, give

Reports = dict[Any, dict[Any, Any]]
"""For each item, what each reporter says."""


def table(reports: Reports, value: str = "label", seed: int = 0) -> pl.DataFrame:
    rows = [(item, who, said) for item, given in reports.items() for who, said in given.items()]
    shuffled = [rows[place] for place in np.random.default_rng(seed).permutation(len(rows))]
    return pl.DataFrame(shuffled, schema=["task", "worker", value], orient="row")


def by_name(found: Audit) -> dict[Any, dict[str, Any]]:
    return {row["reporter"]: row for row in found.reporters.rows(named=True)}


def panel(seed: int, values: list[Any], items: int = 8, people: int = 7) -> Reports:
    source = np.random.default_rng(seed)
    reports: Reports = {}
    for item in range(items):
        present = [f"w{j}" for j in range(people) if source.random() < 0.8]
        reports[item] = {who: values[source.integers(len(values))] for who in present}
    return {item: given for item, given in reports.items() if given}


def upper_tail(chances: list[Fraction], count: int) -> Fraction:
    """The chance that at least so many of independent events happen, outcome by outcome."""
    total = Fraction(0)
    for outcome in itertools.product((0, 1), repeat=len(chances)):
        if sum(outcome) >= count:
            chance = Fraction(1)
            for happened, one in zip(outcome, chances, strict=True):
                chance *= one if happened else 1 - one
            total += chance
    return total


def trimmed(scores: list[int], k: int) -> Fraction:
    kept = sorted(scores)[k : len(scores) - k]
    return Fraction(sum(kept), len(kept))


@pytest.mark.parametrize("k", [0, 1, 2])
@pytest.mark.parametrize("seed", range(6))
def test_scores_as_counted_by_hand(seed: int, k: int) -> None:
    reports = panel(seed, [0, 1, 2, 3, 5, 9])
    found = by_name(audit(table(reports, "score", seed), k, kind="scores"))
    apart: dict[Any, dict[Any, Fraction]] = defaultdict(dict)
    dropped: Counter[tuple[str, str]] = Counter()
    chance: dict[str, Fraction] = defaultdict(Fraction)
    for item, given_scores in reports.items():
        ordered = sorted(given_scores, key=lambda who: (given_scores[who], who))
        if len(ordered) > 2 * k:
            dropped.update((who, "low") for who in ordered[:k])
            dropped.update((who, "high") for who in ordered[len(ordered) - k :])
            for who in ordered:
                chance[who] += Fraction(2 * k, len(ordered))
        for who, score in given_scores.items():
            others = [other for name, other in given_scores.items() if name != who]
            if len(others) > 2 * k:
                apart[item][who] = score - trimmed(others, k)
    for who, row in found.items():
        mine = {item: given_apart[who] for item, given_apart in apart.items() if who in given_apart}
        assert row["reports"] == sum(who in given_scores for given_scores in reports.values())
        assert (row["dropped_low"], row["dropped_high"]) == (dropped[who, "low"], dropped[who, "high"])
        assert row["drop_expected"] == pytest.approx(float(chance[who]), abs=1e-12)
        assert row["compared"] == len(mine)
        if not mine:
            assert (row["deviation"], row["side"], row["rate"], row["apart_excess"]) == (None,) * 4
            continue
        mean = sum(mine.values()) / len(mine)
        assert row["deviation"] == pytest.approx(float(mean), abs=1e-12)
        if len(mine) > 1:
            error = np.std([float(one) for one in mine.values()], ddof=1) / len(mine) ** 0.5
            assert row["deviation_se"] == pytest.approx(error, abs=1e-12)
        sides = {}
        for name, sign in (("above", 1), ("below", -1)):
            chances = [Fraction(sum(sign * d > 0 for d in apart[i].values()), len(apart[i])) for i in mine]
            sides[name] = (sum(sign * d > 0 for d in mine.values()), chances)
        name = max(sides, key=lambda side: sides[side][0] - sum(sides[side][1]))
        ahead = [count - sum(chances) for count, chances in sides.values()]
        if ahead[0] != ahead[1]:
            assert row["side"] == name
        count, chances = sides[row["side"]]
        assert (row["apart"], row["rate"]) == (count, count / len(mine))
        assert row["rate_expected"] == pytest.approx(float(sum(chances) / len(mine)), abs=1e-12)
        assert row["p_value"] == pytest.approx(min(1.0, 2 * float(upper_tail(chances, count))), abs=1e-12)


@pytest.mark.parametrize("k", [0, 1, 2])
@pytest.mark.parametrize("seed", range(6))
def test_labels_as_counted_by_hand(seed: int, k: int) -> None:
    reports = panel(seed, list("aabc"))
    found = by_name(audit(table(reports, seed=seed), k))
    agreement: dict[Any, dict[Any, Fraction]] = {}
    for item, said in reports.items():
        known = True
        shares = {}
        for who, label in said.items():
            others = Counter(other for name, other in said.items() if name != who)
            most = max(others.values(), default=0)
            known &= most > k
            top = [one for one, count in others.items() if count == most]
            shares[who] = Fraction(label in top, max(len(top), 1))
        if known:
            agreement[item] = shares
    for who, row in found.items():
        mine = {item: shares[who] for item, shares in agreement.items() if who in shares}
        assert row["compared"] == len(mine)
        if not mine:
            assert (row["agreement"], row["rate"], row["p_value"], row["apart_excess"]) == (None,) * 4
            continue
        usual = sum(sum(agreement[item].values()) / len(agreement[item]) for item in mine) / len(mine)
        chances = [Fraction(sum(not one for one in agreement[i].values()), len(agreement[i])) for i in mine]
        count = sum(not one for one in mine.values())
        assert row["agreement"] == pytest.approx(float(sum(mine.values()) / len(mine)))
        assert row["agreement_expected"] == pytest.approx(float(usual))
        assert row["apart"] == count
        assert row["rate_expected"] == pytest.approx(float(sum(chances) / len(mine)))
        assert row["p_value"] == pytest.approx(float(upper_tail(chances, count)))
        low, high = stats.binomtest(count, len(mine)).proportion_ci(0.95, "exact")
        assert (row["rate_low"], row["rate_high"]) == pytest.approx((low, high))
        assert row["apart_excess"] == pytest.approx((count - float(sum(chances))) / (len(mine) + 10))


@pytest.mark.parametrize("kind", EACH_KIND)
def test_every_kind_of_table_says_the_same(kind: str, tmp_path: Path) -> None:
    columns = table(panel(3, ["1", "2", "3"])).to_dict(as_series=False)
    columns["task"] = [str(item) for item in columns["task"]]
    wanted = audit(pl.DataFrame(columns), 1)
    found = audit(give(kind, columns, tmp_path), 1)
    check_frames(kind, [found.reporters, found.pairs], [wanted.reporters, wanted.pairs])
    assert (repr(found), found.summary()) == (repr(wanted), wanted.summary())


def test_a_file_that_does_not_fit_in_memory_says_the_same(tmp_path: Path) -> None:
    path = tmp_path / "nations.csv"
    nations(0, bias=1.0).write_csv(path)
    same = ("judge_nation", "skater_nation")
    wanted = audit(bp.read_table(path), 1, same=same)
    with bp.scan_table(path, in_memory=1, size=1 << 11) as large:
        assert not isinstance(large, Table)
        assert_frame_equal(audit(large, 1, same=same).reporters, wanted.reporters)


def test_the_order_of_rows_and_the_names_do_not_matter() -> None:
    reports = panel(5, list("aabc"), items=60)
    found = audit(table(reports), 1)
    assert_frame_equal(audit(table(reports, seed=1), 1).reporters, found.reporters)
    names = {who: f"x{9 - int(who[1:])}" for who in found.reporters["reporter"]}
    other = {f"t{i}": {names[w]: said for w, said in given.items()} for i, given in reports.items()}
    renamed = by_name(audit(table(other), 1))
    for who, row in by_name(found).items():
        assert row | {"reporter": names[who]} == pytest.approx(renamed[names[who]])


def test_wide_form_and_missing_reports() -> None:
    sheet = pl.DataFrame({"entry": ["E1", "E2", "E3"], "j1": [1.0, 2, 5], "j2": [6.5, 3, None], "j3": [7.0, 4, None]})
    found = audit(sheet, 0, item="entry", judges=["j1", "j2", "j3"])
    rows = by_name(found)
    assert (found.kind, found.n_items, found.n_compared_items) == ("scores", 3, 2)
    assert [rows[name]["compared"] for name in ("j1", "j2", "j3")] == [2, 2, 2]
    assert rows["j1"]["deviation"] == (1 - 6.75 + 2 - 3.5) / 2


def test_equal_scores_are_on_neither_side() -> None:
    scores = pl.DataFrame({"task": range(40), **{f"j{i}": [6.1 + 0.7 * t / 3 for t in range(40)] for i in range(5)}})
    found = audit(scores, 1, judges=[f"j{i}" for i in range(5)])
    assert found.reporters["apart"].to_list() == [0] * 5
    assert not found.reporters["stands_out"].any()
    assert found.pairs.is_empty()


@pytest.mark.parametrize("kind", ["scores", "labels"])
@pytest.mark.parametrize("m", [1, 2, 3])
def test_items_with_few_reports_are_skipped(kind: str, m: int) -> None:
    reports = {item: {f"w{j}": 1 for j in range(m)} for item in range(3)}
    found = audit(table(reports), 1, kind=kind)
    assert found.n_compared_items == (3 if kind == "labels" and m == 3 else 0)
    assert found.reporters.height == m
    assert found.reporters["apart_excess"].null_count() == (0 if found.n_compared_items else m)
    assert not found.reporters["stands_out"].any()


def test_few_reports_are_no_ground_to_stand_out() -> None:
    reports = {item: {f"w{j}": 1 for j in range(9)} for item in range(40)}
    reports[0]["rare"] = reports[1]["rare"] = 0
    for item in range(30):
        reports[item]["often"] = 0
    found = by_name(audit(table(reports), 1, kind="labels"))
    assert found["rare"]["rate"] == found["often"]["rate"] == 1.0
    assert (found["rare"]["stands_out"], found["often"]["stands_out"]) == (False, True)
    assert 0 < found["rare"]["apart_excess"] < 0.2 < 0.6 < found["often"]["apart_excess"]


def test_the_excess_grows_with_deviation() -> None:
    def excess(apart: int) -> float:
        reports = {item: {f"w{j}": 1 for j in range(6)} | {"x": int(item >= apart)} for item in range(50)}
        found: float = by_name(audit(table(reports), 1))["x"]["apart_excess"]
        return found

    values = [excess(apart) for apart in range(0, 51, 5)]
    assert values == sorted(values)
    assert len(set(values)) == len(values)


def test_p_values_hold_what_they_promise() -> None:
    seeds = 40
    for kind, draw in (("labels", lambda source: "aaab"[source.integers(4)]), ("scores", np.random.Generator.normal)):
        found = []
        for seed in range(seeds):
            source = np.random.default_rng(seed)
            reports = {item: {f"w{j}": draw(source) for j in range(6)} for item in range(20)}
            value = "label" if kind == "labels" else "score"
            found += audit(table(reports, value), 1, kind=kind).reporters["p_value"].to_list()
        for level in (0.05, 0.2):
            share = np.mean(np.array(found) <= level)
            assert share < level + 4 * (level / len(found)) ** 0.5


# --- a group effect


def nations(seed: int, bias: float) -> pl.DataFrame:
    rng = np.random.default_rng(seed)
    homes = "ABCDEFG"
    rows = []
    for skater in range(120):
        skill, nation = rng.normal(6, 1), homes[skater % 7]
        rows += [
            (f"s{skater}", f"j{home}", skill + rng.normal(0, 0.3) + bias * (home == nation == "A"), home, nation)
            for home in homes
        ]
    return pl.DataFrame(rows, schema=["task", "worker", "score", "judge_nation", "skater_nation"], orient="row")


def test_a_judge_who_favours_the_own_nation() -> None:
    same = ("judge_nation", "skater_nation")
    found = by_name(audit(nations(0, bias=1.0), 1, same=same))
    assert found["jA"]["same"] == 18
    assert 0.7 < found["jA"]["same_effect"] < 1.3
    assert [who for who, row in found.items() if row["same_p_adjusted"] <= 0.05] == ["jA"]
    assert not found["jA"]["stands_out"]
    honest = [audit(nations(seed, bias=0.0), 1, same=same).reporters["same_p_adjusted"].min() for seed in range(1, 21)]
    assert sum(p <= 0.05 for p in honest if isinstance(p, float)) <= 4


def test_the_deviations_of_a_group_as_counted_by_hand() -> None:
    frame = nations(3, bias=0.4).with_columns(
        skater_nation=pl.when(pl.col("task") != "s0").then(pl.col("skater_nation"))
    )
    found = by_name(audit(frame, 1, same=("judge_nation", "skater_nation")))
    scores: dict[str, dict[str, float]] = defaultdict(dict)
    for task, who, score, *_ in frame.iter_rows():
        scores[task][who] = score
    inside: list[float] = []
    rest: list[float] = []
    for task, who, score, home, nation in frame.iter_rows():
        if who == "jC" and nation is not None:
            others = sorted(other for name, other in scores[task].items() if name != who)[1:-1]
            (inside if home == nation else rest).append(score - sum(others) / len(others))
    row = found["jC"]
    assert row["same"] == len(inside)
    assert row["same_deviation"] == pytest.approx(np.mean(inside))
    assert row["rest_deviation"] == pytest.approx(np.mean(rest))


# --- the tests behind it


@given(st.lists(st.tuples(st.integers(1, 6), st.integers(0, 6)), min_size=0, max_size=8), st.integers(0, 9))
def test_upper_tails(shares: list[tuple[int, int]], count: int) -> None:
    chances = [Fraction(min(part, whole), whole) for whole, part in shares]
    found = upper_tails(np.zeros(len(chances), np.int64), np.array([float(one) for one in chances]), np.array([count]))
    assert found[0] == pytest.approx(float(upper_tail(chances, count)), abs=1e-12)


def test_upper_tails_of_many_events() -> None:
    for size, error in ((4000, 1e-9), (6000, 0.2)):
        for share in (0.29, 0.3, 0.31, 0.32, 0.45):
            count = int(size * share)
            found = upper_tails(np.zeros(size, np.int64), np.full(size, 0.3), np.array([count]))
            assert found[0] == pytest.approx(stats.binom.sf(count - 1, size, 0.3), rel=error, abs=1e-12)


@given(st.lists(st.floats(0, 1), max_size=12), st.floats(0.001, 0.999))
def test_holm_rejects_step_by_step(p_values: list[float], level: float) -> None:
    rejected = set()
    for step, (p, place) in enumerate(sorted((p, place) for place, p in enumerate(p_values))):
        if p * (len(p_values) - step) > level:
            break
        rejected.add(place)
    assert set(np.flatnonzero(holm(np.array(p_values)) <= level)) == rejected


# --- bad input


@pytest.mark.filterwarnings("ignore:labels are floats")
@given(
    st.lists(
        st.tuples(st.integers(0, 4), st.sampled_from("abcde"), st.sampled_from([0.0, 1.0, 2.5, -1e300, None])),
        max_size=25,
        unique_by=lambda row: row[:2],
    ),
    st.integers(-1, 3),
    st.sampled_from(["scores", "labels", None, "marks"]),
    st.sampled_from([0.0, 0.5, 0.95, 1.0]),
)
def test_whatever_comes_in(rows: list[Any], k: int, kind: str | None, confidence: float) -> None:
    schema = {"task": pl.Int64, "worker": pl.String, "label": pl.Float64}
    frame = pl.DataFrame(rows, schema=schema, orient="row")
    try:
        found = audit(frame, k, kind=kind, confidence=confidence)
    except bp.BribeproofError as error:
        assert "\n" not in str(error)
        return
    assert k >= 0
    assert 0 < confidence < 1
    reporters = found.reporters
    assert set(reporters["reporter"]) == {who for _, who, _ in rows}
    for name in ("rate", "rate_low", "rate_high", "rate_expected", "p_value", "p_adjusted"):
        assert reporters[name].drop_nulls().is_between(0, 1).all()
    assert (reporters["compared"] <= reporters["reports"]).all()
    assert (reporters["apart_excess"].is_null() == (reporters["compared"] == 0)).all()


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"k": 1.5}, "k=1.5"),
        ({"kind": "marks"}, "kind='marks'"),
        ({"confidence": 1}, "confidence = 1"),
        ({"item": "nothing"}, "no column 'nothing'"),
        ({"same": ("text", "nothing")}, "no column 'nothing'"),
        ({"same": "label"}, "name two columns"),
        ({"kind": "scores", "missing": [], "value": "text"}, "not a number"),
    ],
)
def test_refusals(options: dict[str, Any], words: str) -> None:
    frame = table(panel(0, [0, 1])).with_columns(text=pl.lit("good"))
    labels: dict[str, Any] = {"k": 1, "kind": "labels"}
    with pytest.raises(bp.BribeproofError, match=words):
        audit(frame, **(labels | options))


def test_the_group_effect_needs_the_long_form() -> None:
    sheet = pl.DataFrame({"task": [1], "a": [1], "b": [0], "c": [1]})
    with pytest.raises(bp.ParameterError, match="long form"):
        audit(sheet, 1, kind="labels", judges=["a", "b", "c"], same=("a", "b"))
