"""``bribeproof audit``: what it prints, what it writes, and what it refuses."""

import json
from pathlib import Path

import polars as pl
import pytest

from tests.cli.command import LABELS, SHEET, TABLES, call, document, put

NATIONS = "skater,judge,score,home,nation\n" + "".join(
    f"s{skater},{home},{(skater * 7 + place * 3) % 10 + 3 * (home == nation == 'A')},{home},{nation}\n"
    for skater in range(60)
    for place, home in enumerate("ABCDE")
    for nation in "ABCDE"[skater % 5]
)


def test_labels_as_a_user_sees_them(tmp_path: Path) -> None:
    votes = "task,worker,label\n" + "".join(
        f"t{task},{who},{int(task % 2 == 0) ^ (who == 'odd' and task % 3 > 0)}\n"
        for task in range(60)
        for who in ("a", "b", "c", "d", "odd")
    )
    done = call("audit", put(tmp_path / "votes.csv", votes), "--rows", 2)
    assert done.status == 0
    assert done.err == "note: read as votes, long form: items in 'task', reporters in 'worker', reports in 'label'\n"
    lines = [" ".join(line.split()) for line in done.out.splitlines()]
    first = next(line for line in lines if line.startswith("odd"))
    assert lines[6:9] == ["rate p", "reporter rate expected adjusted", first]
    assert first.split()[:3] == ["odd", "0.667", "0.133"]
    assert "… and 3 more; print more with --rows, or all with --json" in lines
    assert lines[:4] == [
        "1 of 5 reporters (odd) deviates from the others more than chance allows among reporters of equal skill (if "
        "all are, the chance that anybody does is at most 5 %).",
        "Reporters who are better than the others deviate too: a deviation is no sign of bad faith.",
        "60 items, 60 of them compared; 5 reporters, k = 1.",
        "6 pairs agree more often than reporters of equal skill would on average: a list to look at, not a finding.",
    ]
    assert "%" not in lines[3] + lines[4]
    assert "first second" not in done.out


def test_shared_errors_on_gold_items(tmp_path: Path) -> None:
    votes = "task,worker,label,truth\n" + "".join(
        f"t{task},w{who},{int((task * 7 + (0 if who == 1 else who) * 31) % 10 < 2)},{0 if task < 90 else ''}\n"
        for task in range(100)
        for who in range(8)
    )
    path = put(tmp_path / "votes.csv", votes)
    found = document("audit", path, "--gold", "truth")
    assert found["gold_items"] == 90
    pair = found["pairs"][0]
    assert (pair["first"], pair["second"], pair["common"], pair["shared_errors"]) == ("w0", "w1", 90, 18)
    assert any("90 gold items" in line for line in found["summary"])
    assert "p_value" not in document("audit", path)["pairs"][0]
    assert "p_adjusted" in document("audit", path, "--equal-skill")["pairs"][0]
    assert "equal_skill" in call("audit", path, "--gold", "truth", "--equal-skill").refused()


def test_scores_as_a_user_sees_them(tmp_path: Path) -> None:
    done = call("audit", put(tmp_path / "sheet.csv", SHEET), "--k", 1)
    assert done.status == 0
    assert done.out.startswith("None of 5 reporters deviates from the others more than chance allows ")
    assert "dropped" not in done.out
    assert max(map(len, done.out.partition("\n\n")[2].splitlines()[:6])) <= 80
    assert "3 items, 2 of them compared; 5 reporters, k = 1." in done.out
    assert "guilt" not in done.out
    assert {"dropped", "first"} <= set(call("audit", tmp_path / "sheet.csv", "--details").out.split())


@pytest.mark.parametrize("name", TABLES)
def test_json_holds_the_table_that_is_written(name: str, tmp_path: Path) -> None:
    path, written = put(tmp_path / "in.csv", TABLES[name]), tmp_path / "out.json"
    found = document("audit", path, "-o", written, "--confidence", 0.9)
    assert list(found) == [
        "notes", "kind", "k", "confidence", "items", "compared_items", "gold_items", "equal_skill", "summary",
        "reporters", "pairs",
    ]  # fmt: skip
    assert (found["k"], found["confidence"]) == (1, 0.9)
    assert json.loads(written.read_text()) == found["reporters"]
    assert found["notes"][-1] == f"wrote {len(found['reporters'])} reporters to {written}"


def test_the_group_effect(tmp_path: Path) -> None:
    path = put(tmp_path / "nations.csv", NATIONS)
    options = ("--item", "skater", "--reporter", "judge", "--value", "score")
    found = {row["reporter"]: row for row in document("audit", path, "--same", "home,nation", *options)["reporters"]}
    assert [row["same"] for row in found.values()] == [12] * 5
    assert found["A"]["same_effect"] == max(row["same_effect"] for row in found.values())
    assert "same_effect" not in document("audit", path, *options)["reporters"][0]
    assert "same" in call("audit", path, "--same", "home,nation", *options).out


def test_rows_zero_prints_the_summary_alone(tmp_path: Path) -> None:
    done = call("audit", put(tmp_path / "labels.csv", LABELS), "--rows", 0)
    assert len(done.out.splitlines()) == 5


def test_written_as_csv(tmp_path: Path) -> None:
    out = tmp_path / "out.csv"
    assert call("audit", put(tmp_path / "sheet.csv", SHEET), "-o", out).status == 0
    assert pl.read_csv(out).height == 5


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (("--k", "-1"), "cannot be negative"),
        (("--k", "1.5"), "not a whole number"),
        (("--same", "worker"), "name two columns"),
        (("--same", "label,nothing"), "no column 'nothing'"),
        (("--confidence", "1"), "confidence = 1"),
        (("--rows", "2000"), "--rows 2000"),
        (("-o", "out.xyz"), "out.xyz"),
        (("--kind", "marks"), "marks"),
        (("--value", "nothing"), "nothing"),
    ],
)
def test_refusals(options: tuple[str, ...], words: str, tmp_path: Path) -> None:
    path = put(tmp_path / "votes.csv", TABLES["votes"])
    assert words in call("audit", path, *options).refused()
