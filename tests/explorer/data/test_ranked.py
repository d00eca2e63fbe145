"""Judges' rankings on the page "Your data": the report of the command, with its buttons and roles."""

import re
from html import unescape
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest
from starlette.testclient import TestClient

from tests.cli.command import call
from tests.explorer.data.sample_files import hand_over, read
from tests.explorer.data.test_roles import changed, roles
from tests.reporting.helpers import undated
from tests.reporting.test_rankings import LONG, PREFLIB, WIDE

ONLY_SOME = "judge,entry,rank\n" + "".join(
    f"J{judge},{entry},{place}\n" for judge in range(5) for place, entry in enumerate("ABCD"[judge % 2 :], 1)
)


def links(text: str) -> list[str]:
    """Return the links of the page as addresses."""
    return [unescape(one) for one in re.findall(r'href="([^"]*)"', text)]


def test_a_long_table_of_places_is_answered(client: TestClient, tmp_path: Path) -> None:
    address = hand_over(client, LONG.write_csv().encode(), "long.csv")
    page = client.get(address)
    assert page.status_code == 200, page.text
    assert "A wins by the mean of places without the best and the worst, of 4 entries ranked by 5 judges." in page.text
    assert roles(page.text) == {"entry": "item", "judge": "reporter", "rank": "report"}
    (report,) = (one for one in links(page.text) if one.startswith("/data/report.html"))
    LONG.write_csv(tmp_path / "long.csv")
    assert call("report", tmp_path / "long.csv", "-o", tmp_path / "r.html").status == 0
    theirs = (tmp_path / "r.html").read_text().partition('id="repeat"')[0]
    assert undated(client.get(report).text.partition('id="repeat"')[0]) == undated(theirs)
    assert client.get(report.replace(".html", ".xlsx")).status_code == 200
    other = client.get(f"{address}&k=2&rule=borda")
    assert "A and B share the first place by Borda points" in other.text
    assert "2 bribed judges could have changed" in other.text
    assert "by Borda points" in client.get(f"{address}&k=2&rule=borda", headers={"X-Fragment": "1"}).text


def test_judges_columns_ask_with_a_button(client: TestClient) -> None:
    address = hand_over(client, WIDE.write_csv().encode(), "wide.csv")
    page = client.get(address)
    assert page.status_code == 422
    assert "bribeproof rank" not in page.text
    asked = [one for one in links(page.text) if one.startswith(f"{address}&kind=") or "better=" in one]
    assert [parse_qs(urlsplit(one).query).get("kind") for one in asked] == [["rankings"], None, None]
    page = client.get(asked[0])
    assert "A wins by" in page.text
    assert set(roles(page.text).values()) == {"item", "judge"}
    fields = changed(client, asked[0], **{"5": ""})
    assert (fields["kind"], fields["judges"]) == ("rankings", "J1, J2, J3, J4")
    assert "ranked by 4 judges" in client.get("/data", params=fields).text


def test_entries_that_are_not_ranked_ask_with_buttons(client: TestClient) -> None:
    address = f"{hand_over(client, ONLY_SOME.encode(), 'some.csv')}&kind=rankings"
    page = client.get(address)
    assert page.status_code == 422
    buttons = [one for one in links(page.text) if "unranked=" in one]
    assert len(buttons) == 2
    for button in buttons:
        assert "ranked by 5 judges" in client.get(button).text


def test_a_file_of_preflib(client: TestClient) -> None:
    page = client.get(hand_over(client, PREFLIB.encode(), "votes.soc"))
    assert "Ann and Bo share the first place" in page.text
    broken = client.get(hand_over(client, b"# ALTERNATIVE NAME 1: Ann\n1: 1,7\n", "votes.soc"))
    assert broken.status_code == 422
    assert "votes.soc" in read(client, hand_over(client, b"", "votes.soc"), 422).texts["error"][0]


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ("scale=0,5", "“Scale of scores” 0,5: rankings have no such setting"),
        ("k=3", "“Bribed reporters, k” 3: 7 judges are needed for an honest majority"),
        ("rule=best", "“Rule” best: use one of"),
        ("value=nothing", "there is no column"),
    ],
)
def test_errors_are_in_the_words_of_the_page(client: TestClient, fields: str, said: str) -> None:
    address = hand_over(client, LONG.write_csv().encode(), "long.csv")
    page = read(client, f"{address}&kind=rankings&{fields}", 422)
    assert said in page.texts["error"][0]
    assert "--" not in page.texts["error"][0]
