"""Statistics of every reporter: deviations from the others, and agreement and shared errors of pairs."""
