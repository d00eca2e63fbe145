"""The page "Attack it" measures against a truth that the user has in a file of its own."""

from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import polars as pl
import pytest
from starlette.testclient import TestClient

import bribeproof as bp
from tests.explorer.attack.test_attack import ask, handed, long, said, same_elsewhere, shown, some_votes
from tests.paths import ROOT

MARKS = "entry,j1,j2,j3,j4\nA,7.5,8,9,7\nB,5,6.5,5,6\nC,1,2,1.5,3\n"
SETS = "".join(
    f"t{task},w{worker},{'cat' if (task + worker) % 3 else 'dog'};{'red' if task % 2 else 'blue'}\n"
    for task in range(8)
    for worker in range(5)
)


def beside(client: TestClient, query: dict[str, str], text: str, name: str = "truth.csv") -> dict[str, str]:
    """Hand a file of the truth over, and return the query of the page that it leads to."""
    answer = client.post("/attack", params=query, files={"file": (name, text.encode())}, follow_redirects=False)
    assert answer.status_code == 303, answer.text
    return {name: value for name, (value,) in parse_qs(urlsplit(answer.headers["location"]).query).items()}


def votes_and_truth(known: int = 20) -> tuple[str, str]:
    """Return votes on 30 items without their truth, and the truth of some."""
    votes, truth = some_votes()
    rows = pl.read_csv(long(votes, truth).encode())
    answers = rows.unique("item", maintain_order=True).select("item", answer="truth")[:known]
    return rows.drop("truth").write_csv(), answers.write_csv()


def test_an_attack_is_measured_against_a_file_of_the_truth(client: TestClient, tmp_path: Path) -> None:
    votes, truth = votes_and_truth()
    (tmp_path / "votes.csv").write_text(votes)
    (tmp_path / "truth.csv").write_text(truth)
    asked = ask(client, {"sheet": handed(client, votes, "votes.csv")})
    assert "add a file with the truth of some items" in asked
    query = beside(client, {"sheet": handed(client, votes, "votes.csv"), "gold": "item", "k": "2"}, truth)
    assert "gold" not in query
    page = ask(client, query)
    against = "measured against the truth of 20 of 30 items in truth.csv"
    assert f". M{against[1:]}. " in said(page, "losses")
    assert "of the items with a known truth, instead of" in said(page, "headline")
    assert f"rules {against}, on average over 5 draws" in said(page, "advice")
    assert "--truth truth.csv" in said(page, "command")
    answers = dict(pl.read_csv(truth.encode()).iter_rows())
    rows = bp.attack(
        pl.read_csv(votes.encode()), answers, [1], ks=[2], draws=5, expert=bp.Expert(0.5, 0.7, 0.3), item="item",
        reporter="reporter", value="vote",
    ).curves  # fmt: skip
    assert {rule: float(cells[1]) for rule, cells in shown(page).items()} == {
        rule: pytest.approx(loss, abs=6e-4) for rule, loss in rows.select("rule", "squared_loss").iter_rows()
    }
    same_elsewhere(client, query, tmp_path)


def test_every_item_known_and_the_column_named(client: TestClient, tmp_path: Path) -> None:
    votes, truth = votes_and_truth(30)
    wide = truth.replace("answer", "answer,sure", 1).replace(",0\n", ",0,yes\n").replace(",1\n", ",1,no\n")
    (tmp_path / "votes.csv").write_text(votes)
    (tmp_path / "truth.csv").write_text(wide)
    query = beside(client, {"sheet": handed(client, votes, "votes.csv")}, wide)
    page = ask(client, query, 422)
    assert "which column holds the truth? Name it: “Column of the truth”, one of answer, sure" in page
    assert '<option value="sure">' in page
    assert "--" not in page.split('role="alert">')[1].split("</p>")[0]
    page = ask(client, query | {"gold": "answer", "strategy": "sleeper"})
    assert "Measured against the truth of all 30 items in truth.csv" in said(page, "losses")
    same_elsewhere(client, query | {"gold": "answer", "strategy": "sleeper"}, tmp_path)
    assert "column &#39;vote&#39; cannot hold the truth" in ask(client, query | {"gold": "vote"}, 422)


def test_scores_are_measured_against_a_truth_if_there_is_one(client: TestClient, tmp_path: Path) -> None:
    truth = "entry,right\nA,8\nC,1.5\n"
    (tmp_path / "marks.csv").write_text(MARKS)
    (tmp_path / "truth.csv").write_text(truth)
    query = beside(client, {"sheet": handed(client, MARKS, "marks.csv"), "strategy": "collude"}, truth)
    page = ask(client, query)
    assert "mean distance from the truth of 2 of 3 items in truth.csv" in said(page, "losses")
    same_elsewhere(client, query, tmp_path)


def test_a_truth_of_several_labels_is_brought_into_the_form_of_the_reports(client: TestClient, tmp_path: Path) -> None:
    text = "task,worker,labels\n" + SETS
    truth = "task,labels\n" + "".join(f"t{task},cat;{'red' if task % 2 else 'blue'}\n" for task in range(6))
    fields = {"label_sets": "each", "labels": "cat,dog,red,blue", "label_separator": ";"}
    query = beside(client, {"sheet": handed(client, text, "sets.csv"), **fields}, truth)
    page = ask(client, query)
    assert "Measured against the truth of 24 of 32 items in truth.parquet" in said(page, "losses")
    same_elsewhere(client, query, tmp_path)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("entry,answer\nx,1\n", "truth.csv has no column &#39;item&#39;, which names the items"),
        ("item,answer\nx,1\n", "no item has a report and a known truth"),
        ("item,answer\nt1,maybe\n", "maybe"),
        ("item,answer\nt1,1\nt1,0\n", "item &#39;t1&#39; has 2 truths, &#39;0&#39;, &#39;1&#39;"),
        ("", "empty"),
    ],
)
def test_what_is_wrong_with_the_truth_is_said_in_place(client: TestClient, text: str, sentence: str) -> None:
    votes, _ = votes_and_truth()
    query = beside(client, {"sheet": handed(client, votes, "votes.csv")}, text or "\n")
    page = ask(client, query, 422)
    alert = page.split('role="alert">')[1].split("</p>")[0]
    assert sentence in alert, alert
    assert "--" not in alert
    assert "Leave it out" in page


def test_the_truth_goes_along_from_your_data(client: TestClient) -> None:
    votes = (ROOT / "examples" / "votes.csv").read_text()
    key = handed(client, votes, "votes.csv")
    item = votes.split(",")[0]
    truth = f"{item},answer\n" + "".join(f"{name},1\n" for name in {line.split(",")[0] for line in votes.split()[1:]})
    answer = client.post("/data", params={"sheet": key}, files={"file": ("t.csv", truth)}, follow_redirects=False)
    page = client.get(answer.headers["location"]).text
    (beside_it,) = parse_qs(urlsplit(answer.headers["location"]).query)["truth"]
    assert f"/attack?sheet={key}&amp;truth={beside_it}" in page


def test_a_truth_that_does_not_arrive(client: TestClient) -> None:
    votes, _ = votes_and_truth()
    answer = client.post("/attack", params={"sheet": handed(client, votes)}, data={"x": "1"})
    assert answer.status_code == 422
    assert "no file arrived" in answer.text
