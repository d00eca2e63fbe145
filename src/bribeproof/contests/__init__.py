"""What bribed judges could have made of a contest of scores, the same ones throughout, and the cheapest bribery."""
