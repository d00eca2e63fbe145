"""What one list of bribed reporters could do to a whole table."""
