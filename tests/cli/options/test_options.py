"""Every option of ``bribeproof aggregate`` has an effect or is refused, whatever the file holds."""

import io
import json
from pathlib import Path

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.cli.command import LABELS, TABLES, VOTES, call, column, put

EXPERT = ("--prior", 0.5, "--tpr", 0.8, "--fpr", 0.1)

EFFECTS = {
    "--kind": ("j1,task,j2\n1,a,0\n1,b,1\n", ("--item", "task"), ("--kind", "votes"), ("--kind", "scores"), None),
    "--item": ("a,worker,b,label\nx,w,y,1\n", (), ("--item", "a"), ("--item", "b"), None),
    "--reporter": ("task,worker,user,label\nt,a,c,x\nt,a,d,x\n", ("--item", "task"), ("--reporter", "worker"),
                   ("--reporter", "user"), "m"),
    "--value": ("task,worker,label,vote\nt,a,x,y\n", (), ("--value", "label"), ("--value", "vote"), "decision"),
    "--judges": ("entry,j1,j2,j3\nE,1,2,6\n", (), (), ("--judges", "j2,j3"), "estimate"),
    "--judges in quotes": ('entry,"Lee, A","Lee, B",x\nE,1.5,2,6\n', (), (), ("--judges", '"Lee, A","Lee, B"'),
                           "estimate"),
    "--positive": ("task,worker,label\nt,a,yes\nt,b,no\nt,c,yes\n", (), ("--positive", "yes"), ("--positive", "no"),
                   "positive"),
    "--positive 0": (VOTES, (), (), ("--positive", 0), "positive"),
    "--classes": (LABELS, (), (), ("--classes", "z,y,x,w"), None),
    "--classes of votes": ("task,worker,label\nt,a,yes\nt,b,yes\n", ("--positive", "yes"), ("--classes", "no,yes"),
                           ("--classes", "yes,no", "--ties", "first"), None),
    "--missing": (VOTES, (), (), ("--missing", 0), "m"),
    "--missing two": (LABELS, (), ("--missing", "x"), ("--missing", "x,y"), "m"),
    "--repeats": ("task,worker,label\nt,a,x\nt,a,y\n", (), ("--repeats", "first"), ("--repeats", "last"), "decision"),
    "--repeats drop": ("task,worker,label\nt,a,x\nt,a,y\n", (), ("--repeats", "first"), ("--repeats", "drop"), "m"),
    "--ties": (VOTES, (), ("--ties", "first"), ("--ties", "last"), "decision"),
    "--seed": (LABELS, (), ("--seed", 0), ("--seed", 3), "draw"),
    "--beacon": (LABELS, (), ("--beacon", "x"), ("--beacon", "y"), "draw"),
    "--prior": (VOTES, ("--tpr", 0.8, "--fpr", 0.1), ("--prior", 0.5), ("--prior", 0.2), "forecast"),
    "--tpr": (VOTES, ("--prior", 0.5, "--fpr", 0.1), ("--tpr", 0.8), ("--tpr", 0.7), "guarantee"),
    "--fpr": (VOTES, ("--prior", 0.5, "--tpr", 0.8), ("--fpr", 0.1), ("--fpr", 0.2), "guarantee"),
    "--loss": (VOTES, EXPERT, (), ("--loss", "absolute"), "forecast"),
    "--loss cost": (VOTES, EXPERT, ("--loss", "absolute"), ("--loss", "cost:1,5"), "forecast"),
    "--sep": ("entry|j1;j2|j3\nE|1;5|2\n", ("--kind", "labels"), ("--sep", "|"), ("--sep", ";"), None),
    "--decimal": ("entry;j1;j2\nE;1,250;2\n", ("--kind", "scores"), ("--decimal", ","), (), None),
    "--round": ("entry,j1,j2\nE,1.005,1.005\n", (), (), ("--round", 2), "estimate"),
}  # fmt: skip


@pytest.mark.parametrize(("content", "base", "one", "other", "changed"), EFFECTS.values(), ids=EFFECTS)
def test_an_option_changes_the_answer(
    tmp_path: Path, content: str, base: tuple[object, ...], one: tuple[object, ...], other: tuple[object, ...],
    changed: str | None,
) -> None:  # fmt: skip
    path = put(tmp_path / "table.csv", content)
    runs = [call("aggregate", path, "--k", 0, *base, *option, "--json") for option in (one, other)]
    if changed is None:
        assert runs[0].out != runs[1].out or runs[0].err != runs[1].err
        return
    values = [[row.get(changed) for row in json.loads(run.out)["items"]] for run in runs]
    assert values[0] != values[1]


def test_rounding_is_half_up_in_decimal_arithmetic(tmp_path: Path) -> None:
    path = put(tmp_path / "half.csv", "entry,j1,j2\nA,1.005,1.005\nB,2.675,2.675\nC,-0.125,-0.125\nD,0.30,0.35\n")
    assert column(path, "estimate", "--k", 0, "--round", 2) == [1.01, 2.68, -0.13, 0.33]
    assert "1.01" in call("aggregate", path, "--k", 0, "--round", 2).out


def test_encoding(tmp_path: Path) -> None:
    path = tmp_path / "cp1252.csv"
    path.write_bytes("task,worker,label\nt,José,é\n".encode("cp1252"))
    assert "--encoding cp1252" in call("aggregate", path, "--k", 0).refused()
    assert column(path, "decision", "--k", 0, "--encoding", "cp1252") == ["é"]


def test_rows(tmp_path: Path) -> None:
    labels = put(tmp_path / "labels.csv", LABELS)
    for rows in (0, 1, 2, 3, 50):
        lines = call("aggregate", labels, "--k", 0, "--rows", rows).out.splitlines()
        assert sum(line.startswith("t") and line[1].isdigit() for line in lines) == min(rows, 3)
        more = {1: "… and 2 more items; write all with -o FILE, or print more with --rows", 2: "… and 1 more item;"}
        assert any(line.startswith(more.get(rows, "3 items")) for line in lines)
        assert any("more item" in line for line in lines) == (rows in more)


IDLE = {
    "neither k nor share": ("votes", (), "--k 1 or --share 0.2"),
    "both k and share": ("votes", ("--k", 1, "--share", 0.2), "--k 1 or --share 0.2"),
    "k is negative": ("votes", ("--k", -1), "--k -1"),
    "k is no whole number": ("votes", ("--k", 1.5), "1.5"),
    "k is a word": ("votes", ("--k", "one"), "'one'"),
    "share is half": ("votes", ("--share", 0.5), "0.5"),
    "share in per cent": ("votes", ("--share", "10"), "10"),
    "share-of without share": ("votes", ("--k", 1, "--share-of", "item"), "--share"),
    "classes of scores": ("sheet", ("--k", 1, "--kind", "scores", "--classes", "a,b"), "--classes"),
    "ties of scores": ("sheet", ("--k", 1, "--ties", "first"), "--ties"),
    "seed of scores": ("sheet", ("--k", 1, "--seed", 0), "--seed"),
    "seed of votes": ("votes", ("--k", 1, "--seed", 0), "--ties random"),
    "beacon of votes": ("votes", ("--k", 1, "--beacon", "x"), "--ties random"),
    "a seed and a beacon": ("labels", ("--k", 1, "--beacon", "x", "--seed", 1), "give one of them"),
    "an empty beacon": ("labels", ("--k", 1, "--beacon", " "), "beacon is empty"),
    "random ties without a seed": ("votes", ("--k", 1, "--ties", "random"), "seed"),
    "positive scores": ("sheet", ("--k", 1, "--kind", "scores", "--positive", 1), "--positive"),
    "an expert on scores": ("sheet", ("--k", 1, "--kind", "scores", *EXPERT), "--prior"),
    "an expert on labels": ("labels", ("--k", 1, "--kind", "labels", *EXPERT), "--prior"),
    "half an expert": ("votes", ("--k", 1, "--prior", 0.5), "--tpr"),
    "loss without an expert": ("votes", ("--k", 1, "--loss", "log"), "--prior"),
    "an unknown loss": ("votes", ("--k", 1, *EXPERT, "--loss", "hinge"), "hinge"),
    "round labels": ("labels", ("--k", 1, "--round", 2), "--round"),
    "round votes": ("votes", ("--k", 1, "--round", 0), "--round"),
    "round far": ("sheet", ("--k", 1, "--round", 13), "13"),
    "decimal mark of labels": ("labels", ("--k", 1, "--decimal", "."), "--decimal"),
    "judges of a long table": ("votes", ("--k", 1, "--judges", "label", "--reporter", "worker"), "--judges"),
    "reporter of a wide table": ("sheet", ("--k", 1, "--reporter", "j1"), "--value"),
    "value of a wide table": ("sheet", ("--k", 1, "--value", "j1"), "--reporter"),
    "no such item": ("sheet", ("--k", 1, "--item", "nobody"), "'nobody'"),
    "no such judge": ("sheet", ("--k", 1, "--judges", "j1,j9"), "'j9'"),
    "no judge": ("sheet", ("--k", 1, "--judges", ","), "at least one"),
    "fewer rows than none": ("sheet", ("--k", 1, "--rows", -1), "--rows -1"),
    "too many rows": ("sheet", ("--k", 1, "--rows", 1001), "-o FILE"),
    "rows of JSON": ("sheet", ("--k", 1, "--rows", 1, "--json"), "--json"),
    "an unknown kind": ("sheet", ("--k", 1, "--kind", "ranks"), "ranks"),
    "an unknown option": ("sheet", ("--k", 1, "--trim", 1), "--trim"),
    "a file too many": ("sheet", ("sheet.csv", "--k", 1), "sheet.csv"),
    "an unknown encoding": ("sheet", ("--k", 1, "--encoding", "klingon"), "klingon"),
    "a long delimiter": ("sheet", ("--k", 1, "--sep", "::"), "::"),
}  # fmt: skip


@pytest.mark.parametrize(("name", "arguments", "words"), IDLE.values(), ids=IDLE)
def test_an_option_that_would_change_nothing_is_refused(
    tmp_path: Path, name: str, arguments: tuple[object, ...], words: str
) -> None:
    assert words in call("aggregate", put(tmp_path / f"{name}.csv", TABLES[name]), *arguments).refused()


def test_no_file_and_no_delimiter_of_parquet(tmp_path: Path) -> None:
    assert "FILE" in call("aggregate").refused()
    assert "--foo" in call("aggregate", "--foo", "--k", 1).refused()
    pl.read_csv(io.StringIO(LABELS)).write_parquet(tmp_path / "t.parquet")
    for option in (("--sep", ";"), ("--encoding", "utf-8")):
        assert option[0] in call("aggregate", tmp_path / "t.parquet", "--k", 1, *option).refused()


CELLS = st.sampled_from(["", " ", "0", "1", "2", "7.5", "7,5", "85%", "1e9", "1e400", "-0", "nan", "inf", "NA", "cat",
                         "Cat", "[b]", "=1+1", "é", "\x1b[1m", "a;b", '"x"', '"', "\u00a0", "\x00", "٣"])  # fmt: skip
HEADER = st.sampled_from(
    ["task", "worker", "label", "score", "vote", "entry", "j1", "j2", "j3", "average", "x", "", '"']
)
OPTIONS = st.lists(
    st.sampled_from([("--k", "1"), ("--k", "0"), ("--share", "0.3"), ("--kind", "scores"), ("--kind", "votes"),
                     ("--kind", "labels"), ("--item", "task"), ("--value", "x"), ("--judges", "j*"),
                     ("--missing", "NA,0"), ("--repeats", "last"), ("--ties", "first"), ("--seed", "7"),
                     ("--positive", "cat"), ("--round", "1"), ("--decimal", ","), ("--sep", ";"), ("--json",),
                     ("--rows", "1"), EXPERT, ("--classes", "0,1,cat")]),
    max_size=4, unique_by=lambda option: option[0],
)  # fmt: skip


@given(
    header=st.lists(HEADER, min_size=1, max_size=5),
    rows=st.lists(st.lists(CELLS, min_size=1, max_size=5), max_size=6),
    options=OPTIONS,
    end=st.sampled_from(["\n", "\r\n", "\r"]),
    sep=st.sampled_from([",", ",", ";", "\t"]),
    even=st.booleans(),
)
def test_any_file_gives_an_answer_or_one_line(
    tmp_path: Path, header: list[str], rows: list[list[str]], options: list[tuple[object, ...]], end: str, sep: str,
    even: bool,
) -> None:  # fmt: skip
    if even:
        rows = [(row * len(header))[: len(header)] for row in rows]
    path = put(tmp_path / "any.csv", end.join(sep.join(line) for line in [header, *rows]))
    done = call("aggregate", path, *(word for option in options for word in option))
    if done.status == 0:
        assert ("--json",) not in options or json.loads(done.out)["items"]
        assert done.out
    else:
        done.refused()


HYPHENS = "task,worker,label\nt1,a,-1\nt1,b,+1\nt1,c,--\nt2,a,-1\nt2,b,-1\nt2,c,-\n"
VALUES = (
    (("--missing", "--,-"), "labels", [2, 2], ["share_+1", "share_-1"]),
    (("--missing=--,-",), "labels", [2, 2], ["share_+1", "share_-1"]),
    (("--missing", "--,-", "--classes", "-1,+1"), "labels", [2, 2], ["share_+1", "share_-1"]),
    (("--missing", "-", "--missing", "--"), "labels", [2, 2], ["share_+1", "share_-1"]),
    (("--missing", "--"), "labels", [2, 3], ["share_+1", "share_-", "share_-1"]),
    (("--missing", "--,-", "--classes", "+1,-1", "--positive", "-1"), "votes", [2, 2], ["positive"]),
)


@pytest.mark.parametrize(("options", "kind", "present", "columns"), VALUES, ids=lambda value: str(value))
def test_a_value_may_begin_with_a_hyphen(
    tmp_path: Path, options: tuple[str, ...], kind: str, present: list[int], columns: list[str]
) -> None:
    path = tmp_path / "votes.csv"
    path.write_text(HYPHENS)
    outcome = call("aggregate", path, "--kind", kind, *options, "--json", "--k", 0)
    assert outcome.status == 0, outcome
    items = json.loads(outcome.out)["items"]
    assert [item["m"] for item in items] == present
    assert sorted(name for name in items[0] if name.startswith(("share_", "positive"))) == columns


@pytest.mark.parametrize("arguments", [("--missing", "--json"), ("--missing", "-o", "x.csv"), ("--json", "--,-")])
def test_an_option_is_no_value(tmp_path: Path, arguments: tuple[str, ...]) -> None:
    path = tmp_path / "votes.csv"
    path.write_text(HYPHENS)
    call("aggregate", path, "--k", 0, "--kind", "labels", *arguments).refused()


TYPED_WHOLE = ("1_0", " 1", "1 ", "+1", "1e0", "1.0", "0x1", "\uff11", "\u0661", "", "one", "9" * 19)
TYPED_NUMBER = ("0_1", "+.5", "nan", "inf", "-inf", "0x1", "\uff10.5", "1e999", "", ".", "1e", "half")


@pytest.mark.parametrize("text", TYPED_WHOLE)
def test_a_whole_number_is_written_in_digits(tmp_path: Path, text: str) -> None:
    path = put(tmp_path / "votes.csv", VOTES)
    assert "whole number" in call("aggregate", path, f"--k={text}").refused()


@pytest.mark.parametrize("text", TYPED_NUMBER)
def test_a_number_is_a_decimal(tmp_path: Path, text: str) -> None:
    path = put(tmp_path / "votes.csv", VOTES)
    assert "is not a number" in call("aggregate", path, "--k", 1, f"--prior={text}", "--tpr=.8", "--fpr=.1").refused()
    assert "use a number in" in call("aggregate", path, f"--share={text}").refused()
    assert "with two numbers" in call("aggregate", path, "--k", 1, *EXPERT, f"--loss=cost:1,{text}").refused()
