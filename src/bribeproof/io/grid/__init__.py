"""Find the header line of a grid of cells, and the rows that are none."""
