"""
Could one judge have changed the podium of a skating contest?
=============================================================

Six skaters, nine judges, five component marks each: the ladies' short program of the Grand Prix
Final 2017. The lowest and the highest mark of each component are dropped. Suppose that one judge
was bribed and only the component marks could be changed: who could have been on the podium?
"""

# %%
# A row is one component of one skater. Its marks are multiplied by ``factor`` and rounded.
# ``minus`` holds the deductions, less the score of the technical elements, which stay as they were.

import matplotlib.pyplot as plt

import bribeproof as bp
from bribeproof import plots

result = bp.worst_bribe(
    "../../tests/fixtures/skating/ladies_short_2017.csv",
    k=1,
    item=["skater", "component"],
    factor="factor",
    minus="minus",
    total="sum of components",
    decimals=2,
    scale=(0.25, 10),
)
print(result.summary())

# %%
# The shaded places are the podium. A dark bar spans the places that the same bribed judge could
# have caused, a light bar those that are possible if it may be another judge on each component.

plt.rc("font", size=12)
figure, ax = plt.subplots(figsize=(5, 4.6), layout="constrained")
plots.contest(result, ax=ax)
ax.set_title("", loc="right")
plt.show()

# %%
# **The answer.** Yes: S035 could have won, and S032 could have had the third place, by the
# component marks of one judge alone.
