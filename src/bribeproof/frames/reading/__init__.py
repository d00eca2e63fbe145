"""Which column of a table has which role: names decide, and two plausible readings are a question."""
