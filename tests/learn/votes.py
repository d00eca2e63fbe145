"""Votes of five models on nine samples, and the truth."""

import numpy as np

POSITIVES = [[1, 1, 1, 1, 0], [1, 1, 0, 1, 1], [1, 0, 1, 1, 1], [1, 1, 1, 0, 0]]
NEGATIVES = [[0, 0, 0, 0, 0], [0, 0, 0, 1, 0], [0, 0, 0, 0, 1], [0, 1, 0, 0, 0], [0, 0, 0, 0, 0]]
VOTES = np.array([*POSITIVES, *NEGATIVES])
TRUTH = np.array([1] * 4 + [0] * 5)
