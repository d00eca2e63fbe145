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
# Left, the panel: pairs on which it is right whichever k judges are compromised. Right, each judge
# alone.

pairs = verdicts.height
robust = result.certification.by_k
alone = result.judges.sort("right")
figure, (left, right) = plt.subplots(
    1, 2, figsize=(10, 3.8), layout="constrained", gridspec_kw={"width_ratios": [2, 3]}
)
bars = left.bar(robust["k"].cast(str), robust["robust"], color="#4477aa")
left.bar_label(bars, label_type="center", color="white")
left.set_xlabel("compromised judges, perhaps others on each pair")
left.set_ylabel(f"pairs of {pairs} decided rightly")
names = [name.split("_")[-1].removeprefix("Skywork-") for name in alone["judge"]]
right.bar_label(right.barh(names, alone["right"], color="#999999"), padding=2)
right.set_xlabel("pairs decided rightly by one judge alone")
for bound, ax in ((left.axhline, left), (right.axvline, right)):
    bound(pairs / 2, color="black", lw=1, ls="--")
    ax.spines[["top", "right"]].set_visible(False)
figure.suptitle("Right verdicts of a panel of six LLM judges, and of each judge alone (dashed: a coin)")
plt.show()

# %%
# **The answer.** One compromised judge leaves the panel worse than a coin. The best judge alone
# does better than the panel, unless it is that judge who is compromised. The six err on the same
# pairs, so that they are worth about two.
print(result.summary())
