"""Real crowds, honest and under attack: our rules beside crowd-kit's, accuracy, squared loss and time.

Run: ``python benchmarks/attack_study.py natural``, ``given`` (the adversaries that come with the data) or ``injected
[--seeds 20]`` (strategies of `bribeproof.corrupt`), with crowd-kit installed and the data packs beside the project.
Each prints a table of Markdown. A tie counts its share; the squared loss of m classes is half of the sum over classes.
"""

import argparse
import time
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
from numpy.typing import NDArray

import bribeproof as bp

DATA = Path(__file__).resolve().parents[1] / ".." / "shared" / "data"
NATURAL = ("bluebird", "dog", "rte", "trec", "web")
GIVEN = ("bird", "dog", "rte", "temp", "web", "wsd", "adult2")
STRATEGIES = ("opposite", "random", "high", "low", "collude", "close")
SHARES = (0.0, 0.15, 0.3, 0.45)
FLOOR = 1e-9

Floats = NDArray[np.float64]
Method = Callable[[pl.DataFrame, list[Any]], Floats]
"""Returns the forecast of each class for each task, tasks in order of appearance."""


def shares(k: int) -> Method:
    """Our k-ignorance shares; the plain shares where k reports of each label leave nothing."""

    def forecast(votes: pl.DataFrame, classes: list[Any]) -> Floats:
        columns = [f"share_{name}" for name in classes]
        plain = bp.aggregate_labels(votes, 0, classes=classes).select(columns).to_numpy()
        found: Floats = bp.aggregate_labels(votes, k, classes=classes).select(columns).to_numpy()
        return np.where(np.isnan(found.astype(float)), plain, found.astype(float))

    return forecast


def crowd_kit(name: str, **options: Any) -> Method:
    """Return one of crowd-kit's aggregators, with its probabilities where it has any."""

    def forecast(votes: pl.DataFrame, classes: list[Any]) -> Floats:
        model = getattr(import_module("crowdkit.aggregation"), name)(**options)
        frame = votes.to_pandas()
        tasks = votes["task"].unique(maintain_order=True).to_list()
        if hasattr(model, "fit_predict_proba"):
            found = model.fit_predict_proba(frame)
            return table(found, tasks, classes)
        labels = model.fit_predict(frame).reindex(tasks)
        return np.stack([(labels == label).to_numpy(float) for label in classes], axis=1)

    return forecast


def weighted(name: str) -> Method:
    """Return a majority vote weighted by skills; crowd-kit's own last step fails beside scikit-learn 1.9."""

    def forecast(votes: pl.DataFrame, classes: list[Any]) -> Floats:
        crowd, frame = import_module("crowdkit.aggregation"), votes.to_pandas()
        skills = getattr(crowd, name)().fit(frame).skills_
        tasks = votes["task"].unique(maintain_order=True).to_list()
        return table(crowd.MajorityVote().fit_predict_proba(frame, skills), tasks, classes)

    return forecast


def table(found: pd.DataFrame, tasks: list[Any], classes: list[Any]) -> Floats:
    """Return probabilities in the order of tasks and classes."""
    return np.asarray(found.reindex(index=tasks, columns=classes).fillna(0.0).to_numpy(), dtype=np.float64)


METHODS: dict[str, Method] = {
    "shares (k = 0)": shares(0),
    "k-ignorance, k = 1": shares(1),
    "k-ignorance, k = 2": shares(2),
    "MajorityVote": crowd_kit("MajorityVote"),
    "Wawa": weighted("Wawa"),
    "ZeroBasedSkill": weighted("ZeroBasedSkill"),
    "DawidSkene": crowd_kit("DawidSkene", n_iter=100),
    "OneCoinDawidSkene": crowd_kit("OneCoinDawidSkene", n_iter=100),
    "GLAD": crowd_kit("GLAD"),
    "MACE": crowd_kit("MACE", random_state=0),
    "MMSR": crowd_kit("MMSR", random_state=0),
    "KOS": crowd_kit("KOS", random_state=0),
}
SLOW = ("GLAD", "MACE")
"""Left out but on the crowds as they are."""


@dataclass(frozen=True, slots=True)
class Score:
    """What a method is worth on one table."""

    accuracy: float
    squared: float
    seconds: float


def score(method: Method, votes: pl.DataFrame, truth: dict[Any, Any]) -> Score | None:
    """Measure one method; None where it takes another number of classes."""
    classes = sorted(votes["label"].unique().to_list())
    if method is METHODS["KOS"] and len(classes) != 2:
        return None
    start = time.perf_counter()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        forecast = method(votes, classes)
    spent = time.perf_counter() - start
    tasks = votes["task"].unique(maintain_order=True).to_list()
    known = np.array([task in truth for task in tasks])
    right = np.array([[truth.get(task) == label for label in classes] for task in tasks])[known]
    forecast = forecast[known]
    forecast = forecast / np.maximum(forecast.sum(axis=1, keepdims=True), FLOOR)
    top = forecast >= forecast.max(axis=1, keepdims=True) - FLOOR
    accuracy = float(((top * right).sum(axis=1) / top.sum(axis=1)).mean())
    return Score(accuracy, float(((forecast - right) ** 2).sum(axis=1).mean() / 2), spent)


def natural() -> Iterator[tuple[str, str, pl.DataFrame, dict[Any, Any]]]:
    """Yield crowds as they are."""
    for name in NATURAL:
        votes, truth = (pd.read_csv(DATA / "crowd" / f"{name}{ending}.csv") for ending in ("", "_truth"))
        yield name, "as it is", pl.from_pandas(votes), dict(zip(truth["task"], truth["label"], strict=True))


def given() -> Iterator[tuple[str, str, pl.DataFrame, dict[Any, Any]]]:
    """Yield crowds with the adversaries that come with the data, the first draw of each level."""
    for name in GIVEN:
        folder = DATA / "adversarial_crowd" / name
        truth = pd.read_csv(folder / "truth.csv")
        for path in sorted(folder.glob("F*_r1.csv"), key=lambda path: int(path.name[1:3])):
            votes = pl.read_csv(path)
            share = int(path.name[1:3]) / votes["worker"].n_unique()
            yield name, f"{share:.0%}", votes, dict(zip(truth["task"], truth["label"], strict=True))


def injected(seeds: int) -> Iterator[tuple[str, str, pl.DataFrame, dict[Any, Any]]]:
    """Yield crowds with adversaries of our own."""
    for name, _, votes, truth in natural():
        if name == "trec":
            continue
        workers = votes["worker"].n_unique()
        for strategy in STRATEGIES:
            for share in SHARES:
                for seed in range(seeds if share else 1):
                    k = round(share * workers)
                    attacked = bp.corrupt(votes, k, strategy=strategy, kind="labels", truth=truth, seed=seed)
                    yield name, f"{strategy} {share:.0%}", attacked, truth


def main() -> None:
    """Print one row per crowd and attack, one column per method."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=["natural", "given", "injected"])
    parser.add_argument("--seeds", type=int, default=20)
    given_arguments = parser.parse_args()
    many = given_arguments.what != "natural"
    crowds: dict[str, Callable[[], Iterator[tuple[str, str, pl.DataFrame, dict[Any, Any]]]]] = {
        "natural": natural,
        "given": given,
        "injected": lambda: injected(given_arguments.seeds),
    }
    methods = {name: method for name, method in METHODS.items() if not (many and name in SLOW)}
    print("| crowd | adversaries | " + " | ".join(methods) + " |")
    print("|---|---|" + "---|" * len(methods), flush=True)
    found: dict[tuple[str, str], dict[str, list[Score]]] = {}
    for crowd, attack, votes, truth in crowds[given_arguments.what]():
        row = found.setdefault((crowd, attack), {name: [] for name in methods})
        for name, method in methods.items():
            measured = score(method, votes, truth)
            if measured:
                row[name].append(measured)
        if given_arguments.what != "injected":
            print(_row(crowd, attack, row), flush=True)
    if given_arguments.what == "injected":
        print(*(_row(*key, row) for key, row in found.items()), sep="\n")
    seconds = {name: sum(one.seconds for row in found.values() for one in row[name]) for name in methods}
    print(
        "| all | seconds, of shares' | "
        + " | ".join(f"{spent / seconds['shares (k = 0)']:.1f}" for spent in seconds.values())
        + " |"
    )


def _row(crowd: str, attack: str, row: dict[str, list[Score]]) -> str:
    """Write accuracy and squared loss of each method."""
    cells = [
        f"{np.mean([one.accuracy for one in scores]):.3f} / {np.mean([one.squared for one in scores]):.3f}"
        if scores
        else "–"
        for scores in row.values()
    ]
    return f"| {crowd} | {attack} | " + " | ".join(cells) + " |"


if __name__ == "__main__":
    main()
