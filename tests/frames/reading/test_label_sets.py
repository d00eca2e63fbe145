"""Several labels per report: sets in any order and notation, or votes on each label."""

import itertools
import json
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

import bribeproof as bp
from bribeproof.errors import DataError, ParameterError
from bribeproof.frames.out_of_core import scan_table
from bribeproof.frames.reading.saved import to_toml
from bribeproof.frames.values.label_lists import parse_list
from bribeproof.questions import QuestionError
from tests.frames.inputs import FRAMES, QUICK, rows
from tests.frames.reading.label_tables import LABELS, WORKERS, WRITTEN, Table, long_form, spoken, table


def first_by_default(values: Iterable[Any]) -> list[Any]:
    """Return cases of which the tests that are not slow take the first one only."""
    first, *others = values
    return [first, *(pytest.param(one, marks=pytest.mark.slow) for one in others)]


def wide_form(said: Table, written: Callable[[list[str]], Any], *, turned: bool = False) -> dict[str, list[Any]]:
    """Return a table with a column for each worker, or, turned, for each item."""
    long = pl.DataFrame(long_form(said, written))
    return long.pivot("task" if turned else "worker", index="worker" if turned else "task", values="label").to_dict(
        as_series=False
    )


def right_sets(said: Table, k: int) -> dict[str, tuple[int, str | None]]:
    """Return of each item the number of reports, and the most frequent set; None if there is none, or no protection."""
    found: dict[str, tuple[int, str | None]] = {}
    for item in dict.fromkeys(item for item, _ in said):
        reports = [
            ";".join(sorted(one)) or "(no label)" for (it, _), one in said.items() if it == item and one is not None
        ]
        ranked = Counter(reports).most_common()
        tie = len(ranked) > 1 and ranked[0][1] == ranked[1][1]
        found[item] = len(reports), None if tie or len(reports) <= 2 * k else ranked[0][0]
    return found


def right_votes(said: Table, labels: Sequence[str] = LABELS) -> dict[str, tuple[int, int]]:
    """Return of each item and label the number of reports, and of those with the label."""
    found: dict[str, tuple[int, int]] = {}
    for item in dict.fromkeys(item for item, _ in said):
        reports = [one for (it, _), one in said.items() if it == item and one is not None]
        found |= {f"{item} · {label}": (len(reports), sum(label in one for one in reports)) for label in labels}
    return found


def check(said: Table, frame: Any, joiner: str = ";", **options: Any) -> None:
    """Check the sets and the votes that a frame or a file is read as."""
    whole = rows(bp.aggregate(frame, k=0, label_sets="whole", **options).items)
    assert {row["task"]: (row["m"], row["decision"]) for row in whole} == {
        item: (m, decision and decision.replace(";", joiner)) for item, (m, decision) in right_sets(said, 0).items()
    }
    each = bp.aggregate(frame, k=1, label_sets="each", **options)
    assert each.kind == "votes"
    voted = rows(each.items)
    assert {next(iter(row.values())): (row["m"], row["positive"]) for row in voted} == right_votes(said)
    assert {row["n"] for row in voted} == {len(WORKERS)}


@pytest.mark.parametrize("notation", first_by_default(WRITTEN))
def test_every_notation_of_a_set_is_read(notation: str) -> None:
    said = table(1)
    joiner = {",": ", ", "|": "|", "#": "#"}.get(notation, ";")
    check(said, pl.DataFrame(long_form(said, WRITTEN[notation])), joiner)


@pytest.mark.parametrize("seed", first_by_default(range(4)))
def test_every_form_gives_the_same(seed: int, tmp_path: Path) -> None:
    said = table(seed)
    check(said, pl.DataFrame(wide_form(said, WRITTEN[";"])))
    pl.DataFrame(long_form(said, WRITTEN[";"], seed)).write_csv(tmp_path / "long.csv")
    check(said, tmp_path / "long.csv")
    turned = pl.DataFrame(wide_form(said, WRITTEN["json"], turned=True))
    whole = bp.aggregate(turned, k=0, label_sets="whole", turned=True).items
    assert dict(zip(whole["item"], whole["decision"], strict=True)) == {
        item: one for item, (_, one) in right_sets(said, 0).items()
    }
    each = bp.aggregate(turned, k=1, label_sets="each", turned=True).items
    assert dict(zip(each["item, label"], zip(each["m"], each["positive"], strict=True), strict=True)) == right_votes(
        said
    )


@pytest.mark.parametrize("seed", first_by_default(range(3)))
def test_a_row_for_each_label_is_a_set(seed: int) -> None:
    said = {pair: one for pair, one in table(seed).items() if one is None or one}  # no label has no row
    listed = [(*pair, label) for pair, one in said.items() for label in sorted(one or ())] + [
        (*pair, None) for pair, one in said.items() if one is None
    ]
    frame = pl.DataFrame(listed, schema=["task", "worker", "label"], orient="row")
    check(said, frame.sample(fraction=1, shuffle=True, seed=seed), label_separator="rows")
    with pytest.raises(DataError, match="a row for each label"):
        bp.aggregate(pl.DataFrame(wide_form(said, WRITTEN[";"])), k=1, label_sets="each", label_separator="rows")


@pytest.mark.parametrize(
    "engine",
    [one if one == "polars-lazy" else pytest.param(one, marks=pytest.mark.slow) for one in QUICK if one in FRAMES]
    + [pytest.param("pyspark", marks=[pytest.mark.slow, pytest.mark.spark])],
)
@pytest.mark.parametrize("notation", first_by_default(["lists", ";"]))
def test_every_engine_gives_the_same(engine: str, notation: str) -> None:
    said = table(5)
    columns = long_form(said, WRITTEN[notation])
    check(said, FRAMES[engine](columns))
    with pytest.raises(QuestionError, match="labels"):
        bp.aggregate(FRAMES[engine](columns), k=1)


@pytest.mark.slow
def test_arrays_and_sets_in_cells_of_pandas_are_lists() -> None:
    pandas = pytest.importorskip("pandas")
    said = table(6)
    columns = long_form(said, list)
    for kind in (np.array, set, tuple):
        cells = [None if cell is None else kind(cell) for cell in columns["label"]]
        check(said, pandas.DataFrame(columns | {"label": pandas.Series(cells, dtype=object)}))


def test_k_bribed_reporters_change_no_label_of_a_safe_set() -> None:
    draw = np.random.default_rng(8)
    right = [frozenset(label for label in LABELS if draw.random() < 0.5) for _ in range(12)]
    said: dict[tuple[str, str], frozenset[str] | None] = {
        (f"t{i}", who): one
        if draw.random() < 0.15 * (i % 4)
        else frozenset(x for x in LABELS if (x in one) ^ (draw.random() < 0.2))
        for i, one in enumerate(right)
        for who in WORKERS[: 5 + i % 2]
    }
    result = bp.aggregate(pl.DataFrame(long_form(said, WRITTEN[";"])), k=1, label_sets="each", label_separator=";")
    votes = {pair: one for pair, one in said.items() if one is not None}

    def decided(reports: Mapping[tuple[str, str], frozenset[str]], item: str) -> tuple[str, ...]:
        sets = [one for (it, _), one in reports.items() if it == item]
        counts = {label: sum(label in one for one in sets) for label in LABELS}
        return tuple("tie" if 2 * n == len(sets) else label if 2 * n > len(sets) else "" for label, n in counts.items())

    lies = [frozenset(chosen) for size in range(len(LABELS) + 1) for chosen in itertools.combinations(LABELS, size)]
    unchanged = {
        item
        for item in dict.fromkeys(item for item, _ in said)
        if "tie" not in decided(votes, item)
        and all(decided(votes | {pair: lie}, item) == decided(votes, item)
                for pair in votes if pair[0] == item for lie in lies)
        and sum(it == item for it, _ in votes) > 2
    }  # fmt: skip
    assert 0 < len(unchanged) < 12
    # Whom they bribe may differ between labels, and yet one liar alone can turn any label that some liar can turn.
    assert result.facts()["sets"] == {"items": 12, "labels": len(LABELS), "safe": len(unchanged)}
    assert f"On {len(unchanged)} of these 12 items no label could have been changed" in result.summary()
    assert "perhaps another on each item and label" in result.summary()


def test_named_labels_are_voted_on_and_no_others() -> None:
    said = table(9)
    frame = pl.DataFrame(long_form(said, WRITTEN[";"]))
    found = bp.aggregate(frame, k=1, label_sets="each", labels=["emu", "bee"])
    votes = dict(
        zip(found.items["task, label"], zip(found.items["m"], found.items["positive"], strict=True), strict=True)
    )
    assert votes == right_votes(said, ["emu", "bee"])
    assert "labels that are not voted on: 'ant', 'cat', 'dog eats'" in found.notes
    assert "labels that no report holds: 'emu'" in found.notes


def test_no_label_and_no_report_are_told_apart() -> None:
    cells = ["cat;dog", "nothing", "absent", None, "[]", "dog"]
    frame = pl.DataFrame({"task": ["t"] * 6, "worker": list("abcdef"), "label": cells})
    options: dict[str, Any] = {"no_label": ["nothing"], "missing": ["absent"]}
    found = bp.aggregate(frame, k=0, label_sets="each", **options)
    assert found.items.select("task, label", "n", "m", "positive").rows() == [
        ("t · cat", 6, 4, 1),
        ("t · dog", 6, 4, 2),
    ]
    assert "taken as missing: 'absent' (1 report)" in found.notes
    whole = bp.aggregate(frame, k=0, label_sets="whole", **options).items
    assert (whole["m"][0], whole["decision"][0]) == (4, "(no label)")
    with pytest.raises(DataError, match=r"row 0 .*'cat;nothing' has labels beside 'nothing'"):
        bp.aggregate(frame.with_columns(label=pl.lit("cat;nothing")), k=0, label_sets="each", no_label=["nothing"])
    with pytest.warns(bp.BribeproofWarning, match=r"no_label=\['none'\]"):
        bp.aggregate(frame.with_columns(label=pl.Series(["none", *cells[1:]])), k=0, label_sets="each", **options)


def test_classes_of_sets_are_sets_in_any_order() -> None:
    frame = pl.DataFrame(long_form(table(4), WRITTEN[";"]))
    cells = frame["label"].drop_nulls().replace("[]", "(no label)").unique().to_list()
    found = bp.aggregate(frame, k=0, label_sets="whole", classes=list(dict.fromkeys(map(ordered, cells)))[::-1])
    assert found.items["decision"].to_list() == [one for _, one in right_sets(table(4), 0).values()]
    with pytest.raises(ParameterError, match="labels="):
        bp.aggregate(frame, k=0, label_sets="each", classes=["ant", "bee"])
    with pytest.raises(DataError, match="none of the declared classes"):
        bp.aggregate(frame, k=0, label_sets="whole", classes=["bee;ant"])


def ordered(cell: str) -> str:
    """Return a set with its labels in the opposite order."""
    return ";".join(sorted(set(cell.split(";")), reverse=True))


@pytest.mark.parametrize(
    "cell", ['["cat", {"a": 1}]', '{"x": 1, "y": 2}', "[1 2 3]", '["cat", null]', "[[a], [b]]", '["a"; "b"]']
)
def test_brackets_that_hold_no_list_of_labels_are_refused_with_their_place(cell: str, tmp_path: Path) -> None:
    assert parse_list(cell) is None
    pl.DataFrame({"task": ["t", "t"], "worker": ["a", "b"], "label": ['["cat", "dog"]', cell]}).write_csv(
        tmp_path / "votes.csv"
    )
    with pytest.raises(DataError, match=r"line 3, column 'label': .* is no list of labels"):
        bp.aggregate(tmp_path / "votes.csv", k=0, label_sets="each")


@pytest.mark.parametrize(
    "options",
    first_by_default(
        [
            {"label_sets": "each", "no_label": ["emu"], "missing": ["bee"]},
            {"label_sets": "whole"},
            {"label_sets": "each", "labels": ["bee", "ant"]},
            {"label_sets": "none"},
            {"label_sets": "each", "item": "row number"},
        ]
    ),
)
def test_a_saved_reading_reads_the_same(tmp_path: Path, options: dict[str, Any]) -> None:
    frame = pl.DataFrame(long_form(spoken(3), WRITTEN["newline"]))
    found = bp.aggregate(frame, k=0, **options)
    (tmp_path / "r.toml").write_text(to_toml(found.recognised), encoding="utf-8")
    assert bp.aggregate(frame, k=0, reading=tmp_path / "r.toml").items.equals(found.items)
    assert bp.aggregate(frame, k=0, reading=found.recognised).items.equals(found.items)


@pytest.mark.parametrize("ending", first_by_default(["ndjson", "json", "parquet", "polars", "pandas"]))
def test_lists_and_objects_in_records_are_sets(tmp_path: Path, ending: str) -> None:
    said = table(7)
    for written in (
        list,
        lambda labels: {"choices": labels},
        lambda labels: {label: label in labels for label in LABELS},
    ):
        columns = long_form(said, written)
        frame: Any = pl.DataFrame(columns)
        path = tmp_path / f"records.{ending}"
        records = [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]
        if ending == "ndjson":
            path.write_text("\n".join(map(json.dumps, records)), encoding="utf-8")
        elif ending == "json":
            path.write_text(json.dumps(records), encoding="utf-8")
        elif ending == "parquet":
            frame.write_parquet(path)
        else:
            path = frame if ending == "polars" else FRAMES["pandas"](columns)
        check(said, path)
        with pytest.raises(DataError, match="label_sets='whole'"):
            bp.aggregate(path, k=1)


def test_labels_that_look_like_lists_or_contain_the_separator_stay_apart() -> None:
    cells = ['["a;b"]', '["a", "b"]', '["b", "a"]', '["[]"]', "[]"]
    frame = pl.DataFrame({"task": [f"t{i}" for i in range(5)], "worker": ["w"] * 5, "label": cells})
    found = bp.aggregate(frame, k=0, label_sets="whole").items["decision"].to_list()
    assert found == ['["a;b"]', "a;b", "a;b", '["[]"]', "(no label)"]
    with pytest.raises(DataError, match="rename it"):
        bp.aggregate(frame[:3].rename({"task": "t"}).with_columns(pl.lit("").alias("t, label")), k=0, label_sets="each",
                     item="t")  # fmt: skip
    with pytest.raises(DataError, match="rename it"):
        bp.aggregate(frame.with_columns(label=pl.lit('["a · b"]')), k=0, label_sets="each")


def test_an_expert_gives_the_guarantee_of_the_votes() -> None:
    said, expert = table(11), bp.Expert(0.4, 0.9, 0.2)
    found = bp.aggregate(pl.DataFrame(long_form(said, WRITTEN[";"])), k=1, label_sets="each", expert=expert)
    votes = [
        (f"{item} · {label}", who, None if one is None else int(label in one))
        for (item, who), one in said.items()
        for label in LABELS
    ]
    plain = pl.DataFrame(votes, schema=["task, label", "worker", "label"], orient="row")
    assert found.items.equals(bp.aggregate_votes(plain, k=1, item="task, label", expert=expert))


def test_numbers_are_labels_however_they_are_stored() -> None:
    frame = pl.DataFrame({"task": ["t"] * 3, "worker": list("abc"), "label": [1.0, 2.0, float("nan")]})
    found = bp.aggregate(frame, k=0, label_sets="each").items
    assert found.select("task, label", "m", "positive").rows() == [("t · 1", 2, 1), ("t · 2", 2, 1)]


def test_repeated_reports_of_one_set_are_one_report() -> None:
    frame = pl.DataFrame({"task": ["t"] * 3, "worker": ["a", "a", "b"], "label": ["x;y", "y; x", "x"]})
    with pytest.warns(bp.BribeproofWarning, match="1 repeat collapsed"):
        assert bp.aggregate(frame, k=0, label_sets="whole").items["m"].to_list() == [2]
    with pytest.warns(bp.BribeproofWarning, match="2 repeats collapsed"):
        assert bp.aggregate(frame, k=0, label_sets="each").items["positive"].to_list() == [2, 1]
    with pytest.raises(DataError, match="more than once"):
        bp.aggregate(frame.with_columns(label=pl.Series(["x;y", "y", "x"])), k=0, label_sets="each")


def test_what_is_too_large_is_refused(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    frame = pl.DataFrame(long_form(table(3), WRITTEN[";"]))
    frame.write_csv(tmp_path / "reports.csv")
    with scan_table(tmp_path / "reports.csv", in_memory=1, size=64) as large:
        for how in ("whole", "each"):
            with pytest.raises(DataError, match="reports of several labels are read in memory only"):
                bp.aggregate(large, k=1, label_sets=how)
        with pytest.warns(bp.BribeproofWarning, match="are counted as two labels"):
            bp.aggregate_labels(large, k=1, missing=["[]"])
    monkeypatch.setattr("bribeproof.frames.reading.label_rows._MOST_VOTES", 4 * frame.height - 1)
    with pytest.raises(DataError, match="4 labels on 48 rows are 192 votes"):
        bp.aggregate(frame, k=1, label_sets="each")
