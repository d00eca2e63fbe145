"""Read what labelling tools export, as a table with a row for each report."""
