"""Read any data frame, and validate its reports."""
