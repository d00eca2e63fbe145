"""
Can a panel of six LLM judges be trusted if one is compromised?
===============================================================

Six language models judge 350 pairs of answers, of which one is known to be right. Suppose that one
or two of the six say what an attacker wants. On how many pairs is the panel's majority still right?
And is the panel better than its best judge?
"""

# %%
# A judge who gives no consistent verdict stays in the panel and is silent on that pair.

import matplotlib.pyplot as plt
import polars as pl

from bribeproof import jury

verdicts = pl.read_csv("../../tests/fixtures/llm_judges/verdicts.csv")
judges = verdicts.columns[1:-1]
result = jury.examine(verdicts, "truth", judges=judges)

# %%
# Above, the panel: pairs on which it is right whichever k judges are compromised. Below, each judge
# alone. Dashed: a coin.

pairs = verdicts.height
robust = result.certification.by_k
alone = result.judges.sort("right")
plt.rc("font", size=12)
figure, (above, below) = plt.subplots(2, figsize=(5, 7.4), layout="constrained")
bars = above.bar(robust["k"].cast(str), robust["robust"], color="#4477aa")
above.bar_label(bars, label_type="center", color="white")
above.set_xlabel("compromised judges,\nperhaps others on each pair")
above.set_ylabel(f"pairs of {pairs} right")
names = [name.split("_")[-1].removeprefix("Skywork-") for name in alone["judge"]]
bars = below.barh(names, alone["right"], color="#cccccc")
below.bar_label(bars, padding=2)
for row, name in enumerate(names):
    below.text(3, row, name, va="center")
below.set_yticks([])
below.set_xlabel("pairs decided rightly by one judge")
for bound, ax in ((above.axhline, above), (below.axvline, below)):
    bound(pairs / 2, color="black", lw=1, ls="--")
    ax.spines[["top", "right"]].set_visible(False)
plt.show()

# %%
# **The answer.** One compromised judge leaves the panel worse than a coin. The best judge alone
# does better than the panel, unless it is that judge who is compromised. The six err on the same
# pairs, so that they are worth about two.
print(result.summary())
