"""The report of judges' rankings: who wins, how many bribed judges change that, and what other rules say."""
