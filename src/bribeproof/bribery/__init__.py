"""Find the k reporters who, bribed together on all items, could change most of a table."""
