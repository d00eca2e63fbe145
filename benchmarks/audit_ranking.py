"""Measure how well audits rank known adversaries, against crowd-kit's worker skills, by the area under the ROC curve.

Run: ``python benchmarks/audit_ranking.py`` with crowd-kit installed and the label sets beside the project.

In `bird` everybody reports on every item. In the other sets adversaries report far more than others, which alone
would tell them apart; there each adversary's reports are thinned to the number of a reporter drawn from the rest.
"""

import sys
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
from numpy.typing import NDArray
from scipy.stats import rankdata

from bribeproof.auditing.audit import audit

DATA = Path(__file__).resolve().parents[1] / ".." / "shared" / "data" / "adversarial_crowd"
SETS = ("bird", "dog", "rte", "temp", "web", "wsd", "adult2")
DRAWS = {"bird": 3}
"""How many of the draws to use, where not one."""

Ranking = Callable[[pl.DataFrame], dict[Any, float]]
"""A number for each worker; adversaries should have the largest."""


def area(score: dict[Any, float], bad: set[int]) -> float:
    """Return the share of pairs of an adversary and another that are in the right order; ties count half."""
    ranks = dict(zip(score, rankdata(list(score.values())), strict=True))
    wrong = len(score) - len(bad)
    return float((sum(ranks[who] for who in bad) - len(bad) * (len(bad) + 1) / 2) / (len(bad) * wrong))


def thinned(votes: pl.DataFrame, bad: set[int], seed: int) -> pl.DataFrame:
    """Leave each adversary as many reports as a reporter drawn from the others has."""
    rng = np.random.default_rng(seed)
    usual = votes.filter(~pl.col("worker").is_in(list(bad)))["worker"].value_counts()["count"].sort().to_numpy()
    kept = [votes.filter(~pl.col("worker").is_in(list(bad)))]
    for who in sorted(bad):
        own = votes.filter(worker=who)
        size = min(int(rng.choice(usual)), own.height)
        kept.append(own[np.sort(rng.choice(own.height, size, replace=False)).tolist()])
    return pl.concat(kept)


def ours(column: str) -> Ranking:
    def rank(votes: pl.DataFrame) -> dict[Any, float]:
        rows = audit(votes, k=1, kind="labels").reporters
        values = -rows[column] if column == "agreement" else rows[column]
        return dict(zip(rows["reporter"].to_list(), values.fill_null(-1.0).to_list(), strict=True))

    return rank


def theirs(name: str) -> Ranking:
    def rank(votes: pl.DataFrame) -> dict[Any, float]:
        crowd = import_module("crowdkit.aggregation")
        frame: pd.DataFrame = votes.to_pandas()
        if name == "DawidSkene":
            model = crowd.DawidSkene(n_iter=100).fit(frame)
            right = pd.Series({who: np.mean(np.diag(part)) for who, part in _errors(model.errors_)})
        elif name == "MMSR":
            right = crowd.MMSR(random_state=0).fit(frame).skills_
        elif name == "Wawa":
            right = crowd.Wawa().fit(frame).skills_
        else:
            right = crowd.ZeroBasedSkill().fit(frame).skills_
        return {who: -float(skill) for who, skill in right.fillna(0).items()}

    return rank


def _errors(errors: pd.DataFrame) -> list[tuple[Any, NDArray[np.float64]]]:
    """Return the confusion matrix of each worker: labels in the rows, truths in the columns."""
    classes = list(errors.columns)
    return [
        (who, part.droplevel(0).reindex(classes).reindex(columns=classes).fillna(0).to_numpy())
        for who, part in errors.groupby(level=0)
    ]


RANKINGS: dict[str, Ranking] = {
    "apart_excess": ours("apart_excess"),
    "agreement": ours("agreement"),
    "Wawa": theirs("Wawa"),
    "ZeroBasedSkill": theirs("ZeroBasedSkill"),
    "DawidSkene": theirs("DawidSkene"),
    "MMSR": theirs("MMSR"),
}


def main(sets: tuple[str, ...]) -> None:
    """Print a table: one row per set and number of adversaries, the mean over the draws."""
    listed = pl.read_csv(DATA / "corrupted_workers.csv")
    print("| set | adversaries | of reporters | " + " | ".join(RANKINGS) + " |")
    print("|---|---|---|" + "---|" * len(RANKINGS))
    for dataset in sets:
        rows = listed.filter(dataset=dataset)
        for count in rows["n_corrupted"].unique().sort():
            draws = rows.filter(n_corrupted=count)["rep"].unique().sort().to_list()[: DRAWS.get(dataset, 1)]
            areas: dict[str, list[float]] = {name: [] for name in RANKINGS}
            workers = 0
            for draw in draws:
                bad = set(rows.filter(n_corrupted=count, rep=draw)["worker"])
                votes = pl.read_csv(DATA / dataset / f"F{count:02d}_r{draw}.csv")
                if dataset != "bird":
                    votes = thinned(votes, bad, seed=draw)
                workers = votes["worker"].n_unique()
                for name, rank in RANKINGS.items():
                    areas[name].append(area(rank(votes), bad))
            means = " | ".join(f"{np.mean(values):.2f}" for values in areas.values())
            print(f"| {dataset} | {count} | {workers} | {means} |", flush=True)


if __name__ == "__main__":
    main(tuple(sys.argv[1:]) or SETS)
