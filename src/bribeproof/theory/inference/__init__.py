"""Confidence bounds for error rates from gold items."""
