"""Print results as text and JSON, and write them to files."""
