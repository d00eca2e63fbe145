"""
How many labellers have to be bribed to spoil a set of labels?
==============================================================

The truth of some items is known. Suppose that up to k labellers of every item were bribed. On how
many of these items is the majority still right, whatever the bribed say? That share is the
*certified accuracy*.

Six readers look at 60 scans. The file is an example of the project: its votes are made up.
"""

# %%
# The upper line is the share of these items. The lower line is a bound with 95 % confidence for
# items like these.

import matplotlib.pyplot as plt

import bribeproof as bp
from bribeproof import plots

result = bp.certify("../screening.csv", "truth")

plt.rc("font", size=12)
figure, ax = plt.subplots(figsize=(5, 4.6), layout="constrained")
plots.certified_accuracy(result, ax=ax)
if legend := ax.get_legend():
    legend.remove()  # into the figure, below the picture
    names = [text.get_text() for text in legend.get_texts()]
    figure.legend(list(filter(None, legend.legend_handles)), names, loc="outside lower center", frameon=False)
plt.show()

# %%
# **The answer.** In numbers, and for whom they hold:
print(result.summary())
