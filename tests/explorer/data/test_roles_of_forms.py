"""Roles can be changed in tables of every form, and what they lead to is what the command and Python read."""

import re
from html import unescape
from pathlib import Path
from urllib.parse import urlencode

import polars as pl
import pytest
from starlette.testclient import TestClient

from bribeproof.explorer.data.page_words import LABELS
from bribeproof.explorer.data.roles import ROLES
from bribeproof.io.read import read_table
from tests.explorer.data.sample_files import hand_over, read
from tests.explorer.data.test_roles import changed, roles
from tests.explorer.pasted import run_commands, run_python

TURNED = "judge,Aurora,Borealis,Cascade,shoe size\nAnna,7.5,6,8,38\nBoris,8,6.5,7,41\nChen,7,5,9,42\nDora,6,6,6.5,40\n"
WIDE = "entry,J1,J2,J3,J4\nA,7.5,8,7,6\nB,6,6.5,5,6\nC,8,7,9,6.5\n"
GRID = (
    "entry,J1_tech,J1_art,J2_tech,J2_art,J3_tech,J3_art,J4_tech,J4_art\n"
    "A,7,8,7.5,8,6,6.5,9,9\nB,6,6,6.5,7,7,5,6,9\nC,8,9,8.5,8,9,9,8,7\n"
)
FIRST = GRID.replace("J1_tech,J1_art,J2_tech,J2_art,J3_tech,J3_art,J4_tech,J4_art",
                     "Tech Ann,Art Ann,Tech Ben,Art Ben,Tech Cem,Art Cem,Tech Dot,Art Dot")  # fmt: skip
RATED = "cake,judge,taste,look,smell\n" + "".join(
    f"{cake},{judge},{(cake * judge) % 7 + 1},{(cake + judge) % 5 + 2}.5,{(3 * cake + judge) % 6}\n"
    for cake in range(4)
    for judge in range(1, 5)
)
PARTS = "cake,judge,aspect,mark,table\n" + "".join(
    f"{cake},{judge},{aspect},{(cake * judge + len(aspect)) % 8}.5,{judge % 2}\n"
    for cake in range(4)
    for judge in range(1, 5)
    for aspect in ("taste", "look")
)
SETS = "task,worker,label,note\n" + "".join(
    f"t{task},w{worker},{label},n{worker % 2}\n"
    for task in range(5)
    for worker in range(4)
    for label in ("cat", "dog", "cow")[: 1 + (task + worker) % 3]
)
ROWS = "label_sets=each&label_separator=rows&labels=cat,dog,cow"

CASES = {
    "an item of a turned table is left out": (
        TURNED.replace(",shoe size", ",age"), "", {"Borealis": ""},
        {"judge": "reporter", "Aurora": "answers", "Cascade": "answers"}, {"turned": "yes", "item": "Aurora, Cascade"},
    ),
    "another column of a turned table is an item": (
        TURNED, "turned=yes&item=Aurora,Cascade", {"Borealis": "answers"},
        {"judge": "reporter", "Aurora": "answers", "Borealis": "answers", "Cascade": "answers"}, {"turned": "yes"},
    ),
    "a turned table is turned back": (
        TURNED, "turned=yes&item=Aurora,Borealis,Cascade", {"judge": "item"},
        {"judge": "item", "Aurora": "judge", "Borealis": "judge", "Cascade": "judge"}, {"item": "judge"},
    ),
    "a wide table is turned": (
        WIDE, "", {"entry": "reporter"},
        {"entry": "reporter", "J1": "answers", "J2": "answers", "J3": "answers", "J4": "answers"},
        {"turned": "yes", "reporter": "entry"},
    ),
    "a judge with two criteria is left out": (
        GRID, "criteria=judge-first", {"J2_art": ""},
        {"entry": "item", "J1_tech": "judge", "J1_art": "judge", "J3_tech": "judge", "J3_art": "judge",
         "J4_tech": "judge", "J4_art": "judge"},
        {"criteria": "judge-first", "judges": "J1_tech, J1_art, J3_tech, J3_art, J4_tech, J4_art"},
    ),
    "and comes back": (
        GRID, "criteria=each&judges=J1_tech,J1_art,J3_tech,J3_art,J4_tech,J4_art", {"J2_tech": "judge"},
        {"entry": "item"} | dict.fromkeys(GRID.split("\n")[0].split(",")[1:], "judge"), {"criteria": "each"},
    ),
    "criteria that stand first": (
        FIRST, "criteria=each&criterion_weights=Tech=2,Art=1", {"Tech Dot": ""},
        {"entry": "item"} | dict.fromkeys(FIRST.split("\n")[0].split(",")[1:7], "judge"),
        {"criteria": "each", "criterion_weights": "Tech=2,Art=1"},
    ),
    "scores of one of three criteria are left out": (
        RATED, "criteria=judge-first&criterion=taste,look,smell&criterion_weights=taste=2,look=1,smell=1",
        {"smell": ""}, {"cake": "item", "judge": "reporter", "taste": "rating", "look": "rating"},
        {"criterion": "taste, look", "criterion_weights": "taste=2, look=1"},
    ),
    "one criterion alone is the report": (
        RATED, "criteria=each&criterion=taste,look&kind=scores", {"look": ""},
        {"cake": "item", "judge": "reporter", "taste": "report"}, {"value": "taste"},
    ),
    "another column of criteria": (
        PARTS.replace("aspect", "what").replace("table", "aspect"), "criteria=each&criterion=aspect&value=mark",
        {"what": "criterion"}, {"cake": "item", "judge": "reporter", "what": "criterion", "mark": "report"},
        {"criterion": "what"},
    ),
    "a group beside criteria": (
        PARTS, "criteria=judge-first&criterion=aspect", {"table": "group"},
        {"cake": "item", "judge": "reporter", "aspect": "criterion", "mark": "report", "table": "group"},
        {"group": "table", "criteria": "judge-first"},
    ),
    "a row for each label": (
        SETS, ROWS, {"note": "group"},
        {"task": "item", "worker": "reporter", "label": "report", "note": "group"}, {"group": "note"},
    ),
    "reporters and items of rows of labels change places": (
        SETS, ROWS, {"task": "reporter", "worker": "item"},
        {"task": "reporter", "worker": "item", "label": "report"}, {"item": "worker", "reporter": "task"},
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", CASES)
def test_a_choice_reads_as_the_command_and_python_do(client: TestClient, tmp_path: Path, name: str) -> None:
    text, fields, chosen, expected, stated = CASES[name]
    columns = text.split("\n")[0].split(",")
    address = hand_over(client, text.encode(), "file.csv") + f"&{fields}" * bool(fields)
    assert '<select name="as.0"' in client.get(address).text
    found = changed(client, address, **{str(columns.index(column)): role for column, role in chosen.items()})
    assert stated.items() <= found.items(), found
    query = "&".join(f"{field}={value}" for field, value in found.items())
    page = read(client, f"/data?{query}&k=1")
    assert {column: role for column, role in roles(page.html).items() if role} == expected
    (tmp_path / "file.csv").write_text(text)
    run_commands(page.texts["command"][0], tmp_path)
    downloaded = client.get(f"/data/result.csv?{query}&k=1").content
    assert (tmp_path / "result.csv").read_bytes() == downloaded
    names, _ = run_python(page.texts["python"][0], tmp_path)
    result = names["result"]
    result = result if isinstance(result, pl.DataFrame) else pl.DataFrame(result)
    shown = read_table(tmp_path / "result.csv").frame
    assert result.columns == shown.columns
    assert result.height == shown.height
    for column in shown.columns:
        ours, theirs = result[column], shown[column]
        if ours.dtype.is_float():
            assert (ours - theirs.cast(pl.Float64)).abs().max() in (None, pytest.approx(0, abs=1e-12))
        else:
            assert ours.cast(pl.String).to_list() == theirs.to_list()


def test_one_column_after_the_other_becomes_scores_of_a_criterion(client: TestClient) -> None:
    """The first of them alone holds the reports; the second one leaves it what it was told to be."""
    address = hand_over(client, RATED.encode(), "file.csv")
    one = changed(client, address, **{"2": "rating"})
    assert one["value"] == "taste"
    two = changed(client, f"/data?{urlencode(one)}", **{"3": "rating"})
    assert two["criterion"] == "taste, look"
    assert "value" not in two
    named = roles(client.get(f"/data?{urlencode(two)}").text)
    assert named == {"cake": "item", "judge": "reporter", "taste": "rating", "look": "rating", "smell": ""}


def test_no_two_columns_are_shown_as_the_reporters(client: TestClient) -> None:
    """A file that cannot be read yet shows the column that was named, and no other one for its name."""
    address = hand_over(client, b"clip,annotator,labels\nc,a,x;y\nc,b,y; x\nd,a,x\nd,b,y\n", "file.csv")
    chosen = changed(client, address, **{"0": "reporter"})
    page = client.get(f"/data?{urlencode(chosen)}")
    assert page.status_code == 422
    assert list(roles(page.text).values()).count("reporter") == 1


FORMS = {
    "turned": (TURNED, "turned=yes&item=Aurora,Borealis,Cascade"), "wide": (WIDE, ""),
    "criteria": (GRID, "criteria=each"), "ratings": (RATED, "criteria=each&criterion=taste,look,smell"),
    "parts": (PARTS, "criteria=judge-first&criterion=aspect"), "rows of labels": (SETS, ROWS),
}  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("form", FORMS)
def test_any_choice_is_read_or_refused_in_the_words_of_the_page(client: TestClient, form: str) -> None:
    text, fields = FORMS[form]
    address = hand_over(client, text.encode(), "file.csv") + f"&{fields}" * bool(fields)
    columns = text.split("\n")[0].split(",")
    before = roles(client.get(address).text)
    for place, column in enumerate(columns):
        for role in ROLES:
            found = changed(client, address, **{str(place): role})
            response = client.get(f"/data?{urlencode(found)}")
            shown = roles(response.text)
            assert response.status_code in (200, 422)
            if before[column] != role and {before[column], role} != {"item", "part"}:
                alone = role == "rating" and shown[column] == "report"  # scores of one criterion are the reports
                assert shown[column] == role or alone or response.status_code == 422 or not role, (column, role, shown)
            for error in re.findall(r'class="error"[^>]*>([^<]*)<', response.text):
                said = unescape(error)
                assert not re.search(r"--[a-z]", said), said
                assert not re.search(rf"\b(?:{'|'.join(LABELS)})=['\"\[(]", said), said
