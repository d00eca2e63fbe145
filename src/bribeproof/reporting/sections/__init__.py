"""The sections of a report, as data: one module for each question that a reader has."""
