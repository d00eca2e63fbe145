"""``bribeproof weigh``: what it says is what the library found, weights come from a file, mistakes end in one line."""

import json
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from polars.testing import assert_frame_equal

import bribeproof as bp
from bribeproof._text import round_up
from tests.cli.command import LABELS, SHEET, VOTES, call, document, put, start
from tests.paths import SHARED

EXPERT = ("--prior", 0.4, "--tpr", 0.95, "--fpr", 0.05)
CROWD = SHARED / "data" / "crowd"


@pytest.fixture
def votes(tmp_path: Path) -> Path:
    """Three good workers, two who often err, and one who is on few items, so that guarantees differ."""
    rows = [(f"t{t}", w, t % 2 ^ (w in "de" and (t + ord(w)) % 3 > 0)) for t in range(60) for w in "abcde"]
    rows += [(f"t{t}", "f", t % 2) for t in range(7)]
    path = tmp_path / "votes.csv"
    pl.DataFrame(rows, schema=["task", "worker", "label"], orient="row").write_csv(path)
    return path


@pytest.fixture
def truth(tmp_path: Path) -> Path:
    """On the gold items d alone is right, so that gold tells another story than agreement."""
    rows = [(f"t{t}", t % 2 ^ ((t + ord("d")) % 3 > 0)) for t in range(30)]
    path = tmp_path / "truth.csv"
    pl.DataFrame(rows, schema=["task", "label"], orient="row").write_csv(path)
    return path


def same(found: dict[str, Any], expected: Any) -> None:
    """Whether a document holds what the library found."""
    assert (found["k"], found["weight_spread"]) == (expected.k, expected.weight_spread)
    for name, frame in (("answers", expected.items), ("reporters", expected.reporters)):
        assert found[name] == json.loads(json.dumps(frame.to_dicts()))


# What is said is what was found.


def test_everything_as_data(votes: Path, truth: Path) -> None:
    table = bp.read_table(votes)
    found = document("weigh", votes, "--k", 1)
    assert list(found) == ["kind", "notes", "k", "weight_spread", "answers", "reporters"]
    same(found, bp.weigh(table, 1))
    expert = bp.Expert(0.4, 0.95, 0.05)
    same(
        document("weigh", votes, "--k", 1, "--weight-spread", 0.25, *EXPERT, "--positive", 0, "--loss", "cost:1,5"),
        bp.weigh(
            table,
            1,
            weight_spread=0.25,
            expert=expert,
            positive=0,
            loss=bp.theory.cost(false_positive=1, false_negative=5),
        ),
    )
    gold = bp.weigh(table, 1, truth=bp.read_table(truth))
    same(document("weigh", votes, "--k", 1, "--truth", truth), gold)
    assert gold.reporters["reporter"][0] == "d"


def test_other_columns_and_classes(tmp_path: Path) -> None:
    path = put(tmp_path / "odd.csv", LABELS.replace("task,worker,label", "photo;who;says").replace(",", ";"))
    options = ("--item", "photo", "--reporter", "who", "--value", "says", "--classes", "z,y,x,w")
    found = document("weigh", path, "--k", 1, *options)
    table = bp.read_table(path)
    same(found, bp.weigh(table, 1, classes=list("zyxw"), item="photo", reporter="who", label="says"))
    assert [name for name in found["answers"][0] if name.startswith("share_")] == [f"share_{name}" for name in "zyxw"]


def test_one_column_for_each_reporter(tmp_path: Path) -> None:
    path = put(tmp_path / "wide.csv", "task,w1,w2,w3\nt1,x,x,y\nt2,y,x,y\nt3,x,,x\n")
    weights = put(tmp_path / "weights.csv", "reporter,weight\nw1,1\nw2,4\nw3,1\n")
    judges = ["w1", "w2", "w3"]
    same(document("weigh", path, "--k", 0), bp.weigh(bp.read_table(path), 0, judges=judges))
    found = document("weigh", path, "--k", 0, "--weights", weights)
    assert [row["decision"] for row in found["answers"]] == ["x", "x", "x"]


def test_the_truth_in_a_column_of_the_labels(votes: Path, truth: Path, tmp_path: Path) -> None:
    both = tmp_path / "both.csv"
    gold = pl.read_csv(truth).rename({"label": "gold"})
    pl.read_csv(votes).join(gold, on="task", how="left").write_csv(both)
    beside = document("weigh", both, "--k", 1, "--gold", "gold", "--item", "task")
    apart = document("weigh", votes, "--k", 1, "--truth", truth)
    assert (beside["answers"], beside["reporters"]) == (apart["answers"], apart["reporters"])
    renamed = put(tmp_path / "renamed.csv", gold.with_columns(seen=1).write_csv())
    assert document("weigh", votes, "--k", 1, "--truth", renamed, "--gold", "gold") == apart


def test_as_a_user_sees_it(votes: Path) -> None:
    done = start("weigh", votes, "--k", 1, *EXPERT)
    assert done.status == 0, done
    assert done.err == "note: read as votes, long form: items in 'task', reporters in 'worker', reports in 'label'\n"
    lines = [" ".join(line.split()) for line in done.out.splitlines()]
    found = bp.weigh(bp.read_table(votes), 1, expert=bp.Expert(0.4, 0.95, 0.05))
    assert lines[0] == "60 items, 6 reporters, k = 1, weight spread 0.5: 60 ok; 0 ties."
    assert lines[3] == "task m decision estimate flips needed forecast guarantee"
    first = found.items.sort("flips_needed", maintain_order=True)
    assert [line.split()[0] for line in lines[4:24]] == first["task"].head(20).to_list()
    assert lines[24] == "… and 40 more fragile items; write all with -o FILE"
    start_at = lines.index("reporter reports agreement weight")
    assert [line.split()[0] for line in lines[start_at + 1 : start_at + 7]] == found.reporters["reporter"].to_list()
    low, high = sorted(found.items["guarantee"].unique())
    bound, least, most = (round_up(one, 4) for one in (found.items["guarantee"].mean(), low, high))
    assert lines[1] == (
        f"Guarantee: expected squared loss at most {bound}, 47 % of the 0.24 that the prior alone guarantees, on "
        f"average over 60 items ({least} to {most}, by the reports on them), with k = 1 bribed, whatever they report, "
        "provided that neither who answers an "
        "item nor how many do depends on its truth or difficulty, or on the others' skill or reports; it "
        "holds for any weights within the weight spread of 0.5, whoever bought them."
    )


def test_the_most_easily_turned_come_first_and_what_is_not_certain_not_at_all(tmp_path: Path) -> None:
    reports = {"safe": "xxxxxx", "tied": "xxxyyy", "close": "xxxxyy", "few": "xx", "near": "yyxxxx"}
    rows = "".join(f"{item},w{place},{one}\n" for item, said in reports.items() for place, one in enumerate(said))
    path = put(tmp_path / "labels.csv", f"task,worker,label\n{rows}")
    done = call("weigh", path, "--k", 1, "--weight-spread", 0)
    lines = done.out.splitlines()
    assert lines[0] == "5 items, 6 reporters, k = 1, weight spread 0: 4 ok, 1 not certified; 1 tie."
    assert [line.split()[0] for line in lines[3:7]] == ["tied", "close", "near", "safe"]
    assert lines[7].startswith("m: reports on the item; decision: label with the most weight; ")
    assert "Guarantee" not in done.out


def test_many_reporters_are_shown_from_both_ends(tmp_path: Path) -> None:
    rows = "".join(f"t{t},w{w:02},{'xy'[(t * w) % 12 < w]}\n" for t in range(9) for w in range(12))
    path = put(tmp_path / "labels.csv", f"task,worker,label\n{rows}")
    lines = call("weigh", path, "--k", 1).out.splitlines()
    start_at = next(place for place, line in enumerate(lines) if line.startswith("reporter"))
    names = bp.weigh(bp.read_table(path), 1).reporters["reporter"].to_list()
    assert [line.split()[0] for line in lines[start_at + 1 : start_at + 12]] == [*names[:5], "…", *names[-5:]]


def test_without_any_guarantee(tmp_path: Path) -> None:
    done = call("weigh", put(tmp_path / "votes.csv", "task,worker,label\nt,a,1\nt,b,0\nu,c,1\n"), "--k", 1, *EXPERT)
    assert done.out.splitlines()[0] == "2 items, 3 reporters, k = 1, weight spread 0.5: 0 ok, 2 not certified; 1 tie."
    assert done.out.splitlines()[1] == "No item has a guarantee."


def test_both_tables_are_written(votes: Path, tmp_path: Path) -> None:
    answers, people = tmp_path / "answers.parquet", tmp_path / "people.csv"
    found = document("weigh", votes, "--k", 1, "-o", answers, "--weights-output", people)
    assert found["notes"][-2:] == [f"wrote 60 items to {answers}", f"wrote 6 reporters to {people}"]
    expected = bp.weigh(bp.read_table(votes), 1)
    assert_frame_equal(pl.read_parquet(answers), expected.items)
    assert pl.read_csv(people)["weight"].to_list() == expected.reporters["weight"].to_list()
    again = document("weigh", votes, "--k", 1, "--weights", people, "--weight-spread", 0.5)
    assert [row["share_1"] for row in again["answers"]] == pytest.approx(expected.items["share_1"].to_list())


# Weights that are given.


@pytest.mark.parametrize(
    "content",
    [
        "worker,weight\nb,1\na,3\nc,1\nd,1e0\ne, 2 \nf,0\nnobody,7\n",
        "reporter;stake;town\na;3;Bonn\nb;1;Bern\nc;1;Brno\nd;1;Bari\ne;2;Bath\nf;0;Baku\n",
        "worker,reporter,weight\na,x,3\nb,x,1\nc,x,1\nd,x,1\n e,x,2\nf,x,0\n",
        "reporter,age,weight\na,50,3\nb,50,1\nc,50,1\nd,50,1\ne,50,2\nf,50,0\n",
    ],
)
def test_weights_from_a_file(content: str, votes: Path, tmp_path: Path) -> None:
    weights = put(tmp_path / "weights.csv", content)
    given = {"a": 3, "b": 1, "c": 1, "d": 1, "e": 2, "f": 0}
    found = document("weigh", votes, "--k", 1, "--weights", weights)
    assert found["weight_spread"] is None
    same(found, bp.weigh(bp.read_table(votes), 1, weights=given))
    said = call("weigh", votes, "--k", 1, "--weights", weights, *EXPERT).out
    assert "k = 1, no limit to weights: 60 ok" in said
    assert "it holds for weights that were known before anybody reported." in said
    assert "agreement" not in said
    limited = document("weigh", votes, "--k", 1, "--weights", weights, "--weight-spread", 0.3)
    same(limited, bp.weigh(bp.read_table(votes), 1, weights=given, weight_spread=0.3))


def test_weights_from_a_typed_file(tmp_path: Path) -> None:
    numbered = put(tmp_path / "numbered.csv", "task,worker,label\n1,7,x\n1,8,y\n1,9,y\n")
    path = tmp_path / "weights.parquet"
    pl.DataFrame({"worker": [7, 8, 9], "flag": [True, False, True], "skill": [0.7, 0.2, 0.1]}).write_parquet(path)
    found = document("weigh", numbered, "--k", 0, "--weights", path)
    assert [row["decision"] for row in found["answers"]] == ["x"]


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        ("name,weight\na,1\n", "call the column of the reporters 'reporter'; the columns are: 'name', 'weight'"),
        ("worker,stake,age\na,1,2\n", "call the column of the weights 'weight'; the columns are: 'worker', 'stake', "),
        ("worker,town\na,Bonn\n", "call the column of the weights 'weight'"),
        ("worker\na\n", "call the column of the weights 'weight'"),
        ("worker,weight\na,1\nb,much\n", "line 3: give a reporter and a number"),
        ("worker,weight\na,1\nb,inf\n", "line 3: give a reporter and a number"),
        ("worker,weight\na,1\n,2\n", "line 3: give a reporter and a number"),
        ("worker,weight\na,1\nb,\n", "line 3: give a reporter and a number"),
        ("worker,weight\na,1\nb,1\n a,2\n", "line 4: reporter 'a' already has a weight"),
        ("worker,weight\na,1\nb,1\n", "no weight for reporter 'c'"),
        ("worker,weight\na,1\nb,1\nc,1\nd,1\ne,1\nf,-1\n", "at least 0"),
        ("worker,weight\na,0\nb,0\nc,0\nd,0\ne,0\nf,0\n", "nobody has a say"),
    ],
)
def test_weights_that_cannot_be_read(content: str, reason: str, votes: Path, tmp_path: Path) -> None:
    weights = put(tmp_path / "weights.csv", content)
    assert reason in call("weigh", votes, "--k", 1, "--weights", weights).refused()


# Mistakes.


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        ((), "--k"),
        (("--k", "1.5"), "not a whole number"),
        (("--k", "-1"), "cannot be negative"),
        (("--k", 1, "--weight-spread", 1), "weight_spread=1.0: use a number in [0, 1)"),
        (("--k", 1, "--weight-spread", -0.1), "weight_spread=-0.1"),
        (("--k", 1, "--weight-spread", "nan"), "--weight-spread: 'nan' is not a number"),
        (("--k", 1, "--weight-spread", "much"), "much"),
        (("--k", 1, "--loss", "log"), "--loss has no effect here: it needs --prior, --tpr and --fpr"),
        (("--k", 1, "--positive", "1"), "--positive has no effect here"),
        (("--k", 1, "--prior", 0.5), "give all three, or none"),
        (("--k", 1, *EXPERT, "--loss", "big"), "big"),
        (("--k", 1, *EXPERT, "--positive", "yes"), "yes"),
        (("--k", 1, "--truth", "FILE", "--weights", "FILE", *EXPERT), "and --prior, --tpr and --fpr say how often"),
        (("--k", 1, "--gold", "label", "--weights", "FILE"), "which column holds the reports"),
        (("--k", 1, "--truth", "FILE", "--gold", "answer"), "there is no column 'answer'"),
        (("--k", 1, "--gold", "answer"), "there is no column 'answer'"),
        (("--k", 1, "--truth", "nowhere.csv"), "there is no such file"),
        (("--k", 1, "--weights", "nowhere.csv"), "there is no such file"),
        (("--k", 1, "--value", "answer"), "there is no column 'answer'"),
        (("--k", 1, "--classes", "0"), "none of the declared classes"),
        (("--k", 1, "--kind", "marks"), "marks"),
        (("--k", 1, "-o", "out.xyz"), "out.xyz"),
        (("--k", 1, "--weights-output", "worker"), "worker"),
        (("--k", 1, "-o", "FILE"), "this is the input file"),
        (("--k", 1, "--truth", "GOLD", "--weights-output", "GOLD"), "this is the input file"),
        (("--k", 1, "-o", "out.csv", "--weights-output", "./out.csv"), "choose another name"),
    ],
)
def test_refusals(options: tuple[object, ...], reason: str, votes: Path, truth: Path) -> None:
    places = {"FILE": votes, "GOLD": truth}
    given = [places[option] if isinstance(option, str) and option in places else option for option in options]
    before = votes.read_bytes(), truth.read_bytes()
    assert reason in call("weigh", votes, *given).refused()
    assert (votes.read_bytes(), truth.read_bytes()) == before


def test_scores_are_for_aggregate(tmp_path: Path) -> None:
    sheet = put(tmp_path / "sheet.csv", SHEET)
    assert "scores cannot be weighted: use bribeproof aggregate" in call("weigh", sheet, "--k", 1).refused()
    assert "scores cannot be weighted" in call("weigh", sheet, "--k", 1, "--kind", "scores").refused()


def test_numbers_that_are_labels_are_labels_where_that_is_said(tmp_path: Path) -> None:
    path = put(tmp_path / "numbers.csv", "task,worker,report\nt,a,3\nt,b,4\nt,c,4\n")
    assert "--kind labels" in call("weigh", path, "--k", 1).refused()
    assert document("weigh", path, "--k", 1, "--kind", "labels")["answers"][0]["decision"] == "4"


def test_json_says_when_the_guarantee_holds(tmp_path: Path) -> None:
    path = put(tmp_path / "votes.csv", VOTES)
    found = document("weigh", path, "--k", 1, "--prior", 0.5, "--tpr", 0.9, "--fpr", 0.1)
    assert "whatever they report, provided that neither who answers an item nor how many do" in found["guarantee"]
    assert "guarantee" not in document("weigh", path, "--k", 1)


def test_from_standard_input() -> None:
    done = start("weigh", "-", "--k", 1, "--json", stdin=VOTES)
    assert done.status == 0, done
    assert [row["task"] for row in json.loads(done.out)["answers"]] == ["t1", "t2", "t3", "t4"]


@pytest.mark.skipif(not CROWD.is_dir(), reason="the label sets are not beside the project")
@pytest.mark.parametrize("gold", [False, True])
def test_a_real_crowd(*, gold: bool) -> None:
    options = ("--truth", CROWD / "rte_truth.csv") if gold else ()
    done = call("weigh", CROWD / "rte.csv", "--k", 1, *options)
    assert done.out.startswith("800 items, 164 reporters, k = 1, weight spread 0.5: 800 ok; ")
    assert ("right" in done.out) == gold
