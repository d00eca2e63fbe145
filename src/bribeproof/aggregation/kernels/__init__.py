"""Engine-neutral expressions that compute the result of each item, one module per kind of report."""
