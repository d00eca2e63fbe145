"""The page "Design a panel": its numbers equal those of the library, and every input gets a sentence."""

import json
import re
from fractions import Fraction
from html import unescape
from pathlib import Path
from urllib.parse import parse_qs, urlencode, urlsplit

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from starlette.testclient import TestClient

import bribeproof as bp
from bribeproof._worth import describe_worthless
from bribeproof.explorer.panel.evaluation import against_k, against_n, changes, evaluate, explanation
from bribeproof.explorer.panel.narration import percent
from bribeproof.explorer.panel.query import DEFAULTS, PanelQuery, form_values, parse_design
from bribeproof.theory.minimax.panel_summary import describe_panel
from tests.budgets import examples
from tests.explorer.panel.page_reader import FRAGMENT, LOSSES, SCORED, ask_page, form_of, read_page
from tests.explorer.pasted import run_commands, run_python


def test_the_first_page_speaks_in_plain_sentences(client: TestClient) -> None:
    found = read_page(client.get("/panel").text)
    text = " ".join(found.whole.replace("\N{NO-BREAK SPACE}", " ").split())
    # By hand (docs/theory.md): errors of one in .15; ten with two bribed .15 · 8/6.
    # Prices: 20 · .5 · .8/6 + 40 · .5 · 1.6/6.
    assert found.texts["headline"] == (
        "Ten judges, two of them bribed: at worst 20 of 100 answers are wrong on average."
    )
    assert (
        "If nobody can be bribed it is at most 15; without any judge, answering by the share of yes alone, 50." in text
    )
    assert "however far the errors of honest judges go together" in text
    assert found.texts["bound"] == "20 of 100"
    assert found.texts["unbribed"] == "15 of 100"
    assert found.texts["share"] == "40 % of the 50 without judges"
    assert found.texts["borne"] == "4 of 10 bribed"
    assert found.texts["total"] == "767 per 100"
    assert found.texts["summary"] == "At worst 20 of 100 wrong; all costs at most 767 per 100"
    assert "leave out the two lowest and the two highest, and take the share of yes among the other six" in text
    # 5 · (n − 2)/(n − 4) + .1 n is least where (n − 4)² = 100.
    assert "Against as many bribed, the bound of all costs is lowest for 14 judges: 740 per 100." in text
    start = text.split("How to decide")[0].split("Ten judges, two")[1]
    assert not re.search(r"regret|prior|\d\.\d{4}", start)


def test_the_first_page_says_what_the_worked_example_is_worth(client: TestClient) -> None:
    found = ask_page(client)
    text = " ".join(found.whole.replace("\N{NO-BREAK SPACE}", " ").split())
    assert "Ten reporters, two of them bribed, are worth one honest reporter" in text
    assert "73.3 % of the positive and in 13.3 % of the negative cases (instead of 80 % and 10 %)" in text
    assert (
        "The expected loss is at most 0.1584, 63.4 % of the 0.25 that the prior alone guarantees, whatever the "
        "bribed do, on average over all items, provided that neither who answers an item nor how many do depends on "
        "its truth or difficulty, or on the others' skill or reports." in text
    )
    # The loss of an honest reporter with rates 11/15 and 2/15, by hand: posteriors 4/17 and 11/13.
    yes, no = Fraction(13, 30), Fraction(17, 30)
    loss = yes * Fraction(11 * 2, 13**2) + no * Fraction(4 * 13, 17**2)
    assert found.texts["guarantee"] == f"{float(loss):.6f}"
    assert found.texts["blind"] == "0.250000"
    assert found.texts["breakdown"].replace("\N{NO-BREAK SPACE}", " ") == "41.2 %"
    assert "up to 4 of 10 bribed" in text


def test_what_one_person_changes_is_what_another_panel_guarantees(client: TestClient) -> None:
    rows = ask_page(client).texts["full"]
    for n, k in ((11, 2), (9, 2), (10, 3), (10, 1)):
        other = float(ask_page(client, n=n, k=k).texts["guarantee"])
        assert f"{n} with {k} bribed" in rows
        assert f"{other:.6f}" in rows
    assert "no truthful majority" in ask_page(client, n=9, k=4).texts["full"]


@settings(max_examples=examples(0.25))
@given(
    n=st.integers(1, 60),
    share=st.floats(0, 1),
    rates=st.tuples(*[st.integers(0, 100)] * 3),
    loss=st.sampled_from(sorted(LOSSES)),
    name=st.sampled_from(["rule", "bribes", "reporters", "worst-case"]),
)
def test_numbers_are_those_of_the_library_and_the_fragment_is_part_of_the_page(
    client: TestClient, n: int, share: float, rates: tuple[int, int, int], loss: str, name: str
) -> None:
    k = round(share * ((n - 1) // 2))
    prior, fpr, tpr = rates[0] / 100, min(rates[1:]) / 100, max(rates[1:]) / 100
    query: dict[str, str | float] = {"n": n, "k": k, "prior": prior, "tpr": tpr, "fpr": fpr, "loss": loss}
    query = {**SCORED, **query}
    answer = client.get("/panel", params=query)
    assert answer.status_code == 200, answer.text
    found = read_page(answer.text)
    expert = bp.Expert(prior, tpr, fpr)
    guarantee = bp.rules.optimal_aggregator(bp.Panel(n, k), expert, LOSSES[loss]).guarantee
    assert guarantee is not None
    assert found.texts["guarantee"] == f"{guarantee.expected_loss:.6f}"
    assert found.texts["regret"] == f"{guarantee.regret:.6f}"
    assert percent(bp.theory.breakdown_point(expert, LOSSES[loss])) == found.texts["breakdown"]
    borne = f"up to {bp.theory.max_adversaries(n, expert, LOSSES[loss])} of {n} bribed"
    assert (borne if found.texts["breakdown"] != "0\N{NO-BREAK SPACE}%" else "even if nobody is bribed") in found.whole
    fragment = client.get("/panel", params=query, headers=FRAGMENT).text
    start = answer.text.index(fragment)
    assert re.search(r'<div id="result"[^>]*>$', answer.text[:start])
    assert answer.text[start + len(fragment) :].startswith("</div>")
    picture = client.get(f"/panel/{name}.svg", params=query)
    assert (picture.status_code, picture.headers["content-type"]) == (200, "image/svg+xml")
    assert picture.text.startswith("<svg")


HOSTILE = st.one_of(
    st.text(max_size=30),
    st.sampled_from(
        ["", "nan", "inf", "-1", "1e9", "0", "½", "٣", "<script>alert(1)</script>", "0x1F", "1_0", "9" * 99]
    ),
    st.floats().map(str),
    st.integers().map(str),
)  # fmt: skip


@given(st.dictionaries(st.sampled_from([*DEFAULTS, "token", "nonsense"]), HOSTILE))
def test_whatever_is_typed_the_answer_is_a_page_with_a_sentence(client: TestClient, query: dict[str, str]) -> None:
    answer = client.get("/panel?" + urlencode(query, errors="surrogatepass"))
    if any("\0" in value for value in query.values()):
        assert (answer.status_code, "Traceback" in answer.text) == (400, False)
        return
    assert answer.status_code in (200, 422)
    assert "<script>alert" not in answer.text
    found = read_page(answer.text)
    if answer.status_code == 422:
        error = re.search(r'<p class="error" role="alert">([^<]+)</p>', answer.text)
        assert error is not None
        assert "\n" not in error[1]
        for name in ("n", "k", "correlation", "prior", "tpr", "fpr"):
            shown = re.search(rf'id="{name}" name="{name}" value="([^"]*)"', answer.text)
            assert shown is not None
        assert "Traceback" not in found.whole
    else:
        assert "The expected loss is at most" in found.whole or "hit rate equals" in found.whole


@pytest.mark.parametrize(
    ("query", "words"),
    [
        ("n=1000000000", "Judges: 1,000,000,000 cannot be shown here; give 1 to 1,000"),
        ("n=0", "Judges: 0 cannot"),
        ("n=2.5", "'2.5' is not a whole number"),
        ("n=", "'' is not a whole number"),
        ("k=-1", "Bribed at most: -1 of 10; the honest must be the majority"),
        ("k=5", "give 0 to 4"),
        ("prior=nan", "'nan' is not a number"),
        ("prior=2", "Truth is yes: 2 is not from 0 to 1"),
        ("prior=0,5", "'0,5' is not a number"),
        ("tpr=0.1&fpr=0.8", "Hits: 0.1 is below False alarms, 0.8; swap"),
        ("loss=hinge", "hinge"),
        ("correlation=1.5", "from 0 to 1"),
        ("correlation=-0.1", "from 0 to 1"),
        ("correlation=", "Honest errors go together: '' is not a number"),
        ("correlation=.1,.05", "Honest errors go together: '.1,.05' is not a number"),
        ("correlation=nan", "'nan' is not a number"),
        ("loss=cost&cost_fp=0", "A wrong yes costs: 0 is no price; give more than 0"),
        ("loss=cost&cost_fn=dear", "A wrong no costs: 'dear' is not a number"),
        ("cost_judge=-1", "A judge's answer costs: -1 is no price; give 0 or more"),
        ("tpr=" + "1" * 500 + "x", "…"),
    ],
)
def test_refusals(client: TestClient, query: str, words: str) -> None:
    answer = client.get(f"/panel?{query}")
    assert answer.status_code == 422
    assert words in unescape(answer.text)
    assert client.get(f"/panel?{query}", headers=FRAGMENT).status_code == 422
    assert client.get(f"/panel/worst-case.svg?{query}").status_code == 422


def test_an_error_keeps_what_was_typed_as_text(client: TestClient) -> None:
    page = client.get("/panel", params={"n": '"><b>12', "tpr": "0.7"}).text
    assert 'value="&#34;&gt;&lt;b&gt;12"' in page
    assert 'name="tpr" value="0.7"' in page


def test_a_picture_that_is_none_is_not_found(client: TestClient) -> None:
    assert client.get("/panel/nothing.svg").status_code == 404


@pytest.mark.parametrize(
    "query",
    [
        {},
        {"n": "21", "k": "3", "prior": "1e-3", "tpr": "0.123456789", "fpr": ".1", "loss": "log"},
        {"loss": "cost", "cost_fp": "2.5", "cost_fn": "0.1"},
        {"loss": "cost", "cost_fp": "1", "cost_fn": "1", "k": "0"},
        pytest.param({"n": "39", "k": "4", "tpr": "0.7", "fpr": "0.3", "correlation": "0.05"}, marks=pytest.mark.slow),
        pytest.param(
            {"n": "20", "k": "3", "correlation": "1e-2", "loss": "cost", "cost_fp": "2.5"}, marks=pytest.mark.slow
        ),
        pytest.param({"n": "9", "k": "0", "correlation": "0", "loss": "absolute"}, marks=pytest.mark.slow),
    ],
)
def test_python_command_and_link_give_what_is_shown(client: TestClient, tmp_path: Path, query: dict[str, str]) -> None:
    found = ask_page(client, **query)
    design = parse_design(form_values(form_of(query)))
    lines = found.texts["python"]
    assert lines == design.python
    _, python = run_python(lines, tmp_path)
    guarantee = re.search(r"expected_loss=([^,]+), regret=([^,]+)", python)
    assert guarantee is not None
    told = json.loads(run_commands(f"{found.texts['command']} --json", tmp_path))
    assert told["guarantee"]["expected_loss"] == float(guarantee[1])
    assert told["guarantee"]["regret"] == float(guarantee[2])
    assert f"{float(guarantee[1]):.6f}" == found.texts["guarantee"]
    answer = client.post("/api/panel", content=found.texts["request"], headers={"Content-Type": "application/json"})
    assert answer.json() == told
    borne = f"up to {told['max_adversaries']} of {told['n']} bribed"
    assert ("even if nobody is bribed" if told["breakdown_point"] == 0 else borne) in found.whole
    worst = evaluate(design).worst
    if design.paired:
        assert "regret" not in found.texts
        assert python.splitlines()[1:3] == [f"{told['effective_reporters']}", f"{told['max_adversaries']}"]
        assert f"upper={worst.expected_loss}" in python
        assert worst.expected_loss == float(guarantee[1])
    else:
        assert f"{told['guarantee']['regret']:.6f}" == found.texts["regret"]
        assert python.splitlines()[1] == f"{told['breakdown_point']} {told['max_adversaries']}"
        assert isinstance(worst, bp.theory.WorstCase)
        assert f"WorstCase(regret={worst.regret}" in python
    link = urlsplit(found.texts["link"])
    assert parse_design(form_values({name: value for name, (value,) in parse_qs(link.query).items()})) == design
    assert read_page(client.get(f"{link.path}?{link.query}").text).texts["guarantee"] == found.texts["guarantee"]


def test_curves_hold_the_panel_itself_and_few_points() -> None:
    for n, k in ((1, 0), (2, 0), (10, 2), (100, 17), (1000, 333), (999, 499)):
        design = PanelQuery(bp.Panel(n, k), bp.Expert(0.5, 0.8, 0.1), bp.theory.get_loss("absolute"))
        for points, own, curve in ((against_k(design), k, "k"), (against_n(design), n, "n")):
            assert own in points[0], curve
            assert points[0] == sorted(set(points[0]))
            assert len(points[0]) == len(points[1]) <= 30
            mine = bp.rules.optimal_aggregator(design.panel, design.expert, design.loss).guarantee
            assert points[1][points[0].index(own)] == mine
    assert [(step.n, step.k) for step in changes(design)] == [(1000, 499), (998, 499), (999, 500), (999, 498)]
    assert [step.guarantee is None for step in changes(design)] == [False, True, True, False]


@pytest.mark.parametrize(
    ("query", "words"),
    [
        ({"n": 1, "k": 0}, "One reporter, not bribed, is worth one honest reporter"),
        ({"k": 0}, "Ten reporters, none bribed, are worth one honest reporter"),
        ({"k": 4, "tpr": 0.6, "fpr": 0.4}, "are worth nothing"),
        ({"tpr": 0.4, "fpr": 0.4}, "hit rate equals"),
        ({"n": 7, "loss": "cost"}, "the reports change no decision"),
        ({"n": 11, "k": 0, "prior": 0.04, "tpr": 0.96, "fpr": 0.16}, "A bribe seems to help here"),
        ({"n": 11, "k": 1, "prior": 0.04, "tpr": 0.96, "fpr": 0.16}, "A bribe seems to help here"),
        ({"n": 11, "k": 0, "prior": 0.04, "tpr": 0.96, "fpr": 0.16}, "may lose more than without reports"),
        ({"k": 4, "tpr": 0.6, "fpr": 0.4}, "Always forecast 50"),
        ({"n": 3, "k": 1, "tpr": 1, "fpr": 0}, "The expected loss is at most 0,"),
        ({"k": 0, "correlation": 0}, "Ten reporters, none bribed. They average errors out like 10.0 independent ones."),
        ({"n": 1, "k": 0, "correlation": 0.5}, "One judge's errors do not average out."),
        ({"n": 3, "k": 1, "tpr": 1, "fpr": 0, "correlation": 0.1}, "0 % of the 0.25 without judges"),
    ],
)
def test_special_panels_have_words_of_their_own(client: TestClient, query: dict[str, object], words: str) -> None:
    assert words in ask_page(client, **query).whole
    usual = ask_page(client).whole
    assert not any(words in usual for words in ("A bribe seems", "change no decision", "hit rate equals"))


@pytest.mark.parametrize(
    ("query", "words"),
    [
        ({"n": 10, "k": 4, "tpr": 0.6, "fpr": 0.4}, "so many bribed judges can make both truths look alike"),
        ({"n": 10, "k": 4, "tpr": 0.6, "fpr": 0.4, "correlation": 0.05}, "so many bribed judges can make both"),
        ({"n": 7, "loss": "cost"}, "nothing that the reports say outweighs the prior"),
        ({"n": 7, "loss": "cost"}, "worth nothing even if nobody is bribed"),
        ({"n": 9, "k": 1, "loss": "cost", "correlation": 0.5}, "errors of honest judges went together by at most"),
        ({"n": 11, "k": 0, "prior": 0.04, "tpr": 0.96, "fpr": 0.16}, "its rule minimises the regret"),
        ({"prior": 0}, "the prior alone is certain"),
        ({"k": 0, "tpr": 0.4, "fpr": 0.4}, "carry no information"),
    ],
)
def test_a_guarantee_worth_nothing_says_why_and_what_would_help(
    client: TestClient, query: dict[str, object], words: str
) -> None:
    found = ask_page(client, **query)
    assert words in found.whole
    design = parse_design(form_values(form_of(query)))
    why = explanation(design)
    assert why is not None
    told = describe_panel(design.panel.n, design.panel.k, design.expert, design.loss)
    assert why.facts() == told["explanation"]
    if "carry" not in words:
        sentence = describe_worthless(told["explanation"], "The panel is").replace("reporter", "judge")
        assert sentence.replace("the prior alone guarantees", "is guaranteed without judges") in found.whole
    for remedy in why.remedies:
        if remedy.change == "smaller k":
            other = ask_page(client, **query | {"k": round(remedy.to)})
            assert float(other.texts["guarantee"]) == pytest.approx(remedy.worth.expected_loss, abs=1e-6)
            assert "is worth nothing:" not in other.whole


@pytest.mark.slow
def test_a_large_panel_takes_few_points(client: TestClient) -> None:
    for loss in ("squared", "absolute", "log"):
        design = parse_design(form_values({"n": "1000", "k": "100", "correlation": "0.05", "loss": loss}))
        for points, guarantees in (against_k(design), against_n(design)):
            assert len(points) <= 11
            losses = [guarantee.expected_loss for guarantee in guarantees]
            assert sorted(losses, reverse=points[-1] > 1000) == pytest.approx(losses, abs=1e-7)
    assert "give 1 to 1,000" in client.get("/panel?n=1001&correlation=0.05").text
