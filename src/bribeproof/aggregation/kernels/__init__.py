"""Per-item results as engine-neutral expressions, one file per kind of report."""
