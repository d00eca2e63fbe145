"""
Could one judge have bought an Olympic gold in diving?
======================================================

The four individual finals of Olympic diving in 2000 had seven judges each. On every dive the lowest
and the highest mark are dropped. Suppose that one judge was bribed, the same on all dives: which
places could the divers have had?

A dot is the place that the diver had. A bar spans the places that one bribed judge could have
caused.
"""

# %%
# The table holds these places for each finalist. They were computed by
# :func:`bribeproof.worst_bribe` from the published marks; every judge was tried, so that the places
# are exact.

import matplotlib.pyplot as plt
import polars as pl

finals = pl.read_csv("data/diving_finals.csv")

plt.rc("font", size=12)
figure, axes = plt.subplots(4, figsize=(5, 12), sharex=True, layout="constrained")
for ax, (name, divers) in zip(axes, finals.group_by("final", maintain_order=True), strict=True):
    rows = range(divers.height)
    ax.axvspan(0.5, 3.5, color="#f2e3b3", zorder=0, label="medals")
    ax.hlines(
        rows, divers["best_place"] - 0.4, divers["worst_place"] + 0.4, lw=7, color="#7aa6c2", label="possible places"
    )
    ax.plot(divers["place"], rows, "o", color="black", ms=5, label="place")
    ax.set_yticks(rows, divers["diver"])
    ax.set_xlim(0.5, 12.5)
    ax.set_xticks(range(1, 13))
    ax.invert_yaxis()
    golds = divers.filter(pl.col("best_place") == 1).height - 1
    ax.set_title(f"{name[0]}:\n{golds or 'no'} other{'s' * (golds != 1)} could have won", fontsize=12)
axes[-1].set_xlabel("place")
figure.legend(*axes[0].get_legend_handles_labels(), loc="outside lower center")
plt.show()

# %%
# **The answer.** One gold of four was in reach of a single judge: in the men's springboard final
# the second diver was four points behind, and six of the seven judges could have turned that. In
# the other three nobody else could have won. With two bribed judges, all eleven rivals could have
# won in every final: the rule drops one mark at each end, and no more.
#
# The picture says what was possible. It does not say that anybody was bribed.
print(finals.filter(pl.col("best_place") == 1).select("final", "diver", "total", "place"))
