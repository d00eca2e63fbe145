"""
Was the halfpipe final safe from one bribed judge?
==================================================

Twelve riders, three runs each, six judges: the men's snowboard halfpipe final of the Winter
Olympics 2026. The lowest and the highest mark of a run are dropped, and the best run counts. How
many bribed judges does it take to change the winner?
"""

# %%
# The file has one row for each scored run. The rider is the part of ``run_id`` before the dash.

from typing import Any

import matplotlib.pyplot as plt
import polars as pl

import bribeproof as bp
from bribeproof import plots

runs = pl.read_csv("../../tests/fixtures/halfpipe/clean.csv").drop("official")
runs = runs.with_columns(pl.col("run_id").str.split("-").list.to_struct(fields=["rider", "run"])).unnest("run_id")

options: dict[str, Any] = {
    "kind": "scores",
    "item": ["rider", "run"],
    "total": "best of run",
    "trim": 1,
    "scale": (0, 100),
}
one, two = (bp.worst_bribe(runs, k=k, **options) for k in (1, 2))
print(one.summary())

# %%
# Above, one bribed judge; below, two. The marks of two bribed judges are both extreme, and the rule
# drops only one of them.

plt.rc("font", size=12)
figure, axes = plt.subplots(2, figsize=(5, 9), layout="constrained")
for ax, result, title in zip(axes, (one, two), ("one bribed judge", "two bribed judges"), strict=True):
    plots.contest(result, ax=ax)
    ax.set_title(title, loc="left", fontsize=12)
    ax.set_title("", loc="right")
    ax.set_xlabel("places that they could have caused")
    if legend := ax.get_legend():
        legend.remove()  # into the figure, below both pictures
        names = [text.get_text() for text in legend.get_texts()]
        if ax is axes[-1]:
            figure.legend(list(filter(None, legend.legend_handles)), names, loc="outside lower center", frameon=False)
plt.show()

# %%
# **The answer.** Yes, from one judge: nobody else could have been first or on the podium, not even
# if it had been another judge on each run. Two judges would have been enough to make ten of the
# eleven others the winner:
print(bp.cheapest_bribe(runs, "winner", **options).summary())
