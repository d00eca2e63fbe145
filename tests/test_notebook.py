"""Results in notebooks: short text, HTML with a table and a picture, and no matplotlib unasked."""

import re
import subprocess
import sys
from collections.abc import Callable
from html import escape
from typing import Any
from xml.etree import ElementTree

import pandas as pd
import polars as pl
import pytest

import bribeproof as bp

HOSTILE = "<script>alert('&')</script>"
VOTES = pl.DataFrame(
    [(f"{HOSTILE}{t}", f"{HOSTILE}{w}", str(t % 2 ^ (w == "e" and t % 3 > 0))) for t in range(30) for w in "abcde"],
    schema=["task", "worker", "label"],
    orient="row",
)
TRUTH = {f"{HOSTILE}{t}": str(t % 2) for t in range(20)}
SCORES = VOTES.with_columns(score=pl.col("label").cast(pl.Float64) + pl.col("task").str.len_chars())
RESULTS: dict[str, Callable[[Any], Any]] = {
    "scores": lambda votes: bp.aggregate(votes.drop(columns="label"), 1),
    "votes": lambda votes: bp.aggregate(votes.drop(columns="score"), 1),
    "weigh": lambda votes: bp.weigh(votes, 1, expert=bp.Expert(0.5, 0.9, 0.1)),
    "audit": lambda votes: bp.audit(votes, 1, kind="labels"),
    "audit of scores": lambda votes: bp.audit(votes, 1, kind="scores", value="score"),
    "sweep": lambda votes: bp.sweep(votes, [0, 1, 2]),
    "calibrate": lambda votes: bp.calibrate(votes, TRUTH, 1),
    "certify": lambda votes: bp.certify(votes, TRUTH, 1),
    "bribe": lambda votes: bp.worst_bribe(votes.drop(columns="score"), 2),
    "attack": lambda votes: bp.attack(votes, TRUTH, [0, 1], draws=2),
    "ranking": lambda _: bp.safe_ranking([[9, 9, 8, 9], [8, 9, 7, 8], [2, 3, 3, 1]], k=1),
}


@pytest.fixture(scope="module")
def votes() -> Any:
    columns: dict[str, list[Any]] = SCORES.to_dict(as_series=False)
    return pd.DataFrame(columns)


@pytest.mark.parametrize("name", list(RESULTS))
def test_text_is_short_and_html_is_a_table_and_a_picture(name: str, votes: Any) -> None:
    result = RESULTS[name](votes)
    assert re.fullmatch(r"\w+\([^\n]*\)", repr(result))
    assert len(repr(result)) < 100
    html = result._repr_html_()
    assert html.count("<table>") == html.count("<svg ") == 1
    ElementTree.fromstring(html)  # noqa: S314  our own output, well-formed
    assert "<script" not in html
    first = result.summary().splitlines()[0]
    assert escape(first.split(",")[0]) in html
    assert html == result._repr_html_()


@pytest.mark.parametrize("name", ["votes", "weigh"])
def test_names_from_the_data_are_shown_and_not_obeyed(name: str, votes: Any) -> None:
    html = RESULTS[name](votes)._repr_html_()
    assert "&lt;script&gt;alert(&#x27;&amp;&#x27;)&lt;/script&gt;" in html


def test_what_has_no_picture_is_a_table() -> None:
    """With k = 2 of 3 no item has an answer that could be drawn."""
    result = bp.aggregate(pl.DataFrame({"task": ["t"] * 3, "worker": list("abc"), "label": list("xyx")}), 2)
    assert "not certified" in result.summary()
    assert "<table>" in result._repr_html_()


@pytest.mark.parametrize("blocked", [True, pytest.param(False, marks=pytest.mark.slow)])
def test_matplotlib_is_imported_for_a_picture_alone_and_missed_without_an_error(blocked: bool) -> None:
    block = "sys.modules['matplotlib'] = None" if blocked else ""
    script = f"""if True:
        import sys
        {block}
        import polars as pl, bribeproof as bp
        votes = pl.DataFrame({{"task": ["t"] * 3, "worker": ["a", "b", "c"], "label": [1, 1, 0]}})
        results = [bp.aggregate(votes, 1), bp.weigh(votes, 1), bp.sweep(votes), bp.audit(votes, 1)]
        print([repr(result) and result.summary() for result in results] and bool(sys.modules.get("matplotlib")))
        print(*("<svg" in result._repr_html_() for result in results))
        print(*("<table" in result._repr_html_() for result in results))
    """
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    pictures = " ".join([str(not blocked)] * 4)
    assert done.stdout.splitlines() == ["False", pictures, "True True True True"]
