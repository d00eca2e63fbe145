"""The section on the same k judges: which places they could have caused, found by trying every set of them."""

import csv
import io
from itertools import combinations
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from numpy.typing import NDArray
from starlette.testclient import TestClient

from bribeproof.explorer.data import worst_bribe
from bribeproof.explorer.data.analysis import analyse_without_protection
from bribeproof.io.read import Table
from tests.cli.command import call, document
from tests.explorer.data.sample_files import hand_over, read
from tests.explorer.pasted import run_commands, run_python
from tests.explorer.workers.worker_tasks import compute_here

ROUNDS = b"diver,dive,a,b,c,d\nX,1,9,9,8,8\nX,2,8,8,8,8\nY,1,8,8,7.5,7.5\nY,2,8,8,8,8\nZ,1,1,2,1,2\nZ,2,2,1,2,1\n"
"""In the first round a or b can lower X by 0.5 to 8, and c or d raise Y by 0.25 to 8; nobody can do both."""


def sheet(marks: NDArray[np.float64]) -> bytes:
    """Return marks as a file in wide form."""
    entries, judges = marks.shape
    lines = [",".join(["entry", *(f"j{judge}" for judge in range(judges))])]
    lines += [",".join([f"e{entry}", *map(str, marks[entry])]) for entry in range(entries)]
    return "\n".join(lines).encode() + b"\n"


def best_and_worst(marks: NDArray[np.float64], k: int) -> tuple[list[int], list[int]]:
    """Return the best and the worst place of each entry, over all sets of k judges writing 0 or 100."""

    def totals(table: NDArray[np.float64]) -> NDArray[np.float64]:
        middle = np.sort(table, axis=1)[:, k : table.shape[1] - k]
        return np.asarray(np.round(middle.mean(axis=1), 9))

    best, worst = [len(marks)] * len(marks), [1] * len(marks)
    for bribed in combinations(range(marks.shape[1]), k):
        for entry in range(len(marks)):
            for own, others in ((100.0, 0.0), (0.0, 100.0)):
                table = marks.copy()
                table[:, bribed] = others
                table[entry, bribed] = own
                scores = totals(table)
                place = 1 + int((scores > scores[entry]).sum())
                best[entry], worst[entry] = min(best[entry], place), max(worst[entry], place)
    return best, worst


@pytest.mark.parametrize(
    ("seed", "k"), [(1, 1), *(pytest.param(*one, marks=pytest.mark.slow) for one in ((2, 2), (3, 1)))]
)
def test_the_places_are_those_of_every_set_of_judges(client: TestClient, seed: int, k: int) -> None:
    marks = np.random.default_rng(seed).integers(12, 20, (6, 2 * k + 3)) / 2
    best, worst = best_and_worst(marks, k)
    address = f"{hand_over(client, sheet(marks))}&k={k}"
    page = read(client, f"{address}&step=same")
    names, spans = page.column("places", "entry"), page.column("places", "Same judges")
    expected = [
        f"{low}" if low == high else f"{low} to {high}"
        for low, high in ((best[int(name[1:])], worst[int(name[1:])]) for name in names)
    ]
    assert spans == expected
    rows = list(csv.DictReader(io.StringIO(client.get(address.replace("/data?", "/data/bribe.csv?")).text)))
    assert [(row["entry"], row["best_place"], row["worst_place"]) for row in rows] == [
        (f"e{place}", str(best[place]), str(worst[place])) for place in (int(row["entry"][1:]) for row in rows)
    ]
    first = [row["entry"] for row in rows if row["best_place"] == "1" != row["place"]]
    sentences = [line for line in page.said if line.startswith("The same") and "first, alone or level" in line]
    assert page.texts["verdict"] == sentences[:1]
    assert "(such as" not in sentences[0]
    sentence = sentences[-1]
    assert all(f"{name} (such as by bribing " in sentence for name in first)
    assert ("made nobody else first" in sentence) == (not first)
    assert "Proven: every set of judges was tried." in page.said


def test_files_and_snippets_are_those_of_the_command(client: TestClient, tmp_path: Path) -> None:
    (tmp_path / "rounds.csv").write_bytes(ROUNDS)
    options = ["--item", "diver,dive", "--total", "sum of dive", "--better", "high", "--scale", "0,10", "--round", 2]
    query = "&k=1&item=diver,dive&total=sum+of+dive&better=high&scale=0,10&round=2"
    address = f"{hand_over(client, ROUNDS, 'rounds.csv')}{query}"
    page = read(client, f"{address}&step=same")
    assert call("bribe", tmp_path / "rounds.csv", "--k", 1, *options, "-o", tmp_path / "bribe.csv").status == 0
    download = client.get(address.replace("/data?", "/data/bribe.csv?")).content
    assert download == (tmp_path / "bribe.csv").read_bytes()
    everything = client.get(address.replace("/data?", "/data/bribe.json?")).json()
    assert everything == document("bribe", tmp_path / "rounds.csv", "--k", 1, *options)
    assert page.texts["same-command"][0].startswith("bribeproof bribe rounds.csv --k 1 ")
    (tmp_path / "bribe.csv").unlink()
    run_commands(page.texts["same-command"][0], tmp_path)
    assert (tmp_path / "bribe.csv").read_bytes() == download
    lines = f"{page.texts['same-python'][0]}\nbp.write_table(found.entries, 'python.csv')\n"
    run_python(lines, tmp_path)
    assert (tmp_path / "python.csv").read_bytes() == download


def test_others_on_each_part_can_do_more(client: TestClient) -> None:
    page = read(client, f"{hand_over(client, ROUNDS)}&k=1&item=diver,dive&total=sum+of+dive&better=high&step=same")
    assert page.column("places", "Same judges") == ["1", "2", "3"]
    assert page.column("places", "Others on each") == ["1", "1 to 2", "3"]
    assert "The same one judge on every dive could have made nobody else first, alone or level." in page.said
    assert "Perhaps another judge on each dive could have made 1 other first, alone or level." in page.said
    assert "Above, it may be another judge on each dive. Here it is one and the same on all of them." in page.said
    assert (page.html.count("<svg "), page.html.count("<img ")) == (1, 2)


@pytest.mark.slow
def test_too_many_sets_are_not_tried(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    compute_here(client, monkeypatch)
    monkeypatch.setattr(worst_bribe, "_SECONDS_FOR_PLACES", 600)  # it takes three, and many on a busy machine
    marks = np.random.default_rng(4).integers(0, 100, (30, 60)).astype(float)
    page = read(client, f"{hand_over(client, sheet(marks))}&k=20&step=same")
    assert not any("every set" in line for line in page.said)
    # What some are found to cause is all that others on each item could.
    assert "Proven: no others are possible." in page.said
    assert page.column("places", "Same judges") == page.column("places", "Others on each")


def test_many_marks_are_left_to_the_command(monkeypatch: pytest.MonkeyPatch) -> None:
    table = Table(pl.read_csv(ROUNDS, infer_schema=False), "rounds.csv")
    first = analyse_without_protection(table, {"kind": "scores", "item": ("diver", "dive"), "better": "high"})
    assert first.recompute.same_reporters(1).found is not None
    monkeypatch.setattr(worst_bribe, "_MOST_MARKS", 1)
    other = first.recompute.same_reporters(1)
    assert (other.found, other.by_command) == (None, True)
    assert "the command below" in other.why_not


def test_a_heading_like_ours_and_names_like_tags(client: TestClient) -> None:
    content = b"place,<b>a,b,c\n<i>x,7,8,9\ny,7.5,8,8.5\n"
    address = f"{hand_over(client, content)}&k=1&item=place"
    page = read(client, f"{address}&step=same")
    assert sorted(page.column("places", "place")) == ["<i>x", "y"]
    assert "<i>" not in page.html
    report = client.get(address.replace("/data?", "/data/report.html?")).text
    assert "One bribed judge" in report
    assert "<i>" not in report
