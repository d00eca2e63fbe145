"""Roles above the columns: what is read is shown there, and a change reads the file again."""

import re
from html import unescape
from urllib.parse import parse_qs, urlsplit

import pytest
from starlette.testclient import TestClient

from bribeproof.explorer.data.page_words import LABELS
from tests.explorer.data.sample_files import LABELS as VOTED
from tests.explorer.data.sample_files import SCORES, VOTES, hand_over, read

WIDE = b"entry,nation,Ann,Ben,Cem,Dot,Average\nA,FRA,7,8,9,8.5,8.1\nB,GBR,7,7,8,7.5,7.4\n"
PLACES = {"entry": 0, "nation": 1, "Ann": 2, "Ben": 3, "Cem": 4, "Dot": 5, "Average": 6}


def roles(text: str) -> dict[str, str]:
    """Return the role that is chosen above each column."""
    chosen = re.findall(r'aria-label="Role of ([^"]*)".*?<option value="(\w*)" selected', text)
    return {unescape(name): role for name, role in chosen}


def changed(client: TestClient, address: str, **fields: str) -> dict[str, str]:
    """Choose roles above columns, by their places; return the fields of the page that this leads to."""
    asked = address.replace("/data?", "/data/roles?")
    given = "".join(f"&as.{place}={role}" for place, role in fields.items())
    response = client.get(asked + given, follow_redirects=False)
    assert response.status_code == 303
    return {name: value for name, (value,) in parse_qs(urlsplit(response.headers["location"]).query).items()}


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        (WIDE, dict.fromkeys(PLACES, "") | {"entry": "item"} | dict.fromkeys(("Ann", "Ben", "Cem", "Dot"), "judge")),
        (VOTES, {"task": "item", "worker": "reporter", "vote": "report"}),
        (b"a,b,truth,label,x\n1,w,u,u,2\n1,v,u,v,3\n1,z,u,v,3\n", None),
    ],
    ids=["wide", "long", "question"],
)
def test_the_roles_are_those_of_the_reading(
    client: TestClient, content: bytes, expected: dict[str, str] | None
) -> None:
    response = client.get(hand_over(client, content))
    found = roles(response.text)
    if expected is None:
        assert (found["truth"], found["label"]) == ("truth", "report")
    else:
        assert found == expected


def test_a_change_reads_the_file_again(client: TestClient) -> None:
    address = hand_over(client, WIDE)
    fields = changed(client, address, **{"5": ""})
    assert (fields["item"], fields["judges"]) == ("entry", "Ann, Ben, Cem")
    page = read(client, f"/data?sheet={fields['sheet']}&item=entry&judges=Ann,+Ben,+Cem&kind={fields['kind']}")
    assert "3 reporters: 'Ann', 'Ben', 'Cem'" in page.texts["read"][0]
    assert roles(page.html)["Dot"] == ""
    assert changed(client, address, **{"6": "truth"})["gold"] == "Average"
    assert changed(client, address, **{"1": "item"})["item"] == "nation"
    assert changed(client, address, **{"1": "part"})["item"] == "entry, nation"


def test_what_is_not_changed_is_not_stated(client: TestClient) -> None:
    address = hand_over(client, VOTES)
    assert set(changed(client, f"{address}&k=2", **{"0": "item", "1": "reporter", "9": "item"})) == {"sheet", "k"}


def test_long_and_wide_replace_each_other(client: TestClient) -> None:
    address = hand_over(client, b"a,b,c,d\nx,u,1,2\nx,v,1,2\ny,u,2,1\ny,v,1,1\n")
    fields = changed(client, f"{address}&item=a&judges=c,d", **{"1": "reporter", "2": "report"})
    assert (fields["reporter"], fields["value"], fields.get("judges")) == ("b", "c", None)
    fields = changed(client, f"{address}&item=a&reporter=b&value=c", **{"2": "judge", "3": "judge"})
    assert (fields["judges"], fields.get("reporter"), fields.get("value")) == ("c, d", None, None)


BAD = (
    (b"task,worker,label\nt1,w1,x\nt1,w1,y\n", ""),
    (b"task\nt1\n", ""),
    (b"task,worker,label\nt1,w1\n", ""),
    (b"e,j1,j2,j3\nA,7,x,8\nB,7,DNS,9\n", "kind=scores"),
    (b"e,j1,j2,j3\nA,7;8,9;1\n", ""),
    (b'e,j1,j2,j3\nA,"7,125",8,9\n', "kind=scores"),
    (b"caf\xe9,j1,j2\nx,1.5,2\n", ""),
    (SCORES, "scale=0,5"),
    (SCORES, "asked=2"),
    (SCORES, "k=9"),
    (SCORES, "k=x"),
    (SCORES, "criteria=each"),
    (SCORES, "criterion=j1"),
    (SCORES, "total=sum+of+entry"),
    (SCORES, "turned=yes&item=z"),
    (SCORES, "turned=yes&item=j1"),
    (SCORES, "label_sets=each"),
    (SCORES, "judges=j1&reporter=j2"),
    (SCORES, "judges=z*"),
    (SCORES, "group=entry"),
    (SCORES, "round=99"),
    (SCORES, "sep=ab"),
    (SCORES, "header_line=99"),
    (SCORES, "encoding=ascii&format=json"),
    (SCORES, "worksheet=2"),
    (VOTED, "kind=votes&positive=cow"),
    (VOTED, "kind=votes&classes=a,b"),
    (VOTED, "classes=cat"),
    (VOTED, "order=nothing&repeats=last"),
    (VOTED, "repeats=last"),
    (VOTED, "order=worker"),
    (VOTED, "labels=cow"),
    (VOTED, "label_sets=each&labels=cow&no_label=cat"),
    (VOTED, "label_separator=rows"),
    (VOTED, "faulty=maybe"),
    (VOTED, "kind=scores"),
    (VOTED, "missing=cat,dog"),
    (VOTED, "factor=label"),
    (VOTED, "minus=vote"),
)


@pytest.mark.parametrize(("content", "query"), BAD)
def test_no_error_names_an_option_of_the_command(client: TestClient, content: bytes, query: str) -> None:
    response = client.get(f"{hand_over(client, content)}&{query}")
    for error in re.findall(r'class="error"[^>]*>([^<]*)<', response.text):
        said = unescape(error)
        assert not re.search(r"--[a-z]", said), said
        assert not re.search(rf"\b(?:{'|'.join(LABELS)})=['\"\[(]", said), said


@pytest.mark.parametrize("name", LABELS)
def test_fields_are_called_as_on_the_page(client: TestClient, name: str) -> None:
    if name in ("page", "truth"):
        return
    page = client.get(hand_over(client, VOTED)).text
    assert f">{LABELS[name]}</label>" in page
