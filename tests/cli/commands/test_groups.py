"""Groups, prices and a budget on the command line."""

import json
from pathlib import Path

from tests.cli.command import call
from tests.paths import ROOT

_POSTS = ROOT / "examples" / "moderation.csv"
_NAMES = ("amy", "ben", "cai", "dee", "eli", "fay", "gus", "hal", "ida", "jon", "kim", "lea")
_JUDGES = ROOT / "examples" / "judges.csv"


def test_aggregate_reads_groups_from_a_column_and_from_a_file(tmp_path: Path) -> None:
    posts = call("aggregate", _POSTS, "--k", 1, "--group", "agency", "--rows", 0)
    assert posts.out.splitlines()[0] == (
        "40 items, 12 reporters, k = 1 group (agency), at most 3 reports on an item: 40 ok."
    )
    assert "left out: 'agency' (a group)" in posts.err
    nations = tmp_path / "nations.csv"
    nations.write_text("judge,nation\njudge_1,NOR\njudge_2,NOR\n", encoding="utf-8")
    judges = call("aggregate", _JUDGES, "--k", 1, "--group", nations, "--rows", 0)
    assert "k = 1 group, at most 2 reports on an item: 6 ok" in judges.out


def test_aggregate_spends_a_budget(tmp_path: Path) -> None:
    fees = tmp_path / "fees.csv"
    fees.write_text("group,price\nNorth,3\nPallas,2\nQuill,2.5\nhal,1\nida,1\njon,1\nkim,1\nlea,1\n", encoding="utf-8")
    spent = call("aggregate", _POSTS, "--group", "agency", "--price", fees, "--budget", 4, "--json")
    result = json.loads(spent.out)
    spent_on = {"of": "agency", "groups": None, "budget": 4.0, "reports": None, "asked": False}
    assert result["summary"]["bribes"] == spent_on
    assert {"budget", "price_needed"} <= set(result["items"][0])
    fees.write_text(fees.read_text(encoding="utf-8").replace("group,", "agency,"), encoding="utf-8")
    assert call("aggregate", _POSTS, "--group", "agency", "--price", fees, "--budget", 4, "--json").out == spent.out


def test_options_that_do_not_go_together_are_refused() -> None:
    for options, message in (
        (("--group", "agency"), "how many groups"),
        (("--group", "agency", "--share", "0.2"), "counts groups"),
        (("--group", "agency", "--k", 1, "--budget", 3), "how many groups"),
        (("--k", 1, "--price", "agency"), "give both"),
        (("--group", "firm", "--k", 1), "there is no column 'firm'"),
    ):
        assert message in call("aggregate", _POSTS, *options).refused()


def test_names_of_others_an_endless_budget_and_commands_without_groups_are_one_line(tmp_path: Path) -> None:
    others, fees = tmp_path / "others.csv", tmp_path / "fees.csv"
    others.write_text("reporter,group\nAmy Z,North\nBen Z,North\n", encoding="utf-8")
    fees.write_text("reporter,price\n" + "".join(f"{name},1\n" for name in _NAMES), encoding="utf-8")
    for command in ("aggregate", "bribe", "weigh", "sweep", "certify"):
        gold = ["--gold", "truth"] if command == "certify" else []
        k = "--most-k" if command == "sweep" else "--k"
        mistyped = call(command, _POSTS, *gold, k, 1, "--group", others)
        assert mistyped.err.splitlines()[-1].startswith("bribeproof: group names none of the reporters, who are 'amy'")
        endless = call(command, _POSTS, *gold, "--price", fees, "--budget", "1e400")
        assert endless.err.splitlines()[-1].startswith("bribeproof: budget = 1e400: give a number of at most 1e300")
    for command in ("audit", "attack"):
        refused = call(command, _POSTS, "--k", 1, "--group", "agency")
        assert refused.err.startswith("bribeproof: this command has no --group; audit and attack count reporters: give")


def test_sweep_goes_through_numbers_of_groups_and_through_budgets(tmp_path: Path) -> None:
    swept = json.loads(call("sweep", _POSTS, "--group", "agency", "--json", "--most-k", 2).out)
    assert [(row["k"], row["certified"], row["changeable"]) for row in swept["summary"]] == [
        (0, 40, 0), (1, 40, 6), (2, 35, 21)
    ]  # fmt: skip
    fees = tmp_path / "fees.csv"
    fees.write_text("group,price\nNorth,3\nPallas,2\nQuill,2.5\nhal,1\nida,1\njon,1\nkim,1\nlea,1\n", encoding="utf-8")
    options = ("--group", "agency", "--price", fees)
    spent = json.loads(call("sweep", _POSTS, *options, "--budget", "0,4", "--json").out)
    aggregated = json.loads(call("aggregate", _POSTS, *options, "--budget", 4, "--json").out)["summary"]
    assert [row["budget"] for row in spent["summary"]] == [0, 4]
    assert spent["summary"][1]["changeable"] == aggregated["changeable"]
    text = call("sweep", _POSTS, *options, "--budget", "0,4", "--prior", 0.5, "--tpr", 0.9, "--fpr", 0.1).out
    assert "Changed or lost first at a budget of 4: " in text
    assert "With a budget of 4 it is worth nothing" in text or "worth something up to a budget of 4" in text
    picture = tmp_path / "sweep.svg"
    assert call("sweep", _POSTS, *options, "--budget", "0,4", "--plot", picture).status == 0
    assert "Budget" in picture.read_text(encoding="utf-8")
    assert "give both" in call("sweep", _POSTS, "--group", "agency", "--budget", "0,4").refused()
    assert "--most-k counts bribes" in call("sweep", _POSTS, *options, "--budget", "0", "--most-k", 1).refused()


def test_weigh_counts_groups_and_money(tmp_path: Path) -> None:
    honest = ("--prior", 0.5, "--tpr", 0.95, "--fpr", 0.05)
    weighed = call("weigh", _POSTS, "--k", 1, "--group", "agency", *honest)
    assert "k = 1 group (agency), at most 3 reports on an item, weight spread 0.5: 40 ok" in weighed.out
    assert "with k = 1 group (agency) bribed, whatever they report" in weighed.out
    fees = tmp_path / "fees.csv"
    fees.write_text("labeller,price\n" + "".join(f"{name},2\n" for name in _NAMES), encoding="utf-8")
    spent = json.loads(call("weigh", _POSTS, "--price", fees, "--budget", 5, *honest, "--json").out)
    assert (spent["k"], spent["bribes"]["budget"]) == ({"least": 2, "most": 2}, 5)
    assert {row["k"] for row in spent["answers"]} == {2}
    assert "with --k 1; how many groups" in call("weigh", _POSTS, "--group", "agency").refused()
    assert "--share" not in call("weigh", _POSTS).refused()


def test_certify_counts_groups_and_money(tmp_path: Path) -> None:
    known = ("--gold", "truth", "--group", "agency")
    counted = call("certify", _POSTS, *known, "--k", 2)
    assert "40 gold items; 12 reporters in 8 groups (agency); plurality" in counted.out
    assert "If the same k groups (agency) are bribed on all items:" in counted.out
    fixed = json.loads(call("certify", _POSTS, *known, "--k", 2, "--no-silence", "--json").out)
    free = json.loads(call("certify", _POSTS, *known, "--k", 2, "--json").out)
    assert [row["robust"] for row in free["by_k"]] <= [row["robust"] for row in fixed["by_k"]]
    assert fixed["by_k"][2]["absolute"] < free["by_k"][2]["absolute"]
    assert "who reports on an item is taken as given" in fixed["condition"]
    fees = tmp_path / "fees.csv"
    fees.write_text("group,price\nNorth,3\nPallas,2\nQuill,2.5\nhal,1\nida,1\njon,1\nkim,1\nlea,1\n", encoding="utf-8")
    spent = call("certify", _POSTS, *known, "--price", fees, "--budget", "2,4")
    assert "are bribed for at most 4, perhaps others on each item" in spent.out
    assert " 2.000" not in spent.out
    assert "--group or --price" in call("certify", _POSTS, "--gold", "truth", "--no-silence").refused()
    assert "give both" in call("certify", _POSTS, *known, "--budget", 2).refused()
