"""Panels whose reports are labels of m classes: the random dictator, and the optimal rule by linear programming."""
