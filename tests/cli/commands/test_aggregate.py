"""``bribeproof aggregate``: what it reads, how it says so, and what it concludes."""

import io
import json
from pathlib import Path

import polars as pl
import pytest

import bribeproof as bp
from tests.cli.command import LABELS, SHEET, VOTES, call, column, document, put, start
from tests.paths import FIXTURES, SHARED

BLUEBIRD = SHARED / "data" / "crowd" / "bluebird.csv"
HALFPIPE = FIXTURES / "halfpipe" / "clean.csv"
SKATING = SHARED / "data" / "skating" / "judge_scores.csv"


def test_scores_as_a_user_sees_them(tmp_path: Path) -> None:
    sheet = put(tmp_path / "sheet.csv", SHEET)
    done = start("aggregate", sheet, "--k", 1, "--round", 2)
    assert done.status == 0
    notes = "note: read as scores, wide form: items in 'entry', 5 reporters: 'j1', 'j2', 'j3', 'j4', 'j5'\n"
    assert done.err == notes
    assert [" ".join(line.split()) for line in done.out.splitlines()] == [
        "3 items, 5 reporters, k = 1: 2 ok, 1 not certified.",
        "Most movable by some one bribed reporter, perhaps another on each item: E1 (4.83 to 8.00), E2 (2.92 to 5.50).",
        "Podium, whichever one judge is bribed, the same on every item: "
        "1. E1 (could be 1 to 3), 2. E2 (could be 1 to 3).",
        "Could have been first, or level: E2 (if j2 had been bribed).",
        "Podium, if it may be another judge on each item: the same places.",
        "",
        "entry n m k estimate range low range high dropped low dropped high status",
        "E1 5 5 1 6.83 4.83 8.00 j1 j5 ok",
        "E2 5 5 1 3.58 2.92 5.50 j1 j5 ok",
        "E3 5 2 1 not certified",
        "n: reporters in the whole table; m: reports on the item; k: how many of its",
        "reporters may be bribed; estimate: mean without the k lowest and the k highest",
        "scores; range low, range high: what k bribed reporters could have made of it;",
        "dropped low, dropped high: whose scores do not count; status: ok, or why no",
        "answer is certified.",
    ]


def test_votes_as_a_user_sees_them(tmp_path: Path) -> None:
    votes = put(tmp_path / "votes.csv", VOTES)
    done = start("aggregate", votes, "--k", 1)
    assert (done.status, done.err.count("\n")) == (0, 1)
    assert "read as votes, long form: items in 'task', reporters in 'worker', reports in 'label'" in done.err
    assert done.out.splitlines()[:6] == [
        "4 items, 5 reporters, k = 1: 3 ok, 1 not certified.",
        "1 tie.",
        "2 of 3 decisions could have been changed by some one bribed reporter, perhaps another on each item.",
        "The same one on all items could have changed at most 1 of the 2 that are no tie: a.",
        "On 1 item reporters who said nothing could have overturned the decision.",
        "Most fragile, 1 flip needed: t3.",
    ]


@pytest.mark.parametrize(
    ("arguments", "status", "words"),
    [
        ((), 0, "Usage: bribeproof COMMAND"),
        (("--help",), 0, "panel"),
        (("aggregate", "--help"), 0, "--share-of"),
        (("--version",), 0, bp.__version__),
        (("agregate", "x.csv"), 2, 'Did you mean "aggregate"?'),
        (("aggregate", "no such.csv", "--k", 1), 2, "no such.csv: there is no such file"),
    ],
)
def test_help_version_and_mistakes(arguments: tuple[object, ...], status: int, words: str) -> None:
    done = start(*arguments)
    assert done.status == status
    assert words in (done.err if status else done.out)
    assert (done.out if status else done.err) == ""
    assert not status or done.refused()


def test_standard_input() -> None:
    done = start("aggregate", "-", "--k", 1, "--json", stdin=VOTES)
    assert done.status == 0
    assert [row["decision"] for row in json.loads(done.out)["items"]] == ["1", None, "1", None]


def test_json_says_everything(tmp_path: Path) -> None:
    votes = put(tmp_path / "votes.csv", VOTES)
    found = document("aggregate", votes, "--k", 1)
    assert list(found) == ["kind", "read_as", "notes", "summary", "items"]
    assert found["kind"] == "votes"
    assert found["notes"] == [f"read as {found['read_as']}"]
    assert found["summary"] == {
        "items": 4, "reporters": 5, "k": {"least": 1, "most": 1}, "share": None, "share_of": None, "unprotected": 0,
        "status": {"ok": 3, "not certified": 1}, "ties": 1, "decisions": 3, "changeable": 2,
        "unsafe": 3, "changeable_by_silent": 1,
        "same_reporters": {"k": 1, "reporters": ["a"], "changed": 1, "decided": 2},
        "most_fragile": {"flips_needed": 1, "count": 1, "items": ["t3"]},
    }  # fmt: skip
    assert found["items"][3] == {
        "task": "t4", "n": 5, "m": 1, "k": 1, "positive": 1, "estimate": None, "decision": None, "tie": False,
        "flips_needed": None, "additions_needed": None, "status": "not certified",
    }  # fmt: skip


def test_json_says_when_the_guarantee_holds(tmp_path: Path) -> None:
    votes = put(tmp_path / "votes.csv", VOTES)
    expert = ("--prior", 0.5, "--tpr", 0.9, "--fpr", 0.1)
    for options, words in (
        ((), "neither who answers"),
        (("--asked", 5), "each was given to as many reporters as stated"),
    ):
        found = document("aggregate", votes, "--k", 1, *expert, *options)["summary"]["guarantee"]["condition"]
        assert found.startswith(f"on average over these items, provided that {words}")


def test_json_of_scores(tmp_path: Path) -> None:
    sheet = put(tmp_path / "sheet.csv", SHEET)
    summary = document("aggregate", sheet, "--k", 1)["summary"]
    assert [one["item"] for one in summary["most_movable"]] == ["E1", "E2"]
    assert summary["podium"] == [
        {"item": "E1", "rank": 1, "best_rank": 1, "worst_rank": 3},
        {"item": "E2", "rank": 2, "best_rank": 1, "worst_rank": 3},
    ]


def test_json_of_dates_in_parquet(tmp_path: Path) -> None:
    frame = pl.DataFrame({"run": ["2026-02-01", "2026-02-03"], "j1": [1.5, float("nan")], "j2": [2, 3]})
    frame.with_columns(pl.col("run").str.to_date()).write_parquet(tmp_path / "days.parquet")
    assert column(tmp_path / "days.parquet", "estimate", "--k", 0) == [1.75, 3.0]


def test_the_same_table_in_every_format(tmp_path: Path) -> None:
    frame = pl.read_csv(io.StringIO(LABELS))
    frame.write_csv(tmp_path / "t.csv")
    frame.write_csv(tmp_path / "t.tsv", separator="\t")
    frame.write_parquet(tmp_path / "t.parquet")
    frame.write_ndjson(tmp_path / "t.ndjson")
    frame.write_json(tmp_path / "t.json")
    found = [document("aggregate", path, "--k", 0) for path in sorted(tmp_path.iterdir())]
    assert len(found) == 5
    assert all(one == found[0] for one in found)
    assert found[0]["kind"] == "labels"


def test_s23_semicolons_and_decimal_commas(tmp_path: Path) -> None:
    path = put(tmp_path / "s23.csv", "skater;j1;j2;j3\nS1;7,25;7,50;9,75\nS2;6,00;6,25;6,50\n")
    found = document("aggregate", path, "--k", 1)
    assert [row["estimate"] for row in found["items"]] == [7.5, 6.25]
    assert any("';'" in note for note in found["notes"])


def test_s26_average_and_entry_are_no_judges(tmp_path: Path) -> None:
    path = put(tmp_path / "s26.csv", "entry,j1,j2,j3,average\n101,7,8,9,8\n102,4,5,9,6\n")
    for judges in ((), ("--judges", "j1,j2,j3"), ("--judges", "j*"), ("--judges", "j1", "--judges", "j2,j3")):
        found = document("aggregate", path, "--k", 1, *judges)
        assert [(row["entry"], row["n"], row["estimate"]) for row in found["items"]] == [
            ("101", 3, 8.0), ("102", 3, 5.0),
        ]  # fmt: skip
        assert "left out: 'average'" in found["read_as"]


def test_s27_words_in_score_cells(tmp_path: Path) -> None:
    path = put(tmp_path / "s27.csv", "entry,j1,j2,j3\nE1,85%,90%,absent\nE2,80%,70%,75%\n")
    message = call("aggregate", path, "--k", 1).refused()
    assert all(word in message for word in ("E1", "j3", "absent"))
    found = document("aggregate", path, "--k", 1, "--missing", "absent")
    assert [(row["m"], row["estimate"], row["status"]) for row in found["items"]] == [
        (2, None, "not certified"), (3, 75.0, "ok"),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("content", "word"),
    [("", "empty"), ("task,worker,label\n", "no rows"), ("entry,worker\nE1,w1\n", "--value")],
    ids=["no bytes", "a header only", "no reports"],
)
def test_s31_nothing_to_aggregate(tmp_path: Path, content: str, word: str) -> None:
    assert word in call("aggregate", put(tmp_path / "s31.csv", content), "--k", 1).refused()


def test_s33_one_judge(tmp_path: Path) -> None:
    path = put(tmp_path / "s33.csv", "entry,j1\nE1,7\nE2,4\n")
    assert column(path, "estimate", "--k", 0) == [7.0, 4.0]
    assert call("aggregate", path, "--k", 1).refused().endswith("give --k 0\n")


def test_a_share_is_resolved_printed_and_warned_about(tmp_path: Path) -> None:
    scores = ",".join(["6", "6.5", "6", "7", "6.5", "6", "6.5", "7", "10"])
    path = put(tmp_path / "s19.csv", f"entry,{','.join(f'j{i}' for i in range(9))}\nE1,{scores}\n")
    done = call("aggregate", path, "--share", "0.1")
    assert "note: a share of 0.1 of 9 reporters is k = 0: no protection" in done.err
    assert "1 item, 9 reporters, k = 0 (a share of 0.1): 1 ok.\nk = 0 tolerates 0 bribed" in done.out
    assert column(path, "estimate", "--share", "1/9") == [6.5]
    assert "k = 1 (a share of 1/9)" in call("aggregate", path, "--share", "1/9").out


def test_a_share_of_each_item(tmp_path: Path) -> None:
    votes = put(tmp_path / "votes.csv", VOTES)
    assert column(votes, "k", "--share", 0.25) == [1, 1, 1, 1]
    assert column(votes, "k", "--share", 0.25, "--share-of", "item") == [1, 1, 0, 0]
    done = call("aggregate", votes, "--share", 0.25, "--share-of", "item")
    assert "k = 0 to 1 (a share of 0.25 of each item): 4 ok.\nk = 0 on 2 items: there is no protection." in done.out
    assert (
        "1 of 4 decisions could have been changed by some k bribed reporters, perhaps others on each item." in done.out
    )


def test_k_0_promises_nothing(tmp_path: Path) -> None:
    sheet = put(tmp_path / "sheet.csv", SHEET)
    done = call("aggregate", sheet, "--k", 0)
    assert "k = 0 tolerates 0 bribed reporters: there is no protection." in done.out
    assert "Podium: 1. E1, 2. E3, 3. E2." in done.out
    assert "safe" not in done.out
    assert "movable" not in done.out


def test_singular_and_plural(tmp_path: Path) -> None:
    one = put(tmp_path / "one.csv", "task,worker,label\nt1,a,x\nt1,b,x\nt1,c,x\n")
    assert call("aggregate", one, "--k", 1).out.splitlines()[:4] == [
        "1 item, 3 reporters, k = 1: 1 ok.",
        "0 ties.",
        "0 of 1 decision could have been changed by some one bribed reporter, perhaps another on each item.",
        "Most fragile, 2 flips needed: t1.",
    ]
    two = put(tmp_path / "two.csv", "task,worker,label\n" + "".join(f"{t},{w},{v}\n" for t in "AB" for w, v in
              zip("abcde", "xxxyy" if t == "A" else "xxyyz", strict=True)))  # fmt: skip
    assert call("aggregate", two, "--k", 2, "--rows", 0).out.splitlines() == [
        "2 items, 5 reporters, k = 2: 1 ok, 1 no class left.",
        "1 tie.",
        "1 of 1 decision could have been changed by some 2 bribed reporters, perhaps others on each item.",
        "Most fragile, 1 flip needed: A.",
    ]


# Every option has an effect, or is refused.


@pytest.mark.parametrize(
    ("path", "options", "said"),
    [
        (BLUEBIRD, ("--k", 3), "read as labels, long form"),
        (
            FIXTURES / "halfpipe" / "clean.csv",
            ("--k", 1, "--round", 2),
            "'judge_5', 'judge_6'; left out: 'official' (a result)",
        ),
        (
            SHARED / "data" / "skating" / "judge_scores.csv",
            ("--k", 1, "--missing", "0.0"),
            "items in 'aspect_id', reporters in 'judge'",
        ),
    ],
    ids=lambda value: value.name if isinstance(value, Path) else None,
)
def test_real_files_are_recognised(path: Path, options: tuple[object, ...], said: str) -> None:
    if not path.exists():
        pytest.skip("the shared data are not beside the project")
    assert said in call("aggregate", path, *options).err
