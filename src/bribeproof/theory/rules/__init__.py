"""Aggregation rules and their closed forms."""
