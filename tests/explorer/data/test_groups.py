"""Groups that one bribe buys, on the page: as the command takes them, for decisions and for places."""

from itertools import combinations
from pathlib import Path

import polars as pl
import pytest
from starlette.testclient import TestClient

from tests.cli.command import call
from tests.explorer.data.sample_files import Read, hand_over, read

AGENCIES = {"w0": "North", "w1": "North", "w2": "North", "w3": "South", "w4": "South", "w5": "", "w6": ""}
LABELS = b"photo,worker,agency,label\n" + b"".join(
    f"p{photo},{who},{agency},{'cat' if (photo + 1) * (place + 2) % 7 < 4 else 'dog'}\n".encode()
    for photo in range(9)
    for place, (who, agency) in enumerate(AGENCIES.items())
)
NATIONS = {
    "a": "FRA",
    "b": "FRA",
    "c": "GBR",
    "d": "USA",
    "e": "USA",
    "f": "ITA",
    "g": "ESP",
    "h": "JPN",
    "i": "CAN",
    "j": "SWE",
}
SCORES = b"skater,judge,nation,score\n" + b"".join(
    f"s{skater},{who},{nation},{8 - skater * 0.125 + (skater * 3 + place * 5) % 7 / 8}\n".encode()
    for skater in range(6)
    for place, (who, nation) in enumerate(NATIONS.items())
)


@pytest.mark.parametrize(("content", "group"), [(LABELS, "agency"), (SCORES, "nation")], ids=["labels", "scores"])
def test_answers_and_report_are_those_of_the_command(
    client: TestClient, tmp_path: Path, content: bytes, group: str
) -> None:
    (tmp_path / "sheet.csv").write_bytes(content)
    address = f"{hand_over(client, content)}&k=1&group={group}&better={'high' * (content == SCORES)}"
    page = read(client, f"{address}&step=same")
    options = ["--k", 1, "--group", group, *["--better", "high"] * (content == SCORES)]
    assert call("aggregate", tmp_path / "sheet.csv", *options, "-o", tmp_path / "result.csv").status == 0
    assert client.get(address.replace("/data?", "/data/result.csv?")).content == (tmp_path / "result.csv").read_bytes()
    assert f"--group {group}" in page.texts["command"][0]
    assert f"group='{group}'" in page.texts["python"][0]
    assert f"some one bribed group ({group}), perhaps another on each item" in page.texts["headline"][0]
    assert f"<h3>One and the same group ({group})</h3>" in page.html
    assert "Bribed groups, k" in page.html
    report = client.get(address.replace("/data?", "/data/report.html?")).text
    assert f"one bribed group ({group})" in report.lower()


def test_a_group_is_bribed_on_all_items(client: TestClient, tmp_path: Path) -> None:
    (tmp_path / "sheet.csv").write_bytes(LABELS)
    address = f"{hand_over(client, LABELS)}&k=1&group=agency"
    page = read(client, f"{address}&step=same")
    votes = pl.read_csv(LABELS)
    most = max(turned(votes, [who for who, own in AGENCIES.items() if (own or who) == group]) for group in _groups())
    assert page.column("bribed", "With those above") == [str(most)]
    assert "How many groups would have to rewrite their reports to take each win away" in client.get(address).text
    assert (
        call("bribe", tmp_path / "sheet.csv", "--k", 1, "--group", "agency", "-o", tmp_path / "bribe.csv").status == 0
    )
    assert client.get(address.replace("/data?", "/data/bribe.csv?")).content == (tmp_path / "bribe.csv").read_bytes()


def _groups() -> set[str]:
    """Return the names of the groups, and of those who are in none."""
    return {own or who for who, own in AGENCIES.items()}


def turned(votes: pl.DataFrame, bribed: list[str]) -> int:
    """Count the photos that no longer have a winner, or another, if some reporters say the other label."""
    found = 0
    for (_,), rows in votes.group_by("photo"):
        cats = rows["label"].to_list().count("cat")
        winner = "cat" if 2 * cats > rows.height else "dog"
        own = rows.filter(pl.col("worker").is_in(bribed), label=winner).height
        found += abs(2 * cats - rows.height) <= 2 * own
    return found


@pytest.mark.parametrize("k", [1, 2])
def test_places_are_those_of_every_set_of_nations(client: TestClient, k: int) -> None:
    page = read(client, f"{hand_over(client, SCORES)}&k={k}&group=nation&better=high&step=same")
    marks = pl.read_csv(SCORES)
    judges = list(NATIONS)
    table = {
        skater: dict(zip(rows["judge"], rows["score"], strict=True)) for (skater,), rows in marks.group_by("skater")
    }
    best = dict.fromkeys(table, 9)
    most = max(sum(NATIONS[judge] in nations for judge in judges) for nations in combinations(set(NATIONS.values()), k))
    for nations in combinations(sorted(set(NATIONS.values())), k):
        for own in table:
            totals = {
                skater: sum(
                    sorted(
                        (100 if skater == own else 0) if NATIONS[judge] in nations else mark
                        for judge, mark in row.items()
                    )[most : len(judges) - most]
                )
                for skater, row in table.items()
            }
            best[own] = min(best[own], 1 + sum(total > totals[own] + 1e-9 for total in totals.values()))
    spans = dict(zip(page.column("places", "skater"), page.column("places", "Same judges"), strict=True))
    assert {skater: int(span.split()[0]) for skater, span in spans.items()} == best


def test_a_wide_table_has_no_column_of_groups(client: TestClient) -> None:
    content = b"entry,nation,j1,j2,j3\nA,FRA,7,8,9\nB,GBR,7,7,8\n"
    response = client.get(f"{hand_over(client, content)}&k=1&group=nation")
    assert response.status_code == 422
    page = Read(response.text)
    assert "no column can say who is in" in page.texts["error"][0]
    assert "What a bribe buys" in page.html


def test_more_groups_than_there_are(client: TestClient) -> None:
    page = read(client, f"{hand_over(client, LABELS)}&k=5&group=agency&step=same")
    assert any("there are 4" in line for line in page.said), page.texts
