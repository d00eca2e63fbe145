"""Aggregation rules of binary reports: their forecasts, closed forms, guarantees and breakdown points."""
