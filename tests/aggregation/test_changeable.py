"""How many decisions k bribed reporters could have changed, against all that they could have said or left out."""

import itertools
import random
import warnings
from collections.abc import Iterator
from typing import Any

import polars as pl
import pytest

import bribeproof as bp
from bribeproof.aggregation.summary import summarise

SILENT, FAULTY = "silent", "faulty"


def winner(votes: list[str], ties: str) -> str | None:
    """The plurality, by a tie rule; None at a tie without one."""
    most = [one for one in sorted(set(votes)) if votes.count(one) == max(map(votes.count, votes))]
    return most[0] if len(most) == 1 or ties == "first" else most[-1] if ties == "last" else None


def histories(votes: list[str], absent: list[str], k: int, *, asked: bool, classes: str) -> Iterator[list[str]]:
    """All votes that could have been there if k reporters, those who are known to be bribed among them, did otherwise.

    Where nobody states how many were asked, only those who report or are set aside can be among them.
    """
    known = len(absent) if asked else absent.count(FAULTY)
    for bought in itertools.combinations(range(len(votes)), k - known):
        honest = [vote for place, vote in enumerate(votes) if place not in bought]
        for acts in itertools.combinations_with_replacement([*classes, SILENT, FAULTY], k):
            yield [*honest, *(act for act in acts if act in classes)]


def games(number: int, seed: int) -> Iterator[dict[str, Any]]:
    """Random items: their votes, who is silent or set aside, and what is stated."""
    draw = random.Random(seed)  # noqa: S311
    for _ in range(number):
        asked, given = draw.random() < 0.6, draw.randint(3, 7)
        k = draw.randint(1, (given - 1) // 2)
        absent = draw.choices([SILENT, FAULTY] if asked else [FAULTY], k=draw.randint(0, k))
        classes = draw.choice(["ab", "abc"])
        votes = draw.choices(classes[: draw.randint(1, 3)], k=given - len(absent))
        ties = draw.choice(["none", "first", "last"])
        yield {
            "votes": votes,
            "absent": absent,
            "k": k,
            "given": given,
            "asked": asked,
            "classes": classes,
            "ties": ties,
        }


def says(game: dict[str, Any]) -> tuple[int, int, str | None]:
    """How many decisions the summary calls changeable, whether there is one, and the decision."""
    rows = [("t", f"w{place}", vote) for place, vote in enumerate(game["votes"])]
    for place in range(game["absent"].count(FAULTY)):
        rows += [("t", f"f{place}", "a"), ("t", f"f{place}", "b")]
    frame = pl.DataFrame(rows, schema=["task", "worker", "label"], orient="row")
    options: dict[str, Any] = {"asked": game["given"]} if game["asked"] else {}
    options |= {"classes": list(game["classes"]), "ties": game["ties"], "faulty": "set aside"}
    found = bp.aggregate_labels(frame, game["k"], **options)
    (swept,) = bp.sweep(frame, [game["k"]], kind="labels", **options).by_k["changeable"]
    assert swept == summarise(found.lazy(), "labels")["changeable"]
    return swept, int(found["status"][0] == "ok"), found["decision"][0]


@pytest.mark.filterwarnings("ignore:set aside", "ignore:1 item is not certified")
def test_a_decision_is_changeable_where_k_reporters_could_have_changed_it() -> None:
    wrong, certified, changed = [], 0, 0
    for game in games(150, seed=11):
        count, ok, decision = says(game)
        if not ok or decision is None:
            continue
        ways = ("votes", "absent", "k")
        could = any(
            winner(votes, game["ties"]) != decision
            for votes in histories(*(game[way] for way in ways), asked=game["asked"], classes=game["classes"])
            if votes
        )
        certified, changed = certified + 1, changed + could
        wrong += [game] * (count != could)
    assert (wrong, certified > 100, 20 < changed < certified) == ([], True, True)


def test_who_is_silent_though_asked_cannot_take_a_lead_of_two() -> None:
    """Two of three say yes. The third is the bribed one, and could have made it two to one."""
    votes = pl.DataFrame({"task": ["t", "t"], "worker": ["a", "b"], "label": ["yes", "yes"]})
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found = bp.aggregate_labels(votes, 1, classes=["no", "yes"], asked=3)
    assert summarise(found.lazy(), "labels")["changeable"] == 0
    both = bp.aggregate_labels(
        votes.vstack(votes[:1].with_columns(worker=pl.lit("c"))), 1, classes=["no", "yes"], asked=3
    )
    assert summarise(both.lazy(), "labels")["changeable"] == 0
    split = votes.vstack(pl.DataFrame({"task": ["t"], "worker": ["c"], "label": ["no"]}))
    assert summarise(bp.aggregate_labels(split, 1, asked=3).lazy(), "labels")["changeable"] == 1
