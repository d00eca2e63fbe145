"""The page "Your data": its answers equal those of the library, for every file and query."""

import html
import re
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from starlette.testclient import TestClient

from bribeproof.aggregation.kernels.scores import split_names
from bribeproof.arrays.ranking import safe_ranking
from bribeproof.explorer.app import create_app
from bribeproof.explorer.data.cache import LruCache
from bribeproof.explorer.data.query import DataQuery
from bribeproof.explorer.settings import Settings
from tests.budgets import examples
from tests.explorer.browser import SECONDS
from tests.explorer.data.sample_files import (
    HALFPIPE,
    LABELS,
    SCORES,
    VOTES,
    Read,
    aggregated,
    hand_over,
    read,
    wide_scores,
)
from tests.explorer.pasted import run_commands, run_python


@pytest.fixture(scope="module")
def client() -> Iterator[TestClient]:
    """Ask an app of our own, so that what is kept is ours."""
    patient = Settings(seconds=SECONDS, page_seconds=SECONDS)
    with TestClient(create_app(patient), base_url="http://127.0.0.1") as asking:
        yield asking


@pytest.mark.parametrize(("key", "said"), [("judges", "4 of 6 places"), ("models", "26 of 80 decisions")])
def test_an_example_is_one_click_away(client: TestClient, key: str, said: str) -> None:
    page = read(client, f"/data?sheet={key}")
    assert page.texts["headline"] == [
        f"{said} could have been changed by some one bribed reporter, perhaps another on each item."
    ]


def test_what_is_looked_into_can_be_attacked(client: TestClient) -> None:
    page = Read(client.get("/data?sheet=judges&k=2&find=Amber&kind=scores&item=entry").text)
    (link,) = [link for link in page.links if link.startswith("/attack?")]
    assert link == "/attack?sheet=judges&kind=scores&item=entry"
    assert "judges.csv" in client.get(link).text


@pytest.mark.parametrize("k", [0, 1, 2])
def test_scores_are_those_of_the_library(client: TestClient, k: int) -> None:
    file = HALFPIPE
    page = read(client, f"{hand_over(client, file.read_bytes())}&k={k}&sort=fragile")
    frame = pl.read_csv(file)
    ranking = safe_ranking(frame.select("^judge_.*$").to_numpy(), k)
    order = np.argsort(ranking.low - ranking.high, kind="stable")
    assert page.column("answers", "run_id") == frame["run_id"][order].to_list()
    assert page.column("answers", "Score") == [f"{value:.2f}" for value in ranking.estimate[order]]
    assert page.column("answers", "Place") == [str(place) for place in ranking.rank[order]]
    safe = ranking.best_rank == ranking.worst_rank
    verdicts = ["no protection"] * len(order) if k == 0 else ["safe" if one else "not safe" for one in safe[order]]
    assert page.column("answers", "Verdict") == verdicts
    if k:
        assert page.column("answers", "Possible scores") == [
            f"{ranking.low[row]:.2f} to {ranking.high[row]:.2f}" for row in order
        ]


def test_the_mean_of_the_marks_that_are_not_struck_is_the_score(client: TestClient) -> None:
    file = HALFPIPE
    page = read(client, hand_over(client, file.read_bytes()))
    official = dict(pl.read_csv(file).select("run_id", "official").rows())
    rows = page.tables["marks"]
    struck = page.struck[-len(rows) :]
    assert len(rows) == 25
    for row, flags in zip(rows[1:], struck[1:], strict=True):
        kept = [float(mark) for mark, gone in zip(row[1:-1], flags[1:-1], strict=True) if not gone]
        assert len(kept) == 4
        assert np.mean(kept) == pytest.approx(float(row[-1]), abs=0.006) == pytest.approx(official[row[0]])


@settings(max_examples=examples(0.25))
@given(sheet=wide_scores(), k=st.integers(0, 3), long=st.booleans())
def test_struck_marks_in_any_sheet(client: TestClient, sheet: bytes, k: int, long: bool) -> None:
    if long:
        wide = pl.read_csv(sheet, infer_schema_length=0)
        sheet = wide.unpivot(index="entry", variable_name="judge", value_name="mark").write_csv().encode()
    response = client.get(f"{hand_over(client, sheet)}&k={k}&kind=scores&item=entry")
    assert response.status_code in (200, 422)
    page = Read(response.text)
    if response.status_code == 422:
        assert page.texts["error"][0]
        return
    rows = page.tables["marks"]
    for row, flags in zip(rows[1:], page.struck[-len(rows) + 1 :], strict=True):
        marks = [(mark, gone) for mark, gone in zip(row[1:-1], flags[1:-1], strict=True) if mark != "missing"]
        kept = [float(mark) for mark, gone in marks if not gone]
        if len(marks) > 2 * k:
            assert len(kept) == len(marks) - 2 * k
            assert np.mean(kept) == pytest.approx(float(row[-1]), abs=6e-3)
        else:
            assert row[-1] == ""
            assert len(kept) == len(marks)


@pytest.mark.parametrize(
    ("content", "options", "query"),
    [
        (SCORES, ["--k", "1"], "k=1"),
        (SCORES, ["--k", "1", "--round", "2", "--judges", "j[1-4]"], "k=1&round=2&judges=j%5B1-4%5D"),
        (VOTES, ["--k", "1"], "k=1"),
        (LABELS, ["--k", "2"], "k=2"),
        (LABELS, ["--k", "1", "--positive", "cat"], "k=1&positive=cat"),
        (LABELS, ["--k", "1", "--missing", "dog"], "k=1&missing=dog"),
    ],
    ids=["scores", "some judges", "votes", "labels", "labels as votes", "missing"],
)
@pytest.mark.parametrize("ending", ["csv", pytest.param("parquet", marks=pytest.mark.slow)])
def test_a_download_is_the_file_of_the_command(
    client: TestClient, tmp_path: Path, content: bytes, options: list[str], query: str, ending: str
) -> None:
    address = hand_over(client, content).replace("/data?", f"/data/result.{ending}?")
    assert client.get(f"{address}&{query}").content == aggregated(tmp_path, content, *options, ending=ending)


@pytest.mark.parametrize(
    ("content", "name", "query"),
    [
        pytest.param(SCORES, "marks of judges.csv", "k=1&round=2&missing=9.1,absent", marks=pytest.mark.slow),
        pytest.param(LABELS, "-labels.csv", "k=1&item=task&positive=cat&repeats=first", marks=pytest.mark.slow),
        (
            "naïve it'em;j, 1;j, 2;j, 3\nA;7,5;8,25;9\n\u202eB;1;2;3\n".encode(),
            "we'ird.txt",
            'k=1&judges="j, 1","j, *"',
        ),
        ("task\tw=$x\tlab`l\nt\ta\tx\nt\tb\tx\nt\tc\ty\n".encode("utf-16"), "t.csv", "k=1&reporter=w=$x&value=lab`l"),
        pytest.param(VOTES, "votes.txt", "k=2&format=csv&sep=,&encoding=ascii", marks=pytest.mark.slow),
        pytest.param(SCORES, "times.csv", "k=1&better=low&scale=0,10", marks=pytest.mark.slow),
    ],
    ids=["spaces", "option", "quotes", "utf-16", "format", "lowest first"],
)
def test_the_command_and_the_python_lines_give_the_same(
    client: TestClient, tmp_path: Path, content: bytes, name: str, query: str
) -> None:
    address = f"{hand_over(client, content, name)}&{query}"
    page = read(client, address)
    (tmp_path / name).write_bytes(content)
    run_commands(page.texts["command"][0], tmp_path)
    download = client.get(address.replace("/data?", "/data/result.csv?")).content
    assert (tmp_path / "result.csv").read_bytes() == download
    lines = f"{page.texts['python'][0]}\nbp.write_table(result, 'python.csv')\n"
    run_python(lines, tmp_path)
    assert (tmp_path / "python.csv").read_bytes() == download


def test_the_page_ranks_from_the_lowest_score_if_it_is_told_so(client: TestClient) -> None:
    """The places are those of the negated marks, here and in the report; what to paste says so and prints them."""
    marks = np.array([[1, 1, 2, 4, 1], [2, 3, 1, 1, 2], [3, 2, 4, 2, 3], [4, 4, 3, 3, 4]])
    names = ["Aurora", "Borealis", "Cascade", "Delta"]
    lines = [
        "entry,j1,j2,j3,j4,j5",
        *(f"{name},{','.join(map(str, row))}" for name, row in zip(names, marks, strict=True)),
    ]
    content = "\n".join(lines).encode()
    asked = read(client, f"{hand_over(client, content)}&kind=scores&k=1", 422)
    assert "each of 5 reporters gives the numbers 1 to 4 once" in asked.texts["error"][0]
    assert {"low", "high"} <= {link.rpartition("better=")[2] for link in asked.links if "better=" in link}
    address = f"{hand_over(client, content)}&kind=scores&k=1&better=low"
    page, ranking = read(client, address), safe_ranking(-marks, 1)
    places = dict(zip(page.column("answers", "entry"), page.column("answers", "Place"), strict=True))
    assert places == {name: str(place) for name, place in zip(names, ranking.rank, strict=True)}
    assert page.column("changes", "entry") == ["Borealis"]
    assert page.chosen["better"] == "low"
    assert any("the lowest score is the best" in text for text in page.texts["note"])
    assert "Podium" not in page.html
    picture = client.get(address.replace("/data?", "/data/podium.svg?"))
    assert "Score (the lowest is the best)" in picture.text
    assert client.get(address.replace("/data?", "/data/nothing.svg?")).status_code == 422
    report = Read(client.get(address.replace("/data?", "/data/report.html?")).text)
    assert {row[1]: row[0] for row in report.tables["places"][1:]} == places
    assert any("the lowest score being the best" in text for text in report.texts["lead"])
    assert "--better low" in page.texts["command"][0]
    assert "print(answer.summary())" in page.texts["python"][0]
    assert "use 'high' if" in read(client, f"{address}est", 422).texts["error"][0]


def test_scores_off_the_scale_are_listed_or_set_aside(client: TestClient) -> None:
    address = f"{hand_over(client, SCORES)}&k=1"
    (error,) = read(client, f"{address}&scale=0,9.2", 422).texts["error"]
    assert "1 score is off the scale from 0 to 9.2: line 2: 9.3 of reporter 'j3' on item 'A'. Correct it" in error
    page = read(client, f"{address}&scale=0,9.2&faulty=set-aside")
    assert dict(zip(page.column("answers", "entry"), page.column("answers", "Set aside"), strict=True))["A"] == "1"
    assert "--scale 0,9.2" in page.texts["command"][0]
    assert "scale=(0.0, 9.2)" in page.texts["python"][0]
    assert page.values["scale"] == "0,9.2"
    for wrong in ("9,0", "x", "1_0,20"):
        assert "such as 0,10" in read(client, f"{address}&scale={wrong}", 422).texts["error"][0]


def test_a_number_on_the_sheet_is_what_the_reader_takes_for_one(client: TestClient) -> None:
    content = SCORES.replace(b"9.1", b"10.").replace(b"8.8", b"1_0")
    page = read(client, f"{hand_over(client, content)}&k=1&faulty=set-aside&missing=10")
    (marks,) = [row for row in page.tables["marks"] if row[0] == "A"]
    assert marks[1:5] == ["missing", "9.0", "9.3", "1_0"]


@settings(max_examples=examples(0.25))
@given(
    kind=st.sampled_from(["", "scores", "votes", "labels", "marks"]),
    content=st.sampled_from([SCORES, VOTES, LABELS]),
    k=st.sampled_from(["", "0", "1", "2", "7", "-1", "1.5", "x", "9" * 12]),
    item=st.sampled_from(["", "entry", "task", "vote", "nobody"]),
    judges=st.sampled_from(["", "j1,j2,j3", "j*", '"', "vote"]),
    missing=st.sampled_from(["", "cat", "9.0,1"]),
    rounded=st.sampled_from(["", "2", "99"]),
    repeats=st.sampled_from(["", "first", "drop", "no"]),
    show=st.sampled_from(["", "changeable", "changed", "uncertified", "ties", "all"]),
    find=st.text(max_size=4),
    page=st.sampled_from(["", "1", "2", "0", "x"]),
)
def test_anything_asked_is_answered_or_refused_in_a_sentence(client: TestClient, content: bytes, **typed: str) -> None:
    asked = DataQuery(round=typed.pop("rounded"), **typed)
    address = hand_over(client, content)
    address += f"&{asked.address().partition('?')[2]}"
    response = client.get(address)
    if "%00" in address:  # no address holds a null byte
        assert response.status_code == 400
        return
    assert response.status_code in (200, 422)
    page = Read(response.text)
    if response.status_code == 422:
        (error,) = page.texts["error"]
        assert len(error) > 10
        assert "\n" not in error
        assert page.values["k"] == (asked.k or "1")
        assert (page.chosen["show"] or "", page.chosen["repeats"] or "") == (asked.show, asked.repeats)
    else:
        assert page.texts["headline"]
    fragment = client.get(address, headers={"X-Fragment": "1"})
    assert fragment.status_code == response.status_code
    assert not fragment.text.lstrip().startswith("<!doctype")


@pytest.mark.parametrize(
    ("query", "said"),
    [
        ("k=one", "“Bribed reporters, k” one"),
        ("page=0", "“Page” 0"),
        ("show=all", "“Show” all"),
        ("repeats=no", "“Repeated reports” no"),
        ("round=1.5", "“Decimals of scores” 1.5"),
        ("kind=marks", "“Reports are” marks"),
        ("item=nobody", "there is no column 'nobody'"),
        ("positive=1&kind=scores", "positive does not apply to scores"),
        ("judges=j1&reporter=j2", "use either"),
        ("sep=ab", "“Delimiter”: ab"),
        ("encoding=nope", "nope"),
    ],
)
def test_what_makes_no_sense_is_refused_and_stays_typed(client: TestClient, query: str, said: str) -> None:
    page = read(client, f"{hand_over(client, SCORES)}&{query}", status=422)
    assert said in page.texts["error"][0]
    for name, value in (one.split("=") for one in query.split("&")):
        if name != "page":
            assert value in (page.values.get(name), page.chosen.get(name))


HOSTILE = (
    "<script>alert(1)</script>",
    '=HYPERLINK("http://example.org","x")',
    "\u202egnp.exe",
    "a\x07b",
    "L" * 10_000,
    "'\"><img src=x onerror=alert(1)>",
    "{{ 7*7 }}",
    "$x_y^2$",
)


@pytest.mark.parametrize("kind", ["scores", "labels"])
def test_hostile_names_are_text_everywhere(client: TestClient, kind: str) -> None:
    reports = [3.5, 5.0, 7.0] if kind == "scores" else ["</td><b>", "=1+1", "=1+1"]
    frame = pl.DataFrame(
        [(item, reporter, report) for item in HOSTILE for reporter, report in zip(HOSTILE[:3], reports, strict=True)],
        schema=["<i>item</i>", "who", "\u202ewhat"],
        orient="row",
    )
    query = "&item=%3Ci%3Eitem%3C/i%3E&reporter=who&value=%E2%80%AEwhat&k=1"
    address = hand_over(client, frame.write_csv().encode(), "<u>name</u>.csv") + query
    response = client.get(address)
    assert response.status_code == 200
    report = client.get(address.replace("/data?", "/data/report.html?")).text
    own = re.sub("(?s)<form.*?</form>", "", response.text)  # forms hold what was asked for
    pictures = [client.get(html.unescape(source)) for source in re.findall('<img src="(/data/[^"]+)"', own)]
    assert [one.headers["content-type"] for one in pictures] == ["image/svg+xml"] * (own.count("<img"))
    drawn = "".join(one.text for one in pictures)
    assert "&lt;script&gt;" in drawn  # where long names are shortened
    for text in (own, report, drawn):
        assert not {"i", "u", "b"} & Read(text).tags
        assert not re.search("<img(?! src=.?/data/)", text)
        assert "<script>alert" not in text
        assert "L" * 200 not in text
        assert "\u202e" not in text
        assert "\x07" not in text
    for text in (own, report):
        assert html.escape(HOSTILE[0], quote=False) in text
        assert "49" not in text.partition('class="answers"')[2].partition("</table>")[0]
        assert "$x_y^2$" in text
    written = pl.read_csv(client.get(address.replace("/data?", "/data/result.csv?")).content)
    assert written[:, 0].to_list()[1] == f"'{HOSTILE[1]}"


@pytest.mark.parametrize(
    ("content", "query", "said"),
    [
        (SCORES, "k=0", "With k = 0 there is no protection"),
        (
            SCORES,
            "k=1",
            "3 of 3 places could have been changed by some one bribed reporter, perhaps another on each item.",
        ),
        (
            SCORES,
            "k=2",
            "2 of 2 places could have been changed by some 2 bribed reporters, perhaps others on each item.",
        ),
        (
            VOTES,
            "k=1",
            "3 of 7 decisions could have been changed by some one bribed reporter, perhaps another on each item.",
        ),
        (
            b"e,j1,j2,j3\nA,7.5,8,8.5\n",
            "k=1",
            "No certified place could have been changed by some one bribed reporter, perhaps another on each item.",
        ),
        (b"e,j1,j2,j3\nA,,,\n", "kind=scores&item=e&judges=j*", "This file holds no reports."),
    ],
    ids=["k=0", "k=1", "k=2", "votes", "safe", "nothing"],
)
def test_a_sentence_says_what_it_is_worth(client: TestClient, content: bytes, query: str, said: str) -> None:
    assert read(client, f"{hand_over(client, content)}&{query}").texts["headline"][0].startswith(said)


@pytest.mark.slow
def test_many_may_ask_at_once(client: TestClient) -> None:
    addresses = [
        f"{hand_over(client, VOTES + f't9,w{extra},1'.encode())}&k={k}" for extra in range(4) for k in range(4)
    ]
    with ThreadPoolExecutor(8) as pool:
        at_once = list(pool.map(lambda address: client.get(address).text, addresses))
    assert at_once == [client.get(address).text for address in addresses]


@given(st.lists(st.text("ab; ", min_size=1, max_size=4), min_size=1, max_size=4, unique=True))
def test_joined_names_are_taken_apart_into_known_ones(known: list[str]) -> None:
    joined = "; ".join(known)
    found = split_names(joined, known)
    assert found is not None
    assert "; ".join(found) == joined
    assert set(found) <= set(known)


@given(st.lists(st.tuples(st.integers(0, 5), st.integers(1, 9))))
def test_what_was_used_last_is_kept(puts: list[tuple[int, int]]) -> None:
    kept: LruCache[int] = LruCache(12)
    model: dict[int, int] = {}
    for key, size in puts:
        kept.put(key, key, size)
        model.pop(key, None)
        model[key] = size
        while sum(model.values()) > 12 and len(model) > 1:
            del model[next(iter(model))]
        assert [key for key in range(6) if kept.get(key) is not None] == sorted(model)
        for used in range(6):  # asking is using, in this order
            if used in model:
                model[used] = model.pop(used)
