"""Trimmed means, vote counts and manipulation ranges of dense NumPy arrays."""
