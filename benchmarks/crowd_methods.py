"""The methods that `attack_study.py` compares on crowds: ours and those of crowd-kit."""

import time
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from typing import Any

import numpy as np
import pandas as pd

import bribeproof as bp
from bribeproof._typing import FloatArray
from crowd_pairs import Weighed, calibrated, to_probabilities, under_pairs
from crowd_sets import Crowd

FLOOR = 1e-9
Method = Callable[[Crowd], FloatArray]
"""Returns the forecast of each class for each task, tasks in order of appearance."""


def shares(k: int) -> Method:
    """Return our k-ignorance shares; the plain shares where ignoring k reports of each label leaves none."""

    def forecast(crowd: Crowd) -> FloatArray:
        columns = [f"share_{name}" for name in crowd.classes]
        plain, found = (
            bp.aggregate_labels(crowd.votes, heads, classes=crowd.classes).select(columns).to_numpy().astype(float)
            for heads in (0, k)
        )
        filled: FloatArray = np.where(np.isnan(found), plain, found)
        return filled

    return forecast


def weighed(k: int, *, gold: bool = False) -> Method:
    """Return our shares with learned weights, with gold items or without; as for k = 0 where k leaves none."""

    def forecast(crowd: Crowd) -> FloatArray:
        columns = [f"share_{name}" for name in crowd.classes]
        truth = crowd.gold if gold else None
        plain, found = (
            bp.weigh(crowd.votes, heads, truth=truth, classes=crowd.classes).items.select(columns).to_numpy()
            for heads in (0, k)
        )
        filled: FloatArray = np.where(np.isnan(found.astype(float)), plain, found).astype(float)
        return filled

    return forecast


def plurality(crowd: Crowd) -> FloatArray:
    """Return the most frequent class, with equal shares at a tie; for two classes this is the median."""
    return _top(shares(0)(crowd))


def crowd_kit(name: str, **options: Any) -> Method:
    """Return one of crowd-kit's aggregators, with its probabilities where it has any."""

    def forecast(crowd: Crowd) -> FloatArray:
        model = getattr(import_module("crowdkit.aggregation"), name)(**options)
        frame = crowd.votes.to_pandas()
        tasks = crowd.votes["task"].unique(maintain_order=True).to_list()
        if hasattr(model, "fit_predict_proba"):
            return _table(model.fit_predict_proba(frame), tasks, crowd.classes)
        labels = model.fit_predict(frame).reindex(tasks)
        return np.stack([(labels == label).to_numpy(float) for label in crowd.classes], axis=1)

    return forecast


def by_skill(name: str) -> Method:
    """Return a majority vote weighted by skills; crowd-kit's own last step fails beside scikit-learn 1.9."""

    def forecast(crowd: Crowd) -> FloatArray:
        kit, frame = import_module("crowdkit.aggregation"), crowd.votes.to_pandas()
        skills = getattr(kit, name)().fit(frame).skills_
        tasks = crowd.votes["task"].unique(maintain_order=True).to_list()
        return _table(kit.MajorityVote().fit_predict_proba(frame, skills), tasks, crowd.classes)

    return forecast


def pairs(k: int) -> Method:
    """Return our rule for shares of weight, for the mean weight that errs on gold items and its mean square."""
    return lambda crowd: to_probabilities(under_pairs(Weighed.of(crowd, k)).forecast)


METHODS: dict[str, Method] = {
    "shares": shares(0),
    "plurality": plurality,
    "k-ignorance, k = 1": shares(1),
    "k-ignorance, k = 2": shares(2),
    "weighed, k = 0": weighed(0),
    "weighed, k = 1": weighed(1),
    "weighed with gold, k = 0": weighed(0, gold=True),
    "weighed with gold, k = 1": weighed(1, gold=True),
    "calibrated, k = 1": lambda crowd: to_probabilities(calibrated(crowd, 1).forecast),
    "weighed under pairs, k = 0": pairs(0),
    "weighed under pairs, k = 1": pairs(1),
    "MajorityVote": crowd_kit("MajorityVote"),
    "Wawa": by_skill("Wawa"),
    "ZeroBasedSkill": by_skill("ZeroBasedSkill"),
    "DawidSkene": crowd_kit("DawidSkene", n_iter=100),
    "GLAD": crowd_kit("GLAD"),
    "MACE": crowd_kit("MACE", random_state=0),
    "MMSR": crowd_kit("MMSR", random_state=0),
    "KOS": crowd_kit("KOS", random_state=0),
}
DEAR = ("ZeroBasedSkill", "GLAD", "MACE", "MMSR")
"""Each run of these takes from one second to minutes."""
BY_GOLD = (
    "weighed with gold, k = 0",
    "weighed with gold, k = 1",
    "calibrated, k = 1",
    "weighed under pairs, k = 0",
    "weighed under pairs, k = 1",
)
"""These know the truth of the gold items."""


@dataclass(frozen=True, slots=True)
class Score:
    """Result of a method on one crowd: accuracy, squared loss (half of the sum over classes), and seconds."""

    accuracy: float
    squared: float
    seconds: float


def score(name: str, crowd: Crowd) -> Score | None:
    """Measure a method on the items with known truth that are not gold; None if it does not support the crowd."""
    if (name == "KOS" and len(crowd.classes) != 2) or (name in BY_GOLD and not crowd.gold):
        return None
    start = time.perf_counter()
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        try:
            forecast = METHODS[name](crowd)
        except (
            KeyError,
            ValueError,
        ):  # crowd-kit's KOS where evidence is exactly even; its MMSR where nobody has skill
            return None
    spent = time.perf_counter() - start
    tasks = crowd.votes["task"].unique(maintain_order=True).to_list()
    measured = np.array([task in crowd.truth and task not in crowd.gold for task in tasks])
    classes = crowd.classes
    right = np.array([[crowd.truth.get(task) == label for label in classes] for task in tasks])[measured]
    forecast = forecast[measured]
    forecast = forecast / np.maximum(forecast.sum(axis=1, keepdims=True), FLOOR)
    accuracy = float((_top(forecast) * right).sum(axis=1).mean())
    return Score(accuracy, float(((forecast - right) ** 2).sum(axis=1).mean() / 2), spent)


def _top(forecast: FloatArray) -> FloatArray:
    """Return equal shares for the classes with the highest forecast."""
    top = forecast >= forecast.max(axis=1, keepdims=True) - FLOOR
    shared: FloatArray = top / top.sum(axis=1, keepdims=True)
    return shared


def _table(found: pd.DataFrame, tasks: list[Any], classes: list[Any]) -> FloatArray:
    """Return probabilities in the order of tasks and classes."""
    return np.asarray(found.reindex(index=tasks, columns=classes).fillna(0.0).to_numpy(), dtype=np.float64)
