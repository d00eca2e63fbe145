"""pandas without pyarrow, as it is installed by default: every function that takes a frame works."""

import subprocess
import sys

import pytest

SCRIPT = """
import sys

class NoPyarrow:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] == "pyarrow":
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)

sys.meta_path.insert(0, NoPyarrow())
import pandas as pd
import bribeproof as bp

items, who = [f"t{i}" for i in range(6)], list("abcdefg")
pairs = [(item, one) for item in items for one in who]
votes = pd.DataFrame({
    "task": [item for item, _ in pairs], "worker": [one for _, one in pairs],
    "label": [(i * 5 // 3 + i // 7) % 2 for i in range(len(pairs))],
})
votes["word"] = votes["label"].map({0: "no", 1: "yes"})
votes["class"] = votes["word"].astype("category")
votes["score"] = votes["label"] * 3.5
votes["truth"] = [int(item[1:]) % 2 for item, _ in pairs]
assert str(votes["task"].dtype) == "str", votes.dtypes
gold = {item: int(item[1:]) % 2 for item in items}
plain = votes[["task", "worker", "label"]]
results = [
    bp.aggregate(plain, k=1).items, bp.aggregate_votes(votes, 1), bp.aggregate_labels(votes, 1, label="class", seed=1),
    bp.aggregate_scores(votes, 1), bp.sweep(votes).by_k, bp.sweep(votes, kind="labels", label="word").answers,
    bp.sweep(votes, kind="scores").items, bp.audit(votes, kind="labels").reporters, bp.weigh(votes, 1).items,
    bp.calibrate(votes, gold, 1).reporters, bp.calibrate(votes, "truth", 1).reporters, bp.corrupt(plain, 1),
    bp.corrupt(votes[["task", "worker", "class"]], 1, kind="labels", value="class"),
    bp.attack(votes, gold, [0, 1], draws=2).curves, bp.attack(votes, votes[["task", "truth"]].drop_duplicates(),
    [0, 1], draws=2, truth_column="truth").curves,
]
assert {type(result) for result in results} == {pd.DataFrame}
summaries = [bp.aggregate(plain, k=1), bp.sweep(votes), bp.audit(votes, kind="labels"), bp.weigh(votes, 1)]
for result in summaries:
    result.summary(), result._repr_html_()
bp.plots.items(results[1], item="task")
assert "pyarrow" not in sys.modules
"""


@pytest.mark.slow
def test_pandas_needs_no_pyarrow() -> None:
    done = subprocess.run([sys.executable, "-c", SCRIPT], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-2000:]
