"""What the page "Your data" is told about a file goes along to the page of attacks."""

import re
from html import unescape
from pathlib import Path
from urllib.parse import parse_qs, urlencode, urlsplit

import pytest
from starlette.testclient import TestClient

from bribeproof.explorer.data.query import ATTACK_FIELDS, READ_FIELDS
from tests.explorer.attack.test_attack import ask, handed, same_elsewhere, shown
from tests.explorer.data.test_totals import EDITS, RUNS

TURNED = "Judge,E1,E2,E3\nAnna,7.5,6,8\nBoris,8,6.5,7\nChen,7,5,9\nDora,6,6,6\nEmil,8.5,7,6\n"
TOTAL = "entry,J1,J2,J3\nAurora,8,7.5,9\nBorealis,6,7,9.5\nTotal,2,3,18.5\n"
CASES = {
    "turned": (TURNED, {"turned": "yes", "kind": "scores"}),
    "rows that are no items": (TOTAL, {"not_items": "Total"}),
    "several columns of items": (RUNS.decode(), {"item": "rider,run", "judges": "j*"}),
    "ranks": (
        "entry,J1,J2,J3,J4\nA,1,2,1,3\nB,2,1,3,1\nC,3,3,2,2\n",
        {"kind": "scores", "better": "low", "scale": "1,3"},
    ),
    "decimal commas": (
        "entry;J1;J2;J3\nA;7,5;8;9\nB;6,25;7;7,5\n",
        {"kind": "scores", "decimal": ",", "scale": "0,10"},
    ),
    "edits in order": (EDITS.decode() + "u,d,cat,2024-01-01\n", {"order": "when", "repeats": "last"}),
}


def followed(client: TestClient, text: str, fields: dict[str, str]) -> dict[str, str]:
    """Return the query of the link from a file's page to the page of attacks."""
    page = client.get("/data", params={"sheet": handed(client, text), "k": "1"} | fields)
    assert page.status_code == 200, page.text
    (link,) = (unescape(link) for link in re.findall(r'href="(/attack\?[^"]*)"', page.text))
    return {name: value for name, (value,) in parse_qs(urlsplit(link).query).items()}


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore:1 repeat collapsed")
@pytest.mark.parametrize("name", CASES)
def test_the_reading_goes_along_and_can_be_repeated_elsewhere(client: TestClient, tmp_path: Path, name: str) -> None:
    text, fields = CASES[name]
    query = followed(client, text, fields)
    assert {field: query[field] for field in fields} == fields
    if name == "edits in order":
        text = "\n".join(
            f"{line},{truth}" for line, truth in zip(text.split(), ["truth", *["cat"] * 4, *["dog"] * 4], strict=True)
        )
        query |= {"sheet": handed(client, text), "kind": "labels"}
    (tmp_path / "reports.csv").write_text(text)
    same_elsewhere(client, query, tmp_path)


def test_every_field_that_an_attack_has_goes_along(client: TestClient) -> None:
    page = client.get(
        "/data?sheet=judges&k=1&better=low&round=1&kind=scores&item=entry&encoding=utf-8&find=A&repeats=first&asked=7"
    ).text
    (link,) = re.findall(r'href="(/attack\?[^"]*)">Attack it', page)
    assert set(parse_qs(urlsplit(unescape(link)).query)) == {"sheet", "kind", "item", "encoding", "repeats", "better"}
    assert set(ATTACK_FIELDS) < set(READ_FIELDS)
    form = client.get(f"/attack?{urlencode(dict.fromkeys(ATTACK_FIELDS, '1') | {'sheet': 'judges'})}").text
    assert all(f'name="{field}"' in form for field in ATTACK_FIELDS)


def test_a_question_has_its_buttons_on_the_page_of_attacks(client: TestClient) -> None:
    sheet = handed(client, TOTAL)
    page = ask(client, {"sheet": sheet, "strategy": "low"}, 422)
    links = [unescape(link) for link in re.findall(r'<a class="button" href="(/attack\?[^"]*)"', page)]
    assert len(links) == 2
    tables = []
    for link in links:
        answered = client.get(link)
        assert answered.status_code == 200
        assert "strategy=low" in link
        tables.append(shown(answered.text))
    assert tables[0] != tables[1]


SETS = "task,worker,label,truth\n" + "".join(
    f"t{item},{who},{'ant;bee' if item % 2 else 'bee; cat'},{'bee;ant' if item % 2 else 'bee; cat'}\n"
    for item in range(6)
    for who in "pqrst"
).replace("t1,p,ant;bee", "t1,p,bee;ant")


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore:.*counted as two labels")
@pytest.mark.parametrize("answer", [0, 1, 2])
def test_reports_of_several_labels_are_asked_about_and_attacked(
    client: TestClient, tmp_path: Path, answer: int
) -> None:
    page = client.get("/data", params={"sheet": handed(client, SETS), "k": "1"}).text
    links = [unescape(link) for link in re.findall(r'<a class="button" href="(/data\?[^"]*)"', page)]
    assert len(links) == 3
    answered = client.get(links[answer])
    assert answered.status_code == 200
    assert ("no label could have been changed" in answered.text) == (answer == 1)
    (link,) = (unescape(link) for link in re.findall(r'href="(/attack\?[^"]*)"', answered.text))
    query = {name: value for name, (value,) in parse_qs(urlsplit(link).query).items()}
    assert query["label_sets"] == ["whole", "each", "none"][answer]
    (tmp_path / "reports.csv").write_text(SETS)
    same_elsewhere(client, query | {"gold": "truth"}, tmp_path)


def test_ranks_are_asked_about_and_change_places_from_the_lowest(client: TestClient) -> None:
    ranks = "entry,J1,J2,J3\nA,1,1,2\nB,2,3,1\nC,3,2,3\n"
    page = ask(client, {"sheet": handed(client, ranks), "kind": "scores"}, 422)
    assert "gives the numbers 1 to 3 once" in page
    links = [unescape(link) for link in re.findall(r'<a class="button" href="(/attack\?[^"]*)"', page)]
    assert [link.rpartition("=")[2] for link in links] == ["low", "high"]
    assert all("--better" in client.get(link).text for link in links)
