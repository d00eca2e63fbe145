"""Reports in, answers out: arrays, data frames and files."""
