"""Read what is written in a cell: missing reports, numbers, look-alike letters, words of yes and no."""
