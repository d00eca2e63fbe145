"""Aggregate votes, labels and scores in data frames."""
