"""
How many juries have to be bought to win a song contest?
========================================================

In the finals of a song contest from 2016 to 2022 each of 34 to 43 countries had a jury. A jury
ranks the songs, and its first ten get 12, 10, 8, 7, … 1 points. Suppose that a bribed jury ranks as
the briber wants. How many have to be bribed before another song is first with the juries? And would
other rules have cost the briber more?
"""

# %%
# The table holds the fewest juries for each final and rule. They were computed by
# :func:`bribeproof.compare_rules` from the published rankings; each number is proven to be the
# least.

import matplotlib.pyplot as plt
import numpy as np
import polars as pl

finals = pl.read_csv("data/song_contest_finals.csv")
RULES = {
    "points": "12, 10, 8 … 1",
    "borda": "Borda",
    "trimmed_mean": "trimmed mean",
    "median": "median place",
    "copeland": "pairwise",
}
years = finals["contest"].unique(maintain_order=True).to_list()
needed = np.array([finals.filter(rule=rule)["other_winner"] for rule in RULES])

plt.rc("font", size=12)
figure, ax = plt.subplots(figsize=(5, 3.4), layout="constrained")
ax.imshow(needed, cmap="Blues", vmin=0, vmax=2 * needed.max(), aspect="auto")
for (row, column), juries in np.ndenumerate(needed):
    ax.text(column, row, juries, ha="center", va="center")
ax.set_xticks(range(len(years)), years)
ax.set_yticks(range(len(RULES)), RULES.values())
ax.tick_params(length=0)
ax.spines[:].set_visible(False)
ax.set_title("bribed juries", fontsize=12, loc="left")
plt.show()

# %%
# **The answer.** Under the contest's own rule five juries in 2016 and 2017, two in 2018, and one
# since then. The median place would have taken more in five of the six finals. In 2019 the median
# and the pairwise majority have more than one winner, and one jury is enough to make one of the
# level songs the only one.
#
# Juries were half of the result; the viewers' votes are not in these data. From 2018 on the contest
# gave the first places of each juror more weight than is done here, so that the points differ from
# the published ones. Six juries that were removed in 2022 are left out.
