"""Read delimited text."""
