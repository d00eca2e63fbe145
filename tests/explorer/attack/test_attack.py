"""The page "Attack it": it shows what the library and the command compute from the same crowd."""

import html
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlencode, urlsplit

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray
from starlette.testclient import TestClient

from bribeproof import Expert, attack
from bribeproof.attacks.attacked_crowd import AttackedCrowd
from bribeproof.attacks.strategies import STRATEGIES
from bribeproof.explorer.attack.crowd import load_crowd
from bribeproof.explorer.attack.query import FIRST, NAMES, SimulatedCrowd
from bribeproof.explorer.attack.study import bribe_counts
from tests.explorer.pasted import run_commands, run_python
from tests.explorer.workers.worker_tasks import compute_here

HOSTILE = '<script>alert("1")</script>'
FORMULA = '=HYPERLINK("http://example.org")'
Labels = NDArray[Any]
SMALL = {"n": "7", "items": "12", "draws": "2", "adversaries": "2", "k": "1"}


def handed(client: TestClient, text: str, name: str = "reports.csv") -> str:
    """Hand a file over and return its key."""
    answer = client.post("/data", files={"file": (name, text.encode())}, follow_redirects=False)
    return parse_qs(urlsplit(answer.headers["location"]).query)["sheet"][0]


def ask(client: TestClient, query: Mapping[str, object], status: int = 200) -> str:
    """Return the page of a query."""
    answer = client.get(f"/attack?{urlencode(query)}")
    assert answer.status_code == status, answer.text
    return answer.text


def said(page: str, name: str) -> str:
    """Return the text of an element by its id."""
    found = re.search(rf'id="{name}">(.*?)</(?:p|code)>', page, re.DOTALL)
    assert found, page
    return html.unescape(found[1])


def shown(page: str) -> dict[str, list[str]]:
    """Return the cells of each rule."""
    table = re.search(r'<table id="table">(.*?)</table>', page, re.DOTALL)
    assert table
    rows = re.findall(r'<th class="text" scope="row">(.*?)</th>(.*?)</tr>', table[1], re.DOTALL)
    return {rule.removesuffix(" (best)"): re.findall("<td>(.*?)</td>", cells) for rule, cells in rows}


def long(votes: Labels, truth: Labels, names: list[str] | None = None) -> str:
    """Write votes as a file with the truth in a column of its own."""
    items, reporters = votes.shape
    names = names or [f"r{j}" for j in range(reporters)]
    frame = pl.DataFrame(
        {
            "item": [f"t{i}" for i in range(items) for _ in range(reporters)],
            "reporter": names * items,
            "vote": votes.ravel(),
            "truth": np.repeat(truth, reporters),
        }
    )
    return frame.write_csv()


def some_votes(items: int = 30, reporters: int = 7) -> tuple[Labels, Labels]:
    """Draw votes that are right three times in four."""
    rng = np.random.default_rng(3)
    truth = rng.integers(2, size=items)
    return np.where(rng.random((items, reporters)) < 0.75, truth[:, None], 1 - truth[:, None]), truth


@pytest.mark.parametrize(
    "strategy",
    [
        pytest.param(name, marks=[] if name in ("collude", "opposite") else pytest.mark.slow)
        for name in STRATEGIES
        if name not in ("copy", "sleeper")
    ],
)
def test_what_is_shown_is_what_the_library_computes_of_the_crowd_that_can_be_taken(
    client: TestClient, strategy: str, tmp_path: Path
) -> None:
    query = SMALL | {"strategy": strategy, "tpr": "0.8", "fpr": "0.3"}
    path = tmp_path / "crowd.csv"
    path.write_bytes(client.get("/attack/crowd.csv", params=query).content)
    votes = pl.read_csv(path)
    found = attack(
        votes.drop("truth"), dict(votes.select("item", "truth").iter_rows()), [0, 2], strategy=strategy, ks=[1],
        draws=2, expert=Expert(0.5, 0.8, 0.3), item="item", reporter="reporter", value="vote",
    ).curves  # fmt: skip
    rows = shown(ask(client, query))
    assert sorted(rows) == sorted(found["rule"].to_list()[:6])
    ranked = found.filter(pl.col("adversaries") == 2).sort("squared_loss", maintain_order=True)
    assert list(rows) == ranked["rule"].to_list()
    for rule, cells in rows.items():
        honest, now = found.filter(pl.col("rule") == rule).sort("adversaries").to_dicts()
        assert cells == [
            f"{honest['squared_loss']:.3f}", f"{now['squared_loss']:.3f}", f"{honest['accuracy']:.1%}",
            f"{now['accuracy']:.1%}", f"{now['changed']:.1%}",
        ]  # fmt: skip


def same_elsewhere(client: TestClient, query: dict[str, str], folder: Path) -> None:
    """Check that the command and the lines of Python give the table that can be taken."""
    page = ask(client, query)
    for address, name in re.findall(r'href="(/attack/[^"]*)" download="([^"]*)"', page):
        (folder / name).write_bytes(client.get(html.unescape(address)).content)
    taken = (folder / "curves.csv").read_bytes()
    (folder / "curves.csv").unlink()
    run_commands(said(page, "command"), folder)
    assert (folder / "curves.csv").read_bytes() == taken
    names, _ = run_python(said(page, "python"), folder)
    assert names["curves"].recommendation() == said(page, "overall")
    names["curves"].curves.write_csv(folder / "python.csv")
    read = [pl.read_csv(folder / name) for name in ("python.csv", "curves.csv")]
    assert read[0].equals(read[1])


@pytest.mark.parametrize(
    ("strategy", "weighed"),
    [
        ("worst", ""),
        pytest.param("copy", "yes", marks=pytest.mark.slow),
        pytest.param("sleeper", "yes", marks=pytest.mark.slow),
    ],
)
def test_the_same_elsewhere_of_a_drawn_crowd(client: TestClient, strategy: str, weighed: str, tmp_path: Path) -> None:
    query = SMALL | {"strategy": strategy, "adversaries": "4", "weighed": weighed}
    same_elsewhere(client, query, tmp_path)
    rules = pl.read_csv(tmp_path / "curves.csv")["rule"].to_list()
    assert ("weighed, k = 1" in rules) == bool(weighed)


def test_the_same_elsewhere_of_a_file_with_hostile_names(client: TestClient, tmp_path: Path) -> None:
    votes, truth = some_votes(reporters=4)
    text = long(votes, truth, [HOSTILE, FORMULA, "-4", "o'neil; rm"]).replace("vote,truth", "vote,-true one")
    (tmp_path / "=odd 'name'.csv").write_text(text)
    key = handed(client, text, "=odd 'name'.csv")
    query = {"sheet": key, "gold": "-true one", "strategy": "copy", "copy": "-4"}
    same_elsewhere(client, query, tmp_path)


def test_the_same_elsewhere_of_scores(client: TestClient, tmp_path: Path) -> None:
    text = "entry;j1;j2;j3;note\nA;7,5;8;9;x\nB;5;6,5;5;y\nC;1;2;1,5;z\n"
    (tmp_path / "marks.csv").write_text(text)
    query = {"sheet": handed(client, text, "marks.csv"), "strategy": "sleeper"}
    same_elsewhere(client, query, tmp_path)


@pytest.mark.slow
def test_the_same_elsewhere_of_a_sample(client: TestClient, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bribeproof.explorer.attack.crowd._MAX_CELLS", {"votes": 70, "labels": 70, "scores": 70})
    compute_here(client, monkeypatch)
    text = long(*some_votes(items=31)).replace("vote,truth", "vote,known")
    query = {"sheet": handed(client, text, "votes.csv"), "gold": "known"}
    page = ask(client, query)
    assert "only 10 of its items are attacked, drawn at random" in page
    same_elsewhere(client, query, tmp_path)
    assert pl.read_parquet(tmp_path / "sample.parquet")["item"].n_unique() == 10


def test_a_file_asks_for_its_truth_unless_a_column_is_called_so(client: TestClient) -> None:
    text = long(*some_votes())
    assert "read from column &#39;truth&#39;" in ask(client, {"sheet": handed(client, text)})
    nameless = handed(client, text.replace("vote,truth", f'vote,"{HOSTILE.replace(chr(34), chr(34) * 2)}"'))
    page = ask(client, {"sheet": nameless})
    assert "Which column holds the truth?" in page
    assert HOSTILE not in page
    assert html.escape(HOSTILE).replace("&quot;", "&#34;") in page
    assert "the majority is wrong on" in ask(client, {"sheet": nameless, "gold": HOSTILE})
    assert "choose another column" in ask(client, {"sheet": nameless, "gold": "vote"}, 422)


def test_labels_and_scores_are_told_in_their_own_words(client: TestClient) -> None:
    votes, truth = some_votes()
    labels = handed(client, long(np.char.add("class", votes.astype(str)), np.char.add("class", truth.astype(str))))
    page = ask(client, {"sheet": labels})
    assert "With 1 of 7 bribed, the plurality is wrong on" in page
    assert "The bribed say the opposite." in page
    assert {"calibrated rule, k = 1", "k-ignorance shares, k = 1"} < set(shown(page))
    assert set(shown(ask(client, {"sheet": labels, "weighed": "yes"}))) == {*shown(page), "weighed, k = 1"}
    page = ask(client, {"sheet": "judges", "strategy": "low", "weighed": "yes"})
    assert "weighed" not in said(page, "command")
    assert "learned weights" not in page
    assert "With 1 of 7 bribed, the plain mean is off by" in page
    assert "The bribed give everybody the lowest score. Off by: mean distance from the mean of the honest" in page
    assert "Positive cases" not in page
    assert "worst" in ask(client, {"sheet": "judges", "strategy": "worst"}, 422)


@pytest.mark.parametrize(
    ("strategy", "fitted"),
    [("opposite", "is cross-fitted in the first 2 draws: each half of the 12 items"), ("sleeper", "is fitted in the ")],
)
def test_it_ends_with_the_rule_to_use(client: TestClient, strategy: str, fitted: str) -> None:
    page = ask(client, SMALL | {"strategy": strategy})
    assert said(page, "overall").startswith("Under this attack, use the ")
    assert f"The calibrated rule {fitted}" in page
    assert "calibrated rule with k = 1 0." in said(page, "losses")
    assert "worst-case rule with k = 1 0." in said(page, "losses")
    assert "optimal rule" not in page
    assert "of the calibrated rule over the first 2;" in ask(client, SMALL | {"draws": "3"})


@pytest.mark.parametrize("measure", ["squared_loss", "absolute_loss", "accuracy", "changed"])
def test_the_rule_to_use_is_the_best_of_those_measured(client: TestClient, measure: str) -> None:
    query = SMALL | {"strategy": "collude", "measure": measure, "tpr": "0.9", "fpr": "0.2"}
    page = ask(client, query)
    curves = pl.read_csv(client.get("/attack/curves.csv", params=query).content)
    now = dict(curves.filter(pl.col("adversaries") == 2).select("rule", measure).iter_rows())
    best = (max if measure == "accuracy" else min)(now.values())
    told = said(page, "advice")
    named, rest = told.removeprefix("Under this attack, use the ").split(": ", 1)
    rules = {one.replace(" (k", ", k").removesuffix(")") for one in re.split(", the | or the ", named)}
    assert rules == {rule for rule, value in now.items() if abs(value - best) <= 0.03 * max(value, best)}
    assert "with 2 of 7 bribed like this" in rest
    against = "" if measure == "changed" else " against the truth of all 12 items"
    assert f"of the 6 rules measured{against}, on average over 2 draws" in rest
    assert ("The plain mean had" in rest) == ("mean" not in rules)
    assert next(iter(shown(page))) in {rule for rule, value in now.items() if value == best}


def test_first_comes_a_final_that_a_plain_mean_does_not_survive(client: TestClient) -> None:
    page = client.get("/attack").text
    assert page == ask(client, FIRST)
    rows = shown(page)
    (mean,) = (float(cells[1]) for rule, cells in rows.items() if rule == "mean")
    (trimmed,) = (float(cells[1]) for rule, cells in rows.items() if rule.startswith("trimmed mean"))
    assert (mean, trimmed) == (0.731, 0.173)
    assert "Mean distance" in page
    assert "the plain mean is off by 0.731," in said(page, "headline")
    assert "its mean distance was 0.173" in said(page, "advice")
    assert next(iter(rows)) != "mean"
    assert "The plain mean had" in said(page, "advice")
    assert client.get("/attack/curves.csv").status_code == 200


def test_nobody_bribed(client: TestClient) -> None:
    page = ask(client, SMALL | {"adversaries": "0"})
    assert said(page, "headline").startswith("With nobody bribed, the majority is wrong on")
    assert all(len(cells) == 3 for cells in shown(page).values())


def test_too_few_reports_are_said(client: TestClient) -> None:
    page = ask(client, SMALL | {"k": "4"})
    assert "No item has more than 8 reports" in page
    assert shown(page)["trimmed mean, k = 4"][:2] == ["0.250", "0.250"]
    assert "no rule can withstand that" in ask(client, SMALL | {"adversaries": "4"})


@pytest.mark.parametrize(
    ("query", "sentence"),
    [
        ({"adversaries": "16"}, "Bribed reporters: 16; there are only 15 reporters that could be bribed"),
        ({"n": "0"}, "Reporters: '0' is not a whole number from 1 to 200"),
        ({"n": ""}, "a whole number from 1 to 200"),
        ({"tpr": "nan"}, "Hits: 'nan' is not a number from 0 to 1; give one"),
        ({"tpr": "0.1"}, "Hits: 0.1 is below False alarms, 0.3; swap them"),
        ({"strategy": HOSTILE}, "choose one of opposite, random"),
        ({"measure": "x"}, "Measure: 'x' is unknown; choose one of squared_loss"),
        ({"sheet": "judges", "measure": "accuracy"}, "choose one of absolute_loss, squared_loss, changed"),
        ({"weighed": HOSTILE}, "choose one of nothing, yes"),
        ({"sheet": "gone"}, "upload it again"),
        ({"strategy": "copy", "copy": HOSTILE}, "there is no reporter"),
    ],
)
def test_what_cannot_be_is_said_in_place(client: TestClient, query: dict[str, str], sentence: str) -> None:
    page = ask(client, query, 422)
    alert = re.search(r'role="alert">(.*?)</p>', page)
    assert alert
    assert sentence in html.unescape(alert[1])
    assert HOSTILE not in page
    typed = next(reversed(query))
    if typed in {"adversaries", "n", "tpr", "copy"}:
        assert re.search(
            rf'name="{typed}" value="{re.escape(html.escape(query[typed]).replace("&quot;", "&#34;"))}"', page
        )


_TEXT = st.one_of(
    st.text(max_size=12), st.integers(-3, 250).map(str), st.floats().map(str),
    st.sampled_from([*STRATEGIES, "judges", "votes", "labels", "scores", "vote", "entry", "Anna", HOSTILE, "٣", "1e5"]),
)  # fmt: skip


@given(st.dictionaries(st.sampled_from(NAMES), _TEXT, max_size=5))
def test_any_query_is_answered(client: TestClient, query: dict[str, str]) -> None:
    answer = client.get("/attack", params=SMALL | query)
    assert answer.status_code in ({400} if any("\0" in text for text in query.values()) else {200, 422})
    assert HOSTILE not in answer.text
    assert ('role="alert"' in answer.text) == (answer.status_code == 422)


@given(
    strategy=st.sampled_from(STRATEGIES),
    n=st.integers(1, 9),
    items=st.integers(1, 6),
    rates=st.lists(st.sampled_from([0.0, 0.2, 0.5, 0.9, 1.0]), min_size=3, max_size=3),
    seed=st.integers(0, 9),
    data=st.data(),
)
@pytest.mark.slow
def test_every_small_crowd_can_be_attacked(
    client: TestClient, strategy: str, n: int, items: int, rates: list[float], seed: int, data: st.DataObject
) -> None:
    fpr, tpr = sorted(rates[1:])
    most = n - 1 if strategy == "copy" else n
    query = {
        "strategy": strategy, "n": n, "items": items, "prior": rates[0], "tpr": tpr, "fpr": fpr, "seed": seed,
        "draws": 1, "adversaries": data.draw(st.integers(0, most)), "k": data.draw(st.integers(0, n)),
        "weighed": "yes",
    }  # fmt: skip
    page = ask(client, query)
    cells = [float(cell.rstrip("%")) for row in shown(page).values() for cell in row]
    assert all(0 <= cell <= 100 for cell in cells)


def test_a_drawn_crowd_is_as_good_as_it_is_said_to_be() -> None:
    frame = load_crowd(SimulatedCrowd(100, 1000, Expert(0.3, 0.9, 0.2), seed=1)).frame
    rates = dict(frame.group_by("truth").agg(pl.col("vote").mean()).iter_rows())
    # Five standard deviations of 30,000 votes or more, and of 1,000 items.
    assert rates[1] == pytest.approx(0.9, abs=0.009)
    assert rates[0] == pytest.approx(0.2, abs=0.009)
    assert frame["truth"].mean() == pytest.approx(0.3, abs=0.073)
    assert load_crowd(SimulatedCrowd(100, 1000, Expert(0.3, 0.9, 0.2), seed=2)).frame.equals(frame) is False


@given(st.integers(1, 10_000))
def test_points_reach_from_nobody_to_half(reporters: int) -> None:
    found = bribe_counts(reporters)
    assert list(found) == sorted(set(found))
    assert (found[0], found[-1]) == (0, reporters // 2)
    assert found == tuple(range(reporters // 2 + 1)) if reporters <= 15 else len(found) == 6


def test_a_slider_only_picks(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    query = SMALL | {"seed": "77"}
    compute_here(client, monkeypatch)
    first = ask(client, query | {"adversaries": "0"})
    monkeypatch.setattr(AttackedCrowd, "_measure", None)
    assert shown(ask(client, query | {"adversaries": "3"})) != shown(first)


def test_curves_that_take_long_follow_the_numbers_and_both_are_the_page(
    client: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    """For a new k the chosen number of bribes is measured first, with nobody bribed beside it, and the others later."""
    query = SMALL | {"seed": "78"}
    compute_here(client, monkeypatch)
    measured: list[int] = []
    measure = AttackedCrowd._measure

    def count(crowd: AttackedCrowd, number: int) -> Any:
        measured.append(number)
        return measure(crowd, number)

    monkeypatch.setattr(AttackedCrowd, "_measure", count)
    fragment = client.get("/attack", params=query, headers={"X-Fragment": "1"}).text
    later = re.search(r'<section id="curves" data-later="(.*?)" aria-busy="true">\s*</section>', fragment)
    assert later
    assert measured == [0, 2]
    curves = client.get(html.unescape(later[1])).text
    assert measured == [0, 2, 1, 3]
    whole = ask(client, query)
    assert fragment.replace(later[0], f'<section id="curves">\n{curves}</section>').split() == whole_result(whole)
    assert whole_result(client.get("/attack", params=query, headers={"X-Fragment": "1"}).text) == whole_result(whole)
    assert "data-later" not in whole
    assert measured == [0, 2, 1, 3]
    scores = client.get("/attack", params={**FIRST, "k": "2"}, headers={"X-Fragment": "1"}).text
    assert "data-later" not in scores  # no rule is fitted


def whole_result(page: str) -> list[str]:
    """The words of the result within a page, or of the result alone."""
    start = page.find('<div id="result">')
    return (page if start < 0 else page[start + len('<div id="result">') : page.rindex("</div>\n</div>")]).split()


def test_a_fragment_is_the_result_alone(client: TestClient) -> None:
    answer = client.get("/attack", params=FIRST, headers={"X-Fragment": "1"})
    assert "<form" not in answer.text
    assert answer.text.strip() in client.get("/attack", params=FIRST).text


def test_files_that_are_not_there(client: TestClient) -> None:
    assert client.get("/attack/gold.parquet", params=SMALL).status_code == 404
    assert client.get("/attack/reports.csv", params={"sheet": "judges"}).status_code == 404
    assert client.get("/attack/curves.csv", params={"n": "x"}).status_code == 422
