"""``bribeproof plot`` and ``--plot``: the picture that the library draws of the same numbers, whole or not at all."""

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import polars as pl
import pytest

from bribeproof import plots
from bribeproof.aggregation.api import aggregate_labels, aggregate_scores, aggregate_votes
from bribeproof.aggregation.sweep import sweep
from bribeproof.arrays.ranking import rank_ranges
from bribeproof.attacks.study import attack
from bribeproof.auditing.audit import audit
from bribeproof.bribery.worst_bribe import worst_bribe
from bribeproof.calibration.calibrate import calibrate
from bribeproof.io.read import read_table
from bribeproof.rules import majority, mean, trimmed_mean
from bribeproof.theory import Expert, Panel, breakdown_point, closed_form, get_loss, optimal_aggregator, worst_case
from tests.cli.command import LABELS, SHEET, VOTES, call

PANEL = ("--n", 9, "--k", 2, "--prior", 0.4, "--tpr", 0.8, "--fpr", 0.1)
EXPERT, SEATS = Expert(0.4, 0.8, 0.1), Panel(9, 2)
SIGNATURES = {".png": b"\x89PNG\r\n\x1a\n", ".svg": b"<?xml", ".pdf": b"%PDF-"}
GOLD = "task,worker,label,truth\n" + "".join(
    f"t{task},{worker},{(task % 2) ^ (worker == 'c' and task % 5 == 0)},{task % 2}\n"
    for task in range(40)
    for worker in "abc"
)


def written(name: str, text: str, folder: Path) -> Path:
    path = folder / name
    path.write_text(text)
    return path


def same(drawn: Path, axes: object, folder: Path) -> bool:
    """Whether a file is what the library writes of these axes."""
    plots.write(axes, folder / "library.svg")  # type: ignore[arg-type]
    return drawn.read_bytes() == (folder / "library.svg").read_bytes()


def rules() -> object:
    known = {"trimmed mean": trimmed_mean(SEATS), "majority": majority(SEATS), "mean": mean(SEATS)}
    return plots.rule({"optimal": optimal_aggregator(SEATS, EXPERT, "squared"), **known}, panel=SEATS)


def guarantees(against: str) -> object:
    points = range(5) if against == "k" else range(5, 28)
    panels = [Panel(9, k) for k in points] if against == "k" else [Panel(n, 2) for n in points]
    share = breakdown_point(EXPERT, "squared")
    return plots.guarantee(
        points, [closed_form(panel, EXPERT, "squared").guarantee for panel in panels],
        against="k" if against == "k" else "n", breakdown=9 * share if against == "k" else 2 / share,
        blind=get_loss("squared").bayes_risk(0.4), marked=2 if against == "k" else 9,
    )  # fmt: skip


@pytest.mark.parametrize(
    ("arguments", "axes"),
    [
        (("rule",), rules),
        (("guarantee",), lambda: guarantees("k")),
        (("guarantee", "--against", "n"), lambda: guarantees("n")),
        (("worst-case", "--rule", "majority"),
         lambda: plots.worst_case(worst_case(majority(SEATS), SEATS, EXPERT, "squared"))),
    ],
    ids=["rule", "against k", "against n", "worst case"],
)  # fmt: skip
def test_pictures_of_a_panel(arguments: tuple[str, ...], axes: Callable[[], object], tmp_path: Path) -> None:
    picture = tmp_path / "drawn.svg"
    done = call("plot", *arguments, *PANEL, "-o", picture)
    assert (done.status, done.out) == (0, "")
    assert done.err.startswith("note: drew ")
    assert done.err.endswith(f" into {picture}\n")
    assert same(picture, axes(), tmp_path)


def test_the_guarantee_of_a_large_panel_has_its_own_point(tmp_path: Path) -> None:
    done = call("plot", "guarantee", "--n", 9999, "--k", 777, *PANEL[4:], "-o", tmp_path / "a.svg")
    assert done.status == 0
    assert "k = 777" in (tmp_path / "a.svg").read_text()


def test_loss_and_default_rule(tmp_path: Path) -> None:
    found = worst_case(optimal_aggregator(SEATS, EXPERT, "absolute"), SEATS, EXPERT, "absolute")
    done = call("plot", "worst-case", *PANEL, "--loss", "absolute", "-o", tmp_path / "a.svg")
    assert done.status == 0
    assert same(tmp_path / "a.svg", plots.worst_case(found), tmp_path)


@pytest.mark.parametrize(("loss", "against"), [("squared", "k"), ("absolute", "n")])
def test_pictures_with_a_correlation_are_of_the_rule_of_pairs(loss: str, against: Any, tmp_path: Path) -> None:
    expert = Expert(0.4, 0.8, 0.1, (0.1, 0.05))
    known = "--correlation", ".1,.05", "--loss", loss
    done = call("plot", "guarantee", "--against", against, *PANEL, *known, "-o", tmp_path / "a.svg")
    assert done.status == 0
    points = list(range(5)) if against == "k" else sorted({*range(5, 28, 2), 9})
    panels = [Panel(9, k) for k in points] if against == "k" else [Panel(n, 2) for n in points]
    share = breakdown_point(expert, "squared")
    axes = plots.guarantee(
        points, [optimal_aggregator(panel, expert, loss).guarantee for panel in panels], against=against,
        breakdown=9 * share if loss == "squared" else None, blind=get_loss(loss).bayes_risk(0.4),
        marked=2 if against == "k" else 9,
    )  # fmt: skip
    assert same(tmp_path / "a.svg", axes, tmp_path)
    assert call("plot", "rule", *PANEL, *known, "-o", tmp_path / "b.svg").status == 0
    best = {"optimal": optimal_aggregator(SEATS, expert, loss)}
    usual = {"trimmed mean": trimmed_mean(SEATS), "majority": majority(SEATS), "mean": mean(SEATS)}
    assert same(tmp_path / "b.svg", plots.rule(best | usual, panel=SEATS), tmp_path)


def test_the_worst_case_with_a_correlation_is_refused(tmp_path: Path) -> None:
    done = call("plot", "worst-case", *PANEL, "--correlation", ".1", "-o", tmp_path / "a.svg")
    assert "--correlation .1: the picture of the worst case is for errors that go together in any way" in done.refused()


def test_panel_draws_its_rule(tmp_path: Path) -> None:
    plain = call("panel", *PANEL)
    done = call("panel", *PANEL, "--plot", tmp_path / "a.svg")
    assert (done.status, done.out) == (0, plain.out)
    assert same(tmp_path / "a.svg", rules(), tmp_path)


def test_pictures_of_answers(tmp_path: Path) -> None:
    picture = tmp_path / "drawn.svg"
    sheet, votes = written("s.csv", SHEET, tmp_path), written("v.csv", VOTES, tmp_path)
    labels, gold = written("l.csv", LABELS, tmp_path), written("g.csv", GOLD, tmp_path)
    judges = ["j1", "j2", "j3", "j4", "j5"]

    def drawn(*arguments: object) -> Path:
        picture.unlink(missing_ok=True)
        done = call(*arguments, "--plot", picture)
        assert done.status == 0, done
        assert "note: drew " in done.err
        return picture

    scores = aggregate_scores(read_table(sheet), k=1, item="entry", judges=judges)
    known = [scores[name].cast(float).fill_null(float("nan")).to_numpy() for name in
             ("estimate", "range_low", "range_high")]  # fmt: skip
    ranking = plots.ranking(rank_ranges(*known), scores["entry"].to_list())
    assert same(drawn("aggregate", sheet, "--k", 1), ranking, tmp_path)
    items = plots.items(aggregate_votes(read_table(votes), k=1), item="task")
    assert same(drawn("aggregate", votes, "--k", 1), items, tmp_path)
    items = plots.items(aggregate_labels(read_table(labels), k=0), item="task")
    assert same(drawn("aggregate", labels, "--k", 0), items, tmp_path)
    swept = sweep(read_table(votes), kind="votes")
    assert same(drawn("sweep", votes), plots.sweep(swept), tmp_path)
    found = audit(read_table(sheet), 1, kind="scores", item="entry", judges=judges)
    assert same(drawn("audit", sheet, "--k", 1), plots.reporters(found), tmp_path)
    bribed = plots.bribe(worst_bribe(read_table(labels), 2))
    assert same(drawn("bribe", labels, "--k", 2), bribed, tmp_path)
    curves = attack(read_table(gold), "truth", [0, 1], strategy="opposite", kind="votes", draws=2, value="label")
    attacked = drawn("attack", gold, "--kind", "votes", "--gold", "truth", "--adversaries", "0,1", "--seeds", 2)
    assert same(attacked, plots.attack(curves), tmp_path)
    learned = calibrate(read_table(gold), "truth", 1, vote="label")
    guarantee = [learned.with_k(k).guarantee("squared") for k in (0, 1)]
    calibrated = drawn("calibrate", gold, "--gold", "truth", "--k", 1)
    assert same(calibrated, plots.guarantee((0, 1), guarantee, against="k", marked=1), tmp_path)


def test_long_sheets_of_scores_show_the_most_movable_items(tmp_path: Path) -> None:
    rows = [{"entry": f"E{i}", "j1": i, "j2": i + 1, "j3": i + 2 + (i % 7)} for i in range(41)]
    sheet, picture = tmp_path / "s.csv", tmp_path / "a.svg"
    pl.DataFrame(rows).write_csv(sheet)
    assert call("aggregate", sheet, "--k", 1, "--plot", picture).status == 0
    scores = aggregate_scores(read_table(sheet), k=1, item="entry", judges=["j1", "j2", "j3"])
    assert same(picture, plots.items(scores, item="entry"), tmp_path)


@pytest.mark.parametrize("ending", SIGNATURES)
def test_the_ending_is_the_format(ending: str, tmp_path: Path) -> None:
    picture = tmp_path / f"a{ending}"
    assert call("plot", "rule", *PANEL, "-o", picture).status == 0
    assert picture.read_bytes().startswith(SIGNATURES[ending])


def test_names_of_a_file_are_text(tmp_path: Path) -> None:
    names = ["<script>alert(1)</script>", "$x^2$", "=1+1", "a\x1b[31mb", "\u202eabc"]
    rows = [(name, worker, vote) for name in names for worker, vote in zip("abcde", (1, 1, 1, 0, 0), strict=True)]
    votes, picture = tmp_path / "v.csv", tmp_path / "a.svg"
    pl.DataFrame(rows, schema=["task", "worker", "label"], orient="row").write_csv(votes)
    assert call("aggregate", votes, "--k", 1, "--plot", picture).status == 0
    text = picture.read_text(encoding="utf-8")
    ElementTree.fromstring(text)  # noqa: S314  our own file
    assert "<script" not in text
    assert "\x1b" not in text
    assert "$x^2$" in text


FILES = {
    "aggregate": ("--k", 1), "sweep": (), "audit": ("--k", 1),
    "attack": ("--kind", "votes", "--gold", "truth"), "calibrate": ("--gold", "truth", "--k", 1),
}  # fmt: skip


@pytest.mark.parametrize("command", FILES)
def test_pictures_that_cannot_be_written(command: str, tmp_path: Path) -> None:
    file = written("g.csv", GOLD, tmp_path)
    for picture, words in (
        (tmp_path / "a.txt", "its ending must be .png, .svg or .pdf"),
        (tmp_path / "no" / "a.svg", "there is no folder"),
    ):
        message = call(command, file, *FILES[command], "--plot", picture).refused()
        assert f"--plot {picture}: {words}" in message
    sheet = written("same.svg", GOLD, tmp_path)
    message = call(command, sheet, "--format", "csv", *FILES[command], "--plot", sheet).refused()
    assert "this is the input file" in message
    assert sheet.read_text() == GOLD
    assert sorted(path.name for path in tmp_path.iterdir()) == ["g.csv", "same.svg"]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("rule", "-o", "a.txt"), "-o a.txt: its ending must be .png, .svg or .pdf"),
        (("rule", "-o", "no/a.svg"), "there is no folder no"),
        (("rule", "--k", 5, "-o", "a.svg"), "5"),
        (("worst-case", "--rule", "best", "-o", "a.svg"), "best"),
        (("guarantee", "--tpr", 1.5, "-o", "a.svg"), "1.5"),
        (("rule", "--n", 10**9, "-o", "a.svg"), "at most 100,000"),
    ],
)
def test_refused(arguments: tuple[object, ...], words: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    plain = [part for pair in zip(PANEL[::2], PANEL[1::2], strict=True) if pair[0] not in arguments for part in pair]
    assert words in call("plot", *arguments, *plain).refused()
    assert not list(tmp_path.iterdir())


def test_without_matplotlib(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("matplotlib", "matplotlib.figure", "matplotlib.style"):
        monkeypatch.setitem(sys.modules, name, None)
    message = call("plot", "rule", *PANEL, "-o", tmp_path / "a.svg").refused()
    assert "pip install 'matplotlib>=3.10'" in message
    assert not list(tmp_path.iterdir())
