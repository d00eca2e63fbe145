"""Read files into columns, and write columns to files; independent of votes and scores."""
