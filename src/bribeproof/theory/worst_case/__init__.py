"""Exact worst case of a rule, over all information structures and strategies of the adversaries."""
