"""Statistics of every reporter: deviations from the others, and copies."""
