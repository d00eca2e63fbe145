"""Contests of scores: the places that the same bribed judges could have given to entries, and the cheapest bribery."""
