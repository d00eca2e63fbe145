"""Rank entries by judges' rankings, and find the fewest bribed judges who could change the winner or the podium."""
