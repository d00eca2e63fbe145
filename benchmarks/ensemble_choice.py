"""Choose what the pairwise rule of the ensemble experiment takes for true: observed rates, or bounds of them.

Run: ``python benchmarks/ensemble_choice.py digits cifar10=FOLDER --cache FOLDER``. No test image is used: rates and
joint errors are measured on one half of the training images and the losses on the other half, each time by the models
that have not seen an image. Printed are mean losses over several splits.
"""

import argparse
from pathlib import Path

import numpy as np

from bribeproof._typing import BoolArray, IntArray
from bribeproof.paper.ensemble.experiment.adversaries import extreme, worst
from bribeproof.paper.ensemble.experiment.pipeline import TARGETS, TRAININGS
from bribeproof.paper.ensemble.experiment.rules import Competitor, costs_of
from bribeproof.paper.ensemble.images.load import load_images
from bribeproof.paper.ensemble.models.train import train
from bribeproof.rules import trimmed_mean
from bribeproof.theory import Panel
from bribeproof.theory.inference.gold import Gold
from bribeproof.theory.minimax.optimal import least_loss_rule

MODELS, SPLITS = 40, 5
CONFIDENCE = 0.5


def drawn_tally(votes: BoolArray, held: BoolArray, truth: BoolArray, rng: np.random.Generator) -> IntArray:
    """Return the tally of a number of models that have not seen an image, drawn for each image that has so many."""
    enough = held.sum(axis=0) >= MODELS
    order = np.argsort(np.where(held[:, enough], rng.random((len(votes), int(enough.sum()))), 2.0), axis=0)[:MODELS]
    yes = np.take_along_axis(votes[:, enough], order, axis=0).sum(axis=0)
    return np.bincount(yes + (MODELS + 1) * truth[enough], minlength=2 * (MODELS + 1)).reshape(2, -1)


def main() -> None:
    """Print the losses of the rule with observed rates and of that with bounds, beside the trimmed mean."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", nargs="+", help="digits, cifar10=FOLDER, fashion-mnist=FOLDER")
    parser.add_argument("--cache", type=Path, required=True)
    given = parser.parse_args()
    for named in given.data:
        name, _, path = named.partition("=")
        images = load_images(name, Path(path) if path else None)
        found = train(images, TRAININGS[name], given.cache)
        label = images.classes.index(TARGETS[name])
        votes, truth, held = found.train == label, images.train_labels == label, ~found.seen
        rng, losses = np.random.default_rng(0), []
        counts = range(0, MODELS, MODELS // 10)
        for _ in range(SPLITS):
            half = rng.random(len(truth)) < 0.5
            gold = Gold.from_matrix((votes == truth)[:, half].T, truth[half], held[:, half].T)
            tally = drawn_tally(votes[:, ~half], held[:, ~half], truth[~half], rng)
            plain = Panel(len(votes))
            known = gold.observed_interval(plain), gold.expert_interval(plain, CONFIDENCE)
            rows = []
            for k in counts:
                panel = Panel(MODELS + k, k)
                rules = [least_loss_rule(panel, bounds) for bounds in known]
                costs = costs_of([Competitor(rule) for rule in (*rules, trimmed_mean(panel))])
                rows.append([each(costs, tally, k)[:, 0, 0] for each in (extreme, worst)])
            losses.append(rows)
        means = np.mean(losses, axis=0)
        print(f"{name}: {MODELS} models, mean squared loss over {SPLITS} splits of the training images")
        print("adversaries | extreme: observed, bounds, trimmed mean | worst: observed, bounds, trimmed mean")
        for k, row in zip(counts, means, strict=True):
            print(f"{k:11} | " + " | ".join(" ".join(f"{loss:.4f}" for loss in part) for part in row))


if __name__ == "__main__":
    main()
