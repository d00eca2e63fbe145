"""Measure the time and losses of the ensemble experiment against drawing the vote of every adversary.

Run: ``python benchmarks/ensemble.py``. Ours evaluates all rules under all strategies from counts of images; the other
way evaluates only the random strategy, image by image.
"""

import numpy as np
from numpy.typing import NDArray

from bribeproof.paper.ensemble.experiment.rules import competitors, costs_of
from bribeproof.paper.ensemble.experiment.run import run_experiment
from bribeproof.theory import Expert
from contest import Case, Peer, ratios

MODELS, IMAGES, GROUPS, COUNTS = 100, 10_000, 50, range(0, 100, 5)
EXPERT = Expert(0.1, 0.6, 0.03)


def image_by_image(votes: NDArray[np.bool_], truth: NDArray[np.bool_]) -> NDArray[np.float64]:
    """Return the mean costs of every rule when each adversary votes at random: an array of rules × measures."""
    rng = np.random.default_rng(0)
    truthful, state = votes.sum(axis=0), truth.astype(int)
    found = []
    for k in COUNTS:
        costs = costs_of(competitors(MODELS + k, sorted({k // 2, k, 2 * k}), EXPERT))
        groups = []
        for _ in range(GROUPS):
            seen = truthful + (rng.random((k, IMAGES)) < 0.5).sum(axis=0)
            groups.append([[measure[state, seen].mean() for measure in rule] for rule in costs])
        found.append(np.mean(groups, axis=0))
    return np.concatenate(found)


def main() -> None:
    """Print the ratio of times, and the largest difference of losses in standard errors."""
    rng = np.random.default_rng(1)
    truth = rng.random(IMAGES) < EXPERT.prior
    votes = rng.random((MODELS, IMAGES)) < np.where(truth, EXPERT.tpr, EXPERT.fpr)
    plain = Peer(lambda: image_by_image(votes, truth), goal=1 / 5, runs=3)
    case = Case("ensemble", lambda: run_experiment(votes, truth, truth, EXPERT), {"every vote drawn": plain})
    for name, found in ratios(case).items():
        print(f"time over that of {name}: {found}")
    table = run_experiment(votes, truth, truth, EXPERT).table.filter(strategy="random")
    ours, spread = (table[name].to_numpy() for name in ("squared_loss", "squared_loss_sd"))
    distance = np.abs(ours - image_by_image(votes, truth)[:, 0])
    errors = np.sqrt(2 / GROUPS) * spread
    drawn = errors > 1e-12
    print(f"largest difference of a squared loss: {distance.max():.1e}")
    print(f"in standard errors: {(distance[drawn] / errors[drawn]).max():.1f}")


if __name__ == "__main__":
    main()
