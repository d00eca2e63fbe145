"""Load real crowds with known truth: unchanged, with adversaries from the data, or with simulated ones."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl

import bribeproof as bp

DATA = Path(__file__).resolve().parents[1] / ".." / "shared" / "data"
PLAIN = ("bluebird", "dog", "rte", "trec", "web")
PLANTED = ("bird", "dog", "rte", "temp", "web", "wsd", "adult2")
CROWDS = (*PLAIN, "temp", "wsd", "adult2")
"""The sets that differ: bird, dog, rte and web without adversaries are bluebird, dog, rte and web."""
STRATEGIES = ("opposite", "random", "high", "low", "copy", "collude", "close", "sleeper", "worst")
GOLD = 20
"""So many items have a truth that methods may know; they are left out of what is measured."""


@dataclass(frozen=True, slots=True)
class Crowd:
    """Votes with the columns task, worker and label, the truth, and the gold items that methods may use."""

    name: str
    votes: pl.DataFrame
    truth: dict[Any, Any]
    gold: dict[Any, Any]

    @property
    def classes(self) -> list[Any]:
        """All labels that occur, sorted."""
        return sorted(self.votes["label"].unique().to_list())

    def with_votes(self, votes: pl.DataFrame) -> "Crowd":
        """Return the same items with other votes."""
        return Crowd(self.name, votes, self.truth, self.gold)


def natural(name: str) -> Crowd:
    """Return a crowd without adversaries."""
    if name in PLAIN:
        folder = DATA / "crowd"
        return _read(name, folder / f"{name}.csv", folder / f"{name}_truth.csv")
    return next(crowd for share, crowd in planted(name) if share == 0)


def known_prior_loss(name: str) -> float:
    """Return what is lost by whoever knows how frequent each class is, and hears nobody."""
    counts = pl.Series(list(natural(name).truth.values())).value_counts()["count"]
    return float((1 - ((counts / counts.sum()) ** 2).sum()) / 2)


def planted(name: str) -> Iterator[tuple[float, Crowd]]:
    """Yield a crowd with the adversaries of the data set, for each of their shares and draws."""
    folder = DATA / "adversarial_crowd" / name
    for path in sorted(folder.glob("F*.csv"), key=lambda path: (int(path.name[1:3]), path.name)):
        crowd = _read(name, path, folder / "truth.csv")
        yield int(path.name[1:3]) / crowd.votes["worker"].n_unique(), crowd


def with_gold(crowd: Crowd, seed: int, number: int = GOLD) -> Crowd:
    """Draw so many gold items, whose truth methods may use."""
    items = sorted(set(crowd.truth) & set(crowd.votes["task"].to_list()), key=str)
    chosen = np.random.default_rng(seed).choice(len(items), number, replace=False)
    return Crowd(crowd.name, crowd.votes, crowd.truth, {items[place]: crowd.truth[items[place]] for place in chosen})


def attacked(crowd: Crowd, strategy: str, share: float, seed: int) -> Crowd:
    """Bribe a share of the reporters, who lie on the items that they answered; sleepers are honest on gold items."""
    k = round(share * crowd.votes["worker"].n_unique())
    options: dict[str, Any] = {"kind": "labels"}
    if strategy == "copy":
        options["copy"] = crowd.votes["worker"].value_counts(sort=True)["worker"][0]
    if strategy == "sleeper":
        options["gold_items"] = list(crowd.gold)
    if strategy == "worst":
        options = {"kind": "votes", "expert": _expert(crowd)}
    return crowd.with_votes(
        bp.corrupt(crowd.votes, k, strategy=strategy, truth=crowd.truth, seed=seed, **options) if k else crowd.votes
    )


def _read(name: str, votes: Path, truth: Path) -> Crowd:
    """Read a crowd and its truth."""
    known = pd.read_csv(truth)
    return Crowd(name, pl.from_pandas(pd.read_csv(votes)), dict(zip(known["task"], known["label"], strict=True)), {})


def _expert(crowd: Crowd) -> bp.Expert:
    """Return the prior and the rates of the average vote given the truth; label 1 is positive."""
    truth = pl.DataFrame({"task": list(crowd.truth), "true": list(crowd.truth.values())})
    said = crowd.votes.join(truth, on="task").select(pl.col("label", "true") == 1)
    rates = dict(said.group_by("true").agg(pl.col("label").mean()).iter_rows())
    prior = sum(label == 1 for label in crowd.truth.values()) / len(crowd.truth)
    return bp.Expert(prior, rates[True], rates[False])
