"""The ensemble experiment: votes, rates, adversaries, rules and losses."""
