"""Aggregation with a weight for each reporter, and its guarantee."""
