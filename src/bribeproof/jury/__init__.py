"""Juries of language models: verdicts, marks and preferences of judges of whom k may be wrong together."""
