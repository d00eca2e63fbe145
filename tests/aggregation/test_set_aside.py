"""Reports that no honest reporter sends: they stop the run, or are set aside and counted against k."""

import itertools
from typing import Any

import polars as pl
import pytest

import bribeproof as bp
from tests.aggregation.test_silence import EXPERTS, exceeded
from tests.frames.inputs import EACH_KIND, Give, check, long

ASIDE: dict[str, Any] = {"faulty": "set aside"}


@pytest.mark.filterwarnings("ignore:set aside")
@pytest.mark.parametrize(("d", "k"), [(3, 1), (5, 2), (8, 3)])
def test_lies_and_faulty_reports_stay_within_the_guarantee(d: int, k: int) -> None:
    assert exceeded(d, k, "faulty", EXPERTS[:1]) == []


@pytest.mark.filterwarnings("ignore:set aside")
@pytest.mark.parametrize(("d", "k"), [(3, 1), (6, 2)])
def test_lies_silence_and_faulty_reports_stay_within_the_guarantee_of_a_design(d: int, k: int) -> None:
    assert exceeded(d, k, "silent faulty", EXPERTS[:1]) == []


VOTES = long(
    ("t1", "ann", "1"), ("t1", "ben", "1"), ("t1", "cem", "0"), ("t1", "cem", "1"),
    ("t2", "ann", "0"), ("t2", "ben", "1.0"), ("t2", "cem", "perhaps"),
    ("t3", "ann", "1"), ("t3", "ben", "what"), ("t3", "cem", "perhaps"),
    ("t4", "ann", "1"), ("t4", "ben", "0"), ("t4", "cem", "0"),
)  # fmt: skip


@pytest.mark.parametrize("read", EACH_KIND, indirect=True)
def test_votes_are_set_aside_on_every_engine(read: Give) -> None:
    """cem contradicts himself and invents a third vote; a vote written 1.0 stays a vote, whatever cem writes."""
    with pytest.warns(bp.BribeproofWarning) as caught:
        found = bp.aggregate_votes(read(VOTES), k=1, classes=("0", "1"), expert=bp.Expert(0.5, 0.9, 0.1), **ASIDE)
    said = " ".join(str(one.message) for one in caught)
    assert "4 answers of 2 reporters: cem (3), ben (1); each counts against k on its item" in said
    assert "1 item is not certified, since more reporters than k are silent or set aside there (on t3 2 of 3" in said
    check(found, [
        {"task": "t1", "n": 3, "m": 2, "set_aside": 1, "estimate": 1.0, "decision": "1", "forecast": 0.8,
         "guarantee": 0.16, "status": "ok"},
        {"task": "t2", "n": 3, "m": 2, "set_aside": 1, "estimate": 0.5, "decision": None, "tie": True,
         "forecast": 0.5, "guarantee": 0.16, "status": "ok"},
        {"task": "t3", "m": 1, "set_aside": 2, "decision": None, "guarantee": None, "status": "not certified"},
        {"task": "t4", "m": 3, "set_aside": 0, "estimate": 0.0, "decision": "0", "forecast": 0.2, "status": "ok"},
    ]) if not hasattr(found, "fetchall") else None  # fmt: skip


@pytest.mark.parametrize("read", EACH_KIND, indirect=True)
def test_scores_are_set_aside_on_every_engine(read: Give) -> None:
    """Four judges, k = 1: the mean of those who write numbers, and the range that a lie could have caused."""
    sheet = {
        "task": ["E1"] * 4 + ["E2"] * 4,
        "worker": ["Anna", "Boris", "Chen", "Dora"] * 2,
        "score": ["7", "lots", "9", "5", "7", "8", "inf", "5"],
    }
    with pytest.warns(bp.BribeproofWarning, match=r"2 answers of 2 reporters: Boris \(1\), Chen \(1\)"):
        found = bp.aggregate_scores(read(sheet), k=1, **ASIDE)
    check(found, [
        {"task": "E1", "n": 4, "m": 3, "set_aside": 1, "estimate": 7.0, "range_low": 6.0, "range_high": 8.0,
         "dropped_low": "", "dropped_high": "", "status": "ok"},
        {"task": "E2", "n": 4, "m": 3, "set_aside": 1, "estimate": 20 / 3, "range_low": 6.0, "range_high": 7.5},
    ])  # fmt: skip


@pytest.mark.parametrize("classes", [3, 40])
@pytest.mark.parametrize("kind", ["eager", "lazy"])
def test_labels_are_set_aside_for_few_and_for_many_classes(classes: int, kind: str) -> None:
    names = [f"c{place:02}" for place in range(classes)]
    votes = pl.DataFrame(long(
        ("t", "a", "c01"), ("t", "b", "c01"), ("t", "c", "c02"), ("t", "d", "c02"), ("t", "d", "c01"), ("t", "e", "no"),
    ))  # fmt: skip
    with pytest.warns(bp.BribeproofWarning, match="2 answers of 2 reporters"):
        found = bp.aggregate_labels(votes if kind == "eager" else votes.lazy(), k=2, classes=names, **ASIDE)
    check(found, [
        {"task": "t", "n": 5, "m": 3, "set_aside": 2, "k": 2, "decision": "c01", "share_c01": 2 / 3},
    ])  # fmt: skip


def test_the_errors_offer_the_option_and_only_where_it_exists() -> None:
    votes = pl.DataFrame(VOTES)
    conflict, third = votes.head(4), votes.slice(4, 3)
    score = pl.DataFrame({"task": "t", "worker": ["a", "b"], "score": ["1", "x"]})
    offer = r"faulty='set aside' \(--faulty set-aside\)"
    with pytest.raises(bp.DataError, match=rf"more than once, and not the same.*{offer}"):
        bp.aggregate_labels(conflict, k=0)
    with pytest.raises(bp.DataError, match=rf"none of the declared classes.*{offer}"):
        bp.aggregate_labels(third, k=0, classes=("0", "1", "1.0"))
    with pytest.raises(bp.DataError, match=rf"found 3 .*declare the two votes, such as classes=.*{offer}"):
        bp.aggregate_votes(third, k=0)
    with pytest.raises(bp.DataError, match=rf"score 'x' of reporter 'b'.*{offer}"):
        bp.aggregate_scores(score, k=0)
    with pytest.raises(bp.DataError, match=rf"is infinite.*{offer}"):
        bp.aggregate_scores(score.with_columns(score=pl.Series([1.0, float("inf")])), k=0)
    with pytest.raises(bp.DataError, match="more than once") as error:
        bp.audit(conflict)
    assert "set aside" not in str(error.value)
    with pytest.raises(bp.ParameterError, match="faulty='ignore': use one of 'error', 'set aside'"):
        bp.aggregate_labels(conflict, k=0, faulty="ignore")


@pytest.mark.filterwarnings("ignore:1 repeat collapsed")
def test_a_pair_of_reports_of_which_one_is_faulty_is_set_aside_whole() -> None:
    votes = pl.DataFrame(long(("t", "a", "1"), ("t", "a", "x"), ("t", "b", "1"), ("t", "c", "0"), ("t", "c", "0")))
    with pytest.warns(bp.BribeproofWarning, match=r"1 answer of 1 reporter: a \(1\)"):
        found = bp.aggregate_votes(votes, k=1, classes=("0", "1"), **ASIDE)
    assert found.select("m", "set_aside", "estimate").rows() == [(2, 1, 0.5)]


@pytest.mark.filterwarnings("ignore:1 repeat collapsed")
def test_repeats_are_settled_by_their_own_rule() -> None:
    votes = pl.DataFrame(long(("t", "a", "1"), ("t", "a", "0"), ("t", "b", "1"), ("t", "c", "0"), ("t", "d", "?")))
    with pytest.warns(bp.BribeproofWarning, match=r"1 answer of 1 reporter: d"):
        found = bp.aggregate_votes(votes, k=1, classes=("0", "1"), repeats="last", **ASIDE)
    assert found.select("m", "set_aside", "positive").rows() == [(3, 1, 1)]


def test_who_is_set_aside_could_have_lied_so_that_few_reports_have_no_guarantee() -> None:
    """Two reporters, one bribed and set aside: the other's report is honest, but the bribed chose this item."""
    votes = pl.DataFrame(long(("t", "a", "1"), ("t", "b", "0"), ("t", "b", "1")))
    with pytest.warns(bp.BribeproofWarning, match="1 answer"):
        found = bp.aggregate_votes(votes, k=1, expert=bp.Expert(0.5, 0.9, 0.1), **ASIDE)
    assert found.select("decision", "status", "forecast", "guarantee").rows() == [("1", "ok", None, None)]


def test_more_than_twenty_senders_are_counted() -> None:
    rows_ = [("t", f"w{i:02}", vote) for i in range(25) for vote in ("x", "y")] + [("t", "z", "x")]
    with pytest.warns(bp.BribeproofWarning, match=r"25 answers of 25 reporters: w00 \(1\), .*w19 \(1\) and 5 more;"):
        bp.aggregate_labels(pl.DataFrame(long(*rows_)), k=25, **ASIDE)


def own_result(scores: list[float], aside: int, k: int) -> float | None:
    """The published score by the words of docs/reference/rules_of_counting.md; None if the item is not certified."""
    cut = k - aside
    if cut < 0 or len(scores) <= 2 * cut:
        return None
    kept = sorted(scores)[cut : len(scores) - cut]
    return sum(kept) / len(kept)


@pytest.mark.parametrize(("d", "k", "aside"), [(3, 1, 1), (4, 1, 1), (5, 2, 1), (5, 2, 2), (3, 2, 2), (4, 2, 2)])
def test_the_range_covers_what_those_set_aside_could_have_caused_by_an_ordinary_lie(d: int, k: int, aside: int) -> None:
    """Every set of k bribed reporters that holds those set aside, each with any mark, or a faulty report."""
    marks = [3.0, 4.0, 6.5, 7.0, 9.0][: d - aside]
    table = [("t", f"w{i}", mark) for i, mark in enumerate(marks)]
    table += [("t", f"x{i}", mark) for i in range(aside) for mark in (1.0, 2.0)]
    with pytest.warns(bp.BribeproofWarning, match="set aside"):
        found = bp.aggregate_scores(pl.DataFrame(table, schema=["task", "worker", "score"], orient="row"), k=k, **ASIDE)
    row = found.row(0, named=True)
    results = []
    for also in itertools.combinations(range(len(marks)), k - aside):
        honest = [mark for i, mark in enumerate(marks) if i not in also]
        for lies in itertools.product([None, -1e3, 0.0, 5.0, 1e3], repeat=k):
            told = [lie for lie in lies if lie is not None]
            results.append(own_result(honest + told, k - len(told), k))
    published = [result for result in results if result is not None]
    assert row["estimate"] == pytest.approx(own_result(marks, aside, k))
    assert (row["range_low"], row["range_high"]) == (pytest.approx(min(published)), pytest.approx(max(published)))


def test_sweep_and_aggregate_take_both_options(tmp_path: Any) -> None:
    path = tmp_path / "votes.csv"
    pl.DataFrame(VOTES).with_columns(given=pl.lit("3")).write_csv(path)
    options: dict[str, Any] = {"asked": "given", "classes": ("0", "1"), **ASIDE}
    with pytest.warns(bp.BribeproofWarning, match="set aside"):
        result = bp.aggregate(path, k=1, kind="votes", expert=bp.Expert(0.5, 0.9, 0.1), **options)
    assert result.items.select("m", "asked", "set_aside", "status").rows() == [
        (2, 3, 1, "ok"), (2, 3, 1, "ok"), (1, 3, 2, "not certified"), (3, 3, 0, "ok"),
    ]  # fmt: skip
    assert "reporters asked in 'given'" in " ".join(result.notes)
    summary = result.summary()
    assert (
        "Guarantee for 3 items: expected squared loss at most 0.16, 64 % of the 0.25 that the prior alone guarantees, "
        "whatever the bribed report, on average over these items, provided that each was" in summary
    )
    assert "1 item is not certified, since more reporters than k are silent or set aside" in summary
    with pytest.warns(bp.BribeproofWarning, match="set aside"):
        swept = bp.sweep(bp.read_table(path), expert=bp.Expert(0.5, 0.9, 0.1), **options)
    found = swept.by_k.select("k", "certified", "changed", pl.col("expected_loss").round(4)).rows()
    assert found == [(0, 1, 3, 0.09), (1, 3, 1, 0.16), (2, 0, 4, None)]
    assert "provided that each was given to as many reporters as stated, whatever its truth" in swept.summary()
    assert "that honest ones answer, and that honest reporters send nothing that is set aside." in swept.summary()


@pytest.mark.filterwarnings("ignore:set aside")
@pytest.mark.parametrize(
    ("honest", "bribed"),
    [("1.5 2.5 3.5 4.5", "50 %"), ("1 2 3 4", "1.5%"), ("1000 2000 3000 4000", "1,000"), ("10% 20% 30% 40%", "0.5"),
     ("1,5 2,5 3,5 4,5", "1.5"), ("1.5 2.5 3.5 4.5", "1,5")],
)  # fmt: skip
def test_a_bribed_reporter_cannot_choose_how_the_scores_of_others_are_read(
    honest: str, bribed: str, read: Give
) -> None:
    """One who writes another notation, on as many items as he likes, is the one who is set aside."""
    rows = [("E1", name, score) for name, score in zip("abcd", honest.split(), strict=True)]
    rows += [(f"E{place}", "bribed", bribed) for place in range(1, 9)]
    table = read(dict(zip(("task", "worker", "score"), map(list, zip(*rows, strict=True)), strict=True)))
    found = bp.aggregate_scores(table, k=1, item="task", **ASIDE)
    check(found, [
        {"task": "E1", "m": 4, "set_aside": 1, "status": "ok"},
        *({"task": f"E{place}", "m": 0, "set_aside": 1, "status": "no reports"} for place in range(2, 9)),
    ])  # fmt: skip
