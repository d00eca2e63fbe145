"""Command-line options and their conversion."""
