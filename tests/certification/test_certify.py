"""Certified accuracy beside every sheet that k bribed reporters can make, public crowds, and simulated worlds."""

import itertools
from collections import Counter
from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any

import numpy as np
import polars as pl
import pytest
from scipy.stats import beta, binom

import bribeproof as bp
from tests.frames.inputs import EACH_FRAME, FRAMES
from tests.paths import SHARED

Sheet = dict[str, str]
DATA = SHARED / "data"
WHO, CLASSES = "abcd", ("x", "y", "z")
WEIGHTS = {"a": 3, "b": 2, "c": 2, "d": 1}
needs_data = pytest.mark.skipif(not (DATA / "crowd").exists(), reason="the data pack is not beside the project")


def table(seed: int, items: int = 12, classes: tuple[str, ...] = CLASSES) -> tuple[dict[str, Sheet], dict[str, str]]:
    """Return random sheets, some with silent reporters, and truths that reports often agree with."""
    rng = np.random.default_rng(seed)
    truth = {f"t{i}": str(rng.choice(classes)) for i in range(items)}
    return {
        name: {who: right if rng.random() < 0.6 else str(rng.choice(classes)) for who in WHO if rng.random() < 0.85}
        for name, right in truth.items()
    }, truth


def frame_of(sheets: Mapping[str, Sheet]) -> pl.DataFrame:
    """Return sheets in long form; silent reporters have an empty row."""
    rows = [(item, who, sheet.get(who)) for item, sheet in sheets.items() for who in WHO]
    return pl.DataFrame(rows, schema=["task", "worker", "label"], orient="row")


def reachable(sheet: Sheet, k: int, classes: tuple[str, ...], *, silence: bool = True) -> list[Sheet]:
    """Return every sheet that differs from this one in what at most k reporters do."""
    states: list[tuple[str | None, ...]] = [
        (*classes, None) if silence else classes if who in sheet else (None,) for who in WHO
    ]
    every = [dict(zip(WHO, chosen, strict=True)) for chosen in itertools.product(*states)]
    near = [one for one in every if sum(one[who] != sheet.get(who) for who in WHO) <= k]
    return [{who: label for who, label in one.items() if label is not None} for one in near]


def most(sheet: Sheet, weights: Mapping[str, int]) -> str | None:
    """Return the label with the most weight; None for a tie."""
    held = Counter[str]()
    for who, label in sheet.items():
        held[label] += weights[who]
    first = held.most_common(2)
    if not first or (len(first) > 1 and first[0][1] == first[1][1]):
        return None
    return first[0][0]


def share(sheet: Sheet, truth: str, weights: Mapping[str, int]) -> Fraction:
    """Return the share of the truth in all weight."""
    right = sum(weights[who] for who, label in sheet.items() if label == truth)
    return Fraction(right, sum(weights[who] for who in sheet) or 1)


@pytest.mark.parametrize("weights", [None, WEIGHTS])
@pytest.mark.parametrize("seed", range(4))
def test_votes_beside_every_change_that_k_reporters_can_make(seed: int, weights: dict[str, int] | None) -> None:
    sheets, truth = table(seed)
    by_k = bp.certify(frame_of(sheets), truth, k=4, weights=weights, classes=CLASSES).by_k
    weight = weights or dict.fromkeys(WHO, 1)
    for k, row in enumerate(by_k.rows(named=True)):
        near = {item: reachable(sheet, k, CLASSES) for item, sheet in sheets.items()}
        robust = sum(all(most(one, weight) == truth[item] for one in near[item]) for item in sheets)
        worst = [1 - min(share(one, truth[item], weight) for one in near[item]) for item in sheets]
        assert (row["k"], row["gold"], row["robust"]) == (k, len(sheets), robust)
        assert row["absolute"] == pytest.approx(float(sum(worst)) / len(worst), abs=1e-9)
        assert row["squared"] == pytest.approx(float(sum(one**2 for one in worst)) / len(worst), abs=1e-9)
        low = beta.ppf(0.05, robust, len(sheets) - robust + 1) if robust else 0
        assert row["accuracy_low"] == pytest.approx(low, abs=1e-12)
        assert row["absolute"] <= row["absolute_high"] <= 1
        assert row["squared"] <= row["squared_high"] <= 1


def first_who_answers(reports: dict[Any, Any]) -> Any:
    """Answer with the report of the first reporter."""
    return reports[min(reports)]


def plain(reports: dict[Any, Any]) -> Any:
    """Answer with the plurality."""
    return most(reports, dict.fromkeys(WHO, 1))


def weighed(reports: dict[Any, Any]) -> dict[Any, float]:
    """Forecast the weighted shares."""
    return {label: float(share(reports, label, WEIGHTS)) for label in set(reports.values())}


@pytest.mark.parametrize("silence", [True, False])
@pytest.mark.parametrize("rule", [first_who_answers, plain])
def test_a_function_beside_every_change(rule: Callable[[dict[Any, Any]], Any], *, silence: bool) -> None:
    sheets, truth = table(7)
    by_k = bp.certify(frame_of(sheets), truth, k=3, rule=rule, silence=silence, classes=CLASSES).by_k
    for k, row in enumerate(by_k.rows(named=True)):
        near = {item: reachable(sheet, k, CLASSES, silence=silence) for item, sheet in sheets.items()}
        right = [all(bool(one) and rule(one) == truth[item] for one in near[item]) for item in sheets]
        assert row["robust"] == sum(right)
        assert row["squared"] is None


def test_functions_that_are_the_rules_of_the_library_get_their_certificates() -> None:
    sheets, truth = table(3)
    frame = frame_of(sheets)

    def shares(counts: dict[Any, int]) -> dict[Any, float]:
        return {label: count / sum(counts.values()) for label, count in counts.items()}

    pairs: list[tuple[dict[str, Any], dict[str, Any]]] = [
        ({"rule": shares, "of_counts": True}, {}),
        ({"rule": weighed}, {"weights": WEIGHTS}),
    ]
    for given, theirs in pairs:
        found = bp.certify(frame, truth, k=3, classes=CLASSES, **given).by_k
        expected = bp.certify(frame, truth, k=3, classes=CLASSES, **theirs).by_k
        for name in (name for name in expected.columns if not name.startswith("list_")):
            assert found[name].to_list() == pytest.approx(expected[name].to_list(), abs=1e-9), name


@pytest.mark.parametrize("k", [0, 1, 2])
def test_a_fitted_rule_is_certified_on_other_items_and_is_the_best_of_monotone_ones(k: int) -> None:
    from bribeproof.certification.certify import _fit_and_attack
    from bribeproof.certification.gold_reports import gold_reports
    from bribeproof.certification.monotone_rule import fit_monotone_rule
    from bribeproof.frames.gold_labels import read_truths
    from bribeproof.frames.schema import ReportSchema
    from bribeproof.frames.validation import validate_reports

    sheets, truth = table(11, items=40, classes=("x", "y"))
    frame = frame_of(sheets)
    gold = gold_reports(
        validate_reports(frame, ReportSchema(), scores=False), read_truths(truth, frame, "task", "label")
    )
    rule = fit_monotone_rule(gold, k)

    def lead(sheet: Sheet) -> int:
        votes = Counter(sheet.values())
        return votes["y"] - votes["x"]

    ends = {
        item: (min if truth[item] == "y" else max)(map(lead, reachable(sheet, k, ("x", "y"))))
        for item, sheet in sheets.items()
    }
    places = np.array(list(ends.values()), float)
    states = np.array([truth[item] == "y" for item in ends], float)
    best = np.mean((rule(places) - states) ** 2)
    rng = np.random.default_rng(0)
    for _ in range(300):
        step = np.sort(rng.random(9))
        other = np.clip(rule(places) + rng.normal(0, 0.1) * step[places.astype(int) + 4], 0, 1)
        order = np.argsort(places, kind="stable")
        if (np.diff(other[order]) >= 0).all():
            assert np.mean((other - states) ** 2) >= best - 1e-12
        assert np.mean((step[places.astype(int) + 4] - states) ** 2) >= best - 1e-12
    rest, cases, fitted = _fit_and_attack(gold, range(k + 1), np.random.default_rng(5), 5)
    assert fitted == (20, 5)
    assert len(rest.truth) == 20
    assert len(cases) == k + 1
    result = bp.certify(frame, truth, k=k, rule="isotonic", seed=5)
    assert result.gold == 20
    assert "fitted to 20 other gold items, drawn at random (seed 5)" in result.summary()


def test_the_worst_case_of_a_fitted_rule_beside_every_change() -> None:
    from bribeproof.certification.gold_reports import gold_reports
    from bribeproof.certification.monotone_rule import MonotoneRule, worst_of_monotone
    from bribeproof.frames.gold_labels import read_truths
    from bribeproof.frames.schema import ReportSchema
    from bribeproof.frames.validation import validate_reports

    sheets, truth = table(13, items=30, classes=("x", "y"))
    frame = frame_of(sheets)
    gold = gold_reports(
        validate_reports(frame, ReportSchema(), scores=False), read_truths(truth, frame, "task", "label")
    )
    rule = MonotoneRule(np.arange(-4.0, 5.0), np.array([0.0, 0.1, 0.2, 0.2, 0.4, 0.6, 0.7, 0.9, 1.0]), 1)
    for k in range(4):
        case = worst_of_monotone(gold, rule, k)
        assert case.share is not None
        for index, item in enumerate(sorted(sheets)):
            ends = []
            for one in reachable(sheets[item], k, ("x", "y")):
                votes = Counter(one.values())
                forecast = float(rule(np.array(float(votes["y"] - votes["x"]))))
                ends.append((forecast if truth[item] == "y" else 1 - forecast) if one else 0.0)
            assert case.share[index] == pytest.approx(min(ends))
            assert case.robust[index] == (min(ends) > 0.5 + 1e-12)


CROWDS = {
    "bluebird": ((0, 0.759, 0.682), (1, 0.731, 0.652), (2, 0.722, 0.643), (3, 0.704, 0.623), (5, 0.639, 0.556)),
    "dog": ((0, 0.792, 0.767), (1, 0.669, 0.641), (2, 0.523, 0.493), (3, 0.318, 0.291), (5, 0, 0)),
    "rte": ((0, 0.856, 0.834), (1, 0.686, 0.658), (2, 0.499, 0.469), (3, 0.255, 0.230), (5, 0, 0)),
}


@needs_data
@pytest.mark.parametrize("name", CROWDS)
def test_the_table_of_the_theory(name: str) -> None:
    votes, truth = (pl.read_csv(DATA / "crowd" / f"{name}{end}.csv") for end in ("", "_truth"))
    by_k = bp.certify(votes, truth, k=5).by_k
    for k, accuracy, low in CROWDS[name]:
        row = by_k.row(k, named=True)
        assert (row["accuracy"], row["accuracy_low"]) == pytest.approx((accuracy, low), abs=5.1e-4)


@needs_data
def test_judges_who_are_models_err_together_and_the_best_alone_beats_the_majority() -> None:
    folder = DATA / "llm_judges"
    result = bp.certify(pl.read_csv(folder / "verdicts.csv"), pl.read_csv(folder / "truth.csv"))
    assert result.by_k["robust"].to_list() == [212, 167, 118]
    assert result.together is not None
    assert round(result.together.correlation, 3) == 0.382
    assert round(result.together.effective, 2) == 2.06
    assert (result.best.name, result.best.right) == ("o1-mini-2024-09-12", 230)
    assert "The best single reporter, o1-mini-2024-09-12, is right on 230 of 350" in result.summary()


def test_order_names_and_form_do_not_matter() -> None:
    sheets, truth = table(5)
    frame = frame_of(sheets)
    base = bp.certify(frame, truth, weights=WEIGHTS).by_k.to_dicts()
    assert bp.certify(frame.sample(fraction=1, shuffle=True, seed=1), truth, weights=WEIGHTS).by_k.to_dicts() == base
    wide = frame.pivot(on="worker", index="task", values="label")
    assert bp.certify(wide, truth, judges=list(WHO), weights=WEIGHTS).by_k.to_dicts() == base
    names = {"x": "q", "y": "p", "z": "zz"}
    renamed = frame.with_columns(
        pl.col("label").replace(names), pl.format("r{}", "worker").alias("worker"), pl.col("task").str.reverse()
    )
    other = {item[::-1]: names[label] for item, label in truth.items()}
    theirs = {f"r{who}": 10 * weight for who, weight in WEIGHTS.items()}
    assert bp.certify(renamed, other, weights=theirs).by_k.to_dicts() == base
    beside = frame.with_columns(truth=pl.col("task").replace_strict(truth))
    assert bp.certify(beside, "truth", weights=WEIGHTS).by_k.to_dicts() == base


@pytest.mark.parametrize("kind", EACH_FRAME)
def test_every_kind_of_frame_gets_the_same_table(kind: str) -> None:
    sheets, truth = table(6)
    frame = frame_of(sheets).drop_nulls()
    expected = bp.certify(frame, truth)
    found = bp.certify(FRAMES[kind](frame.to_dict(as_series=False)), truth)
    assert found.summary() == expected.summary()


def test_items_without_reports_and_labels_that_nobody_reported_are_wrong() -> None:
    frame = pl.DataFrame({"task": ["t"] * 3 + ["u"] * 3, "worker": list("abcabc"), "label": list("xxxxyz")})
    result = bp.certify(frame, {"t": "x", "u": "w", "v": "x"}, k=1)
    assert result.by_k["robust"].to_list() == [1, 1]
    assert (result.gold, result.unanswered) == (3, 1)
    assert "3 gold items, 1 of them without a report, which counts as wrong" in result.summary()


def test_what_is_not_certified_is_said() -> None:
    frame = pl.DataFrame({"task": ["t"] * 2 + ["u"] * 2, "worker": list("abab"), "label": list("xxyy")})
    summary = bp.certify(frame, {"t": "x", "u": "y"}, k=1).summary()
    assert "No answer is certified to be right if any one of 2 reporters is bribed, perhaps another on each" in summary
    assert "From k = 1 on nothing is certified" in summary
    wrong = bp.certify(frame, {"t": "y", "u": "x"}).summary()
    assert "No answer is certified to be right if nobody is bribed" in wrong


FRAME = pl.DataFrame({"task": ["t"] * 3, "worker": list("abc"), "label": ["x", "x", "y"]})


@pytest.mark.parametrize(
    ("truth", "options", "message"),
    [
        ({"t": "x"}, {"k": 4}, "k=4: there are 3 reporters"),
        ({"t": "x"}, {"k": -1}, "cannot be negative"),
        ({"t": "x"}, {"rule": "mean"}, "rule='mean'"),
        ({"t": "x"}, {"rule": plain}, "k is needed for this rule"),
        ({"t": "x"}, {"rule": "isotonic"}, "k is needed for this rule"),
        ({"t": "x"}, {"rule": "isotonic", "k": 1}, "two gold items or more"),
        ({"t": "x"}, {"weights": {"a": 1}}, "no weight for reporter 'b'"),
        ({"t": "x"}, {"weights": {"a": 1, "b": -1, "c": 1}}, "at least 0"),
        ({"t": "x"}, {"weights": dict.fromkeys("abc", 1), "rule": plain, "k": 1}, "weights are for"),
        ({"t": "x"}, {"silence": False}, "for a function"),
        ({"t": "x"}, {"confidence": 1}, "confidence = 1"),
        ({"t": "w"}, {}, "none of the classes"),
        ({"u": "x"}, {}, "none of the 1 items"),
        ({"t": "x"}, {"rule": lambda _: "w", "k": 0}, "none of the labels"),
        ({"t": "x"}, {"rule": lambda _: {"x": 2}, "k": 0}, "from 0 to 1"),
        ({"t": "x"}, {"rule": lambda _: {"x": 0.8, "y": 0.8}, "k": 0}, "sum to more than 1"),
    ],
)
def test_bad_input_is_refused(truth: dict[str, str], options: dict[str, Any], message: str) -> None:
    with pytest.raises(bp.BribeproofError, match=message):
        bp.certify(FRAME, truth, **options)


def test_a_function_with_too_many_sheets_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bribeproof.certification.callable_rule.MOST_SHEETS", 100)
    sheets, truth = table(7)
    with pytest.raises(bp.ParameterError, match="more than 100 ways"):
        bp.certify(frame_of(sheets), truth, k=4, rule=lambda _: "x", classes=CLASSES)


@pytest.mark.slow
@pytest.mark.parametrize("pose", ["yes", "no", None])
def test_the_bounds_hold_as_often_as_they_say(pose: str | None) -> None:
    """Reporters err together on hard items; two of seven are bribed, and right, wrong or silent on gold items."""
    rng, n, bribed, gold, rounds, confidence = np.random.default_rng(2), 7, 2, 50, 100, 0.8
    names = [f"r{j}" for j in range(n)]

    def honest(items: int) -> np.ndarray[Any, Any]:
        hard = rng.random(items) < 0.3
        return rng.random((items, n - bribed)) < np.where(hard, 0.45, 0.92)[:, None]

    # On new items the two report what is wrong: the answer is safe if the others outvote them.
    right = honest(400_000).sum(axis=1)
    safe, loss = float((right > n - right).mean()), float(((1 - right / n) ** 2).mean())
    failed, exceeded = 0, 0
    for _ in range(rounds):
        labels = np.where(honest(gold), "yes", "no")
        columns = {name: labels[:, j] if j < n - bribed else [pose] * gold for j, name in enumerate(names)}
        frame = pl.DataFrame({"task": range(gold), **columns})
        truth = dict.fromkeys(range(gold), "yes")
        found = bp.certify(frame, truth, judges=names, k=3, confidence=confidence, classes=["no", "yes"])
        by_k = found.by_k.filter(pl.col("k") >= bribed)
        failed += max(by_k["accuracy_low"]) > safe
        exceeded += min(by_k["squared_high"]) < loss
    assert max(failed, exceeded) <= binom.ppf(0.9999, rounds, 1 - confidence)
