"""How many decisions k bribed reporters could have changed, against all that they could have said or left out."""

import itertools
import random
import warnings
from collections.abc import Iterator
from typing import Any

import polars as pl
import pytest

import bribeproof as bp
from bribeproof.aggregation.summary import changeable, summarise

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


def decide(games: list[dict[str, Any]]) -> list[tuple[bool, str | None]]:
    """Whether each of some games with the same rules counts as changeable, and its decision if it is certified."""
    first, rows = games[0], []
    for name, game in enumerate(games):
        given = game["given"]
        rows += [(str(name), f"w{place}", vote, given) for place, vote in enumerate(game["votes"])]
        for place in range(game["absent"].count(FAULTY)):
            rows += [(str(name), f"f{place}", vote, given) for vote in "ab"]
    frame = pl.DataFrame(rows, schema=["task", "worker", "label", "given"], orient="row")
    options: dict[str, Any] = {"asked": "given"} if first["asked"] else {}
    options |= {"classes": list(first["classes"]), "ties": first["ties"], "faulty": "set aside"}
    found = bp.aggregate_labels(frame, first["k"], **options).sort(pl.col("task").cast(pl.Int64))
    said = found.select(changeable(found.columns)).to_series().fill_null(value=False)
    assert summarise(found.lazy(), "labels")["changeable"] == said.sum()
    assert bp.sweep(frame, [first["k"]], kind="labels", **options).by_k["changeable"][0] == said.sum()
    return list(zip(said, found["decision"], strict=True))


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore:set aside", "ignore:.* not certified")
def test_a_decision_is_changeable_where_k_reporters_could_have_changed_it() -> None:
    alike: dict[Any, list[dict[str, Any]]] = {}
    for game in games(600, seed=11):
        alike.setdefault(tuple(game[rule] for rule in ("asked", "k", "classes", "ties")), []).append(game)
    wrong, certified, changed = [], 0, 0
    for group in alike.values():
        for game, (said, decision) in zip(group, decide(group), strict=True):
            if decision is None:
                continue
            ways = (game[way] for way in ("votes", "absent", "k"))
            possible = histories(*ways, asked=game["asked"], classes=game["classes"])
            could = any(winner(votes, game["ties"]) != decision for votes in possible if votes)
            certified, changed = certified + 1, changed + could
            wrong += [game] * (said != could)
    assert (wrong, certified > 400, 100 < changed < certified) == ([], True, True)


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
